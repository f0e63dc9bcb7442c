"""The tables of Torra's fuzzy microaggregation, as far as they are known, beside ours.

Table 1 is shipped. Table 2 could not be obtained; who has it can supply `tor-table2`. Of Tables 3
and 4 the printed numbers could not be obtained, so that nothing can be compared: ours are shown,
computed by the recipe that gives the numbers of Table 3. The recipe is one step of memberships
and one of centres, projected on the constraint, with m = 1.5 from the means of the records
{1,2,4} {3,9,11} {5,7,10} {6,8,12} of Table 1 (v1 = 16 in record 12), rounded to 3 decimals.
Converged centres are others; they are shown beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from refagg import datasets
from refagg.constraints import parse_constraint, system_of
from refagg.errors import DatasetUnavailable
from refagg.fuzzy.c_means import fuzzy_c_means, one_step
from refagg.literature.ledger import Row, rounded
from refagg.literature.propositions import Project, findings
from refagg.tables import Table

Centres = Callable[[Table, list[list[float]]], tuple[list[list[float]], str]]
"""From a table and a start to centres, and in how many steps."""

KEY = "tor"
"""The name of these tables among the sources of `refagg reproduce`."""

REFERENCE = (
    "V. Torra, Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity for "
    "data with constraints, Journal of Intelligent & Fuzzy Systems 39 (2020)"
)

CONSTRAINT = "1.16*v1 + 1.07*v2 = v3"

M = 1.5
GROUPS = ((0, 1, 3), (2, 8, 10), (4, 6, 9), (5, 7, 11))
"""The records of Table 1, numbered from 0, whose means are the start."""

TOLERANCE = 1e-12
LIMIT = 5000

UNKNOWN = "printed values not available"
OURS = "not printed"
TABLE_4 = "24 distances, which follow from Table 3; the printed numbers could not be obtained"


def rows(arithmetic: str = "float") -> Iterator[Row]:
    """All rows, each computed when it is taken; fuzzy c-means is binary64 in any arithmetic."""
    corrected = datasets.load("tor-table1")
    yield from _table_1(datasets.load("tor-table1-printed"), corrected)
    yield from _table_2()
    yield from _table_3(corrected)
    yield Row(KEY, "Table 4", "-", None, "no data", TABLE_4, "")
    for found in findings(floats(corrected), start_of(corrected), projection(corrected)):
        yield Row(
            KEY,
            f"Proposition {found.proposition}",
            "-",
            found.measured,
            found.verdict,
            "; ".join(filter(None, (found.states, found.note))),
            "tor-table1, from the start of Table 3",
        )


def line(row: Row) -> str:
    """A row, for a reader."""
    note = f"  {row.note}" if row.note else ""
    return f"{row.place:<44} printed {row.printed:<7} ours {row.ours or '-'}  {row.verdict}{note}"


def floats(table: Table) -> list[list[float]]:
    """The records of a table in binary64."""
    return [[float(value) for value in table.row(record)] for record in range(table.n)]


def start_of(corrected: Table) -> list[list[float]]:
    """The centres from which Table 3 is made: means of GROUPS, to 3 decimals."""
    return [
        [float(rounded(_mean(column.values(group)), 3)[0]) for column in corrected.columns]
        for group in GROUPS
    ]


def projection(table: Table) -> Project:
    """The projection on the constraint, where distances are those of the values as they are."""
    system = system_of([parse_constraint(CONSTRAINT)], table.names)
    width = len(table.names)
    return system.float_projector([0.0] * width, [1.0] * width)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _table_1(printed: Table, corrected: Table) -> Iterator[Row]:
    """v3 of each record beside 1.16 v1 + 1.07 v2, which is what splits the printed digits."""
    recipe = "1.16 v1 + 1.07 v2"
    last = printed.n - 1
    for record in range(printed.n):
        wrong = record == last
        note = "v1 = 13 is a misprint: 16 gives what is printed" if wrong else ""
        yield _v3(f"Table 1, record {record + 1}", printed, record, note, recipe)
    yield _v3(f"Table 1, record {last + 1} with v1 = 16", corrected, last, "", recipe)


def _v3(place: str, table: Table, record: int, note: str, recipe: str) -> Row:
    v1, v2, v3 = table.row(record)
    ours = rounded(Fraction("1.16") * v1 + Fraction("1.07") * v2, 2)[0]
    shown = rounded(v3, 2)[0]
    verdict = "exact" if ours == shown else "differs"
    return Row(KEY, place, shown, ours, verdict, note, recipe)


def _table_2() -> Iterator[Row]:
    try:
        table = datasets.load("tor-table2")
    except DatasetUnavailable:
        missing = "the data set tor-table2 is not available"
        yield Row(KEY, "Table 2", "-", None, "no data", missing, "")
        yield Row(KEY, "Table 3, masked data", "-", None, "no data", missing, "")
        return
    yield Row(KEY, "Table 2", "-", f"{table.n} records", UNKNOWN, "", "")
    start = start_of(datasets.load("tor-table1"))
    yield from _centres("Table 3, masked data", table, start, one_step_from)


def _table_3(corrected: Table) -> Iterator[Row]:
    printed, start = datasets.load("tor-table1-printed"), start_of(corrected)
    yield from _centres("Table 3, original data", printed, start, one_step_from)
    yield from _centres("converged, Table 1 as printed", printed, start, converged_from)
    yield from _centres("converged, v1 = 16 in record 12", corrected, start, converged_from)


def one_step_from(table: Table, start: list[list[float]]) -> tuple[list[list[float]], str]:
    """One step of memberships and one of projected centres."""
    centres, _ = one_step(floats(table), start, m=M, project=projection(table))
    return centres, "one step"


def converged_from(table: Table, start: list[list[float]]) -> tuple[list[list[float]], str]:
    """The projected centres when they move no more."""
    run = fuzzy_c_means(
        floats(table),
        start,
        m=M,
        project=projection(table),
        tolerance=TOLERANCE,
        limit=LIMIT,
        demand=True,
    )
    return run.centres, f"{run.iterations} iterations"


def _centres(place: str, table: Table, start: list[list[float]], how: Centres) -> Iterator[Row]:
    centres, steps = how(table, start)
    for number, centre in enumerate(centres, 1):
        ours = " ".join(f"{x:.6f}" for x in centre)
        text = f"m = {M}, {steps}"
        verdict = UNKNOWN if place.startswith("Table") else OURS
        yield Row(KEY, f"{place}, centre {number}", "-", ours, verdict, text, CONSTRAINT)
