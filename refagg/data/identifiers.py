"""Detection of columns that could identify people.

Such columns are names, numbers, addresses, and values of one record alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

FEWEST = 5
"""As many records as a table must have for its different values to mean anything."""

NEARLY = 0.9
"""The share of the records that have a value of their own in a column that may identify them."""

MOST = 0.8
"""The share of the cells that must look alike."""

LOOKED_AT = 1000
"""The first cells of a column, whose looks count."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
_DATE = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](\d\d|\d{4})")
_NUMBER = re.compile(r"[+(]?\d[\d ()/.-]{5,}\d")
_PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d*)?")
_WORD = r"[^\W\d_][\w.'\u2019-]*"
_NAME = re.compile(rf"({_WORD},? )+{_WORD}")
_CALLED_NAME = re.compile(
    r"name|surname|nachname|vorname|nombre|apellido|nom|prenom", re.IGNORECASE
)


def hint_of(name: str, different: int, n: int, sample: Sequence[str]) -> str:
    """Return why a column may identify people, or an empty text.

    `different` is the number of different cells that are not empty, among n records; `sample` has
    some of the cells, as texts.

    >>> hint_of("phone", 6, 20, ["030 1234567", "+49 30 7654321"])
    'looks like telephone or identity numbers'
    >>> hint_of("zip", 3, 6, ["1010", "1020", "1030"])
    ''
    """
    if n >= FEWEST and different == n:
        return "different in every record: an identifier?"
    if n >= FEWEST and different >= NEARLY * n:
        return f"{different} different values in {n} records: an identifier?"
    cells = [cell.strip() for cell in sample if cell.strip()]
    if _most(cells, _MAIL.fullmatch):
        return "looks like e-mail addresses"
    if _most(cells, _is_long_number):
        return "looks like telephone or identity numbers"
    words = _most(cells, _is_name) and 2 * len(set(cells)) >= len(cells)
    return "looks like names" if words or (cells and _is_called_name(name, cells)) else ""


def hint_of_column(name: str, cells: Sequence[str]) -> str:
    """Return the same for all cells of a column, as texts."""
    return hint_of(name, len(set(cells) - {""}), len(cells), cells[:LOOKED_AT])


def named_with_hints(hints: Mapping[str, str]) -> str:
    """Return the names of some columns, each with its hint.

    >>> named_with_hints({"name": "looks like names", "zip": ""})
    'name (looks like names), zip'
    """
    return ", ".join(shown_name(name) + f" ({hint})" * bool(hint) for name, hint in hints.items())


def shown_name(name: str) -> str:
    """Return the name of a column for a reader."""
    return name or "(the column without a name)"


def _most(cells: Sequence[str], like: Callable[[str], object]) -> bool:
    return bool(cells) and len(list(filter(like, cells))) >= MOST * len(cells)


def _is_long_number(cell: str) -> bool:
    """Return True for seven or more digits that are an identifier.

    They are written neither as a number nor as a date.
    """
    if _PLAIN.fullmatch(cell) or _DATE.fullmatch(cell):
        return False
    return bool(_NUMBER.fullmatch(cell)) and sum(map(str.isdigit, cell)) >= 7


def _is_name(cell: str) -> bool:
    """Return True for two words or more that begin with capitals."""
    return bool(_NAME.fullmatch(cell)) and all(word[0].isupper() for word in cell.split())


def _is_called_name(name: str, cells: Sequence[str]) -> bool:
    """Return True if the header says name, and the cells are words."""
    words = [part for part in re.split(r"[\W_]+", name) if part]
    called = any(map(_CALLED_NAME.fullmatch, [name, *words])) or name.lower().endswith("name")
    return called and not any(map(str.isdigit, "".join(cells)))
