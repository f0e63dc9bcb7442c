"""Release of centres to which records were drawn from a seeded stream.

The question is what the seed of the random stream determines.

The whole run is determined up to rounding: centres, memberships, draws. Rounding can decide where
a run ends, at centres that are no stable minimum, and to which centre a record goes, where a draw
falls between two of them. So a release is compared with several runs: of the table as it is, of
tables that rounding could have made of it (`disturbed`), and one that goes on until centres are
still. What fits one of them is right. What fits none is wrong where they all agree; where they do
not, nothing can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from oracle.auditing import rendering
from oracle.auditing.driver import Check
from oracle.auditing.observed_release import row_text
from oracle.auditing.replay import undecided
from oracle.replay.explore import Undecided, explored_runs
from refagg.algorithms.fuzzy.assignment import assigned
from refagg.algorithms.fuzzy.microaggregation import (
    TOLERANCE,
    clustered,
    drawing_of,
    step_membership,
)
from refagg.algorithms.fuzzy.publishing import coordinate_projection
from refagg.constraints.system import system_of
from refagg.cursors.rows import values_at
from refagg.data.tables import Table, with_numbers
from refagg.errors import BeyondFloats, InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.method import Method
from refagg.spaces.binary64 import FloatSpace

STEP = Fraction(1, 2**53)
"""Half the distance from 1 to the next float."""

SHARE = Fraction(1, 10**9)
"""Of the range of an attribute, this much is taken for rounding in any case."""

LARGEST_SHARE = Fraction(1, 2**20)
"""No constant is off by a greater share of itself, in binary32 neither."""

GRAINS = 1 << 20


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins of error of attributes, and whether their values differ.

    A margin says by how much the values of an attribute may be off.
    """

    sizes: tuple[Fraction, ...]
    differ: tuple[bool, ...]

    def disturbed(self, table: Table, seed: int) -> Table:
        """Return the table with values perturbed within the margins.

        Equal records stay equal, and constant attributes what they are. The table of -seed is off
        in the other direction, so that of a choice between two each falls on one side.
        """
        random, sign = Random(abs(seed)), 1 if seed > 0 else -1
        pairs = zip(self.sizes, self.differ, strict=True)
        sizes = [sign * size if differ else 0 for size, differ in pairs]
        rows = [table.row(record) for record in range(table.n)]
        moved: dict[tuple[Fraction, ...], list[Fraction]] = {}
        for row in rows:
            if row not in moved:
                shares = [Fraction(random.randrange(-GRAINS, GRAINS), GRAINS) for _ in row]
                moved[row] = [x + s * m for x, s, m in zip(row, shares, sizes, strict=True)]
        return with_numbers(table, zip(*(moved[row] for row in rows), strict=True))


def margins_of(table: Table, tolerance: Fraction, centred: bool = False) -> Margins:
    """Return the error of sums, and the tolerance for small differences.

    A sum is one of all records.

    Sums are of values, or, if the program has `centred` them exactly, of differences of values.
    """
    different = [sorted(set(column.values(range(table.n)))) for column in table.columns]
    sizes = tuple(_margin(values, table.n, tolerance, centred) for values in different)
    return Margins(sizes, tuple(len(values) > 1 for values in different))


def _margin(values: Sequence[Fraction], n: int, tolerance: Fraction, centred: bool) -> Fraction:
    """Return the margin of an attribute with these ascending values."""
    largest = max(abs(values[0]), abs(values[-1]))
    rounding = 8 * n * STEP * (values[-1] - values[0] if centred else largest)
    if len(values) == 1:
        return rounding + min(tolerance, LARGEST_SHARE) * largest
    gap = min(after - before for before, after in pairwise(values))
    return rounding + SHARE * (values[-1] - values[0]) + tolerance * gap


@dataclass(frozen=True, slots=True)
class Allowed:
    """Errors allowed in released values.

    They are as great as the digits of the values show, and as the margins.
    """

    margins: tuple[Fraction, ...]
    units: tuple[Fraction | None, ...] = ()
    digits: tuple[int, ...] = ()
    """For each attribute what values are multiples of, and the number of significant digits."""

    def at(self, position: int, value: Fraction) -> Fraction:
        """Return the error allowed for a value of an attribute.

        `position` is that of the attribute.
        """
        if not self.units or (unit := self.units[position]) is None:
            return self.margins[position]
        half, digits = unit / 2, self.digits[position]
        if digits >= rendering.FEWEST_DIGITS:
            half = max(half, rendering.half_digit(value, digits))
        return half + self.margins[position]

    def near(self, released: Sequence[Fraction], row: Sequence[Fraction]) -> bool:
        """Return True if this row can have been released for that one."""
        pairs = enumerate(zip(released, row, strict=True))
        return all(abs(x - y) <= self.at(j, y) for j, (x, y) in pairs)

    def wider(self, by: Sequence[Fraction]) -> Allowed:
        """Return larger margins."""
        return replace(self, margins=tuple(m + w for m, w in zip(self.margins, by, strict=True)))


