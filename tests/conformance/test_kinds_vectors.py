"""Vectors whose attributes are of declared kinds: the protocol, the judge, and who takes part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import pytest
from plain.kinds import mixed

from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.running import Asking, run_cases
from oracle.conformance.serve import own
from oracle.conformance.taking import SILENT, Taken
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program
from oracle.conformance.transport.protocol import Unintelligible, case_of, request_of
from oracle.conformance.vectors import Vector, meets, vectors_of
from oracle.conformance.vectors.expectations import explored
from oracle.conformance.vectors.generate import TAKE_KINDS, TAKE_SHAPES
from oracle.conformance.vectors.optima import partitions_within
from oracle.conformance.vectors.vector import groups_of
from refagg.catalogue import CATALOGUE
from refagg.data.kinds import kind_of
from refagg.errors import (
    InvalidKind,
    InvalidParameter,
    NoCentroid,
    UnknownParameter,
    UnsupportedArithmetic,
)
from tests.suites import one_in
from tests.templates import compiled_c, node_command

ALGORITHMS = [claim for claim in TAKE_KINDS if claim in CATALOGUE]

BY_ORDER = ("mdav-argus", "v-mdav", "blocks-in-file-order")
"""Algorithms whose runs depend on the order of the records by definition."""


def same_backwards(case: Case, found: Collection[Any]) -> bool:
    """Are these the partitions of the file that is turned round, too?"""
    if not case.kinds or case.seed is not None or case.claim in BY_ORDER:
        return True
    last = len(case.records) - 1
    backwards = explored(replace(case, records=case.records[::-1])).partitions or ()
    return set(found) == {
        groups_of([last - record for record in group] for group in groups) for groups in backwards
    }


def with_kinds(claim: str, rejected: bool = False) -> list[Vector]:
    every = [v for v in vectors_of(claim) if v.case.kinds and not v.case.dissimilarity]
    return [v for v in every if rejected or v.expectation.kind != "reject"]


@pytest.mark.parametrize("claim", TAKE_KINDS)
def test_a_program_for_numbers_cannot_overlook_kinds(claim: str) -> None:
    """In each case there is a text that is no number, or a category where numbers are not meant."""
    for vector in with_kinds(claim):
        cells = [cell for row in vector.case.records for cell in row]
        assert any(not cell.replace(".", "").replace("/", "").isdigit() for cell in cells)


@pytest.mark.parametrize("claim", [claim for claim in ALGORITHMS if claim not in BY_ORDER])
def test_which_of_two_frequent_categories_is_the_centre_decides_nothing(claim: str) -> None:
    """All choices are listed, so that a file that is turned round has the same partitions."""
    for vector in with_kinds(claim):
        if vector.expectation.partitions:
            assert same_backwards(vector.case, vector.expectation.partitions), vector.id


def test_where_there_are_too_many_runs_nothing_is_listed() -> None:
    """By hand: if x is the centre of x, x, y, y, the last y is farthest, and else the first x.

    Either way the two x are one group: nothing is decided here.
    """
    rows = (("x", "0"), ("x", "1/8"), ("y", "7/8"), ("y", "1"))
    case = Case("even", "mdav", 2, rows, kinds=("nominal", "numeric"))
    assert explored(case).partitions == {((0, 1), (2, 3))}
    assert same_backwards(case, {((0, 1), (2, 3))})
    [other] = [v for v in vectors_of("k-modes") if v.id.startswith("k-modes-515")]
    assert other.expectation.kind == "free"
    assert "draws at random" in other.origin.text


@pytest.mark.parametrize("claim", one_in(4, ["mdav", "iv-mdav", "k-modes", "kshc"]))
def test_the_judge_says_what_a_vector_with_kinds_says(claim: str) -> None:
    strict = Strictness(tolerance=Fraction(0), explain=False, blame=False)
    for vector in with_kinds(claim):
        n, drawn = len(vector.case.records), claim == "k-modes" and vector.case.seed is None
        if n > 7 or drawn:
            continue
        free_of_cost = partitions_within(tuple(range(n)), vector.case.k, lambda g: 0, 0, [None])
        everything = sorted({groups_of(groups) for _, groups in free_of_cost})
        some = Random(vector.id).sample(everything, min(6, len(everything)))
        for groups in {*vector.expectation.partitions[:6], *some}:
            passed = judge(vector.case, Answer(groups=groups), strict=strict).status == "passed"
            assert passed == meets(vector, groups), (vector.id, groups)


# The adapters


def plain(claim: str, points_of: Callable[..., Any] = mixed) -> Callable[..., Any]:
    module: Any = import_module("plain." + claim.replace("-", "_"))

    def groups(records: list[list[Any]], k: int, kinds: Sequence[str], seed: int = 0) -> Any:
        settings = CATALOGUE[claim].settings({}) | ({"seed": seed} if claim == "k-modes" else {})
        for row in records:
            for cell, kind in zip(row, map(kind_of, kinds), strict=True):
                wrong = kind.name == "numeric" and isinstance(cell, str)
                if wrong or not str(cell) or (kind.categories and cell not in kind.categories):
                    raise ValueError(f"{cell!r} is no {kind.name} value")
        rows = [[str(cell) for cell in row] for row in records]
        return module.partition(points_of(rows, kinds), k, **settings)

    return groups


def judged(claim: str, function: Callable[..., Any]) -> list[Judgement]:
    return list(run_cases(Function(function), with_kinds(claim, rejected=True)))


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("claim", [claim for claim in ALGORITHMS if claim != "random-seed"])
def test_who_knows_kinds_passes(claim: str, last: bool) -> None:
    found = judged(claim, plain(claim, partial(mixed, last=last)))
    assert [j.case.id for j in found if j.status in ("failed", "errored")] == []
    assert all(j.status == "passed" for j in found) or claim == "k-modes"
    assert sum(j.check == "run" for j in found) >= 8
    refused = [j for j in found if j.check == "answered" and j.status == "passed"]
    assert len(refused) == 4


def by_gower(claim: str, points_of: Callable[..., Any]) -> list[Judgement]:
    """The judgements on a program that measures so, where Gower's distance is asked for."""
    groups = plain(claim, points_of)

    def function(
        records: Any, k: int, kinds: Any, dissimilarity: str, seed: int | None = None
    ) -> Any:
        assert dissimilarity == "gower"
        return groups(records, k, kinds, **({} if seed is None else {"seed": seed}))

    asked = [v for v in vectors_of(claim) if v.case.dissimilarity == "gower"]
    return list(run_cases(Function(function), asked))


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("claim", [c for c in TAKE_SHAPES["gower"] if c != "random-seed"])
def test_who_measures_by_gower_passes(claim: str, last: bool) -> None:
    found = by_gower(claim, partial(mixed, last=last, gower=True))
    assert [(j.status, j.check) for j in found] == [("passed", "run")] * 6


