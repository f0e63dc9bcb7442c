"""Clusters with all pairwise deltas, and fast search for the least.

A cluster is called after its first record. delta(A, B) is exact at any time: where two clusters
are merged it follows from theirs, and where a record moves it is computed again.

The average of integers stays whole: delta is kept times the square of a number that every
size up to 2k-1 divides. So nothing has to be reduced, and comparing costs no more than with the
other linkages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from operator import truediv

from refagg.language.partition import Record
from refagg.language.space import Dissimilarities
from refagg.language.ties import Magnitude, Ranking, TiedCandidates, least

Name = Record
Row = list[Magnitude]

LINKAGES = ("single", "complete", "average")


@dataclass(frozen=True, slots=True)
class Linkage:
    """The way in which delta is made of dissimilarities.

    `join` combines those of some records (or clusters) to one value, `share` divides it by how
    many there were. `unit` is how often a kept delta holds the raw one.
    """

    join: Callable[[Iterable[Magnitude]], Magnitude]
    share: Callable[[Magnitude, int], Magnitude]
    unit: int = 1

    def row(self, rows: Sequence[Row]) -> Row:
        """Rows of raw dissimilarities joined to one."""
        return list(map(self.join, zip(*rows, strict=True)))

    def merged(self, a: Row, in_a: int, b: Row, in_b: int) -> Row:
        """Return the deltas of a union from those of its parts.

        The parts have `in_a` and `in_b` records.
        """
        both = in_a + in_b
        if self.join is sum:
            return [self.share(in_a * x + in_b * y, both) for x, y in zip(a, b, strict=True)]
        return [self.join(pair) for pair in zip(a, b, strict=True)]


def raw_linkage(name: str, base: Sequence[Row], k: int) -> Linkage:
    """The linkage of this name for raw dissimilarities."""
    if name == "single":
        return Linkage(min, _whole)
    if name == "complete":
        return Linkage(max, _whole)
    if all(set(map(type, row)) == {int} for row in base):
        return Linkage(sum, int.__floordiv__, lcm(*range(1, 2 * k)) ** 2)
    return Linkage(sum, truediv)


def _whole(value: Magnitude, number: int) -> Magnitude:
    return value


class Deltas:
    """All clusters, small and large.

    The small ones have fewer than k records, the large ones k to 2k-1. Large clusters are reserved,
    which means that they are merged with nothing, until `release`.
    """

    def __init__(self, space: Dissimilarities, k: int, linkage: str) -> None:
        records = space.records()
        self.members = {record: frozenset([record]) for record in records}
        self.small: set[Name] = set(records) if k > 1 else set()
        self.large: set[Name] = set() if k > 1 else set(records)
        self._space = space
        self._k = k
        self._base = [space.raw(record, records) for record in records]
        self._linkage = raw_linkage(linkage, self._base, k)
        unit = self._linkage.unit
        self._delta: list[Row] = [
            list(r) if unit == 1 else [unit * x for x in r] for r in self._base
        ]
        self._reserving = True
        self._nearest: dict[Name, tuple[Magnitude, Name]] = {}
        self._find_nearest(self.members)

    def release(self) -> None:
        """Allow large clusters to merge with small ones from now on."""
        self._reserving = False
        self._find_nearest(self.members)

    # What can be taken

    def clusters(self) -> Iterable[frozenset[Record]]:
        """The records of each cluster."""
        return self.members.values()

    def named(self, a: Name) -> frozenset[Record]:
        """The records of one cluster."""
        return self.members[a]

    def cheapest(self) -> TiedCandidates[Name]:
        """Return the clusters with a partner at the least delta.

        The partner has a higher name, and the delta is the least of all.
        """
        names = list(self._nearest)
        return least(self._ranked(names, [self._nearest[a][0] for a in names]))

    def partners(self, a: Name, cheapest: TiedCandidates[Name]) -> TiedCandidates[Name]:
        """Return the partners of `a` at the least delta.

        They are the clusters with a higher name than `a`, and the delta is the least of all.
        """
        row, others = self._delta[a], self._mates(a)
        near = self._ranked(others, [row[b] for b in others])
        bound = near.tolerance.greatest_tied(cheapest.best)
        tied = tuple([b for b in others if row[b] <= bound])
        return TiedCandidates(tied, self._nearest[a][0], near)

    def nearest_record(self, a: Name, b: Name) -> TiedCandidates[Record]:
        """The records of b that are least dissimilar to a."""
        join, share, unit = self._linkage.join, self._linkage.share, self._linkage.unit
        near, items = self.members[a], sorted(self.members[b])
        values = [share(unit * join([self._base[e][x] for x in near]), len(near)) for e in items]
        return least(self._ranked(items, values))

    def _ranked(self, items: Sequence[Name], values: Sequence[Magnitude]) -> Ranking[Name]:
        ranked, unit = self._space.ranked(items, values), self._linkage.unit
        if unit == 1:
            return ranked
        return replace(ranked, shown=lambda delta: self._space.shown(Fraction(delta, unit)))

    def nearer_large_pairs(self, a: Name, b: Name) -> Iterator[tuple[Name, Name]]:
        """Yield pairs of large clusters closer than a and b.

        Their delta is less than that of a and b.
        """
        delta = self._delta[a][b]
        for c in sorted(self.large):
            yield from ((c, d) for d in sorted(self.large) if c < d and self._delta[c][d] < delta)

    # What can be done

    def merge(self, a: Name, b: Name) -> frozenset[Record]:
        """Put the records of b into a; a is the lower name."""
        in_a, in_b = len(self.members[a]), len(self.members[b])
        row = self._linkage.merged(self._delta[a], in_a, self._delta[b], in_b)
        records = self.members[a] | self.members[b]
        self._remove(a)
        self._remove(b)
        self._add(records)
        self._write(a, row)
        self._renew({a, b})
        return records

    def move(self, e: Record, b: Name, a: Name) -> None:
        """Move a record from b to a; both may get new names."""
        parts = self.members[a] | {e}, self.members[b] - {e}
        self._remove(a)
        self._remove(b)
        names = [self._add(records) for records in parts]
        for name in names:
            self._write(name, self._computed(name))
        self._renew({a, b, *names})

    def _remove(self, a: Name) -> None:
        del self.members[a]
        self.small.discard(a)
        self.large.discard(a)

    def _add(self, records: frozenset[Record]) -> Name:
        name = min(records)
        self.members[name] = records
        (self.small if len(records) < self._k else self.large).add(name)
        return name

    # Deltas, and the nearest clusters

    def _computed(self, a: Name) -> Row:
        """Return the deltas of a by definition.

        They are in the places of the clusters' names.
        """
        join, share, unit = self._linkage.join, self._linkage.share, self._linkage.unit
        joined = self._linkage.row([self._base[x] for x in self.members[a]])
        row, in_a = list(joined), len(self.members[a])
        for c, records in self.members.items():
            row[c] = share(unit * join([joined[x] for x in records]), in_a * len(records))
        return row

    def _write(self, a: Name, row: Row) -> None:
        self._delta[a] = row
        for c in self.members:
            self._delta[c][a] = row[c]

    def _mates(self, a: Name) -> list[Name]:
        """Return the clusters of higher number that may merge with `a`."""
        if a in self.small:
            mates = [b for b in self.small if b > a]
            return mates if self._reserving else [*mates, *(b for b in self.large if b > a)]
        return [] if self._reserving else [b for b in self.small if b > a]

    def _find_nearest(self, names: Collection[Name]) -> None:
        for a in names:
            self._nearest.pop(a, None)
            if mates := self._mates(a):
                row = self._delta[a]
                values = [row[b] for b in mates]
                nearest = min(values)
                self._nearest[a] = nearest, mates[values.index(nearest)]

    def _renew(self, changed: set[Name]) -> None:
        """Find the nearest clusters again where changes can alter them."""
        for gone in changed.difference(self.members):
            self._nearest.pop(gone, None)
        there = changed.intersection(self.members)
        anew = list(there)
        others = self.small if self._reserving else self.members
        for c in [c for c in others if c not in there]:
            delta, nearest = self._nearest.get(c, (None, None))
            row = self._delta[c]
            free = c in self.small and not self._reserving
            near = [(row[x], x) for x in there if x > c and (free or x in self.small)]
            best = min(near, default=None)
            if best is not None and (delta is None or best[0] <= delta):
                self._nearest[c] = best
            elif nearest in changed:
                anew.append(c)
        self._find_nearest(anew)
