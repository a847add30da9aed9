"""SPDX-License-Identifier: MIT

The python blocks of the documents, and docstrings.
"""

import doctest
import importlib
import os
import pkgutil
import re

import pytest

import weft
from conftest import ROOT

pytest.importorskip("pandas")

FENCE = re.compile(r"^```python[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
DOCUMENTS = ["README.md", *sorted(os.path.join("docs", name) for name in os.listdir(os.path.join(ROOT, "docs"))
                                  if name.endswith(".md"))]


def blocks(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1)


def check(path, found):
    names = {}
    failed = 0
    for line, block in found:
        if ">>>" not in block:
            exec(compile(block, f"{path}:{line}", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, path, path, line)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
        failed += runner.failures
    return failed


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if list(blocks(path))])
def test_document(path):
    assert check(path, blocks(path)) == 0


def test_a_wrong_document_fails(capsys):
    assert check("planted", [(1, ">>> 1 + 1\n3\n")]) == 1


@pytest.mark.parametrize("name", ["weft", *(f"weft.{module.name}" for module in pkgutil.iter_modules(weft.__path__)
                                            if not module.name.startswith("_weft"))])
def test_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"{name} needs {error.name}")
    assert doctest.testmod(module, extraglobs={"weft": weft}, optionflags=FLAGS).failed == 0


def test_every_public_name_has_a_docstring():
    for name in weft.__all__:
        thing = getattr(weft, name)
        if not name.startswith("__"):
            assert thing.__doc__, name
    for name, thing in vars(weft.Model).items():
        if not name.startswith("_"):
            assert thing.__doc__, name
