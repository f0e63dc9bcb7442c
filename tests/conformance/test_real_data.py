"""Programs that are wrong on files as offices have them, on one scale or in one variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import oracle
from oracle.conformance.judge.model import Case
from oracle.conformance.not_taken import BEYOND_BINARY32, left_out
from oracle.conformance.vectors import vectors_of
from refagg import microaggregate
from tests.faulty import whole
from tests.faulty.by_vectors import conformed
from tests.faulty.implementation import Program, Rows, implementation
from tests.faulty.real_data import ON_REAL_DATA
from tests.suites import one_in

OTHERS = ("invalid", "kinds")


MISSED = "seven digits of decimals are kept"
"""The groups of no vector of MDAV depend on an eighth digit."""


@pytest.mark.parametrize(
    "words", [case for case in one_in(9, list(ON_REAL_DATA)) if case.values != (MISSED,)]
)
def test_the_vectors_alone_find_what_is_wrong_on_real_data(words: str) -> None:
    found = conformed(implementation(words, "mdav", words, ON_REAL_DATA[words]))
    assert found.first is not None


@pytest.mark.parametrize("program", [whole.program(), lambda r, k, **g: whole.with_numpy(r, k)])
def test_right_programs_in_floats_are_not_accused(program: Program) -> None:
    def plainly(records: Rows, k: int) -> Any:
        return program(records, k)

    found = oracle.conform(plainly, "mdav", flags=["real-data"], without=OTHERS, standardise="none")
    assert found.exit_status == 0, str(found)
    assert {j.status for j in found.judgements} <= {"passed", "unsupported"}


def test_the_median_of_an_odd_number_of_records_is_no_centre() -> None:
    def middle(points: Sequence[whole.Point], ids: Sequence[int]) -> list[float]:
        return (whole.median_point if len(ids) % 2 else whole.mean_point)(points, ids)

    program = whole.program(middle=middle)
    found = oracle.conform(
        lambda rows, k: program(rows, k),
        "mdav",
        flags=["order"],
        without=OTHERS,
        standardise="none",
    )
    assert [one.case.id for one in found.failures] == ["mdav-166-eleven-records-by-their-mean"]


def nearest_centroid(records: object, k: int) -> list[float]:
    leftovers = {"leftovers": "nearest-centroid"}
    made = microaggregate(
        records, k=k, algorithm="mdav-2k", parameters=leftovers, standardise="none"
    )
    return [float(label) for label in made.partition.labels()]


@pytest.mark.long
def test_a_function_of_one_variant_is_asked_all_vectors() -> None:
    """Its labels are floats, as those of an array of NumPy may be."""
    fixed = {"leftovers": "nearest-centroid"}
    some = {"flags": ["boundary", "real-data"], "without": OTHERS}
    found = oracle.conform(nearest_centroid, "mdav-2k", parameters=fixed, **some)
    assert found.ok
    assert sum(j.status == "passed" for j in found.judgements) > 30
    assert not oracle.conform(nearest_centroid, "mdav-2k", **some).ok
    hunted = oracle.hunt(nearest_centroid, "mdav-2k", parameters=fixed, max_questions=60)
    assert hunted.statuses["passed"] >= 50


def test_a_scale_by_the_range_is_asked_and_recognised() -> None:
    def by_range(records: object, k: int, standardise: str = "range") -> list[int]:
        return microaggregate(records, k=k, standardise="range").partition.labels()

    assert oracle.conform(by_range, "mdav", standardise="range", flags=["boundary"]).ok
    found = oracle.conform(
        lambda records, k: by_range(records, k), "mdav", flags=["boundary"], without=OTHERS
    )
    assert "right if the scale is 'range'" in str(found)


def test_distances_that_are_kept_by_hashes_are_mistaken() -> None:
    """In Python hash(-1.0) is hash(-2.0)."""
    kept = dict[int, float]()

    def by_hash(one: whole.Point, other: whole.Point) -> float:
        return kept.setdefault(hash((*one, 0.5, *other)), whole.squared(one, other))

    program = whole.program(distance=by_hash)
    found = oracle.conform(
        lambda rows, k: kept.clear() or program(rows, k),
        "mdav",
        flags=["negative"],
        without=OTHERS,
        standardise="none",
    )
    assert "mdav-252-minus-one-and-minus-two" in [one.case.id for one in found.failures]


def test_x_s_is_not_among_the_nearest_to_x_r() -> None:
    """The group of x_r may take x_s in, and the second group is around it all the same."""

    def careless(rows: list[list[float]], k: int) -> list[list[int]]:
        left, groups = list(range(len(rows))), list[list[int]]()
        while len(left) >= 2 * k:
            mean = whole.mean_point(rows, left)
            x_r = max(left, key=lambda i: whole.squared(rows[i], mean))
            x_s = max(left, key=lambda i: whole.squared(rows[i], rows[x_r]))
            for end in [x_r, x_s][: 1 + (len(left) >= 3 * k)]:
                left.sort(key=lambda i: (whole.squared(rows[i], rows[end]), i))
                groups.append(left[:k])
                left = sorted(left[k:])
        return [*groups, left]

    found = oracle.conform(careless, "mdav", flags=["tie"], without=OTHERS, standardise="none")
    assert [one.case.id for one in found.failures] == ["mdav-207-tie-x-s-among-the-nearest"]


@pytest.mark.parametrize(
    ("cell", "held"),
    [
        ("16777216", True),
        ("16777217", False),
        ("0.1", True),
        ("48210.3", True),
        ("48210.37", False),
        ("1/3", True),
        ("1e18", True),
        ("1e19", False),
        ("NaN", True),
        ("x", True),
    ],
)
def test_what_binary32_cannot_hold_is_not_asked(cell: str, held: bool) -> None:
    """By hand: 24 bits of an integer, six digits of a decimal, and a square below 2^128."""
    case = Case("c", "mdav", 1, ((cell,),))
    assert bool(left_out(case, [BEYOND_BINARY32])) is not held


def test_real_data_are_asked_of_every_claim() -> None:
    real = [v for v in vectors_of("mdav") if "real-data" in v.flags]
    assert max(len(v.case.records) for v in real) > 1024
    assert max(len(v.case.records[0]) for v in real) == 6
    assert max(v.case.k for v in real) == 8
