"""`oracle conform`: a foreign implementation and the vectors of what it claims to be."""

from __future__ import annotations

import argparse
import shlex
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oracle.commands.terminating import terminable
from oracle.conformance.judge.strictness import ROUNDING
from oracle.conformance.not_taken import add_without
from oracle.conformance.summary import failure_lines
from oracle.conformance.transport.frames import LIBRARIES
from oracle.conformance.vectors.files import FOLDER, file_name
from oracle.conformance.vectors.flags import FLAGS
from oracle.conformance.vectors.rescaled import SCALES
from oracle.functions.implementations import Conformance, Implementation, conform
from oracle.report.made import made_now
from oracle.report.pages import check_report
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import check_outputs, write_bytes, write_json
from refagg.errors import InvalidParameter
from refagg.language.importing import function_named
from refagg.options.readers import number
from refagg.terminal import in_lines


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whom to ask what, and what to write."""
    parser.usage = (
        "oracle conform --algorithm NAME [options] "
        "(--csv COMMAND | --python MODULE:FUNCTION | -- COMMAND)"
    )
    parser.description = (
        "The exit status is 0 if answers pass and none is wrong, 1 if one is wrong or "
        "missing, 2 if none could be judged. docs/conformance.md has the protocol."
    )
    add_door_options(parser)
    parser.add_argument(
        "--tolerance",
        help="relative difference up to which squared distances count as tied, and released "
        "values as correct (default: a bound on the rounding error of each case)",
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="FILE",
        help="ask the vectors of a file that `oracle hunt` saved",
    )
    parser.add_argument(
        "--case", action="append", metavar="ID", help="only this vector; can be repeated"
    )
    parser.add_argument(
        "--flag",
        action="append",
        default=[],
        choices=sorted(FLAGS),
        metavar="FLAG",
        help="only vectors with this flag (see `oracle vectors list`); can be repeated",
    )
    parser.add_argument(
        "--standardise",
        choices=tuple(SCALES),
        help="ask all vectors on this scale, for programs that support no other (default: the "
        "scale of each vector, usually none)",
    )
    parser.add_argument(
        "--nondeterministic",
        action="store_true",
        help="do not ask every question twice",
    )
    parser.add_argument(
        "--max-failures",
        type=int,
        default=5,
        metavar="N",
        help="maximum number of failures to print (default 5)",
    )
    add_ci_options(parser)
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write all judgements")
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write a page for a browser into this folder"
    )
    parser.set_defaults(run=run)


def add_door_options(parser: argparse.ArgumentParser) -> None:
    """How a foreign implementation is reached, what it claims, and in what it calculates."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="a program and its arguments")
    parser.add_argument(
        "--python", metavar="MODULE:FUNCTION", help="a Python function, instead of a program"
    )
    parser.add_argument(
        "--frames",
        choices=LIBRARIES,
        help="the function takes a data frame and k, and returns a data frame",
    )
    parser.add_argument(
        "--csv",
        metavar="COMMAND",
        help="a program that reads a CSV file and writes one: 'Rscript mask.R {input} {output} "
        "{k}'; {standardise}, {seed}, {columns} and parameters by name are also filled in",
    )
    parser.add_argument(
        "--restart-per-case",
        action="store_true",
        help="restart the program for each case, and close its input after the request",
    )
    parser.add_argument(
        "--algorithm",
        required=True,
        metavar="NAME",
        help='of the catalogue, or "optimal", or "any k-partition"',
    )
    parser.add_argument(
        "--answer-timeout",
        type=float,
        default=10.0,
        metavar="S",
        help="seconds for an answer (default 10)",
    )
    parser.add_argument(
        "--precision",
        choices=tuple(ROUNDING),
        default="binary64",
        help="arithmetic of the implementation (default binary64)",
    )
    add_without(parser)


