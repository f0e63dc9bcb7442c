"""What is compiled finds what the plain code finds; see `test_columns.py` for what that must be."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("numba", reason="Numba is not installed")

from oracle.optima.compiled import Arrays, fits, search
from oracle.optima.cuts import LARGER, SHAPES, Fractional
from oracle.optima.distances import WholeDistances
from oracle.optima.grown import ENOUGH, grown_cuts
from oracle.optima.pricing import FREE, Found, Prices, Pricing, TooMany, geometry_of
from oracle.optima.solving import solve
from oracle.optima.work import Ground, Place
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.partition import Group
from tests.optima.test_columns import examples, fractional, searches, sought


def compiled(pricing: Pricing) -> list[Found]:
    """What the compiled search finds around all records."""
    geometry = pricing.geometry
    assume(geometry.sizes[0] > 1)
    arrays = Arrays.of(geometry.rows, geometry.near, geometry.nn)
    assert fits(geometry, arrays, pricing.prices, pricing.limit)
    return search(pricing, arrays, range(geometry.n))


@examples(6)
@given(searches())
def test_every_group_is_found(pricing: Pricing) -> None:
    assert sorted(compiled(pricing)) == sorted(sought(pricing))


@examples(4)
@given(searches(), st.integers(1, 4))
def test_enough_of_each_anchor_and_size(pricing: Pricing, enough: int) -> None:
    """Of groups with the same reduced cost, any may be kept."""
    few = replace(pricing, enough=enough)
    found = compiled(few)
    plain = few.groups(range(pricing.geometry.n))
    assert Counter(value for value, _ in found) == Counter(value for value, _ in plain)
    assert set(found) <= set(sought(pricing))
    assert len(set(found)) == len(found)


@examples(4)
@given(searches(), st.integers(0, 9))
def test_within_reach(pricing: Pricing, reach: int) -> None:
    near = replace(pricing, reach=reach)
    assert sorted(compiled(near)) == sorted(near.groups(range(pricing.geometry.n)))


@examples(2)
@given(searches(), st.integers(0, 20))
def test_too_many(pricing: Pricing, most: int) -> None:
    if len(sought(pricing)) > most:
        with pytest.raises(TooMany):
            compiled(replace(pricing, most=most))
    else:
        assert sorted(compiled(replace(pricing, most=most))) == sorted(sought(pricing))


@pytest.mark.parametrize("k", range(2, 12))
def test_searches_for_groups_of_usual_sizes_fit_into_64_bits(k: int) -> None:
    """With prices as they are: a share of what the groups of near records cost."""
    random = Random(k)
    rows = [[random.gauss(0, 1) for _ in range(5)] for _ in range(90)]
    ground = Place("", standardise(table_of(rows)), range(k, 2 * k)).ground()
    geometry = ground.geometry
    group = (0, *geometry.near[0][: k - 1])
    prices = Prices([2 * geometry.cost(group) // k] * 90, 0, {})
    assert ground.arrays is not None
    assert fits(geometry, ground.arrays, prices, 0)


def test_a_search_that_could_overflow_is_left_to_python() -> None:
    ground, pricing = _search(2**45)
    assert ground.arrays is not None
    assert fits(ground.geometry, ground.arrays, pricing.prices, 0)
    assert not fits(ground.geometry, ground.arrays, replace(pricing.prices, group=2**62), 0)
    huge = replace(pricing, prices=Prices([2**62] * pricing.geometry.n, 0, {}), limit=-(2**64))
    everyone = range(ground.geometry.n)
    assert ground.groups(huge, everyone) == huge.groups(everyone)


def _search(unit: int) -> tuple[Ground, Pricing]:
    """A search among enough records on a line to be compiled."""
    n = 90
    rows = [array("q", (unit // 10_000 * (a - b) ** 2 for b in range(n))) for a in range(n)]
    geometry = geometry_of(rows, range(2, 4))
    arrays = Arrays.of(geometry.rows, geometry.near, geometry.nn)
    ground = Ground(WholeDistances(rows, Fraction(1)), geometry, 1, arrays)
    return ground, Pricing(geometry, Prices([unit // 3_000] * n, 0, {}), 0, FREE)


def test_many_records_are_searched_by_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    ground, pricing = _search(2**45)
    plain = pricing.groups(range(90))
    monkeypatch.setattr(Pricing, "groups", None)
    assert sorted(ground.groups(pricing, range(90))) == sorted(plain)
    assert len(plain) >= 89


@examples(4)
@given(fractional())
def test_violated_cuts(drawn: tuple[int, list[Group], list[float]]) -> None:
    n, groups, values = drawn
    solution = Fractional(groups, values)
    for violation, cut in grown_cuts(solution, n):
        value = _violation(solution, cut.records, cut.weights, cut.divisor)
        assert violation == pytest.approx(value)
        assert violation > ENOUGH / 2
        assert len(set(cut.records)) == len(cut.records)
        weights = tuple(sorted(cut.weights, reverse=True))
        assert (weights, cut.divisor) in {*SHAPES, *LARGER}


def _violation(
    solution: Fractional, records: tuple[int, ...], weights: tuple[int, ...], divisor: int
) -> float:
    weight = dict(zip(records, weights, strict=True))
    left = sum(
        x * (sum(weight.get(r, 0) for r in group) // divisor) for group, x in solution.groups
    )
    return left - sum(weights) // divisor


def test_groups_of_ten_are_searched_for() -> None:
    """Their costs have many units, as the least common multiple of 10 to 19 is 232 792 560."""
    random = Random(1)
    rows = [[random.gauss(0, 1)] for _ in range(90)]
    found = solve(rows, 10, "columns", how="population", time_limit=20)
    least = solve(rows, 10, "univariate", how="population")
    assert found.bound is not None
    assert 0 < found.bound <= least.value <= found.value