def few_places(rows: Any, kinds: Any) -> Any:
    """Wrong: places are divided by the number of categories, as they are without Gower."""
    found = mixed(rows, kinds, gower=True)
    for attribute in found[0].attributes:
        attribute.stretched = Fraction(1)
    return found


@pytest.mark.parametrize("wrong", [mixed, few_places])
@pytest.mark.parametrize("claim", ["mdav", "md"])
def test_who_measures_in_another_way_than_gower_fails(claim: str, wrong: Any) -> None:
    statuses = [judgement.status for judgement in by_gower(claim, wrong)]
    assert statuses.count("failed") >= 1


def test_programs_are_asked_about_gower_only_if_they_say_so() -> None:
    case = Case("c", "mdav", 1, (("x",),), kinds=("nominal",), dissimilarity="gower")
    assert SILENT.gap(case) == "Gower's distance"
    assert not Taken(shapes=("gower",)).gap(case)


def places(rows: list[list[str]], kinds: Sequence[str]) -> Any:
    """Wrong: categories as numbers, ordinal ones by their places, nominal ones by the alphabet."""

    def number(cell: str, j: int) -> str:
        if kinds[j] == "numeric":
            return cell
        order = kind_of(kinds[j]).categories or sorted({row[j] for row in rows})
        return str(list(order).index(cell))

    numbers = [[number(cell, j) for j, cell in enumerate(row)] for row in rows]
    return [[Fraction(cell) for cell in row] for row in numbers]


