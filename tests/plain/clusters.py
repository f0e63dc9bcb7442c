"""Clusters around medoids, sorted one by one, and cut as one row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import dist

from plain.geometry import Point
from plain.stream import Stream

Order = Callable[[int, list[int]], list[float]]


def cut_in_a_row(
    points: Sequence[Point], k: int, clusters: int, stream: Stream, order: Order
) -> list[list[int]]:
    """`order` gives a number for each record of a cluster, which has a medoid."""
    rows = [[float(x) for x in point] for point in points]
    row: list[int] = []
    for medoid, members in in_clusters(rows, clusters, stream):
        numbers = dict(zip(members, order(medoid, members), strict=True))
        row += sorted(members, key=lambda i: (numbers[i], i))
    pieces = [row[i : i + k] for i in range(0, len(row), k)]
    if len(pieces) > 1 and len(pieces[-1]) < k:
        pieces[-2:] = [pieces[-2] + pieces[-1]]
    return pieces


def in_clusters(
    rows: list[list[float]], clusters: int, stream: Stream
) -> list[tuple[int, list[int]]]:
    n = len(rows)
    c = min(clusters, n)
    if n <= 40 + 2 * c:
        medoids = around(rows, list(range(n)), c)
    else:
        tries = [around(rows, sorted(stream.sample(n, 40 + 2 * c)), c) for _ in range(5)]
        medoids = min(tries, key=lambda m: short(cost(rows, range(n), m)))
    near = [min(medoids, key=lambda m: (short(dist(row, rows[m])), m)) for row in rows]
    first: dict[int, int] = {}
    for i, medoid in enumerate(near):
        first.setdefault(medoid, i)
    by = sorted(range(n), key=lambda i: (first[near[i]], i))
    return [(medoid, list(members)) for medoid, members in groupby(by, key=near.__getitem__)]


def short(number: float) -> float:
    return float(f"{number:.10g}")


def cost(rows: list[list[float]], ids: Sequence[int], medoids: Sequence[int]) -> float:
    return sum(min(dist(rows[i], rows[m]) for m in medoids) for i in ids)


def around(rows: list[list[float]], ids: list[int], c: int) -> list[int]:
    """Medoids that no exchange makes better, from those that are best one after the other."""
    found: list[int] = []
    while len(found) < c:
        others = [i for i in ids if i not in found]
        found.append(min(others, key=lambda i: (short(cost(rows, ids, [*found, i])), i)))
    while len(found) < len(ids):
        others = [i for i in ids if i not in found]
        changed = [(m, i, [i if x == m else x for x in found]) for m in found for i in others]
        costs = {(m, i): short(cost(rows, ids, new)) for m, i, new in changed}
        best = min(costs, key=lambda pair: (costs[pair], pair))
        if costs[best] >= short(cost(rows, ids, found)):
            break
        found = [best[1] if x == best[0] else x for x in found]
    return found
