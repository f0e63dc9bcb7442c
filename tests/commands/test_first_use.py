"""The commands as somebody uses them for the first time: from a shell, with the usual mistakes."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import oracle.commands.main
import refagg.commands.main
from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.running import Asking, run_cases
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.processes import telling_line
from oracle.conformance.transport.programs import Program
from oracle.conformance.vectors import vector_of, vectors_of

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
    assert oracle.commands.main.main(words) == 2
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
    assert refagg.commands.main.main(words) == 0
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
    assert oracle.commands.main.main([*words[:3], "--case", "mdav-001-n-equals-k", *words[3:]]) == 1


@pytest.mark.parametrize("name", ["mine.py:answer", "./mine:answer", "../there/mine.py:answer"])
def test_a_file_is_no_module(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    said = complaint(capsys, "conform", "--algorithm", "mdav", "--python", name)
    assert "names a file; name the module, mine:answer, from the folder it is in" in said


def test_options_may_stand_before_files(here: Path) -> None:
    """A list of names is written with commas, so that it takes no file that follows."""
    for name in ("a.csv", "b.csv"):
        (here / name).write_text(TABLE, encoding="utf-8")
    words = ["audit", "-k", "1", "--algorithm", "mdav,md", "a.csv", "b.csv"]
    assert oracle.commands.main.main(words) == 0


@pytest.mark.parametrize("main", [refagg.commands.main.main, oracle.commands.main.main])
def test_the_version(main: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out.split()[-1] == refagg.__version__


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        ("conform --algorithm any-k-partition -- cat", "did you mean any k-partition?"),
        ("hunt --algorithm mdav --attributes 0 -- cat", "--attributes is 0; it must be at least 1"),
        (
            "hunt --algorithm hansen-mukherjee --attributes 2 -- cat",
            "hansen-mukherjee works on one attribute, not 2",
        ),
    ],
)
def test_claims_that_do_not_exist(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, fragment: str
) -> None:
    assert fragment in complaint(capsys, *words.split())


def test_a_hunt_needs_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, "hunt", "--algorithm", "mdav", "--time-limit", "0", "--", "cat")
    assert "the time limit is 0; it must be more than 0 and less than 1000000 seconds" in said


def test_a_certificate_that_is_not_there_is_not_rejected(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "t.csv").write_text(TABLE, encoding="utf-8")
    assert "proof.json cannot be read: No such file" in complaint(
        capsys, "verify", "proof.json", "t.csv"
    )


# Files that are not as they are thought to be


def test_a_tab_can_be_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "t.csv").write_text("x\ty\n1\t2\n3\t5\n7\t1\n8\t8\n")
    said = complaint(capsys, "audit", "t.csv", "t.csv", "-k", "2", "--columns", "x")
    assert "t.csv has no column 'x'; its columns are x\ty (is tab the --delimiter?)" in said
    for tab in ("tab", r"\t", "\t"):
        words = ["mask", "t.csv", "--algorithm", "mdav", "-k", "2", "-o", "m.csv"]
        assert refagg.commands.main.main([*words, "--delimiter", tab]) == 0
        assert (here / "m.csv").read_text().startswith("x\ty\n")


@pytest.mark.parametrize(("order", "asked"), [((3, 0, 1, 2), True), ((0, 1, 2, 3), False)])
def test_rows_in_another_order_are_asked_about(
    here: Path, capsys: pytest.CaptureFixture[str], order: tuple[int, ...], asked: bool
) -> None:
    """Means of {0, 1} and {2, 3}, shuffled; and medians of groups of 2 that are no means."""
    rows = ["2,3.5", "2,3.5", "7.5,4.5", "7.5,4.5"] if asked else ["1,2", "1,2", "7,1", "7,1"]
    (here / "t.csv").write_text("x,y\n1,2\n3,5\n7,1\n8,8\n")
    (here / "r.csv").write_text("\n".join(["x,y", *(rows[i] for i in order)]) + "\n")
    assert oracle.commands.main.main(["audit", "t.csv", "r.csv", "-k", "2"]) == 1
    said = capsys.readouterr().out
    assert "[  fails   ] aggregates" in said
    assert ("column totals match, so the rows may only be in a different order" in said) == asked


@pytest.mark.parametrize("algorithm", ["hansen-mukherjee", "individual-ranking"])
def test_one_attribute_at_a_time_is_asked_for(
    here: Path, capsys: pytest.CaptureFixture[str], algorithm: str
) -> None:
    """Two pairs far apart, in both attributes: the groups of any algorithm."""
    (here / "t.csv").write_text("x,y\n1,2\n2,3\n17,11\n18,12\n")
    (here / "r.csv").write_text("x,y\n1.5,2.5\n1.5,2.5\n17.5,11.5\n17.5,11.5\n")
    words = ["audit", "t.csv", "r.csv", "-k", "2", "--algorithm", f"mdav,{algorithm}"]
    assert oracle.commands.main.main(words) == 2
    said = capsys.readouterr().out
    assert "[  holds   ] run of mdav" in said
    assert f"{algorithm} works on one attribute, not 2: make each a block (--blocks)" in said
    assert oracle.commands.main.main([*words, "--blocks", "x;y"]) == 0


@pytest.mark.parametrize(
    ("other", "scale", "hint"),
    [
        (2, "population", "with --standardise=none it is a possible run"),
        (1, "none", "with --standardise=population it is a possible run"),
        (3, "population", None),
        (3, "none", None),
    ],
)
def test_another_scale_is_asked_about(
    here: Path, capsys: pytest.CaptureFixture[str], other: int, scale: str, hint: str | None
) -> None:
    """Record 0 is farthest, as is 3. As the values are, 400 in x is nearer to it than 600.

    By z-scores it is not: the variances are 130000 and 20.25, so that 600 is 2.8 and 9 is 4.
    """
    rows = [(0, 0), (600, 0), (400, 9), (1000, 9)]
    groups = [(0, other), tuple({1, 2, 3} - {other})]
    means = {r: [(rows[a][j] + rows[b][j]) / 2 for j in (0, 1)] for a, b in groups for r in (a, b)}
    for name, table in (("t.csv", rows), ("r.csv", [means[r] for r in range(4)])):
        (here / name).write_text("\n".join(["x,y", *(f"{a},{b}" for a, b in table)]) + "\n")
    words = ["audit", "t.csv", "r.csv", "-k", "2", "--algorithm", "mdav", "--standardise", scale]
    assert oracle.commands.main.main(words) == 1
    said = capsys.readouterr().out
    assert "[  fails   ] run of mdav" in said
    assert ("it is a possible run" in said) == (hint is not None)
    assert hint is None or hint in said


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
    adapter = Program([sys.executable, "-m", "oracle.conformance.serve", "talkative:answer"])
    try:
        assert adapter(CASE, 60).groups == ((0,), (1,))
    finally:
        adapter.close()


SERVED = """
import os
def answer(records, k):
    os.write(1, b"what a solver prints")
    return [int(record[0] > 0.5) for record in records]
