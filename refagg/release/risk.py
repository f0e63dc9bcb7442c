"""How much a release still says about single records."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from math import floor, lcm

from refagg.data.standardise import Scaled, variance
from refagg.data.tables import Attribute, Column, Table, table_with
from refagg.errors import UndefinedMeasure
from refagg.language.partition import Partition
from refagg.language.ties import least
from refagg.release.measures import Findings, check_same_shape
from refagg.release.nearest import FEW, nearest_rows
from refagg.spaces.absolute import GOWER
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.of_tables import space_of
from refagg.terminal import NOW


def record_linkage(
    scaled: Scaled,
    released: Table,
    dissimilarity: str | Function = "oss",
    classes: Partition | None = None,
) -> Fraction:
    """The expected proportion of records that an intruder links correctly, by distance.

    The intruder knows the original quasi-identifiers and links every released record to
    its nearest original (on the scale on which losses are measured, exactly), drawing among equally
    near ones: of m, one that is right counts 1/m. `classes` are the classes of released rows, where
    they are known.
    Source: Domingo-Ferrer and Torra 2001, distance-based record linkage.
    """
    check_same_shape(scaled.table, released)
    groups = (classes or release_classes(released)).groups
    firsts = released.take([group[0] for group in groups])
    each = NOW.each(groups, "classes")
    if scaled.table.others or dissimilarity == GOWER:
        found = _by_comparing(scaled, firsts, dissimilarity)
        right = Fraction(0)
        for group, nearest in zip(each, found, strict=True):
            right += Fraction(len(set(group).intersection(nearest)), len(nearest))
        return right / scaled.n
    rows = nearest_rows(scaled, firsts)
    hits: Counter[int] = Counter()
    for group, nearest in zip(each, rows.found, strict=True):
        there = set(nearest)
        number = sum(map(rows.sizes.__getitem__, nearest))
        hits[number] += sum(rows.row[record] in there for record in group)
    return sum((Fraction(count, number) for number, count in hits.items()), Fraction(0)) / scaled.n


def stacked(scaled: Scaled, below: Table) -> Scaled:
    """The records of both tables, on the scale of the first."""
    pairs = zip(scaled.table.attributes, below.attributes, strict=True)
    table = table_with([_joined(first, second) for first, second in pairs])
    return replace(scaled, table=table)


def _by_comparing(
    scaled: Scaled, firsts: Table, dissimilarity: str | Function
) -> Iterator[Sequence[int]]:
    """For each of some rows the records that are nearest, by comparing it with all."""
    space = space_of(stacked(scaled, firsts), dissimilarity)
    originals = range(scaled.n)
    for row in range(scaled.n, scaled.n + firsts.n):
        yield least(space.ranked(originals, space.raw(row, originals))).candidates


def _joined(first: Column | Attribute, second: Column | Attribute) -> Column | Attribute:
    if isinstance(first, Column) and isinstance(second, Column):
        unit = lcm(first.denominator, second.denominator)
        a, b = unit // first.denominator, unit // second.denominator
        numbers = [x * a for x in first.numerators] + [y * b for y in second.numerators]
        return Column(first.name, numbers, unit)
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


Near = Callable[[Column, Column, Sequence[int]], int]
"""From an attribute, its released values and percentages: the pairs of a record and a percentage
that lets its two values be so far from each other as they are."""


def _within(original: Table, released: Table, how: Near, percentages: Sequence[int]) -> Fraction:
    """The share of numbers near what they were released as; the mean over the percentages."""
    _check_numbers(original, released)
    columns = zip(NOW.each(original.columns, "attributes"), released.columns, strict=True)
    inside = sum(how(ours, theirs, percentages) for ours, theirs in columns)
    return Fraction(inside, original.n * len(original.columns) * len(percentages))


def _check_numbers(original: Table, released: Table) -> None:
    check_same_shape(original, released)
    if not original.columns:
        raise UndefinedMeasure("interval disclosure needs numbers, and no attribute is numeric")


def release_classes(released: Table) -> Partition:
    """The partition into records with equal released rows."""
    labels = [attribute.labels for attribute in released.attributes]
    return Partition.from_labels(list(zip(*labels, strict=True)))


def _ranks(ours: Column, theirs: Column, percentages: Sequence[int]) -> int:
    """By twice the differences of ranks among the original values."""
    unit = lcm(ours.denominator, theirs.denominator)
    factors = unit // ours.denominator, unit // theirs.denominator
    limits = [2 * p * len(ours.numerators) // 100 for p in percentages]
    if len(ours.numerators) > FEW and find_spec("scipy"):
        from refagg.release.arrays import near_by_rank

        found = near_by_rank(ours.numerators, theirs.numerators, factors, limits)
        if found is not None:
            return found
    originals = [x * factors[0] for x in ours.numerators]
    releases = [y * factors[1] for y in theirs.numerators]
    counts = Counter(originals)
    twice_rank: dict[int, int] = {}
    before = 0
    for value in sorted({*originals, *releases}):
        twice_rank[value] = 2 * before + counts[value]
        before += counts[value]
    pairs = zip(originals, releases, strict=True)
    return _at_most([abs(twice_rank[x] - twice_rank[y]) for x, y in pairs], limits)


def _spreads(ours: Column, theirs: Column, percentages: Sequence[int]) -> int:
    """By squared differences, and squares of shares of the standard deviation."""
    a, b = theirs.denominator, ours.denominator
    pairs = zip(ours.numerators, theirs.numerators, strict=True)
    spread = variance(ours, "sample") * (a * b) ** 2
    limits = [floor(Fraction(p * p, 10_000) * spread) for p in percentages]
    return _at_most([(x * a - y * b) ** 2 for x, y in pairs], limits)


def _at_most(distances: Sequence[int], limits: Sequence[int]) -> int:
    """The pairs of a distance and a limit that it does not exceed."""
    ordered = sorted(limits)
    return sum(len(ordered) - bisect_left(ordered, distance) for distance in distances)
