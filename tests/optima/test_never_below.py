"""The comparison of all algorithms with the optimum: a few tables, and whether it can fail."""

from __future__ import annotations

import pytest

from refagg.language.partition import Partition
from tests.optima import never_below
from tests.optima.never_below import compared, sizes_are_promised
from tests.strategies import VARIANTS, Request, Variant


def test_nothing_is_below_the_optimum() -> None:
    """`python -m tests.optima.never_below 2000` compares more."""
    counts = compared(3, seed=5)
    assert counts.wrong == []
    assert counts.refined == 3 * len(never_below.STARTS)


def named(name: str) -> Variant:
    return next(variant for variant in VARIANTS if str(variant) == name)


def test_an_sse_below_the_optimum_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = never_below.sse
    monkeypatch.setattr(never_below, "VARIANTS", [named("mdav")])
    monkeypatch.setattr(never_below, "STARTS", [])
    monkeypatch.setattr(never_below, "sse", lambda *given: right(*given) - 10**9)
    assert [wrong[:17] for wrong in compared(1, seed=5).wrong] == ["below the optimum"]


def test_a_refiner_that_makes_things_worse_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """MDAV in the place of what improves it, and the other way round."""
    worse = [(start, refiner) for refiner, start in never_below.STARTS]
    monkeypatch.setattr(never_below, "VARIANTS", [])
    monkeypatch.setattr(never_below, "STARTS", worse)
    wrong = compared(5, seed=5).wrong
    assert any(text.startswith("higher SSE than local-search[mdav]: mdav of") for text in wrong)


def test_sizes_are_held_to_what_is_promised() -> None:
    request = Request([(0,), (1,), (2,), (3,), (4,), (5,)], 3, {})
    assert sizes_are_promised(named("mdav"), request, Partition.of([(0, 1, 2), (3, 4, 5)]))
    assert not sizes_are_promised(named("mdav"), request, Partition.of([(0, 1), (2, 3, 4, 5)]))
    assert not sizes_are_promised(named("mdav"), request, Partition.of([(0, 1, 2, 3, 4, 5)]))
