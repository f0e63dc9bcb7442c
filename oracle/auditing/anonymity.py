"""What a release promises of k-anonymity, and whether the whole of it is kept.

Groups of k in each block of attributes do not make records k-anonymous over all of them: the
combination of a record's blocks can be its own. So there is always a look at all together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from oracle.auditing.checks import AuditedRelease, Check, Counted, Grouped, Groups, size_check
from oracle.auditing.driver import check_at
from refagg.errors import InvalidParameter
from refagg.release.risk import release_classes

JOINT, EACH_BLOCK, ON_AVERAGE, NONE = "joint", "each-block", "on-average", "none"

PROMISES = (JOINT, EACH_BLOCK, ON_AVERAGE, NONE)
"""k records at least are alike over all quasi-identifiers; within each block only; on average
over the draws, which only algorithms that draw centres promise; nothing at all."""

REPORTED = "reported"
"""The status of what is found out but not judged, because it is not promised."""


def check_promise(promise: str, applicable: Sequence[str], why: str) -> None:
    """Raise InvalidParameter for a promise that this kind of release cannot make."""
    if promise not in applicable:
        raise InvalidParameter(
            f"--anonymity {promise} does not apply: {why}; it can be {', '.join(applicable)}"
        )


_ONLY_FUZZY = "only fuzzy assigns records to groups at random"


def promise_of_part(promise: str, blocks: int) -> str:
    """The promise for records that lack the attributes of other blocks than so many."""
    return JOINT if promise == EACH_BLOCK and blocks == 1 else promise


def check_numeric_promise(promise: str, blocks: int) -> None:
    """Raise InvalidParameter unless aggregates in so many blocks can make this promise."""
    if blocks > 1:
        check_promise(promise, (JOINT, EACH_BLOCK, NONE), _ONLY_FUZZY)
    else:
        why = {EACH_BLOCK: "all attributes are one block"}
        check_promise(promise, (JOINT, NONE), why.get(promise, _ONLY_FUZZY))


def as_promised(check: Check, promise: str) -> Check:
    """The check of the sizes of groups, only reported where nothing is promised."""
    if promise != NONE:
        return check
    summary = f"not promised (--anonymity none): {check.summary}"
    return replace(check, status=REPORTED, summary=summary)


_LESS = {EACH_BLOCK: "for each block", ON_AVERAGE: "on average"}


@check_at(20)
def k_anonymous(case: Counted, groups: Grouped, promise: str) -> Check:
    """Check that every group has k records; report it where nothing is promised."""
    return as_promised(size_check(case, groups), promise)


@check_at(21)
def joint_check(several: AuditedRelease, promise: str) -> Check:
    """Check that k records are alike over all quasi-identifiers, whatever the blocks."""
    case, inferred = several, several.partition is None
    groups = Groups(case.partition or release_classes(case.released), inferred, ())
    check = replace(size_check(case, groups), name="k-anonymous over all quasi-identifiers")
    if promise not in _LESS:
        return as_promised(check, promise)
    smallest = check.details["k_reached"]
    records = "1 record" if smallest == 1 else f"{smallest} records"
    fewer = smallest < case.k
    summary = (
        f"promised {_LESS[promise]} only (--anonymity {promise}): over all quasi-identifiers "
        f"together the release is {'not ' * fewer}k-anonymous: the smallest class of equal "
        f"released rows has {records}, {'fewer than' if fewer else 'at least'} k = {case.k}"
    )
    return replace(check, status=REPORTED, summary=summary)
