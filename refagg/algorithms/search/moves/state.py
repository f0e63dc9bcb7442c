"""A partition on its way, in units and integers.

The SSE of a group is the sum of its squared distances over its pairs, divided by its size.
Here a group costs that sum times lcm(sizes) / size, an integer, so costs are compared
exactly. Records that must be together are one *unit*, which moves as a whole. Records that
must be apart get a distance that no partition without such a pair can reach, so a search
that only ever accepts a lower cost keeps them apart, and one that starts with a few of them
in one group works to separate them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations
from math import lcm

from refagg.algorithms.search.moves.constraints import Constraints, blocks
from refagg.errors import InvalidPartition
from refagg.language.partition import Partition, Record

NEAR = 16
"""A unit looks for better company among the groups of so many nearest units."""

Unit = int
Units = tuple[Unit, ...]
Matrix = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem in units.

    Unit u holds the records `records[u]`, `weights[u]` of them. `inner[u]` is the sum of distances
    over pairs inside u, `rows[u][v]` the sum between u and v, `shares[size]` what a group's sum of
    distances is multiplied by, 0 where the size is not legal. `near[u]` are the units nearest to u,
    on average over their records.
    """

    records: list[tuple[Record, ...]]
    weights: list[int]
    inner: list[int]
    rows: Matrix
    k: int
    largest: int
    shares: list[int]
    near: list[Units]


def instance_of(problem: Constraints, rows: Matrix) -> Instance:
    """Return the problem in units.

    Units that must be apart have a prohibitive distance.
    """
    records = [tuple(block) for block in blocks(problem.n, problem.together)]
    unit_of = {record: unit for unit, block in enumerate(records) for record in block}
    inner = [sum(rows[a][b] for a, b in combinations(block, 2)) for block in records]
    if problem.constrained:
        between = _between(records, rows)
        prohibitive = prohibitive_distance(problem, between, inner)
        for a, b in {(unit_of[a], unit_of[b]) for a, b in problem.apart}:
            between[a][b] += prohibitive
            between[b][a] += prohibitive
        rows = between
    weights = list(map(len, records))
    shares = shares_of(problem)
    near = [_nearest(unit, rows[unit], weights) for unit in range(len(records))]
    return Instance(records, weights, inner, rows, problem.k, problem.largest, shares, near)


def _between(records: Sequence[Sequence[Record]], rows: Matrix) -> list[list[int]]:
    """Return the sums of distances between any two units.

    The sum is 0 for a unit with itself.
    """
    return [
        [0 if own is other else sum([rows[a][b] for a in own for b in other]) for other in records]
        for own in records
    ]


def shares_of(problem: Constraints) -> list[int]:
    """Return lcm(sizes) / size by size.

    It is 0 for a size that is not legal; sizes go up to twice the largest.
    """
    common = lcm(*problem.sizes)
    return [
        common // size if size in problem.sizes else 0 for size in range(2 * problem.largest + 1)
    ]


