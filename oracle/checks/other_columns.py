"""Are the columns beside the quasi-identifiers released as they were?"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.auditing.checks import Check
from oracle.auditing.other_columns import OtherColumn, checks_of
from oracle.checks.driver import check


@check(90)
def other_columns(columns: Sequence[OtherColumn], n: int, same_rows: bool) -> Sequence[Check]:
    """Return the check of other columns, and what was not examined."""
    return checks_of(columns, n, same_rows)
