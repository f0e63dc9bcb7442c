"""Proportions of records up to each value of an attribute, and how far groups are from the file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from refagg.language.partition import Record


class Proportions:
    """For each of the different values the proportion of the records with at most this value."""

    def __init__(self, values: Sequence[Any]) -> None:
        place = {value: i for i, value in enumerate(sorted(set(values)))}
        self.ranks = [place[value] for value in values]
        """The place of each record's value among the different ones, from 0."""
        ordered = sorted(self.ranks)
        self._up_to = [bisect_right(ordered, i) for i in range(len(place))]
        self._sums = [0, *accumulate(self._up_to)]

    def __len__(self) -> int:
        """The number of different values."""
        return len(self._up_to)

    def gaps(self, group: Sequence[Record]) -> Fraction:
        """Return the sum of |P_i - Q_i|: the proportions in the group, and in the file.

        Between two values of the group P_i does not change and Q_i rises, so that the sign of the
        difference turns once.
        """
        n, size = len(self.ranks), len(group)
        ranks = sorted([self.ranks[record] for record in group])
        total = sum(
            self._between(first, after, count * n, size)
            for count, (first, after) in enumerate(pairwise([0, *ranks, len(self)]))
        )
        return Fraction(total, n * size)

    def _between(self, first: int, after: int, mine: int, size: int) -> int:
        """The sum of |mine - size * records up to i| for some ranks i, of which the second rise."""
        turn = bisect_left(self._up_to, mine, first, after, key=lambda count: size * count)
        below = mine * (turn - first) - size * (self._sums[turn] - self._sums[first])
        above = size * (self._sums[after] - self._sums[turn]) - mine * (after - turn)
        return below + above
