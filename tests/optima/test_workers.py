"""A tree that is divided among workers proves what one process proves, in whatever order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import pytest

from oracle.executors import Here
from oracle.optima import tree
from oracle.optima.clock import Clock, OutOfTime
from oracle.optima.columns import Solver
from oracle.optima.master import Duals
from oracle.optima.relaxation import ColumnPool
from oracle.optima.tree import Node, Open, Prover
from oracle.optima.work import Workers, prove_divided
from tests.optima.test_columns import (
    Counted,
    Request,
    least,
    nodes,
    proved_over_all_groups,
    request_of,
    solver_of,
    verdict_on,
)


class Late(Executor):
    """Threads that answer after a random time."""

    def __init__(self, seed: int) -> None:
        self.random, self.threads = Random(seed), ThreadPoolExecutor(3)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        seconds = self.random.random() / 200

        def later() -> Any:
            time.sleep(seconds)
            return fn(*args, **kwargs)

        return self.threads.submit(later)


@contextmanager
def late(seed: int) -> Iterator[Executor]:
    executor = Late(seed)
    yield executor
    executor.threads.shutdown()


def proved_by(executor: Executor, request: Request, clock: Clock | None = None) -> Solver:
    """As `proved_over_all_groups`, by workers."""
    work = solver_of(request, solver="highs")
    pool = ColumnPool((group, work.geometry.cost(group)) for group in work.problem.groups())
    work.tree = Node(Duals([0] * request.n, 0, 0, {}), next=Node())
    assert work.tree.next is not None
    prover = Prover(
        work.setting,
        work.problem.cost,
        work.root.target,
        clock or work.clock,
        work.keep,
        lambda prover, columns, cuts: None,
        unit=work.scale.unit * work.scale.common,
        slack=work.scale.grain - 1,
    )
    workers = Workers(executor, work.problem.cost, work.scale.target)
    with suppress(OutOfTime):
        prove_divided(prover, Open(work.tree.next, pool, [], 0), workers)
    return work


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divisions have to do it."""
    monkeypatch.setattr(tree, "new_cuts", lambda solution, n: [])


@pytest.mark.usefixtures("small_steps")
def test_any_order_gives_the_optimum_and_a_proof() -> None:
    divisions = 0
    for seed in range(0, 24, 3):
        request = request_of(seed, 9 + seed % 5)
        with late(seed) as executor:
            work = proved_by(executor, request)
        outcome = work.outcome()
        assert outcome.closed
        assert outcome.value == least(request)
        assert verdict_on(request, work, outcome).optimal
        divisions += sum(node.pair is not None for node in nodes(work.tree))
    assert divisions >= 8


@pytest.mark.usefixtures("small_steps")
def test_one_worker_in_the_order_of_one_process_proves_the_same_tree() -> None:
    """Each answer is taken before the next node is sent."""
    for seed in (3, 6, 9):
        request = request_of(seed, 9 + seed % 5)
        alone, other = proved_over_all_groups(request), proved_by(Here(), request)
        assert other.outcome().value == alone.outcome().value == least(request)


@pytest.mark.usefixtures("small_steps")
def test_wherever_it_is_stopped_the_bound_holds() -> None:
    request = request_of(3, 13)
    truth, closed = least(request), []
    assert truth is not None
    for times in range(40):
        work = proved_by(Here(), request, Counted(times))
        outcome = work.outcome()
        assert outcome.bound <= truth <= outcome.value
        assert verdict_on(request, work, outcome).bound == outcome.bound
        closed.append(outcome.closed)
        if outcome.closed:
            break
    assert closed[-1]
    assert not any(closed[:3])


def test_processes() -> None:
    request = request_of(5, 12)
    with ProcessPoolExecutor(2) as executor:
        work = proved_by(executor, request)
    outcome = work.outcome()
    assert (outcome.closed, outcome.value) == (True, least(request))
    assert verdict_on(request, work, outcome).optimal
