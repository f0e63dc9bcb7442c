"""Tables of the numbers that cases and answers write as texts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from refagg.data.tables import Table, column_of
from refagg.errors import EmptyTable, NotFinite, RaggedRow
from refagg.language.numerals import number_of


@lru_cache(maxsize=1024)
def table_of_texts(rows: tuple[tuple[str, ...], ...]) -> Table:
    """The table of some rows of texts, with the columns x1, x2, ...

    Raises EmptyTable, RaggedRow, NotANumber, NotFinite.
    """
    width = row_width(rows)
    values = [
        [number_of(text, f"record {number}, attribute {j}") for j, text in enumerate(row)]
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
