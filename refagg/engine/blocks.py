"""Points in boxes, in arrays: what a wide tree answers, for many points; needs the extra `[numpy]`.

A *block* is a box with the coordinates of some hundred points one after the other. The bounds of
all boxes are computed at once, then the distances of all points in those that are not left out.
These are estimates in another order of sums than `math.dist` has; of what is within a wider margin
of the extreme one the estimates are computed by that, so that the answers are those of the tree.
A point that has left is no number (NaN): it is nowhere, and no comparison holds for it.

The farthest points from a centroid are looked for by their distances from where it once was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from math import dist, inf, nan, sqrt
from typing import Any

from refagg.engine.frame import Point, Query
from refagg.engine.wide_tree import Found, Site, middle
from refagg.errors import MissingExtra

try:
    import numpy as np
except ImportError:
    raise MissingExtra("numpy is not installed: pip install '.[numpy]' in the checkout") from None

Array = Any

SIZE = 64
"""The most points of a block."""

FIRST = 3
"""The blocks that are looked at to begin with."""

NEXT = 64
"""The points of a shell that are looked at together."""


class Blocks:
    """The points of some sites."""

    def __init__(self, rows: Mapping[Site, Point], size: int = SIZE) -> None:
        points = np.array(list(rows.values()))
        parts = parted(points, size)
        shape = len(parts), points.shape[1], max(map(len, parts))
        self._count = len(rows)
        self._points = np.full(shape, nan)
        self._sites = np.full((shape[0], shape[2]), -1)
        sites = np.array(list(rows))
        for number, part in enumerate(parts):
            self._points[number, :, : len(part)] = points[part].T
            self._sites[number, : len(part)] = sites[part]
        self._first = self._points[:, 0, :]
        there = np.nonzero(self._sites >= 0)
        self._place = np.empty((int(sites.max()) + 1, 2), dtype=np.int32)
        self._place[self._sites[there]] = np.transpose(there)
        self._low, self._high = np.empty(shape[1::-1]), np.empty(shape[1::-1])
        self._tighten(np.arange(shape[0]))
        self._shell: Shell | None = None

    def __len__(self) -> int:
        return self._count

    def away(self) -> dict[Site, float]:
        """The distances from the middle of the points."""
        places = np.nonzero(self._first == self._first)
        rows = self._points[places[0], :, places[1]].tolist()
        centre = middle(rows)
        sites = self._sites[places].tolist()
        return {site: dist(centre, row) for site, row in zip(sites, rows, strict=True)}

    def remove(self, sites: Collection[Site]) -> None:
        """Some sites are no longer there."""
        self._count -= len(sites)
        places = self._place[list(sites)]
        self._first[places[:, 0], places[:, 1]] = nan
        self._tighten(np.unique(places[:, 0]))

    def farthest_from_centroid(self, query: Query, hidden: Collection[Site]) -> list[Site]:
        """The sites farthest from a point that is near the last one asked about."""
        if self._shell is None or self._shell.worn:
            self._shell = Shell(self._points, query.point)
        self._shell.begin()
        with self._without(hidden):
            places = self._shell.farthest(query)
        return [site for _, site in self._farthest(places, query)]

    def farthest(self, query: Query, hidden: Collection[Site]) -> list[Site]:
        """The sites at about the greatest distance."""
        point = np.array(query.point)[:, None]
        reach = np.maximum(self._high - point, point - self._low)
        bounds = np.square(reach, out=reach).sum(axis=0)
        blocks = np.argpartition(-bounds, min(FIRST, bounds.size) - 1)[:FIRST]  # NaN comes last
        with self._without(hidden):
            limit = greatest(squares(self._points[blocks], point))
            limit = query.low(limit) - query.slack
            blocks = np.nonzero(bounds >= square(limit))[0]
            found = squares(self._points[blocks], point)
        limit = query.low(greatest(found)) - query.slack
        places = np.nonzero(found >= square(limit))
        return [site for _, site in self._farthest((blocks[places[0]], places[1]), query)]

    def nearest(self, m: int, query: Query, hidden: Collection[Site]) -> Found:
        """The sites at about the m least distances, or all if there are no more; in their order."""
        point = np.array(query.point)[:, None]
        depth = np.maximum(self._low - point, point - self._high)
        np.maximum(depth, 0, out=depth)
        bounds = np.square(depth, out=depth).sum(axis=0)
        first = FIRST + m // self._points.shape[2]
        blocks = np.argpartition(bounds, min(first, bounds.size) - 1)[:first]
        with self._without(hidden):
            limit = query.high(least(m, squares(self._points[blocks], point))) + query.slack
            blocks = np.nonzero(bounds <= limit * limit)[0]
            found = squares(self._points[blocks], point)
        limit = query.high(least(m, found)) + query.slack
        places = np.nonzero(found <= limit * limit)
        pairs = sorted(self._estimated((blocks[places[0]], places[1]), query))
        if len(pairs) > m:
            limit = query.high(pairs[m - 1][0])
            while pairs[-1][0] > limit:
                pairs.pop()
        return pairs

    def _farthest(self, places: tuple[Array, Array], query: Query) -> Found:
        pairs = self._estimated(places, query)
        limit = query.low(max(e for e, _ in pairs))
        return [pair for pair in pairs if pair[0] >= limit]

    def _estimated(self, places: tuple[Array, Array], query: Query) -> Found:
        """The sites in these places with the distances that count."""
        rows = self._points[places[0], :, places[1]].tolist()
        sites = self._sites[places].tolist()
        return [(dist(query.point, row), s) for row, s in zip(rows, sites, strict=True)]

    @contextmanager
    def _without(self, hidden: Collection[Site]) -> Iterator[None]:
        """Hidden sites are nowhere for some time."""
        if not hidden:
            yield
            return
        numbers, places = self._place[list(hidden)].T
        values = self._first[numbers, places]
        self._first[numbers, places] = nan
        yield
        self._first[numbers, places] = values

    def _tighten(self, blocks: Array) -> None:
        """The least boxes around what there is in some blocks."""
        points = self._points[blocks]
        self._low[:, blocks] = np.fmin.reduce(points, axis=2).T
        self._high[:, blocks] = np.fmax.reduce(points, axis=2).T


class Shell:
    """The points of blocks by their distances from a point, the greatest first."""

    def __init__(self, points: Array, centre: Point) -> None:
        self._points, self._centre = points, centre
        away = np.sqrt(squares(points, np.array(centre)[:, None])).ravel()
        order = np.argsort(-away)[: np.count_nonzero(away == away)]  # NaN comes last
        self._away = away[order]
        self._numbers, self._places = np.divmod(order, points.shape[2])
        self._begin = 0
        self._left = 4 * len(order) + NEXT

    @property
    def worn(self) -> bool:
        """Have so many points been looked at that a new order would have cost less?"""
        return self._left < 0

    def begin(self) -> None:
        """Leave out for good the outermost points that have left."""
        while self._begin < self._away.size:
            numbers, places = self._some(self._begin)
            there = self._points[numbers, 0, places]
            left = np.nonzero(there == there)[0]
            if left.size:
                self._begin += int(left[0])
                return
            self._begin += NEXT

    def farthest(self, query: Query) -> tuple[Array, Array]:
        """The places of the points at about the greatest distance from a point."""
        point, shift = np.array(query.point), dist(self._centre, query.point)
        best, start, found = -1.0, self._begin, []
        while start < self._away.size and (
            self._away[start] + shift >= query.low(best) - query.slack
        ):
            some = self._some(start)
            values = np.square(self._points[some[0], :, some[1]] - point).sum(axis=1)
            best = max(best, greatest(values))
            found.append((some, values))
            start += NEXT
        self._left -= start - self._begin
        limit = square(query.low(best) - query.slack)
        near = [(some[0][v >= limit], some[1][v >= limit]) for some, v in found]
        numbers, places = zip(*near, strict=True)
        return np.concatenate(numbers), np.concatenate(places)

    def _some(self, start: int) -> tuple[Array, Array]:
        return self._numbers[start : start + NEXT], self._places[start : start + NEXT]


def squares(points: Array, origin: Array) -> Array:
    """The squared distances of the points of some blocks from a point."""
    away = points - origin
    return np.square(away, out=away).sum(axis=1)


def greatest(squared: Array) -> float:
    """The greatest distance; -1 if there is no point."""
    most = float(np.fmax.reduce(squared, axis=None))
    return sqrt(most) if most == most else -1.0


def least(m: int, squared: Array) -> float:
    """The m-th least distance; infinite if there are not so many points."""
    if squared.size < m:
        return inf
    value = float(np.partition(squared, m - 1, axis=None)[m - 1])
    return sqrt(value) if value == value else inf


def square(limit: float) -> float:
    """The square of a limit from below; there is none if it is negative."""
    return limit * limit if limit > 0 else 0.0


def parted(points: Array, size: int) -> list[Array]:
    """The numbers of the points in parts of at most so many, halved where they are widest."""
    parts, left = [], [np.arange(len(points))]
    while left:
        some = left.pop()
        if len(some) <= size:
            parts.append(some)
            continue
        rows = points[some]
        widest = rows[:, int(np.argmax(np.ptp(rows, axis=0)))]
        half = -(-len(some) // size) // 2 * size
        order = np.argpartition(widest, half)
        left += [some[order[:half]], some[order[half:]]]
    return parts
