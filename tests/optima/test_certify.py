"""Prices in certificates are short."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oracle.optima.certify import coarsest
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
    """A lower price is a higher reduced cost; a power of ten more would prove too little."""
    bounds = Bounds(1, 2)
    least = given.bound(bounds) - spare
    short = coarsest(given, bounds, least)
    assert short.bound(bounds) > least
    assert short.cuts.keys() == given.cuts.keys()
    pairs = list(zip(prices_of(given), prices_of(short), strict=True))
    assert all(lower <= price for price, lower in pairs)
    greatest = max(map(abs, prices_of(given)))
    grains = [10**power for power in range(14) if 10**power <= greatest]
    wide = [grain for grain in grains if given.in_multiples(grain).bound(bounds) <= least]
    used = [grain for grain in grains if all(price % grain == 0 for _, price in pairs)]
    assert not wide or max(used, default=1) * 10 >= min(wide)
