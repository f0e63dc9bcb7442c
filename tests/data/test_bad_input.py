"""Every way in which a request can be wrong: what is raised, and what the message says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oracle.commands.main
import refagg.commands.main
from refagg import microaggregate, table_of
from refagg.data.csvfiles import read_table
from refagg.data.standardise import standardise
from refagg.datasets import load
from refagg.errors import (
    DatasetUnavailable,
    DuplicateColumn,
    EmptyTable,
    FileUnreadable,
    InvalidBlocks,
    InvalidK,
    InvalidKind,
    InvalidParameter,
    InvalidPartition,
    KTooLarge,
    MissingValue,
    NotANumber,
    NotATable,
    NotFinite,
    OutputUnwritable,
    RaggedRow,
    RefaggError,
    ShapeMismatch,
    UnfitColumn,
    UnknownAlgorithm,
    UnknownColumn,
    UnknownDataset,
    UnknownParameter,
    UnsupportedArithmetic,
)

NAN, INFINITY = float("nan"), float("inf")
GOOD = [[1, 2], [2, 2], [30, 1], [31, 1]]

Kind = type[RefaggError]


def check(call: Callable[[], object], kind: Kind, fragments: list[str]) -> None:
    with pytest.raises(RefaggError) as caught:
        call()
    assert type(caught.value) is kind
    message = str(caught.value)
    for fragment in fragments:
        assert fragment in message
    assert "\n" not in message


# Data


@pytest.mark.parametrize(
    ("data", "kind", "fragments"),
    [
        ([[1, 2.0], [3, NAN]], MissingValue, ["row 1", "column 'x2'", "nan", "missing"]),
        ([[INFINITY]], NotFinite, ["row 0", "column 'x1'", "inf"]),
        ([[1], [-INFINITY]], NotFinite, ["row 1", "-inf"]),
        ([[Decimal("NaN")]], MissingValue, ["row 0", "NaN"]),
        ([[Decimal("sNaN")]], MissingValue, ["row 0", "sNaN"]),
        ([[Decimal("-Infinity")]], NotFinite, ["row 0", "-Infinity"]),
        ([[1], [None]], MissingValue, ["row 1", "column 'x1'", "missing", "(missing=)"]),
        ({"a": [1, None]}, MissingValue, ["row 1", "column 'a'"]),
        ([[1], ["2"]], NotANumber, ["row 1", "column 'x1'", "'2'"]),
        ([[b"2"]], NotANumber, ["row 0", "b'2'"]),
        ([[True]], NotANumber, ["row 0", "True"]),
        ([[1j]], NotANumber, ["row 0", "1j"]),
        ([[[1]]], NotANumber, ["row 0", "[1]"]),
        ({"a": "12"}, NotANumber, ["column 'a'", "'1'"]),
        ([[1, 2], [3]], RaggedRow, ["row 1", "1 values", "2 columns"]),
        ([[1], [3, 4]], RaggedRow, ["row 1", "2 values", "1 columns"]),
        ({"a": [1, 2], "b": [1]}, RaggedRow, ["'a': 2", "'b': 1"]),
        ([], EmptyTable, ["no record"]),
        ([[], []], EmptyTable, ["no column"]),
        ({"a": []}, EmptyTable, ["no record"]),
        ({}, EmptyTable, []),
        ({1: [1], "1": [2]}, DuplicateColumn, ["'1'", "1st", "2nd"]),
        ([1, 2], NotATable, ["row 0", "1", "[5]"]),
        (["12", "34"], NotATable, ["row 0", "'12'"]),
        ([{1, 2}], NotATable, ["row 0"]),
        ("data.csv", NotATable, ["str"]),
        (b"1,2", NotATable, ["bytes"]),
        (None, NotATable, ["NoneType"]),
        (5, NotATable, ["int"]),
    ],
)
def test_bad_data(data: Any, kind: Kind, fragments: list[str]) -> None:
    check(lambda: table_of(data), kind, fragments)
    check(lambda: microaggregate(data, 1), kind, fragments)


def numpy_of(*arguments: Any) -> Callable[[], Any]:
    return lambda: pytest.importorskip("numpy").array(*arguments)


def pandas_of(data: Any, **options: Any) -> Callable[[], Any]:
    return lambda: pytest.importorskip("pandas").DataFrame(data, **options)


def polars_of(columns: Any) -> Callable[[], Any]:
    return lambda: pytest.importorskip("polars").DataFrame(columns)


@pytest.mark.parametrize(
    ("data", "kind", "fragments"),
    [
        (numpy_of([[1.0], [NAN]]), MissingValue, ["row 1", "column 'x1'"]),
        (numpy_of([[1.0], [INFINITY]], "float32"), NotFinite, ["row 1", "inf"]),
        (numpy_of([1, 2]), NotATable, ["1 dimensions", "needs 2"]),
        (numpy_of([[[1]]]), NotATable, ["3 dimensions"]),
        (numpy_of([["a"]]), NotANumber, ["'a'"]),
        (numpy_of([[True]]), NotANumber, ["True"]),
        (numpy_of([[1j]]), NotANumber, ["1j"]),
        (numpy_of([[None]], object), MissingValue, ["row 0"]),
        (numpy_of([[], []]), EmptyTable, ["no column"]),
        (pandas_of({"a": [1.0, NAN]}), MissingValue, ["row 1", "column 'a'", "nan"]),
        (pandas_of({"a": [1, None]}, dtype="Int64"), MissingValue, ["row 1", "column 'a'"]),
        (pandas_of({"a": [1, None]}, dtype="Float64"), MissingValue, ["row 1", "column 'a'"]),
        (pandas_of({"a": [1, "b"]}), NotANumber, ["row 1", "'b'"]),
        (pandas_of([[1, 2]], columns=["a", "a"]), DuplicateColumn, ["'a'", "1st", "2nd"]),
        (pandas_of({"a": []}), EmptyTable, ["no record"]),
        (polars_of({"a": [1, None]}), MissingValue, ["row 1", "column 'a'"]),
        (polars_of({"a": [1.0, NAN]}), MissingValue, ["row 1", "column 'a'"]),
        (polars_of({"a": ["b"]}), NotANumber, ["row 0", "'b'"]),
        (polars_of({"a": []}), EmptyTable, ["no record"]),
    ],
)
def test_bad_arrays_and_frames(data: Callable[[], Any], kind: Kind, fragments: list[str]) -> None:
    check(lambda: table_of(data()), kind, fragments)


def test_not_a_time_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    check(lambda: table_of([[1], [pandas.NaT]]), MissingValue, ["row 1", "missing"])
    check(lambda: table_of([[pandas.Timestamp("2020-01-01")]]), NotANumber, ["row 0"])


@pytest.mark.parametrize(
    ("names", "kind", "fragments"),
    [
        (["z"], UnknownColumn, ["'z'", "a, b"]),
        (["a", "a"], DuplicateColumn, ["'a'", "twice"]),
        (["A"], UnknownColumn, ["'A'", "a, b"]),
        ([], EmptyTable, ["no column"]),
    ],
)  # fmt: skip
def test_bad_choices_of_columns(names: list[str], kind: Kind, fragments: list[str]) -> None:
    table = table_of({"a": [1], "b": [2]})
    for data in ({"a": [1], "b": [2]}, table):
        check(lambda data=data: table_of(data, names), kind, fragments)  # type: ignore[misc]


def test_bad_names_for_rows() -> None:
    check(lambda: table_of([[1, 2]], ["a", "a"]), DuplicateColumn, ["'a'", "1st", "2nd"])
    check(lambda: table_of([[1, 2]], ["a"]), RaggedRow, ["row 0", "2 values", "1 columns"])


def test_a_mapping_of_single_values_is_no_table() -> None:
    check(lambda: table_of({"a": 5}), NotATable, ["'a'"])


# Requests


@pytest.mark.parametrize(
    ("options", "kind", "fragments"),
    [
        ({"k": 0}, InvalidK, ["k is 0", "at least 1"]),
        ({"k": -1}, InvalidK, ["k is -1", "at least 1"]),
        ({"k": 2.5}, InvalidK, ["k is 2.5", "integer"]),
        ({"k": 2.0}, InvalidK, ["k is 2.0", "integer"]),
        ({"k": True}, InvalidK, ["k is True", "integer"]),
        ({"k": "2"}, InvalidK, ["k is '2'", "integer"]),
        ({"k": None}, InvalidK, ["k is None"]),
        ({"k": 5}, KTooLarge, ["k is 5", "only 4 records", "at most 4"]),
        ({"algorithm": "mdavv"}, UnknownAlgorithm, ["'mdavv'", "did you mean mdav?"]),
        ({"algorithm": "MDAV"}, UnknownAlgorithm, ["'MDAV'"]),
        ({"parameters": {"gamma": 1}}, UnknownParameter, ["mdav", "'gamma'", "none"]),
        (
            {"algorithm": "v-mdav", "parameters": {"foo": 1}},
            UnknownParameter,
            ["v-mdav", "'foo'", "gamma", "cap"],
        ),
        (
            {"algorithm": "v-mdav", "parameters": {"cap": "3k"}},
            InvalidParameter,
            ["cap is '3k'", "2k-1, none"],
        ),
        ({"standardise": "z"}, InvalidParameter, ["'z'", "none, population, sample"]),
        ({"arithmetic": "double"}, UnsupportedArithmetic, ["'double'", "mdav", "exact, float"]),
        ({"aggregate": "max"}, InvalidParameter, ["'max'", "mean, median, trimmed-mean, mode"]),
        ({"trim": Fraction(1, 9)}, InvalidParameter, ["trim", "trimmed-mean", "mean"]),
        (
            {"trim": Fraction(1, 9), "aggregate": "median"},
            InvalidParameter,
            ["trim applies to trimmed-mean", "median"],
        ),
        ({"aggregate": "trimmed-mean"}, InvalidParameter, ["trim is None", "less than 1/2"]),
        (
            {"aggregate": "trimmed-mean", "trim": Fraction(1, 2)},
            InvalidParameter,
            ["trim is 1/2", "less than 1/2"],
        ),
        (
            {"aggregate": "trimmed-mean", "trim": Fraction(-1, 9)},
            InvalidParameter,
            ["trim is -1/9", "from 0"],
        ),
        ({"ties": "first"}, InvalidParameter, ["'first'", "lowest, highest, random"]),
        ({"ties": "random"}, InvalidParameter, ["seed", "random"]),
        ({"seed": 1}, InvalidParameter, ["seed", "random"]),
        ({"seed": 0, "ties": "highest"}, InvalidParameter, ["seed", "random"]),
        (
            {"significant_digits": 3, "standardise": "none"},
            InvalidParameter,
            ["significant digits", "none"],
        ),
        (
            {"significant_digits": 3, "aggregate": "median"},
            InvalidParameter,
            ["significant digits", "median"],
        ),
        ({"significant_digits": 0}, InvalidParameter, ["digits is 0", "1 to 50"]),
        ({"significant_digits": 51}, InvalidParameter, ["digits is 51", "1 to 50"]),
        ({"strata": list("aaab")}, KTooLarge, ["k is 2", "stratum 'b'", "only 1 record"]),
        ({"strata": "s"}, InvalidParameter, ["are 's'; give a list", "as data['s'] is"]),
        ({"strata": "s", "missing": "drop"}, InvalidParameter, ["'s'", "as data['s'] is"]),
        ({"strata": ["a"] * 3}, ShapeMismatch, ["3 strata labels", "4 records"]),
        ({"blocks": []}, InvalidBlocks, ["'x1'", "no block"]),
        ({"blocks": [["x1"]]}, InvalidBlocks, ["'x2'", "no block"]),
        ({"blocks": [["x1", "x2"], []]}, InvalidBlocks, ["no attribute"]),
        ({"blocks": [["x1"], ["x2", "x1"]]}, InvalidBlocks, ["'x1'", "two blocks"]),
        ({"blocks": [["x1", "x1"], ["x2"]]}, InvalidBlocks, ["'x1'", "twice in one"]),
        ({"blocks": [["x1", "x2", "z"]]}, InvalidBlocks, ["'z'", "x1, x2"]),
        ({"missing": "mean"}, InvalidParameter, ["'mean'", "reject"]),
    ],
)
def test_bad_requests(options: dict[str, Any], kind: Kind, fragments: list[str]) -> None:
    check(lambda: microaggregate(GOOD, **{"k": 2, **options}), kind, fragments)


@pytest.mark.parametrize(
    "value", [0, -1, NAN, INFINITY, "0", "-0.2", "x", "", "1/0", None, True, Decimal("NaN"), [1]]
)
@pytest.mark.parametrize(
    ("algorithm", "allowed"), [("v-mdav", "at least 0"), ("iv-mdav", "greater than 0")]
)
def test_gamma_is_a_number_that_is_allowed(algorithm: str, allowed: str, value: Any) -> None:
    """V-MDAV can do without extensions: its source says what it is with gamma = 0."""
    if algorithm == "v-mdav" and value in (0, "0"):
        return
    request: dict[str, Any] = {"algorithm": algorithm, "parameters": {"gamma": value}}
    fragments = [f"gamma is {value!r}", allowed]
    check(lambda: microaggregate(GOOD, 2, **request), InvalidParameter, fragments)


@pytest.mark.parametrize(
    "options",
    [
        {"aggregate": "trimmed-mean", "trim": "a tenth"},
        {"significant_digits": 2.5},
        {"significant_digits": "3"},
        {"significant_digits": True},
        {"ties": "random", "seed": "one"},
        {"ties": "random", "seed": 1.5},
        {"ties": "random", "seed": True},
        {"algorithm": ["mdav"]},
        {"strata": [["a"]] * 4},
    ],
    ids=repr,
)
def test_values_of_the_wrong_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RefaggError):
        microaggregate(GOOD, 2, **options)


def test_bad_requests_about_data_sets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFAGG_DATA", str(tmp_path))
    check(lambda: load("censos"), UnknownDataset, ["'censos'", "census"])
    check(lambda: load("census", tmp_path), DatasetUnavailable, ["census"])


def test_standardise_by_an_unknown_name() -> None:
    check(lambda: standardise(table_of([[1]]), "mean"), InvalidParameter, ["'mean'"])


# Files


BAD_FILES: list[tuple[str, bytes, Kind, list[str]]] = [
    ("missing value", b"a,b\n1,2\n3,\n", MissingValue, ["line 3", "column 'b'", "(missing=)"]),
    ("NA", b"a,b\n1,NA\n", MissingValue, ["line 2", "column 'b'", "missing (NA)"]),
    ("nan", b"a,b\n1,2\n3,nan\n", MissingValue, ["line 3", "column 'b'", "nan"]),
    ("infinity", b"a,b\n-inf,2\n", NotFinite, ["line 2", "column 'a'", "-inf"]),
    ("text", b"a,b\n1,2\n3,x4\n", NotANumber, ["line 3", "column 'b'", "'x4'"]),
    ("decimal comma", b'a,b\n1,"2,5"\n', NotANumber, ["line 2", "column 'b'", "'2,5'"]),
    ("short row", b"a,b\n1,2\n3\n", RaggedRow, ["line 3", "1 cells", "2 columns"]),
    ("long row", b"a,b\n1,2,3\n", RaggedRow, ["line 2", "3 cells", "2 columns"]),
    ("blank line", b"a,b\n1,2\n\n3,4\n", RaggedRow, ["line 3", "an empty line"]),
    ("same names", b"a,a\n1,2\n", DuplicateColumn, ["'a'", "1st", "2nd"]),
    ("empty", b"", EmptyTable, ["no column"]),
    ("header only", b"a,b\n", EmptyTable, ["header", "no record"]),
    ("Latin-1", b"a,b\n1,\xe9\n", FileUnreadable, ["UTF-8", "byte 6"]),
    ("UTF-16 without a mark", "\u00e4,b\n1,2\n".encode("utf-16-le"), FileUnreadable, ["UTF-8"]),
    ("open quote", b'a,b\n1,"2\n', FileUnreadable, ["line 2"]),
    ("delimiter", b"a;b\n1;2\n", NotANumber, ["line 2", "column 'a;b'", "'1;2'"]),
]


@pytest.mark.parametrize(
    ("content", "kind", "fragments"),
    [row[1:] for row in BAD_FILES],
    ids=[row[0] for row in BAD_FILES],
)
def test_bad_files(tmp_path: Path, content: bytes, kind: Kind, fragments: list[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    check(lambda: read_table(path), kind, ["bad.csv", *fragments])


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    check(
        lambda: read_table(tmp_path / "none.csv"),
        FileUnreadable,
        ["none.csv", "cannot be read", "No such file"],
    )
    check(lambda: read_table(tmp_path), FileUnreadable, [str(tmp_path), "directory"])


# Commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with good and bad files, in which no command may leave another."""
    files = {
        "in.csv": "a,b\n1,2\n2,2\n30,1\n31,1\n",
        "text.csv": "a,b,s\n1,2,u\n2,2,u\n30,1,u\n31,1,v\n",
        "out.csv": "a,b\n1.5,2\n1.5,2\n30.5,1\n30.5,1\n",
        "short.csv": "a,b\n1.5,2\n1.5,2\n30.5,1\n",
        "other.csv": "a,c\n1.5,2\n1.5,2\n30.5,1\n30.5,1\n",
        "twice.json": "[[0, 1], [1, 2, 3]]",
        "absent.json": "[[0, 1], [2]]",
        "range.json": "[[0, 1], [2, 3, 4]]",
        "negative.json": "[[0, 1], [2, 3, -1]]",
        "hollow.json": "[[0, 1], [2, 3], []]",
        "bool.json": "[[0, true], [2, 3]]",
        "text.json": '[["0", 1], [2, 3]]',
        "flat.json": "[0, 1, 2, 3]",
        "object.json": '{"partition": []}',
        "not.json": "[[0, 1], [2, 3]",
        "odd.json": '{"blocks": 5}',
        "labels.csv": "group\na\na\nb\n",
        "twogroups.csv": "x,y\na,a\na,b\nb,b\nb,b\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, content, _, _ in BAD_FILES:
        (tmp_path / f"bad {name}.csv").write_bytes(content)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    yield tmp_path
    after = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after == before
    assert list((tmp_path / "folder").iterdir()) == []


def complains(
    capsys: pytest.CaptureFixture[str],
    main: Callable[[list[str]], int],
    arguments: list[str],
    fragments: list[str],
) -> None:
    """The command ends with the status 2 and one line that says why."""
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    for fragment in fragments:
        assert fragment in error


MASK = ["--algorithm", "mdav", "-k", "2", "-o", "new.csv"]


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["none.csv"], ["none.csv cannot be read", "No such file"]),
        (["folder"], ["folder cannot be read", "directory"]),
        (["text.csv"], ["text.csv, line 2, column 's'", "'u'"]),
        (["in.csv", "-k", "0"], ["k is 0", "at least 1"]),
        (["in.csv", "-k", "-1"], ["k is -1", "at least 1"]),
        (["in.csv", "-k", "5"], ["k is 5", "only 4 records"]),
        (["in.csv", "--algorithm", "nope"], ["'nope'", "refagg algorithms"]),
        (["in.csv", "--columns", "a,z"], ["in.csv", "'z'", "a, b"]),
        (["in.csv", "--columns", "a,a"], ["'a'", "twice"]),
        (["in.csv", "--columns", ""], ["''", "a, b"]),
        (["in.csv", "--confidential", "z"], ["'z'", "a, b"]),
        (["in.csv", "--confidential", "a", "--columns", "a"], ["'a'", "confidential"]),
        (["text.csv", "--strata", "z"], ["'z'", "a, b, s"]),
        (["text.csv", "--strata", "s"], ["stratum 'v'", "k is 2", "1 record"]),
        (["text.csv", "--strata", "s", "--columns", "s"], ["'s'", "strata"]),
        (["in.csv", "--param", "gamma"], ["'gamma'", "NAME=VALUE"]),
        (["in.csv", "--param", "gamma=1"], ["mdav", "'gamma'", "none"]),
        (["in.csv", "--algorithm", "v-mdav", "--param", "gamma=-1"], ["gamma is '-1'", "least 0"]),
        (["in.csv", "--algorithm", "v-mdav", "--param", "cap=3"], ["cap is '3'", "2k-1, none"]),
        (["in.csv", "--param", "a=1", "--param", "a=2"], ["'a'", "twice"]),
        (["in.csv", "--trim", "0.1"], ["trim", "mean"]),
        (["in.csv", "--trim", "x"], ["trim is 'x'", "not a number"]),
        (["in.csv", "--aggregate", "trimmed-mean"], ["trim is None"]),
        (["in.csv", "--aggregate", "trimmed-mean", "--trim", "0.5"], ["trim is 1/2"]),
        (["in.csv", "--seed", "1"], ["seed", "random"]),
        (["in.csv", "--ties", "random"], ["seed", "random"]),
        (["in.csv", "--significant-digits", "0"], ["digits is 0", "1 to 50"]),
        (["in.csv", "--significant-digits", "3", "--standardise", "none"], ["digits", "none"]),
        (["in.csv", "--significant-digits", "3", "--aggregate", "mode"], ["digits", "mode"]),
        (["in.csv", "--blocks", "a"], ["'b'", "no block"]),
        (["in.csv", "--blocks", "a;b,a"], ["'a'", "two blocks"]),
        (["in.csv", "--blocks", "a,b;c"], ["'c'", "a, b"]),
        (["in.csv", "--delimiter", ";"], ["line 2", "column 'a,b'", "'1,2'"]),
        (["in.csv", "--delimiter", ""], ["delimiter is ''", "one character"]),
        (["in.csv", "--delimiter", ";;"], ["delimiter is ';;'", "one character"]),
        (["in.csv", "--confidential", "a,b"], ["in.csv", "no column"]),
        (["in.csv", "--decimals", "-1"], ["decimals is -1", "at least 0"]),
        (["in.csv", "-o", "in.csv"], ["in.csv is an input"]),
        (["in.csv", "-o", "folder/../in.csv"], ["in.csv is an input"]),
        (["in.csv", "-o", "none/new.csv"], ["none/new.csv cannot be written", "folder none"]),
        (["in.csv", "-o", "folder"], ["folder cannot be written"]),
        (["in.csv", "--json", "in.csv"], ["in.csv is an input"]),
        (["in.csv", "--json", "new.csv"], ["new.csv is an input or another output"]),
        (["in.csv", "--json", "none/r.json"], ["none/r.json cannot be written"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_mask_refuses(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], fragments: list[str]
) -> None:
    complains(capsys, refagg.commands.main.main, ["mask", *MASK, *arguments], fragments)


@pytest.mark.parametrize(
    ("name", "kind_fragments"),
    [(row[0], row[3]) for row in BAD_FILES],
    ids=[r[0] for r in BAD_FILES],
)
def test_commands_refuse_bad_files(
    capsys: pytest.CaptureFixture[str], folder: Path, name: str, kind_fragments: list[str]
) -> None:
    bad = f"bad {name}.csv"
    fragments = [bad, *(text.replace("(missing=)", "(--missing)") for text in kind_fragments)]
    complains(
        capsys, refagg.commands.main.main, ["mask", bad, *MASK, "--json", "r.json"], fragments
    )
    complains(
        capsys, refagg.commands.main.main, ["measure", bad, "in.csv", "--json", "r.json"], fragments
    )
    audit = ["audit", bad, "out.csv", "-k", "2", "--json", "r.json"]
    complains(capsys, oracle.commands.main.main, audit, fragments)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--delimiter", "\n"], id="a line end as delimiter: another message"),
        pytest.param(["--delimiter", '"'], id="a quote as delimiter: another message"),
        pytest.param(["--json", "folder"], id="new.csv is left"),
    ],
)
def test_mask_should_refuse(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str]
) -> None:
    try:
        expected = "delimiter" if arguments[0] == "--delimiter" else ""
        complains(
            capsys, refagg.commands.main.main, ["mask", "in.csv", *MASK, *arguments], [expected]
        )
        assert not Path("new.csv").exists()
    finally:
        Path("new.csv").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["-k", "2.5"], "argument -k: invalid int value: '2.5'"),
        (["-k", "True"], "argument -k: invalid int value: 'True'"),
        (["--ties", "first"], "argument --ties: invalid choice: 'first'"),
        (["--arithmetic", "double"], "argument --arithmetic: invalid choice: 'double'"),
        (["--standardise", "z"], "argument --standardise: invalid choice: 'z'"),
        (["--aggregate", "max"], "argument --aggregate: invalid choice: 'max'"),
        (["--missing", "mean"], "argument --missing: invalid choice: 'mean'"),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["--0000000"], "unrecognized arguments: --0000000; `refagg"),
        (["--colums", "x"], "unrecognized arguments: --colums x; did you mean --columns?"),
    ],
)
def test_options_of_no_meaning_end_with_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], fragment: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        refagg.commands.main.main(["mask", "in.csv", *MASK, *arguments])
    assert caught.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {fragment}")
    assert line.endswith("`refagg mask --help` has the options")
    assert "?;" not in line


