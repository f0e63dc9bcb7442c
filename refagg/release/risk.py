"""Disclosure risk: information that a release gives on single records.

Records linked one to one: no two released records are taken for the same original one.

Records that were released alike cannot be distinguished: of m that are given m originals, each is
right with 1/m. Which of several best assignments is taken is left to the order of the records.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, lcm, log2, sqrt

from refagg.data.standardise import Scaled, variance
from refagg.data.tables import Attribute, Column, Table, differences, joined_column, table_with
from refagg.engine.transportation import Cost, cheapest_assignment
from refagg.errors import UndefinedMeasure
from refagg.language.partition import Group, Partition
from refagg.language.ties import least
from refagg.release.measures import Findings, check_same_shape
from refagg.release.nearest import in_arrays, nearest_rows, times
from refagg.spaces.absolute import GOWER
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.mixed import MixedSpace
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
        pairs = zip(each, _by_comparing(scaled, firsts, dissimilarity), strict=True)
        right = (Fraction(len(set(group).intersection(near)), len(near)) for group, near in pairs)
        return sum(right, Fraction(0)) / scaled.n
    rows = nearest_rows(scaled, firsts)
    hits: Counter[int] = Counter()
    for group, nearest in zip(each, rows.found, strict=True):
        there = set(nearest)
        number = sum(map(rows.sizes.__getitem__, nearest))
        hits[number] += sum(map(there.__contains__, map(rows.row.__getitem__, group)))
    return sum((Fraction(count, number) for number, count in hits.items()), Fraction(0)) / scaled.n


def stacked(scaled: Scaled, below: Table) -> Scaled:
    """The records of both tables, on the scale of the first."""
    pairs = zip(scaled.table.attributes, below.attributes, strict=True)
    table = table_with([_joined(first, second) for first, second in pairs])
    return replace(scaled, table=table)


def _by_comparing(
    scaled: Scaled, firsts: Table, dissimilarity: str | Function
) -> Iterator[Sequence[int]]:
    """Yield for each row the nearest records, by comparing all."""
    space = space_of(stacked(scaled, firsts), dissimilarity)
    originals = range(scaled.n)
    for row in range(scaled.n, scaled.n + firsts.n):
        yield least(space.ranked(originals, space.raw(row, originals))).candidates


def _joined(first: Column | Attribute, second: Column | Attribute) -> Column | Attribute:
    if isinstance(first, Column) and isinstance(second, Column):
        return joined_column([first, second])
    assert isinstance(first, Attribute)
    assert isinstance(second, Attribute)
    return Attribute(first.name, first.kind, first.cells + second.cells)


def interval_disclosure(original: Table, released: Table, percent: int = 10) -> Fraction:
    """Return the share of numbers within a rank interval.

    The interval is around the released value.

    In each attribute, an original value is disclosed if its rank among the original
    values differs from that of its released value by at most `percent` of the records.
    Source: Mateo-Sanz, Sebe, Domingo-Ferrer 2004, rank-based intervals.
    """
    return _within(original, released, _ranks, [percent])


def mean_rank_disclosure(original: Table, released: Table) -> Findings:
    """Return the mean of `interval_disclosure` from 1 to 10 percent.

    The percentages are those of the records.
    """
    return {"value": _within(original, released, _ranks, range(1, 11))}


def spread_disclosure(original: Table, released: Table) -> Findings:
    """Return the share of numbers near the released value.

    Near is measured by the spread of the original.

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
    """Return the share of records with all numbers near.

    A record counts if every number lies near the released value. A number is near if it differs by
    at most `share` of the standard deviation of the released attribute (by n - 1). Source: Templ
    and Meindl 2008; dRisk of sdcMicro.
    """
    _check_numbers(original, released)
    near = [True] * original.n
    for ours, theirs in zip(original.columns, released.columns, strict=True):
        apart, unit = differences(ours, theirs)
        most = share**2 * variance(theirs, "sample") * unit**2
        near = [so_far and off**2 <= most for so_far, off in zip(near, apart, strict=True)]
    return {"value": Fraction(sum(near), original.n)}


