"""Neighbourhoods and most distant pairs of shrinking sets of records.

A neighbourhood is a record with its size-1 nearest records. Where the last places are tied, a
record has several, and an algorithm that wants the best neighbourhood of all finds another one
according to which of them it looks at. `Best` has all that are the best of some look at every
record: those that are not worse than every record's worst.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations, islice
from math import dist, inf
from operator import ge, le
from typing import Any, Generic, TypeVar

from refagg.engine.frame import Point, estimates_of
from refagg.engine.quadratic import Remaining, Sums
from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Later, Magnitude, Nearest, Ranking, TiedCandidates, greatest

T = TypeVar("T")

MOST = 1000
"""Of more neighbourhoods of a record, the first ones by record numbers are examined."""


@dataclass(frozen=True, slots=True)
class Neighbourhood(Generic[T]):
    """The neighbourhoods of a record, usually one, and a measure of each."""

    record: Record
    nearest: Nearest[Record]
    groups: list[tuple[Record, ...]]
    measures: list[T]
    points: Sequence[Point | None] = ()
    """Where the measures are, if they are centroids and estimated."""

    def looked_at(self) -> set[Record]:
        """The records without any of which there would be others."""
        return {self.record, *self.nearest.certain, *self.nearest.tied}

    def name(self) -> Hashable:
        """Return a name that records with the same neighbourhoods share."""
        near = self.nearest
        if len(near.tied) == near.places:
            return frozenset((self.record, *near.certain, *near.tied))
        return frozenset((self.record, *near.certain)), frozenset(near.tied)


class Neighbourhoods(Generic[T]):
    """Cache of neighbourhoods, dropped when a member leaves."""

    def __init__(
        self,
        space: Centroids[object],
        pool: Remaining,
        size: int,
        measure: Callable[[Sequence[Record]], T],
    ) -> None:
        self._space, self._pool, self._size, self._measure = space, pool, size, measure
        self._estimates = estimates_of(space)
        self._kept: dict[Record, Neighbourhood[T]] = {}
        self._there: set[Record] = set()
        self._seen_by: dict[Record, set[Record]] = {}
        """By record, those in whose neighbourhoods it is, or has been."""

    def now(self) -> list[Neighbourhood[T]]:
        """The neighbourhoods of the records of the pool among themselves."""
        records = self._pool.records
        there = set(records)
        for gone in self._there - there:
            for record in self._seen_by.pop(gone, ()):
                if record in self._kept and gone in self._kept[record].looked_at():
                    del self._kept[record]
        self._there = there
        for record in records:
            if record not in self._kept:
                self._kept[record] = self._look(record)
                for other in self._kept[record].looked_at():
                    self._seen_by.setdefault(other, set()).add(record)
        return [self._kept[record] for record in records]

    def _look(self, record: Record) -> Neighbourhood[T]:
        near = self._pool.nearest(self._size - 1, record, {record})
        ways = islice(combinations(near.tied, near.places), MOST)
        groups = [(record, *near.certain, *way) for way in ways]
        if len(groups) > 1 and not any(self._space.raw(near.tied[0], near.tied)):  # in one place
            return Neighbourhood(record, near, groups, [self._measure(groups[0])] * len(groups))
        measures = [self._measure(group) for group in groups]
        sums = [measure for measure in measures if isinstance(measure, Sums)]
        points = list(map(self._estimates.space.frame.point, sums)) if self._estimates else ()
        return Neighbourhood(record, near, groups, measures, points)


class DistancesFrom(Sequence[Sequence[Magnitude]]):
    """Squared distances of neighbourhoods' centroids from a point, lazily computed."""

    def __init__(
        self, space: Centroids[Any], point: object, neighbourhoods: Sequence[Neighbourhood[Any]]
    ) -> None:
        self._space, self._point, self._neighbourhoods = space, point, neighbourhoods

    def __len__(self) -> int:
        return len(self._neighbourhoods)

    def __getitem__(self, place: Any) -> Any:
        return self._space.raw(self._point, self._neighbourhoods[place].measures)

    def likely(self) -> Sequence[int]:
        """Return the places that can be the greatest.

        Neighbourhoods with one centroid are judged by estimates.
        """
        estimates, point = estimates_of(self._space), self._point
        here = estimates.space.frame.point(point) if estimates and isinstance(point, Sums) else None
        if estimates is None or here is None:
            return range(len(self))
        only = [near.points[0] if len(near.points) == 1 else None for near in self._neighbourhoods]
        gaps = [inf if there is None else dist(here, there) for there in only]
        limit = estimates.low(max([gap for gap in gaps if gap < inf], default=-inf))
        return [place for place, gap in enumerate(gaps) if gap >= limit]


