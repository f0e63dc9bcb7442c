"""X: records as rows of floats, for weighted means as centres.

The weighted means are those of all records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from itertools import compress, repeat
from math import dist, exp
from operator import eq, mul, sub
from typing import Any, Protocol

from refagg.errors import BeyondFloats, InvalidParameter, MissingExtra
from refagg.language.choices import Choices
from refagg.language.event import CENTRES
from refagg.language.space import Coordinates
from refagg.linear_algebra.matrices import root
from refagg.terminal import NOW

Row = Sequence[float]

LARGEST = 1e150
"""Coordinates must not be larger: their squares are added."""


class Memberships(Protocol):
    """The rule for memberships from distances, and for weights from memberships."""

    def of(self, distances: Iterable[Sequence[float]]) -> tuple[list[list[float]], float]: ...

    def weights(self, logs: Sequence[float]) -> list[float]: ...


class Rows:
    """The records by attributes, less a middle value.

    Without the offset, their sums lose no precision to it.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        columns = list(zip(*rows, strict=True))
        self.rows = list(zip(*columns, strict=True))
        self.base = [float(sorted(column)[len(column) // 2]) for column in columns]
        self.columns = [
            list(map(sub, column, repeat(base)))
            for column, base in zip(columns, self.base, strict=True)
        ]
        self.widest_range: float = max(max(column) - min(column) for column in columns)

    def iterations(self, most: int) -> Iterator[int]:
        """Count iterations, of which there can be fewer."""
        return NOW.each(range(most), "iterations", at_most=True)

    def distances(self, centres: Sequence[Row]) -> Iterator[list[float]]:
        """Return for each record its distances from the centres."""
        for row in self.rows:
            yield list(map(dist, repeat(row), centres))

    def memberships(
        self, u: Memberships, centres: Sequence[Row]
    ) -> tuple[list[list[float]], float]:
        """Return the logarithms of the memberships, and their level.

        There is a row for each record.
        """
        return u.of(self.distances(centres))

    def centres(
        self, u: Memberships, log_u: Sequence[Row], before: Sequence[Row]
    ) -> Iterator[list[float]]:
        """Return the centres as means of all records, weighted by memberships."""
        of_centres = zip(*log_u, strict=True)
        return (self.mean(u.weights(u_i), v) for u_i, v in zip(of_centres, before, strict=True))

    def listed(self, log_u: Sequence[Row]) -> list[list[float]]:
        """Return the memberships as lists, a row for each record."""
        return [list(map(exp, u_k)) for u_k in log_u]

    def mean(self, weights: Sequence[float], otherwise: Row) -> list[float]:
        """Return the weighted mean of all records.

        `otherwise` is returned if all weights are 0. The mean of equal records is exactly what they
        are, so that a centre that has only the records at its place stays there. If rounding moved
        it, a large m would notice: its memberships jump where the distance 0 ends.
        """
        counting = compress(self.rows, weights) if 0.0 in weights else iter(self.rows[:0])
        first = next(counting, None)
        if first is not None and all(map(eq, counting, repeat(first))):
            return list(map(float, first))
        total = sum(weights)
        if not total:
            return list(otherwise)
        return [
            base + sum(map(mul, weights, column)) / total
            for base, column in zip(self.base, self.columns, strict=True)
        ]

    def moved(self, before: Sequence[Row], after: Sequence[Row]) -> float:
        """Return the farthest move of a centre's coordinate, in widest ranges."""
        if not self.widest_range:
            return 0.0
        pairs = zip(before, after, strict=True)
        farthest = max(abs(x - y) for a, b in pairs for x, y in zip(a, b, strict=True))
        return farthest / self.widest_range


MANY = 20_000
"""So many distances are computed in arrays, where NumPy is installed."""


def rows_of(rows: Sequence[Row], centres: int) -> Any:
    """Return the cursor for a number of centres.

    It works in arrays where there is much to compute.
    """
    if len(rows) * centres >= MANY:
        with suppress(MissingExtra):
            return import_module("refagg.engine.array_rows").ArrayRows(rows)
    return Rows(rows)


def check_rows(rows: Sequence[Row], centres: Sequence[Row]) -> None:
    """Raise InvalidParameter unless records and centres are finite and equally wide.

    There must be at least one of each.
    """
    if not rows or not centres:
        raise InvalidParameter(f"there are {len(rows)} records and {len(centres)} centres")
    width = len(rows[0])
    for row in (*rows, *centres):
        if len(row) != width or not all(abs(x) <= LARGEST for x in row):
            raise InvalidParameter(
                f"a record or centre is {tuple(row)}; each must have {width} coordinates "
                f"of at most {LARGEST:g} in size"
            )


def told_centres(
    space: Coordinates, choices: Choices, objective: Callable[[float, int, int], float]
) -> Callable[[Sequence[Row], float], None]:
    """Return a function that records centres and objective in the trace.

    It takes the centres and their level, and records them in the units of the data, with J computed
    from the level.
    """

    def tell(centres: Sequence[Row], level: float) -> None:
        if choices.trace is None:
            return
        values = values_at(centres, space.origin, space.weights)
        try:
            told = [tuple(map(float, at)) for at in values]
        except OverflowError:
            raise BeyondFloats(
                "a centre is outside the range of binary64, that of recorded steps; ask for none"
            ) from None
        choices.step(CENTRES, told, objective(level, space.n, len(centres)))

    return tell


def values_at(
    centres: Sequence[Sequence[float]], origin: Sequence[Fraction], weights: Sequence[Fraction]
) -> list[tuple[Fraction, ...]]:
    """Return the values at points of a space.

    The space has this origin and these weights; see `Coordinates`.
    """
    roots = [root(weight) for weight in weights]
    return [
        tuple(
            at + (Fraction(x) / scale if scale else 0)
            for x, at, scale in zip(centre, origin, roots, strict=True)
        )
        for centre in centres
    ]


def coordinates_of(space: Coordinates, values: Row) -> tuple[float, ...]:
    """Return the point where the attributes have these values."""
    scales = zip(values, space.origin, map(root, space.weights), strict=True)
    return tuple((x - float(at)) * float(scale) for x, at, scale in scales)
