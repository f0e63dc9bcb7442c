"""The search of `pricing.py`, and reduced costs, over 64-bit integers and compiled by Numba.

It finds the groups that the plain search finds, with the same keys and limits. It is used where
Numba is installed and every sum fits into 64 bits (`fits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from oracle.optima.cuts import Cut
from oracle.optima.pricing import Found, Geometry, Prices, Pricing, Rows, TooMany
from refagg.language.partition import Group, Record

WHOLE = 2**62
"""No sum may reach this."""

ROOM = 4096
"""The search has room for so many groups at first; when it is full, it begins again with more."""

NONE = -1
"""In place of a number that is not given."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """A geometry as arrays: distances, neighbours by distance, sums of the least distances."""

    rows: Any
    near: Any
    nn: Any

    @classmethod
    def of(cls, rows: Rows, near: Rows, nn: Sequence[Sequence[int]]) -> Arrays:
        return cls(
            np.array([np.asarray(row, dtype=np.int64) for row in rows]),
            np.array([np.asarray(row, dtype=np.int32) for row in near]),
            np.array(nn, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class CutArrays:
    """The cuts by record: `number[start[r]:start[r + 1]]` are those that weigh record r, with its
    `weight`; `divisor` and `price` (at least 0) are by number."""

    start: Any
    number: Any
    weight: Any
    divisor: Any
    price: Any

    @classmethod
    def of(cls, cuts: dict[Cut, int], n: int) -> CutArrays:
        priced = [(cut, price) for cut, price in cuts.items() if price]
        of_record: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        for number, (cut, _) in enumerate(priced):
            for record, weight in zip(cut.records, cut.weights, strict=True):
                of_record[record].append((number, weight))
        entries = [entry for own in of_record for entry in own]
        return cls(
            np.cumsum([0, *map(len, of_record)]),
            np.array([number for number, _ in entries], dtype=np.int64),
            np.array([weight for _, weight in entries], dtype=np.int64),
            np.array([cut.divisor for cut, _ in priced], dtype=np.int64),
            np.array([-price for _, price in priced], dtype=np.int64),
        )


def fits(geometry: Geometry, prices: Prices, limit: int) -> bool:
    """Does every sum of a search fit into 64 bits? Groups of one record are not searched for."""
    assert geometry.arrays is not None
    if geometry.sizes[0] < 2:
        return False
    farthest = int(geometry.arrays.rows.max())
    largest = geometry.sizes[-1]
    costs = max(share * size * size for size, share in geometry.shares.items()) * farthest
    records = (largest + 2) * max(map(abs, prices.records))
    return costs + records + abs(limit) + _others(prices) < WHOLE


def _others(prices: Prices) -> int:
    """More than the price of a group and all that it can owe to cuts."""
    return abs(prices.group) + sum(
        -price * (sum(cut.weights) + 1) for cut, price in prices.cuts.items()
    )


def search(pricing: Pricing, arrays: Arrays, anchors: Sequence[Record]) -> list[Found]:
    """Every group sought whose anchor is among `anchors`. Raises TooMany."""
    found: list[Found] = []
    cuts = CutArrays.of(pricing.prices.cuts, pricing.geometry.n)
    y = np.array(pricing.prices.records, dtype=np.int64)
    places = np.array(pricing.places(), dtype=np.int64)
    around = np.array(anchors, dtype=np.int64)
    for size in pricing.geometry.sizes:
        left = NONE if pricing.most is None else pricing.most - len(found)
        reduced, groups = _found(pricing, arrays, cuts, (y, places, around), size, left)
        found += zip(reduced.tolist(), map(tuple, groups.tolist()), strict=True)
    return found


def _found(
    pricing: Pricing, arrays: Arrays, cuts: CutArrays, by_record: tuple[Any, Any, Any], size: int,
    most: int,
) -> tuple[Any, Any]:  # fmt: skip
    """Reduced costs and groups of one size. Raises TooMany if they are more than `most`."""
    room = ROOM
    while True:
        room = room if most == NONE else min(room, most + 1)
        reduced = np.empty(room, dtype=np.int64)
        groups = np.empty((room, size), dtype=np.int32)
        number = _search(
            arrays.rows, arrays.near, arrays.nn, pricing.geometry.shares[size], size, *by_record,
            pricing.prices.group, cuts.start, cuts.number, cuts.weight, cuts.divisor, cuts.price,
            pricing.limit, NONE if pricing.reach is None else pricing.reach,
            NONE if pricing.enough is None else pricing.enough, reduced, groups,
        )  # fmt: skip
        if most != NONE and number > most:
            raise TooMany
        if number <= room:
            return reduced[:number], np.sort(groups[:number], axis=1)
        room *= 8


def _search(  # noqa: C901
    rows: Any, near: Any, nn: Any, share: int, size: int, y: Any, place: Any, anchors: Any,
    price: int, start: Any, cut_of: Any, weight_of: Any, divisor: Any, cut_price: Any,
    limit: int, reach: int, enough: int, reduced: Any, groups: Any,
) -> int:  # fmt: skip
    """Fill `reduced` and `groups`; how many were found, more than there is room for if it ended."""
    n, room = len(y), len(reduced)
    bounds = share * nn[:, max(size - 2, 0)] // 2 - y
    least = bounds.min()
    keys = np.empty((size, n), dtype=np.int64)
    records = np.empty((size, n), dtype=np.int64)
    count = np.zeros(size, dtype=np.int64)
    position = np.zeros(size, dtype=np.int64)
    base = np.zeros(size + 1, dtype=np.int64)
    part = np.empty(size, dtype=np.int64)
    weights = np.zeros(len(divisor), dtype=np.int64)
    candidates = np.empty(n, dtype=np.int64)
    values = np.empty(n, dtype=np.int64)
    smallest = np.empty(size, dtype=np.int64)
    found = 0
    for anchor in anchors:
        first, now_limit = found, limit
        part[0] = anchor
        base[0] = -y[anchor] - price
        for entry in range(start[anchor], start[anchor + 1]):
            cut = cut_of[entry]
            weights[cut] += weight_of[entry]
            base[0] += cut_price[cut] * (weights[cut] // divisor[cut])
        # the candidates, and the least keys that the others can have
        others = size - 2
        radius = now_limit - base[0] - others * least + y[anchor]
        number = 0
        for rank in range(n - 1 if reach < 0 else min(reach, n - 1)):
            j = near[anchor, rank]
            away = share * rows[anchor, j]
            if away > radius:
                break
            if place[j] > place[anchor]:
                candidates[number] = j
                values[number] = away + bounds[j]
                number += 1
        if number >= size - 1:
            slack = now_limit - base[0]
            for _ in range(others):
                smallest[_] = WHOLE
            for i in range(number):
                value = values[i]
                for m in range(others):
                    if value < smallest[m]:
                        value, smallest[m] = smallest[m], value
            for m in range(others):
                slack -= smallest[m]
            kept = 0
            for i in range(number):
                if values[i] <= slack:
                    j = candidates[i]
                    records[0, kept] = j
                    keys[0, kept] = share * rows[anchor, j] - y[j]
                    kept += 1
            count[0] = kept
            level = 0 if kept >= size - 1 else -1
        else:
            level = -1
        if level == 0:
            order = np.argsort(keys[0, : count[0]])
            keys[0, : count[0]] = keys[0, : count[0]][order]
            records[0, : count[0]] = records[0, : count[0]][order]
            position[0] = 0
        while level >= 0:
            left = size - 1 - level
            at = position[level]
            ahead = base[level]
            if at + left <= count[level]:
                for m in range(left):
                    ahead += keys[level, at + m]
            if at + left > count[level] or ahead > now_limit:
                # nothing more at this level: take back the record that led to it
                if level > 0:
                    member = part[level]
                    for entry in range(start[member], start[member + 1]):
                        weights[cut_of[entry]] -= weight_of[entry]
                level -= 1
                continue
            position[level] = at + 1
            j = records[level, at]
            now = base[level] + keys[level, at]
            for entry in range(start[j], start[j + 1]):
                cut = cut_of[entry]
                before = weights[cut]
                now += cut_price[cut] * (
                    (before + weight_of[entry]) // divisor[cut] - before // divisor[cut]
                )
            if left == 1:
                if now <= now_limit:
                    spot = found
                    if enough > 0 and found - first >= enough:
                        spot = first
                        for i in range(first, found):
                            if reduced[i] > reduced[spot]:
                                spot = i
                    if spot >= room:
                        return room + 1
                    if spot == found or now < reduced[spot]:
                        reduced[spot] = now
                        for m in range(level + 1):
                            groups[spot, m] = part[m]
                        groups[spot, level + 1] = j
                    if spot == found:
                        found += 1
                    if enough > 0 and found - first >= enough:
                        now_limit = reduced[first]
                        for i in range(first, found):
                            now_limit = max(now_limit, reduced[i])
                continue
            # what the records behind j add to the part with j
            still = left - 2
            for m in range(still):
                smallest[m] = WHOLE
            number = 0
            for i in range(at + 1, count[level]):
                value = keys[level, i] + share * rows[j, records[level, i]]
                values[number] = value
                candidates[number] = records[level, i]
                number += 1
                for m in range(still):
                    if value < smallest[m]:
                        value, smallest[m] = smallest[m], value
            if number < left - 1:
                continue
            slack = now_limit - now
            for m in range(still):
                slack -= smallest[m]
            kept = 0
            for i in range(number):
                if values[i] <= slack:
                    keys[level + 1, kept] = values[i]
                    records[level + 1, kept] = candidates[i]
                    kept += 1
            if kept < left - 1:
                continue
            order = np.argsort(keys[level + 1, :kept])
            keys[level + 1, :kept] = keys[level + 1, :kept][order]
            records[level + 1, :kept] = records[level + 1, :kept][order]
            for entry in range(start[j], start[j + 1]):
                weights[cut_of[entry]] += weight_of[entry]
            level += 1
            part[level] = j
            base[level], count[level], position[level] = now, kept, 0
        for entry in range(start[anchor], start[anchor + 1]):
            weights[cut_of[entry]] -= weight_of[entry]
    return found


_search = numba.njit(cache=True)(_search)


class Block:
    """Groups and their costs as arrays that grow. Groups are as wide as the largest; n fills up."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.members = np.empty((0, 1), dtype=np.int32)
        self.costs = np.empty(0, dtype=np.int64)

    def extend(self, groups: Sequence[Group], costs: Sequence[int]) -> None:
        """Add those that are not in it yet; they come after the others."""
        known = len(self.costs)
        if known == len(groups):
            return
        new = groups[known:]
        width = max(self.members.shape[1], max(map(len, new)))
        block = np.full((len(groups), width), self.n, dtype=np.int32)
        block[:known, : self.members.shape[1]] = self.members
        for number, group in enumerate(new, known):
            block[number, : len(group)] = group
        self.members = block
        self.costs = np.concatenate([self.costs, np.array(costs[known:], dtype=np.int64)])

    def reduced(self, prices: Prices) -> list[int] | None:
        """The reduced cost of each group; None if that needs more than 64 bits."""
        greatest = int(self.costs.max(initial=0))
        records = self.members.shape[1] * max(map(abs, prices.records))
        if greatest + records + _others(prices) >= WHOLE:
            return None
        cuts = CutArrays.of(prices.cuts, self.n)
        y = np.array(prices.records, dtype=np.int64)
        reduced: list[int] = _reduced(
            self.members, self.costs, y, prices.group,
            cuts.start, cuts.number, cuts.weight, cuts.divisor, cuts.price,
        ).tolist()  # fmt: skip
        return reduced


def _reduced(
    members: Any, costs: Any, y: Any, price: int,
    start: Any, cut_of: Any, weight_of: Any, divisor: Any, cut_price: Any,
) -> Any:  # fmt: skip
    n = len(y)
    weights = np.zeros(len(divisor), dtype=np.int64)
    result = np.empty(len(costs), dtype=np.int64)
    for number in range(len(costs)):
        value = costs[number] - price
        for record in members[number]:
            if record == n:
                break
            value -= y[record]
            for entry in range(start[record], start[record + 1]):
                cut = cut_of[entry]
                before = weights[cut]
                weights[cut] += weight_of[entry]
                value += cut_price[cut] * (weights[cut] // divisor[cut] - before // divisor[cut])
        for record in members[number]:
            if record == n:
                break
            for entry in range(start[record], start[record + 1]):
                weights[cut_of[entry]] = 0
        result[number] = value
    return result


_reduced = numba.njit(cache=True)(_reduced)
