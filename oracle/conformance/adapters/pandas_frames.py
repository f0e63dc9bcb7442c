"""Records as data frames, and parts of a data frame as groups.

It is for packages that take these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from oracle.conformance.adapters.tables import check_table
from refagg.errors import needed

with needed("pip install pandas"):
    import pandas  # type: ignore[import-untyped]

Rows = Sequence[Sequence[float]]


def pandas_frame_of(records: Rows) -> Any:
    """Return the records with the columns x1, x2, ...

    Raises ValueError if they are not a table.
    """
    names = [f"x{number + 1}" for number in range(check_table(records))]
    return pandas.DataFrame([list(map(float, row)) for row in records], columns=names)


def groups_of_index(parts: Iterable[Iterable[Any]]) -> list[list[int]]:
    """Return parts of the index as groups of record numbers."""
    return [[int(record) for record in part] for part in parts]
