"""Optimum of large instances: column generation, cuts, enumeration, and a tree.

1. A good partition to begin with, by local search.
2. The relaxation over all groups, with cuts, and the bound that its duals prove.
3. A better partition, by an integer program over the groups with the least reduced costs.
4. Once the gap is small: every group that a still better partition could use, which are those
   with a reduced cost within the gap. That is a list, and everything else is settled on it.
5. A tree over the list proves which partition is the best.

Where the gap stays too wide for a list, a pair of records divides all cases into two parts, and
each has a relaxation of its own: they are together, or apart.

The SSE of a group is the sum of its squared distances over its pairs, divided by its size, so
that nothing but distances is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import ceil, lcm

from oracle.certificate.kernel import Conic, Rejected, data_digest
from oracle.executors import Here
from oracle.optima.clock import Clock, GivenUp, OutOfTime, Progress, Report
from oracle.optima.cuts import Cut
from oracle.optima.distances import exact_units
from oracle.optima.master import Bounds, Duals, Setting, kept_by
from oracle.optima.pricing import FREE, Found, Geometry, Restriction
from oracle.optima.problem import Problem
from oracle.optima.relaxation import ColumnPool, Relaxed, least_positions, relax
from oracle.optima.root import Generator, Root, least_duals
from oracle.optima.separation import new_cuts
from oracle.optima.start import by_program, good_start
from oracle.optima.tree import Node, Open, Prover, divided_pool
from oracle.optima.work import Ground, Place, Searcher, Workers, prove_divided
from refagg.algorithms.search.moves.constraints import Pair
from refagg.data.standardise import Scaled
from refagg.errors import NoPartition
from refagg.language.partition import Group, Partition

LISTED = 1_500_000
"""The tree is only begun with so many groups, or fewer."""

WIDE, NARROW = 0.004, 0.0005
"""Gaps, as shares of the cost, that are not listed while cuts still gain, and always."""

PATIENCE, PATIENCE_IN_PARTS = 20, 3
"""The number of times in a row that cuts may gain nothing: before a division, and after it."""

TRIED, CHEAPEST = 12, 6
"""Before a division, the number of pairs that are tried, and of groups for each record."""

COARSE = 200
"""A bound is lowered by one part in so many of the gap, so that its proof has short prices."""

LONGEST_PROGRAM = 60.0
"""Seconds for one integer program."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale on which costs are integers.

    An SSE of 1 is `unit`; costs are multiples of `parts`. Exact costs are `common` times as great,
    and multiples of `grain`.
    """

    per_unit: Fraction
    parts: int
    unit: Fraction
    common: int = 1
    grain: int = 1

    def target(self, value: Fraction) -> int:
        """Return the greatest whole cost of a partition cheaper than `value`."""
        return self.parts * (ceil(value * self.unit / self.parts) - 1)

    def exactly(self, cost: int) -> Fraction:
        return cost / self.unit


def ground_scale(ground: Ground, scaled: Scaled, sizes: range) -> Scale:
    per_unit, parts = ground.distances.per_unit, ground.parts
    common, divisor = exact_units(scaled, per_unit)
    unit, grain = per_unit * lcm(*sizes) * parts, max(1, parts * divisor)
    return Scale(per_unit, parts, unit, common, grain)


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """Knowledge of an earlier run.

    Costs and bounds that follow from it are left out.
    """

    partition: Partition
    pool: list[Group]
    alone: list[int]
    round: int
    tree: Node


@dataclass(frozen=True, slots=True)
class Part:
    """Cases that keep the pairs: a part of all cases.

    Its groups are listed below its node.
    """

    node: Node
    pairs: Restriction

    def open_parts(self) -> Iterator[Part]:
        """Yield the parts into which it is divided before groups are listed."""
        node = self.node
        if node.pair is None or node.together is None or node.apart is None:
            yield self
        else:
            together, apart = self.pairs.together | {node.pair}, self.pairs.apart | {node.pair}
            yield from Part(node.apart, Restriction(self.pairs.together, apart)).open_parts()
            yield from Part(node.together, Restriction(together, self.pairs.apart)).open_parts()


@dataclass(slots=True)
class Outcome:
    """State when the work ends.

    `proof` is a closed tree, or what proves the bound.
    """

    partition: Partition
    value: Fraction
    bound: Fraction
    proof: Node | Conic
    closed: bool
    scale: Scale


@dataclass(slots=True)
class Solver:
    """The state of the work on one problem.

    `root` is the relaxation of `part`, at which the work is; `waiting` are other parts. `pool` are
    the groups that earlier parts have met.
    """

    problem: Problem
    setting: Setting
    geometry: Geometry
    scale: Scale
    search: Searcher
    clock: Clock
    report: Report
    save: Callable[[Solver], None]
    root: Root
    partition: Partition
    value: Fraction
    tree: Node
    part: Part
    waiting: list[Part] = field(default_factory=list)
    pool: ColumnPool = field(default_factory=ColumnPool)
    phase: str = "root"
    tree_bound: int = 0
    last_program: int | None = None
    too_wide: int | None = None

    def run(self) -> Outcome:
        """Work until the optimum is proved or the time is over.

        Raises SolverFailed.
        """
        try:
            if self.root.target < 0:  # nothing costs less than nothing
                self.root.duals = Duals([0] * self.setting.n, 0, 0, {})
            else:
                self._solve()
        except (OutOfTime, GivenUp, KeyboardInterrupt):
            self.phase = "stopped"
        return self.outcome()

    def outcome(self) -> Outcome:
        self._note_duals()
        proved = self.tree.proved(self.setting.bounds, self.root.target)
        closed = proved > self.root.target
        lowered = max(0, proved - (self.root.target - proved) // COARSE)
        bound = self.value if closed else min(self.value, self.scale.exactly(lowered))
        return Outcome(self.partition, self.value, bound, self.tree, closed, self.scale)

    def _note_duals(self) -> None:
        """Put the duals of the relaxation into the tree, if any.

        A part that was divided keeps none.
        """
        if self.part.node.pair is None and self.root.duals is not None:
            self.part.node.duals = self.root.duals

    @property
    def gap(self) -> int:
        """Return the gap between a better partition and the bound.

        It is the greatest cost of a better partition, less the bound of the relaxation.
        """
        return self.root.target - self.root.bound

    @property
    def bound(self) -> int:
        """Return what no partition costs less than, in any part."""
        others = [part.node.duals for part in self.waiting]
        known = [duals.bound(self.setting.bounds) for duals in others if duals]
        return min([max(0, self.root.bound, self.tree_bound), *known])

    def _solve(self) -> None:
        """Close one part after the other.

        A part whose groups cannot be listed is divided into further parts.
        """
        self.waiting = list(self.part.open_parts())
        while self.waiting:
            part = self.waiting.pop()
            if part.node.proved(self.setting.bounds, self.root.target) <= self.root.target:
                self._enter(part)
                groups = self._listed_before() if part.node.next else self._relax_and_list()
                if groups is not None:
                    self._prove(groups)

    def _enter(self, part: Part) -> None:
        """Begin with a part where the work above it has ended."""
        known, before, duals = self.pool, self.root, part.node.duals
        for group, cost in before.pool.items():
            known.add(group, cost)
        allowed = ((group, cost) for group, cost in known.items() if part.pairs.allows(group))
        pool = ColumnPool(known.items() if part.pairs == FREE else allowed)
        cuts, bound = (list(duals.cuts), duals.bound(self.setting.bounds)) if duals else ([], 0)
        self.root = Root(pool, before.target, before.alone, cuts, duals, bound, before.round)
        self.part, self.tree_bound, self.last_program, self.too_wide = part, 0, None, None
        self._enter_partition()

    def _listed_before(self) -> list[Found]:
        """Return the list of groups of an earlier run. Raises GivenUp."""
        assert self.root.duals is not None
        prices, gap = self.root.duals.prices(), max(0, self.gap)
        groups = self.search(prices, gap, self.part.pairs, most=LISTED)
        if groups is None:
            raise GivenUp(f"the tree of an earlier run has more than {LISTED} groups")
        return groups

    def _relax_and_list(self) -> list[Found] | None:
        """Solve relaxations with more and more cuts until groups can be listed.

        When cuts gain nothing more, better partitions may make the list possible; if they only
        halve the gap, cuts are added again. None if the part is closed, or divided.
        """
        generator = Generator(self.setting, self.geometry, self.search, self.part.pairs, self._told)
        patience = PATIENCE if self.part.node is self.tree else PATIENCE_IN_PARTS
        stalled = 0
        while True:
            self._told(self.root)
            before = self.root.bound
            relaxed = generator.converge(self.root)
            self._note_duals()
            if self.gap < 0:
                return None
            # The relaxation chose a partition if it chose whole groups.
            if not relaxed.missing and all(x > 1 - 1e-6 for x in relaxed.solution.values()):
                self.keep(list(relaxed.solution))
            if self.gap >= 0 and (self.last_program is None or self.gap <= self.last_program // 2):
                self._integer_program()
            self.clock.check()
            gained = self.root.bound - before
            stalled = 0 if gained > self.gap // 200 else stalled + 1
            violated = self._cut(relaxed)
            at_an_end, gap = stalled > patience or not violated, self.gap
            if at_an_end:
                self._integer_program()
            if (groups := self._list(0 if at_an_end else gained)) is not None:
                return groups
            if at_an_end:
                if not violated or self.gap > gap // 2:
                    self._divide(relaxed)
                    return None
                stalled = 0

    def _divide(self, relaxed: Relaxed) -> None:
        """Divide the part by two records that are far apart.

        Raises GivenUp.
        """
        node, root, shared = self.part.node, self.root, relaxed.fractional().shared
        rows = self.geometry.rows
        assert root.duals is not None
        pairs = sorted(
            shared, key=lambda pair: -min(shared[pair], 1 - shared[pair]) * rows[pair[0]][pair[1]]
        )
        order = least_positions(root.pool.reduced(root.duals), CHEAPEST * self.setting.n)
        few = ColumnPool((root.pool.groups[i], root.pool.costs[i]) for i in order)
        pair = self._best_pair(few, list(relaxed.duals.cuts), pairs)
        if pair is None:
            raise GivenUp("no pair of records gains anything")
        node.together, node.apart = Node(root.duals), Node(root.duals)
        node.duals, node.pair = None, pair
        self.waiting += self.part.open_parts()

    def _best_pair(self, pool: ColumnPool, cuts: list[Cut], pairs: list[Pair]) -> Pair | None:
        """Return the pair whose two relaxations rise the most.

        It is one of the first pairs; the relaxations are over a pool. None if none of them rises.
        """
        bound, target = self.root.bound, self.root.target
        least_gain = max(1, (target - bound) // 100)
        best, most = None, least_gain * least_gain
        for pair in pairs[:TRIED]:
            promise = 1
            for part in divided_pool(pool, pair):
                child = relax(self.setting, part, cuts, set(range(len(part))))
                over = target + 1 if child.missing else int(child.objective)
                promise *= max(least_gain, min(over, target + 1) - bound)
            if promise > most:
                best, most = pair, promise
        return best

    def _told(self, root: Root) -> None:
        self._note_duals()
        self._tell(self.phase, root.round, len(root.pool), len(root.cuts))
        self.save(self)

    def _tell(
        self, phase: str, number: int, columns: int, cuts: int, closed: float | None = None
    ) -> None:
        bound = min(self.value, self.scale.exactly(self.bound))
        seconds, limit, own = self.clock.seconds, self.clock.limit, self.value
        self.report(Progress(phase, number, columns, cuts, bound, own, seconds, closed, limit))

    def keep(self, groups: Sequence[Group]) -> int:
        """Keep the partition if it is better; return the target.

        The target is the greatest cost that a better partition can have.
        """
        partition = Partition.of(groups, self.problem.n)
        if partition == self.partition:
            return self.root.target
        value = self.problem.value(partition)
        if value < self.value and self.problem.feasible(partition):
            self.partition, self.value = partition, value
            self._enter_partition()
        return self.root.target

    def resume(self, known: KnownColumns) -> None:
        """Go on with what another run knew.

        That is its knowledge of the relaxation, and of the tree if it had one.
        """
        pool = ColumnPool((group, self.geometry.cost(group)) for group in known.pool)
        self.root = Root(pool, self.root.target, known.alone, round=known.round)
        self.tree, self.part = known.tree, Part(known.tree, self.part.pairs)
        self._enter_partition()

    def _enter_partition(self) -> None:
        for group in self._own():
            self.root.pool.add(group, self.geometry.cost(group))
        self.root.target = self.scale.target(self.value)

    def _own(self) -> Sequence[Group]:
        """Return the groups of the best partition, if this part has them."""
        groups = self.partition.groups
        return groups if all(map(self.part.pairs.allows, groups)) else ()

    def _integer_program(self) -> None:
        """Search for a better partition among the cheapest groups.

        They are the groups with the least reduced costs.
        """
        root, own = self.root, self._own()
        assert root.duals is not None
        self._tell("integer program", root.round, len(root.pool), len(root.cuts))
        seconds = self.clock.left(LONGEST_PROGRAM)
        answer = by_program(self.setting, root.pool, root.duals, root.target, own, seconds)
        self.keep(answer or self.partition.groups)
        self.last_program = self.gap

    def _list(self, gained: int) -> list[Found] | None:
        """List all groups that a better partition could use.

        None while there are too many. It is not tried while the last cuts have `gained` a good part
        of the gap, unless the gap is narrow, nor again until the gap is clearly narrower than the
        one that was too wide.
        """
        root = self.root
        gap = self.gap
        gaining = gained > gap // (50 if gap > WIDE * root.target else 5)
        hopeless = self.too_wide is not None and gap > 0.8 * self.too_wide
        if root.duals is None or hopeless or (gaining and gap > NARROW * root.target):
            return None
        self._tell("listing", root.round, len(root.pool), len(root.cuts))
        found = self.search(root.duals.prices(), max(gap, 0), self.part.pairs, most=LISTED)
        if found is None:
            self.too_wide = gap
        return found

    def _cut(self, relaxed: Relaxed) -> bool:
        """Add cuts; False if none is violated."""
        known = relaxed.duals.cuts
        new = [cut for cut in new_cuts(relaxed.fractional(), self.setting.n) if cut not in known]
        self.root.cuts = [*known, *new]
        return bool(new)

    def _prove(self, groups: list[Found]) -> None:
        """Close the tree over the list.

        Its first node only proves which groups are listed.
        """
        root, first = self.root, self.part.node
        pool = ColumnPool((group, self.geometry.cost(group)) for _, group in sorted(groups))
        self._note_duals()
        if root.bound <= root.target:
            self._tell("tree", 0, len(pool), len(root.cuts))
            prover = Prover(
                self.setting,
                cache(self.problem.cost),
                root.target,
                self.clock,
                self.keep,
                self._report_tree,
                known=lambda: self.partition.groups,
                unit=self.scale.unit * self.scale.common,
                slack=self.scale.grain - 1,
            )
            cuts = list(root.duals.cuts) if root.duals else []
            first.next = first.next or Node()
            depth = len(self.part.pairs.together) + len(self.part.pairs.apart) + 1
            part = Open(first.next, pool, cuts, root.bound, depth=depth)
            if isinstance(self.search.executor, Here):
                prover.prove(part)
            else:
                workers = Workers(self.search.executor, self.problem.cost, self.scale.target)
                prove_divided(prover, part, workers)

    def _report_tree(self, prover: Prover, columns: int, cuts: int) -> None:
        nodes = [*prover.waiting, *prover.under_way]
        self.tree_bound = max(self.tree_bound, min(part.floor for part in nodes))
        phase = f"tree, {prover.done:.1%} done, {len(nodes)} nodes open,"
        self._tell(phase, prover.nodes, columns, cuts, prover.done)
        self.save(self)


def solver_for(
    problem: Problem,
    solver: str,
    executor: Executor,
    clock: Clock,
    report: Report,
    start: Partition | None,
    save: Callable[[Solver], None],
) -> Solver:
    """Return a solver at its beginning.

    Raises NoPartition if no partition could be found.
    """
    scaled = problem.scaled
    assert scaled is not None
    place = Place(instance_digest(scaled), scaled, problem.sizes)
    ground = place.ground()
    geometry = ground.geometry
    scale = ground_scale(ground, scaled, problem.sizes)
    best = good_start(problem, geometry.rows, clock, start)
    if best is None:
        raise NoPartition("no partition that keeps the constraints was found")
    loss = problem.value(best)
    target = scale.target(loss)
    bounds = Bounds(problem.fewest, problem.most)
    pool, alone = ColumnPool(), [0] * problem.n
    for group in best.groups:
        cost = geometry.cost(group)
        pool.add(group, cost)
        for record in group:
            alone[record] = 2 * cost // len(group) + target // (10 * problem.n) + 1
    allows = problem.allows
    for record in range(problem.n):
        for size in problem.sizes:
            group = tuple(sorted((record, *geometry.near[record][: size - 1])))
            if allows(group):
                pool.add(group, geometry.cost(group))
    magnitude = max(target, *pool.costs, 1)  # a target of 0 says nothing of what groups cost
    setting = Setting(problem.n, bounds, magnitude, solver, kept_by(solver, problem.n, bounds))
    root = Root(pool, target, alone)
    search = Searcher(place, executor, clock)
    tree = Node(least_duals(geometry))
    part = Part(tree, Restriction(problem.together, problem.apart))
    return Solver(
        problem, setting, geometry, scale, search, clock, report, save, root, best, loss, tree, part
    )


def instance_digest(scaled: Scaled) -> str:
    """Return the digest by which a certificate knows the table."""
    table = scaled.table
    try:
        return data_digest(table.names, [table.row(record) for record in range(table.n)])
    except ValueError as error:  # more digits than Python writes
        raise Rejected(f"the data: {error}") from None
