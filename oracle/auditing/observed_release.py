"""Observed release of fuzzy microaggregation: rows matched to centres.

It stands beside what is published of it; the question is which rows are which centres.

Centres that are not published are the distinct released rows, provided that these are as many.
Centres can coincide, as far as the decimals of the release show: then they are one place, to
which a record comes with the sum of its memberships.

Memberships and centres of fuzzy c-means are written again here, to be independent. A kind is "fcm"
with its m, "efcm" with its lambda, or "crisp".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import dist, exp, fsum, inf, log
from operator import mul

from oracle.auditing.cases import AuditedRelease
from oracle.auditing.rendering import half_unit
from refagg.constraints.equations import Constraint
from refagg.constraints.rounding import rounding_of
from refagg.constraints.system import System
from refagg.data.standardise import Scaled, column_mean
from refagg.data.tables import Column, Table
from refagg.errors import BeyondFloats
from refagg.language.number_texts import number_text
from refagg.language.partition import Partition
from refagg.linear_algebra.matrices import root
from refagg.release.risk import release_classes

LARGEST = Fraction(10**150)
"""Coordinates must not be larger: their squares are added."""

Point = Sequence[float]


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """A kind of memberships, and its m or lambda."""

    kind: str
    value: float = 1.0

    @property
    def text(self) -> str:
        name = {"fcm": f"m = {self.value:g}", "efcm": f"lambda = {self.value:g}"}
        return name.get(self.kind, "crisp")

    def logs(self, point: Point, centres: Sequence[Point], clamp: float = 0.0) -> list[float]:
        """Return the logarithms of the memberships of a point.

        No distance counts as less than `clamp`.
        """
        squares = [max(dist(point, centre), clamp) ** 2 for centre in centres]
        least = min(squares)
        if self.kind == "crisp" or (self.kind == "fcm" and least == 0):
            raw = [0.0 if square == least else -inf for square in squares]
        elif self.kind == "fcm":
            raw = [(log(least) - log(square)) / (self.value - 1) for square in squares]
        else:
            raw = [self.value * (least - square) for square in squares]
        total = log(fsum(map(exp, raw)))
        return [x - total for x in raw]

    @property
    def power(self) -> float:
        """Return the power of memberships by which centres weigh records."""
        return self.value if self.kind == "fcm" else 1.0


@dataclass(frozen=True, slots=True)
class ScaledCoordinates:
    """The scale on which distances are measured, in binary64."""

    origin: tuple[Fraction, ...]
    units: tuple[Fraction, ...]

    def point(self, row: Sequence[Fraction]) -> list[float]:
        """Return the coordinates. Raises BeyondFloats."""
        found = [(x - o) * unit for x, o, unit in zip(row, self.origin, self.units, strict=True)]
        if any(abs(x) > LARGEST for x in found):
            raise BeyondFloats(
                f"a coordinate is {number_text(max(map(abs, found)))}; memberships are computed in "
                f"binary64 from coordinates of at most {float(LARGEST):g}; standardise the "
                "attributes, or measure them in other units"
            )
        return list(map(float, found))

    def points(self, table: Table) -> list[list[float]]:
        return [self.point(table.row(record)) for record in range(table.n)]

    def row(self, point: Point) -> list[Fraction]:
        """Return the values at a point.

        An attribute that does not count is at its mean.
        """
        return [
            o + (Fraction(x) / unit if unit else 0)
            for x, o, unit in zip(point, self.origin, self.units, strict=True)
        ]


def scaled_coordinates(scaled: Scaled) -> ScaledCoordinates:
    """Return scaled coordinates.

    They are differences from the mean of each attribute, times the root of its weight.
    """
    return ScaledCoordinates(
        tuple(column_mean(column) for column in scaled.table.columns),
        tuple(root(weight) for weight in scaled.weights),
    )


def next_centres(
    points: Sequence[Point], centres: Sequence[Point], how: Fuzziness
) -> list[list[float]]:
    """Return the centres after one step of memberships and centres.

    A centre without members stays.
    """
    logs = [how.logs(point, centres) for point in points]
    found = []
    for i, centre in enumerate(centres):
        powers = [how.power * row[i] for row in logs]
        greatest = max(powers)
        if greatest == -inf:
            found.append(list(centre))
            continue
        weights = [exp(x - greatest) for x in powers]
        total = fsum(weights)
        columns = zip(*points, strict=True)
        found.append([fsum(map(mul, weights, column)) / total for column in columns])
    return found


def log_sum(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of probabilities given by their logarithms."""
    greatest = max(logs)
    return greatest if greatest == -inf else greatest + log(fsum(exp(x - greatest) for x in logs))


