"""Records in slots of centres by the Hungarian method, costs in integers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from plain.geometry import Point, gap, middle_of
from plain.k_member import sse
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, sizes: str, rounds: int, seed: int = 7
) -> list[list[int]]:
    n = len(points)
    c = n // k
    least, most = (k, 2 * k - 1) if sizes == "free" else (n // c, (n + c - 1) // c)
    centres = [points[i] for i in Stream(seed).sample(n, c)]
    groups: list[list[int]] = []
    for _ in range(rounds):
        new = assigned(points, centres, least, most)
        if groups and bill(points, new) >= bill(points, groups):
            break
        groups = new
        centres = [middle_of(points, group) for group in groups]
    return groups


def bill(points: Sequence[Point], groups: list[list[int]]) -> Fraction:
    return sum((sse(points, group) for group in groups), Fraction(0))


def assigned(
    points: Sequence[Point], centres: Sequence[Point], least: int, most: int
) -> list[list[int]]:
    """Of the cheapest assignments the first in the order of the records' centres."""
    n, c = len(points), len(centres)
    gaps = [[gap(p, q) for q in centres] for p in points]
    unit = lcm(*(g.denominator for row in gaps for g in row))
    slots = [j for j in range(c) for _ in range(most)]
    must = [place % most < least for place in range(len(slots))]
    scale = c**n  # more than all preferences
    never = scale * (sum(int(unit * g) for row in gaps for g in row) + 1)
    rows = [
        [int(unit * row[j]) * scale + j * c ** (n - 1 - i) for j in slots]
        for i, row in enumerate(gaps)
    ]
    rows += [[never if m else 0 for m in must] for _ in range(len(slots) - n)]  # nobody
    groups: list[list[int]] = [[] for _ in range(c)]
    for i, place in enumerate(hungarian(rows)[:n]):
        groups[slots[place]].append(i)
    return groups


def hungarian(cost: list[list[int]]) -> list[int]:
    """The column of each row of a square matrix at the least sum."""
    size = len(cost)
    u, v = [0] * (size + 1), [0] * (size + 1)
    row_of = [-1] * (size + 1)
    for i in range(size):
        row_of[size] = i
        at = size
        slack: list[int | None] = [None] * size
        came, done = [size] * size, [False] * (size + 1)
        while row_of[at] >= 0:
            done[at] = True
            r = row_of[at]
            for j in range(size):
                if not done[j]:
                    reduced = cost[r][j] - u[r] - v[j]
                    known = slack[j]
                    if known is None or reduced < known:
                        slack[j], came[j] = reduced, at
            less, at = min((s, j) for j, s in enumerate(slack) if not done[j] and s is not None)
            slack = [s if s is None or done[j] else s - less for j, s in enumerate(slack)]
            for j in filter(done.__getitem__, range(size + 1)):
                u[row_of[j]] += less
                v[j] -= less
        while at != size:
            row_of[at] = row_of[came[at]]
            at = came[at]
    found = [0] * size
    for j in range(size):
        found[row_of[j]] = j
    return found
