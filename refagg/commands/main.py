"""The command `refagg`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from refagg.commands.starting import started

COMMANDS = {
    "algorithms": ("refagg", "list the algorithms, or describe one"),
    "mask": ("refagg", "microaggregate a CSV file"),
    "compare": ("refagg", "run algorithms side by side"),
    "measure": ("refagg", "measure the loss and disclosure risk of a release"),
    "datasets": ("refagg", "list the data sets, or fetch one"),
    "completion": ("refagg", "print a completion script for a shell"),
    "reproduce": ("refagg", "recompute published results"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    It is 0, or 2 if the request could not be carried out.
    """
    about = "Published microaggregation algorithms in exact arithmetic."
    return started("refagg", about, COMMANDS, arguments)


if __name__ == "__main__":
    sys.exit(main())
