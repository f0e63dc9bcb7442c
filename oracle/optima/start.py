"""A partition to begin with that keeps every constraint.

Better partitions while the optimum is being proved, by integer programs.

The duals of the relaxation say which groups a better partition is likely to use: those with small
reduced costs.

Nothing is proved here: an answer is taken if it is exactly cheaper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from oracle.optima.clock import Clock
from oracle.optima.master import Duals, Setting, integer_choice
from oracle.optima.problem import Problem
from oracle.optima.relaxation import ColumnPool
from refagg.algorithms.search.moves.descent import descend_fully, improved, perturbed, stopping
from refagg.algorithms.search.moves.state import (
    Instance,
    Matrix,
    State,
    Unit,
    Units,
    instance_of,
    state_of,
)
from refagg.language.partition import Group, Partition
from refagg.language.random_stream import seeded

EFFORT = 5_000_000
"""Groups that `feasible_start` looks at to place units before it gives up."""

REPAIRS = 1000
"""Rounds in which it then tries to separate records that must be apart."""

SHORT = 5.0
"""Seconds for local search at the beginning."""


def good_start(
    problem: Problem, rows: Matrix, clock: Clock, start: Partition | None = None
) -> Partition | None:
    """Return a partition of low cost to begin with.

    It is a given or a feasible one, improved by local search. `rows` are squared distances,
    integers in any unit. None as for `feasible_start`.
    """
    first = start or feasible_start(problem, rows)
    if first is None:
        return None
    return improved(problem, rows, first, seconds=clock.left(SHORT))


def feasible_start(problem: Problem, rows: Matrix) -> Partition | None:
    """Return some partition that keeps every constraint.

    Its sizes are legal. It is the same each time. None if there is none, as trying everything has
    shown (possible for few records), or if none was found by looking at EFFORT groups, nor by
    REPAIRS disturbances of a partition that breaks constraints (for more records). Without
    constraints there always is one.
    """
    instance = instance_of(problem, rows)
    groups = _greedy(instance)
    if groups:
        state = state_of(instance, groups)
        if problem.feasible(state.partition()):
            return state.partition()
    placed, exhausted = _placement(problem, instance)
    if placed:
        return state_of(instance, placed).partition()
    return _separated(problem, state) if groups and not exhausted else None


def _separated(problem: Problem, state: State) -> Partition | None:
    """Search for lower costs until no constraint is broken.

    Lower costs mean fewer records together that must be apart.
    """
    stop_now, stream = stopping(None, None), seeded(0)
    descend_fully(state, stop_now)
    for _ in range(REPAIRS):
        if problem.feasible(state.partition()):
            break
        perturbed(state, stream, stop_now)
    partition = state.partition()
    return partition if problem.feasible(partition) else None


def _greedy(instance: Instance) -> list[Units] | None:
    """Form groups of near units around the most distant ones.

    A unit that is left over joins the nearest group. Sizes are legal. Units that must be apart may
    share a group, if they found no other.
    """
    order = sorted(range(len(instance.records)), key=lambda u: -sum(instance.rows[u]))
    waiting = dict.fromkeys(order)
    left = sum(instance.weights)
    groups: list[list[Unit]] = []
    while left >= instance.k:
        group = _around(instance, next(iter(waiting)), list(waiting))
        if group is None:
            break
        groups.append(group)
        left -= sum(instance.weights[unit] for unit in group)
        for unit in group:
            del waiting[unit]
    for unit in sorted(waiting, key=lambda unit: -instance.weights[unit]):
        capacity = [
            group
            for group in groups
            if instance.shares[sum(instance.weights[u] for u in (*group, unit))]
        ]
        if not capacity:
            return None
        links = [sum(instance.rows[unit][other] for other in group) for group in capacity]
        capacity[links.index(min(links))].append(unit)
    return list(map(tuple, groups))


def _around(instance: Instance, seed: Unit, waiting: list[Unit]) -> list[Unit] | None:
    """Return the seed and the nearest waiting units, k records together.

    None if no unit fits.
    """
    weights, row = instance.weights, instance.rows[seed]
    group, size = [seed], weights[seed]
    while size < instance.k:
        capacity = instance.largest - size
        fitting = (u for u in waiting if weights[u] <= capacity and u not in group)
        nearest = min(fitting, key=lambda unit: row[unit] / weights[unit], default=None)
        if nearest is None:
            return None
        group.append(nearest)
        size += weights[nearest]
    return group


@dataclass(slots=True)
class Placing:
    """State of `_placement`: units placed into groups so far.

    Units are placed one by one.
    """

    groups: list[list[Unit]]
    sizes: list[int]
    left: int

    def put(self, instance: Instance, unit: Unit, number: int) -> None:
        if number == len(self.groups):
            self.groups.append([])
            self.sizes.append(0)
        self.groups[number].append(unit)
        self.sizes[number] += instance.weights[unit]
        self.left -= instance.weights[unit]

    def take_back(self, instance: Instance, number: int) -> None:
        unit = self.groups[number].pop()
        self.sizes[number] -= instance.weights[unit]
        self.left += instance.weights[unit]
        if not self.groups[number]:
            self.groups.pop()
            self.sizes.pop()

    def hopeless(self, problem: Problem) -> bool:
        """Return True if the units left cannot complete a partition.

        Too few records are left to fill the groups, or too many to place them.
        """
        lacking = sum([problem.k - size for size in self.sizes if size < problem.k])
        capacity = problem.most * problem.largest - sum(self.sizes)
        return lacking > self.left or capacity < self.left


def _placement(problem: Problem, instance: Instance) -> tuple[list[Units] | None, bool]:
    """Try all placements of the units until one is feasible.

    The units are placed one after the other. The search ends when EFFORT is spent. The groups, if
    any were found; and whether everything was tried in vain.
    """
    apart = _apart_units(problem, instance)
    weights = instance.weights
    order = sorted(range(len(weights)), key=lambda unit: (-len(apart[unit]), -weights[unit]))
    placing = Placing([], [], problem.n)
    placed: list[int] = []
    options = [_places(problem, instance, placing, order[0], apart)]
    effort = 0
    while effort < EFFORT:
        number = next(options[-1], None)
        effort += 1 + len(placing.groups)
        if number is not None:
            placing.put(instance, order[len(placed)], number)
            if placing.hopeless(problem):
                placing.take_back(instance, number)
                continue
            placed.append(number)
            if len(placed) == len(order):
                return list(map(tuple, placing.groups)), False
            unit = order[len(placed)]
            options.append(_places(problem, instance, placing, unit, apart))
        elif not placed:
            return None, True
        else:
            options.pop()
            placing.take_back(instance, placed.pop())
    return None, False


def _apart_units(problem: Problem, instance: Instance) -> list[set[Unit]]:
    """Return for each unit the units that it must avoid.

    They must not share a group.
    """
    unit_of = {r: unit for unit, block in enumerate(instance.records) for r in block}
    apart: list[set[Unit]] = [set() for _ in instance.records]
    for a, b in problem.apart:
        apart[unit_of[a]].add(unit_of[b])
        apart[unit_of[b]].add(unit_of[a])
    return apart


def _places(
    problem: Problem, instance: Instance, placing: Placing, unit: Unit, apart: list[set[Unit]]
) -> Iterator[int]:
    """Return the groups that may take the unit.

    The nearest group comes first; a new one comes last.
    """
    capacity = problem.largest - instance.weights[unit]
    row = instance.rows[unit]
    numbers = [
        number
        for number, group in enumerate(placing.groups)
        if placing.sizes[number] <= capacity and apart[unit].isdisjoint(group)
    ]
    numbers.sort(
        key=lambda number: sum([row[u] for u in placing.groups[number]]) / placing.sizes[number]
    )
    if len(placing.groups) < problem.most:
        numbers.append(len(placing.groups))
    return iter(numbers)


def by_program(
    setting: Setting,
    pool: ColumnPool,
    duals: Duals,
    target: int,
    own: Collection[Group],
    seconds: float | None,
) -> list[Group] | None:
    """Choose groups by an integer program; None if no choice is found.

    It is the best choice that is found among the groups with the least reduced costs. `own` are the
    groups of the best partition so far; they take part, so that nothing is lost.
    """
    others = _likely(setting, pool, duals, target)[: 2 * setting.n + 1000]
    groups = list(dict.fromkeys((*own, *others)))
    costs = [pool.costs[pool.number[group]] for group in groups]
    return integer_choice(costs, groups, setting, seconds, range(len(own)))


def _likely(setting: Setting, pool: ColumnPool, duals: Duals, target: int) -> list[Group]:
    """Return the groups that a better partition can use.

    They are in ascending order of reduced costs.

    A partition that costs at most the `target` has no group whose reduced cost exceeds the target
    less the bound of the duals.
    """
    reduced = pool.reduced(duals)
    budget = target - duals.bound(setting.bounds)
    within = [number for number, value in enumerate(reduced) if value <= budget]
    return [pool.groups[number] for number in sorted(within, key=reduced.__getitem__)]
