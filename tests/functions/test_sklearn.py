"""The transformer of scikit-learn, and estimators before the judge."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import oracle
from refagg.errors import InvalidConstraintText, InvalidK, InvalidParameter
from refagg.sklearn import Microaggregation

EXPECTED_FAILURES = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "transform gives the nearest group, and members of a group can be nearer to another",
)
"""The checks of `check_estimator` that compare `transform` with `fit_transform`, and why not."""

ROWS = np.array([[0.0, 10], [1, 12], [2, 14], [50, 30], [52, 33], [57, 33]])


@pytest.mark.parametrize("algorithm", ["mdav", "mondrian"])
def test_all_checks_of_scikit_learn_hold_but_the_declared_ones(algorithm: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(
            Microaggregation(algorithm=algorithm),
            on_fail=None,
            expected_failed_checks=EXPECTED_FAILURES,
        )
    assert [one["check_name"] for one in found if one["status"] == "failed"] == []
    assert {one["check_name"] for one in found if one["status"] == "xfail"} == {*EXPECTED_FAILURES}


def test_the_release_is_the_means_of_the_groups() -> None:
    step = Microaggregation(k=3)
    released = step.fit_transform(ROWS)
    means = np.array([[1.0, 12], [53, 32]])
    assert np.array_equal(released, means[[0, 0, 0, 1, 1, 1]])
    assert np.array_equal(step.cluster_centers_, means)
    assert step.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert oracle.audit(ROWS, released, k=3, algorithm="mdav").ok


def test_new_records_get_the_nearest_group_and_the_first_of_equally_near_ones() -> None:
    step = Microaggregation(k=3).fit(ROWS)
    found = step.transform([[0, 0], [60, 40], [27, 22]])  # the last is in the middle of both
    assert np.array_equal(found, step.cluster_centers_[[0, 1, 0]])


def test_nearness_is_measured_on_the_scale_of_the_fitted_records() -> None:
    # standard deviations are 50 and 2: divided by them, differences are (0.8, 2) and (1.2, 0)
    rows = [[0, 0], [0, 0], [100, 4], [100, 4]]
    near = [[40, 4]]
    assert Microaggregation(k=2, standardise="none").fit(rows).transform(near).tolist() == [[0, 0]]
    assert Microaggregation(k=2).fit(rows).transform(near).tolist() == [[100, 4]]


def test_names_and_frames() -> None:
    frame = pd.DataFrame(ROWS, columns=["net", "tax"], index=[3, 1, 2, 9, 8, 7])
    step = Microaggregation(k=3).set_output(transform="pandas")
    released = step.fit_transform(frame)
    assert list(released.index) == [3, 1, 2, 9, 8, 7]
    assert list(step.get_feature_names_out()) == list(released.columns) == ["net", "tax"]
    with pytest.raises(InvalidConstraintText):
        Microaggregation(constraints=["net +"]).fit(frame)


def test_in_a_pipeline_and_a_column_transformer() -> None:
    holes = ROWS.copy()
    holes[0, 0] = np.nan
    made = make_pipeline(SimpleImputer(), Microaggregation(k=3)).fit_transform(holes)
    assert len(np.unique(made, axis=0)) == 2
    frame = pd.DataFrame(ROWS, columns=["a", "b"]).assign(c=list("uvwxyz"))
    steps = ColumnTransformer([("m", Microaggregation(k=3), ["a", "b"])], remainder="passthrough")
    assert steps.fit_transform(frame)[:, 2].tolist() == list("uvwxyz")


def test_a_fitted_step_is_pickled_and_cloned() -> None:
    step = Microaggregation(k=3, algorithm="mdav-2k").fit(ROWS)
    again = pickle.loads(pickle.dumps(step))
    assert np.array_equal(again.transform(ROWS), step.transform(ROWS))
    assert clone(step).get_params() == step.get_params()


def test_what_cannot_be_done_is_named() -> None:
    with pytest.raises(ValueError, match="minimum of 4"):
        Microaggregation(k=4).fit(ROWS[:3])
    with pytest.raises(InvalidK):
        Microaggregation(k="3").fit(ROWS)  # type: ignore[arg-type]
    for algorithm, seed in (("individual-ranking", None), ("fuzzy", 1)):
        with pytest.raises(InvalidParameter, match="yields no partition"):
            Microaggregation(algorithm=algorithm, seed=seed).fit(ROWS)


class Foreign(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Somebody's transformer, whose groups are k records in the order of the file."""

    def __init__(self, k: int = 2) -> None:
        self.k = k

    def fit(self, X: Any, y: Any = None) -> Foreign:  # noqa: N803
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        rows = np.asarray(X, dtype=float)
        number = np.minimum(np.arange(len(rows)) // self.k, len(rows) // self.k - 1)
        return np.array([rows[number == own].mean(axis=0) for own in number])


def test_estimators_before_the_judge() -> None:
    for right in (Microaggregation(), make_pipeline(Microaggregation())):
        found = oracle.conform(right, "mdav")
        assert found.ok, found
        assert {j.status for j in found.judgements} == {"passed", "unsupported"}
    assert oracle.conform(Microaggregation(algorithm="v-mdav"), "v-mdav", flags=["parameter"]).ok
    assert oracle.conform(Foreign(), "any k-partition", flags=["order"]).ok
    assert not oracle.conform(Foreign(), "mdav", flags=["order"]).ok
    with pytest.raises(InvalidParameter, match="KMeans has no parameter k"):
        oracle.conform(KMeans(), "mdav")
