"""Records, the groups that may be formed of them, and what these cost, exactly and in whole units.

An attribute of a standardised file weighs 1 / variance, which is rational, so that SSE is a
rational number too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm

from oracle.certificate.errors import Rejected
from oracle.certificate.table import Row

MOST_DIGITS_OF_DISTANCES = 160
"""A squared distance has no more digits than this: ten times those in certificates that ship."""

Group = tuple[int, ...]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Instance:
    """Records and the weight of each attribute, which groups may be formed, and the scale."""

    rows: Sequence[Row]
    weights: Sequence[Fraction]
    k: int
    largest: int
    together: Sequence[Pair]
    apart: Sequence[Pair]
    per_unit: Fraction
    parts: int

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def units(self) -> Fraction:
        """How many units, before they are divided into parts, an SSE of 1 is."""
        return self.per_unit * lcm(*range(self.k, self.largest + 1))

    def keeps(self, group: Group) -> bool:
        """Does the group keep the constraints?"""
        return all((a in group) == (b in group) for a, b in self.together) and not any(
            a in group and b in group for a, b in self.apart
        )

    def sse(self, group: Group) -> Fraction:
        """The sum of squared distances of some records from their mean."""
        total = Fraction(0)
        for weight, *column in zip(self.weights, *(self.rows[r] for r in group), strict=True):
            total += weight * (sum(x * x for x in column) - sum(column) ** 2 / len(column))
        return total

    @cached_property
    def distances(self) -> list[list[int]]:
        """The squared distances, rounded down to whole multiples of 1 / per_unit."""
        finest = lcm(*(value.denominator for row in self.rows for value in row))
        points = [[int(value * finest) for value in row] for row in self.rows]
        factors = [weight * self.per_unit / finest**2 for weight in self.weights]
        common = lcm(*(factor.denominator for factor in factors))
        wholes = [int(factor * common) for factor in factors]
        farthest = common * 10**MOST_DIGITS_OF_DISTANCES
        rows = [[0] * self.n for _ in points]
        for (i, x), (j, y) in combinations(enumerate(points), 2):
            exact = 0
            for weight, p, q in zip(wholes, x, y, strict=True):
                exact += weight * (p - q) * (p - q)
            if exact >= farthest:
                raise Rejected(
                    f"records {i} and {j} are farther apart, in units of 1 / per_unit, than the "
                    f"{MOST_DIGITS_OF_DISTANCES} digits that are the limit"
                )
            rows[i][j] = rows[j][i] = exact // common
        return rows

    @cached_property
    def share(self) -> dict[int, int]:
        """By its size, what a group costs for each unit of its distances."""
        sizes = range(self.k, self.largest + 1)
        return {size: self.parts * lcm(*sizes) // size for size in sizes}

    def cost(self, group: Group) -> int:
        """The whole cost: not more than the SSE, in units and parts of them."""
        pairs = sum(self.distances[a][b] for a, b in combinations(group, 2))
        return self.share[len(group)] * pairs


def weights_of(rows: Sequence[Row], standardise: str) -> list[Fraction]:
    """The weight of each attribute on a scale: "none", "population" or "sample"."""
    return [_weight(column, standardise) for column in zip(*rows, strict=True)]


def _weight(column: Sequence[Fraction], standardise: str) -> Fraction:
    if standardise == "none":
        return Fraction(1)
    n = len(column)
    squares = sum(x * x for x in column) - sum(column) ** 2 / Fraction(n)
    return (n if standardise == "population" else n - 1) / squares if squares else Fraction(0)
