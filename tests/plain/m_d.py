"""The parts of the tree; a large one gives k around an end of its longest line, then the rest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from plain import mstp
from plain.geometry import Point, gap, nearest_first


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return [group for part in mstp.partition(points, k) for group in pieces(points, k, part)]


def pieces(points: Sequence[Point], k: int, ids: list[int]) -> list[list[int]]:
    if len(ids) < 2 * k:
        return [ids]
    end = min((-gap(points[i], points[j]), i) for i, j in combinations(sorted(ids), 2))[1]
    near = [end, *nearest_first(points, points[end], [i for i in ids if i != end])[: k - 1]]
    return [near, *pieces(points, k, [i for i in ids if i not in near])]
