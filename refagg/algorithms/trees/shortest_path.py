"""The shortest path of Hansen and Mukherjee: the least SSE of groups that are runs of a sequence.

The nodes of their graph are 0 .. n. For every size m that a group can have there is an arc
from j-m to j; it stands for the records j-m+1 .. j of the sequence and costs their SSE. The
least cost of a path to j is the least, over the sizes m, of that to j-m and of the arc.

Three forms compute the SSE of a run: for integers, in binary64, and for the records of any space
that has an SSE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf, lcm

from refagg.algorithms.mdav_family.steps import Space
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice
from refagg.language.ties import Magnitude, least


@dataclass(frozen=True, slots=True)
class Shortest:
    """The shortest paths from 0 to every j.

    `cost(j)` is the least SSE of the first j; `last[j]` the size of the last group there, the
    smallest of several. Neither means anything where no path ends.
    """

    cost: Callable[[int], Magnitude]
    last: list[int]


def among_whole_numbers(ordered: Sequence[int], sizes: range) -> Shortest:
    """The shortest paths through rising integers, exactly.

    The SSE of a division is the sum of all squares, which is the same for all, less S^2 / m
    for each group of m values with the sum S. So the sum of S^2 / m is to be greatest; it is
    counted in units of 1 / lcm of the sizes.
    """
    n, k = len(ordered), sizes.start
    centre = sum(ordered) // n
    sums = [0, *accumulate(x - centre for x in ordered)]
    squares = [0, *accumulate((x - centre) ** 2 for x in ordered)]
    unit = lcm(*sizes)
    weights = [(m, unit // m) for m in sizes]
    # No division is worth more than the sum of all squares: below 0, there is none.
    impossible = -1 - unit * squares[n]
    best = [0] + [impossible] * (k - 1)
    last = [k] * k
    for j in range(k, n + 1):
        up_to, greatest, size = sums[j], impossible, k
        for m, weight in weights[: j - k + 1]:
            total = up_to - sums[j - m]
            worth = best[j - m] + weight * total * total
            if worth > greatest:
                greatest, size = worth, m
        best.append(greatest)
        last.append(size)
    return Shortest(lambda j: squares[j] - Fraction(best[j], unit), last)


def in_binary64(ordered: Sequence[float], sizes: range) -> Shortest:
    """The shortest paths through rising floats.

    Welford's updates give the SSE of groups, starting anew at the last value of each, and
    values are measured from there. So nothing cancels, neither far from 0 nor for
    clusters far apart.
    """
    n, k = len(ordered), sizes.start
    best = [0.0] + [inf] * (k - 1)
    last = [k] * k
    for j in range(k, n + 1):
        origin, least, size = ordered[j - 1], inf, k
        mean = spread = 0.0
        for m in range(1, min(j, sizes.stop - 1) + 1):
            x = ordered[j - m] - origin
            step = x - mean
            mean += step / m
            spread += step * (x - mean)
            if m >= k and best[j - m] + spread < least:
                least, size = best[j - m] + spread, m
        best.append(least)
        last.append(size)
    return Shortest(best.__getitem__, last)


def along(space: Space, path: Sequence[Record], sizes: range) -> Shortest:
    """The shortest paths along records in any order, with the SSE of their space."""
    n, k = len(path), sizes.start
    best: list[Magnitude] = [0] + [inf] * (k - 1)
    last = [k] * k
    for j in range(k, n + 1):
        costs = [
            (best[j - m] + space.sse(path[j - m : j]), m) for m in sizes if _is_arc(j, m, sizes)
        ]
        cost, size = min(costs, default=(inf, k))
        best.append(cost)
        last.append(size)
    return Shortest(best.__getitem__, last)


LAST_SIZE = OpenChoice(
    "last size",
    "3",
    "how many records the last group has, of those that are left",
    what="size",
    measure="SSE of all that are left",
)


def last_size(
    space: Space, choices: Choices, left: Sequence[Record], paths: Shortest, sizes: range
) -> int:
    """The size of the last group on a shortest path to the end of those that are left."""
    j = len(left)
    possible = [m for m in sizes if _is_arc(j, m, sizes)]
    costs = [paths.cost(j - m) + space.sse(left[j - m :]) for m in possible]
    return choices.choose(LAST_SIZE.name, least(space.ranked(possible, costs)))


def _is_arc(j: int, m: int, sizes: range) -> bool:
    """Can a group of m end at j? Sizes of k to 2k-1 reach every number from k on."""
    return j == m or j - m >= sizes.start
