"""`oracle verify`: is a certificate a proof?"""

from __future__ import annotations

import argparse

from oracle.certificate.reading import Rejected
from oracle.commands.checkers import CHECKERS, told_by
from oracle.commands.terminating import ended_after
from refagg.commands.options import DELIMITER, add, argument
from refagg.data.textfiles import Format, check_input
from refagg.errors import FileUnreadable
from refagg.options.fields import Option
from refagg.terminal import NOW, in_lines, one_line

MOST_SECONDS = 600.0
"""A check takes no longer unless it may."""


OPTIONS = (
    argument("certificate", "CERTIFICATE.json"),
    argument("input", "IN.csv"),
    DELIMITER,
    Option(
        "python, node (checker.js), or proved (extracted from Coq; built at its first use)",
        "python",
        name="checker",
        choices=CHECKERS,
    ),
    Option(
        f"stop after S seconds with status 2 (default: {MOST_SECONDS:g}, ten times what the "
        "largest shipped certificate needs)",
        MOST_SECONDS,
        name="time_limit",
        read=float,
        metavar="S",
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Name what to check, against what, and by which checker."""
    add(parser, OPTIONS)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """0 if the certificate is accepted, 1 if it is rejected. Raises FileUnreadable, TimeOver."""
    Format(given.delimiter).check()
    for path in (given.certificate, given.input):
        check_input(path)
    NOW.starts(f"checking {given.certificate}")
    with ended_after(given.time_limit, "the certificate could not be checked"):
        try:
            lines = told_by(given.checker, given.certificate, given.input, given.delimiter)
        except Rejected as reason:
            print(one_line(f"rejected: {reason}"))
            return 1
        except OSError as error:
            raise FileUnreadable(f"{error.filename} cannot be read: {error.strerror}") from None
    print(in_lines([*lines, f"checker: {CHECKERS[given.checker]}"]))
    return 0
