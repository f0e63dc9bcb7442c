"""Are the released values the aggregates of their groups?"""

from __future__ import annotations

from oracle.auditing.checks import Check, Counted, Grouped, value_check
from oracle.auditing.losses import Losses, with_warnings
from oracle.checks.driver import check


@check(30)
def aggregates(case: Counted, groups: Grouped, losses: Losses) -> Check:
    """Judge released values, with a warning where they lose more than all there is."""
    return with_warnings(value_check(case, groups), losses, case.plain)