def test_an_output_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refused)
    fragments = ["new.csv cannot be written: Permission denied"]
    complains(capsys, refagg.commands.main.main, ["mask", "in.csv", *MASK], fragments)


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["in.csv", "none.csv"], ["none.csv cannot be read"]),
        (["in.csv", "short.csv"], ["original has 4 records", "release has 3"]),
        (["in.csv", "other.csv", "--columns", "a,b"], ["other.csv", "'b'", "a, c"]),
        (["in.csv", "out.csv", "--columns", "z"], ["'z'", "a, b"]),
        (["in.csv", "out.csv", "--json", "out.csv"], ["out.csv is an input"]),
        (["in.csv", "out.csv", "--json", "in.csv"], ["in.csv is an input"]),
        (["in.csv", "out.csv", "--json", "none/r.json"], ["none/r.json cannot be written"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_measure_and_audit_refuse(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], fragments: list[str]
) -> None:
    new = [] if "--json" in arguments else ["--json", "r.json"]
    complains(capsys, refagg.commands.main.main, ["measure", *arguments, *new], fragments)
    complains(capsys, oracle.commands.main.main, ["audit", "-k", "2", *arguments, *new], fragments)


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["--partition", "twice.json"], ["record 1", "two groups"]),
        (["--partition", "absent.json"], ["record 3", "no group"]),
        (["--partition", "range.json"], ["record 4", "0 to 3"]),
        (["--partition", "negative.json"], ["record -1", "0 to 3"]),
        (["--partition", "hollow.json"], ["group has no record"]),
        (["--partition", "bool.json"], ["bool.json", "record numbers from 0"]),
        (["--partition", "text.json"], ["text.json", "record numbers from 0"]),
        (["--partition", "flat.json"], ["flat.json", "record numbers from 0"]),
        (["--partition", "object.json"], ["object.json", "no list of groups"]),
        (["--partition", "not.json"], ["not.json is not JSON"]),
        (["--partition", "none.json"], ["none.json cannot be read"]),
        (["--partition", "labels.csv"], ["labels.csv", "3 records", "4"]),
        (["--partition", "twogroups.csv"], ["twogroups.csv", "'group'", "x, y"]),
        (["--tolerance=-1e-9"], ["tolerance is -1e-9", "at least 0"]),
        (["--tolerance", "1"], ["tolerance is 1", "less than 1"]),
        (["--tolerance", "small"], ["tolerance is 'small'", "not a number"]),
        (["--tolerance", "nan"], ["tolerance is 'nan'", "not a number"]),
        (["--algorithm", "nope"], ["'nope'", "refagg algorithms"]),
        (["--algorithm", "mdav,nope"], ["'nope'", "refagg algorithms"]),
        (["--param", "gamma=1"], ["--param", "--algorithm"]),
        (["--algorithm", "mdav", "--param", "gamma=1"], ["mdav", "'gamma'"]),
        (["--algorithm", "v-mdav", "--param", "gamma=-1"], ["gamma is '-1'", "least 0"]),
        (["--blocks", "a"], ["'b'", "no block"]),
        (["--strata", "z"], ["'z'", "a, b"]),
        (["--trim", "0.1"], ["trim", "mean"]),
        (["-k", "0"], ["k is 0", "at least 1"]),
        (["-k", "5"], ["k is 5", "4 records"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_audit_refuses(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], fragments: list[str]
) -> None:
    audit = ["audit", "in.csv", "out.csv", "-k", "2", "--json", "r.json", *arguments]
    complains(capsys, oracle.commands.main.main, audit, fragments)


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [([], "original"), (["in.csv"], "released"), (["in.csv", "out.csv"], "option -k")],
)
def test_an_audit_needs_files_and_k(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], missing: str
) -> None:
    complains(capsys, oracle.commands.main.main, ["audit", *arguments], ["missing ", missing])


