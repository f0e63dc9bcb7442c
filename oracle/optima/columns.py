"""The optimum of large instances: column generation with cuts, enumeration, and a tree.

1. A good partition to begin with, by local search.
2. The relaxation over all groups, with cuts, and the bound that its duals prove.
3. A better partition, by an integer program over the groups with the least reduced costs.
4. Once the gap is small: every group that a still better partition could use, which are those
   with a reduced cost within the gap. That is a list, and everything else is settled on it.
5. An integer program over the list, and a tree that proves its answer.

The SSE of a group is the sum of its squared distances over its pairs, divided by its size, so
that nothing but distances is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, lcm

from oracle.certificate.reading import Conic, data_digest
from oracle.executors import Here
from oracle.optima.clock import Clock, GivenUp, OutOfTime, Progress, Report
from oracle.optima.cuts import Cut
from oracle.optima.master import Bounds, Duals, Setting, kept_by
from oracle.optima.pricing import Found, Geometry, Restriction
from oracle.optima.problem import Problem
from oracle.optima.relaxation import ColumnPool, Relaxed
from oracle.optima.root import Generator, Root
from oracle.optima.separation import new_cuts
from oracle.optima.start import by_program, by_regions, good_start
from oracle.optima.tree import Node, Open, Prover
from oracle.optima.work import Ground, Place, Searcher, Workers, prove_divided
from refagg.data.standardise import Scaled
from refagg.errors import NoPartition
from refagg.language.partition import Group, Partition

LISTED = 1_500_000
"""The tree is only begun with so many groups, or fewer."""

WIDE, NARROW = 0.004, 0.0005
"""Gaps, as shares of the cost, that are not listed while cuts still gain, and always."""

PATIENCE = 20
"""The number of times in a row that cuts may gain nothing."""

LONG = 30_000
"""A list of more groups is long: a better partition is sought first, which shortens it."""

REGIONS = {200: LONG, 400: LONG, 600: LISTED}
"""Sizes of the regions that are searched when cuts gain nothing more, each where a list would have
more groups than this."""

NEAR, LIKELY = 18, 60
"""For that also groups of so many near records are taken, so many of each anchor and size."""

LONGEST_PROGRAM = 60.0
"""Seconds for one integer program."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale on which costs are integers: an SSE of 1 is `unit`; costs are multiples of
    `parts`."""

    per_unit: Fraction
    parts: int
    unit: Fraction

    def target(self, value: Fraction) -> int:
        """The greatest whole cost that a partition cheaper than `value` can have."""
        return self.parts * (ceil(value * self.unit / self.parts) - 1)

    def exactly(self, cost: int) -> Fraction:
        return cost / self.unit


def ground_scale(ground: Ground, sizes: range) -> Scale:
    per_unit, parts = ground.distances.per_unit, ground.parts
    return Scale(per_unit, parts, per_unit * lcm(*sizes) * parts)


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """The knowledge of an earlier run, but for the costs and bounds that follow from it.

    `tree` starts with the duals of the relaxation; it is None if there was none yet.
    """

    partition: Partition
    pool: list[Group]
    alone: list[int]
    round: int
    cuts: list[Cut]
    duals: Duals | None
    tree: Node | None


@dataclass(slots=True)
class Outcome:
    """The state when the work ends: `proof` is a closed tree, or what proves the bound."""

    partition: Partition
    value: Fraction
    bound: Fraction
    proof: Node | Conic
    closed: bool
    scale: Scale


@dataclass(slots=True)
class Solver:
    """The state of the work on one problem."""

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
    phase: str = "root"
    tree: Node | None = None
    tree_bound: int = 0
    last_program: int | None = None
    too_wide: int | None = None

    def run(self) -> Outcome:
        """Work until the optimum is proved or the time is over. Raises SolverFailed."""
        try:
            if self.root.target < 0:  # nothing costs less than nothing
                self.root.duals = Duals([0] * self.setting.n, 0, 0, {})
                self.tree = Node(self.root.duals)
            else:
                self._solve()
        except (OutOfTime, GivenUp, KeyboardInterrupt):
            self.phase = "stopped"
        return self.outcome()

    def outcome(self) -> Outcome:
        proof = self.tree or Node(self.root.duals)
        proved = proof.proved(self.setting.bounds, self.root.target)
        closed = proved > self.root.target
        bound = self.value if closed else min(self.value, self.scale.exactly(max(0, proved)))
        return Outcome(self.partition, self.value, bound, proof, closed, self.scale)

    @property
    def gap(self) -> int:
        """The cost that a better partition can have at most, less the bound of the relaxation."""
        return self.root.target - self.root.bound

    @property
    def bound(self) -> int:
        return max(0, self.root.bound, self.tree_bound)

    def _solve(self) -> None:
        if self.outcome().closed:  # by an earlier run
            return
        if self.tree is None:
            self._relax_and_list()
        else:
            self._go_on_with_tree()

    def _go_on_with_tree(self) -> None:
        duals = self.root.duals
        assert duals is not None
        gap = max(0, self.gap)
        groups = self.search(duals.prices(), gap, self._restriction(), most=LISTED)
        if groups is None:
            raise GivenUp(f"the tree of an earlier run has more than {LISTED} groups")
        self._prove(groups)

    def _relax_and_list(self) -> None:
        """Rounds of the relaxation, each with more cuts, until the groups can be listed.

        When cuts gain nothing more, better partitions may make the list possible; if they only
        halve the gap, cuts are added again.
        """
        generator = Generator(
            self.setting, self.geometry, self.search, self._restriction(), self._told
        )
        stalled = 0
        while True:
            self._told(self.root)
            before = self.root.bound
            relaxed = generator.converge(self.root)
            self._try_solution(relaxed)
            self._better_partition()
            gained = self.root.bound - before
            stalled = 0 if gained > self.gap // 200 else stalled + 1
            violated = self._cut(relaxed)
            at_an_end, gap = stalled > PATIENCE or not violated, self.gap
            groups = self._listed(gained, at_an_end)
            if groups is not None:
                return self._prove(groups)
            if at_an_end:
                if not violated or self.gap > gap // 2:
                    return None
                stalled = 0

    def _restriction(self) -> Restriction:
        return Restriction(self.problem.together, self.problem.apart)

    def _told(self, root: Root) -> None:
        self._tell(self.phase, root.round, len(root.pool), len(root.cuts))
        self.save(self)

    def _tell(
        self, phase: str, number: int, columns: int, cuts: int, closed: float | None = None
    ) -> None:
        bound = min(self.value, self.scale.exactly(self.bound))
        seconds = self.clock.seconds
        limit = self.clock.limit
        self.report(
            Progress(phase, number, columns, cuts, bound, self.value, seconds, closed, limit)
        )

    def keep(self, groups: Sequence[Group]) -> int:
        """Keep a partition if it is better; the cost that a better one has at most."""
        partition = Partition.of(groups, self.problem.n)
        if partition == self.partition:
            return self.root.target
        value = self.problem.value(partition)
        if value < self.value and self.problem.feasible(partition):
            self.partition, self.value = partition, value
            self._enter_partition()
        return self.root.target

    def resume(self, known: KnownColumns) -> None:
        """Go on with what another run knew: of the relaxation, and of the tree if it had one."""
        pool = ColumnPool((group, self.geometry.cost(group)) for group in known.pool)
        bound = known.duals.bound(self.setting.bounds) if known.duals else 0
        self.root = Root(
            pool, self.root.target, known.alone, known.cuts, known.duals, bound, known.round
        )
        self.tree = known.tree
        self._enter_partition()

    def _enter_partition(self) -> None:
        for group in self.partition.groups:
            self.root.pool.add(group, self.geometry.cost(group))
        self.root.target = self.scale.target(self.value)

    def _try_solution(self, relaxed: Relaxed) -> None:
        """If the relaxation chose whole groups, they are a partition."""
        if all(x > 1 - 1e-6 for x in relaxed.solution.values()) and not relaxed.missing:
            self.keep(list(relaxed.solution))

    def _better_partition(self) -> None:
        """An integer program whenever the gap has halved."""
        if self.gap >= 0 and (self.last_program is None or self.gap <= self.last_program // 2):
            self._integer_program()
        self.clock.check()

    def _listed(self, gained: int, at_an_end: bool) -> list[Found] | None:
        """The list of groups, if it is time for one; better partitions first, while it is long."""
        if at_an_end:
            self._integer_program()
        groups = self._list(0 if at_an_end else gained)
        if groups is None and not at_an_end:
            return None
        for size, most in REGIONS.items():
            if groups is None or len(groups) > most:
                before = self.value
                self._search_regions(size)
                groups = self._list(0) if self.value < before else groups
        return groups

    def _search_regions(self, size: int) -> None:
        """Better partitions by integer programs over the groups inside regions."""
        root, own = self.root, self.partition.groups
        assert root.duals is not None
        setting, geometry, pool = self.setting, self.geometry, self._extended()
        regions = by_regions(setting, geometry, pool, root.duals, root.target, own, size)
        for number, better in enumerate(regions):
            self.keep(list(better))
            self._tell(f"regions of {size},", number, len(root.pool), len(root.cuts))
            self.save(self)
            self.clock.check()

    def _extended(self) -> ColumnPool:
        """The pool, and the groups of near records that have the least reduced costs."""
        root = self.root
        assert root.duals is not None
        budget, prices = max(0, self.gap), root.duals.prices()
        found = self.search(prices, budget, self._restriction(), NEAR, LIKELY) or []
        pool = ColumnPool(zip(root.pool.groups, root.pool.costs, strict=True))
        for _, group in found:
            pool.add(group, self.geometry.cost(group))
        return pool

    def _integer_program(self) -> None:
        """A better partition by the groups with the least reduced costs."""
        root, own = self.root, self.partition.groups
        assert root.duals is not None
        self._tell("integer program", root.round, len(root.pool), len(root.cuts))
        seconds = self.clock.left(LONGEST_PROGRAM)
        answer = by_program(self.setting, root.pool, root.duals, root.target, own, seconds)
        self.keep(answer or own)
        self.last_program = self.gap

    def _wide_gap(self) -> bool:
        return self.gap > WIDE * self.root.target

    def _list(self, gained: int) -> list[Found] | None:
        """Every group that a better partition could use; None while there are too many.

        It is not tried while the last cuts have `gained` a good part of the gap, unless the gap
        is narrow, nor again until the gap is clearly narrower than the one that was too wide.
        """
        root = self.root
        gap = self.gap
        gaining = gained > gap // (50 if self._wide_gap() else 5)
        hopeless = self.too_wide is not None and gap > 0.8 * self.too_wide
        if root.duals is None or hopeless or (gaining and gap > NARROW * root.target):
            return None
        self._tell("listing", root.round, len(root.pool), len(root.cuts))
        found = self.search(root.duals.prices(), max(gap, 0), self._restriction(), most=LISTED)
        if found is None:
            self.too_wide = gap
        return found

    def _cut(self, relaxed: Relaxed) -> bool:
        """Add cuts; False if none is violated."""
        root = self.root
        kept = list(relaxed.duals.cuts)
        new = [
            cut
            for cut in new_cuts(relaxed.fractional(), self.setting.n)
            if cut not in relaxed.duals.cuts
        ]
        root.cuts = kept + new
        return bool(new)

    def _prove(self, groups: list[Found]) -> None:
        """The tree over the list; the first node proves nothing but which groups are listed."""
        root = self.root
        pool = ColumnPool((group, self.geometry.cost(group)) for _, group in sorted(groups))
        first = self.tree = self.tree or Node(root.duals)
        if root.bound <= root.target:
            self._tell("tree", 0, len(pool), len(root.cuts))
            prover = Prover(
                self.setting,
                cache(self.problem.cost),
                root.target,
                self.clock,
                self.keep,
                self._report_tree,
                self._program_on_list,
                unit=self.scale.unit,
            )
            cuts = list(root.duals.cuts) if root.duals else []
            first.next = first.next or Node()
            part = Open(first.next, pool, cuts, root.bound)
            if isinstance(self.search.executor, Here):
                prover.prove(part)
            else:
                workers = Workers(self.search.executor, self.problem.cost, self.scale.target)
                prove_divided(prover, part, workers)

    def _program_on_list(self, pool: ColumnPool, duals: Duals) -> list[Group] | None:
        """An integer program over the cheapest groups of the list and those of the partition."""
        self._tell("integer program", self.root.round, len(pool), len(duals.cuts))
        own = self.partition.groups
        items = dict(zip(pool.groups, pool.costs, strict=True))
        items |= {group: self.geometry.cost(group) for group in own}
        seconds = self.clock.left(LONGEST_PROGRAM)
        pool, target = ColumnPool(items.items()), self.root.target
        return by_program(self.setting, pool, duals, target, own, seconds)

    def _report_tree(self, prover: Prover, columns: int, cuts: int) -> None:
        self.tree_bound = max(self.tree_bound, prover.open_bound)
        nodes = len(prover.waiting) + len(prover.under_way)
        phase = f"tree, {prover.done:.1%} done, {nodes} nodes open,"
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
    """A solver at its beginning. Raises NoPartition if no partition could be found."""
    scaled = problem.scaled
    assert scaled is not None
    place = Place(instance_digest(scaled), scaled, problem.sizes)
    ground = place.ground()
    geometry = ground.geometry
    scale = ground_scale(ground, problem.sizes)
    best = good_start(problem, geometry.rows, clock, start)
    if best is None:
        raise NoPartition("no partition that keeps the constraints was found")
    value = problem.value(best)
    target = scale.target(value)
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
    setting = Setting(problem.n, bounds, max(target, 1), solver, kept_by(solver, problem.n, bounds))
    root = Root(pool, target, alone)
    search = Searcher(place, executor, clock)
    return Solver(problem, setting, geometry, scale, search, clock, report, save, root, best, value)


def instance_digest(scaled: Scaled) -> str:
    """The digest by which a certificate knows the table."""
    table = scaled.table
    return data_digest(table.names, [table.row(record) for record in range(table.n)])
