"""Tables whose attributes are of any declared kind: numbers, categories, ordered categories,
sequences of events.

What kind an attribute is of is never guessed. Numbers are exact; everything else is text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refagg.data.foreign import given_rows
from refagg.data.tables import Column, check_columns, check_names, column_of, is_missing
from refagg.errors import (
    EmptyTable,
    InvalidKind,
    MissingValue,
    NotANumber,
    RaggedRow,
    UnknownCategory,
    UnknownColumn,
)
from refagg.language.numerals import number_of
from refagg.language.partition import Record

Events = tuple[str, ...]
Value = Fraction | str | Events
"""A number, a category, or a sequence of events."""

KINDS = ("numeric", "nominal", "ordinal", "sequence")


@dataclass(frozen=True, slots=True)
class Kind:
    """What an attribute is.

    `categories` are those that it can have: all of an ordinal one, from the lowest to the
    highest; of a nominal one, empty where any text is a category. `separator` stands between
    the events of a sequence.
    """

    name: str
    categories: tuple[str, ...] = ()
    separator: str = ""


NUMERIC, NOMINAL = Kind("numeric"), Kind("nominal")


def kind_of(text: str) -> Kind:
    """The kind that a text declares.

    "numeric"; "nominal", or "nominal:red|green" with all its categories; "ordinal:low<mid<high";
    "sequence:>" with what stands between events. Raises InvalidKind.

    >>> kind_of("ordinal:low<mid<high").categories
    ('low', 'mid', 'high')
    >>> kind_of("sequence:>").separator
    '>'
    """
    name, colon, rest = text.partition(":")
    if name not in KINDS:
        raise InvalidKind(f"{text!r} declares no kind; the kinds are {', '.join(KINDS)}")
    if name == "numeric":
        if colon:
            raise InvalidKind(f"{text!r}: nothing can be said about a numeric attribute")
        return NUMERIC
    if name == "sequence":
        if not rest:
            raise InvalidKind(f"{text!r}: say what stands between events, as in sequence:>")
        return Kind(name, (), rest)
    categories = _categories(text, rest, "<" if name == "ordinal" else "|") if colon else ()
    if name == "ordinal" and len(categories) < 1:
        raise InvalidKind(f"{text!r}: say the order of the categories, as in ordinal:low<high")
    return Kind(name, categories)


def _categories(text: str, rest: str, between: str) -> tuple[str, ...]:
    categories = tuple(part.strip() for part in rest.split(between))
    if not all(categories):
        raise InvalidKind(f"{text!r} names an empty category")
    for position, category in enumerate(categories):
        if category in categories[:position]:
            raise InvalidKind(f"{text!r} names the category {category!r} twice")
    return categories


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of all records. Ordinal and nominal values are texts, sequences tuples."""

    name: str
    kind: Kind
    values: tuple[Value, ...]

    def numeric(self) -> Column:
        """The column of a numeric attribute."""
        return column_of(self.name, (Fraction(value) for value in self.values))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Frame:
    """n records of attributes of any kind; the order of the records is kept."""

    attributes: tuple[Attribute, ...]

    @property
    def n(self) -> int:
        return len(self.attributes[0].values)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    def row(self, record: Record) -> tuple[Value, ...]:
        """The values of one record."""
        return tuple(attribute.values[record] for attribute in self.attributes)

    def attribute(self, name: str) -> Attribute:
        """The attribute of this name. Raises UnknownColumn."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise UnknownColumn(f"there is no column {name!r}; there are {', '.join(self.names)}")

    def take(self, records: Sequence[Record]) -> Frame:
        """The frame of some records, in this order."""
        return Frame(
            tuple(
                Attribute(a.name, a.kind, tuple(a.values[record] for record in records))
                for a in self.attributes
            )
        )


def frame_of(
    rows: Iterable[Sequence[Any]],
    names: Sequence[str],
    kinds: Mapping[str, Kind],
    place: Callable[[int, str], str] = lambda row, name: f"row {row}, column {name!r}",
) -> Frame:
    """The frame of rows of texts or values; `kinds` declares each column.

    Sequences are texts with the separator, or lists of events; the empty text is the sequence
    without events, but a missing value for every other kind. `place` says where a cell is, for
    messages. Raises InvalidKind for a column without a kind, UnknownColumn for a kind without a
    column, EmptyTable, DuplicateColumn, RaggedRow, MissingValue, NotANumber, UnknownCategory.

    >>> kinds = {"age": NUMERIC, "route": kind_of("sequence:>")}
    >>> frame_of([["31", "a>b"], ["40", ""]], ["age", "route"], kinds).row(0)
    (Fraction(31, 1), ('a', 'b'))
    """
    table = list(rows)
    check_names(names)
    if not table:
        raise EmptyTable("the table has no record")
    for name in kinds:
        if name not in names:
            raise UnknownColumn(f"there is no column {name!r}; there are {', '.join(names)}")
    for name in names:
        if name not in kinds:
            raise InvalidKind(f"of what kind column {name!r} is has not been declared")
    for number, row in enumerate(table):
        if len(row) != len(names):
            raise RaggedRow(f"row {number} has {len(row)} values for {len(names)} columns")
    return Frame(
        tuple(
            Attribute(
                name,
                kinds[name],
                tuple(_value(row[j], kinds[name], place(i, name)) for i, row in enumerate(table)),
            )
            for j, name in enumerate(names)
        )
    )


def frame_of_data(
    data: Any, kinds: Mapping[str, str], wanted: Sequence[str] | None = None
) -> Frame:
    """The frame of data as people have them, or of the attributes that are wanted.

    Attributes without a kind are numeric. A Frame is returned as it is. Raises what `given_rows`,
    `kind_of` and `frame_of` raise, and UnknownColumn, DuplicateColumn.
    """
    if isinstance(data, Frame):
        return data
    names, rows = given_rows(data)
    if wanted is not None:
        check_columns(wanted, names)
        places = [names.index(name) for name in wanted]
        names, rows = list(wanted), [[row[place] for place in places] for row in rows]
    declared = dict.fromkeys(names, NUMERIC) | {n: kind_of(text) for n, text in kinds.items()}
    return frame_of(rows, names, declared)


def _value(cell: Any, kind: Kind, where: str) -> Value:
    if cell is None or (kind.name != "numeric" and is_missing(cell)):
        raise MissingValue(f"{where}: the value is missing, and the policy is to reject")
    if kind.name == "sequence":
        return _events(cell, kind, where)
    if isinstance(cell, str) and not cell.strip():
        raise MissingValue(f"{where}: the value is missing, and the policy is to reject")
    if kind.name == "numeric":
        return _number(cell, where)
    text = str(cell)
    if kind.categories and text not in kind.categories:
        raise UnknownCategory(
            f"{where}: {text!r} is not one of the categories {', '.join(kind.categories)}"
        )
    return text


def _number(cell: Any, where: str) -> Fraction:
    if isinstance(cell, bool):
        raise NotANumber(f"{where}: {cell!r} is not a number")
    if isinstance(cell, str):
        return number_of(cell, where)
    try:
        return Fraction(cell)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise NotANumber(f"{where}: {cell!r} is not a finite number") from None


def _events(cell: Any, kind: Kind, where: str) -> Events:
    if not isinstance(cell, str):
        if not isinstance(cell, Iterable):
            raise InvalidKind(f"{where}: {cell!r} is no sequence of events")
        if any(map(is_missing, cell)):
            raise MissingValue(f"{where}: an event of {cell!r} is missing")
        events = tuple(map(str, cell))
    else:
        events = tuple(cell.split(kind.separator)) if cell else ()
    if not all(events):
        raise MissingValue(f"{where}: an event of {cell!r} is empty")
    return events
