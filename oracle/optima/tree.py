"""Proof over a list of groups that no partition is cheaper.

The partitions are compared with the known one.

A better partition costs at most the `target`. Duals that prove a bound b show that it uses no
group whose reduced cost exceeds target - b. So each node of the tree

1. solves the relaxation over its groups, adds cuts, and records the duals;
2. keeps the groups within the budget target - b; is closed if b exceeds the target;
3. is closed if exact costs show that what is left has nothing better;
4. proves each part alone, if the groups fall apart into several that are open;
5. otherwise divides: two records are together in a group, or apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from oracle.certificate.reading import DEEPEST
from oracle.optima.clock import Clock, GivenUp
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals, Setting, integer_choice, kept_by
from oracle.optima.problem import Cost
from oracle.optima.refining import Listed, refined
from oracle.optima.relaxation import ColumnPool, Relaxed, bounded_relaxation, least_positions
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

CONNECTED = 80
"""Portions have no more records than this."""

BITS, LIKELY = 46, 40
"""The dearest group of a portion costs an integer of so many bits, and the number of its cheapest
groups for each record that are tried first."""


@dataclass(slots=True)
class Portion:
    """Records that no listed group connects with others, and a proof.

    They cost more than the `limit`, in exact costs. Those of the proof are divided by `times`, and
    rounded down. All prices of other records are 0, and of the number of groups.
    """

    records: list[Record]
    limit: int
    times: int
    root: Node


@dataclass(slots=True)
class Node:
    """Node of a proof.

    It has `duals` first, if any; then `next`, or nothing for a leaf. A division has no duals.

    `infeasible` says that the duals prove that the groups allow no partition at all: they
    hold with all costs 0. `exact` are duals that hold with exact costs and prove that nothing is
    better than what is known. `portions` prove the same, each of a part of the list.
    """

    duals: Duals | None = None
    infeasible: bool = False
    exact: Duals | None = None
    pair: Pair | None = None
    together: Node | None = None
    apart: Node | None = None
    next: Node | None = None
    portions: Sequence[Portion] = ()

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
        return self.infeasible or self.exact is not None or bool(self.portions)

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

    @property
    def open_bound(self) -> int:
        """Return the least bound of the nodes that are open."""
        return min(part.floor for part in (*self.waiting, *self.under_way))

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
            if relaxed.missing:
                farkas = self._infeasible(pool)
                if farkas is not None:
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
                node.portions = self._portions(relaxed, survivors, kept, cuts, part.depth)
                if node.portions:
                    break
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
        if not _covers(chosen, self.setting.n):
            return None
        self.target = min(self.target, self.improve(chosen))
        exact = ColumnPool((group, int(self.unit * self.cost(group))) for group in kept.groups)
        proved = refined(Listed(self.setting, exact, cuts, chosen, self.slack))
        return None if proved is None else Node(exact=proved)

    def _portions(
        self,
        relaxed: Relaxed,
        survivors: Sequence[tuple[int, Group]],
        pool: ColumnPool,
        cuts: Sequence[Cut],
        above: int,
    ) -> list[Portion]:
        """Prove each part of a list that falls apart.

        None are returned unless several parts are open, all of them small. The rest, where the
        relaxation has chosen whole groups, is one part.
        """
        if relaxed.missing:
            return []
        shared = {record for group, _ in relaxed.fractional().groups for record in group}
        parts = list(connected_parts(self.setting.n, survivors))
        open_parts = [records for records in parts if not shared.isdisjoint(records)]
        if len(open_parts) < 2 or max(map(len, open_parts)) > CONNECTED:
            return []
        rest = {record for records in parts if shared.isdisjoint(records) for record in records}
        whole = [group for group, x in relaxed.solution.items() if x > 0.5 and group[0] in rest]
        depth, slack = above + len(open_parts), self.slack // (len(open_parts) + 1)
        found = list[tuple[Portion, list[Group]]]()
        try:
            for records in filter(None, (*open_parts, rest)):
                found.append(self._portion(sorted(records), pool, cuts, depth, whole, slack))
        except GivenUp:
            return []
        self.target = min(self.target, self.improve([g for _, groups in found for g in groups]))
        return [portion for portion, _ in found]

    def _portion(
        self,
        records: list[Record],
        pool: ColumnPool,
        cuts: Sequence[Cut],
        above: int,
        whole: Sequence[Group],
        slack: int,
    ) -> tuple[Portion, list[Group]]:
        """Find the cheapest groups of some records, and prove it.

        Their costs are on a scale of their own. Raises OutOfTime, GivenUp if no groups cover them.
        """
        n, number = len(records), {record: i for i, record in enumerate(records)}
        groups = [group for group in pool.groups if group[0] in number]
        exact = [int(self.unit * self.cost(group)) for group in groups]
        times = max(1, max(exact) >> BITS)
        own = {
            tuple(map(number.__getitem__, group)): Fraction(cost, times)
            for group, cost in zip(groups, exact, strict=True)
        }
        costs = ColumnPool((group, floor(cost)) for group, cost in own.items())
        bounds, solver = Bounds(0, n), self.setting.solver
        setting = Setting(
            n, bounds, max(1 << BITS, *costs.costs), solver, kept_by(solver, n, bounds)
        )
        inside = [
            replace(cut, records=tuple(map(number.__getitem__, cut.records)))
            for cut in cuts
            if number.keys() >= set(cut.records)
        ]
        relaxed, duals = bounded_relaxation(setting, costs, inside)
        best = [tuple(map(number.__getitem__, group)) for group in whole if group[0] in number]
        if not best:
            few = least_positions(relaxed.reduced, LIKELY * n)
            likely = [costs.costs[i] for i in few], [costs.groups[i] for i in few]
            best = integer_choice(*likely, setting, self.clock.left()) or []
        if not best:
            raise GivenUp("no groups cover a part of the records")

        def value(groups: Iterable[Group]) -> Fraction:
            return sum(map(own.__getitem__, groups), Fraction(0))

        def improve(groups: list[Group]) -> int:
            nonlocal best
            best = min(best, groups, key=value)
            return ceil(value(best)) - 1

        prover = Prover(
            setting,
            own.__getitem__,
            improve(best),
            self.clock,
            improve,
            lambda prover, columns, cuts: None,
            known=lambda: best,
            unit=Fraction(times),
            slack=slack,
        )
        root = Node()
        prover.prove(Open(root, costs, inside, duals.bound(bounds), depth=above))
        self.nodes += prover.nodes
        place(root, records, self.setting.n)
        chosen = [tuple(map(records.__getitem__, group)) for group in best]
        return Portion(records, int(value(best) * times) - slack - 1, times, root), chosen

    def _infeasible(self, pool: ColumnPool) -> Duals | None:
        """Return duals that prove that there is no partition.

        They prove it with all costs 0.
        """
        free = ColumnPool((group, 0) for group in pool.groups)
        setting = replace(self.setting, magnitude=1 << BITS)
        relaxed, duals = bounded_relaxation(setting, free, ())
        return duals if relaxed.missing and duals.bound(self.setting.bounds) > 0 else None


def connected_parts(n: int, groups: Sequence[tuple[int, Group]]) -> Iterable[list[int]]:
    """Return the records, in parts that no group connects."""
    part_of = [[record] for record in range(n)]
    for _, group in groups:
        part = part_of[group[0]]
        for joined in (part_of[record] for record in group[1:]):
            if joined is not part:
                part.extend(joined)
                for record in joined:
                    part_of[record] = part
    return {id(part): part for part in part_of}.values()


def place(node: Node, records: Sequence[Record], n: int) -> None:
    """Give the records of a portion their numbers among n.

    Its groups are at least none and at most as many as its records, so that their prices count too.
    """
    node.duals = node.duals and placed(node.duals, records, n)
    node.exact = node.exact and placed(node.exact, records, n)
    if node.pair is not None:
        node.pair = (records[node.pair[0]], records[node.pair[1]])
    for portion in node.portions:
        portion.records = [records[i] for i in portion.records]
    roots = (portion.root for portion in node.portions)
    for part in filter(None, (node.next, node.together, node.apart, *roots)):
        place(part, records, n)


def placed(duals: Duals, records: Sequence[Record], n: int) -> Duals:
    """Return the duals of a portion for all records; the bound stays."""
    prices = [0] * n
    for record, price in zip(records, duals.records, strict=True):
        prices[record] = price + duals.most
    cuts = dict[Cut, int]()
    for cut, price in duals.cuts.items():
        cuts[replace(cut, records=tuple(records[i] for i in cut.records))] = price
    return Duals(prices, 0, 0, cuts)


def _covers(groups: Sequence[Group], n: int) -> bool:
    return sorted(record for group in groups for record in group) == list(range(n))


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
