"""Rows of values without names, and the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from itertools import islice

from refagg.errors import DuplicateColumn, EmptyTable, NotATable, TooLarge
from refagg.language.lists import plain_list
from refagg.language.number_texts import shortened

MOST_CELLS = 100_000_000
"""Values of a row or a column."""

MOST_UNCOUNTED = 2_000_000
"""Items of an iterable that does not say how many it has; it may have no end."""

MOST_COLUMNS = 100_000
"""Columns of a table."""


def bounded(items: Iterable[object], what: str) -> list[object]:
    """Return the items of an iterable as a list.

    Those of Arrow are converted to Python's. Raises TooLarge.

    >>> bounded(iter("ab"), "column 'x'")
    ['a', 'b']
    """
    if isinstance(items, Sized):
        if len(items) > MOST_CELLS:
            raise TooLarge(f"{what} has {len(items)} values; at most {MOST_CELLS} are read")
        return plain_list(items)
    found = list(islice(items, MOST_UNCOUNTED + 1))
    if len(found) > MOST_UNCOUNTED:
        raise TooLarge(
            f"{what} comes from an iterator of more than {MOST_UNCOUNTED} items, which may have no "
            "end; give a list"
        )
    return found


def plain_rows(rows: Iterable[object]) -> list[Sequence[object]]:
    """Return the rows as sequences of values. Raises NotATable."""
    return [_row(number, row) for number, row in enumerate(rows)]


def _row(number: int, row: object) -> Sequence[object]:
    values = row.tolist() if hasattr(row, "tolist") else row
    if isinstance(values, range):
        values = bounded(values, f"row {number}")
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        text = isinstance(values, (str, bytes))
        sequences = "; sequences need a dissimilarity or a similarity" if text else ""
        raise NotATable(
            f"row {number} is {shortened(row)}, not a row of values; "
            f"a table of one attribute has rows like [5]{sequences}"
        )
    return values


def check_names(names: Sequence[str], where: str = "the table") -> None:
    """Check the names of columns.

    Raises EmptyTable without columns, DuplicateColumn if two have the same name, and NotATable for
    a name that is not text.
    """
    if not names:
        raise EmptyTable(f"{where} has no column")
    if len(names) > MOST_COLUMNS:
        raise TooLarge(f"{where} has {len(names)} columns; at most {MOST_COLUMNS} are read")
    places: dict[str, int] = {}
    for position, name in enumerate(names):
        if not isinstance(name, str):
            raise NotATable(f"{where} has a column named {shortened(name)}; names are texts")
        if places.setdefault(name, position) < position:
            first, second = places[name] + 1, position + 1
            raise DuplicateColumn(
                f"{where} has two columns named {name!r}, the {_ordinal(first)} and the "
                f"{_ordinal(second)}; names must differ"
            )


def _ordinal(number: int) -> str:
    usual = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else usual}"
