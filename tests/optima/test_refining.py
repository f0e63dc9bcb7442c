"""Duals for exact costs of any length, held against plain sums over all groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from oracle.optima.master import Bounds, Duals, Setting
from oracle.optima.refining import Listed, refined
from oracle.optima.relaxation import ColumnPool, Relaxed
from oracle.optima.solving import solve
from oracle.optima.tree import open_pair
from refagg.language.partition import Group
from tests.instances import solvers

N, SIZES, LONG = 12, (2, 3), 10**60
"""Costs have sixty digits more than their differences."""


def listed(seed: int, solver: str, twins: int) -> Listed:
    """Chosen groups that no partition undercuts, by prices that are drawn first.

    Of the records of the first `twins` chosen groups all pairs cost the same.
    """
    draw = random.Random(seed)
    prices = [draw.randrange(-3, 10**9) * LONG + draw.randrange(LONG) for _ in range(N)]
    chosen, left = list[Group](), list(range(N))
    draw.shuffle(left)
    while left:
        size = 2 if len(left) in (2, 4) or len(chosen) < twins else draw.choice(SIZES)
        chosen.append(tuple(sorted(left[:size])))
        left = left[size:]
    tied = {record for group in chosen[:twins] for record in group}
    for record in tied:
        prices[record] = prices[min(tied)]
    costs = {group: sum(prices[i] for i in group) for group in chosen}
    for size in SIZES:
        for group in combinations(range(N), size):
            free = 0 if tied.issuperset(group) else draw.randrange(1, 10**7) * LONG
            costs.setdefault(group, sum(prices[i] for i in group) + free)
    bounds = Bounds(N // 3, N // 2)
    setting = Setting(N, bounds, sum(costs[group] for group in chosen), solver)
    return Listed(setting, ColumnPool(costs.items()), (), chosen, slack=10)


def least_reduced(given: Listed, duals: Duals) -> int:
    each = duals.fewest + duals.most
    return min(
        cost - each - sum(duals.records[i] for i in group) for group, cost in given.pool.items()
    )


def digits(numbers: Sequence[int]) -> list[int]:
    """The digits of each number, without zeros at its end."""
    return [len(str(abs(number)).rstrip("0")) for number in numbers]


@pytest.mark.parametrize("solver", solvers())
@pytest.mark.parametrize("twins", [0, 2])
def test_they_prove_that_the_chosen_groups_are_the_cheapest(solver: str, twins: int) -> None:
    for seed in range(20):
        given = listed(seed, solver, twins)
        duals = refined(given)
        assert duals is not None
        assert least_reduced(given, duals) >= 0
        cost = sum(given.pool.costs[given.pool.number[group]] for group in given.chosen)
        number = duals.fewest * given.setting.bounds.fewest + duals.most * given.setting.bounds.most
        assert cost - given.slack <= sum(duals.records) + number <= cost


@pytest.mark.parametrize("twins", [0, 2])
def test_one_record_of_each_chosen_group_has_a_long_price(
    twins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with many records, of which two for each twin are tied."""
    monkeypatch.setattr("oracle.optima.refining.TIED", 2 * twins)
    for seed in range(20):
        given = listed(seed, solvers()[0], twins)
        duals = refined(given)
        assert duals is not None
        long = sum(length > 20 for length in digits(duals.records))
        assert long <= len(given.chosen) + twins


def test_what_is_not_the_cheapest_is_not_proved() -> None:
    for seed in range(10):
        given = listed(seed, solvers()[0], 0)
        first, second, *others = sorted(given.chosen, key=len)
        swapped = (first[0], *second[1:]), (second[0], *first[1:])
        worse = [*(tuple(sorted(group)) for group in swapped), *others]
        assert refined(Listed(given.setting, given.pool, (), worse, given.slack)) is None


def test_a_pair_that_no_group_divides_is_not_open() -> None:
    """Records 0 and 1 share half a group, and are left alone by half; 2 and 3 share two halves."""
    solution = {(0, 1): 0.5, (2, 3, 4): 0.5, (2, 3, 5): 0.5}
    pool = ColumnPool(dict.fromkeys(solution, 1).items())
    relaxed = Relaxed(0.0, solution, Duals([0] * 6, 0, 0, {}), (0, 1), [1, 1, 1])
    assert open_pair(relaxed, pool) == (2, 4)  # the first of four: 5 for 4, and 3 for 2


@pytest.mark.parametrize("solver", solvers())
def test_costs_of_which_some_are_a_great_many_times_others(solver: str) -> None:
    """A solver sees the least costs as noise, and prefers pairs that no group divides."""
    far = 10**9
    places = [(0, 3, far + 2), (0, far + 2, 1), (4, 4, 2), (far + 1, far + 3, 2), (0, 3, far + 2)]
    places += [(0, 3, far + 2), (far + 1, far + 3, 2), (1, 1, far + 3), (1, 1, far + 3), (4, 4, 2)]
    places += [(0, 0, far + 2), (1, 1, far + 3)]
    found = solve(places, 2, "ilp", solver=solver)
    assert (found.status, found.value) == ("optimal", solve(places, 2, "subsets").value)
