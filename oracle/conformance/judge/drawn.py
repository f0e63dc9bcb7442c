"""Checks of released centres and records drawn to them.

They are what can be said of an answer.

Without the seed of a random stream: there are no more released rows, or groups, than centres; no
centre is outside the range of the records, whose weighted mean it is; records of one group are
released alike. With a seed the whole run is determined (`oracle.auditing.drawn`).
"""

from __future__ import annotations

from oracle.auditing.drawn import Reading, Told, replayed, told_apart
from oracle.auditing.driver import Check
from oracle.auditing.observed_release import row_text
from oracle.auditing.replay import without_seed
from oracle.conformance.judge.questions import Question
from oracle.conformance.judge.strictness import Strictness
from refagg.data.tables import Table
from refagg.release.risk import release_classes


def row_check(question: Question, reading: Reading, strict: Strictness) -> Check:
    """Check released rows and groups, whatever the draws.

    The check holds for any draws.
    """
    answer = told_apart(question.table, reading, strict.of_distances(question))
    c = centres_in(question)
    made = reading.partition or release_classes(_released(reading))
    if len(made.groups) > c:
        return _failed(f"{len(made.groups)} groups, but there are {c} centres")
    if reading.released is None:
        return Check("aggregates", "holds", f"no more groups than the {c} centres")
    if (rows := len(release_classes(reading.released).groups)) > c:
        return _failed(f"{rows} different rows are released, but there are {c} centres")
    for group in made.groups:
        for record in group:
            row, first = reading.released.row(record), reading.released.row(group[0])
            if not answer.allowed.near(row, first):
                line = f"record {record} is released with {row_text(row)}, record {group[0]} with "
                return _failed("one group is released with two rows", line + row_text(first))
    return _outside(question, answer, reading.released) or Check(
        "aggregates", "holds", f"{rows} rows for {c} centres, all in the range of the records"
    )


def _outside(question: Question, answer: Told, released: Table) -> Check | None:
    """Return a failing check for a value that no centre has.

    It is beyond the values of all records.
    """
    columns = zip(question.table.columns, released.columns, strict=True)
    for j, (ours, theirs) in enumerate(columns):
        values = ours.values(range(released.n))
        low, high = min(values), max(values)
        low, high = low - answer.allowed.at(j, low), high + answer.allowed.at(j, high)
        for record in range(released.n):
            if not low <= theirs[record] <= high:
                line = (
                    f"record {record} is released with {row_text(released.row(record))}; "
                    f"{ours.name} has the range {row_text([min(values), max(values)])}"
                )
                return _failed("a centre is outside the range of the records", line)
    return None


def _released(reading: Reading) -> Table:
    assert reading.released is not None
    return reading.released


def _failed(text: str, *witness: str) -> Check:
    return Check("aggregates", "fails", text, witness)


def centres_in(question: Question) -> int:
    """Return the number of centres."""
    method = question.stated_method
    return int(method.parameters["c"] or question.table.n // method.k)


def draw_check(question: Question, table: Table, reading: Reading, strict: Strictness) -> Check:
    """Check that the answer follows from the seed's random stream.

    `table` are the records, perhaps rounded.
    """
    method = question.stated_method
    if unseeded := without_seed(method):
        return Check("run", "not judged", unseeded)
    bounds = strict.limit, strict.replay_seconds
    return replayed(table, method, reading, strict.of_distances(question), bounds)