def prohibitive_distance(problem: Constraints, rows: Matrix, inner: Sequence[int]) -> int:
    """Return a distance that no good partition contains.

    A group with it costs more than any partition without.
    """
    everything = sum(map(sum, rows)) // 2 + sum(inner)
    return (everything + 1) * -(-problem.largest // problem.k)


def _nearest(unit: Unit, row: Sequence[int], weights: Sequence[int]) -> Units:
    pairs = ((distance / weight, other) for other, (distance, weight) in
             enumerate(zip(row, weights, strict=True)) if other != unit)  # fmt: skip
    return tuple(other for _, other in nsmallest(NEAR, pairs))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A group of units.

    `pairs` is its sum of distances, `links[i]` that of units[i] to the rest. `number` is different
    for each group that a search ever makes. `terms` are the terms on which a unit can come, as far
    as they have been asked for.
    """

    number: int
    units: Units
    links: tuple[int, ...]
    size: int
    pairs: int
    cost: int
    terms: dict[Unit, Terms]


@dataclass(frozen=True, slots=True)
class Terms:
    """The cost of adding a unit to a group, or exchanging it.

    `joining` is None where there is no free capacity; `replacing` has a cost for each unit that
    could leave.
    """

    joining: int | None
    replacing: list[tuple[int, Unit]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Groups of a state, and the new grouping of their units."""

    old: Sequence[Group]
    new: Sequence[Units]


@dataclass(slots=True)
class State:
    """A partition during the search: each unit's group, and the cost.

    The cost is the total cost of the groups. `made` counts the groups made; `tested` are the groups
    that are known to be divided among themselves at the least cost.
    """

    instance: Instance
    group_of: list[Group]
    total: int
    made: int
    tested: set[tuple[int, ...]]
    watch: Callable[[Partition], None] | None = None
    """Is told the partition after each exchange that stays."""

    def groups(self) -> list[Group]:
        """All groups, by first unit."""
        return list(dict.fromkeys(self.group_of))

    def alive(self, group: Group) -> bool:
        return self.group_of[group.units[0]] is group

    def make(self, units: Iterable[Unit]) -> Group:
        """A group of these units, not yet part of the partition."""
        instance = self.instance
        units = tuple(units)
        links = []
        for unit in units:
            row = instance.rows[unit]
            links.append(sum([row[other] for other in units]))
        size = sum([instance.weights[unit] for unit in units])
        pairs = sum(links) // 2 + sum([instance.inner[unit] for unit in units])
        self.made += 1
        cost = instance.shares[size] * pairs
        return Group(self.made, units, tuple(links), size, pairs, cost, {})

    def put(self, groups: Iterable[Group]) -> None:
        """Make these groups part of the partition."""
        for group in groups:
            for unit in group.units:
                self.group_of[unit] = group

    def carry_out(self, exchange: Exchange) -> list[Group]:
        """The new groups, which have replaced the old ones."""
        new = [self.make(units) for units in exchange.new]
        self.put(new)
        self.total += sum(group.cost for group in new) - sum(b.cost for b in exchange.old)
        return new

    def partition(self) -> Partition:
        """The partition of the records."""
        records = self.instance.records
        return Partition.of(
            [record for unit in group.units for record in records[unit]] for group in self.groups()
        )


def state_of(instance: Instance, division: Iterable[Iterable[Unit]]) -> State:
    """Return the state of a partition of units into legal groups.

    The sizes of the groups are legal.
    """
    state = State(instance, [], 0, 0, set())
    groups = [state.make(units) for units in division]
    state.group_of = [groups[0]] * len(instance.records)
    state.put(groups)
    state.total = sum(group.cost for group in groups)
    return state


def checked_state(problem: Constraints, rows: Matrix, start: Partition) -> State:
    """The state of a start. Raises InvalidPartition unless the start is feasible."""
    if start.n != problem.n:
        raise InvalidPartition(f"the start has {start.n} records; the problem has {problem.n}")
    if not problem.feasible(start):
        raise InvalidPartition(
            f"the start has a group that is not of {problem.k} to {problem.largest} records, "
            "or breaks a constraint"
        )
    instance = instance_of(problem, rows)
    return state_of(instance, groups_as_units(instance, start))


def groups_as_units(instance: Instance, partition: Partition) -> list[Units]:
    """The groups of a partition that keeps units together, as units."""
    first = {block[0]: unit for unit, block in enumerate(instance.records)}
    return [tuple(first[r] for r in group if r in first) for group in partition.groups]


def near_groups(state: State, group: Group, most: int) -> list[Group]:
    """The groups of the nearest units of the group's units, nearest first."""
    group_of, near = state.group_of, state.instance.near
    found = {group: None}
    for others in zip(*[near[unit] for unit in group.units], strict=True):
        for other in others:
            found[group_of[other]] = None
        if len(found) > most:
            break
    return list(found)[1 : most + 1]
