"""Fuzzy microaggregation made again from the seed that is claimed, and compared.

A release that is written as the project's own run would write it is right. Another one is compared
with the run but for rounding, as the answers of other programs are (`oracle.auditing.drawn`):
the last digits of exp and log are not the same on every platform.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.drawn import Reading, replayed
from oracle.auditing.driver import check_at
from oracle.auditing.rendering import decimal_places, written_unit
from refagg.data.csvfiles import decimal_text
from refagg.data.moments import rounded
from refagg.data.tables import Column, Table, column_of
from refagg.release.edits import rounding_that_meets
from refagg.release.masking import masked
from refagg.release.method import Method
from refagg.release.risk import release_classes

MOST_DECIMALS = 20
"""Roundings that meet constraints are tried with so many decimals at most."""

SECONDS = 30.0
"""After so many seconds no further run is begun."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The verdict on the seed, and how far centres moved in the last iteration of its run."""

    check: Check
    last_move: float


def replay(case: AuditedRelease, method: Method, tolerance: Fraction, limit: int) -> Replay:
    """Check that the seed that is claimed gives this release."""
    ours = masked(case.original, method)
    if _written(ours.released, case.released, method):
        check = Check("", "holds", f"the seed {method.seed} gives this release")
    else:
        reading = Reading(release_classes(case.released), case.released, None)
        bounds = limit, SECONDS
        check = replayed(case.original, method, reading, tolerance, bounds, centred=True)
        if check.status == "holds" and not _alike(ours.released, case.released):
            reason = "up to rounding, but other records are equal, possibly because of rounding"
            check = Check("", "not judged", f"the seed {method.seed} gives this release {reason}")
    [(_, made)] = ours.blocks[0].centres
    name = f"run of {method.specification.name}"
    return Replay(replace(check, name=name), made.clustering.moved)


def _alike(mine: Table, theirs: Table) -> bool:
    """Return True if the same records have equal rows, as far as the release's digits show."""
    columns = []
    for own, other in zip(mine.columns, theirs.columns, strict=True):
        values, unit = own.values(range(mine.n)), written_unit(other)
        shown = values if unit is None else [rounded(value, unit) for value in values]
        columns.append(column_of(own.name, shown))
    return release_classes(Table(tuple(columns))) == release_classes(theirs)


def _written(mine: Table, theirs: Table, method: Method) -> bool:
    """Return True if these are the values as written, with all digits or rounded to some
    decimals."""
    pairs = zip(mine.columns, theirs.columns, strict=True)
    return all(_column_written(*pair) for pair in pairs) or (
        bool(method.constraints) and _rounded_together(mine, theirs, method)
    )


def _column_written(mine: Column, theirs: Column) -> bool:
    records = range(len(mine.numerators))
    right, found = mine.values(records), theirs.values(records)
    unit = written_unit(theirs)
    return [Fraction(Decimal(decimal_text(value))) for value in right] == found or (
        unit is not None and [rounded(value, unit) for value in right] == found
    )


def _rounded_together(mine: Table, theirs: Table, method: Method) -> bool:
    """Return True if these are the values, rounded so that they meet the constraints."""
    most = max((decimal_places(column) or 0 for column in theirs.columns), default=0)
    for decimals in range(min(most, MOST_DECIMALS) + 1):
        rounding = rounding_that_meets(method.constraints, mine.names, decimals)
        if rounding and _rows(rounding.rounded(mine)) == _rows(theirs):
            return True
    return False


def _rows(table: Table) -> list[tuple[Fraction, ...]]:
    return [table.row(record) for record in range(table.n)]


@check_at(50)
def run_again(again: Replay) -> Check:
    """Check that the seed gives this release."""
    return again.check
