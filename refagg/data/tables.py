"""Tables, exact: what the library computes on.

A column of numbers holds integers over one common denominator, so that every
value is a rational number and no arithmetic on it rounds. Floats are taken at
their exact binary value, decimals and decimal text at their exact decimal one.
Attributes of other kinds hold texts, or sequences of events.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import frexp, gcd, lcm
from numbers import Rational
from operator import mul
from sys import float_info
from typing import Any

from refagg import errors
from refagg.data.foreign import ReadFile, named_rows, selected_columns
from refagg.data.kinds import (
    NUMERIC,
    Events,
    Kind,
    Value,
    check_not_empty,
    declaration,
    is_missing,
    kind_of,
    text_or_events,
)
from refagg.data.moments import numbers_of_moments, with_unit
from refagg.data.rows import MOST_COLUMNS, check_names
from refagg.language.lists import listed, question_for
from refagg.language.number_texts import MOST_BITS, exactly, number_of
from refagg.language.partition import Record


@dataclass(frozen=True)
class Column:
    """The values numerators[i] / denominator of one numeric attribute.

    Those of dates and datetimes, as the kind says, are numbers of days or seconds.
    """

    name: str
    numerators: Sequence[int] = field(repr=False)
    denominator: int
    kind: Kind = NUMERIC

    def __post_init__(self) -> None:
        """Keep integers of 64 bits as an array, which takes less memory."""
        with suppress(OverflowError):
            object.__setattr__(self, "numerators", array("q", self.numerators))

    def __getitem__(self, record: Record) -> Fraction:
        return Fraction(self.numerators[record], self.denominator)

    @cached_property
    def sums(self) -> tuple[int, int, int, int]:
        """The sum, sum of squares, least and greatest of the numerators."""
        numbers = self.numerators
        return sum(numbers), sum(map(mul, numbers, numbers)), min(numbers), max(numbers)

    @property
    def labels(self) -> Sequence[Hashable]:
        """Something for each record that is equal where values are."""
        return self.numerators

    def values(self, records: Iterable[Record]) -> list[Fraction]:
        """The values of some records, in their order."""
        return [self[record] for record in records]

    def take(self, records: Iterable[Record]) -> Column:
        """The column of these records."""
        return Column(self.name, [self.numerators[r] for r in records], self.denominator, self.kind)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute without numbers.

    Categories are texts, sequences are tuples of events.
    """

    name: str
    kind: Kind
    cells: tuple[str | Events, ...] = field(repr=False)

    def __getitem__(self, record: Record) -> str | Events:
        return self.cells[record]

    @property
    def labels(self) -> Sequence[Hashable]:
        """Something for each record that is equal where values are."""
        return self.cells

    def values(self, records: Iterable[Record]) -> list[str | Events]:
        """The values of some records, in their order."""
        return [self.cells[record] for record in records]

    def text(self, cell: str | Events) -> str:
        """A category, or a sequence with the separator of its kind."""
        return cell if isinstance(cell, str) else self.kind.separator.join(cell)

    def take(self, records: Iterable[Record]) -> Attribute:
        """The attribute of these records."""
        return Attribute(self.name, self.kind, tuple(self.cells[record] for record in records))


