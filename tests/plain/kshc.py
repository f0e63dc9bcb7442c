"""KSHC by definition: all pairs of clusters are looked at each time, O(n^3) and more."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap

Matrix = Sequence[Sequence[int | Fraction]]
Cluster = tuple[int, ...]


def partition(points: Sequence[Point], k: int, linkage: str) -> list[list[int]]:
    """On records with squared distances."""
    return grouped([[gap(p, q) for q in points] for p in points], k, linkage)


def grouped(matrix: Matrix, k: int, linkage: str) -> list[list[int]]:
    clusters, _ = steps(matrix, k, linkage)
    return clusters


def steps(matrix: Matrix, k: int, linkage: str) -> tuple[list[list[int]], int]:
    """The groups, and the number of mergers and moves."""

    def delta(one: Cluster, other: Cluster) -> Fraction:
        values = [Fraction(matrix[i][j]) for i in one for j in other]
        if linkage == "average":
            return sum(values, Fraction(0)) / len(values)
        return min(values) if linkage == "single" else max(values)

    def best(pairs: list[tuple[Cluster, Cluster]]) -> tuple[Cluster, Cluster]:
        return min(pairs, key=lambda pair: (delta(*pair), pair[0][0], pair[1][0]))

    n = len(matrix)
    active: list[Cluster] = [(i,) for i in range(n)] if k > 1 else []
    reserved: list[Cluster] = [(i,) for i in range(n)] if k == 1 else []
    operations = 0
    while len(reserved) * (2 * k - 1) < n and len(active) > 1:
        one, other = best([(a, b) for a in active for b in active if a[0] < b[0]])
        union = tuple(sorted(one + other))
        active = [c for c in active if c not in (one, other)]
        (reserved if len(union) >= k else active).append(union)
        operations += 1
    everything = active + reserved
    while any(len(c) < k for c in everything):
        pairs = [
            (a, b)
            for a in everything
            for b in everything
            if a[0] < b[0] and min(len(a), len(b)) < k
        ]
        one, other = best(pairs)
        everything = [c for c in everything if c not in (one, other)]
        if len(one) + len(other) < 2 * k:
            everything.append(tuple(sorted(one + other)))
        else:
            small, large = sorted((one, other), key=len)
            giving = min(large, key=lambda i: (delta((i,), small), i))
            everything.append(tuple(sorted((*small, giving))))
            everything.append(tuple(i for i in large if i != giving))
        operations += 1
    return [list(c) for c in everything], operations
