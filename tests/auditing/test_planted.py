"""Planted defects are caught, and right implementations in other styles are not accused."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest
from places import ROOT
from planted.catch import audited, caught_mutant, caught_release, panel, table
from planted.mutant import Mutant, NotPlanted
from planted.mutants import MUTANTS
from planted.releases import RIGHT, WRONG, Implementation
from suites import one_in

from oracle.conformance.judge.model import Case
from oracle.conformance.transport.functions import Function
from tests.faulty.wrong import _mutated


def test_there_are_enough() -> None:
    assert len(MUTANTS) + len(WRONG) >= 25
    assert len(RIGHT) >= 5


def test_every_line_is_there_and_can_be_changed() -> None:
    """All of them, as the quick suite plants a few only: a rename must not make any void."""
    for mutant in MUTANTS:
        path = Path(find_spec(mutant.module_name()).origin)  # type: ignore[union-attr, arg-type]
        text = path.read_text(encoding="utf-8")
        assert mutant.line in text, mutant.mistake
        ast.parse(text.replace(mutant.line, mutant.changed, 1))


@pytest.mark.parametrize("mutant", one_in(12, MUTANTS), ids=lambda mutant: mutant.mistake)
def test_a_changed_line_is_caught(mutant: Mutant) -> None:
    assert caught_mutant(mutant)


@pytest.mark.parametrize(
    "given", one_in(2, [{"kind": "efcm", "lambda1": "1/9", "lambda2": "1/9"}, {}]), ids=str
)
def test_fuzzy_microaggregation_with_no_line_changed_is_not_caught(given: dict[str, str]) -> None:
    unchanged = Mutant("nothing", "fuzzy", "c_means", "c_means", parameters=tuple(given.items()))
    assert caught_mutant(unchanged) is None


@pytest.mark.parametrize("kind", ["independent", "correlated"])
def test_noise_with_no_line_changed_is_not_caught(kind: str) -> None:
    line = "share = sqrt(amount)"
    unchanged = Mutant("nothing", "gaussian-noise", line, line, parameters=(("kind", kind),))
    assert caught_mutant(unchanged) is None


@pytest.mark.parametrize("algorithm", ["mdav", "fuzzy"])
@pytest.mark.parametrize(
    ("line", "changed"),
    [("no such line", "pass"), ("import annotations", "import annotations (")],
    ids=["no line", "no Python"],
)
def test_what_cannot_be_planted_is_not_caught(algorithm: str, line: str, changed: str) -> None:
    with pytest.raises(NotPlanted):
        caught_mutant(Mutant("nothing", algorithm, line, changed))


def test_what_is_in_no_module_is_not_caught() -> None:
    with pytest.raises(NotPlanted):
        caught_mutant(Mutant("nothing", "mdav", "k", "2", module="nowhere"))


def test_what_cannot_be_planted_is_no_answer_of_a_program() -> None:
    program = Function(_mutated(Mutant("nothing", "mdav", "no such line", "pass")))
    with pytest.raises(NotPlanted):
        program(Case("one", "mdav", 2, (("0",), ("1",))), 10.0)


@pytest.mark.parametrize("implementation", WRONG, ids=lambda i: i.name)
def test_a_wrong_program_is_rejected(implementation: Implementation) -> None:
    assert caught_release(implementation)


@pytest.mark.parametrize("implementation", RIGHT, ids=lambda i: i.name)
def test_a_right_program_is_accepted(implementation: Implementation) -> None:
    for rows, k in panel():
        if "binary32" in implementation.name and rows[0][0] > 3e38:
            continue  # not representable
        verdict = audited(implementation, rows, k)
        assert verdict.holds, (len(rows), k, verdict.lines())


@pytest.mark.long
def test_the_page_is_up_to_date() -> None:
    page = ROOT / "tests" / "records" / "planted-defects.md"
    listed = page.read_text(encoding="utf-8")
    assert [m.mistake for m in MUTANTS if f"| {m.mistake} |" not in listed] == []
    assert listed.startswith(table())
