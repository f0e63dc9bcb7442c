"""SSE of runs of a sequence, for shortest paths.

The nodes of the paths are 0 .. n.

The run of m that ends at j has the records j-m+1 .. j of the sequence. All three forms give the
pairs (m, SSE) of the runs that end at j: for integers, in binary64, and for the records of any
space that has an SSE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from math import lcm

from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Magnitude

Runs = Callable[[int], list[tuple[int, Magnitude]]]
"""For a node j, the sizes of the runs that end there, each with its SSE."""


def of_whole_numbers(ordered: Sequence[int], sizes: range) -> tuple[Runs, int]:
    """Return the exact runs of ascending integers, and the unit.

    An SSE is in parts of the unit. The SSE of m values with the sum S is the sum of their squares
    less S^2 / m; it is counted in units of 1 / lcm of the sizes, so that it is an integer.
    """
    unit = lcm(*sizes)
    weights = [(m, unit // m) for m in sizes]

    @cache  # nobody asks where compiled code has found the paths
    def added() -> tuple[list[int], list[int]]:
        centre = sum(ordered) // len(ordered)
        squares = accumulate([unit * (x - centre) ** 2 for x in ordered])
        return [0, *accumulate([x - centre for x in ordered])], [0, *squares]

    def ending_at(j: int) -> list[tuple[int, Magnitude]]:
        sums, squares = added()
        total, square = sums[j], squares[j]
        all_can = j >= sizes.start + sizes.stop
        return [
            (m, square - squares[j - m] - weight * (total - sums[j - m]) ** 2)
            for m, weight in weights
            if all_can or is_run(j, m, sizes)
        ]

    return ending_at, unit


def in_binary64(ordered: Sequence[float], sizes: range) -> Runs:
    """Return the runs of rising floats.

    Welford's updates give the SSE, starting again at the last value of each run, and values are
    measured from there. So nothing cancels, neither far from 0 nor for clusters far apart.
    """

    def ending_at(j: int) -> list[tuple[int, Magnitude]]:
        origin = ordered[j - 1]
        mean = spread = 0.0
        found = []
        for m in range(1, min(j, sizes.stop - 1) + 1):
            x = ordered[j - m] - origin
            step = x - mean
            mean += step / m
            spread += step * (x - mean)
            if m >= sizes.start and is_run(j, m, sizes):
                found.append((m, spread))
        return found

    return ending_at


def runs_along(space: Centroids[object], path: Sequence[Record], sizes: range) -> Runs:
    """Return the runs of records in any order.

    Their SSE is the raw one of their space.
    """
    return lambda j: [(m, space.sse(path[j - m : j])) for m in sizes if is_run(j, m, sizes)]


def is_run(j: int, m: int, sizes: range) -> bool:
    """Return True if a run of m can end at j.

    Other runs, or nothing, must be able to come before it.
    """
    return j == m or j - m >= sizes.start
