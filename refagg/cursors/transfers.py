"""T: records that are transferred between clusters, one at a time.

The clusters have centroids.

The method of Hartigan and Wong is written with these verbs. A record costs a cluster what the SSE
of the cluster grows where it joins, or falls where it leaves. Steps are counted in two ways: all of
them, and those of optimal transfers.
"""

from __future__ import annotations

from collections.abc import Iterator

from refagg.cursors.points import Number, Points
from refagg.cursors.remaining import Group
from refagg.engine.metrics import ClosestCentroids, increase
from refagg.language.partition import Record

MOST_TURNS = 50
"""Of a quick stage, in which each record has its turn once; as `kmeans` of R has it."""


class Transfers:
    """The clusters, each record's cluster, and its next candidate.

    The candidate is the cluster that the record may join next.
    """

    def __init__(self, M: Points, second: list[Number]) -> None:
        self.space, self.choices, self.records = M.space, M.choices, M.records
        self.first = M.centre_of
        self.second = second
        self.members: dict[Number, Group] = M.members()
        self.centroids = {number: M.space.centroid(group) for number, group in self.members.items()}
        self._closest = ClosestCentroids(M.space)
        n = len(self.records)
        self._steps = self._optimal_steps = 0
        self._changed = dict.fromkeys(self.members, -n)
        """The step after which a cluster changed last."""
        self._live_until = dict.fromkeys(self.members, n)
        """The step of optimal transfers from which a cluster is not live; all are in the first
        stage."""

    # Steps

    def optimal_steps(self) -> Iterator[Record]:
        """Yield each record once."""
        for record in self.choices.each(self.records, "records"):
            yield record
            self._steps += 1
            self._optimal_steps += 1

    def quick_steps(self) -> Iterator[Record]:
        """Yield records in turn until none was transferred lately.

        It ends when no record was transferred in the last n steps. Those of which neither cluster
        changed in the last n steps are passed over. Where centroids are not means, transfers need
        not end by themselves.
        """
        n, last = len(self.records), self._steps
        for _ in range(MOST_TURNS):
            for record in self.records:
                if self._steps - last >= n:
                    return
                pair = self.first[record], self.second[record]
                if any(self._steps - self._changed[number] < n for number in pair):
                    yield record
                    if self.first[record] != pair[0]:
                        last = self._steps
                self._steps += 1

    # Questions

    def alone(self, record: Record) -> bool:
        """Return True if a record is the only one of its cluster."""
        return len(self.members[self.first[record]]) == 1

    def live(self, number: Number) -> bool:
        """Return True if a cluster changed lately.

        That is in the last quick stage or the last n optimal steps.
        """
        return self._optimal_steps < self._live_until[number]

    def candidates(self, record: Record) -> list[Number]:
        """Return the clusters that a record may join.

        They are its second one, and others that are live. If its own is live, they are all others.
        """
        own, second = self.first[record], self.second[record]
        every = self.live(own)
        return [
            number
            for number in self.members
            if number != own and (every or number == second or self.live(number))
        ]

    def cheapest(self, name: str, record: Record, numbers: list[Number]) -> Number:
        """Choose the cluster whose SSE grows least where a record joins.

        If the record's second cluster is tied, it is taken.
        """
        sizes = {number: len(self.members[number]) for number in numbers}
        tie = self._closest.of(record, {n: self.centroids[n] for n in numbers}, sizes)
        second = self.second[record]
        return second if second in tie.candidates else self.choices.choose(name, tie, of=record)

    def costs_less(self, name: str, record: Record, number: Number) -> bool:
        """Return True if a record costs less in this cluster.

        The cost is compared with that in its own cluster.
        """
        own = self.first[record]
        ends = [self.centroids[own], self.centroids[number]]
        raw, size = self.space.raw(record, ends), len(self.members[own])
        joins = increase(raw[1], len(self.members[number]))
        leaves = raw[0] * size / (size - 1)
        less = self.space.less(self.space.shown(joins), self.space.shown(leaves))
        return self.choices.decide(name, less, record)

    # Transfers

    def transfer(self, record: Record) -> None:
        """Move a record to its second cluster.

        The cluster that it leaves becomes the second.
        """
        own, number = self.first[record], self.second[record]
        self.first[record], self.second[record] = number, own
        self.members[own].remove(record)
        self.members[number].append(record)
        for changed in (own, number):
            self.centroids[changed] = self.space.centroid(self.members[changed])
            self._changed[changed] = self._steps
            self._live_until[changed] = self._optimal_steps + len(self.records)
