"""Numeric tables, exact: what the library computes on.

A column is a list of whole numbers over one common denominator, so that every
value is a rational number and no arithmetic on it rounds. Floats are taken at
their exact binary value, decimals and decimal text at their exact decimal one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from numbers import Rational
from typing import Any

from refagg.data.foreign import named_rows
from refagg.errors import (
    DuplicateColumn,
    EmptyTable,
    InvalidParameter,
    MissingValue,
    NotANumber,
    NotFinite,
    RaggedRow,
    UnknownColumn,
)
from refagg.language.partition import Record

MISSING_POLICIES = ("reject",)
"""What can be done about a missing value. A policy is always named, never implied."""


@dataclass(frozen=True, slots=True)
class Column:
    """The values numerators[i] / denominator of one numeric attribute."""

    name: str
    numerators: Sequence[int]
    denominator: int

    def __getitem__(self, record: Record) -> Fraction:
        return Fraction(self.numerators[record], self.denominator)

    def values(self, records: Iterable[Record]) -> list[Fraction]:
        """The values of some records, in their order."""
        return [self[record] for record in records]


@dataclass(frozen=True, slots=True)
class Table:
    """n records of numeric attributes, column by column; the order of the records is kept."""

    columns: tuple[Column, ...]

    @property
    def n(self) -> int:
        return len(self.columns[0].numerators)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def row(self, record: Record) -> tuple[Fraction, ...]:
        """The values of one record."""
        return tuple(column[record] for column in self.columns)

    def select(self, names: Sequence[str]) -> Table:
        """The table of these attributes, in this order.

        Raises UnknownColumn, EmptyTable, or DuplicateColumn if one is named twice.
        """
        check_columns(names, self.names)
        if not names:
            raise EmptyTable("no column is chosen")
        by_name = dict(zip(self.names, self.columns, strict=True))
        return Table(tuple(by_name[name] for name in names))

    def take(self, records: Sequence[Record]) -> Table:
        """The table of these records, numbered anew from 0."""
        return Table(
            tuple(
                Column(c.name, [c.numerators[r] for r in records], c.denominator)
                for c in self.columns
            )
        )


def check_columns(wanted: Sequence[str], known: Sequence[str], where: str = "the table") -> None:
    """Raise UnknownColumn or DuplicateColumn unless `wanted` are different names of `known`."""
    for position, name in enumerate(wanted):
        if name not in known:
            raise UnknownColumn(
                f"{where} has no column {name!r}; its columns are {', '.join(known)}"
            )
        if name in wanted[:position]:
            raise DuplicateColumn(f"column {name!r} is named twice")


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


def decimal_places_of(denominator: int) -> int | None:
    """The fewest decimals that write all multiples of 1 / denominator; None if no decimals do.

    >>> decimal_places_of(8), decimal_places_of(3)
    (3, None)
    """
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def column_of(name: str, values: Iterable[Fraction]) -> Column:
    """A column over the least common denominator of its values."""
    values = list(values)
    denominator = lcm(*(value.denominator for value in values))
    numerators = [value.numerator * (denominator // value.denominator) for value in values]
    return Column(name, numerators, denominator)


def reduced(name: str, numerators: list[int], denominator: int) -> Column:
    """The column in lowest terms."""
    divisor = gcd(denominator, *numerators)
    if divisor == 1:
        return Column(name, numerators, denominator)
    return Column(name, [number // divisor for number in numerators], denominator // divisor)


def table_of(data: Any, names: Sequence[str] | None = None, missing: str = "reject") -> Table:
    """The exact table of data as people have them.

    `data` is a sequence of rows of int, float, Fraction or Decimal (or of mappings with the
    same keys), a mapping from column names to columns, a NumPy array (two-dimensional or
    structured), a pandas or polars frame, or an Arrow table (none of these libraries is
    imported). Columns without a name are called x1, x2, ... A Table is returned as it is.

    Raises NotATable, EmptyTable, RaggedRow, DuplicateColumn, NotANumber, NotFinite,
    MissingValue (for NaN as for None); rows and columns in the messages count from 0 and 1.
    """
    check_missing_policy(missing)
    if isinstance(data, Table):
        return data if names is None else data.select(names)
    found, rows = named_rows(data)
    if not rows:
        raise EmptyTable("the table has no record")
    width = len(rows[0])
    own = [f"x{j + 1}" for j in range(width)] if found is None else found
    if names is not None and found is None:
        own, names = list(names), None
    check_names(own)
    if names is not None and not names:
        raise EmptyTable("no column is chosen")
    for number, row in enumerate(rows):
        if len(row) != len(own):
            raise RaggedRow(f"row {number} has {len(row)} values, the table has {len(own)} columns")
    wanted = own if names is None else names
    check_columns(wanted, own)
    return Table(
        tuple(
            column_of(
                name,
                [_exact(row[j], f"row {i}, column {name!r}") for i, row in enumerate(rows)],
            )
            for name, j in ((name, own.index(name)) for name in wanted)
        )
    )


def check_missing_policy(missing: str) -> None:
    """Raise InvalidParameter unless the policy is one of MISSING_POLICIES."""
    if missing not in MISSING_POLICIES:
        raise InvalidParameter(
            f"the policy for missing values is {missing!r}; it can be {', '.join(MISSING_POLICIES)}"
        )


def is_missing(value: Any) -> bool:
    """Is it one of the ways to say that there is no value: None, NaN, NA, NaT? No text is."""
    if isinstance(value, (str, bytes)):
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    return value is None or str(value) in ("<NA>", "NaT") or bool(value != value)


def _exact(value: Any, where: str) -> Fraction:
    if isinstance(value, (bool, str, bytes)):
        raise NotANumber(f"{where}: {value!r} is not a number")
    if isinstance(value, (int, Rational)):
        return Fraction(int(value.numerator), int(value.denominator))
    if is_missing(value):
        raise MissingValue(f"{where}: the value is missing ({value}), and the policy is to reject")
    if not (isinstance(value, (float, Decimal)) or hasattr(value, "as_integer_ratio")):
        raise NotANumber(f"{where}: {value!r} is not a number")
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise NotFinite(f"{where}: {value} is not a finite number") from None
    return Fraction(int(numerator), int(denominator))


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"
