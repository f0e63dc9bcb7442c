"""Linear and integer programs through PuLP: the only file that knows it.

A program chooses columns at the least total cost. Each row sums the coefficients of the
chosen columns and compares the sum with a right-hand side. CBC comes with PuLP; HiGHS is
an extra (`highspy`). Answers are in floating point: they are a guide, never a proof.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from refagg.errors import SolverFailed, SolverUnavailable, optional_library
from refagg.language.lists import check_one_of

pulp = optional_library("pulp", "an optimum", "oracle")

SOLVERS = ("cbc", "highs")

LARGE = 120_000
"""Linear programs with more coefficients are left to an interior-point method, if there is one."""

_SENSES = {"=": pulp.LpConstraintEQ, "<=": pulp.LpConstraintLE, ">=": pulp.LpConstraintGE}


@dataclass(frozen=True, slots=True)
class LinearConstraint:
    """Linear constraint: sum of coefficient * column, compared with `rhs`.

    The sum is over `entries`, and the comparison is `sense`.
    """

    entries: Sequence[tuple[int, float]]
    sense: str
    rhs: float


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """Answer of a solver.

    `status` is "optimal", "feasible" (stopped early), "infeasible" or "unknown". `values` has one
    number for each column, `duals` one for each row of a linear program.
    """

    status: str
    objective: float
    values: list[float]
    duals: list[float]


def default_solver() -> str:
    """Return HiGHS where it is installed, CBC elsewhere."""
    return "highs" if _available("highs") else "cbc"


def _available(name: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(_solver(name, None).available())


def check_solver(name: str) -> None:
    """Raise InvalidParameter or SolverUnavailable unless the solver can be used."""
    check_one_of(name, SOLVERS, "solver is")
    if not _available(name):
        extra = (
            "pip install '.[oracle]' in the checkout"
            if name == "highs"
            else "CBC comes with PuLP 3"
        )
        raise SolverUnavailable(f"the solver {name} is not installed: {extra}")


def solve_program(
    costs: Sequence[float],
    rows: Sequence[LinearConstraint],
    *,
    integer: bool = False,
    solver: str = "cbc",
    time_limit: float | None = None,
    start: Sequence[int] | None = None,
) -> SolverAnswer:
    """Minimise a linear or an integer program.

    Columns are at least 0, and 0 or 1 in an integer program. `start` are the columns of a known
    solution of an integer program (CBC takes it). Raises SolverFailed if the answer cannot be read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem, variables, constraints = _model(costs, rows, integer)
        if start is not None:
            chosen = set(start)
            for number, variable in enumerate(variables):
                variable.setInitialValue(1 if number in chosen else 0)
        warm = start is not None and solver == "cbc"
        large = not integer and sum(len(row.entries) for row in rows) > LARGE
        try:
            problem.solve(_solver(solver, time_limit, warm, large))
        except pulp.PulpSolverError:  # as when the process of the solver was ended
            return SolverAnswer("unknown", float("nan"), [], [])
        except (ValueError, TypeError, LookupError) as error:
            raise SolverFailed(f"the answer of {solver} cannot be read: {error!r}") from None
        return _answer(problem, variables, constraints, integer)


def _model(
    costs: Sequence[float], rows: Sequence[LinearConstraint], integer: bool
) -> tuple[Any, list[Any], list[Any]]:
    problem = pulp.LpProblem("groups", pulp.LpMinimize)
    category = pulp.LpBinary if integer else pulp.LpContinuous
    variables = [pulp.LpVariable(f"x{i}", 0, None, category) for i in range(len(costs))]
    problem.setObjective(pulp.LpAffineExpression(list(zip(variables, costs, strict=True))))
    constraints = []
    for number, row in enumerate(rows):
        left = pulp.LpAffineExpression([(variables[i], value) for i, value in row.entries])
        constraint = pulp.LpConstraint(left, _SENSES[row.sense], f"r{number}", row.rhs)
        problem.addConstraint(constraint)
        constraints.append(constraint)
    return problem, variables, constraints


@cache
def silence_highs() -> None:
    """Create HiGHS once with standard output closed.

    Since 1.16 the first model prints a banner. It would stand before the result of a command, which
    programs read.
    """
    import highspy

    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        return
    sys.stdout.flush()
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        try:
            highspy.Highs()
        finally:
            os.dup2(kept, 1)
            os.close(kept)


@cache
def end_threads_before_forks() -> None:
    """End the threads of HiGHS before a process forks.

    A process that is forked has no threads, and HiGHS in it would wait for them without end.
    """
    import highspy

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lambda: highspy.Highs.resetGlobalScheduler(True))


def _solver(name: str, time_limit: float | None, warm: bool = False, large: bool = False) -> Any:
    if name == "highs":
        if find_spec("highspy"):
            silence_highs()
            end_threads_before_forks()
        inner = {"solver": "ipm", "run_crossover": "off"} if large else {}
        return pulp.HiGHS(msg=False, gapRel=0, gapAbs=0, timeLimit=time_limit, **inner)
    return pulp.PULP_CBC_CMD(msg=False, gapRel=0, gapAbs=0, timeLimit=time_limit, warmStart=warm)


def _answer(
    problem: Any, variables: list[Any], constraints: list[Any], integer: bool
) -> SolverAnswer:
    solved = problem.sol_status == pulp.LpSolutionOptimal
    if solved or problem.sol_status == pulp.LpSolutionIntegerFeasible:
        values = [variable.value() or 0.0 for variable in variables]
        duals = [] if integer else [float(constraint.pi or 0.0) for constraint in constraints]
        status = "optimal" if solved else "feasible"
        return SolverAnswer(status, float(pulp.value(problem.objective) or 0.0), values, duals)
    impossible = problem.sol_status == pulp.LpSolutionInfeasible
    return SolverAnswer("infeasible" if impossible else "unknown", float("nan"), [], [])