def allowed_for(
    table: Table, released: Table | None, tolerance: Fraction, centred: bool = False
) -> Allowed:
    """Return the greatest errors of the values released for a table."""
    sizes = margins_of(table, tolerance, centred).sizes
    if centred:  # What is released is rounded once more.
        largest = (max(map(abs, column.values(range(table.n)))) for column in table.columns)
        sizes = tuple(size + 2 * STEP * most for size, most in zip(sizes, largest, strict=True))
    if released is None:
        return Allowed(sizes)
    both = [(column, rendering.decimal_places(column)) for column in released.columns]
    digits = tuple(0 if p is None or c.kind.timed else rendering.most_digits(c, p) for c, p in both)
    return Allowed(sizes, tuple(map(rendering.written_unit, released.columns)), digits)


def ranges_of(table: Table) -> tuple[Fraction, ...]:
    """Return the range of each attribute.

    It is the difference of its greatest and its least value.
    """
    columns = (column.values(range(table.n)) for column in table.columns)
    return tuple(max(values) - min(values) for values in columns)


def farthest(
    ranges: Sequence[Fraction], one: Sequence[Fraction], other: Sequence[Fraction]
) -> Fraction:
    """Return the greatest difference of two rows, relative to ranges.

    Each difference is a share of the range of its attribute.
    """
    return max(
        abs(x - y) / width if width else Fraction(0)
        for x, y, width in zip(one, other, ranges, strict=True)
    )


Row = tuple[Fraction, ...]
Bounds = tuple[int, float]
"""How many runs are examined, and after how many seconds none is begun."""

SEEDS = (1, -1, 2, -2)
"""Of the disturbances that are tried."""

STILL = 1e-3
"""A run that goes on ends where centres move by this share of what ends the others."""

STABLE = Fraction(1, 1000)
"""Centres that disturbances move farther, as a share of a range, are not determined."""

CERTAIN = (1e-18, 1e-13)
"""Where other centres have a probability in between, rounding decides whether there is a draw."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer as read, at least one of `partition`, `blocks` and `released`.

    `blocks` are the partitions of several blocks of attributes, instead of one for all.
    `sse` is the text of the SSE claimed, which the check of the SSE reads.
    """

    partition: Partition | None
    released: Table | None
    sse: str | None
    blocks: tuple[Partition, ...] | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """End of a run: its centres, and the assignment of records.

    The assignment has the number of each record's centre.
    """

    centres: tuple[Row, ...]
    assignment: tuple[int, ...]
    certain: bool
    """Is it clear for every record whether a draw is made?"""

    def row(self, record: int) -> Row:
        return self.centres[self.assignment[record]]


@dataclass(frozen=True, slots=True)
class Told:
    """Answer, with the errors allowed in each of its values."""

    reading: Reading
    allowed: Allowed

    def stray(self, outcome: RunOutcome) -> tuple[int, ...]:
        """Return the records that a run places elsewhere.

        There are none if the answer has no released values.
        """
        released = self.reading.released
        if released is None:
            return ()
        records = range(released.n)
        return tuple(r for r in records if not self.allowed.near(released.row(r), outcome.row(r)))

    def fits(self, outcome: RunOutcome) -> bool:
        """Return True if this run gives the answer."""
        if self.stray(outcome):
            return False
        if self.reading.partition is None:
            return True
        labels = self.reading.partition.labels()
        homes: dict[int, int] = {}
        for label, home in zip(labels, outcome.assignment, strict=True):
            if homes.setdefault(home, label) != label:
                return False
        return all(
            self.allowed.near(outcome.row(group[0]), outcome.row(record))
            for group in self.reading.partition.groups
            for record in group
        )


def told_apart(table: Table, reading: Reading, tolerance: Fraction, centred: bool = False) -> Told:
    """Return the answer with its margins."""
    return Told(reading, allowed_for(table, reading.released, tolerance, centred))


