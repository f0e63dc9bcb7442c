"""Does the seed give the draws of this release?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.auditing.fuzzy_seed import Replay
from oracle.checks.driver import check


@check(50)
def run_of_draws(again: Replay) -> Check:
    """Return the check of the run that was made again."""
    return again.check
