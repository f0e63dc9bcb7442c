"""Points in arrays; needs the extra `[big]`.

*One array*: each question looks at all points at once. The squared distance of x from a point c is
|x|^2 - 2 x c + |c|^2: for all points one product of c and a matrix. It cancels where both are near
to each other, so an answer is clear if no other square is within a margin of squares
(`docs/exact.md`); where that is not so, `math.dist` says which points are within the margin of
distances.

*Blocks*, for many points: a block is a box with the coordinates of some dozens of points one after
the other. The bounds of all boxes are computed at once, then the distances of all points in those
that are not left out. The farthest points from one are looked for by their distances from where
the centroid once was.

These are estimates in another order of sums than `math.dist` has; of what is within a wider margin
of the extreme one the estimates are computed by that, so that the answers are those of a scan.
A point that has left is no number (NaN): it is nowhere, and no comparison holds for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from math import dist, inf, isnan, isqrt, nan, sqrt
from sys import float_info
from typing import Any

from refagg.engine import scan
from refagg.engine.frame import UNIT, Point, Query
from refagg.engine.scan import Found, Site
from refagg.errors import MissingExtra

try:
    import numpy as np
except ImportError:
    raise MissingExtra("numpy is not installed: pip install '.[big]' in the checkout") from None

Array = Any

SIZE = 64
"""The most points of a block, if there are not many."""

DIVISOR = 6
"""Of many points a block has at most the root of their number over this, because each question
looks at all boxes, and at all points of some blocks."""

FIRST = 3
"""The blocks that are looked at to begin with."""

NEXT = 64
"""The points of a shell that are looked at together to begin with."""

LOOSE = 24
"""So many boxes may be larger than what is in them."""

SORTING = 16
"""How many points can be looked at while one is put in order."""


WORN = 1.5
"""One array is copied when so many times the points that are there stand in it."""


class Arrays:
    """The points of some sites, a row for each attribute.

    A square of a point that is gone is infinite where the nearest are asked for, and the opposite
    where the farthest are.
    """

    renews = True

    def __init__(self, sites: Sequence[Site], columns: Iterable[Sequence[float]]) -> None:
        self._columns = np.array([np.asarray(column) for column in columns])
        self._sites = np.fromiter(sites, np.int32, len(sites))
        self._place = np.empty(int(self._sites.max()) + 1, np.int32)
        self._near = np.einsum("ij,ij->j", self._columns, self._columns)
        self._far = self._near.copy()
        self._settle()
        p = len(self._columns)
        self._error = 8 * (p + 18) * UNIT * p
        """Times 1 + the square of a point, a margin of squares."""

    def _settle(self) -> None:
        self._count = self._sites.size
        self._place[self._sites] = np.arange(self._count)

    def away(self) -> dict[Site, float]:
        """Return the distances from the middle of the points."""
        there = self._near < inf
        return scan.distances_from_middle(
            self._sites[there].tolist(), self._columns[:, there].T.tolist()
        )

    def remove(self, sites: Collection[Site]) -> None:
        """Take out some sites."""
        places = self._place[list(sites)]
        self._near[places], self._far[places] = inf, -inf
        self._count -= len(sites)
        if self._count * WORN < self._sites.size:
            there = self._near < inf
            self._columns, self._sites = self._columns[:, there], self._sites[there]
            self._near, self._far = self._near[there], self._far[there]
            self._settle()

    def farthest(self, query: Query, hidden: Set[Site], central: bool) -> list[Site]:
        """Return the sites at about the greatest distance."""
        squares, square, margin = self._squares(query, self._far, hidden, -inf)
        first = int(squares.argmax())
        best, squares[first] = squares[first], -inf
        if query.shrink == 1 and squares.max() < best - margin:
            return [int(self._sites[first])]
        squares[first] = best
        low = query.low(sqrt(max(best + square - margin, 0.0))) - query.slack
        least = low * low - square - margin if low > 0 else -float_info.max
        found = self._estimated(squares >= least, query)
        limit = query.low(max(found)[0])
        return [site for distance, site in found if distance >= limit]

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, if no other is about as near."""
        squares, _, margin = self._squares(query, self._near, hidden, inf)
        if m >= squares.size:
            return None
        places = squares.argpartition(m)[: m + 1]
        *near, following = squares[places].tolist()
        sites: list[Site] = self._sites[places[:m]].tolist()
        return sites if max(near) < following - margin else None

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """Return the sites at about the m least distances, or all if there are no more."""
        squares, square, margin = self._squares(query, self._near, hidden, inf)
        last = np.partition(squares, m - 1)[m - 1] if m <= squares.size else inf
        high = query.high(sqrt(max(last + square + margin, 0.0))) + query.slack
        most = min(high * high - square + margin, float_info.max)
        return scan.nearest_of(sorted(self._estimated(squares <= most, query)), m, query)

    def _squares(
        self, query: Query, norms: Array, hidden: Set[Site], value: float
    ) -> tuple[Array, float, float]:
        """Return the squared distances less the square of the point, that, and a margin."""
        point = np.array(query.point)
        squares = point @ self._columns
        squares *= -2
        squares += norms
        if hidden:
            squares[self._place[list(hidden)]] = value
        square = float(np.vdot(point, point))
        return squares, square, self._error * (1 + square)

    def _estimated(self, some: Array, query: Query) -> Found:
        """Return some sites with the distances that count."""
        return scan.estimated(query, self._sites[some].tolist(), self._columns[:, some].T.tolist())


