"""As k-Ward, starting with the k smallest and the k largest values.

Of the two ends the one goes first that has the record of the lower number; that matters only
where equal values do not all fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point
from plain.k_ward import divided


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return divided(points, k, list(range(len(points))), both_tails)


def both_tails(points: Sequence[Point], k: int, ids: list[int]) -> list[list[int]]:
    upwards = sorted(ids, key=lambda i: (points[i][0], i))
    downwards = sorted(ids, key=lambda i: (-points[i][0], i))
    one, other = sorted((upwards, downwards), key=lambda tail: tail[0])
    return [one[:k], [i for i in other if i not in one[:k]][:k]]
