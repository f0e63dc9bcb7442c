"""Would one more step of the algorithm move the centres?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.auditing.fuzzy import centre_check
from oracle.auditing.memberships import Coordinates
from oracle.auditing.observed_release import Published, Seen
from oracle.checks.driver import check


@check(42)
def centres(seen: Seen, published: Published, coordinates: Coordinates) -> Check:
    """Judge the centres to which records were drawn."""
    return centre_check(seen, published, coordinates)
