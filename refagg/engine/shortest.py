"""Compiled shortest paths of Hansen and Mukherjee for many integers.

It needs the extra `[big]`.

All is computed in 64 bits, where sums that are too large are wrong by multiples of 2^64 only, and
so are costs. These are right in the end, as none of them is as large (`paths` makes sure of that).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from refagg.engine.compiled import compiled
from refagg.errors import needed
from refagg.language.partition import Partition, Record

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any

LARGEST = 2.0**62
"""Costs that are less leave a margin for whatever rounding does to this bound."""


class ShortestPaths(NamedTuple):
    """Length and last run of the shortest path, by node.

    The size of the last run is negative where several sizes cost least. Nodes before the first run
    have none.
    """

    ordered: Array
    lengths: Array
    sizes: Array

    def partition(self, order: Sequence[Record]) -> tuple[Partition, int]:
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


def in_order(values: Sequence[int], rising: bool, falling: bool) -> tuple[array[int], array[int]]:
    """Return the places of integers in order, and these in order.

    Equal places may fall. If the integers do, there are others that differ as much.
    """
    keys = np.array(values, np.int64)
    keys, step = keys if rising else ~keys, -1 if falling else 1
    order = np.arange(keys.size)[::step][np.argsort(keys[::step], kind="stable")]
    return array("q", order.tobytes()), array("q", keys[order].tobytes())


def paths(ordered: Sequence[int], sizes: range, unit: int, highest: bool) -> ShortestPaths | None:
    """Return the shortest paths through ascending integers.

    Of the sizes that cost least, the highest or the lowest is taken. Lengths are in parts of the
    unit. None if costs are too large. The length of a path to j is at most the SSE of some runs.
    One of m values is at most m s^2, if s is the difference of its ends, and no run is wider than
    the widest of the largest ones that end where it ends.
    """
    try:
        values = np.array(ordered, np.int64)
    except OverflowError:
        return None
    if abs(float(values[0])) + abs(float(values[-1])) >= LARGEST:
        return None
    most = sizes.stop - 1
    before = np.concatenate((np.repeat(values[:1], most - 1), values))[: values.size]
    widths = (values - before).astype(float)
    greatest = unit * most * (float(np.vdot(widths, widths)) + float(widths.max()) ** 2)
    if greatest >= LARGEST:
        return None
    n = values.size
    lengths, last = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int32)
    _find(values - values[n // 2], sizes.start, most, unit, highest, lengths, last)
    return ShortestPaths(values, lengths, last)


def _find(
    values: Array, k: int, most: int, unit: int, highest: bool, lengths: Array, last: Array
) -> None:
    """Write each node's shortest path length and last size.

    The nodes are those from k on.
    """
    n = values.size
    sums, squares = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for j in range(n):
        sums[j + 1] = sums[j] + values[j]
        squares[j + 1] = squares[j] + unit * values[j] * values[j]
    for j in range(k, n + 1):
        begun = False
        for m in range(k, min(most, j) + 1):
            if j != m and j - m < k:
                continue
            total = sums[j] - sums[j - m]
            cost = lengths[j - m] + squares[j] - squares[j - m] - unit // m * total * total
            if not begun or cost < lengths[j]:
                begun, lengths[j], last[j] = True, cost, m
            elif cost == lengths[j]:
                last[j] = -m if highest else -abs(last[j])


_find = compiled(_find)
