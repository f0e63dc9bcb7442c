"""The search of `pricing.py` over 64-bit integers, compiled by Numba.

It finds the groups that the plain search finds, with the same keys and limits. It is used where
Numba is installed and every sum fits into 64 bits (`fits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oracle.optima.cuts import Cut
from oracle.optima.pricing import Found, Geometry, Prices, Pricing, Rows, TooMany
from refagg.engine.compiled import compiled
from refagg.language.partition import Record

Ints = NDArray[np.int64] | NDArray[np.int32]
Cuts = tuple[Ints, ...]

WHOLE = 2**62
"""No sum may reach this."""

ROOM = 4096
"""The search has space for so many groups at first; when it is full, it begins again with more."""

NONE = -1
"""In place of a number that is not given."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Geometry as arrays.

    They are distances, neighbours by distance, and sums of the least distances.
    """

    rows: Ints
    near: Ints
    nn: Ints

    @classmethod
    def of(cls, rows: Rows, near: Rows, nn: Sequence[Sequence[int]]) -> Arrays:
        return cls(
            np.array([np.asarray(row, dtype=np.int64) for row in rows]),
            np.array([np.asarray(row, dtype=np.int32) for row in near]),
            np.array(nn, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class CutArrays:
    """Cuts by record, as arrays.

    `number[start[r]:start[r + 1]]` are the cuts that weigh record r, with its `weight`; `divisor`
    and `price` (at least 0) are by number.
    """

    start: Ints
    number: Ints
    weight: Ints
    divisor: Ints
    price: Ints

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

    def parts(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Return the arrays in the order that compiled functions expect."""
        return self.start, self.number, self.weight, self.divisor, self.price


def fits(geometry: Geometry, arrays: Arrays, prices: Prices, limit: int) -> bool:
    """Return True if every sum of a search fits into 64 bits.

    Groups of one record are not searched for.
    """
    if geometry.sizes[0] < 2:
        return False
    farthest = int(arrays.rows.max())
    largest = geometry.sizes[-1]
    costs = max(share * size * size for size, share in geometry.shares.items()) * farthest
    records = (largest + 2) * max(map(abs, prices.records))
    for_cuts = sum(-price * (sum(cut.weights) + 1) for cut, price in prices.cuts.items())
    return costs + records + abs(limit) + abs(prices.group) + for_cuts < WHOLE


def search(pricing: Pricing, arrays: Arrays, anchors: Sequence[Record]) -> list[Found]:
    """Return the groups sought whose anchor is among `anchors`.

    Raises TooMany.
    """
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
    pricing: Pricing, arrays: Arrays, cuts: CutArrays, by_record: tuple[Ints, Ints, Ints],
    size: int, most: int,
) -> tuple[Ints, Ints]:  # fmt: skip
    """Return reduced costs and groups of one size.

    Raises TooMany if they are more than `most`.
    """
    room = ROOM
    together, apart = (
        np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
        for pairs in (pricing.restriction.together, pricing.restriction.apart)
    )
    while True:
        room = room if most == NONE else min(room, most + 1)
        reduced = np.empty(room, dtype=np.int64)
        groups = np.empty((room, size), dtype=np.int32)
        number = _search(
            (arrays.rows, arrays.near, arrays.nn), by_record, pricing.geometry.shares[size], size,
            pricing.prices.group, cuts.parts(), (together, apart), pricing.limit,
            NONE if pricing.reach is None else pricing.reach,
            NONE if pricing.enough is None else pricing.enough, reduced, groups,
        )  # fmt: skip
        if most != NONE and number > most:
            raise TooMany
        if number <= room:
            return reduced[:number], np.sort(groups[:number], axis=1)
        room *= 8


def _joins(record: int, weights: Ints, cuts: Cuts, sign: int) -> None:
    """Add or subtract the weights of a record.

    They are added to those of its part, or taken away from them.
    """
    start, cut_of, weight_of, _, _ = cuts
    for entry in range(start[record], start[record + 1]):
        weights[cut_of[entry]] += sign * weight_of[entry]


