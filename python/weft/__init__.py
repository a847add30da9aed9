"""SPDX-License-Identifier: MIT

weft: predict the entries of a binary matrix one at a time, learn from each answer, and use what is known about the
rows and the columns.

    import weft
    model = weft.Model(rows=weft.graph(follows), columns=None)
    out = model.run(events)                     # predicted before each label was told
    model.predict_one("ann", "jazz").probability
    model.rank("ann", 5)
    model.save("likes.weft")

docs/python.md tells the rest.
"""

from weft._answer import Answer
from weft._errors import (
    ArgumentError,
    Error,
    FileError,
    InputError,
    InternalError,
    ModelError,
    OutOfMemoryError,
    UnknownIdError,
    UnsupportedError,
    text as _text,
)
from weft._model import Explanation, Influence, Model, Ranked, load
from weft._sides import Side, classes, features, graph, kernel, matrix, none, table
from weft._weft import lib as _lib

__version__ = _text(_lib.weft_version())

__all__ = [
    "Answer",
    "ArgumentError",
    "Error",
    "Explanation",
    "FileError",
    "Influence",
    "InputError",
    "InternalError",
    "Model",
    "ModelError",
    "OutOfMemoryError",
    "Ranked",
    "Side",
    "UnknownIdError",
    "UnsupportedError",
    "__version__",
    "classes",
    "features",
    "graph",
    "kernel",
    "load",
    "matrix",
    "none",
    "table",
]
