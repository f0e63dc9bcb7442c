"""The steps of a run as pictures: one page that plays them, or small multiples.

A frame is what is known after a step: the groups so far, the records that remain, those that the
step names (x_r, x_s) and those that are tied.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from refagg.comparison.principal import principal_axes, projected
from refagg.data.csvfiles import write_bytes
from refagg.data.kinds import Events
from refagg.data.standardise import standardise
from refagg.data.tables import Attribute, Table
from refagg.errors import InvalidParameter
from refagg.language.event import APART, MERGED, Event
from refagg.language.specification import OpenChoice, Specification
from refagg.release.masking import BlockResult, Release
from refagg.release.trace import trace_lines
from refagg.spaces.binary64 import FloatSpace

MOST = 20_000_000
"""The most records times steps of a page."""

NUMBER = "number of the record"
"""The name of the last axis."""

ALONE = -1
"""The group of a record that is in none yet."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The state after a step. Groups are numbered as they are formed."""

    text: str
    group_of: tuple[int, ...]
    remaining: frozenset[int]
    marks: tuple[tuple[int, str], ...] = ()
    """Records with what the step calls them."""
    tied: tuple[int, ...] = ()


@dataclass(slots=True)
class _State:
    group_of: list[int]
    remaining: frozenset[int]
    marks: dict[int, OpenChoice] = field(default_factory=dict)
    """The choice by which a record was named last."""
    grouped: set[int] = field(default_factory=set)
    """Named records in a group formed since, all after a merger; the next choice unnames them."""
    number: int = 0

    def joined(self, records: Iterable[int]) -> None:
        for record in records:
            self.group_of[record] = self.number
            self.grouped.add(record)
        self.number += 1

    def named(self, records: Sequence[int], tie: OpenChoice) -> None:
        """Name records; what the choice named before, and records grouped since, lose the name."""
        kept = self.marks.items()
        self.marks = {r: by for r, by in kept if by.name != tie.name and r not in self.grouped}
        self.grouped.clear()
        self.marks |= dict.fromkeys(records, tie)

    def frame(self, text: str, tied: Iterable[int] = ()) -> Frame:
        count = Counter(tie.name for tie in self.marks.values())
        marks = tuple(  # one of several records has a ring, but no name
            (record, tie.name if count[tie.name] == 1 or tie.what == "pair" else "")
            for record, tie in self.marks.items()
        )
        return Frame(text, tuple(self.group_of), self.remaining, marks, tuple(tied))


def frames_of(
    specification: Specification,
    trace: Sequence[Event],
    records: Sequence[int],
    groups: Iterable[Sequence[int]],
) -> list[Frame]:
    """The frames of a run on these records, of which the trace has its own numbers from 0.

    The last one is the result: `groups` of all records.
    """
    ties = {tie.name: tie for tie in specification.ties}
    whole = max(records, default=-1) + 1
    state = _State([ALONE] * whole, frozenset(records))
    found = [state.frame(f"{len(records)} records")]
    for event, text in zip(trace, trace_lines(specification, trace), strict=True):
        tied = _after(state, event, ties.get(event.name), records)
        found.append(state.frame(text, tied))
    return [*found, _result(found[-1], set(records), groups)]


def _result(last: Frame, records: set[int], groups: Iterable[Sequence[int]]) -> Frame:
    """The groups at the end; those that the last frame has keep their numbers."""
    formed = {group: last.group_of[group[0]] for group in groups_in(last)}
    number, count, group_of = max(formed.values(), default=ALONE), 0, [ALONE] * len(last.group_of)
    for group in groups:
        if not records.issuperset(group):
            continue
        own = formed.get(tuple(sorted(group)))
        if own is None:
            own = number = number + 1
        for record in group:
            group_of[record] = own
        count += 1
    return Frame(f"the result: {count} groups", tuple(group_of), frozenset())


def _after(
    state: _State, event: Event, tie: OpenChoice | None, records: Sequence[int]
) -> list[int]:
    """Take a step; the records that were tied in it."""
    if tie is not None:
        return _chosen(state, event, tie, records)
    if event.name == "iteration":
        state.remaining, state.marks = frozenset(records[i] for i in event.items), {}
    elif event.name == MERGED:
        state.joined(records[i] for part in event.items for i in part)
        state.grouped |= set(state.marks)
    elif event.name in ("together", "group"):
        state.joined(records[i] for i in event.items)
        if event.name == "group":
            state.remaining -= {records[i] for i in event.items}
    elif event.name == APART:
        for i in event.items:
            state.group_of[records[i]] = ALONE
    return []


def _chosen(state: _State, event: Event, tie: OpenChoice, records: Sequence[int]) -> list[int]:
    if tie.what not in ("record", "pair", "record and group"):
        return []
    chosen = event.items if tie.what == "record" else event.items[0]
    chosen = chosen[:1] if " and " in tie.what else chosen
    if not all(isinstance(i, int) and 0 <= i < len(records) for i in chosen):
        return []
    state.named([records[i] for i in chosen], tie)
    return [records[i] for i in event.candidates if isinstance(i, int)]


