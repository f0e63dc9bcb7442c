"""Numbers and partitions as the texts that cases and answers hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from refagg.data.tables import decimal_places_of
from refagg.language.partition import Partition


def numeral(value: Fraction | int) -> str:
    """Return the shortest exact text of a number.

    >>> numeral(Fraction(-7)), numeral(Fraction(1, 40)), numeral(Fraction(1, 3))
    ('-7', '0.025', '1/3')
    """
    value = Fraction(value)
    if not decimal_places_of(value.denominator):  # none, or 0
        return str(value)
    with localcontext() as context:
        context.prec = len(str(value.numerator)) + value.denominator.bit_length() + 2
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def partition_text(groups: Iterable[Sequence[int]]) -> str:
    """Return the groups on one line.

    >>> partition_text([(0, 2), (1, 3)])
    '0 2 | 1 3'
    """
    return " | ".join(" ".join(map(str, group)) for group in groups)


def partition_of_text(text: str) -> Partition:
    """Read the partition in such a line. Raises InvalidPartition, ValueError.

    >>> partition_of_text("0 2 | 1 3").groups
    ((0, 2), (1, 3))
    """
    return Partition.of([list(map(int, group.split())) for group in text.split("|")])
