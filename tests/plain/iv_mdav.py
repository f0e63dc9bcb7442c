"""One group, around the far end, that takes in isolated records among the next k."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, last_records, middle_of, most_distant, nearest_first


def partition(points: Sequence[Point], k: int, gamma: Fraction, cap: str) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    full = {"2k-1": 2 * k - 1, "none": 2 * k}[cap]
    while len(left) >= 3 * k:
        r = most_distant(points, middle_of(points, left), left)
        y = [r, *nearest_first(points, points[r], [i for i in left if i != r])]
        group = y[:k]
        for candidate in y[k : 2 * k]:
            unassigned = [i for i in left if i not in group and i != candidate]
            own = [candidate, *nearest_first(points, points[candidate], unassigned)]
            d1 = gap(points[candidate], points[r])
            d2 = gap(points[candidate], points[own[k - 1]])
            if len(group) < full and d2 > gamma * gamma * d1:
                group.append(candidate)
        done.append(group)
        left = [i for i in left if i not in group]
    return done + last_records(points, k, left)
