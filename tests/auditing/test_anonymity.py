"""What a release promises of k-anonymity, judged by the command on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import oracle.commands.main
import refagg.commands.main
from refagg.datasets import shipped_folder

SLIPS = shipped_folder() / "pay-slips.csv"

GRID = "a,b\n1,1\n2,21\n3,2\n21,22\n22,3\n23,23\n"
"""By each attribute two groups of 3, with the means 2 and 22; by both, classes of 2, 1, 1, 2."""


def _masked(path: Path, *options: str) -> Path:
    out = path.with_name("released.csv")
    assert refagg.commands.main.main(["mask", str(path), "-o", str(out), *options]) == 0
    return out


def _audited(original: Path, released: Path, *options: str) -> tuple[int, dict[str, Any]]:
    report = released.with_name("verdict.json")
    arguments = ["audit", str(original), str(released), "--json", str(report), *options]
    status = oracle.commands.main.main(arguments)
    return status, json.loads(report.read_text())


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.csv"
    path.write_text(GRID)
    return path


def test_groups_in_each_block_are_not_anonymity_over_all(
    grid: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = _masked(grid, "-k", "3", "--algorithm", "mdav", "--blocks", "a;b")
    assert released.read_text() == "a,b\n2,2\n2,22\n2,2\n22,22\n22,2\n22,22\n"
    status, verdict = _audited(grid, released, "-k", "3", "--algorithm", "mdav", "--blocks", "a;b")
    assert (status, verdict["verdict"]) == (1, "fails")
    assert all(
        check["status"] == "holds" for block in verdict["blocks"] for check in block["checks"]
    )
    [joint] = verdict["together"]
    assert joint["status"] == "fails"
    assert joint["details"]["sizes"] == {"1": 2, "2": 2}
    assert "smallest group 1, less than k = 3" in capsys.readouterr().out


def test_anonymity_may_be_promised_for_each_block_only(
    grid: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = _masked(grid, "-k", "3", "--algorithm", "mdav", "--blocks", "each")
    options = ("-k", "3", "--algorithm", "mdav", "--blocks", "each", "--anonymity", "each-block")
    assert _audited(grid, released, *options)[0] == 0
    printed = capsys.readouterr().out
    assert "over all quasi-identifiers together the release is not k-anonymous" in printed
    assert "the smallest class of equal released rows has 1 record, fewer than k = 3" in printed
    # A value that is no mean is still found.
    released.write_text(released.read_text().replace("22,2\n", "22,3\n"))
    assert _audited(grid, released, *options)[0] == 1


def test_blocks_that_agree_are_anonymous_together(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a,b\n1,5\n2,6\n8,1\n9,2\n")
    released = _masked(path, "-k", "2", "--algorithm", "mdav", "--blocks", "each")
    status, verdict = _audited(path, released, "-k", "2", "--blocks", "each")
    assert status == 0
    assert [check["status"] for check in verdict["together"]] == ["holds"]


def test_individual_ranking_is_judged_by_attribute(tmp_path: Path) -> None:
    released = tmp_path / "released.csv"
    options = ("--algorithm", "individual-ranking", "-k", "3")
    assert refagg.commands.main.main(["mask", str(SLIPS), *options, "-o", str(released)]) == 0
    status, verdict = _audited(SLIPS, released, *options)
    assert status == 1
    assert [block["attributes"] for block in verdict["blocks"]] == [
        ["net"], ["tax"], ["insurance"], ["gross"],
    ]  # fmt: skip
    status, verdict = _audited(SLIPS, released, *options, "--anonymity", "each-block")
    assert status == 0
    runs = [block["checks"][3] for block in verdict["blocks"]]
    assert {(check["name"], check["status"]) for check in runs} == {
        ("run of individual-ranking", "holds")
    }


def test_noise_is_made_again_from_its_seed(tmp_path: Path) -> None:
    """In blocks and strata, too, whose draws follow each other."""
    path = tmp_path / "in.csv"
    path.write_text("a,b,s\n" + "".join(f"{i * i},{3 * i},{'xy'[i % 2]}\n" for i in range(8)))
    blocks = ("--blocks", "a;b", "--strata", "s")
    released = _masked(path, "--algorithm", "gaussian-noise", "--seed", "7", *blocks)
    noise = ("-k", "2", "--algorithm", "gaussian-noise", *blocks)
    nothing = ("--anonymity", "none")
    assert _audited(path, released, *noise, "--seed", "7", *nothing)[0] == 0
    assert _audited(path, released, *noise, "--seed", "8", *nothing)[0] == 1
    assert _audited(path, released, *noise, "--seed", "7")[0] == 1
    status, verdict = _audited(path, released, *noise, *nothing)
    assert (status, verdict["verdict"]) == (2, "not judged")
    rows = released.read_text().splitlines()
    first = rows[1].split(",")
    rows[1] = ",".join([str(float(first[0]) + 1e-3), *first[1:]])
    released.write_text("\n".join(rows) + "\n")
    assert _audited(path, released, *noise, "--seed", "7", *nothing)[0] == 1


KINDS = ("--kind", "a=nominal", "--kind", "b=numeric")


@pytest.mark.parametrize(
    ("options", "applicable"),
    [
        (("--anonymity", "each-block"), "joint, none"),
        (("--anonymity", "on-average"), "joint, none"),
        (("--anonymity", "on-average", "--blocks", "a;b"), "joint, each-block, none"),
        (
            ("--anonymity", "each-block", "--kind", "a=nominal", "--kind", "b=numeric"),
            "joint, none",
        ),
        (("--anonymity", "each-block", "--algorithm", "fuzzy"), "joint, on-average, none"),
    ],
)
def test_a_promise_that_does_not_apply_is_refused(
    grid: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], applicable: str
) -> None:
    assert oracle.commands.main.main(["audit", str(grid), str(grid), "-k", "1", *options]) == 2
    error = capsys.readouterr().err
    assert f"{options[0]}={options[1]} does not apply" in error
    assert error.endswith(f"it can be {applicable}\n")
