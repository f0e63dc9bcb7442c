"""A release without its original, and many releases of one original in one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import oracle
from oracle.commands.main import main
from refagg.errors import InvalidParameter, KTooLarge, ShapeMismatch

ALIKE = [[1.5], [1.5], [8.5], [8.5], [8.5]]
ILLNESS = ["flu", "cold", "flu", "flu", "flu"]


def test_how_many_are_alike_and_how_diverse_they_are() -> None:
    """By hand: classes of 2 and 3 records; the first has two illnesses, the second one."""
    made = oracle.audit_release(ALIKE, 2, confidential={"illness": ILLNESS})
    assert made.ok
    assert (made.facts["k_reached"], made.facts["l_diversity"]) == (2, {"illness": 1})
    said = str(made)
    assert "l = 1; 1 of 2 classes of equal rows has one value only" in said
    assert "records 2 3 4: flu (3)" in said
    assert "which algorithm made it" in said
    other = oracle.audit_release(ALIKE, 2, confidential={"illness": ["a", "b", "a", "b", "c"]})
    assert other.facts["l_diversity"] == {"illness": 2}


def test_too_few_are_alike() -> None:
    made = oracle.audit_release(ALIKE, 3)
    assert not made.ok
    assert [check.status for check in made.checks][:2] == ["holds", "fails"]
    with pytest.raises(KTooLarge):
        oracle.audit_release(ALIKE, 6)
    with pytest.raises(ShapeMismatch):
        oracle.audit_release(ALIKE, 2, confidential={"illness": ["flu"]})


@pytest.mark.parametrize("cell", [{}, [1], {"a": [2]}])
def test_confidential_values_that_cannot_be_counted(cell: object) -> None:
    with pytest.raises(InvalidParameter, match=r"the illness of record 1 is .*; give a text"):
        oracle.audit_release([[1], [1]], k=2, confidential={"illness": ["flu", cell]})


def written(path: Path, rows: list[list[object]]) -> str:
    lines = ["a,illness", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_the_command_with_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[*row, illness] for row, illness in zip(ALIKE, ILLNESS, strict=True)]
    path, out = written(tmp_path / "r.csv", rows), tmp_path / "out.json"
    command = ["audit", path, "--confidential", "illness"]
    assert main([*command, "-k", "2", "--json", str(out)]) == 0
    assert "diversity of illness: l = 1" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))["facts"]["l_diversity"] == {"illness": 1}
    assert main([*command, "-k", "3"]) == 1
    for option in (["--algorithm", "mdav"], ["--seed", "1"]):
        assert main([*command, "-k", "2", *option]) == 2
        assert "the original" in capsys.readouterr().err


def _ill(*values: float) -> list[list[object]]:
    return [[value, illness] for value, illness in zip(values, "xxyy", strict=True)]


def test_many_releases_of_one_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of three releases one is right, one has a wrong value, one too few records alike."""
    values = [[1, "x"], [2, "x"], [8, "y"], [9, "y"]]
    original = written(tmp_path / "o.csv", values)
    right = written(tmp_path / "right.csv", _ill(1.5, 1.5, 8.5, 8.5))
    wrong = written(tmp_path / "wrong.csv", _ill(1.5, 1.5, 8.6, 8.6))
    alone = written(tmp_path / "alone.csv", _ill(1, 2, 8.5, 8.5))
    out = tmp_path / "out.json"
    how = ["-k", "2", "--confidential", "illness", "--algorithm", "mdav"]
    assert main(["audit", original, right, wrong, alone, *how, "--json", str(out)]) == 1
    last = capsys.readouterr().out.splitlines()[-3:]
    assert last == [f"{right}: holds", f"{wrong}: fails", f"{alone}: fails"]
    data = json.loads(out.read_text(encoding="utf-8"))
    assert [one["verdict"] for one in data["audits"]] == ["holds", "fails", "fails"]
    assert [one["released"] for one in data["audits"]] == [right, wrong, alone]
    assert main(["audit", original, right, right, *how]) == 0
    assert main(["audit", original, right, right, *how, "--report", str(tmp_path / "d")]) == 0
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == [
        "index.html",
        "results.json",
    ]


def test_equal_numbers_are_one_value_of_the_diversity_that_is_told() -> None:
    """As for a promise, beside texts too; the categories of a declared kind are texts."""
    rows, score = [[1], [1], [2], [2]], ["3", "3.0", "x", "4"]
    made = oracle.audit_release(rows, k=2, confidential={"score": score}, l_diversity="distinct:2")
    assert made.facts["l_diversity"] == {"score": 1}
    [promised] = [one for one in made.checks if one.name.startswith("distinct diversity")]
    assert promised.details["l_reached"] == 1
    kinds = {"score": "nominal"}
    made = oracle.audit_release(rows, k=2, confidential={"score": score}, kinds=kinds)
    assert made.facts["l_diversity"] == {"score": 2}
