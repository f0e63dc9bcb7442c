"""Drawings of groups on a plane, for a page: all groups of a release, or one among all records.

They are written as SVG here, not by matplotlib: of thousands of records a page stays small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from math import ceil

from oracle.report.records import COLOURS
from refagg.comparison.plot_geometry import Point, convex_hull
from refagg.language.partition import Group

MOST_HULLS = 40
"""Groups up to which all are drawn in one picture; more cannot be told apart."""

MOST_DRAWN = 4000
"""Records up to which each is drawn as a dot; of more, every second, third ..."""

MOST_NUMBERED = 12
"""Records up to which each has its number in a picture of one group."""

WIDTH, HEIGHT, MARGIN = 480, 360, 14
SMALL = 0.5
"""A picture of one group is so much smaller."""

_NAMED = re.compile(r"\b(?:records?|group|with) ((?:\d+ ?)+)|, (\d+) at distance")


class Plane:
    """Records on a plane, scaled to a picture; the dots of all are written once on a page."""

    def __init__(self, points: Sequence[Point], labels: tuple[str, str], name: str) -> None:
        self.labels, self.name, self.written = labels, name, False
        xs, ys = zip(*points, strict=True)
        scale = min(
            (WIDTH - 2 * MARGIN) / ((max(xs) - min(xs)) or 1.0),
            (HEIGHT - 2 * MARGIN) / ((max(ys) - min(ys)) or 1.0),
        )
        self.width = 2 * MARGIN + scale * (max(xs) - min(xs))
        self.height = 2 * MARGIN + scale * (max(ys) - min(ys))
        self.width, left = max(self.width, WIDTH / 2), max(0.0, WIDTH / 2 - self.width) / 2
        self.height, top = max(self.height, HEIGHT / 3), max(0.0, HEIGHT / 3 - self.height) / 2
        self.places = [
            (
                left + MARGIN + scale * (x - min(xs)),
                self.height - top - MARGIN - scale * (y - min(ys)),
            )
            for x, y in points
        ]

    @property
    def step(self) -> int:
        """1 where every record is a dot, 2 where every second is, ..."""
        return ceil(len(self.places) / MOST_DRAWN)

    def all_groups(self, groups: Sequence[Group]) -> str:
        """The groups in their hulls, each in a colour of its own."""
        shapes = [
            hull + dots
            for number, group in enumerate(groups)
            for hull, dots in [(self._hull(group, number), self._dots(group[:: self.step], number))]
        ]
        title = f"{len(groups)} groups of {len(self.places)} records"
        return self._picture(title, f"{self.name}-groups", shapes, 1.0)

    def one_group(self, group: Sequence[int], name: str, title: str, number: int = 1) -> str:
        """A group among all records, with the numbers of its records where they are few."""
        known = [record for record in group if record < len(self.places)]
        shapes = [self._cloud(), self._hull(known, number), self._dots(known, number, 11)]
        if len(known) <= MOST_NUMBERED:
            shapes += self._numbers(known)
        return self._picture(title, f"{self.name}-{name}", shapes, SMALL)

    def _cloud(self) -> str:
        """All records, written where they are used first."""
        identity = f"{self.name}-all"
        if self.written:
            return f'<use href="#{identity}"/>'
        self.written = True
        every = range(0, len(self.places), self.step)
        return f'<g id="{identity}"><path class="dots" d="{self._path(every)}"/></g>'

    def _path(self, records: Iterable[int]) -> str:
        return "".join(
            f"M{x:.0f} {y:.0f}h0" for x, y in dict.fromkeys(self._rounded(r) for r in records)
        )

    def _rounded(self, record: int) -> Point:
        x, y = self.places[record]
        return round(x), round(y)

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
        """The numbers of records, to the side where there is space; those that would cover
        each other are left out."""
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
        return "\n".join(
            [
                f'<svg class="plane" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
                f'style="width: {scale * self.width / 16:.4g}rem" role="img" '
                f'aria-labelledby="{name}-title {name}-about">',
                f'<title id="{name}-title">{escape(title)}</title>',
                f'<desc id="{name}-about">{escape(about)}</desc>',
                *shapes,
                "</svg>",
            ]
        )


def records_named(line: str) -> list[int]:
    """The records that a line of a witness names, each once.

    >>> records_named("x1: group 1 4 5 was released as 53.3; its aggregate is 160/3")
    [1, 4, 5]
    >>> records_named("record 12 is grouped with 17 at distance^2 9, 28 at distance^2 15")
    [12, 17, 28]
    """
    found: dict[int, None] = {}
    for several, one in _NAMED.findall(line):
        found |= dict.fromkeys(map(int, (several or one).split()))
    return list(found)
