"""The command `oracle hunt`."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from oracle.commands.conform_command import ASKING, asking_options, files_asked, implementation_of
from oracle.commands.terminating import terminable
from oracle.conformance.junit import junit_text
from oracle.functions.implementation_options import HUNT
from oracle.functions.implementations import hunt
from oracle.report.pages import check_written, made_now
from refagg.commands.options import output
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import write_bytes, write_json
from refagg.options.fields import values_of
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from oracle.conformance.hunting.hunt import Hunt


COMMAND = (
    *asking_options(HUNT),
    output("save", "FILE", "write findings as vectors (JSON)"),
    output("json", "OUT.json", "write the failures"),
)


USAGE = ASKING

DESCRIPTION = (
    "The exit status is 0 if all questions were asked and nothing was found, 1 if "
    "something was found, 2 if no answer could be judged, 3 if coverage was too low to say "
    "anything. docs/hunt.md has more."
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command; return the exit status.

    It is 1 if something was found, 2 if no answer could be judged, 3 if too little, else 0.
    """
    inputs = list(filter(None, [given.known_failures]))
    check_written([given.save, given.junit, given.json], given.report, inputs)
    began = time.monotonic()
    with terminable():
        asked = values_of(vars(given), HUNT)
        result = hunt(implementation_of(given), given.algorithm, **asked)
    _tell(given, result, began)
    return result.exit_status


def _tell(given: argparse.Namespace, result: Hunt, began: float) -> None:
    """Print what was found and write the files that are asked for."""
    from oracle.conformance.hunting.findings_report import (  # needs Hypothesis
        hunt_data,
        hunt_lines,
        hunt_tests,
        save,
    )

    print(in_lines(hunt_lines(result)))
    ks = list(range(result.asked.ks[0], result.asked.ks[1] + 1))
    run = made_now(ks, [given.algorithm], files_asked(given)) | cost_since(began)
    if given.json:
        write_json(given.json, hunt_data(result, given.line) | {"run": run})
    if given.junit:
        write_bytes(given.junit, junit_text(given.line, given.algorithm, [*hunt_tests(result)]))
    if given.save and result.findings:
        save(given.save, result.findings)
    if given.report:
        from oracle.report.conformance import write_hunt

        title = f"{given.algorithm}: {given.python or given.csv or given.command[0]}"
        write_hunt(result, given.report, title, given.line, run)
