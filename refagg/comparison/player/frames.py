"""Frames: the state of a run after each of its steps.

A frame has the groups so far, the records that remain, those that the step names (x_r, x_s) and
those that are tied, the edges and the order that were made, centres and memberships, and the place
of the step in the text of the algorithm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from refagg.comparison.player.text import Line, algorithm_text
from refagg.language import event as events
from refagg.language.lists import by_key
from refagg.language.specification import OpenChoice, Specification
from refagg.release.trace import PAIR, SYMBOL, trace_lines

ALONE = -1
"""The group of a record that is in none yet."""

REMAINING, ALL, GROUP = -1, -2, -10
"""Points that are not records: two averages, and that of group g as GROUP - g."""

ORIGIN = re.compile(r"(?:from|to) (?:leftover |unassigned )?record (\d+)")
AVERAGE = re.compile(r"from the (?:average|centroid) of (the \d+ remaining|all|the remaining)")

NAMED = ("centre", "first centres", "first of groups", "first records of a start", "sample")
"""What records are that are drawn from the random stream, beside symbols."""

Pair = tuple[int, int]
Centres = tuple[tuple[float, ...], ...]
Watched = Callable[[events.Event], tuple[Centres, Centres]]
"""From the event of centres to their values, and to the memberships of each record in them."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The state after a step. Groups are numbered as they are formed."""

    text: str
    group_of: tuple[int, ...]
    remaining: frozenset[int]
    marks: tuple[tuple[int, str], ...] = ()
    """Records with what the step calls them."""
    tied: tuple[int, ...] = ()
    links: tuple[Pair, ...] = ()
    """From what to which records the step measured."""
    shown: tuple[tuple[int, ...], ...] = ()
    """The records of each group or cluster that the step is about."""
    edges: frozenset[Pair] = frozenset()
    order: tuple[int, ...] = ()
    centres: Centres = ()
    memberships: Centres = ()
    moved: tuple[tuple[int, tuple[float, ...]], ...] = ()
    """What is added to the values of records."""
    labels: tuple[str, ...] = ()
    """The numbers of the steps of the algorithm that are carried out."""
    lines: tuple[Line, ...] = ()
    """The lines that are carried out, that of the algorithm itself first."""


