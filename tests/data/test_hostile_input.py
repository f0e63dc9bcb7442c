"""Input that is meant to do harm: numbers without end, names that no file has, orders to a
terminal, closed outputs. Each is answered at once by a message in one line."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pyarrow.feather
import pyarrow.parquet
import pytest
from places import ROOT
from suites import one_in, only

import oracle.commands.main
import refagg.commands.main
import refagg.data.rows
import refagg.data.textfiles
from oracle.conformance.vectors import files
from oracle.optima.clock import Progress
from refagg import microaggregate
from refagg.data.csvfiles import read_sheet
from refagg.data.kinds import NOMINAL, kind_of
from refagg.data.tables import table_of, table_of_kinds
from refagg.datasets import fetch
from refagg.errors import (
    DatasetUnavailable,
    FileUnreadable,
    InvalidMatrix,
    InvalidParameter,
    KTooLarge,
    MissingValue,
    NotANumber,
    TooLarge,
)
from refagg.language.specification import integer, positive
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES

BILLION = "1e999999999"
ROWS = "a,b\n1,4\n2,9\n7,7\n8,1\n9,3\n12,0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table, a release of it, and links that go in a circle."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(ROWS)
    Path("kinds.csv").write_text("a,b\n" + "\n".join(f"{BILLION},p" for _ in range(4)) + "\n")
    Path("constraints.txt").write_text(f"a = {BILLION}\n")
    for loop in ("loop", "loop.csv"):
        Path(loop).symlink_to(loop)
    return tmp_path


MASK = ["mask", "in.csv", "--algorithm", "mdav", "-k", "2", "-o", "out.csv"]
AUDIT = ["audit", "in.csv", "in.csv", "-k", "2"]
KINDS = ["--kind", "a=numeric", "--kind", "b=nominal"]
V_MDAV = ["mask", "in.csv", "--algorithm", "v-mdav", "-k", "2", "-o", "out.csv"]


@pytest.mark.parametrize(
    ("program", "arguments", "fragment"),
    [
        ("refagg", [*V_MDAV, "--param", f"gamma={BILLION}"], "gamma"),
        ("refagg", [*V_MDAV, "--param", f"gamma=1e-{'9' * 30}"], "gamma"),
        ("refagg", [*MASK, "--trim", BILLION], "trim"),
        ("refagg", [*MASK, "--decimals", "1000000000"], "at most 300"),
        ("refagg", [*MASK, "--decimals", "5000"], "at most 300"),
        ("refagg", [*MASK, "--constraint", f"a = {BILLION}"], "too long"),
        ("refagg", [*MASK, "--constraint", f"a = {'*'.join(['1e399'] * 40)}"], "too long"),
        ("refagg", [*MASK, "--constraint", f"a = {'/'.join(['1e-399'] * 40)}"], "too long"),
        ("refagg", [*MASK, "--constraints-file", "constraints.txt"], "too long"),
        ("refagg", [*MASK, "--series", "sts", "--times", f"0,{BILLION}"], "a time"),
        ("refagg", [*MASK, *KINDS, "--weight", f"a={BILLION}"], "the weight of a"),
        ("refagg", [*MASK[:1], "kinds.csv", *MASK[2:], *KINDS], "line 2, column 'a'"),
        ("refagg", [*MASK[:1], "kinds.csv", *MASK[2:]], "line 2, column 'a'"),
        ("oracle", [*AUDIT, "--tolerance", BILLION], "tolerance"),
        ("oracle", [*AUDIT, "--algorithm", "v-mdav", "--param", f"gamma={BILLION}"], "gamma"),
        ("oracle", [*AUDIT, "--constraint", f"a = {BILLION}"], "too long"),
        (
            "oracle",
            ["conform", "--algorithm", "md", "--tolerance", BILLION, "--python", "os:getcwd"],
            "tolerance",
        ),
        ("oracle", ["optimum", "in.csv", "-k", "2", "--apart", f"0-{'9' * 5000}"], "records"),
        # names of files
        ("refagg", [*MASK[:-1], "n" * 300 + ".csv"], "File name too long"),
        ("refagg", [*MASK, "--json", "n" * 300], "File name too long"),
        ("refagg", [*MASK[:-1], "loop.csv"], "Too many levels of symbolic links"),
        ("refagg", [*MASK[:-1], "loop/out.csv"], "no folder loop"),
        ("refagg", [*MASK[:-1], "in.csv/out.csv"], "no folder in.csv"),
        ("refagg", ["mask", "n" * 300, *MASK[2:]], "File name too long"),
        ("refagg", ["mask", "loop.csv", *MASK[2:]], "Too many levels of symbolic links"),
        ("refagg", ["mask", "/dev/zero", *MASK[2:]], "it is a device"),
        ("refagg", [*MASK, "--constraints-file", "/dev/zero"], "it is a device"),
        ("refagg", ["compare", "in.csv", "-k", "2", "--reference", "/dev/zero"], "it is a device"),
        ("oracle", [*AUDIT, "--json", "n" * 300], "File name too long"),
        ("oracle", [*AUDIT, "--report", "n" * 300], "File name too long"),
        ("oracle", [*AUDIT, "--algorithm", "n" * 300], "no algorithm"),
        ("oracle", [*AUDIT, "--partition", "/dev/zero"], "it is a device"),
        ("oracle", ["optimum", "in.csv", "-k", "2", "--state", "/dev/zero"], "it is a device"),
        ("oracle", ["verify", "n" * 300, "in.csv"], "File name too long"),
        ("oracle", ["verify", "in.csv", "in.csv", "--delimiter", "ab"], "one character"),
        ("oracle", ["conform", "--algorithm", "md", "--", "n" * 300], "cannot be started"),
    ],
)
def test_it_is_refused_at_once(
    program: str, arguments: list[str], fragment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(os.listdir())
    start = time.monotonic()
    main = refagg.commands.main.main if program == "refagg" else oracle.commands.main.main
    assert main(arguments) == 2
    assert time.monotonic() - start < 5
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert fragment in error
    assert len(error) < 7000
    assert sorted(os.listdir()) == before


def test_a_comparison_that_cannot_be_drawn_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    words = ["compare", "in.csv", "-k", "2", "--algorithm", "hansen-mukherjee", "--quiet"]
    assert refagg.commands.main.main([*words, "--csv", "out.csv", "--plot", "out.svg"]) == 2
    assert not [path for path in folder.iterdir() if path.name.startswith("out")]


def test_a_name_of_255_bytes_can_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    name = "n" * 251 + ".csv"
    assert refagg.commands.main.main([*MASK[:-1], name]) == 0
    assert len(Path(name).read_text().splitlines()) == 7


@pytest.mark.parametrize("decimals", ["0", "300"])
def test_decimals_that_are_allowed(decimals: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refagg.commands.main.main([*MASK, "--decimals", decimals]) == 0
    assert refagg.commands.main.main(["measure", "in.csv", "out.csv"]) == 0


@pytest.mark.parametrize("text", ["1_0", "\u0663", "0x10", "", "nan", "1/0", "1e1001"])
def test_parameters_are_numbers_in_ascii_digits(text: str) -> None:
    with pytest.raises(InvalidParameter):
        positive("gamma", 1, "").read(text)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter):
        integer("rounds", 1, 0, "").read(text)


# Values beyond binary64


def test_values_beyond_binary64_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text("a,b\n1e400,1\n3e400,2\n5e400,3\n9e400,4\n")
    constraint = ["--constraint", "a = b"]
    assert (
        refagg.commands.main.main(["measure", "in.csv", "in.csv", *constraint, "--json", "r.json"])
        == 0
    )
    assert "root mean square about 2^" in capsys.readouterr().out


def test_contradictions_beyond_binary64_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    constraints = ["--constraint", "a = 1e400", "--constraint", "a = -1e400"]
    assert refagg.commands.main.main([*MASK, *constraints]) == 2
    assert "no values meet all constraints" in capsys.readouterr().err


def test_constraints_beyond_binary64_are_refused_by_fuzzy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["mask", "in.csv", "--algorithm", "fuzzy", "-k", "2", "--seed", "1", "-o", "out.csv"]
    assert refagg.commands.main.main([*words, "--constraint", "a + b = 1e400"]) == 2
    assert "beyond binary64" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["m1=1e309", "m2=1e309", "lambda1=1e309", "lambda2=1e-400"])
def test_fuzziness_beyond_binary64_is_refused(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["mask", "in.csv", "--algorithm", "fuzzy", "-k", "2", "--seed", "1", "-o", "out.csv"]
    assert refagg.commands.main.main([*words, "--param", given]) == 2
    assert f"{given.partition('=')[0]} is about 2^" in capsys.readouterr().err


def test_losses_of_kinds_beyond_binary64_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text("a,b\n1e400,p\n3e400,p\n5e400,q\n9e400,p\n")
    assert refagg.commands.main.main([*MASK, *KINDS, "--weight", "a=1e900"]) == 0
    assert (
        refagg.commands.main.main(["measure", "in.csv", "out.csv", *KINDS, "--weight", "a=1e900"])
        == 0
    )
    assert "information loss" in capsys.readouterr().out


# Values of Python


@pytest.mark.parametrize("missing", [float("nan"), Decimal("nan"), Decimal("snan"), None])
def test_missing_values_are_no_categories(missing: float | Decimal | None) -> None:
    with pytest.raises(MissingValue, match="row 1, column 'job'"):
        table_of_kinds([["p"], [missing]], ["job"], {"job": NOMINAL})
    with pytest.raises(MissingValue, match="row 0, column 'way'"):
        table_of_kinds([[["a", missing]]], ["way"], {"way": kind_of("sequence:>")})
    with pytest.raises(MissingValue, match="row 0, column 'way'"):
        table_of_kinds([[missing]], ["way"], {"way": kind_of("sequence:>")})


def test_texts_of_numeric_cells_are_bounded() -> None:
    for text in (BILLION, "1_0", "\u0663"):
        with pytest.raises(NotANumber, match="row 0, column 'a'"):
            table_of_kinds([[text]], ["a"], {"a": kind_of("numeric")})
    assert DISSIMILARITIES


# The terminal

ORDERS = "\x1b[31m\x07\x9b2J\u202e\u2066\x7f\r"
OBEYED = set("\x1b\x07\x9b\u202e\u2066\x7f\r")
SHOWN = r"\x1b[31m\x07\x9b2J\u202e\u2066\x7f\r"


def test_orders_in_headers_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text(ROWS.replace("a,", f'"x{ORDERS}",'), newline="")
    assert refagg.commands.main.main([*MASK, "--trace"]) == 0
    assert refagg.commands.main.main([*MASK, "--columns", "y"]) == 2
    assert oracle.commands.main.main(["audit", "in.csv", "out.csv", "-k", "2"]) == 0
    captured = capsys.readouterr()
    for text in captured:
        assert f"x{SHOWN}" in text
        assert not OBEYED.intersection(text)
    header = Path("out.csv").read_bytes().decode().split(",")[0]
    assert header == f'"x{ORDERS}"'  # what is written is what was read


def test_orders_in_cells_arguments_and_answers_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("in.csv").write_text(f'a,b\n"{ORDERS}",1\n', newline="")
    assert refagg.commands.main.main(MASK) == 2
    with pytest.raises(SystemExit):
        refagg.commands.main.main(["mask", ORDERS])
    program = f"import sys; sys.stderr.write({ORDERS!r}); sys.exit({ORDERS!r})"
    tie_breaker = ["--case", "md-001", "--answer-timeout", "5", "--", sys.executable, "-c", program]
    oracle.commands.main.main(["conform", "--algorithm", "md", *tie_breaker])
    captured = capsys.readouterr()
    assert not OBEYED.intersection(captured.out + captured.err)


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text('"a\nk reached 5",b\n1,2\n')
    assert refagg.commands.main.main([*MASK, "--columns", "y"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_line_feeds_in_names_and_cells_make_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A name cannot say that a check holds: `lie` is never at the beginning of a line."""
    lie = "[  holds   ] all is well"
    Path("in.csv").write_text(f'"a\n{lie}",b,"s\n{lie}"\n1,2,"u\n{lie}"\n2,9,v\n1,3,w\n1,8,w\n')
    mask = ["mask", "in.csv", "-o", "out.csv", "-k", "2", "--algorithm", "mdav", "--blocks", "each"]
    kinds = [f"a\n{lie}=numeric", "b=numeric", f"s\n{lie}=nominal"]
    declared = [word for kind in kinds for word in ("--kind", kind)]
    audit = ["-k", "2", "--blocks", "each", "--algorithm", "mdav"]
    equation = ["--constraint", f"'a\n{lie}' = 3"]
    assert refagg.commands.main.main([*mask, *declared, "--trace"]) == 0
    for file in ("in.csv", "out.csv"):
        assert oracle.commands.main.main(["audit", "in.csv", file, *audit, *declared]) == 1
    assert refagg.commands.main.main(["measure", "in.csv", "out.csv", *declared, *equation]) == 0
    captured = capsys.readouterr()
    for text in (captured.out, captured.err):
        assert not [line for line in text.splitlines() if line.startswith(lie)]
    assert f"block a\\n{lie}" in captured.out
    assert "constraint 'a\\n" in captured.out


