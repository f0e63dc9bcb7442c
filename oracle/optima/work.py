"""Search for groups, divided by anchors among an executor's workers.

A worker is sent the table, which is small, and computes the distances from it once.

The open nodes of a tree, divided among the workers of an executor.

A worker is sent one open node with its groups and cuts. It closes the node, or divides it, as it is
done in one process, and gives back what it has proved, the halves that are open, and a better
partition if it met one. The order in which answers come changes which pairs are divided, but not
what is proved: a node that was closed for a greater target is closed for a lesser one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from oracle.executors import Here
from oracle.optima.clock import Clock, GivenUp, OutOfTime
from oracle.optima.distances import WholeDistances, bits_for, distances_of, fine_parts
from oracle.optima.master import Setting, kept_by
from oracle.optima.pricing import (
    Found,
    Geometry,
    Prices,
    Pricing,
    Restriction,
    TooMany,
    geometry_of,
)
from oracle.optima.problem import Cost
from oracle.optima.separation import COMPILED, numba_installed
from oracle.optima.tree import Node, Open, Prover
from refagg.data.standardise import Scaled
from refagg.language.partition import Group, Record

if TYPE_CHECKING:
    from oracle.optima.compiled import Arrays

_KNOWN: dict[str, Ground] = {}
"""The last ground of this process, by the digest of its instance."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Numbers computed from a table once.

    `parts` divides distances further, for fine duals. `arrays` are for the compiled search, where
    that is used.
    """

    distances: WholeDistances
    geometry: Geometry
    parts: int
    arrays: Arrays | None

    def groups(self, pricing: Pricing, anchors: Sequence[Record]) -> list[Found]:
        """Return the groups that a search finds around some anchors.

        The search is in this geometry. Raises TooMany.
        """
        if self.arrays is not None:
            from oracle.optima.compiled import fits, search

            if fits(self.geometry, self.arrays, pricing.prices, pricing.limit):
                return search(pricing, self.arrays, anchors)
        return pricing.groups(anchors)


@dataclass(frozen=True, slots=True)
class Place:
    """The instance that workers search in."""

    digest: str
    scaled: Scaled
    sizes: range

    def ground(self) -> Ground:
        key = f"{self.digest} {self.scaled.weights} {self.sizes}"
        if key not in _KNOWN:
            _KNOWN.clear()
            bits = bits_for(self.sizes)
            distances = distances_of(self.scaled, bits)
            parts = fine_parts(distances, bits)
            geometry = geometry_of(distances.rows, self.sizes, parts)
            _KNOWN[key] = Ground(distances, geometry, parts, _arrays(geometry))
        return _KNOWN[key]


def _arrays(geometry: Geometry) -> Arrays | None:
    """Return the geometry for the compiled search.

    None where it is not worth it, or not possible.
    """
    if geometry.n < COMPILED or not numba_installed():
        return None
    from oracle.optima.compiled import Arrays

    return Arrays.of(geometry.rows, geometry.near, geometry.nn)


@dataclass(frozen=True, slots=True)
class Order:
    """Search as sent to a worker; see `Pricing`."""

    place: Place
    prices: Prices
    limit: int
    restriction: Restriction
    reach: int | None
    enough: int | None
    most: int | None


def groups_ordered(order: Order, anchors: Sequence[Record]) -> list[Found] | None:
    """Return the groups that an order asks for.

    They are around some anchors. None if they are too many.
    """
    ground = order.place.ground()
    limits = order.reach, order.enough, order.most
    pricing = Pricing(ground.geometry, order.prices, order.limit, order.restriction, *limits)
    try:
        return ground.groups(pricing, anchors)
    except TooMany:
        return None


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searcher that divides its work among workers, within the time.

    It stops when the time is over. With one worker an order goes out in pieces that take about
    `piece` seconds.
    """

    place: Place
    executor: Executor
    clock: Clock
    pieces: int = 16

    def __call__(
        self,
        prices: Prices,
        limit: int,
        restriction: Restriction,
        reach: int | None = None,
        enough: int | None = None,
        anchors: Sequence[Record] | None = None,
        most: int | None = None,
    ) -> list[Found] | None:
        """Return the groups sought; None if they exceed `most`.

        Raises OutOfTime.
        """
        order = Order(self.place, prices, limit, restriction, reach, enough, most)
        every = range(self.place.scaled.n) if anchors is None else anchors
        chunks = [list(every[i :: self.pieces]) for i in range(self.pieces)]
        found: list[Found] = []
        for part in self._parts(order, [chunk for chunk in chunks if chunk]):
            if part is None or (most is not None and len(found) + len(part) > most):
                return None
            found += part
            self.clock.check()
        return found

    def _parts(self, order: Order, chunks: list[list[Record]]) -> Iterator[list[Found] | None]:
        if isinstance(self.executor, Here):
            yield from (groups_ordered(order, chunk) for chunk in chunks)
            return
        futures = [self.executor.submit(groups_ordered, order, chunk) for chunk in chunks]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


