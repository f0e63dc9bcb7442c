"""Does the seed give this release, where something drawn was added to values?"""

from __future__ import annotations

from collections.abc import Iterator

from oracle.auditing.checks import Check
from oracle.auditing.deviations import Deviating, deviation_check
from oracle.auditing.tolerance import Granted
from oracle.checks.driver import check


@check(65)
def deviations(deviating: Deviating, granted: Granted) -> Iterator[Check]:
    """Yield a check for each method that draws deviations."""
    case, methods, blocks = deviating
    for method in methods:
        yield deviation_check(case, method, blocks, granted)
