"""Groups whose records change places, join others and are divided anew, where that costs less.

The cost of a group is the sum of the distances of its pairs over its size, and every cost is
computed anew from the distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice
from math import gcd, lcm

from plain import mdav, mdav_single
from plain.geometry import Point, gap
from plain.stream import Stream

Group = tuple[int, ...]
Change = tuple[list[int], list[Group]]
"""The numbers of groups, and the groups that take their place."""

Chain = tuple[int, Group]
"""What it costs so far, and the records of which each takes the place of the next."""

End = tuple[int, Group, int | None]
"""What it costs with its end, its records, and the group that the last one joins, if any."""

STARTS = {"mdav": mdav.partition, "mdav-single": mdav_single.partition}


def partition(
    points: Sequence[Point], k: int, start: str, rounds: int, seed: int = 7
) -> list[list[int]]:
    first = sorted(map(sorted, STARTS[start](points, k)))
    search = Search(points, k, [tuple(group) for group in first])
    stream = Stream(seed)
    search.until_nothing_helps()
    for _ in range(rounds):
        before = dict(search.home), search.cost()
        change = search.drawn_change(stream)
        if change:
            search.improve(search.make(*change), [search.chain])
            if search.cost() > before[1]:
                search.home = before[0]
    search.until_nothing_helps()
    found = [list(search.groups[number]) for number in search.now()]
    return found if scatter(points, found) <= scatter(points, first) else first


def scatter(points: Sequence[Point], groups: Iterable[Sequence[int]]) -> Fraction:
    return sum(
        (
            gap(points[a], points[b]) / len(group)
            for group in groups
            for a, b in combinations(group, 2)
        ),
        Fraction(0),
    )


def shortened(points: Sequence[Point]) -> list[list[int]]:
    """The squared distances in proportion, as integers of at most 46 bits."""
    exact = [[gap(a, b) for b in points] for a in points]
    unit = lcm(*(value.denominator for row in exact for value in row))
    whole = [[int(value * unit) for value in row] for row in exact]
    common = gcd(*(value for row in whole for value in row)) or 1
    whole = [[value // common for value in row] for row in whole]
    surplus = max(max(map(max, whole)).bit_length() - 46, 0)
    return [[value >> surplus for value in row] for row in whole]


class Search:
    """Groups by number, dead ones too; `home` has the number of the group of each record."""

    def __init__(self, points: Sequence[Point], k: int, groups: Sequence[Group]) -> None:
        self.k, self.most = k, min(2 * k - 1, len(points))
        self.distance, self.unit = shortened(points), lcm(*range(1, self.most + 1))
        self.costs: dict[frozenset[int], int] = {}
        everyone = range(len(points))
        self.near = [
            sorted((o for o in everyone if o != r), key=lambda o, r=r: (self.distance[r][o], o))[
                :16
            ]  # type: ignore[misc]
            for r in everyone
        ]
        self.groups: list[Group] = []
        self.home: dict[int, int] = {}
        self.make([], groups)

    def make(self, old: Sequence[int], new: Sequence[Group]) -> list[int]:
        """The numbers of the new groups."""
        numbers = []
        for group in new:
            numbers.append(len(self.groups))
            self.groups.append(group)
            self.home |= dict.fromkeys(group, numbers[-1])
        return numbers

    def now(self) -> list[int]:
        return list(dict.fromkeys(self.home[r] for r in sorted(self.home)))

    def cost_of(self, group: Sequence[int]) -> int:
        """In a unit in which it is an integer, whatever the size."""
        known = frozenset(group)
        if known not in self.costs:
            pairs = sum(self.distance[a][b] for a, b in combinations(group, 2))
            self.costs[known] = pairs * (self.unit // len(group))
        return self.costs[known]

    def cost(self) -> int:
        return sum(self.cost_of(self.groups[number]) for number in self.now())

    def until_nothing_helps(self) -> None:
        ways = [self.chain, self.two_anew, self.dissolution, self.formation, self.three_anew]
        before = None
        while before != self.cost():
            before = self.cost()
            self.improve(self.now(), ways)

    def improve(
        self, numbers: Sequence[int], ways: Sequence[Callable[[int], Change | None]]
    ) -> None:
        """A group is tried in the next way when no other group waits to be tried in this one or one
        before; groups that are made are tried in all ways."""
        waiting: list[list[int]] = [list(numbers), *([] for _ in ways)]
        while any(waiting[:-1]):
            level = min(i for i, some in enumerate(waiting) if some)
            number = waiting[level].pop(0)
            if self.home[self.groups[number][0]] == number:
                change = ways[level](number)
                if change:
                    waiting[0] += self.make(*change)
                else:
                    waiting[level + 1].append(number)

    def cheaper(self, change: Change | None) -> Change | None:
        if change is None:
            return None
        old = sum(self.cost_of(self.groups[number]) for number in change[0])
        return change if sum(map(self.cost_of, change[1])) < old else None

    def homes(self, records: Iterable[int]) -> list[int]:
        return list(dict.fromkeys(self.home[r] for r in records))

    def neighbours(self, number: int, most: int) -> list[int]:
        """Of the groups of the nearest records of each of its records, then of the second, ..."""
        found = [number]
        for others in zip(*(self.near[r] for r in self.groups[number]), strict=True):
            found += [other for other in self.homes(others) if other not in found]
            if len(found) > most:
                break
        return found[1 : most + 1]

    # Chains

    def chain(self, number: int) -> Change | None:
        for record in self.groups[number]:
            change = self.chain_from(number, record)
            if change:
                return change
        return None

    def swapped(self, number: int, out: int, new: int) -> int:
        """What it costs a group to have another record in the place of one."""
        group = self.groups[number]
        return self.cost_of([r for r in group if r != out] + [new]) - self.cost_of(group)

    def chain_from(self, number: int, record: int) -> Change | None:
        group, chains = self.groups[number], [(0, (record,))]
        spare = None
        if len(group) > self.k:
            spare = self.cost_of([r for r in group if r != record]) - self.cost_of(group)
        for _ in range(6):
            ends = [end for one in chains for end in self.ends(number, one, spare)]
            cost, links, host = min(ends, key=lambda end: end[0], default=(0, (), None))
            if cost < 0:
                return self.along(links, host)
            longer = [one for chain in chains for one in self.longer(chain)]
            chains = sorted(one for one in longer if one[0] < max(0, -(spare or 0)))[:5]
        return None

    def ends(self, number: int, chain: Chain, spare: int | None) -> Iterator[End]:
        """The last record goes to the place of the first, or joins the group where it costs
        least."""
        spent, links = chain
        if len(links) > 1:
            yield spent + self.swapped(number, links[0], links[-1]), links, None
        hosts = [g for g in self.ahead(links) if len(self.groups[g]) < self.most]
        if spare is not None and hosts:
            more = {g: self.cost_of([*self.groups[g], links[-1]]) for g in hosts}
            more = {g: cost - self.cost_of(self.groups[g]) for g, cost in more.items()}
            host = min(more, key=more.__getitem__)
            yield spent + more[host] + spare, links, host

    def longer(self, chain: Chain) -> Iterator[Chain]:
        spent, links = chain
        for number in self.ahead(links):
            for out in self.groups[number]:
                yield spent + self.swapped(number, out, links[-1]), (*links, out)

    def ahead(self, links: Group) -> list[int]:
        passed = self.homes(links)
        return [number for number in self.homes(self.near[links[-1]]) if number not in passed]

    def along(self, links: Group, host: int | None) -> Change:
        """Each record goes where the next one was, the last to the host or where the first was."""
        old = [self.home[r] for r in links]
        come: list[Group] = [links[-1:] if host is None else (), *((r,) for r in links[:-1])]
        new = [
            (*(r for r in self.groups[number] if r != gone), *others)
            for number, gone, others in zip(old, links, come, strict=True)
        ]
        if host is None:
            return old, new
        return [*old, host], [*new, (*self.groups[host], links[-1])]

    # Groups divided anew

    def two_anew(self, number: int) -> Change | None:
        pairs = [[number], *([number, other] for other in self.neighbours(number, 10))]
        return next(filter(None, map(self.anew, pairs)), None)

    def three_anew(self, number: int) -> Change | None:
        pairs = combinations(self.neighbours(number, 6), 2)
        return next(filter(None, (self.anew([number, *pair]) for pair in pairs)), None)

    def anew(self, numbers: list[int]) -> Change | None:
        records = [r for number in numbers for r in self.groups[number]]
        if len(records) > 14:
            return None
        found = list(islice(self.divisions(tuple(records)), 12_001))
        if len(found) > 12_000:
            return None
        best, limit = None, sum(self.cost_of(self.groups[number]) for number in numbers)
        for count in dict.fromkeys(map(len, found)):
            of_count = [division for division in found if len(division) == count]
            costs = [sum(map(self.cost_of, division)) for division in of_count]
            if min(costs) < limit:
                best, limit = of_count[costs.index(min(costs))], min(costs)
        return (numbers, best) if best else None

    def divisions(self, records: Group) -> Iterator[list[Group]]:
        """The first record with many of the last others before fewer, and before earlier ones."""
        if self.k <= len(records) <= self.most:
            yield [records]
        first, *others = records
        places = range(len(others))
        legal = [
            chosen
            for size in range(self.k, min(self.most, len(records) - self.k) + 1)
            for chosen in combinations(reversed(places), size - 1)
        ]
        for chosen in sorted(legal, reverse=True):
            group = (first, *(others[i] for i in reversed(chosen)))
            rest = tuple(r for i, r in enumerate(others) if i not in chosen)
            for division in self.divisions(rest):
                yield [group, *division]

    # More groups, or fewer

    def dissolution(self, number: int) -> Change | None:
        return self.cheaper(self.dissolved(number))

    def dissolved(self, number: int) -> Change | None:
        grown: dict[int, Group] = {}
        for record in self.groups[number]:
            costs = {}
            for host in self.homes(self.near[record]):
                there = grown.get(host, self.groups[host])
                if host != number and len(there) < self.most:
                    total = sum(self.distance[record][other] for other in there)
                    costs[host] = total * (self.unit // (len(there) + 1))
            if not costs:
                return None
            host = min(costs, key=costs.__getitem__)
            grown[host] = (*grown.get(host, self.groups[host]), record)
        return [number, *grown], list(grown.values())

    def formation(self, number: int) -> Change | None:
        changes = (self.cheaper(self.formed(record)) for record in self.groups[number])
        return next(filter(None, changes), None)

    def formed(self, record: int) -> Change | None:
        members: list[int] = []
        for other in (record, *self.near[record]):
            group = self.groups[self.home[other]]
            if sum(r not in members for r in group) > self.k:
                members.append(other)
            elif other == record:
                return None
            if len(members) == self.k:
                old = self.homes(members)
                staying = [tuple(r for r in self.groups[o] if r not in members) for o in old]
                return old, [tuple(members), *staying]
        return None

    # By lot

    def drawn_change(self, stream: Stream) -> Change | None:
        record, way = stream.below(len(self.home)), stream.below(4)
        if way == 0:
            return self.dissolved(self.home[record])
        return self.formed(record) if way == 1 else self.shuffled(self.home[record], stream)

    def shuffled(self, number: int, stream: Stream) -> Change | None:
        others = self.neighbours(number, 8)
        if not others:
            return None
        wanted = min(len(others), 1 + stream.below(4))
        old = [number, *(others[i] for i in stream.sample(len(others), wanted))]
        new = [list(self.groups[n]) for n in old]
        for _ in range(3 + stream.below(6)):
            a, b = (new[i] for i in stream.sample(len(new), 2))
            i, j = stream.below(len(a)), stream.below(len(b))
            a[i], b[j] = b[j], a[i]
        return old, [tuple(group) for group in new]
