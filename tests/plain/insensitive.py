"""Neighbours of the corners of a box, whatever the records."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from plain.geometry import Point, nearest_first

Numbers = Fraction | Sequence[Fraction]
"""One for all attributes, or one for each."""


def partition(points: Sequence[Point], k: int, lower: Numbers, width: Numbers) -> list[list[int]]:
    low, wide = (x if isinstance(x, tuple) else [x] * len(points[0]) for x in (lower, width))
    ends = [(Fraction(x), Fraction(x) + Fraction(w)) for x, w in zip(low, wide, strict=True)]
    left, groups = list(range(len(points))), []
    visited: list[tuple[Fraction, ...]] = []
    while len(left) >= 2 * k:
        free = [c for c in product(*ends) if c not in visited]
        if not free:
            visited, free = [], list(product(*ends))
        for before in visited[::-1]:
            away = [sum(x != y for x, y in zip(c, before, strict=True)) for c in free]
            free = [c for c, a in zip(free, away, strict=True) if a == max(away)]
        visited.append(min(free))
        near = nearest_first(points, visited[-1], left)[:k]
        groups.append(near)
        left = [i for i in left if i not in near]
    return [*groups, left]