@dataclass(slots=True)
class _State:
    records: Sequence[int]
    """What the numbers of the trace stand for."""
    watched: Watched
    group_of: list[int]
    remaining: frozenset[int]
    marks: dict[int, OpenChoice] = field(default_factory=dict)
    """The choice by which a record was named last."""
    grouped: set[int] = field(default_factory=set)
    """Named records in a group formed since, all after a merger; the next choice unnames them."""
    letters: dict[int, str] = field(default_factory=dict)
    """The letters by which the last choice of two named them."""
    number: int = 0
    edges: frozenset[Pair] = frozenset()
    order: tuple[int, ...] = ()
    centres: tuple[Centres, Centres] = ((), ())
    moved: dict[int, tuple[float, ...]] = field(default_factory=dict)

    def joined(self, records: Iterable[int]) -> None:
        for record in records:
            self.group_of[record] = self.number
            self.grouped.add(record)
        self.number += 1

    def stand(self, groups: Iterable[Sequence[int]]) -> None:
        """Renumber the groups after a step.

        Each has the number of that group from which most of its records are.
        """
        before, taken = list(self.group_of), set[int]()
        for group in sorted(groups, key=len, reverse=True):
            known = Counter(before[r] for r in group if before[r] != ALONE)
            free = [number for number, _ in known.most_common() if number not in taken]
            if len(group) == 1 and not free:
                self.group_of[group[0]] = ALONE
                continue
            if not free:
                free, self.number = [self.number], self.number + 1
            taken.add(free[0])
            for record in group:
                self.group_of[record] = free[0]

    def named(self, records: Sequence[int], tie: OpenChoice) -> None:
        """Give records the name of a choice.

        What the choice named before, and records grouped since, lose the name.
        """
        kept = self.marks.items()
        self.marks = {r: by for r, by in kept if by.name != tie.name and r not in self.grouped}
        self.grouped.clear()
        self.marks |= dict.fromkeys(records, tie)
        if found := PAIR.search(tie.predicate):
            self.letters = dict(zip(records, found.groups(), strict=True))

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield named records and their names.

        One of several records has a ring, but no name.
        """
        count = Counter(tie.name for tie in self.marks.values())
        for record, tie in self.marks.items():
            name = tie.name.rpartition(": ")[2]
            if PAIR.search(tie.predicate):
                name = self.letters.get(record, name)
            yield record, name if count[tie.name] == 1 or tie.what == "pair" else ""

    def frame(self, text: str) -> Frame:
        return Frame(
            text,
            tuple(self.group_of),
            self.remaining,
            tuple(self.names()),
            edges=self.edges,
            order=self.order,
            centres=self.centres[0],
            memberships=self.centres[1],
            moved=tuple(self.moved.items()),
        )


def frames_of(
    specification: Specification,
    trace: Sequence[events.Event],
    records: Sequence[int],
    groups: Sequence[Sequence[int]],
    watched: Watched = lambda event: ((), ()),
) -> list[Frame]:
    """Return the frames of a run on these records.

    The trace has numbers of its own for them, from 0. The last one is the result: `groups` of all
    records, if there are any.
    """
    text = algorithm_text(specification)
    ties = {tie.name: tie for tie in specification.ties}
    none = [ALONE] * (max(records, default=-1) + 1)
    state = _State(records, watched, none, frozenset(records))
    found = [state.frame(f"There are {len(records)} records.")]
    for event, line in zip(trace, trace_lines(specification, trace), strict=True):
        frame = _frame_after(state, event, ties.get(event.name), line)
        labels, lines = tuple(text.labels_of(event)), tuple(text.lines_of(event))
        found.append(replace(frame, labels=labels, lines=lines))
    if specification.yields == "deviations" or not groups:
        return found
    return [*found, _result(found[-1], set(records), groups)]


def _result(last: Frame, records: set[int], groups: Iterable[Sequence[int]]) -> Frame:
    """Return the frame of the groups at the end.

    Those that the last frame has keep their numbers.
    """
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
    kept = replace(last, marks=(), tied=(), links=(), shown=(), labels=(), lines=())
    text = f"The result has {count} groups." if count > 1 else "The result is one group."
    return replace(kept, text=text, group_of=tuple(group_of), remaining=frozenset())


def _frame_after(state: _State, event: events.Event, tie: OpenChoice | None, text: str) -> Frame:
    """Take a step."""
    records = state.records
    if event.name.startswith(events.DRAW):
        what = event.name.removeprefix(events.DRAW)
        if what in NAMED or SYMBOL.fullmatch(what):
            state.named([records[i] for i in event.items], OpenChoice(what, "", what))
        return state.frame(text)
    if tie is None:
        _happened(state, event)
        parts = event.items if event.name == events.MERGED else ()
        return replace(state.frame(text), shown=tuple(tuple(records[i] for i in p) for p in parts))
    shown = tuple(tuple(records[i] for i in group) for group in event.members)
    chosen = _chosen(event, tie, records)
    if chosen:
        state.named(chosen, tie)
    else:  # names that no later step refers to are forgotten
        state.grouped |= {r for r, by in state.marks.items() if not SYMBOL.fullmatch(by.name)}
    links = _links(state, text, chosen, shown)
    tied = tuple(records[i] for i in event.candidates if isinstance(i, int)) if chosen else ()
    return replace(state.frame(text), shown=shown, links=links, tied=tied)


def _happened(state: _State, event: events.Event) -> None:
    records = state.records
    if event.name == "iteration":
        state.remaining, state.marks = frozenset(records[i] for i in event.items), {}
    elif event.name == events.MERGED:
        state.joined(records[i] for part in event.items for i in part)
        state.grouped |= set(state.marks)
    elif event.name == events.STAND:
        state.stand([[records[i] for i in group] for group in event.items])
    elif event.name in ("together", "group") or event.name.startswith("group of "):
        state.joined(records[i] for i in event.items)
        if event.name != "together":
            state.remaining -= {records[i] for i in event.items}
    elif event.name == events.DRAWN:
        drawn = [records[i] for i, _ in event.items]
        state.joined(drawn)
        for record in drawn:
            state.group_of[record] = int(event.value or 0)
        state.remaining -= set(drawn)
    elif event.name == events.APART:
        for i in event.items:
            state.group_of[records[i]] = ALONE
    else:
        _drawn(state, event)


def _drawn(state: _State, event: events.Event) -> None:
    """Update the picture after a drawing step.

    After it there are other lines, centres or values in the picture.
    """
    records = state.records
    if event.name in (events.LINKED, events.CUT):
        a, b = sorted(records[i] for i in event.items)
        state.edges ^= {(a, b)}
        state.grouped |= set(state.marks)
    elif event.name == events.ORDERED:
        state.order = tuple(records[i] for i in event.items)
    elif event.name == events.CENTRES:
        state.centres, state.marks = state.watched(event), {}
    elif event.name == events.DEVIATES:
        state.moved[records[event.items[0]]] = tuple(map(float, event.items[1:]))


def _chosen(event: events.Event, tie: OpenChoice, records: Sequence[int]) -> list[int]:
    """The records that a choice names."""
    if tie.what not in ("record", "pair", "record and group"):
        return []
    chosen = event.items if tie.what == "record" else event.items[0]
    chosen = chosen[:1] if " and " in tie.what else chosen
    if not all(isinstance(i, int) and 0 <= i < len(records) for i in chosen):
        return []
    return [records[i] for i in chosen]


def _links(
    state: _State, text: str, chosen: Sequence[int], shown: Sequence[Sequence[int]]
) -> tuple[Pair, ...]:
    """Return the lines of a step's measurements.

    They lead from what to which records or groups the step measured, as its sentence says.
    """
    origin = ORIGIN.search(text)
    ends = list(chosen)
    if shown and not chosen and state.group_of[shown[0][0]] != ALONE:
        ends = [GROUP - state.group_of[group[0]] for group in shown]
    if origin and int(origin[1]) < len(state.records):
        return tuple((state.records[int(origin[1])], end) for end in ends)
    if average := AVERAGE.search(text):
        return tuple((ALL if average[1] == "all" else REMAINING, end) for end in chosen)
    return ((chosen[0], chosen[1]),) if len(chosen) == 2 and "pair" in text else ()


def shown_frames(frames: Sequence[Frame], most: int) -> list[Frame]:
    """Return at most `most` frames, evenly chosen.

    They are those after which the picture differs, and the last one.
    """
    changed = [now for was, now in pairwise(frames) if _picture(was) != _picture(now)]
    changed = changed if changed and changed[-1] is frames[-1] else [*changed, frames[-1]]
    if len(changed) <= most:
        return changed
    last = len(changed) - 1
    return [changed[round(place * last / (most - 1))] for place in range(most)]


def _picture(frame: Frame) -> tuple[object, ...]:
    return frame.group_of, frame.centres, frame.moved


def groups_in(frame: Frame) -> list[tuple[int, ...]]:
    """Return the groups of a frame in their order of formation."""
    members = by_key((group, r) for r, group in enumerate(frame.group_of) if group != ALONE)
    return [tuple(members[group]) for group in sorted(members)]
