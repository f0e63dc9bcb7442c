"""Noise that is added to every value, with 30 digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from plain.decimals import DIGITS, Row, real, uniform
from plain.stream import Stream


def deviations(
    points: Sequence[Sequence[Fraction | int]], amount: Fraction, kind: str, seed: int
) -> list[list[Decimal]]:
    """What is added to the values of each record."""
    with localcontext(DIGITS):
        columns = [[real(x) for x in column] for column in zip(*points, strict=True)]
        spreads = [product(column, column).sqrt() for column in columns]
        normal, rows = deviates(Stream(seed)), []
        weights = (
            [[Decimal(i == j) for j in range(len(columns))] for i in range(len(columns))]
            if kind == "independent"
            else triangle(columns, spreads)
        )
        for _ in points:
            own = [next(normal) for _ in columns]
            rows.append(
                [
                    real(amount).sqrt()
                    * spread
                    * sum((w * x for w, x in zip(row, own, strict=True)), Decimal(0))
                    for spread, row in zip(spreads, weights, strict=True)
                ]
            )
        return rows


def product(a: Row, b: Row) -> Decimal:
    """The covariance; of a column with itself, the variance."""
    n, of_a, of_b = len(a), sum(a) / len(a), sum(b) / len(b)
    return sum(((x - of_a) * (y - of_b) for x, y in zip(a, b, strict=True)), Decimal(0)) / n


def triangle(columns: Sequence[Row], spreads: Row) -> list[list[Decimal]]:
    """By Gram and Schmidt: each column as a sum of uncorrelated ones, of which each has the
    variance 1 or, if it depends on those before, none."""
    pure: list[list[Decimal]] = []
    for column, spread in zip(columns, spreads, strict=True):
        centre = sum(column) / len(column)
        rest = [(x - centre) / spread if spread else Decimal(0) for x in column]
        for done in pure:
            along = product(rest, done)
            rest = [x - along * y for x, y in zip(rest, done, strict=True)]
        length = product(rest, rest)
        pure.append([x / length.sqrt() if length > Decimal(2) ** -40 else Decimal(0) for x in rest])
    return [
        [product(column, done) / spread if spread else Decimal(0) for done in pure]
        for column, spread in zip(columns, spreads, strict=True)
    ]


def deviates(stream: Stream) -> Iterator[Decimal]:
    while True:
        pair = [2 * uniform(stream) - 1, 2 * uniform(stream) - 1]
        s = sum((x * x for x in pair), Decimal(0))
        if 0 < s < 1:
            yield from (x * (-2 * s.ln() / s).sqrt() for x in pair)
