"""The questions that an algorithm may ask of its space.

An algorithm is written once against the smallest of these protocols that it
needs, and its specification names that protocol. Which arithmetic or which kind
of data is behind it makes no difference to the text of the algorithm.

* `Dissimilarities`: something can be said about two records and no more (event
  sequences, a given matrix). Agglomerative algorithms need this.
* `Centroids`: records also have an average. The MDAV family needs this.
* `Numeric`: records are rows of numbers, whose order in each attribute counts. Projections
  and everything univariate need this.
* `Coordinates`: those numbers are floats. Algorithms with memberships, eigenvectors or
  other irrational quantities need this.

Beside exact, readable numbers a space has *raw* ones, on whatever scale is cheapest to add and
to compare. All raw numbers of one space are on the same scale (only the values inside a
`Ranking` of distances have a scale of their own), and `shown` translates them.

What a protocol says in code, the spaces that derive from it have.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from refagg.language import ties
from refagg.language.partition import Record

T = TypeVar("T")
C = TypeVar("C")
"""A centroid; what it is made of is the space's own business."""


class Dissimilarities(Protocol):
    """Records that can be compared two by two."""

    tolerance: ties.Tolerance = ties.EXACT
    """The difference up to which distances count as tied."""

    @property
    def n(self) -> int: ...

    def records(self) -> list[Record]:
        """The records 0 .. n-1, as a new list."""
        return list(range(self.n))

    def between(self, a: Record, b: Record) -> ties.Number:
        """The dissimilarity of two records (numeric spaces: the squared distance)."""

    def measured(self, items: Sequence[T], values: Sequence[ties.Number]) -> ties.Ranking[T]:
        """Items with dissimilarities that an algorithm has combined itself, to be ranked."""
        return ties.Ranking(items, values, ties.as_it_is, self.tolerance)

    def raw(self, a: Record, others: Sequence[Record]) -> list[ties.Magnitude]:
        """The raw dissimilarities of one record from others (numeric: squared distances)."""

    def shown(self, raw: ties.Magnitude) -> ties.Number:
        """Convert a raw dissimilarity, or a sum of some, to `between`'s scale."""

    def ranked(self, items: Sequence[T], raw: Sequence[ties.Magnitude]) -> ties.Ranking[T]:
        """Rank items by raw numbers, as `measured` does by distances."""
        return ties.Ranking(items, raw, self.shown, self.tolerance)

    def less(self, left: ties.Number, right: ties.Number) -> ties.Comparison:
        """Compare left < right, for a tie-breaker to answer."""
        return ties.comparison(left, right, self.tolerance)


class Centroids(Dissimilarities, Protocol[C]):
    """Records with distances and averages: the four verbs."""

    def centroid(self, records: Sequence[Record]) -> C:
        """The average of some records."""

    def distances(self, origin: Record | C, records: Sequence[Record]) -> ties.Ranking[Record]:
        """Rank records by their distances from a record or a centroid."""

    def distances_to_any(
        self, origins: Sequence[Record], records: Sequence[Record]
    ) -> ties.Ranking[Record]:
        """Rank records by their distances from the nearest of several records."""
        return ties.to_the_nearest([self.distances(origin, records) for origin in origins])

    def farthest(
        self, distances: ties.Ranking[Record], without: Collection[Record] = ()
    ) -> ties.TiedCandidates[Record]:
        """The records at the greatest distance."""
        return ties.greatest(distances, without)

    def nearest(
        self, m: int, distances: ties.Ranking[Record], without: Collection[Record] = ()
    ) -> ties.Nearest[Record]:
        """The m records at the least distances."""
        return ties.nearest(distances, m, without)

    def closest(
        self, distances: ties.Ranking[Record], without: Collection[Record] = ()
    ) -> ties.TiedCandidates[Record]:
        """The records at the least distance."""
        return ties.least(distances, without)

    def squared(self, a: Record | C, b: Record | C) -> ties.Number:
        """The squared distance between two records or centroids."""

    def between(self, a: Record, b: Record) -> ties.Number:
        """The squared distance of two records."""
        return self.squared(a, b)

    def raw(self, a: Record | C, others: Sequence[Record | C]) -> list[ties.Magnitude]:
        """The raw squared distances from one record or centroid to others."""

    def sse(self, records: Sequence[Record]) -> ties.Magnitude:
        """The raw sum of squared distances between some records and their centroid."""


class Numeric(Centroids[C], Protocol[C]):
    """Records as rows of numbers."""

    @property
    def width(self) -> int:
        """The number of attributes."""

    def attribute(self, number: int) -> Sequence[ties.Magnitude]:
        """Return the values of one attribute, numbered from 0.

        The values are on a scale of their own, which increases with the attribute.
        """

    def factor(self, number: int) -> ties.Magnitude:
        """Return the factor of squared differences of such values in raw distances."""

    def point_at(self, values: Sequence[Fraction]) -> C:
        """Return the point with these attribute values, in their own units."""

    def without(self, number: int) -> Numeric[C]:
        """Return the same records, between which this attribute makes no difference."""


class Coordinates(Protocol):
    """Records as rows of floats on the standardised scale.

    The coordinate of a value x in attribute j is (x - origin[j]) times the root of
    weights[j]; conditions that are stated on values have to be carried over with these.
    """

    @property
    def n(self) -> int: ...

    @property
    def rows(self) -> Sequence[tuple[float, ...]]: ...

    @property
    def origin(self) -> tuple[Fraction, ...]: ...

    @property
    def weights(self) -> tuple[Fraction, ...]: ...


class Real(Coordinates, Numeric[C], Protocol[C]):
    """Both: what the binary64 space offers.

    All its attributes are on one scale, of which raw numbers are the square.
    """

    def point(self, coordinates: Sequence[float]) -> C:
        """The point with these coordinates, on the scale of `rows`."""
