"""Principal axes, hulls, colours, labels and dendrograms, without drawing anything."""

from __future__ import annotations

from itertools import pairwise
from math import cos, fsum, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refagg.comparison.plot_geometry import (
    NEIGHBOURS,
    colour_numbers,
    convex_hull,
    dendrogram_layout,
    inside,
    middle_square,
    spread,
)
from refagg.comparison.principal import coordinates_along, principal_axes
from refagg.errors import InvalidParameter

small = st.integers(-20, 20)
points = st.lists(st.tuples(small, small), min_size=1, max_size=30)

tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.tuples(*[small] * width), min_size=1, max_size=20)
)

# Principal axes


def test_axes_by_hand() -> None:
    # (3, 1) and (-3, -1) three times farther than (-1, 3) / 3 and its opposite: the axes are
    # (3, 1) / sqrt 10 with variance 2 * 10 / 4 and (-1, 3) / sqrt 10 with 2 * (10 / 9) / 4.
    rows = [(3, 1), (-3, -1), (-1 / 3, 1), (1 / 3, -1)]
    variances, axes = principal_axes(rows)
    assert variances == pytest.approx([5, 5 / 9])
    assert axes[0] == pytest.approx([3 / sqrt(10), 1 / sqrt(10)])
    assert axes[1] == pytest.approx([-1 / sqrt(10), 3 / sqrt(10)])
    assert coordinates_along(rows, axes[0]) == pytest.approx([sqrt(10), -sqrt(10), 0, 0])


def test_equal_components_are_decided_by_the_first() -> None:
    _, axes = principal_axes([(1, -1), (-1, 1), (0.1, 0.1), (-0.1, -0.1)])
    assert axes[0] == pytest.approx([sqrt(0.5), -sqrt(0.5)])
    assert axes[1] == pytest.approx([sqrt(0.5), sqrt(0.5)])


@given(tables)
def test_axes_against_another_program(rows: list[tuple[int, ...]]) -> None:
    """The variances of numpy's eigenvalues, axes that are orthonormal and belong to them."""
    variances, axes = principal_axes(rows)
    matrix = np.cov(np.array(rows, dtype=float).T, bias=True).reshape(len(axes), len(axes))
    assert variances == pytest.approx(sorted(np.linalg.eigvalsh(matrix), reverse=True), abs=1e-9)
    basis = np.array(axes)
    assert basis @ basis.T == pytest.approx(np.eye(len(axes)), abs=1e-12)
    assert basis @ matrix @ basis.T == pytest.approx(np.diag(variances), abs=1e-9)
    for axis in axes:
        assert max(axis) >= -min(axis) - 1e-9


@given(tables, st.integers(-300, 300))
def test_axes_do_not_depend_on_the_unit(rows: list[tuple[int, ...]], power: int) -> None:
    variances, axes = principal_axes(rows)
    scaled, same = principal_axes([tuple(x * 2.0**power for x in row) for row in rows])
    assert same == axes
    assert scaled == [variance * 4.0**power for variance in variances]


@given(tables)
def test_projections_have_the_variances(rows: list[tuple[int, ...]]) -> None:
    variances, axes = principal_axes(rows)
    for variance, axis in zip(variances, axes, strict=True):
        positions = coordinates_along(rows, axis)
        assert fsum(positions) == pytest.approx(0, abs=1e-9)
        assert fsum(x * x for x in positions) / len(rows) == pytest.approx(variance, abs=1e-9)


def test_variances_beyond_all_floats() -> None:
    with pytest.raises(OverflowError):
        principal_axes([(1e200,), (-1e200,)])
    variances, _ = principal_axes([(1e-200, 0), (-1e-200, 0)])
    assert variances == [0, 0]


# Hulls


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@given(points)
def test_a_hull_is_convex_and_holds_its_points(own: list[tuple[int, int]]) -> None:
    hull = convex_hull(own)
    assert set(hull) <= set(own)
    assert len(hull) == len(set(hull))
    if len(hull) < 3:
        assert hull == sorted({min(own), max(own)})
    for a, b in zip(hull, [*hull[1:], hull[0]], strict=True):
        on_the_edge = [p for p in hull if _turn(a, b, p) == 0]
        assert sorted(on_the_edge) == sorted({a, b})
        for x, y in own if len(hull) > 2 else ():
            turn = _turn(a, b, (x, y))
            assert turn > 0 or (turn == 0 and min(a, b) <= (x, y) <= max(a, b))


# Colours


@given(st.lists(st.tuples(small, small), max_size=40), st.integers(1, 12))
def test_colours(centres: list[tuple[int, int]], colours: int) -> None:
    numbers = colour_numbers(centres, colours)
    assert len(numbers) == len(centres)
    assert set(numbers) <= set(range(colours))
    if len(centres) <= min(colours, NEIGHBOURS + 1):
        assert len(set(numbers)) == len(centres)


