"""Nearest records to points, sought in binary64 and decided in integers.

Source of the tree: J. L. Bentley 1975, multidimensional binary search trees.

A coordinate in binary64 is off by at most 4 u times its size, u = 2^-53 (`coordinates`: a
quotient, a factor and their product, each rounded). So the distance of a point q from a point at
distance d is off by at most 4 u (2 |q| + d), and by (p + 2) u d more where it is computed. Twice
that, for the nearest and for the one that seems to be, is less than (16 + 2 p) u (|q| + d) and what
is granted here, (64 + p) 2 u (|q| + d): all that is as near as the nearest is found to be so near,
also where a tree leaves out parts by distances that are computed in as many sums as it is deep.
What is less than 2^-500 of the largest coordinate is granted always, because squares underflow.
Where several are so near, integers decide.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import dist, hypot, inf, lcm
from typing import Any

from refagg.data.standardise import Scaled
from refagg.data.tables import Table
from refagg.language.lists import by_key
from refagg.spaces.binary64 import coordinates
from refagg.spaces.exact import middle

Point = tuple[float, ...]
Row = tuple[int, ...]

LEAF = 12
"""Points that are not divided further."""

ROUNDING = 1 + 2.0**-45
"""What is granted to the distance of a part, which is computed in binary64, too."""

FEW, FEWER = 2000, 200
"""Points up to which arrays are not worth it: where NumPy has to be loaded, and where it is."""

SOME = 1000
"""About so many values say where the middle of an attribute is, from which it is measured."""


@dataclass(frozen=True, slots=True)
class NearestRows:
    """Rows of a table that are nearest to each other point.

    The points are rows of another table. `row` is the number of each record's row, of those that
    are different, and `sizes` says how many records have it. `found` gives for each of the others
    the rows that are nearest to it.
    """

    row: list[int]
    sizes: list[int]
    found: Iterator[Sequence[int]]


def nearest_rows(scaled: Scaled, others: Table) -> NearestRows:
    """Return the rows of numbers nearest to another table's.

    Distances are on the scale of the first table.
    """
    pairs = list(zip(scaled.table.columns, others.columns, strict=True))
    units = [lcm(a.denominator, b.denominator) for a, b in pairs]
    numbers: dict[Row, int] = {}
    rows = zip(*(column.numerators for column in scaled.table.columns), strict=True)
    row = [numbers.setdefault(values, len(numbers)) for values in rows]
    weights = [w / unit**2 for w, unit in zip(scaled.weights, units, strict=True)]
    columns = [
        times(unit // a.denominator, [row[j] for row in numbers])
        + times(unit // b.denominator, b.numerators)
        for j, ((a, b), unit) in enumerate(zip(pairs, units, strict=True))
    ]
    whole = lcm(*(weight.denominator for weight in weights))
    integers = [int(weight * whole) for weight in weights]
    centres = [middle(column[:: 1 + len(column) // SOME]) for column in columns]
    near = _near(coordinates(columns, centres, weights)[1], len(numbers))
    found = (
        few if len(few) == 1 else _nearest(few, columns, target, integers)
        for target, few in enumerate(near, len(numbers))
    )
    return NearestRows(row, list(Counter(row).values()), found)


def in_arrays(n: int) -> bool:
    """Return True if arrays are worth it for so many points."""
    return n > FEWER if "numpy" in sys.modules else n > FEW and find_spec("numpy") is not None


def times(factor: int, numbers: Sequence[int]) -> list[int]:
    """Return the products of numbers with a factor."""
    return list(numbers) if factor == 1 else [x * factor for x in numbers]


def _nearest(
    few: Sequence[int], columns: Sequence[Sequence[int]], target: int, weights: Sequence[int]
) -> list[int]:
    """Return the nearest of a few rows, exactly."""
    distances = [
        sum(w * (x[number] - x[target]) ** 2 for w, x in zip(weights, columns, strict=True))
        for number in few
    ]
    least = min(distances)
    return [number for number, d in zip(few, distances, strict=True) if d == least]


def _near(columns: Sequence[Sequence[float]], n: int) -> Iterator[Sequence[int]]:
    """Yield for each later point the possibly nearest first points.

    The first n points are candidates; points are later after them. If there are many,
    arrays are used.
    """
    if in_arrays(n) and find_spec("numba"):
        from refagg.release.arrays import near

        return near(columns, n, *distance_error(len(columns)))
    points = list(zip(*columns, strict=True))
    tree = Tree(points[:n])
    return (tree.near(point, bound_of(point)) for point in points[n:])


def distance_error(width: int) -> tuple[float, float]:
    """Return the relative and absolute error of a computed distance.

    The distance is computed from `width` coordinates. The relative error refers to the sum of the
    distance and of the length of the point that it is measured from.
    """
    return (64 + width) * 2.0**-52, width * 2.0**-500


def bound_of(target: Point) -> Callable[[float], float]:
    """Return a bound of the nearest point's computed distance.

    It is a function of the distance of some point: the greatest computed distance of the nearest
    point, if one is at this distance.
    """
    relative, absolute = distance_error(len(target))
    most = hypot(*target) * relative + absolute
    return lambda best: best + best * relative + most


class Tree:
    """A k-d tree: points divided at medians of their widest coordinates.

    Points are numbered as they are given. It only says which points need not be examined; the
    others have the distance that `math.dist` gives, so what is found is what comparing all points
    finds.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        members = by_key((point, number) for number, point in enumerate(points))
        self._root = _divided(list(members.items()))
        self._width = len(points[0])

    def near(self, point: Point, bound: Callable[[float], float]) -> list[int]:
        """Return the points within the bound of the nearest distance.

        `bound` says of the distance of the nearest point how far a point may be to count as near.
        It must rise with the distance.
        """
        best = limit = inf
        found: list[tuple[float, list[int]]] = []
        waiting: list[tuple[float, Any, Point]] = [(0.0, self._root, (0.0,) * self._width)]
        while waiting:
            away, part, gaps = waiting.pop()
            if away > limit:
                continue
            while len(part) == 4:
                axis, middle, low, high = part
                gap = point[axis] - middle
                part, other = (low, high) if gap < 0 else (high, low)
                beyond = (*gaps[:axis], gap, *gaps[axis + 1 :])
                away = hypot(*beyond)
                if away <= limit:
                    waiting.append((away, other, beyond))
            for place, numbers in part[0]:
                apart = dist(point, place)
                if apart <= limit:
                    found.append((apart, numbers))
                    if apart < best:
                        best = apart
                        limit = bound(best) * ROUNDING
        tied = bound(best)
        return [number for apart, numbers in found if apart <= tied for number in numbers]


def _divided(places: list[tuple[Point, list[int]]]) -> tuple[object, ...]:
    """Return a leaf, or a division into two parts.

    A leaf is (places,), else the result is (axis, middle, low, high), where low has nothing above
    the middle and high nothing below.
    """
    if len(places) <= LEAF:
        return (places,)
    columns = list(zip(*(point for point, _ in places), strict=True))
    widths = [max(column) - min(column) for column in columns]
    axis = widths.index(max(widths))
    places.sort(key=lambda place: place[0][axis])
    half = len(places) // 2
    middle = places[half][0][axis]
    return axis, middle, _divided(places[:half]), _divided(places[half:])