def test_a_partition_with_odd_blocks(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    audit = ["audit", "in.csv", "out.csv", "-k", "2", "--partition", "odd.json"]
    complains(capsys, oracle.commands.main.main, audit, ["odd.json", "no list of groups"])


def test_the_report_does_not_overwrite_the_partition(tmp_path: Path) -> None:
    original, released, groups = tmp_path / "o.csv", tmp_path / "r.csv", tmp_path / "p.json"
    original.write_text("a\n1\n2\n")
    released.write_text("a\n1.5\n1.5\n")
    groups.write_text("[[0, 1]]")
    audit = ["audit", str(original), str(released), "-k", "2", "--partition", str(groups)]
    assert oracle.commands.main.main([*audit, "--json", str(groups)]) == 2
    assert groups.read_text() == "[[0, 1]]"


def test_means_beyond_all_floats_are_written(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("a\n1e400\n1\n2\n")
    assert (
        refagg.commands.main.main(
            ["mask", str(path), "-o", str(out), "--algorithm", "mdav", "-k", "3"]
        )
        == 0
    )
    mean = Fraction(10**400 + 3, 3)
    for record in range(3):
        (value,) = read_table(out).row(record)
        assert abs(value / mean - 1) < Fraction(1, 10**15)


def test_integers_of_many_digits_are_written_or_refused(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("a\n1e4300\n1e4300\n")
    mask = ["mask", str(path), "-o", str(out), "--algorithm", "mdav", "-k", "2"]
    assert refagg.commands.main.main(mask) in (0, 2)


def test_the_limit_of_digits_holds_for_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    for other in ("0.5", "1"):
        path.write_text(f"a\n{other}\n{'1' * 1001}\n")
        check(lambda: read_table(path), NotANumber, ["line 3", "1001 characters"])


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["algorithms", "nope"], ["'nope'", "refagg algorithms"]),
        (["datasets", "fetch"], ["datasets fetch needs a NAME"]),
        (["datasets", "export", "hm-seven"], ["datasets export needs a NAME"]),
        (["datasets", "export", "nope", "new.csv"], ["'nope'", "hm-seven"]),
        (["datasets", "export", "hm-seven", "none/new.csv"], ["none/new.csv", "cannot be written"]),
    ],
)
def test_other_commands_refuse(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], fragments: list[str]
) -> None:
    complains(capsys, refagg.commands.main.main, arguments, fragments)


