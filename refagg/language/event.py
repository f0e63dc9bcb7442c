"""The steps of a run, of which its trace consists."""

from __future__ import annotations

import sys
from dataclasses import field
from fractions import Fraction
from typing import Any

from refagg.notebook import brief

Number = int | float | Fraction

MERGED, APART = "merged", "apart"
"""The events of which a dendrogram is made."""

STAND, ORDERED, LINKED, CUT = "groups", "order", "linked", "cut"
"""What a run has made so far: groups that may still change, an order of records, edges of trees."""

DRAW = "draw: "
"""Begins the name of the event of a draw from the random stream; then comes what was drawn."""

CENTRES, DRAWN, DEVIATES = "centres", "drawn to a centre", "deviates"
"""The events of fuzzy clustering and of noise: centres and J after an iteration, the records that
are drawn to a centre with their memberships, and what is added to the values of a record."""


@brief
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
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Where algorithms were when it happened: modules and lines, the innermost first."""


MOST_LINES = 8
"""The most lines that an event knows."""


def lines_now() -> tuple[tuple[str, int], ...]:
    """Return the current lines of algorithms, as pairs (module, line).

    The innermost function comes first, and each function appears once.
    """
    found: dict[object, tuple[str, int]] = {}
    frame = sys._getframe()
    while frame and len(found) < MOST_LINES:
        module = frame.f_globals.get("__name__", "")
        if module == "refagg.options.grouping":
            break  # it called the algorithm
        if module.startswith("refagg.algorithms.") or not module.startswith(("refagg.", "oracle.")):
            found.setdefault(frame.f_code, (module, frame.f_lineno))
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(found.values())
