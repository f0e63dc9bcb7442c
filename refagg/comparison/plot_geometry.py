"""Geometry of pictures: hulls, colours of neighbours, labels, dendrograms.

Labels are placed side by side.

Plain geometry; `refagg.comparison.plots` draws it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from refagg.errors import InvalidParameter

Point = tuple[float, float]
Box = tuple[tuple[float, float], tuple[float, float]]
"""From left to right, and from low to high."""

NEIGHBOURS = 8
"""How many groups around a group should have other colours."""


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the least convex shape around some points, counter-clockwise.

    Points on an edge are no corners. One point is its own hull, points on a line have two ends.

    >>> convex_hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2), (1, 0)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(points: Sequence[Point]) -> list[Point]:
    """Return the lower half of the hull of points.

    The points are in order from left to right.
    """
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def middle_square(points: Sequence[Point], share: int) -> Box | None:
    """Return the square around the medians with a share of points.

    It is around the medians of both coordinates and holds one point in `share`. None if it has no
    area.

    >>> middle_square([(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)], 2)
    ((1, 3), (1, 3))
    """
    x, y = (sorted(coordinates)[len(points) // 2] for coordinates in zip(*points, strict=True))
    reach = sorted(max(abs(a - x), abs(b - y)) for a, b in points)[len(points) // share]
    return ((x - reach, x + reach), (y - reach, y + reach)) if reach else None


def inside(point: Point, box: Box) -> bool:
    """Return True if a box holds a point, its edge included."""
    (left, right), (low, high) = box
    return left <= point[0] <= right and low <= point[1] <= high


def colour_numbers(centres: Sequence[Point], colours: int) -> list[int]:
    """Return a colour number for each group, unlike its nearest groups'.

    Colours are 0 .. colours-1. Of the colours that its neighbours use least, the one that is used
    least altogether.

    >>> colour_numbers([(0, 0), (1, 0), (9, 9)], 3)
    [0, 1, 2]
    """
    numbers: dict[int, int] = {}
    used: Counter[int] = Counter()
    for group in sorted(range(len(centres)), key=lambda g: centres[g]):
        near = sorted(numbers, key=lambda g: dist(centres[g], centres[group]))[:NEIGHBOURS]
        around = Counter(numbers[g] for g in near)
        numbers[group] = min(range(colours), key=lambda c: (around[c], used[c], c))
        used[numbers[group]] += 1
    return [numbers[group] for group in range(len(centres))]


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Return positions near the wanted ones, sufficiently far apart.

    They are in the same order, at least `apart` from each other. Labels that would cover each other
    are put side by side around their common middle. They stay between `low` and `high` where
    possible; otherwise they are less far apart.

    >>> spread([5, 5, 9], 1, 0, 10)
    [4.5, 5.5, 9.0]
    """
    if not wanted:
        return []
    apart = min(apart, (high - low) / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    blocks: list[tuple[float, int]] = []  # the middle of a block of labels, and how many they are
    for i in order:
        middle, count = _inside(wanted[i], 1, apart, low, high), 1
        while blocks and _end(blocks[-1], apart) > middle - (count - 1) * apart / 2 - apart + 1e-12:
            before, more = blocks.pop()
            middle = (before * more + middle * count) / (more + count)
            count += more
            middle = _inside(middle, count, apart, low, high)
        blocks.append((middle, count))
    places = [
        middle + (position - (count - 1) / 2) * apart
        for middle, count in blocks
        for position in range(count)
    ]
    found = dict(zip(order, places, strict=True))
    return [found[i] for i in range(len(wanted))]


def _inside(middle: float, count: int, apart: float, low: float, high: float) -> float:
    half = (count - 1) * apart / 2
    return max(low + half, min(high - half, middle))


def _end(block: tuple[float, int], apart: float) -> float:
    middle, count = block
    return middle + (count - 1) * apart / 2


Merge = tuple[int, int, float]
"""(a, b, height): two clusters become one. Clusters 0 .. n-1 are the records, n+t is merge t."""


@dataclass(frozen=True, slots=True)
class DendrogramLayout:
    """Layout of dendrograms side by side.

    It has the records from left to right, and a line for each merge. `roots` are the clusters that
    are never merged, from left to right; `root_of` has for each merge the place in `roots` of the
    one that it ends in.
    """

    order: list[int]
    lines: list[list[Point]]
    roots: list[int]
    root_of: list[int]


def dendrogram_layout(merges: Sequence[Merge], n: int) -> DendrogramLayout:
    """Return the layout of one or several dendrograms.

    Several are side by side if not everything is merged into one. Record i of `order` is at i.
    Clusters stand side by side in the order of their least record. Raises InvalidParameter unless
    each cluster is merged at most once, after it is formed.

    >>> tree = dendrogram_layout([(0, 2, 1.0), (3, 1, 4.0)], 3)
    >>> tree.order, tree.roots
    ([0, 2, 1], [4])
    >>> tree.lines[1]
    [(0.5, 1.0), (0.5, 4.0), (2.0, 4.0), (2.0, 0.0)]
    """
    _check(merges, n)
    least = list(range(n))
    for a, b, _ in merges:
        least.append(min(least[a], least[b]))
    merged = {cluster for a, b, _ in merges for cluster in (a, b)}
    roots = [cluster for cluster in range(n + len(merges)) if cluster not in merged]
    roots.sort(key=least.__getitem__)
    order = _leaves(merges, n, roots, least)
    places = {record: (float(x), 0.0) for x, record in enumerate(order)}
    lines = []
    for number, (a, b, height) in enumerate(merges):
        (x, y), (to_x, to_y) = sorted((places[a], places[b]))
        lines.append([(x, y), (x, float(height)), (to_x, float(height)), (to_x, to_y)])
        places[n + number] = ((x + to_x) / 2, float(height))
    return DendrogramLayout(order, lines, roots, _root_of(merges, n, roots))


def _check(merges: Sequence[Merge], n: int) -> None:
    seen: set[int] = set()
    for number, (a, b, _) in enumerate(merges):
        for cluster in (a, b):
            if not 0 <= cluster < n + number:
                raise InvalidParameter(
                    f"merge {number} names cluster {cluster}; there are 0 to {n + number - 1}"
                )
            if cluster in seen:
                raise InvalidParameter(f"merge {number} names cluster {cluster}, which is merged")
            seen.add(cluster)


def _leaves(merges: Sequence[Merge], n: int, roots: Sequence[int], least: list[int]) -> list[int]:
    order, waiting = [], list(reversed(roots))
    while waiting:
        cluster = waiting.pop()
        if cluster < n:
            order.append(cluster)
        else:
            waiting += sorted(merges[cluster - n][:2], key=least.__getitem__, reverse=True)
    return order


def _root_of(merges: Sequence[Merge], n: int, roots: Sequence[int]) -> list[int]:
    place = {root: number for number, root in enumerate(roots)}
    for number in reversed(range(len(merges))):
        a, b, _ = merges[number]
        place[a] = place[b] = place[n + number]
    return [place[n + number] for number in range(len(merges))]
