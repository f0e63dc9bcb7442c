"""Solvers that lie: what they return is noticed, or has no effect on what is proved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf, nan
from random import Random
from typing import Any

import pytest

from oracle.optima import master, solve
from oracle.optima.solver import SolverAnswer
from refagg.errors import SolverFailed
from tests.instances import Instance, drawn_rows, least_sse, solvers

INSTANCE = Instance(drawn_rows(Random(4), 11, 2, 40), 3)
LEAST = least_sse(INSTANCE)
METHODS = [(method, solver) for method in ("ilp", "columns") for solver in solvers()]


def _all(answer: SolverAnswer, number: float) -> SolverAnswer:
    return SolverAnswer(
        "optimal", number, [number] * len(answer.values), [number] * len(answer.duals)
    )


def _first(numbers: Sequence[float], number: float) -> list[float]:
    return [number, *numbers[1:]]


def _drawn(answer: SolverAnswer) -> SolverAnswer:
    random = Random(len(answer.values))
    values, duals = ([random.uniform(-9, 9) for _ in x] for x in (answer.values, answer.duals))
    return SolverAnswer("optimal", random.uniform(-9, 9), values, duals)


LIES: dict[str, Callable[[SolverAnswer], SolverAnswer]] = {
    "nan": lambda answer: _all(answer, nan),
    "zeros": lambda answer: _all(answer, 0.0),
    "ones": lambda answer: _all(answer, 1.0),
    "infinity": lambda answer: _all(answer, inf),
    "nothing": lambda answer: SolverAnswer("optimal", 0.0, [], []),
    "another length": lambda answer: replace(answer, values=[*answer.values, 0.0]),
    "drawn": _drawn,
    "infeasible": lambda answer: SolverAnswer("infeasible", nan, [], []),
    "nan as objective": lambda answer: replace(answer, objective=nan),
    "a value is nan": lambda answer: replace(answer, values=_first(answer.values, nan)),
    "a value is 7": lambda answer: replace(answer, values=_first(answer.values, 7.0)),
    "values are halved": lambda answer: replace(answer, values=[x / 2 for x in answer.values]),
}
ABOUT_DUALS: dict[str, Callable[[SolverAnswer], SolverAnswer]] = {
    "a dual is nan": lambda answer: replace(answer, duals=_first(answer.duals, nan)),
    "duals are 0": lambda answer: replace(answer, duals=[0.0] * len(answer.duals)),
    "duals are large": lambda answer: replace(answer, duals=[9.0 * y for y in answer.duals]),
    "duals are moved": lambda answer: replace(
        answer,
        duals=[answer.duals[0] + 1e6, answer.duals[1] - 1e6, *answer.duals[2:]],
    ),
    "duals are exchanged": lambda answer: replace(
        answer, duals=[*answer.duals[:11][::-1], *answer.duals[11:]]
    ),
}


def lying(
    lie: Callable[[SolverAnswer], SolverAnswer], about: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have both solvers lie about all linear programs, or about all integer ones."""
    by_pulp = master.solve_program

    def solved(*given: Any, integer: bool = False, **named: Any) -> SolverAnswer:
        answer = by_pulp(*given, integer=integer, **named)
        return lie(answer) if integer == about else answer

    monkeypatch.setattr(master, "solve_program", solved)
    if "highs" in solvers() and not about:
        from oracle.optima.kept import Kept

        by_highs = Kept.solve
        monkeypatch.setattr(Kept, "solve", lambda *given: lie(by_highs(*given)))


@pytest.mark.parametrize(("method", "solver"), METHODS)
@pytest.mark.parametrize("lie", LIES | ABOUT_DUALS)
def test_lies_about_linear_programs(
    lie: str, method: str, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying((LIES | ABOUT_DUALS)[lie], False, monkeypatch)
    with pytest.raises(SolverFailed, match=f"{solver} solved a linear program wrongly: "):
        solve(INSTANCE.rows, INSTANCE.k, method, solver=solver)


@pytest.mark.parametrize(("method", "solver"), METHODS)
@pytest.mark.parametrize("lie", LIES)
def test_lies_about_integer_programs(
    lie: str, method: str, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They only give hints: the optimum is proved without them, unless the lie is noticed."""
    lying(LIES[lie], True, monkeypatch)
    with suppress(SolverFailed):
        found = solve(INSTANCE.rows, INSTANCE.k, method, solver=solver)
        assert (found.status, found.value, found.bound) == ("optimal", LEAST, LEAST)


@pytest.mark.parametrize(("method", "solver"), METHODS)
def test_a_solver_that_is_ended(method: str, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is no lie: what is known is kept, and the bound holds."""
    lying(lambda _: SolverAnswer("unknown", nan, [], []), False, monkeypatch)
    found = solve(INSTANCE.rows, INSTANCE.k, method, solver=solver)
    assert found.status == "feasible"
    assert found.bound is not None
    assert Fraction(0) <= found.bound <= LEAST <= found.value


def test_without_lies_the_instance_is_solved() -> None:
    for method, solver in METHODS:
        found = solve(INSTANCE.rows, INSTANCE.k, method, solver=solver)
        assert (found.status, found.value) == ("optimal", LEAST)
