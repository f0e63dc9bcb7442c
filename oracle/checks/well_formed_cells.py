"""What does a file, or do both, hold whose cells are compared by equality?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(0)
def well_formed_cells(shape: str) -> Check:
    """Return what the cells are."""
    return Check("well formed", "holds", shape)
