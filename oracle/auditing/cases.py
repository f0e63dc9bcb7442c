"""Subject of an audit: original, release, and groups.

The groups are those that the rows of the release show.

A group has admissible aggregates; released values are compared with them cell by cell. What checks
ask of a case that is kept in a store is named by the protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import tee
from math import lcm
from typing import Any, Protocol

from oracle.auditing.centres import Centres, computed_renderings
from oracle.auditing.rendering import Cell, Granted, Rendering, quotient_cell, renderings_of
from refagg.data.aggregate import admissible, mean
from refagg.data.standardise import span
from refagg.data.tables import Table
from refagg.language.lists import by_key
from refagg.language.partition import Group, Partition, check_k
from refagg.notebook import brief
from refagg.release.aggregates import (
    MEANS,
    Aggregates,
    admissible_combinations,
    admissible_others,
    nominal_values,
)
from refagg.release.measures import check_same_shape
from refagg.release.risk import release_classes


class Classes(Protocol):
    """Groups of records, counted: a partition, or groups that are kept elsewhere."""

    @property
    def number(self) -> int: ...
    def sizes(self) -> dict[int, int]: ...
    def smallest(self) -> int: ...
    def largest(self) -> int: ...
    def first_smallest(self) -> Group: ...


class Counted(Protocol):
    """Interface between checks and storage."""

    @property
    def k(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the numeric attributes."""

    @property
    def shape(self) -> str:
        """Return the contents of both files."""

    @property
    def plain(self) -> bool:
        """Return True if released numbers are plain means of groups.

        They are nothing else.
        """

    @property
    def operator(self) -> str:
        """Return the aggregate of numbers, by name."""

    @property
    def place(self) -> str:
        """Return the name of a group's aggregate."""

    def classes(self) -> Classes:
        """Return the classes of records with equal released rows."""

    def smallest_alone(self) -> list[int]:
        """Return the size of the smallest class of each attribute by itself."""

    def worst(self, position: int, groups: Any) -> tuple[Cell, Group]:
        """Return the cell that is farthest from its aggregate.

        With it come the records of its group: the first seven, at least.
        """

    def totals_kept(self) -> bool:
        """Return True if each attribute keeps the original's total.

        The rounding of released values is allowed for.
        """


class Grouped(Protocol):
    """Groups that a case is judged by, and renderings.

    The renderings are those of its numeric attributes.
    """

    @property
    def partition(self) -> Classes: ...
    @property
    def inferred(self) -> bool: ...
    @property
    def renderings(self) -> tuple[Rendering | None, ...]: ...


PUBLISHED = "published value"

Numbers = Sequence[int]


Publish = Callable[[Sequence[Fraction], Sequence[Group]], Sequence[Fraction]]


