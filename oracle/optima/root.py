"""Relaxation over all groups: column generation, and an exact bound.

1. Solve the relaxation over the groups known so far.
2. Price: look for groups with a negative reduced cost, first among near records, then among all.
3. When all of those are known, lower the duals until none is negative: a proven bound.

The last step takes prices between those of the relaxation and those of the best bound, which
keeps them from swinging, and around the records where something was found it also takes
groups that are not negative yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from oracle.optima.cuts import Cut
from oracle.optima.master import Duals, Setting, duals_between, repaired_duals
from oracle.optima.pricing import Found, Geometry, Prices, Restriction
from oracle.optima.relaxation import ColumnPool, Relaxed, least_positions, relax
from oracle.optima.work import Searcher
from refagg.algorithms.search.moves.constraints import Pair, blocks
from refagg.language.lists import by_key
from refagg.language.partition import Record

CLOSE = 1e-7
"""A bound this close to the relaxation, relatively, is as good as it."""

NEARLY = 0.03
"""Nor need it be nearer than this share of the gap to the best partition known."""

STEADY = 0.75
"""Prices are taken this far from the relaxation's towards those of the best bound."""

FAR = 0.05
"""They are while that bound is further from the relaxation, relatively. Later they are the
relaxation's when nothing more is found between."""

ENOUGH = 12
"""So many groups of each anchor and size are taken from one search."""

MORE = 50
"""So many where a record had some with a negative reduced cost."""

AROUND = 8
"""There reduced costs may be as far above 0 as the least is below, up to this part of what a
record costs."""


@dataclass(slots=True)
class Root:
    """State of the relaxation.

    It is changed as things become known, so that it can be used, and saved, wherever the work is
    stopped.

    `target` is the cost that a better partition has at most. `alone` is what leaving a record
    out costs while columns are generated.
    """

    pool: ColumnPool
    target: int
    alone: list[int]
    cuts: list[Cut] = field(default_factory=list)
    duals: Duals | None = None
    bound: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True)
