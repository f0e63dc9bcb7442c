"""MHM, and then again along the groups that it found, for as long as that costs less."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point
from plain.mhm import chain, cost, cut, way_of


def partition(points: Sequence[Point], k: int, path: str) -> list[list[int]]:
    found: list[list[int]] = []
    way = way_of(points, k, path)
    while True:
        again = sorted(sorted(group) for group in cut(points, k, way))
        if found and bill(points, again) >= bill(points, found):
            return found
        found, way = again, chain(points, again)


def bill(points: Sequence[Point], groups: list[list[int]]) -> Fraction:
    return sum((cost(points, group) for group in groups), Fraction(0))
