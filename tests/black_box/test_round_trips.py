"""A fresh sample of round trips; `python -m tests.black_box.round_trips` makes many."""

from __future__ import annotations

import secrets
from random import Random

import pytest

from .random_cases import FEATURE, random_case
from .round_trips import described, round_trip_of

SAMPLE = 60


@pytest.mark.parametrize("part", range(4))
def test_what_is_masked_is_accepted_by_the_audit(part: int) -> None:
    first = secrets.randbelow(10**9)
    kinds = set()
    for seed in range(first, first + SAMPLE):
        case, outcome = round_trip_of(seed)
        kinds.add(outcome.kind)
        assert outcome.kind != "failure", f"seed {seed}\n{described(case)}\n{outcome.reason}"
    assert "holds" in kinds


def test_the_sample_has_all_features() -> None:
    found = {random_case(Random(seed)).feature for seed in range(400)}
    assert found == set(FEATURE)
