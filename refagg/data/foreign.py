"""Tables of other libraries, read and written in their own type.

They are given back with new cells.

Rows (sequences of values, or mappings with the same keys), mappings from names to columns, NumPy
arrays (two-dimensional or structured), and by the optional library narwhals all frames: pandas,
polars (lazy, too), Arrow, DuckDB relations, and what has `__arrow_c_stream__` or `__dataframe__`.

Categories are given back as the cells of records that have them, so that they keep any type.
Numbers come back as binary64 (nullable or of Arrow where the column is), as Decimal or Fraction
where the column holds such objects; dates and times in the column's own unit and time zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, runtime_checkable

from refagg.data.kinds import NUMERIC, Kind, is_missing
from refagg.data.moments import DAY, UNITS, Instant, moment_texts, units_of, value_like
from refagg.data.rows import bounded, check_names, plain_rows
from refagg.errors import (
    DuplicateColumn,
    NotATable,
    RaggedRow,
    RefaggError,
    ShuffledIndex,
    UnfitColumn,
    optional_library,
)
from refagg.language.number_texts import float_or


@dataclass(frozen=True, slots=True)
class Renewed:
    """The new cells of a column of this kind.

    Those of numbers, dates and datetimes are `numbers`; where one is None, the old cell stays.
    Others are the cells of `records`, but for `values` that no record has, by their place.
    """

    kind: Kind
    numbers: Sequence[Fraction | None] = ()
    records: Sequence[int] = ()
    values: Mapping[int, Any] = field(default_factory=dict)


Columns = Mapping[str, Renewed]
"""New cells by the names of the columns that they replace."""

Cells = Callable[[Sequence[object], Renewed], list[object]]
"""From the old cells of a column to the new ones."""


@runtime_checkable
class ReadFile(Protocol):
    """A file that was read: a table whose messages name lines.

    Otherwise it is a table as all others.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def table(self, names: Sequence[str], kinds: Mapping[str, str] | None) -> Any:
        """Return the exact table of some columns."""

    def lacks(self, name: str, kind: Kind | None) -> list[bool]:
        """Return for each record whether its cell of a column is missing."""

    def take(self, records: Sequence[int]) -> ReadFile:
        """Return some of the records, with their places in the file."""


def named_rows(data: object) -> tuple[list[str] | None, list[Sequence[object]]]:
    """Return column names, if the data have any, and rows.

    Raises NotATable, RaggedRow, MissingExtra.
    """
    if isinstance(data, ReadFile):
        return list(data.header), list(data.rows)
    for recognised, read, _ in _FORMS:
        if recognised(data):
            return read(data)
    if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__"):
        raise NotATable(f"{type(data).__name__} is not a table; pandas.read_csv reads a file")
    single = isinstance(data, (Set, memoryview)) or hasattr(data, "toarray")  # sparse
    if single or not isinstance(data, Iterable):
        raise NotATable(f"{type(data).__name__} is not a table; give rows, or a release.to_frame()")
    return _read_plain(bounded(data, "the table"))


def settled(data: Any, *beside: Any) -> Any:
    """Return data that can be read again.

    The contents of iterators, streams and lazy frames are kept. Raises ShuffledIndex for columns,
    and for what else is given, in another order.

    >>> settled(iter([[1], [2]]))
    [[1], [2]]
    """
    for other in [data, *beside] if isinstance(data, Mapping) else beside:
        check_order(data, other)
    if _is_frame(data):
        return _frame(data).to_native()
    if isinstance(data, Mapping):
        return {name: _kept(column, f"column {str(name)!r}") for name, column in data.items()}
    return _kept(data, "the table")


def _kept(items: Any, what: str) -> Any:
    """Return the items of an iterator, a view or Arrow array.

    Anything else is returned as it is.
    """
    once = isinstance(items, (Iterator, MappingView)) or hasattr(items, "to_pylist")
    return bounded(items, what) if once else items


