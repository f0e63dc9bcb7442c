"""The records that remain, and what can be asked about them: the plain engine.

A pool answers for the records that it holds at the time. Another engine (a tree, blocks of an
array library) offers the same questions and gives the same ties.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import inf
from typing import Any, Protocol

from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Magnitude, Nearest, Ranking, TiedCandidates


class Pool:
    """Some records of a space, of which some are removed now and then."""

    def __init__(self, space: Centroids[Any], records: Sequence[Record]) -> None:
        self.space = space
        self.records = list(records)
        self._asked: dict[Record, Ranking[Record]] = {}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __contains__(self, record: object) -> bool:
        return record in self.records

    def centroid(self) -> Any:
        """The average of the records."""
        return self.space.centroid(self.records)

    def reaches(self) -> list[tuple[Record, Magnitude]]:
        """Each record with a number that its distance from no other exceeds."""
        return [(record, inf) for record in self.records]

    def farthest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the greatest distance from a record or a point."""
        return self.space.farthest(self._distances(origin), without)

    def closest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the least distance from a record or a point."""
        return self.space.closest(self._distances(origin), without)

    def closest_to_any(self, origins: Sequence[Record]) -> TiedCandidates[Record]:
        """The records at the least distance from the nearest of some records."""
        return self.space.closest(self.space.distances_to_any(origins, self.records))

    def nearest(self, m: int, origin: Any, without: Collection[Record] = ()) -> Nearest[Record]:
        """The m records at the least distances from a record or a point."""
        return self.space.nearest(m, self._distances(origin), without)

    def remove(self, records: Collection[Record]) -> None:
        """These records are no longer in the pool."""
        gone = set(records)
        self.records = [record for record in self.records if record not in gone]
        self._asked.clear()

    def _distances(self, origin: Any) -> Ranking[Record]:
        """The distances of all records; those from the last record asked about are kept."""
        if not isinstance(origin, int):
            return self.space.distances(origin, self.records)
        if origin not in self._asked:
            self._asked = {origin: self.space.distances(origin, self.records)}
        return self._asked[origin]


class Remaining(Collection[Record], Protocol):
    """The interface of every engine."""

    @property
    def records(self) -> list[Record]: ...

    def centroid(self) -> Any: ...

    def reaches(self) -> list[tuple[Record, Magnitude]]: ...

    def farthest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]: ...

    def closest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]: ...

    def closest_to_any(self, origins: Sequence[Record]) -> TiedCandidates[Record]: ...

    def nearest(self, m: int, origin: Any, without: Collection[Record] = ()) -> Nearest[Record]: ...

    def remove(self, records: Collection[Record]) -> None: ...


def pool_of(space: Centroids[Any], records: Sequence[Record]) -> Remaining:
    """The engine that a space has for some of its records, or the plain one."""
    own: Callable[[Sequence[Record]], Remaining] | None = getattr(space, "pool", None)
    return Pool(space, records) if own is None else own(records)
