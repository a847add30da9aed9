"""SPDX-License-Identifier: MIT

Labels as people write them: bool, 0 and 1, -1 and +1, or a Categorical of two.  None, nan and NA mean that none is
known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from weft._errors import ArgumentError, InputError, text
from weft._ids import Array, categorical
from weft._weft import ffi, lib

_PAIRS = {lib.WEFT_LABELS_SIGNED: (-1, 1), lib.WEFT_LABELS_BITS: (0, 1), lib.WEFT_LABELS_TRUE: (False, True),
          lib.WEFT_LABELS_YES: ("no", "yes"), lib.WEFT_LABELS_LETTER: ("n", "y")}


class Language:
    """How the labels of a model are written: what -1 and +1 are called.  None until a label has told.  ``told`` is
    what a file or a model says of it, a weft_language, which may be more: a threshold, or one word of two."""

    def __init__(self, words: tuple[Any, Any] | None = None, told: Any = None) -> None:
        self.words, self.told = words, told

    # ---- In ----

    def sign(self, label: Any) -> int:
        """-1, +1, or 0 where the label is not known."""
        kind = type(label)
        if kind is bool or kind is np.bool_:
            self._meet_bool()
            return 1 if label else -1
        if kind is not int:
            label = self._number(label)
        if label == 1:
            return 1
        if label == 0 and label is not None:
            self._meet((0, 1))
            return -1
        if label == -1:
            self._meet((-1, 1))
            return -1
        if label is None:
            return 0
        raise InputError(f"found the label {label!r}, expected one of {self.expected()}")

    def _number(self, label: Any) -> Any:
        """An int, a word that is one of ours as such, or None for no label."""
        if label is None or type(label).__name__ in ("NAType", "NaTType"):
            return None
        if isinstance(label, (int, np.integer)):
            return int(label)
        if isinstance(label, (float, np.floating)):
            if label != label:
                return None
            return int(label) if float(label).is_integer() else label
        if self.words is not None and label in self.words and not isinstance(self.words[0], (int, np.integer)):
            return 1 if label == self.words[1] else self._known_negative()
        raise InputError(f"found the label {label!r}, expected one of {self.expected()}")

    def _known_negative(self) -> int:
        return 0 if self.words == (0, 1) else -1

    def expected(self) -> str:
        if self.words is None:
            return "True and False, 0 and 1, -1 and 1, or of a Categorical of two"
        return f"{self.words[0]!r} and {self.words[1]!r}"

    def _meet_bool(self) -> None:
        if self.words is None:
            self.words = (False, True)

    def _meet(self, words: tuple[int, int]) -> None:
        if self.words is None or type(self.words[0]) is bool:
            self.words = words
        elif type(self.words[0]) is int and self.words != words:
            raise InputError(f"found the label {words[0]}, but labels are {self.expected()} so far")

    def signs(self, labels: Any, count: int) -> Array:
        """The same of a column, as int8."""
        if labels is None:
            return np.zeros(count, dtype=np.int8)
        coded = categorical(labels)
        if coded is not None:
            found = self._signs_of_categories(*coded)
        else:
            found = self._signs_of_values(labels)
        if len(found) != count:
            raise InputError(f"found {len(found)} labels of {count} events")
        return found

    def _signs_of_categories(self, codes: Array, categories: list[Any]) -> Array:
        if all(isinstance(word, (bool, int, np.bool_, np.integer)) for word in categories):
            table = [self.sign(word) for word in categories]
        elif len(categories) != 2:
            raise InputError(f"found labels of {len(categories)} categories, expected 2")
        else:
            if self.words is not None and list(self.words) != categories:
                raise InputError(f"found labels of the categories {categories}, but they are {self.expected()} so far")
            self.words = (categories[0], categories[1])
            table = [-1, 1]
        return np.asarray(np.array([*table, 0], dtype=np.int8)[codes])

    def _signs_of_values(self, labels: Any) -> Array:
        if not isinstance(labels, np.ndarray) and hasattr(labels, "to_numpy"):
            dtype = getattr(labels, "dtype", None)
            masked = dtype is not None and type(dtype).__module__.startswith("pandas.core.arrays")
            labels = labels.to_numpy(dtype=float, na_value=np.nan) if masked else labels.to_numpy()
        array = labels if isinstance(labels, np.ndarray) else object_array(labels)
        kind = array.dtype.kind
        if array.ndim != 1:
            raise InputError(f"found labels of {array.ndim} dimensions, expected 1")
        if kind == "b":
            if len(array):
                self._meet_bool()
            return np.where(array, 1, -1).astype(np.int8)
        if kind in "iuf":
            return self._signs_of_numbers(array)
        return np.fromiter((self.sign(label) for label in array.tolist()), dtype=np.int8, count=len(array))

    def _signs_of_numbers(self, array: Array) -> Array:
        positive, negative, zero = array == 1, array == -1, array == 0
        none = np.isnan(array) if array.dtype.kind == "f" else np.zeros(len(array), dtype=bool)
        wrong = ~(positive | negative | zero | none)
        if wrong.any():
            at = int(np.argmax(wrong))
            raise InputError(f"found the label {array[at]} in place {at}, expected one of {self.expected()}")
        if zero.any() and negative.any():
            raise InputError("found labels 0 and -1, expected 0 and 1, or -1 and 1")
        if zero.any():
            self._meet((0, 1))
        if negative.any():
            self._meet((-1, 1))
        return np.where(positive, 1, np.where(none, 0, -1)).astype(np.int8)

    # ---- Out ----

    def word(self, sign: int) -> Any:
        """What a sign is called: -1 and +1 where no label has told."""
        return (self.words or (-1, 1))[sign > 0]

    def labels(self, signs: Array) -> Array:
        negative, positive = self.words or (-1, 1)
        if isinstance(positive, (bool, np.bool_)):
            return np.asarray(signs > 0)
        if isinstance(positive, (int, np.integer)):
            return np.where(signs > 0, positive, negative).astype(np.int8)
        table = np.empty(2, dtype=object)
        table[:] = [negative, positive]
        return table[(signs > 0).astype(np.intp)]

    @property
    def spoken(self) -> bool:
        """Labels are no numbers."""
        return self.words is not None and type(self.words[0]) is not int

    # ---- As the library has it ----

    def struct(self) -> Any:
        """A weft_language *."""
        made = ffi.new("weft_language *")
        if self.words is not None and type(self.words[0]) is int:
            made.labels = lib.WEFT_LABELS_SIGNED if self.words == (-1, 1) else lib.WEFT_LABELS_BITS
        elif self.told is not None:
            made[0] = self.told
        elif self.words is not None and all(_is_plain(word) for word in self.words):
            negative, positive = self.words
            if negative.lower() != positive.lower():
                made.labels = lib.WEFT_LABELS_WORDS
                made.negative, made.positive = negative.encode(), positive.encode()
        return made

    @staticmethod
    def of_struct(told: Any) -> Language:
        words = _PAIRS.get(told.labels)
        if told.labels == lib.WEFT_LABELS_WORDS and told.negative[0] != b"\0":
            words = (text(told.negative), text(told.positive))
        return Language(words, told if told.labels > lib.WEFT_LABELS_BITS else None)

    def after(self, told: Any) -> Language:
        """What is known once a stream has told this, which went on from here."""
        return self.copy() if told.labels == lib.WEFT_LABELS_UNKNOWN else Language.of_struct(told)

    def with_other(self, other: Language) -> Language:
        """That of two models that are merged."""
        if self.words is None and self.told is None:
            return other.copy()
        both, error = ffi.new("weft_language *"), ffi.new("weft_error *")
        if lib.weft_language_unite(self.struct(), other.struct(), both, error) != lib.WEFT_OK:
            raise ArgumentError(text(error.message))
        return self.copy()

    def copy(self) -> Language:
        return Language(self.words, self.told)


def _is_plain(word: Any) -> bool:
    """Whether a file can have the word as a label."""
    return isinstance(word, str) and word == word.strip() and "\0" not in word and 0 < len(word.encode()) < 256


def object_array(values: Any) -> Array:
    """A column of what iterates; numbers stay numbers."""
    values = list(values)
    kinds = set(map(type, values))
    if kinds <= {int, float, np.int64, np.float64}:
        return np.array(values, dtype=float)
    if kinds == {bool}:
        return np.array(values, dtype=bool)
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made
