"""Dendrogram of a release's groups, from an agglomerative run's trace.

The trace holds each merger of two clusters, with the height by which the pair was chosen. But the
groups of a release need not be made by mergers alone: k-Ward begins with two groups of k that are
formed at once, and takes a group of 2k records apart to divide it again; KSHC moves single records;
`hac` gives leftovers away. So a group is shown as those mergers of its records that lasted, and
what other steps put together is joined without a height.

A cluster of one record has the number of its record, merger or join t, counted from 0, makes
cluster n + t. Heights need not rise.

>>> from refagg import exact_space, specification
>>> from refagg.language.choices import Choices
>>> hac, choices = specification("hac"), Choices(trace=[])
>>> space = exact_space([[0], [1], [3], [10], [11], [13], [20]])
>>> groups = hac.run(space, 3, choices, **hac.settings({"linkage": "single"})).groups
>>> tree = dendrogram(choices.trace, 7, groups)
>>> for merger in tree.mergers:
...     print(merger.first, merger.second, "->", merger.cluster, merger.size, merger.height)
0 1 -> 7 2 1
3 4 -> 8 2 1
2 7 -> 9 3 4
5 8 -> 10 3 4
10 6 -> 11 4 None
>>> print(dendrogram_text(tree))
9: height 4, 3 records
|-- record 2
`-- 7: height 1, 2 records
    |-- record 0
    `-- record 1
11: joined by another step, 4 records
|-- 10: height 4, 3 records
|   |-- record 5
|   `-- 8: height 1, 2 records
|       |-- record 3
|       `-- record 4
`-- record 6
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count

from refagg.errors import InvalidParameter
from refagg.language.event import APART, MERGED, Event
from refagg.language.number_texts import number_text
from refagg.language.partition import Group, Record
from refagg.language.ties import Number


@dataclass(frozen=True, slots=True)
class Merger:
    """A merger of two clusters, with its height.

    It has the number and the size of the cluster that the two make. The height is None where no
    merger, but another step of the algorithm put them together.
    """

    first: int
    second: int
    cluster: int
    size: int
    height: Number | None


@dataclass(frozen=True, slots=True)
class Dendrogram:
    """The mergers of n records, and each group's cluster.

    The number of mergers that did not last is there too.
    """

    n: int
    mergers: tuple[Merger, ...]
    roots: tuple[int, ...]
    undone: int

    @property
    def joins(self) -> int:
        """Return how many parts other steps than mergers put together."""
        return sum(merger.height is None for merger in self.mergers)

    def as_data(self) -> list[dict[str, int | float | None]]:
        """The mergers, ready for JSON."""
        return [
            asdict(merger) | {"height": None if merger.height is None else float(merger.height)}
            for merger in self.mergers
        ]

    def remarks(self) -> list[str]:
        """Return remarks on groups that are not the work of mergers."""
        lines = []
        if self.joins:
            lines.append(
                "joined by another step: records that were grouped at once, left over, or moved"
            )
        if self.undone:
            some = "1 merger is" if self.undone == 1 else f"{self.undone} mergers are"
            lines.append(f"{some} not shown: later steps took their records apart")
        return lines


@dataclass(frozen=True, slots=True)
class _Node:
    """A cluster: a record, or two parts.

    `serial` says when it was made.
    """

    serial: int
    records: frozenset[Record]
    parts: tuple[_Node, ...] = ()
    height: Number | None = None


def dendrogram(trace: Iterable[Event], n: int, groups: Sequence[Group] | None = None) -> Dendrogram:
    """Return the dendrogram of the groups that a run formed.

    There are n records. Without groups, that of the clusters that the mergers end with. Raises
    InvalidParameter for a trace that cannot be that of n records.
    """
    serials = count()
    single = [_Node(next(serials), frozenset([record])) for record in range(n)]
    roots: dict[Record, _Node] = dict(enumerate(single))
    made = 0
    for event in trace:
        if event.name == APART:
            _check(event.items, n, event)
            roots |= {record: single[record] for record in event.items}
        elif event.name == MERGED and event.value is not None:
            first, second = event.items
            _check([*first, *second], n, event)
            parts = (_cluster(first, roots, serials), _cluster(second, roots, serials))
            both = parts[0].records | parts[1].records
            roots |= dict.fromkeys(both, _Node(next(serials), both, parts, event.value))
            made += 1
    if groups is None:
        groups = list(dict.fromkeys(tuple(sorted(node.records)) for node in roots.values()))
    tops = [_cluster(group, roots, serials) for group in groups]
    numbers = {node.serial: record for record, node in enumerate(single)}
    mergers: list[Merger] = []
    for node in sorted(_joined(tops), key=lambda node: node.serial):
        first, second = (numbers[part.serial] for part in node.parts)
        numbers[node.serial] = n + len(mergers)
        mergers.append(Merger(first, second, n + len(mergers), len(node.records), node.height))
    lasting = sum(merger.height is not None for merger in mergers)
    roots_of = tuple(numbers[top.serial] for top in tops)
    return Dendrogram(n, tuple(mergers), roots_of, made - lasting)


def _check(records: Sequence[Record], n: int, event: Event) -> None:
    if len(set(records)) < len(records) or not set(records) <= set(range(n)):
        raise InvalidParameter(f"{event} is about no different records of {n}")


def _cluster(
    records: Collection[Record], roots: dict[Record, _Node], serials: Iterator[int]
) -> _Node:
    """Return the cluster of exactly these records.

    It is a root, or parts of roots are joined to it.
    """
    wanted, parts, seen = frozenset(records), list[_Node](), set[Record]()
    for record in records:
        if record not in seen:
            part = _largest(roots[record], record, wanted)
            parts.append(part)
            seen |= part.records
    joined = parts[0]
    for part in parts[1:]:
        joined = _Node(next(serials), joined.records | part.records, (joined, part))
    return joined


def _largest(node: _Node, record: Record, wanted: frozenset[Record]) -> _Node:
    """Return the largest wanted cluster with the record.

    It is within this cluster and has no record that is not wanted.
    """
    while not node.records <= wanted:
        node = next(part for part in node.parts if record in part.records)
    return node


def _joined(tops: Iterable[_Node]) -> Iterator[_Node]:
    """All clusters of two parts within these."""
    waiting = list(tops)
    while waiting:
        node = waiting.pop()
        if node.parts:
            yield node
            waiting += node.parts


def dendrogram_text(tree: Dendrogram) -> str:
    """The dendrogram as indented text: each cluster above its parts."""
    mergers = {merger.cluster: merger for merger in tree.mergers}
    return "\n".join(line for root in tree.roots for line in _lines(root, mergers))


def _lines(root: int, mergers: dict[int, Merger]) -> Iterator[str]:
    waiting = [(root, "", "")]
    while waiting:
        cluster, own, below = waiting.pop()
        if cluster not in mergers:
            yield f"{own}record {cluster}"
            continue
        merger = mergers[cluster]
        how = "joined by another step"
        if merger.height is not None:
            how = f"height {number_text(merger.height)}"
        yield f"{own}{cluster}: {how}, {merger.size} records"
        waiting.append((merger.second, f"{below}`-- ", f"{below}    "))
        waiting.append((merger.first, f"{below}|-- ", f"{below}|   "))


def heights_drawn(tree: Dendrogram) -> list[float]:
    """Return the height of each merger in a picture.

    Joins are as high as the highest of their parts.
    """
    heights: dict[int, float] = {}
    for merger in tree.mergers:
        below = [heights.get(merger.first, 0.0), heights.get(merger.second, 0.0)]
        heights[merger.cluster] = max(below) if merger.height is None else float(merger.height)
    return list(heights.values())
