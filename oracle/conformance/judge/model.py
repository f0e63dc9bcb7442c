"""Questions to an implementation, its possible answers, and judgements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from refagg.notebook import brief

ANY_PARTITION = "any k-partition"
"""The claim of a program that only promises groups of at least k."""

OPTIMAL = "optimal"
"""The claim of a program that promises the least SSE of all k-partitions."""

SHAPES = ("dissimilarity", "series", "times", "constraints", "strata", "blocks", "sampling_weights")
"""Fields of a case that make its records more than a table."""


@brief
class Case:
    """Question: make groups of at least k of these records.

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
    dissimilarity: str = ""
    """Of sequences of events, where kinds declare some, OSS if it is empty; or "gower", of other
    declared kinds."""
    series: str = ""
    """The distance of time series in the rows, "euclidean" or "sts"; empty: they are none."""
    times: tuple[str, ...] = ()
    """When the values of a series were taken; one unit apart if it is empty."""
    constraints: tuple[str, ...] = ()
    """Equations between the attributes x1, x2, ... that released means have to meet."""
    strata: tuple[str, ...] = ()
    """The stratum of each record, across which no group goes; empty: all are one stratum."""
    blocks: tuple[tuple[int, ...], ...] = ()
    """The numbers of attributes that are grouped by themselves; empty: as the claim does."""
    sampling_weights: tuple[str, ...] = ()
    """The weight of each record in the mean of its group, and in no group; empty: all are 1."""

    @property
    def shape(self) -> dict[str, Any]:
        """Return the members of SHAPES that the case has.

        They make the records more than a table.

        >>> Case("c", "mdav", 1, (("0", "1"),), strata=("a",)).shape
        {'strata': ('a',)}
        """
        return {name: getattr(self, name) for name in SHAPES if getattr(self, name)}


Groups = tuple[tuple[int, ...], ...]
"""Lists of record numbers."""


def with_cell(case: Case, i: int, j: int, text: str) -> Case:
    """Return the case with another text in a cell.

    The cell is that of record i and attribute j.
    """
    row = (*case.records[i][:j], text, *case.records[i][j + 1 :])
    return replace(case, records=(*case.records[:i], row, *case.records[i + 1 :]))


@brief
class Answer:
    """Answer of a program.

    It has groups, released rows or both; a refusal; or nothing of use.

    Groups are lists of record numbers from 0, each record in exactly one (this is not checked
    here, the judge does); `blocks` are those of each block of attributes instead. `sse` is the text
    of the SSE that the program claims, on the scale of `standardise`. `refused` is its own
    message for bad input, `unsupported` its reason for not taking part, `errored` what went wrong
    outside of its control: no answer in time, a crash, output that is no answer.
    """

    groups: Groups | None = None
    released: tuple[tuple[str, ...], ...] | None = None
    sse: str | None = None
    refused: str | None = None
    unsupported: str | None = None
    errored: str | None = None
    seconds: float = 0.0
    blocks: tuple[Groups, ...] | None = None


BY_STATUS = "exit status"
"""The beginning of what a program refused that gave no other answer than its exit status."""

Adapter = Callable[[Case, float], Answer]
"""Asks an implementation a question, and waits for so many seconds at most. Never raises."""

STATUSES = ("passed", "failed", "errored", "unsupported", "not judged")

WRONG = ("failed", "errored")
"""The statuses of answers that are wrong or missing."""


@brief
class Judgement:
    """Verdict on an answer: its status, deciding check, and witness."""

    case: Case
    answer: Answer
    status: str
    check: str
    reason: str
    witness: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    """The admissible partitions as texts "0 1 2 | 3 4 5", where they are few enough to list."""
    flags: tuple[str, ...] = ()
    """What a reader should know of a verdict: "numerical" where only rounding explains it ("beyond
    1e-9" where it has to explain more than that),
    "records in binary64" where the records had to be rounded first, "large groups" of 2k or more,
    and how released values are rounded."""
    must_refuse: str = ""
    """Why the input is invalid, a name of CATEGORIES; empty for a valid request."""
    cause: str = ""
    """What all answers together show to be the cause; empty where each has its own."""
