"""Kinds of attributes: numbers, categories, ordered categories, sequences of events.

The kind of an attribute is never guessed. Numbers are exact; everything else is text. Dates are
numbers of days, times of day numbers of seconds, booleans nominal with two categories.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import cast
from warnings import catch_warnings

from refagg.errors import InvalidKind, MissingValue, UnknownCategory, missing_value
from refagg.language.lists import check_one_of
from refagg.language.number_texts import shortened, text_of

Events = tuple[str, ...]
Value = Fraction | str | Events
"""A number, a category, or a sequence of events."""

KINDS = ("numeric", "nominal", "ordinal", "sequence")
"""By which attributes are compared and aggregated."""

DECLARED = (*KINDS, "date", "datetime", "boolean")
"""By which they are declared."""

MISSING = frozenset({"", "NA", "N/A", "<NA>", "NULL", "null", "None", ".", "?"})
"""Cells that say that a number, a date or a boolean is missing."""

AMBIGUOUS = frozenset({".", "?"})
"""Those that may be texts, where nothing says that a column has numbers."""

TRUTH = {"true": "true", "t": "true", "1": "true", "1.0": "true"} | {
    "false": "false",
    "f": "false",
    "0": "false",
    "0.0": "false",
}
"""The category of a boolean by its text in lower case, unless two words are declared."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of an attribute.

    `categories` are those that it can have: all of an ordinal one, from the lowest to the
    highest; of a nominal one, empty where any text is a category. `separator` stands between
    the events of a sequence. `type` is "date", "datetime" or "boolean" where values are of one,
    and `pattern` how their texts are written, if it was declared. `unit` are the seconds to which
    the texts of times are written; 0 where they are not texts.
    """

    name: str
    categories: tuple[str, ...] = ()
    separator: str = ""
    type: str = ""
    pattern: str = ""
    unit: Fraction = field(default=Fraction(0), compare=False)

    @property
    def title(self) -> str:
        """The kind as it is declared, without its details."""
        return self.type or self.name

    @property
    def timed(self) -> bool:
        """Return True if values are dates or times.

        They are numbers of days or seconds.
        """
        return self.type in ("date", "datetime")


NUMERIC, NOMINAL = Kind("numeric"), Kind("nominal")


def kind_of(text: str) -> Kind:
    """The kind that a text declares.

    "numeric"; "nominal", or "nominal:red|green" with all its categories; "ordinal:low<mid<high";
    "sequence:>" with what stands between events; "date" and "datetime", or "date:%d.%m.%Y" where
    texts are not ISO 8601; "boolean", or "boolean:yes|no". Raises InvalidKind.

    >>> kind_of("ordinal:low<mid<high").categories
    ('low', 'mid', 'high')
    >>> kind_of("sequence:>").separator
    '>'
    """
    if not isinstance(text, str):
        raise InvalidKind(f"the kind is {text!r}; it must be a text, as 'nominal'")
    name, colon, rest = text.partition(":")
    check_one_of(name, DECLARED, "there is no kind", InvalidKind, "there are")
    if name not in KINDS:
        return _typed(text, name, rest, bool(colon))
    if name == "numeric":
        if colon:
            raise InvalidKind(f"{text!r}: nothing can be said about a numeric attribute")
        return NUMERIC
    if name == "sequence":
        if not rest:
            raise InvalidKind(f"{text!r}: give the separator of events, as in sequence:>")
        return Kind(name, (), rest)
    categories = _categories(text, rest, "<" if name == "ordinal" else "|") if colon else ()
    if name == "ordinal" and len(categories) < 1:
        raise InvalidKind(f"{text!r}: give the order of the categories, as in ordinal:low<high")
    return Kind(name, categories)


def _categories(text: str, rest: str, between: str) -> tuple[str, ...]:
    categories = tuple(part.strip() for part in rest.split(between))
    if not all(categories):
        raise InvalidKind(f"{text!r} names an empty category")
    for position, category in enumerate(categories):
        if category in categories[:position]:
            raise InvalidKind(f"{text!r} names the category {category!r} twice")
    return categories


def _typed(text: str, name: str, rest: str, colon: bool) -> Kind:
    """Return the kind of dates, datetimes or booleans.

    The rest of the text says what their texts are like.
    """
    if name != "boolean":
        if colon:
            check_pattern(name, rest)
        return Kind("numeric", type=name, pattern=rest)
    if colon and len(_categories(text, rest, "|")) != 2:
        raise InvalidKind(f"{text!r}: give the words for true and false, as boolean:yes|no")
    return Kind("nominal", ("false", "true"), type=name, pattern=rest)


def check_pattern(name: str, pattern: str) -> None:
    """Raise InvalidKind for a pattern that loses the day or minute.

    A date needs the day, a datetime the minute.
    """
    probe = datetime(2001, 12, 23, 16, 45) if name == "datetime" else datetime(2001, 12, 23)
    try:
        with catch_warnings(action="ignore"):  # of Python, where there is a day but no year
            found = datetime.strptime(probe.strftime(pattern), pattern).replace(tzinfo=None)
    except ValueError:
        found = None
    if found != probe:
        example = "date:%d.%m.%Y" if name == "date" else "datetime:%d.%m.%Y %H:%M"
        raise InvalidKind(
            f"{name + ':' + pattern!r} does not write a {name}; give all, as {example}"
        )


def declared_as(cell: object) -> str:
    """Return a kind that could read a non-numeric cell.

    It is "nominal" for any other text.
    """
    if not isinstance(cell, str):
        types = {"bool": "boolean", "bool_": "boolean", "date": "date"}
        timed = isinstance(cell, datetime) or "datetime64" in type(cell).__name__
        return "datetime" if timed else types.get(type(cell).__name__, "nominal")
    for kind, pattern in _WRITTEN.items():
        if re.fullmatch(pattern, cell.strip(), re.IGNORECASE | re.ASCII):
            return kind
    return "nominal"


def declaration(cell: object, where: str) -> str:
    """Return advice how to read a cell that is not a number.

    It names an option, or `kinds` in Python. A text that is neither a date nor a boolean, in a
    file, may as well be in no quasi-identifier: then nothing is said.

    >>> declaration("2020-01-31", "in.csv, line 2, column 'born'")
    '; --kind=born=date reads it'
    """
    place, _, name = where.rpartition("column ")
    kind, column = declared_as(cell), name or "'NAME'"
    if ", line " not in place:
        return f"; kinds={{{column}: {kind!r}}} reads it"
    option = shlex.quote(f"{column.strip(column[0])}={kind}")
    return "" if kind == "nominal" else f"; --kind={option} reads it"


_WRITTEN = {
    "boolean": r"true|false",
    "boolean:yes|no": r"yes|no",
    "date": r"\d{4}-\d\d-\d\d",
    "datetime": r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*",
    "date:%d.%m.%Y": r"\d\d?\.\d\d?\.\d{4}",
    "datetime:%d.%m.%Y %H:%M": r"\d\d?\.\d\d?\.\d{4} \d\d?:\d\d",
    "date:%m/%d/%Y": r"\d\d?/\d\d?/\d{4}",
}
"""How cells are written that a kind reads"""


def is_mark(cell: str) -> bool:
    """Return True if a cell marks a missing number, date or boolean."""
    return cell in MISSING or cell.lower() == "nan"


def is_missing(value: object) -> bool:
    """Return True for None, NaN, NA, NaT and masked values.

    It is never True for a text.
    """
    if isinstance(value, (str, bytes)):
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    try:
        return value is None or str(value) in ("<NA>", "NaT", "--") or bool(value != value)
    except (TypeError, ValueError, RecursionError):  # arrays and frames are not one value
        return False


def text_or_events(cell: object, kind: Kind, where: str) -> str | Events:
    """The category, or the events of a sequence, that a cell holds.

    Raises MissingValue, InvalidKind, UnknownCategory; `where` says where the cell is.
    """
    if is_missing(cell):
        raise missing_value(where)
    if kind.name == "sequence":
        return _events(cell, kind, where)
    check_not_empty(cell, where)
    if kind.type == "boolean":
        return _truth(cell, kind, where)
    text = text_of(cell, where)
    if kind.categories and text not in kind.categories:
        raise UnknownCategory(
            f"{where}: {text!r} is not one of the categories {', '.join(kind.categories)}"
        )
    return text


def check_not_empty(cell: object, where: str) -> None:
    """Raise MissingValue for an empty text."""
    if isinstance(cell, str) and not cell.strip():
        raise missing_value(where)


def _truth(cell: object, kind: Kind, where: str) -> str:
    """The category of a boolean: "true" or "false". Raises MissingValue, UnknownCategory."""
    text = str(cell).strip()
    words = [word.strip() for word in kind.pattern.split("|")] if kind.pattern else []
    known = dict(zip(words, ("true", "false"), strict=True)) if words else TRUTH
    found = known.get(text if words else text.lower())
    if found is None and not isinstance(cell, str):
        found = TRUTH.get(text.lower())
    if found is None:
        if text in MISSING:
            raise missing_value(where, text)
        expected = " or ".join(words) if words else "true or false, as boolean:yes|no declares them"
        raise UnknownCategory(f"{where}: {cell!r} is not {expected}")
    return found


def _events(cell: object, kind: Kind, where: str) -> Events:
    if not isinstance(cell, str):
        try:
            given = tuple(cast(Iterable[object], cell))
        except TypeError:
            raise InvalidKind(f"{where}: {shortened(cell)} is not a sequence of events") from None
        if any(map(is_missing, given)):
            raise MissingValue(f"{where}: an event of {cell!r} is missing")
        events = tuple(text_of(event, where) for event in given)
    else:
        events = tuple(cell.split(kind.separator)) if cell else ()
    if not all(events):
        raise MissingValue(f"{where}: an event of {cell!r} is empty")
    return events
