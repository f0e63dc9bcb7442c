"""The command `oracle hunt`."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.commands.conform_command import (
    add_ci_options,
    add_door_options,
    files_asked,
    implementation_of,
)
from oracle.commands.terminating import terminable
from oracle.conformance.hunting.coverage import SECONDS, TRIES
from oracle.functions.implementations import hunt
from oracle.report.made import made_now
from oracle.report.pages import check_report
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import check_outputs, write_bytes, write_json
from refagg.data.standardise import STANDARDISATIONS
from refagg.errors import InvalidParameter
from refagg.language.specification import parameters
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from oracle.conformance.hunting.hunt import Hunt


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whom to ask, how much, and what to keep."""
    parser.usage = (
        "oracle hunt --algorithm NAME [options] "
        "(--csv COMMAND | --python MODULE:FUNCTION | -- COMMAND)"
    )
    parser.description = (
        "The exit status is 0 if all questions were asked and nothing was found, 1 if "
        "something was found, 2 if no answer could be judged, 3 if coverage was too low to say "
        "anything. docs/hunt.md has more."
    )
    add_door_options(parser)
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--standardise", choices=STANDARDISATIONS, default="none")
    parser.add_argument("-k", default="1-5", metavar="K|A-B", help="values of k (default 1-5)")
    parser.add_argument(
        "--attributes",
        type=int,
        metavar="P",
        help="number of attributes (default: 1 to 3, as the algorithm allows)",
    )
    parser.add_argument(
        "--max-records",
        type=int,
        default=26,
        metavar="N",
        help="maximum number of records (default 26)",
    )
    parser.add_argument(
        "--max-questions",
        type=int,
        default=TRIES,
        metavar="N",
        help="number of questions, divided equally among the topics (default %(default)s)",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        default=SECONDS,
        metavar="SECONDS",
        help="stop after SECONDS, even if questions remain (default %(default)g)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the questions (default 0)")
    parser.add_argument(
        "--algorithm-seed", type=int, metavar="SEED", help="seed for a randomised algorithm"
    )
    parser.add_argument(
        "--shape",
        default="",
        metavar="NAME",
        help="ask about strata, blocks of attributes, constraints, sampling_weights, kinds, "
        "Gower's distance of these (gower), time series (series) or sequences of events "
        "(sequences)",
    )
    parser.add_argument(
        "--all-failures",
        action="store_true",
        help="find a failure of each kind, not only the first",
    )
    parser.add_argument(
        "--nondeterministic",
        action="store_true",
        help="allow different answers to the same question",
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write findings as vectors (JSON)"
    )
    add_ci_options(parser)
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write the failures")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write a page for a browser into this folder"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """1 if something was found, 2 if no answer could be judged, 3 if too little, else 0."""
    inputs = list(filter(None, [given.known_failures]))
    check_outputs([given.save, given.junit, given.json], inputs)
    if given.report:
        check_report(given.report, [*inputs, *filter(None, [given.json])])
    settings, ks = parameters(given.param), least_and_greatest(given.k)
    began = time.monotonic()
    with terminable():
        result = hunt(
            implementation_of(given),
            given.algorithm,
            k=ks,
            attributes=given.attributes,
            max_records=given.max_records,
            parameters=settings,
            standardise=given.standardise,
            algorithm_seed=given.algorithm_seed,
            precision=given.precision,
            without=given.without,
            max_questions=given.max_questions,
            time_limit=given.time_limit,
            seed=given.seed,
            all_failures=given.all_failures,
            answer_timeout=given.answer_timeout,
            restart_per_case=given.restart_per_case,
            nondeterministic=given.nondeterministic,
            shape=given.shape,
            csv=bool(given.csv),
            frames=given.frames,
            known_failures=given.known_failures,
        )
    _tell(given, result, began)
    return result.exit_status


def _tell(given: argparse.Namespace, result: Hunt, began: float) -> None:
    """Print what was found and write the files that are asked for."""
    from oracle.conformance.hunting.findings_report import (  # needs Hypothesis
        hunt_data,
        hunt_lines,
    )

    print(in_lines(hunt_lines(result)))
    ks = list(range(result.asked.ks[0], result.asked.ks[1] + 1))
    run = made_now(ks, [given.algorithm], files_asked(given)) | cost_since(began)
    if given.json:
        write_json(given.json, hunt_data(result, given.line) | {"run": run})
    if given.junit:
        from oracle.conformance.junit import junit_text, of_hunt

        content = junit_text(given.line, given.algorithm, list(of_hunt(result)))
        write_bytes(given.junit, content)
    if given.save and result.findings:
        from oracle.conformance.hunting.counterexample import save

        save(given.save, result.findings)
    if given.report:
        from oracle.report.hunt import write_hunt

        title = f"{given.algorithm}: {given.python or given.csv or given.command[0]}"
        write_hunt(result, given.report, title, given.line, run)


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
