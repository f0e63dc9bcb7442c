"""Better partitions by integer programs."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from oracle.optima import master, start
from oracle.optima.allgroups import exhaustive
from oracle.optima.clock import Clock
from oracle.optima.distances import distances_of
from oracle.optima.master import Bounds, Duals, Setting
from oracle.optima.pricing import geometry_of
from oracle.optima.problem import Problem, sse_problem
from oracle.optima.relaxation import ColumnPool
from oracle.optima.solver import SolverAnswer
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.partition import Group, Partition

Ground = tuple[Problem, ColumnPool, Setting]


def ground(seed: int, n: int = 12, k: int = 3) -> Ground:
    """A drawn instance with all its groups."""
    random = Random(seed)
    rows = [[random.randint(0, 30), random.randint(0, 30)] for _ in range(n)]
    scaled = standardise(table_of(rows), "none")
    problem = sse_problem(scaled, k)
    geometry = geometry_of(distances_of(scaled).rows, problem.sizes)
    groups = (group for size in problem.sizes for group in combinations(range(n), size))
    pool = ColumnPool((group, geometry.cost(group)) for group in groups)
    setting = Setting(n, Bounds(problem.fewest, problem.most), max(pool.costs), "cbc")
    return problem, pool, setting


def in_order(n: int, k: int) -> list[Group]:
    return [tuple(range(first, first + k)) for first in range(0, n, k)]


@pytest.mark.parametrize("seed", range(4))
def test_a_program_over_all_groups_is_optimal(seed: int) -> None:
    """With duals of 0 and a great target no group is left out."""
    problem, pool, setting = ground(seed)
    free, target = Duals([0] * problem.n, 0, 0, {}), sum(pool.costs)
    found = start.by_program(setting, pool, free, target, in_order(12, 3), None)
    assert found is not None
    best = problem.value(exhaustive(problem, Clock()))
    assert problem.value(Partition.of(found, 12)) == best


def test_an_answer_that_is_no_partition_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that was stopped gives a hint: here it leaves records out."""
    problem, pool, setting = ground(1)

    def stopped(costs: list[float], *_: Any, **__: Any) -> SolverAnswer:
        return SolverAnswer("feasible", 0.0, [1.0] + [0.0] * (len(costs) - 1), [])

    monkeypatch.setattr(master, "solve_program", stopped)
    free, target = Duals([0] * problem.n, 0, 0, {}), sum(pool.costs)
    assert start.by_program(setting, pool, free, target, in_order(12, 3), None) is None


def test_programs_leave_out_groups_that_cost_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """With duals 0 a reduced cost is a cost, so no group of a partition exceeds the target."""
    pool = ColumnPool([((0, 1), 3), ((2, 3), 4), ((0, 2), 8), ((1, 3), 7), ((0, 1, 2, 3), 9)])
    asked: list[list[Group]] = []

    def integer(costs: object, groups: list[Group], *rest: Any) -> list[Group]:
        asked.append(groups)
        return master.integer_choice(costs, groups, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(start, "integer_choice", integer)
    setting = Setting(4, Bounds(1, 2), 10, "cbc")
    free = Duals([0] * 4, 0, 0, {})
    for target, left in ((7, {(0, 1), (2, 3), (1, 3)}), (8, set(pool.groups[:4]))):
        found = start.by_program(setting, pool, free, target, set(), None)
        assert found == [(0, 1), (2, 3)]
        assert set(asked.pop()) == left
    own = {(0, 1, 2, 3)}
    assert start.by_program(setting, pool, free, 3, own, None) == [(0, 1, 2, 3)]
    assert asked == [[(0, 1, 2, 3), (0, 1)]]
