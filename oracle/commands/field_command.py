"""`oracle field`: all known and installed implementations, asked all their claims."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from oracle.commands.terminating import terminable
from oracle.conformance.field.pages import claim_text
from oracle.conformance.field.results import RESULTS, Result, results_in, status_of, write_result
from oracle.conformance.field.table import Member, members
from oracle.functions.field import asked
from oracle.report.conformance import write_field
from oracle.report.field_picture import field_picture
from oracle.report.pages import check_report
from refagg.commands.options import argument, output
from refagg.data.csvfiles import check_folder, write_bytes
from refagg.errors import InvalidParameter, MissingExtra, OutputUnwritable
from refagg.language.lists import check_one_of
from refagg.options.fields import Option
from refagg.terminal import NOW, in_lines, kept

COMMAND = (
    argument("names", "NAME", "implementations to test (default: all)", nargs="*", read=str),
    Option(
        "read the result files in this folder instead of testing (default: those that ship)",
        name="from",
        read=Path,
        nargs="?",
        const=RESULTS,
        metavar="DIR",
    ),
    output("results", "DIR", "write result files into this folder"),
    output("report", "DIR", "write a page for a browser into this folder"),
    output("picture", "FILE.svg", "draw the table of all programs by others"),
    Option(
        "questions of each hunt (default 520)", 520, name="max_questions", read=int, metavar="N"
    ),
    Option(
        "time limit of each hunt (default 600)",
        600.0,
        name="time_limit",
        read=float,
        metavar="SECONDS",
    ),
)

DESCRIPTION = (
    "The exit status is 0 whatever is found, and 2 if no implementation could be asked. "
    "docs/field.md has more."
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    chosen = chosen_of(given.names)
    source = vars(given)["from"]
    if source and given.results:
        raise InvalidParameter("--results and --from exclude each other: --from tests nothing")
    if given.results and not given.results.is_dir():
        raise OutputUnwritable(f"{given.results} is not a folder")
    if given.results:
        check_folder(given.results, given.results)
    if given.report:
        check_report(given.report)
    if source:
        names = {member.name for member in chosen}
        read = results_in(source)
        results = [r for r in read if not given.names or r["implementation"]["name"] in names]
    else:
        with terminable():
            results = _asked(given, chosen)
    print(in_lines(line for result in results for line in result_lines(result)))
    if given.report and results:
        write_field(results, given.report, given.line)
    if given.picture and results:
        write_bytes(given.picture, field_picture(results).encode())
    return 0 if results else 2


def chosen_of(names: list[str]) -> list[Member]:
    """Return the implementations of these names, or all. Raises InvalidParameter."""
    known = {member.name: member for member in members()}
    for name in names:
        check_one_of(name, known, "there is no implementation", others="there are")
    return [known[name] for name in names or known]


def _asked(given: argparse.Namespace, chosen: list[Member]) -> list[Result]:
    """Return the results of the installed implementations.

    Each is written as soon as it is there. An interruption ends it; the implementation that is
    being tested then has no result.
    """
    results: list[Result] = []
    for number, member in enumerate(chosen, 1):
        if missing := member.missing():
            print(f"{member.name} is not tested: it needs {missing}")
            continue
        if not given.quiet:
            text = f"{member.name}: {number} of {len(chosen)} implementations"
            print(text, file=sys.stderr, flush=True)
        try:
            with kept():
                results.append(asked(member, given.max_questions, given.time_limit))
        except MissingExtra as error:
            print(f"{member.name} is not tested: {error}")
            continue
        if NOW.interrupted:
            print(f"{member.name} has no result: its test was interrupted")
            break
        if given.results:
            write_result(given.results, results[-1])
    return results


def result_lines(result: Result) -> list[str]:
    """Return lines about each claim and each cause of failures."""
    known = result["implementation"]
    lines = []
    for claim in result["asked"]:
        passed = claim["vectors"].get("passed", 0)
        lines.append(
            f"{known['name']} {known['version']}, {claim_text(claim)}: {status_of(claim)} "
            f"({passed} of {sum(claim['vectors'].values())} vectors passed, "
            f"{claim['hunt']['questions']} questions of a hunt; {result['date']})"
        )
        lines += [f"  {one['cause']}: {one['words']}" for one in claim["findings"]]
    return lines