def check_order(original: Any, other: Any) -> None:
    """Raise ShuffledIndex for an index in another order.

    It is raised for frames or series that have the same index in another order. Of a mapping, such
    as one of options or of columns, each value is compared.
    """
    if isinstance(other, Mapping):
        for value in other.values():
            check_order(original, value)
        return
    if not hasattr(other, "iloc"):
        return
    columns = original.values() if isinstance(original, Mapping) else [original]
    with suppress(TypeError):  # of a class, and of labels that have no hash
        theirs = list(other.index)
        ours = next((list(one.index) for one in columns if hasattr(one, "iloc")), theirs)
        if ours != theirs and Counter(ours) == Counter(theirs):
            record = next(r for r, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
            raise ShuffledIndex(
                f"the same index comes in two orders: record {record} is {ours[record]!r} and "
                f"{theirs[record]!r}; give the second one's .loc[index of the first], or reset an "
                "index if the order of the rows is right"
            )


def taken(data: Any, records: Sequence[int]) -> Any:
    """Return the data with these records only.

    The result is an object of the same kind.

    >>> taken([[1, 2], [3, 4], [5, 6]], [0, 2])
    [[1, 2], [5, 6]]
    """
    chosen = list(records)
    if isinstance(data, ReadFile):
        return data.take(chosen)
    if isinstance(data, Mapping):
        columns = {name: list(column) for name, column in data.items()}
        return {name: [column[r] for r in chosen] for name, column in columns.items()}
    if _is_frame(data):
        frame = _frame(data)
        try:
            return frame[chosen].to_native()
        except Exception as error:  # a library's own, which has such columns and takes none of them
            told = " ".join(str(error)[:200].split())
            raise NotATable(f"{type(data).__name__} cannot be taken apart: {told}") from None
    if _is_array(data):
        return data[chosen]
    rows = list(data)
    return [rows[record] for record in chosen]


def selected_columns(data: Any, names: Sequence[str]) -> Any:
    """Return the data with these named columns only.

    The result is an object of the same kind.

    >>> selected_columns({"a": [1], "b": [2]}, ["b"])
    {'b': [2]}
    """
    if isinstance(data, Mapping):
        return {name: column for name, column in data.items() if str(name) in names}
    if _is_frame(data):
        frame = _frame(data)
        return frame.select([name for name in frame.columns if str(name) in names]).to_native()
    if _is_array(data):
        return data[list(names)]
    return [{name: row[name] for name in row if str(name) in names} for row in data]


def rebuilt(data: Any, columns: Columns, exact: bool = False) -> Any:
    """Return the data with some columns replaced.

    The result is a new object of the same kind, in the same order. The index of a frame, the types
    of its categories and all other columns are kept. Of data without names all columns are
    replaced, in their order. With `exact`, numbers are fractions. Raises UnfitColumn.
    """

    def cells(old: Sequence[object], new: Renewed) -> list[Any]:
        return _renewed(old, new, exact)

    for recognised, _, write in _FORMS:
        if recognised(data):
            try:
                return write(data, columns, cells)
            except OverflowError:
                raise UnfitColumn(
                    "a new value is beyond binary64, in which a column is; give rows of values"
                ) from None
    return _write_plain(list(data), columns, cells)


def framed(data: Any, columns: Mapping[str, Sequence[object]], records: bool = False) -> Any:
    """Return other columns in the form of the data.

    The form is a frame, a mapping, an array, or rows. Rows that are `records` keep a frame's index.

    >>> framed([[1], [2]], {"a": [0.5], "b": [1.5]})
    [[0.5, 1.5]]
    """
    made = {name: list(column) for name, column in columns.items()}
    if isinstance(data, Mapping):
        return made
    if _is_frame(data):
        narwhals, like = _library("narwhals"), _frame(data)
        frame = narwhals.from_dict(made, backend=like.implementation).to_native()
        if records and (index := narwhals.maybe_get_index(like)) is not None:
            frame.index = index
        return frame
    rows = list(zip(*columns.values(), strict=True))
    if _is_array(data):
        return _library("numpy").array(rows)
    if isinstance(data[0], Mapping):
        return [dict(zip(columns, row, strict=True)) for row in rows]
    return list(map(list, rows))


def check_fit(
    data: object, kinds: Mapping[str, Kind], values: Mapping[str, Sequence[object]] | None = None
) -> None:
    """Raise UnfitColumn unless columns of these kinds can be given back.

    Of some, these `values` can be released that no record has.
    """
    first = taken(data, [0])
    new = {name: Renewed(kind, [Fraction(0)], [0]) for name, kind in kinds.items()}
    rebuilt(first, new)
    for name, foreign in (values or {}).items():
        for value in foreign:
            rebuilt(first, new | {name: Renewed(kinds[name], (), [0], {0: value})})


# Cells


def _renewed(old: Sequence[object], new: Renewed, exact: bool) -> list[object]:
    """Return the new cells of a column, in the old type."""
    if new.kind.name != "numeric":
        return [new.values.get(place, old[r]) for place, r in enumerate(new.records)]
    there = [number for number in new.numbers if number is not None]
    made = iter(_like(old, there, new.kind, exact))
    return [old[r] if n is None else next(made) for r, n in enumerate(new.numbers)]


def _like(
    old: Sequence[object], numbers: Sequence[Fraction], kind: Kind, exact: bool
) -> list[object]:
    """Numbers as the cells of a column are."""
    cells = [cell for cell in old if not is_missing(cell)]
    if kind.timed:
        if texts := [cell for cell in cells if isinstance(cell, str)]:
            return list(moment_texts(kind, numbers, texts))
        return [value_like(cells[0], x, kind) if cells else None for x in numbers]
    types = set(map(type, cells))
    if exact or (Fraction in types and float not in types):
        return list(numbers)
    if Decimal in types and float not in types:
        return list(map(_decimal, numbers))
    return [float_or(number, number) for number in numbers]


def _decimal(number: Fraction) -> Decimal:
    """The nearest decimal of 28 significant digits."""
    return Context(prec=28).divide(*map(Decimal, number.as_integer_ratio()))


# Mappings from names to columns


def _read_mapping(data: Any) -> tuple[list[str], list[Sequence[object]]]:
    for name, column in data.items():
        if not isinstance(column, Iterable):
            raise NotATable(f"column {str(name)!r} is {column!r}, not a list of values")
    columns = [bounded(column, f"column {str(name)!r}") for name, column in data.items()]
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(f"{k!r}: {len(c)}" for k, c in zip(data, columns, strict=True))
        raise RaggedRow(f"the columns have different lengths ({lengths})")
    return [str(name) for name in data], list(zip(*columns, strict=True))


def _write_mapping(data: Any, columns: Columns, cells: Cells) -> dict[Any, list[Any]]:
    return {
        name: cells(list(column), columns[str(name)]) if str(name) in columns else list(column)
        for name, column in data.items()
    }


# Frames


def _is_frame(data: object) -> bool:
    known = ("columns", "column_names", "__arrow_c_stream__", "__dataframe__", "schema")
    plain = isinstance(data, (list, tuple)) or hasattr(data, "to_frame")  # that is one column
    own = plain or type(data).__module__.startswith("refagg.")
    return not own and any(hasattr(type(data), name) for name in (*known, "to_pyarrow"))


_library = partial(optional_library, what="a data frame", extra="frames")
"""A library that reads frames. Raises MissingExtra."""


def _frame(data: object) -> Any:
    """Any frame as one of narwhals. Raises NotATable, DuplicateColumn."""
    nw, kind = _library("narwhals"), type(data).__name__
    try:
        frame = nw.from_native(data, pass_through=True)
        if frame is data and hasattr(data, "__arrow_c_stream__"):
            frame = nw.from_arrow(data, backend="pyarrow")
        elif frame is data and hasattr(data, "__dataframe__"):
            frame = nw.from_native(_library("pyarrow.interchange").from_dataframe(data))
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        if frame is not data and frame.implementation.is_pyarrow():
            frame = nw.from_native(_without_views(frame.to_native()))
    except nw.exceptions.DuplicateError:
        check_names(list(map(str, getattr(data, "column_names", getattr(data, "columns", "?")))))
        raise DuplicateColumn("the table has columns of the same name; names must differ") from None
    except Exception as error:  # a library's own: of one column, of a query that fails
        if isinstance(error, (RefaggError, MemoryError)):
            raise
        told = " ".join(str(error)[:200].split())
        raise NotATable(f"{kind} cannot be read: {told}; give rows, or a frame") from None
    if frame is data:
        raise NotATable(f"{kind} is not a table; give rows of values, or a frame")
    if several := [name for name in frame.columns if isinstance(name, tuple)]:
        raise NotATable(
            f"the frame has columns with several names each, as {several[0]}; give each one name"
        )
    return frame


def _without_views(table: Any) -> Any:
    """Return an Arrow table with plain columns.

    They replace those of which Arrow takes no records.
    """
    plain = {"string_view": "large_string", "binary_view": "large_binary"}
    for place, name in enumerate(table.column_names):
        column = table[place]
        if str(column.type) in plain:
            table = table.set_column(place, name, column.cast(plain[str(column.type)]))
        elif str(column.type).startswith("run_end_encoded"):
            decoded = _library("pyarrow.compute").run_end_decode(column)
            table = table.set_column(place, name, decoded)
    return table


def _read_frame(data: object) -> tuple[list[str], list[Sequence[object]]]:
    frame = _frame(data)
    columns = map(_cells, frame.iter_columns())
    return [str(name) for name in frame.columns], list(zip(*columns, strict=True))


def _cells(series: Any) -> list[Any]:
    """The cells of a column; Python's datetimes have no nanoseconds."""
    fine = series.dtype == _library("narwhals").Datetime and series.dtype.time_unit == "ns"
    if not fine or series.implementation.is_pandas_like():
        return list(series.to_list())
    aware = series.dtype.time_zone is not None
    numbers = series.cast(_library("narwhals").Int64).to_list()
    return [n if n is None else Instant(Fraction(n, UNITS["ns"]), aware) for n in numbers]


def _write_frame(data: object, columns: Columns, cells: Cells) -> Any:
    frame = _frame(data)
    new = []
    for name, old in zip(map(str, frame.columns), frame.iter_columns(), strict=True):
        if name in columns:
            try:
                new.append(_series(old, columns[name], cells))
            except RefaggError:
                raise
            except Exception as error:  # a library's own, of which it has many
                raise UnfitColumn(
                    f"column {name!r} of type {old.dtype} cannot be given back with "
                    f"{columns[name].kind.title} values: {str(error)[:200]}"
                ) from None
    return frame.with_columns(*new).to_native()


def _series(old: Any, new: Renewed, cells: Cells) -> Any:
    """Return a column with new cells, in the old type."""
    nw = _library("narwhals")
    if new.kind.name != "numeric":
        made = old[list(new.records)]
        return made.scatter(list(new.values), list(new.values.values())) if new.values else made
    there = [place for place, number in enumerate(new.numbers) if number is not None]
    if new.kind.timed and old.dtype in (nw.Datetime, nw.Date):
        return old.scatter(there, _units(old, [n for n in new.numbers if n is not None], new.kind))
    found = cells(list(old.to_list()), new)
    decimals = old.dtype == nw.Unknown and Decimal in map(type, found)  # of Arrow, of some widths
    if old.dtype == nw.Unknown and not decimals:
        raise TypeError("this type is not known")
    if new.kind.timed and old.dtype == nw.String:
        return old.scatter(there, [found[place] for place in there])
    if (decimals or old.dtype.is_numeric()) and not isinstance(found[0], Fraction):
        floats = [float(number) for number in new.numbers if number is not None]
        return old.cast(nw.Float64).scatter(there, floats)
    plain = not new.kind.timed and all(isinstance(cell, float) for cell in found)
    kept = nw.Float64 if plain else nw.Object
    return nw.new_series(old.name, found, kept, backend=old.implementation)


def _units(old: Any, numbers: Sequence[Fraction], kind: Kind) -> Any:
    """Return days or units of a datetime type as a column.

    The column is of that type.
    """
    nw = _library("narwhals")
    days = old.dtype == nw.Date
    unit = Fraction(DAY) if days else Fraction(1, UNITS[old.dtype.time_unit])
    whole = [units_of(number, kind, unit) for number in numbers]
    stored = nw.Int32 if days else nw.Int64
    return nw.new_series(old.name, whole, stored, backend=old.implementation).cast(old.dtype)


# NumPy


def _is_array(data: object) -> bool:
    return all(hasattr(data, name) for name in ("ndim", "tolist", "dtype"))


def _read_array(data: Any) -> tuple[list[str] | None, list[Sequence[object]]]:
    if data.dtype.names:
        names = [str(name) for name in data.dtype.names]
        return names, list(zip(*map(_values, (data[name] for name in names)), strict=True))
    if data.ndim != 2:
        raise NotATable(f"the array has {data.ndim} dimensions; records x attributes needs 2")
    if len(data) and data[0].ndim != 1:
        raise NotATable(
            f"a {type(data).__name__} has rows that are matrices; give numpy.asarray(it)"
        )
    if data.dtype.kind in "mM" or not data.shape[1]:
        return None, [list(row) for row in data]
    return None, list(zip(*data.T.tolist(), strict=True))


def _values(array: Any) -> list[object]:
    """The values of an array; Python has none for each datetime64."""
    return list(array) if array.dtype.kind in "mM" else list(array.tolist())


def _write_array(data: Any, columns: Columns, cells: Cells) -> Any:
    numbers = {name for name, new in columns.items() if new.kind == NUMERIC}
    if fields := data.dtype.names:
        old = data.dtype
        types = [(n, _number_type(old[n]) if n in numbers else old[n]) for n in fields]
        made = data.astype(types)
        for name, new in columns.items():
            made[name] = cells(_values(data[name]), new)
    else:
        plain = len(numbers) == len(columns)
        if data.dtype.kind in "US" if plain else data.dtype.kind not in "OUSmMb":
            raise UnfitColumn(f"an array of {data.dtype} cannot hold what is given back")
        made = data.astype(_number_type(data.dtype)) if plain else data.copy()
        for position, new in enumerate(columns.values()):
            made[:, position] = cells(_values(data[:, position]), new)
    if hasattr(data, "mask"):  # what it hides stays hidden
        made.mask = data.mask
    return made


def _number_type(dtype: Any) -> Any:
    return dtype if dtype.kind == "O" else "f8"


# Rows


def _read_plain(rows: list[object]) -> tuple[list[str] | None, list[Sequence[object]]]:
    if rows and isinstance(rows[0], Mapping):
        names = [str(name) for name in rows[0]]
        return names, [_row_of_mapping(number, row, names) for number, row in enumerate(rows)]
    return None, plain_rows(rows)


def _row_of_mapping(number: int, row: object, names: list[str]) -> list[object]:
    if not isinstance(row, Mapping):
        raise NotATable(f"row {number} is {row!r}, but row 0 has names for its values")
    found = {str(name): value for name, value in row.items()}
    if differing := found.keys() ^ {*names}:
        name = min(differing)
        what = (
            f"{name!r}, but row 0 has none" if name in found else f"no {name!r}, but row 0 has one"
        )
        raise RaggedRow(f"row {number} has {what}")
    return [found[name] for name in names]


def _write_plain(rows: list[Any], columns: Columns, cells: Cells) -> list[Any]:
    if not rows:
        return rows
    mappings = isinstance(rows[0], Mapping)
    keys = {str(name): name for name in rows[0]} if mappings else {}
    places = [keys[name] for name in columns] if mappings else range(len(columns))
    made = [dict(row) if mappings else list(row) for row in rows]
    for place, new in zip(places, columns.values(), strict=True):
        for row, cell in zip(made, cells([row[place] for row in made], new), strict=True):
            row[place] = cell
    return made


Read = Callable[[object], tuple[list[str] | None, list[Sequence[object]]]]

_FORMS: tuple[tuple[Callable[[Any], bool], Read, Callable[[Any, Columns, Cells], Any]], ...] = (
    (lambda data: isinstance(data, Mapping), _read_mapping, _write_mapping),
    (_is_array, _read_array, _write_array),
    (_is_frame, _read_frame, _write_frame),
)
"""How each kind of data is recognised, read, and written."""
