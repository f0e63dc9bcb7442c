"""MDAV and optimal grouping in the style of other programs, with places to go wrong in.

`mdav(points, k)` is MDAV on rows of floats; what a program does to its records before is
another function, and so are distances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import inf
from statistics import pvariance
from typing import Any

import numpy as np

from .implementation import Groups, Program, Rows

Point = Sequence[float]
Distance = Callable[[Point, Point], float]
Prepare = Callable[[list[list[float]]], list[list[float]]]


def squared(a: Point, b: Point) -> float:
    return sum((x - y) * (x - y) for x, y in zip(a, b, strict=True))


def city(a: Point, b: Point) -> float:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def chessboard(a: Point, b: Point) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def expanded(a: Point, b: Point) -> float:
    """a.a - 2 a.b + b.b, which loses all digits far from 0."""
    return (
        sum(x * x for x in a)
        - 2 * sum(x * y for x, y in zip(a, b, strict=True))
        + sum(y * y for y in b)
    )


def unsigned(a: Point, b: Point) -> float:
    return sum((abs(x) - abs(y)) ** 2 for x, y in zip(a, b, strict=True))


def mean_point(points: Sequence[Point], ids: Sequence[int]) -> list[float]:
    return [sum(column) / len(ids) for column in zip(*(points[i] for i in ids), strict=True)]


def median_point(points: Sequence[Point], ids: Sequence[int]) -> list[float]:
    return [sorted(column)[len(ids) // 2] for column in zip(*(points[i] for i in ids), strict=True)]


def with_numpy(records: Rows, k: int) -> Groups:
    """MDAV on arrays: argmax, and a stable argsort."""
    points = np.array(records, dtype=float)
    left, groups = np.arange(len(points)), list[list[int]]()

    def farthest(point: Any) -> int:
        return int(np.argmax(((points[left] - point) ** 2).sum(axis=1)))

    def take(seed: int, but: int = -1) -> None:
        nonlocal left
        others = left[(left != seed) & (left != but)]
        squares = ((points[others] - points[seed]) ** 2).sum(axis=1)
        near = others[np.argsort(squares, kind="stable")]
        groups.append([seed, *map(int, near[: k - 1])])
        left = np.setdiff1d(left, groups[-1])

    while len(left) >= 3 * k:
        r = int(left[farthest(points[left].mean(axis=0))])
        squares = ((points[left] - points[r]) ** 2).sum(axis=1)
        squares[left == r] = -1
        s = int(left[np.argmax(squares)])
        take(r, but=s)
        take(s)
    if len(left) >= 2 * k:
        take(int(left[farthest(points[left].mean(axis=0))]))
    return [*groups, [int(i) for i in left]]


def mdav(
    points: Sequence[Point],
    k: int,
    distance: Distance = squared,
    middle: Callable[[Sequence[Point], Sequence[int]], list[float]] = mean_point,
) -> Groups:
    """MDAV as most programs write it: the first maximum, a stable sort."""
    left = list(range(len(points)))
    groups: Groups = []

    def farthest(center: Point, but: int = -1) -> int:
        return max((i for i in left if i != but), key=lambda i: distance(points[i], center))

    def take(seed: int, but: int = -1) -> None:
        others = [i for i in left if i not in (seed, but)]
        others.sort(key=lambda i: distance(points[i], points[seed]))
        groups.append([seed, *others[: k - 1]])
        left[:] = [i for i in left if i not in groups[-1]]

    while len(left) >= 3 * k:
        r = farthest(middle(points, left))
        s = farthest(points[r], but=r)
        take(r, but=s)
        take(s)
    if len(left) >= 2 * k:
        take(farthest(middle(points, left)))
    return [*groups, left]


def program(prepare: Prepare | None = None, **ways: Any) -> Program:
    """MDAV on records that are prepared first."""

    def run(records: Rows, k: int, **given: Any) -> Groups:
        rows = [list(map(float, row)) for row in records]
        return mdav(prepare(rows) if prepare else rows, k, **ways)

    return run


# What programs do to their records first


def by_column(change: Callable[[list[float]], list[float]]) -> Prepare:
    """The same change of each attribute."""

    def prepare(rows: list[list[float]]) -> list[list[float]]:
        columns = [change(list(column)) for column in zip(*rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]

    return prepare


def _divided(values: list[float], width: float) -> list[float]:
    mean = sum(values) / len(values)
    return [(value - mean) / width if width else 0.0 for value in values]


def z_scores(values: list[float]) -> list[float]:
    return _divided(values, pvariance(values) ** 0.5)


def by_variance(values: list[float]) -> list[float]:
    return _divided(values, pvariance(values))


def by_range(values: list[float]) -> list[float]:
    return _divided(values, max(values) - min(values))


def by_largest(values: list[float]) -> list[float]:
    return _divided(values, max(map(abs, values)))


def ranks(values: list[float]) -> list[float]:
    return [float(sum(other < value for other in values)) for value in values]


def in_binary32(values: list[float]) -> list[float]:
    with np.errstate(over="ignore"):
        return [float(np.float32(value)) for value in values]


def whole(values: list[float]) -> list[float]:
    return [float(int(value)) for value in values]


def in_16_bits(values: list[float]) -> list[float]:
    return [float((int(value) + 2**15) % 2**16 - 2**15) for value in values]


def not_negative(values: list[float]) -> list[float]:
    return [max(value, 0.0) for value in values]


def cubes(values: list[float]) -> list[float]:
    return [value**3 for value in values]


# Optimal grouping of one attribute


def shortest_path(
    records: Rows, k: int, most: Callable[[int], int] = lambda k: 2 * k - 1, sort: bool = True
) -> Groups:
    """The cheapest path over sorted values, groups of k to `most(k)`, on centred values."""
    order = sorted(range(len(records)), key=lambda i: records[i][0]) if sort else None
    ids = order or list(range(len(records)))
    middle = sum(records[i][0] for i in ids) / len(ids)
    values = [records[i][0] - middle for i in ids]
    sums = [0.0, *accumulate(values)]
    squares = [0.0, *accumulate(value * value for value in values)]

    def cost(start: int, end: int) -> float:
        return squares[end] - squares[start] - (sums[end] - sums[start]) ** 2 / (end - start)

    return _cheapest(ids, k, most(k), cost)


def with_cost(records: Rows, k: int, cost: Callable[[list[float]], float]) -> Groups:
    """The cheapest path where a group costs what `cost` makes of its sorted values."""
    ids = sorted(range(len(records)), key=lambda i: records[i][0])
    values = [records[i][0] for i in ids]
    return _cheapest(ids, k, 2 * k - 1, lambda start, end: cost(values[start:end]))


def _cheapest(ids: list[int], k: int, most: int, cost: Callable[[int, int], float]) -> Groups:
    n = len(ids)
    best = [0.0] + [inf] * n
    before = [0] * (n + 1)
    for end in range(k, n + 1):
        for start in range(max(0, end - most), end - k + 1):
            if best[start] < inf and (total := best[start] + cost(start, end)) < best[end]:
                best[end], before[end] = total, start
    if best[n] == inf:
        return [ids]
    groups: Groups = []
    end = n
    while end:
        groups.append(ids[before[end] : end])
        end = before[end]
    return groups
