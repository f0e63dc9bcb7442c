"""Proof over a list of groups that no partition is cheaper.

The partitions are compared with the known one.

A better partition costs at most the `target`. Duals that prove a bound b show that it uses no
group whose reduced cost exceeds target - b. So each node of the tree

1. solves the relaxation over its groups, adds cuts, and records the duals;
2. keeps the groups within the budget target - b; is closed if b exceeds the target;
3. is closed if exact costs show that what is left has nothing better;
4. otherwise divides: two records are together in a group, or apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from oracle.certificate.kernel import DEEPEST
from oracle.optima.clock import Clock, GivenUp
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals, Setting
from oracle.optima.problem import Cost
from oracle.optima.refining import Listed, refined
from oracle.optima.relaxation import ColumnPool, Relaxed, bounded_relaxation
from oracle.optima.separation import new_cuts
from refagg.algorithms.search.moves.constraints import Pair
from refagg.errors import SolverFailed
from refagg.language.partition import Group, Record

FINE = 50
"""Rounding the prices of a node that stays open costs its bound at most one part in so many of what
is left. It makes a proof short."""

PATIENCE = 10
"""The number of times in a row that cuts may gain little before the first division."""

SHORTER = 0.4
"""Duals are recorded as a filter when they leave this part of the groups, or less. More filters
make shorter lists, and longer proofs."""

CLOSE = 1e-9
"""A relaxation this close to the target, relatively, may be as dear as the known partition."""

BITS = 46
"""Duals that prove that there is no partition are integers of so many bits, roughly."""


@dataclass(slots=True)
class Node:
    """Node of a proof.

    It has `duals` first, if any; then `next`, or nothing for a leaf. A division has no duals.

    `infeasible` says that the duals prove that the groups allow no partition at all: they
    hold with all costs 0. `exact` are duals that hold with exact costs and prove that nothing is
    better than what is known.
    """

    duals: Duals | None = None
    infeasible: bool = False
    exact: Duals | None = None
    pair: Pair | None = None
    together: Node | None = None
    apart: Node | None = None
    next: Node | None = None

    @property
    def goes_on(self) -> bool:
        """Return True if an earlier run left work or a closed leaf.

        It left more than a leaf here, or a leaf that it closed.
        """
        divided = self.together is not None and self.apart is not None
        return self.closed or self.next is not None or divided

    @property
    def closed(self) -> bool:
        """Return True if a leaf needs no bound in whole costs.

        It is closed without one.
        """
        return self.infeasible or self.exact is not None

    def proved(self, bounds: Bounds, target: int) -> int:
        """Return the bound that holds in the node.

        It is above the target if the node is closed.
        """
        if self.closed:
            return target + 1
        own = self.duals.bound(bounds) if self.duals else 0
        below = [node.proved(bounds, target) for node in (self.together, self.apart) if node]
        if self.pair:
            return max(own, min(below)) if len(below) == 2 else own
        return max(own, self.next.proved(bounds, target)) if self.next else own


@dataclass(slots=True, eq=False)
class Open:
    """Node that is to be closed.

    It is over some groups, and begins with some cuts. `floor` is a bound that is known to hold
    there, `share` the part of all cases that it is, `depth` how many nodes are above it.
    """

    node: Node
    pool: ColumnPool
    cuts: Sequence[Cut]
    floor: int
    share: float = 1.0
    depth: int = 0


@dataclass(slots=True)
class Prover:
    """State that the nodes share.

    `target` falls when a better partition is found. `waiting` are open nodes (the last is next),
    `under_way` those that are being closed. `unit` is a cost of 1 in exact costs, and `slack` is by
    how much the bound of exact costs may miss the known one.
    """

    setting: Setting
    cost: Cost
    target: int
    clock: Clock
    improve: Callable[[list[Group]], int]
    report: Callable[[Prover, int, int], None]
    known: Callable[[], Sequence[Group]] = lambda: ()
    nodes: int = 0
    done: float = 0.0
    waiting: list[Open] = field(default_factory=list)
    under_way: list[Open] = field(default_factory=list)
    unit: Fraction = Fraction(1)
    slack: int = 0

    def prove(self, first: Open) -> None:
        """Close a node and all nodes below it.

        Raises OutOfTime; the node then has as much as is known.
        """
        self.waiting.append(first)
        while self.waiting:
            self.step(self.waiting.pop())

    def step(self, part: Open) -> None:
        """Close a node, or divide it; its halves wait then."""
        self.nodes += 1
        self.under_way.append(part)
        if part.node.goes_on:
            self._go_on(part)
        else:
            self._close(part)
        self.under_way.remove(part)

    def _go_on(self, part: Open) -> None:
        """Resume what an earlier run left open below a node."""
        node, pool, cuts = part.node, part.pool, part.cuts
        if node.proved(self.setting.bounds, self.target) > self.target:
            self.done += part.share
            return
        if node.duals is not None:
            part.floor = max(part.floor, node.duals.bound(self.setting.bounds))
            pool = listed(pool, within_budget(pool, node.duals, self.target - part.floor))
            cuts = list(node.duals.cuts)
        if node.next is not None:
            depth = _below(part.depth)
            self.waiting.append(Open(node.next, pool, cuts, part.floor, part.share, depth))
        elif node.pair is not None:
            self._halves(part, pool, cuts)

    def _halves(self, part: Open, pool: ColumnPool, cuts: Sequence[Cut]) -> None:
        """Queue both parts of a divided node.

        The part with the records together is the first to be taken.
        """
        node = part.node
        assert node.pair is not None
        assert node.together is not None
        assert node.apart is not None
        joined, separated = divided_pool(pool, node.pair)
        depth, share = _below(part.depth), part.share / 2
        known = part.floor, share, depth
        self.waiting.append(Open(node.apart, separated, cuts, *known))
        self.waiting.append(Open(node.together, joined, cuts, *known))

    def _close(self, part: Open) -> None:
        pool, cuts = part.pool, part.cuts
        idle, patience = 0, PATIENCE if self.nodes == 1 else 0
        while True:
            node = part.node
            self.clock.check()
            self.report(self, len(pool), len(cuts))
            relaxed, duals = bounded_relaxation(self.setting, pool, cuts)
            node.duals = duals
            if relaxed.missing and (farkas := self._infeasible(pool)) is not None:
                node.duals, node.infeasible = farkas, True
                break
            if duals.bound(self.setting.bounds) > self.target:
                break
            unit = max(1, (self.target - part.floor) // (FINE * self.setting.n))
            node.duals = duals = duals.in_multiples(unit)
            bound = duals.bound(self.setting.bounds)
            survivors = within_budget(pool, duals, self.target - bound)
            node.next = self._exact(relaxed, survivors, pool)
            if node.next is not None:
                break
            gained = bound - part.floor > (self.target - bound) // 20
            part.floor = max(bound, part.floor)
            shrunk = len(survivors) < SHORTER * len(pool)
            idle = 0 if gained or shrunk else idle + 1
            fresh = new_cuts(relaxed.fractional(), self.setting.n) if idle <= patience else []
            if not fresh:
                kept = listed(pool, survivors)
                cuts = list(duals.cuts)
                node.pair, node.duals = open_pair(relaxed, kept), None
                node.together, node.apart = Node(duals), Node(duals)
                self._halves(part, pool, cuts)
                return
            cuts = list(duals.cuts) + [cut for cut in fresh if cut not in duals.cuts]
            if shrunk:
                pool = listed(pool, survivors)
                node.next = Node()
                part.node, part.depth = node.next, _below(part.depth)
        self.done += part.share

    def _exact(
        self, relaxed: Relaxed, survivors: list[tuple[int, Group]], pool: ColumnPool
    ) -> Node | None:
        """Return a leaf with exact costs, or an infeasible one.

        It is for what is left where the relaxation has chosen a partition, or costs as much as the
        known one: on exact costs, if none is better, or infeasible.
        """
        fractional = bool(relaxed.fractional().shared) and not relaxed.missing
        if fractional and self.target - int(relaxed.objective) > CLOSE * self.target:
            return None
        kept = listed(pool, survivors)
        cuts = list(relaxed.duals.cuts)
        again, _ = bounded_relaxation(self.setting, kept, cuts)
        if again.missing:
            farkas = self._infeasible(kept)
            return None if farkas is None else Node(farkas, infeasible=True)
        chosen = [group for group, share in again.solution.items() if share > 0.5]
        if again.fractional().shared:
            chosen = [group for group in self.known() if group in kept.number]
        if sorted(record for group in chosen for record in group) != list(range(self.setting.n)):
            return None
        self.target = min(self.target, self.improve(chosen))
        exact = ColumnPool((group, int(self.unit * self.cost(group))) for group in kept.groups)
        proved = refined(Listed(self.setting, exact, cuts, chosen, self.slack))
        return None if proved is None else Node(exact=proved)

    def _infeasible(self, pool: ColumnPool) -> Duals | None:
        """Return duals that prove that there is no partition.

        They prove it with all costs 0.
        """
        free = ColumnPool((group, 0) for group in pool.groups)
        setting = replace(self.setting, magnitude=1 << BITS)
        relaxed, duals = bounded_relaxation(setting, free, ())
        return duals if relaxed.missing and duals.bound(self.setting.bounds) > 0 else None


def _below(depth: int) -> int:
    """Return how many nodes are above one that is below. Raises GivenUp."""
    if depth + 1 > DEEPEST:
        raise GivenUp(f"a proof of more than {DEEPEST} nodes one below the other")
    return depth + 1


def within_budget(pool: ColumnPool, duals: Duals, budget: int) -> list[tuple[int, Group]]:
    """Return the groups with reduced costs within the budget.

    Each comes with its reduced cost, which is at most the budget.
    """
    pairs = zip(pool.reduced(duals), pool.groups, strict=True)
    return sorted((r, group) for r, group in pairs if r <= budget)


def listed(pool: ColumnPool, pairs: Iterable[tuple[int, Group]]) -> ColumnPool:
    """Return the groups that are listed, at their costs in a pool."""
    return ColumnPool((group, pool.costs[pool.number[group]]) for _, group in pairs)


def divided_pool(pool: ColumnPool, pair: Pair) -> tuple[ColumnPool, ColumnPool]:
    """Return the groups that two records may choose from together, and apart."""
    a, b = pair
    joined, separated = ColumnPool(), ColumnPool()
    for group, cost in zip(pool.groups, pool.costs, strict=True):
        with_a, with_b = a in group, b in group
        if with_a == with_b:
            joined.add(group, cost)
        if not (with_a and with_b):
            separated.add(group, cost)
    return joined, separated


def open_pair(relaxed: Relaxed, pool: ColumnPool) -> Pair:
    """Return the pair that the relaxation leaves most open.

    Some of its groups holds only one of the two records. If there is no such pair, one is returned
    of which that is true of some group of the list.
    """
    solution = relaxed.fractional()
    shared = solution.shared
    divided = [
        (a, b)
        for a, b in shared
        if any((a in group) != (b in group) for group, _ in solution.groups)
    ]
    if divided:
        return min(divided, key=lambda pair: (abs(shared[pair] - 0.5), pair))
    first: dict[Record, Group] = {}
    for group in pool.groups:
        for record in group:
            other = first.setdefault(record, group)
            if other != group:
                extra = min(set(group) ^ set(other))
                return min(record, extra), max(record, extra)
    raise SolverFailed("a list that allows no choice could not be closed")
