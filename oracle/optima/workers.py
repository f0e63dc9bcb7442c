"""The open nodes of a tree, divided among the workers of an executor.

A worker is sent one open node with its groups and cuts. It closes the node, or divides it, as it is
done in one process, and gives back what it has proved, the halves that are open, and a better
partition if it met one. The order in which answers come changes which pairs are divided, but not
what is proved: a node that was closed for a greater target is closed for a lesser one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache

from oracle.optima.clock import Clock, GivenUp, OutOfTime
from oracle.optima.master import Setting, kept_by
from oracle.optima.problem import Cost
from oracle.optima.tree import Node, Open, Prover
from refagg.language.partition import Group

AT_ONCE = 128
"""So many nodes, or fewer, are with workers at a time."""

EVERY = 1.0
"""Seconds after which the clock is asked, at the latest."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work, and what is sent along: the exact cost of a group, and what target follows
    from the value of a partition."""

    executor: Executor
    cost: Cost
    target_of: Callable[[Fraction], int]


@dataclass(frozen=True, slots=True)
class Task:
    """One open node, as it is sent."""

    part: Open
    setting: Setting
    target: int
    cost: Cost
    target_of: Callable[[Fraction], int]
    seconds: float | None
    unit: Fraction | None


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a node: what is proved there, what is open below, how much is done.

    `better` is a partition below the target that was sent. `ended` says that the time was over.
    """

    node: Node
    waiting: list[Open]
    done: float
    better: list[Group] | None
    ended: bool


def prove_divided(prover: Prover, first: Open, workers: Workers) -> None:
    """As `Prover.prove`: the first node here, all others by workers."""
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
    return Task(part, setting, prover.target, workers.cost, workers.target_of, seconds, prover.unit)


def _take(prover: Prover, part: Open, done: Done) -> None:
    """Put what a worker has proved into the tree. Raises OutOfTime if its time was over."""
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
