"""The caller's type comes back, for every type of column; or a named error before any work."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import oracle
import refagg
from refagg import microaggregate
from refagg.data.foreign import check_order
from refagg.errors import (
    DuplicateColumn,
    MissingValue,
    NotADate,
    NotANumber,
    NotATable,
    RefaggError,
    ShuffledIndex,
    UnfitColumn,
    UnknownColumn,
)

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("narwhals")

# Records 0, 1, 4 and 2, 3, 5 form the groups of k = 3 by the column "x".
X = [1.0, 2.0, 101.0, 102.0, 3.0, 103.0]
LOW, HIGH = (0, 1, 4), (2, 3, 5)
WEIGHTS = {"x": 1000}


def of_pandas(column: Any) -> Any:
    frame = pd.DataFrame({"x": X, "c": pd.Series(column)})
    return frame.set_index(pd.Index(list("fedcba"), name="who"))


def of_polars(column: Any) -> Any:
    return pl.DataFrame({"x": X, "c": column})


def of_arrow(column: Any) -> Any:
    return pa.table({"x": X, "c": column})


def cells(frame: Any, name: str = "c") -> list[Any]:
    column = frame[name]
    return list(column.to_pylist() if isinstance(frame, pa.Table) else column.to_list())


def type_of(frame: Any, name: str = "c") -> Any:
    column = frame[name]
    return column.type if isinstance(frame, pa.Table) else column.dtype


def released(frame: Any, kind: str | None) -> Any:
    how: Any = {} if kind is None else {"kinds": {"c": kind}, "weights": WEIGHTS}
    made = microaggregate(frame, 3, **how).to_frame()
    assert type(made) is type(frame)
    if isinstance(frame, pd.DataFrame):
        assert made.index.equals(frame.index)
    low = [sum(X[r] for r in LOW) / 3] * 3
    assert [cells(made, "x")[r] for r in LOW] == low, "the groups are as they should be"
    return made


# Categories: the most frequent value of the low group is a, of the high group b.


def pattern(a: Any, b: Any) -> list[Any]:
    """Per record; a has two of three in the low group, b in the high one."""
    return [a, a, b, b, b, a]


def expected(a: Any, b: Any) -> list[Any]:
    return [a, a, b, b, a, b]


MOMENTS = pattern(dt.datetime(2020, 1, 1, 10), dt.datetime(2021, 1, 1))
DATES = pattern(dt.date(2020, 1, 1), dt.date(2021, 1, 1))
SPANS = pattern(dt.timedelta(hours=1), dt.timedelta(days=1))
TIMES = pattern(dt.time(10), dt.time(11, 30))
TEXTS = pattern("red", "blue")
ZONED = pd.Series(MOMENTS).dt.tz_localize("Europe/Paris")

CATEGORICAL: dict[str, Callable[[], Any]] = {
    "category of ints": lambda: of_pandas(pd.Categorical(pattern(1, 2))),
    "category of strings": lambda: of_pandas(pd.Categorical(TEXTS)),
    "ordered category": lambda: of_pandas(
        pd.Categorical(TEXTS, categories=["red", "green", "blue"], ordered=True)
    ),
    "bool": lambda: of_pandas(pattern(True, False)),
    "boolean": lambda: of_pandas(pd.array(pattern(True, False), "boolean")),
    "bool of Arrow": lambda: of_pandas(pd.array(pattern(True, False), "bool[pyarrow]")),
    "object of bools": lambda: of_pandas(pd.Series(pattern(True, False), dtype=object)),
    "object of texts": lambda: of_pandas(pd.Series(TEXTS, dtype=object)),
    "string": lambda: of_pandas(pd.array(TEXTS, "string")),
    "string of Arrow": lambda: of_pandas(pd.array(TEXTS, "string[pyarrow]")),
    "nominal int8": lambda: of_pandas(np.array(pattern(1, 2), dtype="int8")),
    "nominal Int64": lambda: of_pandas(pd.array(pattern(1, 2), "Int64")),
    "timedelta": lambda: of_pandas(SPANS),
    "period": lambda: of_pandas(
        pd.PeriodIndex(pattern("2020-01", "2020-02"), freq="M").to_series(index=range(6))
    ),
    "interval": lambda: of_pandas(
        pd.Series(pattern(pd.Interval(0, 1), pd.Interval(1, 2)), dtype="interval")
    ),
    "nominal datetime64": lambda: of_pandas(MOMENTS),
    "nominal with a zone": lambda: of_pandas(ZONED),
    "object of dates": lambda: of_pandas(pd.Series(DATES, dtype=object)),
    "object of Decimal": lambda: of_pandas(pattern(Decimal("1.50"), Decimal("2"))),
    "polars Boolean": lambda: of_polars(pattern(True, False)),
    "polars Utf8": lambda: of_polars(TEXTS),
    "polars Categorical": lambda: of_polars(pl.Series(TEXTS, dtype=pl.Categorical)),
    "polars Enum": lambda: of_polars(pl.Series(TEXTS, dtype=pl.Enum(["blue", "green", "red"]))),
    "polars Date": lambda: of_polars(DATES),
    "polars Time": lambda: of_polars(TIMES),
    "polars Duration": lambda: of_polars(SPANS),
    "Arrow bool": lambda: of_arrow(pattern(True, False)),
    "Arrow dictionary": lambda: of_arrow(pa.array(TEXTS).dictionary_encode()),
    "Arrow large_string": lambda: of_arrow(pa.array(TEXTS, pa.large_string())),
    "Arrow date32": lambda: of_arrow(pa.array(DATES, pa.date32())),
    "Arrow date64": lambda: of_arrow(pa.array(DATES, pa.date64())),
    "Arrow time32": lambda: of_arrow(pa.array(TIMES, pa.time32("s"))),
    "Arrow duration": lambda: of_arrow(pa.array(SPANS, pa.duration("s"))),
    "Arrow decimal": lambda: of_arrow(pa.array(pattern(Decimal("1.5"), Decimal("2.5")))),
    "Arrow binary": lambda: of_arrow(pa.array(pattern(b"x", b"y"))),
}


@pytest.mark.parametrize("name", CATEGORICAL)
def test_categories_come_back_in_their_type(name: str) -> None:
    frame = CATEGORICAL[name]()
    made = released(frame, "nominal")
    assert type_of(made) == type_of(frame)
    a, b = cells(frame)[0], cells(frame)[2]
    assert cells(made) == expected(a, b)
    assert list(map(type, cells(made))) == [type(a)] * 6


@pytest.mark.parametrize(
    ("kind", "plain"),
    [("string_view", "large_string"), ("binary_view", "large_binary"), ("runs", "string")],
)
def test_columns_of_which_arrow_takes_no_records_become_plain_ones(kind: str, plain: str) -> None:
    runs = pytest.importorskip("pyarrow.compute").run_end_encode
    texts = pa.array(TEXTS)
    column = runs(texts) if kind == "runs" else texts.cast(getattr(pa, kind)())
    made = released(of_arrow(column), "nominal")
    assert str(type_of(made)) == plain
    a, b = cells(of_arrow(texts.cast(plain)))[1:3]
    assert cells(made) == expected(a, b)


@pytest.mark.parametrize("name", [n for n in CATEGORICAL if "ool" in n])
def test_booleans_are_a_kind(name: str) -> None:
    frame = CATEGORICAL[name]()
    made = released(frame, "boolean")
    assert type_of(made) == type_of(frame)
    assert cells(made) == expected(True, False)


# Numbers: the groups' means are 4/3 and 10/3 (times the unit), no integers

NUMBERS = [1, 1, 3, 3, 2, 4]
MEANS = [Fraction(4, 3), Fraction(10, 3)]


def as_pandas(kind: Any) -> Callable[[], Any]:
    return lambda: of_pandas(pd.array(NUMBERS, kind))


def as_polars(kind: Any) -> Callable[[], Any]:
    return lambda: of_polars(pl.Series(NUMBERS).cast(kind))


def as_arrow(kind: Any) -> Callable[[], Any]:
    return lambda: of_arrow(pa.array(NUMBERS).cast(kind))


NUMERIC: dict[str, tuple[Callable[[], Any], str]] = {
    **{
        kind: (as_pandas(kind), "float64")
        for kind in (
            *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
            *("float32", "float64"),
        )
    },
    **{kind: (as_pandas(kind), "Float64") for kind in ("Int8", "Int64", "UInt32", "Float32")},
    "Int64 of Arrow": (as_pandas("int64[pyarrow]"), "double[pyarrow]"),
    "Decimal of Arrow": (as_pandas(pd.ArrowDtype(pa.decimal128(9, 2))), "double[pyarrow]"),
    **{
        f"polars {kind}": (as_polars(kind), "Float64")
        for kind in (pl.Int8, pl.Int64, pl.UInt16, pl.Float32, pl.Float64, pl.Decimal(9, 2))
    },
    **{
        f"Arrow {kind}": (as_arrow(kind), "double")
        for kind in (pa.int8(), pa.uint64(), pa.float32(), pa.decimal128(25, 2))
    },
    "Arrow decimal256": (
        lambda: of_arrow(pa.array(list(map(Decimal, NUMBERS)), pa.decimal256(60, 2))),
        "double",
    ),
}


@pytest.mark.parametrize("name", NUMERIC)
def test_means_are_binary64_in_the_library_of_the_column(name: str) -> None:
    make, wanted = NUMERIC[name]
    made = released(make(), None)
    assert str(type_of(made)) == wanted
    low, high = map(float, MEANS)
    assert cells(made) == [low, low, high, high, low, high]


def test_objects_of_fractions_and_decimals_come_back() -> None:
    made = released(of_pandas(pd.Series(list(map(Fraction, NUMBERS)), dtype=object)), None)
    assert cells(made) == [MEANS[r in HIGH] for r in range(6)]
    assert set(map(type, cells(made))) == {Fraction}
    made = released(of_pandas(pd.Series(list(map(Decimal, NUMBERS)), dtype=object)), None)
    assert str(cells(made)[0]) == "1." + "3" * 27
    assert set(map(type, cells(made))) == {Decimal}


# Dates and datetimes: 0, 1 and 3 days or units after the first of the group, mean 4/3, so 1

DAYS = [0, 1, 100, 101, 3, 103]
ROUNDED = [1, 1, 101, 101, 1, 101]
START = dt.date(2020, 2, 28)


def days(numbers: list[int]) -> list[dt.date]:
    return [START + dt.timedelta(days=number) for number in numbers]


DATED: dict[str, Callable[[list[int]], Any]] = {
    "object of dates": lambda n: of_pandas(pd.Series(days(n), dtype=object)),
    "midnights of pandas": lambda n: of_pandas(pd.to_datetime(days(n)).to_series(index=range(6))),
    "date32 of Arrow in pandas": lambda n: of_pandas(pd.array(days(n), "date32[pyarrow]")),
    "polars Date": lambda n: of_polars(days(n)),
    "Arrow date32": lambda n: of_arrow(pa.array(days(n), pa.date32())),
    "texts": lambda n: of_pandas(pd.array([day.isoformat() for day in days(n)], "string")),
    "texts of polars": lambda n: of_polars([day.isoformat() for day in days(n)]),
}


@pytest.mark.parametrize("name", DATED)
def test_dates_come_back_rounded_to_days(name: str) -> None:
    frame, wanted = DATED[name](DAYS), DATED[name](ROUNDED)
    made = released(frame, "date")
    assert type_of(made) == type_of(frame)
    assert cells(made) == cells(wanted)


def stamps(unit: str, zone: str | None, numbers: list[int]) -> Any:
    """Datetimes so many units after a time at which clocks in Paris are set forward."""
    start = np.datetime64("2021-03-28T00:59:59", unit) + 0
    column = pd.Series(start + np.array(numbers).astype(f"timedelta64[{unit}]"))
    return column.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else column


STAMPED: dict[str, Callable[[list[int]], Any]] = {
    f"{library} {unit} {zone}": (
        lambda n, unit=unit, zone=zone, library=library: {  # type: ignore[misc]
            "pandas": lambda s: of_pandas(s),
            "polars": lambda s: pl.from_pandas(of_pandas(s).reset_index(drop=True)),
            "arrow": lambda s: pa.Table.from_pandas(of_pandas(s).reset_index(drop=True)),
            "pandas of arrow": lambda s: of_pandas(
                s.astype(pd.ArrowDtype(pa.timestamp(unit, zone)))
            ),
        }[library](stamps(unit, zone, n))
    )
    for library in ("pandas", "polars", "arrow", "pandas of arrow")
    for unit in ("s", "ms", "us", "ns")
    for zone in (None, "UTC", "Europe/Paris")
    if not (library == "polars" and unit == "s")
}


@pytest.mark.parametrize("name", STAMPED)
def test_datetimes_come_back_in_their_unit_and_zone(name: str) -> None:
    frame, wanted = STAMPED[name](DAYS), STAMPED[name](ROUNDED)
    made = released(frame, "datetime")
    assert type_of(made) == type_of(frame)
    if isinstance(frame, pl.DataFrame):
        assert made["c"].to_physical().to_list() == wanted["c"].to_physical().to_list()
    else:
        assert cells(made) == cells(wanted)


# Rows, mappings and arrays


def test_rows_and_mappings_keep_dates_and_booleans() -> None:
    zone = dt.timezone(dt.timedelta(hours=2))
    moments = [dt.datetime(2020, 1, 1, 12, minute, tzinfo=zone) for minute in (0, 2, 59, 58, 1, 57)]
    flags = pattern(True, False)
    data = {"x": X, "born": days(DAYS), "at": moments, "ok": flags}
    kinds = {"born": "date", "at": "datetime", "ok": "boolean"}
    wanted = {
        "born": days(ROUNDED),
        "at": [moments[4] if r in LOW else moments[3] for r in range(6)],
        "ok": expected(True, False),
    }
    made = microaggregate(data, 3, kinds=kinds, weights=WEIGHTS).to_frame()
    assert {name: made[name] for name in wanted} == wanted
    assert made["at"][0].tzinfo is zone
    rows = [dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]
    listed: Any = microaggregate(rows, 3, kinds=kinds, weights=WEIGHTS).to_frame()
    assert {name: [row[name] for row in listed] for name in wanted} == wanted
    values = microaggregate(data, 3, kinds=kinds, weights=WEIGHTS).values()
    assert values["born"] == wanted["born"]
    assert values["ok"] == wanted["ok"]
    assert values["at"][0] == dt.datetime(2020, 1, 1, 10, 1)  # in UTC


def test_structured_arrays_keep_their_fields() -> None:
    fields = [("x", "f8"), ("born", "M8[D]"), ("at", "M8[ns]"), ("ok", "?"), ("job", "U4")]
    rows = [
        (x, np.datetime64(day), np.datetime64(number, "ns"), flag, text)
        for x, day, number, flag, text in zip(
            X, days(DAYS), DAYS, pattern(True, False), TEXTS, strict=True
        )
    ]
    array = np.array(rows, dtype=fields)
    kinds = {"born": "date", "at": "datetime", "ok": "boolean", "job": "nominal"}
    made = microaggregate(array, 3, kinds=kinds, weights=WEIGHTS).to_frame()
    assert made.dtype == array.dtype
    assert made["born"].tolist() == days(ROUNDED)
    assert made["at"].astype("int64").tolist() == ROUNDED
    assert made["ok"].tolist() == expected(True, False)
    assert made["job"].tolist() == expected("red", "blue")


def test_arrays_of_objects_keep_categories() -> None:
    array = np.array(list(zip(X, TEXTS, strict=True)), dtype=object)
    how: Any = {"quasi_identifiers": ["x", "c"], "kinds": {"c": "nominal"}, "weights": WEIGHTS}
    made = microaggregate(array, 3, **how).to_frame()
    assert made[:, 1].tolist() == expected("red", "blue")
    assert made[:, 0].tolist() == [2.0, 2.0, 102.0, 102.0, 2.0, 102.0]


# Missing cells


@pytest.mark.parametrize("make", [of_pandas, of_polars, of_arrow])
def test_missing_cells_stay_and_types_too(make: Callable[[Any], Any]) -> None:
    column = [None, None, *pattern(True, False)[2:5], None]
    frame = make(pd.array(column, "boolean") if make is of_pandas else column)
    made = microaggregate(frame, 3, kinds={"c": "boolean"}, missing="group-apart").to_frame()
    assert type_of(made) == type_of(frame)
    assert [None if cell is pd.NA else cell for cell in cells(made)] == [
        *(None, None, False, False, False, None)
    ]


# What cannot be given back is said before any work


@pytest.mark.parametrize(
    ("frame", "kind", "error", "words"),
    [
        (lambda: of_arrow(pa.array(DATES, pa.date64())), "date", UnfitColumn, "'c'"),
        (lambda: of_pandas(MOMENTS), None, NotANumber, "kinds={'c': 'datetime'}"),
        (lambda: of_polars(DATES), None, NotANumber, "kinds={'c': 'date'}"),
        (lambda: of_pandas(pattern(True, False)), None, NotANumber, "kinds={'c': 'boolean'}"),
        (lambda: of_pandas(TEXTS), None, NotANumber, "kinds={'c': 'nominal'}"),
        (lambda: of_polars(["2020-01-01"] * 6), None, NotANumber, "kinds={'c': 'date'}"),
        (lambda: of_pandas(ZONED), "date", NotADate, "time zone"),
        (lambda: of_pandas(MOMENTS), "date", NotADate, "time of day"),
        (lambda: of_pandas(pattern(1, 2)), "date", NotADate, "is no date"),
        (
            lambda: of_pandas([MOMENTS[0], *ZONED[1:]]),
            "datetime",
            NotADate,
            "only one of both has a time zone",
        ),
    ],
)
def test_what_cannot_come_back_is_refused(
    frame: Callable[[], Any],
    kind: str | None,
    error: type[RefaggError],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def worked(*given: Any) -> None:
        raise AssertionError("groups were formed")

    monkeypatch.setattr("refagg.release.masking.masked", worked)
    for missing in ("reject", "group-apart"):
        how: Any = {"kinds": None if kind is None else {"c": kind}, "missing": missing}
        with pytest.raises(error, match=re.escape(words)):
            microaggregate(frame(), 3, **how)


def test_a_category_that_no_record_has_is_refused_where_the_type_cannot_hold_it() -> None:
    how: Any = {"kinds": {"c": "ordinal:1<2<3<4"}, "aggregates": {"ordinal": "convex-median"}}
    values = [1, 1, 1, 4, 4, 4]
    with pytest.raises(UnfitColumn, match="'c'"):
        microaggregate(of_pandas(pd.Categorical(values)), 3, **how)
    texts = of_pandas(pd.Categorical(list(map(str, values)), categories=list("1234")))
    made = microaggregate(texts, 3, **how).to_frame()
    assert type_of(made) == type_of(texts)


# Other forms


def test_frames_that_are_read_once_or_late() -> None:
    duckdb = pytest.importorskip("duckdb")
    plain = of_polars(NUMBERS)
    wanted = microaggregate(plain, 3).to_frame().rows()
    table = plain.to_arrow()
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())

    class Capsule:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return table.__arrow_c_stream__(requested_schema)

    assert microaggregate(plain.lazy(), 3).to_frame().rows() == wanted
    for data in (duckdb.sql("from plain"), table.to_batches()[0], reader, Capsule()):
        made = microaggregate(data, 3).to_frame()
        assert isinstance(made, pa.Table)
        assert list(zip(*made.to_pydict().values(), strict=True)) == wanted
    rows = (list(row) for row in plain.rows())
    assert list(map(tuple, microaggregate(rows, 3).to_frame())) == wanted


def of_modin(frame: Any) -> Any:
    pytest.importorskip("modin.config").Engine.put("Python")
    return pytest.importorskip("modin.pandas").DataFrame(frame)


FORMS: dict[str, Callable[[Any], Any]] = {
    "modin": of_modin,
    "ibis": lambda frame: pytest.importorskip("ibis").memtable(frame),
    "views": lambda frame: {name: dict(enumerate(frame[name])).values() for name in frame},
    "iterator": lambda frame: iter(frame.to_numpy().tolist()),
    "lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "reader": lambda frame: pa.Table.from_pandas(frame).to_reader(),
    "batch": lambda frame: pa.Table.from_pandas(frame).to_batches()[0],
    "iterators": lambda frame: {name: iter(frame[name]) for name in frame},
    "arrays": lambda frame: {name: frame[name].to_numpy() for name in frame},
    "masked": lambda frame: np.ma.array(frame.to_numpy()),
    "records": lambda frame: frame.to_records(index=False),
    "pandas": lambda frame: frame,
}


@pytest.mark.parametrize("name", FORMS)
def test_every_function_takes_every_form(name: str) -> None:
    original = pd.DataFrame({"a": X, "b": NUMBERS})
    released = microaggregate(original, 3).to_frame()
    shape = FORMS[name]
    for missing in ("reject", "drop", "group-apart", "as-released"):
        how: Any = {"missing": missing}
        assert oracle.audit(shape(original), shape(released), 3, **how).status == "holds", missing
    for missing in ("reject", "drop", "group-apart"):
        how = {"missing": missing}
        assert refagg.measure(shape(original), shape(released), **how)["k_reached"] == 3
        microaggregate(shape(original), 3, **how).to_frame()
    assert oracle.audit_release(shape(released), 3).status == "holds"
    assert refagg.table_of(shape(original)).n == len(X)
    assert refagg.mdav(shape(original), 3) == refagg.mdav(original, 3)
    assert oracle.optimum(shape(original), 3).status == "optimal"
    assert oracle.identify(shape(original), shape(released), 3, algorithm="mdav").possible


@pytest.mark.parametrize(
    "data",
    [
        lambda: pd.Series(X),
        lambda: pl.Series(X),
        lambda: pa.chunked_array([X]),
        lambda: np.zeros((2, 2, 2)),
        lambda: np.matrix([X]),
        lambda: set(X),
        lambda: memoryview(np.array([X, X])),
        lambda: pa.table({"a": X}).to_batches() * 2,
        lambda: pl.LazyFrame({"a": ["x"]}).select(pl.col("a").cast(pl.Float64)),
        lambda: pl.LazyFrame({"a": X}).select("b"),
        lambda: pd,
        lambda: pd.DataFrame,
        lambda: pytest.importorskip("ibis").memtable({"a": X}).a,
        lambda: pd.DataFrame({"a": X}).groupby("a"),
        lambda: pl.DataFrame({"a": X}).group_by("a"),
        lambda: "abc",
        lambda: ((x for x in X) for _ in X),
    ],
)
def test_what_is_no_table_is_a_named_error(data: Callable[[], Any]) -> None:
    for missing in ("reject", "drop", "group-apart"):
        how: Any = {"missing": missing}
        with pytest.raises(RefaggError) as found:
            microaggregate(data(), 3, **how)
        assert len(lines := str(found.value).splitlines()) == 1, lines


def test_a_query_that_fails_is_a_named_error() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    failing = connection.sql("select cast(a as int) as a from (values ('x'), ('y')) t(a)")
    with pytest.raises(NotATable, match=r"^DuckDBPyRelation cannot be read: Conversion"):
        microaggregate(failing, 2)
    relation = connection.sql("select * from (values (1), (2), (3)) t(a)")
    assert microaggregate(relation, 3).k_reached == 3
    connection.close()
    with pytest.raises(NotATable, match="closed"):
        microaggregate(relation, 3)


def test_a_shuffled_index_is_pointed_out() -> None:
    original = of_pandas(NUMBERS)
    released = microaggregate(original, 3).to_frame()
    assert oracle.audit(original, released, 3).ok
    shuffled = released.sort_index()
    for call in (oracle.audit, oracle.identify):
        with pytest.raises(ShuffledIndex, match="record 0 is 'f' and 'a'"):
            call(original, shuffled, 3)
    with pytest.raises(ShuffledIndex):
        refagg.measure(original, shuffled)
    labels = pd.Series([*"aabbab"], original.index)
    late = labels.sort_index()
    for beside in (
        lambda: microaggregate(original, 3, strata=late),
        lambda: microaggregate(original, 3, sampling_weights=late, missing="drop"),
        lambda: microaggregate({"x": original["x"], "c": late}, 3, kinds={"c": "nominal"}),
        lambda: refagg.evaluate(original, late, 3),
        lambda: refagg.compare(original, 3, algorithms=["mdav"], groups={"mine": late}),
        lambda: oracle.audit(original, released, 3, partition=late),
        lambda: oracle.audit(original, released, 3, confidential={"s": late}),
        lambda: oracle.audit_release(released, 3, confidential={"s": late}),
        lambda: oracle.identify(original, released, 3, strata=late),
    ):
        with pytest.raises(ShuffledIndex, match="record 0 is 'f' and 'a'"):
            beside()
    assert microaggregate(original, 3, strata=labels).partition.groups == (LOW, HIGH)
    assert oracle.audit(original, shuffled.loc[original.index], 3).ok
    assert oracle.audit(original, released.reset_index(drop=True), 3).ok


def test_names_of_several_levels_and_names_that_are_equal() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    with pytest.raises(NotATable, match="several names"):
        microaggregate(frame, 2)
    with pytest.raises(DuplicateColumn, match="'a'"):
        microaggregate(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), 2)
    numbered = microaggregate(pd.DataFrame([[1, 2], [3, 4]]), 2).to_frame()
    assert list(numbered.columns) == [0, 1]
    assert numbered.to_numpy().tolist() == [[2, 3], [2, 3]]


def test_masked_arrays_lack_what_is_masked() -> None:
    array = np.ma.array([[1.0, 2], [3, 4], [5, 6]], mask=[[0, 0], [0, 0], [1, 0]])
    with pytest.raises(RefaggError, match="row 2, column 'x1': the value is missing"):
        microaggregate(array, 2)
    made = microaggregate(array, 2, missing="drop").to_frame()
    assert made.tolist() == [[2, 3], [2, 3]]
    apart = microaggregate(array, 1, missing="group-apart").to_frame()
    assert apart.mask.tolist() == array.mask.tolist()
    assert apart[:2].tolist() == array[:2].tolist()
    hidden = np.ma.array(["a", "b", "c"], mask=[0, 0, 1])
    with pytest.raises(MissingValue, match="row 2, column 'c'"):
        microaggregate({"c": hidden}, 1, kinds={"c": "nominal"})


def test_arrays_of_arrow_are_columns_and_labels() -> None:
    numbers, texts = pa.array([1, 2, None, 5]), pa.chunked_array([["x", "y"], ["x", "y"]])
    with pytest.raises(MissingValue, match="row 2, column 'a'"):
        microaggregate({"a": numbers}, 2)
    columns = {"a": numbers.fill_null(4), "c": texts}
    made = microaggregate(columns, 2, kinds={"c": "nominal"}, weights={"c": 100}).to_frame()
    assert made == {"a": [2.5, 3.5, 2.5, 3.5], "c": ["x", "y", "x", "y"]}
    how: Any = {"quasi_identifiers": ["a"], "strata": texts, "sampling_weights": pa.array([1] * 4)}
    assert microaggregate(columns, 2, **how).to_frame()["a"] == made["a"]


def test_names_are_texts() -> None:
    frame = pd.DataFrame({0: X, 1: NUMBERS})
    assert microaggregate(frame, 3, quasi_identifiers=["0"]).to_frame()[1].tolist() == NUMBERS
    wrong: list[dict[str, Any]] = [{"quasi_identifiers": [0]}, {"kinds": {0: "numeric"}}]
    for how in wrong:
        with pytest.raises(UnknownColumn, match=r"no column 0 .names are texts, as '0'"):
            microaggregate(frame, 3, **how)


class Indexed:
    """A frame, as far as its order is concerned."""

    iloc = None

    def __init__(self) -> None:
        self.looks = 0

    @property
    def index(self) -> list[str]:
        self.looks += 1
        return ["b", "a"]


def test_an_index_is_looked_at_only_beside_another_one() -> None:
    frame, other = Indexed(), Indexed()
    check_order(frame, {"seed": 1, "strata": ["x", "y"], "weights": None})
    assert frame.looks == 0
    check_order(frame, {"seed": 1, "strata": other})
    assert (frame.looks, other.looks) == (1, 1)


@pytest.mark.parametrize("shape", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_dates_that_are_declared_as_datetimes_are_rounded_to_days(shape: Any) -> None:
    days = [dt.date(2020, 1, day) for day in (4, 2, 3, 10, 9, 8, 6)]
    original = shape({"a": days, "b": [float(day.day) for day in days]})
    how: Any = {"kinds": {"a": "datetime", "b": "numeric"}}
    released = microaggregate(original, 3, "mdav", **how).to_frame()
    assert oracle.audit(original, released, 3, algorithm="mdav", **how).status == "holds"
    wrong = [day + dt.timedelta(days=2) for day in days]
    moved = shape({"a": wrong, "b": list(map(float, released["b"]))}) if shape is dict else None
    assert moved is None or oracle.audit(original, moved, 3, **how).status == "fails"


def test_a_frame_whose_library_takes_no_rows_of_a_type_is_a_named_error() -> None:
    views = pa.table({"a": pa.array(list("dbcaab"), pa.string_view()), "b": [1.0, 2, 3, 4, 5, 6]})
    frame = views.to_pandas(types_mapper=pd.ArrowDtype)
    with pytest.raises(NotATable, match="DataFrame cannot be taken apart: "):
        microaggregate(frame, 3, kinds={"a": "nominal", "b": "numeric"})
