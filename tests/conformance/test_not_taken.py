"""What an implementation does not take is not asked, and told as not covered."""

from __future__ import annotations

from pathlib import Path

import pytest
from suites import one_in

from oracle.commands.main import main
from oracle.conformance.vectors import vectors_of

PROGRAM = """
from refagg import microaggregate

def no_fewer_than_2k(records, k):
    groups = microaggregate(records, k, standardise="none").partition.labels()
    if len(records) < 2 * k:
        raise RuntimeError("too few")
    return groups

def no_constants(records, k):
    groups = microaggregate(records, k, standardise="none").partition.labels()
    if any(len(set(column)) == 1 for column in zip(*records)):
        raise RuntimeError("division by zero")
    return groups

def another_of_one(records, k):
    groups = microaggregate(records, k, standardise="none").partition.labels()
    return [0] * len(records) if len(records[0]) == 1 else groups
"""

GAPS = {
    "no_fewer_than_2k": ("small", "fewer than 2k records"),
    "no_constants": ("constant", "an attribute that has one value"),
    "another_of_one": ("one-attribute", "one attribute"),
}
FLAGS = ("boundary", "constant", "order")
"""Vectors with these are enough to meet each gap, and others."""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "picky_mdav.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("name", GAPS)
def test_vectors_are_left_out_and_counted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["conform", "--algorithm", "mdav", "--max-failures", "0"]
    flags = [word for flag in FLAGS for word in ("--flag", flag)]
    asked = ["--without", "kinds", *flags, "--python", f"picky_mdav:{name}"]
    assert main([*command, *asked]) == 1
    capsys.readouterr()
    what, words = GAPS[name]
    assert main([*command, "--without", what, *asked]) == 0
    assert f" vectors with {words} (--without={what})" in capsys.readouterr().out


def test_the_numbers_of_those_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Counted in the file itself; bad input is asked all the same."""
    good = [v for v in vectors_of("mdav") if v.expectation.kind != "reject"]
    small = [v for v in good if len(v.case.records) < 2 * v.case.k]
    refused = [v for v in vectors_of("mdav") if v.expectation.kind == "reject"]
    command = ["conform", "--algorithm", "mdav", "--without", "small"]
    assert main([*command, "--python", "picky_mdav:no_fewer_than_2k"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-2].startswith(f"not covered: {len(small)} vectors with fewer than 2k records")
    [total] = [line for line in said if line.startswith("all ")]
    assert sum(map(int, total.split()[1:])) == len(good) - len(small) + len(refused)


@pytest.mark.parametrize("name", one_in(4, GAPS))
def test_a_hunt_leaves_out_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "hunt",
        "--algorithm",
        "mdav",
        "-k",
        "2",
        "--max-records",
        "6",
        "--max-questions",
        "100",
    ]
    program = ["--python", f"picky_mdav:{name}"]
    assert main([*command, *program]) == 1
    capsys.readouterr()
    what, words = GAPS[name]
    assert main([*command, "--without", what, *program]) == 0
    said = capsys.readouterr().out
    assert f"not asked: tables with {words}\nnothing was found" in said
    assert ("n = k" not in said) == (what == "small")


def test_nothing_is_left_to_ask(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["hunt", "--algorithm", "optimal", "--without", "one-attribute"]
    assert main([*command, "--python", "picky_mdav:no_constants"]) == 2
    assert (
        "no question is possible: one attribute, without one-attribute" in capsys.readouterr().err
    )
