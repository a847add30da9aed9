"""SPDX-License-Identifier: MIT

weft.Model: a player of the library with the ids of Python.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from weft._answer import Answer
from weft._calls import Teller, check
from weft._context import Fields
from weft._errors import ArgumentError, UnknownIdError, text
from weft._events import Columns, Met, Pairs, columns_of, frame, is_files
from weft._files import read_files
from weft._ids import Array, Id, Ids, encode, plain
from weft._labels import Language
from weft._looks import Bar, html_of, plot_model
from weft._sides import Given, Opened, file_options
from weft._weft import ffi, lib

ROWS, COLUMNS, BOTH = 1, 2, 3

# Events that are played between two calls of Python, and answers that are held at once.
_SPAN = 1 << 16

_ANSWER = np.dtype({
    "names": ["label", "probability", "score", "vote", "threshold", "margin", "lower", "upper", "asked", "t",
              "mistake", "updated"],
    "formats": ["i4", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "i8", "i8", "?", "?"],
    "offsets": [ffi.offsetof("weft_answer", name) for name in (
        "label", "probability", "score", "vote", "threshold", "margin", "lower", "upper", "asked", "t", "mistake",
        "updated")],
    "itemsize": ffi.sizeof("weft_answer")})

_new = ffi.new
_predict = lib.weft_player_predict
_learn = lib.weft_player_learn


class Ranked(NamedTuple):
    """One of a ranking."""

    id: Any
    probability: float
    score: float


class Influence(NamedTuple):
    """What a learnt pair does to a margin: count * derivative, to first order."""

    row: Any
    column: Any
    count: int  # type: ignore[assignment]
    derivative: float
    influence: float


class Explanation(NamedTuple):
    """What a margin rests on; influences with the largest first, of either sign."""

    margin: float
    lower: float
    upper: float
    total: float
    error: float
    influences: list[Influence]


class Model:
    """One object that predicts the entries of a binary matrix and learns from their labels.

    rows and columns say what is known of the ids: a constructor of weft (weft.graph(...) and the like), a SPEC of the
    command ("graph:friends.txt"), a list of these for several kinds, or None for nothing.  both= in their place: rows
    and columns are one set of ids, and a positive label means "together".  There is nothing else to choose.

    context names what is known of an event alone, such as ("device", "hour"): columns of events beside row, column and
    label (docs/context.md).

    seed is that of what is drawn; randomised: predictions are drawn, as the guarantee has it; threads: that members are
    asked by, speed alone.

    >>> model = weft.Model(rows=weft.graph([("ann", "bob"), ("cleo", "dan"), ("bob", "cleo", 0.1)]))
    >>> for who, what, label in [("ann", "jazz", True), ("cleo", "jazz", False), ("dan", "jazz", False),
    ...                          ("ann", "opera", False), ("bob", "opera", False), ("cleo", "opera", True)]:
    ...     answer = model.learn_one(who, what, label)
    >>> model.predict_one("dan", "opera").label
    True
    >>> model
    <weft.Model rows=graph (4 ids) columns=none (2 ids): 6 trials, 3 mistakes>
    """

    _rows: Ids
    _columns: Ids

    def __init__(self, rows: Given = None, columns: Given = None, *, both: Given = None, seed: int = 1,
                 randomised: bool = False, threads: int = 0, context: Sequence[str] = ()) -> None:
        fields = Fields(context)
        if both is not None and (rows is not None or columns is not None):
            raise ArgumentError("both= is in the place of rows= and columns=, found it beside them")
        if not 0 <= seed < 2**64:
            raise ArgumentError(f"found the seed {seed}, expected 0 to 2^64 - 1")
        teller = Teller()
        keep = _new("weft_roster_options *")
        options = file_options(teller, keep)
        how = _new("weft_player_options *", {"randomised": randomised, "seed": seed, "threads": threads})
        sides: list[Opened] = []
        error = _new("weft_error *")
        player = _new("weft_player **")
        try:
            sides.append(Opened(both if both is not None else rows, "both" if both is not None else "rows", options))
            if both is None:
                sides.append(Opened(columns, "columns", options))
            status = lib.weft_player_create(sides[0].roster, sides[1].roster if both is None else ffi.NULL, how,
                                            player, error)
        except BaseException:
            for side in sides:
                side.free()
            raise
        if status == 0:
            self._begin(player[0], teller, threads)
        else:
            for side in sides:
                side.free()
        check(status, error, teller)
        fields.keep(self._player)
        self._fields = fields
        for ids, side in zip((self._rows, self._columns), sides):
            ids.other.update(side.other)
            self._sync(ids, ROWS if ids is self._rows else COLUMNS, side.known)

    # ---- Made and freed ----

    def _begin(self, player: Any, teller: Teller, threads: int = 0) -> None:
        self._player = ffi.gc(player, lib.weft_player_free)
        self._teller = teller
        self._error = _new("weft_error *")
        self._lock = threading.RLock()
        self._stop: str | None = None
        self._pooled = threads > 1
        self._language = Language()
        self._fields = Fields.of_player(player)
        self._one_set = lib.weft_player_roster(player, ROWS) == lib.weft_player_roster(player, COLUMNS)
        self._rows = Ids()
        self._columns = self._rows if self._one_set else Ids()
        lib.weft_player_set_progress(player, teller.progress, self._error)
        _models.add(self)

    @classmethod
    def _adopt(cls, player: Any, teller: Teller) -> Model:
        """A model around a player of the library."""
        model = cls.__new__(cls)
        model._begin(player, teller)
        model._language = Language.of_struct(lib.weft_player_language(player))
        return model

    def _refuse(self) -> None:
        raise ArgumentError(str(self._stop))

    def _call(self, function: Any, *arguments: Any) -> None:
        """A call that may last; the lock is held.  Who is told of it must not use the model."""
        if self._stop is not None:
            self._refuse()
        self._stop = "the model is in use by a call that has not ended"
        try:
            status = function(*arguments, self._error)
        finally:
            self._stop = None
        check(status, self._error, self._teller)

    # ---- Ids ----

    def _sync(self, ids: Ids, which: int, known: dict[str, Id]) -> None:
        """Takes down the ids that the library has let in."""
        count = lib.weft_ids_count(lib.weft_roster_ids(lib.weft_player_roster(self._player, which)))
        begin = len(ids.items)
        if begin < count:
            ids.take_names([text(lib.weft_player_name(self._player, which, k)) for k in range(begin, count)], known)

    def _sync_met(self, sides: list[Met], typed: bool) -> None:
        for k, ids in enumerate((self._rows, self._columns)):
            which = ROWS if k == 0 else COLUMNS
            if k == 1 and self._one_set:
                continue
            count = lib.weft_ids_count(lib.weft_roster_ids(lib.weft_player_roster(self._player, which)))
            if count > len(ids.items):
                self._sync(ids, which, dict(zip(sides[k].texts, sides[k].ids)) if typed or ids.numbers else {})

    def _find(self, row: Any, column: Any) -> tuple[int, int]:
        """The numbers of a pair that is asked about; of a new id that of the next one."""
        _, row_name = self._rows.name(row)
        _, column_name = self._columns.name(column)
        pair = _new("int64_t[2]")
        check(lib.weft_player_find(self._player, encode(row_name), encode(column_name), pair, self._error),
              self._error)
        return pair[0], pair[1]

    def _numbers(self, pairs: Pairs) -> Array:
        """The same of many, two columns."""
        tables = [np.array([ids.numbers.get(id, -1) for id in met.ids], dtype=np.int64)
                  for ids, met in zip((self._rows, self._columns), pairs.sides)]
        places = pairs.places
        made = np.empty((pairs.count, 2), dtype=np.int64)
        for k in range(2):
            made[:, k] = tables[k][places[k]] if len(tables[k]) else 0
        strange = made < 0
        for k in range(2):
            if strange[:, k].any():
                self._check_strange(pairs, int(np.argmax(strange[:, k])))
        next_ = np.array([len(self._rows.items), len(self._columns.items)], dtype=np.int64)
        if self._one_set:
            second = strange[:, 0] & strange[:, 1] & (places[0] != places[1])
            made[:, 1] = np.where(strange[:, 1], next_[1] + second, made[:, 1])
        else:
            made[:, 1] = np.where(strange[:, 1], next_[1], made[:, 1])
        made[:, 0] = np.where(strange[:, 0], next_[0], made[:, 0])
        return made

    def _check_strange(self, pairs: Pairs, k: int) -> None:
        """Whether an id that is not known may be asked about."""
        names = [pairs.sides[side].texts[pairs.places[side][k]] for side in range(2)]
        pair = _new("int64_t[2]")
        check(lib.weft_player_find(self._player, encode(names[0]), encode(names[1]), pair, self._error), self._error)

    def _number(self, ids: Ids, value: Any, what: str) -> int:
        """The number of an id that is known."""
        id, _ = ids.name(value)
        number = ids.numbers.get(id)
        if number is None:
            raise UnknownIdError(f"found the {what} {id!r}, which the model does not know")
        return number

    @property
    def rows(self) -> list[Any]:
        """The ids of the rows that are known, in the order of their numbers; of one set all."""
        with self._lock:
            return list(self._rows.shown())

    @property
    def columns(self) -> list[Any]:
        """The ids of the columns that are known."""
        with self._lock:
            return list(self._columns.shown())

    # ---- One pair ----

    def predict_one(self, row: Any, column: Any, context: Any = None) -> Answer:
        """What the label of a pair will be; nothing is learnt.  New ids are welcome.  context: a dict of the fields of
        the model, or a value of each.

        >>> weft.Model().predict_one("ann", "jazz")
        Answer(label=1, probability=0.50...)
        """
        with self._lock:
            if self._stop is not None:
                self._refuse()
            try:
                i, j = self._rows.numbers[row], self._columns.numbers[column]
            except (KeyError, TypeError):
                i, j = self._find(row, column)
            answer = _new("weft_answer *")
            if self._fields.names or context is not None:
                self._fields.set(self._player, context)
            status = _predict(self._player, i, j, answer, self._error)
            if status:
                check(status, self._error)
            return Answer(answer, self._language)

    def learn_one(self, row: Any, column: Any, label: Any, context: Any = None) -> Answer:
        """Learns the label of a pair: a bool, 0 or 1, -1 or +1; None or nan predicts only.  The answer is what was
        predicted before.

        >>> weft.Model().learn_one("ann", "jazz", True)
        Answer(label=True, probability=0.50..., mistake=False)
        """
        with self._lock:
            if self._stop is not None:
                self._refuse()
            language = self._language
            words = language.words
            sign = language.sign(label)
            if sign == 0:
                return self.predict_one(row, column, context)
            answer = _new("weft_answer *")
            if self._fields.names or context is not None:
                self._fields.set(self._player, context)
            try:
                try:
                    i, j = self._rows.numbers[row], self._columns.numbers[column]
                except (KeyError, TypeError):
                    self._learn_new(row, column, sign, answer)
                else:
                    status = _learn(self._player, i, j, sign, answer, self._error)
                    if status:
                        check(status, self._error)
            except BaseException:
                language.words = words
                raise
            return Answer(answer, language, True)

    def _learn_new(self, row: Any, column: Any, sign: int, answer: Any) -> None:
        pairs = Pairs.of(Columns([row], [column], None), self._rows, None if self._one_set else self._columns)
        events, holders = pairs.span(0, 1, np.array([sign], dtype=np.int8))
        status = lib.weft_player_play(self._player, events, answer, ffi.NULL, self._error)
        check(status, self._error)
        del holders
        self._sync_met(pairs.sides, True)

    # ---- Many ----

    def run(self, events: Any, *, progress: bool = False) -> Any:
        """Predicts each event before its label is told, then learns it, in order: an honest error.

        events: tuples (row, column, label), a DataFrame or dict with columns of these names (or usual ones for them,
        such as user_id, item, clicked), a tuple of three arrays, an array of three columns, or the name of a file.  A
        label that is None or nan asks for the prediction only.

        progress: a bar on standard error, by tqdm where that is installed.

        The DataFrame (without pandas: the dict) has the columns of ``weft run --predictions``: t, row, column, label
        and prediction as -1 and +1, threshold, vote, probability, awake, and where labels are words or bool the
        prediction in them, answer.

        >>> model = weft.Model()
        >>> out = model.run([("ann", "jazz", 1), ("bob", "jazz", 1), ("ann", "opera", 0), ("bob", "opera", None)])
        >>> list(out["prediction"])
        [1, 1, 1, 1]
        """
        with self._lock:
            columns, pairs, signs, typed, words, contexts = self._meet(events)
            answers = self._play(pairs, signs, typed, contexts, progress=progress)
            return self._frame_of(columns, signs, answers, words)

    def learn(self, events: Any, *, progress: bool = False) -> Model:
        """Learns events as run() does, and keeps no predictions.

        >>> weft.Model().learn([("ann", "jazz", 1), ("bob", "opera", 0)])
        <weft.Model rows=none (2 ids) columns=none (2 ids): 2 trials, 1 mistakes>
        """
        with self._lock:
            _, pairs, signs, typed, _, contexts = self._meet(events)
            self._play(pairs, signs, typed, contexts, keep=False, progress=progress)
            return self

    def _meet(self, events: Any) -> tuple[Columns, Pairs, Array, bool, Any, Array | None]:
        """Events in terms of the model, and their labels as -1, 0, +1."""
        if self._stop is not None:
            self._refuse()
        language = self._language.copy()
        if is_files(events):
            files = read_files(events, self._teller, self._one_set, True, language, self._fields)
            pairs = files.pairs(self._rows, self._columns)
            columns = files.columns(pairs)
            self._language = files.language
            return columns, pairs, files.signs, False, files.words, files.contexts
        columns = columns_of(events, True, self._fields.names)
        signs = language.signs(columns.labels, columns.count)
        pairs = Pairs.of(columns, self._rows, None if self._one_set else self._columns)
        self._language = language
        contexts = self._fields.digests(columns.context, columns.count) if self._fields.names else None
        return columns, pairs, signs, True, language.words if language.spoken else None, contexts

    def _play(self, pairs: Pairs, signs: Array, typed: bool, contexts: Array | None,
              keep: bool = True, progress: bool = False) -> Array:
        answers = np.empty(pairs.count if keep else 0, dtype=_ANSWER)
        with Bar(self._teller, pairs.count, progress) as bar:
            for begin in range(0, pairs.count, _SPAN):
                end = min(begin + _SPAN, pairs.count)
                events, holders = pairs.span(begin, end, signs, contexts)
                room = ffi.from_buffer("weft_answer[]", answers[begin:end]) if keep else ffi.NULL
                bar.begin(begin, end)
                try:
                    self._call(lib.weft_player_play, self._player, events, room, ffi.NULL)
                finally:
                    self._sync_met(pairs.sides, typed)
                bar.end()
                del holders
        return answers

    def _frame_of(self, columns: Columns, signs: Array, answers: Array, words: Any) -> Any:
        none = signs == 0
        labels: Any = signs
        if none.any():
            labels = np.where(none, np.nan, signs)
        out = {"t": answers["t"] + 1, "row": columns.rows, "column": columns.columns, "label": labels,
               "threshold": answers["threshold"].copy(), "prediction": answers["label"].astype(np.int8)}
        if lib.weft_player_kind(self._player) == lib.WEFT_COMMITTEE:
            out.update(vote=answers["vote"].copy(), probability=answers["probability"].copy(),
                       awake=answers["asked"].copy())
        else:
            out.update({name: answers[name].copy() for name in ("margin", "lower", "upper", "updated", "probability")})
        if words is not None:
            out["answer"] = Language(words).labels(answers["label"])
        return frame(out)

    def predict(self, pairs: Any, *, threads: int = 0) -> Array:
        """The labels of many pairs, as labels of the model are written (-1 and +1 before any was told): tuples (row,
        column), a DataFrame, two arrays, or a file.  Nothing is learnt.

        >>> weft.Model().learn([("ann", "jazz", True), ("bob", "jazz", True)]).predict([("cleo", "jazz")])
        array([ True])
        """
        return self._language.labels(self._ask(pairs, threads)["label"])

    def predict_proba(self, pairs: Any, *, threads: int = 0) -> Array:
        """The probabilities of both labels, a row a pair: of the negative and of the positive one.

        >>> weft.Model().predict_proba([("ann", "jazz")]).round(1)
        array([[0.5, 0.5]])
        """
        positive = self._ask(pairs, threads)["probability"]
        return np.column_stack((1 - positive, positive))

    def scores(self, pairs: Any, *, threads: int = 0) -> Array:
        """Numbers that rank pairs: larger means rather positive."""
        return self._ask(pairs, threads)["score"].copy()

    def _ask(self, asked: Any, threads: int) -> Array:
        with self._lock:
            if self._stop is not None:
                self._refuse()
            if is_files(asked):
                files = read_files(asked, self._teller, self._one_set, False, self._language, self._fields)
                pairs, contexts = files.pairs(self._rows, self._columns), files.contexts
                for ids in (self._rows, self._columns):
                    ids.shown()
            else:
                columns = columns_of(asked, False, self._fields.names)
                pairs = Pairs.of(columns, self._rows, None if self._one_set else self._columns)
                contexts = self._fields.digests(columns.context, columns.count) if self._fields.names else None
            numbers = self._numbers(pairs)
            self._pooled = self._pooled or threads > 1
            if contexts is None:
                return self._ask_numbers(numbers, threads)
            answers = np.empty(pairs.count, dtype=_ANSWER)
            found, group = np.unique(contexts, axis=0, return_inverse=True)
            for k in range(len(found)):
                lib.weft_player_set_context(self._player, ffi.from_buffer("uint64_t[]", found[k].copy()),
                                            found.shape[1], ffi.NULL)
                some = np.flatnonzero(group.reshape(-1) == k)
                answers[some] = self._ask_numbers(np.ascontiguousarray(numbers[some]), threads)
            return answers

    def _ask_numbers(self, numbers: Array, threads: int) -> Array:
        answers = np.empty(len(numbers), dtype=_ANSWER)
        if len(numbers):
            self._call(lib.weft_player_predict_many, self._player, len(numbers),
                       ffi.from_buffer("int64_t[]", numbers), 0.0, threads,
                       ffi.from_buffer("weft_answer[]", answers))
        return answers

    # ---- Questions ----

    def rank(self, row: Any = None, n: int = 10, *, column: Any = None, candidates: Iterable[Any] | None = None,
             exclude: Iterable[Any] = (), context: Any = None) -> list[Ranked]:
        """The n columns that go best with a row, or with column= the rows that go best with a column, best first.

        candidates: among these; else among all that are known.  exclude: without these.

        >>> model = weft.Model().learn([("ann", "jazz", 1), ("bob", "jazz", 1), ("ann", "opera", 0)] * 9)
        >>> [best.id for best in model.rank("cleo", 1)]
        ['jazz']
        """
        if (row is None) == (column is None):
            raise ArgumentError("rank() takes a row or column=, found both or neither")
        if n < 1:
            raise ArgumentError(f"found n={n}, expected at least 1")
        with self._lock:
            if self._stop is not None:
                self._refuse()
            given, others = (self._rows, self._columns) if column is None else (self._columns, self._rows)
            others.shown()
            id, _ = given.name(row if column is None else column)
            wanted = self._candidates(others, candidates, exclude)
            if not wanted:
                return []
            number = given.numbers.get(id, len(given.items))
            numbers = self._candidate_numbers(others, wanted, number if self._one_set else -1)
            most = min(n, len(wanted))
            query = _new("weft_query *", {"column": column is not None, "id": number, "most": most,
                                          "candidates": ffi.from_buffer("int64_t[]", numbers),
                                          "candidate_count": len(wanted)})
            ranked, found = _new("weft_ranked[]", most), _new("int64_t *")
            if self._fields.names or context is not None:
                self._fields.set(self._player, context)
            self._call(lib.weft_player_rank, self._player, query, ranked, found)
            ids = dict(zip(numbers.tolist(), wanted))
            return [Ranked(ids[ranked[k].id], ranked[k].answer.probability, ranked[k].answer.score)
                    for k in range(found[0])]

    @staticmethod
    def _candidates(ids: Ids, candidates: Iterable[Any] | None, exclude: Iterable[Any]) -> list[Id]:
        without = {ids.name(id)[0] for id in exclude}
        wanted = ids.items if candidates is None else dict.fromkeys(ids.name(id)[0] for id in candidates)
        return [id for id in wanted if id not in without]

    @staticmethod
    def _candidate_numbers(ids: Ids, wanted: list[Id], taken: int) -> Array:
        """Those that are not known get numbers behind all that are."""
        free = max(len(ids.items), taken + 1)
        numbers = np.empty(len(wanted), dtype=np.int64)
        for k, id in enumerate(wanted):
            number = ids.numbers.get(id)
            if number is None:
                number, free = free, free + 1
            numbers[k] = number
        return numbers

    def explain(self, row: Any, column: Any, *, tolerance: float = 1e-3) -> Explanation:
        """What the margin of a pair rests on: the influence of every learnt pair, the largest of either sign first.  Of
        a committee it is the margin of the learner that leads it.

        >>> model = weft.Model().learn([("ann", "jazz", 1), ("bob", "jazz", 1), ("bob", "opera", 0)] * 3)
        >>> model.explain("ann", "jazz").influences[0][:3]
        ('ann', 'jazz', 1)
        """
        with self._lock:
            if self._stop is not None:
                self._refuse()
            i, j = self._find(row, column)
            count = lib.weft_player_evidence_count(self._player)
            found, parts = _new("weft_explanation *"), _new("weft_influence[]", max(count, 1))
            self._call(lib.weft_player_explain, self._player, i, j, tolerance, found, parts)
            rows, columns = self._rows.shown(), self._columns.shown()
            influences = [Influence(rows[part.row], columns[part.column], part.count, part.derivative, part.influence)
                          for part in (parts[k] for k in range(count))]
        influences.sort(key=lambda part: (-abs(part.influence), str(part.row), str(part.column)))
        return Explanation(found.margin, found.lower, found.upper, found.total, found.error, influences)

    def worth(self) -> dict[str, Any]:
        """What the side information is worth so far: for rows, columns and both (of one set: ids) a verdict, one of
        "helps", "at_most" and "unclear", and the log loss a trial and the mistakes with it and without it, what it has
        saved of them, and between which ends that may lie by chance; None where there is none.

        >>> weft.Model().worth()
        {'rows': None, 'columns': None, 'both': None}
        """
        names = {"ids": ROWS} if self._one_set else {"rows": ROWS, "columns": COLUMNS, "both": BOTH}
        with self._lock:
            return {name: _worth(lib.weft_committee_worth(self._player, which)) for name, which in names.items()}

    def members(self) -> Any:
        """Who plays, and where each stands: a DataFrame, a line for the stack and then for every member."""
        with self._lock:
            count = lib.weft_player_member_count(self._player)
            standings = [lib.weft_committee_standing(self._player, k) for k in [count, *range(count)]]
            out: dict[str, Any] = {"name": [text(standing.name) for standing in standings if standing.name]}
            for field in ("is_awake", "in_reserve", "since", "trials", "mistakes", "regret", "term", "drift", "weight",
                          "coefficient", "certainty"):
                out[field] = np.array([getattr(standing, field) for standing in standings if standing.name])
        return frame(out)

    def guarantee(self) -> dict[str, Any]:
        """What is guaranteed whatever the labels are: expected mistakes <= mistakes of the best member + term + drift.

        >>> model = weft.Model().learn([("ann", "jazz", 1), ("bob", "jazz", 0)])
        >>> found = model.guarantee()
        >>> found["expected_mistakes"] <= found["bound"]
        True
        """
        with self._lock:
            if lib.weft_player_kind(self._player) != lib.WEFT_COMMITTEE:
                raise ArgumentError("the model is one learner's: weft run tells its bound")
            count = lib.weft_player_member_count(self._player)
            best = stack = lib.weft_committee_standing(self._player, count)
            for k in range(count):
                standing = lib.weft_committee_standing(self._player, k)
                if standing.trials == stack.trials and (best.name == stack.name or standing.mistakes < best.mistakes):
                    best = standing
            counters = lib.weft_player_counters(self._player)
            return {"expected_mistakes": counters.expected_mistakes, "mistakes": counters.mistakes,
                    "best": text(best.name), "best_mistakes": best.mistakes, "term": best.term, "drift": best.drift,
                    "bound": best.mistakes + best.term + best.drift}

    @property
    def trials(self) -> int:
        """Labels that were learnt."""
        with self._lock:
            return int(lib.weft_player_counters(self._player).trials)

    @property
    def mistakes(self) -> int:
        """Labels that were predicted wrongly before they were learnt."""
        with self._lock:
            return int(lib.weft_player_counters(self._player).mistakes)

    @property
    def digest(self) -> str:
        """What was learnt as 32 hexadecimal digits: equal where models are, as ``weft inspect --digest`` has it."""
        with self._lock:
            halves = _new("uint64_t[2]")
            self._call(lib.weft_player_digest, self._player, halves)
            return f"{halves[0]:016x}{halves[1]:016x}"

    # ---- Changes ----

    def forget(self, id: Any = None, *, row: Any = None, column: Any = None) -> None:
        """Takes out again what is known of one id: a row, a column, or of one set of ids the id.

        >>> model = weft.Model().learn([("ann", "jazz", 1), ("bob", "jazz", 0)])
        >>> model.forget(row="ann")
        """
        if (id is not None) + (row is not None) + (column is not None) != 1:
            raise ArgumentError("forget() takes one id: row= or column=, or of one set of ids the id alone")
        if id is not None and not self._one_set:
            raise ArgumentError("forget() of a model with rows and columns takes row= or column=")
        with self._lock:
            if self._stop is not None:
                self._refuse()
            of_column = column is not None and not self._one_set
            value = id if id is not None else row if row is not None else column
            number = self._number(self._columns if of_column else self._rows, value, "column" if of_column else "row")
            self._call(lib.weft_player_forget, self._player, COLUMNS if of_column else ROWS, number)

    def merge(self, other: Model) -> Model:
        """Adds what another model over the same side information has learnt; ids are matched, and those that only the
        other has are let in.

        >>> a, b = weft.Model().learn([("ann", "jazz", 1)]), weft.Model().learn([("bob", "opera", 0)])
        >>> a.merge(b).trials
        2
        """
        if not isinstance(other, Model):
            raise ArgumentError(f"found a {type(other).__name__}, expected a weft.Model")
        if other is self:
            raise ArgumentError("a model cannot be merged with itself: merge a copy()")
        first, second = sorted((self, other), key=lambda model: model._order)
        with first._lock, second._lock:
            if other._stop is not None:
                other._refuse()
            known = []
            for mine, theirs in ((self._rows, other._rows), (self._columns, other._columns)):
                if not theirs.numbers:
                    found = mine.of_file([str(name) for name in theirs.items])
                    known.append(dict(zip(map(str, theirs.items), found)) if mine.numbers else {})
                    continue
                for id in theirs.other:
                    if id in theirs.numbers:
                        theirs.refuse_other("merged")
                ids, names = mine.names(theirs.items)
                known.append(dict(zip(names, ids)))
            language = self._language.with_other(other._language)
            self._call(lib.weft_player_merge, self._player, other._player)
            self._sync(self._rows, ROWS, known[0])
            if not self._one_set:
                self._sync(self._columns, COLUMNS, known[1])
            self._language = language
        return self

    @property
    def _order(self) -> int:
        return int(ffi.cast("intptr_t", self._player))

    def copy(self) -> Model:
        """An independent model, which goes on as this one does, to the bit.

        >>> weft.Model().learn([("ann", "jazz", 1)]).copy().trials
        1
        """
        with self._lock:
            out = _new("weft_player **")
            self._keep_labels()
            self._call(lib.weft_player_clone, self._player, out)
            made = Model._adopt(out[0], Teller())
            made._copy_ids(self)
            made._pooled = self._pooled
            return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.copy()

    def _copy_ids(self, other: Model) -> None:
        self._rows = other._rows.copy()
        self._columns = self._rows if self._one_set else other._columns.copy()
        self._language = other._language.copy()

    # ---- Files and bytes ----

    def _keep_labels(self) -> None:
        check(lib.weft_player_set_language(self._player, self._language.struct(), self._error), self._error)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, whole or not at all, as ``weft run --model`` would: weft.load() and the command
        read it.  Side information of memory is inside; files are named, and read again."""
        with self._lock:
            self._rows.refuse_other("saved")
            self._columns.refuse_other("saved")
            self._keep_labels()
            self._call(lib.weft_player_save_named, self._player, os.fsencode(path))

    def to_bytes(self) -> bytes:
        """The model as bytes, with all that it needs inside."""
        with self._lock:
            size = _new("size_t *")
            self._keep_labels()
            self._call(lib.weft_player_to_bytes, self._player, ffi.NULL, size)
            buffer = bytearray(size[0])
            self._call(lib.weft_player_to_bytes, self._player, ffi.from_buffer(buffer), size)
            return bytes(buffer)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"format": 1, "model": self.to_bytes(), "words": self._language.words,
                    "rows": self._rows.state(), "columns": None if self._one_set else self._columns.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state.get("format") != 1:
            raise ArgumentError(f"found a pickle of format {state.get('format')}, expected 1")
        teller = Teller()
        options = model_options(teller)
        out, error = _new("weft_player **"), _new("weft_error *")
        content = state["model"]
        check(lib.weft_player_from_bytes(ffi.from_buffer(content), len(content), options[0], out,
                                         error), error, teller)
        self._begin(out[0], teller)
        self._language = Language(state["words"])
        self._rows.restore(state["rows"])
        if not self._one_set:
            self._columns.restore(state["columns"])

    # ---- For people ----

    def _kind(self, which: int) -> str:
        roster = lib.weft_player_roster(self._player, which)
        parts = []
        for k in range(lib.weft_roster_part_count(roster)):
            word = text(lib.weft_roster_spec(lib.weft_roster_part(roster, k))).split(",")[0]
            parts.append(word.partition(":memory.")[0])
        ids = self._rows if which == ROWS else self._columns
        return f"{' + '.join(parts)} ({len(ids.items)} ids)"

    def _repr_html_(self) -> str:
        return html_of(self)

    def plot(self, axes: Any = None) -> Any:
        """What a person wants to see, by matplotlib: the members of most weight, and what the side information saved.
        Answers the axes, two of them unless they are given."""
        return plot_model(self, axes)

    def __repr__(self) -> str:
        if self._stop is not None:
            return f"<weft.Model: {self._stop}>"
        sides = f"both={self._kind(ROWS)}" if self._one_set else (
            f"rows={self._kind(ROWS)} columns={self._kind(COLUMNS)}")
        return f"<weft.Model {sides}: {self.trials} trials, {self.mistakes} mistakes>"


