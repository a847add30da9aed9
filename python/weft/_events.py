"""SPDX-License-Identifier: MIT

Events as people have them: tuples, arrays, DataFrames, files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from weft._errors import ArgumentError, InputError
from weft._ids import Array, Id, Ids, Names, distinct, pandas_or_none
from weft._weft import ffi, lib

_FIELDS = ("row", "column", "label")


class Columns:
    """Events as columns: rows, columns, labels or None, and a column for each field of a context, each something that
    has a length."""

    def __init__(self, rows: Any, columns: Any, labels: Any, context: Sequence[Any] = ()) -> None:
        self.rows, self.columns, self.labels, self.context = rows, columns, labels, list(context)
        self.count = len(rows)
        for name, values in (("columns", columns), ("labels", labels), *(("contexts", part) for part in context)):
            if values is not None and len(values) != self.count:
                raise ArgumentError(f"found {self.count} rows and {len(values)} {name}")


def is_files(events: Any) -> bool:
    """The name of a file, or a list of names."""
    if isinstance(events, (list, tuple)) and events:
        return all(isinstance(path, (str, os.PathLike)) for path in events)
    return isinstance(events, (str, os.PathLike))


def columns_of(events: Any, labelled: bool, fields: Sequence[str] = ()) -> Columns:
    """Events from memory; with ``labelled`` a third column is wanted.  ``fields``: those of a context, by name or
    behind the others."""
    if isinstance(events, Columns):
        return events
    if isinstance(events, dict) or (hasattr(events, "columns") and hasattr(events, "__getitem__")):
        return _of_frame(events, labelled, fields)
    if isinstance(events, np.ndarray):
        return _of_array(events, labelled, fields)
    if isinstance(events, tuple) and len(events) >= 2 and all(_is_column(part) for part in events):
        return _columns(list(events), labelled, fields)
    return _of_tuples(events, labelled, fields)


def _is_column(part: Any) -> bool:
    return hasattr(part, "dtype") and hasattr(part, "__len__") and not isinstance(part, str)


def _wanted(labelled: bool, fields: Sequence[str]) -> list[str]:
    return [*_FIELDS[:3 if labelled else 2], *fields]


def _columns(parts: list[Any], labelled: bool, fields: Sequence[str]) -> Columns:
    wanted = _wanted(labelled, fields)
    if len(parts) < len(wanted):
        raise ArgumentError(f"found events of {len(parts)} columns, expected {len(wanted)}: {', '.join(wanted)}")
    begin = len(wanted) - len(fields)
    return Columns(parts[0], parts[1], parts[2] if labelled else None, parts[begin:len(wanted)])


def _of_frame(events: Any, labelled: bool, fields: Sequence[str]) -> Columns:
    names = list(events if isinstance(events, dict) else events.columns)
    count = 3 if labelled else 2
    found: list[Any] = [None] * count
    for field in range(count):
        same = [name for name in names if name == _FIELDS[field]]
        usual = same or [name for name in names
                         if isinstance(name, str) and name not in fields and usual_field(name) == field]
        if len(usual) > 1:
            raise InputError(f"found the columns {usual} for the {_FIELDS[field]}, expected one of them, or one of the "
                             f"name {_FIELDS[field]!r}")
        found[field] = usual[0] if usual else None
    if found == [None] * count and not fields and all(isinstance(name, (int, np.integer)) for name in names):
        found = [*names[:count], *[None] * count][:count]
    for wanted, name in zip([*_FIELDS[:count], *fields], [*found, *fields]):
        if name is None or name not in names:
            raise InputError(f"found no column for the {wanted} among {names}: rename one to {wanted!r}")
    return Columns(events[found[0]], events[found[1]], events[found[2]] if labelled else None,
                   [events[name] for name in fields])


def usual_field(name: str) -> int:
    """The field that a name of a header stands for: 0 row, 1 column, 2 label, or another number."""
    return int(lib.weft_stream_usual_field(name.encode("utf-8", "surrogateescape")))


def _of_array(events: Array, labelled: bool, fields: Sequence[str]) -> Columns:
    if events.dtype.names:
        return _of_frame({name: events[name] for name in events.dtype.names}, labelled, fields)
    if events.ndim != 2 or events.shape[1] < 2:
        raise ArgumentError(f"found an array of shape {events.shape}, expected a row an event: row, column, label")
    return _columns([events[:, k] for k in range(events.shape[1])], labelled, fields)


def _of_tuples(events: Iterable[Any], labelled: bool, fields: Sequence[str]) -> Columns:
    if not hasattr(events, "__iter__"):
        raise ArgumentError(f"found a {type(events).__name__}, expected events: tuples, arrays, a DataFrame or a file")
    wanted = _wanted(labelled, fields)
    parts: list[list[Any]] = [[] for _ in wanted]
    for k, event in enumerate(events):
        if isinstance(event, (str, bytes)) or not hasattr(event, "__len__") or len(event) < len(wanted):
            raise InputError(f"found {event!r} as event {k}, expected a tuple of {len(wanted)}: {', '.join(wanted)}")
        for part, value in zip(parts, event):
            part.append(value)
    return _columns(parts, labelled, fields)


class Pairs:
    """Pairs in the terms of a model: distinct ids of both sides (one set: the same), and of each pair the places of
    its two."""

    def __init__(self, sides: list[Met], places: list[Array]) -> None:
        self.sides, self.places = sides, places
        self.count = len(places[0])

    @staticmethod
    def of(columns: Columns, rows: Ids, other: Ids | None) -> Pairs:
        found_rows, row_places = distinct(columns.rows)
        found_columns, column_places = distinct(columns.columns)
        if other is not None:
            return Pairs([Met.of(rows, found_rows), Met.of(other, found_columns)], [row_places, column_places])
        # One set of ids: one list for both.
        merged: dict[Any, int] = {id: k for k, id in enumerate(found_rows)}
        table = np.array([merged.setdefault(id, len(merged)) for id in found_columns], dtype=np.int64)
        met = Met.of(rows, list(merged))
        return Pairs([met, met], [row_places, table[column_places] if len(table) else column_places])

    def span(self, begin: int, end: int, signs: Array, contexts: Array | None = None) -> Any:
        """Some of them for weft_player_play."""
        labels = np.ascontiguousarray(signs[begin:end])
        parts = [np.ascontiguousarray(places[begin:end]) for places in self.places]
        holders = [ffi.from_buffer("int64_t[]", parts[0]), ffi.from_buffer("int64_t[]", parts[1]),
                   ffi.from_buffer("signed char[]", labels)]
        events = ffi.new("weft_events *", {
            "count": end - begin, "rows": holders[0], "columns": holders[1], "labels": holders[2],
            "row_names": self.sides[0].names.pointer, "row_count": self.sides[0].names.count,
            "column_names": self.sides[1].names.pointer, "column_count": self.sides[1].names.count})
        if contexts is not None:
            some = np.ascontiguousarray(contexts[begin:end])
            holders.append(ffi.from_buffer("uint64_t[]", some))
            events.contexts, events.context_count = holders[-1], some.shape[1]
        return events, holders


class Met:
    """Distinct ids of one side and their names."""

    def __init__(self, ids: list[Id], texts: list[str]) -> None:
        self.ids, self.texts = ids, texts
        self.names = Names(texts)

    @staticmethod
    def of(ids: Ids, found: list[Any]) -> Met:
        return Met(*ids.names(found))


def frame(columns: dict[str, Any]) -> Any:
    """A DataFrame where there is pandas, else the columns as they are."""
    pandas = pandas_or_none()
    return columns if pandas is None else pandas.DataFrame(columns)
