"""Releases of values to which something drawn was added: made again from the seed, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.driver import check_at
from oracle.auditing.rendering import Cell, cell_of, recognise
from oracle.auditing.replay import without_seed
from oracle.auditing.tolerance import Granted
from refagg.data.tables import Column
from refagg.language.number_texts import number_text
from refagg.release.masking import masked
from refagg.release.method import Method

Deviating = tuple[AuditedRelease, Sequence[Method], Sequence[Sequence[str]]]
"""A release, the methods that drew deviations, and their blocks of attributes."""


@check_at(65)
def deviations(deviating: Deviating, granted: Granted) -> Iterator[Check]:
    """Check that the seed of each method that draws deviations gives this release."""
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
    ours = masked(case.original, method, blocks, labels_of(case)).released
    witness = []
    pairs = zip(ours.columns, case.released.columns, strict=True)
    for (mine, theirs), column in zip(pairs, case.original.columns, strict=True):
        cells = _cells(mine, theirs)
        rendering = recognise(theirs, cells, granted, case.original.n * _span(column))
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


def labels_of(case: AuditedRelease) -> list[str]:
    """The stratum of each record."""
    labels = [""] * case.original.n
    for label, records in case.strata:
        for record in records:
            labels[record] = label
    return labels


def _span(column: Column) -> Fraction:
    """The range of an attribute: noise is as large."""
    return Fraction(max(column.numerators) - min(column.numerators), column.denominator)


def _cells(mine: Column, theirs: Column) -> list[Cell]:
    records = range(len(mine.numerators))
    pairs = zip(mine.values(records), theirs.values(records), strict=True)
    return [cell_of(right, released, 1, abs(right)) for right, released in pairs]
