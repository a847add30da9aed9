"""SPDX-License-Identifier: MIT

LightFM learns blocks of 10 events, after all of them are predicted; with replay every block together with nine blocks' worth
of earlier events, drawn uniformly.  An id is the mean of itself and its traits.  An event of one set of ids is learnt in
both directions, and its score is the sum of both.
"""

import random

import lightfm
import numpy as np
import scipy.sparse as sparse

VERSION = lightfm.__version__
BLOCK = 10

# Numbers of an id, rate, passes over a block, blocks' worth of earlier events.
TRIED = [(k, rate, 1, 0) for k in (10, 30) for rate in (0.05, 0.2, 0.5)]
TRIED += [(k, 0.1, 3, 0) for k in (10, 30)]
TRIED += [(k, rate, 10, 9) for k in (10, 30) for rate in (0.03, 0.1, 0.3)]
TRIED += [(k, 0.1, 3, 9) for k in (10, 30)]
SETTINGS = {f"{k} numbers, rate {rate}, {passes} {'pass' if passes == 1 else 'passes'}, replay {replay}":
            (k, rate, passes, replay) for k, rate, passes, replay in TRIED}


class Ids:
    """Ids as rows of a matrix of features, each normalised to a sum of 1."""

    def __init__(self, names, traits):
        self.number = {name: k for k, name in enumerate(dict.fromkeys(names))}
        feature, entries = {}, []
        for name, row in self.number.items():
            known = [(("id", name), 1.0)] + [(("trait", trait), value) for trait, value in traits.get(name, [])]
            total = sum(value for _, value in known)
            entries += [(row, feature.setdefault(key, len(feature)), value / total) for key, value in known]
        rows, columns, values = zip(*entries)
        shape = (len(self.number), len(feature))
        self.features = sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.float32)


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
    k, rate, passes, replay = setting
    users, items, i, j, y = problem.make("lightfm", prepare)
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
