"""SPDX-License-Identifier: MIT

weft.sklearn by the judges of scikit-learn itself.
"""

import numpy as np
import pytest

pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")

from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import cross_validate  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import weft  # noqa: E402
from conftest import made_events, made_graph  # noqa: E402
from weft.sklearn import PairClassifier  # noqa: E402


@parametrize_with_checks([PairClassifier()])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def table():
    rows, columns, signs = made_events(150)
    return pandas.DataFrame({"who": rows, "what": columns}), signs


def test_it_is_the_model():
    X, y = table()
    found = PairClassifier(rows=weft.graph(made_graph())).fit(X, y)
    model = weft.Model(rows=weft.graph(made_graph())).learn((X["who"], X["what"], y == 1))
    assert found.model_.digest == model.digest
    assert np.array_equal(found.predict_proba(X), model.predict_proba((X["who"], X["what"])))
    assert set(found.predict(X)) <= {-1, 1}


def test_in_parts_as_in_one():
    X, y = table()
    whole = PairClassifier().fit(X, y)
    parts = PairClassifier().partial_fit(X[:50], y[:50], classes=[-1, 1]).partial_fit(X[50:], y[50:])
    assert whole.model_.digest == parts.model_.digest
    with pytest.raises(ValueError):
        PairClassifier().partial_fit(X, y)
    with pytest.raises(ValueError):
        parts.partial_fit(X, y, classes=[0, 1])


def test_manners():
    X, y = table()
    estimator = clone(PairClassifier(rows=weft.graph(made_graph()), seed=3))
    assert estimator.get_params()["seed"] == 3
    scores = cross_validate(make_pipeline(FunctionTransformer(), estimator), X, y, cv=3, scoring="roc_auc")
    assert scores["test_score"].mean() > 0.7
    timed = np.column_stack((X["who"], X["what"], ["phone", "desk"] * 75)).astype(object)
    assert PairClassifier().fit(timed, y).predict_proba(timed).shape == (150, 2)