@brief
class AuditedRelease:
    """Subject of an audit: an original, its release, and known groups.

    `partition` is given, or None where groups are to be inferred from equal released rows. `strata`
    are the records of each stratum within which groups were formed. If `centres` is set, released
    values are means that were moved to meet constraints; otherwise they are what the aggregates
    give.
    """

    original: Table
    released: Table
    k: int
    partition: Partition | None
    strata: Sequence[tuple[str, list[int]]]
    aggregates: Aggregates = MEANS
    centres: Centres | None = None
    publish: Publish | None = None
    equal_rows: Partition | None = None
    """The classes of equal released rows, where they are known."""

    def numbers(self, group: Group, position: int) -> list[Fraction]:
        """Return the admissible released numbers of a group in one numeric attribute."""
        if self.centres:
            return [self.centres.of(self.original, group)[position]]
        how = self.aggregates
        return admissible(self.original.columns[position], group, how.numbers, how.weights)

    def magnitude(self, group: Group, position: int) -> Fraction:
        """Return the size of the numbers that determine a released number."""
        if self.centres:
            return self.centres.magnitude(self.original, group, position)
        column = self.original.columns[position]
        return Fraction(max(abs(column.numerators[r]) for r in group), column.denominator)

    def width(self, position: int) -> Fraction:
        """Return the greatest difference of numbers that determine a released one.

        They are numbers of the column.
        """
        if self.centres:
            return self.centres.width(self.original, position)
        return span(self.original.columns[position])

    @property
    def plain(self) -> bool:
        """Return True if released numbers are plain means of groups.

        They are nothing else.
        """
        other = self.aggregates.weights or self.centres or self.publish
        return self.aggregates.numbers is mean and not other

    @property
    def convex(self) -> bool:
        """Return True if the aggregate of two groups lies between their aggregates.

        Then groups that are released alike can be looked at as one.
        """
        return self.aggregates.numbers is mean and not self.publish

    @property
    def names(self) -> tuple[str, ...]:
        return self.original.numbers.names

    @property
    def operator(self) -> str:
        return PUBLISHED if self.publish else self.aggregates.names.get("numeric", "mean")

    @property
    def place(self) -> str:
        if self.publish:
            return PUBLISHED
        return "aggregate, moved to the constraints," if self.centres else "aggregate"

    @property
    def shape(self) -> str:
        if not self.original.others:
            return shape_of_numbers(self.original.n, len(self.original.columns))
        kinds = ", ".join(f"{a.name} ({a.kind.title})" for a in self.original.attributes)
        return f"{self.original.n} records in both files; {kinds}"

    def classes(self) -> Partition:
        return self.equal_rows or release_classes(self.released)

    def smallest_alone(self) -> list[int]:
        return [Partition.from_labels(a.labels).smallest() for a in self.released.attributes]

    def renderings(self, position: int, granted: Granted) -> list[Rendering]:
        """Return the possible renderings of an attribute.

        They are the ways in which it may be written, in the order in which they are tried.
        """
        return list(renderings_of(self.released.columns[position], granted, self.width(position)))

    def worst(self, position: int, groups: Partition) -> tuple[Cell, Group]:
        every = ((c, g) for g, own in cells_of_each(self, position, groups.groups) for c in own)
        return max(every, key=lambda pair: pair[0].error)

    def totals_kept(self) -> bool:
        if not self.plain:
            return False
        pairs = zip(self.original.columns, self.released.columns, strict=True)
        return all(
            total_kept(
                Fraction(sum(ours.numerators), ours.denominator),
                Fraction(sum(theirs.numerators), theirs.denominator),
                Fraction(sum(map(abs, ours.numerators)), ours.denominator),
                Fraction(self.original.n, 2 * theirs.denominator),
            )
            for ours, theirs in pairs
        )


@brief
class JudgedGroups:
    """Groups that a case is judged by, and renderings.

    The renderings are those of its numeric attributes.
    """

    partition: Partition
    inferred: bool
    renderings: tuple[Rendering | None, ...]
    possible: tuple[tuple[Rendering, ...], ...] = ()
    """All ways in which each attribute may be written if a class is several groups."""
    several: bool = False
    """Are there classes that are right only if they are several groups?"""


def check_shape(case: AuditedRelease) -> None:
    """Raise ShapeMismatch, InvalidK, KTooLarge unless both files can describe the same records."""
    check_same_shape(case.original, case.released)
    check_k(case.k, case.original.n, "the original")


def shape_of_numbers(n: int, p: int) -> str:
    """Return the contents of two files by their records and attributes."""
    return f"{n} records, {p} numeric attribute{'s' * (p != 1)} in both files"


