"""Cuts at medians, part by part; widths are compared as fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point


def partition(points: Sequence[Point], k: int, cut: str) -> list[list[int]]:
    return groups_of(points, k, cut == "strict", list(range(len(points))))


def groups_of(points: Sequence[Point], k: int, strict: bool, part: list[int]) -> list[list[int]]:
    best: tuple[Fraction, list[list[int]]] | None = None
    for attribute in range(len(points[0])):
        sides = sides_of(points, attribute, strict, part)
        if min(map(len, sides)) >= k:
            wide = width(points, attribute, part)
            if best is None or wide > best[0]:
                best = wide, sides
    if best is None:
        return [part]
    return [group for side in best[1] for group in groups_of(points, k, strict, side)]


def sides_of(
    points: Sequence[Point], attribute: int, strict: bool, part: list[int]
) -> list[list[int]]:
    order = sorted(part, key=lambda i: (points[i][attribute], i))
    half = len(order) - len(order) // 2
    if strict:
        middle = points[order[half - 1]][attribute]
        half = sum(points[i][attribute] <= middle for i in part)
    return [order[:half], order[half:]]


def width(points: Sequence[Point], attribute: int, part: list[int]) -> Fraction:
    of_all = [Fraction(point[attribute]) for point in points]
    of_part = [of_all[i] for i in part]
    whole = max(of_all) - min(of_all)
    return (max(of_part) - min(of_part)) / whole if whole else Fraction(0)