class Best:
    """The choice of the best neighbourhood, by least or greatest value.

    `values` has a raw number for each group of each neighbourhood. A record can be the one chosen
    if any of its groups has a value as good as the worst of every record, or tied with that.
    """

    def __init__(
        self,
        space: Centroids[Any],
        neighbourhoods: Sequence[Neighbourhood[object]],
        values: Sequence[Sequence[Magnitude]],
        greatest: bool = False,
    ) -> None:
        self._space, self._greatest = space, greatest
        self._neighbourhoods = neighbourhoods
        tolerance = space.ranked((), ()).tolerance
        tied = tolerance.least_tied if greatest else tolerance.greatest_tied
        best, worst = (max, min) if greatest else (min, max)
        likely = [(neighbourhoods[i], values[i]) for i in _likely(values, tied, best)]
        self._best: Magnitude = best([best(of_groups) for _, of_groups in likely])
        self._settled: Magnitude = best([worst(of_groups) for _, of_groups in likely])
        self._bound: Magnitude = tied(self._settled)
        candidates: dict[Hashable, tuple[Neighbourhood[Any], Sequence[Magnitude]]] = {}
        for near, of_groups in likely:
            if self._good(best(of_groups)):
                candidates.setdefault(near.name(), (near, of_groups))
        self._values = {near.record: (near, of_groups) for near, of_groups in candidates.values()}
        bests = Later(lambda: [best(of_groups) for of_groups in values])
        self._every = [near.record for near in neighbourhoods], bests

    def records(self) -> TiedCandidates[Record]:
        """Return the records with a possibly best neighbourhood.

        There is one record for each neighbourhood.
        """
        return self._tie(tuple(self._values), *self._every)

    def nearest(self, record: Record) -> Nearest[Record] | None:
        """Return the neighbours of a chosen record.

        None if only some of its groups can be the best.
        """
        if record not in self._values:  # as only a judge asks that looks for what is wrong
            return next(near.nearest for near in self._neighbourhoods if near.record == record)
        near, values = self._values[record]
        return near.nearest if all(map(self._good, values)) else None

    def groups(self, record: Record) -> TiedCandidates[tuple[Record, ...]]:
        """The groups of a chosen record that can be the best."""
        near, values = self._values[record]
        pairs = zip(near.groups, values, strict=True)
        good = tuple(group for group, value in pairs if self._good(value))
        return self._tie(good, near.groups, values)

    def _good(self, value: Magnitude) -> bool:
        return bool(value >= self._bound if self._greatest else value <= self._bound)

    def _tie(
        self, candidates: tuple[T, ...], items: Sequence[T], values: Sequence[Magnitude]
    ) -> TiedCandidates[T]:
        """Return the tie among candidates.

        In its ranking every value that reaches `_settled` counts as the best one.
        """

        def counted() -> list[Magnitude]:
            reaches = ge if self._greatest else le
            return [self._best if reaches(value, self._settled) else value for value in values]

        measured: Ranking[T] = self._space.ranked(items, Later(counted))
        return TiedCandidates(candidates, self._best, measured)


def _likely(
    values: Sequence[Sequence[Magnitude]],
    tied: Callable[[Magnitude], Magnitude],
    best: Callable[..., Any],
) -> Sequence[int]:
    """Return the places of what can be the best.

    Floats rule out some of those with one value.
    """
    if isinstance(values, DistancesFrom):
        return values.likely()
    single = [place for place, of_groups in enumerate(values) if len(of_groups) == 1]
    try:
        keys = [p / q for p, q in [of_groups[0].as_integer_ratio() for of_groups in values]]
        limit = float(tied(values[best(single, key=keys.__getitem__)][0])) if single else 0.0
    except OverflowError:
        return range(len(values))
    within = le if best is min else ge
    return [i for i, key in enumerate(keys) if within(key, limit) or len(values[i]) > 1]


class FarthestPairs:
    """The most distant pairs of ever fewer records.

    For each record, the distance to its farthest partner when it was last looked at
    bounds the distance to its farthest partner now. Only records whose bound reaches
    the greatest distance found are examined again. The first bounds are the pool's own.
    """

    def __init__(self, pool: Remaining) -> None:
        self._pool = pool
        self._bounds: list[tuple[Magnitude, Record]] | None = None

    def of(self, every: bool = False) -> TiedCandidates[tuple[Record, Record]]:
        """Return all pairs of the pool at the greatest distance.

        The pairs are in either order. With `every`, all pairs are returned.
        """
        if self._bounds is None:
            self._bounds = [(-reach, record) for record, reach in self._pool.reaches()]
            heapify(self._bounds)
        best: Magnitude = 0
        least_tied: Magnitude = 0
        looked: dict[Record, TiedCandidates[Record]] = {}
        while self._bounds and -self._bounds[0][0] >= least_tied:
            _, record = heappop(self._bounds)
            if record not in self._pool:
                continue
            tie = self._pool.farthest(record, {record})
            best = max(best, tie.best)
            least_tied = 0 if every else tie.measured.tolerance.least_tied(best)
            if tie.best >= least_tied:
                looked[record] = tie
            else:
                heappush(self._bounds, (-tie.best, record))
        looked = dict(sorted(looked.items()))  # in whatever order they were looked at
        for record, tie in looked.items():
            heappush(self._bounds, (-tie.best, record))
        pairs = [
            (value, (record, partner))
            for record, tie in looked.items()
            for partner, value in (tie.raw_of_all() if every else tie.raw()).items()
            if value >= least_tied
        ]
        values, items = [value for value, _ in pairs], [pair for _, pair in pairs]
        like = looked[items[0][0]].measured
        return greatest(Ranking(items, values, like.shown, like.tolerance))
