from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Rows, any_table, standardisations

from oracle.optima.problem import sse_in
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import table_of
from refagg.errors import ShapeMismatch, UndefinedMeasure
from refagg.language.partition import Partition
from refagg.release.measures import (
    attribute_losses,
    check_same_shape,
    information_loss,
    release_sse,
    sse,
    sst,
)
from refagg.spaces.exact import ExactSpace


def scaled_of(rows: Sequence[Sequence[object]], how: str = "none") -> Scaled:
    return standardise(table_of(rows), how)


def by_pairs(scaled: Scaled, group: Sequence[int]) -> Fraction:
    """The SSE of a group: its squared distances, pair by pair, over its size."""
    total = Fraction(0)
    for a, b in combinations(group, 2):
        differences = zip(scaled.table.row(a), scaled.table.row(b), scaled.weights, strict=True)
        total += sum(weight * (x - y) ** 2 for x, y, weight in differences)
    return total / len(group)


grouped_tables = st.integers(1, 9).flatmap(
    lambda n: st.tuples(any_table(n), st.lists(st.integers(0, 3), min_size=n, max_size=n))
)


@given(grouped_tables, standardisations)
def test_sse_and_sst_are_sums_over_pairs(drawn: tuple[Rows, list[int]], how: str) -> None:
    rows, labels = drawn
    scaled, partition = scaled_of(rows, how), Partition.from_labels(labels)
    assert sse(scaled, partition) == sum(by_pairs(scaled, group) for group in partition.groups)
    assert sst(scaled) == by_pairs(scaled, range(len(rows)))
    for group in partition.groups:
        assert sse_in(ExactSpace(scaled), group) == by_pairs(scaled, group)


@given(grouped_tables, standardisations)
def test_the_loss_of_a_release_of_means_is_the_sse(drawn: tuple[Rows, list[int]], how: str) -> None:
    rows, labels = drawn
    scaled, partition = scaled_of(rows, how), Partition.from_labels(labels)
    means: list[list[Fraction]] = [[] for _ in rows]
    for group in partition.groups:
        columns = list(zip(*(rows[record] for record in group), strict=True))
        mean = [sum(map(Fraction, column), Fraction(0)) / len(group) for column in columns]
        for record in group:
            means[record] = mean
    assert release_sse(scaled, table_of(means)) == sse(scaled, partition)


@given(st.data())
def test_the_loss_of_any_release_is_that_of_its_attributes(data: st.DataObject) -> None:
    width, n = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 6))
    cells = st.fractions(-9, 9, max_denominator=7)
    tables = st.lists(st.lists(cells, min_size=width, max_size=width), min_size=n, max_size=n)
    rows, released = data.draw(tables), data.draw(tables)
    scaled = scaled_of(rows, data.draw(standardisations))
    each = [
        weight * sum((rows[i][j] - released[i][j]) ** 2 for i in range(n))
        for j, weight in enumerate(scaled.weights)
    ]
    assert attribute_losses(scaled, table_of(released)) == each
    assert release_sse(scaled, table_of(released)) == sum(each)


def test_by_hand() -> None:
    # groups 1, 2, 6 with mean 3 and 10, 12 with mean 11; overall mean 31/5
    scaled = scaled_of([[1], [10], [2], [12], [6]])
    partition = Partition.of([[0, 2, 4], [1, 3]])
    assert sse(scaled, partition) == (4 + 1 + 9) + (1 + 1)
    assert sst(scaled) == 285 - Fraction(31 * 31, 5)
    assert information_loss(Fraction(1), Fraction(8)) == Fraction(25, 2)
    assert information_loss(Fraction(0), Fraction(8)) == 0


def test_equal_records_have_no_information_to_lose() -> None:
    scaled = scaled_of([[3, 4]] * 5, "population")
    with pytest.raises(UndefinedMeasure, match="SST is 0"):
        information_loss(sse(scaled, Partition.of([range(5)])), sst(scaled))


def test_other_records_or_attributes_cannot_be_compared() -> None:
    original = table_of([[1, 2], [3, 4]], names=["a", "b"])
    check_same_shape(original, table_of([[0, 0], [0, 0]], names=["a", "b"]))
    with pytest.raises(ShapeMismatch, match="the original has 2 records, the release has 1"):
        check_same_shape(original, table_of([[1, 2]], names=["a", "b"]))
    with pytest.raises(ShapeMismatch, match="attributes a, b; the release has b, a"):
        release_sse(standardise(original), table_of([[1, 2], [3, 4]], names=["b", "a"]))