@pytest.mark.parametrize("kind", [InvalidPartition, OutputUnwritable, KTooLarge])
def test_all_errors_are_errors_of_the_project(kind: type[Exception]) -> None:
    assert issubclass(kind, RefaggError)


@pytest.mark.parametrize("policy", ["group-apart", "drop"])
def test_rows_are_as_long_as_the_first_also_where_values_may_be_missing(policy: str) -> None:
    with pytest.raises(RaggedRow, match="row 1 has 1 values, the table has 2 columns"):
        refagg.microaggregate([[1, None], [3], [4, 5]], 1, refagg.mdav, missing=policy)


def test_kinds_of_columns_that_are_not_there_are_refused_where_values_may_be_missing() -> None:
    with pytest.raises(UnknownColumn, match="no column 'y'"):
        refagg.microaggregate(
            [[1], [3], [4]], 1, refagg.mdav, missing="group-apart", kinds={"y": "nominal"}
        )


def test_what_cannot_be_told_or_given_back_beyond_all_floats_is_a_named_error() -> None:
    """By hand: 10^400 is beyond binary64; a loss of (2 * 10^400)^2 / 2 is told by its order."""
    far = Fraction(10) ** 400
    made = refagg.evaluate([[far], [-far]], [[0, 1]], 2, standardise="none")
    assert "SSE about 2^2658" in str(made)  # 2 * 10^800; its logarithm is 1 + 800 * 3.3219
    with pytest.raises(NotATable, match="give a list of them"):
        refagg.kshc(..., k=2, dissimilarity="levenshtein")
    with pytest.raises(InvalidParameter, match="references has a list"):
        refagg.compare([[1], [2], [3]], 1, references=[[1]])