class Generator:
    """Generator of columns for one root."""

    setting: Setting
    geometry: Geometry
    search: Searcher
    restriction: Restriction
    report: Callable[[Root], None]

    def converge(self, root: Root) -> Relaxed:
        """Generate columns until the bound is as good as the relaxation.

        Raises OutOfTime.
        """
        active = self._cheapest(root)
        reach: int | None = 12 + 2 * self.geometry.sizes[0]
        towards = STEADY
        while True:
            self.search.clock.check()
            relaxed = relax(self.setting, root.pool, root.cuts, active, root.alone)
            root.round += 1
            duals = balanced(relaxed.duals, root.duals, self.restriction.together)
            if len(active) > 10 * self.setting.n:
                active = least_positions(relaxed.reduced, 6 * self.setting.n)
            if reach is not None:
                new = self._near(root, duals, reach, active)
                reach = reach if new > self.setting.n // 4 else None
            else:
                new = self._everywhere(root, duals, towards, active)
                if self._close(root, relaxed, new or towards):
                    return relaxed
                for record in relaxed.missing:
                    root.alone[record] *= 4
                far = relaxed.objective - root.bound > FAR * relaxed.objective
                towards = STEADY if new or far else 0.0
            self.report(root)

    def _near(self, root: Root, duals: Duals, reach: int, active: set[int]) -> int:
        """Add groups of near records; how many are new."""
        found = self.search(duals.prices(), -self.setting.n, self.restriction, reach, 8)
        return self._added(root, found or [], active)

    def _everywhere(self, root: Root, duals: Duals, towards: float, active: set[int]) -> int:
        """Add groups of any records, and improve the bound.

        Returns how many are new.
        """
        if root.duals is not None:
            duals = duals_between(root.duals, duals, towards)
        prices = duals.prices()
        found = self.search(prices, -1, self.restriction, None, ENOUGH) or []
        new, around = self._added(root, found, active), by_anchor(found, prices)
        if found:
            worst = min(-min(found)[0], root.target // (AROUND * self.setting.n))
            more = self.search(prices, worst, self.restriction, None, MORE, sorted(around))
            self._added(root, more or [], active)
        duals = repaired_duals(*lowered(duals, found, cut_short(around)))
        bound = duals.bound(self.setting.bounds)
        if root.duals is None or bound > root.bound:
            root.bound, root.duals = bound, duals
        return new

    def _close(self, root: Root, relaxed: Relaxed, more_to_find: float) -> bool:
        if root.bound > root.target or relaxed.missing:
            return root.bound > root.target
        gap = max(0, root.target - root.bound)
        near_enough = max(CLOSE * abs(relaxed.objective), NEARLY * gap)
        return relaxed.objective - root.bound <= near_enough or not more_to_find

    def _added(self, root: Root, found: Sequence[Found], active: set[int]) -> int:
        """Put groups into the pool, active; how many are new."""
        before = len(root.pool)
        for _, group in found:
            root.pool.add(group, self.geometry.cost(group))
        active.update(range(before, len(root.pool)))
        return len(root.pool) - before

    def _cheapest(self, root: Root) -> set[int]:
        """Return the groups with the least reduced costs.

        These are by the duals of the best bound.
        """
        if root.duals is None:
            return set(range(len(root.pool)))
        return least_positions(root.pool.reduced(root.duals), 6 * self.setting.n)


def least_duals(geometry: Geometry) -> Duals:
    """Return duals that need no search: no group costs less.

    Each record pays half of its least distances, as each distance belongs to two.
    """
    shares = geometry.shares
    y = [min(shares[s] * nn[s - 1] for s in geometry.sizes) // 2 for nn in geometry.nn]
    return Duals(y, 0, 0, {})


def balanced(duals: Duals, like: Duals | None, together: Iterable[Pair]) -> Duals:
    """Return the duals with balanced prices of records that are together.

    These prices differ as those of `like` do. Groups hold all of these records or none, so that
    only the sum of their prices matters to a solver. One price far above the rest would make a
    search look at many groups in vain.
    """
    y = list(duals.records)
    for block in blocks(len(y), together):
        before = [like.records[record] if like else 0 for record in block]
        share, more = divmod(sum(y[record] for record in block) - sum(before), len(block))
        for position, record in enumerate(block):
            y[record] = before[position] + share + (position < more)
    return replace(duals, records=y)


def by_anchor(found: Sequence[Found], prices: Prices) -> dict[Record, list[Found]]:
    """Return the groups of each anchor, the dearest of their records."""

    def anchor(group: Sequence[Record]) -> Record:
        return min(group, key=lambda record: (-prices.records[record], record))

    return by_key((anchor(group), (reduced, group)) for reduced, group in found)


def cut_short(around: dict[Record, list[Found]]) -> dict[Record, int]:
    """Return the anchors whose groups were cut short.

    No more than ENOUGH groups were taken of each. It comes with its least reduced cost.
    """
    return {
        anchor: min(groups)[0]
        for anchor, groups in around.items()
        if max(Counter(len(group) for _, group in groups).values()) >= ENOUGH
    }


def lowered(
    duals: Duals, found: Sequence[Found], least_of: dict[Record, int]
) -> tuple[Duals, list[Found]]:
    """Return the duals with the prices of some anchors lowered.

    They are lowered by the least reduced costs of the anchors. None of their groups has a negative
    reduced cost then, found or not. The groups found come with their new reduced costs.
    """
    y = [price + min(0, least_of.get(record, 0)) for record, price in enumerate(duals.records)]
    gains = {record: -reduced for record, reduced in least_of.items()}
    after = [(r + sum(gains.get(record, 0) for record in group), group) for r, group in found]
    return Duals(y, duals.fewest, duals.most, duals.cuts), after
