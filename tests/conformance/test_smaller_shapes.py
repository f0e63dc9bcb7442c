"""Smaller counterexamples than steps reach, and what is said where there can be no smaller one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.conformance.hunting.shrink import QUESTIONS, Smaller, smallest
from oracle.conformance.hunting.strategies import wanted
from oracle.conformance.judge.model import Case

TWELVE = Case("x", "mdav", 2, tuple((str(i), str(i * i), "1") for i in range(12)))


def shape(case: Case) -> tuple[int, int, int]:
    return len(case.records), len(case.records[0]), case.k


def in_fives(case: Case) -> bool:
    """Wrong only for 5 or 12 records: neither a step of 1, 2 or k leads on nor a half."""
    return case.k == 2 and len(case.records) in (5, 12)


def in_seven(case: Case) -> bool:
    """Wrong only for k = 3 and 7 or 12 records, of which one is 2."""
    return case.k == 3 and len(case.records) in (7, 12) and "2" in case.records[0]


@pytest.mark.parametrize(
    ("wrong", "k", "expected"), [(in_fives, 2, (5, 1, 2)), (in_seven, 3, (7, 1, 3))]
)
def test_a_smaller_shape_is_found_where_no_step_leads_to_it(
    wrong: Callable[[Case], bool], k: int, expected: tuple[int, int, int]
) -> None:
    start = Case("x", "mdav", k, (("2", "1"), *TWELVE.records[1:]) if k == 3 else TWELVE.records)
    start = Case("x", "mdav", k, tuple(row[:2] for row in start.records))
    stuck = smallest(start, wrong)
    assert len(stuck.records) == 12
    search = Smaller(wanted("mdav", k=(2, 5)), wrong, lambda: False)
    assert shape(search.than(stuck, 0)) == expected


def test_what_was_asked_of_every_smaller_table_is_said_and_no_more() -> None:
    asked = wanted("hansen-mukherjee", k=(2, 2))  # of one attribute
    search = Smaller(asked, lambda case: len(case.records) > 3, lambda: False)
    found = search.than(Case("x", "hansen-mukherjee", 2, (("0",),) * 4), 0)
    assert shape(found) == (4, 1, 2)
    assert (
        search.proof(found)
        == "no smaller table of the values 0 to 2, with k above 1, is answered wrongly in this way"
    )
    far = Case("x", "hansen-mukherjee", 2, (("0",), ("7",), ("0",), ("0",)))
    assert search.proof(far) == ""


def test_a_search_that_is_cut_short_proves_nothing() -> None:
    asked = wanted("hansen-mukherjee", k=(2, 2))
    case = Case("x", "hansen-mukherjee", 2, (("0",),) * 4)
    assert Smaller(asked, in_fives, lambda: True).proof(case) == ""
    short = Smaller(asked, in_fives, lambda: False, left=3)
    assert short.than(case, 0) == case
    assert short.proof(case) == ""
    assert QUESTIONS > 0


def test_the_search_is_the_same_every_time() -> None:
    def of_distinct_values(case: Case) -> bool:
        values = {row[0] for row in case.records}
        return case.k == 2 and 5 <= len(case.records) == len(values)

    found = [
        Smaller(wanted("mdav"), of_distinct_values, lambda: False).than(TWELVE, 5) for _ in range(2)
    ]
    assert found[0] == found[1]
    assert shape(found[0]) == (5, 1, 2)
