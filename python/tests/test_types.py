"""SPDX-License-Identifier: MIT

The types of the package by mypy --strict, and those that a user sees.
"""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("mypy")

PACKAGE = os.path.join(ROOT, "python", "weft")
RIGHT = """
import weft

model = weft.Model(rows=weft.graph([("a", "b")]), columns=None)
answer: weft.Answer = model.learn_one("a", "x", True)
number: float = answer.probability
best: list[weft.Ranked] = model.learn([("a", "x", 1)]).rank("a", 3)
"""
WRONG = RIGHT + "word: str = answer.probability\nmodel.predict_one()\n"


def mypy(*arguments):
    made = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file",
                           os.path.join(ROOT, "python", "pyproject.toml"), "--cache-dir", ".cache", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "MYPYPATH": ""})
    return made.returncode, made.stdout.decode()


def test_the_package_and_its_users():
    with open("right.py", "w", encoding="utf-8") as file:
        file.write(RIGHT)
    with open("wrong.py", "w", encoding="utf-8") as file:
        file.write(WRONG)
    status, said = mypy(PACKAGE, "right.py", "wrong.py")
    lines = [line for line in said.splitlines() if ": error:" in line]
    assert status == 1 and len(lines) == 2 and all(line.startswith("wrong.py:") for line in lines), said
