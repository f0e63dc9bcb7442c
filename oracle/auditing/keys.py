"""The key of two tables: the column that says which records belong together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from oracle.auditing.other_columns import value_of
from refagg.errors import DuplicateKey, UnmatchedKey


@dataclass(frozen=True, slots=True)
class Keyed:
    """A table by its key: the texts of the column, the table's name, and where its records are."""

    cells: Sequence[str]
    table: str
    noun: str
    numbers: Sequence[int]


def order_by_key(key: str, original: Keyed, released: Keyed) -> list[int]:
    """Return for each record of the original the one of the release with the same key.

    Keys are compared as values. Raises DuplicateKey, UnmatchedKey.

    >>> both = [Keyed(cells, "t", "record", range(2)) for cells in (["a", "1"], ["1.0", "a"])]
    >>> order_by_key("id", *both)
    [1, 0]
    """
    ours, theirs = _places(key, original), _places(key, released)
    for here, there, table, other in (
        (ours, theirs, original, released),
        (theirs, ours, released, original),
    ):
        for value, record in here.items():
            if value not in there:
                where = f"{table.table}, {table.noun} {table.numbers[record]}"
                cell = table.cells[record]
                raise UnmatchedKey(f"{where}: {key} is {cell!r}, which {other.table} does not have")
    return [theirs[value] for value in ours]


def _places(key: str, keyed: Keyed) -> dict[Hashable, int]:
    """Return where each key is."""
    places: dict[Hashable, int] = {}
    for record, cell in enumerate(keyed.cells):
        value = value_of(cell)
        if value in places:
            both = f"{keyed.numbers[places[value]]} and {keyed.numbers[record]}"
            raise DuplicateKey(f"{keyed.table}, {keyed.noun}s {both}: {key} is {cell!r} in both")
        places[value] = record
    return places
