"""Columns beside the quasi-identifiers: unchanged or not, and the key.

They are compared cell by cell, as values: 1, 1.0 and "1.0" are equal, texts are equal as texts, and
a missing cell equals a missing cell. A column may change if the user says so. A column that the
release lacks is dropped; one that only the release has is examined by no check. All are named.
A key says which records of both tables belong together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracle.auditing.checks import KEY_HINT, REPORTED
from oracle.auditing.driver import Check, check_at, driven
from refagg.data.identifiers import hint_of_column, named_with_hints, shown_name
from refagg.data.kinds import AMBIGUOUS, MISSING, is_missing
from refagg.data.tables import check_columns
from refagg.errors import DuplicateKey, InvalidParameter, UnmatchedKey
from refagg.language.lists import listed
from refagg.language.number_texts import text_of, too_long

NAME, UNSEEN = "other columns", "not examined"

UNCHANGED, ROUNDED, CHANGED = "unchanged", "unchanged to double precision", "changed"
DROPPED, MAY_CHANGE, ADDED = "dropped", "may change", "only in the release"

ROUNDOFF = Fraction(1, 2**50)
"""The relative difference that reading and writing a number in binary64 may make."""

SHOWN = 6
"""Cells that a witness names."""

MANY = 1000
"""Cells that are kept until the first of them are known."""

Columns = Mapping[str, Sequence[object]]


@dataclass(frozen=True, slots=True)
class OtherColumn:
    """The fate of a column that is no quasi-identifier.

    `cells` are the first that were changed: the record, before and after; `number` is how many
    were. The `hint` says why the column may identify people.
    """

    name: str
    state: str
    hint: str = ""
    cells: tuple[tuple[int, str, str], ...] = ()
    number: int = 0


def compared(
    original: Columns, released: Columns, may_change: Collection[str] = (), decimal: str = "."
) -> list[OtherColumn]:
    """Compare the other columns of both tables.

    The records are in the same order in both.
    """
    found = []
    for name, ours in original.items():
        hint = hint_of_column(name, [cell_as_text(cell) for cell in ours])
        if name not in released:
            found.append(OtherColumn(name, DROPPED, hint))
            continue
        pairs = enumerate(zip(ours, released[name], strict=True))
        differing = ((r, a, b) for r, (a, b) in pairs if not same(a, b, decimal))
        found.append(fate_of(name, hint, differing, may_change, decimal))
    for name, theirs in released.items():
        if name not in original:
            hint = hint_of_column(name, [cell_as_text(cell) for cell in theirs])
            found.append(OtherColumn(name, ADDED, hint))
    return found


def fate_of(
    name: str,
    hint: str,
    differing: Iterable[tuple[int, object, object]],
    may_change: Collection[str],
    decimal: str = ".",
) -> OtherColumn:
    """Return what became of a column of both tables.

    That is decided by the cells that differ.

    The names of rows, a first column without a name, may change.
    """
    if name in may_change:
        return OtherColumn(name, MAY_CHANGE, hint)
    first: list[tuple[int, str, str]] = []
    number, rounded = 0, False
    for record, before, after in differing:
        if nearly(before, after, decimal):
            rounded = True
            continue
        number += 1
        first.append((record, cell_as_text(before), cell_as_text(after)))
        if len(first) > MANY:
            first = sorted(first)[:SHOWN]
    if number:
        state, cells = CHANGED if name else MAY_CHANGE, tuple(sorted(first)[:SHOWN])
        return OtherColumn(name, state, hint, cells, number)
    return OtherColumn(name, ROUNDED if rounded else UNCHANGED, hint)


def unexamined(columns: Columns) -> list[OtherColumn]:
    """Return the columns of a release by itself at which nothing looked."""
    texts = {name: list(map(cell_as_text, cells)) for name, cells in columns.items()}
    return [OtherColumn(name, "", hint_of_column(name, cells)) for name, cells in texts.items()]


def cell_as_text(cell: object) -> str:
    """Return a cell as a text; empty if it is missing."""
    if isinstance(cell, str):
        return cell
    return "" if is_missing(cell) else text_of(cell)


_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*|(?=\.[0-9]))(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")

ABSENT = (MISSING - AMBIGUOUS) | {"nan", "NaN", "NAN"}

MIDNIGHT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]00:00:00")
"""A date as workbooks and others hold it."""


def same(one: object, other: object, decimal: str = ".") -> bool:
    """Return True if two cells have the same value.

    A text with a zero before other digits is not a number, but a code.

    >>> same("1", "1.0 "), same("01", "1"), same("NA", ""), same(0.5, "1/2"), same("Ann", "Ann ")
    (True, False, True, False, False)
    """
    if isinstance(one, str) and isinstance(other, str):
        return one == other or value_of(one, decimal) == value_of(other, decimal)
    missing = is_missing(one), is_missing(other)
    if any(missing):
        return all(missing)
    try:
        return bool(one == other) or value_of(str(one)) == value_of(str(other))
    except (TypeError, ValueError):  # as of two arrays
        return str(one) == str(other)


def nearly(one: object, other: object, decimal: str = ".") -> bool:
    """Return True if two numbers differ by binary64 rounding only.

    It is False for cells that are no numbers.

    >>> nearly("0.1", "0.10000000000000001"), nearly("9007199254740993", "9007199254740992")
    (True, False)
    """
    text = cell_as_text(one)
    a, b = value_of(text, decimal), value_of(cell_as_text(other), decimal)
    if not isinstance(a, Fraction) or not isinstance(b, Fraction):
        return False
    whole = a.denominator == b.denominator == 1 and "e" not in text.lower()
    return not whole and abs(a - b) <= ROUNDOFF * abs(a)


def value_of(text: str, decimal: str = ".") -> Fraction | str:
    """Return the number that a text is.

    The text itself is returned if it is not a number, "" for a missing value, and the date of its
    midnight.
    """
    plain = text.strip()
    if plain in ABSENT:
        return ""
    if midnight := MIDNIGHT.fullmatch(plain):
        return midnight[1]
    plain = plain.replace(decimal, ".", 1) if decimal != "." and "." not in plain else plain
    return Fraction(plain) if _NUMBER.fullmatch(plain) and not too_long(plain) else text


@check_at(90)
def checks_of(columns: Sequence[OtherColumn], n: int, same_rows: bool) -> list[Check]:
    """Return the check of the common columns, and the unexamined columns.

    The columns are those of both tables of n records.

    `same_rows` tells that the rows of these columns are the same in another order.
    """
    by_state = {state: [c for c in columns if c.state == state] for state in STATES}
    details: dict[str, Any] = {
        state: [column.name for column in some] for state, some in by_state.items() if some
    }
    details["hints"] = {c.name: c.hint for c in columns if c.hint}
    unchanged = (UNCHANGED, ROUNDED, DROPPED)
    checks = []
    if any(by_state[state] for state in (CHANGED, *unchanged)):
        texts = [_changed_text(by_state[CHANGED], n)] * bool(by_state[CHANGED])
        texts += [
            f"{state}: {named_with_hints({c.name: c.hint for c in by_state[state]})}"
            for state in unchanged
            if by_state[state]
        ]
        status = "fails" if by_state[CHANGED] else "holds"
        witness = _witness(by_state[CHANGED], same_rows)
        checks.append(Check(NAME, status, "; ".join(texts), witness, details))
    unseen = [*by_state[MAY_CHANGE], *by_state[ADDED], *by_state[""]]
    return checks + ([_unseen_check(unseen)] if unseen else [])


STATES = (UNCHANGED, ROUNDED, CHANGED, DROPPED, MAY_CHANGE, ADDED, "")


def _unseen_check(columns: Sequence[OtherColumn]) -> Check:
    told = {c.name: "; ".join(filter(None, (c.state, c.hint))) for c in columns}
    details = {"columns": list(told), "hints": {c.name: c.hint for c in columns if c.hint}}
    return Check(UNSEEN, REPORTED, named_with_hints(told), (), details)


def _changed_text(columns: Sequence[OtherColumn], n: int) -> str:
    hows = [f"{shown_name(c.name)} in {c.number} of {n} records" for c in columns]
    return f"changed: {', '.join(hows)}"


def _witness(columns: Sequence[OtherColumn], same_rows: bool) -> tuple[str, ...]:
    lines = [
        f"{shown_name(column.name)}: record {record} is {after!r}, was {before!r}"
        for column in columns
        for record, before, after in column.cells[: max(1, SHOWN // len(columns))]
    ]
    if same_rows:
        lines.append(IN_ANOTHER_ORDER)
    return tuple(lines)


IN_ANOTHER_ORDER = f"these columns have the same rows in another order; {KEY_HINT}"


def same_rows(original: Columns, released: Columns) -> bool:
    """Return True if the common columns hold the same rows.

    Common are columns that both tables have. The order of the rows does not count.
    """
    names = [name for name in original if name in released]
    both = [
        Counter(zip(*([value_of(cell_as_text(c)) for c in table[n]] for n in names), strict=True))
        for table in (original, released)
    ]
    return bool(names) and both[0] == both[1]


def other_checks(
    original: Columns, released: Columns, may_change: Collection[str] = (), decimal: str = "."
) -> list[Check]:
    """Return the checks of the other columns of two tables."""
    columns = compared(original, released, may_change, decimal)
    n = len(next(iter([*original.values(), *released.values()]), ()))
    moved = any(column.state == CHANGED for column in columns)
    return column_checks_of(columns, n, moved and same_rows(original, released))


def column_checks_of(
    columns: Sequence[OtherColumn], n: int, same_rows: bool = False
) -> list[Check]:
    """Return what checks say of other columns; see `checks_of`."""
    return list(driven({"columns": columns, "n": n, "same_rows": same_rows}))


def checked_may_change(
    may_change: object, original: Sequence[str], names: Sequence[str]
) -> list[str]:
    """Return the columns that may change.

    Raises UnknownColumn, DuplicateColumn, and InvalidParameter for a quasi-identifier.
    """
    chosen = listed(may_change, "the columns that may change are", "give a list of names")
    check_columns(chosen, original, "the original")
    for name in chosen:
        if name in names:
            raise InvalidParameter(f"column {name!r} is a quasi-identifier, which is masked")
    return list(chosen)


@dataclass(frozen=True, slots=True)
class Keyed:
    """Table by its key.

    It has the texts of the column, the table's name, and where its records are.
    """

    cells: Sequence[str]
    table: str
    noun: str
    numbers: Sequence[int]


def order_by_key(key: str, original: Keyed, released: Keyed) -> list[int]:
    """Return for each original record the released one of its key.

    The records are returned by their numbers.

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
