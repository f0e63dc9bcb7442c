"""The space of records with numbers, categories, ordered categories and sequences, exactly.

Source: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
microaggregation", Data Mining and Knowledge Discovery 11 (2005) 195-212, for ordered and for
nominal categories; the range of numbers as their unit, the weights and sequences are ours.

The squared distance of two records is the sum over the attributes of weight * d^2, where d is

- |x - y| / (the greatest value of the file - the least) for numbers, 0 if all are equal, or what
  else they are divided by;
- |{c: x <= c < y}| / |D| for ordered categories x <= y, D being all that are declared;
- 0 for equal nominal categories, 1 for different ones;
- the dissimilarity of sequences that is asked for.

A centroid has the mean of numbers, the median of ordered categories, and the most frequent
nominal category, attribute by attribute. Where there are two medians or several most frequent
categories, which of them it has is a choice of the run (`TIES`); a space that knows no run takes
the lower median and the category of the record with the lowest number. Sequences have no centroid.

The SSE is the sum of the squared distances from the centroid. It is the same for all most frequent
categories, but not for both medians. A median is not where it is least, so that dividing a group
can raise it.

Numbers and the places of ordered categories are both coordinates here: a centroid of m records
is m, the sums of their numbers, and m times the medians of their places.

Values are encoded as integers, with integer weights on one scale. Numbers are counted from their
median, over their common denominator; ordered categories are their places among those declared;
nominal ones are numbered. The weights say how much a unit of each counts in a squared distance, or
in Gower's.

>>> from refagg.data.standardise import standardise
>>> from refagg.data.tables import table_of
>>> rows = {"age": [20, 30, 40], "job": ["x", "y", "y"], "level": ["a", "b", "b"]}
>>> kinds = {"job": "nominal", "level": "ordinal:a<b"}
>>> space = MixedSpace(standardise(table_of(rows, kinds=kinds), "range"))
>>> space.between(0, 1) == Fraction(10, 20) ** 2 + 1 + Fraction(1, 2) ** 2
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import compress
from math import gcd, lcm
from operator import add, mul, ne
from typing import Any, Protocol, TypeVar

from refagg.data import aggregate
from refagg.data.aggregate_kinds import middle_places, positions
from refagg.data.kinds import Events
from refagg.data.standardise import Scaled
from refagg.data.tables import Attribute, Column
from refagg.engine.quadratic import Quadratic
from refagg.errors import NoCentroid
from refagg.language import ties
from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice
from refagg.spaces.absolute import GOWER, Absolute, gower_weights
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.exact import centred
from refagg.spaces.matrix import MatrixSpace
from refagg.spaces.sequences import sequence_space

Dissimilarity = str | Function


@dataclass(frozen=True, slots=True)
class Point:
    """A record, or the centroid of `count` records.

    `numbers` are `count` times the coordinates, `categories` the nominal ones by number. A
    record's number stands for its sequences.
    """

    count: int
    numbers: tuple[int, ...]
    categories: tuple[int, ...]
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Sequences:
    """An attribute of sequences.

    It has a weight for squares of the raw dissimilarities of a space.
    """

    name: str
    weight: int
    space: MatrixSpace


@dataclass(frozen=True, slots=True)
class Encoded:
    """All records. Raw squared distances are `unit` times the real ones.

    `weights` are those of the coordinates, of which `ordinal` are places of categories.
    """

    points: list[Point]
    weights: list[int]
    nominal: list[int]
    sequences: list[Sequences]
    ordinal: frozenset[int]
    unit: Fraction


def encode(scaled: Scaled, dissimilarity: Dissimilarity) -> Encoded:
    """Raises InvalidParameter, UnknownCategory, InvalidMatrix."""
    table, power = scaled.table, 2
    units: tuple[Sequence[Fraction], Sequence[Fraction]] = (scaled.weights, scaled.others)
    if dissimilarity == GOWER:
        units, power = gower_weights(scaled), 1
    weighted = list(zip(table.others, units[1], strict=True))
    ordinal = [_places(a, weight, power) for a, weight in weighted if a.kind.name == "ordinal"]
    coordinates = [_centred(c, w, power) for c, w in zip(table.columns, units[0], strict=True)]
    nominal = [(_numbered(a), weight) for a, weight in weighted if a.kind.name == "nominal"]
    routes = [(a, weight) for a, weight in weighted if a.kind.name == "sequence"]
    spaces = [sequence_space(events_of(a), dissimilarity) for a, _ in routes]
    whole, unit = _whole(
        [weight for _, weight in coordinates + ordinal],
        [weight for _, weight in nominal],
        [weight * s.shown(1) ** 2 for (_, weight), s in zip(routes, spaces, strict=True)],
    )
    numbers = [values for values, _ in coordinates + ordinal]
    return Encoded(
        [
            Point(1, tuple(x[r] for x in numbers), tuple(c[r] for c, _ in nominal), r)
            for r in range(table.n)
        ],
        whole[0],
        whole[1],
        [Sequences(a.name, w, s) for (a, _), w, s in zip(routes, whole[2], spaces, strict=True)],
        frozenset(range(len(coordinates), len(numbers))),
        unit,
    )


def _centred(column: Column, weight: Fraction, power: int) -> tuple[list[int], Fraction]:
    """Return the centred numbers, and the weight of their unit's power."""
    return centred(column.numerators), weight / column.denominator**power


