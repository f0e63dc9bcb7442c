"""A Parquet file that is written some rows at a time.

What becomes of a column of texts depends on all of its cells (`csvfiles.columns_to_write`): numbers
stay numbers if nothing is lost. So one cell of each shape is remembered, and stands below the rows
that are written when that is decided. Columns that are released unchanged keep the types of the
Parquet file that they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from refagg.data.csvfiles import Sheet, cell_shape, columns_to_write, whole_file
from refagg.data.otherfiles import library, schema_of
from refagg.errors import OutputUnwritable, RefaggError

Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class ParquetParts:
    """Parts of a release, whose columns `names` have new texts."""

    names: Sequence[str]
    shapes: dict[str, dict[object, str]] = field(default_factory=dict)
    """A cell of each shape, by the name of the column."""

    def rows_of(self, sheet: Sheet) -> Rows:
        """Return the rows of a part, and remember the shapes of texts.

        Cells are texts, or the values of columns that are released unchanged.
        """
        columns: list[Sequence[Any]] = []
        for name, texts in zip(sheet.header, zip(*sheet.rows, strict=True), strict=True):
            if name in sheet.values and name not in self.names:
                columns.append(sheet.values[name])
                continue
            columns.append(texts)
            known = self.shapes.setdefault(name, {})
            for text in {*texts}:
                known.setdefault(cell_shape(text, sheet.how, name in self.names), text)
        return [*zip(*columns, strict=True)]

    def write(self, path: Path, sheet: Sheet, rows: Iterator[Sequence[Any]], together: int) -> None:
        """Write rows of a sheet like this one. Raises OutputUnwritable.

        So many are in memory together.
        """
        arrow, parquet = (library(f"pyarrow{one}", "a Parquet file") for one in ("", ".parquet"))
        types = {one.name: one.type for one in schema_of(sheet.path)} if sheet.values else {}
        with whole_file(path) as file:
            try:
                made = self._columns(sheet, [])
                types |= {name: arrow.array(made[name]).type for name in self.shapes}
                schema = arrow.schema([(name, types[name]) for name in sheet.header])
                with parquet.ParquetWriter(file.buffer, schema) as writer:
                    while some := list(islice(rows, together)):
                        made = self._columns(sheet, some)
                        arrays = [
                            arrow.array(made[one.name][: len(some)], type=one.type)
                            for one in schema
                        ]
                        writer.write_table(arrow.table(arrays, schema=schema))
            except (OSError, RefaggError):
                raise
            except Exception as error:  # a library's own, of which it has many
                raise OutputUnwritable(f"{path} cannot be written: {str(error)[:200]}") from None

    def _columns(self, sheet: Sheet, rows: Rows) -> dict[str, Sequence[Any]]:
        """Return the columns of some rows and, below, of each shape."""
        most = max(map(len, self.shapes.values()), default=0)
        columns: dict[str, list[Any]] = {}
        for position, name in enumerate(sheet.header):
            below: list[Any] = [*self.shapes.get(name, {}).values()]
            fill = below[:1] or [None]
            below += fill * (most - len(below))
            columns[name] = [row[position] for row in rows] + below
        old = {name: own for name, own in columns.items() if name not in self.shapes}
        whole = [*map(list, zip(*columns.values(), strict=True))]
        part = replace(sheet, rows=whole, values={**sheet.values, **old})
        return columns_to_write(part, self.names)
