"""Points in balls, and balls in larger ones: the farthest and the nearest, with all near ties.

A *wide* tree has two levels, of some sixty balls each, because the distances to sixty centres
cost Python little more than the distance to one. No point is farther from the centre of its ball
than the radius. A ball shrinks when a point at its edge is removed; one without points has the
radius -inf. Few points are one ball: then all of them are looked at.

The farthest points from one that moves slowly, as a centroid does, are looked for in another order:
by their distances from where it once was. With many attributes those from any point are, too: all
balls are about as far away then.

Estimates are distances by `math.dist`. What is asked for is everything within a margin of the
extreme estimate; balls are left out by a wider one (`docs/exact.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import repeat
from math import ceil, dist, inf
from operator import add, sub

from refagg.engine.frame import Point, Query

Site = int
"""A place where records are; called after one of them."""

Found = list[tuple[float, Site]]

MANY, LEAF, LARGE_LEAF = 2000, 12, 50
"""The most points of a ball of the lower level: larger where there are not many points."""

BEYOND = 2.0**90
"""More than all distances in a frame; balls without points have bounds beyond it."""

FLAT = 4
"""With more attributes the farthest from any point are looked for in the order of a shell."""


class Ball:
    """Some points within a radius of a centre. It is the one of this number in its group."""

    __slots__ = (
        *("centre", "group", "most", "number", "place", "radius", "rows", "sites"),
        *("_asked", "_known"),
    )

    def __init__(self, group: Group, number: int, sites: list[Site], rows: list[Point]) -> None:
        self.group, self.number = group, number
        self.sites, self.rows = sites, rows
        self.place = {site: place for place, site in enumerate(sites)}
        self._asked: Point | None = None
        self._known: list[float] = []
        self.tighten()

    def tighten(self) -> None:
        """A ball around what there is now."""
        self.most = len(self.rows)
        self.centre = middle(self.rows)
        self.radius = max(map(dist, repeat(self.centre), self.rows))

    def remove(self, site: Site) -> bool:
        """One point less. Has the ball changed?"""
        self._asked = None
        place = self.place.pop(site)
        row, last, last_row = self.rows[place], self.sites.pop(), self.rows.pop()
        if last != site:
            self.sites[place], self.rows[place], self.place[last] = last, last_row, place
        if not self.rows:
            self.radius = -inf
        elif 2 * len(self.rows) < self.most:
            self.tighten()
        elif dist(self.centre, row) >= self.radius:
            self.radius = max(map(dist, repeat(self.centre), self.rows))
        else:
            return False
        return True

    def estimates(self, point: Point, hidden: Set[Site], instead: float) -> list[float]:
        """The distances of a point, kept while it is asked about; hidden sites have others."""
        if self._asked is not point:
            self._asked, self._known = point, list(map(dist, repeat(point), self.rows))
        places = [self.place[site] for site in hidden if site in self.place] if hidden else ()
        if not places:
            return self._known
        estimates = list(self._known)
        for place in places:
            estimates[place] = instead
        return estimates


class Group:
    """Some balls within a ball."""

    def __init__(self, parts: Sequence[list[Site]], rows: Mapping[Site, Point]) -> None:
        self.balls = [
            Ball(self, number, sites, [rows[site] for site in sites])
            for number, sites in enumerate(parts)
        ]
        self.centres = [ball.centre for ball in self.balls]
        self.radii = [ball.radius for ball in self.balls]
        self.centre = middle(self.centres)
        self._away = list(map(dist, repeat(self.centre), self.centres))
        self.radius = max(map(add, self._away, self.radii))

    def renew(self, ball: Ball) -> None:
        """A ball has changed."""
        self.radii[ball.number] = ball.radius
        if self.centres[ball.number] is not ball.centre:
            self.centres[ball.number] = ball.centre
            self._away[ball.number] = dist(self.centre, ball.centre)
        self.radius = max(map(add, self._away, self.radii))


class WideTree:
    """The points of some sites."""

    def __init__(self, rows: Mapping[Site, Point], leaf: int | None = None) -> None:
        self._rows = dict(rows)
        leaf = leaf or (LEAF if len(rows) > MANY else LARGE_LEAF)
        balls = ceil(len(rows) / leaf)
        self._groups = [
            Group(parted(group, self._rows, ceil(len(group) / leaf)), self._rows)
            for group in parted(list(rows), self._rows, ceil(balls**0.5))
        ]
        self._centres = [group.centre for group in self._groups]
        self._radii = [group.radius for group in self._groups]
        self._number = {id(group): number for number, group in enumerate(self._groups)}
        self._home = {s: ball for group in self._groups for ball in group.balls for s in ball.sites}
        self._shell: Shell | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def away(self) -> dict[Site, float]:
        """The distances from the middle of the points."""
        centre = middle(list(self._rows.values()))
        return {site: dist(centre, row) for site, row in self._rows.items()}

    def remove(self, sites: Iterable[Site]) -> None:
        """Some sites are no longer there."""
        for site in sites:
            del self._rows[site]
            ball = self._home.pop(site)
            if ball.remove(site):
                ball.group.renew(ball)
                self._radii[self._number[id(ball.group)]] = ball.group.radius

    def farthest_from_centroid(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites farthest from a point that is near the last one asked about."""
        if self._shell is None or self._shell.worn:
            self._shell = Shell(self._rows, query.point)
        return self._shell.farthest(query, hidden)

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites at about the greatest distance."""
        if len(query.point) > FLAT:
            return self.farthest_from_centroid(query, hidden)
        point, slack = query.point, query.slack
        found: Found = []
        best, limit = -1.0, -BEYOND
        bounds = map(add, map(dist, repeat(point), self._centres), self._radii)
        for bound, number in falling(bounds, limit):
            if bound < limit - slack:
                break
            group = self._groups[number]
            reaches = map(add, map(dist, repeat(point), group.centres), group.radii)
            for reach, place in falling(reaches, limit - slack):
                if reach < limit - slack:
                    break
                ball = group.balls[place]
                estimates = ball.estimates(point, hidden, -1.0)
                if (top := max(estimates)) >= max(limit, 0):
                    best = max(best, top)
                    limit = query.low(best)
                    found += [(e, s) for e, s in zip(estimates, ball.sites) if e >= limit]  # noqa: B905
        return [site for e, site in found if e >= limit and e >= 0]

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """The sites at about the m least distances, or all if there are no more; in their order."""
        point, slack = query.point, query.slack
        found: Found = []
        limit = BEYOND
        bounds = map(sub, map(dist, repeat(point), self._centres), self._radii)
        for bound, number in rising(bounds, limit):
            if bound > limit + slack:
                break
            group = self._groups[number]
            depths = map(sub, map(dist, repeat(point), group.centres), group.radii)
            for depth, place in rising(depths, limit + slack):
                if depth > limit + slack:
                    break
                ball = group.balls[place]
                estimates = ball.estimates(point, hidden, inf)
                if min(estimates) > limit:
                    continue
                found += [(e, s) for e, s in zip(estimates, ball.sites) if e <= limit]  # noqa: B905
                if len(found) >= m:
                    found.sort()
                    limit = query.high(found[m - 1][0])
                    while found[-1][0] > limit:
                        found.pop()
        return sorted(found)


class Shell:
    """Points by their distances from a point, the greatest first."""

    def __init__(self, rows: dict[Site, Point], centre: Point) -> None:
        self._rows, self._centre = rows, centre
        away = map(dist, repeat(centre), rows.values())
        order = sorted(zip(away, rows), reverse=True)  # noqa: B905
        self._away = [a for a, _ in order]
        self._sites = [site for _, site in order]
        self._begin = 0
        self._left = 4 * len(rows) + 64

    @property
    def worn(self) -> bool:
        """Have so many points been looked at that a new order would have cost less?"""
        return self._left < 0

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites at about the greatest distance from a point."""
        rows, point, shift = self._rows, query.point, dist(self._centre, query.point)
        found: Found = []
        best, limit = -1.0, -inf
        while self._begin < len(self._sites) and self._sites[self._begin] not in rows:
            self._begin += 1
        start, step = self._begin, 4
        while start < len(self._sites) and self._away[start] + shift >= limit - query.slack:
            sites = [s for s in self._sites[start : start + step] if s in rows and s not in hidden]
            estimates = [dist(point, rows[site]) for site in sites]
            best = max([best, *estimates])
            if best >= 0:
                limit = query.low(best)
            found += [pair for pair in zip(estimates, sites) if pair[0] >= limit]  # noqa: B905
            start, step = start + step, min(2 * step, 256)
            self._left -= step
        return [site for e, site in found if e >= limit]


