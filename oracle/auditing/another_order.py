"""Does the release have the rows of a run, in another order?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oracle.auditing.anonymity import REPORTED
from oracle.auditing.checks import KEY_HINT, AuditedRelease, Check, Groups
from oracle.auditing.deviations import labels_of
from oracle.auditing.driver import check_at
from oracle.auditing.rendering import cell_of, recognise
from oracle.auditing.replay import without_seed
from oracle.auditing.tolerance import Granted
from refagg.data.tables import Table
from refagg.release.masking import masked
from refagg.release.method import Method


@check_at(55)
def another_order(
    case: AuditedRelease, groups: Groups, methods: Sequence[Method], granted: Granted
) -> Iterator[Check]:
    """Report a release that has the rows of a run, where column totals are right but not the rows.

    Rows are compared as a multiset, with the rows that the first of tied records gives.
    """
    if case.original.others or all(groups.renderings) or not case.totals_kept():
        return
    for method in methods:
        if without_seed(method):
            continue
        made = masked(case.original, method, None, labels_of(case)).released
        if _same_rows(made, case, granted):
            text = f"the same rows as a run of {method.specification.name} gives, in another order"
            yield Check("rows", REPORTED, f"{text}; {KEY_HINT}")


def _same_rows(made: Table, case: AuditedRelease, granted: Granted) -> bool:
    """Return True if two tables have the same rows, but for how these are written."""
    ours, theirs = (
        sorted(map(table.row, range(table.n)), key=_place) for table in (made, case.released)
    )
    for position, column in enumerate(case.released.columns):
        pairs = zip(ours, theirs, strict=True)
        cells = [cell_of(a[position], b[position], 1, abs(a[position])) for a, b in pairs]
        rendering = recognise(column, cells, granted, case.width(position))
        if rendering is None or not rendering.faithful:
            return False
    return True


def _place(row: Sequence[Fraction]) -> tuple[float, ...]:
    """Return where a row stands, whatever digits it is written with."""
    return tuple(float(f"{float(value):.9g}") for value in row)
