"""Squared distances between rows of integers, and the plain pool.

A point is a row of sums of `count` numbers each, which needs no division. For the distances from
one point of m numbers with the sums S to many rows x, with integer weights W of attributes,

    m^2 sum_j W_j (x_j - S_j/m)^2  =  m^2 sum W x^2  -  2 m sum (W x) S  +  sum W S^2,

where the first sum and W x are computed once per row, and the last sum once.

The pool here is the plain engine: it answers for the records that remain by looking at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import inf
from operator import mul
from typing import Any, Protocol

from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Later, LaterRanking, Magnitude, Nearest, Ranking, TiedCandidates

Row = tuple[int, ...]
FEW = 8
"""The distances of fewer rows are computed as they are defined."""

MANY = 300_000
"""So many rows would take more memory than it takes time to make those that are examined."""


@dataclass(frozen=True, slots=True)
class Sums:
    """A point: the sums of the values of `count` records."""

    count: int
    values: Sequence[int]


class LazyRows(Sequence[Row]):
    """Rows made of columns when they are read.

    They take no memory.
    """

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, record: Any) -> Any:
        return tuple([column[record] for column in self.columns])

    def __iter__(self) -> Iterator[Row]:
        return zip(*self.columns, strict=True)


def row_sequence(columns: Sequence[Sequence[int]]) -> Sequence[Row]:
    """The rows of columns: of many, only those that are read."""
    return list(zip(*columns, strict=True)) if len(columns[0]) < MANY else LazyRows(columns)


class Quadratic:
    """Rows, and the squared distances from them."""

    def __init__(
        self, rows: Sequence[Row], weights: Sequence[int], columns: Sequence[Sequence[int]] = ()
    ) -> None:
        """Initialise the rows.

        The columns of which they are made serve `attribute` only.
        """
        self.rows, self.weights, self.columns = rows, weights, columns

    def attribute(self, number: int, records: Sequence[Record]) -> Sequence[int]:
        """The values that some records have in one attribute."""
        column = self.columns[number]
        whole = isinstance(records, range) and len(records) == len(column)
        return column if whole else list(map(column.__getitem__, records))

    @cached_property
    def _weighted(self) -> list[Row]:
        return [tuple(map(mul, self.weights, row)) for row in self.rows]

    @cached_property
    def norms(self) -> list[int]:
        """The sum of weighted squares of each row."""
        return [sum(map(mul, w, x)) for w, x in zip(self._weighted, self.rows, strict=True)]

    def square(self, values: Sequence[int]) -> int:
        """The sum of weighted squares of any values."""
        return sum(map(mul, map(mul, self.weights, values), values))

    def distances(self, count: int, sums: Sequence[int], rows: Sequence[int]) -> list[int]:
        """Return squared distances from sums / count to rows, times count^2.

        The point has the coordinates sums / count.
        """
        if len(rows) < FEW:
            parts = [zip(self.weights, self.rows[i], sums, strict=True) for i in rows]
            return [sum([w * (count * x - s) ** 2 for w, x, s in part]) for part in parts]
        m2, minus_2m = count * count, -2 * count
        square, norms, weighted = self.square(sums), self.norms, self._weighted
        return [m2 * norms[i] + minus_2m * sum(map(mul, weighted[i], sums)) + square for i in rows]

    def pairs(self, rows: Sequence[int]) -> int:
        """Return the sum of the squared distances of all pairs.

        It is m sum W x^2 - sum W (sum x)^2.
        """
        sums = list(map(sum, zip(*map(self.rows.__getitem__, rows), strict=True)))
        return len(rows) * sum(map(self.norms.__getitem__, rows)) - self.square(sums)

    def between(self, m: int, p: Sequence[int], n: int, q: Sequence[int]) -> Fraction:
        """Return the squared distance between p / m and q / n."""
        differences = [x * n - y * m for x, y in zip(p, q, strict=True)]
        return Fraction(self.square(differences), (m * n) ** 2)


class Pool:
    """Records of a space, some of which are removed over time.

    A `tree` of their points, if there is one, finds those that can be the farthest or the nearest,
    by a `query` around a record or a point; the space measures them as it measures all.
    """

    def __init__(
        self, space: Centroids[Any], records: Sequence[Record], tree: Any = None, query: Any = None
    ) -> None:
        self.space, self._tree, self._query = space, tree, query
        self._listed, self._there = list(records), set(records)
        self._left: list[Record] = []
        """Those that were removed since the list was made."""
        self._asked: dict[Record, Ranking[Record]] = {}

    def __len__(self) -> int:
        return len(self._there)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __contains__(self, record: object) -> bool:
        return record in self._there

    @property
    def records(self) -> list[Record]:
        """The records that are there."""
        if self._left:
            self._listed = records_left(self._listed, self._left, len(self._left))
            self._left = []
        return self._listed

    def centroid(self) -> Any:
        """The average of the records."""
        return self.space.centroid(self.records)

    def reaches(self) -> list[tuple[Record, Magnitude]]:
        """Each record with a number that its distance from no other exceeds."""
        return [(record, inf) for record in self.records]

    def farthest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the greatest distance from a record or a point."""
        if not self._tree:
            return self.space.farthest(self._distances(origin), without)
        some = sorted(self._tree.farthest(self._query(origin), self._there & {*without}))
        found = self.space.farthest(self.space.distances(origin, some))
        return replace(found, measured=self._later(origin), without=without)

    def closest(self, origin: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        """The records at the least distance from a record or a point."""
        return self.space.closest(self._distances(origin), without)

    def closest_to_any(self, origins: Sequence[Record]) -> TiedCandidates[Record]:
        """The records at the least distance from the nearest of some records."""
        return self.space.closest(self.space.distances_to_any(origins, self.records))

    def nearest(self, m: int, origin: Any, without: Collection[Record] = ()) -> Nearest[Record]:
        """Return the m records nearest to a record or a point."""
        if not self._tree or not m:
            return self.space.nearest(m, self._distances(origin), without)
        some = self._tree.nearest(m, self._query(origin), self._there & {*without})
        near = sorted(record for _, record in some)
        found = self.space.nearest(m, self.space.distances(origin, near))
        return replace(found, measured=self._later(origin), without=without)

    def remove(self, records: Collection[Record]) -> None:
        """Remove these records from the pool."""
        self._there.difference_update(records)
        self._left += records
        self._asked.clear()
        if self._tree:
            self._tree.remove(records)

    def _later(self, origin: Any) -> Any:
        """Return the ranking of the records that are there now."""
        records = Later(partial(records_left, self._listed, self._left, len(self._left)))
        return LaterRanking(partial(self.space.distances, origin, records))

    def _distances(self, origin: Any) -> Ranking[Record]:
        """Return the distances of all records.

        Those from the last record asked about are kept.
        """
        if not isinstance(origin, int):
            return self.space.distances(origin, self.records)
        if origin not in self._asked:
            self._asked = {origin: self.space.distances(origin, self.records)}
        return self._asked[origin]


def records_left(records: Sequence[Record], removed: Sequence[Record], number: int) -> list[Record]:
    """Return the records that were left when so many had been removed."""
    gone = set(removed[:number])
    return [record for record in records if record not in gone]


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


def pool_of(space: Centroids[object], records: Sequence[Record]) -> Remaining:
    """Return the space's own engine for these records, or a pool."""
    own: Callable[[Sequence[Record]], Remaining] | None = getattr(space, "pool", None)
    return Pool(space, records) if own is None else own(records)
