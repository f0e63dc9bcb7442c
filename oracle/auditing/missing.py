"""The audit of releases in which values are missing, by the policy that the release claims.

drop: the records of the original that lack a value are not in the release, which lacks none.
group-apart: both files lack the same cells; records that lack the same attributes are audited as
a table of their own. as-released: both files lack the same cells; a missing cell counts as a
value of its own where records are alike, and is left out of its attribute's aggregates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from oracle.auditing.checks import AuditedRelease, Check, Groups, groups_of, size_check, value_check
from oracle.auditing.tolerance import of_values
from oracle.auditing.verdict import Verdict
from refagg.data.kinds import NOMINAL
from refagg.data.missing import APART, Part, different_cells, listed_records, pattern_facts
from refagg.data.tables import Attribute, Table
from refagg.language.partition import Partition
from refagg.release.aggregates import MEANS, Aggregates

NAME = "missing values"


def dropped_check(dropped: Sequence[int], n: int, incomplete: Sequence[int]) -> Check:
    """Does the release lack nothing? `incomplete` are its records that lack a value."""
    if incomplete:
        witness = (f"released {listed_records(incomplete)}: a value is missing",)
        return Check(NAME, "fails", "drop: the release has missing values", witness)
    named = f": {listed_records(dropped)} of the original" if dropped else ""
    text = f"drop: {len(dropped)} of {n} records lack a value and are left out{named}"
    return Check(NAME, "holds", text, (), {"policy": "drop", "dropped": list(dropped)})


def agreement_check(policy: str, original: Sequence[Part], released: Sequence[Part]) -> Check:
    """Do both files lack the same cells? Otherwise a witness names records and attributes."""
    if wrong := different_cells(original, released):
        text = f"{policy}: different cells are missing in the two files"
        return Check(NAME, "fails", text, tuple(wrong))
    apart = [part.title for part in original if part.lacking]
    text = f"{policy}: the same cells are missing in both files: {'; '.join(apart) or 'none'}"
    return Check(NAME, "holds", text, (), pattern_facts(policy, original))


def few_check(part: Part, k: int) -> Check | None:
    """The check that fails for fewer than k records that lack the same, if there are so few."""
    if len(part.records) >= k:
        return None
    text = f"{len(part.records)} records lack the same values, fewer than k = {k}"
    return Check(
        "k-anonymous", "fails", text, (f"{listed_records(part.records)}: equal to no other record",)
    )


def unmasked_verdict(part: Part) -> Verdict:
    """Of k records and more that lack all values: they are alike."""
    text = f"{len(part.records)} records lack all values"
    facts = {"records": len(part.records), "k_reached": len(part.records)}
    return Verdict([((), [Check("k-anonymous", "holds", text)])], facts, [], ())


def as_released_verdict(
    agreement: Check,
    columns: Sequence[tuple[Sequence[int], Table, Table]],
    n: int,
    k: int,
    partition: Partition | None,
    tolerance: Fraction | None,
    aggregates: Aggregates = MEANS,
) -> Verdict:
    """The verdict on a release whose missing cells were treated in a way that is not said.

    `columns` has for each attribute the records that have it, and its values in both files.
    """
    labels: list[list[object]] = [[] for _ in range(n)]
    for records, _, released in columns:
        there = dict(zip(records, released.attributes[0].labels, strict=True))
        for record, label in enumerate(labels):
            label.append(there.get(record))
    rows = tuple(map(repr, labels))
    table = Table((), (Attribute("row", NOMINAL, rows),), ("row",))
    classes = partition or Partition.from_labels(rows)
    inferred = partition is None
    case = AuditedRelease(table, table, k, partition, [("", list(range(n)))])
    checks = [agreement, size_check(case, Groups(classes, inferred, ()))]
    for records, ours, theirs in columns:
        check = _column_check(records, ours, theirs, k, classes, inferred, tolerance, aggregates)
        checks.append(check)
    names = tuple(ours.names[0] for _, ours, _ in columns)
    facts = {"k_reached": classes.smallest(), "missing": agreement.details}
    return Verdict([(names, checks)], facts, [], ())


def _column_check(
    records: Sequence[int],
    ours: Table,
    theirs: Table,
    k: int,
    classes: Partition,
    inferred: bool,
    tolerance: Fraction | None,
    aggregates: Aggregates,
) -> Check:
    """Are the values of one attribute those of the groups' records that have it?"""
    number = {record: i for i, record in enumerate(records)}
    groups = [[number[r] for r in group if r in number] for group in classes.groups]
    own = Partition.of([group for group in groups if group], len(records))
    # A group that is given may have fewer than k records with this value.
    case = AuditedRelease(
        ours, theirs, k if inferred else 1, own, [("", list(range(ours.n)))], aggregates
    )
    found = groups_of(case)
    granted = of_values(ours.n) if tolerance is None else tolerance
    check = value_check(case, Groups(own, inferred, found.renderings), granted)
    return Check(
        f"aggregates of {ours.names[0]}", check.status, check.summary, check.witness, check.details
    )


def apart_verdict(
    original: Sequence[Part], released: Sequence[Part], k: int, judge: Callable[[Part], Verdict]
) -> Verdict:
    """The verdict on records that were masked apart, those of each part as `judge` says."""
    agreement = agreement_check(APART, original, released)
    if agreement.status == "fails":
        return failed(agreement, (*original[0].names, *original[0].lacking))
    verdicts = []
    for part in original:
        few = few_check(part, k)
        if few is None:
            made = judge(part) if part.names else unmasked_verdict(part)
        else:
            made = failed(few, part.names)
        verdicts.append((part, made))
    return joined(agreement, verdicts)


def joined(agreement: Check, parts: Sequence[tuple[Part, Verdict]]) -> Verdict:
    """One verdict on records that were masked apart; each part counts its records from 0."""
    blocks, titles, measures, facts = [], [], [], []
    for part, verdict in parts:
        for names, checks in verdict.blocks:
            several = len(verdict.blocks) > 1
            titles.append(part.title + f", block {', '.join(names)}" * several)
            blocks.append((names, checks))
        if verdict.together:
            titles.append(f"{part.title}, all blocks together")
            blocks.append((part.names, list(verdict.together)))
        measures += [f"{part.title}: {line}" for line in verdict.measures]
        facts.append(
            {"lacking": list(part.lacking), "records": list(part.records), **verdict.facts}
        )
    reached = min((fact["k_reached"] for fact in facts if "k_reached" in fact), default=0)
    whole = {"k_reached": reached, "missing": agreement.details, "parts": facts}
    return Verdict(blocks, whole, [agreement], tuple(measures), tuple(titles))


def failed(check: Check, names: Sequence[str]) -> Verdict:
    """The verdict where nothing more can be judged."""
    return Verdict([(tuple(names), [check])], {}, [], ())
