"""What is asked of an implementation, what it may answer, and what is said about the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

ANY_PARTITION = "any k-partition"
"""The claim of a program that only promises groups of at least k."""

OPTIMAL = "optimal"
"""The claim of a program that promises the least SSE of all k-partitions."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question: make groups of at least k of these records.

    `claim` is a name of the catalogue, `ANY_PARTITION` or `OPTIMAL`. Values are texts: whole
    numbers, decimals or fractions, a row for each record. `kinds` declare what each attribute is
    (docs/kinds.md); without them all are numbers.
    """

    id: str
    claim: str
    k: int
    records: tuple[tuple[str, ...], ...]
    parameters: Mapping[str, str] = field(default_factory=dict)
    standardise: str = "none"
    seed: int | None = None
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program answered: groups, released rows or both; a refusal; or nothing of use.

    Groups are lists of record numbers from 0, each record in exactly one (this is not checked
    here, the judge does). `sse` is the text of the SSE that the program claims, on the scale of
    `standardise`. `refused` is the program's own message for bad input, `unsupported` its reason
    for not taking part, `errored` what went wrong outside of its control: no answer in time, a
    crash, output that is no answer.
    """

    groups: tuple[tuple[int, ...], ...] | None = None
    released: tuple[tuple[str, ...], ...] | None = None
    sse: str | None = None
    refused: str | None = None
    unsupported: str | None = None
    errored: str | None = None
    seconds: float = 0.0


Door = Callable[[Case, float], Answer]
"""Asks an implementation a question, and waits for so many seconds at most. Never raises."""

STATUSES = ("passed", "failed", "errored", "unsupported", "not judged")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on an answer: its status, the rung that decided it, and a witness."""

    case: Case
    answer: Answer
    status: str
    rung: str
    reason: str
    witness: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    """The admissible partitions as texts "0 1 2 | 3 4 5", where they are few enough to list."""
    flags: tuple[str, ...] = ()
    """What a reader should know of a verdict: "numerical" where only rounding explains it ("beyond
    1e-9" where it has to explain more than that),
    "records in binary64" where the records had to be rounded first, "large groups" of 2k or more,
    and how released values are rounded."""
