"""The audit of a release, check by check, each with a witness.

well formed -> groups of at least k -> values are the groups' aggregates -> a possible run
of the algorithm that it claims to be (in `oracle.auditing.replay`). A check holds, fails, or is not
judged; what is not judged is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

from oracle.auditing.centres import Centres, computed_renderings
from oracle.auditing.rendering import Cell, Rendering, cell_of, renderings_of
from oracle.auditing.tolerance import Granted
from refagg.data.aggregate import admissible, mean
from refagg.data.kinds import NUMERIC, Kind
from refagg.data.missing import listed_records
from refagg.data.moments import Instant, seconds_of
from refagg.data.tables import Table
from refagg.language.number_texts import number_text
from refagg.language.partition import Group, Partition, check_k
from refagg.release.aggregates import (
    MEANS,
    Aggregates,
    admissible_combinations,
    admissible_others,
    nominal_values,
)
from refagg.release.measures import check_same_shape
from refagg.release.risk import release_classes


@dataclass(frozen=True, slots=True)
class Check:
    """One step of the list of checks: `status` is "holds", "fails", "not judged" or "reported".

    Reported is what was found out about something that the release does not promise.
    """

    name: str
    status: str
    summary: str
    witness: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


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
        """Return True if released numbers are the means of groups, and nothing else."""

    @property
    def operator(self) -> str:
        """The aggregate of numbers, by name."""

    @property
    def place(self) -> str:
        """Return the name of a group's aggregate."""

    def classes(self) -> Classes:
        """The classes of records with equal released rows."""

    def smallest_alone(self) -> list[int]:
        """The size of the smallest class of each attribute by itself."""

    def worst(self, position: int, groups: Any) -> tuple[Cell, Group]:
        """The cell that is farthest from its aggregate, with the records of its group: the first
        seven, at least."""

    def totals_kept(self) -> bool:
        """Return True if each attribute has the original's total, up to the rounding of released
        values."""


class Grouped(Protocol):
    """The groups that a case is judged by, and how its numeric attributes are rendered."""

    @property
    def partition(self) -> Classes: ...
    @property
    def inferred(self) -> bool: ...
    @property
    def renderings(self) -> tuple[Rendering | None, ...]: ...


PUBLISHED = "published value"

Publish = Callable[[Sequence[Fraction], Sequence[Group]], Sequence[Fraction]]


