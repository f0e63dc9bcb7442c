"""Searches for groups, divided by anchors among the workers of an executor.

A worker is sent the table, which is small, and computes the distances from it once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.executors import Here
from oracle.optima.clock import Clock
from oracle.optima.distances import WholeDistances, bits_for, distances_of, fine_parts
from oracle.optima.optional import COMPILED, numba_installed
from oracle.optima.pricing import (
    FREE,
    Found,
    Geometry,
    Prices,
    Pricing,
    Restriction,
    TooMany,
    geometry_of,
)
from refagg.data.standardise import Scaled
from refagg.language.partition import Record

if TYPE_CHECKING:
    from oracle.optima.compiled import Arrays

_KNOWN: dict[str, Ground] = {}
"""The last ground of this process, by the digest of its instance."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The numbers computed from a table once. `parts` divides distances further, for fine duals.

    `arrays` are for the compiled search, where that is used.
    """

    distances: WholeDistances
    geometry: Geometry
    parts: int
    arrays: Arrays | None

    def groups(self, pricing: Pricing, anchors: Sequence[Record]) -> list[Found]:
        """Every group that a search in this geometry finds around some anchors. Raises TooMany."""
        if self.arrays is not None and pricing.restriction == FREE:
            from oracle.optima.compiled import fits, search

            if fits(self.geometry, self.arrays, pricing.prices, pricing.limit):
                return search(pricing, self.arrays, anchors)
        return pricing.groups(anchors)


@dataclass(frozen=True, slots=True)
class Place:
    """The instance that workers search in."""

    digest: str
    scaled: Scaled
    sizes: range

    def ground(self) -> Ground:
        key = f"{self.digest} {self.scaled.weights} {self.sizes}"
        if key not in _KNOWN:
            _KNOWN.clear()
            bits = bits_for(self.sizes)
            distances = distances_of(self.scaled, bits)
            parts = fine_parts(distances, bits)
            geometry = geometry_of(distances.rows, self.sizes, parts)
            _KNOWN[key] = Ground(distances, geometry, parts, _arrays(geometry))
        return _KNOWN[key]


def _arrays(geometry: Geometry) -> Arrays | None:
    """The geometry for the compiled search; None where it is not worth it, or not possible."""
    if geometry.n < COMPILED or not numba_installed():
        return None
    from oracle.optima.compiled import Arrays

    return Arrays.of(geometry.rows, geometry.near, geometry.nn)


@dataclass(frozen=True, slots=True)
class Order:
    """One search, as it is sent to a worker; see `Pricing`."""

    place: Place
    prices: Prices
    limit: int
    restriction: Restriction
    reach: int | None
    enough: int | None
    most: int | None


def groups_ordered(order: Order, anchors: Sequence[Record]) -> list[Found] | None:
    """The groups that an order asks for, around some anchors; None if they are too many."""
    ground = order.place.ground()
    pricing = Pricing(
        ground.geometry,
        order.prices,
        order.limit,
        order.restriction,
        order.reach,
        order.enough,
        order.most,
    )
    try:
        return ground.groups(pricing, anchors)
    except TooMany:
        return None


@dataclass(frozen=True, slots=True)
class Searcher:
    """Divides searches among workers, and stops when the time is over.

    With one worker an order goes out in pieces that take about `piece` seconds.
    """

    place: Place
    executor: Executor
    clock: Clock
    pieces: int = 16

    def __call__(
        self,
        prices: Prices,
        limit: int,
        restriction: Restriction,
        reach: int | None = None,
        enough: int | None = None,
        anchors: Sequence[Record] | None = None,
        most: int | None = None,
    ) -> list[Found] | None:
        """All groups sought, or None if they are more than `most`. Raises OutOfTime."""
        order = Order(self.place, prices, limit, restriction, reach, enough, most)
        every = range(self.place.scaled.n) if anchors is None else anchors
        chunks = [list(every[i :: self.pieces]) for i in range(self.pieces)]
        found: list[Found] = []
        for part in self._parts(order, [chunk for chunk in chunks if chunk]):
            if part is None or (most is not None and len(found) + len(part) > most):
                return None
            found += part
            self.clock.check()
        return found

    def _parts(self, order: Order, chunks: list[list[Record]]) -> Iterator[list[Found] | None]:
        if isinstance(self.executor, Here):
            yield from (groups_ordered(order, chunk) for chunk in chunks)
            return
        futures = [self.executor.submit(groups_ordered, order, chunk) for chunk in chunks]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
