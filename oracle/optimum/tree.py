"""The proof that no partition is cheaper than the one at hand, over a list of groups.

A better partition costs at most the `target`. Duals that prove a bound b show that it uses no
group whose reduced cost exceeds target - b. So each node of the tree

1. solves the relaxation over its groups, adds cuts, and records the duals;
2. keeps the groups within the budget target - b; is closed if b exceeds the target;
3. is closed if what is left can be searched to the end;
4. otherwise divides: two records are together in a group, or apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from oracle.certificate.exhaust import TooLong, cheapest_partition, parts
from oracle.optimum.clock import Clock
from oracle.optimum.cuts import Cut, Fractional, new_cuts
from oracle.optimum.master import Duals, Setting, reduced_costs, repaired
from oracle.optimum.problem import Cost, Pair
from oracle.optimum.relaxation import Pool, Relaxed, relax
from refagg.model import Group

STEPS = 1_500
"""A leaf may be searched to the end in so many steps."""

CONNECTED = 80
"""It is tried if no more records than this are connected by groups."""


@dataclass(slots=True)
class Node:
    """A part of a proof. `duals` first, if any; then `divided`, `next`, or nothing for a leaf.

    `infeasible` says that the duals prove that the groups allow no partition at all: they
    hold with all costs 0.
    """

    duals: Duals | None = None
    infeasible: bool = False
    pair: Pair | None = None
    together: Node | None = None
    apart: Node | None = None
    next: Node | None = None


@dataclass(slots=True)
class Prover:
    """What the nodes share; `target` falls when a better partition is found."""

    setting: Setting
    cost: Cost
    target: int
    clock: Clock
    improve: Callable[[list[Group]], int]
    report: Callable[[Prover, int, int], None]
    nodes: int = 0
    open_bounds: list[int] = field(default_factory=list)

    def prove(self, pool: Pool, cuts: Sequence[Cut], floor: int) -> Node:
        """A closed node over these groups. Raises OutOfTime.

        `floor` is a bound that is known to hold here.
        """
        self.nodes += 1
        self.open_bounds.append(floor)
        node = first = Node()
        while True:
            self.clock.check()
            self.report(self, len(pool), len(cuts))
            relaxed, duals = self._bounded(pool, cuts)
            node.duals = duals
            if relaxed.missing:
                farkas = self._infeasible(pool)
                if farkas is not None:
                    node.duals, node.infeasible = farkas, True
                    break
            bound = duals.bound(self.setting.bounds)
            survivors = self._within(pool, duals, self.target - bound)
            if bound > self.target or self._searched(survivors, self.target - bound):
                break
            fractional = Fractional(list(relaxed.solution), list(relaxed.solution.values()))
            fresh = [c for c in new_cuts(fractional, self.setting.n) if c not in duals.cuts]
            shrunk = len(survivors) < 0.7 * len(pool)
            gained = bound - self.open_bounds[-1] > (self.target - bound) // 20
            self.open_bounds[-1] = max(bound, self.open_bounds[-1])
            pool = Pool((group, pool.costs[pool.number[group]]) for _, group in survivors)
            cuts = list(duals.cuts) + fresh
            if not (fresh and (shrunk or gained)):
                self._divide(node, pool, cuts, relaxed, bound)
                break
            node.next = Node()
            node = node.next
        self.open_bounds.pop()
        return first

    def _bounded(self, pool: Pool, cuts: Sequence[Cut]) -> tuple[Relaxed, Duals]:
        active = set(range(min(len(pool), 6 * self.setting.n)))
        relaxed = relax(self.setting, pool, cuts, active)
        negative = [(r, g) for r, g in zip(relaxed.reduced, pool.groups, strict=True) if r < 0]
        return relaxed, repaired(relaxed.duals, negative)

    def _within(self, pool: Pool, duals: Duals, budget: int) -> list[tuple[int, Group]]:
        reduced = reduced_costs(duals, pool.costs, pool.groups)
        pairs = zip(reduced, pool.groups, strict=True)
        return sorted((r, group) for r, group in pairs if r <= budget)

    def _searched(self, survivors: list[tuple[int, Group]], budget: int) -> bool:
        """Could the rest be searched to the end? A better partition is kept if there is one."""
        if max(map(len, parts(self.setting.n, survivors))) > CONNECTED:
            return False
        try:
            best = cheapest_partition(self.setting.n, survivors, budget, self.cost, STEPS)
        except TooLong:
            return False
        if best is not None:
            self.target = min(self.target, self.improve(list(best.groups)))
        return True

    def _infeasible(self, pool: Pool) -> Duals | None:
        """Duals that prove, with all costs 0, that there is no partition."""
        free = Pool((group, 0) for group in pool.groups)
        relaxed, duals = self._bounded(free, ())
        return duals if relaxed.missing and duals.bound(self.setting.bounds) > 0 else None

    def _divide(
        self, node: Node, pool: Pool, cuts: Sequence[Cut], relaxed: Relaxed, bound: int
    ) -> None:
        a, b = node.pair = _pair(relaxed)
        joined, separated = Pool(), Pool()
        for group, cost in zip(pool.groups, pool.costs, strict=True):
            with_a, with_b = a in group, b in group
            if with_a == with_b:
                joined.add(group, cost)
            if not (with_a and with_b):
                separated.add(group, cost)
        node.together = self.prove(joined, cuts, bound)
        node.apart = self.prove(separated, cuts, bound)


def _pair(relaxed: Relaxed) -> Pair:
    """The pair of records whose togetherness is the most open."""
    shared = Fractional(list(relaxed.solution), list(relaxed.solution.values())).shared
    return min(shared, key=lambda pair: (abs(shared[pair] - 0.5), pair))
