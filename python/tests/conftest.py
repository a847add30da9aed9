"""SPDX-License-Identifier: MIT"""

import os
import sys

import numpy as np
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import weft  # noqa: E402


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def names_of_docstrings(doctest_namespace):
    doctest_namespace["weft"] = weft
    doctest_namespace["np"] = np


def made_events(count, rows=12, columns=9, seed=1):
    """Two groups of readers who like opposite articles, a tenth of the labels wrong."""
    draw = np.random.default_rng(seed)
    r, c = draw.integers(rows, size=count), draw.integers(columns, size=count)
    sign = np.where((r % 2) == (c % 2), 1, -1) * np.where(draw.random(count) < 0.1, -1, 1)
    return [f"r{k}" for k in r], [f"c{k}" for k in c], sign.astype(int)


def made_graph(rows=12):
    """Readers of one group follow each other."""
    return [(f"r{i}", f"r{(i + 2) % rows}") for i in range(rows)] + [("r0", "r1", 0.1)]
