"""KSHC as its pseudo-code reads: three loops that do not end.

Each function stops with `Endless` after `bound` operations, so that a test can show it. What is
done with a pair is as in `refagg.algorithms.hierarchical.kshc`, single
linkage; only the loops are different.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Matrix = Sequence[Sequence[int | Fraction]]
Cluster = frozenset[int]


class Endless(Exception):
    """There were more operations than any run that ends has."""


def single(matrix: Matrix, a: Cluster, b: Cluster) -> int | Fraction:
    return min(matrix[i][j] for i in a for j in b)


def nearest(
    clusters: set[Cluster], delta: Callable[[Cluster, Cluster], int | Fraction]
) -> tuple[Cluster, Cluster]:
    """The pair of least delta; ties go to the lowest records."""
    ordered = sorted(clusters, key=min)
    pairs = [(a, b) for a in ordered for b in ordered if min(a) < min(b)]
    return min(pairs, key=lambda pair: (delta(*pair), min(pair[0]), min(pair[1])))


def counted(operations: int, bound: int) -> int:
    if operations == bound:
        raise Endless(f"{bound} operations")
    return operations + 1


def first_step(matrix: Matrix, k: int, bound: int) -> tuple[set[Cluster], set[Cluster]]:
    """Step 1 without the second condition: it waits for minVC clusters, which may never come.

    With one active cluster left nothing can be merged any more.
    """
    active = {frozenset([i]) for i in range(len(matrix))}
    reserved: set[Cluster] = set()
    operations = 0
    while len(reserved) < -(-len(matrix) // (2 * k - 1)):
        operations = counted(operations, bound)
        if len(active) < 2:
            continue
        a, b = nearest(active, lambda a, b: single(matrix, a, b))
        active -= {a, b}
        (active if len(a | b) < k else reserved).add(a | b)
    return active, reserved


def until_the_matrix_is_empty(matrix: Matrix, k: int, bound: int) -> set[Cluster]:
    """Step 2 while size(D) > 0: the matrix of the last cluster has a row, and so it goes on."""
    clusters = {frozenset([i]) for i in range(len(matrix))}
    operations = 0
    while len(clusters) > 0:
        operations = counted(operations, bound)
        if len(clusters) > 1:
            a, b = nearest(clusters, lambda a, b: single(matrix, a, b))
            clusters = (clusters - {a, b}) | {a | b}
    return clusters


def with_the_maximum(matrix: Matrix, k: int, maximum: float | Fraction, bound: int) -> set[Cluster]:
    """Step 2 where two large clusters get the dissimilarity `maximum`, to be passed over.

    If a number is the maximum, the small clusters can be as far from everything, and the same
    two large ones are the nearest pair again. Groups of more than 2k-1 are not divided here.
    """
    active, reserved = first_step(matrix, k, bound)
    clusters = active | reserved
    passed_over: set[frozenset[Cluster]] = set()
    operations = 0

    def delta(a: Cluster, b: Cluster) -> float | Fraction:
        return maximum if frozenset([a, b]) in passed_over else single(matrix, a, b)

    while any(len(cluster) < k for cluster in clusters):
        operations = counted(operations, bound)
        a, b = nearest(clusters, delta)  # type: ignore[arg-type]
        if len(a) >= k and len(b) >= k:
            passed_over.add(frozenset([a, b]))
        else:
            clusters = (clusters - {a, b}) | {a | b}
    return clusters
