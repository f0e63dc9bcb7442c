"""The values of a frame as whole numbers, with whole weights on one scale.

Numbers are counted from their median, over their common denominator; ordered categories are
their places among those declared; nominal ones are numbered. The weights say how much a unit of
each counts in a squared distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from refagg.data.aggregate_kinds import positions
from refagg.data.frames import Attribute, Events, Frame
from refagg.errors import InvalidParameter, NotANumber, NotFinite
from refagg.language.numerals import rational
from refagg.language.partition import Record
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
    """An attribute of sequences: a weight for squares of the raw dissimilarities of a space."""

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


def encode(frame: Frame, weights: Mapping[str, Any], dissimilarity: Dissimilarity) -> Encoded:
    """Raises InvalidParameter, UnknownCategory, InvalidMatrix."""
    given = checked_weights(frame, weights)
    ordered = [a for a in frame.attributes if a.kind.name in ("numeric", "ordinal")]
    coordinates = [_coordinate(a, given[a.name]) for a in ordered]
    nominal = [a for a in frame.attributes if a.kind.name == "nominal"]
    numbered = [_numbered(a) for a in nominal]
    routes = [a for a in frame.attributes if a.kind.name == "sequence"]
    spaces = [sequence_space(_sequences(a), dissimilarity) for a in routes]
    whole, unit = _whole(
        [weight for weight, _ in coordinates],
        [given[a.name] for a in nominal],
        [given[a.name] * s.shown(1) ** 2 for a, s in zip(routes, spaces, strict=True)],
    )
    return Encoded(
        [
            Point(1, tuple(c[r] for _, c in coordinates), tuple(c[r] for c in numbered), r)
            for r in range(frame.n)
        ],
        whole[0],
        whole[1],
        [Sequences(a.name, w, s) for a, w, s in zip(routes, whole[2], spaces, strict=True)],
        frozenset(j for j, a in enumerate(ordered) if a.kind.name == "ordinal"),
        unit,
    )


def checked_weights(frame: Frame, weights: Mapping[str, Any]) -> dict[str, Fraction]:
    """The weight of each attribute, 1 where none is given. Raises InvalidParameter."""
    for name in weights:
        if name not in frame.names:
            raise InvalidParameter(
                f"a weight is given to {name!r}; the attributes are {', '.join(frame.names)}"
            )
    return {name: _weight(name, weights.get(name, 1)) for name in frame.names}


def _weight(name: str, given: Any) -> Fraction:
    try:
        weight = rational(given, f"the weight of {name!r}")
    except (NotANumber, NotFinite) as error:
        raise InvalidParameter(f"{error}; it must be greater than 0") from None
    if weight <= 0:
        raise InvalidParameter(f"the weight of {name!r} is {given!r}; it must be greater than 0")
    return weight


def _coordinate(attribute: Attribute, weight: Fraction) -> tuple[Fraction, list[int]]:
    """The weight of a squared unit, and the numbers or places."""
    if attribute.kind.name == "ordinal":
        places = positions(attribute.values, attribute.kind)
        return weight / len(attribute.kind.categories) ** 2, places
    numbers = centred(attribute.numeric().numerators)
    span = max(numbers) - min(numbers)
    return (weight / span**2 if span else Fraction(0)), numbers


def _numbered(attribute: Attribute) -> list[int]:
    """The nominal categories by the number of the first record that has them."""
    if attribute.kind.categories:
        positions(attribute.values, attribute.kind)
    number: dict[Any, int] = {}
    return [number.setdefault(value, record) for record, value in enumerate(attribute.values)]


def _sequences(attribute: Attribute) -> list[Events]:
    return [value for value in attribute.values if isinstance(value, tuple)]


def _whole(*parts: Sequence[Fraction]) -> tuple[list[list[int]], Fraction]:
    """Whole numbers in the proportions of the weights, and by what they are greater."""
    unit = lcm(*(weight.denominator for weights in parts for weight in weights))
    whole = [[int(weight * unit) for weight in weights] for weights in parts]
    divisor = gcd(*(weight for weights in whole for weight in weights)) or 1
    return [[w // divisor for w in weights] for weights in whole], Fraction(unit, divisor)