def test_zero_dimensional_arrays_are_no_sequences() -> None:
    np = pytest.importorskip("numpy")
    with pytest.raises(InvalidKind, match=r"row 0, column 'x': .* is not a sequence of events"):
        refagg.hac(
            {"x": [np.array(1), "ab"]}, 2, kinds={"x": "sequence:>"}, dissimilarity="levenshtein"
        )


def test_more_iterations_than_a_run_can_reach_are_allowed() -> None:
    rows = [[1, 1], [1, 2], [2, 2]]
    far = refagg.fuzzy(rows, 1, limit=10**20, seed=1)
    assert far.assignment == refagg.fuzzy(rows, 1, limit=10**6, seed=1).assignment


def test_flags_that_are_no_texts_are_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"flag is \{1\}"):
        oracle.conform(lambda records, k: [], "mdav", flags=[{1}])  # type: ignore[list-item]


def test_names_of_columns_hold_where_values_are_compared_by_equality() -> None:
    original, released = [["a", 1], ["b", 2]], [["a", 1.5], ["a", 1.5]]
    made = oracle.audit(original, released, 2, quasi_identifiers=["1,5", "b"])
    assert [column for column in ("1,5", "b") if column in str(made)] == ["1,5", "b"]


def test_a_difference_beyond_all_floats_that_rounding_can_make_is_told() -> None:
    """Of values up to 10^900, 8 * 10^309 may be rounding; its logarithm is 3 + 309 * 3.3219."""
    far, large = Fraction(10) ** 900, 8 * Fraction(10) ** 309
    made = oracle.audit([[far, far]] * 2, [[far, far + large]] * 2, 2, constraints=["x1 = x2"])
    assert "x1 = x2 met up to a difference of about 2^1029 (by rounding)" in str(made)


def test_texts_of_an_array_are_given_back_as_no_numbers() -> None:
    np = pytest.importorskip("numpy")
    with pytest.raises(UnfitColumn, match="an array of <U1 cannot hold what is"):
        refagg.microaggregate(
            np.array([["1", "p"], ["3", "p"]]), 2, refagg.mdav, missing="group-apart"
        )


@pytest.mark.parametrize("label", [Decimal("sNaN"), [1]])
def test_labels_without_a_hash_are_refused(label: object) -> None:
    with pytest.raises(InvalidParameter, match=r"the stratum of record 1 is .*; give a text"):
        refagg.microaggregate([[1], [2]], 1, refagg.mdav, strata=["a", label])
    with pytest.raises(InvalidPartition, match=r"the label of record 1 is .*; give a text"):
        refagg.evaluate([[1], [2]], ["a", label], 1)
