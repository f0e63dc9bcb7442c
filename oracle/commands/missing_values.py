"""`oracle audit --missing`: files in which values are missing, judged by the policy named."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from oracle.auditing.alike import OWN, RULES, alike_of
from oracle.auditing.by_equality import EqualityCase
from oracle.auditing.cells import cells_of_sheets, check_none_missing
from oracle.auditing.checks import promise_of_part
from oracle.auditing.driver import Check
from oracle.auditing.missing import agreement_check, dropped_check, failed
from oracle.auditing.privacy import promises_of, with_promises
from oracle.auditing.verdict import Verdict
from oracle.commands.audited_files import (
    AUDITED,
    OF_FILES,
    by_key,
    checks_beside,
    refuse_in,
    released_sheet,
)
from oracle.functions.audits import BY_EQUALITY, Audit, audit_of_case, judged_apart
from oracle.functions.values import tolerance_of
from refagg.commands.options import (
    blocks_of_part,
    check_no_key,
    format_of,
    kinds_of,
    names_of,
    of_part,
    quasi_identifiers,
    table_from,
    texts_of,
)
from refagg.data.aggregate import operator
from refagg.data.csvfiles import Sheet, read_sheet
from refagg.data.missing import (
    APART,
    AS_RELEASED,
    DROP,
    REJECT,
    Part,
    dropped,
    parts_of,
    patterns,
)
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, NotANumber, ShapeMismatch
from refagg.options.fields import refuse
from refagg.options.needs import WHOLE
from refagg.options.readers import number
from refagg.release.aggregates import MEANS, Aggregates
from refagg.release.partition_files import read_partition

Judge = Callable[
    [argparse.Namespace, Table, Table, Sheet | None, Sequence[Sequence[str]] | None], Audit
]


def audit_with_missing(given: argparse.Namespace, judge: Judge) -> Audit:
    """The audit by a policy other than reject. Raises InvalidParameter, ShapeMismatch."""
    check_unused(given, given.missing)
    if given.missing in RULES:
        return by_equality(given)
    how = format_of(given)
    original, released = read_sheet(given.original, how), read_sheet(given.released, how)
    names = quasi_identifiers(given, original.header, given.original, released.header)
    for name in names:
        released.column(name)
    ours = parts_of(original, names, given.missing, texts_of(given))
    if given.missing == DROP:
        return _drop(given, judge, original, released, ours[0])
    if given.key:
        released = by_key(original, released, given.key)
    theirs = patterns(released, names, texts_of(given))
    if len(original.rows) != len(released.rows):
        raise ShapeMismatch(
            f"the original has {len(original.rows)} records, the release has {len(released.rows)}"
        )
    others = checks_beside(given, original, released, names)
    if given.missing == APART:
        judged = partial(_part, given, judge, original, released)
        made = judged_apart(ours, theirs, given.k, judged)
        return _with_promises(made, given, released, names).beside(others)
    agreement = agreement_check(AS_RELEASED, ours, theirs)
    return audit_of_sheets(given, original, released, names, [agreement]).beside(others)


def check_unused(given: argparse.Namespace, policy: str) -> None:
    """Raise InvalidParameter for an option that cannot be had with a policy."""
    if policy in (AS_RELEASED, *RULES):
        refuse_in(given, EQUAL, f"with --missing {given.missing}")
    elif policy == APART:
        read = {name: vars(given).get(one.dest) for name, one in AUDITED.items()}
        refuse(read, AUDITED, {WHOLE: f"--missing is {APART}"}, lambda one: one.flag)


EQUAL = (*BY_EQUALITY, *OF_FILES, "sets_of", "violations", "report")
"""What applies to cells that are compared by equality."""


def needs_numbers(given: argparse.Namespace) -> bool:
    """Return True if an option needs columns of numbers, or of declared kinds."""
    try:
        refuse_in(given, EQUAL, "")
    except InvalidParameter:
        return True
    return False


def _drop(
    given: argparse.Namespace, judge: Judge, original: Sheet, released: Sheet, kept: Part
) -> Audit:
    theirs = patterns(released, kept.names, texts_of(given))
    incomplete = sorted(record for part in theirs if part.lacking for record in part.records)
    check = dropped_check(dropped(original, kept), len(original.rows), incomplete)
    if check.status == "fails":
        return _audit(failed(check, kept.names))
    if len(kept.records) != len(released.rows):
        raise ShapeMismatch(
            f"the original has {len(kept.records)} records that lack no value (--missing drop), "
            f"the release has {len(released.rows)}"
        )
    whole, original = replace(kept, lacking=()), original.take(kept.records)
    if given.key:
        released = by_key(original, released, given.key)
    made = _judged(given, judge, original, released, whole).after(check)
    return made.beside(checks_beside(given, original, released, kept.names))


def _judged(
    given: argparse.Namespace, judge: Judge, original: Sheet, released: Sheet, part: Part
) -> Audit:
    try:
        ours, theirs = (table_from(sheet, part.names, given) for sheet in (original, released))
    except NotANumber:
        if needs_numbers(given):
            raise
        return audit_of_sheets(given, original, released, part.names, [])
    check_no_key(ours, theirs, given)
    return judge(given, ours, theirs, original, blocks_of_part(given, part))


def _part(
    given: argparse.Namespace, judge: Judge, original: Sheet, released: Sheet, part: Part
) -> Audit:
    """The audit of records that lack the same values."""
    ours, theirs = (sheet.take(part.records) for sheet in (original, released))
    blocks = len(blocks_of_part(given, part) or part.names)
    promise = promise_of_part(given.anonymity, blocks)
    own = argparse.Namespace(**vars(of_part(given, part)))
    own.anonymity, own.l_diversity, own.t_closeness = promise, [], []
    return _judged(own, judge, ours, theirs, part)


def _with_promises(
    made: Audit, given: argparse.Namespace, released: Sheet, names: Sequence[str]
) -> Audit:
    """The audit with what is promised of confidential columns, of all records together."""
    columns = {name: released.column(name) for name in names_of(given.confidential) or ()}
    kinds = kinds_of(given)
    own = {name: kind for name, kind in kinds.items() if name not in columns}
    alike = alike_of(cells_of_sheets([released], names, own)[0])
    promised = promises_of(given.l_diversity, given.t_closeness)
    verdict = with_promises(made.verdict, alike, columns, promised, kinds)
    return replace(made, verdict=verdict, alike=(alike,))


def by_equality(given: argparse.Namespace) -> Audit:
    """The audit of a release by a rule for missing cells, or of columns of undeclared kinds.

    Raises InvalidParameter, ShapeMismatch, MissingValue for other policies than rules.
    """
    check_unused(given, RULES[0])
    original, released = read_sheet(given.original, format_of(given)), released_sheet(given)
    names = quasi_identifiers(given, original.header, given.original, released.header)
    made = audit_of_sheets(given, original, released, names, [])
    return made.beside(checks_beside(given, original, released, names))


def audit_of_sheets(
    given: argparse.Namespace,
    original: Sheet,
    released: Sheet,
    names: Sequence[str],
    first: Sequence[Check],
) -> Audit:
    """The audit of two files whose records are in the same order, cells compared by equality."""
    sheets = (original, released)
    ours, theirs = cells_of_sheets(sheets, names, {})
    if given.missing in (REJECT, DROP):
        check_none_missing(ours, original.place)
        check_none_missing(theirs, released.place)
    groups = read_partition(given.partition, ours.n) if given.partition else None
    trim = None if given.trim is None else number(given.trim, "trim")

    def numbers(name: str, records: Sequence[int]) -> tuple[Table, Table]:
        mine, yours = (sheet.take(records).numeric([name]) for sheet in sheets)
        return mine, yours

    case = EqualityCase(
        ours,
        theirs,
        numbers,
        given.k,
        given.missing if given.missing in RULES else OWN,
        groups,
        tolerance_of(given.tolerance),
        Aggregates(operator(given.aggregate, trim), {**MEANS.names, "numeric": given.aggregate}),
        given.anonymity,
    )
    promises = promises_of(given.l_diversity, given.t_closeness)
    columns = {name: released.column(name) for name in names_of(given.confidential) or ()}
    return audit_of_case(case, first, (columns, promises, kinds_of(given)))


def _audit(verdict: Verdict) -> Audit:
    """An audit that has no page: records that are apart have no picture together."""
    return Audit(verdict, None)
