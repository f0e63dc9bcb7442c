"""Cells that are compared by equality.

They are of any type, with no kind declared, and some are missing.

A column whose cells are all numbers is compared by value (1.50 equals 1.5), every other one by
text, and so is one with a leading zero (the postcodes 01 and 1 differ). A declared kind decides
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Rational
from typing import Any

from refagg.data.csvfiles import Sheet
from refagg.data.foreign import named_rows
from refagg.data.kinds import Kind, is_missing, kind_of
from refagg.data.rows import check_names
from refagg.data.tables import Table, check_columns, check_lengths, table_of, table_of_kinds
from refagg.errors import EmptyTable, NotANumber, NotFinite, missing_value
from refagg.language.lists import listed
from refagg.language.number_texts import number_of, shortened

MISSING, SUPPRESSED = 0, 1
"""The codes of a missing cell, and of one that is written `*`."""

STAR = "*"

AS_TEXT = re.compile(r"\s*[+-]?0[0-9]|.*/")
"""What is not a number in a column of undeclared kind: a leading zero, a fraction, which can be a
date."""

Place = Callable[[int], str]
"""Where the cell of a record is, for messages."""

Names = Sequence[str] | None
Kinds = Mapping[str, str] | None
"""The columns that are chosen, and the kinds that are declared, if any are."""


@dataclass(frozen=True, slots=True)
class Cells:
    """n records of cells, column by column.

    The cells have codes, which are equal where cells are.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[int], ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    """The columns of undeclared kind that hold anything but numbers, with the first such cell."""

    @property
    def n(self) -> int:
        return len(self.columns[0])

    def select(self, names: Sequence[str]) -> Cells:
        """Return some of the columns. Raises UnknownColumn, DuplicateColumn."""
        check_columns(names, self.names)
        chosen = tuple(self.columns[self.names.index(name)] for name in names)
        texts = {name: cell for name, cell in self.texts.items() if name in names}
        return Cells(tuple(names), chosen, texts)

    def take(self, records: Sequence[int]) -> Cells:
        """Return some of the records, numbered again from 0."""
        columns = tuple([column[record] for record in records] for column in self.columns)
        return Cells(self.names, columns, self.texts)

    def missing(self, name: str) -> int:
        """Count the cells of a column that are missing or suppressed."""
        return sum(code <= SUPPRESSED for code in self.columns[self.names.index(name)])


@dataclass(frozen=True, slots=True)
class RawColumn:
    """A column as it is read: its cells, and which are missing.

    `decimal` is the decimal mark of a file of text, empty for cells that have types.
    """

    cells: Sequence[Any]
    lacks: Sequence[bool]
    decimal: str
    place: Place

    def there(self) -> list[int]:
        """Return the records that have a value, neither missing nor suppressed."""
        return [
            record
            for record, (cell, gap) in enumerate(zip(self.cells, self.lacks, strict=True))
            if not gap and not _is_star(cell)
        ]

    def first_text(self) -> str:
        """Return place and text of the first cell without a number.

        Empty if there is none.
        """
        seen: dict[Any, bool] = {}
        for record in self.there():
            cell = self.cells[record]
            known = cell if self.decimal else None
            if known not in seen or known is None:
                seen[known] = self._number(cell) is None
            if seen[known]:
                return f"{self.place(record)}: {shortened(cell)} is not a number"
        return ""

    def as_texts(self) -> list[Hashable]:
        """Return labels by which cells are compared as texts.

        They are compared as they are written, not as numbers.
        """
        return [STAR if _is_star(cell) else hashable(cell) for cell in self.cells]

    def labels(self, kind: Kind | None) -> list[Hashable]:
        """Return labels by which numbers, or declared values, are compared.

        Declared values are of a declared kind.

        Raises what `table_of_kinds` raises.
        """
        there = self.there()
        values = [self.cells[record] for record in there]
        if kind is None:
            unique = {cell: self._number(cell) for cell in dict.fromkeys(values)}
            made: Sequence[Hashable] = [unique[cell] for cell in values]
        else:
            made = declared_values(values, kind, lambda row: self.place(there[row]))
        labels: list[Hashable] = [STAR] * len(self.cells)
        for record, label in zip(there, made, strict=True):
            labels[record] = label
        return labels

    def _number(self, cell: Any) -> Hashable | None:
        """Return the number that a cell holds; None if it holds none."""
        if not self.decimal:
            texts = isinstance(cell, (bool, str, bytes))
            number = isinstance(cell, Rational) or hasattr(cell, "as_integer_ratio")
            return None if texts or not number else hashable(cell)
        if AS_TEXT.match(cell) or (self.decimal == "," and "." in cell):
            return None
        try:
            return number_of(cell.replace(",", ".") if self.decimal == "," else cell, "")
        except (NotANumber, NotFinite):
            return None


def _is_star(cell: object) -> bool:
    return isinstance(cell, str) and cell.strip() == STAR


def cells_of(data: object, names: Names = None, kinds: Kinds = None) -> Cells:
    """Return some columns, all by default, of data as `refagg.data.tables.table_of` takes them.

    Raises NotATable, EmptyTable, RaggedRow, UnknownColumn, DuplicateColumn, and for columns of
    declared kinds what `table_of_kinds` raises.

    >>> cells_of([["a", 1], ["a", 1.0], [None, 2]]).columns
    ([2, 2, 0], [2, 2, 3])
    """
    return cells_of_tables([data], names, kinds)[0]


