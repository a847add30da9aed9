"""SPDX-License-Identifier: MIT

What is known of the ids of one side: from memory, or from files by a SPEC of the command.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Union

import numpy as np

from weft._calls import Teller, check
from weft._errors import ArgumentError, InputError
from weft._ids import Array, Id, Ids, Names, distinct, encode, pandas_or_none, plain
from weft._weft import ffi, lib

_GRAPH_KERNELS = {"pdlaplacian": 0, "regularised": 1, "diffusion": 2, "none": 3}
_VECTOR_KERNELS = {"linear": ("epsilon", 0), "gaussian": ("width", 1), "min": ("range", 2)}


class Side:
    """Side information; weft.graph() and the other constructors make it, weft.Model() takes it."""

    def __init__(self, kind: str, ids: Sequence[Any] | None, make: Callable[[Names, Any], Any]) -> None:
        self.kind = kind
        self._own = Ids()
        self.ids: list[Id] = []
        self._names: list[str] = []
        if ids is not None:
            self.ids, self._names = self._own.names(list(ids))
            refuse_twice(self.ids)
        self._make = make

    def __repr__(self) -> str:
        return f"<weft.{self.kind}: {len(self.ids)} ids>"

    def _open(self, options: Any) -> tuple[Any, dict[str, Id], dict[Id, str]]:
        """A roster of the library, the ids by name, and those that are neither str nor int."""
        names = Names(self._names)
        return self._make(names, options), dict(zip(self._names, self.ids)), self._own.other


def refuse_twice(ids: Sequence[Id]) -> None:
    if len(set(ids)) == len(ids):
        return
    seen = set()
    for id in ids:
        if id in seen:
            raise InputError(f"found the id {id!r} twice, expected every id once")
        seen.add(id)


def ids_or_numbers(ids: Iterable[Any] | None, count: int) -> list[Any]:
    """The ids that were given, or 0, 1, ..."""
    if ids is None:
        return list(range(count))
    made: list[Any] = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    if len(made) != count:
        raise ArgumentError(f"found {len(made)} ids, expected {count}")
    return made


def _floats(values: Any) -> Array:
    """Doubles row by row; the same memory where it is that already."""
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"expected numbers: {error}") from None


def _doubles(array: Array) -> Any:
    return ffi.from_buffer("double[]", array) if array.size else ffi.new("double[1]")


def _integers(array: Array) -> Any:
    return ffi.from_buffer("int64_t[]", array) if array.size else ffi.new("int64_t[1]")


def _out() -> Any:
    return ffi.new("weft_roster **")


# ---- Constructors ----


def none(ids: Iterable[Any] | None = None) -> Side:
    """Nothing is known; ids that are given are numbered first, in their order.

    >>> weft.Model(rows=weft.none(), columns=None)
    <weft.Model rows=none (0 ids) columns=none (0 ids): 0 trials, 0 mistakes>
    """
    listed = None if ids is None else list(ids)

    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        if names.count == 0:
            check(lib.weft_roster_open(b"none", options, out, error), error)
        else:
            check(lib.weft_roster_from_names(names.count, names.pointer, options, out, error), error)
        return out[0]

    return Side("none", listed, make)


def classes(classes: Any, ids: Iterable[Any] | None = None, *, epsilon: float = 0.1) -> Side:
    """A class an id: a dict or Series {id: class}, or a sequence of classes beside ``ids`` (0, 1, ... without).

    Two ids are similar iff they are of one class, and epsilon is what each is for itself.  An id whose class is
    missing (None, nan) is similar to nothing.

    >>> weft.classes({"ann": "red", "bob": "red", "cleo": "blue"})
    <weft.classes: 3 ids>
    """
    if isinstance(classes, dict):
        listed, of = list(classes), list(classes.values())
    elif ids is None and hasattr(classes, "index") and hasattr(classes, "to_numpy"):
        listed, of = classes.index.tolist(), classes.tolist()
    else:
        of = classes.tolist() if hasattr(classes, "tolist") else list(classes)
        listed = ids_or_numbers(ids, len(of))
    known = [k for k, value in enumerate(of) if not _is_missing(value)]
    listed = [listed[k] for k in known]
    numbers: dict[Any, int] = {}
    found = np.array([numbers.setdefault(of[k], len(numbers)) for k in known], dtype=np.int64)

    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        check(lib.weft_roster_from_classes(names.count, _integers(found), epsilon, names.pointer, options, out, error),
              error)
        return out[0]

    return Side("classes", listed, make)


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, (float, np.floating)) and value != value)


def graph(graph: Any, ids: Iterable[Any] | None = None, *, kernel: str = "pdlaplacian", sigma: float | None = None,
          time: float | None = None, laplacian: str = "plain", scale: str = "none", connect: str = "star",
          weight: str | None = "weight") -> Side:
    """An undirected graph: of networkx, an adjacency matrix (scipy.sparse, or numpy with ``ids``), a DataFrame with an
    edge a line (two columns, and a third of weights), or an iterable of (id, id) and (id, id, weight).

    Weights are positive; an edge may stand twice, in either direction, with one weight; loops are ignored.  Vertices
    are all ids of the graph, or those of ``ids``, also without edges.  kernel is "pdlaplacian", "regularised" (with
    sigma), "diffusion" (with time) or "none"; docs/graphs.md tells which.

    >>> weft.graph([("ann", "bob"), ("cleo", "dan"), ("bob", "cleo", 0.1)])
    <weft.graph: 4 ids>
    """
    listed, begins, ends, weights = _edges_of(graph, ids, weight)
    _check_word("kernel", kernel, _GRAPH_KERNELS)
    _check_word("laplacian", laplacian, ("plain", "normalised"))
    _check_word("scale", scale, ("none", "unit"))
    _check_word("connect", connect, ("star", "error"))
    _check_parameter("sigma", sigma, kernel == "regularised", kernel)
    _check_parameter("time", time, kernel == "diffusion", kernel)

    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        holders = [_integers(begins), _integers(ends), ffi.NULL if weights is None else _doubles(weights)]
        given = ffi.new("weft_graph *", {
            "vertices": names.count, "edges": len(begins), "from": holders[0], "to": holders[1], "weight": holders[2],
            "connect": connect == "star", "kernel": _GRAPH_KERNELS[kernel],
            "parameter": sigma if sigma is not None else time if time is not None else 0.0,
            "normalised": laplacian == "normalised", "unit": scale == "unit"})
        check(lib.weft_roster_from_graph(given, names.pointer, options, out, error), error)
        return out[0]

    return Side("graph", listed, make)


def kernel(kernel: Any, ids: Iterable[Any] | None = None, *, repair: str = "error") -> Side:
    """Similarities: a square matrix (numpy, or a DataFrame whose index has the ids), or a function of two ids, which is
    asked once for every pair of ``ids`` and must be symmetric.

    repair="clip" or "shift" mends a matrix that is no kernel: clip drops negative eigenvalues, shift adds to the
    diagonal.

    >>> weft.kernel(lambda a, b: float(len(set(a) & set(b))), ids=["ann", "anna", "bob"])
    <weft.kernel: 3 ids>
    """
    _check_word("repair", repair, ("error", "clip", "shift"))
    listed, values = _square_of(kernel, ids)
    words = None if repair == "error" else f"repair={repair}"
    return Side("kernel", listed, _square_maker(lib.weft_roster_from_kernel, values, words))


def matrix(matrix: Any, ids: Iterable[Any] | None = None) -> Side:
    """M = K^-1, positive definite, in place of a kernel K; as weft.kernel() otherwise."""
    listed, values = _square_of(matrix, ids)
    return Side("matrix", listed, _square_maker(lib.weft_roster_from_matrix, values, None))


def features(features: Any, ids: Iterable[Any] | None = None, *, kernel: str | None = None,
             epsilon: float | None = None, width: float | None = None, range: float | None = None) -> Side:
    """A vector an id: a matrix (numpy, scipy.sparse, or a DataFrame whose index has the ids), or a dict {id: vector}.

    Without a kernel nothing need be chosen: columns are scaled, and several widths play (a table of numbers).  With
    one, kernel is "linear" (epsilon), "gaussian" (width) or "min" (range).

    >>> weft.features([[0.1, 2.0], [0.3, 1.0]], ids=["ann", "bob"], kernel="gaussian", width=1.0)
    <weft.features: 2 ids>
    """
    if isinstance(features, dict):
        ids, features = list(features), list(features.values())
    elif ids is None and hasattr(features, "index") and hasattr(features, "columns"):
        ids = features.index.tolist()
    values = _floats(features.toarray() if hasattr(features, "toarray") else features)
    if values.ndim != 2:
        raise ArgumentError(f"found features of {values.ndim} dimensions, expected 2: a row an id")
    listed = ids_or_numbers(ids, values.shape[0])
    parameters = {"epsilon": epsilon, "width": width, "range": range}
    if kernel is None:
        given = [name for name, value in parameters.items() if value is not None]
        if given:
            raise ArgumentError(f"found {given[0]}, which belongs to a kernel, and no kernel")
        return _table_of_numbers(values, listed)
    _check_word("kernel", kernel, _VECTOR_KERNELS)
    wanted, number = _VECTOR_KERNELS[kernel]
    for name, value in parameters.items():
        _check_parameter(name, value, name == wanted, kernel)

    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        holder = _doubles(values)
        given = ffi.new("weft_features *", {"count": values.shape[0], "dimension": values.shape[1], "values": holder,
                                            "kernel": number, "parameter": parameters[wanted]})
        check(lib.weft_roster_from_features(given, names.pointer, options, out, error), error)
        return out[0]

    return Side("features", listed, make)


def table(table: Any, ids: Iterable[Any] | str | None = None) -> Side:
    """What a database knows: a DataFrame (or a dict of columns) of numbers, words and empty cells, an id a line.

    The ids are the index of a DataFrame, the column that ``ids`` names, or what it lists.  Nothing need be chosen.

    >>> weft.table({"age": [31, 47], "city": ["Rome", "Oslo"]}, ids=["ann", "bob"])
    <weft.table: 2 ids>
    """
    columns = {str(name): _cells(table[name]) for name in table}
    counts = {len(cells) for cells in columns.values()}
    if len(counts) != 1:
        raise ArgumentError(f"found columns of {sorted(counts)} cells, expected one number")
    count = counts.pop()
    if isinstance(ids, str):
        if ids not in columns:
            raise ArgumentError(f"found no column {ids!r}, expected one of {', '.join(columns)}")
        values = table[ids]
        listed = values.tolist() if hasattr(values, "tolist") else list(values)
        del columns[ids]
    elif ids is None and hasattr(table, "index"):
        listed = table.index.tolist()
    else:
        listed = ids_or_numbers(ids, count)
    return Side("table", listed, _text_maker("table", list(columns), list(columns.values())))


def _cells(values: Any) -> list[str]:
    """Cells as a file has them; nothing where a value is missing."""
    made = values.tolist() if hasattr(values, "tolist") else list(values)
    return ["" if _is_missing(value) else repr(value) if type(value) is float else str(value) for value in made]


def _table_of_numbers(values: Array, listed: list[Any]) -> Side:
    columns = [[repr(value) for value in column] for column in values.T.tolist()]
    return Side("features", listed, _text_maker("features", None, columns))


def _text_maker(word: str, header: list[str] | None, columns: list[list[str]]) -> Callable[[Names, Any], Any]:
    """A maker of what is given as the text of a file, with ids in its first field."""

    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        page = io.StringIO(newline="")
        writer = csv.writer(page, quoting=csv.QUOTE_ALL, lineterminator="\n")
        if header is not None:
            writer.writerow(["id", *header])
        writer.writerows(zip(names.texts(), *columns))
        content = encode(page.getvalue())
        holder, name = ffi.from_buffer("char[]", content), ffi.new("char[]", b"memory.csv")
        text = ffi.new("weft_text *", {"name": name, "bytes": holder, "size": len(content)})
        check(lib.weft_roster_from_text(f"{word}:memory.csv".encode(), text, 1, options, out, error), error)
        return out[0]

    return make


def _square_of(given: Any, ids: Iterable[Any] | None) -> tuple[list[Any], Array]:
    if callable(given) and not hasattr(given, "shape"):
        if ids is None:
            raise ArgumentError("a kernel that is a function needs ids=, the ids that it is asked about")
        listed = [plain(id) for id in ids]
        values = np.empty((len(listed), len(listed)))
        for i, a in enumerate(listed):
            for j in range(i + 1):
                values[i, j] = values[j, i] = given(a, listed[j])
        return listed, values
    if ids is None and hasattr(given, "index") and hasattr(given, "columns"):
        ids = given.index.tolist()
        if list(given.columns) != list(given.index):
            raise ArgumentError("index and columns of the matrix are not the same ids in the same order")
    values = _floats(given.toarray() if hasattr(given, "toarray") else given)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ArgumentError(f"found a matrix of shape {values.shape}, expected a square one")
    return ids_or_numbers(ids, values.shape[0]), values


def _square_maker(constructor: Any, values: Array, words: str | None) -> Callable[[Names, Any], Any]:
    def make(names: Names, options: Any) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        word = ffi.NULL if words is None else ffi.new("char[]", words.encode())
        options.roster.words = word
        try:
            check(constructor(names.count, _doubles(values), names.pointer, options, out, error), error)
        finally:
            options.roster.words = ffi.NULL
        return out[0]

    return make


def _check_word(name: str, word: str, words: Iterable[str]) -> None:
    if word not in words:
        raise ArgumentError(f"found {name}={word!r}, expected one of {', '.join(words)}")


def _check_parameter(name: str, value: float | None, wanted: bool, kernel: str) -> None:
    if wanted and value is None:
        raise ArgumentError(f"kernel={kernel!r} needs {name}=")
    if not wanted and value is not None:
        raise ArgumentError(f"found {name}={value!r}, which kernel={kernel!r} does not have")


# ---- Edges ----


def _edges_of(given: Any, ids: Iterable[Any] | None,
              weight: str | None) -> tuple[list[Any], Array, Array, Array | None]:
    if hasattr(given, "nodes") and hasattr(given, "edges"):
        return _edges_of_networkx(given, ids, weight)
    if hasattr(given, "tocoo"):
        return _edges_of_adjacency(given.tocoo(), ids)
    if hasattr(given, "columns") and hasattr(given, "iloc"):
        columns = [given.iloc[:, k] for k in range(min(given.shape[1], 3))]
        if len(columns) < 2:
            raise ArgumentError(f"found a DataFrame of {given.shape[1]} columns, expected 2 ids, and a weight or none")
        return _edges_of_columns(columns, ids)
    if isinstance(given, np.ndarray):
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise ArgumentError(f"found an array of shape {given.shape}, expected an adjacency matrix")
        begins, ends = np.nonzero(given)
        return _edges_of_places(given.shape, begins, ends, given[begins, ends], ids)
    return _edges_of_columns(_columns_of_tuples(given), ids)


def _columns_of_tuples(given: Iterable[Any]) -> list[list[Any]]:
    columns: list[list[Any]] = [[], [], []]
    for k, edge in enumerate(given):
        if isinstance(edge, str) or not hasattr(edge, "__len__") or len(edge) not in (2, 3):
            raise InputError(f"found {edge!r} as edge {k}, expected (id, id) or (id, id, weight)")
        columns[0].append(edge[0])
        columns[1].append(edge[1])
        columns[2].append(edge[2] if len(edge) == 3 else 1.0)
    return columns


def _edges_of_networkx(given: Any, ids: Iterable[Any] | None,
                       weight: str | None) -> tuple[list[Any], Array, Array, Array | None]:
    listed = list(given.nodes) if ids is None else list(ids)
    columns: list[list[Any]] = [[], [], []]
    for a, b, data in given.edges(data=True):
        columns[0].append(a)
        columns[1].append(b)
        columns[2].append(data.get(weight, 1.0) if weight is not None else 1.0)
    return _edges_of_columns(columns, listed)


def _edges_of_columns(columns: Sequence[Any],
                      ids: Iterable[Any] | None) -> tuple[list[Any], Array, Array, Array | None]:
    found_a, places_a = distinct(columns[0])
    found_b, places_b = distinct(columns[1])
    numbers: dict[Any, int] = {}
    if ids is not None:
        for id in ids:
            numbers.setdefault(plain(id), len(numbers))
    given = len(numbers)
    # In the order in which the ends of edges come, as in a file.
    both = np.empty(2 * len(places_a), dtype=np.int64)
    both[0::2], both[1::2] = places_a, places_b + len(found_a)
    everyone = [plain(id) for id in found_a] + [plain(id) for id in found_b]
    _, first = np.unique(both, return_index=True)
    for place in both[np.sort(first)].tolist():
        numbers.setdefault(everyone[place], len(numbers))
    if ids is not None and len(numbers) > given:
        raise InputError(f"found an edge of {list(numbers)[given]!r}, which is not among the ids")
    table = np.array([numbers[id] for id in everyone], dtype=np.int64)
    weights = None
    if len(columns) > 2:
        weights = _floats(np.asarray(columns[2], dtype=float))
        weights = None if bool(np.all(weights == 1)) else weights
    if not len(both):
        return list(numbers), places_a, places_b, None
    return list(numbers), table[places_a], table[places_b + len(found_a)], weights


def _edges_of_adjacency(coo: Any,
                        ids: Iterable[Any] | None) -> tuple[list[Any], Array, Array, Array | None]:
    keep = coo.data != 0
    return _edges_of_places(coo.shape, coo.row[keep], coo.col[keep], coo.data[keep], ids)


def _edges_of_places(shape: tuple[int, ...], begins: Array, ends: Array, weights: Array,
                     ids: Iterable[Any] | None) -> tuple[list[Any], Array, Array, Array | None]:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentError(f"found a matrix of shape {shape}, expected an adjacency matrix, which is square")
    listed = ids_or_numbers(ids, shape[0])
    values = _floats(weights)
    return (listed, np.ascontiguousarray(begins, dtype=np.int64), np.ascontiguousarray(ends, dtype=np.int64),
            None if bool(np.all(values == 1)) else values)


# ---- From what a user gives to a roster ----

Given = Union[None, str, Side, "list[Union[str, Side]]"]


class Opened:
    """The roster of one side, which is freed unless a player takes it, and what is known of its ids."""

    def __init__(self, given: Given, name: str, options: Any) -> None:
        self.known: dict[str, Id] = {}
        self.other: dict[Id, str] = {}
        everything: Any = given
        parts: Any = everything if isinstance(everything, (list, tuple)) else [everything]
        if not parts:
            raise ArgumentError(f"{name}: found an empty list, expected side information")
        rosters: list[Any] = []
        try:
            for part in parts:
                rosters.append(self._open(part, name, options))
            self.roster = rosters[0] if len(rosters) == 1 else self._combine(rosters)
        except BaseException:
            for roster in rosters:
                lib.weft_roster_free(roster)
            raise

    def _open(self, part: Any, name: str, options: Any) -> Any:
        if part is None:
            part = "none"
        if isinstance(part, str):
            out, error = _out(), ffi.new("weft_error *")
            check(lib.weft_roster_open(os.fsencode(part), options, out, error), error)
            return out[0]
        if not isinstance(part, Side):
            raise ArgumentError(f"{name}: found a {type(part).__name__}, expected a SPEC such as 'graph:friends.txt', "
                                f"{_constructor_of(part)}, a list of these, or None")
        roster, known, other = part._open(options)
        self.other.update(other)
        for label, id in known.items():
            if self.known.setdefault(label, id) != id:
                lib.weft_roster_free(roster)
                raise InputError(f"{name}: found the ids {self.known[label]!r} and {id!r} in several kinds: ids of one "
                                 "side do not mix int and str")
        return roster

    @staticmethod
    def _combine(rosters: list[Any]) -> Any:
        out, error = _out(), ffi.new("weft_error *")
        parts = ffi.new("weft_roster *[]", rosters)
        check(lib.weft_roster_combine(parts, len(rosters), out, error), error)
        return out[0]

    def free(self) -> None:
        lib.weft_roster_free(self.roster)
        self.roster = ffi.NULL


def _constructor_of(part: Any) -> str:
    """What might be meant."""
    if isinstance(part, dict) or (hasattr(part, "index") and not hasattr(part, "columns") and hasattr(part, "dtype")):
        return "weft.classes(...)"
    if hasattr(part, "nodes") or hasattr(part, "tocoo"):
        return "weft.graph(...)"
    if hasattr(part, "columns"):
        return "weft.table(...) or weft.graph(...)"
    if isinstance(part, np.ndarray):
        return "weft.features(...) or weft.kernel(...)"
    return "weft.graph(...) or another constructor"


def file_options(teller: Teller | None, roster: Any) -> Any:
    """How files are read: they are kept, so that copies and pickles need them no more."""
    options = ffi.new("weft_file_options *")
    roster.keep = True
    options.roster = roster
    if teller is not None:
        options.progress = teller.progress[0]
    return options
