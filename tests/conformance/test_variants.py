"""Conform says which published variant a program is, where all of its answers are those of one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import oracle
from oracle.conformance.judge.causes import cause_of
from refagg import microaggregate
from tests.faulty import whole
from tests.faulty.implementation import Rows
from tests.faulty.real_data import ON_REAL_DATA
from tests.suites import one_in

OTHERS = ("invalid", "kinds", "seeds")


def answers(claim: str, made: str, **parameters: str) -> Any:
    """What conform says of a program that is another algorithm than it claims."""

    def program(records: Rows, k: int) -> Any:
        how = {"algorithm": made, "parameters": parameters, "standardise": "none"}
        return microaggregate(records, k=k, **how).partition.labels()

    return oracle.conform(program, claim, without=OTHERS, standardise="none")


VARIANTS = (
    ("mdav-2k", "mdav-2k", {"leftovers": "nearest-centroid"}, "leftovers=nearest-centroid"),
    ("v-mdav", "v-mdav", {"gamma": "1.1"}, "v-mdav with gamma=1.1"),
    ("mdav", "mdav-single", {}, "mdav-single"),
    ("mdav", "mdav-1", {}, "mdav-1"),
    ("mdav", "mdav-argus", {}, "mdav-argus"),
)


@pytest.mark.parametrize("variant", one_in(5, VARIANTS))
def test_a_variant_is_recognised(variant: tuple[str, str, dict[str, str], str]) -> None:
    claim, made, parameters, said = variant
    found = answers(claim, made, **parameters)
    assert found.hint.startswith("passes as ")
    assert said in found.hint
    assert found.verdict.startswith("another published variant: ")
    assert {cause_of(one).partition("/")[0] for one in found.failures} == {"other-variant"}
    told = json.loads(found.to_json())["judgements"]
    wrong = [one for one in told if one["status"] == "failed"]
    assert {one["severity"] for one in wrong} == {"another published variant"}
    assert all(one["cause"].startswith("other-variant/") == (one in wrong) for one in told)


@pytest.mark.long
def test_what_is_wrong_otherwise_is_no_variant() -> None:
    def program(records: Rows, k: int) -> Any:
        return ON_REAL_DATA["squares of differences wrap around at 32 bits"](records, k)

    found = oracle.conform(program, "mdav", without=OTHERS, standardise="none")
    assert not found.ok
    assert "passes as" not in str(found)
    assert found.verdict.startswith("wrong: ")


def test_a_right_one_has_no_hint() -> None:
    def program(records: Rows, k: int) -> Any:
        return whole.with_numpy(records, k)

    flags = ["boundary", "real-data"]
    found = oracle.conform(program, "mdav", without=OTHERS, standardise="none", flags=flags)
    assert (found.ok, found.hint) == (True, "")
    assert not any(one.cause for one in found.judgements)
