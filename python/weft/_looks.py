"""SPDX-License-Identifier: MIT

A model as people look at it: a table for notebooks, pictures, a bar for long work.
"""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from weft._calls import Teller

_MEMBERS = 8


def worth_sentence(name: str, worth: dict[str, Any]) -> str:
    """What side information is worth, in the words of the command."""
    lost, wrong = worth["log_loss"], worth["mistakes"]
    low, high = lost["low"], lost["high"]
    if worth["verdict"] == "helps":
        said = f"helps, saves {low:.4f} to {high:.4f}"
    elif worth["verdict"] == "unclear":
        said = f"cannot tell yet, saves {low:.4f} to {high:.4f}"
    elif high < 0:
        said = f"saves at most nothing, costs {-high:.4f} to {-low:.4f}"
    else:
        said = f"saves at most {high:.4f}"
    leave = ": it can be left out" if worth["verdict"] == "at_most" else ""
    return (f"{name}: {said} of log loss a trial ({lost['with']:.4f}, {lost['without']:.4f} without), "
            f"{wrong['without']:.0f} mistakes without{leave}")


def facts_of(model: Any) -> list[tuple[str, str]]:
    """What a person wants to know of a model, as names and sentences."""
    facts = [("model", repr(model)[6:-1])]
    if model.trials:
        facts.append(("error", f"{100 * model.mistakes / model.trials:.2f} %: {model.mistakes} mistakes in "
                               f"{model.trials} labels"))
    facts += [("side information", worth_sentence(name, worth)) for name, worth in model.worth().items()
              if worth is not None]
    try:
        found = model.guarantee()
    except ValueError:
        return facts
    facts.append(("guarantee", f"expected mistakes {found['expected_mistakes']:.6g} <= {found['best_mistakes']} of "
                               f"{found['best']!r} + {found['term'] + found['drift']:.3g}, whatever the labels"))
    return facts


def html_of(model: Any) -> str:
    """A table for notebooks."""
    rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                   f"<td style='text-align:left'>{html.escape(fact)}</td></tr>" for name, fact in facts_of(model))
    return f"<table>{rows}</table>"


def plot_model(model: Any, axes: Any) -> Any:
    """Two pictures: who leads, and what side information saved."""
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    members = model.members()
    weights, names = np.asarray(members["weight"]), list(members["name"])
    best = np.argsort(-weights, kind="stable")[:_MEMBERS][::-1]
    axes[0].barh([names[k] for k in best], weights[best])
    axes[0].set(title="who leads", xlabel="weight in the vote")
    known = {name: worth for name, worth in model.worth().items() if worth is not None}
    for place, worth in enumerate(known.values()):
        lost = worth["log_loss"]
        axes[1].plot([lost["low"], lost["high"]], [place, place], color="tab:blue")
        axes[1].plot([lost["saved"]], [place], "o", color="tab:blue")
    axes[1].axvline(0, color="grey", linewidth=0.8)
    axes[1].set(title="what the side information is worth", xlabel="log loss saved a trial, 95 %",
                yticks=range(len(known)), yticklabels=list(known))
    return axes


class Bar:
    """A bar on standard error while events are played, where it is wanted and tqdm is installed."""

    def __init__(self, teller: Teller, count: int, wanted: bool) -> None:
        self._teller, self._count, self._bar = teller, count, None
        if wanted:
            self._bar = _tqdm(count)

    def begin(self, begin: int, end: int) -> None:
        """Events from begin to end are played next."""
        self._span = (begin, end)

    def end(self) -> None:
        self._hear(1.0)

    def _hear(self, done: float) -> None:
        bar: Any = self._bar
        if bar is not None and done == done:
            begin, end = self._span
            bar.update(int(begin + done * (end - begin)) - bar.n)

    def __enter__(self) -> Bar:
        if self._bar is not None:
            self._teller.listener = self._hear
        return self

    def __exit__(self, *failure: object) -> None:
        self._teller.listener = None
        bar: Any = self._bar
        if bar is not None:
            bar.close()


def _tqdm(count: int) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm(total=count, unit=" events")