def judged_groups(case: AuditedRelease, granted: Granted, classes: bool = False) -> JudgedGroups:
    """Return the groups of a case, and renderings of numeric attributes.

    Each numeric attribute has one rendering. The partition of the case can be one into `classes`.

    A class of equal rows can be several groups. Where these need not have the aggregate of the
    class, and it is not what was released, the rendering is that of the other classes.
    """
    inferred = case.partition is None or classes
    partition = case.partition or case.classes()
    if inferred and len(case.strata) > 1:
        labels = zip(partition.labels(), strata_labels(case.strata), strict=True)
        partition = Partition.from_labels(list(labels))
    numbers = range(len(case.released.columns))
    ways = [case.renderings(position, granted) for position in numbers]
    found = [_first(case, j, ways[j], partition.groups) for j in numbers]
    divisible = [g for g in partition.groups if inferred and len(g) >= 2 * case.k]
    several = bool(divisible) and not case.convex and not all(one and one.faithful for one in found)
    if several:
        others = [group for group in partition.groups if group not in set(divisible)]
        known = [] if case.publish else others  # what is published depends on all groups
        found = [_first(case, j, ways[j], known) for j in numbers]
    if case.centres:
        found = computed_renderings(case.centres.constraints, case.released, found)
    possible = [
        tuple(way for way in dict.fromkeys((*ways[j], found[j])) if way and way.faithful)
        for j in numbers
    ]
    return JudgedGroups(partition, inferred, tuple(found), tuple(possible), several)


