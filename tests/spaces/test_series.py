"""Series of numbers: Euclidean and STS distances, and MDAV on them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import some_choices

from refagg import exact_space, specification, table_of
from refagg.data.aggregate import aggregated
from refagg.data.standardise import standardise
from refagg.data.tables import Table
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition
from refagg.spaces.exact import ExactSpace
from refagg.spaces.series import slopes

MDAV = specification("mdav").run

whole = st.integers(-20, 20)


def of_slopes(table: Table, times: Sequence[Any], tolerance: Fraction = Fraction(0)) -> ExactSpace:
    return ExactSpace(standardise(slopes(table, times), "none"), tolerance)


@st.composite
def series(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[Fraction]]:
    """Some series of two points or more, with times that rise."""
    points = draw(st.integers(2, 5))
    rows = draw(st.lists(st.tuples(*[whole] * points), min_size=1, max_size=12))
    gaps = draw(st.lists(st.sampled_from([1, 2, Fraction(1, 3)]), min_size=points, max_size=points))
    return rows, [sum(map(Fraction, gaps[: j + 1]), Fraction(0)) for j in range(points)]


def sts(x: Sequence[Any], y: Sequence[Any], t: Sequence[Fraction]) -> Fraction:
    """The square of the STS distance, as it is printed."""
    total = Fraction(0)
    for k in range(len(t) - 1):
        rise = (x[k + 1] - x[k]) - (y[k + 1] - y[k])
        total += Fraction(rise) ** 2 / (t[k + 1] - t[k]) ** 2
    return total


def test_the_distance_by_hand() -> None:
    """Slopes 1 1 3 and 2 1/2 0."""
    table = table_of([[1, 2, 4, 7], [0, 2, 3, 3]])
    space = of_slopes(table, [1, 2, 4, 5])
    assert space.between(0, 1) == 1 + Fraction(1, 4) + 9
    assert f"{float(space.between(0, 1)) ** 0.5:.6f}" == "3.201562"
    assert [c.values([0, 1]) for c in slopes(table, [1, 2, 4, 5]).columns] == [
        [1, 2],
        [1, Fraction(1, 2)],
        [3, 0],
    ]


@given(series(), st.data())
def test_sts_is_the_printed_formula(
    drawn: tuple[list[tuple[int, ...]], list[Fraction]], data: st.DataObject
) -> None:
    rows, times = drawn
    shift = data.draw(whole)
    shifted = [*rows, tuple(x + shift for x in rows[0])]
    space = of_slopes(table_of(shifted), times)
    everyone = range(len(shifted))
    for a in everyone:
        for b in everyone:
            assert space.between(a, b) == sts(shifted[a], shifted[b], times)
    assert space.between(0, len(rows)) == 0


@given(series(), st.integers(1, 3))
def test_mdav_on_series(drawn: tuple[list[tuple[int, ...]], list[Fraction]], k: int) -> None:
    rows, times = drawn
    k = min(k, len(rows))
    inclines = [
        [
            Fraction(y - x) / (after - before)
            for x, y, before, after in zip(row, row[1:], times, times[1:], strict=False)
        ]
        for row in rows
    ]
    by_slope = MDAV(of_slopes(table_of(rows), times), k, some_choices())
    assert by_slope == MDAV(exact_space(inclines, "none"), k, some_choices())


def test_shapes_are_grouped_and_the_series_themselves_averaged() -> None:
    """0 and 2 rise, 1 and 3 fall; by level 0 is with 1 and 2 with 3."""
    table = table_of([[0, 1, 2], [2, 1, 0], [100, 101, 102], [102, 101, 100]])
    assert MDAV(exact_space(table, "none"), 2, some_choices()).groups == ((0, 1), (2, 3))
    partition = MDAV(of_slopes(table, [0, 1, 2]), 2, some_choices())
    assert partition == Partition.of([[0, 2], [1, 3]])
    released = aggregated(table, partition)
    assert released.row(0) == released.row(2) == (50, 51, 52)
    assert released.row(1) == (52, 51, 50)


def test_tolerance_is_passed_on() -> None:
    table = table_of([[0, 0], [0, 1000], [0, 1001]])
    space = of_slopes(table, [0, 1], tolerance=Fraction(1, 99))
    assert space.farthest(space.distances(0, [1, 2])).candidates == (1, 2)


@pytest.mark.parametrize(
    ("times", "fragment"),
    [
        ([0, 1, 1], "1 follows 1"),
        ([0, 2, Fraction(3, 2)], "3/2 follows 2"),
        ([0, 1], "2 times are given for series of 3 points"),
        ([0, 1, 2, 3], "4 times"),
        ([0, 1, float("nan")], "nan is not a time"),
        ([0, float("inf"), 2], "inf is not a time"),
        ([0, "1", 2], "'1' is not a time"),
    ],
)
def test_what_is_refused(times: Any, fragment: str) -> None:
    with pytest.raises(InvalidParameter, match=fragment):
        slopes(table_of([[1, 2, 3], [4, 5, 6]]), times)


def test_a_series_of_one_point_has_no_slope() -> None:
    with pytest.raises(InvalidParameter, match="two points"):
        slopes(table_of([[1], [2]]), [0])
