"""The space of records of any kinds but sequences under Gower's distance, exactly.

Source: J. C. Gower, "A general coefficient of similarity and some of its properties", Biometrics 27
(1971) 857-871, as sdcMicro has it. The distance of two records is the weighted mean, over the
attributes, of

- |x - y| / (the greatest value of the file - the least) for numbers, 0 if all are equal;
- the difference of their places / (the number of categories - 1) for ordered categories;
- 0 for equal nominal categories, 1 for different ones.

It is no root of a sum of squares, so that there is no average to which records are near: algorithms
that need dissimilarities only can be run in it.

>>> from refagg.data.standardise import standardise
>>> from refagg.data.tables import table_of
>>> rows = {"age": [20, 30, 40], "level": ["a", "c", "b"]}
>>> scaled = standardise(table_of(rows, kinds={"level": "ordinal:a<b<c"}), "range")
>>> GowerSpace(scaled.table, gower_units(scaled)).between(0, 1)
Fraction(3, 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from operator import ne
from typing import TypeVar

from refagg.data.aggregate_kinds import positions
from refagg.data.standardise import RANGE, Scaled
from refagg.data.tables import Attribute, Column, Table
from refagg.errors import InvalidParameter
from refagg.language.partition import Record
from refagg.language.ties import Comparison, Number, Ranking, Tolerance, as_it_is, comparison

T = TypeVar("T")

GOWER = "gower"
"""How it is asked for, in the place of a dissimilarity of sequences."""


@dataclass(frozen=True, slots=True)
class Units:
    """How much a unit of each number counts in the distance, a place, and a difference."""

    numbers: tuple[Fraction, ...]
    others: tuple[Fraction, ...]


def gower_units(scaled: Scaled) -> Units:
    """The units of a table whose numbers are divided by their range. Raises InvalidParameter."""
    if scaled.how != RANGE:
        raise InvalidParameter(
            f"Gower's distance divides numbers by their range, but standardisation is {scaled.how}"
        )
    spans = [_span(column) for column in scaled.table.columns]
    weights = [w * span**2 if span else 1 for w, span in zip(scaled.weights, spans, strict=True)]
    total = Fraction(sum(weights) + sum(scaled.others))
    numbers = (
        w / span / total if span else Fraction(0) for w, span in zip(weights, spans, strict=True)
    )
    others = (
        weight / _places(attribute) / total
        for attribute, weight in zip(scaled.table.others, scaled.others, strict=True)
    )
    return Units(tuple(numbers), tuple(others))


def _span(column: Column) -> Fraction:
    return Fraction(max(column.numerators) - min(column.numerators), column.denominator)


def _places(attribute: Attribute) -> int:
    """The greatest difference of two categories. Raises InvalidParameter for sequences."""
    if attribute.kind.name == "sequence":
        raise InvalidParameter(
            f"Gower's distance is one of numbers and categories, but {attribute.name!r} holds "
            "sequences"
        )
    return max(len(attribute.kind.categories) - 1, 1) if attribute.kind.name == "ordinal" else 1


class GowerSpace:
    """Records of numbers and categories; implements `Dissimilarities`.

    `tolerance` widens ties, as in the exact numeric space.
    """

    def __init__(self, table: Table, units: Units, tolerance: Fraction = Fraction(0)) -> None:
        """The units can be those of a larger table. Raises UnknownCategory."""
        weights = [u / c.denominator for u, c in zip(units.numbers, table.columns, strict=True)]
        weights += units.others
        unit = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * unit) for weight in weights]
        divisor = gcd(*whole) or 1
        self._unit, whole = Fraction(unit, divisor), [w // divisor for w in whole]
        numbers = list(zip(table.columns, whole[: len(table.columns)], strict=True))
        others = list(zip(table.others, whole[len(table.columns) :], strict=True))
        ordinal = [(positions(a.cells, a.kind), w) for a, w in others if a.kind.name == "ordinal"]
        self._numbers = [[x * w for x in column.numerators] for column, w in numbers]
        self._numbers += [[place * w for place in places] for places, w in ordinal]
        self._nominal = [(a.cells, w) for a, w in others if a.kind.name == "nominal"]
        self._n = table.n
        self.tolerance = Tolerance(tolerance)

    @property
    def n(self) -> int:
        return self._n

    def records(self) -> list[Record]:
        return list(range(self._n))

    def between(self, a: Record, b: Record) -> Fraction:
        return self.shown(self.raw(a, [b])[0])

    def raw(self, a: Record, others: Sequence[Record]) -> list[int]:
        found = [0] * len(others)
        for values in self._numbers:
            own = values[a]
            found = [d + abs(own - values[b]) for d, b in zip(found, others, strict=True)]
        for cells, weight in self._nominal:
            own_cell = cells[a]
            found = [
                d + weight * ne(own_cell, cells[b]) for d, b in zip(found, others, strict=True)
            ]
        return found

    def shown(self, raw: int | Fraction) -> Fraction:
        return Fraction(raw) / self._unit

    def ranked(self, items: Sequence[T], raw: Sequence[int | Fraction]) -> Ranking[T]:
        return Ranking(items, raw, self.shown, self.tolerance)

    def measured(self, items: Sequence[T], values: Sequence[Number]) -> Ranking[T]:
        return Ranking(items, values, as_it_is, self.tolerance)

    def less(self, left: Number, right: Number) -> Comparison:
        return comparison(left, right, self.tolerance)