def falling(bounds: Iterable[float], limit: float) -> list[tuple[float, int]]:
    """The bounds that are not less than a limit, with their places, the greatest first."""
    return sorted([(b, i) for i, b in enumerate(bounds) if b >= limit], reverse=True)


def rising(bounds: Iterable[float], limit: float) -> list[tuple[float, int]]:
    """The bounds that are not greater than a limit, with their places, the least first."""
    return sorted([(b, i) for i, b in enumerate(bounds) if b <= limit])


def middle(rows: Sequence[Point]) -> Point:
    """The middle of the least box."""
    return tuple([(max(c) + min(c)) / 2 for c in zip(*rows, strict=True)])


def parted(sites: list[Site], rows: Mapping[Site, Point], parts: int) -> list[list[Site]]:
    """The sites in so many parts, or some more, by one attribute after the other."""
    if parts <= 1:
        return [sites]
    columns = list(zip(*map(rows.__getitem__, sites), strict=True))
    widths = [max(c) - min(c) for c in columns]
    widest = widths.index(max(widths))
    if not widths[widest]:
        return [sites]
    spread = sum(width > widths[widest] / 4 for width in widths)
    slabs = max(2, round(parts ** (1 / spread)))
    column = dict(zip(sites, columns[widest], strict=True))
    order = sorted(sites, key=column.__getitem__)
    size = ceil(len(order) / slabs)
    some = [order[start : start + size] for start in range(0, len(order), size)]
    return [part for slab in some for part in parted(slab, rows, round(parts / len(some)))]
