"""Streams of seeds: their description for other languages, and the vectors that have seeds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from plain.stream import Stream

from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Judgement
from oracle.conformance.running import run_cases
from oracle.conformance.transport.functions import Function
from oracle.conformance.vectors import Vector, meets, vectors_of
from oracle.conformance.vectors.optima import partitions_within
from oracle.conformance.vectors.vector import groups_of
from refagg.language.random_stream import seeded
from tests.suites import one_in

CLAIMS = ("random-seed", "k-means", "k-modes", "k-member", "oka", "constrained-k-means")


MOST_RECORDS = 8
"""Partitions of more records are too many to be listed."""


def with_seeds(claim: str) -> list[Vector]:
    """Those of numbers; `test_kinds_vectors.py` and `test_shaped_vectors.py` have the others."""
    seeded_ones = [v for v in vectors_of(claim) if v.case.seed is not None]
    return [v for v in seeded_ones if not (v.case.kinds or v.case.shape)]


@pytest.mark.parametrize("seed", [0, 1, -1, 7, 2**53 - 1, -(10**30)])
def test_the_stream_is_as_it_is_described(seed: int) -> None:
    ours, theirs = seeded(seed), Stream(seed)
    for m in (1, 2, 3, 6, 10**9, 2**53, 2**63 + 1, 2**64, 5):
        assert ours.randbelow(m) == theirs.below(m)
    assert ours.sample(range(9), 5) == theirs.sample(9, 5)


def test_the_table_of_the_document() -> None:
    lines = Path("docs/protocol.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    streams = [row for row in rows if len(row) == 3 and row[0].lstrip("-").isdigit()]
    assert [row[0] for row in streams] == ["0", "1", "-1", "2009"]
    for seed, words, draws in streams:
        stream = Stream(int(seed))
        assert [stream.word() for _ in range(3)] == list(map(int, words.split(", ")))
        stream = Stream(int(seed))
        assert [stream.below(m) for m in (6, 4, 10)] == list(map(int, draws.split(", ")))


def plain(claim: str) -> Callable[..., Any]:
    module: Any = import_module("plain." + claim.replace("-", "_"))

    def groups(records: list[list[Any]], k: int, seed: int, **given: Any) -> list[list[int]]:
        settings = {"random-seed": {"size": "fixed"}, "k-modes": {"rounds": 100}}
        settings |= {"k-member": {}, "oka": {}}
        settings["constrained-k-means"] = {"sizes": "free", "rounds": 100}
        usual = settings.get(claim, {"method": "lloyd", "repair": "yes", "rounds": 100})
        rows = [[Fraction(cell) for cell in row] for row in records]
        if "ratio" in given:  # a function gets floats; the ratios of the vectors are simple ones
            given["ratio"] = Fraction(given["ratio"]).limit_denominator(100)
        found: list[list[int]] = module.partition(rows, k, **{**usual, **given}, seed=seed)
        return found

    return groups


def judged(claim: str, function: Callable[..., Any]) -> list[Judgement]:
    return list(run_cases(Function(function), with_seeds(claim)))


@pytest.mark.parametrize("claim", one_in(2, CLAIMS))
def test_who_draws_from_the_stream_passes(claim: str) -> None:
    found = judged(claim, plain(claim))
    assert len(found) >= 5
    assert {judgement.status for judgement in found} == {"passed"}
    assert {judgement.check for judgement in found} == {"run"}


SLOW = ("constrained-k-means",)
"""A wrong answer takes the judge seconds: an assignment has many cheapest ways."""


@pytest.mark.parametrize("claim", one_in(3, [claim for claim in CLAIMS if claim not in SLOW]))
def test_who_draws_otherwise_fails(claim: str) -> None:
    """Another random stream gives other groups, more often than not; a neighbour of the seed
    too."""
    own = plain(claim)

    def other_stream(records: list[list[Any]], k: int, seed: int, **given: Any) -> Any:
        return own(records, k, Random(seed).randrange(10**6), **given)

    def another_seed(records: list[list[Any]], k: int, seed: int, **given: Any) -> Any:
        return own(records, k, seed + 1, **given)

    for function in (other_stream, another_seed):
        assert [j.status for j in judged(claim, function)].count("failed") >= 2


@pytest.mark.parametrize("claim", CLAIMS)
def test_who_has_no_stream_takes_no_part(claim: str) -> None:
    def without(records: list[list[Any]], k: int, size: str = "", repair: str = "") -> Any:
        raise AssertionError

    assert {judgement.status for judgement in judged(claim, without)} == {"unsupported"}


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_judge_says_what_a_vector_with_a_seed_says(claim: str) -> None:
    strict = Strictness(tolerance=Fraction(0), explain=False, blame=False)
    for vector in with_seeds(claim):
        n = len(vector.case.records)
        least = 1 if vector.case.parameters.get("repair") == "none" else vector.case.k
        everything = []
        slow = claim in SLOW or vector.case.parameters.get("method") == "hartigan-wong"
        if n <= (5 if slow else MOST_RECORDS):
            free_of_cost = partitions_within(tuple(range(n)), least, lambda group: 0, 0, [None])
            everything = sorted({groups_of(groups) for _, groups in free_of_cost})
        most = 1 if slow else 8
        some = Random(vector.id).sample(everything, min(most, len(everything)))
        for groups in {*vector.expectation.partitions, *some}:
            passed = judge(vector.case, Answer(groups=groups), strict=strict).status == "passed"
            assert passed == meets(vector, groups), (vector.id, groups)
