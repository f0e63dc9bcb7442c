"""Heights from the definitions, over all records of all pairs of clusters, at every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

from plain import mdav
from plain.geometry import Point, gap, middle_of

Cluster = list[int]
NEAR = Decimal(10) ** -30
"""Heights that differ relatively by less are equal; they are computed to 60 digits."""


def partition(
    points: Sequence[Point],
    k: int,
    linkage: str,
    metric: str,
    cap: str,
    priority: str,
    leftovers: str,
) -> list[Cluster]:
    with localcontext() as context:
        context.prec = 60
        most = k if cap == "k" else 2 * k - 1
        clusters = merged(points, most, linkage, metric, priority)[0]
    if leftovers == "free-capacity":
        return free_capacity(points, k, clusters)
    small = [c for c in clusters if len(c) < k]
    if leftovers == "mdav" and sum(map(len, small)) >= k:
        left = sorted(i for c in small for i in c)
        again = mdav.partition([points[i] for i in left], k)
        return [c for c in clusters if c not in small] + [[left[i] for i in g] for g in again]
    return nearest(points, k, clusters, one_by_one=leftovers == "nearest")


def merged(
    points: Sequence[Point], most: int, linkage: str, metric: str, priority: str
) -> tuple[list[Cluster], list[tuple[Cluster, Cluster, Decimal]]]:
    """The clusters in their order, and what was merged at which height."""
    distance = table(points, metric)
    clusters: list[Cluster] = [[i] for i in range(len(points))]
    mergers = []
    while True:
        heights = []
        for a, b in combinations(range(len(clusters)), 2):
            size = len(clusters[a]) + len(clusters[b])
            if size <= most:
                height = height_of(points, clusters[a], clusters[b], linkage, metric, distance)
                heights.append((height / size if priority == "size" else height, a, b))
        if not heights:
            return clusters, mergers
        least = min(heights)[0]
        height, a, b = min((h for h in heights if h[0] <= least * (1 + NEAR) + NEAR), key=places)
        mergers.append((clusters[a], clusters[b], height))
        union = sorted(clusters[a] + clusters[b])
        clusters = [c for i, c in enumerate(clusters) if i not in (a, b)] + [union]


def places(candidate: tuple[Decimal, int, int]) -> tuple[int, int]:
    return candidate[1:]


def root(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()


def table(points: Sequence[Point], metric: str) -> list[list[Decimal]]:
    """The distances of all records."""
    exact: dict[str, Callable[[Point, Point], Fraction]] = {
        "euclidean": gap,
        "squared": lambda x, y: gap(x, y) ** 2,
        "manhattan": lambda x, y: sum(differences(x, y), Fraction(0)) ** 2,
        "maximum": lambda x, y: max(differences(x, y)) ** 2,
        "mahalanobis": mahalanobis(points),
    }
    return [[root(exact[metric](x, y)) for y in points] for x in points]


def differences(x: Point, y: Point) -> list[Fraction]:
    return [abs(Fraction(a) - b) for a, b in zip(x, y, strict=True)]


def mahalanobis(points: Sequence[Point]) -> Callable[[Point, Point], Fraction]:
    """x-y times w, where the covariance matrix times w is x-y; any such w will do."""
    n, centre = len(points), middle_of(points, list(range(len(points))))
    off = [[Fraction(x) - c for x, c in zip(p, centre, strict=True)] for p in points]
    width = range(len(centre))
    matrix = [[sum((p[i] * p[j] for p in off), Fraction(0)) / n for j in width] for i in width]

    def squared(x: Point, y: Point) -> Fraction:
        d = [Fraction(a) - b for a, b in zip(x, y, strict=True)]
        w = solution([[*row, e] for row, e in zip(matrix, d, strict=True)])
        return sum((a * b for a, b in zip(d, w, strict=True)), Fraction(0))

    return squared


def solution(rows: list[list[Fraction]]) -> list[Fraction]:
    """A solution of linear equations that have one, by elimination."""
    width = len(rows[0]) - 1
    found = [Fraction(0)] * width
    pivots = []
    for j in range(width):
        for row in rows:
            if row[j] and not any(row is other for _, other in pivots):
                for other in rows:
                    if other is not row and other[j]:
                        factor = other[j] / row[j]
                        other[:] = [a - factor * b for a, b in zip(other, row, strict=True)]
                pivots.append((j, row))
                break
    for j, row in pivots:
        found[j] = row[width] / row[j]
    return found


def height_of(
    points: Sequence[Point], a: Cluster, b: Cluster, linkage: str, metric: str, distance: Any
) -> Decimal:
    between = [distance[i][j] for i in a for j in b]
    if linkage == "single":
        return min(between)
    if linkage == "complete":
        return max(between)
    if linkage == "average":
        return sum(between, Decimal(0)) / len(between)
    m, share = len(a) + len(b), Decimal(len(a) * len(b)) / (len(a) + len(b))
    if linkage == "energy":
        inside = [sum(distance[i][j] for i in c for j in c) / len(c) ** 2 for c in (a, b)]
        return max(share * (2 * sum(between) / len(between) - sum(inside)), Decimal(0))
    power = 1 if metric == "squared" else 2
    loss = [
        sum((distance[i][j] ** power for i, j in combinations(c, 2)), Decimal(0))
        for c in (a, b, a + b)
    ]
    increase = max(loss[2] / m - loss[0] / len(a) - loss[1] / len(b), Decimal(0))
    height = increase if linkage == "ward" else increase / share
    return height if metric == "squared" else height.sqrt()


# Leftovers


def free_capacity(points: Sequence[Point], k: int, clusters: list[Cluster]) -> list[Cluster]:
    while min(map(len, clusters)) < k:
        small = min(clusters, key=len)
        clusters = [c for c in clusters if c is not small]
        if sum(2 * k - 1 - len(c) for c in clusters) < len(small):
            clusters = filled(points, k, small, clusters)
            continue
        for i in small:
            host = min((c for c in clusters if len(c) < 2 * k - 1), key=len)
            clusters = [c for c in clusters if c is not host] + [sorted([*host, i])]
    return clusters


def filled(points: Sequence[Point], k: int, small: Cluster, others: list[Cluster]) -> list[Cluster]:
    """The others, and the small one with the nearest records that it can get."""
    while len(small) < k:
        centre = middle_of(points, small)
        there = [i for c in others if len(c) != k for i in c]
        best = min(there, key=lambda i: (gap(points[i], centre), i))
        [donor] = [c for c in others if best in c]
        others = [c for c in others if c is not donor] + [[i for i in donor if i != best]]
        others = [c for c in others if c]
        small = sorted([*small, best])
    return [*others, small]


def nearest(
    points: Sequence[Point], k: int, clusters: list[Cluster], one_by_one: bool
) -> list[Cluster]:
    while True:
        small = [c for c in clusters if len(c) < k]
        left = [i for c in sorted(small) for i in c]
        groups = [c for c in clusters if len(c) >= k]
        if sum(2 * k - 1 - len(c) for c in groups) >= len(left):
            break
        kept = max(small, key=len)
        clusters = filled(points, k, kept, [c for c in clusters if c is not kept])
    while left:
        best = min(
            (gap(points[i], middle_of(points, c)), *((0, 0) if one_by_one else (i, 0)), g, i)
            for i in (left[:1] if one_by_one else left)
            for g, c in enumerate(groups)
            if len(c) < 2 * k - 1
        )
        groups[best[3]] = sorted([*groups[best[3]], best[4]])
        left.remove(best[4])
    return groups
