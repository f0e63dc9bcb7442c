"""Better partitions by integer programs: over all records, and over regions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from oracle.optima import master, start
from oracle.optima.clock import Clock
from oracle.optima.distances import distances_of
from oracle.optima.master import Bounds, Duals, Setting
from oracle.optima.pricing import Geometry, geometry_of
from oracle.optima.problem import Problem, sse_problem
from oracle.optima.relaxation import ColumnPool
from oracle.optima.solver import SolverAnswer
from oracle.optima.subsets import exhaustive
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.partition import Group, Partition

Ground = tuple[Problem, Geometry, ColumnPool, Setting]


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
    return problem, geometry, pool, setting


def in_order(n: int, k: int) -> list[Group]:
    return [tuple(range(first, first + k)) for first in range(0, n, k)]


def searching(drawn: Ground, own: list[Group], size: int) -> Iterator[Collection[Group]]:
    """The groups after each region; the duals are 0, so reduced costs are costs."""
    problem, geometry, pool, setting = drawn
    free, target = Duals([0] * problem.n, 0, 0, {}), sum(pool.costs)
    return start.by_regions(setting, geometry, pool, free, target, own, size)


def searched(drawn: Ground, own: list[Group], size: int) -> list[Partition]:
    return [Partition.of(groups, drawn[0].n) for groups in searching(drawn, own, size)]


@pytest.mark.parametrize("seed", range(4))
def test_a_region_of_all_records_is_solved(seed: int) -> None:
    drawn = ground(seed)
    problem = drawn[0]
    found = searched(drawn, in_order(12, 3), size=12)
    assert problem.value(found[-1]) == problem.value(exhaustive(problem, Clock()))


@pytest.mark.parametrize("seed", range(4))
def test_small_regions_never_cost_more_and_gain_something(seed: int) -> None:
    drawn = ground(seed)
    problem, start = drawn[0], in_order(12, 3)
    found = searched(drawn, start, size=6)
    values = [problem.value(partition) for partition in (Partition.of(start, 12), *found)]
    assert all(map(problem.feasible, found))
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]


def test_a_region_leaves_the_other_groups_as_they_are() -> None:
    """Two clusters far apart: the first region is around the dearest group, 0, 1, 5."""
    rows = [[x] for x in (0, 1, 2, 3, 4, 50, 1000, 1001, 1010, 1011, 1002, 1012)]
    scaled = standardise(table_of(rows), "none")
    problem = sse_problem(scaled, 3)
    geometry = geometry_of(distances_of(scaled).rows, problem.sizes)
    groups = [group for size in problem.sizes for group in combinations(range(12), size)]
    pool = ColumnPool((group, geometry.cost(group)) for group in groups)
    setting = Setting(12, Bounds(problem.fewest, problem.most), max(pool.costs), "cbc")
    far = [(6, 7, 8), (9, 10, 11)]
    first, *_, last = searched((problem, geometry, pool, setting), [(0, 1, 5), (2, 3, 4), *far], 6)
    assert first == Partition.of([(0, 1, 2), (3, 4, 5), *far], 12)
    assert last == Partition.of([(0, 1, 2), (3, 4, 5), (6, 7, 10), (8, 9, 11)], 12)


def test_an_answer_that_is_no_partition_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that was stopped gives a hint: here it leaves records out, and nothing changes."""
    drawn, start = ground(1), in_order(12, 3)

    def stopped(costs: list[float], *_: Any, **__: Any) -> SolverAnswer:
        return SolverAnswer("feasible", 0.0, [1.0] + [0.0] * (len(costs) - 1), [])

    monkeypatch.setattr(master, "solve_program", stopped)
    assert {*searched(drawn, start, size=6)} == {Partition.of(start, 12)}


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


def test_regions_end_where_partitions_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corners of a square are divided in two ways, and a solver may always prefer the other."""
    ways: list[list[Group]] = [[(0, 1), (2, 3)], [(0, 2), (1, 3)]]
    scaled = standardise(table_of([[x, y] for x in (0, 1) for y in (0, 1)]), "none")
    problem = sse_problem(scaled, 2)
    geometry = geometry_of(distances_of(scaled).rows, problem.sizes)
    pool = ColumnPool((group, geometry.cost(group)) for way in ways for group in way)
    setting = Setting(4, Bounds(problem.fewest, problem.most), max(pool.costs), "cbc")

    def other(costs: list[int], groups: list[Group], *_: Any) -> list[Group]:
        return ways[groups[0] == (0, 1)]

    monkeypatch.setattr(start, "integer_choice", other)
    found = islice(searching((problem, geometry, pool, setting), ways[0], size=2), 9)
    assert [list(groups) for groups in found] == [ways[0]] * 2
