"""Is the assignment of records to centres a draw from the memberships?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.auditing.fuzzy import assignment_check
from oracle.auditing.observed_release import Published, Seen
from oracle.checks.driver import check


@check(44)
def assignment(seen: Seen, published: Published) -> Check:
    """Judge the draws."""
    return assignment_check(seen, published)
