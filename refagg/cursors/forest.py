"""F: trees of records that are joined and divided.

The cursor also holds the choices.

Each tree has a root, the one record that no edge leaves. A part of a divided tree can have Steiner
vertices, which have edges but are not records: ~r in the place of the record r.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any, Concatenate

from refagg.cursors.remaining import Group, Text, any_of, groups_by
from refagg.cursors.trees import Side, Tree, reached, records_of_tree
from refagg.engine.quadratic import pool_of
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.event import LINKED
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids
from refagg.language.ties import Magnitude, TiedCandidates, greatest, least


class Forest:
    """Trees by their roots, edges between records, and groups formed."""

    def __init__(self, space: Centroids[Any], choices: Choices) -> None:
        """Initialise the forest with every record as a tree."""
        self.space = space
        self.choices = choices
        self.groups: list[Group] = []
        self.root = space.records()
        """The root of the tree of each record."""
        self.members = {record: [record] for record in self.root}
        self._pool = pool_of(space, self.root)
        self._neighbours: Tree = {record: set() for record in self.root}
        self._edges: _ShortestEdges | None = None

    # Joining trees

    def roots(self, k: int) -> list[Record]:
        """Return the roots of the trees of fewer than k records."""
        return [root for root, tree in self.members.items() if len(tree) < k]

    def any_of(self, name: str, records: Sequence[Record]) -> Record:
        """Choose one of the records, which nothing ranks."""
        return self.choices.choose(name, any_of(self.space, records))

    def nearest_outside(self, name: str, root: Record) -> Record:
        """Choose the record of another tree that is nearest to a root."""
        return self.choices.choose(name, self._pool.closest(root, self.members[root]))

    def shortest_edge(self, name: str, k: int) -> tuple[Record, Record]:
        """Choose the shortest edge from a small tree's root to another tree.

        A small tree has fewer than k records.
        """
        self._edges = self._edges or _ShortestEdges(self.space, k, self)
        return self.choices.choose(name, self._edges.shortest(name in self.choices.free))

    def add(self, root: Record, target: Record) -> None:
        """Add an edge from a tree's root to a record of another.

        The other tree keeps its root.
        """
        joined = self.members.pop(root)
        for record in joined:
            self.root[record] = self.root[target]
        self.members[self.root[target]] += joined
        self._neighbours[root].add(target)
        self._neighbours[target].add(root)
        self.choices.step(LINKED, (root, target))

    def trees(self) -> list[Tree]:
        """Return all trees."""
        return [{r: self._neighbours[r] for r in tree} for tree in self.members.values()]

    # Dividing them

    def branching(self, name: str, tree: Tree, order: str) -> int:
        """Choose a vertex with two edges.

        It is any of them, or the one most distant from the centroid.
        """
        places = [_place(vertex) for vertex in tree if len(tree[vertex]) > 1]
        if order == "any":
            return _vertex(tree, self.any_of(name, places))
        distances = self.space.distances(self.space.centroid(records_of_tree(tree)), places)
        return _vertex(tree, self.choices.choose(name, self.space.farthest(distances)))

    def largest_side(self, name: str, tree: Tree, u: int, side: Side) -> int:
        """Choose the neighbour of u with the most records on its side."""
        around = sorted(tree[u])
        counts = [side(u, w) for w in around]
        tie = greatest(self.space.measured([*map(_place, around)], counts))
        return _vertex(tree, self.choices.choose(name, tie))

    def next_side(self, name: str, tree: Tree, u: int, among: Collection[int], order: str) -> int:
        """Choose one of these neighbours of u: any, or the nearest."""
        places = [_place(w) for w in sorted(among)]
        if order == "any":
            return _vertex(tree, self.any_of(name, places))
        distances = self.space.distances(_place(u), places)
        return _vertex(tree, self.choices.choose(name, self.space.closest(distances)))

    # What becomes of a tree

    def form(self, text: Text, tree: Tree, k: int) -> None:
        """Add the groups that an algorithm forms of a tree's records."""
        self.groups += groups_by(text, self.space, k, self.choices, records_of_tree(tree))

    def partition(self) -> Partition:
        """The groups, when they have all records."""
        return Partition.of(self.groups, self.space.n)


def on_forest(text: Callable[Concatenate[Forest, int, ...], None]) -> OnSpace:
    """Make a specification's `run` from a text on a forest.

    It leads from a space to a partition.
    """
    return on(Forest, text)


def divided_at(tree: Tree, vertex: int, sides: set[int], joins: bool) -> list[Tree]:
    """Divide a tree at a vertex.

    `sides` are one part, its other neighbours the second. With `joins` the vertex itself is in the
    first part, else in the second; the other part has a Steiner vertex in its place.
    """
    steiner = min(vertex, ~vertex)
    pieces = []
    for around, own in (
        (sides, vertex if joins else steiner),
        (tree[vertex] - sides, steiner if joins else vertex),
    ):
        part = reached(tree, around, vertex)
        for neighbour in around:
            part[neighbour].add(own)
        pieces.append({**part, own: set(around)})
    return pieces


def _place(vertex: int) -> Record:
    """Return the record at a vertex.

    For a Steiner vertex it is the record at the same point.
    """
    return vertex if vertex >= 0 else ~vertex


def _vertex(tree: Tree, place: Record) -> int:
    return place if place in tree else ~place


class _ShortestEdges:
    """The candidate edges from small trees' roots to their nearest outside records.

    The nearest records of a root are sought again only when all of them are in its tree;
    until then the distance that was found bounds the one that is.
    """

    def __init__(self, space: Centroids[Any], k: int, forest: Forest) -> None:
        self._space = space
        self._k = k
        self._forest = forest
        self._found: dict[Record, list[tuple[Magnitude, Record]]] = {}
        self._bounds: list[tuple[Magnitude, Record]] = [(0, root) for root in forest.members]
        heapify(self._bounds)

    def shortest(self, every: bool = False) -> TiedCandidates[tuple[Record, Record]]:
        """All edges of the least length; or `every` edge."""
        edges: list[tuple[Magnitude, tuple[Record, Record]]] = []
        looked: list[tuple[Magnitude, Record]] = []
        bound: Magnitude = inf
        while self._bounds and (every or self._bounds[0][0] <= bound):
            _, root = heappop(self._bounds)
            if len(self._forest.members.get(root, ())) in range(1, self._k):
                near = self._outside(root, every)
                shortest = min(near)[0]
                looked.append((shortest, root))
                edges += [(value, (root, target)) for value, target in near]
                tolerance = self._space.ranked([root], [shortest]).tolerance
                bound = min(bound, tolerance.greatest_tied(shortest))
        for entry in looked:
            heappush(self._bounds, entry)
        return least(self._space.ranked([edge for _, edge in edges], [v for v, _ in edges]))

    def _outside(self, root: Record, every: bool) -> list[tuple[Magnitude, Record]]:
        """Return the root's nearest records in other trees, or all of them.

        With `every` all of them are returned.
        """
        where = self._forest.root
        near = [(v, r) for v, r in self._found.get(root, ()) if where[r] != root]
        if not near or every:
            others = [record for record in self._space.records() if where[record] != root]
            measured = self._space.ranked(others, self._space.raw(root, others))
            bound = measured.tolerance.greatest_tied(min(measured.values))
            near = [(v, r) for v, r in measured.pairs() if every or v <= bound]
            self._found[root] = near
        return near