@dataclass(frozen=True, slots=True)
class AuditedRelease:
    """The subject of an audit: an original, a release of it, and the groups as far as known.

    `partition` is given, or None where groups are to be inferred from equal released rows.
    `strata` are the records of each stratum within which groups were formed. With `centres`,
    released are means that were moved to meet constraints, without, what the aggregates give.
    """

    original: Table
    released: Table
    k: int
    partition: Partition | None
    strata: Sequence[tuple[str, list[int]]]
    aggregates: Aggregates = MEANS
    centres: Centres | None = None
    publish: Publish | None = None

    def numbers(self, group: Group, position: int) -> list[Fraction]:
        """The admissible released numbers of a group in one numeric attribute."""
        if self.centres:
            return [self.centres.of(self.original, group)[position]]
        how = self.aggregates
        return admissible(self.original.columns[position], group, how.numbers, how.weights)

    def magnitude(self, group: Group, position: int) -> Fraction:
        """Return the size of the numbers of which a released number is computed."""
        if self.centres:
            return self.centres.magnitude(self.original, group, position)
        column = self.original.columns[position]
        return Fraction(max(abs(column.numerators[r]) for r in group), column.denominator)

    def width(self, position: int) -> Fraction:
        """Return the greatest difference of the column's numbers of which a released one is
        computed."""
        if self.centres:
            return self.centres.width(self.original, position)
        column = self.original.columns[position]
        least, most = min(column.numerators), max(column.numerators)
        return Fraction(most - least, column.denominator)

    @property
    def plain(self) -> bool:
        """Return True if released numbers are the means of groups, and nothing else."""
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
        return release_classes(self.released)

    def smallest_alone(self) -> list[int]:
        return [Partition.from_labels(a.labels).smallest() for a in self.released.attributes]

    def renderings(self, position: int, granted: Granted) -> list[Rendering]:
        """The ways in which an attribute may be written, in the order in which they are tried."""
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


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups that a case is judged by, and how its numeric attributes are rendered."""

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
    """Return the contents of two files with so many records and attributes."""
    return f"{n} records, {p} numeric attributes in both files"


def groups_of(case: AuditedRelease, granted: Granted) -> Groups:
    """The groups of a case, and the rendering of each of its numeric attributes.

    A class of equal rows can be several groups. Where these need not have the aggregate of the
    class, and it is not what was released, the rendering is that of the other classes.
    """
    inferred = case.partition is None
    partition = case.partition or case.classes()
    numbers = range(len(case.released.columns))
    ways = [case.renderings(position, granted) for position in numbers]
    found = [_first(case, j, ways[j], partition.groups) for j in numbers]
    divisible = [g for g in partition.groups if inferred and may_be_several(case, g)]
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
    return Groups(partition, inferred, tuple(found), tuple(possible), several)


def _first(
    case: AuditedRelease, position: int, ways: Sequence[Rendering], groups: Sequence[Group]
) -> Rendering | None:
    """The first rendering that fits what these groups are released with."""
    found = cells(case, position, groups)
    return next((way for way in ways if all(map(way.fits, found))), None)


def may_be_several(case: AuditedRelease, group: Group) -> bool:
    """Return True if a class has enough records for two groups, or records of two strata."""
    if len(group) >= 2 * case.k:
        return True
    return len(case.strata) > 1 and all(set(group).difference(own) for _, own in case.strata)


def size_check(case: Counted, groups: Grouped) -> Check:
    """Check that every group has k records, and every record k-1 others released like it."""
    sizes = groups.partition.sizes()
    reached = groups.partition.smallest()
    released = groups.partition if groups.inferred else case.classes()
    known = "equal released rows" if groups.inferred else "the partition given"
    details = {
        "groups": groups.partition.number,
        "sizes": {str(size): count for size, count in sizes.items()},
        "k_reached": released.smallest(),
        "groups_known_from": known,
        **violations_in(released.sizes(), case.k),
    }
    large = sum(count for size, count in sizes.items() if size >= 2 * case.k)
    if reached < case.k or released.smallest() < case.k:
        worst = groups.partition if reached < case.k else released
        return Check(
            "k-anonymous",
            "fails",
            f"smallest group {worst.smallest()}, less than k = {case.k} (groups by {known})"
            f": {below_text(*violations_in(worst.sizes(), case.k).values())}",
            tuple(_size_witness(case, worst)),
            details,
        )
    if isinstance(case, AuditedRelease) and isinstance(groups, Groups) and not groups.inferred:
        crossing = crossing_check(groups.partition, case.strata)
        if crossing:
            return replace(crossing, name="k-anonymous", details=details)
    text = sizes_text(groups.partition)
    if large:
        text += f", {large} of them of 2k = {2 * case.k} records or more, which could be divided"
    return Check("k-anonymous", "holds", f"{text} (by {known})", (), details)


def violations_in(sizes: Mapping[int, int], k: int) -> dict[str, int]:
    """Count the records in groups of fewer than k, and these groups."""
    low = {size: count for size, count in sizes.items() if size < k}
    records = sum(size * count for size, count in low.items())
    return {"violations": records, "combinations_below_k": sum(low.values())}


def below_text(records: int, groups: int) -> str:
    """Return the number of records in groups that are too small, and of these groups."""
    return f"{records} record{'s' * (records > 1)} in {groups} group{'s' * (groups > 1)}"


def crossing_check(partition: Partition, strata: Sequence[tuple[str, list[int]]]) -> Check | None:
    """The check that fails at a group with records of two strata, if there is one."""
    stratum = {record: name for name, records in strata for record in records}
    for group in partition.groups:
        if len(names := sorted({stratum[record] for record in group})) > 1:
            line = f"records {' '.join(map(str, group))} are in the strata {', '.join(names)}"
            return Check("well formed", "fails", "a group has records of two strata", (line,))
    return None


def sizes_text(partition: Classes) -> str:
    """Return the number of groups, and of their records."""
    number, smallest, largest = partition.number, partition.smallest(), partition.largest()
    if number == 1:
        return f"1 group of {smallest} record{'s' if smallest > 1 else ''}"
    if smallest == largest:
        return f"{number} groups, each of {smallest} record{'s' if smallest > 1 else ''}"
    return f"{number} groups of {smallest} to {largest} records"


def value_check(case: Counted, groups: Grouped) -> Check:
    """Check that the released values are the aggregates of their groups.

    Groups that are inferred may be several with the same values; a class of 2k records and more
    that does not fit is then not judged, unless what is released are means: these fit all their
    records if they fit several groups.
    """
    if groups.partition.smallest() < case.k and groups.inferred:
        reason = (
            "groups are inferred from identical rows, and some have fewer than k records; "
            "give the groups with --partition"
        )
        return Check("aggregates", "not judged", reason)
    found: dict[str, list[str]] = {}
    unfaithful: set[str] = set()
    witness: list[str] = []
    for position, rendering in enumerate(groups.renderings):
        name = NO_AGGREGATE if rendering is None else rendering.name
        found.setdefault(name, []).append(case.names[position])
        if rendering is None or not rendering.faithful:
            unfaithful.add(name)
            witness.append(_value_witness(case, position, groups.partition, name))
    mixed = isinstance(case, AuditedRelease) and case.original.others
    attribute = "numeric attribute" if mixed else "attribute"
    summary = _values_text(found, unfaithful, case.operator, attribute)
    details: dict[str, Any] = {"renderings": found}
    if case.operator == PUBLISHED:
        details["values"] = PUBLISHED
    if list(found) == [NO_AGGREGATE] and case.totals_kept():
        reason = f"column totals match, so the rows may only be in a different order; {KEY_HINT}"
        witness = [*witness[:5], reason]
    if isinstance(case, AuditedRelease) and isinstance(groups, Groups) and case.original.others:
        return _mixed_value_check(case, groups, witness, summary, details)
    if isinstance(groups, Groups) and groups.several and not witness:
        return Check("aggregates", "not judged", SEVERAL, (), details)
    return Check(
        "aggregates", "fails" if witness else "holds", summary, tuple(witness[:6]), details
    )


SEVERAL = "some classes of equal rows may be several groups; give the partition"
NO_AGGREGATE = "not an aggregate"
KEY_HINT = "name a column that identifies records (--key, in Python key=)"
PRECISION = {
    "exact": "exactly",
    "in binary64": "to double precision",
    "in binary32": "only to single precision",
}
AGGREGATES = {"onestep": "one-step mean", "trimmed-mean": "trimmed mean"}


def _values_text(
    found: dict[str, list[str]], wrong: Collection[str], aggregate: str, attribute: str
) -> str:
    """Return how many attributes equal the aggregates of the groups, how exactly, and the
    others."""
    p, what = sum(map(len, found.values())), f"the group {AGGREGATES.get(aggregate, aggregate)}s"
    what = "the values that are published for the groups" if aggregate == PUBLISHED else what
    right = {PRECISION.get(how, how): len(found[how]) for how in found if how not in wrong}
    cut = [how for how in found if how in wrong and how != NO_AGGREGATE]
    others = "".join(f"; {len(found[how])} {PRECISION.get(how, how)}" for how in cut)
    count = sum(right.values())
    if not count:
        return f"no {attribute} equals {what}{others}" if p else ""
    hows = [f"{number} {how}" if len(right) > 1 else how for how, number in right.items()]
    every = {1: f"the only {attribute} equals", 2: f"both {attribute}s equal"}
    some = f"only {count} of {p} {attribute}s equal{'s' * (count == 1)}"
    text = every.get(p, f"all {p} {attribute}s equal") if count == p else some
    return f"{text} {what} ({', '.join(hows)}){others}"


def _mixed_value_check(
    case: AuditedRelease, groups: Groups, wrong: list[str], numbers: str, details: dict[str, Any]
) -> Check:
    """Check the values with categories and sequences, and sum up all kinds."""
    wrong = list(wrong)
    unclear: list[str] = []
    for group in groups.partition.groups:
        several = groups.inferred and may_be_several(case, group)
        (unclear if several else wrong).extend(foreign_values(case, group))
    kinds = dict.fromkeys(a.kind.name for a in case.original.attributes)
    names = ", ".join(f"{kind} by {case.aggregates.names[kind]}" for kind in kinds)
    if wrong:
        text = f"some values are not the aggregates of their groups ({names})"
        return Check("aggregates", "fails", text, tuple(wrong[:6]), details)
    if unclear or groups.several:
        return Check("aggregates", "not judged", SEVERAL, tuple(unclear[:6]), details)
    summary = "; ".join(
        filter(None, (f"all values are aggregates of their groups ({names})", numbers))
    )
    return Check("aggregates", "holds", summary, (), details)


def settled(checks: Sequence[Check]) -> list[Check]:
    """The checks of a block; classes that may be several groups are if a run has such groups."""
    runs = [c.name for c in checks if c.name.startswith("run of ") and c.status == "holds"]
    if not runs:
        return list(checks)
    text = f"all values are the aggregates of the groups of a possible {runs[0]}"
    return [
        replace(check, status="holds", summary=text, witness=()) if unsettled(check) else check
        for check in checks
    ]


def unsettled(check: Check) -> bool:
    """Return True if a check is not judged because classes may be several groups."""
    return check.status == "not judged" and check.summary == SEVERAL


def foreign_values(case: AuditedRelease, group: Group) -> list[str]:
    """A line for each category, combination or sequence of a group's that is none of its own."""
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


