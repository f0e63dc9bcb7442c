"""T: a spanning tree, and the trees into which it is cut.

The first tree spans all records. The cursor also holds the choices.

An algorithm that cuts a minimum spanning tree is written with these verbs. Prim's algorithm asks
for the shortest edges that leave a growing set of records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, repeat
from math import dist, inf
from operator import ge, le
from typing import Any, Concatenate

from refagg.cursors.remaining import Group, Others, Text, groups_by
from refagg.engine.frame import estimates_of
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.event import CUT, LINKED
from refagg.language.partition import Partition, Record
from refagg.language.space import Dissimilarities
from refagg.language.ties import Later, Magnitude, Ranking, TiedCandidates, greatest, least

Tree = dict[int, set[int]]
"""The neighbours of each vertex: a record r, or ~r for a Steiner vertex in its place."""

Side = Callable[[int, int], int]
"""side(u, v): how many records are on the side of v of the edge between u and v."""


class Trees:
    """A growing tree, the trees waiting after cuts, and groups formed.

    The groups are formed of the other trees.
    """

    def __init__(self, space: Dissimilarities, choices: Choices) -> None:
        self.space = space
        self.choices = choices
        self.groups: list[Group] = []
        self._crossing = CrossingEdges(space, space.records())
        self.lengths: dict[Edge, Magnitude] = {}
        """The edges of the tree, each with its raw length."""
        self._waiting: list[Tree] = []

    # A spanning tree

    @property
    def outside(self) -> int:
        """The number of records that the growing tree does not reach."""
        return len(self._crossing)

    def shortest_edge(self, name: str) -> Edge:
        """Choose the shortest edge from the tree to a record outside."""
        self.choices.reached((), kept=frozenset(self.lengths) if self.choices.marked else ())
        return self.choices.choose(name, self._crossing.shortest())

    def add(self, edge: Edge) -> None:
        """Let the tree reach the other record of an edge."""
        self.lengths[edge] = self._crossing.add(edge)
        self.choices.step(LINKED, edge)

    # Cutting it

    def __iter__(self) -> Iterator[Tree]:
        """Yield each waiting tree until none is left.

        The first one spans all records.
        """
        tree: Tree = {record: set() for record in self.space.records()}
        for a, b in self.lengths:
            tree[a].add(b)
            tree[b].add(a)
        self._waiting = [tree]
        while self._waiting:
            self.choices.iteration(*self._rest())
            yield self._waiting.pop()

    def _rest(self) -> Others:
        """Return the records and edges of the waiting trees.

        The rest of the run depends on them.
        """
        told = self._waiting if self.choices.followed else []
        edges = frozenset(edge for tree in told for edge in _edges(tree))
        return [record for tree in self._waiting for record in tree], edges

    def removable(self, tree: Tree, k: int) -> list[Edge]:
        """Return the edges with at least k records on each side."""
        side = sides(tree, min(tree))
        return [(a, b) for a, b in _edges(tree) if k <= side(a, b) <= len(tree) - k]

    def longest(self, name: str, edges: Sequence[Edge]) -> Edge:
        """Choose the longest of some edges."""
        measured = self.space.ranked(edges, [self.lengths[edge] for edge in edges])
        return self.choices.choose(name, greatest(measured))

    def cut(self, tree: Tree, edge: Edge) -> None:
        """Remove an edge; both sides wait."""
        self.choices.step(CUT, edge)
        self._waiting += cut(tree, *edge)

    # What becomes of a tree

    def close(self, tree: Tree) -> None:
        """Make the records of the tree a group."""
        self.groups.append(self.choices.closed(records_of_tree(tree)))

    def form(self, text: Text, tree: Tree, k: int) -> None:
        """Add the groups that an algorithm forms of the tree's records."""
        space: Any = self.space
        own = records_of_tree(tree)
        self.groups += groups_by(text, space, k, self.choices, own, self._rest())

    def partition(self) -> Partition:
        """The groups, when no tree waits."""
        return Partition.of(self.groups, self.space.n)


def on_trees(text: Callable[Concatenate[Trees, int, ...], None]) -> OnSpace:
    """Make a specification's `run` from a text on trees.

    It leads from a space to a partition.
    """
    return on(Trees, text)


def _edges(tree: Tree) -> list[Edge]:
    return [(a, b) for a in tree for b in tree[a] if a < b]


# Trees


def records_of_tree(tree: Collection[int]) -> list[Record]:
    """Return the records of a tree: its vertices without Steiner vertices."""
    return sorted(vertex for vertex in tree if vertex >= 0)


