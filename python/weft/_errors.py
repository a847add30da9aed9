"""SPDX-License-Identifier: MIT

What the library answers when it cannot, as exceptions.
"""

from __future__ import annotations

from typing import Any

from weft._weft import ffi, lib


class Error(Exception):
    """A failure of weft; ``status`` is its name, such as "WEFT_INPUT", and str() the facts in one sentence.

    Every one that is raised is also what Python calls such a thing: a ValueError, a KeyError, a MemoryError, an
    OSError or a RuntimeError.

    >>> try:
    ...     weft.Model(rows="graph:no-such-file.txt")
    ... except OSError as error:
    ...     print(type(error).__name__, error.status)
    FileError WEFT_FILE
    """

    status = "WEFT_INTERNAL"

    def __init__(self, message: str, status: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if status is not None:
            self.status = status

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.status)


class ArgumentError(Error, ValueError):
    """An argument is out of its range, or something cannot be done with it."""

    status = "WEFT_ARGUMENT"


class InputError(Error, ValueError):
    """What was given is malformed: a file, a matrix that is no kernel, labels that contradict each other."""

    status = "WEFT_INPUT"


class UnsupportedError(Error, ValueError):
    """This kind of side information, or of player, cannot do that."""

    status = "WEFT_UNSUPPORTED"


class ModelError(Error, ValueError):
    """A stored model is damaged, or does not fit."""

    status = "WEFT_MODEL"


class UnknownIdError(Error, KeyError):
    """An id that the side information does not list, and that may not come."""

    status = "WEFT_UNKNOWN_ID"


class FileError(Error, OSError):
    """A file could not be read, or not be written (status WEFT_WRITE)."""

    status = "WEFT_FILE"


class OutOfMemoryError(Error, MemoryError):
    """There was no memory; what there was before is as it was."""

    status = "WEFT_MEMORY"


class InternalError(Error, RuntimeError):
    """A numerical library failed."""

    status = "WEFT_INTERNAL"


_CLASSES: dict[str, type[Error]] = {
    "WEFT_MEMORY": OutOfMemoryError,
    "WEFT_INTERNAL": InternalError,
    "WEFT_WRITE": FileError,
    "WEFT_ARGUMENT": ArgumentError,
    "WEFT_INPUT": InputError,
    "WEFT_FILE": FileError,
    "WEFT_UNKNOWN_ID": UnknownIdError,
    "WEFT_CAPACITY": ArgumentError,
    "WEFT_UNSUPPORTED": UnsupportedError,
    "WEFT_MODEL": ModelError,
}


def error_of(status: int, error: Any) -> BaseException:
    """The exception for a status and the weft_error that came with it."""
    name = text(lib.weft_status_name(status))
    message = text(error.message) if error.status == status else text(lib.weft_status_meaning(status))
    return _CLASSES.get(name, InternalError)(message, name)


def text(pointer: Any) -> str:
    """A string of C."""
    return bytes(ffi.string(pointer)).decode("utf-8", "surrogateescape")
