"""Points in a k-d tree: the farthest and the nearest, with all that nearly tie.

The tree cuts the points at planes until few are left: a *leaf*. There is a ball around every
part. No point is nearer than the plane that cuts it off, or than its ball, and none is farther
than its ball. The ball of a leaf shrinks when the point at its edge is removed; a leaf without
points is taken out.

The farthest points are looked for in the order of a *shell* first: by their distances from where
the centroid once was. Usually few are so far out that they can be the farthest from any point;
where many are, as on a circle, balls are looked at. With many attributes all balls are about as
far away as each other, and the shell alone is looked at.

Estimates are distances by `math.dist`. What is asked for is everything within a margin of the
extreme estimate; planes and balls leave out what is beyond a wider one (`docs/exact.md`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set
from itertools import repeat
from math import ceil, dist, inf

from refagg.engine.frame import Point, Query

Site = int
"""A place where records are; called after one of them."""

Found = list[tuple[float, Site]]

MANY, LEAF, LARGE_LEAF = 2000, 20, 50
"""The most points of a leaf: larger where there are not many points."""

SLABS = 16
"""At most so many parts are made by one order of the points."""

BEYOND = 2.0**90
"""More than all distances in a frame."""

FLAT = 4
"""With more attributes the farthest are looked for in the order of the shell alone."""

SORTING = 16
"""How many points of a shell can be looked at while one is put in order, and more where an old
order is nearly as good."""

STEP = 8
"""So many points of a shell are looked at to begin with."""

FIRST, MOST = 248, 2000
"""After so many points of a shell, balls are looked at if it has more than so many others."""


class TreeLeaf:
    """Some points, and a ball around them."""

    __slots__ = ("centre", "most", "parent", "radius", "rows", "sites")

    def __init__(self, sites: list[Site], rows: list[Point]) -> None:
        self.sites, self.rows = sites, rows
        self.parent: TreeCut | None = None
        self._tighten()

    def _tighten(self) -> None:
        self.most = len(self.rows)
        self.centre = box_middle(self.rows)
        self.radius = max(map(dist, repeat(self.centre), self.rows))

    def remove(self, site: Site) -> None:
        """One point less."""
        place = self.sites.index(site)
        row, last, last_row = self.rows[place], self.sites.pop(), self.rows.pop()
        if last != site:
            self.sites[place], self.rows[place] = last, last_row
        if 0 < 2 * len(self.rows) < self.most:
            self._tighten()
        elif self.rows and dist(self.centre, row) >= self.radius:
            self.radius = max(map(dist, repeat(self.centre), self.rows))


class TreeCut:
    """Two parts: below a plane, or on it or above, and a ball around both."""

    __slots__ = ("axis", "centre", "high", "low", "parent", "plane", "radius")

    def __init__(self, axis: int, plane: float, low: Part, high: Part) -> None:
        self.axis, self.plane, self.low, self.high = axis, plane, low, high
        self.parent: TreeCut | None = None
        low.parent = high.parent = self
        self.centre, self.radius = around(low, high)

    def other(self, part: Part) -> Part:
        """The part that is not this one."""
        return self.high if part is self.low else self.low

    def replace(self, part: Part, other: Part) -> None:
        """Another part in the place of one."""
        if part is self.low:
            self.low = other
        else:
            self.high = other


Part = TreeLeaf | TreeCut


class KdTree:
    """The points of some sites."""

    compiled = False

    def __init__(
        self, sites: Sequence[Site], columns: Iterable[Sequence[float]], leaf: int | None = None
    ) -> None:
        """With leaves of at most so many points."""
        self._rows = dict(zip(sites, zip(*columns, strict=True), strict=True))
        self._size = leaf or (LEAF if len(sites) > MANY else LARGE_LEAF)
        self._home: dict[Site, TreeLeaf] = {}
        self._root = self._planted(list(sites))
        self._shell: Shell | None = None

    def _planted(self, sites: list[Site]) -> Part:
        """A tree of some sites."""
        rows = list(map(self._rows.__getitem__, sites))
        if len(sites) <= self._size:
            return self._leaf(sites, rows)
        columns = list(zip(*rows, strict=True))
        widths = [max(c) - min(c) for c in columns]
        widest = max(widths)
        if not widest:
            return self._leaf(sites, rows)
        axis = widths.index(widest)
        spread = sum(width > widest / 4 for width in widths)
        slabs = round(ceil(len(sites) / self._size) ** (1 / spread))
        values = dict(zip(sites, columns[axis], strict=True))
        order = sorted(sites, key=values.__getitem__)
        return self._cut(axis, order, min(max(slabs, 2), SLABS))

    def _leaf(self, sites: list[Site], rows: list[Point]) -> TreeLeaf:
        leaf = TreeLeaf(sites, rows)
        self._home.update(zip(sites, repeat(leaf)))
        return leaf

    def _cut(self, axis: int, order: list[Site], slabs: int) -> Part:
        """A tree of sites that are in the order of an attribute."""
        if slabs == 1:
            return self._planted(order)
        half = slabs // 2
        place = len(order) * half // slabs
        plane = self._rows[order[place]][axis]
        low = self._cut(axis, order[:place], half)
        return TreeCut(axis, plane, low, self._cut(axis, order[place:], slabs - half))

    def away(self) -> dict[Site, float]:
        """The distances from the middle of the points."""
        centre = box_middle(list(self._rows.values()))
        return {site: dist(centre, row) for site, row in self._rows.items()}

    def remove(self, sites: Iterable[Site]) -> None:
        """Some sites are no longer there."""
        for site in sites:
            del self._rows[site]
            leaf = self._home.pop(site)
            leaf.remove(site)
            if not leaf.sites and leaf.parent:
                self._take_out(leaf.parent, leaf.parent.other(leaf))

    def _take_out(self, cut: TreeCut, rest: Part) -> None:
        """All points of a cut are in one of its parts."""
        rest.parent = cut.parent
        if cut.parent:
            cut.parent.replace(cut, rest)
        else:
            self._root = rest

    def farthest_from_centroid(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites farthest from a point that is not far from the last one asked about."""
        return self._in_order().farthest(query, hidden, inf)[0]

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites at about the greatest distance."""
        most = MOST if len(query.point) <= FLAT else inf
        sites, limit = self._in_order().farthest(query, hidden, most)
        return sites or self._farthest(query, hidden, limit)

    def _in_order(self) -> Shell:
        if self._shell is None or self._shell.worn:
            self._shell = Shell(self._rows)
        return self._shell

    def _farthest(self, query: Query, hidden: Set[Site], limit: float) -> list[Site]:
        """Find the farthest, where some site is not below the limit."""
        point, slack = query.point, query.slack
        found: Found = []
        parts: list[tuple[float, Part]] = [(BEYOND, self._root)]
        while parts:
            reach, part = parts.pop()
            if reach < limit - slack:
                continue
            if isinstance(part, TreeCut):
                two = [(dist(point, p.centre) + p.radius, p) for p in (part.low, part.high)]
                parts += two if two[0][0] < two[1][0] else two[::-1]
                continue
            pairs = zip(map(dist, repeat(point), part.rows), part.sites)  # noqa: B905
            near = [(e, s) for e, s in pairs if e >= limit and s not in hidden]
            if near:
                found += near
                limit = max(limit, query.low(max(near)[0]))
        return [site for e, site in found if e >= limit]

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """The sites at about the m least distances, or all if there are no more; in their order."""
        point, slack = query.point, query.slack
        m += len(hidden)  # which are left out in the end
        found: Found = []
        limit = BEYOND
        parts: list[tuple[float, Part]] = [(0.0, self._root)]
        while parts:
            depth, part = parts.pop()
            if depth > limit + slack:
                continue
            while isinstance(part, TreeCut):
                above = point[part.axis] - part.plane
                if above < 0:
                    parts.append((-above, part.high))
                    part = part.low
                else:
                    parts.append((above, part.low))
                    part = part.high
            if dist(point, part.centre) - part.radius > limit + slack:
                continue
            pairs = zip(map(dist, repeat(point), part.rows), part.sites)  # noqa: B905
            found += [(e, s) for e, s in pairs if e <= limit]
            if len(found) >= m:
                found.sort()
                limit = query.high(found[m - 1][0])
                while found[-1][0] > limit:
                    found.pop()
        return without(hidden, sorted(found), m, query)


class Shell:
    """Points in the order of their distances from their mean, the greatest last."""

    def __init__(self, rows: dict[Site, Point]) -> None:
        self._rows = rows
        self._centre = tuple([sum(c) / len(c) for c in zip(*rows.values(), strict=True)])
        away = dict(zip(rows, map(dist, repeat(self._centre), rows.values())))  # noqa: B905
        self._sites = sorted(rows, key=away.__getitem__)
        self._away = list(map(away.__getitem__, self._sites))
        self._left = SORTING * len(rows) + 64

    @property
    def worn(self) -> bool:
        """Return True if more points were looked at than a new order would cost."""
        return self._left < 0

    def farthest(self, query: Query, hidden: Set[Site], most: float) -> tuple[list[Site], float]:
        """The sites at about the greatest distance, and what is near enough to that.

        No sites if more than so many points were left to look at after the first ones.
        """
        rows, point, shift = self._rows, query.point, dist(self._centre, query.point)
        found: Found = []
        best, limit = -1.0, -inf
        every = len(self._sites)
        start, end, step, seen = 0, every, STEP, 0
        while start < end and (every - end < FIRST or end - start <= most):
            some = self._sites[max(end - step, start) : end]
            sites = [s for s in some if s in rows and s not in hidden]
            end, step, seen = end - len(some), 2 * step, seen + len(sites)
            if sites:
                rest = map(rows.__getitem__, sites)
                pairs = list(zip(map(dist, repeat(point), rest), sites))  # noqa: B905
                best = max(best, max(pairs)[0])
                limit = query.low(best)
                found += [pair for pair in pairs if pair[0] >= limit]
                start = bisect_left(self._away, limit - shift - query.slack)
        self._left -= every - end
        if 2 * seen < every - end:
            self._tidy(end)
        return [] if start < end else [site for e, site in found if e >= limit], limit

    def _tidy(self, start: int) -> None:
        """Leave out the points from the start on that are gone."""
        pairs = zip(self._away[start:], self._sites[start:])  # noqa: B905
        there = [(away, site) for away, site in pairs if site in self._rows]
        self._away[start:] = [away for away, _ in there]
        self._sites[start:] = [site for _, site in there]


def around(low: Part, high: Part) -> tuple[Point, float]:
    """The centre and the radius of a ball around two, from edge to edge."""
    apart = dist(low.centre, high.centre)
    share = (1 + (high.radius - low.radius) / apart) / 2 if apart else 0.5
    share = min(max(share, 0.0), 1.0)  # one is within the other
    pairs = zip(low.centre, high.centre, strict=True)
    centre = tuple([a + share * (b - a) for a, b in pairs])
    return centre, max(dist(centre, part.centre) + part.radius for part in (low, high))


def without(hidden: Set[Site], found: Found, m: int, query: Query) -> Found:
    """Of the m nearest, in their order, those that are not hidden, and what is about as near as the
    last of them.
    """
    if hidden:
        found = [pair for pair in found if pair[1] not in hidden]
        m -= len(hidden)
    if len(found) > m:
        limit = query.high(found[m - 1][0])
        while found[-1][0] > limit:
            found.pop()
    return found


def box_middle(rows: Sequence[Point]) -> Point:
    """The middle of the least box."""
    return tuple([(max(c) + min(c)) / 2 for c in zip(*rows, strict=True)])
