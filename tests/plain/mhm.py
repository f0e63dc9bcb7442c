"""All ways to cut a path into pieces of k to 2k-1, the cheapest of them; pieces from the end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from plain import cbfs, md, mdav, mdav_single, tours
from plain.geometry import (
    Point,
    gap,
    middle,
    middle_of,
    most_central_group,
    most_distant,
    nearest_first,
)

FORMED_BY = {
    "mdav": mdav.partition,
    "md": md.partition,
    "cbfs": cbfs.partition,
    "mdav-single": mdav_single.partition,
}


def partition(points: Sequence[Point], k: int, path: str) -> list[list[int]]:
    return cut(points, k, way_of(points, k, path))


def way_of(points: Sequence[Point], k: int, path: str) -> list[int]:
    everybody = list(range(len(points)))
    if path in FORMED_BY:
        return chain(points, sorted(sorted(group) for group in FORMED_BY[path](points, k)))
    if path == "insertion":
        return tours.path(points, tours.grown(points))
    way = chain(points, [everybody])
    return way if path == "npn" else tours.path(points, tours.untangled(points, way))


def cut(points: Sequence[Point], k: int, way: list[int]) -> list[list[int]]:
    @cache
    def cheapest(end: int) -> tuple[Fraction, int] | None:
        """The least cost of the first records of the way, and the size of their last piece."""
        if end == 0:
            return Fraction(0), 0
        options = []
        for size in range(k, min(2 * k - 1, end) + 1):
            before = cheapest(end - size)
            if before is not None:
                options.append((before[0] + cost(points, way[end - size : end]), size))
        return min(options, default=None)

    done = []
    while way:
        found = cheapest(len(way))
        assert found is not None
        done.append(way[-found[1] :])
        way = way[: -found[1]]
    return done


def cost(points: Sequence[Point], ids: list[int]) -> Fraction:
    mean = middle_of(points, ids)
    return sum((gap(points[i], mean) for i in ids), Fraction(0))


def chain(points: Sequence[Point], groups: list[list[int]]) -> list[int]:
    mean = middle(points)
    middles = [middle_of(points, group) for group in groups]
    now = most_distant(middles, mean, list(range(len(groups))))
    unvisited = [g for g in range(len(groups)) if g != now]
    way = [most_distant(points, mean, groups[now])]
    walk(points, way, [i for i in groups[now] if i not in way])
    while unvisited:
        now = unvisited.pop(
            most_central_group(points, middles[now], [middles[g] for g in unvisited])
        )
        walk(points, way, groups[now])
    return way


def walk(points: Sequence[Point], way: list[int], ids: list[int]) -> None:
    left = list(ids)
    while left:
        left = nearest_first(points, points[way[-1]], left)
        way.append(left.pop(0))