Row = tuple[Fraction, ...]

CLAMP = 1e-6
"""Records are drawn as if no distance were less than this share of the widest range."""

DIGIT = Fraction(1, 2**53)
"""Half the distance from 1 to the next binary64 number."""


@dataclass(frozen=True, slots=True)
class Published:
    """The facts about the making of a release, beside the release."""

    forming: Fuzziness
    assigning: Fuzziness
    c: int
    centres: Sequence[Row] | None = None
    system: System | None = None
    constraints: tuple[Constraint, ...] = ()
    """What the system is made of."""
    guarantee: str = "none"
    last_move: float | None = 0.0
    """How far centres moved in the last iteration, as a share of the widest range; a run that has
    not converged says so. None if it is not published."""


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
        """Return the place of each record."""
        return self.classes.labels()

    @property
    def width(self) -> float:
        """Return the widest range of an attribute."""
        columns = list(zip(*self.points, strict=True))
        return max(max(column) - min(column) for column in columns) or 1.0

    def logs(self, how: Fuzziness) -> list[list[float]]:
        """Return the logarithms of each record's probabilities to be in each place."""
        members: list[list[int]] = [[] for _ in self.places]
        for centre, place in enumerate(self.place_of):
            members[place].append(centre)
        clamp = CLAMP * self.width
        rows = [how.logs(point, self.centres, clamp) for point in self.points]
        return [[log_sum([row[i] for i in own]) for own in members] for row in rows]


@dataclass(frozen=True, slots=True)
class OutlyingRow:
    """A released row that is not a centre."""

    record: int
    row: Row
    nearest: Row
    holder: int | None
    """A record that is released with that centre, if there is one."""

    @property
    def off(self) -> Fraction:
        """Return the greatest difference from the nearest centre."""
        return max(abs(x - v) for x, v in zip(self.row, self.nearest, strict=True))


def slack_of(column: Column, tolerance: Fraction) -> Fraction:
    """Return the greatest error of a released value.

    It is half a unit of its last decimal, and the tolerance times the largest value.
    """
    greatest = Fraction(max(map(abs, column.numerators)), column.denominator)
    return half_unit(column) + tolerance * greatest


def slacks_of(table: Table, system: System | None, tolerance: Fraction) -> list[Fraction]:
    """Return the greatest error of each attribute.

    An attribute may be computed from others that are rounded.
    """
    slacks = [slack_of(column, tolerance) for column in table.columns]
    rounding = rounding_of(system, 0) if system else None
    for one, _ in rounding.computed if rounding else ():
        reach = sum((abs(factor) * slacks[j] for j, factor in one.factors), Fraction(0))
        slacks[one.position] = max(slacks[one.position], reach)
    return slacks


