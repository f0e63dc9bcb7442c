"""Long work: what is said while it lasts, and what is kept when it is interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import oracle
import oracle.commands.main
import refagg.commands.main
from oracle.optima.clock import Estimates, Progress
from refagg import terminal
from refagg.data.csvfiles import read_sheet
from refagg.literature import ledger
from tests.places import ROOT

MINE = """
import time

def slow(rows, k):
    time.sleep(0.5)
    return [0] * len(rows)

def stopped(rows, k):
    raise KeyboardInterrupt

def stops(space, k, choices):
    raise KeyboardInterrupt

asked = 0

def third(records, k, **keywords):
    global asked
    asked += 1
    if asked == 3:
        raise KeyboardInterrupt
    raise ValueError("not now")

def patient(records, k, **keywords):
    global asked
    asked += 1
    if asked == 3:
        open("asked", "w").close()
    time.sleep(0.05)
    return [list(range(len(records)))]

def halting(records, k, **keywords):
    global asked
    asked += 1
    if asked == 3:
        raise KeyboardInterrupt
    return [list(range(len(records)))]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    Path("mine.py").write_text(MINE)
    Path("in.csv").write_text("x\n1\n2\n8\n9\n")
    return tmp_path


def compare(*more: str) -> int:
    words = ["compare", "in.csv", "-k", "2", "--algorithm", "mdav", "--json", "out.json"]
    return refagg.commands.main.main([*words, *more])


