"""Duals for exact costs, which are integers of any length.

A solver gives some 25 bits. So the relaxation over a list of groups is solved again and again on
what is left of the costs, on finer scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from oracle.optima.cuts import Cut
from oracle.optima.master import ROUNDING, Bounds, Duals, Setting, repaired_duals
from oracle.optima.relaxation import ColumnPool, bounded_relaxation
from refagg.language.partition import Group, Record

BITS = 46
"""The chosen groups of a relaxation cost an integer of so many bits."""

MARGIN, SPARE = 32, 9
"""Groups that are not chosen cost less by so many bits, of which rounding leaves SPARE."""

TIED = 80
"""With no more records all prices may be long; no more may be in groups that could as well be
chosen."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Groups with exact costs, cuts, and the chosen groups: a partition.

    The bound of duals may miss its cost by the `slack`.
    """

    setting: Setting
    pool: ColumnPool
    cuts: Sequence[Cut]
    chosen: Sequence[Group]
    slack: int

    def left(self, duals: Duals) -> dict[Group, int]:
        """Return the reduced costs."""
        return dict(zip(self.pool.groups, self.pool.reduced(duals), strict=True))

    def proved(self, duals: Duals) -> bool:
        """Return True if duals hold, and their bound suffices."""
        cost = sum(self.pool.costs[self.pool.number[group]] for group in self.chosen)
        return (
            cost - duals.bound(self.setting.bounds) <= self.slack
            and min(self.pool.reduced(duals)) >= 0
        )


def refined(listed: Listed) -> Duals | None:
    """Return duals that prove the chosen groups the cheapest, or None.

    Prices whose sign is given are left a little nearer to 0 than they could be, so that each round
    can correct the one before. On the finest scale they are rounded to whole numbers. Few of many
    prices are long.
    """
    n, total, before = listed.setting.n, Duals([0] * listed.setting.n, 0, 0, {}), 0
    listed = replace(listed, setting=replace(listed.setting, magnitude=1 << (BITS + 2), kept=None))
    while True:
        left = listed.left(total)
        span = max(1, sum(abs(left[group]) for group in listed.chosen))
        if before and 2 * span > before:
            return None
        before, shift = span, span.bit_length() - BITS
        up, down = max(0, -shift), max(0, shift)
        rest = {group: min(cost, 4 * span) << up >> down for group, cost in left.items()}
        few = _short(listed, rest, (total, up, down)) if n > TIED else None
        if few is not None:
            return few
        _, duals = bounded_relaxation(listed.setting, ColumnPool(rest.items()), listed.cuts)
        found = added(total, duals, up, down)
        negative = [(cost, group) for group, cost in listed.left(found).items() if cost < 0]
        found = repaired_duals(found, negative)
        if listed.proved(found):
            return found
        nearer = {cut: min(0, price + n) for cut, price in duals.cuts.items()}
        fewest, most = max(0, duals.fewest - n), min(0, duals.most + n)
        total = added(total, Duals(duals.records, fewest, most, nearer), up, down)


def _short(
    listed: Listed,
    rest: dict[Group, int],
    so_far: tuple[Duals, int, int],
    tied: frozenset[Record] = frozenset(),
) -> Duals | None:
    """Return duals of which few are long, or None.

    Other groups cost less by a margin. So prices may be rounded, and the first record of a chosen
    group pays what is left of its cost. Where other groups could as well be chosen, their records
    are `tied`, and what is left of these groups is refined alone. `so_far` are the duals before,
    and how far the rest was shifted up and down.
    """
    total, up, down = so_far
    whole = {group for group in rest if tied.issuperset(group)}.union(listed.chosen)
    costs = {group: cost - (group not in whole) * (1 << MARGIN) for group, cost in rest.items()}
    relaxed, duals = bounded_relaxation(listed.setting, ColumnPool(costs.items()), listed.cuts)
    others = [group for group in listed.chosen if relaxed.solution.get(group, 0) < 1 - ROUNDING]
    if not tied.issuperset(chain(*others)):
        tied = tied.union(*others)
        return _short(listed, rest, so_far, tied) if len(tied) <= TIED else None
    found = added(total, duals, up, down)
    found = found.in_multiples(10 ** (len(str((1 << MARGIN - SPARE + down) >> up)) - 1))
    left = listed.left(found)
    for group in listed.chosen:
        if not tied.issuperset(group):
            found.records[group[0]] += left[group]
    if inside := [group for group in rest if tied.issuperset(group)]:
        alone = refined(_renumbered(listed, sorted(tied), {g: left[g] for g in inside}))
        if alone is None:
            return None
        for record, price in zip(sorted(tied), alone.records, strict=True):
            found.records[record] += price
    return found if listed.proved(found) else None


def _renumbered(listed: Listed, records: Sequence[Record], costs: dict[Group, int]) -> Listed:
    """Return the groups of some records, numbered from 0, without cuts."""
    number = {record: place for place, record in enumerate(records)}
    groups = {group: tuple(map(number.__getitem__, group)) for group in costs}
    setting = replace(listed.setting, n=len(number), bounds=Bounds(0, len(number)))
    pool = ColumnPool((groups[group], cost) for group, cost in costs.items())
    chosen = [groups[group] for group in listed.chosen if group in groups]
    return Listed(setting, pool, (), chosen, listed.slack)


def added(total: Duals, duals: Duals, up: int, down: int) -> Duals:
    """Return the sum of duals, the second ones shifted and rounded."""
    half = 1 << up >> 1
    return total.mixed(duals, lambda a, b: a + (b + half >> up << down))
