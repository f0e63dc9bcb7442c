"""Which cells are missing in one of two files only?"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.auditing.by_equality import EqualityCase, gap_checks
from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(15)
def gaps(equality: EqualityCase, shape: str) -> Sequence[Check]:
    """Report cells that are suppressed; those that are filled in are not judged."""
    return gap_checks(equality)
