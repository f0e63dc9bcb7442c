from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import isclose
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Rows, any_table, duplicates, examples, rationals, standardisations, tables

from refagg import exact_space, float_space
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.ties import Ranking
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.exact import ExactSpace

BOTH = pytest.mark.parametrize("space_of", [exact_space, float_space])

Vector = list[Fraction]


def weights_of(rows: Rows, how: str) -> tuple[Fraction, ...]:
    return standardise(table_of(rows), how).weights


def mean_of(rows: Rows, records: Sequence[int]) -> Vector:
    chosen = [rows[record] for record in records]
    columns = zip(*chosen, strict=True)
    return [sum(map(Fraction, column), Fraction(0)) / len(chosen) for column in columns]


def squared_distance(p: Sequence[Any], q: Sequence[Any], weights: Sequence[Fraction]) -> Fraction:
    return sum(
        (w * (Fraction(x) - y) ** 2 for x, y, w in zip(p, q, weights, strict=True)), Fraction(0)
    )


def shown(distances: Ranking[int]) -> list[Any]:
    return [distances.of(record) for record in distances.items]


@st.composite
def questions(draw: st.DrawFn) -> tuple[Rows, str, list[int], list[int]]:
    """A table, a standardisation, records to average, and records to measure to."""
    n = draw(st.integers(1, 8))
    rows = draw(st.one_of(any_table(n), tables(n, rationals)))
    some = st.lists(st.integers(0, n - 1), min_size=1, unique=True)
    return rows, draw(standardisations), draw(some), draw(some)


# Exact


@examples(3)
@given(questions())
def test_exact_distances_from_centroids(question: tuple[Rows, str, list[int], list[int]]) -> None:
    rows, how, averaged, others = question
    space, weights = exact_space(rows, how), weights_of(rows, how)
    centre = mean_of(rows, averaged)
    expected = {i: squared_distance(rows[i], centre, weights) for i in others}
    distances = space.distances(space.centroid(averaged), others)
    assert list(distances.items) == others
    assert shown(distances) == list(expected.values())

    most, fewest = max(expected.values()), min(expected.values())
    farthest, closest = space.farthest(distances), space.closest(distances)
    assert set(farthest.candidates) == {i for i in others if expected[i] == most}
    assert set(closest.candidates) == {i for i in others if expected[i] == fewest}
    assert (farthest.value, closest.value) == (most, fewest)
    for m in range(1, len(others) + 1):
        near = space.nearest(m, distances)
        limit = sorted(expected.values())[m - 1]
        assert near.value == limit
        assert set(near.certain) == {i for i in others if expected[i] < limit}
        assert set(near.tied) == {i for i in others if expected[i] == limit}


@given(questions())
def test_exact_distances_from_records(question: tuple[Rows, str, list[int], list[int]]) -> None:
    rows, how, origins, others = question
    space, weights = exact_space(rows, how), weights_of(rows, how)
    for origin in origins:
        expected = [squared_distance(rows[origin], rows[i], weights) for i in others]
        assert shown(space.distances(origin, others)) == expected
        assert [space.squared(origin, i) for i in others] == expected
        assert [space.between(i, origin) for i in others] == expected


@given(questions())
def test_exact_distances_between_centroids(
    question: tuple[Rows, str, list[int], list[int]],
) -> None:
    rows, how, some, others = question
    space, weights = exact_space(rows, how), weights_of(rows, how)
    expected = squared_distance(mean_of(rows, some), mean_of(rows, others), weights)
    assert space.squared(space.centroid(some), space.centroid(others)) == expected
    assert space.squared(space.centroid(others), space.centroid(some)) == expected


def test_exact_distances_by_hand() -> None:
    space = exact_space([[0, 0], [Fraction(1, 2), 1], [4, Fraction(1, 3)]])
    centre = space.centroid([0, 1])
    # the centroid is (1/4, 1/2); 15/4 squared and 1/6 squared
    assert space.squared(2, centre) == Fraction(225, 16) + Fraction(1, 36)
    # variances of 0 and 2, and of 0 and 6: 1 and 9
    assert exact_space([[0, 0], [2, 6]], "population").between(0, 1) == 4 + 4


def test_an_attribute_that_is_constant_counts_for_nothing() -> None:
    space = exact_space([[0, 5], [1, 5], [3, 5]], "population")
    alone = exact_space([[0], [1], [3]], "population")
    for a, b in combinations(range(3), 2):
        assert space.between(a, b) == alone.between(a, b)
    nothing = exact_space([[5, 7]] * 3, "population")
    assert nothing.between(0, 1) == 0
    assert nothing.farthest(nothing.distances(0, [0, 1, 2])).candidates == (0, 1, 2)


