"""A few groups are divided again, in every possible way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import lcm
from operator import add, itemgetter, mul

from refagg.algorithms.search.moves.state import (
    Exchange,
    Group,
    Instance,
    State,
    Unit,
    Units,
    near_groups,
)

PARTNERS = {2: 10, 3: 6}
"""Two (three) groups are divided again when both (all) are among so many neighbours of one."""

MOST_UNITS = 14
"""Groups with more units in all are not divided again in every possible way."""

MOST_DIVISIONS = 12_000
"""Nor are groups that can be divided in more ways."""


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
    """Return the divisions of units of these weights.

    None if there are too many.
    """
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
    """Return the masks, and a function that takes their values.

    The function takes them from a list. One mask is repeated, because itemgetter returns a tuple
    only for two or more.
    """
    masks = masks * 2 if len(masks) == 1 else masks
    return masks, itemgetter(*masks)


def _divide_anew(state: State, old: Sequence[Group]) -> Exchange | None:
    """Return the cheapest division of groups' units, if cheaper."""
    numbers = tuple(sorted([group.number for group in old]))
    if numbers in state.tested:
        return None
    state.tested.add(numbers)
    instance = state.instance
    units = [unit for group in old for unit in group.units]
    if len(units) > MOST_UNITS:
        return None
    units.sort(key=instance.weights.__getitem__)
    divisions = divisions_of(
        tuple([instance.weights[unit] for unit in units]), instance.k, instance.largest
    )
    if divisions is None:
        return None
    costs = list(map(mul, divisions.shares, _pairs_of_subsets(instance, units)))
    division = _cheapest(divisions, costs, sum([group.cost for group in old]))
    if division is None:
        return None
    return Exchange(
        old, [tuple([u for i, u in enumerate(units) if mask >> i & 1]) for mask in division]
    )


def _pairs_of_subsets(instance: Instance, units: Sequence[Unit]) -> list[int]:
    """Return the sum of distances within each subset, by bit mask.

    The sum is over the pairs of the subset.
    """
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
    """Return the masks of the cheapest division.

    None unless its cost is below the limit.
    """
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


def pairs_anew(state: State, group: Group) -> Exchange | None:
    """The group alone, or with a neighbour, divided again."""
    exchange = _divide_anew(state, [group])
    for other in [] if exchange else near_groups(state, group, PARTNERS[2]):
        exchange = exchange or _divide_anew(state, [group, other])
    return exchange


def triples_anew(state: State, group: Group) -> Exchange | None:
    """The group with two neighbours, divided again."""
    for pair in combinations(near_groups(state, group, PARTNERS[3]), 2):
        exchange = _divide_anew(state, [group, *pair])
        if exchange:
            return exchange
    return None
