"""A fresh sample of round trips; `python -m tests.black_box.round_trips` makes many."""

from __future__ import annotations

import secrets
from pathlib import Path
from random import Random

import pytest

from tests.suites import one_in

from .corruptions import Corruption, boolean_flipped, moment_moved
from .random_cases import FEATURE, RandomCase, random_case
from .round_trips import audit, described, released, round_trip, round_trip_of
from .session import run_words

SAMPLE = 60


@pytest.mark.parametrize("part", one_in(4, range(4)))
def test_what_is_masked_is_accepted_by_the_audit(part: int) -> None:
    first = secrets.randbelow(10**9) if part else 0
    kinds = set()
    for seed in range(first, first + SAMPLE):
        case, outcome = round_trip_of(seed)
        kinds.add(outcome.kind)
        assert outcome.kind != "failure", f"seed {seed}\n{described(case)}\n{outcome.reason}"
    assert "holds" in kinds


@pytest.mark.parametrize("corruption", one_in(2, [moment_moved, boolean_flipped]))
def test_dates_and_booleans_of_a_group_are_judged(corruption: Corruption, tmp_path: Path) -> None:
    """A day, a second or a minute more or less, or the other boolean, is rejected."""
    seed, rejected = secrets.randbelow(10**9), 0
    while rejected < 4:
        random, seed = Random(seed), seed + 1
        case = random_case(random)
        if case.feature != "dates" or round_trip(case, tmp_path).kind != "holds":
            continue
        if wrong := corruption(random, case, released(tmp_path)):
            (tmp_path / "wrong.csv").write_text(wrong.release.text(), encoding="utf-8")
            judged = audit(case, tmp_path, "wrong.csv")
            assert judged.status == 1, f"seed {seed}\n{described(case)}\n{wrong.release.text()}"
            rejected += 1


def test_the_sample_has_all_features() -> None:
    found = {random_case(Random(seed)).feature for seed in range(400)}
    assert found == set(FEATURE)


def numbered(rows: str, *words: str, anonymity: str = "joint") -> RandomCase:
    header, *cells = [line.split(",") for line in rows.split()]
    return RandomCase("mdav", 2, header, cells, list(words), anonymity=anonymity)


MET = {
    "a group below k is right where sizes are not repaired": numbered(
        "x,job 0,p 1,p 2,p 50,q 51,q 90,q",
        *("--kind", "x=numeric", "--kind", "job=nominal", "--seed", "1"),
        *("--param", "repair=none"),
        anonymity="none",
    ),
    "a random seed is replayed with the size min-max": numbered(
        "x 8 2 8 4 2 8", "--seed", "82", "--param", "size=min-max"
    ),
}
"""Cases that a round trip has failed on."""


@pytest.mark.parametrize(("why", "algorithm"), [*zip(MET, ("k-means", "random-seed"), strict=True)])
def test_round_trips_that_once_failed(why: str, algorithm: str, tmp_path: Path) -> None:
    case = MET[why]
    case.algorithm = algorithm
    for seed in range(10):
        case.shared[case.shared.index("--seed") + 1] = str(seed)
        assert round_trip(case, tmp_path).kind != "failure"


@pytest.mark.parametrize("algorithm", ["fuzzy", "gaussian-noise"])
def test_slopes_are_for_groups(algorithm: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b,c\n1,2,3\n4,5,7\n9,7,5\n")
    k = ["-k", "2"] if algorithm == "fuzzy" else []
    words = ["mask", "in.csv", "--algorithm", algorithm, *k, "--seed", "1", "--series", "sts"]
    ran = run_words(["refagg", *words, "-o", "out.csv"], tmp_path)
    assert ran.status == 2
    assert "the distance sts of series is for groups" in ran.err
