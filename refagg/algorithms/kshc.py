"""KSHC: k-anonymous clusters of event sequences, or of anything with dissimilarities.

Source: A. Valls, C. Gomez-Alonso, "KSHC: k-anonymous sequence hierarchical clustering", which
gives pseudo-code that does not always end. This is a form of it that does.

delta(A, B) is the least, the greatest or the average dissimilarity of a record of A and one of
B (`linkage`). minVC = ceil(n / (2k-1)) is the least number of groups there can be.

Steps, beginning with one active cluster for each record:
  1. While fewer than minVC clusters are reserved and at least two are active, the two active
     clusters of least delta are merged. Once they have k records, they are reserved.
  2. While some cluster has fewer than k records, take the pair of least delta of which at least
     one has; clusters of k records and more are not merged with each other. Then
     a. if both have at most 2k-1 records together, they are merged;
     b. otherwise the record e of the larger that is least dissimilar to the smaller (by delta of
        {e} and it) moves to the smaller.

It ends: in step 2 each operation lowers the sum, over the clusters of fewer than k records, of
what they lack. After b the larger still has k records, as both had at least 2k together. There
are at most n (k-1) operations, and all sizes end in [k, 2k-1].

>>> from refagg.spaces.matrix import MatrixSpace
>>> values = [0, 1, 10, 12, 13]
>>> space = MatrixSpace([[abs(a - b) for b in values] for a in values])
>>> kshc(space, 2, Run(), linkage="single").groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from refagg.model import Partition, Record
from refagg.run import Run
from refagg.spaces.protocol import Dissimilarities
from refagg.specification import Named, Specification, Tied
from refagg.ties import Raw, least

Pair = tuple[Record, Record]
Slot = int


def kshc(space: Dissimilarities, k: int, run: Run, linkage: str) -> Partition:
    clusters = _clusters(space, linkage)
    active: set[Slot] = set(space.records()) if k > 1 else set()
    reserved: set[Slot] = set() if k > 1 else set(space.records())
    fewest = -(-space.n // (2 * k - 1))
    # 1.
    clusters.look_for_nearest(active, active)
    while len(reserved) < fewest and len(active) > 1:
        run.reached(clusters.members[slot] for slot in active | reserved)
        a, b = clusters.least_pair(space, run, "active pair", active, active)
        clusters.merge(a, b, active, active)
        active.remove(b)
        if len(clusters.members[a]) >= k:
            active.remove(a)
            reserved.add(a)
            clusters.forget(a, active, active)
            run.note("reserved", clusters.members[a])
    # 2.
    everything = active | reserved
    small = {slot for slot in everything if len(clusters.members[slot]) < k}
    clusters.look_for_nearest(small, everything)
    while small:
        run.reached([*(clusters.members[slot] for slot in everything), ()])
        a, b = clusters.least_pair(space, run, "pair", small, everything)
        if len(clusters.members[a]) + len(clusters.members[b]) <= 2 * k - 1:
            # a.
            small.discard(b)
            everything.remove(b)
            clusters.merge(a, b, small, everything)
        else:
            # b.
            if len(clusters.members[a]) > len(clusters.members[b]):
                a, b = b, a
            e = clusters.nearest_record(space, run, a, b)
            clusters.move(e, b, a, small, everything)
            run.note("transfer", [e])
        if len(clusters.members[a]) >= k:
            small.discard(a)
    return Partition.of([run.closed(clusters.members[slot]) for slot in everything], space.n)


def _clusters(space: Dissimilarities, linkage: str) -> _Clusters:
    records = space.records()
    base = [space.raw(record, records) for record in records]
    return _Clusters(base, linkage, [list(row) for row in base], [[record] for record in records])


@dataclass(slots=True)
class _Clusters:
    """Clusters in slots, with what is needed to find the pair of least delta quickly.

    `links[a][b]` is the least or greatest dissimilarity between two clusters, or for the
    average the sum. `nearest[a]` is the least delta of a, for each of those it is asked for.
    """

    base: Sequence[Sequence[Raw]]
    linkage: str
    links: list[list[Raw]]
    members: list[list[Record]]
    nearest: dict[Slot, tuple[Raw, Slot]] = field(default_factory=dict)

    def delta(self, a: Slot, b: Slot) -> Raw:
        return self._shared(self.links[a][b], len(self.members[a]) * len(self.members[b]))

    def _shared(self, link: Raw, pairs: int) -> Raw:
        if self.linkage != "average" or pairs == 1:
            return link
        return Fraction(link, pairs) if isinstance(link, (int, Fraction)) else link / pairs

    def _link(self, links: Iterable[Raw]) -> Raw:
        if self.linkage == "average":
            return sum(links)
        return min(links) if self.linkage == "single" else max(links)

    def look_for_nearest(self, own: Iterable[Slot], others: Collection[Slot]) -> None:
        """Find the least delta of some clusters among others anew."""
        self.nearest = {slot: self._nearest(slot, others) for slot in own}

    def _nearest(self, a: Slot, others: Collection[Slot]) -> tuple[Raw, Slot]:
        return min(((self.delta(a, b), b) for b in others if b != a), default=(inf, -1))

    def least_pair(
        self,
        space: Dissimilarities,
        run: Run,
        name: str,
        own: Collection[Slot],
        others: Collection[Slot],
    ) -> tuple[Slot, Slot]:
        """The slots of a pair of least delta, one of `own` and one of `others`."""
        best = min(self.nearest[a][0] for a in own)
        bound = space.ranked((), ()).tolerance.greatest_tied(best)
        values: dict[Pair, Raw] = {}
        slots: dict[Pair, tuple[Slot, Slot]] = {}
        for a in own:
            value, partner = self.nearest[a]
            partners = [partner]
            if value <= bound:
                partners = [b for b in others if b != a and self.delta(a, b) <= bound]
            for b in partners:
                first, second = sorted((a, b), key=self.name)
                pair = self.name(first), self.name(second)
                values[pair], slots[pair] = self.delta(first, second), (first, second)
        ranked = space.ranked(list(values), list(values.values()))
        return slots[run.one(name, least(ranked))]

    def name(self, slot: Slot) -> Record:
        """A cluster is called after its first record."""
        return min(self.members[slot])

    def nearest_record(self, space: Dissimilarities, run: Run, a: Slot, b: Slot) -> Record:
        """The record of b that is least dissimilar to the cluster a."""
        size = len(self.members[a])
        values = [
            self._shared(self._link(self.base[e][x] for x in self.members[a]), size)
            for e in self.members[b]
        ]
        return run.one("moved", least(space.ranked(self.members[b], values)))

    def merge(self, a: Slot, b: Slot, own: Collection[Slot], others: Collection[Slot]) -> None:
        """Put the records of b into a; the slot b is empty from now on."""
        for c in others:
            if c not in (a, b):
                link = self._link((self.links[a][c], self.links[b][c]))
                self.links[a][c] = self.links[c][a] = link
        self.members[a] += self.members[b]
        self.members[b] = []
        self.nearest.pop(b, None)
        self._renew({a, b}, own, {c for c in others if c != b})

    def move(
        self, e: Record, b: Slot, a: Slot, own: Collection[Slot], others: Collection[Slot]
    ) -> None:
        """Move a record from b to a."""
        self.members[b].remove(e)
        self.members[a].append(e)
        for changed in (a, b):
            for c in others:
                if c != changed:
                    rows = (self.base[x] for x in self.members[changed])
                    link = self._link(row[y] for row in rows for y in self.members[c])
                    self.links[changed][c] = self.links[c][changed] = link
        self._renew({a, b}, own, others)

    def forget(self, slot: Slot, own: Collection[Slot], others: Collection[Slot]) -> None:
        """The cluster in a slot takes no more part."""
        self.nearest.pop(slot, None)
        self._renew({slot}, own, others)

    def _renew(self, changed: set[Slot], own: Collection[Slot], others: Collection[Slot]) -> None:
        """Find what is nearest where that can be another, after some clusters have changed."""
        there = changed.intersection(others)
        for a in own:
            if a not in self.nearest:
                continue
            if a in changed or self.nearest[a][1] in changed:
                self.nearest[a] = self._nearest(a, others)
            else:
                new = ((self.delta(a, b), b) for b in there)
                self.nearest[a] = min([self.nearest[a], *new])


SPECIFICATION = Specification(
    name="kshc",
    title="KSHC (hierarchical clusters of sequences, with transfers)",
    source="Valls and Gomez-Alonso, KSHC: k-anonymous sequence hierarchical clustering",
    run=kshc,
    largest_group=lambda k, linkage: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        Tied("active pair", "1", "the active clusters of least delta", "pair", "delta"),
        Tied("pair", "2", "the clusters of least delta, one too small", "pair", "delta"),
        Tied(
            "moved", "2b", "the record least dissimilar to the smaller cluster", "record", "delta"
        ),
    ),
    decisions=(),
    cost="about n^2 dissimilarities and as much memory",
    parameters=(Named("linkage", ("single", "complete", "average"), "delta of two clusters"),),
    needs="Dissimilarities",
)
