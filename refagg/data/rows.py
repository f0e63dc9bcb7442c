"""Rows of values without names, and the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from refagg.errors import DuplicateColumn, EmptyTable, NotATable


def plain_rows(rows: Iterable[Any]) -> list[Sequence[Any]]:
    """Return the rows as sequences of values. Raises NotATable."""
    return [_row(number, row) for number, row in enumerate(rows)]


def _row(number: int, row: Any) -> Sequence[Any]:
    values = row.tolist() if hasattr(row, "tolist") else row
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        text = isinstance(values, (str, bytes))
        sequences = "; sequences need a dissimilarity or a similarity" if text else ""
        raise NotATable(
            f"row {number} is {row!r}, not a row of values; "
            f"a table of one attribute has rows like [5]{sequences}"
        )
    return values


def check_names(names: Sequence[str], where: str = "the table") -> None:
    """Raise EmptyTable without columns, DuplicateColumn if two have the same name."""
    if not names:
        raise EmptyTable(f"{where} has no column")
    for position, name in enumerate(names):
        if name in names[:position]:
            first, second = names.index(name) + 1, position + 1
            raise DuplicateColumn(
                f"{where} has two columns named {name!r}, the {_ordinal(first)} and the "
                f"{_ordinal(second)}; names must differ"
            )


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"
