"""Clusters that grow by mergers, and the pairs that are cheapest to merge.

The costs of all pairs that may be merged are kept in a matrix, and for each cluster its least
cost and whom it has it with. A merger changes one row and one column, and only the clusters that
were cheapest to merge with one of the two parts are looked through again.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence
from fractions import Fraction
from math import inf

from refagg.engine.linkages import Linkage, Slot, in_floats
from refagg.engine.metrics import Metric
from refagg.language.partition import Record
from refagg.language.ties import Magnitude, Number, Ranking, TiedCandidates

Serial = int
"""The name of a cluster: its record's number, or n + t after merger t, counted from 0."""

Pair = tuple[Serial, Serial]


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
        self._rows: list[MutableSequence[Magnitude]] = []
        """For each two clusters the cost, infinite where they must not be merged."""
        for i in range(n):
            others = range(i + 1, n)
            after = self._linkage.costs(i, others) if self._most > 1 else [inf for _ in others]
            row = [*(before[i] for before in self._rows), inf, *after]
            self._rows.append(array("d", row) if in_floats(metric, n) else row)
        self._least = [min(row) for row in self._rows]
        self._nearest = [
            row.index(least) for row, least in zip(self._rows, self._least, strict=True)
        ]

    def cheapest_pairs(self) -> TiedCandidates[Pair] | None:
        """The pairs that cost least to merge; None if none may be merged."""
        best = min(self._least)
        if best == inf:
            return None
        tolerance = self._metric.tolerance
        bound = tolerance.greatest_tied(best)
        found: list[tuple[Magnitude, Pair]] = []
        after: list[tuple[Magnitude, Pair]] = []
        for a in self._open:
            if self._least[a] > bound:
                after.append((self._least[a], self._pair(a, self._nearest[a])))
                continue
            row = self._rows[a]
            found += [(v, self._pair(a, b)) for b, v in enumerate(row[:a]) if v <= bound]
            v, b = min(((v, b) for b, v in enumerate(row) if v > bound), default=(inf, a))
            after.append((v, self._pair(a, b)))
        values, pairs = [v for v, _ in found], [pair for _, pair in found]
        rest = min(after, default=(inf, (0, 0)))
        known = rest[0] < inf
        measured = Ranking(
            pairs + [rest[1]] * known, values + [rest[0]] * known, self._shown, tolerance
        )
        return TiedCandidates(tuple(pairs), best, measured)

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

    def _look(self, a: Slot) -> None:
        row = self._rows[a]
        self._least[a] = least = min(row)
        self._nearest[a] = row.index(least)

    def _pair(self, a: Slot, b: Slot) -> Pair:
        x, y = self._serials[a], self._serials[b]
        return (x, y) if x < y else (y, x)

    def _shown(self, raw: Magnitude) -> Number:
        return self._metric.shown(
            raw if self._linkage.scale == 1 else Fraction(raw, self._linkage.scale)
        )
