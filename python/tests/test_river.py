"""SPDX-License-Identifier: MIT

weft.river by River's own judges.
"""

import pytest

pytest.importorskip("river")

from river import checks, metrics  # noqa: E402
from river.checks import reco, yield_checks  # noqa: E402

import weft  # noqa: E402
from conftest import made_events, made_graph  # noqa: E402
from weft.river import PairClassifier, Ranker  # noqa: E402


@pytest.mark.parametrize("make", [PairClassifier, Ranker])
def test_checks_of_river(make):
    """All of them: nothing is left out but what River itself leaves out for every ranker."""
    assert len(list(yield_checks(make()))) > 10
    checks.check_estimator(make())
    if make is Ranker:
        reco.check_reco_routine(make())


def test_it_is_the_model():
    events = list(zip(*made_events(100)))
    one, model = PairClassifier(rows=weft.graph(made_graph())), weft.Model(rows=weft.graph(made_graph()))
    auc = metrics.ROCAUC()
    for row, column, sign in events:
        x = {"user": row, "item": column, "other": 3}
        told = one.predict_proba_one(x)
        assert set(told) == {False, True} and told[True] == model.predict_one(row, column).probability
        auc.update(sign > 0, told)
        one.learn_one(x, sign > 0)
        model.learn_one(row, column, sign > 0)
    assert one.model.digest == model.digest and auc.get() > 0.5


def test_context_is_looked_at():
    ranker = Ranker(context=("hour",))
    for k in range(60):
        ranker.learn_one("ann", "jazz", k % 2, {"hour": k % 2})
        ranker.learn_one("ann", "opera", 1 - k % 2, {"hour": k % 2})
    assert ranker.is_contextual
    assert ranker.rank("ann", ["jazz", "opera"], {"hour": 1}) == ["jazz", "opera"]
    assert ranker.rank("ann", ["jazz", "opera"], {"hour": 0}) == ["opera", "jazz"]
    assert Ranker().rank("ann", set()) == []
