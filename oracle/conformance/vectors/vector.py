"""Vector: a question to an implementation, the right answers, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from oracle.conformance.judge.model import Case
from refagg.notebook import brief

Groups = tuple[tuple[int, ...], ...]
"""A partition: each group ascending, and the groups by their lowest record."""


@brief
class Origin:
    """Origin of an expectation.

    It has its kind, how it was obtained, and a link.

    `confirmed` says what else, that shares nothing with it, gives the same; empty if nothing
    does.
    """

    kind: str
    text: str
    link: str = ""
    confirmed: str = ""


@brief
class Expectation:
    """The answers that are right.

    `kind` is "unique" (the only one of `partitions`), "choice" (any of `partitions`), "reject"
    (an error of the `category`) or "free": any partition into groups of `least` to `greatest`
    records, with an SSE of `sse` where one is given. An expectation without a `greatest` does not
    bound groups. `released` are the rows that must be released where the claim forms no groups;
    None stands for any number. `blocks` are the partitions that are right for each of several
    blocks of attributes, instead of `partitions`.
    """

    kind: str
    partitions: tuple[Groups, ...] = ()
    category: str = ""
    least: int | None = None
    greatest: int | None = None
    sse: str = ""
    released: tuple[tuple[str | None, ...], ...] = ()
    blocks: tuple[tuple[Groups, ...], ...] = ()


@brief
class Vector:
    """Case with its topic, step, reason and flags.

    The step is the step of the source that it exercises.
    """

    case: Case
    topic: str
    step: str
    reason: str
    flags: tuple[str, ...]
    origin: Origin
    expectation: Expectation
    seen: tuple[str, ...] = ()
    """The programs, with their versions, that were found to be wrong here."""

    @property
    def id(self) -> str:
        """Return the name of its case, such as "mdav-206-tie-near-last-x-r"."""
        return self.case.id


def groups_of(groups: Iterable[Iterable[int]]) -> Groups:
    """Return groups in the order in which partitions are written."""
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def meets(vector: Vector, groups: Iterable[Iterable[int]] | None) -> bool:
    """Return True if the vector expects this answer.

    The answer is these groups, or None for a refusal.

    >>> one_group = Expectation("unique", (((0, 1, 2),),))
    >>> case = Case("mdav-001-n-equals-k", "mdav", 3, (("1",), ("2",), ("4",)))
    >>> vector = Vector(case, "n-equals-k", "5", "", (), Origin("hand", ""), one_group)
    >>> meets(vector, [[2, 0, 1]]), meets(vector, [[0], [1, 2]]), meets(vector, None)
    (True, False, False)
    """
    expected = vector.expectation
    if groups is None or expected.kind == "reject":
        return groups is None and expected.kind == "reject"
    given = groups_of(groups)
    if expected.blocks:
        return False
    if expected.kind != "free":
        return given in expected.partitions
    return _is_free(vector, given)


def meets_blocks(vector: Vector, blocks: Sequence[Iterable[Iterable[int]]]) -> bool:
    """Return True if the vector expects these groups of blocks.

    They are the groups of each block of attributes.
    """
    expected = vector.expectation.blocks
    return len(blocks) == len(expected) and all(
        groups_of(groups) in right for groups, right in zip(blocks, expected, strict=True)
    )


def _is_free(vector: Vector, groups: Groups) -> bool:
    """Return True if a partition is within the expectation's bounds."""
    records, expected = vector.case.records, vector.expectation
    if expected.least is None or (vector.case.standardise != "none" and expected.sse):
        return False
    members = sorted(record for group in groups for record in group)
    greatest = len(records) if expected.greatest is None else expected.greatest
    if members != list(range(len(records))):
        return False
    if not all(expected.least <= len(group) <= greatest for group in groups):
        return False
    return not expected.sse or sse_of(numbers_of(records), groups) == Fraction(expected.sse)


def numbers_of(records: Sequence[Sequence[str]]) -> list[list[Fraction]]:
    """Return the values of texts that are all numbers."""
    return [[Fraction(cell) for cell in row] for row in records]


def sse_of(rows: Sequence[Sequence[Fraction]], groups: Iterable[Sequence[int]]) -> Fraction:
    """Return the sum of squared deviations from the groups' means, by definition."""
    total = Fraction(0)
    for group in groups:
        for column in zip(*(rows[record] for record in group), strict=True):
            mean = sum(column, Fraction(0)) / len(column)
            total += sum((x - mean) ** 2 for x in column)
    return total