def fails(claim: str, function: Callable[..., Any]) -> bool:
    """Return True if one answer is wrong; why it is does not matter here."""
    asking = Asking(strict=Strictness(explain=False, blame=False))
    judgements = run_cases(Function(function), with_kinds(claim), asking)
    return any(judgement.status == "failed" for judgement in judgements)


@pytest.mark.parametrize("claim", ["mdav", "md", "kshc"])
def test_who_takes_categories_for_numbers_fails(claim: str) -> None:
    assert fails(claim, plain(claim, places))


def alphabetic(rows: list[list[str]], kinds: Sequence[str]) -> Any:
    """Wrong: the order of the categories is that of the alphabet."""
    changed = [
        "ordinal:" + "<".join(sorted(kind_of(kind).categories)) if "<" in kind else kind
        for kind in kinds
    ]
    return mixed(rows, changed)


@pytest.mark.parametrize("claim", ["mdav", "kshc", "k-modes"])
def test_who_sorts_categories_fails(claim: str) -> None:
    assert fails(claim, plain(claim, alphabetic))


def without_case(rows: list[list[str]], kinds: Sequence[str], of: Sequence[str] = ("",)) -> Any:
    """Wrong: categories whose kind begins so are the same if they are equal in lower case."""

    def folded(text: str, kind: str) -> str:
        return text.lower() if kind.startswith(tuple(of)) else text

    cells = [[folded(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in rows]
    orders = (kind.partition(":") for kind in kinds)
    changed = [
        f"{name}{colon}{'<'.join(dict.fromkeys(folded(order, name).split('<')))}"
        for name, colon, order in orders
    ]
    return mixed(cells, changed)


@pytest.mark.parametrize("of", [["nominal"], ["ordinal"], ["nominal", "ordinal"]])
@pytest.mark.parametrize("claim", ["mdav", "mdav-2k", "md"])
def test_who_ignores_upper_and_lower_case_fails(claim: str, of: list[str]) -> None:
    program = Function(plain(claim, partial(without_case, of=of)))
    [vector] = [v for v in with_kinds(claim) if v.id == f"{claim}-520-upper-and-lower-case"]
    [judgement] = run_cases(program, [vector])
    assert judgement.status == "failed"


def test_who_does_not_know_kinds_takes_no_part() -> None:
    """A function has no such parameter; a program refuses what is no number."""

    def numbers_only(records: list[list[float]], k: int) -> list[int]:
        raise AssertionError

    assert {judgement.status for judgement in judged("mdav", numbers_only)} == {"unsupported"}
    for command in (node_command(), compiled_c()):
        if command is not None:
            with closing(Program(command)) as program:
                found = list(run_cases(program, with_kinds("mdav", rejected=True)))
            assert {j.status for j in found if j.check != "answered"} == set()
            assert {j.status for j in found} == {"unsupported", "passed"}


def test_requests_carry_kinds_where_there_are_any() -> None:
    case = Case("c", "mdav", 1, (("red", "1"),), kinds=("nominal", "numeric"))
    assert request_of(case)["kinds"] == ["nominal", "numeric"]
    assert case_of(request_of(case)) == case
    assert "kinds" not in request_of(replace(case, kinds=()))
    with pytest.raises(Unintelligible, match="kinds"):
        case_of(request_of(case) | {"kinds": "nominal"})


# The judge


LETTERS = Case("letters", "mdav", 2, tuple((cell,) for cell in "aaaabbc"), kinds=("nominal",))


@pytest.mark.parametrize(
    ("answer", "check", "status"),
    [
        (Answer(groups=((0, 6), (1, 2, 3), (4, 5))), "run", "passed"),
        (Answer(groups=((0, 1), (2, 3), (4, 5, 6))), "run", "failed"),
        (Answer(groups=((0, 1), (2, 3), (4, 5), (6,))), "k-anonymous", "failed"),
        (Answer(groups=((0, 1), (2, 3), (4, 5))), "well formed", "failed"),
        (Answer(released=tuple("aaaabba")), "run", "passed"),
        (Answer(released=tuple("aaaabbc")), "k-anonymous", "failed"),
        (Answer(released=tuple("cbbbccc")), "aggregates", "failed"),
        (Answer(released=tuple("ccccccc")), "run", "failed"),
        (Answer(groups=((0, 6), (1, 2, 3), (4, 5)), released=tuple("aaaabbb")), "aggregates", ""),
        (Answer(groups=((0, 6), (1, 2, 3), (4, 5)), released=tuple("aaaacca")), "aggregates", ""),
        (Answer(groups=((0, 6), (1, 2, 3), (4, 5)), released=tuple("caaabbc")), "run", "passed"),
        (Answer(released=tuple("aaaabb")), "well formed", "failed"),
        (Answer(released=tuple(" aaabba")), "well formed", "failed"),
        (Answer(refused="not a number"), "answered", "unsupported"),
        (Answer(errored="a crash"), "answered", "errored"),
    ],
)
def test_answers_are_judged_on_the_ladder(answer: Answer, check: str, status: str) -> None:
    if answer.released is not None:
        answer = replace(answer, released=tuple((cell,) for cell in answer.released))
    found = judge(LETTERS, answer)
    assert (found.check, found.status) == (check, status or "failed"), found.reason


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"kinds": ("nominal", "nominal")}, InvalidKind),
        ({"kinds": ("categories",)}, InvalidKind),
        ({"kinds": ("sequence:>",)}, NoCentroid),
        ({"strata": ("a",) * 7}, InvalidParameter),
        ({"claim": "kshc", "kinds": ("sequence:>",), "dissimilarity": "x"}, InvalidParameter),
        ({"standardise": "population"}, InvalidParameter),
        ({"claim": "projection"}, UnsupportedArithmetic),
        ({"claim": "any k-partition", "parameters": {"gamma": "1"}}, UnknownParameter),
    ],
)
def test_cases_are_checked(change: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        judge(replace(LETTERS, **change), Answer(groups=((0, 1, 2, 3, 4, 5, 6),)))


def test_what_only_rounding_explains_is_flagged() -> None:
    """By hand: record 3 is farthest for its category, and nearer to 1 than to 0 by 2e."""

    def case(e: Fraction) -> Case:
        rows = (("0", "a"), ("1", "a"), ("0", "a"), (str(Fraction(1, 2) + e), "b"))
        return Case("near", "mdav", 2, rows, kinds=("numeric", "nominal"))

    right, rounded = Answer(groups=((0, 2), (1, 3))), Answer(groups=((0, 3), (1, 2)))
    little = case(Fraction(1, 10**12))
    assert (judge(little, right).status, judge(little, right).flags) == ("passed", ())
    found = judge(little, rounded)
    assert (found.status, found.flags) == ("passed", ("numerical",))
    assert judge(little, rounded, strict=Strictness(Fraction(0))).status == "failed"
    assert judge(case(Fraction(1, 100)), rounded).status == "failed"


@pytest.mark.parametrize("claim", TAKE_KINDS)
def test_the_library_answers_through_the_protocol(claim: str) -> None:
    for judgement in run_cases(own, with_kinds(claim, rejected=True)):
        assert judgement.status in ("passed", "not judged"), judgement
