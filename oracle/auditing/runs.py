"""Checks that an algorithm could have made the release.

It could have made it from its seed, or in another order.

A run that forms groups is sought, with what is granted to the arithmetic of programs; one that
adds deviations is made again from its seed, and compared. Where the values are right but not the
rows, the rows of a run may be there in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Context, Decimal
from fractions import Fraction

from oracle.auditing.cases import AuditedRelease, JudgedGroups, strata_labels
from oracle.auditing.checks import KEY_HINT, REPORTED
from oracle.auditing.driver import Check, check_at
from oracle.auditing.rendering import (
    ACCEPTED,
    TOLERANCE,
    Cell,
    Granted,
    hidden,
    of_distances,
    quotient_cell,
    recognise,
)
from oracle.auditing.replay import run_check, told_from_rounding, with_other_scale, without_seed
from refagg.data.standardise import span
from refagg.data.tables import Column, Table
from refagg.errors import RefaggError
from refagg.language.number_texts import number_text
from refagg.release.masking import masked
from refagg.release.method import Method
from refagg.terminal import NOW, kept

Bounds = tuple[Fraction | None, int, float]
"""The tolerance, if one is given, the most runs that are examined, and CPU seconds for them."""

_NINE = Context(prec=9)
"""As many digits say where a row stands."""


@check_at(50)
def run_checks(
    case: AuditedRelease, groups: JudgedGroups, methods: Sequence[Method], bounds: Bounds
) -> Iterator[Check]:
    """Check that the release is a possible run of each method.

    These are methods that form groups.
    """
    for method in methods:
        yield method_check(case, groups, method, *bounds)


def method_check(
    part: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    tolerance: Fraction | None,
    limit: int,
    seconds: float,
    hint: bool = True,
) -> Check:
    """Check that the release is a possible run of a method.

    Much is granted only where nothing else explains the groups.

    With a `hint`, a check that fails says if it would hold on another scale.
    """
    floats, allowed = tolerance is None, TOLERANCE if tolerance is None else tolerance
    name = f"run of {method.specification.name}"
    check = Check(name, "not judged", "interrupted before it was decided")
    if NOW.interrupted:
        return check
    NOW.starts(name)
    with kept():
        check = run_check(part, groups, method, allowed, limit, seconds, floats)
        unclear = check.status == "fails" or check.details.get("tolerance_needed", 0.0) > ACCEPTED
        most = of_distances(part.original, method.standardise) if floats and unclear else allowed
        if most > allowed:
            if check.status == "fails":
                allowed = most
                check = run_check(part, groups, method, allowed, limit, seconds, floats)
            check = told_from_rounding(check, hidden(part.original))
        if hint:
            return with_other_scale(check, part, groups, method, allowed, limit, seconds)
    return check


@check_at(55)
def another_order(
    case: AuditedRelease, groups: JudgedGroups, methods: Sequence[Method], granted: Granted
) -> Iterator[Check]:
    """Report a release with the rows of a run, reordered.

    This is examined where column totals are right but not the rows.

    Rows are compared as a multiset, with the rows that the first of tied records gives.
    """
    if case.original.others or all(groups.renderings) or not case.totals_kept():
        return
    for method in [one for one in methods if not without_seed(one)]:
        with suppress(RefaggError):  # which the check of the run tells
            made = masked(case.original, method, None, strata_labels(case.strata)).released
            if _same_rows(made, case, granted):
                text = f"the same rows as a run of {method.specification.name} gives"
                yield Check("rows", REPORTED, f"{text}, in another order; {KEY_HINT}")


def _same_rows(made: Table, case: AuditedRelease, granted: Granted) -> bool:
    """Return True if two tables have the same rows.

    They may differ in how the rows are written.
    """
    ours, theirs = (sorted(map(one.row, range(one.n)), key=_place) for one in (made, case.released))
    for position, column in enumerate(case.released.columns):
        pairs = zip(ours, theirs, strict=True)
        cells = [quotient_cell(a[position], b[position], 1, abs(a[position])) for a, b in pairs]
        rendering = recognise(column, cells, granted, case.width(position))
        if rendering is None or not rendering.faithful:
            return False
    return True


def _place(row: Sequence[Fraction]) -> tuple[Decimal, ...]:
    """Return where a row stands, whatever digits it is written with."""
    return tuple(_NINE.divide(*map(Decimal, value.as_integer_ratio())) for value in row)


Deviating = tuple[AuditedRelease, Sequence[Method], Sequence[Sequence[str]]]
"""A release, the methods that drew deviations, and their blocks of attributes."""


@check_at(65)
def deviation_checks(deviating: Deviating, granted: Granted) -> Iterator[Check]:
    """Check that the seeds of methods give this release.

    They are methods that draw deviations.
    """
    case, methods, blocks = deviating
    for method in methods:
        yield deviation_check(case, method, blocks, granted)


def deviation_check(
    case: AuditedRelease, method: Method, blocks: Sequence[Sequence[str]], granted: Granted
) -> Check:
    """Check that the seed that is claimed gives this release.

    The draws of one block and stratum follow those of another, so that all are made again.
    """
    name = f"run of {method.specification.name}"
    if unseeded := without_seed(method):
        return Check(name, "not judged", unseeded)
    ours = masked(case.original, method, blocks, strata_labels(case.strata)).released
    witness = []
    pairs = zip(ours.columns, case.released.columns, strict=True)
    for (mine, theirs), column in zip(pairs, case.original.columns, strict=True):
        cells = _cells(mine, theirs)
        rendering = recognise(theirs, cells, granted, case.original.n * span(column))
        if rendering is None or not rendering.faithful:
            record = max(range(len(cells)), key=lambda r: cells[r].error)
            witness.append(
                f"record {record}: {mine.name} is released with "
                f"{number_text(cells[record].released)}, the seed gives "
                f"{number_text(cells[record].aggregate)}"
            )
    if witness:
        summary = f"the seed {method.seed} gives a different release"
        return Check(name, "fails", summary, tuple(witness))
    return Check(name, "holds", f"the seed {method.seed} gives this release")


def _cells(mine: Column, theirs: Column) -> list[Cell]:
    records = range(len(mine.numerators))
    pairs = zip(mine.values(records), theirs.values(records), strict=True)
    return [quotient_cell(right, released, 1, abs(right)) for right, released in pairs]
