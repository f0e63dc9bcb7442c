"""Bound without a list of groups: products of vectors lower the distances.

docs/soundness.md proves it (Lemma 12). Prices and vectors come with the certificate; whatever they
are, what is computed here from them is a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from itertools import accumulate
from math import lcm
from operator import mul

from oracle.certificate.reading import Conic, Rejected

MOST_ENTRY, MOST_VECTOR = 1_000_000, 9_000
"""The greatest entry of a vector, and the most entries."""


def conic_bound(
    cone: Conic, near: Sequence[Sequence[int]], sizes: range, parts: int, where: str
) -> int:
    """Return a whole cost that no partition is below. Raises Rejected."""
    n, whole = len(near), lcm(*sizes)
    check_cone(cone, n, where)
    rows = [[parts * distance for distance in row] for row in near]
    for i, (row, v, y) in enumerate(zip(rows, cone.vectors, cone.records, strict=True)):
        for j in range(i + 1):
            product = cone.scales[i] * cone.scales[j] * sum(map(mul, v, cone.vectors[j]))
            less = product + cone.unit * (y + cone.records[j])
            row[j] -= less
            if i != j:
                rows[j][i] -= less
        row[i] -= cone.unit * cone.most
    for i, j, price in cone.exchanges:
        rows[i][j] += cone.unit * price
        rows[j][i] -= cone.unit * price
    for i, j, m, price in cone.triangles:
        rows[i][j] += cone.unit * price
        rows[i][m] += cone.unit * price
        rows[i][i] -= cone.unit * price
        rows[j][m] -= cone.unit * price
    twice = sum(least(row, i, sizes) for i, row in enumerate(rows))
    twice += whole * cone.unit * (2 * sum(cone.records) + cone.most * (n // sizes[0]))
    return -(-twice // 2)


def least(row: Sequence[int], own: int, sizes: range) -> int:
    """Return the least cost of a record and others of its row.

    The minimum is over the sizes of a group.
    """
    others = nsmallest(sizes[-1] - 1, (x for j, x in enumerate(row) if j != own))
    sums = list(accumulate(others, initial=row[own]))
    return min(lcm(*sizes) // size * sums[size - 1] for size in sizes)


def check_cone(cone: Conic, n: int, where: str) -> None:
    """Raise Rejected unless each record has a vector.

    All numbers have to be in range, too.
    """
    numbers = {len(cone.vectors), len(cone.scales), len(cone.records)}
    if numbers != {n} or cone.unit < 1 or cone.most > 0:
        raise Rejected(f"{where}: expected {n} vectors, scales, prices; unit >= 1, most <= 0")
    longest = max(map(len, cone.vectors))
    if longest > MOST_VECTOR or max(abs(x) for v in cone.vectors for x in (*v, 0)) > MOST_ENTRY:
        raise Rejected(f"{where}.vectors: over the limit of {MOST_VECTOR} entries to {MOST_ENTRY}")
    for name, entries in (("exchanges", cone.exchanges), ("triangles", cone.triangles)):
        for place, (*records, price) in enumerate(entries):
            if not all(0 <= i < n for i in records) or (name == "triangles" and price < 0):
                raise Rejected(f"{where}.{name}[{place}]: expected records and a price")
