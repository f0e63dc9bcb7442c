"""The cheapest division of the sorted values, by recursion from the outermost lowest record."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from plain.geometry import Point


def squares_around_mean(values: Sequence[int | Fraction]) -> Fraction:
    mean = sum(map(Fraction, values), Fraction(0)) / len(values)
    return sum(((x - mean) ** 2 for x in values), Fraction(0))


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    values = [point[0] for point in points]
    first = min(i for i, value in enumerate(values) if value in (min(values), max(values)))
    line = sorted(range(len(points)), key=lambda i: (abs(values[i] - values[first]), i))

    def group(start: int, size: int) -> list[int]:
        return line[start : start + size]

    @cache
    def cheapest(start: int) -> tuple[Fraction, int] | None:
        """The least cost of all from `start` on, and the size of the first group there."""
        if start == len(line):
            return Fraction(0), 0
        options = []
        for size in range(k, min(2 * k - 1, len(line) - start) + 1):
            after = cheapest(start + size)
            if after is not None:
                cost = squares_around_mean([values[i] for i in group(start, size)])
                options.append((cost + after[0], size))
        return min(options, default=None)

    done = []
    start = 0
    while start < len(line):
        found = cheapest(start)
        assert found is not None
        done.append(group(start, found[1]))
        start += found[1]
    return done
