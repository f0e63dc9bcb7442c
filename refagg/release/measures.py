"""Exact loss of a partition or a release.

SSE is the sum of squared differences between records and what replaces them, on
the standardised scale; SST is the SSE of replacing every record by the overall mean.

Where not all attributes are numbers, what is lost is the dissimilarity within groups:

    for each group, the sum of the dissimilarities of its pairs, divided by its size.

For squared Euclidean distances this is the SSE. Divided by its value for the whole file as one
group, it is the information loss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from operator import mul
from typing import Any

from refagg.data.standardise import RANGE, Scaled, variance
from refagg.data.tables import Column, Table, squared_differences, table_of
from refagg.errors import InvalidParameter, ShapeMismatch, UndefinedMeasure
from refagg.language.partition import Group, Partition, Record
from refagg.options.types import explaining
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.of_tables import space_of

Findings = Mapping[str, Fraction | float | int]
"""The value of a measure, under "value", and numbers that belong to it, by name."""


@explaining
def sse(scaled: Scaled, partition: Partition) -> Fraction:
    """The sum of squared differences between records and their groups' centroids.

    >>> import refagg
    >>> scaled = refagg.standardise(refagg.table_of([[1], [2], [9], [8]]), "none")
    >>> refagg.sse(scaled, refagg.Partition.of([[0, 1], [2, 3]]))
    Fraction(1, 1)
    """
    return groups_sse(scaled, partition.groups)


def groups_sse(scaled: Scaled, groups: Collection[Sequence[int]]) -> Fraction:
    """The parts of some groups in the SSE."""
    total = Fraction(0)
    for column, weight in zip(scaled.table.columns, scaled.weights, strict=True):
        spreads = dict.fromkeys(map(len, groups), 0)  # by size: few sums of fractions
        for group in groups:
            spreads[len(group)] += _spread(column, group)
        parts = sum((Fraction(spread, size) for size, spread in spreads.items()), Fraction(0))
        total += weight * parts / column.denominator**2
    return total


@explaining
def sst(scaled: Scaled) -> Fraction:
    """Return the total sum of squares.

    It is the SSE of one group of all records.

    >>> import refagg
    >>> refagg.sst(refagg.standardise(refagg.table_of([[1], [2], [9], [8]]), "none"))
    Fraction(50, 1)
    """
    pairs = zip(scaled.table.columns, scaled.weights, strict=True)
    return scaled.n * sum((w * variance(c, "population") for c, w in pairs), Fraction(0))


def group_deviation(scaled: Scaled, group: Iterable[int]) -> Fraction:
    """Return a group's absolute deviations from the medians, summed.

    There is a median of each attribute. A standard deviation is seldom rational, so the scale of
    numbers is "none" or "range". Raises InvalidParameter.
    """
    weights = deviation_weights(scaled)
    group = tuple(group)
    half = len(group) // 2
    total = Fraction(0)
    for column, weight in zip(scaled.table.columns, weights, strict=True):
        values = sorted(map(column.numerators.__getitem__, group))
        above = sum(values[len(values) - half :]) - sum(values[:half])
        total += weight * Fraction(above, column.denominator)
    return total


def deviation_weights(scaled: Scaled) -> tuple[Fraction, ...]:
    """Return the weight of each attribute's unit in a deviation.

    Raises InvalidParameter.
    """
    if scaled.table.others:
        raise InvalidParameter(
            f"absolute deviations are those of numbers, and {scaled.table.others[0].name!r} "
            f"is {scaled.table.others[0].kind.name}"
        )
    if scaled.how == "none":
        return scaled.weights
    if scaled.how == RANGE:
        pairs = zip(scaled.weights, scaled.ranges, strict=True)
        return tuple(weight * width for weight, width in pairs)
    raise InvalidParameter(
        f"absolute deviations on the scale {scaled.how!r} are not rational; the scale can be "
        "none or range"
    )


def loss_within(
    scaled: Scaled, groups: Iterable[Sequence[Record]], dissimilarity: str | Function = "oss"
) -> Fraction:
    """Return the loss within groups: the SSE of numbers, else their dissimilarity."""
    if not scaled.table.others:
        return groups_sse(scaled, list(groups))
    return within_dissimilarity(space_of(scaled, dissimilarity), groups)


def within_dissimilarity(space: Any, groups: Iterable[Sequence[Record]]) -> Fraction:
    """Return the dissimilarities within groups, summed.

    Each group has the sum of the dissimilarities of its pairs, divided by its size. For squared
    Euclidean distances this is the SSE.
    """
    return sum((space.shown(space.pairs(group)) / len(group) for group in groups), Fraction(0))


def pair_cost(matrix: Sequence[Sequence[Fraction]]) -> Callable[[Sequence[int]], Fraction]:
    """Return the loss of a group as a cost function.

    It takes record numbers, as a cost that `oracle.optima` takes.
    """

    def cost(group: Sequence[int]) -> Fraction:
        pairs = sum((matrix[a][b] for a, b in combinations(group, 2)), Fraction(0))
        return pairs / len(group)

    return cost


@explaining
def information_loss(lost: Fraction, total: Fraction) -> Fraction:
    """100 SSE / SST, in percent. Raises UndefinedMeasure when SST is 0.

    >>> import refagg
    >>> from fractions import Fraction
    >>> refagg.information_loss(Fraction(1), Fraction(50))
    Fraction(2, 1)
    """
    if total == 0:
        raise UndefinedMeasure("SST is 0: all records are equal, there is no information to lose")
    return 100 * lost / total


@explaining
def release_sse(scaled: Scaled, released: Table) -> Fraction:
    """Return the SSE between records and released records.

    It is the sum of squared differences, whatever made the release. `released` is a table on the
    raw scale of the original, with the same attributes. Not for z-scores that were rounded. Raises
    ShapeMismatch.

    >>> import refagg
    >>> scaled = refagg.standardise(refagg.table_of([[1], [2], [9], [8]]), "none")
    >>> refagg.release_sse(scaled, refagg.table_of([[2], [2], [8], [8]]))
    Fraction(2, 1)
    """
    return sum(attribute_losses(scaled, table_of(released)), Fraction(0))


def attribute_losses(scaled: Scaled, released: Table) -> list[Fraction]:
    """The part of each attribute in `release_sse`."""
    check_same_shape(scaled.table, released)
    columns = zip(scaled.table.columns, released.columns, scaled.weights, strict=True)
    return [weight * squared_differences(ours, theirs) for ours, theirs, weight in columns]


def check_same_shape(original: Table, released: Table) -> None:
    """Raise ShapeMismatch unless both have as many records and the same attributes."""
    if original.n != released.n:
        raise ShapeMismatch(f"the original has {original.n} records, the release has {released.n}")
    if original.names != released.names:
        raise ShapeMismatch(
            f"the original has the attributes {', '.join(original.names)}; "
            f"the release has {', '.join(released.names)}"
        )


def _spread(column: Column, group: Group | Sequence[int]) -> int:
    """Return m times the sum of squares less the squared sum.

    The values are m numerators.
    """
    values = [column.numerators[record] for record in group]
    total = sum(values)
    squares: int = sum(map(mul, values, values))
    return len(values) * squares - total * total
