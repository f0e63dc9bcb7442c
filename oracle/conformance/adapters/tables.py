"""Refusals of adapters before they ask a package.

They refuse rows that are not a table, or no column.
"""

from __future__ import annotations

from collections.abc import Sequence


def check_table(records: Sequence[Sequence[float]]) -> int:
    """Return the number of attributes of a table.

    Raises ValueError for no records, no attributes, ragged rows.
    """
    widths = {len(row) for row in records}
    if len(widths) != 1 or widths == {0}:
        raise ValueError("no table: there is no record, no attribute, or a row of another length")
    return widths.pop()


def column(records: Sequence[Sequence[float]]) -> list[float]:
    """Return the values of the only attribute.

    Raises ValueError if there is another number of attributes.
    """
    if check_table(records) != 1:
        raise ValueError("the package takes one attribute")
    return [float(row[0]) for row in records]