class ArrayCells:
    """Points one after the other, each attribute by itself; -1 is the site of none."""

    def __init__(self, columns: Array, sites: Array) -> None:
        self.columns, self.sites = columns, sites
        self.place = np.empty(int(sites.max()) + 1, dtype=np.int32)
        there = np.nonzero(sites >= 0)[0]
        self.place[sites[there]] = there

    def remove(self, sites: Collection[Site]) -> Array:
        """Some sites are nowhere; where they were."""
        places = self.place[list(sites)]
        self.columns[0, places] = nan
        return places

    def estimated(self, places: Array, query: Query) -> Found:
        """The sites in these places with the distances that count."""
        return scan.estimated(
            query, self.sites[places].tolist(), self.columns[:, places].T.tolist()
        )


class Blocks:
    """The points of some sites."""

    renews = False

    def __init__(
        self, sites: Sequence[Site], columns: Iterable[Sequence[float]], size: int | None = None
    ) -> None:
        values = [np.array(column) for column in columns]
        parts = parted(values, size or max(SIZE, isqrt(len(sites)) // DIVISOR))
        self._size = max(map(len, parts))
        padded = np.full((len(parts), self._size), -1, dtype=np.int32)
        for number, part in enumerate(parts):
            padded[number, : len(part)] = part
        order = padded.ravel()
        cells = np.empty((len(values), len(order)))
        for attribute in cells:  # one by one: two copies of all would be the peak of the memory
            attribute[:] = values.pop(0)[order]
        cells[:, order < 0] = nan
        names = np.fromiter(sites, np.int32, len(sites))
        self._cells = ArrayCells(cells, np.where(order < 0, np.int32(-1), names[order]))
        self._blocks = cells.reshape(len(cells), *padded.shape)
        self._low, self._high = extremes(self._blocks)
        self._loose: set[int] = set()
        self._shell: ArrayShell | None = None

    def away(self) -> dict[Site, float]:
        """The distances from the middle of the points."""
        places = np.nonzero(there(self._cells))[0]
        rows, sites = self._cells.columns[:, places].T.tolist(), self._cells.sites[places].tolist()
        return scan.distances_from_middle(sites, rows)

    def remove(self, sites: Collection[Site]) -> None:
        """Some sites are no longer there."""
        self._loose.update((self._cells.remove(sites) // self._size).tolist())
        if len(self._loose) > LOOSE:
            self._tighten(np.array(list(self._loose)))
            self._loose.clear()
        if self._shell is not None:
            self._shell.pass_by()

    def farthest(self, query: Query, hidden: Set[Site], central: bool) -> list[Site]:
        """The sites at about the greatest distance."""
        if self._shell is None or self._shell.worn:
            self._shell = None  # its memory is that of the next one
            self._shell = ArrayShell(self._cells)
        return self._shell.farthest(query, hidden)

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """The sites at about the m least distances, or all if there are no more; in their order."""
        m += len(hidden)  # which are left out in the end
        point = np.array(query.point)[:, None]
        depth = np.maximum(self._low - point, point - self._high)
        np.maximum(depth, 0, out=depth)
        np.multiply(depth, depth, out=depth)
        bounds = np.add.reduce(depth)
        first = min(FIRST + m // self._size, bounds.size)
        blocks = bounds.argpartition(first - 1)[:first]
        limit = query.high(least_distance(m, self._squares(blocks, point))) + query.slack
        blocks = (bounds <= limit * limit).nonzero()[0]
        found = self._squares(blocks, point)
        limit = query.high(least_distance(m, found)) + query.slack
        near = (found <= limit * limit).nonzero()[0]
        places = blocks[near // self._size] * self._size + near % self._size
        return scan.without(hidden, sorted(self._cells.estimated(places, query)), m, query)

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, if no other can be tied with the last of them."""
        return scan.sure_of(self.nearest(m, query, hidden), m)

    def _squares(self, blocks: Array, point: Array) -> Array:
        """The squared distances of the points of some blocks from a point."""
        return squares(self._blocks.take(blocks, axis=1).reshape(len(point), -1), point)

    def _tighten(self, blocks: Array) -> None:
        """Shrink the boxes of some blocks to the points that remain in them."""
        points = self._blocks.take(blocks, axis=1)
        self._low[:, blocks], self._high[:, blocks] = extremes(points)


class ArrayShell:
    """Points by their distances from their mean, the greatest first."""

    def __init__(self, cells: ArrayCells) -> None:
        places = np.nonzero(there(cells))[0]
        centre, inward = [], np.zeros(len(places))
        for column in cells.columns:  # one by one: a copy of all would be the peak of the memory
            values = column.take(places)
            centre.append(float(values.mean()))
            values -= centre[-1]
            inward += np.multiply(values, values, out=values)
        np.negative(np.sqrt(inward, out=inward), out=inward)
        order = inward.argsort()
        self._cells, self._places = cells, places[order].astype(np.int32)
        self._inward = inward[order]
        self._centre: Point = tuple(centre)
        self._begin = 0
        self._left = SORTING * len(order)

    @property
    def worn(self) -> bool:
        """Return True if more points were looked at than a new order would cost."""
        return self._left < 0

    def pass_by(self) -> None:
        """Begin with a point that is still there."""
        first, places, begin = self._cells.columns[0], self._places, self._begin
        while begin < places.size and isnan(first[places[begin]]):
            begin += 1
        self._begin = begin

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """The sites at about the greatest distance from a point."""
        first = self._cells.columns[0]
        places = self._cells.place[np.fromiter(hidden, np.int32, len(hidden))]
        values, first[places] = first[places], nan  # nowhere for some time
        sites = self._farthest(query)
        first[places] = values
        return sites

    def _farthest(self, query: Query) -> list[Site]:
        shift = dist(self._centre, query.point)
        point = np.array(query.point)[:, None]
        best, begin, end, step = -1.0, self._begin, self._inward.size, NEXT
        found = []
        while begin < end:
            places = self._places[begin : min(begin + step, end)]
            values = squares(self._cells.columns.take(places, axis=1), point)
            found.append((places, values))
            best = max(best, greatest_distance(values))
            begin, step = begin + step, 2 * step
            limit = query.low(best) - query.slack
            end = int(self._inward.searchsorted(shift - limit, "right"))
        self._left -= begin - self._begin
        least_square = limit * limit if limit > 0 else 0.0
        near = [places[values >= least_square] for places, values in found]
        pairs = self._cells.estimated(near[0] if len(near) == 1 else np.concatenate(near), query)
        limit = query.low(max(e for e, _ in pairs))
        return [site for e, site in pairs if e >= limit]


def there(cells: ArrayCells) -> Array:
    """Mark the cells that have a point."""
    return cells.columns[0] == cells.columns[0]


def squares(columns: Array, point: Array) -> Array:
    """The squared distances of some points from one; the columns are overwritten."""
    columns -= point
    np.multiply(columns, columns, out=columns)
    return np.add.reduce(columns)


def greatest_distance(squared: Array) -> float:
    """The greatest distance; -1 if there is no point."""
    most = float(np.fmax.reduce(squared))
    return sqrt(most) if most == most else -1.0


def least_distance(m: int, squared: Array) -> float:
    """The m-th least distance; infinite if there are not so many points."""
    if squared.size < m:
        return inf
    squared = squared.copy()
    squared.partition(m - 1)
    value = float(squared[m - 1])
    return sqrt(value) if value == value else inf


def extremes(blocks: Array) -> tuple[Array, Array]:
    """The least and the greatest value of each attribute in each block."""
    return np.fmin.reduce(blocks, axis=2), np.fmax.reduce(blocks, axis=2)


def parted(columns: Sequence[Array], size: int) -> list[Array]:
    """The numbers of the points in parts of at most so many, halved where they are widest."""
    parts, left = [], [np.arange(len(columns[0]), dtype=np.int32)]
    while left:
        some = left.pop()
        if len(some) <= size:
            parts.append(some)
            continue
        widest = int(np.argmax([np.ptp(column[some]) for column in columns]))
        half = -(-len(some) // size) // 2 * size
        order = np.argpartition(columns[widest][some], half)
        left += [some[order[:half]], some[order[half:]]]
    return parts
