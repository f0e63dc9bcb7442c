"""Estimators and pipelines of scikit-learn, asked as functions of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Protocol, runtime_checkable

from oracle.conformance.judge.model import SHAPES
from refagg.errors import InvalidParameter

OF_CASES = ("kinds", "seed", "standardise", *SHAPES)
"""What a case has that is no parameter of an algorithm."""


@runtime_checkable
class Estimator(Protocol):
    """An estimator; only its methods say that it is one, scikit-learn is not imported."""

    def fit(self, X: Any) -> Any: ...  # noqa: N803
    def get_params(self) -> Mapping[str, object]: ...
    def set_params(self, **values: object) -> object: ...


def of_estimator(estimator: Estimator) -> Callable[..., object]:
    """Return the function of rows that asks copies of an estimator. Raises InvalidParameter.

    It sets `k` and the parameters of a case, by their names or, in a pipeline, `step__name`; those
    that only the algorithm has are items of `parameters`, if the estimator takes such a mapping.
    `standardise` is "none" where the case does not say it. The answer has `labels_`, and without a
    method `fit_predict` the values that `fit_transform` gives.
    """
    places = _places(estimator)
    if "k" not in places:
        known = ", ".join(sorted(places)) or "none"
        raise InvalidParameter(
            f"{type(estimator).__name__} has no parameter k, the least size of a group; it has "
            f"{known}; set k in get_params and set_params"
        )

    def ask(rows: list[list[Any]], k: int, **named: Any) -> dict[str, Any]:
        usual = {"standardise": "none"} if "standardise" in places else {}
        given = {**usual, **named, "k": k}
        own = {name: value for name, value in given.items() if name in places}
        rest = {name: value for name, value in given.items() if name not in places}
        for name in rest:
            if name in OF_CASES or "parameters" not in places:
                return {"unsupported": f"the estimator has no parameter {name!r}"}
        if rest:
            own["parameters"] = rest
        copy = deepcopy(estimator)
        copy.set_params(**{places[name]: value for name, value in own.items()})
        return _answer(copy, rows)

    return ask


def _places(estimator: Estimator) -> dict[str, str]:
    """Return the parameters by their last names; those of the estimator itself come first."""
    names = sorted(estimator.get_params(), key=lambda name: -name.count("__"))
    return {name.rpartition("__")[2]: name for name in names}


def _answer(estimator: Any, rows: list[list[Any]]) -> dict[str, Any]:
    """Return groups and released values, as the estimator has them."""
    if hasattr(estimator, "fit_predict"):
        return {"labels": estimator.fit_predict(rows)}
    released = estimator.fit_transform(rows)
    labels = getattr(estimator, "labels_", None)
    answer = {"released": getattr(released, "to_numpy", lambda: released)()}
    return answer if labels is None else answer | {"labels": labels}
