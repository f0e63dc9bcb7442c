"""The optimum by an integer program with a column for every group. For some tens of records.

Set partitioning: choose groups so that each record is in exactly one of them, at the least
total cost. The solver computes in floating point; what it chooses is valued exactly, and
whether nothing is cheaper rests on its word.
"""

from __future__ import annotations

from math import comb

from oracle.optimum.clock import Clock, OutOfTime
from oracle.optimum.problem import Problem
from oracle.optimum.solver import Row, solve
from oracle.optimum.subsets import priced_groups
from refagg.errors import InvalidParameter, SolverFailed
from refagg.model import Partition

MOST_GROUPS = 2_000_000
"""More columns than this are not attempted."""


def number_of_groups(problem: Problem) -> int:
    """How many groups there are by their sizes, constraints aside."""
    return sum(comb(problem.n, size) for size in problem.sizes)


def by_all_groups(problem: Problem, clock: Clock, solver: str) -> tuple[Partition, bool] | None:
    """A partition, and whether the solver says that it is optimal; None if there is none.

    Raises OutOfTime if there is no partition yet when the time is over, InvalidParameter if
    there are more than MOST_GROUPS groups, SolverFailed.
    """
    if number_of_groups(problem) > MOST_GROUPS:
        raise InvalidParameter(
            f"an integer program over all groups would have {number_of_groups(problem)} columns; "
            f"{MOST_GROUPS} are possible"
        )
    groups, costs = priced_groups(problem, clock)
    greatest = max(map(abs, costs), default=0) or 1
    members: list[list[tuple[int, float]]] = [[] for _ in range(problem.n)]
    for number, group in enumerate(groups):
        for record in group:
            members[record].append((number, 1.0))
    if not all(members):
        return None
    clock.check()
    answer = solve(
        [float(1000 * cost / greatest) for cost in costs],
        [Row(entries, "=", 1) for entries in members],
        integer=True,
        solver=solver,
        time_limit=clock.left(),
    )
    if answer.status == "infeasible":
        return None
    if answer.status == "unknown":
        if clock.left() is not None:  # a solver may stop a little before the time is over
            raise OutOfTime
        raise SolverFailed(f"{solver} gave no answer to a program that has one")
    chosen = [group for group, x in zip(groups, answer.values, strict=True) if x > 0.5]
    return Partition.of(chosen, problem.n), answer.status == "optimal"
