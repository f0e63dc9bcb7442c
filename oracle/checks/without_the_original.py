"""What needs the original?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from oracle.auditing.alone import UNSAID
from oracle.auditing.anonymity import REPORTED
from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(70)
def without_the_original(columns_alone: Mapping[str, Sequence[Hashable]]) -> Check:
    """Report what is not judged of a release alone."""
    text = "not checked; these need the original"
    return Check("without the original", REPORTED, text, UNSAID)
