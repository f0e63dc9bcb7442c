"""All vectors on one scale: for programs that always standardise, or never do."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from suites import one_in

from oracle.commands.main import main
from oracle.conformance.vectors import rescaled, vectors_of
from oracle.conformance.vectors.expectations import TOO_RANDOM
from tests.conformance.test_vectors import IN_ORDER, PLAIN, compared, plain_results

PROGRAMS = """
from refagg import microaggregate

def right(records, k, standardise="none"):
    if standardise == "none":
        return {"unsupported": "values are always standardised"}
    return microaggregate(records, k, standardise=standardise).partition.labels()

def wrong(records, k, standardise="none"):
    if standardise == "none":
        return {"unsupported": "values are always standardised"}
    return microaggregate(records, k, standardise="none").partition.labels()

def never(records, k, standardise="none"):
    if standardise != "none":
        return {"unsupported": "values are never standardised"}
    return microaggregate(records, k, standardise="none").partition.labels()

def silently(records, k):
    return microaggregate(records, k, standardise="population").partition.labels()

def fixed(records, k):
    return microaggregate(records, k, algorithm="mdav-2k", standardise="none").partition.labels()
"""

vectors_on = cache(rescaled.vectors_on)

FEW = ("mdav", "mdav-argus", "v-mdav", "md", "mhm", "tfrp-1", "random-seed")
MANY = tuple(name for name in PLAIN if name not in TOO_RANDOM)
CLAIMS = MANY if os.environ.get("REFAGG_ALL_SCALES") else FEW
"""REFAGG_ALL_SCALES=1 compares all algorithms that have a plain twin."""


@pytest.fixture
def conform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "scaled_mdav.py").write_text(PROGRAMS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return ["conform", "--algorithm", "mdav", "--max-failures", "1", "--python"]


def counts(said: str) -> dict[str, int]:
    """How many answers of each status."""
    heads = ("passed", "failed", "errored", "unsupported", "not judged")
    [line] = [line for line in said.splitlines() if line.startswith("all ")]
    return dict(zip(heads, map(int, line.split()[1:]), strict=True))


@pytest.mark.long
def test_a_scale_that_the_program_chooses_by_itself_is_told(
    conform: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    some = ["--flag", "duplicates", "--flag", "fractions", "--flag", "negative", "--flag", "order"]
    assert main([*conform, "scaled_mdav:silently", *some]) == 1
    said = capsys.readouterr().out
    wrong = counts(said)["failed"]
    assert wrong > 3
    assert f"{wrong} of {wrong} wrong answers are right if the scale is 'popu" in said
    assert "ask with --standardise=population" in said
    assert main([*conform, "scaled_mdav:silently", *some, "--standardise=population"]) == 0
    judged = counts(capsys.readouterr().out)
    assert judged["passed"] > 3
    assert not judged["failed"]
    assert main([*conform, "scaled_mdav:fixed", *some, "--flag", "boundary"]) == 1
    assert "right if the scale" not in capsys.readouterr().out


@pytest.mark.parametrize("how", one_in(3, ["population", "sample", "range"]))
def test_a_program_that_always_standardises_takes_part_in_all(
    how: str, conform: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In all that are no categories, but for those that another scale has with the same records."""
    assert main([*conform, "scaled_mdav:right", "--standardise", how]) == 0
    said = capsys.readouterr().out
    found = counts(said)
    numbers = [vector for vector in vectors_of("mdav") if not vector.case.kinds]
    plain = [vector for vector in numbers if not vector.case.shape]
    assert found["passed"] + found["unsupported"] == sum(found.values())
    assert found["unsupported"] <= len(numbers) - len(plain)
    scaled = {(v.case.k, v.case.records) for v in plain if v.case.standardise == how}
    again = [v for v in plain if v.case.standardise == "none"]
    again = [v for v in again if (v.case.k, v.case.records) in scaled]
    assert found["passed"] == len(plain) - len(again)
    own = sum(bool(v.case.kinds or v.case.series) for v in vectors_of("mdav"))
    assert f"{own} vectors with kinds or series" in said
    assert sum(bool(vector.case.kinds) for vector in vectors_of("mdav")) == 31


def test_a_wrong_program_is_found_on_its_scale(
    conform: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*conform, "scaled_mdav:wrong", "--standardise", "population"]
    assert main([*command, "--flag", "boundary", "--flag", "order"]) == 1
    said = capsys.readouterr().out
    assert counts(said)["failed"] > 4
    [again] = [line for line in said.splitlines() if line.startswith("    again: ")]
    words = again.split()
    assert words[words.index("--standardise") + 1] == "population"
    [case] = [word for word in words if word.endswith("-population")]
    assert main([*command, "--case", case]) == 1
    assert counts(capsys.readouterr().out) == dict.fromkeys(counts(said), 0) | {"failed": 1}


def test_a_program_that_never_standardises(
    conform: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*conform, "scaled_mdav:never", "--standardise", "none"]) == 0
    assert counts(capsys.readouterr().out)["passed"] > 60


def test_a_file_of_vectors_has_its_own_scales(
    conform: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--vectors", str(tmp_path / "found.json"), "--standardise", "none"]
    assert main([*conform, "scaled_mdav:right", *options]) == 2
    assert "--standardise is for the vectors of this project" in capsys.readouterr().err


@pytest.mark.parametrize("claim", one_in(8, CLAIMS))
def test_independent_implementations_give_what_is_listed(claim: str) -> None:
    asked, _ = vectors_on(claim, "population")
    number = 0
    for vector in asked:
        if vector.expectation.kind in ("unique", "choice") and compared(vector):
            several = vector.expectation.kind == "choice" and claim not in IN_ORDER
            several &= vector.case.seed is None
            found = plain_results(vector, 4 if several else 1)
            assert found <= set(vector.expectation.partitions), vector.id
            number += 1
    assert number >= 15


def test_both_standard_deviations_give_the_same_groups() -> None:
    """They differ by one factor for all attributes."""
    by_scale = [
        {v.case.records: v.expectation.partitions for v in vectors_on("mdav", how)[0]}
        for how in ("population", "sample")
    ]
    assert by_scale[0] == by_scale[1]


@pytest.mark.parametrize("claim", ["mdav", "gaussian-noise", "optimal", "any k-partition"])
def test_no_question_is_asked_twice_and_no_refusal_is_lost(claim: str) -> None:
    asked, without = vectors_on(claim, "sample")
    assert {vector.case.standardise for vector in asked} == {"sample"}
    assert len({vector.id for vector in asked}) == len(asked)
    refused = [v.topic for v in vectors_of(claim) if v.expectation.kind == "reject"]
    kinds = {vector.topic for vector in without}
    assert [v.topic for v in asked if v.expectation.kind == "reject"] == [
        topic for topic in refused if topic not in kinds
    ]
    assert not any(vector.origin.confirmed for vector in asked)


def test_findings_can_be_asked_on_any_scale() -> None:
    """By hand: of all findings of MDAV, each is asked on its own scale or on the other."""
    named = [v for v in vectors_of("mdav") if "finding" in v.flags and not v.case.kinds]
    for scale in ("none", "population", "sample"):
        asked, _ = vectors_on("mdav", scale)
        questions = {(v.case.k, v.case.records) for v in asked if "finding" in v.flags}
        elsewhere = {(v.case.k, v.case.records) for v in asked if "finding" not in v.flags}
        assert {(v.case.k, v.case.records) for v in named} <= questions | elsewhere
        assert len(questions) > len(named) / 2
