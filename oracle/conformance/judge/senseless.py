"""Invalid requests, which have to be refused.

The reason is given in words of `CATEGORIES` of vectors.
"""

from __future__ import annotations

from oracle.conformance.judge.model import Case
from refagg.errors import NotANumber, NotFinite
from refagg.language.number_texts import number_of

CATEGORIES = {
    "k too small": "k is less than 1",
    "k too large": "there are fewer than k records",
    "not a number": "a cell is not a number",
    "not finite": "a cell is NaN or infinite",
    "missing value": "a cell is empty",
    "not a category": "a cell is not one of the declared categories",
    "ragged row": "a row has more or fewer cells than the first",
    "empty table": "there is no record, or no attribute",
    "no series": "times do not rise, or are not one for each value",
    "no weights": "sampling weights are not greater than 0, or not one for each record",
    "contradiction": "no values meet all constraints",
    "several attributes": "the algorithm is for one attribute and is given several",
}
"""Why input must be rejected, in words; a vector names one."""


def senseless(case: Case) -> str:
    """Return why a table or its k is invalid.

    The table is one of numbers. The reason is a name of CATEGORIES; empty if it is not invalid.

    >>> senseless(Case("c", "mdav", 3, (("0",), ("1",))))
    'k too large'
    """
    if not case.records or not case.records[0]:
        return "empty table"
    if any(len(row) != len(case.records[0]) for row in case.records):
        return "ragged row"
    if case.k < 1:
        return "k too small"
    if case.k > len(case.records):
        return "k too large"
    if case.kinds:
        return ""
    return next(filter(None, (_of_cell(cell) for row in case.records for cell in row)), "")


def _of_cell(cell: str) -> str:
    if not cell:
        return "missing value"
    try:
        number_of(cell, "")
    except NotFinite:
        return "not finite"
    except NotANumber:
        return "not a number"
    return ""
