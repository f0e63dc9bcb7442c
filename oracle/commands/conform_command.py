"""`oracle conform`: an implementation and the vectors of what it claims.

The implementation is a foreign one.
"""

from __future__ import annotations

import argparse
import shlex
import time
from importlib.util import find_spec
from pathlib import Path

from oracle.commands.terminating import terminable
from oracle.conformance.summary import failure_lines, smallest_first
from oracle.conformance.vectors.files import file_of
from oracle.functions.implementation_options import CONFORM
from oracle.functions.implementations import Conformance, Implementation, conform
from oracle.report.pages import check_written, made_now
from refagg.commands.options import argument, command_words, output
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import write_bytes, write_json
from refagg.errors import InvalidParameter
from refagg.language.importing import function_named
from refagg.options.fields import Option, Options, values_of
from refagg.options.readers import number
from refagg.terminal import in_lines


def asking_options(table: Options) -> list[Option]:
    """Return the options of conform and hunt as commands have them.

    They include the options that say whom to ask.
    """
    own = {**table, "csv": table["csv"].of(default=None)}
    return [
        argument("command", "COMMAND", "a program and its arguments", nargs="*", read=str),
        Option("a Python function, instead of a program", name="python", metavar="MODULE:FUNCTION"),
        Option(
            'of the catalogue, or "optimal", or "any k-partition"',
            name="algorithm",
            metavar="NAME",
            required=True,
        ),
        *own.values(),
        output("junit", "OUT.xml", "write the results for continuous integration"),
        output("report", "DIR", "write a page for a browser into this folder"),
    ]


COMMAND = (
    *asking_options(CONFORM),
    Option(
        "maximum number of failures to print (default 5)",
        5,
        name="max_failures",
        read=int,
        metavar="N",
    ),
    output("json", "OUT.json", "write all judgements"),
)

USAGE = ASKING = (
    "%(prog)s --algorithm NAME [options] (--csv COMMAND | --python MODULE:FUNCTION | -- COMMAND)"
)

DESCRIPTION = (
    "The exit status is 0 if answers pass and none is wrong, 1 if one is wrong or "
    "missing, 2 if none could be judged. docs/conformance.md has the protocol."
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    inputs = [path for path in (given.vectors, given.known_failures) if path]
    check_written([given.json, given.junit], given.report, inputs)
    if given.tolerance is not None:
        number(given.tolerance, "tolerance")
    began = time.monotonic()
    with terminable():
        asked = values_of(vars(given), CONFORM)
        made = conform(implementation_of(given), given.algorithm, **asked)
    _tell(given, made, began)
    return made.exit_status


def implementation_of(given: argparse.Namespace) -> Implementation:
    """Return the program or the function that the options name. Raises InvalidParameter."""
    ways = [way for way in (given.command, given.python, given.csv) if way]
    if len(ways) != 1:
        raise InvalidParameter(
            "give a COMMAND after --, or --python MODULE:FUNCTION, or --csv COMMAND"
        )
    return function_named(given.python) if given.python else ways[0]


def command_text(given: argparse.Namespace, case: str | None = None) -> str:
    """Return the command that asks again, for one case or for all."""
    asked = vars(given) | ({} if case is None else {"case": [case], "flag": []})
    words = ["oracle", "conform", "--algorithm", given.algorithm]
    words += command_words(asked, CONFORM.values())
    words += ["--python", given.python] if given.python else []
    return shlex.join(words + (["--", *given.command] if given.command else []))


def files_asked(given: argparse.Namespace) -> dict[str, Path]:
    """Return the files on which the answers depend.

    They are known as far as the command names them.
    """
    words = given.command or shlex.split(given.csv or "")
    if given.python:
        found = find_spec(given.python.partition(":")[0])
        words = [str(found.origin)] if found else []
    programs = [Path(word) for word in words if Path(word).is_file()]
    files = {f"program{f' {n}' if n > 1 else ''}": path for n, path in enumerate(programs, 1)}
    return files | ({"known failures": given.known_failures} if given.known_failures else {})


def _run_facts(given: argparse.Namespace, made: Conformance, began: float) -> dict[str, object]:
    """Return the provenance of the judgements.

    It says when and of what they were made.
    """
    ks = sorted({judgement.case.k for judgement in made.judgements})
    files = {"vectors": given.vectors or file_of(given.algorithm)}
    return made_now(ks, [given.algorithm], files_asked(given) | files) | cost_since(began)


def _tell(given: argparse.Namespace, made: Conformance, began: float) -> None:
    """Print the first failures and the summary; write requested files."""
    by_id = {vector.id: vector for vector in made.vectors}
    wrong, shown = made.failures, max(given.max_failures, 0)
    for judgement in smallest_first(wrong)[:shown]:
        again = command_text(given, judgement.case.id)
        lines = failure_lines(judgement, by_id.get(judgement.case.id), again)
        print(in_lines(lines), end="\n\n")
    if len(wrong) > shown:
        print(f"{len(wrong) - shown} more failures; --max-failures N shows more\n")
    print(made)
    run = _run_facts(given, made, began) if given.json or given.report else {}
    if given.json:
        write_json(given.json, made.as_data(command_text(given)) | {"run": run})
    if given.junit:
        write_bytes(given.junit, made.to_junit(command_text(given)))
    if given.report:
        title = f"{given.algorithm}: {given.python or given.csv or given.command[0]}"
        made.write_report(given.report, title, command_text(given), run)
