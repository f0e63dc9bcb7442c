"""Heuristics and groups of one's own beside the algorithms."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import refagg
import refagg.commands.main
from refagg.errors import InvalidParameter

ROWS = "x,y\n1,30\n30,1\n2,29\n29,2\n3,28\n28,3\n"

MINE = """
def halves(rows, k):
    print("asked for", k)
    order = sorted(range(len(rows)))
    return [order[:3], order[3:]]

def labels(rows, k):
    assert abs(sum(row[0] ** 2 for row in rows)) > 0
    return [record % 2 for record in range(len(rows))]

def lost(rows, k):
    return [[0, 1, 2], [3, 4]]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    Path("in.csv").write_text(ROWS)
    Path("mine.py").write_text(MINE)
    Path("mine.json").write_text("[[0, 2, 4], [1, 3, 5]]")
    return tmp_path


def compare(*more: str) -> int:
    words = ["compare", "in.csv", "-k", "3", "--algorithm", "mdav", "--json", "out.json"]
    return refagg.commands.main.main([*words, *more])


def losses() -> dict[str, float]:
    rows = json.loads(Path("out.json").read_text())["rows"]
    return {row["algorithm"]: row["sse"]["decimal"] for row in rows if row["sse"]}


def test_beside_an_algorithm_and_the_optimum(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within 1 2 3 and 30 29 28 the squares are 2 each, in both attributes: 8; no others are less.

    In 0 1 2 and 3 4 5, the squares are 542 of 1 30 2, 434 of 29 3 28, and the same in y: 1952.
    """
    optimum = {"format": "refagg optimum 1", "status": "optimal", "standardise": "none"}
    raw = ["--standardise", "none", "--groups", "mine.json"]
    own = [*raw, "--python", "mine:halves", "--python", "mine:labels"]
    assert compare(*own) == 0
    said = capsys.readouterr()
    assert "oracle optimum in.csv -k 3" in said.out
    assert "asked for" not in said.out  # what a heuristic prints is beside the table
    found = losses()
    assert found["mdav"] == found["mine.json"] == found["mine:labels"] == 8
    assert found["mine:halves"] == 1952
    pytest.importorskip("pulp")
    import oracle.commands.main  # needs PuLP

    words = ["optimum", "in.csv", "-k", "3", "--standardise", "none", "--quiet"]
    assert oracle.commands.main.main([*words, "--json", "best.json"]) == 0
    assert optimum.items() <= json.loads(Path("best.json").read_text()).items()
    assert compare(*own, "--reference", "best.json") == 0
    rows = {row["algorithm"]: row for row in json.loads(Path("out.json").read_text())["rows"]}
    assert rows["mine.json"]["above_percent"]["decimal"] == 0
    assert rows["mine:halves"]["above_percent"]["decimal"] == 100 * (1952 / 8 - 1)


def test_a_heuristic_gets_rows_on_the_scale_of_the_comparison(here: Path) -> None:
    seen: list[list[list[float]]] = []

    def mine(rows: list[list[float]], k: int) -> list[int]:
        seen.append(rows)
        return [0] * len(rows)

    refagg.compare([[1, 0], [3, 4]], 2, algorithms=["mdav"], heuristics=[mine])
    assert seen == [[[1, 0], [3, 2]]]  # the standard deviations are 1 and 2


def test_groups_that_are_none_fail_and_the_others_go_on(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare("--python", "mine:lost") == 1
    assert "InvalidPartition" in capsys.readouterr().out
    assert "mdav" in losses()


def test_a_function_that_ends_the_program_fails_and_the_others_go_on(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ending.py").write_text("import sys\ndef f(rows, k):\n    sys.exit(0)\n")
    assert compare("--python", "ending:f") == 1
    assert "SystemExit: 0" in capsys.readouterr().out
    assert "mdav" in losses()
    Path("script.py").write_text("raise SystemExit(0)\n")
    assert compare("--python", "script:f") == 2
    assert "cannot be loaded: SystemExit: 0" in capsys.readouterr().err


def test_groups_of_records_that_there_are_not(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.json").write_text("[[0, 9]]")
    assert compare("--groups", "mine.json") == 2
    assert "9" in capsys.readouterr().err
    assert not Path("out.json").exists()


def test_one_s_own_can_be_compared_alone() -> None:
    rows = [[1], [2], [9], [8]]
    made = refagg.compare(rows, 2, algorithms=[], heuristics=[lambda rows, k: [0, 0, 1, 1]])
    assert [row.contender.label for row in made.rows] == ["<lambda>"]


@pytest.mark.parametrize(
    "own",
    [
        {"heuristics": [lambda rows, k: [0, 0, 1, 1], lambda rows, k: [0, 1, 0, 1]]},
        {"heuristics": {"mdav": lambda rows, k: [0, 0, 1, 1]}},
        {"heuristics": {"a": lambda rows, k: [0, 0, 1, 1]}, "groups": {"a": [0, 0, 1, 1]}},
    ],
)
def test_two_contenders_of_one_name_are_refused(own: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match="is named twice"):
        refagg.compare([[1], [2], [9], [8]], 2, algorithms=["mdav"], **own)
