"""Memberships and centres of fuzzy c-means, for the judge: written anew, to be independent.

A kind is "fcm" with its m, "efcm" with its lambda, or "crisp".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import dist, exp, fsum, inf, log

from refagg.data.standardise import Scaled, mean
from refagg.data.tables import Table
from refagg.errors import BeyondFloats
from refagg.language.number_texts import number_text
from refagg.linear_algebra.matrices import root

LARGEST = Fraction(10**150)
"""Coordinates must not be larger: their squares are added."""

Point = Sequence[float]
Projection = Callable[[list[float]], list[float]]


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """A kind of memberships, and its m or lambda."""

    kind: str
    value: float = 1.0

    @property
    def text(self) -> str:
        name = {"fcm": f"m = {self.value:g}", "efcm": f"lambda = {self.value:g}"}
        return name.get(self.kind, "crisp")

    def logs(self, point: Point, centres: Sequence[Point], clamp: float = 0.0) -> list[float]:
        """The logarithms of the memberships of a point; no distance counts as less than `clamp`."""
        squares = [max(dist(point, centre), clamp) ** 2 for centre in centres]
        least = min(squares)
        if self.kind == "crisp" or (self.kind == "fcm" and least == 0):
            raw = [0.0 if square == least else -inf for square in squares]
        elif self.kind == "fcm":
            raw = [(log(least) - log(square)) / (self.value - 1) for square in squares]
        else:
            raw = [self.value * (least - square) for square in squares]
        total = log(fsum(map(exp, raw)))
        return [x - total for x in raw]

    @property
    def power(self) -> float:
        """Centres weigh records by memberships to this power."""
        return self.value if self.kind == "fcm" else 1.0


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The scale on which distances are measured, in binary64."""

    origin: tuple[Fraction, ...]
    units: tuple[Fraction, ...]

    def point(self, row: Sequence[Fraction]) -> list[float]:
        """The coordinates. Raises BeyondFloats."""
        found = [(x - o) * unit for x, o, unit in zip(row, self.origin, self.units, strict=True)]
        if any(abs(x) > LARGEST for x in found):
            raise BeyondFloats(
                f"a coordinate is {number_text(max(map(abs, found)))}; memberships are computed in "
                f"binary64 from coordinates of at most {float(LARGEST):g}; standardise the "
                "attributes, or measure them in other units"
            )
        return list(map(float, found))

    def points(self, table: Table) -> list[list[float]]:
        return [self.point(table.row(record)) for record in range(table.n)]

    def row(self, point: Point) -> list[Fraction]:
        """The values at a point; an attribute that does not count is at its mean."""
        return [
            o + (Fraction(x) / unit if unit else 0)
            for x, o, unit in zip(point, self.origin, self.units, strict=True)
        ]


def coordinates(scaled: Scaled) -> Coordinates:
    """Differences from the mean of each attribute, times the root of its weight."""
    return Coordinates(
        tuple(mean(column) for column in scaled.table.columns),
        tuple(root(weight) for weight in scaled.weights),
    )


def next_centres(
    points: Sequence[Point], centres: Sequence[Point], how: Fuzziness
) -> list[list[float]]:
    """One step of memberships and one of centres; a centre without members stays."""
    logs = [how.logs(point, centres) for point in points]
    found = []
    for i, centre in enumerate(centres):
        powers = [how.power * row[i] for row in logs]
        greatest = max(powers)
        if greatest == -inf:
            found.append(list(centre))
            continue
        weights = [exp(x - greatest) for x in powers]
        total = fsum(weights)
        found.append(
            [
                fsum(w * x for w, x in zip(weights, column, strict=True)) / total
                for column in zip(*points, strict=True)
            ]
        )
    return found


def log_sum(logs: Sequence[float]) -> float:
    """The logarithm of the sum of probabilities given by their logarithms."""
    greatest = max(logs)
    return greatest if greatest == -inf else greatest + log(fsum(exp(x - greatest) for x in logs))
