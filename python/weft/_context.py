"""SPDX-License-Identifier: MIT

What is known of an event alone, such as the device or the hour: of every field a word, as a digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft._errors import ArgumentError, error_of, text
from weft._ids import Array, distinct, encode
from weft._weft import ffi, lib

LIMIT = 8


class Fields:
    """The names of the fields of a model, in their order."""

    def __init__(self, names: Sequence[str]) -> None:
        if isinstance(names, str):
            raise ArgumentError(f"found context={names!r}, expected a list of names")
        self.names = list(names)
        if len(self.names) > LIMIT or not all(isinstance(name, str) for name in self.names):
            raise ArgumentError(f"found context={self.names}, expected at most {LIMIT} names")
        self._bytes = [encode(name) for name in self.names]

    def __len__(self) -> int:
        return len(self.names)

    def struct(self) -> Any:
        """As the library has them."""
        fields = ffi.new("weft_context_fields *")
        fields.count = len(self.names)
        for k, name in enumerate(self._bytes):
            if len(name) >= len(fields.name[k]):
                raise ArgumentError(f"found the name {self.names[k]!r} of a context, expected at most "
                                    f"{len(fields.name[k]) - 1} bytes")
            fields.name[k] = name
        return fields

    def keep(self, player: Any) -> None:
        """The player keeps the names with its model."""
        if not self.names:
            return
        error = ffi.new("weft_error *")
        status = lib.weft_player_set_context_fields(player, self.struct(), error)
        if status:
            raise error_of(status, error)

    @staticmethod
    def of_player(player: Any) -> Fields:
        fields = lib.weft_player_context_fields(player)
        return Fields([text(fields.name[k]) for k in range(fields.count)])

    def values_of(self, given: Any) -> list[Any]:
        """The values of one event: a dict, or a value a field; None: nothing is known."""
        if given is None:
            return [None] * len(self.names)
        if isinstance(given, dict):
            strange = [name for name in given if name not in self.names]
            if strange:
                raise ArgumentError(f"found the context {strange[0]!r}, expected one of {self.expected()}")
            return [given.get(name) for name in self.names]
        if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != len(self.names):
            raise ArgumentError(f"found the context {given!r}, expected a dict of {self.expected()}, or a value "
                                "of each")
        return list(given)

    def expected(self) -> str:
        return ", ".join(map(repr, self.names)) or "no field: weft.Model(context=...) names them"

    def set(self, player: Any, given: Any) -> None:
        """The context of the next question."""
        digests = [self._digest(k, word_of(value)) for k, value in enumerate(self.values_of(given))]
        lib.weft_player_set_context(player, digests, len(digests), ffi.NULL)

    def _digest(self, k: int, word: str) -> int:
        return int(lib.weft_context_digest(self._bytes[k], encode(word)))

    def digests(self, columns: Sequence[Any], count: int) -> Array:
        """The digests of many events, a row each."""
        made = np.zeros((count, len(self.names)), dtype=np.uint64)
        for k, column in enumerate(columns):
            values, places = distinct_values(column)
            table = np.array([self._digest(k, word_of(value)) for value in values], dtype=np.uint64)
            if len(table):
                made[:, k] = table[places]
        return made


def distinct_values(column: Any) -> tuple[list[Any], Array]:
    """As distinct(), where values may be missing."""
    dtype = getattr(column, "dtype", None)
    if dtype is not None and getattr(dtype, "kind", "O") in "iubUS":
        return distinct(column)
    listed = column.tolist() if hasattr(column, "tolist") else list(column)
    return distinct([None if word_of(value) == "" else value for value in listed])


def word_of(value: Any) -> str:
    """As a file would say it; nothing where it is not known."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        if value != value:
            return ""
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    word = str(value)
    if "\0" in word:
        raise ArgumentError(f"found the context {word!r}, which has a zero byte")
    return word
