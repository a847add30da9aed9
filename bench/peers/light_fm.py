"""SPDX-License-Identifier: MIT

LightFM learns blocks of 10 events, after all of them are predicted; with replay every block together with nine blocks' worth
of earlier events, drawn uniformly.  An id is the sum of itself and its traits: all scaled to length 1 together, or
(`own`) the traits alone where they are longer.  An event of one set of ids is learnt in both directions, and its score is
the sum of both.
"""

import random

import lightfm
import numpy as np
import scipy.sparse as sparse

from streams import at_most_one

VERSION = lightfm.__version__
BLOCK = 10

# Numbers of an id, rate, passes over a block, blocks' worth of earlier events, how an id is scaled.
TRIED = [(k, rate, passes, 0, "all") for k in (10, 30) for rate, passes in ((0.2, 1), (0.5, 1), (0.1, 3))]
TRIED += [(k, rate, 10, 9, "all") for k in (10, 30) for rate in (0.03, 0.1, 0.3)]
TRIED += [(k, 0.1, 3, 9, "all") for k in (10, 30)]
TRIED += [(k, rate, 10, 9, "own") for k in (10, 30) for rate in (0.1, 0.3)]


def tell(k, rate, passes, replay, scaled):
    """The name of a setting."""
    often = "1 pass" if passes == 1 else f"{passes} passes"
    return f"{k} numbers, rate {rate}, {often}, replay {replay}" + (", own" if scaled == "own" else "")


SETTINGS = {tell(*setting): setting for setting in TRIED}


class Ids:
    """Ids as rows of two matrices of features, one a way to scale them."""

    def __init__(self, names, traits):
        self.number = {name: k for k, name in enumerate(dict.fromkeys(names))}
        self.column = {}
        self.features = {
            "all": self.matrix(lambda name: scale([(("id", name), 1.0), *keys(traits, name)])),
            "own": self.matrix(lambda name: [(("id", name), 1.0), *at_most_one(keys(traits, name))]),
        }

    def matrix(self, known):
        entries = [(row, self.column.setdefault(key, len(self.column)), value)
                   for name, row in self.number.items() for key, value in known(name)]
        rows, columns, values = zip(*entries)
        return sparse.csr_matrix((values, (rows, columns)), shape=(len(self.number), len(self.column)), dtype=np.float32)


def keys(traits, name):
    return [(("trait", trait), value) for trait, value in traits.get(name, [])]


def scale(known):
    """To length 1."""
    length = sum(value * value for _, value in known) ** 0.5
    return [(key, value / length) for key, value in known]


def prepare(problem):
    """The features of both sides, and the events as three vectors."""
    row_names, column_names = ([event[k] for event in problem.events] for k in (0, 1))
    if problem.one_set:
        rows = columns = Ids(row_names + column_names, problem.row_traits)
    else:
        rows, columns = Ids(row_names, problem.row_traits), Ids(column_names, problem.column_traits)
    i = np.array([rows.number[name] for name in row_names], dtype=np.int32)
    j = np.array([columns.number[name] for name in column_names], dtype=np.int32)
    return rows.features, columns.features, i, j, np.array(problem.labels, dtype=np.float32)


def play(setting, problem):
    """The score of every event before its block is learnt; 0 for those of the first."""
    k, rate, passes, replay, scaled = setting
    users, items, i, j, y = problem.make("lightfm", prepare)
    users, items = users[scaled], items[scaled]
    model = lightfm.LightFM(no_components=k, learning_rate=rate, loss="logistic", random_state=problem.order + 1)
    draw, scores = random.Random(problem.order + 1), np.zeros(len(y))
    for begin in range(0, len(y), BLOCK):
        now = np.arange(begin, min(begin + BLOCK, len(y)))
        if begin > 0:
            scores[now] = model.predict(i[now], j[now], item_features=items, user_features=users)
            if problem.one_set:
                scores[now] += model.predict(j[now], i[now], item_features=items, user_features=users)
        learn = np.concatenate([now, draw.sample(range(begin), min(begin, replay * BLOCK))]).astype(int)
        a, b, labels = i[learn], j[learn], y[learn]
        if problem.one_set:
            a, b, labels = np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([labels, labels])
        events = sparse.coo_matrix((labels, (a, b)), shape=(users.shape[0], items.shape[0]))
        model.fit_partial(events, user_features=users, item_features=items, epochs=passes)
    return scores.tolist()
