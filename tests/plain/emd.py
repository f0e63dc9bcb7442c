"""The earth mover's distance by moving earth, and what t-closeness does to groups."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of

Groups = dict[int, list[int]]


def parted(points: Sequence[Point], confidential: int) -> tuple[list[Point], list[Fraction]]:
    """What distances are measured between, and the confidential values."""
    secret = [Fraction(p[confidential]) for p in points]
    if len(points[0]) == 1:
        return list(points), secret
    return [[x for j, x in enumerate(p) if j != confidential] for p in points], secret


def emd(secret: Sequence[Fraction], group: Sequence[int]) -> Fraction:
    values = sorted(set(secret))
    if len(values) == 1:
        return Fraction(0)
    carried, work = Fraction(0), Fraction(0)
    for value in values:
        mine = sum(secret[i] == value for i in group)
        carried += Fraction(mine, len(group)) - Fraction(secret.count(value), len(secret))
        work += abs(carried)
    return work / (len(values) - 1)


def merged(
    quasi: Sequence[Point], secret: Sequence[Fraction], groups: list[list[int]], t: Fraction
) -> list[list[int]]:
    now = dict(enumerate(groups))
    while max(emd(secret, group) for group in now.values()) > t:
        worst = min(now, key=lambda g: (-emd(secret, now[g]), g))
        centre = middle_of(quasi, now[worst])
        others = [g for g in now if g != worst]
        near = min(others, key=lambda g: (gap(middle_of(quasi, now[g]), centre), g))
        now[near] += now.pop(worst)
    return list(now.values())
