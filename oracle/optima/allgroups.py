"""Optimum by set partitioning with a column for every group.

It is for some tens of records.

Choose groups so that each record is in exactly one of them, at the least total cost. Programs
are solved in floating point and only advise. That nothing is cheaper is proved in integers:

1. A group dearer than the best partition known is in no better one, and is dropped before costs
   are scaled: beside groups a million times dearer a solver cannot tell the others apart.
2. The duals of the relaxation, repaired, prove a bound. Groups whose reduced cost exceeds what is
   left are dropped. Reduced costs then take the place of costs, on the finer scale of what is left.
3. A tree over the remaining groups (`tree.py`) closes the rest, or gives a bound if it is stopped.

A partition that costs less than half of the one known begins all of it again.

Small problems need no program. A dynamic program over subsets of the records is for some twenty
records. The cheapest partition of a set of records is that of what remains without the group of its
lowest record, for the best choice of that group. Sets are integers, a bit for each record. To look
at every partition is for some ten records. The lowest record that is in no group yet is joined by
every legal choice of others; nothing is ever left out because it looks bad.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm

from oracle.optima.clock import Clock, GivenUp, OutOfTime
from oracle.optima.distances import bits_for, distances_of
from oracle.optima.master import Bounds, Setting
from oracle.optima.problem import Problem
from oracle.optima.relaxation import ColumnPool, bounded_relaxation
from oracle.optima.start import feasible_start, good_start
from oracle.optima.tree import Node, Open, Prover, within_budget
from refagg.errors import InvalidParameter
from refagg.language.partition import Group, Partition, Record

MOST_GROUPS = 2_000_000
"""More columns than this are not attempted."""

BITS = 120
"""The best partition known costs an integer of so many bits."""

FINE = 1 << 20
"""Duals of exact costs are multiples of 1 / FINE."""


def number_of_groups(problem: Problem) -> int:
    """Count the groups by their sizes, constraints aside."""
    return sum(comb(problem.n, size) for size in problem.sizes)


def by_all_groups(problem: Problem, clock: Clock, solver: str) -> tuple[Partition, Fraction] | None:
    """Return the best partition found and a proven bound.

    The bound is its cost if the partition is optimal. None if there is no partition. Raises
    OutOfTime if no partition is known when the time is over, InvalidParameter if there are more
    than MOST_GROUPS groups, SolverFailed.
    """
    if number_of_groups(problem) > MOST_GROUPS:
        raise InvalidParameter(
            f"an integer program over all groups would have {number_of_groups(problem)} columns; "
            f"{MOST_GROUPS} are possible"
        )
    groups, exact = priced_groups(problem, clock)
    if len({record for group in groups for record in group}) < problem.n:
        return None
    unit = lcm(*(cost.denominator for cost in exact))
    costs = [int(cost * unit) for cost in exact]
    # A partition has n records. If each costs so much more, no group costs less than 0.
    more = max(0, max(-(cost // len(group)) for group, cost in zip(groups, costs, strict=True)))
    raised = {g: cost + more * len(g) for g, cost in zip(groups, costs, strict=True)}
    first = _start(problem, clock) or _any_partition(problem, groups, clock, solver)
    if first is None:
        return None
    work = _Work(problem, clock, solver, raised, first, sum(raised[g] for g in first.groups))
    work.run()
    assert work.partition is not None
    return work.partition, (work.bound - more * problem.n) / unit


def _start(problem: Problem, clock: Clock) -> Partition | None:
    """Return the partition that `columns` begins with.

    If costs are no squared distances, it is any feasible partition.
    """
    if problem.scaled is None:
        return feasible_start(problem, [[0] * problem.n] * problem.n)
    rows = distances_of(problem.scaled, bits_for(problem.sizes)).rows
    return good_start(problem, rows, clock)


def _any_partition(
    problem: Problem, groups: Iterable[Group], clock: Clock, solver: str
) -> Partition | None:
    """Return a partition into these groups; None if there is none.

    Raises OutOfTime, SolverFailed.
    """
    # If all groups cost nothing, whatever partition there is costs less than 1.
    work = _Work(problem, clock, solver, dict.fromkeys(groups, 0), None, 1)
    work.run()
    if work.partition is None and work.stopped is not None:
        raise work.stopped
    return work.partition


@dataclass(slots=True)
class _Work:
    """State of the work: best partition, its cost and a lower bound.

    No partition is cheaper than `bound`; the best one costs `value`. Costs are whole, and at least
    0. Without a partition, one cheaper than `value` is sought. `stopped` is what ended the work
    before `bound` was `value`, if anything did.
    """

    problem: Problem
    clock: Clock
    solver: str
    costs: dict[Group, int]
    partition: Partition | None
    value: int
    bound: Fraction = Fraction(0)
    stopped: OutOfTime | GivenUp | None = None

    def run(self) -> None:
        """Work until the bound is the value, or the time is over."""
        attempt: _Attempt | None = None
        again = True
        while again:
            again = False
            try:
                attempt = _Attempt(self)
                attempt.prove()
            except _MuchCheaper:
                again = True
            except (OutOfTime, GivenUp) as reason:
                self.stopped = reason
            except KeyboardInterrupt:
                self.stopped = OutOfTime()
        if attempt is not None:
            self.bound = min(Fraction(self.value), attempt.proved())

    def known(self) -> Sequence[Group]:
        """Return the groups of the best partition; none if none is known."""
        return self.partition.groups if self.partition else ()

    def keep(self, groups: Sequence[Group]) -> bool:
        """Keep the partition if it is cheaper.

        Returns True if the cost halved.
        """
        value, before = sum(self.costs[group] for group in groups), self.value
        if value < before:
            self.partition, self.value = Partition.of(groups, self.problem.n), value
        return 2 * value < before


class _MuchCheaper(Exception):
    """A new partition costs less than half of the best one before."""


class _Attempt:
    """Proof that no partition is cheaper than the known one.

    Its numbers suit the cost of that partition. Costs are multiplied by `parts`, so that the duals
    can be fine; or, where they have more than BITS bits, divided by `coarse` and rounded down.
    Duals found first have proved `base`; `pool` has what remains of the groups, with what remains
    of their costs.
    """

    def __init__(self, work: _Work) -> None:
        self.work = work
        problem = work.problem
        self.bounds = Bounds(problem.fewest, problem.most)
        bits = work.value.bit_length()
        self.parts, self.coarse = 1 << max(0, BITS - bits), 1 << max(0, bits - BITS)
        useful = sorted(
            (cost // len(group), group) for group, cost in work.costs.items() if cost <= work.value
        )
        self.pool = ColumnPool((g, work.costs[g] * self.parts // self.coarse) for _, g in useful)
        self.base = 0
        self.tree = Node()

    @property
    def target(self) -> int:
        """Return what remains of the greatest cost of a better partition."""
        return self.parts * (-(-self.work.value // self.coarse) - 1) - self.base

    def proved(self) -> Fraction:
        """Return the proved lower bound on the cost of any partition.

        It is the value if no partition is cheaper than the one known.
        """
        proved = self.tree.proved(self.bounds, self.target)
        if proved > self.target:
            return Fraction(self.work.value)
        return max(Fraction(0), Fraction((self.base + proved) * self.coarse, self.parts))

    def prove(self) -> None:
        """Prove that no partition is cheaper than the known one.

        Raises OutOfTime, SolverFailed, and _MuchCheaper if the work is to begin again.
        """
        work = self.work
        while self._reduced():
            work.clock.check()
        if self.target < 0:
            return
        prover = Prover(
            self._setting(),
            lambda group: Fraction(work.costs[group]),
            self.target,
            work.clock,
            self._improve,
            lambda prover, columns, cuts: None,
            known=work.known,
            unit=Fraction(FINE),
            slack=FINE - 1,
        )
        prover.prove(Open(self.tree, self.pool, (), 0))

    def _setting(self) -> Setting:
        return Setting(self.work.problem.n, self.bounds, max(self.target, 1), self.work.solver)

    def _reduced(self) -> bool:
        """Replace costs by reduced costs, without prices for the number of groups.

        So all partitions cost less by the same. Returns True if that was worth it.
        """
        before, free = self.target, Bounds(0, self.work.problem.n)
        if before < 0:
            return False
        relaxed, duals = bounded_relaxation(replace(self._setting(), bounds=free), self.pool, ())
        bound = duals.bound(free)
        if relaxed.missing or bound <= 0:
            return False
        left = within_budget(self.pool, duals, before - bound)
        self.base += bound
        self.pool = ColumnPool((group, reduced) for reduced, group in left)
        return 2 * self.target < before

    def _improve(self, groups: Sequence[Group]) -> int:
        if self.work.keep(groups):
            raise _MuchCheaper
        return self.target


# Small problems

Choice = tuple[int, int, Group]
"""A group as a set, its cost as an integer, and its records."""


def by_subsets(problem: Problem, clock: Clock) -> Partition | None:
    """Return the cheapest partition; None if there is none. Raises OutOfTime."""
    choices = _choices(problem, clock)
    best: dict[int, tuple[int, Group] | None] = {0: (0, ())}

    def least(remaining: int) -> tuple[int, Group] | None:
        """Return the cost and first group of a set's cheapest partition."""
        if remaining not in best:
            clock.check()
            first = (remaining & -remaining).bit_length() - 1
            found = None
            for members, cost, group in choices[first]:
                if members & remaining == members:
                    rest = least(remaining ^ members)
                    if rest is not None and (found is None or rest[0] + cost < found[0]):
                        found = (rest[0] + cost, group)
            best[remaining] = found
        return best[remaining]

    everything = (1 << problem.n) - 1
    if least(everything) is None:
        return None
    groups, remaining = [], everything
    while remaining:
        chosen = best[remaining]
        assert chosen is not None
        groups.append(chosen[1])
        remaining ^= sum(1 << record for record in chosen[1])
    return Partition.of(groups, problem.n)


