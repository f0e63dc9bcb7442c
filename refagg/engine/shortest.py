"""Compiled shortest paths of Hansen and Mukherjee for many integers.

It needs the extra `[big]`.

Costs are computed in 64 bits, where sums that are too large are wrong by multiples of 2^64 only,
and in binary64, where they are wrong by less than 2^60 (`paths` makes sure of that). So of two
costs binary64 says which is less if they differ by more than 2^62, and otherwise their difference
in 64 bits is right.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import Any, NamedTuple

from refagg.engine.compiled import compiled
from refagg.errors import needed
from refagg.language.partition import Partition

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any

FAR = 2.0**62
"""The ends of all values are less apart, and costs that are more apart differ in binary64."""


class ShortestPaths(NamedTuple):
    """Length and last run of the shortest path, by node.

    The size of the last run is negative where several sizes cost least. Nodes before the first run
    have none.
    """

    ordered: Array
    low: Array
    about: Array
    """The lengths in 64 bits, and in binary64."""
    sizes: Array

    @property
    def lengths(self) -> list[int]:
        """The lengths, exactly."""
        pairs = zip(self.low.tolist(), map(int, self.about.tolist()), strict=True)
        return [low + ((about - low + (1 << 63)) >> 64 << 64) for low, about in pairs]

    def partition(self, order: array[int]) -> tuple[Partition, int]:
        """Take run after run from the end, and count ties.

        A rule settled the size, and which of equal records is the last one and the first one.
        """
        n, sizes, ends = len(order), abs(self.sizes).tolist(), [len(order)]
        while ends[-1] > 0:
            ends.append(ends[-1] - sizes[ends[-1]])
        starts, j = np.array(ends[:0:-1]), np.array(ends[-2::-1])
        m, equal = j - starts, np.append(False, self.ordered[1:] == self.ordered[:-1])
        ties = (self.sizes[j] < 0).sum() + equal[j - 1].sum() + equal[starts[m > 1]].sum()
        lowest = np.minimum.reduceat(order, starts)
        records = iter((np.sort(np.repeat(lowest, m) * n + order) % n).tolist())
        counts = m[np.argsort(lowest)].tolist()
        return Partition(tuple([tuple(islice(records, count)) for count in counts])), int(ties)


def in_order(values: array[int], rising: bool, falling: bool) -> tuple[array[int], array[int]]:
    """Return the places of integers in order, and these in order.

    Equal places may fall. If the integers do, there are others that differ as much.
    """
    keys = np.array(values)
    keys, step = keys if rising else ~keys, -1 if falling else 1
    order = np.arange(keys.size)[::step][np.argsort(keys[::step], kind="stable")]
    return array("q", order.tobytes()), array("q", keys[order].tobytes())


def paths(ordered: array[int], sizes: range, unit: int, highest: bool) -> ShortestPaths | None:
    """Return the shortest paths through ascending integers.

    Of the sizes that cost least, the highest or the lowest is taken. Lengths are in parts of the
    unit. None if costs are too large. The length of a path to j is at most the SSE of some runs.
    One of m values is at most m s^2, if s is the difference of its ends, and no run is wider than
    the widest of the largest ones that end where it ends. Binary64 rounds each length on a path by
    2^-53 of the longest at most, and in all its SSEs by (2 m + 8) 2^-53 of such bounds.
    """
    values = np.array(ordered)
    if abs(float(values[0])) + abs(float(values[-1])) >= FAR:
        return None
    most = sizes.stop - 1
    before = np.concatenate((np.repeat(values[:1], most - 1), values))[: values.size]
    widths = (values - before).astype(float)
    greatest = unit * most * (float(np.vdot(widths, widths)) + float(widths.max()) ** 2)
    if greatest * (values.size + 2 * most + 8) >= 2.0**112 or unit >= FAR:
        return None
    return ShortestPaths(values, *_find(values, sizes.start, most, unit, highest))


def _find(values: Array, k: int, most: int, unit: int, highest: bool) -> tuple[Array, Array, Array]:
    """Return each node's shortest path length, twice, and last size.

    The nodes are those from k on.
    """
    n = values.size
    low, about, last = np.zeros(n + 1, np.int64), np.zeros(n + 1), np.zeros(n + 1, np.int32)
    for j in range(k, n + 1):
        total, square, about_total, about_square = 0, 0, 0.0, 0.0
        for m in range(1, min(most, j) + 1):
            gap = values[j - 1] - values[j - m]
            total, square = total + gap, square + gap * gap
            about_total, about_square = about_total + gap, about_square + float(gap) * gap
            if m < k or (j != m and j - m < k):
                continue
            cost = low[j - m] + unit * square - unit // m * total * total
            length = about[j - m] + unit * (about_square - about_total * about_total / m)
            less = length - about[j]
            if abs(less) <= FAR:
                less = float(cost - low[j])
            if not last[j] or less < 0:
                low[j], about[j], last[j] = cost, length, m
            elif less == 0:
                last[j] = -m if highest else -abs(last[j])
    return low, about, last


_find = compiled(_find)