"""


def test_a_served_function_has_a_parameter_as_it_is_and_c_code_may_print(here: Path) -> None:
    (here / "served.py").write_text(SERVED)
    serve = [sys.executable, "-m", "oracle.conformance.serve", "served:answer"]
    case = replace(CASE, parameters={"gamma": "1"}, standardise="population")
    for names, told in (((), None), (("gamma", "standardise"), ((0,), (1,)))):
        adapter = Program([*serve, *names])
        try:
            assert adapter(case, 60).groups == told
        finally:
            adapter.close()


def test_a_name_that_nothing_has_is_told_by_the_server(here: Path) -> None:
    words = [sys.executable, "-m", "oracle.conformance.serve", "nothing:answer"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: 'nothing:answer' cannot be loaded: ModuleNotFoundError")


HOLDS_BACK = """
import json, sys
for line in sys.stdin:
    {before}
    print(json.dumps({{"id": json.loads(line)["id"], "labels": [0, 0]}}), end=chr(10))
"""


@pytest.mark.parametrize(
    ("before", "hint"),
    [
        ("pass", "; it answered when its input ended: does it flush each line?"),
        ("import time; time.sleep(60)", ""),
    ],
)
def test_a_program_that_does_not_flush_is_told_so(
    here: Path, monkeypatch: pytest.MonkeyPatch, before: str, hint: str
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    adapter = Program(program(here, HOLDS_BACK.format(before=before)))
    try:
        assert adapter(CASE, 2).errored == f"no answer within 2 seconds{hint}"
    finally:
        adapter.close()


def test_a_program_that_has_answered_before_is_late_and_nothing_else(here: Path) -> None:
    """The second answer comes half a second after its time, when the input has ended."""
    slow = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    time.sleep(2.5 * number)
    print(json.dumps({"id": json.loads(line)["id"], "labels": [0, 0]}), flush=True)
"""
    adapter = Program(program(here, slow))
    try:
        assert adapter(CASE, 2).groups == ((0, 1),)
        assert adapter(CASE, 2).errored == "no answer within 2 seconds"
    finally:
        adapter.close()


