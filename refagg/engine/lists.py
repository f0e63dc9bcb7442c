"""Points in a list; each question looks at all of them.

It needs the standard library only. Estimates are distances by `math.dist`. What is asked for is
everything within a margin of the extreme one (`docs/exact.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from heapq import nsmallest
from itertools import repeat
from math import dist

from refagg.engine.frame import Coordinates, Found, Point, Query, Site, points_of


class Lists:
    """The points of some sites."""

    def __init__(self, sites: Sequence[Site], columns: Iterable[Coordinates]) -> None:
        self._points = dict(zip(sites, points_of(columns), strict=True))

    def remove(self, sites: Iterable[Site]) -> None:
        """Take out some sites."""
        for site in sites:
            del self._points[site]

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """Return the sites at about the greatest distance."""
        return farthest_of(self._found(query, hidden), query)

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, if no other is about as near."""
        found = self.nearest(m, query, hidden)
        return [site for _, site in found] if len(found) == m else None

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """Return the sites at about the m least distances.

        All sites are returned if there are no more than m.
        """
        return nearest_of(self._found(query, hidden), m, query)

    def _found(self, query: Query, hidden: Set[Site]) -> Found:
        each = zip(map(dist, repeat(query.point), self._points.values()), self._points)  # noqa: B905
        return [pair for pair in each if pair[1] not in hidden] if hidden else list(each)


def farthest_of(found: Found, query: Query) -> list[Site]:
    """Return the sites about as far as the farthest one."""
    limit = query.low(max(found)[0])
    return [site for distance, site in found if distance >= limit]


def nearest_of(found: Found, m: int, query: Query) -> Found:
    """Return the m nearest sites and those about equally near.

    They are about as near as the last of the m, and in their order.
    """
    limit = query.high(max(nsmallest(m, found), default=(0.0, 0))[0])
    return sorted([pair for pair in found if pair[0] <= limit])


def estimated(query: Query, sites: Sequence[Site], rows: Sequence[Point]) -> Found:
    """Return sites with the distances that count."""
    return [(dist(query.point, row), s) for row, s in zip(rows, sites, strict=True)]
