"""A release of fuzzy microaggregation beside what is published of it: which rows are which centres.

Centres that are not published are the distinct released rows, provided that these are as many.
Centres can coincide, as far as the decimals of the release show: then they are one place, to
which a record comes with the sum of its memberships.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.audit.ladder import Case
from oracle.audit.memberships import Coordinates, Fuzziness, coordinates, log_sum
from refagg.constraints import Constraint, System, rounding_of
from refagg.model import Partition
from refagg.risk import release_classes
from refagg.standardise import Scaled
from refagg.tables import Column, Table
from refagg.trace import number_text

Row = tuple[Fraction, ...]

CLAMP = 1e-6
"""Records are drawn as if no distance were less than this share of the widest range."""

MOST_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Published:
    """What is known of how a release was made, beside the release."""

    forming: Fuzziness
    assigning: Fuzziness
    c: int
    centres: Sequence[Row] | None = None
    system: System | None = None
    constraints: tuple[Constraint, ...] = ()
    """What the system is made of."""
    guarantee: str = "none"
    last_move: float = 0.0
    """How far centres moved in the last iteration, as a share of the widest range, if that is
    published; a run that has not converged says so."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A release beside its centres, on the scale of distances.

    `places` are the rows of all places where records can be, those with records first, in the
    order of `classes`; `centres` are all centres, and `place_of` says which place each belongs to.
    """

    points: list[list[float]]
    classes: Partition
    places: list[Row]
    centres: list[list[float]]
    place_of: list[int]
    rounding: float
    """By how much rounding may have moved a centre, in coordinates."""
    complete: bool
    """Are all centres known?"""

    @property
    def assignment(self) -> list[int]:
        """For each record its place."""
        return self.classes.labels()

    @property
    def width(self) -> float:
        """The widest range of an attribute."""
        columns = list(zip(*self.points, strict=True))
        return max(max(column) - min(column) for column in columns) or 1.0

    def logs(self, how: Fuzziness) -> list[list[float]]:
        """The logarithms of each record's probabilities to be in each place."""
        members: list[list[int]] = [[] for _ in self.places]
        for centre, place in enumerate(self.place_of):
            members[place].append(centre)
        clamp = CLAMP * self.width
        rows = [how.logs(point, self.centres, clamp) for point in self.points]
        return [[log_sum([row[i] for i in own]) for own in members] for row in rows]


@dataclass(frozen=True, slots=True)
class Stray:
    """A released row that is no centre."""

    record: int
    row: Row
    nearest: Row


def slack_of(column: Column, tolerance: Fraction) -> Fraction:
    """How far a released value may be from the true one: half a unit of its last decimal."""
    digits = 0
    while digits < MOST_DIGITS and 10**digits % column.denominator:
        digits += 1
    greatest = Fraction(max(map(abs, column.numerators)), column.denominator)
    half = Fraction(1, 2 * 10**digits) if digits < MOST_DIGITS else Fraction(0)
    return half + tolerance * greatest


def slacks_of(table: Table, system: System | None, tolerance: Fraction) -> list[Fraction]:
    """How far each attribute may be off, also where it is computed from others that are rounded."""
    slacks = [slack_of(column, tolerance) for column in table.columns]
    rounding = rounding_of(system, 0) if system else None
    for one, _ in rounding.computed if rounding else ():
        reach = sum((abs(factor) * slacks[j] for j, factor in one.factors), Fraction(0))
        slacks[one.position] = max(slacks[one.position], reach)
    return slacks


def see(case: Case, scaled: Scaled, published: Published, tolerance: Fraction) -> Seen | Stray:
    """The release beside its centres; or a released row that is none."""
    classes = release_classes(case.released)
    rows = [case.released.row(group[0]) for group in classes.groups]
    slacks = slacks_of(case.released, published.system, tolerance)
    scale = coordinates(scaled)
    centres = rows if published.centres is None else list(published.centres)
    place_of, places = [], list(rows)
    for centre in centres:
        own = _near(centre, rows, slacks)
        if own is None:
            own = len(places)
            places.append(centre)
        place_of.append(own)
    for i, row in enumerate(rows):
        if i not in place_of:
            return Stray(classes.groups[i][0], row, _closest(row, centres, scale))
    shift = max(float(slack) * unit for slack, unit in zip(slacks, scale.units, strict=True))
    return Seen(
        scale.points(case.original),
        classes,
        places,
        [scale.point(centre) for centre in centres],
        place_of,
        shift,
        published.centres is not None or len(rows) == published.c,
    )


def _near(centre: Row, rows: Sequence[Row], slacks: Sequence[Fraction]) -> int | None:
    for i, row in enumerate(rows):
        if all(abs(x - v) <= s for x, v, s in zip(row, centre, slacks, strict=True)):
            return i
    return None


def _closest(row: Row, centres: Sequence[Row], scale: Coordinates) -> Row:
    at = scale.point(row)

    def apart(centre: Row) -> float:
        pairs = zip(at, scale.point(centre), strict=True)
        return sum((x - v) ** 2 for x, v in pairs)

    return min(centres, key=apart)


def row_text(row: Sequence[Fraction]) -> str:
    return "(" + ", ".join(number_text(value) for value in row) + ")"
