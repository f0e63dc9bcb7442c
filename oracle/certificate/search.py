"""Every group whose reduced cost is at most a limit, in whole numbers.

Few groups are looked at one by one. Of many, the search follows only those that can still
come down to the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations
from math import comb

Group = tuple[int, ...]
Priced = tuple[int, Group]
"""A reduced cost and its group."""

FEW = 50_000
"""So many groups, or fewer, are all looked at."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Of the groups chosen, floor(weight / divisor) add up to at most `right`.

    The weight of a group is the sum of the weights of its records.
    """

    weights: dict[int, int]
    divisor: int
    price: int

    @property
    def right(self) -> int:
        return sum(self.weights.values()) // self.divisor

    def coefficient(self, group: Iterable[int]) -> int:
        return sum(self.weights.get(record, 0) for record in group) // self.divisor


class Prices:
    """Multipliers of the records, of every group, and of the cuts."""

    def __init__(self, records: Sequence[int], group: int, cuts: Sequence[Cut]) -> None:
        self.records = records
        self.group = group
        self._cuts: dict[int, list[tuple[int, Cut]]] = {}
        for number, cut in enumerate(cuts):
            for record in cut.weights:
                self._cuts.setdefault(record, []).append((number, cut))

    def of(self, group: Group) -> int:
        """What a group pays for: its cost less this is its reduced cost."""
        touched = {number: cut for r in group for number, cut in self._cuts.get(r, ())}
        cuts = sum(cut.price * cut.coefficient(group) for cut in touched.values())
        return sum(self.records[record] for record in group) + self.group + cuts


@dataclass(frozen=True, slots=True)
class Costs:
    """A group of s records costs share[s] times the sum of its pairs' distances."""

    rows: Sequence[Sequence[int]]
    share: dict[int, int]

    def of(self, group: Group) -> int:
        pairs = sum(self.rows[a][b] for a, b in combinations(group, 2))
        return self.share[len(group)] * pairs


def groups_within(
    costs: Costs,
    prices: Prices,
    limit: int,
    allowed: Callable[[Group], bool],
    anchors: Sequence[int] | None = None,
) -> Iterator[Priced]:
    """The allowed groups with a reduced cost of at most the limit.

    With `anchors`, only those whose dearest record is one of them.
    """
    n = len(costs.rows)
    if anchors is None and sum(comb(n, size) for size in costs.share) <= FEW:
        found = _all_groups(costs, prices, limit)
    else:
        found = _promising_groups(costs, prices, limit, range(n) if anchors is None else anchors)
    return (priced for priced in found if allowed(priced[1]))


def _all_groups(costs: Costs, prices: Prices, limit: int) -> Iterator[Priced]:
    for size in costs.share:
        for group in combinations(range(len(costs.rows)), size):
            reduced = costs.of(group) - prices.of(group)
            if reduced <= limit:
                yield reduced, group


def _promising_groups(
    costs: Costs, prices: Prices, limit: int, anchors: Sequence[int]
) -> Iterator[Priced]:
    """Groups by their dearest record, the anchor, which is then joined by others.

    Cuts have prices of at most 0 and can only make a group dearer, so they may be left out
    until it is complete. The cost of a group is half the sum, over its records, of the
    distances to the others; none of those is less than the distance to the nearest record.
    """
    y = prices.records
    records = range(len(y))
    nearest = [
        min((d for j, d in enumerate(row) if j != i), default=0) for i, row in enumerate(costs.rows)
    ]
    for size, share in costs.share.items():
        inner = [share * (size - 2) * d // 2 - price for d, price in zip(nearest, y, strict=True)]
        for anchor in anchors:
            row, dearest = costs.rows[anchor], (y[anchor], anchor)
            room = limit + y[anchor] + prices.group
            others = [(share * row[j] + inner[j], j) for j in records if (y[j], j) < dearest]
            if len(others) < size - 1:
                continue
            least = nsmallest(size - 1, others)
            room_for_one = room - sum(bound for bound, _ in least[:-1])
            keys = [(share * row[j] - y[j], j) for bound, j in others if bound <= room_for_one]
            for group in _completed((anchor,), keys, size - 1, room, share, costs.rows):
                reduced = costs.of(group) - prices.of(group)
                if reduced <= limit:
                    yield reduced, group


def _completed(
    part: Group,
    keys: list[tuple[int, int]],
    missing: int,
    room: int,
    share: int,
    rows: Sequence[Sequence[int]],
) -> Iterator[Group]:
    """The part with so many records more, whose keys and distances add up to the room at most.

    A key is what a record adds to the reduced cost of the part.
    """
    if missing == 0:
        yield tuple(sorted(part))
        return
    keys = sorted(keys)
    for position, (key, j) in enumerate(keys[: len(keys) - missing + 1]):
        if sum(k for k, _ in keys[position : position + missing]) > room:
            return
        row, left = rows[j], room - key
        rest = [(k + share * row[i], i) for k, i in keys[position + 1 :]]
        yield from _completed(
            (*part, j),
            [x for x in rest if x[0] <= left + _slack(rest, missing - 2)],
            missing - 1,
            left,
            share,
            rows,
        )


def _slack(keys: list[tuple[int, int]], others: int) -> int:
    """How much `others` records may take off, at most."""
    return -sum(k for k, _ in nsmallest(others, keys)) if others > 0 else 0
