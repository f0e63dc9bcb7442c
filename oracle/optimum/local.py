"""Good partitions by local search, from any start, in exact arithmetic.

The SSE of a group is the sum of its squared distances over its pairs, divided by its size.
Here a group costs that sum times lcm(sizes) / size, a whole number, so costs are compared
exactly. Records that must be together are one *unit*, which moves as a whole. Records that
must be apart get a distance that no partition without such a pair can reach, so a search
that only ever accepts a lower cost keeps them apart, and one that starts with a few of them
in one group works to separate them.

Nothing here proves anything: a result is a feasible partition, no worse than the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations
from math import lcm
from operator import add, itemgetter, mul
from time import monotonic

from oracle.optimum.problem import Problem, blocks
from refagg.errors import InvalidPartition
from refagg.model import Partition, Record
from refagg.tape import Tape, seeded

NEAR = 16
"""A unit looks for better company among the groups of so many nearest units."""

PARTNERS = {2: 10, 3: 6}
"""Two (three) groups are divided anew when both (all) are among so many neighbours of one."""

MOST_UNITS = 14
"""Groups with more units in all are not divided anew in every possible way."""

MOST_DIVISIONS = 12_000
"""Nor are groups that can be divided in more ways."""

DEPTH = 6
"""A chain moves so many units at most."""

BEAM = 5
"""So many chains of each length are continued."""

EFFORT = 5_000_000
"""Groups that `feasible_start` looks at to place units before it gives up."""

REPAIRS = 1000
"""Rounds in which it then tries to separate records that must be apart."""

Unit = int
Units = tuple[Unit, ...]
Matrix = Sequence[Sequence[int]]
Halt = Callable[[], bool]


# Units


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem in units. Unit u holds the records `records[u]`, `weights[u]` of them.

    `inner[u]` is the sum of distances over pairs inside u, `rows[u][v]` the sum between u
    and v, `shares[size]` what a group's sum of distances is multiplied by, 0 where the
    size is not legal. `near[u]` are the units nearest to u, on average over their records.
    """

    records: list[tuple[Record, ...]]
    weights: list[int]
    inner: list[int]
    rows: Matrix
    k: int
    largest: int
    shares: list[int]
    near: list[Units]


def instance_of(problem: Problem, rows: Matrix) -> Instance:
    """The problem in units, with a prohibitive distance between those that must be apart."""
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
    """The sums of distances between any two units, 0 for a unit with itself."""
    return [
        [0 if own is other else sum([rows[a][b] for a in own for b in other]) for other in records]
        for own in records
    ]


def shares_of(problem: Problem) -> list[int]:
    """lcm(sizes) / size by size, 0 for a size that is not legal; up to twice the largest."""
    common = lcm(*problem.sizes)
    return [
        common // size if size in problem.sizes else 0 for size in range(2 * problem.largest + 1)
    ]


