"""Have centres as many records on average as k says?"""

from __future__ import annotations

from oracle.auditing.anonymity import as_promised
from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.fuzzy import average_check
from oracle.auditing.observed_release import Published, Seen
from oracle.checks.driver import check


@check(46)
def group_sizes(
    drawn: AuditedRelease, published: Published, sight: Seen | None, promise: str
) -> Check:
    """Judge the average, beside the sizes that are expected and those that were drawn."""
    return as_promised(average_check(drawn, published, sight), promise)
