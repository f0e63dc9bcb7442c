"""A release of centres to which records were drawn: what the seed of a random stream determines.

The whole run is determined but for rounding: centres, memberships, draws. Rounding can decide where
a run ends, at centres that are no stable minimum, and to which centre a record goes, where a draw
falls between two of them. So a release is compared with several runs: of the table as it is, of
tables that rounding could have made of it (`disturbed`), and one that goes on until centres are
still. What fits one of them is right. What fits none is wrong where they all agree; where they do
not, nothing can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracle.auditing.checks import Check
from oracle.auditing.observed_release import row_text
from oracle.auditing.perturbation import (
    Allowed,
    Margins,
    allowed_for,
    farthest,
    margins_of,
    ranges_of,
)
from oracle.auditing.replay import undecided
from oracle.auditing.tolerance import COARSEST
from oracle.replay.explore import Undecided, runs
from refagg.algorithms.fuzzy.assignment import assigned
from refagg.algorithms.fuzzy.microaggregation import (
    TOLERANCE,
    clustered,
    drawing_of,
    step_membership,
)
from refagg.algorithms.fuzzy.publishing import coordinate_projection, values_at
from refagg.constraints import system_of
from refagg.data.tables import Table
from refagg.errors import BeyondFloats, InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.method import Method
from refagg.spaces.binary64 import FloatSpace

Row = tuple[Fraction, ...]
Bounds = tuple[int, float]
"""How many runs are looked at, and after how many seconds none is begun."""

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
class Outcome:
    """The end of a run: its centres, and the number of each record's."""

    centres: tuple[Row, ...]
    assignment: tuple[int, ...]
    certain: bool
    """Is it clear for every record whether a draw is made?"""

    def row(self, record: int) -> Row:
        return self.centres[self.assignment[record]]


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, with what each of its values may be off by."""

    reading: Reading
    allowed: Allowed

    def stray(self, outcome: Outcome) -> tuple[int, ...]:
        """The records that are not where a run has them, if their values are told."""
        released = self.reading.released
        if released is None:
            return ()
        records = range(released.n)
        return tuple(r for r in records if not self.allowed.near(released.row(r), outcome.row(r)))

    def fits(self, outcome: Outcome) -> bool:
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


def told(table: Table, reading: Reading, tolerance: Fraction, centred: bool = False) -> Told:
    """The answer with its margins."""
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
    answer = told(table, reading, tolerance, centred)
    own: list[Outcome] = []
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
    if moved > STABLE or not certain or tolerance >= COARSEST:
        reason = "with these records and this seed, centres or draws depend on rounding"
        return Check("run", "not judged", reason)
    return Check(
        "run", "fails", f"the seed {method.seed} gives a different answer", _witness(answer, own)
    )


def outcomes(table: Table, method: Method, stop: float, bounds: Bounds) -> Iterator[Outcome]:
    """The ends of all runs, one for each way of breaking ties. Raises Undecided."""
    space = FloatSpace(method.scaled(table))
    limit, seconds = bounds
    for outcome, _ in runs(
        lambda choices: _run(space, table.names, method, choices, stop), limit, seconds=seconds
    ):
        yield outcome


def _run(
    space: FloatSpace, names: Sequence[str], method: Method, choices: Choices, stop: float
) -> Outcome:
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
    return Outcome(tuple(centres), tuple(made.assignment), certain)


def _others(table: Table, method: Method, margins: Margins, bounds: Bounds) -> list[list[Outcome]]:
    """The runs on perturbed values, and the run with a stricter tolerance."""
    near = [margins.disturbed(table, seed) for seed in SEEDS]
    found = [list(outcomes(other, method, TOLERANCE, bounds)) for other in near]
    return [*found, list(outcomes(table, method, STILL * TOLERANCE, bounds))]


def _apart(table: Table, own: Sequence[Outcome], other: Sequence[Outcome]) -> Fraction:
    """Return the distance of centres, as a share of a range; 1 where records are drawn
    elsewhere."""
    if {outcome.assignment for outcome in own} != {outcome.assignment for outcome in other}:
        return Fraction(1)
    pairs, ranges = zip(own[0].centres, other[0].centres, strict=True), ranges_of(table)
    return max(farthest(ranges, one, two) for one, two in pairs)


def _witness(answer: Told, own: Sequence[Outcome]) -> tuple[str, ...]:
    """A record that the answer assigns differently, and the run that agrees with it most."""
    nearest = min(own, key=lambda outcome: len(answer.stray(outcome)))
    stray = answer.stray(nearest)
    if not stray or answer.reading.released is None:
        groups: dict[int, list[int]] = {}
        for record, home in enumerate(nearest.assignment):
            groups.setdefault(home, []).append(record)
        text = " | ".join(" ".join(map(str, group)) for group in sorted(groups.values()))
        return (f"the seed gives {text}",)
    theirs = row_text(answer.reading.released.row(stray[0]))
    ours = row_text(nearest.row(stray[0]))
    return (f"record {stray[0]} is released with {theirs}; the seed gives {ours}",)
