"""Is every record that counts like k-1 others, by the rule for missing cells?"""

from __future__ import annotations

from oracle.auditing.alike import Alike
from oracle.auditing.alone import frequency_check
from oracle.auditing.anonymity import as_promised
from oracle.auditing.cells import Cells
from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(20)
def k_anonymous_cells(cells: Cells, frequencies: Alike, k: int, promise: str) -> Check:
    """Judge the frequencies of cells that are compared by equality."""
    return as_promised(frequency_check(cells, frequencies, k), promise)
