"""What can be said of a release without its original: which records are alike, and how diverse."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from oracle.auditing.anonymity import REPORTED
from oracle.auditing.checks import AuditedRelease, Check, Groups, size_check
from oracle.auditing.privacy import SHOWN, check_confidential, class_line
from oracle.auditing.verdict import Verdict
from refagg.data.tables import Table
from refagg.language.partition import Partition, check_k
from refagg.release.report import class_facts
from refagg.release.risk import release_classes

UNSAID = (
    "whether the values are the aggregates of their groups",
    "what the release loses, and whether its records can be linked to others",
    "which algorithm made it",
)
"""What needs the original."""


def judge_alone(released: Table, k: int, confidential: Mapping[str, Sequence[Hashable]]) -> Verdict:
    """The verdict on a release by itself. Raises InvalidK, KTooLarge, ShapeMismatch.

    `confidential` has columns of values that are no quasi-identifiers, by their names.
    """
    check_k(k, released.n, "the release")
    for name, column in confidential.items():
        check_confidential(name, column, released.n)
    classes = release_classes(released)
    case = AuditedRelease(released, released, k, None, [("", list(range(released.n)))])
    facts: dict[str, Any] = class_facts(released)
    facts["l_diversity"] = {
        name: least_diversity(classes, column) for name, column in confidential.items()
    }
    checks = [
        Check("well formed", "holds", f"{released.n} records, {len(released.names)} attributes"),
        size_check(case, Groups(classes, True, ())),
        *(diversity_check(classes, name, column) for name, column in confidential.items()),
        Check("without the original", REPORTED, "not checked; these need the original", UNSAID),
    ]
    sizes = ", ".join(f"{count} of {size}" for size, count in list(facts["sizes"].items())[:12])
    line = f"classes of equal rows {facts['classes']} ({sizes}), k reached {facts['k_reached']}"
    return Verdict([(released.names, checks)], facts, [], (line,))


def least_diversity(classes: Partition, column: Sequence[Hashable]) -> int:
    """The least number of different values that a class of equal rows has (distinct l-diversity).

    >>> least_diversity(Partition.of([(0, 1), (2, 3)]), ["flu", "cold", "flu", "flu"])
    1
    """
    return min(len({column[record] for record in group}) for group in classes.groups)


def diversity_check(classes: Partition, name: str, column: Sequence[Hashable]) -> Check:
    """How many values of a confidential attribute there are at least among records that are alike.

    Source: A. Machanavajjhala et al. 2007, l-diversity: here the number of distinct values.
    """
    least = least_diversity(classes, column)
    few = [g for g in classes.groups if len({column[record] for record in g}) == least]
    lines = [class_line(group, column) for group in few[:SHOWN]]
    lines += [f"and {len(few) - SHOWN} more"] if len(few) > SHOWN else []
    known = ", which membership of the class discloses" if least == 1 else ""
    classes_ = f"{len(few)} of {len(classes.groups)} classes of equal rows"
    have = "has" if len(few) == 1 else "have"
    values = "one value only" if least == 1 else f"{least} values"
    summary = f"l = {least}; {classes_} {have} {values}{known}"
    details = {"l_reached": least, "classes": len(few)}
    return Check(f"diversity of {name}", REPORTED, summary, tuple(lines), details)
