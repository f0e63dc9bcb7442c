"""The dendrogram of an agglomerative run, out of its trace: as plain data and as plain text.

A run of `hac` leaves each merger in its trace, as the choice "merge" of a pair of clusters. A
cluster of one record has the number of its record; merger t, counted from 0, makes cluster n + t.

Heights are what the trace holds: the square of the height by which the pair was chosen, or with
the metric `squared` the height itself; where clusters have a creation priority, divided by their
size. They need not rise: no merger is possible that would exceed the cap, and with the linkage
centroid a merger can bring clusters nearer to each other.

>>> from refagg import exact_space, specification
>>> from refagg.run import Run
>>> hac, run = specification("hac"), Run(trace=[])
>>> space = exact_space([[0], [1], [3], [10], [11], [20]])
>>> _ = hac.run(space, 3, run, **hac.settings({"linkage": "single"}))
>>> tree = dendrogram(run.trace, 6)
>>> for merger in tree.mergers:
...     print(merger.first, merger.second, "->", merger.cluster, merger.size, merger.height)
0 1 -> 6 2 1
3 4 -> 7 2 1
2 6 -> 8 3 4
5 7 -> 9 3 81
>>> print(drawn(tree))
8: height 4, 3 records
|-- record 2
`-- 6: height 1, 2 records
    |-- record 0
    `-- record 1
9: height 81, 3 records
|-- record 5
`-- 7: height 1, 2 records
    |-- record 3
    `-- record 4
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from refagg.errors import InvalidParameter
from refagg.run import Event
from refagg.ties import Number
from refagg.trace import number_text

MERGE = "merge"
"""The name of the choice."""


@dataclass(frozen=True, slots=True)
class Merger:
    """Two clusters, the number and the size of the cluster that they make, and the height."""

    first: int
    second: int
    cluster: int
    size: int
    height: Number


@dataclass(frozen=True, slots=True)
class Dendrogram:
    """The mergers of n records in their order, and the clusters that they end with."""

    n: int
    mergers: tuple[Merger, ...]
    roots: tuple[int, ...]

    def as_data(self) -> list[dict[str, int | float]]:
        """The mergers, ready for JSON."""
        return [
            {
                "first": merger.first,
                "second": merger.second,
                "cluster": merger.cluster,
                "size": merger.size,
                "height": float(merger.height),
            }
            for merger in self.mergers
        ]

    def records(self, cluster: int) -> list[int]:
        """The records of a cluster."""
        parts = _parts(self.mergers)
        return sorted(c for c in _within(cluster, parts) if c < self.n)


def dendrogram(trace: Iterable[Event], n: int, smallest: int = 1) -> Dendrogram:
    """The dendrogram of a run on n records.

    Clusters that end with fewer than `smallest` records are left out, with the mergers in them:
    with k, all leftovers. What becomes of leftovers is no merger, and is never part of it.
    Raises InvalidParameter for a trace that cannot be that of n records.

    >>> dendrogram([Event("merge", ((0, 1),), 4)], 3, smallest=2).roots
    (3,)
    """
    sizes = dict.fromkeys(range(n), 1)
    roots = dict.fromkeys(range(n))
    mergers: list[Merger] = []
    for event in trace:
        if event.name != MERGE:
            continue
        first, second = event.items[0]
        if first == second or not {first, second} <= roots.keys() or event.value is None:
            raise InvalidParameter(f"{event} is no merger of two of the clusters of {n} records")
        del roots[first], roots[second]
        cluster = n + len(mergers)
        roots[cluster] = None
        sizes[cluster] = sizes[first] + sizes[second]
        mergers.append(Merger(first, second, cluster, sizes[cluster], event.value))
    kept = tuple(root for root in roots if sizes[root] >= smallest)
    parts = _parts(mergers)
    inside = {cluster for root in kept for cluster in _within(root, parts)}
    return Dendrogram(n, tuple(m for m in mergers if m.cluster in inside), kept)


def drawn(tree: Dendrogram) -> str:
    """The dendrogram as indented text: each cluster above its parts."""
    mergers = {merger.cluster: merger for merger in tree.mergers}
    return "\n".join(line for root in tree.roots for line in _lines(root, mergers))


def _lines(cluster: int, mergers: dict[int, Merger]) -> Iterator[str]:
    if cluster not in mergers:
        yield f"record {cluster}"
        return
    merger = mergers[cluster]
    yield f"{cluster}: height {number_text(merger.height)}, {merger.size} records"
    for part, own, below in ((merger.first, "|-- ", "|   "), (merger.second, "`-- ", "    ")):
        for number, line in enumerate(_lines(part, mergers)):
            yield (below if number else own) + line


def _parts(mergers: Iterable[Merger]) -> dict[int, tuple[int, int]]:
    return {merger.cluster: (merger.first, merger.second) for merger in mergers}


def _within(cluster: int, parts: dict[int, tuple[int, int]]) -> Iterator[int]:
    """A cluster and all that it was made of."""
    waiting = [cluster]
    while waiting:
        cluster = waiting.pop()
        yield cluster
        waiting += parts.get(cluster, ())
