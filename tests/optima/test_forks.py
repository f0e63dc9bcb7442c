"""HiGHS in a process that was forked from one in which it had worked."""

from __future__ import annotations

import multiprocessing
import sys
from random import Random

import pytest

from oracle.optima.solver import LinearConstraint, SolverAnswer, solve_program

pytest.importorskip("highspy")


def covered() -> SolverAnswer:
    """Sets that cover 30 things at least cost: not by rounding, so that branching begins."""
    random = Random(1)
    sets = [random.sample(range(30), 4) for _ in range(60)]
    costs = [random.uniform(1, 2) for _ in sets]
    rows = [
        LinearConstraint([(j, 1.0) for j, own in enumerate(sets) if thing in own], ">=", 1.0)
        for thing in range(30)
    ]
    return solve_program(costs, rows, integer=True, solver="highs", time_limit=20)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
def test_a_forked_process_does_not_wait_for_threads_that_it_has_not() -> None:
    assert covered().status == "optimal"
    process = multiprocessing.get_context("fork").Process(target=covered)
    process.start()
    process.join(60)
    waits = process.is_alive()
    process.kill()
    assert not waits
    assert process.exitcode == 0