def prohibitive_distance(problem: Problem, rows: Matrix, inner: Sequence[int]) -> int:
    """A distance such that a group with it costs more than any partition without."""
    everything = sum(map(sum, rows)) // 2 + sum(inner)
    return (everything + 1) * -(-problem.largest // problem.k)


def _nearest(unit: Unit, row: Sequence[int], weights: Sequence[int]) -> Units:
    pairs = ((distance / weight, other) for other, (distance, weight) in
             enumerate(zip(row, weights, strict=True)) if other != unit)  # fmt: skip
    return tuple(other for _, other in nsmallest(NEAR, pairs))


# States


@dataclass(frozen=True, slots=True, eq=False)
class Bunch:
    """A group of units. `pairs` is its sum of distances, `links[i]` that of units[i] to the rest.

    `number` is different for each bunch that a search ever makes. `terms` are the terms on
    which a unit can come, as far as they have been asked for.
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
    """What it costs a bunch to take in a unit: as one more, or for one of its own.

    `joining` is None where there is no room; `replacing` has a cost for each unit that could
    leave.
    """

    joining: int | None
    replacing: list[tuple[int, Unit]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Bunches of a state, and how their units are to be grouped instead."""

    old: Sequence[Bunch]
    new: Sequence[Units]


@dataclass(slots=True)
class State:
    """A partition on its way: the bunch of each unit, and their total cost.

    `made` counts the bunches made; `tested` are the bunches that are known to be divided
    among themselves at the least cost.
    """

    instance: Instance
    bunch_of: list[Bunch]
    total: int
    made: int
    tested: set[tuple[int, ...]]

    def bunches(self) -> list[Bunch]:
        """All bunches, by first unit."""
        return list(dict.fromkeys(self.bunch_of))

    def alive(self, bunch: Bunch) -> bool:
        return self.bunch_of[bunch.units[0]] is bunch

    def make(self, units: Iterable[Unit]) -> Bunch:
        """A bunch of these units, not yet part of the partition."""
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
        return Bunch(self.made, units, tuple(links), size, pairs, cost, {})

    def put(self, bunches: Iterable[Bunch]) -> None:
        """Make these bunches part of the partition."""
        for bunch in bunches:
            for unit in bunch.units:
                self.bunch_of[unit] = bunch

    def carry_out(self, exchange: Exchange) -> list[Bunch]:
        """The new bunches, which have replaced the old ones."""
        new = [self.make(units) for units in exchange.new]
        self.put(new)
        self.total += sum(bunch.cost for bunch in new) - sum(b.cost for b in exchange.old)
        return new

    def partition(self) -> Partition:
        """The partition of the records."""
        records = self.instance.records
        return Partition.of(
            [record for unit in bunch.units for record in records[unit]] for bunch in self.bunches()
        )


def state_of(instance: Instance, groups: Iterable[Iterable[Unit]]) -> State:
    """The state of a partition of the units into groups of legal sizes."""
    state = State(instance, [], 0, 0, set())
    bunches = [state.make(group) for group in groups]
    state.bunch_of = [bunches[0]] * len(instance.records)
    state.put(bunches)
    state.total = sum(bunch.cost for bunch in bunches)
    return state


def checked_state(problem: Problem, rows: Matrix, start: Partition) -> State:
    """The state of a start. Raises InvalidPartition unless the start is feasible."""
    if start.n != problem.n:
        raise InvalidPartition(f"the start has {start.n} records; the problem has {problem.n}")
    if not problem.feasible(start):
        raise InvalidPartition(
            f"the start has a group that is not of {problem.k} to {problem.largest} records, "
            "or breaks a constraint"
        )
    instance = instance_of(problem, rows)
    return state_of(instance, units_of(instance, start))


def units_of(instance: Instance, partition: Partition) -> list[Units]:
    """The groups of a partition that keeps units together, as units."""
    first = {block[0]: unit for unit, block in enumerate(instance.records)}
    return [tuple(first[r] for r in group if r in first) for group in partition.groups]


def near_bunches(state: State, bunch: Bunch, most: int) -> list[Bunch]:
    """The bunches of the nearest units of the bunch's units, nearest first."""
    bunch_of, near = state.bunch_of, state.instance.near
    found = {bunch: None}
    for others in zip(*[near[unit] for unit in bunch.units], strict=True):
        for other in others:
            found[bunch_of[other]] = None
        if len(found) > most:
            break
    return list(found)[1 : most + 1]


# Chains: a unit goes to another group, which lets go of one of its own, and so on


def _chains(state: State, bunch: Bunch) -> Exchange | None:
    """Moves of a unit, swaps of two, and chains of up to DEPTH that cost less than nothing."""
    for unit, link in zip(bunch.units, bunch.links, strict=True):
        exchange = _chain_from(state, bunch, unit, link)
        if exchange:
            return exchange
    return None


def _chain_from(state: State, bunch: Bunch, unit: Unit, link: int) -> Exchange | None:
    """The first length of chain from this unit that gains, and the best of that length.

    A chain ends by filling the place that its first unit left, or, where the first group
    can do without that unit, by joining a group that has room.
    """
    instance = state.instance
    share = instance.shares[bunch.size - instance.weights[unit]]
    left_pairs = bunch.pairs - link - instance.inner[unit]
    leaving = share * left_pairs - bunch.cost if share else None
    limit = max(0, -(leaving or 0))
    front: list[tuple[int, Units]] = [(0, (unit,))]
    for _ in range(DEPTH):
        best = 0
        ending: tuple[Units, Bunch | None] | None = None
        longer: list[tuple[int, Units]] = []
        for spent, units in front:
            filling = _filling(instance, bunch, unit, units[-1])
            if filling is not None and spent + filling < best:
                best, ending = spent + filling, (units, None)
            joining, host = _lengthen(state, spent, units, limit, longer)
            if leaving is not None and host and joining + leaving < best:
                best, ending = joining + leaving, (units, host)
        if ending:
            return _chain_exchange(state, *ending)
        front = nsmallest(BEAM, longer)
    return None


def _filling(instance: Instance, bunch: Bunch, out: Unit, unit: Unit) -> int | None:
    """What it costs the bunch to have the unit for another; None if that is impossible."""
    if unit == out:
        return None
    for cost, other in _terms(instance, bunch, unit).replacing:
        if other == out:
            return cost
    return None


def _lengthen(
    state: State, spent: int, units: Units, limit: int, longer: list[tuple[int, Units]]
) -> tuple[int, Bunch | None]:
    """Add to `longer` the chains with one unit more that have spent less than the limit.

    Returns the least cost of ending in a group that has room, and the group.
    """
    instance, bunch_of = state.instance, state.bunch_of
    last = units[-1]
    least, host = 0, None
    passed = [bunch_of[unit] for unit in units]
    for bunch in dict.fromkeys([bunch_of[other] for other in instance.near[last]]):
        if bunch in passed:
            continue
        terms = bunch.terms.get(last) or _terms(instance, bunch, last)
        if terms.joining is not None and (host is None or spent + terms.joining < least):
            least, host = spent + terms.joining, bunch
        for cost, out in terms.replacing:
            if spent + cost < limit:
                longer.append((spent + cost, (*units, out)))
    return least, host


def _terms(instance: Instance, bunch: Bunch, unit: Unit) -> Terms:
    """The terms on which the bunch takes in a unit of another."""
    known = bunch.terms.get(unit)
    if known:
        return known
    weights, inner, shares, row = (
        instance.weights,
        instance.inner,
        instance.shares,
        instance.rows[unit],
    )
    distances = [row[other] for other in bunch.units]
    pairs = bunch.pairs + sum(distances) + inner[unit]
    size = bunch.size + weights[unit]
    replacing = []
    for out, link, distance in zip(bunch.units, bunch.links, distances, strict=True):
        share = shares[size - weights[out]]
        if share:
            replacing.append((share * (pairs - link - distance - inner[out]) - bunch.cost, out))
    joining = shares[size] * pairs - bunch.cost if shares[size] else None
    terms = bunch.terms[unit] = Terms(joining, replacing)
    return terms


def _chain_exchange(state: State, chain: Units, host: Bunch | None) -> Exchange:
    """Each unit takes the place of the next; the last joins the host, or takes the first's."""
    old = [state.bunch_of[unit] for unit in chain]
    arriving: list[Units] = [chain[-1:] if host is None else (), *[(unit,) for unit in chain[:-1]]]
    new = [
        (*[unit for unit in bunch.units if unit != leaving], *joining)
        for bunch, leaving, joining in zip(old, chain, arriving, strict=True)
    ]
    if host:
        old.append(host)
        new.append((*host.units, chain[-1]))
    return Exchange(old, new)


# Dividing a few groups anew, in every possible way


@dataclass(frozen=True, slots=True)
class Divisions:
    """All ways to divide a few units into groups of legal sizes.

    Sets of units are bit masks. `shares[mask]` is the share of the set's size. `columns`
    has, for each number of groups, the masks of the first groups, of the second, and so on,
    and functions that take the values at those masks from a list.
    """

    shares: list[int]
    columns: list[list[tuple[Units, Callable[[list[int]], tuple[int, ...]]]]]


@lru_cache(maxsize=256)
def divisions_of(weights: Units, k: int, largest: int) -> Divisions | None:
    """The divisions of units of these weights; None if there are too many."""
    sizes = [0]
    for weight in weights:
        sizes += [size + weight for size in sizes]
    legal = [k <= size <= largest for size in sizes]
    common = lcm(*range(k, largest + 1))
    found: dict[int, list[Units]] = {}
    for number, division in enumerate(_divide(len(sizes) - 1, legal, sizes, k)):
        if number == MOST_DIVISIONS:
            return None
        found.setdefault(len(division), []).append(division)
    columns = [list(map(_taking, zip(*same, strict=True))) for same in found.values()]
    return Divisions(
        [common // size if ok else 0 for ok, size in zip(legal, sizes, strict=True)], columns
    )


def _divide(rest: int, legal: list[bool], sizes: list[int], k: int) -> Iterator[Units]:
    """All ways to divide the set `rest` into legal sets."""
    if legal[rest]:
        yield (rest,)
    if sizes[rest] < 2 * k:
        return
    first = rest & -rest
    others = rest ^ first
    subset = others
    while subset:
        subset = (subset - 1) & others
        group = subset | first
        if legal[group]:
            for division in _divide(rest ^ group, legal, sizes, k):
                yield (group, *division)


def _taking(masks: Units) -> tuple[Units, Callable[[list[int]], tuple[int, ...]]]:
    """The masks (at least two, so that itemgetter gives a tuple) and what takes their values."""
    masks = masks * 2 if len(masks) == 1 else masks
    return masks, itemgetter(*masks)


def _divide_anew(state: State, old: Sequence[Bunch]) -> Exchange | None:
    """The cheapest division of the units of some bunches, if it costs less."""
    numbers = tuple(sorted([bunch.number for bunch in old]))
    if numbers in state.tested:
        return None
    state.tested.add(numbers)
    instance = state.instance
    units = [unit for bunch in old for unit in bunch.units]
    if len(units) > MOST_UNITS:
        return None
    units.sort(key=instance.weights.__getitem__)
    divisions = divisions_of(
        tuple([instance.weights[unit] for unit in units]), instance.k, instance.largest
    )
    if divisions is None:
        return None
    costs = list(map(mul, divisions.shares, _pairs_of_subsets(instance, units)))
    division = _cheapest(divisions, costs, sum([bunch.cost for bunch in old]))
    if division is None:
        return None
    return Exchange(
        old, [tuple([u for i, u in enumerate(units) if mask >> i & 1]) for mask in division]
    )


def _pairs_of_subsets(instance: Instance, units: Sequence[Unit]) -> list[int]:
    """The sum of distances over the pairs of each subset, by bit mask."""
    pairs = [0]
    for position, unit in enumerate(units):
        row = instance.rows[unit]
        links = [instance.inner[unit]]
        for other in units[:position]:
            distance = row[other]
            links += [link + distance for link in links]
        pairs += map(add, pairs, links)
    return pairs


def _cheapest(divisions: Divisions, costs: list[int], limit: int) -> Units | None:
    """The masks of the division of least cost, if that is below the limit."""
    cheapest = None
    for columns in divisions.columns:
        sums: Sequence[int] = columns[0][1](costs)
        for _, take in columns[1:]:
            sums = list(map(add, sums, take(costs)))
        least = min(sums)
        if least < limit:
            limit = least
            cheapest = tuple([masks[sums.index(least)] for masks, _ in columns])
    return cheapest


def _pairs(state: State, bunch: Bunch) -> Exchange | None:
    """The bunch alone, or with a neighbour, divided anew."""
    exchange = _divide_anew(state, [bunch])
    for other in [] if exchange else near_bunches(state, bunch, PARTNERS[2]):
        exchange = exchange or _divide_anew(state, [bunch, other])
    return exchange


def _triples(state: State, bunch: Bunch) -> Exchange | None:
    """The bunch with two neighbours, divided anew."""
    for pair in combinations(near_bunches(state, bunch, PARTNERS[3]), 2):
        exchange = _divide_anew(state, [bunch, *pair])
        if exchange:
            return exchange
    return None


# More groups, or fewer


def _dissolution(state: State, bunch: Bunch) -> Exchange | None:
    """The units of the bunch go to other groups, if that costs less."""
    return _if_cheaper(state, _dissolved(state, bunch))


def _dissolved(state: State, bunch: Bunch) -> Exchange | None:
    """Each unit in turn joins the group with room where it adds least; None if there is none."""
    instance = state.instance
    hosts: dict[Bunch, Units] = {}
    for unit in bunch.units:
        row, best = instance.rows[unit], None
        for host in dict.fromkeys([state.bunch_of[other] for other in instance.near[unit]]):
            units = hosts.get(host, host.units)
            size = sum([instance.weights[other] for other in units]) + instance.weights[unit]
            if host is bunch or size > instance.largest:
                continue
            # An average distance: what a group gains when it is large anyway.
            added = instance.shares[size] * sum([row[other] for other in units])
            if best is None or added < best[0]:
                best = (added, host, (*units, unit))
        if best is None:
            return None
        hosts[best[1]] = best[2]
    return Exchange([bunch, *hosts], list(hosts.values()))


def _founding(state: State, bunch: Bunch) -> Exchange | None:
    """A new group of units that other groups can do without, if that costs less."""
    for unit in bunch.units:
        exchange = _if_cheaper(state, _founded(state, unit))
        if exchange:
            return exchange
    return None


def _founded(state: State, unit: Unit) -> Exchange | None:
    """A unit founds a group with the nearest that their groups can do without."""
    instance = state.instance
    size, founders = 0, []
    left: dict[Bunch, int] = {}
    for other in (unit, *instance.near[unit]):
        bunch, weight = state.bunch_of[other], instance.weights[other]
        remaining = left.get(bunch, bunch.size) - weight
        if remaining >= instance.k and size + weight <= instance.largest:
            left[bunch] = remaining
            founders.append(other)
            size += weight
        elif other == unit:
            return None
        if size >= instance.k:
            staying = [tuple([u for u in old.units if u not in founders]) for old in left]
            return Exchange(list(left), [tuple(founders), *staying])
    return None


def _splitting(state: State, bunch: Bunch) -> Exchange | None:
    """A bunch too large to be divided in every way is divided between two distant units."""
    instance = state.instance
    if bunch.size < 2 * instance.k or len(bunch.units) <= MOST_UNITS:
        return None
    first = bunch.units[bunch.links.index(max(bunch.links))]
    last = max(bunch.units, key=instance.rows[first].__getitem__)
    near, far = instance.rows[first], instance.rows[last]
    order = sorted(bunch.units, key=lambda unit: near[unit] - far[unit])
    size = 0
    for position, unit in enumerate(order, 1):
        size += instance.weights[unit]
        if instance.shares[size] and instance.shares[bunch.size - size]:
            parts = Exchange([bunch], [tuple(order[:position]), tuple(order[position:])])
            exchange = _if_cheaper(state, parts)
            if exchange:
                return exchange
    return None


def _if_cheaper(state: State, exchange: Exchange | None) -> Exchange | None:
    """The exchange, if it lowers the cost."""
    if exchange is None:
        return None
    cost = sum(state.make(units).cost for units in exchange.new)
    return exchange if cost < sum(bunch.cost for bunch in exchange.old) else None


# Descent

Neighbourhood = Callable[[State, Bunch], Exchange | None]

NEIGHBOURHOODS: tuple[Neighbourhood, ...] = (
    _chains,
    _pairs,
    _dissolution,
    _founding,
    _splitting,
    _triples,
)
"""Tried in this order: the cheapest to search first."""


def improved(
    problem: Problem,
    rows: Matrix,
    start: Partition,
    *,
    seconds: float | None = None,
    stop: Halt | None = None,
) -> Partition:
    """The partition that is reached from `start` by exchanges that each lower the SSE.

    `rows[i][j]` is the squared distance of two records, a whole number in any unit. It ends
    when no neighbourhood has an exchange that gains, or after so many seconds, or as soon as
    `stop()` is true. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    descend_fully(state, halting(seconds, stop))
    return state.partition()


def descend_fully(state: State, halt: Halt) -> None:
    """Descend until no bunch has an exchange that gains."""
    before = None
    while state.total != before and not halt():
        before = state.total
        descend(state, state.bunches(), halt)


def descend(
    state: State,
    bunches: Iterable[Bunch],
    halt: Halt,
    neighbourhoods: Sequence[Neighbourhood] = NEIGHBOURHOODS,
) -> None:
    """Carry out exchanges that gain, around these bunches and those that come of them."""
    waiting: list[dict[Bunch, None]] = [{} for _ in range(len(neighbourhoods) + 1)]
    waiting[0].update(dict.fromkeys(bunches))
    while any(waiting[:-1]) and not halt():
        level = next(level for level, some in enumerate(waiting) if some)
        bunch = next(iter(waiting[level]))
        del waiting[level][bunch]
        if not state.alive(bunch):
            continue
        exchange = neighbourhoods[level](state, bunch)
        if exchange:
            waiting[0].update(dict.fromkeys(state.carry_out(exchange)))
        else:
            waiting[level + 1][bunch] = None


def halting(seconds: float | None, stop: Halt | None) -> Halt:
    """Is the time over, from now on, or has `stop` become true?"""
    end = None if seconds is None else monotonic() + seconds
    return lambda: bool((end is not None and monotonic() >= end) or (stop and stop()))


# Iterated local search


def iterated(
    problem: Problem,
    rows: Matrix,
    start: Partition,
    *,
    rounds: int,
    tape: Tape,
    seconds: float | None = None,
) -> Partition:
    """Descend from `start`; then, in each round, disturb a few groups and descend from there.

    What a round leads to is kept unless it costs more. The same tape gives the same result,
    unless the time ends first. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    halt = halting(seconds, None)
    descend_fully(state, halt)
    for _ in range(rounds):
        if halt():
            break
        disturbed(state, tape, halt)
    descend_fully(state, halt)
    return state.partition()


def disturbed(state: State, tape: Tape, halt: Halt) -> None:
    """One round of `iterated`."""
    bunch_of, total = list(state.bunch_of), state.total
    exchange = _disturbance(state, tape)
    if exchange is None:
        return
    descend(state, state.carry_out(exchange), halt, (_chains,))
    if state.total > total:
        state.bunch_of, state.total = bunch_of, total


def _disturbance(state: State, tape: Tape) -> Exchange | None:
    """A group drawn by lot is dissolved, or a new one founded, or units are swapped by lot."""
    unit = tape.below(len(state.bunch_of))
    way = tape.below(4)
    if way == 0:
        return _dissolved(state, state.bunch_of[unit])
    if way == 1:
        return _founded(state, unit)
    return _mixed(state, state.bunch_of[unit], tape)


def _mixed(state: State, bunch: Bunch, tape: Tape) -> Exchange | None:
    """Some swaps by lot among a bunch and neighbours, of units of the same weight."""
    others = near_bunches(state, bunch, 8)
    if not others:
        return None
    old = [bunch, *tape.sample(others, min(len(others), 1 + tape.below(4)))]
    new = [list(b.units) for b in old]
    weights = state.instance.weights
    for _ in range(3 + tape.below(6)):
        a, b = tape.sample(new, 2)
        i, j = tape.below(len(a)), tape.below(len(b))
        if weights[a[i]] == weights[b[j]]:
            a[i], b[j] = b[j], a[i]
    return Exchange(old, list(map(tuple, new)))


# Feasible starts


def feasible_start(problem: Problem, rows: Matrix) -> Partition | None:
    """Some partition of legal sizes that keeps every constraint; the same each time.

    None if there is none, as trying everything has shown (possible for few records), or if
    none was found by looking at EFFORT groups, nor by REPAIRS disturbances of a partition
    that breaks constraints (for more records). Without constraints there always is one.
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
    """A search for lower costs, that is for fewer records together that must be apart."""
    halt, tape = halting(None, None), seeded(0)
    descend_fully(state, halt)
    for _ in range(REPAIRS):
        if problem.feasible(state.partition()):
            break
        disturbed(state, tape, halt)
    partition = state.partition()
    return partition if problem.feasible(partition) else None


def _greedy(instance: Instance) -> list[Units] | None:
    """Groups of near units around the most distant ones; what is left over joins the nearest.

    Sizes are legal. Units that must be apart may share a group, if they found no other.
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
        room = [
            group
            for group in groups
            if instance.shares[sum(instance.weights[u] for u in (*group, unit))]
        ]
        if not room:
            return None
        links = [sum(instance.rows[unit][other] for other in group) for group in room]
        room[links.index(min(links))].append(unit)
    return list(map(tuple, groups))


def _around(instance: Instance, seed: Unit, waiting: list[Unit]) -> list[Unit] | None:
    """The seed and the nearest units that wait, until there are k records; None if none fit."""
    weights, row = instance.weights, instance.rows[seed]
    group, size = [seed], weights[seed]
    while size < instance.k:
        room = instance.largest - size
        fitting = (u for u in waiting if weights[u] <= room and u not in group)
        nearest = min(fitting, key=lambda unit: row[unit] / weights[unit], default=None)
        if nearest is None:
            return None
        group.append(nearest)
        size += weights[nearest]
    return group


@dataclass(slots=True)
class Placing:
    """Units placed one by one into groups: what `_placement` has done so far."""

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
        """Are there too few records left to fill the groups, or too many to find room?"""
        lacking = sum([problem.k - size for size in self.sizes if size < problem.k])
        room = problem.most * problem.largest - sum(self.sizes)
        return lacking > self.left or room < self.left


def _placement(problem: Problem, instance: Instance) -> tuple[list[Units] | None, bool]:
    """Every way to place the units, one after the other, until one is feasible or EFFORT spent.

    The groups, if any were found; and whether everything was tried in vain.
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
    """For each unit those that it must not share a group with."""
    unit_of = {r: unit for unit, block in enumerate(instance.records) for r in block}
    apart: list[set[Unit]] = [set() for _ in instance.records]
    for a, b in problem.apart:
        apart[unit_of[a]].add(unit_of[b])
        apart[unit_of[b]].add(unit_of[a])
    return apart


def _places(
    problem: Problem,
    instance: Instance,
    placing: Placing,
    unit: Unit,
    apart: list[set[Unit]],
) -> Iterator[int]:
    """The groups that may take the unit, nearest first, then a new one."""
    room = problem.largest - instance.weights[unit]
    row = instance.rows[unit]
    numbers = [
        number
        for number, group in enumerate(placing.groups)
        if placing.sizes[number] <= room and apart[unit].isdisjoint(group)
    ]
    numbers.sort(
        key=lambda number: sum([row[u] for u in placing.groups[number]]) / placing.sizes[number]
    )
    if len(placing.groups) < problem.most:
        numbers.append(len(placing.groups))
    return iter(numbers)
