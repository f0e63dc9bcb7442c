"""Compiled shortest paths of Hansen and Mukherjee for many integers.

It needs the extra `[big]`.

Costs are computed in three words of 64 bits, where sums that are too large are wrong by multiples
of 2^192 only, and in binary64, where they are wrong by less than FAR / 4 (`paths` makes sure of
that). So of two costs binary64 says which is less if they differ by more than FAR, and otherwise
their difference in words is right.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from refagg.engine.compiled import compiled
from refagg.errors import needed
from refagg.language.partition import Partition

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any

Words = tuple[Any, Any, Any]
"""An integer modulo 2^192: words of 64 bits, the lowest first."""

ALL, FAR = 1 << 192, 2.0**189
"""Costs that are more apart than FAR differ in binary64."""


class ShortestPaths(NamedTuple):
    """Length and last run of the shortest path, by node.

    The size of the last run is negative where several sizes cost least. Nodes before the first run
    have none.
    """

    ordered: Array
    words: Array
    about: Array
    """The lengths in words, and in binary64."""
    sizes: Array

    @property
    def lengths(self) -> list[int]:
        """The lengths, exactly."""
        words = [low + (high << 64) + (top << 128) for low, high, top in self.words.tolist()]
        pairs = zip(words, map(int, self.about.tolist()), strict=True)
        return [low + (about - low + ALL // 2) // ALL * ALL for low, about in pairs]

    def partition(self, order: array[int]) -> tuple[Partition, int]:
        """Take run after run from the end, and count ties.

        A rule settled the size, and which of equal records is the last one and the first one.
        """
        n, sizes, ends = len(order), abs(self.sizes).tolist(), [len(order)]
        while ends[-1] > 0:
            ends.append(ends[-1] - sizes[ends[-1]])
        starts, j = np.array(ends[:0:-1]), np.array(ends[-2::-1])
        m, equal = j - starts, np.append(False, (self.ordered[1:] == self.ordered[:-1]).all(axis=1))
        ties = (self.sizes[j] < 0).sum() + equal[j - 1].sum() + equal[starts[m > 1]].sum()
        lowest = np.minimum.reduceat(order, starts)
        records = iter((np.sort(np.repeat(lowest, m) * n + order) % n).tolist())
        counts = m[np.argsort(lowest)].tolist()
        return Partition(tuple([tuple(islice(records, count)) for count in counts])), int(ties)


def in_order(values: Sequence[int], rising: bool, falling: bool) -> tuple[Any, Array]:
    """Return the places of integers in order, and these in two words.

    Equal places may fall. If the integers do, there are others that differ as much. None if they
    have more than 128 bits.
    """
    try:
        words = _words(values, 2)
    except OverflowError:
        return None, None
    step, words = -1 if falling else 1, words if rising else ~words
    low, high = words[::step].T
    order = np.arange(len(words))[::step][np.lexsort((low, high.view(np.int64)))]
    return array("q", order.tobytes()), words[order]


def _words(integers: Sequence[int], count: int) -> Array:
    """Return each integer as so many words. Raises OverflowError."""
    with suppress(OverflowError):  # of more than one word
        low = np.array(integers, np.int64)
        return np.column_stack([low, *[low >> 63] * (count - 1)]).view(np.uint64)
    written = b"".join([integer.to_bytes(8 * count, "little", signed=True) for integer in integers])
    return np.frombuffer(written, np.uint64).reshape(-1, count)


def paths(values: Array, sizes: range, unit: int, highest: bool) -> ShortestPaths | None:
    """Return the shortest paths through ascending integers.

    Of the sizes that cost least, the highest or the lowest is taken. Lengths are in parts of the
    unit. None if costs are too large. Binary64 rounds an SSE of m values by (3 m + 21) m 2^-53 of
    it at most, as the squares of their distances from the last one are m times the SSE at most, and
    each length by 2^-53 of it.
    """
    most = sizes.stop - 1
    if unit >= FAR:
        return None
    factors = _words([unit, *[-(unit // m) for m in range(1, most + 1)]], 3)
    lengths, about, last = _find(values, sizes.start, most, factors, float(unit), highest)
    if about.max() * (len(values) + 4 * most * (most + 8)) >= FAR * 2.0**50:
        return None
    return ShortestPaths(values, lengths, about, last)


def _find(
    values: Array, k: int, most: int, factors: Array, unit: float, highest: bool
) -> tuple[Array, Array, Array]:
    """Return each node's shortest path length, twice, and last size.

    The nodes are those from k on.
    """
    n, zero = len(values), np.uint64(0)
    lengths, about = np.zeros((n + 1, 3), np.uint64), np.zeros(n + 1)
    last = np.zeros(n + 1, np.int32)
    for j in range(k, n + 1):
        total, square, best = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
        about_total, about_square = 0.0, 0.0
        for m in range(1, min(most, j) + 1):
            low, high = values[j - 1, 0] - values[j - m, 0], values[j - 1, 1] - values[j - m, 1]
            gap = (low, high - np.uint64(values[j - 1, 0] < values[j - m, 0]), zero)
            total, square = _plus(total, gap), _plus(square, _times(gap, gap))
            wide = gap[0] + gap[1] * 2.0**64
            about_total, about_square = about_total + wide, about_square + wide * wide
            if m < k or (j != m and j - m < k):
                continue
            spread = _times(_row(factors, m), _times(total, total))
            cost = _plus(_row(lengths, j - m), _plus(spread, _times(_row(factors, 0), square)))
            length = about[j - m] + unit * (about_square - about_total * about_total / m)
            less = length - about[j]
            if abs(less) <= FAR:
                less = _sign(_minus(cost, best))
            if not last[j] or less < 0:
                best, about[j], last[j] = cost, length, m
            elif less == 0:
                last[j] = -m if highest else -abs(last[j])
        lengths[j] = best
    return lengths, about, last


def _row(words: Array, place: int) -> Words:
    return words[place, 0], words[place, 1], words[place, 2]


def _sign(a: Words) -> float:
    return -1.0 if a[2] >> np.uint64(63) else float(a[0] | a[1] | a[2])


def _plus(a: Words, b: Words) -> Words:
    low, high = a[0] + b[0], a[1] + b[1]
    carried = high + np.uint64(low < b[0])
    return low, carried, a[2] + b[2] + np.uint64(high < b[1]) + np.uint64(carried < high)


def _minus(a: Words, b: Words) -> Words:
    # All bits of a - b are the opposites of those of (the opposite of a) + b.
    low, high, top = _plus((~a[0], ~a[1], ~a[2]), b)
    return ~low, ~high, ~top


def _times(a: Words, b: Words) -> Words:
    zero, low, one, other = np.uint64(0), _whole(a[0], b[0]), _whole(a[0], b[1]), _whole(a[1], b[0])
    top = a[0] * b[2] + a[1] * b[1] + a[2] * b[0]
    inner = _plus((zero, one[0], one[1]), (zero, other[0], other[1]))
    return _plus((low[0], low[1], top), inner)


def _whole(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the low and the high word of a product."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    one = (a >> half) * (b & mask) + ((a & mask) * (b & mask) >> half)
    other = (a & mask) * (b >> half) + (one & mask)
    return a * b, (a >> half) * (b >> half) + (one >> half) + (other >> half)


_row, _sign, _plus, _minus = map(compiled, (_row, _sign, _plus, _minus))
_whole, _times, _find = compiled(_whole), compiled(_times), compiled(_find)
