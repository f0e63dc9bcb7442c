"""Small random tables, each with a plain computation of what groups cost.

Nothing of the packages takes part in that: dissimilarities are those of `tests.plain`, and the
cost of a group is the sum over its pairs, divided by its size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm
from random import Random
from typing import Any

from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import table_of
from refagg.errors import NoCentroid, UnsupportedArithmetic
from refagg.release.method import method_of
from refagg.spaces.absolute import GOWER
from refagg.spaces.of_tables import space_of
from tests.plain.dissimilarities import PLAIN
from tests.plain.kinds import mixed
from tests.strategies import Variant

NUMERIC, NOMINAL, ORDINAL, SEQUENCE = "numeric", "nominal", "ordinal:low<mid<high", "sequence:>"

TOGETHER = (
    ((NOMINAL, NUMERIC), False),
    ((ORDINAL, NUMERIC, SEQUENCE), False),
    ((NOMINAL, ORDINAL, NUMERIC), True),
    ((NOMINAL, SEQUENCE), False),
    ((ORDINAL, NOMINAL), False),
    ((NUMERIC, ORDINAL), True),
)
"""Kinds of the attributes of one table, and whether Gower's distance compares its records."""

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Drawn:
    """A table, the k of a request, and how its records are compared."""

    rows: Rows
    k: int
    how: str
    kinds: tuple[str, ...] = ()
    """None where all attributes are numbers."""
    dissimilarity: str = "oss"

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def scaled(self) -> Scaled:
        named = {f"x{number}": kind for number, kind in enumerate(self.kinds, 1)}
        declared = {name: kind for name, kind in named.items() if kind != NUMERIC}
        return standardise(table_of(self.rows, kinds=declared or None), self.how)

    def admits(self, variant: Variant) -> bool:
        """Return True if the algorithm can group these records."""
        if not self.kinds:
            return True
        method = method_of(
            variant.specification,
            self.k,
            standardise=self.how,
            dissimilarity=self.dissimilarity,
            seed=1 if variant.specification.random else None,
            parameters=variant.named,
        )
        try:
            method.check(self.scaled.table)
        except (NoCentroid, UnsupportedArithmetic):
            return False
        return True

    def space(self, exact: bool) -> Any:
        return space_of(self.scaled, self.dissimilarity, arithmetic="exact" if exact else "float")

    def cost(self, groups: Iterable[Sequence[int]]) -> Fraction:
        """Return what groups cost, by the pairs of each."""
        pairs, unit = self._pairs
        total = Fraction(0)
        for group in groups:
            total += Fraction(
                sum(pairs[pair] for pair in combinations(sorted(group), 2)), len(group)
            )
        return total / unit

    @cached_property
    def _pairs(self) -> tuple[dict[tuple[int, int], int], int]:
        """The dissimilarity of each pair as an integer, and the unit of it."""
        exact = {pair: self._between(*pair) for pair in combinations(range(self.n), 2)}
        unit = lcm(*(value.denominator for value in exact.values()))
        return {pair: int(value * unit) for pair, value in exact.items()}, unit

    def _between(self, a: int, b: int) -> Fraction:
        if self.kinds == (SEQUENCE,):
            return PLAIN[self.dissimilarity](*(events(self.rows[i][0]) for i in (a, b)))
        if self.kinds:
            return self._mixed[a].gap(self._mixed[b]) + self._sequences(a, b)
        return sum(
            (
                w * (x - y) ** 2
                for w, x, y in zip(self._weights, self.rows[a], self.rows[b], strict=True)
            ),
            Fraction(0),
        )

    @cached_property
    def _mixed(self) -> list[Any]:
        """The records without their sequences, as `tests.plain` has them."""
        places = [place for place, kind in enumerate(self.kinds) if kind != SEQUENCE]
        cells = [[str(row[place]) for place in places] for row in self.rows]
        kinds = [self.kinds[place] for place in places]
        return mixed(cells, kinds, gower=self.dissimilarity == GOWER)

    def _sequences(self, a: int, b: int) -> Fraction:
        """The squared dissimilarities of the sequences beside other attributes."""
        return sum(
            (
                PLAIN[self.dissimilarity](events(self.rows[a][place]), events(self.rows[b][place]))
                ** 2
                for place, kind in enumerate(self.kinds)
                if kind == SEQUENCE
            ),
            Fraction(0),
        )

    @cached_property
    def _weights(self) -> list[Fraction]:
        """1, or one divided by the variance; 0 for a constant attribute."""
        if self.how == "none":
            return [Fraction(1)] * len(self.rows[0])
        weights = []
        for column in zip(*self.rows, strict=True):
            mean = Fraction(sum(column), self.n)
            squares = sum((x - mean) ** 2 for x in column)
            weights.append(self.n / squares if squares else Fraction(0))
        return weights


def events(text: str) -> tuple[str, ...]:
    return tuple(text.split(">")) if text else ()


def drawn_table(number: int, random: Random) -> Drawn:
    """Return a table of 4 to 10 records, of numbers, kinds or sequences by its number."""
    n = random.randrange(4, 11)
    k = random.randrange(2, min(4, n) + 1)
    if number % 5 == 3:
        return _of_kinds(random, n, k, *TOGETHER[number // 5 % len(TOGETHER)])
    if number % 5 == 4:
        rows: Rows = [(_sequence(random),) for _ in range(n)]
        return Drawn(rows, k, "range", (SEQUENCE,), random.choice(list(PLAIN)))
    width = random.randrange(1, 4)
    cell = _numbers(random)
    how = random.choice(("none", "population"))
    return Drawn([tuple(cell() for _ in range(width)) for _ in range(n)], k, how)


def _numbers(random: Random) -> Any:
    """Few values, many, or fractions."""
    most, divisor = random.choice(((3, 1), (3, 1), (10, 1), (1000, 1), (30, 7)))
    return lambda: Fraction(random.randrange(-most, most + 1), divisor)


def _of_kinds(random: Random, n: int, k: int, kinds: tuple[str, ...], gower: bool) -> Drawn:
    dissimilarity = GOWER if gower else random.choice(list(PLAIN))
    rows = [tuple(_cell(random, kind) for kind in kinds) for _ in range(n)]
    return Drawn(rows, k, "range", kinds, dissimilarity)


def _cell(random: Random, kind: str) -> Any:
    if kind == NUMERIC:
        return Fraction(random.randrange(-9, 10))
    if kind == SEQUENCE:
        return _sequence(random)
    return random.choice(("low", "mid", "high"))


def _sequence(random: Random) -> str:
    return ">".join(random.choice("abc") for _ in range(random.randrange(1, 5)))
