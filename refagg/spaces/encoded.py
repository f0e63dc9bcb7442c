"""Values of a table as integers, with integer weights on one scale.

Numbers are counted from their median, over their common denominator; ordered categories are
their places among those declared; nominal ones are numbered. The weights say how much a unit of
each counts in a squared distance, or in Gower's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from refagg.data.aggregate_kinds import positions
from refagg.data.kinds import Events
from refagg.data.standardise import Scaled
from refagg.data.tables import Attribute, Column
from refagg.language.partition import Record
from refagg.spaces.absolute import GOWER, gower_weights
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
