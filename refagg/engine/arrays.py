"""Points in one array; needs the extra `[big]`.

Each question looks at all points at once. The squared distance of x from a point c is
|x|^2 - 2 x c + |c|^2: for all points one product of c and a matrix. It cancels where both are near
to each other, so an answer is clear if no other square is within a margin of squares
(`docs/exact.md`); where that is not so, `math.dist` says which points are within the margin of
distances.

These are estimates in another order of sums than `math.dist` has; of what is within a wider margin
of the extreme one the estimates are computed by that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from math import inf, sqrt
from sys import float_info
from typing import Any

from refagg.engine.frame import UNIT, Coordinates, Found, Query, Site
from refagg.engine.lists import estimated, farthest_of, nearest_of
from refagg.errors import needed

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any

WORN = 1.5
"""One array is copied when a multiple of the points that are there stand in it."""


def coordinates_of(columns: Iterable[Coordinates]) -> Array:
    """Return the coordinates of points, a row for each attribute."""
    return np.array([np.fromiter(numbers, float) * factor for numbers, factor in columns])


class Arrays:
    """The points of some sites, a row for each attribute.

    A square of a point that is gone is infinite where the nearest are asked for, and the opposite
    where the farthest are.
    """

    def __init__(self, sites: Sequence[Site], columns: Iterable[Coordinates]) -> None:
        self._columns = coordinates_of(columns)
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

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """Return the sites at about the greatest distance."""
        squares, square, margin = self._squares(query, self._far, hidden, -inf)
        first = int(squares.argmax())
        best, squares[first] = squares[first], -inf
        if query.shrink == 1 and squares.max() < best - margin:
            return [int(self._sites[first])]
        squares[first] = best
        low = query.low(sqrt(max(best + square - margin, 0.0))) - query.slack
        least = low * low - square - margin if low > 0 else -float_info.max
        return farthest_of(self._estimated(squares >= least, query), query)

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
        """Return the sites at about the m least distances.

        All sites are returned if there are no more than m.
        """
        squares, square, margin = self._squares(query, self._near, hidden, inf)
        last = np.partition(squares, m - 1)[m - 1] if m <= squares.size else inf
        high = query.high(sqrt(max(last + square + margin, 0.0))) + query.slack
        most = min(high * high - square + margin, float_info.max)
        return nearest_of(self._estimated(squares <= most, query), m, query)

    def _squares(
        self, query: Query, norms: Array, hidden: Set[Site], value: float
    ) -> tuple[Array, float, float]:
        """Return estimated squared distances, the point's square, and a margin.

        The squared distances are less the square of the point.
        """
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
        return estimated(query, self._sites[some].tolist(), self._columns[:, some].T.tolist())