def _strange(where: str, group: Group, released: set[Any], allowed: Sequence[Any]) -> list[str]:
    expected = " or ".join(map(_text, allowed[:3]))
    return [
        f"{where}group {_shown(group)} was released as {_text(value)}; expected {expected}"
        for value in sorted(released.difference(allowed), key=str)
    ]


def _text(value: Any) -> str:
    return "(" + " ".join(map(str, value)) + ")" if isinstance(value, tuple) else repr(value)


def _shown(group: Group) -> str:
    return " ".join(map(str, group[:6])) + (" ..." if len(group) > 6 else "")


def total_kept(total: Fraction, kept: Fraction, size: Fraction, rounding: Fraction) -> bool:
    """Return True if a total is kept, but for the rounding of all released values and of sums of
    this size."""
    return abs(total - kept) <= rounding + size / 10**12


def cells(case: AuditedRelease, position: int, groups: Sequence[Group]) -> list[Cell]:
    """Each group's released value in one attribute beside the nearest admissible aggregate.

    Of a group whose records were released with different values, all are listed.
    """
    return [cell for _, own in cells_of_each(case, position, groups) for cell in own]


def cells_of_each(
    case: AuditedRelease, position: int, groups: Sequence[Group]
) -> Iterator[tuple[Group, list[Cell]]]:
    """The groups, each with its cells."""
    if case.publish:
        yield from _published_cells(case, case.publish, position, groups)
        return
    ours, theirs = case.original.columns[position], case.released.columns[position]
    unit = lcm(ours.denominator, theirs.denominator)
    finer, factor = unit // theirs.denominator, unit // ours.denominator
    for group in groups:
        values = set(map(theirs.numerators.__getitem__, group))
        if case.plain:
            numbers = list(map(ours.numerators.__getitem__, group))
            candidates = [(sum(numbers) * factor, len(group))]
            size: int | Fraction = max(max(numbers), -min(numbers)) * factor
        else:
            fractions = case.numbers(group, position)
            candidates = [(a.numerator * unit, a.denominator) for a in fractions]
            size = case.magnitude(group, position) * unit
        found = []
        for value in values:
            of = [Cell(t, over, value * finer, unit, len(group), size) for t, over in candidates]
            found.append(of[0] if len(of) == 1 else min(of, key=lambda cell: cell.error))
        yield group, found


