"""Drawings of groups on a plane, for a page.

They are drawings of a release, among all records, or of a few records.

They are written as SVG here, not by matplotlib: of thousands of records a page stays small. Of a
release whose records were drawn there are sizes, test, power and attacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from oracle.auditing.driver import Check
from oracle.conformance.judge.texts import partition_text
from oracle.report.pages import svg_head
from refagg.comparison.plot_geometry import Point, convex_hull
from refagg.comparison.principal import plane
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import RefaggError
from refagg.language.number_texts import number_of
from refagg.language.partition import Group

MOST_HULLS = 40
"""Groups up to which all are drawn in one picture; more cannot be distinguished."""

MOST_DRAWN = 4000
"""Records up to which each is drawn as a dot; of more, every second, third ..."""

MOST_NUMBERED = 12
"""Records up to which each has its number in a picture of one group."""

WIDTH, HEIGHT, MARGIN = 480, 360, 14
SMALL = 0.5
"""A picture of one group is so much smaller."""

_NAMED = re.compile(r"\b(?:records?|group|with) ((?:\d+ ?)+)|, (\d+) at distance")


class Plane:
    """Records on a plane, scaled to a picture.

    The dots of all are written once on a page.
    """

    def __init__(self, points: Sequence[Point], labels: tuple[str, str], name: str) -> None:
        self.labels, self.name, self.written = labels, name, False
        xs, ys = zip(*points, strict=True)
        first, low = min(xs), min(ys)
        across, up = max(xs) - first, max(ys) - low
        scale = min((WIDTH - 2 * MARGIN) / (across or 1.0), (HEIGHT - 2 * MARGIN) / (up or 1.0))
        self.width, self.height = 2 * MARGIN + scale * across, 2 * MARGIN + scale * up
        self.width, left = max(self.width, WIDTH / 2), max(0.0, WIDTH / 2 - self.width) / 2
        self.height, top = max(self.height, HEIGHT / 3), max(0.0, HEIGHT / 3 - self.height) / 2
        left, bottom = left + MARGIN, self.height - top - MARGIN
        self.places = [(left + scale * (x - first), bottom - scale * (y - low)) for x, y in points]

    @property
    def step(self) -> int:
        """Return the step between records that are dots.

        It is 1 where every record is a dot, 2 where every second is, ...
        """
        return ceil(len(self.places) / MOST_DRAWN)

    def all_groups(self, groups: Sequence[Group]) -> str:
        """Draw the groups in hulls of different colours.

        Each has a colour of its own.
        """
        shapes = [
            self._hull(group, number) + self._dots(group[:: self.step], number)
            for number, group in enumerate(groups)
        ]
        title = f"{len(groups)} groups of {len(self.places)} records"
        return self._picture(title, f"{self.name}-groups", shapes, 1.0)

    def one_group(self, group: Sequence[int], name: str, title: str, number: int = 1) -> str:
        """Draw a group among all records.

        The numbers of its records are written where they are few.
        """
        known = [record for record in group if record < len(self.places)]
        shapes = [self._cloud(), self._hull(known, number), self._dots(known, number, 11)]
        if len(known) <= MOST_NUMBERED:
            shapes += self._numbers(known)
        return self._picture(title, f"{self.name}-{name}", shapes, SMALL)

    def _cloud(self) -> str:
        """Draw all records, written where they are used first."""
        identity = f"{self.name}-all"
        if self.written:
            return f'<use href="#{identity}"/>'
        self.written = True
        every = range(0, len(self.places), self.step)
        return f'<g id="{identity}"><path class="dots" d="{self._path(every)}"/></g>'

    def _path(self, records: Iterable[int]) -> str:
        places = (self.places[record] for record in records)
        dots = dict.fromkeys((round(x), round(y)) for x, y in places)
        return "".join(f"M{x} {y}h0" for x, y in dots)

    def _dots(self, records: Sequence[int], number: int, size: int = 6) -> str:
        style = f"stroke: var(--group-{number % COLOURS}); stroke-width: {size}; opacity: 1"
        return f'<path class="dots" d="{self._path(records)}" style="{style}"/>'

    def _hull(self, group: Sequence[int], number: int) -> str:
        places = [self.places[record] for record in group]
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in convex_hull(places)) if places else ""
        colour = f"var(--group-{number % COLOURS})"
        return (
            f'<polygon points="{corners}" style="fill: {colour}; stroke: {colour}" class="hull"/>'
        )

    def _numbers(self, records: Sequence[int]) -> list[str]:
        """Draw the numbers of records.

        They stand to the side where there is space; those that would cover each other are left out.
        """
        found: list[str] = []
        taken: list[Point] = []
        for record in records:
            x, y = self.places[record]
            if any(abs(x - a) < 70 and abs(y - b) < 26 for a, b in taken):
                continue
            taken.append((x, y))
            end = x > self.width - 70
            at = f'x="{x - 10 if end else x + 10:.0f}" y="{max(y - 8, 22):.0f}"'
            side = ' text-anchor="end"' if end else ""
            found.append(f'<text class="record" {at}{side}>{record}</text>')
        return found

    def _picture(self, title: str, name: str, shapes: Iterable[str], scale: float) -> str:
        about = f"{title}; across {self.labels[0]}, upwards {self.labels[1]}"
        view = f'class="plane" viewBox="0 0 {self.width:.0f} {self.height:.0f}"'
        look = f'{view} style="width: {scale * self.width / 16:.4g}rem"'
        return "\n".join([svg_head(look, name, title, about), *shapes, "</svg>"])


def records_named(line: str) -> list[int]:
    """Return the records that a line of a witness names, each once.

    >>> records_named("x1: group 1 4 5 was released as 53.3; its aggregate is 160/3")
    [1, 4, 5]
    >>> records_named("record 12 is grouped with 17 at distance^2 9, 28 at distance^2 15")
    [12, 17, 28]
    """
    found: dict[int, None] = {}
    for several, one in _NAMED.findall(line):
        found |= dict.fromkeys(map(int, (several or one).split()))
    return list(found)


ASSIGNMENT, SIZES = "assignment", "group sizes"

STATISTICS = {
    "p_likelihood": ("likelihood", "records are at their likely centres too often, or too seldom"),
    "p_sizes": ("sizes", "group sizes are too far from the expected ones, or too near to them"),
    "p_rarest": ("rarest record", "a record is at a centre of low probability"),
    "p": ("the three together", "Bonferroni: three times the least of them, at most 1"),
}

SIZE_FACTS = ("expected_sizes", "standard_deviations_of_sizes", "realised_sizes")

ATTACKS = {
    "nearest": "nearest centre",
    "posterior": "posterior",
    "mdav_nearest": "nearest centre, on a release of MDAV",
}


@dataclass(frozen=True, slots=True)
class Size:
    """Size of a group: expected, standard deviation, and realised."""

    number: int
    expected: float
    deviation: float
    realised: int


@dataclass(frozen=True, slots=True)
class Draws:
    """The checks of assignment and sizes in one block of attributes."""

    assignment: Check | None
    group_sizes: Check

    @property
    def sizes(self) -> list[Size]:
        """Return the size for each centre.

        There are none where the test was not made.
        """
        columns = [self._found.get(name, ()) for name in SIZE_FACTS]
        return [Size(number, *row) for number, row in enumerate(zip(*columns, strict=True))]

    @property
    def p_values(self) -> list[tuple[str, str, float]]:
        """Return a name, what a small one means, and the p-value."""
        found = self._found
        return [(*words, found[key]) for key, words in STATISTICS.items() if key in found]

    @property
    def power(self) -> Mapping[str, float]:
        """Return the power of the test for each alternative.

        It is the share that the test rejects, for each way of assigning records wrongly.
        """
        found: Mapping[str, float] = self._found.get("power", {})
        return found

    @property
    def _found(self) -> Mapping[str, Any]:
        return self.assignment.details if self.assignment else {}


def draws_of(checks: Sequence[Check]) -> Draws | None:
    """Return the facts about draws, where records were drawn."""
    named = {check.name: check for check in checks}
    return Draws(named.get(ASSIGNMENT), named[SIZES]) if SIZES in named else None


def attacks_of(facts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    """Return the attacks of the facts with their names."""
    found = facts.get("transparency_attack", {})
    return [(name, found[key]) for key, name in ATTACKS.items() if key in found]


WIDE, HIGH, BORDER, RADIUS = 320, 200, 26, 10
COLOURS = 10
"""The page has so many colours for groups."""


def records_picture(
    records: Sequence[Sequence[str]],
    groups: Iterable[Sequence[int]],
    name: str,
    title: str,
    written: str | None = None,
) -> str | None:
    """Draw the records on the plane, with shapes around groups.

    None if they cannot be drawn.

    One attribute is drawn on a line, two as they are, more on their principal plane. Equal
    records stand side by side. Records in no group, or in several, have no shape. The dots are
    those of a picture of the same records, if one of this name was `written`.
    """
    if {len(row) for row in records} != {len(records[0])} or not records[0]:
        return None
    try:
        places = _places(records)
    except (RefaggError, ValueError, OverflowError):
        return None
    known = [[r for r in group if 0 <= r < len(records)] for group in groups]
    shapes = [_shape([places[r] for r in g], number) for number, g in enumerate(known) if g]
    if written is None:
        every = "\n".join(_dot(record, place) for record, place in enumerate(places))
        dots = [f'<g id="{name}-dots" class="records">{every}</g>']
    else:
        dots = [f'<use href="#{written}-dots"/>']
    height = max(y for _, y in places) + BORDER
    about = f"groups of records: {partition_text(known)}"
    look = f'viewBox="0 0 {WIDE} {height:.5g}" style="width: 20rem"'
    return "\n".join([svg_head(look, name, title, about), *shapes, *dots, "</svg>"])


def _places(records: Sequence[Sequence[str]]) -> list[Point]:
    """Return the place where each record is drawn."""
    rows = [[number_of(cell, "") for cell in row] for row in records]
    width = len(rows[0])
    if width > 2:
        points, _ = plane(standardise(table_of(rows), "none"))
        rows = [list(map(Fraction, point)) for point in points]
    across = _scaled([row[0] for row in rows], WIDE)
    upwards = _scaled([row[1] for row in rows], HIGH) if width > 1 else None
    places = [
        (x, BORDER if upwards is None else HIGH - upwards[record])
        for record, x in enumerate(across)
    ]
    return _apart(places)


def _scaled(values: Sequence[Fraction], width: int) -> list[float]:
    """Return the values, scaled to lie between the margins.

    They are exact until they are scaled, as they may be far from 0.
    """
    least, most = min(values), max(values)
    spread = most - least
    if not spread:
        return [width / 2] * len(values)
    return [BORDER + float((value - least) / spread) * (width - 2 * BORDER) for value in values]


def _apart(places: Sequence[Point]) -> list[Point]:
    """Return places, with overlapping records one above the other.

    They would cover each other.
    """
    taken: dict[tuple[int, int], int] = defaultdict(int)
    found = []
    for x, y in places:
        spot = round(x / (2 * RADIUS)), round(y / (2 * RADIUS))
        found.append((x, y + taken[spot] * (2 * RADIUS + 1)))
        taken[spot] += 1
    return found


def _shape(places: Sequence[Point], number: int) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in [*convex_hull(places), places[0]])
    colour = f"var(--group-{number % COLOURS})"
    return f'<polygon class="drawn" points="{corners}" style="fill: {colour}; stroke: {colour}"/>'


def _dot(record: int, place: Point) -> str:
    x, y = place
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}">{record}</text>'
    )