def see(
    case: AuditedRelease, scaled: Scaled, published: Published, tolerance: Fraction
) -> Seen | OutlyingRow:
    """Return the release beside its centres, or an outlying row.

    The latter is a released row that is no centre.

    Each released row needs a centre of its own. A centre that is left is in the place of the
    nearest row as which it may have been written, or in a place of its own.
    """
    classes = release_classes(case.released)
    rows = [case.released.row(group[0]) for group in classes.groups]
    slacks = slacks_of(case.released, published.system, tolerance)
    scale = scaled_coordinates(scaled)
    centres = rows if published.centres is None else list(published.centres)
    nearest = [_by_distance(row, centres, slacks, scaled.weights) for row in rows]
    homes = matched_centres(nearest)
    if len(homes) < len(rows):
        i = min(set(range(len(rows))) - set(homes.values()))
        return _stray(i, rows, classes, centres, homes, scaled.weights)
    halves = slacks_of(case.released, published.system, Fraction(0))
    places, place_of = list(rows), []
    for number, centre in enumerate(centres):
        written = [half + DIGIT * abs(x) for half, x in zip(halves, centre, strict=True)]
        near = (
            [homes[number]]
            if number in homes
            else _by_distance(centre, rows, written, scaled.weights)
        )
        place_of.append(near[0] if near else len(places))
        if not near:
            places.append(centre)
    shift = max(slack * unit for slack, unit in zip(slacks, scale.units, strict=True))
    return Seen(
        scale.points(case.original),
        classes,
        places,
        [scale.point(centre) for centre in centres],
        place_of,
        _float(shift),
        published.centres is not None or len(rows) == published.c,
    )


def _float(shift: Fraction) -> float:
    """Convert a number to a float.

    Raises BeyondFloats.
    """
    try:
        return float(shift)
    except OverflowError:
        raise BeyondFloats(
            "the rounding of distances from the centres is outside the range of binary64, and so "
            "memberships cannot be computed"
        ) from None


def _by_distance(
    row: Row, others: Sequence[Row], slacks: Sequence[Fraction], weights: Sequence[Fraction]
) -> list[int]:
    """Return the rows within the slacks of this one, nearest first.

    They are returned by their numbers.
    """
    found = []
    for number, other in enumerate(others):
        gaps = [x - v for x, v in zip(row, other, strict=True)]
        if all(abs(gap) <= slack for gap, slack in zip(gaps, slacks, strict=True)):
            apart = sum(w * gap * gap for w, gap in zip(weights, gaps, strict=True) if gap)
            found.append((apart, number))
    return [number for _, number in sorted(found)]


def matched_centres(candidates: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return a maximum matching of rows to centres.

    There is a centre for each row, no two of them the same one, for as many rows as possible.

    `candidates` are those of each row, in the order in which they are preferred. The keys of the
    result are centres, its values rows.

    >>> matched_centres([[0, 1], [0]])
    {0: 1, 1: 0}
    """
    homes: dict[int, int] = {}
    for start in range(len(candidates)):
        came: dict[int, int] = {}
        waiting = [start]
        for row in waiting:
            new = [centre for centre in candidates[row] if centre not in came]
            came |= dict.fromkeys(new, row)
            free = next((centre for centre in new if centre not in homes), None)
            if free is not None:
                _moved_up(homes, came, free)
                break
            waiting += [homes[centre] for centre in new]
    return homes


def _moved_up(homes: dict[int, int], came: dict[int, int], free: int) -> None:
    """Give the free centre to the row that found it.

    That row's centre goes to the row before, and so on.
    """
    had = {row: centre for centre, row in homes.items()}
    centre: int | None = free
    while centre is not None:
        row = came[centre]
        homes[centre] = row
        centre = had.get(row)


def _stray(
    i: int,
    rows: Sequence[Row],
    classes: Partition,
    centres: Sequence[Row],
    homes: dict[int, int],
    weights: Sequence[Fraction],
) -> OutlyingRow:
    endless = [abs(x) + max(abs(v[j]) for v in centres) for j, x in enumerate(rows[i])]
    nearest = _by_distance(rows[i], centres, endless, weights)[0]
    holder = classes.groups[homes[nearest]][0] if nearest in homes else None
    return OutlyingRow(classes.groups[i][0], rows[i], centres[nearest], holder)


def row_text(row: Sequence[Fraction]) -> str:
    return "(" + ", ".join(number_text(value) for value in row) + ")"
