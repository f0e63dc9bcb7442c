"""Is every released row a centre?"""

from __future__ import annotations

from oracle.auditing.checks import Check
from oracle.auditing.fuzzy import row_check
from oracle.auditing.observed_release import OutlyingRow, Published, Seen
from oracle.checks.driver import check


@check(22)
def released_rows(observed: Seen | OutlyingRow, published: Published) -> Check:
    """Judge the rows of a release to whose centres records were drawn."""
    return row_check(observed, published)
