"""Numbers as the texts that cases hold: integers, decimals where they end, fractions."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction


def numeral(value: Fraction | int) -> str:
    """The shortest exact text of a number.

    >>> numeral(Fraction(-7)), numeral(Fraction(1, 40)), numeral(Fraction(1, 3))
    ('-7', '0.025', '1/3')
    """
    value = Fraction(value)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if value.denominator == 1 or rest != 1:
        return str(value)
    with localcontext() as context:
        context.prec = len(str(value.numerator)) + value.denominator.bit_length() + 2
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
