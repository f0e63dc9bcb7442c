"""Rankings by distances of which only those are computed exactly that can be the extreme ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from heapq import nsmallest
from itertools import repeat
from math import dist
from typing import Any

from refagg.engine.frame import Point, Query
from refagg.language import ties
from refagg.language.partition import Record
from refagg.language.ties import Nearest, Ranking, TiedCandidates

Exact = Callable[[Sequence[Record]], list[int]]


class Estimated(Sequence[int]):
    """The values of a ranking: integers, which can be estimated."""

    def __init__(
        self, exact: Exact, records: Sequence[Record], points: Sequence[Point], query: Query
    ) -> None:
        self._exact, self._records, self._points = exact, records, points
        self.query = query

    @cached_property
    def _values(self) -> list[int]:
        return self._exact(self._records)

    @cached_property
    def _estimates(self) -> list[float]:
        rows = map(self._points.__getitem__, self._records)
        return list(map(dist, repeat(self.query.point), rows))

    def __getitem__(self, place: Any) -> Any:
        return self._values[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._records)

    def pairs(self, without: Collection[Record]) -> list[tuple[float, Record]]:
        """Estimates and records, `without` left out."""
        pairs = zip(self._estimates, self._records, strict=True)
        return [(e, r) for e, r in pairs if r not in without] if without else list(pairs)

    def exactly(self, records: Sequence[Record], measured: Ranking[Record]) -> Ranking[Record]:
        """The ranking of some of the records."""
        return Ranking(records, self._exact(records), measured.shown, measured.tolerance)


def greatest(measured: Ranking[Record], without: Collection[Record] = ()) -> TiedCandidates[Record]:
    """The records of the greatest value, `without` left out."""
    values = measured.values
    if not isinstance(values, Estimated):
        return ties.greatest(measured, without)
    pairs = values.pairs(without)
    limit = values.query.low(max(e for e, _ in pairs))
    found = ties.greatest(values.exactly([r for e, r in pairs if e >= limit], measured))
    return replace(found, measured=measured, without=without)


def least(measured: Ranking[Record], without: Collection[Record] = ()) -> TiedCandidates[Record]:
    """The records of the least value, `without` left out."""
    values = measured.values
    if not isinstance(values, Estimated):
        return ties.least(measured, without)
    pairs = values.pairs(without)
    limit = values.query.high(min(e for e, _ in pairs))
    found = ties.least(values.exactly([r for e, r in pairs if e <= limit], measured))
    return replace(found, measured=measured, without=without)


def nearest(measured: Ranking[Record], m: int, without: Collection[Record] = ()) -> Nearest[Record]:
    """The m records of least value, `without` left out; ties at the m-th place stay open."""
    values = measured.values
    if m == 0 or not isinstance(values, Estimated):
        return ties.nearest(measured, m, without)
    pairs = values.pairs(without)
    estimate = nsmallest(m, [e for e, _ in pairs])[-1]
    low, high = values.query.low(estimate), values.query.high(estimate)
    inside = {r for e, r in pairs if e < low}
    edge = values.exactly([r for e, r in pairs if low <= e <= high], measured)
    found = ties.nearest(edge, m - len(inside))
    inside.update(found.certain)
    certain = tuple([r for _, r in pairs if r in inside])
    return replace(found, certain=certain, measured=measured, without=without)