def cells_of_tables(
    tables: Sequence[object], names: Names = None, kinds: Kinds = None
) -> list[Cells]:
    """Return the cells of one or two tables with common codes.

    Codes are equal where cells are.
    """
    read = [columns_of(data, names) for data in tables]
    own = list(read[0]) if names is None else listed(names, *NAMES)
    for data, columns in zip(tables, read, strict=True):
        check_columns(
            own, list(columns), str(data.path) if isinstance(data, Sheet) else "the table"
        )
    if not own:
        raise EmptyTable("no column is chosen")
    declared = {name: kind_of(text) for name, text in (kinds or {}).items()}
    check_columns(list(declared), list(read[0]))

    def column(data: object, columns: Mapping[str, Sequence[object]], name: str) -> RawColumn:
        kind = declared.get(name)
        if not isinstance(data, Sheet):
            return _column_of_values(columns[name], name, kind)
        files = [one for one in tables if isinstance(one, Sheet)]
        return _column_of_sheet(data, name, kind, all(name in one.values for one in files))

    raw = [[column(*pair, name) for pair in zip(tables, read, strict=True)] for name in own]
    return _coded(own, raw, declared)


NAMES = ("the columns chosen are", "give a list of names")


def columns_of(data: object, names: Names) -> dict[str, list[Any]]:
    """Return the columns of a table by name.

    Raises NotATable, EmptyTable, RaggedRow, DuplicateColumn.
    """
    if isinstance(data, Table):
        return {a.name: a.values(range(data.n)) for a in data.attributes}
    found, rows = named_rows(data)
    if not rows:
        raise EmptyTable("the table has no record")
    own = found
    if own is None:
        chosen = None if names is None else listed(names, *NAMES)
        own = chosen or [f"x{j + 1}" for j in range(len(rows[0]))]
    check_names(own)
    check_lengths(rows, own)
    return {name: [row[j] for row in rows] for j, name in enumerate(own)}


def column_in(data: object, names: Names, name: str, records: Sequence[int], kinds: Kinds) -> Table:
    """Return the values that some records have in a column.

    Raises what `table_of` raises. `names` are those of a table that has none.
    """
    own = {name: kinds[name]} if kinds and name in kinds else None
    if isinstance(data, Sheet):
        return data.take(records).table([name], own)
    cells = columns_of(data, names)[name]
    return table_of({name: [cells[record] for record in records]}, kinds=own)


def place_in(data: object, record: int, name: str) -> str:
    """Return the place of a cell, for messages."""
    if isinstance(data, Sheet):
        return data.place(record, name)
    return f"row {record}, column {name!r}"


def _column_of_sheet(sheet: Sheet, name: str, kind: Kind | None, typed: bool) -> RawColumn:
    """Return a column of a file.

    It is `typed` if values have types in all files, and not texts only.
    """
    cells: Sequence[Any] = sheet.values[name] if typed else sheet.column(name)
    if kind is not None and (kind.name == "numeric" or kind.type):
        cells = sheet.cells(name, kind)
    decimal = "." if name in sheet.values else sheet.how.decimal
    lacks = sheet.lacks(name, kind)
    return RawColumn(cells, lacks, "" if typed else decimal, partial(place_in, sheet, name=name))


def _column_of_values(cells: Sequence[object], name: str, kind: Kind | None) -> RawColumn:
    empty = kind is None or kind.name != "sequence"
    lacks = [is_missing_cell(cell, empty) for cell in cells]
    return RawColumn(cells, lacks, "", partial(place_in, None, name=name))


def _coded(
    names: Sequence[str], raw: Sequence[Sequence[RawColumn]], kinds: Mapping[str, Kind]
) -> list[Cells]:
    """Return the cells of each table from its columns.

    A column that holds texts in one of two tables is compared by text in both.
    """
    columns: list[list[Sequence[int]]] = [[] for _ in raw[0]]
    texts: list[dict[str, str]] = [{} for _ in raw[0]]
    for name, sources in zip(names, raw, strict=True):
        found = [one.first_text() if name not in kinds else "" for one in sources]
        codes: dict[Hashable, int] = {STAR: SUPPRESSED}
        for place, one in enumerate(sources):
            labels = one.as_texts() if any(found) else one.labels(kinds.get(name))
            columns[place].append(_codes(labels, one.lacks, codes))
            texts[place] |= {name: found[place]} if found[place] else {}
    return [Cells(tuple(names), tuple(own), of) for own, of in zip(columns, texts, strict=True)]


def is_missing_cell(cell: object, empty: bool = True) -> bool:
    """Return True if a value is missing.

    With `empty`, the empty text counts as missing.
    """
    if isinstance(cell, str):
        return empty and not cell.strip()
    return not _is_list(cell) and is_missing(cell)


def declared_values(values: Sequence[object], kind: Kind, place: Place) -> Sequence[Hashable]:
    """Return the values of a declared kind. Raises what `table_of_kinds` raises."""
    if not values:
        return []
    rows = [[value] for value in values]
    table = table_of_kinds(rows, ["x"], {"x": kind}, lambda row, _: place(row))
    return table.attributes[0].values(range(len(rows)))


def _is_list(cell: object) -> bool:
    return isinstance(cell, (list, tuple, set, frozenset, dict)) or getattr(cell, "ndim", 0) > 0


def hashable(cell: Any) -> Hashable:
    """Return a key that is equal for equal cells.

    Cells may be lists and mappings, too.

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


def _codes(
    labels: Sequence[Hashable], lacks: Sequence[bool], codes: dict[Hashable, int]
) -> list[int]:
    """Return codes that are equal where labels are.

    They are MISSING, SUPPRESSED, and numbers from 2 on.
    """
    return [
        MISSING if gap else codes.setdefault(label, len(codes) + 1)
        for label, gap in zip(labels, lacks, strict=True)
    ]


def check_none_missing(cells: Cells, data: object) -> None:
    """Raise MissingValue for the first missing cell of these data."""
    for name, column in zip(cells.names, cells.columns, strict=True):
        if MISSING in column:
            raise missing_value(place_in(data, column.index(MISSING), name))
