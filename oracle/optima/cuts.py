"""Rank-1 cuts over subsets of records.

Every record is in exactly one group. Weigh the records of a subset with integers p,
add up those equations, divide by an integer d and round down: over the groups chosen,

    sum of floor(p(G) / d)  <=  floor(p(S) / d),    p(G) = the sum of p over G and S.

With three records of weight 1 and d = 2 this is the 3-subset-row cut: of all groups that hold
at least two of the three, one can be chosen. The cuts of four and five records used here
are the ones known from vehicle routing.

Source: M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, Subset-row inequalities applied to
the vehicle-routing problem with time windows, Operations Research 56 (2008) 497-511; D. Pecin,
A. Pessoa, M. Poggi, E. Uchoa, H. Santos, Limited memory rank-1 cuts for vehicle routing problems,
Operations Research Letters 45 (2017) 206-209.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from refagg.language.partition import Group, Record

SHAPES: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, 1, 1, 1), 2),
    ((2, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1), 3),
    ((2, 2, 1, 1, 1), 4),
    ((3, 1, 1, 1, 1), 4),
    ((3, 2, 2, 1, 1), 5),
    ((2, 2, 1, 1, 1), 3),
    ((3, 3, 2, 2, 1), 4),
)
"""Weights and divisors beyond the triples."""

LARGER: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, 1, 1, 1, 1, 1), 2),
    ((2, 1, 1, 1, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1, 1, 1), 4),
    ((2, 1, 1, 1, 1, 1), 4),
    ((2, 2, 1, 1, 1, 1), 3),
    ((3, 2, 2, 2, 1, 1), 4),
    ((2, 2, 2, 2, 2, 1), 4),
    ((2, 2, 2, 1, 1, 1), 5),
    ((3, 3, 2, 1, 1, 1), 4),
    ((1, 1, 1, 1, 1, 1, 1, 1), 3),
    ((1, 1, 1, 1, 1, 1, 1, 1, 1), 2),
)
"""The same of six to nine records. The weights add up to one less than a multiple of the divisor,
so that rounding down takes away the most."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut of `records` with their `weights` and a `divisor`."""

    records: tuple[Record, ...]
    weights: tuple[int, ...]
    divisor: int

    @property
    def right(self) -> int:
        """Return the right side of the cut.

        It is the most that the coefficients of the chosen groups can add up to.
        """
        return sum(self.weights) // self.divisor

    def coefficient(self, group: Iterable[Record]) -> int:
        """Return the coefficient of a group.

        >>> Cut((0, 1, 2), (1, 1, 1), 2).coefficient((0, 2, 5))
        1
        """
        members = set(group)
        weight = sum(p for r, p in zip(self.records, self.weights, strict=True) if r in members)
        return weight // self.divisor


def triple(records: Iterable[Record]) -> Cut:
    """Return the 3-subset-row cut of three records."""
    return Cut(tuple(sorted(records)), (1, 1, 1), 2)


class Fractional:
    """The fractional part of a solution: groups chosen by less than one."""

    def __init__(self, groups: Sequence[Group], values: Sequence[float]) -> None:
        chosen = zip(groups, values, strict=True)
        self.groups = [(group, x) for group, x in chosen if 1e-6 < x < 1 - 1e-6]
        self.shared: Counter[tuple[Record, Record]] = Counter()
        self.touching: dict[Record, list[int]] = {}
        for number, (group, x) in enumerate(self.groups):
            for record in group:
                self.touching.setdefault(record, []).append(number)
            for pair in combinations(group, 2):
                self.shared[pair] += x  # type: ignore[assignment]
        self.neighbours: dict[Record, set[Record]] = {}
        for a, b in self.shared:
            self.neighbours.setdefault(a, set()).add(b)
            self.neighbours.setdefault(b, set()).add(a)

    def left(self, weights: dict[Record, int], divisor: int) -> float:
        """Return the left side of the cut with these weights."""
        numbers = {number for record in weights for number in self.touching.get(record, ())}
        total = 0.0
        for number in numbers:
            group, x = self.groups[number]
            weight = sum(weights.get(record, 0) for record in group)
            total += x * (weight // divisor)
        return total
