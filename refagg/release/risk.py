"""How much a release still says about single records."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from math import floor

from refagg.data.standardise import Scaled
from refagg.data.tables import Column, Table, column_of
from refagg.language.partition import Partition
from refagg.release.measures import check_same_shape
from refagg.spaces.binary64 import FloatSpace


def linkage_cost(released: Table) -> int:
    """How many distances `record_linkage` computes: different released rows times records."""
    return len(release_classes(released).groups) * released.n


def record_linkage(scaled: Scaled, released: Table) -> Fraction:
    """The expected share of records that an intruder links rightly, by distance.

    The intruder knows the original quasi-identifiers and links every released record to
    its nearest original (in binary64, on the standardised scale), drawing among equally
    near ones: of m, one that is right counts 1/m.
    Source: Domingo-Ferrer and Torra 2001, distance-based record linkage.
    """
    check_same_shape(scaled.table, released)
    classes = release_classes(released)
    together = Table(
        tuple(
            _with_values(ours, theirs, [group[0] for group in classes.groups])
            for ours, theirs in zip(scaled.table.columns, released.columns, strict=True)
        )
    )
    space = FloatSpace(Scaled(together, scaled.weights, scaled.how))
    originals = range(scaled.n)
    right = Fraction(0)
    for number, group in enumerate(classes.groups):
        nearest = space.closest(space.distances(scaled.n + number, originals)).candidates
        right += Fraction(len(set(group).intersection(nearest)), len(nearest))
    return right / scaled.n


def interval_disclosure(original: Table, released: Table, percent: int = 10) -> Fraction:
    """The share of values that lie within a rank interval around the released value.

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
    return Partition.from_labels(
        list(zip(*(column.numerators for column in released.columns), strict=True))
    )


def _with_values(ours: Column, theirs: Column, records: list[int]) -> Column:
    values = [*ours.values(range(len(ours.numerators))), *theirs.values(records)]
    return column_of(ours.name, values)


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
