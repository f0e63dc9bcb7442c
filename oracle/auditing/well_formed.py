"""What do the tables hold?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.auditing.driver import check_at


@check_at(0)
def well_formed(shape: str) -> Check:
    """Return what was found when the tables were read."""
    return Check("well formed", "holds", shape)