@pytest.mark.parametrize("program", ["refagg", "oracle"])
def test_a_closed_standard_output_is_named(program: str) -> None:
    words = MASK if program == "refagg" else AUDIT
    command = f"exec {sys.executable} -m {program} {' '.join(words)} >&-"
    root = str(ROOT)
    run = subprocess.run(
        ["sh", "-c", command],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": root},
    )
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("error: standard output is closed")
    assert not Path("out.csv").exists()


def test_a_closed_standard_error_is_no_reason_to_fail() -> None:
    command = f"exec {sys.executable} -m refagg {' '.join(MASK)} 2>&-"
    root = str(ROOT)
    run = subprocess.run(
        ["sh", "-c", command],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": root},
    )
    assert run.returncode == 0
    assert "k reached 2" in run.stdout
    assert Path("out.csv").read_text().startswith("a,b\n")


def test_a_closed_standard_input_is_empty() -> None:
    command = f"exec {sys.executable} -m refagg mask - --algorithm mdav -k 2 -o out.csv <&-"
    run = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "it is empty" in run.stderr


def seconds_of(command: Callable[[list[str]], int], words: list[str], columns: int) -> float:
    """Seconds of the processor for files of so many columns; the second is masked."""
    names = [f"c{place}" for place in range(columns)]
    for file, cells in (("wide.csv", "1212"), ("masked.csv", "5555")):
        rows = [[cell] * columns for cell in cells]
        Path(file).write_text("\n".join(map(",".join, [names, *rows])) + "\n")
    began = time.process_time()
    assert command(words) == 0 or "audit" in words
    return time.process_time() - began


