"""Every way to be wrong: the message, the exit status 2, and no output file."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from oracle.cli import main as oracle
from refagg import errors, microaggregate, table_of
from refagg.cli import main as refagg

GOOD = "a,b,who\n1,2,x\n3,4,y\n5,6,x\n7,9,y\n"
MASK = ["--algorithm", "mdav", "-k", "2", "--columns", "a,b"]


def run_in(folder: Path, content: str | bytes, options: list[str]) -> int:
    data = content if isinstance(content, bytes) else content.encode()
    (folder / "in.csv").write_bytes(data)
    command = ["mask", str(folder / "in.csv"), *options]
    return refagg([*command, "-o", str(folder / "out.csv"), "--json", str(folder / "out.json")])


CASES: list[tuple[str, str | bytes, list[str], list[str]]] = [
    ("k of 0", GOOD, [*MASK, "-k", "0"], ["k is 0", "at least 1"]),
    ("k above n", GOOD, [*MASK, "-k", "5"], ["k is 5", "only 4 records"]),
    ("NaN", GOOD.replace("3,4", "3,NaN"), MASK, ["in.csv", "line 3", "'b'", "NaN"]),
    ("infinity", GOOD.replace("3,4", "3,-inf"), MASK, ["line 3", "'b'", "-inf", "finite"]),
    ("empty cell", GOOD.replace("3,4", "3,"), MASK, ["line 3", "'b'", "missing", "reject"]),
    ("NA", GOOD.replace("3,4", "NA,4"), MASK, ["line 3", "'a'", "missing (NA)"]),
    ("text", GOOD.replace("3,4", "3,four"), MASK, ["line 3", "'b'", "'four' is not a number"]),
    ("grouped digits", GOOD.replace("3,4", '"3,000",4'), MASK, ["'3,000' is not a number"]),
    ("underscore", GOOD.replace("3,4", "3_0,4"), MASK, ["'3_0' is not a number"]),
    ("long row", GOOD.replace("3,4", "3,4,5"), MASK, ["line 3", "4 cells", "3 columns"]),
    ("short row", GOOD.replace("3,4,y", "3"), MASK, ["line 3", "1 cells"]),
    ("blank line", GOOD.replace("3,4,y", ""), MASK, ["line 3", "0 cells"]),
    ("same name twice", GOOD.replace("a,b", "a,a"), MASK, ["two columns named 'a'", "1st", "2nd"]),
    ("unknown column", GOOD, [*MASK, "--columns", "a,z"], ["no column 'z'", "a, b, who"]),
    ("column named twice", GOOD, [*MASK, "--columns", "a,a"], ["'a' is named twice"]),
    ("two roles", GOOD, [*MASK, "--confidential", "a"], ["'a'", "confidential at once"]),
    ("no records", "a,b,who\n", MASK, ["no record"]),
    ("nothing at all", "", MASK, ["no column"]),
    ("not text", b"a,b\n\xff\xfe,1\n", MASK, ["not UTF-8"]),
    ("open quote", 'a,b\n"1,2\n', MASK, ["not a CSV file"]),
    ("wrong delimiter", GOOD, [*MASK, "--delimiter", ";"], ["no column 'a'"]),
    ("unknown algorithm", GOOD, ["--algorithm", "mdva", "-k", "2"], ["'mdva'", "mdav-2k"]),
    ("unknown parameter", GOOD, [*MASK, "--param", "gamma=1"], ["no parameter 'gamma'", "none"]),
    (
        "unknown value",
        GOOD,
        ["--algorithm", "v-mdav", "-k", "2", "--columns", "a,b", "--param", "cap=3k"],
        ["cap is '3k'", "2k-1, none"],
    ),
    (
        "gamma of 0",
        GOOD,
        ["--algorithm", "v-mdav", "-k", "2", "--columns", "a,b", "--param", "gamma=0"],
        ["gamma is '0'", "greater than 0"],
    ),
    ("parameter without value", GOOD, [*MASK, "--param", "gamma"], ["NAME=VALUE"]),
    ("parameter twice", GOOD, [*MASK, "--param", "g=1", "--param", "g=2"], ["'g' is given twice"]),
    ("trim of the mean", GOOD, [*MASK, "--trim", "0.1"], ["trim applies to trimmed-mean"]),
    ("no trim", GOOD, [*MASK, "--aggregate", "trimmed-mean"], ["trim is None"]),
    ("seed without random ties", GOOD, [*MASK, "--seed", "1"], ["seed"]),
    ("random ties without seed", GOOD, [*MASK, "--ties", "random"], ["seed"]),
    (
        "digits of raw values",
        GOOD,
        [*MASK, "--standardise", "none", "--significant-digits", "6"],
        ["significant digits", "none"],
    ),
    ("negative decimals", GOOD, [*MASK, "--decimals", "-1"], ["decimals is -1"]),
    ("small stratum", GOOD, [*MASK, "-k", "3", "--strata", "who"], ["k is 3", "stratum 'x'"]),
    ("block of nothing known", GOOD, [*MASK, "--blocks", "a;z"], ["'z'", "a, b"]),
    ("attribute in no block", GOOD, [*MASK, "--blocks", "a"], ["'b' is in no block"]),
    ("attribute in two blocks", GOOD, [*MASK, "--blocks", "a,b;b"], ["'b' is in two blocks"]),
]


@pytest.mark.parametrize(
    ("content", "options", "words"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_a_bad_request_says_why_and_leaves_no_file(
    content: str | bytes,
    options: list[str],
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_in(tmp_path, content, options) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert all(word in said for word in words), said
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_the_cases_are_errors_only_for_what_they_change(tmp_path: Path) -> None:
    assert run_in(tmp_path, GOOD, MASK) == 0
    assert (tmp_path / "out.csv").exists()


def test_an_output_is_never_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "in.csv"
    file.write_text(GOOD)
    assert refagg(["mask", str(file), *MASK, "-o", str(file)]) == 2
    assert "is an input" in capsys.readouterr().err
    assert file.read_text() == GOOD


@pytest.mark.parametrize("where", ["missing/out.csv", "folder"])
def test_an_unwritable_output(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "in.csv").write_text(GOOD)
    output = tmp_path / where
    assert refagg(["mask", str(tmp_path / "in.csv"), *MASK, "-o", str(output)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "folder"}
    assert not any((tmp_path / "folder").iterdir())


@pytest.mark.parametrize("name", ["nowhere.csv", "."])
def test_an_unreadable_input(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["mask", str(tmp_path / name), *MASK, "-o", str(tmp_path / "out.csv")]
    assert refagg(command) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("released", "options", "words"),
    [
        (GOOD.replace("7,9,y\n", ""), [], ["4 records", "3"]),
        (GOOD.replace("a,b", "a,c"), [], ["no column 'b'"]),
        (GOOD.replace("3,4", "3,"), [], ["released.csv", "line 3", "missing"]),
        (GOOD, ["--tolerance", "1"], ["tolerance is 1", "less than 1"]),
        (GOOD, ["--tolerance", "x"], ["'x', which is not a number"]),
        (GOOD, ["-k", "9"], ["k is 9", "4 records"]),
        (GOOD, ["--algorithm", "nobody"], ["'nobody'"]),
        (GOOD, ["--param", "gamma=1"], ["--param needs --algorithm"]),
        (GOOD, ["--partition", "p.json"], ["p.json cannot be read"]),
    ],
)
def test_an_audit_that_cannot_be_judged_is_status_2(
    released: str,
    options: list[str],
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in (("original.csv", GOOD), ("released.csv", released)):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("original.csv", "released.csv")]
    report = str(tmp_path / "report.json")
    command = ["audit", *files, "-k", "2", "--columns", "a,b", "--json", report, *options]
    assert oracle(command) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert all(word in said for word in words), said
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[0, 1], [1, 2, 3]]", "record 1 is in two groups"),
        ("[[0, 1], [2]]", "record 3 is in no group"),
        ("[[0, 1], [2, 4]]", "the records are 0 to 3"),
        ("[[0, 1], [2, true]]", "lists of record numbers"),
        ("[[0, 1]", "is not JSON"),
        ('{"clusters": []}', "no list of groups"),
    ],
)
def test_a_bad_partition_file(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.json").write_text(text)
    (tmp_path / "in.csv").write_text(GOOD)
    file = str(tmp_path / "in.csv")
    partition = ["--partition", str(tmp_path / "p.json")]
    assert oracle(["audit", file, file, "-k", "2", "--columns", "a,b", *partition]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ([[1, 2], [3]], errors.RaggedRow, "row 1 has 1 values"),
        ([[1], [float("nan")]], errors.NotFinite, "row 1, column 'x1'"),
        ([[1], [float("-inf")]], errors.NotFinite, "-inf"),
        ([[1], [Decimal("NaN")]], errors.NotFinite, "NaN"),
        ([[1], [None]], errors.MissingValue, "row 1"),
        ([[1], ["2"]], errors.NotANumber, "'2'"),
        ([[1], [True]], errors.NotANumber, "True"),
        ([[1], [1j]], errors.NotANumber, "1j"),
        ([], errors.EmptyTable, "no record"),
        ([[]], errors.EmptyTable, "no column"),
        ([1, 2], errors.NotATable, "row 0 is 1"),
        ("text", errors.NotATable, "str"),
        (7, errors.NotATable, "int"),
        ({"a": [1], "b": [1, 2]}, errors.RaggedRow, "different lengths"),
    ],
)
def test_bad_data_in_python(data: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words.replace("(", r"\(")):
        table_of(data)


@pytest.mark.parametrize("k", [0, -1, 2.0, "3", True, None])
def test_bad_k_in_python(k: Any) -> None:
    with pytest.raises(errors.InvalidK):
        microaggregate([[1], [2], [3]], k)
