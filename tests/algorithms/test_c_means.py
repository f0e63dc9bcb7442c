"""Fuzzy c-means: formulas by hand, stationarity by SciPy, extremes, and an objective that falls."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import dist, exp, fsum, inf, isfinite, log
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from strategies import any_table, duplicates, equal_records, examples

from refagg import float_space
from refagg.algorithms.fuzzy.c_means import (
    RISE,
    FuzzyRun,
    drawn_records,
    fuzzy_c_means,
    one_step,
)
from refagg.algorithms.fuzzy.memberships import membership_function
from refagg.cursors.rows import Rows as Points
from refagg.cursors.rows import rows_of
from refagg.errors import InvalidParameter
from refagg.language.random_stream import seeded

Rows = list[tuple[float, ...]]

LAWS: list[dict[str, Any]] = [
    {"kind": "fcm", "m": 2},
    {"kind": "fcm", "m": 1.2},
    {"kind": "efcm", "lam": 0.7},
    {"kind": "crisp"},
]
EXTREMES: list[dict[str, Any]] = [
    {"kind": "fcm", "m": 1.0001},
    {"kind": "fcm", "m": 1000},
    {"kind": "efcm", "lam": 1e-12},
    {"kind": "efcm", "lam": 1e6},
]
every_law = pytest.mark.parametrize("law", LAWS + EXTREMES, ids=str)
smooth_laws = pytest.mark.parametrize("law", LAWS[:3], ids=str)

SCATTERED: Rows = [(0, 1), (1, 0), (2, 2), (7, 8), (9, 8), (8, 6), (1, 9), (0, 8), (4, 5)]


def centres_of(
    rows: Any, members: Any, kind: str = "fcm", m: float | None = None, project: Any = list
) -> list[list[float]]:
    """Step 3: the centres that fit these memberships best."""
    u, points = membership_function(kind, m, 1.0 if kind == "efcm" else None), Points(rows)
    logs = [[log(x) if x else -inf for x in row] for row in members]
    return [project(points.mean(u.weights(of), ())) for of in zip(*logs, strict=True)]


def objective(
    rows: Any,
    centres: Any,
    members: Any,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
) -> float:
    """J as it is defined, for any memberships."""
    return fsum(
        u ** (m or 1) * dist(row, centre) ** 2 + (u * log(u) / lam if lam and u else 0.0)
        for row, of_row in zip(rows, members, strict=True)
        for centre, u in zip(centres, of_row, strict=True)
    )


def on_the_line(point: list[float]) -> list[float]:
    """The projection on x_0 + 2 x_1 = 10."""
    off = (point[0] + 2 * point[1] - 10) / 5
    return [point[0] - off, point[1] - 2 * off, *point[2:]]


def assert_sound(run: FuzzyRun, rows: Sequence[Sequence[float]]) -> None:
    """Everything is finite, memberships are shares, and the objective has never risen."""
    assert all(isfinite(x) for centre in run.centres for x in centre)
    for row in run.memberships:
        assert all(0 <= u <= 1 for u in row)
        assert sum(row) == pytest.approx(1, abs=1e-12)
    assert len(run.memberships) == len(rows)
    assert len(run.levels) == len(run.objectives) == run.iterations + 1
    assert all(map(isfinite, run.objectives))
    width = max(max(column) - min(column) for column in zip(*rows, strict=True))
    rise = RISE * len(rows) * width**2 + 1e-15 * run.levels[0]
    assert all(b <= a + rise for a, b in zip(run.levels, run.levels[1:], strict=False))


# By hand


def test_memberships_of_fcm_by_hand() -> None:
    # Squared distances 1, 4, 4: shares 1 : 1/4 : 1/4 for m = 2, 1 : 1/16 : 1/16 for m = 3/2.
    centres = [(1,), (-2,), (2,)]
    assert one_step([(0,)], centres, "fcm", 2)[1][0] == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    assert one_step([(0,)], centres, "fcm", 1.5)[1][0] == pytest.approx([8 / 9, 1 / 18, 1 / 18])


def test_memberships_of_efcm_by_hand() -> None:
    # Squared distances 1 and 4, lambda log 2 / 3: shares 1 : 2^-1.
    [row] = one_step([(0,)], [(1,), (2,)], "efcm", lam=log(2) / 3)[1]
    assert row == pytest.approx([2 / 3, 1 / 3])


def test_a_record_on_centres_belongs_to_them_in_equal_parts() -> None:
    centres = [(0, 0), (3, 4), (0, 0)]
    for m in (1.0001, 2, 1000):
        assert one_step([(0, 0)], centres, "fcm", m)[1] == [[0.5, 0, 0.5]]


def test_centres_by_hand() -> None:
    # m = 2: weights 1, 1/4, 0 for the first: (0 + 4/4) / (5/4). For the second 0, 1/4, 1.
    members = [[1, 0], [0.5, 0.5], [0, 1]]
    rows = [(0,), (4,), (9,)]
    assert centres_of(rows, members, "fcm", 2) == [pytest.approx([0.8]), pytest.approx([8])]
    # EFCM weighs by the memberships themselves: (0 + 2) / 1.5, (2 + 9) / 1.5.
    assert centres_of(rows, members, "efcm") == [pytest.approx([4 / 3]), pytest.approx([22 / 3])]


def test_a_centre_without_records_stays() -> None:
    centres, _ = one_step([(0,), (4,)], [(0,), (4,), (1,)], "fcm", 2)
    assert centres == [[0], [4], [1]]


def test_the_objective_by_hand() -> None:
    # u = 3/4, 1/4 and squared distances 1, 9: 9/16 + 9/16.
    assert objective([(0,)], [(1,), (3,)], [[0.75, 0.25]], "fcm", 2) == pytest.approx(9 / 8)
    entropy = 0.75 * log(0.75) + 0.25 * log(0.25)
    given = objective([(0,)], [(1,), (3,)], [[0.75, 0.25]], "efcm", lam=2)
    assert given == pytest.approx(0.75 + 9 / 4 + entropy / 2)


@smooth_laws
def test_the_objectives_of_a_run_are_those_of_the_definition(law: dict[str, Any]) -> None:
    run = fuzzy_c_means(SCATTERED, SCATTERED[1:4], **law)
    defined = objective(SCATTERED, run.centres, run.memberships, **law)
    assert run.objectives[-1] == pytest.approx(defined, rel=1e-12)


# Against SciPy


def reduced(rows: Rows, c: int, law: dict[str, Any]) -> Any:
    """J as a function of the centres alone, memberships being the best for them."""

    def j(flat: Any) -> float:
        centres = np.reshape(flat, (c, -1)).tolist()
        d2 = np.array([[dist(row, centre) ** 2 for centre in centres] for row in rows])
        if law["kind"] == "efcm":
            return float(-np.log(np.exp(-law["lam"] * d2).sum(axis=1)).sum() / law["lam"])
        power = 1 / (1 - law["m"])
        return float((np.power(d2, power).sum(axis=1) ** (1 - law["m"])).sum())

    return j


@smooth_laws
def test_the_gradient_vanishes_at_the_result(law: dict[str, Any]) -> None:
    run = fuzzy_c_means(SCATTERED, SCATTERED[1:4], **law, tolerance=1e-12, limit=10**5)
    assert run.converged
    flat = np.ravel(run.centres)
    j = reduced(SCATTERED, 3, law)
    assert j(flat) == pytest.approx(run.objectives[-1], rel=1e-12)
    slope = approx_fprime(flat, j, 1e-7)
    assert np.abs(slope).max() < 1e-4
    assert minimize(j, flat, method="BFGS").fun == pytest.approx(j(flat), rel=1e-7)


@smooth_laws
def test_the_gradient_vanishes_along_the_constraint(law: dict[str, Any]) -> None:
    run = fuzzy_c_means(
        SCATTERED, SCATTERED[1:4], **law, project=on_the_line, tolerance=1e-12, limit=10**5
    )
    assert run.converged
    for centre in run.centres:
        assert centre[0] + 2 * centre[1] == pytest.approx(10, rel=1e-12)
    slope = approx_fprime(np.ravel(run.centres), reduced(SCATTERED, 3, law), 1e-7)
    along = slope.reshape(3, 2) @ np.array([2, -1])
    assert np.abs(along).max() < 1e-4


def test_the_constrained_centre_is_the_best_on_the_constraint() -> None:
    members = one_step(SCATTERED, SCATTERED[1:4], "fcm", 1.5)[1]
    found = centres_of(SCATTERED, members, "fcm", 1.5, on_the_line)
    for i, centre in enumerate(found):
        weights = [row[i] ** 1.5 for row in members]

        def cost(v: Any, weights: list[float] = weights) -> float:
            return sum(w * dist(x, v) ** 2 for w, x in zip(weights, SCATTERED, strict=True))

        best = minimize(
            cost,
            [0, 5],
            method="SLSQP",
            constraints={"type": "eq", "fun": lambda v: v[0] + 2 * v[1] - 10},
            options={"ftol": 1e-14},
        )
        assert centre == pytest.approx(best.x, abs=1e-5)


@smooth_laws
def test_constraints_that_the_data_satisfy_change_nothing(law: dict[str, Any]) -> None:
    rows = [(10 - 2 * y, y, x) for x, y in SCATTERED]
    plain = fuzzy_c_means(rows, rows[1:4], **law)
    bound = fuzzy_c_means(rows, rows[1:4], **law, project=on_the_line)
    assert np.array(plain.centres) == pytest.approx(np.array(bound.centres), rel=1e-12, abs=1e-12)


# Extremes


@every_law
@given(st.data())
@examples(Fraction(1, 2))
def test_any_table_from_any_records(law: dict[str, Any], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    rows = float_space(data.draw(any_table(n)), data.draw(st.sampled_from(["none", "sample"]))).rows
    c = data.draw(st.integers(1, n))
    start = [list(rows[i]) for i in drawn_records(rows, c, seeded(data.draw(st.integers(0, 99))))]
    assert_sound(fuzzy_c_means(rows, start, **law, limit=30), rows)


@every_law
@given(st.data())
@examples(Fraction(1, 4))
def test_any_table_under_a_constraint(law: dict[str, Any], data: st.DataObject) -> None:
    rows = [(*row, 3)[:2] for row in data.draw(any_table(9))]
    rows = [tuple(map(float, row)) for row in rows]
    run = fuzzy_c_means(rows, rows[:4], **law, project=on_the_line, limit=30)
    assert_sound(run, rows)
    for x, y in run.centres:
        assert x + 2 * y == pytest.approx(10, rel=1e-9, abs=1e-9)


@every_law
@given(st.data())
@examples(Fraction(1, 4))
def test_duplicates_and_coincident_centres(law: dict[str, Any], data: st.DataObject) -> None:
    drawn = data.draw(st.one_of(duplicates(8), equal_records(8)))
    rows = float_space(drawn).rows
    run = fuzzy_c_means(rows, [rows[0], rows[0], *rows], **law, limit=20)
    assert_sound(run, rows)
    assert run.centres[0] == run.centres[1]


@every_law
def test_one_centre_is_the_mean(law: dict[str, Any]) -> None:
    run = fuzzy_c_means(SCATTERED, [(100, 100)], **law)
    mean = [sum(column) / len(SCATTERED) for column in zip(*SCATTERED, strict=True)]
    assert run.centres == [pytest.approx(mean, rel=1e-14)]
    assert run.memberships == [[1.0]] * len(SCATTERED)
    assert (run.iterations, run.converged) == (2, True)


@pytest.mark.parametrize("m", [1.0001, 1.5, 2, 1000])
def test_as_many_centres_as_records_stay_where_they_are(m: float) -> None:
    run = fuzzy_c_means(SCATTERED, SCATTERED, m=m)
    assert run.centres == [list(row) for row in SCATTERED]
    assert (run.objectives, run.converged) == ([0.0, 0.0], True)


def test_a_small_lambda_gathers_all_centres_at_the_mean() -> None:
    """The threshold of EFCM is 1 / (2 x the greatest variance), above 0.01 here."""
    run = fuzzy_c_means(SCATTERED, SCATTERED[:3], kind="efcm", lam=0.01)
    mean = [sum(column) / len(SCATTERED) for column in zip(*SCATTERED, strict=True)]
    assert run.centres == [pytest.approx(mean, rel=1e-6)] * 3


def test_m_near_1_is_crisp() -> None:
    near = fuzzy_c_means(SCATTERED, SCATTERED[2:5], m=1.0001)
    crisp = fuzzy_c_means(SCATTERED, SCATTERED[2:5], kind="crisp")
    assert np.array(near.centres) == pytest.approx(np.array(crisp.centres), abs=1e-9)


@every_law
def test_an_offset_and_a_constant_column(law: dict[str, Any]) -> None:
    far = [(x + 10**9, 10**9, y - 10**9) for x, y in SCATTERED]
    start = [(x, 0, y) for x, y in SCATTERED[1:4]]
    plain = fuzzy_c_means([(x, 0, y) for x, y in SCATTERED], start, **law, limit=20)
    shifted = fuzzy_c_means(far, far[1:4], **law, limit=20)
    back = np.array(shifted.centres) - [10**9, 10**9, -(10**9)]
    # A coordinate near 10^9 is known to 1.2e-7; where memberships are steep, that is multiplied.
    assert back == pytest.approx(np.array(plain.centres), abs=1e-5)
    assert_sound(shifted, far)
    # The space subtracts the medians first, so that nothing is lost.
    space = float_space(far, "none")
    inside = fuzzy_c_means(space.rows, [space.rows[i] for i in (1, 2, 3)], **law, limit=20)
    shift = np.array([10**9, 10**9, -(10**9)] - np.array(space.origin), float)
    assert np.array(inside.centres) == pytest.approx(
        np.array(plain.centres) + shift, rel=1e-9, abs=1e-9
    )


def test_the_level_tells_what_the_objective_cannot() -> None:
    """With m = 1000 and three centres J has the factor 3^-999, which is less than all floats."""
    run = fuzzy_c_means(SCATTERED, [(0, 0), (9, 9), (5, 1)], m=1000, limit=5)
    assert set(run.objectives) == {0.0}
    assert run.levels[0] > run.levels[-1] > 1


def test_the_level_of_a_small_lambda_is_the_mean_square() -> None:
    law = membership_function("efcm", lam=1e-12)
    distances = [1.0, 2.0, 3.0]
    assert law.level(distances, law.logs(distances)) == pytest.approx(14 / 3, rel=1e-10)
    assert membership_function("efcm", lam=1e6).level(
        [1.0, 2.0], law.logs([1.0, 2.0])
    ) == pytest.approx(1)


# Stopping


def test_a_limit_is_reported() -> None:
    run = fuzzy_c_means(SCATTERED, SCATTERED[:3], m=2, limit=2)
    assert (run.iterations, run.converged) == (2, False)
    assert run.moved > 1e-9
    assert fuzzy_c_means(SCATTERED, SCATTERED[:3], m=2).converged


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"m": 1}, "m is 1.0; it must be greater than 1 and finite"),
        ({"m": float("inf")}, "m is inf"),
        ({"m": float("nan")}, "m is nan"),
        ({}, "fcm has an m and no lambda"),
        ({"m": 2, "lam": 1}, "fcm has an m and no lambda"),
        ({"kind": "efcm", "lam": 0}, "lambda is 0.0; it must be greater than 0"),
        ({"kind": "efcm", "m": 2}, "efcm has a lambda and no m"),
        ({"kind": "crisp", "m": 2}, "crisp has no m and no lambda"),
        ({"kind": "hard"}, "kind is 'hard'; it can be fcm, efcm, crisp"),
        ({"m": 2, "tolerance": -1}, "tolerance is -1"),
        ({"m": 2, "limit": 0}, "limit is 0 iterations"),
    ],
)
def test_bad_settings(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        fuzzy_c_means(SCATTERED, SCATTERED[:2], **given)


@pytest.mark.parametrize(
    ("rows", "centres"),
    [
        ([], [(1,)]),
        ([(1,)], []),
        ([(1,)], [(1, 2)]),
        ([(float("nan"),)], [(1,)]),
        ([(1e200,)],) * 2,
    ],
)
def test_bad_rows(rows: Rows, centres: Rows) -> None:
    with pytest.raises(InvalidParameter):
        fuzzy_c_means(rows, centres, m=2)


def test_starts() -> None:
    rows = [(x,) for x in (1.0, 1.0, 2.0, 4.0)]
    for seed in range(10):
        assert sorted(rows[i] for i in drawn_records(rows, 3, seeded(seed))) == [(1,), (2,), (4,)]
    assert sorted(rows[i] for i in drawn_records(rows, 4, seeded(5)))[0] == (1,)
    with pytest.raises(InvalidParameter):
        drawn_records(rows, 5, seeded(5))


def test_the_limit_of_memberships_far_from_a_centre() -> None:
    """Weights of a centre that is far from all records are all less than any float."""
    rows = [(0.0,), (1.0,)]
    centres, _ = one_step(rows, [(0.5,), (1e9,)], "efcm", lam=1.0)
    # For the far centre, record 1 is nearer by 2e9 - 1 in squares: it has all the weight.
    assert centres == [pytest.approx([0.5]), [1.0]]
    assert exp(-1e18) == 0


LAWS_IN_ARRAYS: list[dict[str, Any]] = [
    {"kind": "fcm", "m": 1.5},
    {"kind": "fcm", "m": 4.0},
    {"kind": "efcm", "lam": 0.5},
    {"kind": "crisp"},
]

# In arrays


AGREEMENT = 1e-9
"""How far centres, in widest ranges, and memberships in arrays may be from the plain ones."""


@pytest.mark.parametrize("law", LAWS_IN_ARRAYS)
def test_arrays_give_what_lists_give(law: dict[str, Any]) -> None:
    """From the same start, after few iterations: equal records, offsets, constant attributes."""
    random = Random(str(law))
    for number in range(25):
        rows = [tuple(random.gauss(0, 1) for _ in range(3)) for _ in range(40)]
        if number % 4 == 1:
            rows = [(float(random.randrange(3)), random.choice([0.0, 2.0]), 5.0) for _ in range(40)]
        if number % 4 == 2:
            rows = [(x + 1e6, y, z * 1e3) for x, y, z in rows]
        start = list(dict.fromkeys(rows))[:4]
        plain = fuzzy_c_means(rows, start, **law, limit=3, tolerance=0.0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("refagg.cursors.rows.MANY", 0)
            arrays = fuzzy_c_means(rows, start, **law, limit=3, tolerance=0.0)
        width = Points(rows).widest_range
        for ours, theirs in zip(arrays.centres, plain.centres, strict=True):
            assert dist(ours, theirs) <= AGREEMENT * width
        for ours, theirs in zip(arrays.memberships, plain.memberships, strict=True):
            assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) <= AGREEMENT
        assert arrays.levels == pytest.approx(plain.levels, rel=1e-9, abs=1e-12 * width**2)
        assert arrays.iterations == plain.iterations


def test_few_distances_are_computed_in_lists() -> None:
    assert isinstance(rows_of([(0.0,)] * 100, 3), Points)
    assert not isinstance(rows_of([(0.0,)] * 100_000, 3), Points)