AT_ONCE = 128
"""So many nodes, or fewer, are with workers at a time."""

EVERY = 1.0
"""Seconds after which the clock is asked, at the latest."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers, and what is sent to them.

    `cost` is the exact cost of a group; `target_of` is the target that follows from the value of a
    partition.
    """

    executor: Executor
    cost: Cost
    target_of: Callable[[Fraction], int]


@dataclass(frozen=True, slots=True)
class Task:
    """Open node, as it is sent."""

    part: Open
    setting: Setting
    target: int
    cost: Cost
    target_of: Callable[[Fraction], int]
    seconds: float | None
    unit: Fraction
    slack: int


@dataclass(frozen=True, slots=True)
class Done:
    """Result of a node: what is proved, open, and done.

    It says what is proved there, what is open below, and how much is done. `better` is a partition
    below the target that was sent. `ended` says that the time was over.
    """

    node: Node
    waiting: list[Open]
    done: float
    better: list[Group] | None
    ended: bool


def prove_divided(prover: Prover, first: Open, workers: Workers) -> None:
    """Close a node and all below, with the help of workers.

    As in `Prover.prove`, but only the first node is closed here, all others by workers.
    """
    prover.step(first)
    running: dict[Future[Done], Open] = {}
    try:
        while prover.waiting or running:
            while prover.waiting and len(running) < AT_ONCE:
                part = prover.waiting.pop()
                if part.node.goes_on:
                    prover.step(part)
                    continue
                prover.under_way.append(part)
                running[workers.executor.submit(closed, _task(prover, part, workers))] = part
            ready, _ = wait(running, timeout=EVERY, return_when=FIRST_COMPLETED)
            for future in ready:
                _take(prover, running.pop(future), future.result())
            prover.clock.check()
    finally:
        for future in running:
            future.cancel()


def _task(prover: Prover, part: Open, workers: Workers) -> Task:
    setting = replace(prover.setting, kept=None)
    seconds = prover.clock.left()
    costs = prover.target, workers.cost, workers.target_of
    return Task(part, setting, *costs, seconds, prover.unit, prover.slack)


def _take(prover: Prover, part: Open, done: Done) -> None:
    """Put what a worker has proved into the tree.

    Raises OutOfTime if its time was over.
    """
    for field in fields(Node):
        setattr(part.node, field.name, getattr(done.node, field.name))
    prover.nodes += 1
    prover.done += done.done
    if done.better is not None:
        prover.target = min(prover.target, prover.improve(done.better))
    prover.report(prover, len(part.pool), len(part.cuts))
    if done.ended:
        raise OutOfTime
    prover.waiting += done.waiting
    prover.under_way.remove(part)


def closed(task: Task) -> Done:
    """Carry out the work of a worker."""
    better: list[Group] | None = None
    target = task.target

    def improve(groups: list[Group]) -> int:
        nonlocal better, target
        lower = task.target_of(sum(map(task.cost, groups), Fraction(0)))
        if lower < target:
            better, target = groups, lower
        return target

    prover = Prover(
        _with_kept(task.setting),
        cache(task.cost),
        task.target,
        Clock(task.seconds),
        improve,
        lambda prover, columns, cuts: None,
        nodes=1,  # the first one is closed elsewhere
        unit=task.unit,
        slack=task.slack,
    )
    node = task.part.node
    try:
        prover.step(task.part)
    except (OutOfTime, GivenUp):
        return Done(node, [], 0.0, better, True)
    return Done(node, prover.waiting, prover.done, better, False)


_OWN = threading.local()
"""The last setting of this thread, without and with the relaxation as HiGHS keeps it."""


def _with_kept(setting: Setting) -> Setting:
    if getattr(_OWN, "setting", None) != setting:
        _OWN.setting = setting
        _OWN.kept = replace(setting, kept=kept_by(setting.solver, setting.n, setting.bounds))
    kept: Setting = _OWN.kept
    return kept