def _worth(worth: Any) -> dict[str, Any] | None:
    if worth.members == 0:
        return None
    trials = max(worth.trials, 1)
    return {"verdict": text(lib.weft_verdict_name(worth.verdict)), "trials": worth.trials,
            "log_loss": _difference(worth.log_loss, trials), "mistakes": _difference(worth.mistakes, 1)}


def _difference(found: Any, trials: int) -> dict[str, float]:
    return {field: getattr(found, field) / trials for field in ("with", "without", "saved", "low", "high")}


def model_options(teller: Teller, rows: str | None = None, columns: str | None = None) -> tuple[Any, list[Any]]:
    """How models are opened, and what must live as long."""
    keep = _new("weft_roster_options *")
    files = file_options(teller, keep)
    texts = [_new("char[]", os.fsencode(spec)) if spec is not None else ffi.NULL for spec in (rows, columns)]
    options = _new("weft_model_options *", {"files": files[0], "rows": texts[0], "columns": texts[1]})
    return options, [keep, files, *texts]


def load(path: str | os.PathLike[str], *, rows: str | None = None, columns: str | None = None) -> Model:
    """The model of a file, which goes on as the one that was saved would, to the bit.

    rows, columns: SPECs where side files are to be read instead; of one set rows.  A file has names without types: they
    are what the first id is that is asked for, and ints where nothing was asked and all could be.
    """
    teller = Teller()
    options, holders = model_options(teller, rows, columns)
    out, error = _new("weft_player **"), _new("weft_error *")
    check(lib.weft_player_open(os.fsencode(path), options, out, error), error, teller)
    del holders
    model = Model._adopt(out[0], teller)
    model._sync(model._rows, ROWS, {})
    if not model._one_set:
        model._sync(model._columns, COLUMNS, {})
    return model


# ---- Forks ----

_models: weakref.WeakSet[Model] = weakref.WeakSet()


def _after_fork() -> None:
    """In the child: what another thread was using, or has threads of its own, is half there.  It is refused with words,
    and never freed, for that would wait for threads that are gone."""
    for model in list(_models):
        free = model._lock.acquire(blocking=False)
        model._lock = threading.RLock()
        if free and not model._pooled:
            continue
        model._stop = ("the model has threads, which a fork does not copy: make it, load it or unpickle it in this "
                       "process" if free else
                       "the model was in use by another thread when this process was forked: load or unpickle one here")
        ffi.gc(model._player, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

__all__ = ["Explanation", "Influence", "Model", "Ranked", "load", "plain"]
