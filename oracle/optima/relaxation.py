"""Linear relaxation over a list of groups, solved on a small part.

The solver sees only active groups; every group with a negative reduced cost is made active,
until there is none in the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from oracle.optima import master
from oracle.optima.cuts import Cut, Fractional
from refagg.language.partition import Group, Record

LEAST = 1e-7
"""A value of the solver that is not more is 0."""


class ColumnPool:
    """Groups with their costs, each once, in order of arrival."""

    def __init__(self, items: Iterable[tuple[Group, int]] = ()) -> None:
        self.groups: list[Group] = []
        self.costs: list[int] = []
        self.number: dict[Group, int] = {}
        for group, cost in items:
            self.add(group, cost)

    def __len__(self) -> int:
        return len(self.groups)

    def __reduce__(self) -> tuple[type[ColumnPool], tuple[list[tuple[Group, int]]]]:
        """Return how a worker makes the pool again, for pickle."""
        return ColumnPool, (list(self.items()),)

    def add(self, group: Group, cost: int) -> bool:
        """Add a group; False if it is there already."""
        if group in self.number:
            return False
        self.number[group] = len(self.groups)
        self.groups.append(group)
        self.costs.append(cost)
        return True

    def items(self) -> Iterator[tuple[Group, int]]:
        """Return the groups with their costs."""
        return zip(self.groups, self.costs, strict=True)

    def reduced(self, duals: master.Duals) -> list[int]:
        """Return the reduced cost of each group."""
        return master.reduced_costs(duals, self.costs, self.groups)


@dataclass(frozen=True, slots=True)
class Relaxed:
    """An optimum of the relaxation.

    `solution` has the groups with a positive value. `duals` are rounded; over the list they
    leave negative reduced costs no greater than rounding makes. `missing` are
    the records that the groups leave uncovered: the relaxation then has no solution.
    """

    objective: float
    solution: dict[Group, float]
    duals: master.Duals
    missing: tuple[Record, ...]
    reduced: list[int]

    def fractional(self) -> Fractional:
        return Fractional(list(self.solution), list(self.solution.values()))


def relax(
    setting: master.Setting,
    pool: ColumnPool,
    cuts: Sequence[Cut],
    active: set[int],
    alone: Sequence[int] | None = None,
) -> Relaxed:
    """Solve over the pool, beginning with the `active` groups.

    More groups become active in the course of it. A record may be left alone at the cost that
    `alone` gives it, by default one that no solution would pay. A lower one keeps the duals down.
    Raises SolverFailed, GivenUp.
    """
    n = setting.n
    alone = [setting.magnitude] * n if alone is None else alone
    while True:
        chosen = sorted(active)
        groups = [pool.groups[i] for i in chosen]
        answer = master.linear([pool.costs[i] for i in chosen], groups, alone, cuts, setting)
        duals = master.rounded_duals(answer, cuts, n, setting.magnitude)
        reduced = pool.reduced(duals)
        master.check_duals(duals, setting, alone, map(reduced.__getitem__, chosen))
        wanted = [i for i, value in enumerate(reduced) if value < -n and i not in active]
        if not wanted:
            break
        wanted.sort(key=reduced.__getitem__)
        active.update(wanted[: 2 * n])
    used = len(groups)
    return Relaxed(
        answer.objective * setting.magnitude / master.UNITS,
        {group: x for group, x in zip(groups, answer.values[:used], strict=True) if x > LEAST},
        duals,
        tuple(record for record, x in enumerate(answer.values[used:]) if x > LEAST),
        reduced,
    )


def bounded_relaxation(
    setting: master.Setting, pool: ColumnPool, cuts: Sequence[Cut]
) -> tuple[Relaxed, master.Duals]:
    """Return the relaxation over a list, and duals.

    The duals prove a bound over the list.
    """
    relaxed = relax(setting, pool, cuts, set(range(min(len(pool), 6 * setting.n))))
    negative = [(r, g) for r, g in zip(relaxed.reduced, pool.groups, strict=True) if r < 0]
    return relaxed, master.repaired_duals(relaxed.duals, negative)


def least_positions(values: Sequence[int], number: int) -> set[int]:
    """Return the positions of the least values."""
    return set(nsmallest(number, range(len(values)), key=values.__getitem__))
