"""A trace as text that can be followed beside the source of the algorithm."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from refagg.language.event import APART, MERGED, Event
from refagg.language.number_texts import digits_of, number_text
from refagg.language.specification import OpenChoice, Specification
from refagg.spaces.mixed import TIES

LONGEST = 9
"""The most characters of a fraction."""


def trace_lines(specification: Specification, trace: Iterable[Event]) -> list[str]:
    """One line for each event of a run of this algorithm; records are numbered from 0.

    >>> from refagg import exact_space, specification
    >>> from refagg.language.choices import Choices
    >>> mdav, choices = specification("mdav"), Choices(trace=[])
    >>> partition = mdav.run(exact_space([[1], [2], [3], [10]]), 2, choices)
    >>> for line in trace_lines(mdav, choices.trace):
    ...     print(line.partition(", the record most")[0])
    4 records remain
    step 4: record 3 at distance^2 36 (next 9) is last x_r
    step 4: record 2 at distance^2 49 (next 64) is near last x_r, the k-1 nearest records to the last x_r
    group: 2 3
    group: 0 1
    """  # noqa: E501
    ties = {tie.name: tie for tie in (*specification.ties, *TIES)}
    return [_line(event, ties.get(event.name)) for event in trace]


def _line(event: Event, tie: OpenChoice | None) -> str:
    items = " ".join(map(str, event.items))
    if event.name.startswith("note: "):
        return f"{event.name.removeprefix('note: ')}: {items}"
    if event.name == MERGED:
        first, second = (" ".join(map(str, part)) for part in event.items)
        return f"merged: {first} and {second}"
    known = {
        APART: f"taken apart: {items}",
        "iteration": f"{len(event.items)} records remain",
        "together": f"in one group: {items}",
        "group": f"group: {items}",
    }
    if tie is None and event.name in known:
        return known[event.name]
    if tie is None:  # an algorithm from elsewhere that declares no choices
        return f"{event.name}: {items}"
    step = f"{tie.place}: "
    if tie.what == "test":
        left, right = _numbers(event)
        holds = event.items == (True,)
        return f"{step}{tie.meaning}: {'yes' if holds else 'no'}, {left} and {right}"
    verb = "are" if len(event.items) > 1 or tie.what == "pair" else "is"
    return f"{step}{_chosen(event, tie)} {verb} {tie.name}, {tie.meaning}"


def _chosen(event: Event, tie: OpenChoice) -> str:
    if tie.what == "pair":
        text = "records {} and {}".format(*event.items[0])
    else:
        text = f"{tie.what}{'s' if len(event.items) > 1 else ''} {' '.join(map(str, event.items))}"
    value, after = _numbers(event)
    text += f" at {tie.measure} {value}"
    remarks = [f"{event.tied} tied"] if event.tied > 1 else []
    remarks += [f"next {after}"] if after else []
    return f"{text} ({', '.join(remarks)})" if remarks else text


def _numbers(event: Event) -> tuple[str, str]:
    """The deciding number and the one it is compared with, as text; empty where there is none."""
    value, after = event.value, event.next
    return "" if value is None else _number(value), "" if after is None else _number(after)


def _number(value: int | float | Fraction) -> str:
    """A number for a reader who compares: a long fraction is written as a decimal."""
    text = number_text(value)
    return digits_of(Fraction(value), 12) if "/" in text and len(text) > LONGEST else text