@given(st.lists(st.tuples(rationals, rationals), min_size=1, max_size=8), st.data())
def test_an_exact_tolerance_is_on_squared_distances(rows: Rows, data: st.DataObject) -> None:
    tolerance = data.draw(st.fractions(0, Fraction(3, 4), max_denominator=20))
    space = exact_space(rows, tolerance=tolerance)
    centre = mean_of(rows, range(len(rows)))
    squares = [squared_distance(row, centre, (Fraction(1),) * 2) for row in rows]
    tie = space.farthest(space.distances(space.centroid(range(len(rows))), space.records()))
    least = max(squares) * (1 - tolerance)
    assert list(tie.candidates) == [i for i, s in enumerate(squares) if s >= least]


@pytest.mark.parametrize(
    ("left", "right", "tolerance", "answers"),
    [
        (1, 2, Fraction(0), (True,)),
        (2, 1, Fraction(0), (False,)),
        (2, 2, Fraction(0), (False,)),
        (99, 100, Fraction(1, 100), (True, False)),
        (100, 99, Fraction(1, 100), (False, True)),
        (100, 100, Fraction(1, 100), (False, True)),
        (98, 100, Fraction(1, 100), (True,)),
        (0, 1, Fraction(1, 100), (True,)),
    ],
)
def test_exact_comparisons(
    left: int, right: int, tolerance: Fraction, answers: tuple[bool, ...]
) -> None:
    space = exact_space([[0], [1]], tolerance=tolerance)
    comparison = space.less(Fraction(left), Fraction(right))
    assert (comparison.left, comparison.right) == (left, right)
    assert comparison.answers == answers


# Both


@BOTH
def test_records_are_a_new_list_each_time(space_of: Any) -> None:
    space = space_of([[1], [2], [3]])
    space.records().clear()
    assert space.records() == [0, 1, 2]
    assert space.n == 3


@BOTH
def test_what_is_left_out_is_left_out(space_of: Any) -> None:
    space = space_of([[0], [1], [2], [4], [8]])
    distances = space.distances(0, [0, 1, 3, 4])
    assert space.farthest(distances).candidates == (4,)
    assert space.farthest(distances, without={4}).candidates == (3,)
    assert space.closest(distances, without={0}).candidates == (1,)
    near = space.nearest(2, distances, {0})
    assert (near.certain, near.tied, near.places) == ((1,), (3,), 1)


@BOTH
def test_values_of_the_algorithms_own_are_ranked_as_they_are(space_of: Any) -> None:
    space = space_of([[0], [3]])
    square = space.squared(0, 1)
    assert square == 9
    ranked = space.measured("abc", [square, 2 * square, square])
    assert space.closest(ranked).candidates == ("a", "c")
    assert ranked.of("b") == 18


# Floats


def float_agrees(rows: Rows, how: str = "none") -> None:
    """Squared distances in floats are the exact ones to 12 digits."""
    exact, floats = exact_space(rows, how), float_space(rows, how)
    everything = range(len(rows))
    centres = exact.centroid(everything), floats.centroid(everything)
    scale = max(exact.squared(i, j) for i in everything for j in everything)
    for i in everything:
        pairs = [(exact.squared(i, j), floats.squared(i, j)) for j in everything]
        pairs.append((exact.squared(i, centres[0]), floats.squared(i, centres[1])))
        for square, number in pairs:
            assert isclose(square, number, rel_tol=1e-12, abs_tol=float(scale) * 1e-15)


@examples(2)
@given(st.data())
def test_float_distances_are_near_the_exact_ones(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 8))
    rows, how = data.draw(any_table(n)), data.draw(standardisations)
    float_agrees(rows, how)


@given(st.integers(2, 8).flatmap(lambda n: tables(n, st.integers(0, 9))))
def test_a_large_offset_costs_no_digits(rows: Rows) -> None:
    moved = [tuple(x + 10**12 for x in row) for row in rows]
    numbers = [tuple(map(float, row)) for row in moved]
    assert float_space(numbers).rows == float_space(rows).rows
    float_agrees(moved)


def test_averages_do_not_lose_small_numbers_beside_large_ones() -> None:
    space = float_space([[2**60], [1], [-(2**60)], [0], [0]])
    assert isclose(space.squared(space.centroid(space.records()), 3), 1 / 25)


LARGEST = 2.0**1023
SMALLEST = 5e-324


@pytest.mark.parametrize("scale", [1e300, LARGEST, 1e-300, SMALLEST])
@pytest.mark.parametrize("how", ["none", "population"])
@given(st.integers(2, 8).flatmap(lambda n: tables(n, st.sampled_from([-1, 0, 1]))))
def test_no_scale_is_too_large_or_too_small_to_rank(scale: float, how: str, rows: Rows) -> None:
    assume(all(len(set(column)) > 1 for column in zip(*rows, strict=True)))
    plain, scaled = exact_space(rows, how), float_space(mapped(rows, scale), how)
    everything = plain.records()
    expected = plain.distances(plain.centroid(everything), everything)
    distances = scaled.distances(scaled.centroid(everything), everything)
    assert scaled.farthest(distances).candidates == plain.farthest(expected).candidates
    assert scaled.closest(distances).candidates == plain.closest(expected).candidates
    for m in everything[1:]:
        near, right = scaled.nearest(m, distances), plain.nearest(m, expected)
        assert (near.certain, near.tied, near.places) == (right.certain, right.tied, right.places)


