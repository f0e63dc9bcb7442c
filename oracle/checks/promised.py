"""Are confidential values diverse, and close to those of the file, as is promised?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oracle.auditing.alike import Alike
from oracle.auditing.checks import Check
from oracle.auditing.privacy import Column, Promise, promise_checks
from oracle.checks.driver import check
from refagg.data.kinds import Kind


@check(80)
def promised(
    alike: Alike,
    confidential: Mapping[str, Column],
    promises: Sequence[Promise],
    orders: Mapping[str, Kind],
) -> Sequence[Check]:
    """Return a check for each promise and each confidential column."""
    return promise_checks(alike, confidential, promises, orders)
