"""Prices in certificates are short."""

from __future__ import annotations

from math import gcd

from hypothesis import given
from hypothesis import strategies as st

from oracle.optima.certify import ProofTree, coarsest
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals

RECORDS = 6
CUTS = [Cut((0, 1, 2), (1, 1, 1), 2), Cut((1, 3, 5), (2, 1, 1), 3)]


@st.composite
def duals(draw: st.DrawFn) -> Duals:
    """Prices of some records, numbers of groups, and cuts."""
    records = draw(st.lists(st.integers(-(10**9), 10**12), min_size=RECORDS, max_size=RECORDS))
    prices = draw(st.lists(st.integers(-(10**9), 0), max_size=len(CUTS)))
    fewest, most = draw(st.integers(0, 10**9)), draw(st.integers(-(10**9), 0))
    return Duals(records, fewest, most, dict(zip(CUTS, prices, strict=False)))


def prices_of(given: Duals) -> list[int]:
    return [*given.records, given.fewest, given.most, *given.cuts.values()]


@given(duals(), st.integers(1, 10**12))
def test_short_prices_are_lower_and_prove_as_much_as_is_needed(given: Duals, spare: int) -> None:
    """A lower price is a higher reduced cost; a power of two more would prove too little."""
    bounds = Bounds(1, 2)
    least = given.bound(bounds) - spare
    short = coarsest(given, bounds, least)
    assert short.bound(bounds) > least
    assert short.cuts.keys() == given.cuts.keys()
    pairs = list(zip(prices_of(given), prices_of(short), strict=True))
    assert all(lower <= price for price, lower in pairs)
    greatest = max(map(abs, prices_of(given)))
    units = [2**power for power in range(42) if 2**power <= greatest]
    wide = [unit for unit in units if given.in_multiples(unit).bound(bounds) <= least]
    used = [unit for unit in units if all(price % unit == 0 for _, price in pairs)]
    assert not wide or max(used, default=1) * 2 >= min(wide)


@given(duals(), st.integers(1, 10**6), st.integers(1, 99))
def test_the_unit_divides_all_prices(given: Duals, unit: int, times: int) -> None:
    """In units, times the unit, they are what they were; no greater unit does that."""
    coarse = given.in_multiples(unit)
    proof = ProofTree(RECORDS, Bounds(1, 2), 0, 0)
    data = proof.duals(coarse, times=times)
    prices = [*data["records"], data["fewest"], data["most"], *(price for _, price in data["cuts"])]
    used = data["unit"] // times
    assert [used * price for price in prices] == prices_of(coarse)
    assert used % unit == 0 or not any(prices)
    assert gcd(*prices) in (0, 1)
    table = [[list(cut.records), list(cut.weights), cut.divisor] for cut in coarse.cuts]
    assert [proof.table()[number] for number, _ in data["cuts"]] == table
