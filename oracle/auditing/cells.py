"""Cells that are compared by equality: of any type, with no kind declared, some of them missing.

A column whose cells are all numbers is compared by value (1.50 equals 1.5), every other one by
text, and so is one with a leading zero (the postcodes 01 and 1 differ). A declared kind decides
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from refagg.data.csvfiles import Sheet
from refagg.data.foreign import named_rows
from refagg.data.kinds import NUMERIC, Kind, is_missing, kind_of
from refagg.data.tables import Table, check_columns, check_names, table_of_kinds
from refagg.errors import (
    EmptyTable,
    NotANumber,
    NotFinite,
    RaggedRow,
    UnknownColumn,
    missing_value,
)
from refagg.language.lists import listed
from refagg.language.number_texts import number_of

MISSING, SUPPRESSED = 0, 1
"""The codes of a missing cell, and of one that is written `*`."""

STAR = "*"

_AS_TEXT = re.compile(r"\s*[+-]?0[0-9]|.*/")
"""What is no number in a column of undeclared kind: a leading zero, a fraction, which can be a
date."""

Place = Callable[[int], str]
"""Where the cell of a record is, for messages."""


@dataclass(frozen=True, slots=True)
class Cells:
    """n records of cells, column by column: codes that are equal where cells are."""

    names: tuple[str, ...]
    columns: tuple[Sequence[int], ...]
    texts: frozenset[str] = frozenset()
    """The columns of undeclared kind that hold anything but numbers."""

    @property
    def n(self) -> int:
        return len(self.columns[0])

    def select(self, names: Sequence[str]) -> Cells:
        """Return some of the columns. Raises UnknownColumn, DuplicateColumn."""
        check_columns(names, self.names)
        chosen = tuple(self.columns[self.names.index(name)] for name in names)
        return Cells(tuple(names), chosen, self.texts.intersection(names))

    def take(self, records: Sequence[int]) -> Cells:
        """Return some of the records, numbered anew from 0."""
        columns = tuple([column[record] for record in records] for column in self.columns)
        return Cells(self.names, columns, self.texts)

    def missing(self, name: str) -> int:
        """Count the cells of a column that are missing or suppressed."""
        return sum(code <= SUPPRESSED for code in self.columns[self.names.index(name)])


def cells_of_table(table: Table) -> Cells:
    """Return the cells of a table, in which none is missing."""
    columns = (_codes(a.labels, repeat(False)) for a in table.attributes)
    return Cells(table.names, tuple(columns))


def cells_of_sheet(sheet: Sheet, names: Sequence[str], kinds: Mapping[str, Kind]) -> Cells:
    """Return some columns of a file.

    Raises UnknownColumn, DuplicateColumn, and for columns of declared kinds what
    `table_of_kinds` raises.
    """
    check_columns(names, sheet.header, str(sheet.path))
    check_declared(kinds, sheet.header)
    columns, texts = [], set()
    for name in names:
        kind = kinds.get(name)
        cells = sheet.values[name] if name in sheet.values else sheet.column(name)
        if kind is None or kind.name != "sequence":
            lacks = sheet.lacks(name, kind in (None, NUMERIC))
        else:
            lacks = list(map(is_missing, cells))
        if kind == NUMERIC:
            cells = sheet.numbers(name)
        comma = "" if name in sheet.values else sheet.how.decimal

        def place(record: int, name: str = name) -> str:
            return f"{sheet.path}, line {sheet.lines[record]}, column {name!r}"

        labels, text = _labels(cells, lacks, kind, comma, place)
        columns.append(_codes(labels, lacks))
        texts |= {name} if text else set()
    return Cells(tuple(names), tuple(columns), frozenset(texts))


def cells_of(
    data: Any, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> Cells:
    """Return some columns, all by default, of data as `refagg.data.tables.table_of` takes them.

    Raises NotATable, EmptyTable, RaggedRow, UnknownColumn, DuplicateColumn, and for columns of
    declared kinds what `table_of_kinds` raises.

    >>> cells_of([["a", 1], ["a", 1.0], [None, 2]]).columns
    ([2, 2, 0], [2, 2, 3])
    """
    if isinstance(data, Table):
        return cells_of_table(data if names is None else data.select(names))
    found, rows = named_rows(data)
    if not rows:
        raise EmptyTable("the table has no record")
    own = [f"x{j + 1}" for j in range(len(rows[0]))] if found is None else found
    if names is not None:
        names = listed(names, "the columns chosen are", "give a list of names")
        own, names = (list(names), None) if found is None else (own, names)
    check_names(own)
    for number, row in enumerate(rows):
        if len(row) != len(own):
            raise RaggedRow(f"row {number} has {len(row)} values, the table has {len(own)} columns")
    wanted = own if names is None else names
    check_columns(wanted, own)
    if not wanted:
        raise EmptyTable("no column is chosen")
    declared = {name: kind_of(text) for name, text in (kinds or {}).items()}
    check_declared(declared, own)
    columns, texts = [], set()
    for name in wanted:
        kind = declared.get(name)
        cells = [row[own.index(name)] for row in rows]
        empty = kind is None or kind.name != "sequence"
        lacks = [is_missing_cell(cell, empty) for cell in cells]

        def place(record: int, name: str = name) -> str:
            return f"row {record}, column {name!r}"

        labels, text = _labels(cells, lacks, kind, "", place)
        columns.append(_codes(labels, lacks))
        texts |= {name} if text else set()
    return Cells(tuple(wanted), tuple(columns), frozenset(texts))


def is_missing_cell(cell: Any, empty: bool = True) -> bool:
    """Return True if a value is missing; with `empty`, the empty text is."""
    if isinstance(cell, str):
        return empty and not cell.strip()
    return not _is_list(cell) and is_missing(cell)


def check_declared(kinds: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise UnknownColumn for a kind without a column."""
    for name in kinds:
        if name not in names:
            raise UnknownColumn(f"there is no column {name!r}; there are {', '.join(names)}")


