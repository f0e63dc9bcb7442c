"""Tables of other libraries, read and given back in their own kind; none of them is imported.

Rows (sequences of values, or mappings with the same keys), mappings from names to columns, NumPy
arrays (two-dimensional or structured), pandas and polars frames, and Arrow tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from refagg.errors import NotATable, RaggedRow

Columns = Mapping[str, Sequence[Any]]
"""New values by the names of the columns that they replace."""


def named_rows(data: Any) -> tuple[list[str] | None, list[Sequence[Any]]]:
    """Column names, if the data have any, and rows. Raises NotATable, RaggedRow."""
    for recognised, read, _ in _FORMS:
        if recognised(data):
            return read(data)
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise NotATable(f"{type(data).__name__} is not a table; give rows of values")
    return _read_plain(list(data))


def taken(data: Any, records: Sequence[int]) -> Any:
    """The data with these records only, as an object of the same kind.

    >>> taken([[1, 2], [3, 4], [5, 6]], [0, 2])
    [[1, 2], [5, 6]]
    """
    chosen = list(records)
    if _is_mapping(data):
        columns = {name: list(column) for name, column in data.items()}
        return {name: [column[r] for r in chosen] for name, column in columns.items()}
    if _is_pandas(data):
        return data.iloc[chosen]
    if _is_arrow(data):
        return data.take(chosen)
    if _is_polars(data) or _is_array(data):
        return data[chosen]
    rows = list(data)
    return [rows[record] for record in chosen]


def rebuilt(data: Any, columns: Columns) -> Any:
    """The data with some columns replaced: a new object of the same kind, in the same order.

    The index of a frame, the types of its categories and all other columns are kept. Of data
    without names all columns are replaced, in their order.
    """
    for recognised, _, write in _FORMS:
        if recognised(data):
            return write(data, columns)
    return _write_plain(list(data), columns)


# Mappings from names to columns


def _is_mapping(data: Any) -> bool:
    return isinstance(data, Mapping)


def _read_mapping(data: Any) -> tuple[list[str], list[Sequence[Any]]]:
    for name, column in data.items():
        if not isinstance(column, Iterable):
            raise NotATable(f"column {str(name)!r} is {column!r}, not a list of values")
    columns = [list(column) for column in data.values()]
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(f"{k!r}: {len(c)}" for k, c in zip(data, columns, strict=True))
        raise RaggedRow(f"the columns have different lengths ({lengths})")
    return [str(name) for name in data], list(zip(*columns, strict=True))


def _write_mapping(data: Any, columns: Columns) -> dict[Any, list[Any]]:
    return {name: list(columns.get(str(name), column)) for name, column in data.items()}


# pandas


def _is_pandas(data: Any) -> bool:
    return hasattr(data, "itertuples") and hasattr(data, "columns")


def _read_pandas(data: Any) -> tuple[list[str], list[Sequence[Any]]]:
    return [str(name) for name in data.columns], list(data.itertuples(index=False, name=None))


def _write_pandas(data: Any, columns: Columns) -> Any:
    made = data.copy()
    for position, name in enumerate(data.columns):
        if str(name) in columns:
            values = data.iloc[:, position].__class__(list(columns[str(name)]), index=data.index)
            if data.dtypes.iloc[position].name == "category":
                values = values.astype(data.dtypes.iloc[position])
            made[name] = values
    return made


# polars


def _is_polars(data: Any) -> bool:
    return hasattr(data, "iter_rows") and hasattr(data, "columns")


def _read_polars(data: Any) -> tuple[list[str], list[Sequence[Any]]]:
    return [str(name) for name in data.columns], list(data.iter_rows())


def _write_polars(data: Any, columns: Columns) -> Any:
    series = {name: data[name] for name in data.columns if name in columns}
    made = [old.__class__(name, list(columns[name])) for name, old in series.items()]
    texts = [new.cast(series[new.name].dtype) for new in made if new.dtype == "String"]
    return data.with_columns([new for new in made if new.dtype != "String"] + texts)


# Arrow


def _is_arrow(data: Any) -> bool:
    return hasattr(data, "column_names") and hasattr(data, "to_pydict")


def _read_arrow(data: Any) -> tuple[list[str], list[Sequence[Any]]]:
    lists = [data.column(position).to_pylist() for position in range(data.num_columns)]
    return [str(name) for name in data.column_names], list(zip(*lists, strict=True))


def _write_arrow(data: Any, columns: Columns) -> Any:
    for position, name in enumerate(data.column_names):
        if name in columns:
            data = data.set_column(position, name, [list(columns[name])])
    return data


# NumPy


def _is_array(data: Any) -> bool:
    return hasattr(data, "ndim") and hasattr(data, "tolist")


def _read_array(data: Any) -> tuple[list[str] | None, list[Sequence[Any]]]:
    if data.dtype.names:
        return [str(name) for name in data.dtype.names], list(data.tolist())
    if data.ndim != 2:
        raise NotATable(f"the array has {data.ndim} dimensions; records x attributes needs 2")
    return None, list(data.tolist())


def _write_array(data: Any, columns: Columns) -> Any:
    if data.dtype.names:
        types = [(n, "f8" if n in columns else data.dtype[n]) for n in data.dtype.names]
        made = data.astype(types)
        for name, values in columns.items():
            made[name] = values
        return made
    made = data.astype(float)
    for position, values in enumerate(columns.values()):
        made[:, position] = values
    return made


# Rows


def _read_plain(rows: list[Any]) -> tuple[list[str] | None, list[Sequence[Any]]]:
    if rows and isinstance(rows[0], Mapping):
        names = [str(name) for name in rows[0]]
        return names, [_row_of_mapping(number, row, names) for number, row in enumerate(rows)]
    return None, [_row(number, row) for number, row in enumerate(rows)]


def _row_of_mapping(number: int, row: Any, names: list[str]) -> list[Any]:
    if not isinstance(row, Mapping):
        raise NotATable(f"row {number} is {row!r}, but row 0 has names for its values")
    found = {str(name): value for name, value in row.items()}
    for name in names:
        if name not in found:
            raise RaggedRow(f"row {number} has no {name!r}, but row 0 has one")
    for name in found:
        if name not in names:
            raise RaggedRow(f"row {number} has {name!r}, but row 0 has none")
    return [found[name] for name in names]


def _row(number: int, row: Any) -> Sequence[Any]:
    values = row.tolist() if hasattr(row, "tolist") else row
    if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        text = isinstance(values, (str, bytes))
        sequences = "; sequences need a dissimilarity or a similarity" if text else ""
        raise NotATable(
            f"row {number} is {row!r}, not a row of values; "
            f"a table of one attribute has rows like [5]{sequences}"
        )
    return values


def _write_plain(rows: list[Any], columns: Columns) -> list[Any]:
    if rows and isinstance(rows[0], Mapping):
        return [
            {name: columns[str(name)][i] if str(name) in columns else v for name, v in row.items()}
            for i, row in enumerate(rows)
        ]
    made = [list(row) for row in rows]
    for position, values in enumerate(columns.values()):
        for row, value in zip(made, values, strict=True):
            row[position] = value
    return made


Read = Callable[[Any], tuple[list[str] | None, list[Sequence[Any]]]]

_FORMS: tuple[tuple[Callable[[Any], bool], Read, Callable[[Any, Columns], Any]], ...] = (
    (_is_mapping, _read_mapping, _write_mapping),
    (_is_pandas, _read_pandas, _write_pandas),
    (_is_polars, _read_polars, _write_polars),
    (_is_arrow, _read_arrow, _write_arrow),
    (_is_array, _read_array, _write_array),
)
"""How each kind of data is recognised, read, and written."""