@dataclass(frozen=True, slots=True)
class Table:
    """n records of attributes, stored attribute by attribute.

    The order of the records is kept. `columns` are the numeric attributes, `others` those of other
    kinds; `order` has the names of all, as they stood in the data, where there are others.
    """

    columns: tuple[Column, ...]
    others: tuple[Attribute, ...] = ()
    order: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Table of {self.n} records and {len(self.names)} attributes>"

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.columns[0].numerators if self.columns else self.others[0].cells)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all attributes, in the order of the table."""
        return self.order or tuple(column.name for column in self.columns)

    @property
    def attributes(self) -> tuple[Column | Attribute, ...]:
        """All attributes, in their order."""
        if not self.others:
            return self.columns
        by_name: dict[str, Column | Attribute] = {a.name: a for a in self.columns}
        by_name |= {a.name: a for a in self.others}
        return tuple(by_name[name] for name in self.names)

    @property
    def numbers(self) -> Table:
        """The numeric attributes by themselves."""
        return Table(self.columns)

    def row(self, record: Record) -> tuple[Fraction, ...]:
        """The numbers of one record."""
        return tuple(column[record] for column in self.columns)

    def values(self, record: Record) -> tuple[Value, ...]:
        """All values of one record."""
        return tuple(attribute[record] for attribute in self.attributes)

    def select(self, names: Sequence[str]) -> Table:
        """The table of these attributes, in this order.

        Raises UnknownColumn, EmptyTable, or DuplicateColumn if one is named twice.
        """
        check_columns(names, self.names)
        if not names:
            raise errors.EmptyTable("no column is chosen")
        by_name = {attribute.name: attribute for attribute in self.attributes}
        return table_with([by_name[name] for name in names])

    def take(self, records: Sequence[Record]) -> Table:
        """The table of these records, numbered again from 0."""
        columns = tuple(column.take(records) for column in self.columns)
        return Table(columns, tuple(other.take(records) for other in self.others), self.order)


def differences(ours: Column, theirs: Column) -> tuple[list[int], int]:
    """Return each record's difference of two columns, and its divisor."""
    a, b = theirs.denominator, ours.denominator
    pairs = zip(ours.numerators, theirs.numerators, strict=True)
    return [x * a - y * b for x, y in pairs], a * b


def squared_differences(ours: Column, theirs: Column) -> Fraction:
    """Return the sum of the squared differences of two columns."""
    a, b = theirs.denominator, ours.denominator
    products = sum(map(mul, ours.numerators, theirs.numerators))
    squares = ours.sums[1] * a * a - 2 * products * a * b + theirs.sums[1] * b * b
    return Fraction(squares, (a * b) ** 2)


def with_numbers(table: Table, columns: Iterable[Iterable[Fraction]]) -> Table:
    """Return the table with other values in its numeric columns."""
    pairs = zip(table.columns, columns, strict=True)
    numbers = tuple(column_of(column.name, values, column.kind) for column, values in pairs)
    return Table(numbers, table.others, table.order)


def table_with(attributes: Sequence[Column | Attribute]) -> Table:
    """The table of these attributes, in their order."""
    columns = tuple(a for a in attributes if isinstance(a, Column))
    others = tuple(a for a in attributes if isinstance(a, Attribute))
    return Table(columns, others, tuple(a.name for a in attributes) if others else ())


def check_columns(wanted: Sequence[str], known: Sequence[str], where: str = "the table") -> None:
    """Raise UnknownColumn or DuplicateColumn unless `wanted` are different names of `known`."""
    there, seen = set(known), set[str]()
    for name in wanted:
        if not isinstance(name, str) or name not in there:
            kind = "" if isinstance(name, str) else f" (names are texts, as {str(name)!r})"
            raise errors.UnknownColumn(
                f"{where} has no column {name!r}{kind}; {question_for(name, known)}"
                f"its columns are {', '.join(known)}"
            )
        if name in seen:
            raise errors.DuplicateColumn(f"column {name!r} is named twice")
        seen.add(name)


