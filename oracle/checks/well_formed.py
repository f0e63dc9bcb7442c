"""Do both files describe the same records?"""

from __future__ import annotations

from oracle.auditing.checks import Check, Counted
from oracle.checks.driver import check


@check(0)
def well_formed(whole: Counted) -> Check:
    """Return what the files hold, with the attributes of all blocks."""
    return Check("well formed", "holds", whole.shape)