AUDIT_WIDE = ["audit", "wide.csv", "masked.csv", "-k", "2"]


@pytest.mark.long
@pytest.mark.parametrize("words", [["mask", "wide.csv", *MASK[2:]], AUDIT_WIDE])
def test_columns_are_not_looked_for_one_by_one(words: list[str]) -> None:
    """Four times the columns took eleven times as long and more: each was looked for among all."""
    main = (oracle if "audit" in words else refagg).commands.main.main
    _, few, many = [seconds_of(main, words, columns) for columns in (10_000, 10_000, 40_000)]
    assert many < 8 * few


def test_vectors_are_not_made_because_of_a_wrong_option() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "oracle.conformance.vectors.generate", "--help"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0
    assert "usage" in run.stdout


# The network


class Drip(BaseHTTPRequestHandler):
    """Sends a byte now and then, without end, and a reason with orders for /reason."""

    def do_GET(self) -> None:
        if self.path == "/reason":
            self.wfile.write(b"HTTP/1.0 404 \x1b[31mgone\x07\r\n\r\n")
            return
        self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        for _ in range(20):
            self.wfile.write(b"x")
            time.sleep(0.05)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that drips."""
    with HTTPServer(("127.0.0.1", 0), Drip) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        http.handle_error = lambda *_: None  # type: ignore[method-assign]
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def test_a_download_has_a_total_time(server: str) -> None:
    start = time.monotonic()
    with pytest.raises(DatasetUnavailable, match=r"more than 0\.3 seconds"):
        fetch("census", f"{server}/drip", timeout=0.3)
    assert time.monotonic() - start < 2


def test_orders_of_servers_are_shown(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refagg.commands.main.main(["datasets", "fetch", "census", f"{server}/reason"]) == 2
    error = capsys.readouterr().err
    assert r"\x1b[31mgone\x07" in error


def test_a_text_stream_need_not_be_a_file() -> None:
    from contextlib import redirect_stdout

    with redirect_stdout(io.StringIO()) as out:
        assert refagg.commands.main.main(["algorithms", "mdav"]) == 0
    assert out.getvalue().startswith("mdav: ")


# Time


def test_an_audit_with_many_ties_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """Twelve records on a grid: 2000 runs took some ten seconds for each tolerance."""
    cells = [f"{i % 3},{i // 3 % 2},{i % 2}" for i in range(12)]
    Path("grid.csv").write_text("a,b,c\n" + "\n".join(cells) + "\n")
    Path("other.csv").write_text("a,b,c\n" + "1,1,1\n" * 12)
    start = time.process_time()
    words = ["audit", "grid.csv", "other.csv", "-k", "2", "--algorithm", "tfrp-2,hac"]
    assert oracle.commands.main.main([*words, "--time-limit", "0.2"]) in (1, 2)
    assert time.process_time() - start < 5
    assert oracle.commands.main.main([*words, "--time-limit", "nan"]) == 2
    assert "the time limit is nan" in capsys.readouterr().err


def test_what_is_written_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text("a,b\n1e-1000,1\n0,1\n0,9\n0,9\n")
    assert refagg.commands.main.main(MASK) == 2
    assert "a released value cannot be written" in capsys.readouterr().err
    assert not Path("out.csv").exists()


def test_a_stratum_of_fewer_than_k_records_is_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text("x0,x1\n29,12\n14,28\n")
    Path("b.csv").write_text("x0,x1\n29,20\n14,20\n")
    words = ["audit", "a.csv", "b.csv", "-k", "2", "--strata", "x0"]
    assert oracle.commands.main.main([*words, "--algorithm", "hansen-mukherjee"]) == 1
    assert "stratum '29' has fewer than 2 records" in capsys.readouterr().out


def test_runs_beyond_the_limit_remember_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """After fifty runs, that of a tie rule was given answers that another run had got."""
    values = [0, 0, 1, 0, 1, 0, 0, 2, 2, 0, 1]
    Path("a.csv").write_text("x0\n" + "\n".join(map(str, values)) + "\n")
    Path("b.csv").write_text("x0\n" + "0\n" * len(values))
    words = ["audit", "a.csv", "b.csv", "-k", "2", "--algorithm", "two-step", "--seed", "2"]
    assert (
        oracle.commands.main.main([*words, "--param", "iterations=20", "--max-replays", "50"]) == 1
    )
    assert "not decided within 50 runs" in capsys.readouterr().out


def test_progress_beyond_floats_is_shown_by_its_power() -> None:
    huge = Fraction(10**400)
    line = Progress("root", 1, 2, 0, huge / 2, huge, 0.0).line()
    assert "incumbent about 2^1328" in line
    assert "gap 50 %" in line


@pytest.mark.parametrize("change", [{"id": []}, {"k": "3"}, {"parameters": []}, {"seed": "x"}])
def test_a_file_of_vectors_of_other_types(
    change: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads((Path(files.__file__).parent / "mdav.json").read_text(encoding="utf-8"))
    data["vectors"] = [data["vectors"][0] | change]
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(data))
    words = ["conform", "--algorithm", "mdav", "--vectors", str(path), "--case", "a"]
    assert oracle.commands.main.main([*words, "--python", "json:loads"]) == 2
    assert "is not a file of vectors" in capsys.readouterr().err


def test_decimals_without_end_are_refused() -> None:
    for value in (Decimal(BILLION), Decimal(f"-{BILLION}"), Decimal("1e-999999999")):
        with pytest.raises(NotANumber, match="a power of ten beyond 1000"):
            table_of([[value]])
    with pytest.raises(InvalidParameter, match="the weight of 'a'"):
        microaggregate(
            [["p", 1], ["q", 2]],
            2,
            quasi_identifiers=["a", "b"],
            kinds={"a": "nominal"},
            weights={"a": Decimal(BILLION)},
        )


FAR = (["XFD1048576"], [f"XFD{n}" for n in range(1, 400)])


@pytest.mark.parametrize("far", only(FAR, FAR[1:]))
def test_a_sheet_with_cells_far_from_the_others_is_refused(
    far: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4]):
        book.active.append(row)
    for place in far:
        book.active[place] = 1
    book.save("far.xlsx")
    words = ["mask", "far.xlsx", "--algorithm", "mdav", "-k", "2", "-o", "out.csv"]
    assert refagg.commands.main.main(words) == 2
    assert "delete the cells far from the others" in capsys.readouterr().err


BEYOND: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "a row that is a range": (lambda: [range(10**9)] * 2, TooLarge),
    "a column that is a range": (lambda: {"a": range(10**9)}, TooLarge),
    "rows without end": (lambda: ([number] for number in count()), TooLarge),
    "a column without end": (lambda: {"a": repeat(1)}, TooLarge),
    "too many columns": (lambda: {f"a{number}": [1] for number in range(100_001)}, TooLarge),
    "too many values of a row": (lambda: [[1] * 100_001] * 2, TooLarge),
    "a power of ten": (lambda: [[Decimal("1e999999999")], [1]], NotANumber),
    "a long integer": (lambda: [[10**100_000], [1]], NotANumber),
    "a long fraction": (lambda: [[Fraction(1, 3**100_000)], [1]], NotANumber),
    "deep lists": (lambda: [reduce(lambda inner, _: [inner], range(100_000), [1])] * 2, NotANumber),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_python_can_say_in_a_line_is_bounded(name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(refagg.data.rows, "MOST_UNCOUNTED", 1000)
    data, error = BEYOND[name]
    for function in (refagg.mdav, refagg.microaggregate):
        with pytest.raises(error):
            function(data(), 1)


def test_a_k_of_many_digits_is_refused() -> None:
    with pytest.raises(KTooLarge, match="too long to be shown"):
        refagg.mdav([[1]], 10**5000)


OWN: dict[str, tuple[Any, str]] = {
    "a power of ten": (Decimal("1e999999999"), "a power of ten beyond 1000"),
    "a long integer": (10**100_000, "a number of 332193 bits"),
    "more digits than Python writes": (-(10**5000), r"is about -2\^16609, less than 0"),
}


@pytest.mark.parametrize("name", OWN)
def test_numbers_of_a_measure_of_ones_own_are_bounded(name: str) -> None:
    value, error = OWN[name]
    with pytest.raises(InvalidMatrix, match=error):
        refagg.kshc(["ab", "b", "c", "cd"], 2, dissimilarity=lambda a, b: value if a != b else 0)


@pytest.mark.parametrize("name", ["-", "pipe"])
def test_a_pipe_without_end_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(refagg.data.textfiles, "MOST_PIPED", 1000)
    os.mkfifo("pipe")
    descriptor = os.open("pipe", os.O_RDWR)  # which waits for no reader
    os.write(descriptor, b"1\n" * 600)
    with open("pipe", "rb") as pipe:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
        assert refagg.commands.main.main(["mask", name, *MASK[2:]]) == 2
    os.close(descriptor)
    named = "standard input" if name == "-" else name
    assert capsys.readouterr().err == (
        f"error: {named} gives more than 0.001 MB; give it as a file\n"
    )


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by Linux")


@LINUX
@pytest.mark.parametrize("ending", one_in(2, ["parquet", "feather"]))
def test_a_file_that_is_a_thousand_times_as_large_as_a_table_is_refused(
    ending: str, tmp_path: Path
) -> None:
    column = pyarrow.array([0.0]).take(pyarrow.array([0] * 2_000_000, pyarrow.int32()))
    table = pyarrow.table({f"a{number}": column for number in range(20)})
    path = tmp_path / f"bomb.{ending}"
    write = pyarrow.parquet.write_table if ending == "parquet" else pyarrow.feather.write_feather
    write(table, path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(FileUnreadable, match=r"2GB.*, or another size, allows more"):
        read_sheet(path)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.long
@LINUX
def test_short_lines_that_are_compressed_are_kept_in_as_much_memory(tmp_path: Path) -> None:
    """In a process of its own: one that has given memory back takes it again without asking."""
    path = tmp_path / "lines.csv.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"1\n" * 500_000))
    words = ["mask", str(path), "-k", "1000000", "--algorithm", "mdav", "-o", "out.csv", "--quiet"]
    for more, said in (
        ([], "has only 500000 records"),
        (["--max-decompressed", "20MB"], "holds more than 20 MB as a table"),
    ):
        command = [sys.executable, "-m", "refagg", *words, *more]
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert ran.returncode == 2
        assert said in ran.stderr


@LINUX
def test_a_command_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a\n" + "1\n" * 1_500_000)
    words = ["mask", str(path), "-k", "2", "--algorithm", "mdav", "-o", str(tmp_path / "out.csv")]
    command = [sys.executable, "-m", "refagg", *words, "--quiet"]
    for size, said in (
        ("100MB", "error: this needs more memory than there is, or than --max-memory allows\n"),
        ("1MB", "error: --max-memory is 1MB; it must be at least 100MB\n"),
    ):
        ran = subprocess.run([*command, "--max-memory", size], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (2, said)
    assert not (tmp_path / "out.csv").exists()
