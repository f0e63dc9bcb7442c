"""Bound without a list of groups: products of vectors lower the distances.

docs/soundness.md proves it (Lemma 12). Prices and vectors come with the certificate; whatever they
are, what is computed here from them is a bound.
"""

from __future__ import annotations

from heapq import nsmallest
from itertools import accumulate
from math import lcm
from operator import mul
from typing import NamedTuple, Never

from oracle.certificate import demand

MOST_ENTRY, MOST_VECTOR = 1_000_000, 9_000
"""The greatest entry of a vector, and the most entries."""


class Conic(NamedTuple):
    """Vectors that prove a bound.

    They are multiples of whole vectors, with a scale for each record. No filter comes before them.
    """

    filters: list[Never]
    unit: int
    records: list[int]
    most: int
    scales: list[int]
    vectors: list[list[int]]
    triangles: list[tuple[int, int, int, int]]


def conic_bound(cone: Conic, near: list[list[int]], sizes: range, parts: int, where: str) -> int:
    """Return a whole cost that no partition is below. Raises Rejected."""
    n, unit = len(near), cone.unit
    check_cone(cone, n, where)
    rows = [[parts * distance for distance in row] for row in near]
    for i, (row, v, y) in enumerate(zip(rows, cone.vectors, cone.records, strict=True)):
        for j in range(i + 1):
            product = cone.scales[i] * cone.scales[j] * sum(map(mul, v, cone.vectors[j]))
            row[j] -= product + unit * (y + cone.records[j])
            rows[j][i] = row[j]
        row[i] -= unit * cone.most
    for i, j, m, price in cone.triangles:
        for a, b, sign in ((i, j, 1), (i, m, 1), (i, i, -1), (j, m, -1)):
            rows[a][b] += sign * unit * price
    twice = sum(least(row, i, sizes) for i, row in enumerate(rows))
    twice += lcm(*sizes) * unit * (2 * sum(cone.records) + cone.most * (n // sizes[0]))
    return -(-twice // 2)


def least(row: list[int], own: int, sizes: range) -> int:
    """Return the least cost of a record and others of its row.

    The minimum is over the sizes of a group.
    """
    others = nsmallest(sizes[-1] - 1, row[:own] + row[own + 1 :])
    sums = list(accumulate(others, initial=row[own]))
    return min(lcm(*sizes) // size * sums[size - 1] for size in sizes)


def check_cone(cone: Conic, n: int, where: str) -> None:
    """Raise Rejected unless each record has a vector.

    All numbers have to be in range, too.
    """
    numbers = {len(cone.vectors), len(cone.scales), len(cone.records)}
    right = numbers == {n} and cone.unit >= 1 and cone.most <= 0
    demand(right, f"{where}: expected {n} vectors, scales, prices; unit >= 1, most <= 0")
    for i, v in enumerate(cone.vectors):
        right = len(v) <= MOST_VECTOR and max(map(abs, v), default=0) <= MOST_ENTRY
        demand(right, f"{where}.vectors[{i}]: over the limit of {MOST_VECTOR} to {MOST_ENTRY}")
    for place, (*records, price) in enumerate(cone.triangles):
        right = all(0 <= i < n for i in records) and price >= 0
        demand(right, f"{where}.triangles[{place}]: expected records and a price >= 0")
