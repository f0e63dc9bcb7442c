"""The clustering in arrays gives the numbers of the one in the standard library."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_table, examples

from refagg import float_space
from refagg.algorithms.fuzzy import c_means, numpy_c_means
from refagg.algorithms.fuzzy.c_means import FuzzyRun
from refagg.algorithms.fuzzy.initial_centres import drawn_records
from refagg.errors import InvalidParameter, MissingExtra, NotConverged
from refagg.language.random_stream import seeded
from tests.algorithms.test_c_means import SCATTERED, assert_sound, every_law, on_the_line


def assert_alike(one: FuzzyRun, other: FuzzyRun) -> None:
    assert (one.iterations, one.converged) == (other.iterations, other.converged)
    for field in ("centres", "memberships", "levels", "objectives"):
        left, right = (np.array(getattr(run, field)) for run in (one, other))
        assert left == pytest.approx(right, rel=1e-9, abs=1e-9 * max(1, np.abs(right).max()))


@every_law
def test_the_same_numbers(law: dict[str, Any]) -> None:
    for project in (None, on_the_line):
        runs = [
            twin.fuzzy_c_means(SCATTERED, [(0, 0), (9, 8), (1, 9)], **law, project=project, limit=9)
            for twin in (c_means, numpy_c_means)
        ]
        assert_alike(*runs)
        assert_sound(runs[1], SCATTERED)


@every_law
@given(st.data())
@examples(Fraction(1, 2))
def test_any_table(law: dict[str, Any], data: st.DataObject) -> None:
    """One iteration alike; many may part where centres are balanced between records."""
    n = data.draw(st.integers(1, 12))
    rows = float_space(data.draw(any_table(n)), data.draw(st.sampled_from(["none", "sample"]))).rows
    start = drawn_records(rows, data.draw(st.integers(1, n)), seeded(data.draw(st.integers(0, 99))))
    assert_sound(numpy_c_means.fuzzy_c_means(rows, start, **law, limit=20), rows)


@every_law
def test_extremes(law: dict[str, Any]) -> None:
    far = [(x + 10**9, 3, y) for x, y in SCATTERED]
    for rows, centres in (
        (SCATTERED, SCATTERED),
        (SCATTERED, [SCATTERED[0]] * 2 + [SCATTERED[3]]),
        ([(1.0, 1.0)] * 4, [(1.0, 1.0), (2.0, 2.0)]),
        ([(x * 1e-200, y * 1e-200) for x, y in SCATTERED], [(1e-200, 0.0), (9e-200, 9e-200)]),
        (far, far[:2]),
    ):
        runs = [
            twin.fuzzy_c_means(rows, centres, **law, limit=1) for twin in (c_means, numpy_c_means)
        ]
        assert_alike(*runs)


def test_errors() -> None:
    with pytest.raises(NotConverged):
        numpy_c_means.fuzzy_c_means(SCATTERED, SCATTERED[:3], m=2, limit=2, demand=True)
    with pytest.raises(InvalidParameter):
        numpy_c_means.fuzzy_c_means(SCATTERED, SCATTERED[:3], m=1)


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_c_means, "np", None)
    with pytest.raises(MissingExtra, match=r"'\.\[numpy\]'"):
        numpy_c_means.fuzzy_c_means(SCATTERED, SCATTERED[:3], m=2)
