"""Does every released row meet the constraints?"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.edits import edit_check
from oracle.auditing.tolerance import Granted
from oracle.checks.driver import check
from refagg.constraints import Constraint


@check(40)
def constraints(
    case: AuditedRelease, constraints: Sequence[Constraint], granted: Granted
) -> Check | None:
    """Judge released rows by the constraints of their attributes, if there are any."""
    return edit_check(case, constraints, granted) if constraints else None
