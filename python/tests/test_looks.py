"""SPDX-License-Identifier: MIT

What people look at.
"""

import numpy as np
import pytest

import weft
from conftest import made_events, made_graph
from weft._looks import worth_sentence


def taught():
    return weft.Model(rows=weft.graph(made_graph())).learn(zip(*made_events(120)))


def test_html_says_what_a_person_wants():
    model = taught()
    said = model._repr_html_()
    assert f"{model.mistakes} mistakes in 120 labels" in said and "rows: " in said and "guarantee" in said
    assert "<script" not in weft.Model(rows=weft.none(["<script>"]))._repr_html_()
    assert "error" not in weft.Model()._repr_html_()


def test_each_verdict_has_its_words():
    def said(verdict, low, high):
        lost = {"with": 0.1, "without": 0.2, "saved": 0.1, "low": low, "high": high}
        return worth_sentence("rows", {"verdict": verdict, "trials": 9, "log_loss": lost, "mistakes": lost})

    assert "helps, saves 0.0500 to 0.1500" in said("helps", 0.05, 0.15)
    assert "cannot tell yet, saves -0.0500 to" in said("unclear", -0.05, 0.15)
    assert "saves at most 0.0010" in said("at_most", -0.05, 0.001) and "left out" in said("at_most", -0.05, 0.001)
    assert "costs 0.0100 to 0.0500" in said("at_most", -0.05, -0.01)


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = taught().plot()
    assert len(axes[0].patches) == 8 and len(axes[1].lines) == 3 + 2
    axes[0].figure.savefig("model.png")
    weft.Model().plot(axes)


def test_a_bar_changes_nothing(capsys):
    events = made_events(3000, 60, 40)
    one, other = weft.Model(), weft.Model()
    one.learn(tuple(map(np.asarray, events)), progress=True)
    other.learn(tuple(map(np.asarray, events)))
    assert one.digest == other.digest
    try:
        import tqdm  # noqa: F401
    except ImportError:
        assert capsys.readouterr().err == ""
    else:
        assert "3000/3000" in capsys.readouterr().err
