"""Distribution of group sizes when records are drawn independently.

Each record is drawn to one of the groups.

The size of a group is a sum of independent draws with a probability each (Poisson-binomial).

>>> poisson_binomial([0.5, 0.5], 2)
[0.25, 0.5]
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from math import fsum, sqrt

from refagg.errors import MissingExtra

MOST = 200_000
"""The joint distribution of all sizes is computed where it takes no more products than this."""

MANY = 10**6
"""So many products are computed in arrays, where NumPy is installed."""

Probabilities = Sequence[Sequence[float]]
"""For each record its probabilities of joining each of the groups."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The distribution of the sizes of groups before anything is drawn."""

    expected: list[float]
    spread: list[float]
    """The standard deviations."""
    small: list[float]
    """For each group the probability that it has at least one record and fewer than k."""
    some_small: float | None
    """That this is so for one group or several; None where there are too many possibilities."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Return bounds of `some_small`, whether it is known or not."""
        if self.some_small is not None:
            return self.some_small, self.some_small
        return max(self.small), min(1.0, fsum(self.small))


def sizes_of(probabilities: Probabilities, k: int) -> Sizes:
    """The distribution of the sizes of the groups that will be drawn."""
    groups = list(zip(*probabilities, strict=True))
    return Sizes(
        [fsum(group) for group in groups],
        [sqrt(fsum(p * (1 - p) for p in group)) for group in groups],
        [min(1.0, fsum(sizes[1:])) for sizes in poisson_binomials(probabilities, k)],
        some_small(probabilities, k),
    )


def poisson_binomials(probabilities: Probabilities, k: int) -> list[list[float]]:
    """Return for each group the probabilities of the sizes 0 .. k-1.

    They are computed in arrays where these are many.
    """
    if len(probabilities) * len(probabilities[0]) * k >= MANY:
        with suppress(MissingExtra):
            arrays = import_module("refagg.engine.array_rows")
            found: list[list[float]] = arrays.poisson_binomials(probabilities, k)
            return found
    return [poisson_binomial(group, k) for group in zip(*probabilities, strict=True)]


def poisson_binomial(probabilities: Sequence[float], k: int) -> list[float]:
    """The probabilities of the sizes 0 .. k-1 of one group."""
    sizes = [1.0] + [0.0] * (k - 1)
    for p in probabilities:
        if p:
            q = 1 - p
            sizes = [sizes[0] * q] + [
                larger * q + smaller * p for smaller, larger in pairwise(sizes)
            ]
    return sizes


def some_small(probabilities: Probabilities, k: int) -> float | None:
    """Return the probability of a group with fewer than k records.

    Such a group has at least one record. From the distribution of all sizes together, k standing
    for k or more; None where that has too many possibilities.
    """
    n, c = len(probabilities), len(probabilities[0])
    if n * c * (k + 1) ** c > MOST:
        return None
    states: dict[tuple[int, ...], float] = {(0,) * c: 1.0}
    for row in probabilities:
        after: dict[tuple[int, ...], float] = {}
        for sizes, share in states.items():
            for i, p in enumerate(row):
                if p:
                    larger = (*sizes[:i], min(sizes[i] + 1, k), *sizes[i + 1 :])
                    after[larger] = after.get(larger, 0.0) + share * p
        states = after
    return min(1.0, fsum(p for sizes, p in states.items() if any(0 < size < k for size in sizes)))
