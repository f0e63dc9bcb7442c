"""Pytest plugin: one test asks your implementation all vectors and hunts.

    from oracle.conformance.pytest_plugin import conforms_to

    @conforms_to("mdav", standardise="population")
    def test_my_groups(records, k, standardise):
        return my_package.groups(records, k, standardise)

or, for functions and for programs, the fixture `assert_conforms`:

    def test_mine(assert_conforms):
        assert_conforms(my_groups, "optimal")
        assert_conforms(["node", "mdav.js"], "mdav")
        assert_conforms("Rscript mask.R {input} {output} {k}", "mdav", csv=True)
        assert_conforms(my_frames, "mdav", frames="pandas", known_failures="known.txt")

Arguments are those of `oracle.hunt` and `oracle.conform`, so invalid input is asked, too.
`--refagg-max-questions` says how many questions are asked (default 260), `--refagg-seed` which. A
hunt that has not asked them all after `--refagg-time-limit` seconds (default 60) has covered too
little: that test fails. Nothing of refagg is imported, and no test is changed, unless one of these
is used.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypeVar, cast

import pytest

TRIES = 260
"""Questions: 10 for each of 26 topics."""

COMMON = (
    *("without", "precision", "answer_timeout", "restart_per_case", "nondeterministic", "csv"),
    *("frames", "known_failures", "standardise", "parameters"),
)
"""Arguments of hunts that are arguments of vectors, too."""

AGAIN = "this test, or oracle.conform(...) with the id of the vector in cases"

SHOWN = 3
"""Vectors answered wrongly that are shown."""

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
        "--refagg-seed", type=int, default=0, metavar="N", help="seed of the questions of hunts"
    )


class CoveredTooLittle(ValueError):
    """A hunt found nothing, but covered too little.

    It cannot say that nothing is wrong.
    """


@pytest.fixture
def assert_conforms(request: pytest.FixtureRequest) -> Asserts:
    """Return a function that fails with the smallest counterexample.

    It is one that a hunt finds. The function also fails if the hunt covers too little.
    """
    config = request.config

    def check(
        implementation: Callable[..., Any] | str | Sequence[str], claim: str, **how: Any
    ) -> None:
        how.setdefault("time_limit", config.getoption("--refagg-time-limit"))
        how.setdefault("max_questions", config.getoption("--refagg-max-questions"))
        how.setdefault("seed", config.getoption("--refagg-seed"))
        try:
            found = counterexamples(implementation, claim, **how)
        except CoveredTooLittle as reason:
            found = [str(reason)]
        if found:
            pytest.fail("\n".join(found), pytrace=False)

    return check


def conforms_to(claim: str, **how: object) -> Callable[[F], F]:
    """Make a test function ask vectors and hunt.

    A function that is no test gets such a test as `test`.

    A function whose name begins with `test` is the implementation (`records` and `k` are its first
    parameters), or returns it, and becomes the test; further parameters that no question has are
    fixtures. Any other function stays as it is. Further arguments are those of `counterexamples`.
    """

    def with_test(function: F) -> F:
        name = getattr(function, "__name__", "it")
        test = _test_of(function, claim, how)
        test.__doc__ = f"{name} conforms to {claim}."
        if name.startswith("test"):
            test.__name__, test.__qualname__ = name, function.__qualname__
            test.__module__ = function.__module__
            vars(test)["pytestmark"] = getattr(function, "pytestmark", [])
            return cast(F, test)
        function.test = test  # type: ignore[attr-defined]
        return function

    return with_test


QUESTION = (
    *("records", "k", "standardise", "seed", "kinds", "dissimilarity", "series", "times"),
    *("constraints", "strata", "blocks", "sampling_weights"),
)
"""Names under which a question may be told; others are parameters of the algorithm or fixtures."""


def _test_of(function: F, claim: str, how: dict[str, object]) -> Callable[..., None]:
    """Return a test function with the fixtures of a function.

    They are those that the function needs beside a question.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    method = parameters[:1] if parameters and parameters[0].name == "self" else []
    named = parameters[len(method) :]
    fixtures = [p for p in named if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    told = named[:2] if not {p.name for p in named[:2]}.isdisjoint(QUESTION) else []
    fixtures = [p for p in fixtures if p not in told and not _of_question(p.name, claim)]

    def test(*self: object, assert_conforms: Asserts, **given: object) -> None:
        known = {p.name: given[p.name] for p in fixtures}
        implementation = partial(function, *self, **known)
        assert_conforms(implementation if told else implementation(), claim, **how)

    keyword = inspect.Parameter.KEYWORD_ONLY
    needed = [inspect.Parameter("assert_conforms", keyword)]
    needed += [p.replace(kind=keyword) for p in fixtures]
    test.__signature__ = inspect.Signature([*method, *needed])  # type: ignore[attr-defined]
    return test


def _of_question(name: str, claim: str) -> bool:
    """Return True if questions on a claim have this name.

    They can tell something by it.
    """
    from refagg.catalogue import CATALOGUE

    own = CATALOGUE[claim].parameters if claim in CATALOGUE else ()
    return name in QUESTION or name in {p.name for p in own}


def counterexamples(
    implementation: Callable[..., Any] | str | Sequence[str],
    claim: Any,
    *,
    max_questions: int = TRIES,
    time_limit: float = BUDGET,
    vectors: bool = True,
    flags: Collection[str] = (),
    tolerance: Any = None,
    **how: Any,
) -> list[str]:
    """Return the findings of vectors and a hunt.

    They are lines for a reader; none where they find nothing.

    The vectors are asked first; where one is answered wrongly, nothing is hunted. `implementation`
    and `claim` are those of `oracle.hunt`, as are further arguments; `flags` and `tolerance` are
    those of `oracle.conform`, and `vectors=False` leaves the vectors out. Raises CoveredTooLittle
    if nothing is found, but too few questions were asked or answers judged, InvalidParameter if a
    request is wrong.
    """
    import oracle
    from oracle.conformance.hunting.findings_report import hunt_lines
    from oracle.conformance.summary import failure_lines, smallest_first

    if vectors:
        common = {name: how[name] for name in COMMON if name in how}
        asked = oracle.conform(implementation, claim, flags=flags, tolerance=tolerance, **common)
        if asked.exit_status == 1:
            first = smallest_first(asked.failures)[:SHOWN]
            return [*(line for j in first for line in failure_lines(j, None, AGAIN)), str(asked)]
    result = oracle.hunt(
        implementation, claim, max_questions=max_questions, time_limit=time_limit, **how
    )
    if result.exit_status in (2, 3):
        raise CoveredTooLittle("\n".join(hunt_lines(result)))
    return hunt_lines(result) if result.exit_status == 1 else []
