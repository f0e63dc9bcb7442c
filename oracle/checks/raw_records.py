"""Is a released row an original record that fewer than k originals share?"""

from __future__ import annotations

from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.fuzzy import raw_check
from oracle.checks.driver import check


@check(48)
def raw_records(drawn: AuditedRelease, promise: str) -> Check:
    """Judge centres that are original records."""
    return raw_check(drawn, promise)
