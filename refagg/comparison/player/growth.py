"""A dendrogram that grows: which of its bars there are after each step of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refagg.comparison.dendrogram import Dendrogram, dendrogram, heights_drawn
from refagg.comparison.player.frames import ALONE, Frame
from refagg.language.event import APART, MERGED, STAND, Event

MOST_LEAVES = 120
"""The most records of a dendrogram that grows."""

Bar = tuple[float, float, float, float, float, bool]
"""The place and the height of the left part, the height of the merger, the place and the height
of the right part, and whether another step than a merger joined the two."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The records from left to right, all bars that there ever are, and those after each step."""

    leaves: tuple[int, ...]
    bars: tuple[Bar, ...]
    after: tuple[frozenset[int], ...]


def growth(
    trace: Sequence[Event], n: int, frames: Sequence[Frame], records: Sequence[int]
) -> Growth:
    """The growth of the dendrogram of a run; frame i + 1 is that after event i of the trace.

    In the end it is the dendrogram of the result; what is taken apart has gone.
    """
    own = {record: i for i, record in enumerate(records)}
    last = dendrogram(trace, n, _groups(frames[-1], own))
    place = {record: float(x) for x, record in enumerate(leaves(last))}
    number: dict[Bar, int] = {}
    after: list[frozenset[int]] = [frozenset()]
    for i, frame in enumerate(frames[1:], 1):
        if i <= len(trace) and trace[i - 1].name not in (MERGED, APART, STAND, "together", "group"):
            after.append(after[-1])
            continue
        tree = dendrogram(trace[:i], n, _groups(frame, own))
        after.append(frozenset(number.setdefault(b, len(number)) for b in _bars(tree, place)))
    return Growth(tuple(leaves(last)), tuple(number), tuple(after))


def _groups(frame: Frame, own: dict[int, int]) -> list[tuple[int, ...]]:
    members: dict[int, list[int]] = {}
    for record, i in own.items():
        group = frame.group_of[record]
        members.setdefault(group if group != ALONE else -2 - i, []).append(i)
    return [tuple(group) for group in members.values()]


def leaves(tree: Dendrogram) -> list[int]:
    """The records from left to right, so that the bars of mergers do not cross."""
    parts = {m.cluster: (m.first, m.second) for m in tree.mergers}
    order, waiting = list[int](), list(reversed(tree.roots))
    while waiting:
        cluster = waiting.pop()
        if cluster in parts:
            waiting += reversed(parts[cluster])
        else:
            order.append(cluster)
    return order


def _bars(tree: Dendrogram, place: dict[int, float]) -> list[Bar]:
    x, y = dict(place), dict.fromkeys(place, 0.0)
    bars = []
    for merger, height in zip(tree.mergers, heights_drawn(tree), strict=True):
        a, b = sorted((merger.first, merger.second), key=x.__getitem__)
        bars.append((x[a], y[a], height, x[b], y[b], merger.height is None))
        x[merger.cluster], y[merger.cluster] = (x[a] + x[b]) / 2, height
    return bars
