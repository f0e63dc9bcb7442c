"""The cheapest partition that a list of groups allows, against every partition of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from oracle.optima.exhaust import TooLong, cheapest_partition
from tests.strategies import examples

Group = tuple[int, ...]


@st.composite
def lists(draw: st.DrawFn) -> tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]]:
    """Records, groups with reduced costs, a budget, and the costs of the groups."""
    n = draw(st.integers(1, 8))
    group = st.sets(st.integers(0, n - 1), min_size=1, max_size=3).map(lambda s: tuple(sorted(s)))
    groups = draw(st.lists(group, unique=True, max_size=24))
    priced = [(draw(st.integers(0, 6)), g) for g in groups]
    values = st.fractions(0, 9, max_denominator=6)
    return n, priced, draw(st.integers(0, 30)), {g: draw(values) for g in groups}


def covers(
    left: tuple[int, ...], groups: Sequence[tuple[int, Group]]
) -> Iterator[list[tuple[int, Group]]]:
    """Every partition of the records into some of the groups."""
    if not left:
        yield []
        return
    for reduced, group in groups:
        if group[0] == left[0] and set(group) <= set(left):
            rest = tuple(record for record in left if record not in group)
            yield from ([(reduced, group), *others] for others in covers(rest, groups))


@examples(8)
@given(lists())
def test_the_search_to_the_end(
    drawn: tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]],
) -> None:
    """What is within the budget is found, and nothing that is no partition.

    Parts that share no record have the budget each, so that more than the budget can be found.
    """
    n, groups, budget, values = drawn
    every = [
        (sum(r for r, _ in cover), sum(values[g] for _, g in cover), cover)
        for cover in covers(tuple(range(n)), groups)
    ]
    within = [value for reduced, value, _ in every if reduced <= budget]
    found = cheapest_partition(n, groups, budget, values.__getitem__, 10**6)
    if found is None:
        assert not within
        return
    assert sorted(r for g in found.groups for r in g) == list(range(n))
    assert found.cost == sum(values[group] for group in found.groups)
    assert min(value for _, value, _ in every) <= found.cost <= min(within, default=found.cost)
    free = cheapest_partition(n, groups, 10**6, values.__getitem__, 10**6)
    assert free is not None
    assert free.cost == min(value for _, value, _ in every)


@examples(2)
@given(lists(), st.integers(0, 12))
def test_a_search_that_is_cut_short_says_so(
    drawn: tuple[int, list[tuple[int, Group]], int, dict[Group, Fraction]], steps: int
) -> None:
    n, groups, budget, values = drawn
    full = cheapest_partition(n, groups, budget, values.__getitem__, 10**6)
    try:
        short = cheapest_partition(n, groups, budget, values.__getitem__, steps)
    except TooLong:
        return
    assert short == full
