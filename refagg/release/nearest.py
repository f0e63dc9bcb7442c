"""The nearest of many points, by a k-d tree, all that are tied with it among them.

Source: J. L. Bentley 1975, multidimensional binary search trees.

The tree only says which points need not be examined; the others have the distance that
`math.dist` gives, so the nearest is the one that comparing all points finds. A part is left out
where it is farther than all that is tied with the nearest so far, by more than rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot, inf
from typing import Any

from refagg.language.ties import Tolerance

Point = tuple[float, ...]

LEAF = 12
"""Points that are not divided further."""

ROUNDING = 1 + 2.0**-45
"""What is granted to the distance of a part, which is computed in binary64, too."""


class Tree:
    """Points, numbered as they are given, and divided at medians of their widest coordinates."""

    def __init__(self, points: Sequence[Point], tolerance: Tolerance) -> None:
        members: dict[Point, list[int]] = {}
        for number, point in enumerate(points):
            members.setdefault(point, []).append(number)
        self._tolerance = tolerance
        self._root = _divided(list(members.items()))
        self._width = len(points[0])

    def nearest(self, point: Point) -> list[int]:
        """The points that are nearest to this one, or tied with those that are."""
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
                        limit = self._tolerance.greatest_tied(best) * ROUNDING
        tied = self._tolerance.greatest_tied(best)
        return [number for apart, numbers in found if apart <= tied for number in numbers]


def _divided(places: list[tuple[Point, list[int]]]) -> tuple[Any, ...]:
    """(places,) of a leaf; else (axis, middle, low, high), where low has nothing above the middle
    and high nothing below."""
    if len(places) <= LEAF:
        return (places,)
    columns = list(zip(*(point for point, _ in places), strict=True))
    widths = [max(column) - min(column) for column in columns]
    axis = widths.index(max(widths))
    places.sort(key=lambda place: place[0][axis])
    half = len(places) // 2
    middle = places[half][0][axis]
    return axis, middle, _divided(places[:half]), _divided(places[half:])
