"""The check of a run, with what is granted to the arithmetic of programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oracle.auditing.checks import AuditedRelease, Check, Groups
from oracle.auditing.driver import check_at
from oracle.auditing.replay import other_scale, run_check, told_from_rounding
from oracle.auditing.tolerance import TOLERANCE, hidden, of_distances
from refagg.release.method import Method
from refagg.terminal import NOW, kept

Bounds = tuple[Fraction | None, int, float]
"""The tolerance, if one is given, the most runs that are looked at, and CPU seconds for them."""


@check_at(50)
def runs(
    case: AuditedRelease, groups: Groups, methods: Sequence[Method], bounds: Bounds
) -> Iterator[Check]:
    """Check that the release is a possible run of each method that forms groups."""
    for method in methods:
        yield method_check(case, groups, method, *bounds)


def method_check(
    part: AuditedRelease,
    groups: Groups,
    method: Method,
    tolerance: Fraction | None,
    limit: int,
    seconds: float,
    hint: bool = True,
) -> Check:
    """Check that it is a possible run. Much is granted only where nothing else explains the groups.

    With a `hint`, a check that fails says if it would hold on another scale.
    """
    floats = tolerance is None
    most = of_distances(part.original, method.standardise) if tolerance is None else tolerance
    name = f"run of {method.specification.name}"
    check = Check(name, "not judged", "interrupted before it was decided")
    if NOW.interrupted:
        return check
    NOW.starts(name)
    with kept():
        for allowed in sorted({most, min(most, TOLERANCE)} if floats else {most}):
            check = run_check(part, groups, method, allowed, limit, seconds, floats)
            if check.status != "fails":
                break
        if floats and most > TOLERANCE:
            check = told_from_rounding(check, hidden(part.original))
        if hint:
            return other_scale(check, part, groups, method, allowed, limit, seconds)
    return check
