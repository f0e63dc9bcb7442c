"""Faults that any program can be given: when it goes wrong, and what it then does.

`faulty(program, when, damage)` is the program, but for the tables of which `when` holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .implementation import Groups, Program, Rows

Condition = Callable[[Rows, int], bool]
Damage = Callable[[Groups, Rows, int], Any]


@dataclass(frozen=True, slots=True)
class When:
    """A condition on the table, in words: "wrong only ..."."""

    words: str
    holds: Condition


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done to right groups, in words: "... ."."""

    words: str
    damage: Damage


def faulty(program: Program, when: When, fault: Fault) -> Program:
    """The program, with this fault where the condition holds."""

    def wrong(records: Rows, k: int, **given: Any) -> Any:
        groups = program(records, k, **given)
        if not when.holds(records, k):
            return groups
        return fault.damage([list(group) for group in groups], records, k)

    return wrong


def _cells(rows: Rows) -> list[float]:
    return [value for row in rows for value in row]


def _duplicates(rows: Rows, k: int) -> bool:
    return len({tuple(row) for row in rows}) < len(rows)


ALWAYS = When("always", lambda rows, k: True)
LATE_REST = When("only where n mod 2k < k", lambda rows, k: len(rows) % (2 * k) < k)
DUPLICATES = When("only where records are equal", _duplicates)
NEGATIVE = When("only where a value is negative", lambda rows, k: min(_cells(rows)) < 0)
ALL_NEGATIVE = When("only where all values are negative", lambda rows, k: max(_cells(rows)) < 0)
FRACTIONS = When(
    "only where a value is no whole number",
    lambda rows, k: any(value != int(value) for value in _cells(rows)),
)
BEYOND_BINARY32 = When(
    "only where a value is beyond 2^24", lambda rows, k: max(map(abs, _cells(rows))) > 2**24
)
EXACTLY_2K = When("only at n = 2k", lambda rows, k: len(rows) == 2 * k)
BELOW_2K = When("only at n < 2k", lambda rows, k: k < len(rows) < 2 * k)
EXACTLY_3K = When("only at n = 3k", lambda rows, k: len(rows) == 3 * k)
BELOW_3K = When("only at n = 3k-1", lambda rows, k: len(rows) == 3 * k - 1)
LARGE_K = When("only at k of 4 and more", lambda rows, k: k >= 4)
MULTIPLE = When("only where k divides n", lambda rows, k: len(rows) % k == 0)
CONSTANT = When(
    "only where an attribute is constant",
    lambda rows, k: any(len(set(column)) == 1 for column in zip(*rows, strict=True)),
)
ONE_ATTRIBUTE = When("only with one attribute", lambda rows, k: len(rows[0]) == 1)
SORTED = When(
    "only where the records are in ascending order",
    lambda rows, k: all(tuple(a) <= tuple(b) for a, b in pairwise(rows)),
)
MANY = When("only from 12 records on", lambda rows, k: len(rows) >= 12)


def _exchanged(groups: Groups, rows: Rows, k: int) -> Groups:
    """The first record of the first group for the last of the last one."""
    if len(groups) > 1:
        groups[0][0], groups[-1][-1] = groups[-1][-1], groups[0][0]
    return groups


def _moved(groups: Groups, rows: Rows, k: int) -> Groups:
    """One record of the largest group to the next: too few are left, or it is where it was not."""
    groups.sort(key=len, reverse=True)
    if len(groups) > 1:
        groups[-1].append(groups[0].pop())
    return groups


def _merged(groups: Groups, rows: Rows, k: int) -> Groups:
    return [groups[0] + groups[1], *groups[2:]] if len(groups) > 1 else groups


def _split(groups: Groups, rows: Rows, k: int) -> Groups:
    """The largest group in two, the second of them too small."""
    groups.sort(key=len)
    last = groups.pop()
    return [*groups, last[:-1], last[-1:]] if len(last) > 1 else [*groups, last]


def _dropped(groups: Groups, rows: Rows, k: int) -> Groups:
    return [[r for r in group if r != len(rows) - 1] for group in groups]


def _repeated(groups: Groups, rows: Rows, k: int) -> Groups:
    return [*groups[:-1], [*groups[-1], groups[0][0]]]


def _as_sorted(groups: Groups, rows: Rows, k: int) -> Groups:
    """Groups of positions in the sorted table, taken for records."""
    order = sorted(range(len(rows)), key=lambda r: list(rows[r]))
    place = {record: position for position, record in enumerate(order)}
    return [[place[record] for record in group] for group in groups]


def _rotated(groups: Groups, rows: Rows, k: int) -> Groups:
    """Each record in the group of the one before it."""
    return [[(record + 1) % len(rows) for record in group] for group in groups]


EXCHANGED = Fault("two records of different groups change places", _exchanged)
MOVED = Fault("a record of the largest group is in the smallest", _moved)
MERGED = Fault("two groups are one", _merged)
SPLIT = Fault("a record of the largest group is alone", _split)
DROPPED = Fault("the last record is dropped", _dropped)
REPEATED = Fault("a record is in two groups", _repeated)
AS_SORTED = Fault("records are numbered as in the sorted table", _as_sorted)
ROTATED = Fault("each record is in the group of the one before it", _rotated)