def priced_groups(problem: Problem, clock: Clock) -> tuple[list[Group], list[Fraction]]:
    """Return the groups that the problem allows, and their costs.

    Raises OutOfTime.
    """
    groups, costs = [], []
    for group in problem.groups():
        clock.check()
        groups.append(group)
        costs.append(problem.cost(group))
    return groups, costs


def _choices(problem: Problem, clock: Clock) -> list[list[Choice]]:
    """Return the groups by their lowest record; costs are brought to integers."""
    groups, costs = priced_groups(problem, clock)
    unit = lcm(*(Fraction(cost).denominator for cost in costs))
    choices: list[list[Choice]] = [[] for _ in range(problem.n)]
    for group, cost in zip(groups, costs, strict=True):
        members = sum(1 << record for record in group)
        choices[group[0]].append((members, int(cost * unit), group))
    return choices


def every_partition(problem: Problem, clock: Clock) -> Iterator[list[Group]]:
    """Yield each partition into groups that the problem allows, once.

    Raises OutOfTime.
    """
    yield from _completed(problem, clock, tuple(range(problem.n)), [])


def _completed(
    problem: Problem, clock: Clock, waiting: tuple[Record, ...], groups: list[Group]
) -> Iterator[list[Group]]:
    clock.check()
    if not waiting:
        yield groups
        return
    first, *others = waiting
    for size in problem.sizes:
        for company in combinations(others, size - 1):
            group = (first, *company)
            if problem.allows(group):
                rest = tuple(record for record in others if record not in company)
                yield from _completed(problem, clock, rest, [*groups, group])


def exhaustive(problem: Problem, clock: Clock) -> Partition | None:
    """Return the cheapest partition, the first of equals.

    None if there is none. Raises OutOfTime.
    """
    cost = cache(problem.cost)
    best, least = None, None
    for groups in every_partition(problem, clock):
        value = sum(map(cost, groups))
        if least is None or value < least:
            best, least = groups, value
    return None if best is None else Partition.of(best, problem.n)
