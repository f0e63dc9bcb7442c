"""The relaxation over all groups: column generation with cuts, and a bound that is exact.

1. Solve the relaxation over the groups known so far.
2. Price: look for groups with a negative reduced cost, first among near records, then among all.
3. When all of them are known, lower the duals until none is negative: a proven bound.
   When that bound is as good as the relaxation, add cuts, and go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from heapq import nsmallest

from oracle.optimum.clock import Clock
from oracle.optimum.cuts import Cut, Fractional, spread, violated_others, violated_triples
from oracle.optimum.master import Duals, between, reduced_costs, repaired
from oracle.optimum.pricing import FREE, Found, Geometry, Prices, Pricing, Restriction
from oracle.optimum.relaxation import Pool, Relaxed, Setting, relax
from refagg.model import Record

CLOSE = 1e-6
"""A bound this close to the relaxation, relatively, is as good as it."""

NEARLY = 0.03
"""Nor need it be nearer than this share of the gap to the best partition known."""

STEADY = 0.3
"""Prices are taken this far from the relaxation's towards those of the best bound."""

ENOUGH = 30
"""So many groups of each anchor and size are taken from one search."""


@dataclass(slots=True)
class Root:
    """What is known of the relaxation, kept from round to round."""

    pool: Pool
    target: int
    alone: list[int]
    cuts: list[Cut] = field(default_factory=list)
    duals: Duals | None = None
    bound: int = 0
    round: int = 0
    solution: dict[tuple[Record, ...], float] = field(default_factory=dict)


Search = Callable[..., list[Found]]
"""Carries a search out, somewhere."""


def generate(
    setting: Setting,
    geometry: Geometry,
    root: Root,
    search: Search,
    clock: Clock,
    report: Callable[[Root], None],
    enough_bound: Callable[[Root], bool],
    restriction: Restriction = FREE,
) -> None:
    """Improve the bound until no cut is violated, or `enough_bound` says so.

    `root` is changed as things become known, so that it can be used whenever this is left by
    an exception. Raises OutOfTime.
    """
    stalled = 0
    while True:
        before = root.bound
        relaxed = _converge(setting, geometry, root, search, clock, report, restriction)
        if enough_bound(root):
            return
        stalled = stalled + 1 if root.bound - before < 1e-5 * abs(before) else 0
        fractional = Fractional(list(relaxed.solution), list(relaxed.solution.values()))
        new = list(new_cuts(fractional, setting.n))
        if not new or stalled > 5:
            return
        # cuts whose price is 0 have done their work
        root.cuts = list(relaxed.duals.cuts) + [c for c in new if c not in relaxed.duals.cuts]


def new_cuts(fractional: Fractional, n: int) -> Iterator[Cut]:
    """Cuts that the solution violates, of three records if there are enough of those."""
    triples = list(spread(violated_triples(fractional), 5, n // 2 + 50))
    yield from triples
    if len(triples) < 20:
        yield from spread(violated_others(fractional), 3, n // 8 + 10)


def _converge(
    setting: Setting,
    geometry: Geometry,
    root: Root,
    search: Search,
    clock: Clock,
    report: Callable[[Root], None],
    restriction: Restriction,
) -> Relaxed:
    """Generate columns until the bound is as good as the relaxation."""
    active = _cheapest(root, 6 * setting.n)
    near = True
    towards = STEADY
    reach = 12 + 2 * geometry.sizes[0]
    while True:
        clock.check()
        relaxed = relax(setting, root.pool, root.cuts, active, root.alone)
        root.round += 1
        root.solution = relaxed.solution
        prices = relaxed.duals.prices()
        if len(active) > 10 * setting.n:
            active = _least(relaxed.reduced, 6 * setting.n)
        if near:
            found = search(Pricing(geometry, prices, -setting.n, restriction, reach, 8))
            near = _added(geometry, root, found, active) > setting.n // 4
            report(root)
            continue
        duals = relaxed.duals
        if root.duals is not None and towards:
            duals = between(root.duals, relaxed.duals, towards)
            prices = duals.prices()
        found = search(Pricing(geometry, prices, -1, restriction, None, ENOUGH))
        new = _added(geometry, root, found, active)
        more = search(Pricing(geometry, prices, -min(found)[0], restriction, None, 100), sorted({anchor_of(prices,g) for _,g in found})) if found else []
        _added(geometry, root, more, active)
        print('   found',len(found),len(more),'obj gap', 100*(relaxed.objective/root.bound-1) if root.bound else None, 'added',new)
        if _complete(found, prices):
            duals = repaired(duals, found)
            bound = duals.bound(setting.bounds)
            if bound > root.bound or root.duals is None:
                root.bound, root.duals = bound, duals
            report(root)
            gap = max(0, root.target - root.bound)
            close = relaxed.objective - root.bound <= max(CLOSE * root.bound, NEARLY * gap)
            if not relaxed.missing and (close or not (new or towards)):
                return relaxed
        else:
            report(root)
        towards = STEADY if new else 0.0
        for record in relaxed.missing:
            root.alone[record] *= 4
        near = new > setting.n


def anchor_of(prices: Prices, group: Sequence[Record]) -> Record:
    """The dearest record of a group."""
    y = prices.records
    return min(group, key=lambda i: (-y[i], i))


def _complete(found: list[Found], prices: Prices) -> bool:
    """Was nothing left out by taking only so many from each anchor and size?"""
    y = prices.records
    counts: dict[tuple[Record, int], int] = {}
    for _, group in found:
        anchor = min(group, key=lambda i: (-y[i], i))
        counts[anchor, len(group)] = counts.get((anchor, len(group)), 0) + 1
    return all(count < ENOUGH for count in counts.values())


def _added(geometry: Geometry, root: Root, found: list[Found], active: set[int]) -> int:
    """Put groups into the pool, active; how many are new."""
    new = 0
    for _, group in found:
        if root.pool.add(group, geometry.cost(group)):
            active.add(len(root.pool) - 1)
            new += 1
    return new


def _cheapest(root: Root, number: int) -> set[int]:
    """The groups with the least reduced costs by the duals of the best bound."""
    if root.duals is None:
        return set(range(len(root.pool)))
    reduced = reduced_costs(root.duals, root.pool.costs, root.pool.groups)
    return _least(reduced, number)


def _least(values: Sequence[int], number: int) -> set[int]:
    """The positions of so many least values."""
    return set(nsmallest(number, range(len(values)), key=values.__getitem__))
