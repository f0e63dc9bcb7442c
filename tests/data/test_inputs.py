from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import refagg
from refagg.data.tables import Table, table_of
from refagg.errors import DuplicateColumn, NotATable, ShuffledIndex

SOURCES = Path(refagg.__file__).parent

# Exact in binary32, so that every kind of data can hold them.
ROWS = [[3, 0.5], [1, -2.25], [2, 0.0], [1, 1024.125]]
EXPECTED = [
    (Fraction(3), Fraction(1, 2)),
    (Fraction(1), Fraction(-9, 4)),
    (Fraction(2), Fraction(0)),
    (Fraction(1), Fraction(8193, 8)),
]


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [table.row(record) for record in range(table.n)]


def numpy_array(kind: str) -> Callable[[], Any]:
    return lambda: pytest.importorskip("numpy").array(ROWS, dtype=kind)


def pandas_frame(kind: str) -> Callable[[], Any]:
    def frame() -> Any:
        pandas = pytest.importorskip("pandas")
        index = ["d", "c", "b", "a"]
        return pandas.DataFrame(ROWS, columns=["x1", "x2"], index=index).astype({"x2": kind})

    return frame


def polars_frame(kind: str) -> Callable[[], Any]:
    def frame() -> Any:
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame(
            {"x1": [row[0] for row in ROWS], "x2": [row[1] for row in ROWS]},
            schema_overrides={"x1": polars.Int64},
            strict=False,
        )
        return frame.with_columns(polars.col("x2").cast(getattr(polars, kind)))

    return frame


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lambda: ROWS, id="lists"),
        pytest.param(lambda: [tuple(row) for row in ROWS], id="tuples"),
        pytest.param(lambda: iter(ROWS), id="iterator"),
        pytest.param(lambda: [[Fraction(v) for v in row] for row in ROWS], id="Fraction"),
        pytest.param(lambda: [[Decimal(v) for v in row] for row in ROWS], id="Decimal"),
        pytest.param(lambda: [[float(v) for v in row] for row in ROWS], id="float"),
        pytest.param(
            lambda: {"x1": [row[0] for row in ROWS], "x2": (row[1] for row in ROWS)}, id="mapping"
        ),
        pytest.param(numpy_array("float32"), id="numpy float32"),
        pytest.param(numpy_array("float64"), id="numpy float64"),
        pytest.param(numpy_array("object"), id="numpy object"),
        pytest.param(lambda: list(numpy_array("float32")()), id="rows of numpy float32"),
        pytest.param(lambda: [list(r) for r in numpy_array("float32")()], id="numpy scalars"),
        pytest.param(pandas_frame("float64"), id="pandas float64"),
        pytest.param(pandas_frame("float32"), id="pandas float32"),
        pytest.param(pandas_frame("Float64"), id="pandas Float64"),
        pytest.param(pandas_frame("object"), id="pandas object"),
        pytest.param(polars_frame("Float64"), id="polars Float64"),
        pytest.param(polars_frame("Float32"), id="polars Float32"),
        pytest.param(lambda: table_of(ROWS), id="Table"),
    ],
)
def test_the_same_numbers_give_the_same_table(data: Callable[[], Any]) -> None:
    table = table_of(data())
    assert table == table_of(ROWS)
    assert rows_of(table) == EXPECTED
    assert table.names == ("x1", "x2")


@pytest.mark.parametrize(
    "kind", ["int8", "uint8", "int32", "int64", "uint64", "float32", "float64"]
)
def test_whole_numbers_of_numpy(kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    rows = [[5, 1], [3, 100], [3, 7]]
    array = numpy.array(rows, dtype=kind)
    assert table_of(array) == table_of(rows)
    assert table_of([list(row) for row in array]) == table_of(rows)


def test_integers_beyond_binary64_are_kept() -> None:
    numpy = pytest.importorskip("numpy")
    large = 2**63 - 1
    [column] = table_of(numpy.array([[large], [large - 1]])).columns
    assert column.values([0, 1]) == [large, large - 1]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [large, large - 1], "b": [0.5, 0.25]})
    assert rows_of(table_of(frame)) == [(large, Fraction(1, 2)), (large - 1, Fraction(1, 4))]


def test_a_float32_is_taken_at_its_own_value() -> None:
    numpy = pytest.importorskip("numpy")
    # 0.1 in binary32 is 13421773 / 2^27 (IEEE 754: 0x3DCCCCCD).
    assert table_of(numpy.array([[0.1]], dtype="float32")).row(0) == (Fraction(13421773, 2**27),)


def test_decimals_and_floats_differ_where_they_should() -> None:
    assert table_of([[Decimal("0.1")]]).row(0) == (Fraction(1, 10),)
    # 0.1 in binary64 is 0x1.999999999999ap-4.
    assert table_of([[0.1]]).row(0) == (Fraction(0x1999999999999A, 2**56),)


def test_names_of_frames_are_kept_and_chosen() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"b": [1, 2], "a": [3, 4]}
    for data in (columns, pandas.DataFrame(columns), polars.DataFrame(columns)):
        assert table_of(data).names == ("b", "a")
        assert rows_of(table_of(data, ["a"])) == [(3,), (4,)]
        assert rows_of(table_of(data, ["a", "b"])) == [(3, 1), (4, 2)]
    assert table_of([[1, 2]], ["u", "v"]).names == ("u", "v")
    assert table_of(table_of(columns), ["a"]).names == ("a",)


