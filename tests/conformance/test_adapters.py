"""Adapters: programs to copy are right, and known defects of published packages are found."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from oracle.conformance.field.table import Member, members
from oracle.conformance.hunting.hunt import run_hunt
from oracle.conformance.hunting.strategies import wanted
from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.running import judge_vector
from oracle.conformance.taking import asked_and_gaps
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program
from oracle.conformance.vectors import vectors_of
from oracle.functions.implementations import taken_by
from refagg.language.importing import function_named
from tests.places import ROOT
from tests.templates import compiled_c, node_command

FIELD = {member.name: member for member in members()}

BY_HAND = Case(
    "hand", "mdav", 2, tuple((text,) for text in ["1", "2", "3", "10", "11", "12", "30"])
)
"""The average is 69/7: 30 and 1 are the ends; {12, 30}, {1, 2}, {3, 10, 11}."""


@pytest.fixture(params=["JavaScript", "C"])
def template(request: pytest.FixtureRequest) -> list[str]:
    command = node_command() if request.param == "JavaScript" else compiled_c()
    if command is None:
        pytest.skip(f"{request.param}: neither node nor cc is installed here")
    return command


def needs(name: str) -> Member:
    """An implementation; skip where another version is installed, or none."""
    if missing := FIELD[name].missing():
        pytest.skip(f"not installed: {missing}")
    return FIELD[name]


def asked(name: str, values: list[int], k: int, claim: int = 0) -> Answer:
    ask = needs(name).asks[claim]
    case = Case(
        "one",
        ask.algorithm,
        k,
        tuple((str(x),) for x in values),
        ask.options.get("parameters", {}),
        standardise=ask.options.get("standardise", "none"),
    )
    return Function(function_named(ask.python))(case, 30.0)


# Programs


def test_a_template_answers_what_is_known_by_hand(template: list[str]) -> None:
    with closing(Program(template)) as program:
        answer = program(BY_HAND, 10.0)
    assert answer.groups is not None
    assert sorted(map(sorted, answer.groups)) == [[0, 1], [2, 3, 4], [5, 6]]


def test_a_template_passes_the_vectors(template: list[str]) -> None:
    statuses = set()
    with closing(Program(template)) as program:
        asked, _ = asked_and_gaps(vectors_of("mdav"), taken_by(program, "mdav", 10.0, None), [])
        for vector in asked:
            statuses.add(judge_vector(vector, program(vector.case, 10.0)).status)
    assert {"passed"} <= statuses <= {"passed", "unsupported"}


def test_nothing_is_found_in_a_template(template: list[str]) -> None:
    with closing(Program(template)) as program:
        found = run_hunt(program, wanted("mdav"), budget=60, tries=50)
    assert found.statuses == {"passed": 50}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (Case("a", "mdav", 3, (("1",), ("2",))), "refused"),
        (Case("b", "md", 1, (("1",), ("2",))), "unsupported"),
        (Case("c", "mdav", 1, (("1",), ("2",)), standardise="population"), "unsupported"),
    ],
)
def test_a_template_says_what_it_does_not_do(template: list[str], case: Case, said: str) -> None:
    with closing(Program(template)) as program:
        assert getattr(program(case, 10.0), said) is not None


@pytest.mark.parametrize(
    "cell", ["", "x", "NaN", "inf", "1,5", "0x1A", "--1", "1/2/3", "1-2", "7 "]
)
def test_a_template_refuses_what_is_no_number(template: list[str], cell: str) -> None:
    with closing(Program(template)) as program:
        assert program(Case("a", "mdav", 1, (("1", "2"), ("3", cell))), 10.0).refused is not None


def test_a_template_reads_all_kinds_of_numbers(template: list[str]) -> None:
    """By hand: 0.1 is nearest to .5/10 and 10e-2, and -7/3 to -2.34 and -233e-2; the id is odd."""
    cells = ["0.1", "-7/3", "5e-2", "-2.34", "10E-2", "-233e-2"]
    case = Case('"k": "\\ \u00e9\n', "mdav", 3, tuple((cell,) for cell in cells))
    with closing(Program(template)) as program:
        answer = program(case, 10.0)
    assert answer.groups is not None, answer
    assert sorted(map(sorted, answer.groups)) == [[0, 2, 4], [1, 3, 5]]


# Packages


def test_the_adapter_of_microagg1d_hands_over_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function in its place takes values and k, and gives labels or fails an assertion."""

    def halves(values: Sequence[float], k: int) -> list[float]:
        assert len(values) >= k, "too few"
        return [float(x > max(values) / 2) for x in values]

    package = SimpleNamespace(univariate_microaggregation=halves)
    monkeypatch.setitem(sys.modules, "microagg1d", package)
    adapter: dict[str, Any] = {}
    exec((ROOT / "oracle/conformance/adapters/microagg1d_optimal.py").read_text(), adapter)
    labels = adapter["labels"]
    assert labels([[1.0], [9.0], [2.0]], 2) == [0, 1, 0]
    with pytest.raises(ValueError, match="too few"):
        labels([[1.0]], 2)


@pytest.mark.long  # where it is imported for the first time, it is compiled for a minute
def test_microagg1d_labels_the_sorted_values() -> None:
    assert asked("microagg1d", [0, 1, 0, 1], 2).groups == ((0, 1), (2, 3))


def test_anonypyx_takes_the_first_record_for_the_farthest() -> None:
    """By hand: the average of 0 0 0 0 1 is nearest to the zeros, so that 1 has to be an end."""
    answer = asked("anonypyx", [0, 0, 0, 0, 1], 2)
    assert answer.groups is not None
    assert max(map(len, (group for group in answer.groups if 4 in group))) == 3


def test_microaggregation_far_away() -> None:
    """By hand: two values that differ by 6 have the SSE 2 * 3^2."""
    sse = asked("microaggregation", [10**9 + 15, 10**9 + 21], 2).sse
    assert sse is not None
    assert float(sse) < 0
    assert asked("microaggregation", [15, 21], 2).sse == "18.0"


def test_privlib_rounds_the_average_to_the_decimals_of_the_values() -> None:
    """By hand: of 0 0 0 1 1 1 2 2 2 3 4 4 the average is 19/12, from which 4 is farthest."""
    answer = asked("privlib", [0, 1, 10, 11], 2)
    assert answer.groups is not None
    assert sorted(map(sorted, answer.groups)) == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("name", "claim"),
    [("anonypy", 0), ("anonypyx", 1), ("qiyuangong-mondrian", 0), ("umbra-k", 0)],
)
def test_a_mondrian_cuts_in_two(name: str, claim: int) -> None:
    """By hand: whatever median is taken, four values far apart in pairs are two groups of 2."""
    answer = asked(name, [0, 1, 10, 11], 2, claim)
    assert answer.groups is not None, answer
    assert sorted(map(sorted, answer.groups)) == [[0, 1], [2, 3]]
