"""What is compiled finds what the plain code finds; see `test_columns.py` for what that must be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("numba", reason="Numba is not installed")

from oracle.optima.compiled import Arrays, Block, fits, search
from oracle.optima.cuts import LARGER, LEAST_VIOLATION, SHAPES, Fractional, violated_triples
from oracle.optima.master import Duals
from oracle.optima.pricing import FREE, Found, Prices, Pricing, TooMany
from oracle.optima.relaxation import Pool
from oracle.optima.separation import violated
from oracle.optima.separation import violated_triples as compiled_triples
from oracle.optima.solving import solve
from oracle.optima.work import Place
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.partition import Group
from tests.optima.test_columns import examples, fractional, priced, searches, sought


def compiled(pricing: Pricing) -> list[Found]:
    """What the compiled search finds around all records."""
    geometry = pricing.geometry
    assume(geometry.sizes[0] > 1)
    arrays = Arrays.of(geometry.rows, geometry.near, geometry.nn)
    assert fits(replace(geometry, arrays=arrays), pricing.prices, pricing.limit)
    return search(pricing, arrays, range(geometry.n))


@examples(6)
@given(searches(restricted=False))
def test_every_group_is_found(pricing: Pricing) -> None:
    assert sorted(compiled(pricing)) == sorted(sought(pricing))


@examples(4)
@given(searches(restricted=False), st.integers(1, 4))
def test_enough_of_each_anchor_and_size(pricing: Pricing, enough: int) -> None:
    """Of groups with the same reduced cost, any may be kept."""
    few = replace(pricing, enough=enough)
    found = compiled(few)
    plain = few.plain(range(pricing.geometry.n))
    assert Counter(value for value, _ in found) == Counter(value for value, _ in plain)
    assert set(found) <= set(sought(pricing))
    assert len(set(found)) == len(found)


@examples(4)
@given(searches(restricted=False), st.integers(0, 9))
def test_within_reach(pricing: Pricing, reach: int) -> None:
    near = replace(pricing, reach=reach)
    assert sorted(compiled(near)) == sorted(near.plain(range(pricing.geometry.n)))


@examples(2)
@given(searches(restricted=False), st.integers(0, 20))
def test_too_many(pricing: Pricing, most: int) -> None:
    if len(sought(pricing)) > most:
        with pytest.raises(TooMany):
            compiled(replace(pricing, most=most))
    else:
        assert sorted(compiled(replace(pricing, most=most))) == sorted(sought(pricing))


@examples(2)
@given(searches(restricted=False))
def test_reduced_costs(pricing: Pricing) -> None:
    """A block grows; the groups that are added come after the others."""
    geometry, prices = pricing.geometry, pricing.prices
    every = priced(geometry, prices)
    groups = [group for _, group in every]
    costs = [geometry.cost(group) for group in groups]
    block = Block(geometry.n)
    for end in (len(groups) // 2, len(groups)):
        block.extend(groups[:end], costs[:end])
        assert block.reduced(prices) == [value for value, _ in every[:end]]


def test_numbers_of_more_than_64_bits_are_left_to_python() -> None:
    groups, costs = list(combinations(range(4), 2)), [2**60] * 6
    block = Block(4)
    block.extend(groups, costs)
    assert block.reduced(Prices([2**57] * 4, 0, {})) == [2**60 - 2**58] * 6
    assert block.reduced(Prices([2**61] * 4, 0, {})) is None


def test_a_pool_of_groups_may_cost_more_than_64_bits_hold() -> None:
    """A group of two costs c, and pays 1 for each record."""
    pool = Pool((group, 2**70) for group in combinations(range(90), 2))
    duals = Duals([1] * 90, 0, 0, {})
    assert set(pool.reduced(duals)) == {2**70 - 2}
    assert pool.add((0, 1, 2), 5)
    assert pool.reduced(duals)[-1] == 2


@pytest.mark.parametrize("k", range(2, 12))
def test_searches_for_groups_of_usual_sizes_fit_into_64_bits(k: int) -> None:
    """With prices as they are: a share of what the groups of near records cost."""
    random = Random(k)
    rows = [[random.gauss(0, 1) for _ in range(5)] for _ in range(90)]
    ground = Place("", standardise(table_of(rows)), range(k, 2 * k)).ground()
    geometry = ground.geometry
    group = (0, *geometry.near[0][: k - 1])
    prices = Prices([2 * geometry.cost(group) // k] * 90, 0, {})
    assert geometry.arrays is not None
    assert fits(geometry, prices, 0)


def test_a_search_that_could_overflow_is_left_to_python() -> None:
    pricing = _pricing(2**45)
    assert pricing.geometry.arrays is not None
    assert fits(pricing.geometry, pricing.prices, 0)
    assert not fits(pricing.geometry, replace(pricing.prices, group=2**62), 0)
    huge = replace(pricing, prices=Prices([2**62] * pricing.geometry.n, 0, {}), limit=-(2**64))
    assert huge.groups(range(pricing.geometry.n)) == huge.plain(range(pricing.geometry.n))


def _pricing(unit: int) -> Pricing:
    """A search among enough records on a line to be compiled."""
    from oracle.optima.pricing import geometry_of

    n = 90
    rows = [[unit // 10_000 * (a - b) ** 2 for b in range(n)] for a in range(n)]
    return Pricing(geometry_of(rows, range(2, 4)), Prices([unit // 3_000] * n, 0, {}), 0, FREE)


def test_many_records_are_searched_by_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    pricing = _pricing(2**45)
    plain = pricing.plain(range(90))
    monkeypatch.setattr(Pricing, "plain", None)
    assert sorted(pricing.groups(range(90))) == sorted(plain)
    assert len(plain) >= 89


@examples(4)
@given(fractional())
def test_violated_triples(drawn: tuple[int, list[Group], list[float]]) -> None:
    n, groups, values = drawn
    solution = Fractional(groups, values)
    plain = {cut: violation for violation, cut in violated_triples(solution)}
    found = {cut: violation for violation, cut in compiled_triples(solution, n)}
    clear = {cut for cut, violation in plain.items() if violation > 2 * LEAST_VIOLATION}
    assert clear <= found.keys()
    for cut, violation in found.items():
        assert violation == pytest.approx(_violation(solution, cut.records, cut.weights, 2))


@examples(4)
@given(fractional())
def test_violated_cuts(drawn: tuple[int, list[Group], list[float]]) -> None:
    n, groups, values = drawn
    solution = Fractional(groups, values)
    for violation, cut in violated(solution, n):
        value = _violation(solution, cut.records, cut.weights, cut.divisor)
        assert violation == pytest.approx(value)
        assert violation > LEAST_VIOLATION / 2
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
