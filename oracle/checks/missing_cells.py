"""Which cells are missing, and how many records does each rule for them find?"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.auditing.alike import Alike
from oracle.auditing.alone import missing_checks
from oracle.auditing.cells import Cells
from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(10)
def missing_cells(cells: Cells, alike: Alike, k: int, shape: str) -> Sequence[Check]:
    """Report missing cells, unless a policy said what they are."""
    return missing_checks(cells, alike, k)
