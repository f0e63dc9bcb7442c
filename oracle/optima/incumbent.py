"""Better partitions while the optimum is being proved: by an integer program, by local search."""

from __future__ import annotations

from collections.abc import Collection

from oracle.optima.master import Duals, Setting, integer
from oracle.optima.neighbourhoods import neighbourhood_ilp
from oracle.optima.problem import Problem
from oracle.optima.relaxation import Pool, least
from refagg.algorithms.search.moves.descent import iterated
from refagg.algorithms.search.moves.state import Matrix
from refagg.language.partition import Group, Partition
from refagg.language.random_stream import seeded

ROUNDS = 1_000_000
"""More rounds of local search than there is time for."""


def by_program(
    setting: Setting,
    pool: Pool,
    duals: Duals,
    target: int,
    own: Collection[Group],
    seconds: float | None,
) -> list[Group] | None:
    """The best choice among the groups with the least reduced costs, or None.

    A partition that costs at most the `target` has no group whose reduced cost exceeds the target
    less the bound of the duals, so such groups are left out. `own` are the groups of the best
    partition so far; they take part, so that nothing is lost.
    """
    reduced = pool.reduced(duals)
    budget = target - duals.bound(setting.bounds)
    cheapest = least(reduced, 2 * setting.n + 1000)
    numbers = {number for number in cheapest if reduced[number] <= budget}
    numbers |= {pool.number[group] for group in own}
    groups = [pool.groups[number] for number in sorted(numbers)]
    costs = [pool.costs[number] for number in sorted(numbers)]
    start = [position for position, group in enumerate(groups) if group in own]
    answer = integer(costs, groups, setting, seconds, start)
    if answer is None or sorted(r for group in answer for r in group) != list(range(setting.n)):
        return None
    return answer


def by_long_search(
    problem: Problem, rows: Matrix, partition: Partition, solver: str, seconds: float, seed: int
) -> Partition:
    """What local search, and then large neighbourhoods, lead to in so many seconds."""
    half = seconds / 2
    better = iterated(problem, rows, partition, rounds=ROUNDS, stream=seeded(seed), seconds=half)
    return neighbourhood_ilp(problem, rows, better, solver=solver, seconds=half)
