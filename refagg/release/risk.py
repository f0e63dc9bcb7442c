"""How much a release still says about single records."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from math import floor

from refagg.data.standardise import Scaled
from refagg.data.tables import Attribute, Column, Table, column_of, table_with
from refagg.language.partition import Partition
from refagg.language.ties import least
from refagg.release.measures import check_same_shape
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.of_tables import space_of


def linkage_cost(released: Table) -> int:
    """How many distances `record_linkage` computes: different released rows times records."""
    return len(release_classes(released).groups) * released.n


def record_linkage(
    scaled: Scaled, released: Table, dissimilarity: str | Function = "oss"
) -> Fraction:
    """The expected share of records that an intruder links rightly, by distance.

    The intruder knows the original quasi-identifiers and links every released record to
    its nearest original (on the scale on which losses are measured; numbers in binary64, other
    kinds exactly), drawing among equally near ones: of m, one that is right counts 1/m.
    Source: Domingo-Ferrer and Torra 2001, distance-based record linkage.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released)
    firsts = released.take([group[0] for group in classes.groups])
    together = replace(scaled, table=_stacked(scaled.table, firsts))
    space = space_of(together, dissimilarity, arithmetic="float")
    originals = range(scaled.n)
    right = Fraction(0)
    for number, group in enumerate(classes.groups):
        if scaled.table.others:
            distances = space.ranked(originals, space.raw(scaled.n + number, originals))
        else:
            distances = space.distances(scaled.n + number, originals)
        nearest = least(distances).candidates
        right += Fraction(len(set(group).intersection(nearest)), len(nearest))
    return right / scaled.n


def _stacked(above: Table, below: Table) -> Table:
    """The records of both tables."""
    return table_with(
        [
            _joined(first, second)
            for first, second in zip(above.attributes, below.attributes, strict=True)
        ]
    )


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
    check_same_shape(original, released)
    window = Fraction(percent * original.n, 100)
    inside = sum(
        _inside(ours, theirs, window)
        for ours, theirs in zip(original.columns, released.columns, strict=True)
    )
    return Fraction(inside, original.n * len(original.columns))


def release_classes(released: Table) -> Partition:
    """The partition into records with equal released rows."""
    labels = [attribute.labels for attribute in released.attributes]
    return Partition.from_labels(list(zip(*labels, strict=True)))


def _inside(ours: Column, theirs: Column, window: Fraction) -> int:
    """How many records have their original value within the window around the released one."""
    a, b = theirs.denominator, ours.denominator
    most = floor(2 * window)
    originals = [x * a for x in ours.numerators]
    ordered = sorted(originals)

    def twice_rank(value: int) -> int:
        return bisect_left(ordered, value) + bisect_right(ordered, value)

    return sum(
        abs(twice_rank(x) - twice_rank(y * b)) <= most
        for x, y in zip(originals, theirs.numerators, strict=True)
    )