@dataclass(frozen=True, slots=True)
class Run:
    """A run of an algorithm on some records and attributes, frame by frame."""

    title: str
    frames: list[Frame]


def runs_of(release: Release, strata: Sequence[Sequence[int]]) -> list[Run]:
    """The runs of a release that was made with a trace. `strata` are the records of each.

    Raises InvalidParameter where they are too long to be shown.
    """
    found = []
    spec = release.method.specification
    for block in release.blocks:
        for (stratum, trace), records in zip(block.traces, strata, strict=True):
            _check_size(len(trace) * len(records))
            frames = frames_of(spec, trace, records, block.partition.groups)
            found.append(Run(_title(release, block, stratum), frames))
    return found


def _check_size(cells: int) -> None:
    if cells > MOST:
        raise InvalidParameter(
            f"the page would have {cells} records in all its steps; {MOST} are possible: "
            "show a part of the records"
        )


def _title(release: Release, block: BlockResult, stratum: str) -> str:
    named = [", ".join(block.names)] if len(release.blocks) > 1 else []
    return "; ".join([*named, *([f"stratum {stratum}"] if stratum else [])]) or "all records"


def axes_of(table: Table, how: str) -> dict[str, list[float]]:
    """Return the places of records: attributes, principal components or record numbers.

    A category or a sequence of events is at its place in `categories_of`.
    Raises InvalidParameter for numbers beyond all floats.
    """
    found = {other.name: _placed(other) for other in table.others}
    try:
        found |= {c.name: [float(x) for x in c.values(range(table.n))] for c in table.columns}
        found = {name: found[name] for name in table.names}
        if len(table.columns) > 1:
            rows = FloatSpace(standardise(table.numbers, how)).rows
            _, axes = principal_axes(rows)
            for number, axis in enumerate(axes[:3], 1):
                found[f"principal component {number}"] = projected(rows, axis)
    except OverflowError:
        raise InvalidParameter("values outside the range of binary64 cannot be drawn") from None
    return found | {NUMBER: [float(record) for record in range(table.n)]}


def categories_of(attribute: Attribute) -> list[str]:
    """The values on an axis, from the first place on: in their declared order, else sorted.

    >>> from refagg.data.kinds import kind_of
    >>> categories_of(Attribute("level", kind_of("ordinal:low<high"), ("high", "low", "high")))
    ['low', 'high']
    """
    declared = attribute.kind.categories
    return list(declared) or sorted({_text(attribute, cell) for cell in attribute.cells})


def _text(attribute: Attribute, cell: str | Events) -> str:
    return cell if isinstance(cell, str) else attribute.kind.separator.join(cell)


def _placed(attribute: Attribute) -> list[float]:
    place = {text: float(i) for i, text in enumerate(categories_of(attribute))}
    return [place[_text(attribute, cell)] for cell in attribute.cells]


def write_player(path: Path, release: Release, runs: Sequence[Run], title: str) -> None:
    """Write the page that plays these runs; it needs no other file. Raises OutputUnwritable."""
    write_bytes(path, player(release, runs, title).encode())


def player(release: Release, runs: Sequence[Run], title: str) -> str:
    """The page as text."""
    table = release.original
    data = {
        "axes": axes_of(table, release.method.standardise),
        "categories": {other.name: categories_of(other) for other in table.others},
        "number": NUMBER,
        "components": len(table.columns) > 2,
        "runs": [{"title": run.title, "frames": _changes(run.frames)} for run in runs],
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    page = files("refagg.comparison").joinpath("player.html").read_text(encoding="utf-8")
    return page.replace("{{title}}", escape(title)).replace("{{data}}", safe)


def _changes(frames: Sequence[Frame]) -> list[Mapping[str, Any]]:
    """Each frame by what it changes in the one before."""
    found: list[Mapping[str, Any]] = []
    before = Frame("", (ALONE,) * len(frames[0].group_of), frozenset())
    for frame in frames:
        pairs = enumerate(zip(before.group_of, frame.group_of, strict=True))
        change: dict[str, Any] = {"t": frame.text}
        change["g"] = [(record, now) for record, (was, now) in pairs if was != now]
        change["r"] = sorted(before.remaining ^ frame.remaining)
        change["m"] = frame.marks
        change["d"] = frame.tied
        found.append({key: value for key, value in change.items() if value})
        before = frame
    return found


def shown_frames(frames: Sequence[Frame], most: int) -> list[Frame]:
    """At most so many frames, evenly: those after which groups differ, the last one among them."""
    changed = [
        now for was, now in pairwise(frames) if was.group_of != now.group_of or now is frames[-1]
    ]
    if len(changed) <= most:
        return changed
    last = len(changed) - 1
    return [changed[round(place * last / (most - 1))] for place in range(most)]


def groups_in(frame: Frame) -> list[tuple[int, ...]]:
    """The groups of a frame, in the order in which they were formed."""
    members: dict[int, list[int]] = {}
    for record, group in enumerate(frame.group_of):
        if group != ALONE:
            members.setdefault(group, []).append(record)
    return [tuple(members[group]) for group in sorted(members)]
