"""Aggregates that replace a group's values, attribute by attribute.

Where an operator leaves a choice (several modes), it returns every admissible value;
the tie rule takes the one of the earliest record, a judge accepts any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeVar

from refagg.data.tables import Column, Table, column_of, reduced_column, with_numbers
from refagg.errors import InvalidParameter
from refagg.language.lists import check_one_of
from refagg.language.partition import Group, Partition

T = TypeVar("T")
Value = int | Fraction
Operator = Callable[[Sequence[Value]], tuple[Value, ...]]
"""From the values of a group's records, in their order, to the admissible aggregates."""

AGGREGATIONS = ("mean", "median", "trimmed-mean", "mode", "onestep")

CLIP = 3 * Fraction("1.4826") / Fraction("1.486")
"""How many median absolute deviations from the median the one-step mean lets a value be: 3, in
the units in which R has them, by 1.486. About 2.993."""


def operator(name: str = "mean", trim: Fraction | None = None) -> Operator:
    """The aggregation operator of this name.

    `trim`, for the trimmed mean only, is the share of the values that is left out at
    each end: floor(trim * m) of m values, at least 0 and less than 1/2.
    Raises InvalidParameter.
    """
    check_one_of(name, AGGREGATIONS, "aggregation is")
    if name != "trimmed-mean":
        if trim is not None:
            raise InvalidParameter(f"trim applies to trimmed-mean, but aggregation is {name}")
        named: dict[str, Operator]
        named = {"mean": mean, "median": median, "mode": mode, "onestep": one_step}
        return named[name]
    if not isinstance(trim, (int, Fraction)) or not 0 <= trim < Fraction(1, 2):
        raise InvalidParameter(
            f"trim is {trim}; trimmed-mean needs trim (--trim), from 0 to less than 1/2"
        )
    share = Fraction(trim)
    return lambda values: trimmed_mean(values, share)


def mean(values: Sequence[Value]) -> tuple[Value, ...]:
    """The arithmetic mean."""
    return (Fraction(sum(values)) / len(values),)


def median(values: Sequence[Value]) -> tuple[Value, ...]:
    """The middle value, or the mean of the two middle ones.

    >>> median([1, 5, 2, 3])
    (Fraction(5, 2),)
    """
    ordered = sorted(values)
    middle, odd = divmod(len(ordered), 2)
    low, high = ordered[middle - (not odd)], ordered[middle]
    return (Fraction(low + high) / 2,)


def trimmed_mean(values: Sequence[Value], trim: Fraction) -> tuple[Value, ...]:
    """Return the trimmed mean of m values.

    It is the mean without the floor(trim * m) least and as many greatest values.
    """
    out = int(trim * len(values))
    return mean(sorted(values)[out : len(values) - out])


def one_step(values: Sequence[Value]) -> tuple[Value, ...]:
    """Return the mean after moving extreme values towards the median.

    Values too far from their median are moved towards it. The farthest that a value can be is CLIP
    times the median of the distances from the median.

    >>> one_step([0, 1, 2, 3, 1000])[0] - one_step([0, 1, 2, 3, 2000])[0]
    Fraction(0, 1)
    """
    [centre] = map(Fraction, median(values))
    [deviation] = median([abs(x - centre) for x in values])
    low, high = centre - CLIP * deviation, centre + CLIP * deviation
    return mean([min(max(Fraction(x), low), high) for x in values])


def mode(values: Sequence[T]) -> tuple[T, ...]:
    """The most frequent values, in the order of their first records.

    >>> mode([7, 3, 3, 7, 9])
    (7, 3)
    """
    counts = Counter(values)
    most = max(counts.values())
    return tuple(value for value, count in counts.items() if count == most)


def weighted_mean(values: Sequence[Value], weights: Sequence[Fraction]) -> tuple[Value, ...]:
    """Return the weighted mean of values.

    It is the sum of the values times their weights, divided by the sum of the weights.

    >>> weighted_mean([1, 4], [Fraction(2), Fraction(1)])
    (Fraction(2, 1),)
    """
    pairs = zip(values, weights, strict=True)
    return (sum((x * weight for x, weight in pairs), Fraction(0)) / sum(weights),)


Weights = Sequence[Fraction] | None
"""The sampling weight of each record of the table, where means are weighted."""


def aggregated(
    table: Table, partition: Partition, combine: Operator = mean, weights: Weights = None
) -> Table:
    """The table in which every record has its group's aggregates."""
    return Table(tuple(_aggregated(one, partition, combine, weights) for one in table.columns))


def admissible(
    column: Column, group: Group, combine: Operator, weights: Weights = None
) -> list[Fraction]:
    """Return the admissible aggregates of one group in one attribute.

    With weights, it is the weighted mean.
    """
    values = [column.numerators[record] for record in group]
    own = weighted_mean(values, [weights[record] for record in group]) if weights else None
    return [Fraction(value) / column.denominator for value in own or combine(values)]


def published(
    table: Table,
    partition: Partition,
    publish: Callable[[Sequence[Fraction], Sequence[Group]], Sequence[Fraction]],
) -> Table:
    """Return the table with each record's published value of its group.

    The table has one attribute.
    """
    [column] = table.columns
    values = publish(column.values(range(table.n)), partition.groups)
    return Table((_repeated(column_of(column.name, values), partition),))


def _aggregated(
    column: Column, partition: Partition, combine: Operator, weights: Weights
) -> Column:
    groups = partition.groups
    if combine is mean and not weights:
        return _repeated(_means(column, groups), partition)
    values = [admissible(column, group, combine, weights)[0] for group in groups]
    return _repeated(column_of(column.name, values), partition)


def _means(column: Column, groups: Sequence[Group]) -> Column:
    """Return the mean of each group, computed in integers.

    Sums are taken over a multiple of all sizes.
    """
    multiple = lcm(*map(len, groups))
    numbers = column.numerators
    sums = [sum([numbers[record] for record in group]) for group in groups]
    parts = [multiple // len(group) * total for group, total in zip(groups, sums, strict=True)]
    return reduced_column(column.name, parts, multiple * column.denominator)


def _repeated(of_groups: Column, partition: Partition) -> Column:
    """The column in which every record has the value of its group."""
    numerators = [0] * partition.n
    for group, numerator in zip(partition.groups, of_groups.numerators, strict=True):
        for record in group:
            numerators[record] = numerator
    return Column(of_groups.name, numerators, of_groups.denominator)


def deviated(
    table: Table, parts: Sequence[tuple[Sequence[int], Sequence[Sequence[float]]]]
) -> Table:
    """Return the table with deviations added.

    `parts` are some records and a row for each of them.

    >>> from refagg import table_of
    >>> deviated(table_of([[1], [2]]), [([1, 0], [[0.5], [-1.0]])]).row(1)
    (Fraction(5, 2),)
    """
    row_of = {r: row for records, rows in parts for r, row in zip(records, rows, strict=True)}
    columns = (
        [column[record] + Fraction(row_of[record][j]) for record in range(table.n)]
        for j, column in enumerate(table.columns)
    )
    return with_numbers(table, columns)
