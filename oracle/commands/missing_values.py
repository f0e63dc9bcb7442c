"""`oracle audit --missing`: files in which values are missing, judged by the policy named."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from oracle.auditing.anonymity import promise_of_part
from oracle.auditing.checks import Check
from oracle.auditing.missing import (
    agreement_check,
    apart_verdict,
    as_released_verdict,
    dropped_check,
    failed,
)
from oracle.auditing.verdict import Verdict
from oracle.functions.audits import Audit
from oracle.functions.values import tolerance_of
from refagg.commands.options import (
    blocks_of_part,
    check_no_key,
    format_of,
    of_part,
    quasi_identifiers,
    table_from,
    texts_of,
)
from refagg.data.csvfiles import Sheet, read_sheet
from refagg.data.missing import APART, AS_RELEASED, DROP, Part, dropped, parts_of, patterns
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, ShapeMismatch
from refagg.release.partition_files import read_partition

Judge = Callable[
    [argparse.Namespace, Table, Table, Sheet | None, Sequence[Sequence[str]] | None], Audit
]

UNUSED = {
    "group-apart": (
        *("partition", "certificate", "centres", "constraint", "constraints_file"),
        *("series", "report", "l_diversity", "t_closeness"),
    ),
    "as-released": (
        "sampling_weights",
        *("algorithm", "blocks", "strata", "optimum", "certificate", "centres", "constraint"),
        *("constraints_file", "series", "report", "kind", "l_diversity", "t_closeness"),
    ),
}
"""What cannot be asked of records that lack values."""


def audit_with_missing(given: argparse.Namespace, judge: Judge) -> Audit:
    """The audit by a policy other than reject. Raises InvalidParameter, ShapeMismatch."""
    for option in UNUSED.get(given.missing, ()):
        if getattr(given, option):
            raise InvalidParameter(
                f"--{option.replace('_', '-')} does not apply with --missing {given.missing}"
            )
    how = format_of(given)
    original, released = read_sheet(given.original, how), read_sheet(given.released, how)
    names = quasi_identifiers(given, original.header, given.original)
    for name in names:
        released.column(name)
    ours = parts_of(original, names, given.missing, texts_of(given))
    theirs = patterns(released, names, texts_of(given))
    if given.missing == DROP:
        return _drop(given, judge, original, released, ours[0], theirs)
    if len(original.rows) != len(released.rows):
        raise ShapeMismatch(
            f"the original has {len(original.rows)} records, the release has {len(released.rows)}"
        )
    if given.missing == APART:
        judged = partial(_part, given, judge, original, released)
        return _audit(apart_verdict(ours, theirs, given.k, judged))
    agreement = agreement_check(AS_RELEASED, ours, theirs)
    if agreement.status == "fails":
        return _audit(failed(agreement, names))
    return _as_released(given, original, released, names, agreement)


def _drop(
    given: argparse.Namespace,
    judge: Judge,
    original: Sheet,
    released: Sheet,
    kept: Part,
    theirs: Sequence[Part],
) -> Audit:
    incomplete = sorted(record for part in theirs if part.lacking for record in part.records)
    check = dropped_check(dropped(original, kept), len(original.rows), incomplete)
    if check.status == "fails":
        return _audit(failed(check, kept.names))
    if len(kept.records) != len(released.rows):
        raise ShapeMismatch(
            f"the original has {len(kept.records)} records that lack no value (--missing drop), "
            f"the release has {len(released.rows)}"
        )
    whole = replace(kept, lacking=())
    made = _judged(given, judge, original.take(kept.records), released, whole)
    verdict = made.verdict
    verdict.blocks[0][1].insert(0, check)
    return replace(made, verdict=replace(verdict, facts=verdict.facts | {"missing": check.details}))


def _judged(
    given: argparse.Namespace, judge: Judge, original: Sheet, released: Sheet, part: Part
) -> Audit:
    ours, theirs = (table_from(sheet, part.names, given) for sheet in (original, released))
    check_no_key(ours, theirs, given)
    return judge(given, ours, theirs, original, blocks_of_part(given, part))


def _part(
    given: argparse.Namespace, judge: Judge, original: Sheet, released: Sheet, part: Part
) -> Verdict:
    """The verdict on records that lack the same values."""
    ours, theirs = (sheet.take(part.records) for sheet in (original, released))
    promise = promise_of_part(given.anonymity, len(blocks_of_part(given, part) or ()))
    own = argparse.Namespace(**{**vars(of_part(given, part)), "anonymity": promise})
    return _judged(own, judge, ours, theirs, part).verdict


def _as_released(
    given: argparse.Namespace,
    original: Sheet,
    released: Sheet,
    names: Sequence[str],
    agreement: Check,
) -> Audit:
    columns = []
    for name in names:
        absent = original.lacks(name, True)
        records = [record for record, lacks in enumerate(absent) if not lacks]
        if records:
            ours, theirs = (sheet.take(records) for sheet in (original, released))
            columns.append((records, ours.numeric([name]), theirs.numeric([name])))
    n = len(original.rows)
    partition = read_partition(given.partition, n) if given.partition else None
    tolerance = tolerance_of(given.tolerance)
    return _audit(as_released_verdict(agreement, columns, n, given.k, partition, tolerance))


def _audit(verdict: Verdict) -> Audit:
    """An audit that has no page: records that are apart have no picture together."""
    return Audit(verdict, None)
