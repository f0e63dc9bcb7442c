"""Are k records alike over all quasi-identifiers, whatever the blocks?"""

from __future__ import annotations

from oracle.auditing.anonymity import joint_check
from oracle.auditing.checks import AuditedRelease, Check
from oracle.checks.driver import check


@check(21)
def k_anonymous_together(several: AuditedRelease, promise: str) -> Check:
    """Judge a release whose groups say nothing of all attributes together."""
    return joint_check(several, promise)
