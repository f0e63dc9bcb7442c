"""`oracle conform`: a foreign implementation and the vectors of what it claims to be."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from oracle.conformance.judge.model import Judgement
from oracle.conformance.judge.strictness import ROUNDING, Strictness
from oracle.conformance.not_taken import add_without
from oracle.conformance.running import Asking, conform
from oracle.conformance.summary import as_data, exit_status, failure_lines, summary_lines
from oracle.conformance.taking import ANYTHING, SILENT, Gap, Taken, asked_and_gaps, taken_from
from oracle.conformance.transport.doors import Program
from oracle.conformance.transport.functions import Function
from oracle.conformance.vectors import Vector, vectors_in, vectors_of
from oracle.conformance.vectors.rescaled import SCALES, vectors_on
from oracle.report.conformance import write_report
from oracle.report.pages import check_report
from refagg.commands.options import number
from refagg.data.csvfiles import check_outputs, write_json
from refagg.errors import InvalidParameter
from refagg.language.importing import function_named


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whom to ask what, and what to write."""
    parser.usage = (
        "oracle conform --algorithm NAME [options] (--python MODULE:FUNCTION | -- COMMAND)"
    )
    parser.description = (
        "The exit status is 0 if answers pass and none is wrong, 1 if one is wrong or "
        "missing, 2 if none could be judged. docs/conformance.md has the protocol."
    )
    add_door_options(parser)
    parser.add_argument(
        "--tolerance",
        help="the relative difference up to which squared distances count as tied, and released "
        "values as right (default: what rounding can do to the values of each case)",
    )
    parser.add_argument(
        "--vectors", type=Path, metavar="FILE", help="those of a file that `oracle hunt` saved"
    )
    parser.add_argument("--case", action="append", metavar="ID", help="only these vectors")
    parser.add_argument(
        "--standardise",
        choices=tuple(SCALES),
        help="ask all vectors on this scale, for programs that know no other (default: each on "
        "its own, mostly none)",
    )
    parser.add_argument(
        "--may-vary", action="store_true", help="do not ask twice whether answers are the same"
    )
    parser.add_argument("--show", type=int, default=5, metavar="N", help="failures that are shown")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write all judgements")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write a page to look at")
    parser.set_defaults(run=run)