def _published_cells(
    case: AuditedRelease, publish: Publish, position: int, groups: Sequence[Group]
) -> Iterator[tuple[Group, list[Cell]]]:
    """Return the cells where the values published for a group depend on all groups."""
    ours, theirs = case.original.columns[position], case.released.columns[position]
    right = publish(ours.values(range(case.original.n)), groups)
    for value, group in zip(right, groups, strict=True):
        size = case.magnitude(group, position)
        written = {theirs[record] for record in group}
        yield group, [cell_of(value, one, len(group), size) for one in written]


def could_be_released(case: AuditedRelease, groups: Groups, members: Group) -> bool:
    """Return True if these records were released with their aggregates, written as all are.

    What is published for a group cannot be said before all groups are known.
    """
    if case.publish:
        return True
    for position, ways in enumerate(groups.possible):
        found = cells(case, position, [members])
        if not any(all(map(way.fits, found)) for way in ways):
            return False
    return not (case.original.others and foreign_values(case, members))


def could_be_all(case: AuditedRelease, groups: Groups, formed: Sequence[Group]) -> bool:
    """Return True if the values of each attribute are the groups' aggregates, all written in one
    way."""
    return all(
        _first(case, position, ways, formed) is not None
        for position, ways in enumerate(groups.possible)
    )


def _size_witness(case: Counted, partition: Classes) -> list[str]:
    group = partition.first_smallest()
    lines = [f"{listed_records(group)}: equal to no other record"]
    single = case.smallest_alone()
    if len(single) > 1 and min(single) >= case.k:
        lines.append(
            f"each attribute by itself is {min(single)}-anonymous, as after "
            "individual ranking; together they are not"
        )
    return lines


def _value_witness(case: Counted, position: int, groups: Classes, name: str) -> str:
    """The group whose released value is farthest from its aggregate."""
    cell, group = case.worst(position, groups)
    how = "" if name == NO_AGGREGATE else f" ({name})"
    timed = case.released.columns[position].kind if isinstance(case, AuditedRelease) else NUMERIC
    released, aggregate = (_read(x, timed) for x in (cell.released, cell.aggregate))
    return (
        f"{case.names[position]}: group {_shown(group)} was released as {released}; "
        f"its {case.place} is {aggregate}{how}"
    )


def _read(value: Fraction, kind: Kind) -> str:
    """A number for a reader, that of a date or time as a time."""
    return str(Instant(seconds_of(value, kind))) if kind.timed else number_text(value)