def _labels(
    cells: Sequence[Any], lacks: Sequence[bool], kind: Kind | None, decimal: str, place: Place
) -> tuple[Sequence[Hashable], bool]:
    """Something for each record that is equal where cells are; is the column one of texts?

    `decimal` is the decimal mark of a file of text, empty for cells that have types.
    """
    stars = [isinstance(cell, str) and cell.strip() == STAR for cell in cells]
    there = [r for r, gap in enumerate(lacks) if not gap and not stars[r]]
    labels: list[Hashable] = [STAR if star else None for star in stars]
    if kind is not None:
        rows = [[cells[record]] for record in there]
        made: Sequence[Hashable] = ()
        if rows:
            table = table_of_kinds(rows, ["x"], {"x": kind}, lambda row, _: place(there[row]))
            [attribute] = table.attributes
            made = attribute.labels
        text = False
    else:
        made = [cells[record] for record in there]
        text = not decimal and any(map(_is_no_number, made))
        if decimal:
            numbers = _numbers(dict.fromkeys(map(str, made)), decimal)
            text = numbers is None
            made = made if numbers is None else [numbers[str(cell)] for cell in made]
        else:
            made = list(map(hashable, made))
    for record, label in zip(there, made, strict=True):
        labels[record] = label
    return labels, text


def _numbers(texts: Iterable[str], decimal: str) -> dict[str, Hashable] | None:
    """The numbers that texts say; None if one says none."""
    found: dict[str, Hashable] = {}
    for text in texts:
        if _AS_TEXT.match(text) or (decimal == "," and "." in text):
            return None
        try:
            found[text] = number_of(text.replace(",", ".") if decimal == "," else text, "")
        except (NotANumber, NotFinite):
            return None
    return found


def _is_no_number(cell: Any) -> bool:
    return isinstance(cell, (bool, str, bytes)) or not hasattr(cell, "as_integer_ratio")


def _is_list(cell: Any) -> bool:
    return isinstance(cell, (list, tuple, set, frozenset, dict)) or getattr(cell, "ndim", 0) > 0


def hashable(cell: Any) -> Hashable:
    """Return a key that is equal for equal cells, of lists and mappings too.

    >>> hashable([1, {"a": 2}]) == hashable((1, {"a": 2.0}))
    True
    """
    if isinstance(cell, Mapping):
        return frozenset((name, hashable(value)) for name, value in cell.items())
    if isinstance(cell, (set, frozenset)):
        return frozenset(map(hashable, cell))
    if _is_list(cell):
        return tuple(map(hashable, cell))
    return None if is_missing(cell) else cell if isinstance(cell, Hashable) else repr(cell)


def _codes(labels: Sequence[Hashable], lacks: Iterable[bool]) -> list[int]:
    """Numbers that are equal where labels are: MISSING, SUPPRESSED, and from 2 on."""
    codes: dict[Hashable, int] = {STAR: SUPPRESSED}
    return [
        MISSING if gap else codes.setdefault(label, len(codes) + 1)
        for label, gap in zip(labels, lacks, strict=False)
    ]


def check_none_missing(cells: Cells, place: Callable[[int, str], str]) -> None:
    """Raise MissingValue for the first missing cell."""
    for name, column in zip(cells.names, cells.columns, strict=True):
        if MISSING in column:
            raise missing_value(place(column.index(MISSING), name))
