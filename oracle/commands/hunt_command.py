"""The command `oracle hunt`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from oracle.commands.conform_command import add_door_options, door_of, seconds_of, taken_by
from oracle.conformance.hunting.coverage import SECONDS, TRIES
from oracle.conformance.taking import SILENT, Taken
from refagg.catalogue import CATALOGUE
from refagg.data.csvfiles import check_outputs
from refagg.data.standardise import STANDARDISATIONS
from refagg.errors import InvalidParameter, NotUnivariate
from refagg.language.specification import parameters

if TYPE_CHECKING:
    from oracle.conformance.hunting.strategies import Wanted


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whom to ask, how much, and what to keep."""
    parser.usage = "oracle hunt --algorithm NAME [options] (--python MODULE:FUNCTION | -- COMMAND)"
    parser.description = (
        "The exit status is 0 if all questions were asked and nothing was found, 1 if "
        "something was found, 2 if no answer could be judged, 3 if too little was covered to say "
        "anything. docs/hunt.md has more."
    )
    add_door_options(parser)
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--standardise", choices=STANDARDISATIONS, default="none")
    parser.add_argument("-k", default="2-5", metavar="K|A-B", help="default 2-5")
    parser.add_argument("--attributes", type=int, metavar="P", help="default: 1 to 3, as it fits")
    parser.add_argument("--most", type=int, default=26, metavar="N", help="records (default 26)")
    parser.add_argument(
        "--tries",
        type=int,
        default=TRIES,
        metavar="N",
        help="questions, of which each topic has an equal share (default %(default)s)",
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=SECONDS,
        metavar="SECONDS",
        help="stop after so long, even if questions are left (default %(default)g)",
    )
    parser.add_argument("--seed", type=int, default=0, help="other questions (default 0)")
    parser.add_argument("--tape", type=int, metavar="SEED", help="of an algorithm that draws")
    parser.add_argument(
        "--shape",
        default="",
        metavar="NAME",
        help="ask about records in strata, in blocks of attributes, or about time series (series)",
    )
    parser.add_argument("--every", action="store_true", help="one of each kind, not only the first")
    parser.add_argument("--may-vary", action="store_true", help="answers need not be repeatable")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write findings as vectors (JSON)"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """1 if something was found, 2 if no answer could be judged, 3 if too little, else 0."""
    check_outputs([given.save], [])
    if not 0 < given.budget < 1e6:
        raise InvalidParameter(f"--budget is {given.budget:g}; it must be more than 0 seconds")
    asked_of(given)  # says what is wrong, and so where Hypothesis is missing, before all else
    seconds = seconds_of(given)
    from oracle.conformance.hunting.findings_report import hunt_lines
    from oracle.conformance.hunting.hunt import hunt

    with _nothing_kept(), closing(door_of(given)) as door:
        result = hunt(
            door,
            asked_of(given, taken_by(door, given)),
            budget=given.budget,
            tries=given.tries,
            seed=given.seed,
            every=given.every,
            may_vary=True if given.may_vary else None,
            timeout=seconds,
        )
    print("\n".join(hunt_lines(result)))
    if given.save and result.findings:
        from oracle.conformance.hunting.counterexample import save

        save(given.save, result.findings)
    return result.exit_status


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Hypothesis keeps notes in a folder; here in one that goes away."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with TemporaryDirectory(prefix="oracle-hunt-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def asked_of(given: argparse.Namespace, taken: Taken | None = None) -> Wanted:
    """What is asked for.

    Raises InvalidParameter, NotUnivariate, UnknownAlgorithm, UnknownParameter.
    """
    from oracle.conformance.hunting.strategies import wanted

    settings = parameters(given.param)
    if given.attributes is not None and given.attributes < 1:
        raise InvalidParameter(f"--attributes is {given.attributes}; it must be at least 1")
    if given.algorithm in CATALOGUE:
        specification = CATALOGUE[given.algorithm]
        specification.settings(settings)
        if specification.attributes == "one" and given.attributes not in (None, 1):
            raise NotUnivariate(f"{given.algorithm} works on one attribute, not {given.attributes}")
    return wanted(
        given.algorithm,
        k=least_and_greatest(given.k),
        width=given.attributes,
        most=given.most,
        parameters=settings,
        standardise=given.standardise,
        seed=given.tape,
        precision=given.precision,
        without=given.without,
        taken=None if taken is SILENT else taken,
        shape=given.shape,
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
