"""What an attribute is: numbers, categories, ordered categories, or sequences of events.

What kind an attribute is of is never guessed. Numbers are exact; everything else is text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from refagg.errors import InvalidKind, MissingValue, UnknownCategory, missing_value

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
    if not isinstance(text, str):
        raise InvalidKind(f"the kind is {text!r}; it must be a text, as 'nominal'")
    name, colon, rest = text.partition(":")
    if name not in KINDS:
        raise InvalidKind(f"unknown kind {text!r}; choose {', '.join(KINDS)}")
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


def is_missing(value: Any) -> bool:
    """Is it one of the ways to say that there is no value: None, NaN, NA, NaT? No text is."""
    if isinstance(value, (str, bytes)):
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    return value is None or str(value) in ("<NA>", "NaT") or bool(value != value)


def text_or_events(cell: Any, kind: Kind, where: str) -> str | Events:
    """The category, or the events of a sequence, that a cell holds.

    Raises MissingValue, InvalidKind, UnknownCategory; `where` says where the cell is.
    """
    if is_missing(cell):
        raise missing_value(where)
    if kind.name == "sequence":
        return _events(cell, kind, where)
    check_not_empty(cell, where)
    text = str(cell)
    if kind.categories and text not in kind.categories:
        raise UnknownCategory(
            f"{where}: {text!r} is not one of the categories {', '.join(kind.categories)}"
        )
    return text


def check_not_empty(cell: Any, where: str) -> None:
    """Raise MissingValue for an empty text."""
    if isinstance(cell, str) and not cell.strip():
        raise missing_value(where)


def _events(cell: Any, kind: Kind, where: str) -> Events:
    if not isinstance(cell, str):
        if not isinstance(cell, Iterable):
            raise InvalidKind(f"{where}: {cell!r} is not a sequence of events")
        if any(map(is_missing, cell)):
            raise MissingValue(f"{where}: an event of {cell!r} is missing")
        events = tuple(map(str, cell))
    else:
        events = tuple(cell.split(kind.separator)) if cell else ()
    if not all(events):
        raise MissingValue(f"{where}: an event of {cell!r} is empty")
    return events