def decimal_places_of(denominator: int) -> int | None:
    """Return the fewest decimals that write all multiples of 1 / denominator.

    None if no decimals do.

    >>> decimal_places_of(8), decimal_places_of(3)
    (3, None)
    """
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def column_of(name: str, values: Iterable[Fraction], kind: Kind = NUMERIC) -> Column:
    """A column over the least common denominator of its values."""
    values = list(values)
    denominator = lcm(*(value.denominator for value in values))
    numerators = [value.numerator * (denominator // value.denominator) for value in values]
    return Column(name, numerators, denominator, kind)


def reduced_column(name: str, numerators: list[int], denominator: int) -> Column:
    """The column in lowest terms."""
    divisor = gcd(denominator, *numerators)
    if divisor == 1:
        return Column(name, numerators, denominator)
    return Column(name, [number // divisor for number in numerators], denominator // divisor)


def joined_column(parts: Sequence[Column]) -> Column:
    """The columns one after the other, under the name of the first."""
    unit = lcm(*(part.denominator for part in parts))
    numerators: list[int] = []
    for part in parts:
        factor = unit // part.denominator
        numerators += part.numerators if factor == 1 else [x * factor for x in part.numerators]
    return reduced_column(parts[0].name, numerators, unit)


def table_of(
    data: object, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> Table:
    """The exact table of data in any of the supported forms.

    `data` is a sequence of rows of int, float, Fraction or Decimal (or of mappings with the
    same keys), a mapping from column names to columns, a NumPy array (two-dimensional or
    structured), a pandas or polars frame, or an Arrow table (none of these libraries is
    imported). Columns without a name are called x1, x2, ... A Table is returned as it is.
    `kinds` declares, by name, the attributes that are not numbers, as `kind_of` reads them.
    A missing value is an error.

    Raises NotATable, EmptyTable, RaggedRow, DuplicateColumn, NotANumber, NotFinite,
    MissingValue (for NaN as for None), and with kinds InvalidKind, UnknownColumn,
    UnknownCategory; rows and columns in the messages count from 0 and 1.

    >>> import refagg
    >>> table = refagg.table_of({"pay": [1, 2.5], "age": [30, 40]})
    >>> table.names, table.row(1)
    (('pay', 'age'), (Fraction(5, 2), Fraction(40, 1)))
    """
    if names is not None:
        names = listed(names, "the columns chosen are", "give a list of names")
    if isinstance(data, Table):
        return data if names is None else data.select(names)
    if isinstance(data, ReadFile):
        whole: Table = data.table(data.header if names is None else names, kinds)
        return whole
    found, rows = _names_and_rows(data)
    if not rows:
        raise errors.EmptyTable("the table has no record")
    own = _own_names(found, names, len(rows[0]))
    names = None if found is None else names
    if names is not None and not names:
        raise errors.EmptyTable("no column is chosen")
    check_lengths(rows, own)
    wanted = own if names is None else names
    check_columns(wanted, own)
    places = {name: j for j, name in enumerate(own)}
    positions = [places[name] for name in wanted]
    if kinds is not None:
        check_declared(kinds, own)
        declared = {name: kind_of(kinds[name]) if name in kinds else NUMERIC for name in wanted}
        return table_of_kinds([[row[j] for j in positions] for row in rows], wanted, declared)
    chosen = zip(wanted, positions, strict=True)
    return Table(tuple(_numeric(name, [row[j] for row in rows]) for name, j in chosen))


def _names_and_rows(data: object) -> tuple[list[str] | None, Sequence[Sequence[object]]]:
    """Column names, if the data have any, and rows. Raises NotATable, RaggedRow."""
    if isinstance(data, list) and all(isinstance(row, (list, tuple)) for row in data):
        return None, data
    return named_rows(data)


def _own_names(found: list[str] | None, chosen: Sequence[str] | None, width: int) -> list[str]:
    """Return the names of the columns: x1, x2, ... by default.

    Raises DuplicateColumn.
    """
    given = chosen if found is None else found
    own = [f"x{j + 1}" for j in range(width)] if given is None else list(given)
    if given is not None or not 0 < width <= MOST_COLUMNS:  # x1, x2, ... differ
        check_names(own)
    return own


def check_lengths(rows: Sequence[Sequence[object]], own: Sequence[str]) -> None:
    """Raise RaggedRow unless each row has a value for each column."""
    if set(map(len, rows)) == {len(own)}:
        return
    for number, row in enumerate(rows):
        if len(row) != len(own):
            raise errors.RaggedRow(
                f"row {number} has {len(row)} values, the table has {len(own)} columns"
            )


def without_columns(data: object, names: Sequence[str]) -> object:
    """Return the data without these columns.

    The data must have names; the result is an object of the same kind. Raises UnknownColumn,
    DuplicateColumn, EmptyTable, InvalidParameter.
    """
    if not names:
        return data
    found = data.names if isinstance(data, Table) else named_rows(data)[0]
    if found is None:
        raise errors.InvalidParameter("columns without names cannot be dropped")
    check_columns(names, found)
    left = [name for name in found if name not in names]
    check_names(left)
    return data.select(left) if isinstance(data, Table) else selected_columns(data, left)


def table_of_kinds(
    rows: Iterable[Sequence[object]],
    names: Sequence[str],
    kinds: Mapping[str, Kind],
    place: Callable[[int, str], str] = lambda row, name: f"row {row}, column {name!r}",
) -> Table:
    """The table of rows of texts or values; `kinds` declares each column.

    Sequences are texts with the separator, or lists of events; the empty text is the sequence
    without events, but a missing value for every other kind. `place` says where a cell is, for
    messages. Raises InvalidKind for a column without a kind, UnknownColumn for a kind without a
    column, EmptyTable, DuplicateColumn, RaggedRow, MissingValue, NotANumber, UnknownCategory.

    >>> kinds = {"age": NUMERIC, "route": kind_of("sequence:>")}
    >>> table_of_kinds([["31", "a>b"], ["40", ""]], ["age", "route"], kinds).values(0)
    (Fraction(31, 1), ('a', 'b'))
    """
    listed = list(rows)
    check_names(names)
    if not listed:
        raise errors.EmptyTable("the table has no record")
    check_declared(kinds, names)
    for name in names:
        if name not in kinds:
            raise errors.InvalidKind(f"column {name!r} has no declared kind")
    check_lengths(listed, names)
    return table_with(
        [
            _declared(name, kinds[name], [(row[j], place(i, name)) for i, row in enumerate(listed)])
            for j, name in enumerate(names)
        ]
    )


def check_declared(kinds: object, names: Sequence[str]) -> None:
    """Raise InvalidKind unless kinds are a mapping.

    Raises UnknownColumn for a column that is not there.
    """
    if not isinstance(kinds, Mapping):
        raise errors.InvalidKind(
            f"kinds are {kinds!r}; give each with its attribute's name, as {{'job': 'nominal'}}"
        )
    check_columns(list(kinds), names)


def _declared(name: str, kind: Kind, cells: Sequence[tuple[object, str]]) -> Column | Attribute:
    """The attribute of some cells, each with where it is."""
    if kind.timed:
        return column_of(name, numbers_of_moments(kind, cells), with_unit(kind, cells))
    if kind.name == "numeric":
        return column_of(name, [number_in(cell, where) for cell, where in cells])
    return Attribute(name, kind, tuple(text_or_events(cell, kind, where) for cell, where in cells))


def number_in(cell: object, where: str) -> Fraction:
    """Return a number, or the number of a text.

    Raises NotANumber, NotFinite, MissingValue.
    """
    check_not_empty(cell, where)
    if not isinstance(cell, str):
        return _exact(cell, where)
    try:
        return number_of(cell, where)
    except errors.NotANumber as error:
        raise errors.NotANumber(f"{error}{declaration(cell, where)}") from None


def records_in(data: object) -> int:
    """Return the number of records of data as `table_of` takes them."""
    return data.n if isinstance(data, Table) else len(named_rows(data)[1])


def _numeric(name: str, cells: list[Any]) -> Column:
    """The column of these cells. Raises MissingValue, NotANumber, NotFinite."""
    types = set(map(type, cells))
    if types == {int} and max(max(cells), -min(cells)).bit_length() <= MOST_BITS:
        return Column(name, cells, 1)
    if types <= {int, float}:
        with suppress(ValueError, OverflowError):  # NaN and infinity: below it is said where
            floats = list(map(float, cells))
            if floats == cells:
                least = min(map(abs, filter(None, floats)), default=1.0)
                bits = max(0, float_info.mant_dig - frexp(least)[1])
                factor = 2.0**bits
                return reduced_column(name, [int(x * factor) for x in floats], 1 << bits)
    where = f", column {name!r}"
    return column_of(name, [_exact(cell, f"row {i}{where}") for i, cell in enumerate(cells)])


def _exact(value: object, where: str) -> Fraction:
    if is_missing(value):
        raise errors.missing_value(where, value)
    try:
        return exactly(value, where)
    except errors.NotANumber as error:
        counts = isinstance(value, (Decimal, Rational)) and not isinstance(value, bool)
        hint = "" if counts else declaration(value, where)
        raise errors.NotANumber(f"{error}{hint}") from None