@pytest.mark.parametrize("late", [0, 1, 2, 3])
def test_who_never_answers_in_time_is_not_asked_for_ever(late: int) -> None:
    asked = []

    def adapter(case: Case, seconds: float) -> Answer:
        asked.append(case.id)
        return Answer(errored="late", seconds=seconds) if len(asked) <= late else Answer(refused="")

    judgements = list(run_cases(adapter, vectors_of("mdav"), Asking(seconds=0.1)))
    assert len(judgements) == len(vectors_of("mdav"))
    assert len(set(asked)) == (3 if late == 3 else len(judgements))
    assert ("not asked: none of the first 3" in judgements[-1].reason) == (late == 3)


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
    assert oracle.commands.main.main([*words, *command]) == 1
    printed = capsys.readouterr().out
    assert f"request: {(here / 'heard').read_text()}" in printed
    assert json.loads((here / "heard").read_text())["id"] == vector.id


@pytest.mark.long
def test_what_a_hunt_found_is_asked_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    (here / "kept_answers.py").write_text(SORTED)
    mine = ["--algorithm", "mdav", "--python", "kept_answers:answer"]
    assert (
        oracle.commands.main.main(["hunt", *mine, "--save", "found.json", "--time-limit", "20"])
        == 1
    )
    capsys.readouterr()
    again = ["conform", *mine, "--vectors", "found.json"]
    assert oracle.commands.main.main(again) == 1
    said = capsys.readouterr().out
    assert "[wrong] mdav-001-hunted, run: no way of breaking ties gives these groups" in said
    assert "--vectors found.json --case mdav-001-hunted --python kept_answers:answer" in said
    words = ["conform", "--algorithm", "mdav", "--vectors", "found.json", "--"]
    assert (
        oracle.commands.main.main([*words, sys.executable, "-m", "oracle.conformance.serve"]) == 0
    )


@pytest.mark.long
def test_a_hunt_keeps_nothing(here: Path) -> None:
    pytest.importorskip("hypothesis")
    (here / "kept_answers.py").write_text(SORTED)
    words = [sys.executable, "-m", "oracle", "hunt", "--algorithm", "any k-partition"]
    words += ["--max-questions", "31", "--python", "kept_answers:answer"]
    environment = {name: value for name, value in os.environ.items() if "HYPOTHESIS" not in name}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    assert subprocess.run(words, env=environment, check=False).returncode == 0
    assert [path.name for path in here.iterdir()] == ["kept_answers.py"]


def vector(expectation: dict[str, Any], cell: object = "1") -> str:
    """A file with one vector, of two records."""
    origin = {"kind": "hand", "text": "written here"}
    asked = {"id": "mdav-1", "k": 2, "records": [["0"], [cell]], "parameters": {}}
    asked |= {"standardise": "none", "seed": None}
    about = {"topic": "t", "step": "1", "reason": "r", "flags": [], "origin": origin}
    return json.dumps({"claim": "mdav", "vectors": [about | asked | {"expectation": expectation}]})


def test_a_vector_that_is_well_written_is_asked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "found.json").write_text(vector({"kind": "unique", "partitions": [[[0, 1]]]}))
    serve = [sys.executable, "-m", "oracle.conformance.serve"]
    words = ["conform", "--algorithm", "mdav", "--vectors", "found.json", "--", *serve]
    assert oracle.commands.main.main(words) == 0


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (None, "found.json cannot be read: No such file"),
        ("[", "found.json is not a file of vectors (JSONDecodeError"),
        ("[]", "found.json is not a file of vectors (TypeError"),
        ('{"claim": "mdav"}', "found.json is not a file of vectors (KeyError('vectors'))"),
        ('{"claim": "md", "vectors": []}', "found.json has vectors of 'md', not of 'mdav'"),
        (vector({"kind": "unheard"}), "not a file of vectors (KeyError('unheard'))"),
        (vector({"kind": "reject", "category": "why"}), "the expectation is"),
        (vector({"kind": "free", "least": "2"}), "the expectation is"),
        (vector({"kind": "unique", "partitions": [[[0, 1]]]}, 1), "records must be rows of texts"),
    ],
)
def test_other_files_are_no_vectors(
    here: Path, capsys: pytest.CaptureFixture[str], content: str | None, fragment: str
) -> None:
    if content is not None:
        (here / "found.json").write_text(content)
    words = ("conform", "--algorithm", "mdav", "--vectors", "found.json", "--", "cat")
    assert fragment in complaint(capsys, *words)
