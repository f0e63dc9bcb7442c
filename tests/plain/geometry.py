"""Distances and averages by definition, and ties to the lowest number.

Records of declared kinds (`plain.kinds`) have their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from plain.kinds import Mixed, centre_of

Point = Any
"""A sequence of numbers, or a record of declared kinds."""


def gap(p: Point, q: Point) -> Fraction:
    """The squared distance."""
    if isinstance(p, Mixed):
        return p.gap(q)
    total = Fraction(0)
    for x, y in zip(p, q, strict=True):
        total += (Fraction(x) - Fraction(y)) ** 2
    return total


def middle(points: Sequence[Point]) -> Point:
    """The average."""
    if isinstance(points[0], Mixed):
        return centre_of(points)
    columns = zip(*points, strict=True)
    return [sum(map(Fraction, column), Fraction(0)) / len(points) for column in columns]


def middle_of(points: Sequence[Point], ids: list[int]) -> Point:
    return middle([points[i] for i in ids])


def nearest_first(points: Sequence[Point], origin: Point, ids: list[int]) -> list[int]:
    return sorted(ids, key=lambda i: (gap(points[i], origin), i))


def most_distant(points: Sequence[Point], origin: Point, ids: list[int]) -> int:
    return min(ids, key=lambda i: (-gap(points[i], origin), i))


def most_central_group(points: Sequence[Point], origin: Point, centres: Sequence[Point]) -> int:
    """The position of the centre that is nearest to the origin."""
    return min(range(len(centres)), key=lambda g: (gap(centres[g], origin), g))


def last_records(points: Sequence[Point], k: int, left: list[int]) -> list[list[int]]:
    """The end of the algorithms that loop while 3k records remain."""
    if len(left) < 2 * k:
        return [left]
    r = most_distant(points, middle_of(points, left), left)
    others = nearest_first(points, points[r], [i for i in left if i != r])
    return [[r, *others[: k - 1]], others[k - 1 :]]
