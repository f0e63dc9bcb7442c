"""Better partitions while the optimum is being proved, by integer programs.

The duals of the relaxation say which groups a better partition is likely to use: those with small
reduced costs. In a whole file most of them are groups of dense regions, where all costs are
small, and the groups of outliers, on which more depends, find no place in a program that can be
solved. In a program of one region, which leaves all other groups as they are, they do.

Nothing is proved here: an answer is taken if it is exactly cheaper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from oracle.optima.master import Duals, Setting, integer_choice
from oracle.optima.pricing import Geometry
from oracle.optima.relaxation import ColumnPool
from refagg.language.partition import Group

INSIDE = 7000
"""Of the groups inside a region so many have a part in its program."""

LONGEST = 10.0
"""Seconds for the program of a region."""


def by_program(
    setting: Setting,
    pool: ColumnPool,
    duals: Duals,
    target: int,
    own: Collection[Group],
    seconds: float | None,
) -> list[Group] | None:
    """The best choice that is found among the groups with the least reduced costs, or None.

    `own` are the groups of the best partition so far; they take part, so that nothing is lost.
    """
    others = _likely(setting, pool, duals, target)[: 2 * setting.n + 1000]
    return _chosen(setting, pool, own, others, seconds)


def by_regions(
    setting: Setting,
    geometry: Geometry,
    pool: ColumnPool,
    duals: Duals,
    target: int,
    own: Collection[Group],
    size: int,
) -> Iterator[Collection[Group]]:
    """The partition after the program of each region of some `size` records.

    The first centres are the groups of its own that are least likely. Where a program gains
    nothing, the groups in the middle of the region are no centres any more; it ends when
    there is none left. A partition of the same cost is no gain, or ties could go on for ever.
    """
    others = _likely(setting, pool, duals, target)
    place = {group: number for number, group in enumerate(others)}
    waiting = dict.fromkeys(sorted(own, key=lambda group: -place.get(group, len(others))))
    while waiting:
        region = _region(geometry, own, next(iter(waiting)), size)
        inside = {record for group in region for record in group}
        free = (group for group in others if inside.issuperset(group))
        better = _chosen(setting, pool, own, islice(free, INSIDE), LONGEST) or own
        if _cost(pool, better) >= _cost(pool, own):
            better = own
        new = sorted(set(better).difference(own))
        for group in region if new else region[: len(region) // 3 + 1]:
            waiting.pop(group, None)
        waiting |= dict.fromkeys(new)
        own = better
        yield own


def _cost(pool: ColumnPool, groups: Iterable[Group]) -> int:
    return sum(pool.costs[pool.number[group]] for group in groups)


def _likely(setting: Setting, pool: ColumnPool, duals: Duals, target: int) -> list[Group]:
    """The groups that a better partition can use, by ascending reduced costs.

    A partition that costs at most the `target` has no group whose reduced cost exceeds the target
    less the bound of the duals.
    """
    reduced = pool.reduced(duals)
    budget = target - duals.bound(setting.bounds)
    within = [number for number, value in enumerate(reduced) if value <= budget]
    return [pool.groups[number] for number in sorted(within, key=reduced.__getitem__)]


def _chosen(
    setting: Setting,
    pool: ColumnPool,
    own: Collection[Group],
    others: Iterable[Group],
    seconds: float | None,
) -> list[Group] | None:
    """The best choice that is found among groups of the pool."""
    groups = list(dict.fromkeys((*own, *others)))
    costs = [pool.costs[pool.number[group]] for group in groups]
    return integer_choice(costs, groups, setting, seconds, range(len(own)))


def _region(geometry: Geometry, own: Collection[Group], centre: Group, size: int) -> list[Group]:
    """The groups of the records nearest to those of the centre, the nearest first."""
    group_of = {record: group for group in own for record in group}
    rows = [geometry.rows[member] for member in centre]
    near = sorted(group_of, key=lambda record: min(row[record] for row in rows))
    return list(dict.fromkeys([centre, *(group_of[record] for record in near[:size])]))
