"""Sizes of cases; the smallest of several cases is shown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oracle.conformance.judge.model import Case
from oracle.conformance.judge.senseless import senseless

Size = tuple[Any, ...]


def rows_of_case(case: Case) -> list[list[Fraction]]:
    """Return the values of a case as numbers."""
    return [[Fraction(text) for text in row] for row in case.records]


def size_of(case: Case) -> Size:
    """Return the size of a case.

    It has records, attributes, k, digits that are not 0, magnitudes, order.

    Where cells are not numbers, their length counts.
    """
    if of_texts(case):
        longest = sum(len(cell) for row in case.records for cell in row)
        return len(case.records), width_of(case), abs(case.k), longest, Fraction(0), 0, case.records
    rows = rows_of_case(case)
    cells = [cell for row in rows for cell in row]
    return (
        len(rows),
        len(rows[0]),
        case.k,
        sum(digit in "123456789" for row in case.records for text in row for digit in text),
        sum(map(abs, cells), Fraction(0)),
        sum(cell < 0 for cell in cells),
        tuple(map(tuple, rows)),
    )


def of_texts(case: Case) -> bool:
    """Return True if the cells of a case form no numeric table.

    It has cells that are not numbers, or rows of different lengths.
    """
    return bool(case.kinds or senseless(case))


def width_of(case: Case) -> int:
    return max(map(len, case.records), default=0)
