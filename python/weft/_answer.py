"""SPDX-License-Identifier: MIT

What a model says of a pair.
"""

from __future__ import annotations

from typing import Any


class Answer:
    """The prediction of one label, and after learn_one() what became of it.

    It counts as a bool (the prediction is +1) and as a float (its probability).

    >>> model = weft.Model()
    >>> answer = model.predict_one("ann", "jazz")
    >>> answer.label, round(answer.probability, 1)
    (1, 0.5)
    >>> model.learn_one("ann", "jazz", -1).mistake
    True
    """

    __slots__ = ("_answer", "_language", "_learnt")

    def __init__(self, answer: Any, language: Any, learnt: bool = False) -> None:
        self._answer = answer
        self._language = language
        self._learnt = learnt

    @property
    def label(self) -> Any:
        """The prediction, as the labels of the model are written."""
        return self._language.word(self._answer.label)

    @property
    def sign(self) -> int:
        """The prediction, -1 or +1."""
        return int(self._answer.label)

    @property
    def probability(self) -> float:
        """That the label is the positive one (+1, 1, True)."""
        return float(self._answer.probability)

    @property
    def score(self) -> float:
        """Larger means rather positive; pairs are ranked by it."""
        return float(self._answer.score)

    @property
    def vote(self) -> float:
        """The weight of the members that say +1, which the guarantee speaks of."""
        return float(self._answer.vote)

    @property
    def threshold(self) -> float:
        """What the vote was compared with."""
        return float(self._answer.threshold)

    @property
    def margin(self) -> float:
        """Of one learner; a committee has nan."""
        return float(self._answer.margin)

    @property
    def asked(self) -> int:
        """Members that were asked."""
        return int(self._answer.asked)

    @property
    def t(self) -> int:
        """The trial, counted from 0."""
        return int(self._answer.t)

    @property
    def mistake(self) -> bool | None:
        """Whether the label that came is another one; None where none came."""
        return bool(self._answer.mistake) if self._learnt else None

    def __bool__(self) -> bool:
        return bool(self._answer.label > 0)

    def __float__(self) -> float:
        return float(self._answer.probability)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (self.label, self.probability, self.score, self.vote, self.threshold, self.t, self.mistake)

    def __repr__(self) -> str:
        told = "" if self.mistake is None else f", mistake={self.mistake}"
        return f"Answer(label={self.label!r}, probability={self.probability:.4f}{told})"
