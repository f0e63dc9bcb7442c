"""Clusters that grow by mergers, and the pairs that are cheapest to merge.

The costs of all pairs that may be merged are kept in a matrix, and for each cluster its least
cost and whom it has it with. A merger changes one row and one column, and only the clusters that
were cheapest to merge with one of the two parts are looked through again.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from fractions import Fraction
from math import inf

from refagg.engine.linkages import Filtered, Linkage, Slot, in_floats
from refagg.engine.metrics import Metric
from refagg.language.partition import Record
from refagg.language.ties import Magnitude, Number, Ranking, TiedCandidates

Serial = int
"""The name of a cluster: its record's number, or n + t after merger t, counted from 0."""

Pair = tuple[Serial, Serial]

PATIENCE = 16
"""Estimates are given up after so many exact costs for each record that turned out not least."""


class MatrixPairs:
    """Clusters of at most `most` records, at first of one."""

    def __init__(self, metric: Metric, n: int, most: int, linkage: Linkage) -> None:
        self._metric = metric
        self._most = most
        self._linkage = linkage
        self._members: list[list[Record]] = [[record] for record in range(n)]
        self._serials: list[Serial] = list(range(n))
        self._slots: dict[Serial, Slot] = {record: record for record in range(n)}
        self._following: Serial = n
        self._open = list(range(n))
        """The clusters that some other may be merged with."""
        self._wasted = 0
        self._fill()

    def _fill(self) -> None:
        """Make the matrix of what it costs to merge each two clusters, infinite where they must
        not be merged.
        """
        n, members = len(self._members), self._members
        floats = isinstance(self._linkage, Filtered) or in_floats(self._metric, n)
        self._rows: list[MutableSequence[Magnitude]] = []
        for i in range(n):
            row = [before[i] for before in self._rows] + [inf] * (n - i)
            capacity = self._most - len(members[i]) if members[i] else 0
            others = [j for j in range(i + 1, n) if 0 < len(members[j]) <= capacity]
            for j, cost in zip(others, self._linkage.costs(i, others), strict=True):
                row[j] = cost
            self._rows.append(array("d", row) if floats else row)
        self._least = [min(row) for row in self._rows]
        self._nearest = [
            row.index(least) for row, least in zip(self._rows, self._least, strict=True)
        ]

    def cheapest_pairs(self) -> TiedCandidates[Pair] | None:
        """The pairs that cost least to merge; None if none may be merged."""
        if isinstance(self._linkage, Filtered) and self._wasted > PATIENCE * len(self._members):
            self._linkage = self._linkage.without_estimates([*self._slots.values()])
            self._fill()
        best = min(self._least)
        if best == inf:
            return None
        limit = self._limit(best)
        found = self._costing(-inf, limit)
        following = min(self._beyond(a, limit) for a in self._open)
        cheapest = min([cost for cost, _ in found])
        bound = self._metric.tolerance.greatest_tied(cheapest)
        rest = [(cost, pair) for cost, pair in found if cost > bound]
        tied = [(cost, pair) for cost, pair in found if cost <= bound] if rest else found
        self._wasted += len(rest)
        if following < inf:
            rest += self._costing(limit, self._limit(following))
        measured = self._ranked([*tied, min(rest)] if rest else tied)
        return TiedCandidates(tuple([pair for _, pair in tied]), cheapest, measured)

    def merge(self, first: Serial, second: Serial) -> list[Record]:
        """Make one cluster of two, with the next serial number; its records."""
        a, b = (self._slots.pop(serial) for serial in (first, second))
        self._members[a] = sorted(self._members[a] + self._members[b])
        self._slots[self._following] = a
        self._serials[a] = self._following
        self._following += 1
        capacity = self._most - len(self._members[a])
        rows, least, nearest = self._rows, self._least, self._nearest
        self._open = [j for j in self._open if j not in (a, b)]
        there = [j for j in self._open if len(self._members[j]) <= capacity]
        self._linkage.merge(a, b, there)
        new = dict(zip(there, self._linkage.costs(a, there), strict=True))
        mine = rows[a]
        for j in self._open:
            row, cost = rows[j], new.get(j, inf)
            row[a] = mine[j] = cost
            row[b] = inf
            if cost <= least[j]:
                least[j], nearest[j] = cost, a
            elif nearest[j] in (a, b):
                self._look(j)
        mine[b], least[b] = inf, inf
        rows[b] = []
        self._members[b] = []
        self._look(a)
        self._open = [j for j in (*self._open, a) if least[j] < inf]
        return self._members[a]

    def named(self, serial: Serial) -> list[Record]:
        """The records of one cluster."""
        return self._members[self._slots[serial]]

    def clusters(self) -> list[list[Record]]:
        """The records of each cluster."""
        return [self._members[slot] for slot in self._slots.values()]

    def listed(self) -> dict[Serial, list[Record]]:
        """The clusters in the order of their serial numbers."""
        return {serial: self._members[slot] for serial, slot in sorted(self._slots.items())}

    def _limit(self, least: Magnitude) -> Magnitude:
        """The greatest stored cost of a merger whose exact cost can be tied with the least."""
        if isinstance(self._linkage, Filtered):
            return self._linkage.limit(least)
        return self._metric.tolerance.greatest_tied(least)

    def _costing(self, more: Magnitude, most: Magnitude) -> list[tuple[Magnitude, Pair]]:
        """The pairs of a stored cost above `more` and up to `most`, with their exact costs."""
        found: list[tuple[Magnitude, Pair]] = []
        for a in self._open:
            if self._least[a] <= most:
                row = self._rows[a]
                others = [b for b, cost in enumerate(row[:a]) if more < cost <= most]
                costs = (
                    self._linkage.exactly(a, others)
                    if isinstance(self._linkage, Filtered)
                    else [row[b] for b in others]
                )
                found += zip(costs, self._pairs(a, others), strict=True)
        return found

    def _beyond(self, a: Slot, limit: Magnitude) -> Magnitude:
        """The least stored cost of a merger of cluster `a` above a limit; inf if there is none."""
        if self._least[a] > limit:
            return self._least[a]
        return min([cost for cost in self._rows[a] if cost > limit], default=inf)

    def _ranked(self, costs: list[tuple[Magnitude, Pair]]) -> Ranking[Pair]:
        items, values = [pair for _, pair in costs], [cost for cost, _ in costs]
        return Ranking(items, values, self._shown, self._metric.tolerance)

    def _look(self, a: Slot) -> None:
        row = self._rows[a]
        self._least[a] = least = min(row)
        self._nearest[a] = row.index(least)

    def _pairs(self, a: Slot, others: Sequence[Slot]) -> list[Pair]:
        """Cluster a with each of the others."""
        x = self._serials[a]
        return [(x, y) if x < y else (y, x) for y in map(self._serials.__getitem__, others)]

    def _shown(self, raw: Magnitude) -> Number:
        return self._metric.shown(
            raw if self._linkage.scale == 1 else Fraction(raw, self._linkage.scale)
        )
