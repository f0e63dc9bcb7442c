"""Is the release a possible run of each algorithm that is named?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oracle.auditing.checks import AuditedRelease, Check, Groups
from oracle.auditing.runs import Bounds, method_check
from oracle.checks.driver import check
from refagg.release.method import Method


@check(50)
def run(
    case: AuditedRelease, groups: Groups, methods: Sequence[Method], bounds: Bounds
) -> Iterator[Check]:
    """Yield a check for each method that forms groups."""
    for method in methods:
        yield method_check(case, groups, method, *bounds)
