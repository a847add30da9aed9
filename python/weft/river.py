"""SPDX-License-Identifier: MIT

weft with the signatures of River.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from river import base
from river.reco.base import Ranker as _Ranker

from weft._model import Model

__all__ = ["PairClassifier", "Ranker"]

# The id of an event that does not say which: one like any other.
_UNSAID = "(not said)"


def _context_of(fields: Sequence[str] | None, x: dict[Any, Any] | None) -> dict[str, Any] | None:
    """The fields of x that are named, None where none is."""
    found = {name: (x or {}).get(name) for name in fields or ()}
    return found or None


class PairClassifier(base.Classifier):  # type: ignore[misc]
    """weft.Model as a binary classifier of events, dicts that have two ids.

    row, column: the names of the fields that have them; an event that lacks one is about an id of its own kind.
    context: the names of fields that say something about the event alone, at most 8; others are not looked at.  rows,
    columns, both, seed, randomised: as for weft.Model.

    >>> from weft.river import PairClassifier
    >>> model = PairClassifier()
    >>> for user, item, liked in [("ann", "jazz", True), ("bob", "jazz", True), ("ann", "opera", False)] * 5:
    ...     model.learn_one({"user": user, "item": item}, liked)
    >>> model.predict_one({"user": "cleo", "item": "jazz"})
    True
    """

    def __init__(self, row: str = "user", column: str = "item", rows: Any = None, columns: Any = None,
                 both: Any = None, context: Sequence[str] | None = None, seed: int = 1,
                 randomised: bool = False) -> None:
        self.row = row
        self.column = column
        self.rows = rows
        self.columns = columns
        self.both = both
        self.context = context
        self.seed = seed
        self.randomised = randomised
        self.model = Model(rows, columns, both=both, seed=seed, randomised=randomised, context=context or ())

    def _pair(self, x: dict[Any, Any]) -> tuple[Any, Any, Any]:
        return x.get(self.row, _UNSAID), x.get(self.column, _UNSAID), _context_of(self.context, x)

    def learn_one(self, x: dict[Any, Any], y: Any) -> None:
        """Learns the label of an event: True or False, or what is equal to them."""
        row, column, context = self._pair(x)
        self.model.learn_one(row, column, bool(y), context)

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probabilities of False and True."""
        row, column, context = self._pair(x)
        positive = self.model.predict_one(row, column, context).probability
        return {False: 1.0 - positive, True: positive}

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> bool:
        """The label that the model predicts."""
        row, column, context = self._pair(x)
        return bool(self.model.predict_one(row, column, context))


class Ranker(_Ranker):  # type: ignore[misc]
    """weft.Model as a ranker: users, items, and a reward that is positive above ``threshold``.

    rows and columns say what is known of users and items, context names fields of x.

    >>> from weft.river import Ranker
    >>> ranker = Ranker()
    >>> for user, item, liked in [("ann", "jazz", True), ("bob", "jazz", True), ("ann", "opera", False)] * 5:
    ...     ranker.learn_one(user, item, liked)
    >>> ranker.rank("cleo", {"jazz", "opera"})
    ['jazz', 'opera']
    """

    def __init__(self, rows: Any = None, columns: Any = None, context: Sequence[str] | None = None,
                 threshold: float = 0.5, seed: int | None = None) -> None:
        super().__init__(seed=seed)
        self.rows = rows
        self.columns = columns
        self.context = context
        self.threshold = threshold
        self.model = Model(rows, columns, seed=1 if seed is None else seed, context=context or ())

    @property
    def is_contextual(self) -> bool:
        """Whether x is looked at."""
        return bool(self.context)

    def learn_one(self, user: Hashable, item: Hashable, y: Any, x: dict[Any, Any] | None = None) -> None:
        """Learns the reward of a pair."""
        self.model.learn_one(user, item, bool(y > self.threshold), _context_of(self.context, x))

    def predict_one(self, user: Hashable, item: Hashable, x: dict[Any, Any] | None = None) -> Any:
        """The probability that the reward is positive."""
        return self.model.predict_one(user, item, _context_of(self.context, x)).probability

    def rank(self, user: Hashable, items: Iterable[Hashable], x: dict[Any, Any] | None = None) -> list[Any]:
        """The items, best first."""
        wanted = sorted(items, key=str)
        if not wanted:
            return []
        return [best.id for best in self.model.rank(user, len(wanted), candidates=wanted,
                                                    context=_context_of(self.context, x))]