@given(
    st.lists(st.tuples(st.integers(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1)
)
def test_the_order_of_rows_is_kept(rows: list[tuple[int, float]]) -> None:
    assert rows_of(table_of(rows)) == [(Fraction(a), Fraction(b)) for a, b in rows]


def test_the_data_given_are_not_changed() -> None:
    rows = [[3, 1.5], [1, 2.5]]
    refagg.microaggregate(rows, 2)
    assert rows == [[3, 1.5], [1, 2.5]]


# What is imported


def imported(source: str) -> set[str]:
    """The first names of all modules that a source text imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else (node.module or "").partition(".")[0])
    return found


def test_imports_are_found() -> None:
    source = "import numpy as np\ndef f():\n    from pandas.core import x\n    import os.path\n"
    assert imported(source) == {"numpy", "pandas", "os"}


ARRAYS = ("array_matrix", "array_rows", "arrays", "compiled", "shortest")
WITH_NUMPY = {"release/arrays.py", *(f"engine/{name}.py" for name in ARRAYS)}


@pytest.mark.parametrize(
    "path", sorted(SOURCES.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCES))
)
def test_the_library_imports_the_standard_library_and_itself(path: Path) -> None:
    allowed = {*sys.stdlib_module_names, "refagg"}
    if path.parent == SOURCES / "comparison" / "plots" or path == SOURCES / "notebook.py":
        allowed.add("matplotlib")
    if path == SOURCES / "sklearn.py":
        allowed |= {"numpy", "sklearn"}
    if str(path.relative_to(SOURCES)) in WITH_NUMPY:
        allowed |= {"numpy", "numba"} if path.stem == "compiled" else {"numpy"}
    if path == SOURCES / "terminal.py":
        allowed.add("rich")
    assert imported(path.read_text(encoding="utf-8")) <= allowed


def test_importing_the_library_and_its_command_loads_nothing_else() -> None:
    script = (
        "import sys, refagg, refagg.commands.main\n"
        "print(sorted({n.partition('.')[0] for n in sys.modules} & "
        "{'numpy', 'pandas', 'polars', 'pulp', 'matplotlib', 'oracle'}))"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(
        command, cwd=SOURCES.parent, capture_output=True, text=True, check=True, timeout=50
    )
    assert result.stdout == "[]\n"


class Interchanged:
    """A frame of which nothing is known but the interchange protocol."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __dataframe__(self, *args: Any, **options: Any) -> Any:
        return self.table.__dataframe__(*args, **options)


def test_a_frame_with_the_interchange_protocol_alone_is_read() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": [1, 2, 7, 8], "b": [1.5, 2.0, 5.0, 6.0]})
    assert refagg.mdav(Interchanged(table), 2) == refagg.mdav(table, 2)


class Streamed:
    """A frame of which nothing is known but Arrow's stream."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


FRAMES = ("Arrow", "batch", "stream", "pandas", "DuckDB")


@pytest.mark.parametrize("form", FRAMES)
def test_two_columns_of_one_name_are_named_in_every_kind_of_frame(form: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    table = arrow.Table.from_arrays([arrow.array([1, 2, 7]), arrow.array([1, 3, 8])], ["a", "a"])
    frames = {
        "Arrow": table,
        "batch": table.to_batches()[0],
        "stream": Streamed(table),
        "pandas": pandas.DataFrame([[1, 1], [2, 3], [7, 8]], columns=["a", "a"]),
        "DuckDB": duckdb.sql("select 1 as a, 1 as a union all select 2, 3 union all select 7, 8"),
    }
    with pytest.raises(DuplicateColumn, match="names must differ"):
        refagg.mdav(frames[form], 3)


def test_a_sparse_matrix_is_no_table_of_cells() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(NotATable, match="csr_matrix is not a table"):
        refagg.mdav(sparse.csr_matrix([[1, 2], [3, 4]]), 2)


PEOPLE = {"age": [31, 33, 35, 60, 61, 64], "income": [20.5, 21.0, 22.5, 50.0, 52.5, 51.0]}
MEANS = [33.0] * 3 + [185 / 3] * 3


def test_an_expression_of_ibis_is_masked_and_audited() -> None:
    ibis = pytest.importorskip("ibis")
    pandas = pytest.importorskip("pandas")
    people = ibis.memtable(pandas.DataFrame(PEOPLE))
    masked = refagg.microaggregate(people, k=3).to_frame()
    assert masked["age"].to_pylist() == MEANS
    assert oracle.audit(people, masked, k=3, algorithm="mdav").ok


def test_a_frame_of_modin_is_masked_and_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODIN_ENGINE", "python")
    modin = pytest.importorskip("modin.pandas")
    people = modin.DataFrame(PEOPLE)
    masked = refagg.microaggregate(people, k=3).to_frame()
    assert type(masked) is modin.DataFrame
    assert masked["age"].tolist() == MEANS
    assert oracle.audit(people, masked, k=3, algorithm="mdav").ok
    with pytest.raises(ShuffledIndex):
        oracle.audit(people, masked.iloc[::-1], k=3)
