"""How much a release still says about single records."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any

from refagg.data.standardise import Scaled, variance
from refagg.data.tables import Attribute, Column, Table, column_of, table_with
from refagg.errors import UndefinedMeasure
from refagg.language.partition import Partition
from refagg.language.ties import least
from refagg.release.measures import Findings, check_same_shape
from refagg.release.nearest import Tree
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.of_tables import space_of
from refagg.terminal import NOW


def record_linkage(
    scaled: Scaled, released: Table, dissimilarity: str | Function = "oss"
) -> Fraction:
    """The expected proportion of records that an intruder links correctly, by distance.

    The intruder knows the original quasi-identifiers and links every released record to
    its nearest original (on the scale on which losses are measured; numbers in binary64, other
    kinds exactly), drawing among equally near ones: of m, one that is right counts 1/m.
    Source: Domingo-Ferrer and Torra 2001, distance-based record linkage.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released)
    firsts = released.take([group[0] for group in classes.groups])
    together = stacked(scaled, firsts)
    space = space_of(together, dissimilarity, arithmetic="float")
    find = _by_tree if not scaled.table.others else _by_comparing
    right = Fraction(0)
    found = find(space, scaled.n, classes.number)
    for group, nearest in zip(NOW.each(classes.groups, "classes"), found, strict=True):
        right += Fraction(len(set(group).intersection(nearest)), len(nearest))
    return right / scaled.n


def stacked(scaled: Scaled, below: Table) -> Scaled:
    """The records of both tables, on the scale of the first."""
    pairs = zip(scaled.table.attributes, below.attributes, strict=True)
    table = table_with([_joined(first, second) for first, second in pairs])
    return replace(scaled, table=table)


def _by_tree(space: Any, n: int, classes: int) -> Iterator[Sequence[int]]:
    """The nearest of the first n records to each of the others, by their coordinates."""
    tree = Tree([space.centroid([record]) for record in range(n)], space.tolerance)
    return (tree.nearest(space.centroid([record])) for record in range(n, n + classes))


def _by_comparing(space: Any, n: int, classes: int) -> Iterator[Sequence[int]]:
    """The same by comparing each with all."""
    originals = range(n)
    for record in range(n, n + classes):
        yield least(space.ranked(originals, space.raw(record, originals))).candidates


def _joined(first: Column | Attribute, second: Column | Attribute) -> Column | Attribute:
    if isinstance(first, Column) and isinstance(second, Column):
        records = range(len(first.numerators)), range(len(second.numerators))
        return column_of(first.name, first.values(records[0]) + second.values(records[1]))
    assert isinstance(first, Attribute)
    assert isinstance(second, Attribute)
    return Attribute(first.name, first.kind, first.cells + second.cells)


def interval_disclosure(original: Table, released: Table, percent: int = 10) -> Fraction:
    """The share of numbers that lie within a rank interval around the released value.

    In each attribute, an original value is disclosed if its rank among the original
    values differs from that of its released value by at most `percent` of the records.
    Source: Mateo-Sanz, Sebe, Domingo-Ferrer 2004, rank-based intervals.
    """
    return _within(original, released, _ranks, [percent])


def mean_rank_disclosure(original: Table, released: Table) -> Findings:
    """The mean of `interval_disclosure` at 1, 2, ... 10 percent of the records."""
    return {"value": _within(original, released, _ranks, range(1, 11))}


def spread_disclosure(original: Table, released: Table) -> Findings:
    """The share of numbers that lie near the released value, by the spread of the original.

    The mean, over p = 1 to 10, of the share of original values that differ from what they were
    released as by at most p percent of the standard deviation of the original (by n - 1).
    Source: Mateo-Sanz, Sebe, Domingo-Ferrer 2004, intervals by standard deviation.
    """
    return {
        "value": _within(original, released, _spreads, range(1, 11)),
        "at_10_percent": _within(original, released, _spreads, [10]),
    }


def record_disclosure(
    original: Table, released: Table, share: Fraction = Fraction(1, 20)
) -> Findings:
    """The share of records of which every number lies near the released value.

    A number is near if it differs by at most `share` of the standard deviation of the released
    attribute (by n - 1). Source: Templ and Meindl 2008; dRisk of sdcMicro.
    """
    _check_numbers(original, released)
    near = [True] * original.n
    for ours, theirs in zip(original.columns, released.columns, strict=True):
        a, b = theirs.denominator, ours.denominator
        most = share**2 * variance(theirs, "sample") * (a * b) ** 2
        pairs = zip(near, ours.numerators, theirs.numerators, strict=True)
        near = [so_far and (x * a - y * b) ** 2 <= most for so_far, x, y in pairs]
    return {"value": Fraction(sum(near), original.n)}


Distances = Callable[[Column, Column, int], tuple[list[int], list[int]]]
"""From an attribute and its released values: how far each record's are from each other, in whole
numbers that rise with the distance, and the most that each percentage lets them be."""


def _within(
    original: Table, released: Table, how: Distances, percentages: Sequence[int]
) -> Fraction:
    """The share of numbers near what they were released as; the mean over the percentages."""
    _check_numbers(original, released)
    inside = 0
    columns = zip(NOW.each(original.columns, "attributes"), released.columns, strict=True)
    for ours, theirs in columns:
        distances, limits = how(ours, theirs, max(percentages))
        most = [limits[percentage] for percentage in percentages]
        inside += sum(len(most) - bisect_left(most, distance) for distance in distances)
    return Fraction(inside, original.n * len(original.columns) * len(percentages))


def _check_numbers(original: Table, released: Table) -> None:
    check_same_shape(original, released)
    if not original.columns:
        raise UndefinedMeasure("interval disclosure needs numbers, and no attribute is numeric")


def release_classes(released: Table) -> Partition:
    """The partition into records with equal released rows."""
    labels = [attribute.labels for attribute in released.attributes]
    return Partition.from_labels(list(zip(*labels, strict=True)))


def _ranks(ours: Column, theirs: Column, most: int) -> tuple[list[int], list[int]]:
    """Twice the differences of ranks among the original values."""
    a, b = theirs.denominator, ours.denominator
    originals, releases = [x * a for x in ours.numerators], [y * b for y in theirs.numerators]
    counts = Counter(originals)
    twice_rank: dict[int, int] = {}
    before = 0
    for value in sorted({*originals, *releases}):
        twice_rank[value] = 2 * before + counts[value]
        before += counts[value]
    pairs = zip(originals, releases, strict=True)
    distances = [abs(twice_rank[x] - twice_rank[y]) for x, y in pairs]
    return distances, [2 * p * len(originals) // 100 for p in range(most + 1)]


def _spreads(ours: Column, theirs: Column, most: int) -> tuple[list[int], list[int]]:
    """Squared differences, and squares of shares of the standard deviation."""
    a, b = theirs.denominator, ours.denominator
    pairs = zip(ours.numerators, theirs.numerators, strict=True)
    spread = variance(ours, "sample") * (a * b) ** 2
    limits = [floor(Fraction(p * p, 10_000) * spread) for p in range(most + 1)]
    return [(x * a - y * b) ** 2 for x, y in pairs], limits
