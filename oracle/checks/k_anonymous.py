"""Has every group at least k records, and every record k-1 others released like it?"""

from __future__ import annotations

from oracle.auditing.anonymity import as_promised
from oracle.auditing.checks import Check, Counted, Grouped, size_check
from oracle.checks.driver import check


@check(20)
def k_anonymous(case: Counted, groups: Grouped, promise: str) -> Check:
    """Judge the sizes of groups, which are only reported where nothing is promised."""
    return as_promised(size_check(case, groups), promise)
