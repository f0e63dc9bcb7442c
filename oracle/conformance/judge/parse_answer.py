"""Reading of an answer.

Is it the description of a partition or of a release at all?
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oracle.auditing.drawn import Reading
from oracle.conformance.judge.model import Answer
from oracle.conformance.judge.questions import Question
from oracle.conformance.judge.values import table_of_case_texts
from refagg import errors
from refagg.data.tables import Table
from refagg.language.number_texts import number_of
from refagg.language.partition import Partition

UNREADABLE = (
    errors.EmptyTable,
    errors.RaggedRow,
    errors.NotANumber,
    errors.NotFinite,
    errors.InvalidKind,
    errors.MissingValue,
    errors.UnknownCategory,
)
"""What can be wrong with released rows."""


class Malformed(Exception):
    """The answer is neither a partition nor a release of the records."""


def read_answer(question: Question, answer: Answer) -> Reading:
    """Return the answer to a question. Raises Malformed."""
    n, several = question.table.n, len(question.blocks)
    partition = None if answer.groups is None else answer_partition(answer.groups, n)
    released = None if answer.released is None else _released(answer.released, question)
    if answer.blocks is None:
        return Reading(partition, released, answer.sse)
    if len(answer.blocks) != several:
        raise Malformed(f"groups are given for {len(answer.blocks)} blocks; there are {several}")
    blocks = tuple(answer_partition(groups, n) for groups in answer.blocks)
    if several == 1:
        return Reading(blocks[0], released, answer.sse)
    return Reading(None, released, answer.sse, blocks)


def answer_partition(groups: Sequence[Sequence[int]], n: int) -> Partition:
    """Return the partition of n records into groups. Raises Malformed."""
    if not all(type(record) is int for group in groups for record in group):
        raise Malformed("groups must be lists of record numbers from 0")
    if any(abs(record) > 10**18 for group in groups for record in group):
        raise Malformed(
            f"a group has a record number of too many digits; the records are 0 to {n - 1}"
        )
    if sorted(record for group in groups for record in group) == list(range(1, n + 1)):
        raise Malformed("records are numbered from 1; they must be numbered from 0")
    try:
        return Partition.of(groups, n)
    except errors.InvalidPartition as reason:
        raise Malformed(str(reason)) from None


def number_claimed(text: str) -> Fraction:
    """Return the SSE that a program claims. Raises NotANumber, NotFinite."""
    return number_of(text, "the SSE")


def _released(rows: tuple[tuple[str, ...], ...], question: Question) -> Table:
    original = question.table
    if len(rows) != original.n:
        raise Malformed(f"{len(rows)} rows are released for {original.n} records")
    try:
        table = table_of_case_texts(rows, question.case.kinds)
    except UNREADABLE as reason:
        raise Malformed(f"released rows: {reason}") from None
    if len(table.names) != len(original.names):
        raise Malformed(
            f"released rows have {len(table.names)} values, records {len(original.names)}"
        )
    return table
