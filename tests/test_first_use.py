"""The commands as somebody uses them for the first time: from a shell, with the usual mistakes."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import oracle.cli
import refagg.cli
from oracle.conformance.doors import Program
from oracle.conformance.functions import Function
from oracle.conformance.model import Case
from oracle.conformance.processes import telling_line
from oracle.conformance.vectors import vector_of

CASE = Case("c", "any k-partition", 1, (("0",), ("1",)))

TABLE = "größe,y\n1,2\n3,5\n7,1\n8,8\n"

SORTED = """
def answer(records, k):
    print("looking at", len(records), "records")
    if not 1 <= k <= len(records) or any(len(row) != len(records[0]) for row in records):
        raise ValueError
    order = sorted(range(len(records)), key=lambda i: float(records[i][0]))
    return [order.index(i) // k if order.index(i) // k < len(records) // k
            else len(records) // k - 1 for i in range(len(records))]
"""
"""Groups of k in the order of the first attribute: of one attribute, MDAV often agrees."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `oracle` complains of; its exit status must be 2, without any output."""
    assert oracle.cli.main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def program(folder: Path, text: str) -> list[str]:
    (folder / "mine.py").write_text(text)
    return [sys.executable, str(folder / "mine.py")]


# What standard output can take


def test_signs_that_the_output_cannot_encode_are_written_as_numbers(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "t.csv").write_text(TABLE, encoding="utf-8")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    words = ["mask", "t.csv", "--algorithm", "mdav", "-k", "2", "-o", "m.csv", "--trace"]
    assert refagg.cli.main(words) == 0
    assert rb"block gr\xf6\xdfe, y" in out.buffer.getvalue()  # type: ignore[attr-defined]
    assert (here / "m.csv").read_text(encoding="utf-8").startswith("größe,y\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_output_is_an_error_with_a_name() -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "refagg", "algorithms"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.stderr.startswith("error: the output cannot be written: No space left")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("package", ["refagg", "oracle"])
def test_packages_are_commands_too(package: str) -> None:
    words = [sys.executable, "-m", package, "--help"]
    assert subprocess.check_output(words, text=True).startswith(f"usage: {package} ")


# Programs and functions that are not where they are said to be


def test_a_program_that_is_not_there_is_a_wrong_command(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("conform", "--algorithm", "mdav", "--", "./mine")
    assert "program './mine' cannot be started: there is none" in complaint(capsys, *words)
    (here / "mine").write_text("#!/bin/sh\n")
    assert "'./mine' cannot be started: it may not be executed" in complaint(capsys, *words)
    (here / "mine").chmod(stat.S_IRWXU)
    assert oracle.cli.main([*words[:3], "--case", "mdav-001-n-equals-k", *words[3:]]) == 1


@pytest.mark.parametrize("name", ["mine.py:answer", "./mine:answer", "../there/mine.py:answer"])
def test_a_file_is_no_module(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    said = complaint(capsys, "conform", "--algorithm", "mdav", "--python", name)
    assert "names a file; name the module, mine:answer, from the folder it is in" in said


def test_files_behind_algorithm_are_pointed_at(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.csv", "b.csv"):
        (here / name).write_text(TABLE, encoding="utf-8")
    said = complaint(capsys, "audit", "-k", "2", "--algorithm", "mdav", "a.csv", "b.csv")
    assert "put a.csv b.csv before --algorithm" in said


def test_a_hunt_needs_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, "hunt", "--algorithm", "mdav", "--budget", "0", "--", "cat")
    assert "--budget is 0; it must be more than 0 seconds" in said


def test_a_certificate_that_is_not_there_is_not_rejected(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "t.csv").write_text(TABLE, encoding="utf-8")
    assert "proof.json cannot be read: No such file" in complaint(
        capsys, "verify", "proof.json", "t.csv"
    )


# What foreign code says


def test_what_a_function_prints_is_not_among_the_results(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def talkative(records: object, k: int) -> list[int]:
        print("thinking")
        return [0, 0]

    assert Function(talkative)(CASE, 1).groups == ((0, 1),)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "thinking\n")


def test_what_a_served_function_prints_is_no_answer(here: Path) -> None:
    (here / "talkative.py").write_text(f"print('loading')\n{SORTED}")
    door = Program([sys.executable, "-m", "oracle.conformance.serve", "talkative:answer"])
    try:
        assert door(CASE, 60).groups == ((0,), (1,))
    finally:
        door.close()


JAVA = """Exception in thread "main" java.lang.IllegalStateException: No match found
\tat java.base/java.util.regex.Matcher.checkMatch(Matcher.java:1850)
\tat Mdav.main(Mdav.java:12)
"""
CAUSED = """Exception in thread "main" java.lang.RuntimeException: it failed
\tat Mdav.main(Mdav.java:3)
Caused by: java.lang.ArithmeticException: / by zero
\tat Mdav.mean(Mdav.java:9)
\t... 1 more
"""
NODE = """/home/me/opt.js:3
throw new TypeError("v is undefined")
^

TypeError: v is undefined
    at Object.<anonymous> (/home/me/opt.js:3:7)

Node.js v20.11.0
"""
R_LANGUAGE = """Error in mdav(records, k) :
  object 'recrods' not found
Execution halted
"""
CPP = """terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 3) >= this->size() (which is 3)
"""
RUST = """thread 'main' panicked at src/main.rs:4:5:
index out of bounds: the len is 3 but the index is 3
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
PYTHON = """Traceback (most recent call last):
  File "mine.py", line 3, in <module>
    raise Refused("an error")
Refused: k is 0
"""


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        (JAVA, 'Exception in thread "main" java.lang.IllegalStateException: No match found'),
        (CAUSED, "Caused by: java.lang.ArithmeticException: / by zero"),
        (NODE, "TypeError: v is undefined"),
        (R_LANGUAGE, "Error in mdav(records, k) : object 'recrods' not found"),
        (CPP, "what():  vector::_M_range_check: __n (which is 3) >= this->size() (which is 3)"),
        (
            RUST,
            "thread 'main' panicked at src/main.rs:4:5: "
            "index out of bounds: the len is 3 but the index is 3",
        ),
        (PYTHON, "Refused: k is 0"),
        ("reading\nSegmentation fault\n", "Segmentation fault"),
    ],
)
def test_the_line_that_tells(text: str, telling: str) -> None:
    """As these languages print what ended a program."""
    assert telling_line(text.strip().splitlines()) == telling


# A question that is printed, and one that is kept


def test_the_request_that_is_printed_is_the_one_that_was_sent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = program(here, "import sys; open('heard', 'w').write(sys.stdin.readline())")
    vector = vector_of("mdav-001-n-equals-k")
    words = ["conform", "--algorithm", "mdav", "--case", vector.id, "--"]
    assert oracle.cli.main([*words, *command]) == 1
    printed = capsys.readouterr().out
    assert f"request: {(here / 'heard').read_text()}" in printed
    assert json.loads((here / "heard").read_text())["id"] == vector.id


def test_what_a_hunt_found_is_asked_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    (here / "kept_answers.py").write_text(SORTED)
    mine = ["--algorithm", "mdav", "--python", "kept_answers:answer"]
    assert oracle.cli.main(["hunt", *mine, "--save", "found.json", "--budget", "20"]) == 1
    capsys.readouterr()
    again = ["conform", *mine, "--vectors", "found.json"]
    assert oracle.cli.main(again) == 1
    said = capsys.readouterr().out
    assert "[failed] mdav-001-hunted, run: no way of breaking ties gives these groups" in said
    assert "--case mdav-001-hunted --vectors found.json --python kept_answers:answer" in said
    words = ["conform", "--algorithm", "mdav", "--vectors", "found.json", "--"]
    assert oracle.cli.main([*words, sys.executable, "-m", "oracle.conformance.serve"]) == 0


def test_a_hunt_keeps_nothing(here: Path) -> None:
    pytest.importorskip("hypothesis")
    (here / "kept_answers.py").write_text(SORTED)
    words = [sys.executable, "-m", "oracle", "hunt", "--algorithm", "any k-partition"]
    words += ["--tries", "40", "--python", "kept_answers:answer"]
    environment = {name: value for name, value in os.environ.items() if "HYPOTHESIS" not in name}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    assert subprocess.run(words, env=environment, check=False).returncode == 0
    assert [path.name for path in here.iterdir()] == ["kept_answers.py"]


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (None, "found.json cannot be read: No such file"),
        ("[", "found.json is no file of vectors (JSONDecodeError"),
        ("[]", "found.json is no file of vectors (TypeError"),
        ('{"claim": "mdav"}', "found.json is no file of vectors (KeyError('vectors'))"),
        ('{"claim": "md", "vectors": []}', "found.json has vectors of 'md', not of 'mdav'"),
    ],
)
def test_other_files_are_no_vectors(
    here: Path, capsys: pytest.CaptureFixture[str], content: str | None, fragment: str
) -> None:
    if content is not None:
        (here / "found.json").write_text(content)
    words = ("conform", "--algorithm", "mdav", "--vectors", "found.json", "--", "cat")
    assert fragment in complaint(capsys, *words)
