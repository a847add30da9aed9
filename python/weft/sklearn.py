"""SPDX-License-Identifier: MIT

weft as an estimator of scikit-learn.

A row of X is an event: two ids, and behind them what is known of the event alone (at most 8 columns, docs/context.md).
Any value is an id, also a number, and no number is near another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from weft._ids import Array
from weft._model import Model

__all__ = ["PairClassifier"]

_MOST = 10


class PairClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """weft.Model with the manners of scikit-learn: fit, partial_fit, predict, predict_proba, clone, pipelines.

    rows, columns, both, seed, randomised: as for weft.Model.  X has two columns of ids, as an array or DataFrame, and y
    two classes; of y sorted the second class is the positive one.

    >>> from weft.sklearn import PairClassifier
    >>> X = [["ann", "jazz"], ["bob", "jazz"], ["ann", "opera"], ["bob", "opera"]] * 5
    >>> y = ["like", "like", "hate", "hate"] * 5
    >>> PairClassifier().fit(X, y).predict([["cleo", "jazz"], ["cleo", "opera"]])
    array(['like', 'hate'], dtype='<U4')
    """

    def __init__(self, rows: Any = None, columns: Any = None, both: Any = None, seed: int = 1,
                 randomised: bool = False) -> None:
        self.rows = rows
        self.columns = columns
        self.both = both
        self.seed = seed
        self.randomised = randomised

    # ---- Learning ----

    def fit(self, X: Any, y: Any) -> PairClassifier:
        """Learns all events from the first on, and forgets what was learnt before."""
        array, names = _events_of(X)
        labels = _labels_of(y, len(array))
        self._begin(array, names, unique_labels(labels))
        return self._learn(array, labels)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> PairClassifier:
        """Learns more events; the first call names the classes."""
        array, names = _events_of(X)
        labels = _labels_of(y, len(array))
        if not hasattr(self, "model_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            self._begin(array, names, unique_labels(classes))
        else:
            if classes is not None and not np.array_equal(unique_labels(classes), self.classes_):
                raise ValueError(f"classes={classes!r} is not the same as on the last call to partial_fit, "
                                 f"was {self.classes_!r}")
            self._check(array, names)
        return self._learn(array, labels)

    def _begin(self, array: Array, names: Any, classes: Array) -> None:
        if len(classes) > 2:
            raise ValueError(f"Only binary classification is supported. The type of the target is multiclass: "
                             f"{len(classes)} classes")
        width = array.shape[1]
        if width < 2 or width > _MOST:
            raise ValueError(f"Found n_features = {width}, expected two ids and at most {_MOST - 2} columns of what is "
                             "known of the event")
        self.classes_ = classes
        self.n_features_in_ = width
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.model_ = Model(self.rows, self.columns, both=self.both, seed=self.seed, randomised=self.randomised,
                            context=[f"x{k}" for k in range(2, width)])

    def _learn(self, array: Array, labels: Array) -> PairClassifier:
        strange = np.setdiff1d(labels, self.classes_)
        if len(strange):
            raise ValueError(f"y contains classes not in classes_: {strange!r}")
        # One class alone is known as the positive one.
        self.model_.learn(tuple(array.T[:2]) + (labels == self.classes_[-1],) + tuple(array.T[2:]))
        return self

    # ---- Asking ----

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of classes_."""
        check_is_fitted(self)
        array, names = _events_of(X)
        self._check(array, names)
        if len(self.classes_) == 1:
            return np.ones((len(array), 1))
        return self.model_.predict_proba(tuple(array.T))

    def predict(self, X: Any) -> Array:
        """The classes that the model predicts."""
        check_is_fitted(self)
        array, names = _events_of(X)
        self._check(array, names)
        positive = np.asarray(self.model_.predict(tuple(array.T)), dtype=bool)
        return np.asarray(self.classes_[np.where(positive, len(self.classes_) - 1, 0)])

    def decision_function(self, X: Any) -> Array:
        """Log-odds of the second class: above 0 where predict() says it, but for ties."""
        probabilities = np.clip(self.predict_proba(X)[:, -1], 1e-300, 1 - 1e-16)
        return np.asarray(np.log(probabilities) - np.log1p(-probabilities))

    def _check(self, array: Array, names: Any) -> None:
        known = getattr(self, "feature_names_in_", None)
        if known is not None and names is not None and list(known) != list(names):
            raise ValueError(_name_complaint(list(known), list(names)))
        if array.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {array.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")

    # ---- What scikit-learn may expect: no check is left out, but that numbers near each other are alike, which ids are
    # not (poor_score), and more classes than two.

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["2darray", "string", "categorical"], "binary_only": True, "poor_score": True,
                "non_deterministic": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _events_of(X: Any) -> tuple[Array, Any]:
    """X as an array of two dimensions, and the names of its columns."""
    if hasattr(X, "tocsr") or hasattr(X, "toarray"):
        raise TypeError("A sparse matrix was passed, but dense data is required: X is two columns of ids")
    columns = getattr(X, "columns", None)
    names = None
    if columns is not None and hasattr(X, "to_numpy"):
        if all(isinstance(name, str) for name in columns):
            names = np.asarray(list(columns), dtype=object)
        array = X.to_numpy(dtype=object) if len(set(map(str, X.dtypes))) > 1 else X.to_numpy()
    else:
        array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead: a row of X is an event. Reshape your "
                         "data either using array.reshape(-1, 1) if your data has a single feature or "
                         "array.reshape(1, -1) if it contains a single sample.")
    if array.shape[0] == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
    if array.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 2 is required.")
    _check_finite(array)
    return array, names


def _check_finite(array: Array) -> None:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("Input X contains NaN or infinity, which are no ids")
    if array.dtype.kind == "O":
        for value in array.ravel():
            if isinstance(value, (dict, list, set)):
                raise TypeError(f"argument must be a string or a number, found {type(value).__name__}")
            if value is None or (isinstance(value, float) and not np.isfinite(value)):
                raise ValueError("Input X contains NaN, which is no id")


def _labels_of(y: Any, count: int) -> Array:
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        import warnings

        from sklearn.exceptions import DataConversionWarning

        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                      "(n_samples, ), for example using ravel().", DataConversionWarning, stacklevel=3)
        labels = labels.ravel()
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity")
    if len(labels) != count:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(labels)}]")
    check_classification_targets(labels)
    return labels


def _name_complaint(known: list[str], found: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unexpected, missing = sorted(set(found) - set(known)), sorted(set(known) - set(found))
    for title, names in (("Feature names unseen at fit time:\n", unexpected),
                         ("Feature names seen at fit time, yet now missing:\n", missing)):
        if names:
            message += title + "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
