"""SPDX-License-Identifier: MIT

scikit-learn's SGDClassifier, one partial_fit an event, over what is known of the row, of the column, and their products.
For one set of ids the order of a pair makes no difference to any of these.
"""

import zlib
from array import array

import numpy as np
import scipy.sparse as sparse
import sklearn
from sklearn.linear_model import SGDClassifier

from streams import at_most_one

VERSION = sklearn.__version__
FEATURES = 2 ** 16  # products are hashed: partial_fit goes over all weights at every call

SETTINGS = {f"{loss}, constant rate {rate}": {"loss": loss, "learning_rate": "constant", "eta0": rate, "penalty": None}
            for loss, rate in [("log_loss", 0.03), ("log_loss", 0.1), ("log_loss", 0.3), ("log_loss", 1), ("hinge", 0.1)]}
SETTINGS["log_loss, invscaling from 1"] = {"loss": "log_loss", "learning_rate": "invscaling", "eta0": 1.0, "power_t": 0.25,
                                           "penalty": None}
SETTINGS["log_loss, optimal, alpha 1e-4"] = {"loss": "log_loss", "learning_rate": "optimal", "alpha": 1e-4}
SETTINGS["log_loss, optimal, alpha 1e-5"] = {"loss": "log_loss", "learning_rate": "optimal", "alpha": 1e-5}


def known(side, name, traits):
    return [(zlib.crc32(f"{side} id {name}".encode()), 1.0)] + [(zlib.crc32(f"{side} trait {trait}".encode()), value)
                                                                for trait, value in at_most_one(traits)]


def mix(a, b):
    """One number of two, and the same for (b, a)."""
    return zlib.crc32(((a + b) & 0xffffffff).to_bytes(4, "little"), (a ^ b) & 0xffffffff)


def prepare(problem):
    """One row of a sparse matrix for every event."""
    column_side = "row" if problem.one_set else "column"
    start, index, values = [0], array("i"), array("d")
    for row, column, _ in problem.events:
        one = known("row", row, problem.row_traits.get(row, []))
        two = known(column_side, column, problem.column_traits.get(column, []))
        for key, value in one + two + [(mix(a, b), v * w) for a, v in one for b, w in two]:
            index.append(key % FEATURES)
            values.append(value)
        start.append(len(index))
    parts = np.frombuffer(values, dtype=float), np.frombuffer(index, dtype=np.int32), start
    matrix = sparse.csr_matrix(parts, shape=(len(problem.events), FEATURES), copy=True)
    matrix.sum_duplicates()
    return matrix


def play(setting, problem):
    """The score of every event before its label."""
    x, y, scores = problem.make("scikit-learn", prepare), problem.labels, []
    model = SGDClassifier(random_state=problem.order + 1, **setting)
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for t, label in enumerate(y):
            begin, end = x.indptr[t], x.indptr[t + 1]
            scores.append(model.coef_[0, x.indices[begin:end]] @ x.data[begin:end] + model.intercept_[0] if t > 0 else 0.0)
            model.partial_fit(x[t], [label], classes=[-1, 1])
    return [float(score) for score in scores]