def strata_labels(strata: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
    """Return the stratum of each record; each record has one."""
    labels = [""] * sum(len(records) for _, records in strata)
    for label, records in strata:
        for record in records:
            labels[record] = label
    return labels


def _first(
    case: AuditedRelease, position: int, ways: Sequence[Rendering], groups: Sequence[Group]
) -> Rendering | None:
    """Return the first rendering that fits these groups' released values."""
    bounds = _bounds(case, position, groups) if case.plain else []
    each = cells_of_each(case, position, groups)
    found, _ = tee(cell for _, own in each for cell in own)
    for way in ways:
        found, those = tee(found)
        bounded = bounds and way.by_error and all(map(way.fits, bounds))
        if bounded or all(map(way.fits, those)):
            return way
    return None


def _bounds(case: AuditedRelease, position: int, groups: Sequence[Group]) -> list[Cell]:
    """Return a cell for each size of groups, which bounds their cells.

    It is farthest from its aggregate, and both this and the magnitude are the least: if it fits by
    its error, all fit. None is returned if a group was released with different values.
    """
    original, released, unit, factor, finer = _units(case, position)
    bounds = []
    for m, alike in by_key((len(group), group) for group in groups).items():
        places = [[group[j] for group in alike] for j in range(m)]  # first records, ...
        written, *others = [list(map(released.__getitem__, each)) for each in places]
        if any(other != written for other in others):
            return []
        totals = map(sum, zip(*(map(original.__getitem__, each) for each in places), strict=True))
        off = max(abs(factor * t - m * finer * w) for t, w in zip(totals, written, strict=True))
        bounds.append(Cell(0, m, off, m * unit, m, 0))
    return bounds


def _units(case: AuditedRelease, position: int) -> tuple[Numbers, Numbers, int, int, int]:
    """Return the numerators of both files, and factors to a common unit.

    The unit comes before its factors.
    """
    ours, theirs = case.original.columns[position], case.released.columns[position]
    unit = lcm(ours.denominator, theirs.denominator)
    factors = unit // ours.denominator, unit // theirs.denominator
    return ours.numerators, theirs.numerators, unit, *factors


def foreign_values(case: AuditedRelease, group: Group) -> list[str]:
    """Return lines about released values that are foreign to a group.

    There is a line for each category, combination or sequence of the group that does not occur in
    its own records.
    """
    together = admissible_combinations(case.original, group, case.aggregates)
    choices = admissible_others(case.original, group, case.aggregates)
    lines = []
    for attribute, allowed in zip(case.released.others, choices, strict=True):
        if not (attribute.kind.name == "nominal" and together):
            released = {attribute.cells[record] for record in group}
            lines += _strange(f"{attribute.name}: ", group, released, allowed)
    if together:
        combinations = {nominal_values(case.released, record) for record in group}
        there = {nominal_values(case.original, record) for record in group}
        lines += [
            line + ", a combination that no record of the group has" * (value not in there)
            for value in sorted(combinations.difference(together), key=str)
            for line in _strange("", group, {value}, together)
        ]
    return lines


def _strange(where: str, group: Group, released: set[Any], allowed: Sequence[object]) -> list[str]:
    expected = " or ".join(map(_text, allowed[:3]))
    return [
        f"{where}group {shown_group(group)} was released as {_text(value)}; expected {expected}"
        for value in sorted(released.difference(allowed), key=str)
    ]


def _text(value: object) -> str:
    return "(" + " ".join(map(str, value)) + ")" if isinstance(value, tuple) else repr(value)


def shown_group(group: Group) -> str:
    return " ".join(map(str, group[:6])) + (" ..." if len(group) > 6 else "")


def total_kept(total: Fraction, kept: Fraction, size: Fraction, rounding: Fraction) -> bool:
    """Return True if a total is kept within rounding.

    That is the rounding of all released values and of sums of this size.
    """
    return abs(total - kept) <= rounding + size / 10**12


def cells(case: AuditedRelease, position: int, groups: Sequence[Group]) -> list[Cell]:
    """Return released values beside their nearest admissible aggregates.

    There is a cell for each group in one attribute. Of a group whose records were released with
    different values, all are listed.
    """
    return [cell for _, own in cells_of_each(case, position, groups) for cell in own]


def cells_of_each(
    case: AuditedRelease, position: int, groups: Sequence[Group]
) -> Iterator[tuple[Group, list[Cell]]]:
    """Yield the groups, each with its cells."""
    if case.publish:
        yield from _published_cells(case, case.publish, position, groups)
        return
    original, released, unit, factor, finer = _units(case, position)
    for group in groups:
        values = {released[record] for record in group}
        if case.plain:
            numbers, m = [original[record] for record in group], len(group)
            total, most = sum(numbers) * factor, max(max(numbers), -min(numbers)) * factor
            yield group, [Cell(total, m, value * finer, unit, m, most) for value in values]
            continue
        fractions = case.numbers(group, position)
        candidates = [(a.numerator * unit, a.denominator) for a in fractions]
        size = case.magnitude(group, position) * unit
        found = []
        for value in values:
            of = [Cell(t, over, value * finer, unit, len(group), size) for t, over in candidates]
            found.append(min(of, key=lambda cell: cell.error))
        yield group, found


def _published_cells(
    case: AuditedRelease, publish: Publish, position: int, groups: Sequence[Group]
) -> Iterator[tuple[Group, list[Cell]]]:
    """Return the cells of published values.

    The values published for a group depend on all groups.
    """
    ours, theirs = case.original.columns[position], case.released.columns[position]
    right = publish(ours.values(range(case.original.n)), groups)
    for value, group in zip(right, groups, strict=True):
        size = case.magnitude(group, position)
        written = {theirs[record] for record in group}
        yield group, [quotient_cell(value, one, len(group), size) for one in written]


def could_be_released(case: AuditedRelease, groups: JudgedGroups, members: Group) -> bool:
    """Return True if these records were released with their aggregates.

    The aggregates have to be written as all are.

    What is published for a group cannot be said before all groups are known.
    """
    if case.publish:
        return True
    for position, ways in enumerate(groups.possible):
        found = cells(case, position, [members])
        if not any(all(map(way.fits, found)) for way in ways):
            return False
    return not (case.original.others and foreign_values(case, members))


def could_be_all(case: AuditedRelease, groups: JudgedGroups, formed: Sequence[Group]) -> bool:
    """Return True if all values are the groups' aggregates.

    Those of each attribute have to be written in one way.
    """
    return all(
        _first(case, position, ways, formed) is not None
        for position, ways in enumerate(groups.possible)
    )
