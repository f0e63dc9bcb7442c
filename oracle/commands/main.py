"""The command `oracle`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence

from refagg.commands.starting import carried_out, guarded, parser_for

COMMANDS = {
    "audit": ("oracle.commands.audit_command", "judge a released file against its original"),
    "identify": (
        "oracle.commands.identify_command",
        "which algorithms could have made a released file, and which could not",
    ),
    "optimum": (
        "oracle.commands.optimum_command",
        "the least SSE that any partition has, proved",
    ),
    "verify": (
        "oracle.commands.verify_command",
        "check the certificate of an optimum or a bound",
    ),
    "conform": (
        "oracle.commands.conform_command",
        "ask an implementation the vectors of an algorithm, and judge its answers",
    ),
    "vectors": ("oracle.commands.vectors_command", "cases with the answers that are right"),
    "hunt": (
        "oracle.commands.hunt_command",
        "search for the smallest input on which an implementation is wrong",
    ),
    "field": (
        "oracle.commands.field_command",
        "ask all known implementations that are installed, and show what came of it",
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit status of an audit is 0 if every check asked for holds, 1 if one does not,
    2 if the release could not be judged.
    """
    return guarded(lambda: _run(sys.argv[1:] if arguments is None else arguments))


def _run(words: Sequence[str]) -> int:
    line = argparse.Namespace(line=shlex.join(["oracle", *words]))
    about = "Judges of microaggregated files and implementations."
    return carried_out(parser_for(words, "oracle", about, COMMANDS).parse_args(words, line))


if __name__ == "__main__":
    sys.exit(main())
