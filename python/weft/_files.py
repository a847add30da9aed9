"""SPDX-License-Identifier: MIT

Events from files, as the command reads them.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from weft._calls import Teller, check
from weft._context import Fields
from weft._errors import text
from weft._events import Columns, Met, Pairs
from weft._ids import Array, Ids
from weft._labels import Language
from weft._sides import file_options
from weft._weft import ffi, lib

_ROOM = 1 << 16


class Lines:
    """What files hold, read whole before anything is learnt, so that an error in their last line is told first."""

    def __init__(self, names: list[list[str]], places: list[Array], signs: Array) -> None:
        self.names, self.places, self.signs = names, places, signs
        self.contexts: Array | None = None
        self.language = Language()
        self.words: tuple[str, str] | None = None

    def pairs(self, rows: Ids, columns: Ids) -> Pairs:
        mets = [Met(rows.of_file(self.names[0]), self.names[0])]
        mets.append(mets[0] if rows is columns else Met(columns.of_file(self.names[1]), self.names[1]))
        return Pairs(mets, self.places)

    @staticmethod
    def columns(pairs: Pairs) -> Columns:
        made = []
        for met, places in zip(pairs.sides, pairs.places):
            ids = np.empty(len(met.ids), dtype=object)
            ids[:] = met.ids
            made.append(ids[places])
        return Columns(made[0], made[1], None)


def read_files(paths: Any, teller: Teller, one_set: bool, labelled: bool, language: Language,
               fields: Fields) -> Lines:
    """Events (``labelled``) or pairs of files that are read one after the other; labels must be in the ``language``
    that is known so far."""
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    holders = [ffi.new("char[]", os.fsencode(path)) for path in listed]
    array = ffi.new("char const *[]", holders)
    options = file_options(teller, ffi.new("weft_roster_options *"))
    out, error = ffi.new("weft_stream **"), ffi.new("weft_error *")
    kind = lib.WEFT_LABELLED if labelled else lib.WEFT_PAIRS
    check(lib.weft_stream_open_as(kind, array, len(listed), options, out, error), error, teller)
    stream = ffi.gc(out[0], lib.weft_stream_free)
    check(lib.weft_stream_expect(stream, language.struct(), error), error)
    if len(fields):
        context = fields.struct()
        check(lib.weft_stream_set_context(stream, context, error), error)
    names = [_new_names() for _ in range(1 if one_set else 2)]
    parts = _read_all(stream, names, teller, len(fields))
    made = Lines([_texts(ids) for ids in names], [parts[0], parts[1]], parts[2])
    made.contexts = parts[3] if len(fields) else None
    made.language = language.after(lib.weft_stream_language(stream))
    words = lib.weft_stream_report(stream).words
    if words[1]:
        made.words = (text(words[0]) if words[0] else "", text(words[1]))
    return made


def _new_names() -> Any:
    out, error = ffi.new("weft_ids **"), ffi.new("weft_error *")
    check(lib.weft_ids_create(ffi.NULL, out, error), error)
    return ffi.gc(out[0], lib.weft_ids_free)


def _texts(ids: Any) -> list[str]:
    pointers = ffi.new("char const *[]", max(lib.weft_ids_count(ids), 1))
    lib.weftpy_names(ids, pointers)
    return [text(pointers[k]) for k in range(lib.weft_ids_count(ids))]


def _read_all(stream: Any, names: list[Any], teller: Teller, width: int) -> list[Array]:
    error = ffi.new("weft_error *")
    parts: list[list[Array]] = [[], [], [], []]
    while True:
        arrays: list[Any] = [np.empty(_ROOM, dtype=np.int64), np.empty(_ROOM, dtype=np.int64),
                             np.empty(_ROOM, dtype=np.int8), np.empty((_ROOM, width), dtype=np.uint64)]
        lines = ffi.new("weftpy_lines *", {
            "room": _ROOM, "rows": ffi.from_buffer("int64_t[]", arrays[0]),
            "columns": ffi.from_buffer("int64_t[]", arrays[1]), "labels": ffi.from_buffer("signed char[]", arrays[2]),
            "context_count": width, "contexts": ffi.from_buffer("uint64_t[]", arrays[3]) if width else ffi.NULL})
        check(lib.weftpy_read(stream, names[0], names[-1], lines, error), error, teller)
        for part, array in zip(parts, arrays):
            part.append(array[:lines.count])
        if lines.count < _ROOM:
            return [np.concatenate(part) for part in parts]
