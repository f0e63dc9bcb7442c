"""A pytest plugin: one test that hunts for inputs on which your implementation is wrong.

    from oracle.conformance.pytest_plugin import conforms_to

    @conforms_to("mdav", standardise="population")
    def my_groups(records, k, standardise): ...

    test_my_groups = my_groups.test

or, for functions and for programs, the fixture `assert_conforms`:

    def test_mine(assert_conforms):
        assert_conforms(my_groups, "optimal")
        assert_conforms(["node", "mdav.js"], "mdav")

`--refagg-max-questions` says how many questions are asked (default 240), `--refagg-seed` which. A
hunt that has not asked them all after `--refagg-time-limit` seconds (default 60) has covered too
little: that test fails. Nothing of refagg is imported, and no test is changed, unless one of these
is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

TRIES = 240
"""Questions: 10 for each of 24 topics."""

BUDGET = 60.0
"""Seconds, for slow programs and busy machines; most hunts take a few."""

F = TypeVar("F", bound=Callable[..., Any])

Asserts = Callable[..., None]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("refagg", "conformance of microaggregation")
    group.addoption(
        "--refagg-time-limit",
        type=float,
        default=BUDGET,
        metavar="SECONDS",
        help=f"how long each hunt for wrong answers may take at most (default {BUDGET:g})",
    )
    group.addoption(
        "--refagg-max-questions",
        type=int,
        default=TRIES,
        metavar="N",
        help=f"how many questions each hunt asks (default {TRIES})",
    )
    group.addoption(
        "--refagg-seed", type=int, default=0, metavar="N", help="hunts ask other questions"
    )


class CoveredTooLittle(ValueError):
    """A hunt found nothing, but covered too little to say that nothing is wrong."""


@pytest.fixture
def assert_conforms(request: pytest.FixtureRequest) -> Asserts:
    """Fails with the smallest counterexample that a hunt finds, or if that covers too little."""
    config = request.config

    def check(implementation: Callable[..., Any] | Sequence[str], claim: str, **how: Any) -> None:
        how.setdefault("budget", config.getoption("--refagg-time-limit"))
        how.setdefault("tries", config.getoption("--refagg-max-questions"))
        how.setdefault("seed", config.getoption("--refagg-seed"))
        try:
            found = counterexamples(implementation, claim, **how)
        except CoveredTooLittle as reason:
            found = [str(reason)]
        if found:
            pytest.fail("\n".join(found), pytrace=False)

    return check


def conforms_to(claim: str, **how: Any) -> Callable[[F], F]:
    """Give a function an attribute `test`, a pytest test that it does what it claims.

    The function itself stays as it is. Further arguments are those of `counterexamples`.
    """

    def with_test(function: F) -> F:
        def test(assert_conforms: Asserts) -> None:
            assert_conforms(function, claim, **how)

        test.__doc__ = f"{getattr(function, '__name__', 'it')} conforms to {claim}."
        function.test = test  # type: ignore[attr-defined]
        return function

    return with_test


def counterexamples(
    implementation: Callable[..., Any] | Sequence[str],
    claim: str,
    *,
    tries: int = TRIES,
    budget: float = BUDGET,
    seed: int = 0,
    every: bool = False,
    may_vary: bool | None = None,
    timeout: float = 10.0,
    **common: Any,
) -> list[str]:
    """What a hunt finds, as lines for a reader; none where it finds nothing.

    `implementation` is a function of records and k, or the command of a program. `claim` is the
    name of an algorithm, "any k-partition" or "optimal"; further arguments are those of
    `oracle.conformance.hunting.strategies.wanted`. Raises CoveredTooLittle if nothing is found, but
    too few questions were asked or answers judged, InvalidParameter if a request is wrong.
    """
    from oracle.conformance.hunting.findings_report import hunt_lines
    from oracle.conformance.hunting.hunt import hunt
    from oracle.conformance.hunting.strategies import wanted
    from oracle.conformance.transport.functions import Function
    from oracle.conformance.transport.programs import Program

    adapter = Function(implementation) if callable(implementation) else Program(implementation)
    try:
        result = hunt(
            adapter,
            wanted(claim, **common),
            budget=budget,
            seed=seed,
            every=every,
            may_vary=may_vary,
            timeout=timeout,
            tries=tries,
        )
    finally:
        adapter.close()
    if result.exit_status in (2, 3):
        raise CoveredTooLittle("\n".join(hunt_lines(result)))
    return hunt_lines(result) if result.findings else []