def add_ci_options(parser: argparse.ArgumentParser) -> None:
    """What continuous integration needs: a list of known failures, and results that it shows."""
    parser.add_argument(
        "--known-failures",
        type=Path,
        metavar="FILE",
        help="vectors or causes that may fail, one NAME: reason to a line",
    )
    parser.add_argument(
        "--junit", type=Path, metavar="OUT.xml", help="write the results for continuous integration"
    )


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    inputs = [path for path in (given.vectors, given.known_failures) if path]
    check_outputs([given.json, given.junit], inputs)
    if given.report:
        check_report(given.report, [*inputs, *([given.json] if given.json else [])])
    if given.tolerance is not None:
        number(given.tolerance, "tolerance")
    began = time.monotonic()
    with terminable():
        made = conform(
            implementation_of(given),
            given.algorithm,
            standardise=given.standardise,
            vectors=given.vectors,
            cases=given.case,
            flags=given.flag,
            known_failures=given.known_failures,
            without=given.without,
            tolerance=given.tolerance,
            precision=given.precision,
            answer_timeout=given.answer_timeout,
            restart_per_case=given.restart_per_case,
            nondeterministic=given.nondeterministic,
            csv=bool(given.csv),
            frames=given.frames,
        )
    _tell(given, made, began)
    return made.exit_status


def implementation_of(given: argparse.Namespace) -> Implementation:
    """The program or the function that the options name. Raises InvalidParameter."""
    ways = [way for way in (given.command, given.python, given.csv) if way]
    if len(ways) != 1:
        raise InvalidParameter(
            "give a COMMAND after --, or --python MODULE:FUNCTION, or --csv COMMAND"
        )
    return function_named(given.python) if given.python else ways[0]


def command_text(given: argparse.Namespace, case: str | None = None) -> str:
    """The command that asks again, for one case or for all."""
    words = ["oracle", "conform", "--algorithm", given.algorithm]
    words += ["--case", case] if case else []
    words += ["--vectors", str(given.vectors)] if given.vectors else []
    words += [word for flag in given.flag if not case for word in ("--flag", flag)]
    words += ["--known-failures", str(given.known_failures)] if given.known_failures else []
    words += ["--standardise", given.standardise] if given.standardise else []
    words += [word for name in given.without for word in ("--without", name)]
    words += ["--restart-per-case"] if given.restart_per_case else []
    words += ["--nondeterministic"] if given.nondeterministic else []
    words += ["--answer-timeout", f"{given.answer_timeout:g}"] if given.answer_timeout != 10 else []
    words += ["--tolerance", given.tolerance] if given.tolerance is not None else []
    words += ["--precision", given.precision] if given.precision != "binary64" else []
    words += ["--frames", given.frames] if given.frames else []
    words += ["--csv", given.csv] if given.csv else []
    words += ["--python", given.python] if given.python else []
    return shlex.join(words + (["--", *given.command] if given.command else []))


def files_asked(given: argparse.Namespace) -> dict[str, Path]:
    """The files on which the answers depend, as far as the command names them."""
    words = given.command or shlex.split(given.csv or "")
    programs = [Path(word) for word in words if Path(word).is_file()]
    if given.python:
        found = find_spec(given.python.partition(":")[0])
        programs = [Path(found.origin)] if found and found.origin else []
    files = {f"program{f' {n}' if n > 1 else ''}": path for n, path in enumerate(programs, 1)}
    return files | ({"known failures": given.known_failures} if given.known_failures else {})


def _run_facts(given: argparse.Namespace, made: Conformance, began: float) -> dict[str, Any]:
    """When and of what the judgements were made."""
    ks = sorted({judgement.case.k for judgement in made.judgements})
    files = {"vectors": given.vectors or FOLDER / file_name(given.algorithm)}
    return made_now(ks, [given.algorithm], files_asked(given) | files) | cost_since(began)


def _tell(given: argparse.Namespace, made: Conformance, began: float) -> None:
    """Print the first failures and the summary; write the files that are asked for."""
    by_id = {vector.id: vector for vector in made.vectors}
    wrong, shown = made.failures, max(given.max_failures, 0)
    for judgement in wrong[:shown]:
        again = command_text(given, judgement.case.id)
        lines = failure_lines(judgement, by_id.get(judgement.case.id), again)
        print(in_lines(lines), end="\n\n")
    if len(wrong) > shown:
        print(f"{len(wrong) - shown} more are wrong; --max-failures N shows more\n")
    print(made)
    run = _run_facts(given, made, began) if given.json or given.report else {}
    if given.json:
        write_json(given.json, made.as_data(command_text(given)) | {"run": run})
    if given.junit:
        write_bytes(given.junit, made.to_junit(command_text(given)))
    if given.report:
        title = f"{given.algorithm}: {given.python or given.csv or given.command[0]}"
        made.write_report(given.report, title, command_text(given), run)