Near = Callable[[Column, Column, Sequence[int]], int]
"""From an attribute, its released values and percentages: the pairs of a record and a percentage
that lets its two values be so far from each other as they are."""


def _within(original: Table, released: Table, how: Near, percentages: Sequence[int]) -> Fraction:
    """Return the share of numbers near their released values.

    It is the mean over the percentages.
    """
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
    return Partition.from_labels(list(zip(*(a.labels for a in released.attributes), strict=True)))


def _ranks(ours: Column, theirs: Column, percentages: Sequence[int]) -> int:
    """Count pairs by twice the differences of ranks.

    Ranks are those among the original values; a released value lies between two integers in their
    units.
    """
    unit = lcm(ours.denominator, theirs.denominator)
    a, b = unit // ours.denominator, unit // theirs.denominator
    limits = [2 * p * len(ours.numerators) // 100 for p in percentages]
    finer = times(b, theirs.numerators)
    numbers = ours.numerators, [y // a for y in finer], [-(-y // a) for y in finer]
    if in_arrays(len(finer)):
        from refagg.release.arrays import near_by_rank

        return near_by_rank(numbers, limits)
    ordered = sorted(ours.numerators)

    def twice_rank(low: int, high: int) -> int:
        return bisect_left(ordered, high) + bisect_right(ordered, low)

    each = zip(*numbers, strict=True)
    return _at_most([abs(twice_rank(x, x) - twice_rank(*ends)) for x, *ends in each], limits)


def _spreads(ours: Column, theirs: Column, percentages: Sequence[int]) -> int:
    """Count pairs by squared differences.

    They are compared with squares of shares of the standard deviation.
    """
    apart, unit = differences(ours, theirs)
    spread = variance(ours, "sample") * unit**2
    limits = [floor(Fraction(p * p, 10_000) * spread) for p in percentages]
    return _at_most([off**2 for off in apart], limits)


def _at_most(distances: Sequence[int], limits: Sequence[int]) -> int:
    """Count the pairs of a distance and a limit not exceeded."""
    ordered = sorted(limits)
    return sum(len(ordered) - bisect_left(ordered, distance) for distance in distances)


AGREE = Fraction(1, 10)
"""Numbers agree if they differ by at most this part of the original's standard deviation."""

ROUNDS, SMALL = 1000, 1e-10
"""Rounds of expectation and maximisation at most, and a change of all shares that ends them."""

LEAST = 1e-6
"""The least share of agreement, and of disagreement, so that weights are finite."""


def one_to_one_linkage(scaled: Scaled, released: Table) -> Findings:
    """Return the share of records rightly linked one to one.

    It is the expected share where the sum of all distances is least. Distances are Euclidean on the
    scale of losses, in binary64; where there are other kinds, they are Gower's, exactly. Source:
    sdcMicro, linkage by the Hungarian method.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released).groups
    firsts = released.take([group[0] for group in classes])
    numbers = range(scaled.n, scaled.n + len(classes))
    costs: list[list[Cost]]
    if scaled.table.others:
        space = MixedSpace(stacked(scaled, firsts), GOWER)
        costs = [list(space.raw(record, numbers)) for record in range(scaled.n)]
    else:
        floats = FloatSpace(stacked(scaled, firsts))
        costs = [[sqrt(d) for d in floats.raw(record, numbers)] for record in range(scaled.n)]
    return {"value": _right(costs, classes)}


def probabilistic_linkage(scaled: Scaled, released: Table) -> Findings:
    """Return the share of records rightly linked by probabilistic weights.

    It is the expected share where the sum of all weights is greatest. Each pair of an original and
    a released record has a vector of agreements, one for each attribute: numbers agree if they
    differ by at most a tenth of the standard deviation of the original, categories and sequences if
    they are equal. m is the share of agreements among pairs of the same record, u among others;
    both are found by expectation and maximisation with independent attributes, where one pair in n
    is a match, from m = 9/10 and the share among all pairs as u. A pair weighs the sum of log2(m/u)
    where attributes agree, log2((1-m)/(1-u)) where not. Source: I. Fellegi, A. Sunter 1969; M. Jaro
    1989. What agreement of numbers is, and the start, are ours.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released).groups
    vectors = _agreements(scaled.table, released.take([group[0] for group in classes]))
    counts: dict[int, int] = {}
    for row in vectors:
        for vector, group in zip(row, classes, strict=True):
            counts[vector] = counts.get(vector, 0) + len(group)
    weights = _weights(counts, len(scaled.table.attributes), scaled.n)
    return {"value": _right([[-weights[vector] for vector in row] for row in vectors], classes)}


def _right(costs: Sequence[Sequence[Cost]], classes: Sequence[Group]) -> Fraction:
    """The expected share of records that get one of their own class."""
    found = cheapest_assignment(costs, [len(group) for group in classes])
    right = Fraction(0)
    for number, group in enumerate(classes):
        right += Fraction(sum(found[record] == number for record in group), len(group))
    return right / len(found)


def _agreements(original: Table, firsts: Table) -> list[list[int]]:
    """Return for each record and row the bits of agreement.

    There is a number for each record and each different released row, whose bits say which
    attributes agree.
    """
    rows = [[0] * firsts.n for _ in range(original.n)]
    pairs = zip(original.attributes, firsts.attributes, strict=True)
    for bit, (ours, theirs) in enumerate(pairs):
        for record, agree in enumerate(_agreeing(ours, theirs)):
            row = rows[record]
            for number in agree:
                row[number] |= 1 << bit
    return rows


def _agreeing(ours: Column | Attribute, theirs: Column | Attribute) -> list[list[int]]:
    """Return for each record the released rows that agree.

    They agree in one attribute.
    """
    if isinstance(ours, Column) and isinstance(theirs, Column):
        a, b = theirs.denominator, ours.denominator
        most = AGREE**2 * variance(ours, "sample") * (a * b) ** 2
        values = [y * b for y in theirs.numerators]
        return [
            [number for number, y in enumerate(values) if (x * a - y) ** 2 <= most]
            for x in ours.numerators
        ]
    labels = list(theirs.labels)
    return [[number for number, y in enumerate(labels) if x == y] for x in ours.labels]


def _weights(counts: dict[int, int], width: int, n: int) -> dict[int, float]:
    """Return the weight of each vector of agreements.

    It follows from how many pairs have each vector.
    """
    pairs = sum(counts.values())
    bits = {vector: [vector >> j & 1 for j in range(width)] for vector in counts}
    u = [_clipped(sum(c * bits[v][j] for v, c in counts.items()) / pairs) for j in range(width)]
    m = [0.9] * width
    for _ in range(ROUNDS):
        odds = {v: 2 ** _weight(bits[v], m, u) / max(n - 1, 1) for v in counts}
        matches = {v: c * odds[v] / (1 + odds[v]) for v, c in counts.items()}
        others = {v: c / (1 + odds[v]) for v, c in counts.items()}
        before = [*m, *u]
        m, u = _shares(matches, bits, width), _shares(others, bits, width)
        if max(map(abs, map(float.__sub__, before, [*m, *u]))) <= SMALL:
            break
    return {vector: _weight(bits[vector], m, u) for vector in counts}


def _shares(counts: dict[int, float], bits: dict[int, list[int]], width: int) -> list[float]:
    """The share of pairs that agree, attribute by attribute."""
    total = sum(counts.values())
    return [_clipped(sum(c * bits[v][j] for v, c in counts.items()) / total) for j in range(width)]


def _clipped(share: float) -> float:
    return min(max(share, LEAST), 1 - LEAST)


def _weight(bits: Sequence[int], m: Sequence[float], u: Sequence[float]) -> float:
    return sum(
        log2(a / b) if agree else log2((1 - a) / (1 - b))
        for agree, a, b in zip(bits, m, u, strict=True)
    )
