"""Functions from a data frame to a data frame, of pandas or polars, asked as functions of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Any

from oracle.conformance.transport.columns import GROUP, answer_of_columns
from refagg.errors import InvalidParameter, MissingExtra

LIBRARIES = ("pandas", "polars")


def of_rows(function: Callable[..., object], library: str) -> Callable[..., object]:
    """The function of rows that asks a function of data frames. Raises MissingExtra.

    What it answers is read as a CSV file is: columns of released values, or `group`.
    """
    if library not in LIBRARIES:
        raise InvalidParameter(f"frames is {library!r}; it can be {', '.join(LIBRARIES)}")
    try:
        frame_type = import_module(library).DataFrame
    except ImportError:
        raise MissingExtra(f"data frames of {library} need it: pip install {library}") from None

    @wraps(function)
    def ask(records: list[list[Any]], k: int, **named: Any) -> Any:
        width = len(records[0]) if records else 1
        if not width or any(len(row) != width for row in records):
            return {
                "unsupported": "rows without cells, or of different lengths, are not a data frame"
            }
        names = [f"x{number + 1}" for number in range(width)]
        columns = [_column([row[j] for row in records]) for j in range(width)]
        frame = frame_type(dict(zip(names, columns, strict=True)))
        return _told(function(frame, k, **named), names)

    return ask


def _column(values: list[object]) -> list[object]:
    """The cells of a column: numbers, None where one is empty; all texts where one is no number."""
    cells = [None if value == "" else value for value in values]
    if any(isinstance(cell, str) for cell in cells):
        return [cell if cell is None else str(cell) for cell in cells]
    return cells


def _told(result: Any, names: Sequence[str]) -> Any:
    """The answer in a data frame, or in a series of groups; anything else as it is."""
    if hasattr(result, "columns"):
        rows = result.rows() if hasattr(result, "rows") else result.itertuples(index=False)
        return answer_of_columns([str(name) for name in result.columns], [*map(list, rows)], names)
    if hasattr(result, "to_list"):
        return answer_of_columns([GROUP], [[label] for label in result.to_list()], names)
    return result
