"""SPDX-License-Identifier: MIT

Calls of the library that last: who hears of them, and how they are stopped.
"""

from __future__ import annotations

from typing import Any

from weft._errors import error_of
from weft._weft import ffi, lib

# Multiplications between two looks at whether Ctrl-C was pressed: some 5 to 20 milliseconds.
_EVERY = 2.0**24

_INTERRUPTED = int(ffi.cast("int", lib.WEFT_INTERRUPTED))


class Teller:
    """Hears how far a call is.  It runs on the thread of the call, so that Python looks at signals there: a
    KeyboardInterrupt that comes up stops the call."""

    def __init__(self) -> None:
        self._handle = ffi.new_handle(self)
        self.progress = ffi.new("weft_progress *", {"tell": lib.weftpy_heard, "context": self._handle,
                                                    "every": _EVERY})
        self.raised: BaseException | None = None
        self.listener: Any = None

    def hear(self, done: float) -> bool:
        if self.listener is not None:
            self.listener(done)
        return self.raised is None

    def take(self) -> BaseException | None:
        raised, self.raised = self.raised, None
        return raised


def _failed(kind: Any, value: Any, trace: Any) -> bool:
    """What hear() raised is kept; the call ends."""
    frame = trace.tb_frame if trace is not None else None
    context = frame.f_locals.get("context") if frame is not None else None
    if context is not None:
        ffi.from_handle(context).raised = value if value is not None else kind()
    return False


@ffi.def_extern(error=False, onerror=_failed)  # type: ignore
def weftpy_heard(context: Any, what: Any, done: float) -> bool:
    return bool(ffi.from_handle(context).hear(done))


def check(status: int, error: Any, teller: Teller | None = None) -> None:
    """Raises what a status says; a call that was stopped raises what stopped it."""
    raised = teller.take() if teller is not None else None
    if raised is not None:
        raise raised
    if status == 0:
        return
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    raise error_of(status, error)
