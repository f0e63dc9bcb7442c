"""Reals with 30 digits, for algorithms that are not rational."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from plain.stream import Stream

Row = Sequence[Decimal]

DIGITS = Context(prec=30)


def real(value: Fraction | int) -> Decimal:
    """The decimal number that is nearest."""
    with localcontext(DIGITS):
        exact = Fraction(value)
        return Decimal(exact.numerator) / exact.denominator


def uniform(stream: Stream) -> Decimal:
    return Decimal(stream.below(2**53)) / 2**53


def squared(a: Row, b: Row) -> Decimal:
    return sum(((x - y) * (x - y) for x, y in zip(a, b, strict=True)), Decimal(0))
