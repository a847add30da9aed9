"""SPDX-License-Identifier: MIT

Ids of Python and names of the library.

The library knows an id by a name, a string without a type.  Here an id is a str or an int and stays one: 7 is never
"7", and a side that has one refuses the other.  Names that come from a file have no type; they take that of the first
id that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft._errors import ArgumentError, InputError
from weft._weft import ffi

_WHOLE = re.compile(r"(?:0|-?[1-9][0-9]*)\Z", re.ASCII)
_MISSING = frozenset(("NoneType", "NAType", "NaTType"))

Id = Hashable
Array = NDArray[Any]


def plain(value: Any) -> Id:
    """A str or an int where it is one in any guise, such as a numpy scalar; any other hashable as it is."""
    kind = type(value)
    if kind is str or kind is int:
        return value  # type: ignore[no-any-return]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if value != value:
            raise InputError("found nan where an id belongs, expected a str or an int")
        return int(value) if float(value).is_integer() else float(value)
    if kind.__name__ in _MISSING:
        raise InputError(f"found {value!r} where an id belongs, expected a str or an int")
    try:
        hash(value)
    except TypeError:
        raise InputError(f"found a {kind.__name__} where an id belongs, expected a str or an int") from None
    return value  # type: ignore[no-any-return]


def check_name(name: str) -> None:
    if name == "":
        raise InputError("found an empty id, expected a name")
    if "\0" in name:
        raise InputError(f"found the id {name!r}, which has a zero byte")


def encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


class Names:
    """Names as the library wants them: an array of pointers into one block of bytes."""

    def __init__(self, names: Sequence[str]) -> None:
        self.count = len(names)
        block = encode("\0".join(names)) + b"\0" if names else b""
        self._block = block
        data = np.frombuffer(block, dtype=np.uint8)
        ends = np.flatnonzero(data == 0)
        if len(ends) != self.count or (self.count and (ends[0] == 0 or np.any(np.diff(ends) == 1))):
            for name in names:
                check_name(name)
        begins = np.zeros(self.count, dtype=np.uintp)
        begins[1:] = ends[:-1] + 1
        self._holder = ffi.from_buffer("char[]", block)
        self._addresses = begins + np.uintp(int(ffi.cast("uintptr_t", self._holder)))
        self.pointer = ffi.cast("char const * const *", ffi.from_buffer(self._addresses))

    def texts(self) -> list[str]:
        return self._block.decode("utf-8", "surrogateescape").split("\0")[:-1]


class Ids:
    """The ids of one side by number, in the order of the library.

    Invariant: where ``typed``, numbers[items[k]] == k; else ids came from files alone, items are their names, and
    numbers is empty until the first id that is asked for tells what they are.
    """

    def __init__(self) -> None:
        self.numbers: dict[Id, int] = {}
        self.items: list[Id] = []
        self.typed = True
        self.has_int = False
        self.has_str = False
        self.other: dict[Id, str] = {}

    # ---- What they are ----

    def take_names(self, names: Iterable[str], known: dict[str, Id]) -> None:
        """New names of the library, in the order of their numbers; what is not among ``known`` is of a file."""
        begin = len(self.items)
        fresh = list(names)
        if fresh and not known and not self.numbers:
            self.items.extend(fresh)
            self.typed = False
            return
        as_int = self.has_int or (not self.has_str and any(type(id) is int for id in known.values()))
        for number, name in enumerate(fresh, begin):
            self._add(known[name] if name in known else typed_as(name, as_int), number)

    def _add(self, id: Id, number: int) -> None:
        if number != len(self.items):
            raise AssertionError("ids come in the order of their numbers")
        self.items.append(id)
        self.numbers[id] = number
        self.has_int = self.has_int or type(id) is int
        self.has_str = self.has_str or type(id) is str

    def settle(self, as_int: bool) -> None:
        """Names of files take a type."""
        if self.typed:
            return
        names = [str(name) for name in self.items]
        self.items, self.typed = [], True
        for number, name in enumerate(names):
            self._add(typed_as(name, as_int), number)

    def shown(self) -> list[Id]:
        """The ids by number for the user; names whose type nobody has told are ints where all could be."""
        if not self.typed:
            self.settle(bool(self.items) and all(_WHOLE.match(str(name)) for name in self.items))
        return self.items

    # ---- From an id to its name ----

    def name(self, value: Any) -> tuple[Id, str]:
        """The id and the name of what a user gave, known or not."""
        id = plain(value)
        if not self.typed:
            self.settle(type(id) is int)
        if type(id) is int:
            name = str(id)
            if self.has_str and name in self.numbers:
                raise InputError(f"found the id {id}, an int, where {name!r} is known, a str: ids of one side do not "
                                 "mix the two")
            return id, name
        if type(id) is str:
            check_name(id)
            if self.has_int and _WHOLE.match(id) and int(id) in self.numbers:
                raise InputError(f"found the id {id!r}, a str, where {id} is known, an int: ids of one side do not "
                                 "mix the two")
            return id, id
        name = self.other.get(id, "")
        if not name:
            name = f"({type(id).__name__} {len(self.other)})"
            self.other[id] = name
        return id, name

    def names(self, values: Sequence[Any]) -> tuple[list[Id], list[str]]:
        """The same of distinct ids; faster than one by one where they are of one type."""
        kinds = set(map(type, values))
        if not self.typed and values:
            self.settle(type(plain(values[0])) is int)
        if kinds == {int}:
            names = list(map(str, values))
            if not self.has_str or self.numbers.keys().isdisjoint(names):
                return list(values), names
        elif kinds == {str}:
            if not self.has_int or not any(_WHOLE.match(name) for name in values):
                return list(values), list(values)
        both = [self.name(value) for value in values]
        if len({name for _, name in both}) != len({id for id, _ in both}):
            self._refuse_mixture(both)
        return [id for id, _ in both], [name for _, name in both]

    def of_file(self, names: list[str]) -> list[Id]:
        """The ids that names of a file mean; names where nobody has told yet what they are."""
        if not self.numbers:
            return list(names)
        as_int = self.has_int and not self.has_str
        return [name if name in self.numbers else
                int(name) if _WHOLE.match(name) and (as_int or int(name) in self.numbers) else name for name in names]

    @staticmethod
    def _refuse_mixture(both: Iterable[tuple[Id, str]]) -> None:
        seen: dict[str, Id] = {}
        for id, name in both:
            if seen.setdefault(name, id) != id:
                raise InputError(f"found the ids {seen[name]!r} and {id!r}: ids of one side do not mix int and str")

    def refuse_other(self, what: str) -> None:
        """Only str and int have a name that means something elsewhere."""
        for id in self.other:
            if id in self.numbers:
                raise ArgumentError(f"the id {id!r} is a {type(id).__name__}: a model with such ids cannot be {what}, "
                                    "only one whose ids are str or int")

    # ---- Beside a model ----

    def state(self) -> dict[str, Any]:
        return {"items": list(self.items), "typed": self.typed, "other": dict(self.other)}

    def restore(self, state: dict[str, Any]) -> None:
        items = list(state["items"])
        self.other = dict(state["other"])
        if not state["typed"]:
            self.items, self.typed = items, False
            return
        for number, id in enumerate(items):
            self._add(id, number)

    def copy(self) -> Ids:
        other = Ids()
        other.restore(self.state())
        return other


def typed_as(name: str, as_int: bool) -> Id:
    return int(name) if as_int and _WHOLE.match(name) else name


def distinct(values: Any) -> tuple[list[Any], Array]:
    """The distinct values of a column in the order in which they come, as Python objects, and of each value its place
    among them."""
    coded = categorical(values)
    if coded is not None:
        return _distinct_categories(*coded)
    if not isinstance(values, np.ndarray) and hasattr(values, "to_numpy"):
        values = values.to_numpy()
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and array.dtype.kind in "iuUS" and array.ndim == 1:
        pandas = pandas_or_none()
        if pandas is None:
            found, first, places = np.unique(array, return_index=True, return_inverse=True)
            order = np.argsort(first, kind="stable")
            rank = np.empty(len(order), dtype=np.int64)
            rank[order] = np.arange(len(order))
            return found[order].tolist(), rank[places.reshape(-1)]
        codes, found = pandas.factorize(array.astype(object) if array.dtype.kind in "US" else array)
        return found.tolist(), np.asarray(codes, dtype=np.int64)
    if array is not None and array.dtype.kind == "O":
        pandas = pandas_or_none()
        if pandas is not None:
            codes, found = pandas.factorize(array)
            kinds = set(map(type, found))
            if len(kinds) == 1 and (not len(codes) or codes.min() >= 0):
                return list(found), np.asarray(codes, dtype=np.int64)
    if array is not None and array.dtype.kind in "Mm":
        return _distinct_objects(list(array))
    return _distinct_objects(values.tolist() if array is not None else values)


def categorical(values: Any) -> tuple[Array, list[Any]] | None:
    """The codes and the categories of a Categorical of pandas, or a Series or Index of one."""
    categories = getattr(getattr(values, "dtype", None), "categories", None)
    holder: Any = values if hasattr(values, "codes") else getattr(values, "cat", None)
    if categories is None or not hasattr(holder, "codes"):
        return None
    return np.asarray(holder.codes), list(categories)


def _distinct_categories(codes: Array, categories: list[Any]) -> tuple[list[Any], Array]:
    if len(codes) and codes.min() < 0:
        raise InputError(f"found no id in place {int(np.argmin(codes))}, expected a str or an int")
    used, places = np.unique(codes, return_inverse=True)
    return [categories[code] for code in used.tolist()], places.reshape(-1).astype(np.int64)


def _distinct_objects(values: Iterable[Any]) -> tuple[list[Any], Array]:
    # 1 and True and 1.0 are one id; "1" is another.
    places: dict[Any, int] = {}
    codes = []
    try:
        for value in values:
            codes.append(places.setdefault(value, len(places)))
    except TypeError:
        raise InputError(f"found a {type(value).__name__} where an id belongs, expected a str or an int") from None
    return list(places), np.array(codes, dtype=np.int64)


_PANDAS: list[Any] = []


def pandas_or_none() -> Any:
    """pandas where it is installed."""
    if not _PANDAS:
        try:
            import pandas
        except ImportError:
            _PANDAS.append(None)
        else:
            _PANDAS.append(pandas)
    return _PANDAS[0]