def mapped(rows: Rows, scale: float) -> list[list[float]]:
    return [[scale * float(x) for x in row] for row in rows]


def test_squares_that_have_no_float_are_exact() -> None:
    large, small = float_space([[0.0], [1e300]]), float_space([[0.0], [1e-300]])
    assert large.squared(0, 1) == Fraction(1e300) ** 2
    assert small.squared(0, 1) == Fraction(1e-300) ** 2


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_squared_distances_can_be_compared_at_every_scale(scale: float) -> None:
    space = float_space([[0.0], [scale], [3 * scale]])
    assert space.less(space.squared(0, 1), space.squared(0, 2)).answers == (True,)


def test_small_numbers_can_be_ranked_beside_a_constant() -> None:
    space = float_space([[7.0, 0.0], [7.0, 1e-16], [7.0, 3e-16]])
    distances = space.distances(0, [0, 1, 2])
    assert space.farthest(distances).candidates == (2,)
    assert space.closest(distances, without={0}).candidates == (1,)


def test_equal_records_have_no_distance_in_floats() -> None:
    space = float_space([[3, 4]] * 3, "population")
    assert space.distances(0, [0, 1, 2]).values == [0.0, 0.0, 0.0]


def test_attributes_of_very_different_scales_are_kept_apart() -> None:
    rows = [[0.0, 0.0], [1e200, 0.0], [0.0, 1e-200], [1e200, 1e-200]]
    space = float_space(rows, "population")
    # each attribute takes two values half of the time, so both differ by two deviations
    assert isclose(space.squared(0, 1), 4.0)
    assert isclose(space.squared(0, 2), 4.0)
    assert isclose(space.squared(0, 3), 8.0)


@given(st.integers(1, 8).flatmap(duplicates), standardisations)
def test_equal_records_are_equally_far_from_everything(rows: Rows, how: str) -> None:
    space = float_space(rows, how)
    everything = space.records()
    values = space.distances(space.centroid(everything), everything).values
    for a, b in combinations(everything, 2):
        if rows[a] == rows[b]:
            assert values[a] == values[b]
            assert space.between(a, b) == 0.0


def test_float_ties_have_a_tolerance() -> None:
    third = 1 / 3
    space = float_space([[0.0], [third], [third * (1 + 2.0**-42)], [third * (1 + 2.0**-38)]])
    distances = space.distances(0, [1, 2])
    assert space.farthest(distances).candidates == (1, 2)
    assert space.farthest(space.distances(0, [1, 2, 3])).candidates == (3,)


def test_float_ties_allow_for_the_size_of_the_coordinates() -> None:
    # Records 5 and 6 lie on either side of record 4; z-scores of such coordinates are rounded
    # in a place that is large for their distance.
    far = [(1000007, 1000007), (1000010, 1000009), (1000004, 1000005)]
    space = float_space([(0, 0)] * 4 + far, "population")
    assert space.closest(space.distances(4, [5, 6])).candidates == (5, 6)


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (1.0, 2.0, True),
        (2.0, 1.0, False),
        (1.0, 1.0, False),
        (1.0, 1 + 2.0**-41, False),
        (1 + 2.0**-41, 1.0, False),
        (1.0, 1 + 2.0**-37, True),
        (0.0, 1e-300, True),
    ],
)
def test_numbers_that_are_nearly_equal_are_not_less(
    left: float, right: float, answer: bool
) -> None:
    assert float_space([[0], [1]]).less(left, right).answers == (answer,)


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e300, 1e-300])
def test_rows_are_coordinates_on_the_scale_of_the_data(scale: float) -> None:
    rows = float_space([[2 * scale, 0.0], [5 * scale, scale]]).rows
    assert isclose(rows[1][0] - rows[0][0], 3 * scale)
    assert isclose(rows[1][1] - rows[0][1], scale)


@given(st.integers(2, 8).flatmap(any_table))
def test_rows_are_z_scores_but_for_their_origin(rows: Rows) -> None:
    assume(len(set(rows)) > 1)
    scores = float_space(rows, "population").rows
    for column in zip(*scores, strict=True):
        mean = sum(column) / len(column)
        variance = sum((x - mean) ** 2 for x in column) / len(column)
        assert isclose(variance, 1.0, rel_tol=1e-9) or set(column) == {0.0}


def test_spaces_are_made_of_scaled_tables() -> None:
    scaled = standardise(table_of([[1], [3]]), "sample")
    assert ExactSpace(scaled).between(0, 1) == 2
    assert isclose(FloatSpace(scaled).between(0, 1), 2.0)