def _owed(record: int, weights: Ints, cuts: Cuts) -> int:
    """Return what a record adds to its part's debt to cuts."""
    start, cut_of, weight_of, divisor, price = cuts
    due = 0
    for entry in range(start[record], start[record + 1]):
        cut = cut_of[entry]
        before = weights[cut]
        after = before + weight_of[entry]
        due += price[cut] * (after // divisor[cut] - before // divisor[cut])
    return due


def _least(values: Ints, number: int, smallest: Ints) -> int:
    """Return the sum of the least values.

    There are as many as fit in `smallest`.
    """
    smallest[:] = WHOLE
    for i in range(number):
        value = values[i]
        for m in range(len(smallest)):
            if value < smallest[m]:
                value, smallest[m] = smallest[m], value
    return smallest.sum()  # type: ignore[no-any-return]


def _enter(keys: Ints, records: Ints, count: int) -> None:
    """Sort the first keys, and their records with them."""
    order = np.argsort(keys[:count])
    keys[:count] = keys[:count][order]
    records[:count] = records[:count][order]


def _keep(
    reduced: Ints, groups: Ints, first: int, found: int, enough: int, value: int, part: Ints
) -> int:
    """Store a group; return the number of groups found.

    It comes after those found since `first`, or takes the place of the dearest of them if there are
    enough.
    """
    spot = found
    if enough > 0 and found - first >= enough:
        spot = first + int(np.argmax(reduced[first:found]))
        if value >= reduced[spot]:
            return found
    reduced[spot] = value
    groups[spot] = part
    return max(found, spot + 1)


def _allowed(part: Ints, pairs: tuple[Ints, Ints]) -> bool:
    """Return True if a group keeps the pair constraints.

    Some pairs have to be together, others apart.
    """
    together, apart = pairs
    broken = 0
    for pair in together:
        broken += (part == pair[0]).any() != (part == pair[1]).any()
    for pair in apart:
        broken += (part == pair[0]).any() and (part == pair[1]).any()
    return broken == 0


def _candidates(
    rows: Ints, near: Ints, bounds: Ints, y: Ints, place: Ints, anchor: int,
    terms: tuple[int, int, int], slack: int, scratch: tuple[Ints, Ints, Ints],
    keys: Ints, records: Ints,
) -> int:  # fmt: skip
    """Fill in keys and records of the anchor's possible members; count them.

    As `pricing._Search._candidates`; `slack` is what they may add, `terms` are share, size, reach.
    """
    share, size, reach = terms
    values, candidates, smallest = scratch
    radius = slack - (size - 2) * bounds.min() + y[anchor]
    number = 0
    for j in near[anchor] if reach < 0 else near[anchor, :reach]:
        away = share * rows[anchor, j]
        if away > radius:
            break
        if place[j] > place[anchor]:
            candidates[number] = j
            values[number] = away + bounds[j]
            number += 1
    if number < size - 1:
        return 0
    slack -= _least(values, number, smallest[: size - 2])
    count = 0
    for i in range(number):
        if values[i] <= slack:
            keys[count], records[count] = values[i], candidates[i]
            count += 1
    return count


def _narrowed(
    row: Ints, share: int, halves: Ints, keys: Ints, records: Ints, left: int, slack: int,
    scratch: tuple[Ints, Ints, Ints], new_keys: Ints, new_records: Ints,
) -> int:  # fmt: skip
    """Fill in keys and records that may follow; count them.

    They may follow a record. The count is 0 if they are too few. `row` has the distances from the
    record; a group costs a `share` of each of them; `slack` is what the `left` records to come may
    add. Keys count half of the least distances among these (`halves`).
    """
    values, candidates, smallest = scratch
    number = len(keys)
    if number < left:
        return 0
    for i in range(number):
        candidates[i] = records[i]
        j = candidates[i]
        values[i] = keys[i] + share * row[j] + halves[left - 1, j] - halves[left, j]
    slack -= _least(values, number, smallest[: left - 1])
    kept = 0
    for i in range(number):
        if values[i] <= slack:
            new_keys[kept], new_records[kept] = values[i], candidates[i]
            kept += 1
    return kept if kept >= left else 0


def _search(
    geometry: tuple[Ints, Ints, Ints], by_record: tuple[Ints, Ints, Ints], share: int, size: int,
    price: int, cuts: Cuts, pairs: tuple[Ints, Ints], limit: int, reach: int, enough: int,
    reduced: Ints, groups: Ints,
) -> int:  # fmt: skip
    """Fill `reduced` and `groups`; return how many were found.

    The number is greater than what fits if the search ended early. As `pricing._Search.around` and
    `_extend`, without recursion: at a level, with `left` records to add, the records are taken in
    the order of their keys from `position` on.
    """
    (rows, near, nn), (y, place, anchors), n = geometry, by_record, len(by_record[0])
    halves = share * nn[:, :size].T // 2
    bounds = halves[max(size - 2, 0)] - y
    keys, records = np.empty((size, n), dtype=np.int64), np.empty((size, n), dtype=np.int64)
    values, candidates = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    scratch = (values, candidates, np.empty(size, dtype=np.int64))
    count, position = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    base, part = np.zeros(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    weights = np.zeros(len(cuts[3]), dtype=np.int64)
    found = 0
    for anchor in anchors:
        first, most = found, limit
        part[0] = anchor
        base[0] = _owed(anchor, weights, cuts) - y[anchor] - price
        _joins(anchor, weights, cuts, 1)
        count[0] = _candidates(
            rows, near, bounds, y, place, anchor, (share, size, reach), most - base[0],
            scratch, keys[0], records[0],
        )  # fmt: skip
        _enter(keys[0], records[0], count[0])
        position[0] = 0
        level = 0
        while level >= 0:
            left, at = size - 1 - level, position[level]
            if at + left > count[level] or base[level] + keys[level, at : at + left].sum() > most:
                _joins(part[level], weights, cuts, -1)
                level -= 1
                continue
            position[level] = at + 1
            j = records[level, at]
            now = base[level] + keys[level, at] - halves[left - 1, j] + _owed(j, weights, cuts)
            part[level + 1] = j
            if left == 1:
                if now <= most and _allowed(part, pairs):
                    if found == len(reduced):
                        return found + 1
                    found = _keep(reduced, groups, first, found, enough, now, part)
                    if enough > 0 and found - first >= enough:
                        most = reduced[first:found].max()
                continue
            rest = slice(at + 1, count[level])
            kept = _narrowed(
                rows[j], share, halves, keys[level, rest], records[level, rest], left - 1,
                most - now, scratch, keys[level + 1], records[level + 1],
            )  # fmt: skip
            if kept:
                _joins(j, weights, cuts, 1)
                level += 1
                _enter(keys[level], records[level], kept)
                base[level], count[level], position[level] = now, kept, 0
    return found


_joins, _owed, _least, _enter = map(compiled, (_joins, _owed, _least, _enter))
_keep, _allowed, _candidates = map(compiled, (_keep, _allowed, _candidates))
_narrowed, _search = map(compiled, (_narrowed, _search))
