"""Records on the line along which their coordinates have the greatest median deviation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import median

from plain.geometry import Point
from plain.individual_ranking import cut


def partition(points: Sequence[Point], k: int, order: str) -> list[list[int]]:
    return cut(coordinates(points), k, order)


def coordinates(points: Sequence[Point]) -> list[Fraction]:
    """Along the line to one of the records, times the length of that."""
    rows = [list(map(Fraction, point)) for point in points]
    middle = [median(column) for column in zip(*rows, strict=True)]
    rows = [[x - m for x, m in zip(row, middle, strict=True)] for row in rows]
    best, found = Fraction(-1), [Fraction(0)] * len(rows)
    for line in rows:
        length = product(line, line)
        if length:
            along = [product(line, row) for row in rows]
            centre = median(along)
            spread = median(abs(x - centre) for x in along) ** 2 / length
            if spread > best:
                negative = next(x for x in line if x) < 0
                best, found = spread, [-x for x in along] if negative else along
    return found


def product(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
