"""Numbers as cases and answers write them: whole numbers, decimals and fractions, as texts.

Answers come from strangers: a text is measured before it is read, so that none can ask for a
number of a billion digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from refagg.errors import EmptyTable, NotANumber, NotFinite, RaggedRow
from refagg.tables import Table, column_of

MOST_DIGITS = 1000
"""The most characters of a number, and the greatest power of ten, either way."""

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,9}))?)", re.ASCII
)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.ASCII | re.IGNORECASE)


def value_of(text: str, where: str) -> Fraction:
    """The number that a text says, exactly. Raises NotANumber, NotFinite.

    >>> value_of("-2.50", "record 0"), value_of("7/3", "record 1")
    (Fraction(-5, 2), Fraction(7, 3))
    """
    if not isinstance(text, str):
        raise NotANumber(f"{where}: {_shown(text)} is not the text of a number")
    cell = text.strip()
    if len(cell) > MOST_DIGITS:
        raise NotANumber(f"{where}: a number of {len(cell)} characters; {MOST_DIGITS} are allowed")
    if _NOT_FINITE.fullmatch(cell):
        raise NotFinite(f"{where}: {cell} is not a finite number")
    match = _NUMBER.fullmatch(cell)
    if match is None:
        raise NotANumber(f"{where}: {_shown(text)} is not a number")
    if match[1] and abs(int(match[1])) > MOST_DIGITS:
        raise NotANumber(f"{where}: {cell} has a power of ten beyond {MOST_DIGITS}")
    try:
        return Fraction(cell)
    except ZeroDivisionError:
        raise NotANumber(f"{where}: {cell} has the denominator 0") from None


@lru_cache(maxsize=1024)
def table_of_texts(rows: tuple[tuple[str, ...], ...]) -> Table:
    """The table of some rows of texts, with the columns x1, x2, ...

    Raises EmptyTable, RaggedRow, NotANumber, NotFinite.
    """
    width = row_width(rows)
    values = [
        [value_of(text, f"record {number}, attribute {j}") for j, text in enumerate(row)]
        for number, row in enumerate(rows)
    ]
    return Table(tuple(column_of(f"x{j + 1}", [row[j] for row in values]) for j in range(width)))


def row_width(rows: Sequence[Sequence[str]]) -> int:
    """The number of values that each row has. Raises EmptyTable, RaggedRow."""
    if not rows:
        raise EmptyTable("there is no record")
    if not rows[0]:
        raise EmptyTable("record 0 has no value")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise RaggedRow(
                f"record {number} has {len(row)} values, but record 0 has {len(rows[0])}"
            )
    return len(rows[0])


def in_binary64(table: Table) -> Table:
    """The table with every value rounded to binary64: what a program that takes floats is given.

    Raises NotFinite for a value beyond all floats.
    """
    try:
        return Table(
            tuple(
                column_of(c.name, [Fraction(float(v)) for v in c.values(range(table.n))])
                for c in table.columns
            )
        )
    except OverflowError:
        raise NotFinite("a value is beyond all floats") from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
