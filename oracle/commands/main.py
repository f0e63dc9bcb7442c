"""The command `oracle`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from refagg.commands.starting import started

COMMANDS = {
    "audit": ("oracle", "judge a released file against its original"),
    "identify": ("oracle", "list the algorithms that could have made a released file"),
    "optimum": ("oracle", "find and prove the least SSE of any partition"),
    "verify": ("oracle", "check the certificate of an optimum or a bound"),
    "conform": ("oracle", "test an implementation with the vectors of an algorithm"),
    "vectors": ("oracle", "list, show or export test cases with their correct answers"),
    "hunt": ("oracle", "search for the smallest input on which an implementation is wrong"),
    "completion": ("refagg", "print a completion script for a shell"),
    "field": ("oracle", "test all known implementations that are installed"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit status of an audit is 0 if every check asked for holds, 1 if one does not,
    2 if the release could not be judged.
    """
    about = "Judge microaggregated files and implementations."
    return started("oracle", about, COMMANDS, arguments)


if __name__ == "__main__":
    sys.exit(main())
