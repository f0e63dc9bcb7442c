"""The steps of a run, of which its trace consists."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Number = int | float | Fraction

MERGED, APART = "merged", "apart"
"""The events of which a dendrogram is made."""

CENTRES, DRAWN, DEVIATES = "centres", "drawn to a centre", "deviates"
"""The events of fuzzy clustering and of noise: centres and J after an iteration, the records that
are drawn to a centre, and what is added to the values of a record."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a run, for a reader.

    `name` is the name of a choice in the algorithm's specification, or of what
    happened ("iteration", "group"). `items` are the records chosen, joined or
    remaining. `value` is the number that decided, `next` the next best one,
    `tied` how many candidates there were for the choice.
    """

    name: str
    items: tuple[Any, ...]
    value: Number | None = None
    next: Number | None = None
    tied: int = 1
    candidates: tuple[Any, ...] = ()
    """Those that were tied, where there were several."""
    ranked: int = 0
    """How many candidates were ranked, where the extreme ones were chosen."""
    members: tuple[tuple[int, ...], ...] = ()
    """The records of the clusters or groups chosen, where they are known."""
    of: int | None = None
    """The record for which the choice was made, where it is one."""