def add_door_options(parser: argparse.ArgumentParser) -> None:
    """How a foreign implementation is reached, what it claims, and in what it calculates."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="a program and its arguments")
    parser.add_argument("--python", metavar="MODULE:FUNCTION", help="a function of Python instead")
    parser.add_argument(
        "--once",
        action="store_true",
        help="start the program anew for each case, and end its input",
    )
    parser.add_argument(
        "--algorithm",
        required=True,
        metavar="NAME",
        help='of the catalogue, or "optimal", or "any k-partition"',
    )
    parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="time for an answer (default 10)"
    )
    parser.add_argument(
        "--precision",
        choices=tuple(ROUNDING),
        default="binary64",
        help="in what the implementation calculates (default binary64)",
    )
    add_without(parser)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    inputs = [given.vectors] if given.vectors else []
    check_outputs([given.json], inputs)
    if given.report:
        check_report(given.report, [*inputs, *([given.json] if given.json else [])])
    every, unscaled = asked_of(given)
    named = chosen(every, given.case)
    asking = Asking(seconds_of(given), strictness_of(given), given.may_vary)
    with closing(door_of(given)) as door:
        vectors, gaps = asked_and_gaps(named, taken_by(door, given), given.without)
        judgements = list(conform(door, vectors, asking))
    if unscaled and not given.case:
        ids = tuple(vector.id for vector in unscaled)
        gaps.append(Gap(*WITHOUT_SCALE, ids))
    _tell(given, vectors, judgements, gaps)
    return exit_status(judgements)


WITHOUT_SCALE = (
    "kinds or series, which have a scale of their own",
    "they are asked without --standardise",
)


def taken_by(door: Program | Function, given: argparse.Namespace) -> Taken:
    """What the implementation says that it takes. Raises InvalidParameter."""
    said = door.described(given.algorithm, seconds_of(given))
    if said is not None:
        return taken_from(said)
    return SILENT if isinstance(door, Program) else ANYTHING


def asked_of(given: argparse.Namespace) -> tuple[Sequence[Vector], Sequence[Vector]]:
    """The vectors that the options name, and those that are not asked. Raises InvalidParameter."""
    if given.vectors and given.standardise:
        raise InvalidParameter("--standardise is for the vectors of this project, not for a file")
    if given.vectors:
        return vectors_in(given.vectors, given.algorithm), ()
    if given.standardise:
        return vectors_on(given.algorithm, given.standardise, given.case)
    return vectors_of(given.algorithm), ()


def chosen(vectors: Sequence[Vector], ids: Sequence[str] | None) -> list[Vector]:
    """The vectors with these ids, or all. Raises InvalidParameter."""
    known = {vector.id: vector for vector in vectors}
    for identity in ids or ():
        if identity not in known:
            raise InvalidParameter(f"{identity!r} is none of the {len(known)} vectors")
    return [known[identity] for identity in ids] if ids else list(vectors)


def door_of(given: argparse.Namespace) -> Program | Function:
    """The door that the options describe. Raises InvalidParameter."""
    if bool(given.command) == bool(given.python):
        raise InvalidParameter("give a COMMAND after --, or --python MODULE:FUNCTION")
    if given.python:
        if given.once:
            raise InvalidParameter("--once applies to programs only")
        return Function(function_named(given.python))
    if shutil.which(given.command[0]) is None:
        there = "it may not be executed" if os.path.exists(given.command[0]) else "there is none"
        raise InvalidParameter(f"the program {given.command[0]!r} cannot be started: {there}")
    return Program(given.command, given.once)


def seconds_of(given: argparse.Namespace) -> float:
    """The time for an answer. Raises InvalidParameter."""
    if not 0 < given.seconds < 1e6:
        raise InvalidParameter(f"--seconds is {given.seconds}; it must be more than 0")
    return float(given.seconds)


def strictness_of(given: argparse.Namespace) -> Strictness:
    """How strictly answers are judged. Raises InvalidParameter."""
    if given.tolerance is None:
        return Strictness(precision=given.precision)
    tolerance = number(given.tolerance, "tolerance")
    if not 0 <= tolerance < 1:
        raise InvalidParameter(f"tolerance is {tolerance}; it must be at least 0 and less than 1")
    return Strictness(tolerance, precision=given.precision)


def command_text(given: argparse.Namespace, case: str | None = None) -> str:
    """The command that asks again, for one case or for all."""
    words = ["oracle", "conform", "--algorithm", given.algorithm]
    words += ["--case", case] if case else []
    words += ["--vectors", str(given.vectors)] if given.vectors else []
    words += ["--standardise", given.standardise] if given.standardise else []
    words += [word for name in given.without for word in ("--without", name)]
    words += ["--once"] if given.once else []
    words += ["--may-vary"] if given.may_vary else []
    words += ["--seconds", f"{given.seconds:g}"] if given.seconds != 10 else []
    words += ["--tolerance", given.tolerance] if given.tolerance is not None else []
    words += ["--precision", given.precision] if given.precision != "binary64" else []
    return shlex.join(
        words + (["--python", given.python] if given.python else ["--", *given.command])
    )


def _tell(
    given: argparse.Namespace,
    vectors: Sequence[Vector],
    judgements: Sequence[Judgement],
    gaps: Sequence[Gap],
) -> None:
    """Print the summary and the first failures; write the files that are asked for."""
    by_id = {vector.id: vector for vector in vectors}
    flags = {vector.id: vector.flags for vector in vectors}
    wrong = [j for j in judgements if j.status in ("failed", "errored")]
    shown = max(given.show, 0)
    for judgement in wrong[:shown]:
        again = command_text(given, judgement.case.id)
        lines = failure_lines(judgement, by_id.get(judgement.case.id), again)
        print("\n".join(lines), end="\n\n")
    if len(wrong) > shown:
        print(f"{len(wrong) - shown} more are wrong; --show N shows more\n")
    print("\n".join([*summary_lines(judgements), *(gap.line() for gap in gaps)]))
    if given.json:
        write_json(given.json, as_data(judgements, command_text(given), flags, gaps))
    if given.report:
        reasons = {v.id: v.reason + (f" (step {v.step})" if v.step else "") for v in vectors}
        title = f"{given.algorithm}: {given.python or given.command[0]}"
        write_report(judgements, given.report, title, command_text(given), flags, reasons, gaps)
