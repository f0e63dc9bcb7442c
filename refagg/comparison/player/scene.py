"""Scene: what a player shows.

It has the places of the records, the runs, and the text of the algorithm. A dendrogram that grows
tells which of its bars there are after each step of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import dist, exp
from typing import Any

from refagg.algorithms.fuzzy.microaggregation import step_membership
from refagg.comparison.dendrogram import Dendrogram, dendrogram, heights_drawn
from refagg.comparison.player.frames import ALONE, Centres, Frame, Watched, frames_of
from refagg.comparison.player.places import Places, places_of, places_of_items
from refagg.comparison.player.text import (
    AlgorithmText,
    SourceFunction,
    algorithm_text,
    functions_of,
)
from refagg.constraints.equations import Constraint
from refagg.cursors.rows import coordinates_of
from refagg.data.missing import FROM_0
from refagg.data.standardise import Scaled
from refagg.data.tables import Table
from refagg.errors import InvalidParameter
from refagg.language.event import APART, MERGED, STAND, Event
from refagg.language.lists import by_key
from refagg.language.specification import Specification
from refagg.options.grouping import Grouping
from refagg.release.result import BlockResult, Release

MOST = 20_000_000
"""The most records times steps of a page."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of an algorithm on records and attributes, by frames."""

    title: str
    frames: list[Frame]
    records: Sequence[int]
    names: Sequence[str]
    """The attributes of the run."""
    growth: Growth | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a player."""

    specification: Specification
    places: Places
    runs: list[Run]
    text: AlgorithmText
    functions: list[SourceFunction]


@dataclass(frozen=True, slots=True)
class _Took:
    """The steps of a run, and the groups that it ended with."""

    title: str
    trace: Sequence[Event]
    records: Sequence[int]
    groups: Sequence[Sequence[int]]
    names: Sequence[str]


def scene_of_release(release: Release, strata: Sequence[Sequence[int]] | None = None) -> Scene:
    """Return the runs of a release that has a trace.

    `strata` are the records of each. Raises InvalidParameter where they are too long to be shown.
    """
    strata = strata or [range(release.original.n)]
    took = [
        _Took(_title(release, block, label), trace, records, block.partition.groups, block.names)
        for block in release.blocks
        for (label, trace), records in zip(block.traces, strata, strict=True)
    ]
    return _scene_of_table(release.method, release.original, took, release.method.constraints)


def scene_of_run(
    grouping: Grouping,
    table: Table,
    constraints: Sequence[Constraint],
    trace: Sequence[Event],
    groups: Sequence[Sequence[int]],
    records: Sequence[int] | None = None,
) -> Scene:
    """Return the scene of a run on a table.

    The run has its trace and the groups at its end. It may be one on these records of the table.
    """
    took = _Took("", trace, records or range(table.n), groups, table.names)
    return _scene_of_table(grouping, table, [took], constraints)


def scene_of_items(
    specification: Specification,
    space: Any,
    texts: Sequence[str],
    trace: Sequence[Event],
    groups: Sequence[Sequence[int]],
) -> Scene:
    """A run on records of which only dissimilarities are known."""
    places = places_of_items(texts, _squares(space))
    return _scene(specification, places, [_Took("", trace, range(space.n), groups, ())])


def _scene_of_table(
    grouping: Grouping, table: Table, took: Sequence[_Took], constraints: Sequence[Constraint]
) -> Scene:
    spec, scaled = grouping.specification, grouping.scaled(table)
    others = table.others
    squares = _squares(grouping.space(grouping.grouping(table))) if others else lambda a, b: 0.0
    of_centres = constraints if spec.yields == "centres" else ()
    places = places_of(scaled, squares, of_centres, [one.names for one in took])
    watched = [_watched(grouping, scaled.select(one.names).take(one.records)) for one in took]
    return _scene(spec, places, took, watched)


def _scene(
    spec: Specification,
    places: Places,
    took: Sequence[_Took],
    watched: Sequence[Watched] | None = None,
) -> Scene:
    cells = sum(len(one.trace) * len(one.records) for one in took)
    if cells > MOST:
        raise InvalidParameter(
            f"the page would have {cells} records in all its steps; {MOST} are possible: "
            "show a part of the records"
        )
    runs = []
    for place, one in enumerate(took):
        given = [watched[place]] if watched else []
        frames = frames_of(spec, one.trace, one.records, one.groups, *given)
        tree, n = None, len(one.records)
        if spec.heights and n <= MOST_LEAVES:
            tree = growth(one.trace, n, frames, one.records)
        runs.append(Run(one.title, frames, one.records, one.names, tree))
    text = algorithm_text(spec)
    events = [event for one in took for event in one.trace]
    return Scene(spec, places, runs, text, functions_of(text, events))


def _title(release: Release, block: BlockResult, stratum: str) -> str:
    named = [", ".join(block.names)] if len(release.blocks) > 1 else []
    part = [f"stratum {stratum}{FROM_0}"] if stratum else []
    return "; ".join([*named, *part]) or "all records"


def _squares(space: Any) -> Callable[[int, int], float]:
    """Return a function for the squared distance of two records.

    A dissimilarity without averages is taken for a distance.
    """
    if hasattr(space, "centroid"):
        return lambda a, b: float(space.between(a, b))
    return lambda a, b: float(space.between(a, b)) ** 2


def _watched(grouping: Grouping, scaled: Scaled) -> Watched:
    """Return a function from centres to values and memberships.

    It takes the event of the centres.
    """
    if grouping.specification.yields != "centres":
        return lambda event: ((), ())
    settings: Mapping[str, Any] = grouping.parameters
    membership = step_membership(settings["kind"], settings["m1"], settings["lambda1"])
    space = grouping.space(scaled)

    def watched(event: Event) -> tuple[Centres, Centres]:
        centres = [coordinates_of(space, values) for values in event.items]
        distances = [[dist(row, centre) for centre in centres] for row in space.rows]
        logs, _ = membership.of(distances)
        return tuple(event.items), tuple(tuple(map(exp, row)) for row in logs)

    return watched


MOST_LEAVES = 120
"""The most records of a dendrogram that grows."""

Bar = tuple[float, float, float, float, float, bool]
"""The place and the height of the left part, the height of the merger, the place and the height
of the right part, and whether another step than a merger joined the two."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A growing dendrogram: records, all bars, and bars by step.

    The records are in their order from left to right; the bars are all that there ever are.
    """

    leaves: tuple[int, ...]
    bars: tuple[Bar, ...]
    after: tuple[frozenset[int], ...]


def growth(
    trace: Sequence[Event], n: int, frames: Sequence[Frame], records: Sequence[int]
) -> Growth:
    """Return the growth of a run's dendrogram.

    Frame i + 1 is that after event i of the trace. In the end it is the dendrogram of the result;
    what is taken apart has gone.
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
    groups = {i: frame.group_of[record] for record, i in own.items()}
    members = by_key((g if g != ALONE else -2 - i, i) for i, g in groups.items())
    return list(map(tuple, members.values()))


def leaves(tree: Dendrogram) -> list[int]:
    """Return the records from left to right without crossing bars."""
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
