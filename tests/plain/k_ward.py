"""Ward's merging by definition: every pair of groups is tried at every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from plain.geometry import Point, gap, middle_of, nearest_first

Start = Callable[[Sequence[Point], int, list[int]], list[list[int]]]


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return divided(points, k, list(range(len(points))), around_the_ends)


def divided(points: Sequence[Point], k: int, ids: list[int], start: Start) -> list[list[int]]:
    if len(ids) < 2 * k:
        return [ids]
    bunches = start(points, k, ids)
    bunches += [[i] for i in ids if not any(i in bunch for bunch in bunches)]
    while min(map(len, bunches)) < k:
        a, b = min(
            (sorted(pair, key=min) for pair in combinations(bunches, 2) if mergeable(k, *pair)),
            key=lambda pair: (growth(points, *pair), min(pair[0]), min(pair[1])),
        )
        bunches = [bunch for bunch in bunches if bunch not in (a, b)] + [a + b]
    return [group for bunch in bunches for group in divided(points, k, sorted(bunch), start)]


def mergeable(k: int, a: list[int], b: list[int]) -> bool:
    return len(a) < k or len(b) < k


def growth(points: Sequence[Point], a: list[int], b: list[int]) -> Fraction:
    """By how much the SSE of both together exceeds the sum of theirs."""
    return error(points, a + b) - error(points, a) - error(points, b)


def error(points: Sequence[Point], ids: list[int]) -> Fraction:
    centre = middle_of(points, ids)
    return sum((gap(points[i], centre) for i in ids), Fraction(0))


def around_the_ends(points: Sequence[Point], k: int, ids: list[int]) -> list[list[int]]:
    r, s = min(combinations(ids, 2), key=lambda e: (-gap(points[e[0]], points[e[1]]), e))
    left = [i for i in ids if i not in (r, s)]
    near_r = nearest_first(points, points[r], left)[: k - 1]
    left = [i for i in left if i not in near_r]
    return [[r, *near_r], [s, *nearest_first(points, points[s], left)[: k - 1]]]