def replayed(
    table: Table,
    method: Method,
    reading: Reading,
    tolerance: Fraction,
    bounds: Bounds,
    centred: bool = False,
) -> Check:
    """Check that the random stream of the method's seed gives the answer.

    A program may round sums of values, or, if it is `centred`, only sums of their differences.
    """
    answer = told_apart(table, reading, tolerance, centred)
    own: list[RunOutcome] = []
    try:
        for outcome in outcomes(table, method, TOLERANCE, bounds):
            if answer.fits(outcome):
                return Check("run", "holds", f"the seed {method.seed} gives this")
            own.append(outcome)
        others = _others(table, method, margins_of(table, tolerance, centred), bounds)
    except Undecided:
        return Check("run", "not judged", undecided(*bounds))
    except (BeyondFloats, InvalidParameter) as error:
        return Check("run", "not judged", f"the algorithm cannot be run on these records: {error}")
    moved = max((_apart(table, own, other) for other in others), default=Fraction(1))
    if moved <= STABLE:
        answer = Told(reading, answer.allowed.wider([2 * moved * r for r in ranges_of(table)]))
    if any(answer.fits(outcome) for group in (own, *others) for outcome in group):
        return Check("run", "holds", f"the seed {method.seed} gives this, up to rounding")
    certain = all(outcome.certain for group in (own, *others) for outcome in group)
    if moved > STABLE or not certain or tolerance >= rendering.COARSEST:
        reason = "with these records and this seed, centres or draws depend on rounding"
        return Check("run", "not judged", reason)
    text = f"the seed {method.seed} gives a different answer"
    return Check("run", "fails", text, _witness(answer, own))


def outcomes(table: Table, method: Method, stop: float, bounds: Bounds) -> Iterator[RunOutcome]:
    """Yield the ends of all runs.

    There is one for each way of breaking ties. Raises Undecided.
    """
    space = FloatSpace(method.scaled(table))
    limit, seconds = bounds
    for outcome, _ in explored_runs(
        lambda choices: _run(space, table.names, method, choices, stop), limit, seconds=seconds
    ):
        yield outcome


def _run(
    space: FloatSpace, names: Sequence[str], method: Method, choices: Choices, stop: float
) -> RunOutcome:
    choices.stream = method.stream()
    given: dict[str, Any] = method.parameters
    first, second = (
        step_membership(given["kind"], given[f"m{i}"], given[f"lambda{i}"]) for i in (1, 2)
    )
    c = given["c"] or max(1, space.n // method.k)
    system = system_of(method.constraints, names) if method.constraints else None
    project = coordinate_projection(space, system) if system else None
    clustering = clustered(space, c, choices, first, given["limit"], project, stop)
    made = assigned(drawing_of(space, choices, clustering, second), method.k, given["guarantee"])
    centres = values_at(clustering.centres, space.origin, space.weights)
    if system:
        centres = list(map(tuple, map(system.projector(space.weights), centres)))
    least, most = CERTAIN
    others = (sum(sorted(row)[:-1]) for row in made.probabilities)
    certain = all(not least < other < most for other in others)
    return RunOutcome(tuple(centres), tuple(made.assignment), certain)


def _others(
    table: Table, method: Method, margins: Margins, bounds: Bounds
) -> list[list[RunOutcome]]:
    """Return the runs on perturbed values and with a stricter tolerance."""
    near = [margins.disturbed(table, seed) for seed in SEEDS]
    found = [list(outcomes(other, method, TOLERANCE, bounds)) for other in near]
    return [*found, list(outcomes(table, method, STILL * TOLERANCE, bounds))]


def _apart(table: Table, own: Sequence[RunOutcome], other: Sequence[RunOutcome]) -> Fraction:
    """Return the distance of centres, as a share of a range.

    It is 1 where records are drawn elsewhere.
    """
    if {outcome.assignment for outcome in own} != {outcome.assignment for outcome in other}:
        return Fraction(1)
    pairs, ranges = zip(own[0].centres, other[0].centres, strict=True), ranges_of(table)
    return max(farthest(ranges, one, two) for one, two in pairs)


def _witness(answer: Told, own: Sequence[RunOutcome]) -> tuple[str, ...]:
    """Return a record that the answer assigns differently.

    Returned, too, is the run that agrees with the answer most.
    """
    nearest = min(own, key=lambda outcome: len(answer.stray(outcome)))
    stray = answer.stray(nearest)
    if not stray or answer.reading.released is None:
        groups = Partition.from_labels(nearest.assignment).groups
        text = " | ".join(" ".join(map(str, group)) for group in groups)
        return (f"the seed gives {text}",)
    theirs = row_text(answer.reading.released.row(stray[0]))
    ours = row_text(nearest.row(stray[0]))
    return (f"record {stray[0]} is released with {theirs}; the seed gives {ours}",)