def test_long_work_is_told_unless_quiet(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seconds in (("PATIENCE", 0.05), ("BETWEEN", 0.1), ("_BLINK", 0.02)):
        monkeypatch.setattr(terminal, name, seconds)
    assert compare("--python", "mine:slow") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if " 0 s" in line]
    assert len(lines) >= 2
    assert lines[0].startswith("mine:slow: 0 s")
    assert compare("--python", "mine:slow", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_the_estimate_grows_with_the_square_of_what_remains() -> None:
    """Of 100 records 50 are left: a quarter of the work, after 30 seconds."""
    now = terminal.Activity()
    now.starts("mdav")
    now.remain(100)
    now.remain(50)
    now.began = now.told - 30
    assert now.line(time.monotonic() - 40) == (
        "mdav: 40 s, 50 of 100 records done, about 10 s left"
    )
    now.told -= 15  # the estimate was 10 s, 15 s ago
    now.began -= 15
    assert "50 of 100 records done, about 0 s left" in now.line(time.monotonic())
    now.told -= 15
    now.began -= 15
    assert now.line(time.monotonic()) == "mdav: 0 s, remaining time unknown"
    now.remain(100)  # another run
    assert now.line(time.monotonic()) == "mdav: 0 s, remaining time unknown"


def test_mergers_and_generations_take_equally_long() -> None:
    """From 100 clusters to about 20 there are 80 mergers; 20 of them took 10 seconds."""
    now = terminal.Activity()
    now.starts("hac", groups=20)
    now.clusters(100)
    now.clusters(80)
    now.began = now.told - 10
    assert now.line(now.began).endswith("20 of 80 mergers done, about 30 s left")
    now.remain(50, "generations", 1)
    now.remain(40, "generations", 1)
    now.began = now.told - 10
    assert now.line(now.began).endswith("10 of 50 generations done, about 40 s left")


def test_the_estimate_grows_with_the_steps_that_remain() -> None:
    """Of 40 questions 10 are answered after 30 seconds: 3 seconds each; never more than a limit."""
    now = terminal.Activity()
    now.counts(40, "questions")
    for _ in range(10):
        now.starts("asking", limit=7.0)
        now.step()
    now.counting, now.until = time.monotonic() - 30, time.monotonic() + 7
    assert now.line(time.monotonic() - 31) == (
        "asking: 31 s, 10 of 40 questions done, about 90 s left, at most 7 s left"
    )
    now.step(40)
    now.starts("writing")
    assert now.line(time.monotonic()) == "writing: 0 s, remaining time unknown"


def at(seconds: float, gap: int, closed: float | None = None) -> Progress:
    """A state of a search for the optimum, with the gap in percent."""
    bound, found = Fraction(100 - gap), Fraction(100)
    return Progress("tree", 7, 500, 3, bound, found, seconds, closed, 400.0)


def test_the_optimum_estimates_what_is_left() -> None:
    """Half of the tree in 60 seconds leaves 60; before the tree only the gap can be told."""
    estimates = Estimates()
    told = [estimates.told(at(*one)) for one in [(10, 9), (40, 5), (90, 4)]]
    assert told[0].endswith("gap 9 %, at most 390 s left")
    assert told[1].endswith("gap 5 %, at most 360 s left, 30 s ago the gap was 9 %")
    assert told[2].endswith("gap 4 %, at most 310 s left, 50 s ago the gap was 5 %")
    unlimited = replace(at(91, 4), limit=None)
    assert estimates.told(unlimited).endswith("remaining time unknown")
    told = [estimates.told(at(*one)) for one in [(100, 3, 0.25), (130, 3, 0.25), (160, 2, 0.75)]]
    assert not any("speed" in line for line in told[:2])
    assert told[2].endswith("about 30 s left at this speed")


def test_a_search_that_takes_long_says_how_long(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("oracle.commands.optimum_command.EVERY", 0.0)
    rows = [f"{x * x % 41},{x * 7 % 23}" for x in range(20)]
    Path("in.csv").write_text("\n".join(["x,y", *rows]))
    words = ["optimum", "in.csv", "-k", "3", "--method", "columns"]
    assert oracle.commands.main.main([*words, "--time-limit", "50"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(" s left" in line for line in lines)
    assert oracle.commands.main.main(words) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all("left" in line or "remaining" in line for line in lines)


def test_a_comparison_keeps_its_rows(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare("--python", "mine:stopped") == 130
    said = capsys.readouterr()
    assert "mdav" in said.out
    assert "interrupted; this is the result so far" in said.err
    assert [row["algorithm"] for row in json.loads(Path("out.json").read_text())["rows"]] == [
        "mdav"
    ]


def test_an_audit_keeps_its_checks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("out.csv").write_text("x\n1.5\n1.5\n8.5\n8.5\n")
    words = ["audit", "in.csv", "out.csv", "-k", "2", "--algorithm", "mdav,mine:stops,md"]
    assert oracle.commands.main.main(words) == 130
    found = capsys.readouterr().out
    assert "[  holds   ] k-anonymous" in found
    assert "[  holds   ] run of mdav: " in found
    assert "[not judged] run of mine:stops: interrupted" in found
    assert "[not judged] run of md: interrupted" in found


def test_answers_so_far_are_judged(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["conform", "--algorithm", "mdav", "--python", "mine:third", "--json", "out.json"]
    assert oracle.commands.main.main(words) == 130
    assert "interrupted; this is the result so far" in capsys.readouterr().err
    assert Path("out.json").exists()


def test_nothing_is_half_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mask", "in.csv", "-k", "2", "-o", "out.csv", "--algorithm", "mine:stops"]
    assert refagg.commands.main.main(words) == 130
    assert "interrupted" in capsys.readouterr().err
    assert not Path("out.csv").exists()


def test_candidates_so_far_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("out.csv").write_text("x\n1.5\n1.5\n8.5\n8.5\n")
    words = ["identify", "in.csv", "out.csv", "-k", "2", "--algorithm", "mdav,mine:stops,md"]
    words += ["--standardise", "none", "--json", "out.json"]
    assert oracle.commands.main.main(words) == 130
    said = capsys.readouterr()
    assert "interrupted; this is the result so far" in said.err
    found = json.loads(Path("out.json").read_text())["candidates"]
    told = {one["algorithm"]: (one["status"], one["reason"]) for one in found}
    assert told["mdav"][0] == "possible"
    assert told["mine:stops"] == ("not judged", "interrupted before it was decided")
    assert told["md"] == ("not judged", "interrupted before it was tried")


def test_a_hunt_that_is_interrupted_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    words = ["hunt", "--algorithm", "any k-partition", "--python", "mine:halting", "-k", "2"]
    words += ["--without", "invalid", "--nondeterministic", "--json", "out.json"]
    assert oracle.commands.main.main(words) == 130
    said = capsys.readouterr()
    assert "interrupted; this is the result so far" in said.err
    assert "the hunt was interrupted before all questions were asked" in said.out
    assert "the time was over" not in said.out
    assert sum(json.loads(Path("out.json").read_text())["by_status"].values()) == 2


def test_reproduced_results_are_kept_when_interrupted(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page and the JSON have the rows that were printed, and the page says what is missing."""
    row_of, asked = ledger._row, []

    def third(item: Any, *given: Any) -> Any:
        asked.append(item)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return row_of(item, *given)

    monkeypatch.setattr(ledger, "_row", third)
    words = ["reproduce", "ALA18", "--html", "page.html", "--json", "rows.json"]
    assert refagg.commands.main.main(words) == 130
    said = capsys.readouterr()
    assert "interrupted; this is the result so far" in said.err
    printed = [line for line in said.out.splitlines() if line.startswith("ALA18")]
    assert 2 <= len(printed) == len(json.loads(Path("rows.json").read_text()))
    assert "The command was interrupted" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("command", ["conform", "hunt"])
def test_ctrl_c_keeps_what_was_found(here: Path, command: str) -> None:
    """A real signal, sent while the third question is asked or later."""
    pytest.importorskip("hypothesis")
    program = "import sys; sys.path.insert(0, '.'); from oracle.commands.main import main; "
    words = [command, "--algorithm", "any k-partition", "--python", "mine:patient"]
    words += ["--without", "invalid", "--nondeterministic", "--json", "out.json"]
    running = subprocess.Popen(
        [sys.executable, "-c", f"{program}sys.exit(main({words!r}))"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    until = time.monotonic() + 120
    while not Path("asked").exists() and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 130, errors
    assert "interrupted; this is the result so far" in errors
    found = json.loads(Path("out.json").read_text())
    assert sum(found["by_status"].values()) >= 2


def test_a_proof_is_checked_within_the_limit_of_time(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a limit, or within it, the verdict is the same; a slow check is given up."""
    main = oracle.commands.main.main
    assert main(["optimum", "in.csv", "-k", "2", "--certificate", "p.json", "--quiet"]) == 0
    assert main(["verify", "p.json", "in.csv", "--time-limit", "60"]) == 0
    assert capsys.readouterr().out.splitlines()[-3].startswith("accepted")
    assert main(["verify", "p.json", "in.csv", "--time-limit", "0"]) == 2
    assert "more than 0 seconds" in capsys.readouterr().err

    def slow(*given: object) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr("oracle.commands.verify_command.told_by", slow)
    began = time.monotonic()
    assert main(["verify", "p.json", "in.csv", "--time-limit", "0.2"]) == 2
    assert time.monotonic() - began < 5
    told = capsys.readouterr().err
    assert told == "error: the certificate could not be checked within 0.2 s (--time-limit)\n"


def test_the_purpose_is_told_instead_of_the_work_for_it() -> None:
    """A counterexample is made smaller by many short runs, whose names say nothing."""
    now = terminal.Activity()
    now.counts(40, "questions")
    now.step()
    now.purpose = "Found a failure after 41 questions; making it smaller"
    now.starts("mdav")
    now.remain(100)
    now.remain(50)
    assert now.line(time.monotonic() - 3) == f"{now.purpose}: 3 s"
    assert now.share() is None
    now.counts(40, "vectors")
    now.starts("asking")
    assert now.line(time.monotonic()) == "asking: 0 s, 0 of 40 vectors done"


@pytest.mark.long
def test_a_hunt_tells_that_it_makes_a_failure_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def wrong(rows: list[list[float]], k: int) -> list[int]:
        told.append(terminal.NOW.line(time.monotonic()))
        return [0] * len(rows)

    assert oracle.hunt(wrong, "mdav").exit_status == 1
    assert "making it smaller" not in told[0]
    number = next(i for i, line in enumerate(told) if "making it smaller" in line)
    assert all(line.startswith("Found a failure after ") for line in told[number:])


def test_what_was_read_is_not_told_of_what_follows(here: Path) -> None:
    with terminal.watched("optimum", True):
        read_sheet(Path("in.csv"))
        assert terminal.NOW.line(time.monotonic()).startswith("optimum: 0 s, ")


def test_loops_tell_how_far_each_is() -> None:
    """Of at most 10 rounds 3 are done, and half of the fourth, in 35 s: 65 s are left at most."""
    now = terminal.Activity()
    now.starts("k-means")
    rounds = now.each(range(10), "rounds", at_most=True)
    for _ in range(4):
        next(rounds)
    records = now.each(["a", "b"], "records")
    assert [next(records), next(records)] == ["a", "b"]
    now.loops[0].began = time.monotonic() - 35
    assert now.line(now.loops[0].began) == (
        "k-means: 35 s, 3 of at most 10 rounds done, 1 of 2 records done, at most about 65 s left"
    )
    assert list(records) == []
    rounds.close()  # as a loop does that ends early
    assert now.loops == []


def test_a_loop_without_a_bound_says_so() -> None:
    now = terminal.Activity()
    now.starts("igd")
    rounds = now.each(count(), "rounds")
    assert (next(rounds), next(rounds)) == (0, 1)
    assert now.line(time.monotonic()) == (
        "igd: 0 s, rounds done: 1 (how many there will be is not known)"
    )


REPEATING = {
    "constrained-k-means": "of at most 100 rounds done",
    "clustmcdpca": "clusters done",
    "fuzzy": "of at most 100 iterations done",
    "igd": "rounds done: 0 (how many there will be is not known)",
    "k-means": "of at most 100 rounds done",
    "local-search": "of 30 rounds done",
    "oka": "records done",
    "ona": "of at most 100 rounds done",
    "pppca": "directions done",
    "two-step": "generations done",
}


@pytest.mark.parametrize(("algorithm", "told"), REPEATING.items())
def test_repeating_algorithms_tell_how_far_they_are(
    here: Path, monkeypatch: pytest.MonkeyPatch, algorithm: str, told: str
) -> None:
    """What would be shown, asked whenever a step of a loop begins."""
    lines, each = set(), terminal.Activity.each

    def heard(now: terminal.Activity, *given: Any, **named: Any) -> Iterator[Any]:
        for item in each(now, *given, **named):
            lines.add(now.line(0.0))
            yield item

    monkeypatch.setattr(terminal.Activity, "each", heard)
    rows = [f"{x * x % 41},{x * 7 % 23},{x * x * x % 17}" for x in range(60)]
    Path("in.csv").write_text("\n".join(["x,y,z", *rows, ""]))
    words = ["mask", "in.csv", "-k", "3", "-o", "out.csv", "--algorithm", algorithm]
    words += [] if algorithm in ("igd", "pppca") else ["--seed", "1"]
    words += ["--param", "iterations=3"] if algorithm == "two-step" else []
    assert refagg.commands.main.main(words) == 0
    assert any(told in line for line in lines), lines
