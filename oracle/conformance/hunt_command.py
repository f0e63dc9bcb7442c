"""The command `oracle hunt`."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refagg.catalogue import CATALOGUE
from refagg.errors import InvalidParameter
from refagg.options import parameters
from refagg.standardise import STANDARDISATIONS

from .doors import Program
from .functions import Function, function_named
from .model import ANY_PARTITION, OPTIMAL, Door

if TYPE_CHECKING:
    from .strategies import Wanted

CLAIMS = {"partition": ANY_PARTITION, "optimal": OPTIMAL}


def add_hunt(commands: Any) -> None:
    """Add the command to those of `oracle`."""
    hunt = commands.add_parser(
        "hunt", help="search for the smallest input on which an implementation is wrong"
    )
    hunt.add_argument(
        "program", nargs="*", metavar="-- COMMAND", help="a program that answers JSON lines"
    )
    hunt.add_argument("--python", metavar="MODULE:FUNCTION", help="a function instead of a program")
    hunt.add_argument("--algorithm", metavar="NAME", help="what it claims to be")
    hunt.add_argument("--claim", choices=CLAIMS, help="where it is no named algorithm")
    hunt.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    hunt.add_argument("--standardise", choices=STANDARDISATIONS, default="none")
    hunt.add_argument("-k", default="2-5", metavar="K|A-B", help="default 2-5")
    hunt.add_argument("--attributes", type=int, metavar="P", help="default: 1 to 3, as it fits")
    hunt.add_argument("--most", type=int, default=26, metavar="N", help="records (default 26)")
    hunt.add_argument("--precision", choices=("binary64", "binary32"), default="binary64")
    hunt.add_argument("--budget", type=float, default=60.0, metavar="SECONDS", help="default 60")
    hunt.add_argument("--tries", type=int, metavar="N", help="stop after so many questions")
    hunt.add_argument("--seed", type=int, default=0, help="other questions (default 0)")
    hunt.add_argument("--tape", type=int, metavar="SEED", help="of an algorithm that draws")
    hunt.add_argument("--every", action="store_true", help="one of each kind, not only the first")
    hunt.add_argument("--may-vary", action="store_true", help="answers need not be repeatable")
    hunt.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="per answer")
    hunt.add_argument("--save", type=Path, metavar="FILE", help="write findings as vectors (JSON)")
    hunt.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """1 if something was found, 2 if no answer could be judged, else 0."""
    from .hunt import hunt  # needs Hypothesis, which other commands do not
    from .hunt_report import hunt_lines

    asked = asked_of(given)
    with ExitStack() as stack:
        result = hunt(
            door_of(given, stack),
            asked,
            budget=given.budget,
            tries=given.tries,
            seed=given.seed,
            every=given.every,
            may_vary=True if given.may_vary else None,
            timeout=given.timeout,
        )
    print("\n".join(hunt_lines(result)))
    if given.save and result.findings:
        from .hunt_vector import save

        save(given.save, result.findings)
    return result.exit_status


def asked_of(given: argparse.Namespace) -> Wanted:
    """What is asked for. Raises InvalidParameter, UnknownAlgorithm, UnknownParameter."""
    from .strategies import wanted

    if (given.algorithm is None) == (given.claim is None):
        raise InvalidParameter("say what it claims to be: --algorithm NAME or --claim")
    settings = parameters(given.param)
    if given.algorithm in CATALOGUE:
        CATALOGUE[given.algorithm].settings(settings)
    return wanted(
        given.algorithm or CLAIMS[given.claim],
        k=least_and_greatest(given.k),
        width=given.attributes,
        most=given.most,
        parameters=settings,
        standardise=given.standardise,
        seed=given.tape,
        precision=given.precision,
    )


def least_and_greatest(text: str) -> tuple[int, int]:
    """Both ends of "2-5", or of "3". Raises InvalidParameter.

    >>> least_and_greatest("2-5"), least_and_greatest("3")
    ((2, 5), (3, 3))
    """
    first, _, last = text.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise InvalidParameter(f"k is {text!r}; it can be 3, or 2-5") from None


def door_of(given: argparse.Namespace, stack: ExitStack) -> Door:
    """The door to the implementation. Raises InvalidParameter."""
    if bool(given.program) == bool(given.python):
        raise InvalidParameter("name one implementation: --python MODULE:FUNCTION or -- COMMAND")
    if given.python:
        return Function(function_named(given.python))
    return stack.enter_context(Program(given.program))
