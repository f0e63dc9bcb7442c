"""Compiled shortest paths of Hansen and Mukherjee for many integers.

It needs the extra `[big]`.

Costs are computed in 64 bits, where sums that are too large are wrong by multiples of 2^64 only,
and in binary64, where they are wrong by less than 2^60 (`paths` makes sure of that). So of two
costs binary64 says which is less if they differ by more than 2^62, and otherwise their difference
in 64 bits is right.

Where that does not suffice, but the values are numbers of binary64, costs are computed in binary64
only, and their sums in twice the digits. The SSE of m values is off by (3 m + 5) m u of it at most,
u = 2^-53, as the squares of their distances from the last one are m times the SSE at most. What an
error of this size could decide is open, and is decided by the integers: two paths to a node are
compared as far back as they differ.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cmp_to_key, partial
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from refagg.engine.compiled import compiled
from refagg.errors import needed
from refagg.language.partition import Partition

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any

FAR = 2.0**62
"""The ends of all values are less apart, and costs that are more apart differ in binary64."""

FEW_OPEN = 20
"""If no more than one node in so many is open, all are decided."""


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


def in_order(values: Sequence[int], rising: bool, falling: bool) -> tuple[Array, Array]:
    """Return the places of integers in order, and the integers.

    These are numbers of binary64 if they have more than 64 bits. Equal places may fall. If the
    integers do, there are others that differ as much. None if they have more than 64 bits and are
    no numbers of binary64, or if squares of these overflow.
    """
    whole = isinstance(values, array)
    if not whole and (
        max(max(values), -min(values)) > FAR**8 or list(map(float, values)) != values
    ):
        return None, None
    keys = np.array(values, np.int64 if whole else float)
    fall = np.invert if whole else np.negative
    keys, step = keys if rising else fall(keys), -1 if falling else 1
    order = np.arange(keys.size)[::step][np.argsort(keys[::step], kind="stable")]
    return array("q", order.tobytes()), keys[order]


def paths(
    values: Array, sizes: range, unit: int, highest: bool, only_sizes: bool
) -> ShortestPaths | None:
    """Return the shortest paths through ascending integers.

    Of the sizes that cost least, the highest or the lowest is taken. Lengths are in parts of the
    unit. None if costs are too large. The length of a path to j is at most the SSE of some runs.
    One of m values is at most m s^2, if s is the difference of its ends, and no run is wider than
    the widest of the largest ones that end where it ends. Binary64 rounds each length on a path by
    2^-53 of the longest at most, and in all its SSEs by (2 m + 8) 2^-53 of such bounds.

    Where integers are too large, lengths are not exact, but the sizes are, with `only_sizes`.
    """
    most = sizes.stop - 1
    if values.dtype == np.int64 and max(abs(float(values[0])) + abs(float(values[-1])), unit) < FAR:
        before = np.concatenate((np.repeat(values[:1], most - 1), values))[: values.size]
        widths = (values - before).astype(float)
        greatest = unit * most * (float(np.vdot(widths, widths)) + float(widths.max()) ** 2)
        if greatest * (values.size + 2 * most + 8) < 2.0**112:
            return ShortestPaths(values, *_find(values, sizes.start, most, unit, highest))
    floats = values.astype(float)
    if not only_sizes or (floats.astype(values.dtype) != values).any():
        return None
    margin = (3 * most + 5) * most * 2.0**-50  # eight times as much
    lengths, last = _nearly(floats, sizes.start, most, margin)
    if (last < 0).sum() * FEW_OPEN > values.size:
        return None
    x, found = list(map(int, values.tolist())), last.tolist()
    for j in np.flatnonzero(last < 0).tolist():
        longer, far = partial(_longer, x, found, unit, j), lengths[j] * (1 + 2 * margin)
        near = [m for m in sizes if m <= j and lengths[j - m] + _cost(x, unit, j, m) / unit <= far]
        least = min(near, key=cmp_to_key(longer))
        equal = [m for m in near if not longer(m, least)]
        found[j] = least if len(equal) == 1 else -equal[-highest]
    return ShortestPaths(values, None, lengths, np.array(found))


def _cost(x: Sequence[int], unit: int, j: int, m: int) -> int:
    """Return the SSE of the m integers that end at j."""
    gaps = [x[j - 1] - other for other in x[j - m : j]]
    return unit * sum([gap * gap for gap in gaps]) - unit // m * sum(gaps) ** 2


def _longer(x: Sequence[int], last: Sequence[int], unit: int, j: int, m: int, other: int) -> int:
    """Return how much longer one path to j is than another.

    Their last runs have m integers, and the other number.
    """
    a, b, more = j - m, j - other, _cost(x, unit, j, m) - _cost(x, unit, j, other)
    while a != b:
        if a > b:
            more, a = more + _cost(x, unit, a, abs(last[a])), a - abs(last[a])
        else:
            more, b = more - _cost(x, unit, b, abs(last[b])), b - abs(last[b])
    return more


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


def _nearly(values: Array, k: int, most: int, margin: float) -> tuple[Array, Array]:
    """Return each node's shortest path length, and last size.

    The size is negative if it is open.
    """
    n = values.size
    lengths, rests, last = np.full(n + 1, inf), np.zeros(n + 1), np.zeros(n + 1, np.int64)
    lengths[0] = 0
    for j in range(k, n + 1):
        total, square, second = 0.0, 0.0, inf
        for m in range(1, min(most, j) + 1):
            gap = values[j - 1] - values[j - m]
            total, square = total + gap, square + gap * gap
            if m < k or (j != m and j - m < k):
                continue
            before, cost = lengths[j - m], square - total * total / m
            length = before + cost
            part = length - before
            rest = rests[j - m] + ((before - (length - part)) + (cost - part))
            less = (length - lengths[j]) + (rest - rests[j]) if last[j] else -inf
            if less < 0:
                second, lengths[j], rests[j], last[j] = -less, length, rest, m
            else:
                second = min(second, less)
        if second <= lengths[j] * margin:
            last[j] = -last[j]
    return lengths, last


_find, _nearly = map(compiled, (_find, _nearly))