def _places(attribute: Attribute, weight: Fraction, power: int) -> tuple[list[int], Fraction]:
    """Return places of ordered categories, and the weight of a place's power.

    For squares, the number of categories is scaled to 1; for Gower's distance, the greatest
    difference.
    """
    places, number = positions(attribute.cells, attribute.kind), len(attribute.kind.categories)
    return places, weight / number**2 if power == 2 else weight / max(number - 1, 1)


def _numbered(attribute: Attribute) -> list[int]:
    """Number the nominal categories by the first record that has them."""
    if attribute.kind.categories:
        positions(attribute.cells, attribute.kind)
    number: dict[Any, int] = {}
    return [number.setdefault(value, record) for record, value in enumerate(attribute.cells)]


def events_of(attribute: Attribute) -> list[Events]:
    """The sequences of an attribute that holds them."""
    return [cell for cell in attribute.cells if isinstance(cell, tuple)]


def _whole(*parts: Sequence[Fraction]) -> tuple[list[list[int]], Fraction]:
    """Return integers in the proportions of the weights, and their scale.

    The scale is the factor by which the integers exceed the weights.
    """
    unit = lcm(*(weight.denominator for weights in parts for weight in weights))
    whole = [[int(weight * unit) for weight in weights] for weights in parts]
    divisor = gcd(*(weight for weights in whole for weight in weights)) or 1
    return [[w // divisor for w in weights] for weights in whole], Fraction(unit, divisor)


T = TypeVar("T")

CATEGORY, MEDIAN = "category of a centroid", "median of a centroid"

TIES = (
    OpenChoice(
        CATEGORY,
        "centroid",
        "the first record with a most frequent category of an attribute",
        measure="frequency",
    ),
    OpenChoice(
        MEDIAN,
        "centroid",
        "the place, from 0, of a median of an attribute",
        "category",
        "records on either side",
    ),
)
"""The choices that a centroid leaves open, whatever the algorithm. The candidates are records, the
first of the set with each category, and places of ordered categories."""


class Chooser(Protocol):
    """The maker of choices: a run."""

    def choose(self, name: str, tie: ties.TiedCandidates[T]) -> T: ...


class MixedSpace(Centroids[Point]):
    """Records of any kinds; implements `Centroids`, without centroids where there are sequences.

    `dissimilarity` is a name or a function for sequences, or "gower" for Gower's distance, which
    then takes the place of the squared distance (`refagg.spaces.absolute`). `tolerance` widens
    ties, as in the exact numeric space.
    Raises InvalidParameter, UnknownCategory, InvalidMatrix.
    """

    def __init__(
        self,
        scaled: Scaled,
        dissimilarity: Dissimilarity = "oss",
        tolerance: Fraction = Fraction(0),
    ) -> None:
        self.tolerance = ties.Tolerance(tolerance)
        encoded = encode(scaled, dissimilarity)
        self._encoded, self._unit = encoded, encoded.unit
        self._points = encoded.points
        self._nominal, self._sequences = encoded.nominal, encoded.sequences
        sums = Absolute if dissimilarity == GOWER else Quadratic
        rows = [point.numbers for point in self._points]
        self._sums: Absolute | Quadratic = sums(rows, encoded.weights)
        self._chooser: Chooser = ties.LOWEST  # where there is no run

    def choosing(self, chooser: Chooser) -> MixedSpace:
        """Return the space for one run, with its own chooser.

        The chooser makes the choices that centroids leave open.
        """
        other = copy(self)
        other._chooser = chooser
        return other

    @property
    def n(self) -> int:
        return len(self._points)

    def centroid(self, records: Sequence[Record]) -> Point:
        """Raises NoCentroid if an attribute holds sequences."""
        return self._centroid(sorted(records), self._category)

    def _centroid(
        self, records: list[Record], category: Callable[[list[Record], Sequence[int]], int]
    ) -> Point:
        if self._sequences:
            names = ", ".join(sequences.name for sequences in self._sequences)
            raise NoCentroid(
                f"the sequences of {names} have no average; "
                "an algorithm that needs dissimilarities only can be used"
            )
        m, ordinal = len(records), self._encoded.ordinal
        points = [self._points[record] for record in records]
        numbers = zip(*(point.numbers for point in points), strict=True)
        categories = zip(*(point.categories for point in points), strict=True)
        return Point(
            m,
            tuple(m * self._median(x) if j in ordinal else sum(x) for j, x in enumerate(numbers)),
            tuple(category(records, x) for x in categories),
        )

    def _median(self, places: Sequence[int]) -> int:
        low, high = middle_places(places)
        if low == high:
            return low
        half = len(places) // 2
        both = ties.Ranking((low, high), (half, half), ties.as_it_is)
        return self._chooser.choose(MEDIAN, ties.TiedCandidates((low, high), half, both))

    def _category(self, records: list[Record], categories: Sequence[int]) -> int:
        of = dict(zip(reversed(records), reversed(categories), strict=True))
        first = {category: record for record, category in of.items()}
        counts = [categories.count(category) for category in first]
        tie = ties.greatest(ties.Ranking(list(first.values()), counts, ties.as_it_is))
        if len(tie.candidates) == 1:
            return of[tie.candidates[0]]
        return of[self._chooser.choose(CATEGORY, tie)]

    def distances(self, origin: Record | Point, records: Sequence[Record]) -> ties.Ranking[Record]:
        point = self._point(origin)
        unit = point.count**2 * self._unit
        values = self._from(point, records)
        return ties.Ranking(records, values, partial(_over, unit=unit), self.tolerance)

    def squared(self, a: Record | Point, b: Record | Point) -> Fraction:
        return self._raw(self._point(a), self._point(b)) / self._unit

    def raw(self, a: Record | Point, others: Sequence[Record | Point]) -> list[int | Fraction]:
        point = self._point(a)
        records = [other for other in others if isinstance(other, int)]
        if point.count == 1 and len(records) == len(others):
            return [*self._from(point, records)]
        return [self._raw(point, self._point(other)) for other in others]

    def pairs(self, records: Sequence[Record]) -> int:
        """The sum of the raw distances of all pairs of records."""
        total, m = self._sums.pairs(records), len(records)
        categories = zip(*(self._points[record].categories for record in records), strict=True)
        for weight, column in zip(self._nominal, categories, strict=True):
            total += weight * (m**2 - sum(count**2 for count in Counter(column).values())) // 2
        for sequences in self._sequences:
            for place, record in enumerate(records):
                raw = sequences.space.raw(record, records[place + 1 :])
                total += sequences.weight * sum(map(mul, raw, raw))
        return total

    def shown(self, raw: int | Fraction) -> Fraction:
        return raw / self._unit

    def sse(self, records: Sequence[Record]) -> Fraction:
        centre = self._centroid(sorted(records), _most_frequent)
        return Fraction(sum(self._from(centre, records)), centre.count**2)

    def _point(self, point: Record | Point) -> Point:
        return point if isinstance(point, Point) else self._points[point]

    def _from(self, point: Point, records: Sequence[Record]) -> list[int]:
        """Return raw squared distances from a point to records.

        They are multiplied by the square of the point's count.
        """
        values = self._sums.distances(point.count, point.numbers, records)
        if self._nominal or self._sequences:
            apart = [point.count**2 * self._apart(point, self._points[i]) for i in records]
            return list(map(add, values, apart))
        return values

    def _raw(self, p: Point, q: Point) -> Fraction:
        numbers = self._sums.between(p.count, p.numbers, q.count, q.numbers)
        return numbers + self._apart(p, q)

    def _apart(self, p: Point, q: Point) -> int:
        """The part of the nominal attributes and of the sequences."""
        total = sum(compress(self._nominal, map(ne, p.categories, q.categories)))
        for sequences in self._sequences:
            assert p.record is not None
            assert q.record is not None
            [raw] = sequences.space.raw(p.record, [q.record])
            total += sequences.weight * raw**2
        return total


def _most_frequent(records: list[Record], categories: Sequence[int]) -> int:
    category: int = aggregate.mode(categories)[0]
    return category


def _over(value: int, unit: Fraction) -> Fraction:
    return value / unit
