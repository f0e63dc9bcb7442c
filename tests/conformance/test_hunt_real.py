"""Hunts ask what files of offices have: what is wrong only there is found, right ones pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from oracle.conformance.hunting.coverage import FEW
from oracle.conformance.hunting.hunt import Hunt, run_hunt
from oracle.conformance.hunting.strategies import REAL, Wanted, cases_of, wanted
from oracle.conformance.judge.model import Adapter, Answer, Case
from oracle.conformance.not_taken import BEYOND_BINARY32, left_out
from oracle.conformance.serve import own
from oracle.conformance.transport.functions import Function
from tests.faulty import whole
from tests.faulty.implementation import Program, Rows
from tests.faulty.real_data import ON_REAL_DATA
from tests.suites import only

HARD = (
    "squares of differences wrap around at 32 bits",
    "years have two digits",
    "large whole numbers are codes",
    "outliers are cut",
    "three attributes are looked at",
    "a file is read in pieces of 32",
    "k is at most 6",
    "groups are numbered in 8 bits",
)
"""None of these is wrong on a table of small numbers, and of few records."""


def hunted(adapter: Adapter, shape: str = "") -> Hunt:
    """A hunt of 1000 questions, with no time for making what is found smaller."""
    return run_hunt(adapter, wanted("mdav", shape=shape), tries=1000, timeout=30, shrinking=0.01)


def of_rows(program: Program) -> Adapter:
    def plainly(records: Rows, k: int) -> object:
        return program(records, k)

    return Function(plainly)


def asked_of(asked: Wanted, count: int) -> list[Case]:
    """So many cases of each topic of real values."""
    seen: list[Case] = []

    def keep(case: Case) -> bool:
        seen.append(case)
        return False

    how = settings(
        max_examples=count,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    for topic in asked.topics():
        if topic.values == REAL:
            with pytest.raises(NoSuchExample):
                find(cases_of(asked, topic), keep, settings=how, random=Random(1))
    return seen


@pytest.mark.parametrize("words", only(HARD, HARD[:1]))
def test_what_is_wrong_only_on_real_data_is_found_within_1000_questions(words: str) -> None:
    found = hunted(of_rows(ON_REAL_DATA[words]))
    assert found.findings
    assert found.findings[0].topic.values == REAL


def levels_sorted(case: Case) -> Case:
    def of(kind: str) -> str:
        name, colon, levels = kind.partition(":")
        return name + colon + "<".join(sorted(levels.split("<"))) if name == "ordinal" else kind

    return replace(case, kinds=tuple(map(of, case.kinds)))


def blocks_in_order(case: Case) -> Case:
    """The same numbers of attributes, from the left."""
    places = iter(range(len(case.records[0])))
    return replace(case, blocks=tuple(tuple(next(places) for _ in b) for b in case.blocks))


@pytest.mark.parametrize(
    ("shape", "change"),
    [("kinds", levels_sorted), ("gower", levels_sorted), ("blocks", blocks_in_order)],
)
def test_levels_are_in_no_alphabetical_order_nor_blocks_from_the_left(
    shape: str, change: Callable[[Case], Case]
) -> None:
    def program(case: Case, seconds: float) -> Answer:
        return own(change(case), seconds)

    assert hunted(program, shape).findings


@pytest.mark.parametrize(
    "shape", only(("", "kinds", "blocks", "strata", "sampling_weights"), ["strata"])
)
def test_a_right_one_is_not_accused_on_real_data(shape: str) -> None:
    one = of_rows(lambda records, k: whole.with_numpy(records, k)) if not shape else own
    found = run_hunt(one, wanted("mdav", shape=shape), tries=100, timeout=30)
    assert not found.findings
    assert found.statuses["passed"] > 90


@pytest.mark.long
def test_real_tables_are_larger_and_some_have_more_groups_than_a_byte_has_numbers() -> None:
    seen = asked_of(wanted("mdav"), 20)
    usual = [case for case in seen if len(case.records) <= 60]
    assert max(len(case.records) for case in usual) == 60
    assert max(case.k for case in usual) == 8
    assert max(len(case.records[0]) for case in usual) == 6
    assert any(len(case.records) > 256 * case.k for case in seen)
    assert not [c for c in asked_of(wanted("mdav", most=30), 10) if len(c.records) > 30]
    assert not [c for c in asked_of(wanted("hac"), 10) if len(c.records) > 60]
    share = [one for one in hunted_topics("mdav") if one.topic.large]
    assert [one.share for one in share] == [FEW]


def hunted_topics(claim: str) -> tuple:  # type: ignore[type-arg]
    return run_hunt(own, wanted(claim), tries=1000, budget=0.01).covered


@pytest.mark.parametrize("claim", only(["mdav", "optimal"], ["optimal"]))
def test_nothing_is_asked_that_binary32_cannot_hold(claim: str) -> None:
    asked = wanted(claim, precision="binary32")
    assert BEYOND_BINARY32 in asked.without
    seen = asked_of(asked, 5)
    assert len(seen) >= 20
    assert not any(left_out(case, [BEYOND_BINARY32]) for case in seen)
