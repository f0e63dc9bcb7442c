"""Step 1 of mu-Approx: edges to nearest records, until every tree has k records."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf

from refagg.algorithms.mdav_family.steps import Space, any_of
from refagg.algorithms.trees.tree import Tree
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.ties import Magnitude, TiedCandidates, least


def forest(space: Space, k: int, choices: Choices, order: str) -> list[Tree]:
    """Trees of at least k records each."""
    grown = _Forest(space.n)
    edges = _Edges(space, k, grown)
    while small := edges.small():
        if order == "any":
            root = choices.choose("root", any_of(space, small))
            others = [record for record in space.records() if grown.root[record] != root]
            target = choices.choose("nearest", space.closest(space.distances(root, others)))
        else:
            root, target = choices.choose("edge", edges.shortest())
        grown.add(root, target)
    return [{r: grown.neighbours[r] for r in tree} for tree in grown.members.values()]


@dataclass(slots=True)
class _Forest:
    """Trees by their root, and the edges between them."""

    n: int
    root: list[Record] = field(init=False)
    members: dict[Record, list[Record]] = field(init=False)
    neighbours: Tree = field(init=False)

    def __post_init__(self) -> None:
        self.root = list(range(self.n))
        self.members = {record: [record] for record in self.root}
        self.neighbours = {record: set() for record in self.root}

    def add(self, root: Record, target: Record) -> None:
        """An edge from the root of one tree to a record of another, which keeps its root."""
        joined = self.members.pop(root)
        for record in joined:
            self.root[record] = self.root[target]
        self.members[self.root[target]] += joined
        self.neighbours[root].add(target)
        self.neighbours[target].add(root)


class _Edges:
    """The edges that can be added, from the root of a small tree to its nearest record outside.

    The nearest records of a root are sought again only when all of them are in its tree;
    until then the distance that was found bounds the one that is.
    """

    def __init__(self, space: Space, k: int, grown: _Forest) -> None:
        self._space = space
        self._k = k
        self._grown = grown
        self._found: dict[Record, list[tuple[Magnitude, Record]]] = {}
        self._bounds: list[tuple[Magnitude, Record]] = [(0, root) for root in grown.members]
        heapify(self._bounds)

    def small(self) -> list[Record]:
        """The roots of the trees of fewer than k records."""
        if self._k == 1:
            return []
        return [root for root, tree in self._grown.members.items() if len(tree) < self._k]

    def shortest(self) -> TiedCandidates[tuple[Record, Record]]:
        """All edges of the least length."""
        edges: list[tuple[Magnitude, tuple[Record, Record]]] = []
        looked: list[tuple[Magnitude, Record]] = []
        bound: Magnitude = inf
        while self._bounds and self._bounds[0][0] <= bound:
            _, root = heappop(self._bounds)
            if len(self._grown.members.get(root, ())) in range(1, self._k):
                near = self._outside(root)
                shortest = min(near)[0]
                looked.append((shortest, root))
                edges += [(value, (root, target)) for value, target in near]
                tolerance = self._space.ranked([root], [shortest]).tolerance
                bound = min(bound, tolerance.greatest_tied(shortest))
        for entry in looked:
            heappush(self._bounds, entry)
        return least(self._space.ranked([edge for _, edge in edges], [v for v, _ in edges]))

    def _outside(self, root: Record) -> list[tuple[Magnitude, Record]]:
        """The nearest records of the root that are in other trees."""
        where = self._grown.root
        near = [(v, r) for v, r in self._found.get(root, ()) if where[r] != root]
        if not near:
            others = [record for record in self._space.records() if where[record] != root]
            measured = self._space.ranked(others, self._space.raw(root, others))
            bound = measured.tolerance.greatest_tied(min(measured.values))
            near = [(value, record) for value, record in measured.pairs() if value <= bound]
            self._found[root] = near
        return near