def sides(tree: Tree, top: int) -> Side:
    """Count the records on each side of each edge."""
    above = {top: top}
    order = [top]
    for vertex in order:
        for other in tree[vertex]:
            if other != above[vertex]:
                above[other] = vertex
                order.append(other)
    below = dict.fromkeys(tree, 0)
    for vertex in reversed(order):
        below[vertex] += vertex >= 0
        if vertex != top:
            below[above[vertex]] += below[vertex]
    return lambda u, v: below[v] if above[v] == u else below[top] - below[u]


def cut(tree: Tree, u: int, v: int) -> list[Tree]:
    """Return the two sides of an edge."""
    return [reached(tree, [u], v), reached(tree, [v], u)]


def reached(tree: Tree, starts: Iterable[int], without: int) -> Tree:
    """Return the part of a tree reached without a given vertex.

    It is reached from the vertices `starts`.
    """
    found = list(starts)
    seen = {without, *found}
    for vertex in found:
        found += tree[vertex] - seen
        seen |= tree[vertex]
    return {vertex: tree[vertex] - {without} for vertex in found}


# The spanning tree

Edge = tuple[Record, Record]
"""Two records, the lower number first."""


class CrossingEdges:
    """Edges from each outside record to the nearest records inside."""

    def __init__(self, space: Dissimilarities, records: Sequence[Record]) -> None:
        """All records are outside but the first."""
        self._space = space
        self._tolerance = space.ranked((), ()).tolerance
        first, *outside = records
        self._edges: dict[Record, list[tuple[Magnitude, Edge]]] = {record: [] for record in outside}
        self._least: dict[Record, Magnitude] = dict.fromkeys(outside, inf)
        self._estimates = estimates_of(space)
        self._limits = dict.fromkeys(outside, inf)
        """The greatest estimated lengths of edges that can be as short as one that was measured."""
        self._measure_from(first)

    def __len__(self) -> int:
        """Return how many records are outside."""
        return len(self._edges)

    def shortest(self) -> TiedCandidates[Edge]:
        """All edges of the least length, of which there must be one."""
        bound = self._tolerance.greatest_tied(min(self._least.values()))
        near = compress(self._edges.values(), map(ge, repeat(bound), self._least.values()))
        tie = least(self._ranked([pair for edges in near for pair in edges]))
        every = Later(lambda: [pair for edges in self._edges.values() for pair in edges])
        return replace(tie, measured=self._ranked(every))

    def _ranked(self, pairs: Sequence[tuple[Magnitude, Edge]]) -> Ranking[Edge]:
        edges = Later(lambda: [edge for _, edge in pairs])
        return self._space.ranked(edges, Later(lambda: [raw for raw, _ in pairs]))

    def add(self, edge: Edge) -> Magnitude:
        """Move the outside record of the edge inside.

        Return the raw length of the edge.
        """
        record = edge[0] if edge[0] in self._edges else edge[1]
        length = next(raw for raw, other in self._edges.pop(record) if other == edge)
        del self._least[record], self._limits[record]
        self._measure_from(record)
        return length

    def _measure_from(self, inside: Record) -> None:
        near = self._near(inside, list(self._edges))
        for record, raw in zip(near, self._space.raw(inside, near), strict=True):
            if raw <= self._tolerance.greatest_tied(self._least[record]):
                self._keep(record, raw, (min(inside, record), max(inside, record)))

    def _near(self, inside: Record, outside: list[Record]) -> list[Record]:
        """Return the records whose edge to this one can be shortest.

        Such an edge can be as short as the record's shortest edge.
        """
        metric = self._estimates
        if metric is None:
            return outside
        points = metric.space.points
        gaps = list(map(dist, repeat(points[inside]), map(points.__getitem__, outside)))
        are_near = list(map(le, gaps, self._limits.values()))
        for record, gap in compress(zip(outside, gaps, strict=True), are_near):
            self._limits[record] = min(self._limits[record], metric.high(gap))
        return list(compress(outside, are_near))

    def _keep(self, record: Record, raw: Magnitude, edge: Edge) -> None:
        """Keep an edge, and the others tied with the shortest."""
        self._least[record] = shortest = min(raw, self._least[record])
        edges, bound = (*self._edges[record], (raw, edge)), self._tolerance.greatest_tied(shortest)
        self._edges[record] = [pair for pair in edges if pair[0] <= bound]
