"""Planted defects are caught, and right implementations in other styles are not accused."""

from __future__ import annotations

import ast
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest
from places import ROOT
from planted.catch import audited, caught_mutant, caught_release, panel, table
from planted.mutant import Mutant
from planted.mutants import LINES, LISTED, MUTANTS
from planted.planting import Change, NotPlanted, changed_tree
from planted.releases import RIGHT, WRONG, Implementation
from suites import one_in, only

from oracle.conformance.judge.model import Case
from oracle.conformance.transport.functions import Function
from tests.faulty.wrong import _mutated

NOTHING = Change("", "Specification", "Specification")
"""A change that leaves all as it is."""


def test_there_are_enough() -> None:
    assert len(MUTANTS) + len(WRONG) >= 25
    assert len(RIGHT) >= 5


def test_every_place_is_there_and_can_be_changed() -> None:
    """All of them, as the quick suite plants a few only: a rename must not make any void."""
    algorithms = [(mutant.module_name(), mutant.change) for mutant in MUTANTS]
    changes: dict[str, list[Change]] = defaultdict(list)
    for name, change in [*algorithms, *((line.module, line.change) for line in LINES)]:
        changes[name].append(change)
    for name, of_module in changes.items():
        path = Path(find_spec(name).origin)  # type: ignore[union-attr, arg-type]
        text = path.read_text(encoding="utf-8")
        unchanged = ast.unparse(ast.parse(text))
        for change in of_module:
            assert ast.unparse(changed_tree(text, change)) != unchanged, change


def test_all_that_is_listed_is_of_an_algorithm_or_of_a_module() -> None:
    known = {*(mutant.algorithm for mutant in MUTANTS), *(line.module for line in LINES)}
    assert {place for place, one in LISTED if "planted_by" not in one} == known


def test_a_change_finds_its_place_whatever_the_layout() -> None:
    text = "def f(x):\n    return g(\n        3*x,  # three times\n        'near')\n"
    for change, result in (
        (Change("f", "3 * x", "2 * x"), "g(2 * x, 'near')"),
        (Change("f", "", "far(x)", choice="near"), "far(x)"),
        (Change("", "x", "y", number=1), "g(3 * y, 'near')"),
    ):
        assert ast.unparse(changed_tree(text, change)).endswith(f"return {result}")
    for nowhere in (Change("f", "4 * x", "1"), Change("h", "x", "1"), Change("f", "", "1", "far")):
        with pytest.raises(NotPlanted):
            changed_tree(text, nowhere)


HARDLY_WRONG = {"R2 is the average", "r is the record farthest from the centroid, in M-d"}
"""What is right on most tables, so that many are tried before it is caught."""

SAMPLE = [
    *one_in(12, (mutant for mutant in MUTANTS if mutant.mistake not in HARDLY_WRONG)),
    *only((mutant for mutant in MUTANTS if mutant.mistake in HARDLY_WRONG), ()),
]


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: mutant.mistake)
def test_a_changed_line_is_caught(mutant: Mutant) -> None:
    assert caught_mutant(mutant)


@pytest.mark.parametrize(
    "given", one_in(2, [{"kind": "efcm", "lambda1": "1/9", "lambda2": "1/9"}, {}]), ids=str
)
def test_fuzzy_microaggregation_with_no_line_changed_is_not_caught(given: dict[str, str]) -> None:
    unchanged = Mutant("nothing", "fuzzy", NOTHING, parameters=tuple(given.items()))
    assert caught_mutant(unchanged) is None


@pytest.mark.parametrize("kind", one_in(2, ["independent", "correlated"]))
def test_noise_with_no_line_changed_is_not_caught(kind: str) -> None:
    unchanged = Mutant("nothing", "gaussian-noise", NOTHING, parameters=(("kind", kind),))
    assert caught_mutant(unchanged) is None


@pytest.mark.parametrize("algorithm", ["mdav", "fuzzy"])
@pytest.mark.parametrize(
    "change",
    [Change("", "no_such_name", "pass"), Change("", "annotations = 1", "annotations (")],
    ids=["no place", "no Python"],
)
def test_what_cannot_be_planted_is_not_caught(algorithm: str, change: Change) -> None:
    with pytest.raises(NotPlanted):
        caught_mutant(Mutant("nothing", algorithm, change))


def test_what_is_in_no_module_is_not_caught() -> None:
    with pytest.raises(NotPlanted):
        caught_mutant(Mutant("nothing", "mdav", NOTHING, module="nowhere"))


def test_what_cannot_be_planted_is_no_answer_of_a_program() -> None:
    program = Function(_mutated(Mutant("nothing", "mdav", Change("", "no_such_name", "pass"))))
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
