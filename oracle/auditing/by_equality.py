"""Audit of a release where values are missing or compared by equality.

The release stands beside its original.

Compared by equality are cells of undeclared kinds, and files in which values are missing by a rule,
or as released. k-anonymity is judged by equal rows. A column of numbers, or of a declared kind, is
judged by the aggregates of the groups' records that have a value; for any other column the check
says which values changed, and how they are judged.

drop: the records of the original that lack a value are not in the release, which lacks none.
group-apart: both files lack the same cells; records that lack the same attributes are audited as
a table of their own.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from oracle.auditing.alike import ANYTHING, OWN, Alike, alike_of
from oracle.auditing.alone import frequencies_line, frequency_facts
from oracle.auditing.cases import AuditedRelease, JudgedGroups, judged_groups
from oracle.auditing.cells import SUPPRESSED, Cells
from oracle.auditing.checks import losses_of, value_check, with_warnings
from oracle.auditing.conclusion import alike_baselines
from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.rendering import granted
from oracle.auditing.verdict import Verdict
from refagg.data.kinds import NOMINAL
from refagg.data.missing import Part, different_cells, listed_records, pattern_facts
from refagg.data.tables import Attribute, Table
from refagg.errors import with_options_named
from refagg.language.partition import Partition, check_k
from refagg.release.aggregates import MEANS, Aggregates

Values = Callable[[str, Sequence[int]], tuple[Table, Table]]
"""The values that some records have in a column of the original, and in the release."""


@dataclass(frozen=True, slots=True)
class EqualityCase:
    """Release and original as comparable cells, and the request.

    The request is what is asked of them.

    `values` gives those of a column that is declared, or holds numbers; `groups` are given, or None
    where they are inferred from equal rows. By a `rule`, missing cells of the two may differ.
    """

    original: Cells
    released: Cells
    values: Values
    k: int
    rule: str = OWN
    groups: Partition | None = None
    tolerance: Fraction | None = None
    aggregates: Aggregates = MEANS
    anonymity: str = "joint"

    @property
    def texts(self) -> dict[str, str]:
        """Return the columns that hold anything but numbers.

        Those of both files count. Each comes with the first such cell.
        """
        return {**self.original.texts, **self.released.texts}

    def columns(self, name: str) -> tuple[Sequence[int], Sequence[int]]:
        """Return the codes of a column in both files."""
        place = self.original.names.index(name)
        return self.original.columns[place], self.released.columns[place]

    def there(self, name: str) -> list[int]:
        """Return the records that have a value in both files."""
        pairs = zip(*self.columns(name), strict=True)
        return [record for record, pair in enumerate(pairs) if min(pair) > SUPPRESSED]

    def changed(self, name: str) -> list[int]:
        """Return the records with another value in the release."""
        ours, theirs = self.columns(name)
        return [record for record in self.there(name) if ours[record] != theirs[record]]


def equality_verdict(case: EqualityCase, alike: Alike, first: Sequence[Check] = ()) -> Verdict:
    """Return the verdict on a release whose cells are compared by equality.

    It begins with the checks `first`. Raises InvalidK, KTooLarge.
    """
    check_k(case.k, case.released.n, "the release")
    at_hand: dict[str, object] = {"k": case.k, "equality": case, "promise": case.anonymity}
    at_hand["classes"] = case.groups or Partition(alike_of(case.released, OWN).classes)
    at_hand |= {"cells": case.released, "alike": alike}
    if not first:
        at_hand |= {"shape": _shape(case), "gappy": case.released, "beside": case}
    if case.groups is None or (case.rule != OWN and case.groups.smallest() >= case.k):
        at_hand["frequencies"] = alike
    else:
        at_hand |= {"case": _rows(case), "groups": JudgedGroups(case.groups, False, ())}
    checks = [*first, *driven(at_hand)]
    facts = frequency_facts(alike, case.k) | {"anonymity": case.anonymity}
    facts["missing_cells"] = sum(map(case.released.missing, case.released.names))
    facts |= alike_baselines(alike, alike_of(case.original, case.rule))
    blocks, lines = [(case.released.names, checks)], (frequencies_line(facts),)
    return Verdict(blocks, facts, [], lines, at_hand=frozenset(at_hand))


def _shape(case: EqualityCase) -> str:
    n, names = case.released.n, case.released.names
    undeclared = [name for name in names if name in case.texts]
    text = f"{n} records, {len(names)} attribute{'s' * (len(names) > 1)} in both files"
    if undeclared:
        text += f"; compared as texts: {', '.join(undeclared)}"
    return text


@check_at(15)
def gap_checks(beside: EqualityCase) -> list[Check]:
    """Check that the same cells are missing in both files.

    Cells that are filled in are not judged.
    """
    found: dict[str, list[str]] = {"suppressed": [], "filled": []}
    for name in beside.released.names:
        ours, theirs = beside.columns(name)
        pairs = [(a <= SUPPRESSED, b <= SUPPRESSED) for a, b in zip(ours, theirs, strict=True)]
        for gaps, what in (((False, True), "suppressed"), ((True, False), "filled")):
            if records := [record for record, pair in enumerate(pairs) if pair == gaps]:
                found[what].append(f"{name}: {what} in {listed_records(records)}")
    checks = []
    if lines := found["suppressed"]:
        text = "values of the original are missing in the release"
        checks.append(Check("suppressed cells", "reported", text, tuple(lines)))
    if lines := found["filled"]:
        text = "values of the release are missing in the original, which cannot say what they are"
        checks.append(Check("filled cells", "not judged", text, tuple(lines)))
    return checks


def _rows(case: EqualityCase) -> AuditedRelease:
    """Return the released rows as one nominal attribute.

    It is for groups that are given.
    """
    rows = tuple(map(repr, zip(*case.released.columns, strict=True)))
    table = Table((), (Attribute("row", NOMINAL, rows),), ("row",))
    return AuditedRelease(table, table, case.k, case.groups, [("", list(range(len(rows))))])


@check_at(30)
def column_checks(equality: EqualityCase, classes: Partition) -> Iterator[Check]:
    """Check that the values of each common column follow from its groups."""
    for name in equality.released.names:
        if equality.there(name):
            yield column_check(equality, name, classes)


def column_check(case: EqualityCase, name: str, classes: Partition) -> Check:
    """Check that the values of one column follow from its groups.

    They are checked as far as that can be judged.
    """
    title = f"aggregates of {name}"
    changed, number = case.changed(name), len(case.there(name))
    if name not in case.texts and (case.rule != ANYTHING or case.groups):
        return replace(_aggregates(case, name, classes), name=title)
    if not changed:
        text = f"unchanged in all {number} records that have a value in both files"
        return Check(title, "holds", text)
    count = f"{len(changed)} of {number} values are changed ({listed_records(changed)})"
    if name not in case.texts:
        text = f"{count}; groups cannot be inferred where a missing cell matches anything"
        give = with_options_named("give them with --partition")
        return Check(title, "not judged", f"{text}; {give}")
    declared = _declarations(case.released.names, case.texts)
    gaps = any(map(case.released.missing, case.released.names))
    policy = with_options_named("--missing=group-apart ") * gaps
    text = f"{count}, and what {name} holds is not declared; {policy}{declared} would judge them"
    return Check(title, "not judged", text, (case.texts[name],))


def _declarations(names: Iterable[str], texts: Iterable[str]) -> str:
    """Return options that declare the kinds of all columns.

    Those of texts are declared as nominal ones.
    """
    pairs = [f"{name}={'nominal' if name in texts else 'numeric'}" for name in names]
    return with_options_named(" ".join(f"--kind={shlex.quote(pair)}" for pair in pairs))


def _aggregates(case: EqualityCase, name: str, classes: Partition) -> Check:
    """Check that the numbers of one column are group aggregates.

    They are aggregates of the groups' records that have a value.
    """
    records, inferred = case.there(name), case.groups is None
    ours, theirs = case.values(name, records)
    number = {record: i for i, record in enumerate(records)}
    groups = [[number[r] for r in group if r in number] for group in classes.groups]
    own = Partition.of([group for group in groups if group], len(records))
    # A group that is given may have fewer than k records with this value.
    part = AuditedRelease(
        ours, theirs, case.k if inferred else 1, own, [("", list(range(ours.n)))], case.aggregates
    )
    check = value_check(part, judged_groups(part, granted(case.tolerance), inferred))
    if check.status == "fails" and _may_be_joint(case, part, own):
        return Check(check.name, "not judged", JOINT_MODE)
    return with_warnings(check, losses_of(ours.columns, theirs.columns), part.plain)


JOINT_MODE = "not the modes of this column, and those of several together need not be"


def _may_be_joint(case: EqualityCase, part: AuditedRelease, own: Partition) -> bool:
    """Return True if a column can have the joint modes of several.

    The values of each group occur in it, and another column is declared as nominal, too.
    """
    names = [name for name in case.released.names if name not in case.texts]
    some = [case.values(name, case.there(name)[:1])[0] for name in names if case.there(name)]
    nominal = [one.name for table in some for one in table.others if one.kind.name == "nominal"]
    if len(nominal) < 2 or part.released.names[0] not in nominal:
        return False
    before, after = part.original.others[0].cells, part.released.others[0].cells
    return all({after[r] for r in group} <= {before[r] for r in group} for group in own.groups)


NAME = "missing values"


def dropped_check(dropped: Sequence[int], n: int, incomplete: Sequence[int]) -> Check:
    """Check that the release lacks nothing.

    `incomplete` are its records that lack a value.
    """
    if incomplete:
        witness = (f"released {listed_records(incomplete)}: a value is missing",)
        return Check(NAME, "fails", "drop: the release has missing values", witness)
    named = f": {listed_records(dropped)} of the original" if dropped else ""
    text = f"drop: {len(dropped)} of {n} records lack a value and are left out{named}"
    return Check(NAME, "holds", text, (), {"policy": "drop", "dropped": list(dropped)})


def agreement_check(policy: str, original: Sequence[Part], released: Sequence[Part]) -> Check:
    """Check that both files lack the same cells.

    Otherwise a witness names records and attributes.
    """
    if wrong := different_cells(original, released):
        text = f"{policy}: different cells are missing in the two files"
        return Check(NAME, "fails", text, tuple(wrong))
    apart = [part.title for part in original if part.lacking]
    text = f"{policy}: the same cells are missing in both files: {'; '.join(apart) or 'none'}"
    return Check(NAME, "holds", text, (), pattern_facts(policy, original))


@check_at(20)
def alike_by_lack(bare: Part, k: int) -> Check:
    """Check that k records lack the same values.

    Nothing else is judged of these records.
    """
    if len(bare.records) >= k:
        return Check("k-anonymous", "holds", f"{len(bare.records)} records lack all values")
    text = f"{len(bare.records)} records lack the same values, fewer than k = {k}"
    witness = f"{listed_records(bare.records)}: equal to no other record"
    details = {"violations": len(bare.records), "combinations_below_k": 1}
    return Check("k-anonymous", "fails", text, (witness,), details)


def bare_verdict(part: Part, k: int) -> Verdict | None:
    """Return the verdict on too few records, or on empty ones.

    Empty records lack all values. None on all others.
    """
    n = len(part.records)
    if part.names and n >= k:
        return None
    at_hand = {"k": k, "bare": part, "classes": Partition((tuple(range(n)),))}
    facts = {"records": n, "k_reached": n} if n >= k else {}
    return Verdict([(part.names, list(driven(at_hand)))], facts, [], ())


def joined_verdict(agreement: Check, parts: Sequence[tuple[Part, Verdict]], k: int) -> Verdict:
    """Join the verdicts on records that were masked apart.

    Each part counts its records from 0.
    """
    blocks, titles, measures, facts = [], [], [], []
    for part, verdict in parts:
        for names, checks in verdict.blocks:
            several = len(verdict.blocks) > 1
            titles.append(part.numbered + f", block {', '.join(names)}" * several)
            blocks.append((names, checks))
        if verdict.together:
            titles.append(f"{part.numbered}, all blocks together")
            blocks.append((part.names, list(verdict.together)))
        measures += [f"{part.title}: {line}" for line in verdict.measures]
        facts.append(
            {"lacking": list(part.lacking), "records": list(part.records), **verdict.facts}
        )
    reached = min((fact["k_reached"] for fact in facts if "k_reached" in fact), default=0)
    n = sum(len(part.records) for part, _ in parts)
    whole = {"k_reached": reached, "missing": agreement.details, "parts": facts, "n": n, "k": k}
    return Verdict(blocks, whole, [agreement], tuple(measures), tuple(titles))


def failed(check: Check, names: Sequence[str]) -> Verdict:
    """Return the verdict where nothing more can be judged."""
    return Verdict([(tuple(names), [check])], {}, [], ())
