"""A better partition by freeing some tens of records at a time and solving for them alone.

Each neighbourhood is a number of neighbouring groups. Their records form a small instance of
the whole problem. Groups of them become columns of a linear program, whose dual values show
which other groups could pay; those that can pay are left to an integer program. Groups are
grown from near units, the most promising only, so nothing is proved. An answer is in
floating point, and is only taken if it is exactly better than the groups that were freed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from oracle.optima import solver as programs
from oracle.optima.problem import Problem
from refagg.algorithms.search.moves.descent import descend, stopping
from refagg.algorithms.search.moves.state import (
    Exchange,
    Group,
    Instance,
    Matrix,
    State,
    Unit,
    Units,
    checked_state,
    near_groups,
)
from refagg.language.partition import Partition

SIZE = 100
"""Records that are freed at a time."""

COMPANY = 14
"""Groups grow by one of so many nearest units of the neighbourhood."""

WIDTH = 16
"""Of the groups that have grown from one unit to one size, so many are kept."""

ROUNDS = 8
"""Times that dual values are asked for better groups."""

MOST_COLUMNS = 5000
"""Columns of the integer program."""

LONGEST = 10.0
"""Seconds for one integer program."""


@dataclass(frozen=True, slots=True)
class Region:
    """Units that are free, their nearest among themselves, and the groups that they are in."""

    units: list[Unit]
    company: dict[Unit, list[Unit]]
    groups: list[Group]

    @property
    def cost(self) -> int:
        return sum(group.cost for group in self.groups)


def neighbourhood_ilp(
    problem: Problem,
    rows: Matrix,
    start: Partition,
    *,
    solver: str = "cbc",
    seconds: float | None = None,
    size: int = SIZE,
) -> Partition:
    """The partition that is reached by solving for about `size` records at a time.

    Goes around the whole data set until no neighbourhood yields anything better, or for so
    many seconds. Raises InvalidPartition unless `start` is feasible, InvalidParameter or
    SolverUnavailable for a solver that cannot be used.
    """
    programs.check_solver(solver)
    state = checked_state(problem, rows, start)
    stop_now = stopping(seconds, None)
    waiting = dict.fromkeys(state.groups())
    while waiting and not stop_now():
        group = next(iter(waiting))
        if not state.alive(group):
            del waiting[group]
            continue
        region = _region_around(state, group, size)
        exchange = _solved(state, region, solver)
        if exchange:
            new = state.carry_out(exchange)
            descend(state, new, stop_now)
            first = new[0].number
            waiting.update(dict.fromkeys(b for b in state.groups() if b.number >= first))
        else:
            for done in region.groups[: max(1, len(region.groups) // 3)]:
                waiting.pop(done, None)
    return state.partition()


def _region_around(state: State, group: Group, size: int) -> Region:
    """The group and those around it, until they have so many records."""
    found = {group: None}
    left = size - group.size
    waiting = [group]
    while waiting and left > 0:
        for other in near_groups(state, waiting.pop(0), 6):
            if other not in found and left > 0:
                found[other] = None
                waiting.append(other)
                left -= other.size
    units = sorted(unit for other in found for unit in other.units)
    rows = state.instance.rows
    company = {
        unit: nsmallest(COMPANY, (u for u in units if u != unit), key=rows[unit].__getitem__)
        for unit in units
    }
    return Region(units, company, list(found))


def _solved(state: State, region: Region, solver: str) -> Exchange | None:
    """The best grouping found of the units of the region, if it costs less."""
    instance = state.instance
    pool = {tuple(sorted(group.units)): group.cost for group in region.groups}
    unit = region.cost / len(region.units) or 1.0
    duals, bound = dict.fromkeys(region.units, unit), 0.0
    for _ in range(ROUNDS):
        size = len(pool)
        pool.update(_promising(instance, region, duals, 0.0))
        if len(pool) == size:
            break
        answer = programs.solve(
            [cost / unit for cost in pool.values()], _rows(region, pool), solver=solver
        )
        if answer.status != "optimal":
            return None
        bound = answer.objective * unit
        duals = {u: y * unit for u, y in zip(region.units, answer.duals, strict=True)}
    gap = region.cost - bound
    if gap < 1e-9 * region.cost:
        return None
    pool.update(_promising(instance, region, duals, gap))
    return _chosen(region, _cheap(pool, region, duals, gap), solver)


def _cheap(
    pool: Mapping[Units, int], region: Region, duals: Mapping[Unit, float], gap: float
) -> dict[Units, int]:
    """The present groups, and those whose reduced cost does not exceed the gap, if not too many."""
    reduced = ((cost - sum(duals[u] for u in units), units) for units, cost in pool.items())
    cheap = nsmallest(MOST_COLUMNS, (pair for pair in reduced if pair[0] <= gap))
    present = {tuple(sorted(group.units)): group.cost for group in region.groups}
    return present | {units: pool[units] for _, units in cheap}


def _chosen(region: Region, columns: Mapping[Units, int], solver: str) -> Exchange | None:
    """The columns that an integer program chooses, if they are exactly cheaper."""
    unit = region.cost / len(region.units)
    answer = programs.solve(
        [cost / unit for cost in columns.values()],
        _rows(region, columns),
        integer=True,
        solver=solver,
        time_limit=LONGEST,
        start=range(len(region.groups)),
    )
    chosen = [u for u, value in zip(columns, answer.values, strict=False) if value > 0.5]
    if sorted(unit for units in chosen for unit in units) != region.units:
        return None
    cheaper = sum(columns[units] for units in chosen) < region.cost
    return Exchange(region.groups, chosen) if cheaper else None


def _rows(region: Region, columns: Mapping[Units, int]) -> list[programs.LinearConstraint]:
    """Each unit is in one chosen group."""
    entries: dict[Unit, list[tuple[int, float]]] = {unit: [] for unit in region.units}
    for number, units in enumerate(columns):
        for unit in units:
            entries[unit].append((number, 1.0))
    return [programs.LinearConstraint(entries[unit], "=", 1.0) for unit in region.units]


Grown = tuple[float, Units, int, int, float]
"""Reduced cost per share, units, sum of distances, size, sum of dual values."""


def _promising(
    instance: Instance, region: Region, duals: Mapping[Unit, float], limit: float
) -> Iterator[tuple[Units, int]]:
    """Groups with their costs that exceed the dual values of their units by less than the limit."""
    common = instance.shares[instance.k] * instance.k
    for seed in region.units:
        grown: list[Grown] = [
            (0.0, (seed,), instance.inner[seed], instance.weights[seed], duals[seed])
        ]
        while grown:
            for value, units, pairs, size, _ in grown:
                share = instance.shares[size]
                if share and value < limit:
                    yield tuple(sorted(units)), share * pairs
            grown = _larger(instance, region, duals, grown, common)


def _larger(
    instance: Instance,
    region: Region,
    duals: Mapping[Unit, float],
    grown: Sequence[Grown],
    common: int,
) -> list[Grown]:
    """The most promising groups with one unit more, of the company of the first."""
    found: dict[Units, Grown] = {}
    for _, units, pairs, size, worth in grown:
        for unit in region.company[units[0]]:
            weight = size + instance.weights[unit]
            if weight > instance.largest or unit in units:
                continue
            row = instance.rows[unit]
            more = pairs + sum([row[u] for u in units]) + instance.inner[unit]
            value = common * more / weight - worth - duals[unit]
            larger = (*units, unit)
            found[tuple(sorted(larger))] = (value, larger, more, weight, worth + duals[unit])
    return nsmallest(WIDTH, found.values())
