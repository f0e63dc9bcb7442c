"""Tables of the values that cases and answers write as texts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from refagg.data.kinds import kind_of
from refagg.data.tables import Table, column_of, table_of_kinds, with_numbers
from refagg.errors import EmptyTable, InvalidKind, NotFinite, RaggedRow
from refagg.language.number_texts import number_of


@lru_cache(maxsize=1024)
def table_of_texts(rows: tuple[tuple[str, ...], ...]) -> Table:
    """Return the table of rows of texts.

    Its columns are x1, x2, ...

    Raises EmptyTable, RaggedRow, NotANumber, NotFinite.
    """
    width = row_width(rows)
    values = [
        [number_of(text, f"record {number}, attribute {j}") for j, text in enumerate(row)]
        for number, row in enumerate(rows)
    ]
    return Table(tuple(column_of(f"x{j + 1}", [row[j] for row in values]) for j in range(width)))


def table_of_case_texts(rows: tuple[tuple[str, ...], ...], kinds: Sequence[str]) -> Table:
    """Return the table of attributes of declared kinds.

    Without any kind, all are numbers.

    Raises also InvalidKind, MissingValue, UnknownCategory.
    """
    if not kinds:
        return table_of_texts(rows)
    width = row_width(rows)
    if len(kinds) != width:
        raise InvalidKind(f"{len(kinds)} kinds are declared for {width} attributes")
    declared = [kind_of(text) for text in kinds]
    names = [f"x{j + 1}" for j in range(width)]
    return table_of_kinds(rows, names, dict(zip(names, declared, strict=True)))


def row_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of values that each row has. Raises EmptyTable, RaggedRow."""
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


def table_in_binary64(table: Table) -> Table:
    """Return the table with every number rounded to binary64.

    A program that takes floats is given this.

    Raises NotFinite for a value outside the range of binary64.
    """
    try:
        columns = (map(float, column.values(range(table.n))) for column in table.columns)
        return with_numbers(table, (map(Fraction, column) for column in columns))
    except OverflowError:
        raise NotFinite("a value is outside the range of binary64") from None