def test_neighbours_have_other_colours() -> None:
    corners = [(cos(2 * pi * i / 40), sin(2 * pi * i / 40)) for i in range(40)]
    numbers = colour_numbers(corners, 10)
    assert all(numbers[i] != numbers[i - 1] for i in range(40))
    assert max(numbers.count(c) for c in range(10)) <= 8


# Labels


@given(
    st.lists(st.floats(-5, 15), max_size=20), st.floats(0.01, 3), st.floats(-3, 3), st.floats(4, 12)
)
def test_labels_are_apart_in_order_and_within(
    wanted: list[float], apart: float, low: float, high: float
) -> None:
    places = spread(wanted, apart, low, high)
    assert len(places) == len(wanted)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    room = (high - low) / max(len(wanted) - 1, 1)
    for i, j in pairwise(order):
        assert places[j] - places[i] >= min(apart, room) - 1e-6
    assert all(low - 1e-6 <= place <= high + 1e-6 for place in places)


def test_labels_move_no_more_than_they_must() -> None:
    assert spread([1, 2, 3], 1, 0, 10) == [1, 2, 3]
    assert spread([2, 8, 2], 2, 0, 10) == [1, 8, 3]
    # 0 and 1 would be at -0.5 and 1.5.
    assert spread([0, 1], 2, 0, 10) == [0, 2]
    assert spread([10, 10, 10], 1, 0, 10) == [8, 9, 10]


# The middle


@given(st.lists(st.tuples(small, small), min_size=1, max_size=50))
def test_the_middle_square(own: list[tuple[int, int]]) -> None:
    box = middle_square(own, 10)
    if box is None:
        middles = [sorted(axis)[len(own) // 2] for axis in zip(*own, strict=True)]
        assert own.count((middles[0], middles[1])) > len(own) // 10
        return
    (left, right), (low, high) = box
    assert right - left == high - low > 0
    assert sum(inside(point, box) for point in own) > len(own) // 10


# Dendrograms


def test_a_dendrogram_by_hand() -> None:
    # {1, 3} at 1, {0, 2} at 2, both at 5: each line goes down to the middles of its clusters.
    tree = dendrogram_layout([(3, 1, 1), (0, 2, 2), (4, 5, 5)], 4)
    assert tree.order == [0, 2, 1, 3]
    assert tree.lines == [
        [(2, 0), (2, 1), (3, 1), (3, 0)],
        [(0, 0), (0, 2), (1, 2), (1, 0)],
        [(0.5, 2), (0.5, 5), (2.5, 5), (2.5, 1)],
    ]
    assert (tree.roots, tree.root_of) == ([6], [0, 0, 0])


def test_trees_that_are_never_merged_stand_side_by_side() -> None:
    # {0, 3} is cluster 7, {1, 4} with 2 is cluster 8, and 5 is alone.
    tree = dendrogram_layout([(1, 4, 1.0), (0, 3, 0.5), (2, 6, 3.0)], 6)
    assert tree.order == [0, 3, 1, 4, 2, 5]
    assert (tree.roots, tree.root_of) == ([7, 8, 5], [1, 0, 1])


@given(st.integers(1, 30), st.randoms())
def test_lines_do_not_cross(n: int, random: object) -> None:
    merges, there = [], list(range(n))
    while len(there) > 1:
        random.shuffle(there)  # type: ignore[attr-defined]
        merges.append((there.pop(), there.pop(), float(len(merges) + 1)))
        there.append(n + len(merges) - 1)
    tree = dendrogram_layout(merges, n)
    assert sorted(tree.order) == list(range(n))
    spans = [(line[0][0], line[-1][0]) for line in tree.lines]
    members: list[set[int]] = [{record} for record in range(n)]
    place = {record: x for x, record in enumerate(tree.order)}
    for (a, b, _), (left, right) in zip(merges, spans, strict=True):
        members.append(members[a] | members[b])
        own = sorted(place[record] for record in members[-1])
        assert own == list(range(own[0], own[-1] + 1))
        assert own[0] <= left < right <= own[-1]


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ([(0, 5, 1.0)], "merge 0 names cluster 5; there are 0 to 2"),
        ([(0, -1, 1.0)], "merge 0 names cluster -1"),
        ([(0, 0, 1.0)], "merge 0 names cluster 0, which is merged"),
        ([(0, 1, 1.0), (1, 2, 2.0)], "merge 1 names cluster 1, which is merged"),
        ([(0, 3, 1.0)], "merge 0 names cluster 3; there are 0 to 2"),
    ],
)
def test_wrong_merges(merges: list[tuple[int, int, float]], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        dendrogram_layout(merges, 3)
