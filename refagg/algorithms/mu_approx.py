"""mu-Approx: a forest of nearest records, its trees divided into parts of k or more.

Source: J. Domingo-Ferrer, F. Sebe, A. Solanas, "A polynomial-time approximation to optimal
multivariate microaggregation", Computers & Mathematics with Applications 55 (2008) 714-732,
after the k-anonymity algorithm of Aggarwal et al. 2005. Recollected.

Steps:
  1. Every record is a tree. While a tree has fewer than k records, its root, which is the one
     record that no edge leaves, gets an edge to its nearest record in another tree.
  2. While a tree has s > max(2k-1, 3k-5) records, divide it. u is a vertex with two edges or more;
     v is its neighbour that has most records on its side, phi of them. While s - phi < k-1, u is
     moved to v. Then
     A. if phi >= k and s - phi >= k, the edge between u and v is cut;
     B. if s - phi = k-1, v joins the side of u;
     C. if phi = k-1, u joins the side of v;
     D. if phi < k-1, sides of u are gathered until they have k-1 records or more; u joins them
        if they have k-1, and else what is left.
     Where a record joins one part and holds the other together, a Steiner vertex takes its
     place there: it has edges, but is no record.
  3. The records of each tree are a group; from 2k on it is divided into the record most distant
     from its centroid with its k-1 nearest, and the rest.

Where the source takes any tree, vertex or side, `order` "any" takes any of them too. The default
"shortest" is ours: the shortest edge is added first, division begins at the vertex most
distant from the centroid of its tree, and the nearest sides are gathered first.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [11], [12], [30]])
>>> mu_approx(space, 2, Run(), order="shortest").groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf

from refagg.algorithms.steps import Space, minus, most_distant_from_average, seed_and_nearest
from refagg.model import Partition, Record
from refagg.run import Run
from refagg.specification import Named, Specification, Tied
from refagg.ties import Raw, Tie, greatest, least

Tree = dict[int, set[int]]
"""The neighbours of each vertex: a record r, or ~r for the Steiner vertex in its place."""


def mu_approx(space: Space, k: int, run: Run, order: str) -> Partition:
    groups: list[list[Record]] = []
    for tree in forest(space, k, run, order):
        for part in parts(space, k, run, order, tree):
            groups += _split(space, k, run, records_of(part))
    return Partition.of(groups, space.n)


def records_of(tree: Collection[int]) -> list[Record]:
    return sorted(vertex for vertex in tree if vertex >= 0)


def _any(space: Space, candidates: Sequence[Record]) -> Tie[Record]:
    """The tie of all candidates, which nothing ranks."""
    return least(space.measured(candidates, [0] * len(candidates)))


# 1.


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


def forest(space: Space, k: int, run: Run, order: str) -> list[Tree]:
    """Trees of at least k records each."""
    grown = _Forest(space.n)
    edges = _Edges(space, k, grown)
    while small := edges.small():
        if order == "any":
            root = run.one("root", _any(space, small))
            others = [record for record in space.records() if grown.root[record] != root]
            target = run.one("nearest", space.closest(space.distances(root, others)))
        else:
            root, target = run.one("edge", edges.shortest())
        grown.add(root, target)
    return [{r: grown.neighbours[r] for r in tree} for tree in grown.members.values()]


class _Edges:
    """The edges that can be added, from the root of a small tree to its nearest record outside.

    The nearest records of a root are sought again only when all of them are in its tree;
    until then the distance that was found bounds the one that is.
    """

    def __init__(self, space: Space, k: int, grown: _Forest) -> None:
        self._space = space
        self._k = k
        self._grown = grown
        self._found: dict[Record, list[tuple[Raw, Record]]] = {}
        self._bounds: list[tuple[Raw, Record]] = [(0, root) for root in grown.members]
        heapify(self._bounds)

    def small(self) -> list[Record]:
        """The roots of the trees of fewer than k records."""
        if self._k == 1:
            return []
        return [root for root, tree in self._grown.members.items() if len(tree) < self._k]

    def shortest(self) -> Tie[tuple[Record, Record]]:
        """All edges of the least length."""
        edges: list[tuple[Raw, tuple[Record, Record]]] = []
        looked: list[tuple[Raw, Record]] = []
        bound: Raw = inf
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

    def _outside(self, root: Record) -> list[tuple[Raw, Record]]:
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


# 2.


def parts(space: Space, k: int, run: Run, order: str, tree: Tree) -> list[Tree]:
    """The parts into which a tree is divided."""
    most = max(2 * k - 1, 3 * k - 5)
    open_, done = [tree], []
    while open_:
        tree = open_.pop()
        divided = len(records_of(tree)) > most and _divided(space, k, run, order, tree)
        if divided:
            open_ += divided
        else:
            done.append(tree)
    return done


def _divided(space: Space, k: int, run: Run, order: str, tree: Tree) -> list[Tree]:
    """Two parts of k records or more; none if the only way is to cut a Steiner vertex in three."""
    s = len(records_of(tree))
    u = _start(space, run, order, tree)
    side = _sides(tree, u)
    v = _largest(space, run, tree, u, side)
    phi = side(u, v)
    # A Steiner vertex that joins a part adds no record to it.
    while s - phi < k - 1 or (s - phi == k - 1 and v < 0):
        u = v
        v = _largest(space, run, tree, u, side)
        phi = side(u, v)
    if phi >= k and s - phi >= k:  # A.
        return _cut(tree, u, v)
    if s - phi == k - 1:  # B.
        return _shared(tree, v, {u}, joins=True)
    needed = k - 1 if u >= 0 else k
    gathered, count = {v}, phi  # C.
    if phi < needed:  # D.
        gathered, count = set(), 0
        while count < needed:
            w = _next_side(space, run, order, tree, u, tree[u] - gathered)
            gathered.add(w)
            count += side(u, w)
    if u < 0 and s - count < k:
        return []
    return _shared(tree, u, gathered, joins=count == k - 1)


def _start(space: Space, run: Run, order: str, tree: Tree) -> int:
    branching = [_place(vertex) for vertex in tree if len(tree[vertex]) > 1]
    if order == "any":
        return _vertex(tree, run.one("u", _any(space, branching)))
    centroid = space.centroid(records_of(tree))
    return _vertex(tree, run.one("u", space.farthest(space.distances(centroid, branching))))


def _largest(
    space: Space, run: Run, tree: Tree, u: int, side: Callable[[int, int], int]
) -> int:
    around = sorted(tree[u])
    counts = [side(u, w) for w in around]
    return _vertex(tree, run.one("v", greatest(space.measured([*map(_place, around)], counts))))


def _next_side(
    space: Space, run: Run, order: str, tree: Tree, u: int, around: Iterable[int]
) -> int:
    places = [_place(w) for w in sorted(around)]
    if order == "any":
        return _vertex(tree, run.one("side", _any(space, places)))
    return _vertex(tree, run.one("side", space.closest(space.distances(_place(u), places))))


def _place(vertex: int) -> Record:
    """The record that a vertex is, or whose place it has."""
    return vertex if vertex >= 0 else ~vertex


def _vertex(tree: Tree, place: Record) -> int:
    return place if place in tree else ~place


def _sides(tree: Tree, top: int) -> Callable[[int, int], int]:
    """side(u, v): how many records are on the side of v of the edge between u and v."""
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


def _cut(tree: Tree, u: int, v: int) -> list[Tree]:
    """The two sides of an edge."""
    return [_reached(tree, [u], v), _reached(tree, [v], u)]


def _shared(tree: Tree, at: int, sides: set[int], joins: bool) -> list[Tree]:
    """Some sides of a vertex and the others; it joins the former or the latter, its place both."""
    steiner = min(at, ~at)
    pieces = []
    for around, vertex in (
        (sides, at if joins else steiner),
        (tree[at] - sides, steiner if joins else at),
    ):
        part = _reached(tree, around, at)
        for neighbour in around:
            part[neighbour].add(vertex)
        pieces.append({**part, vertex: set(around)})
    return pieces


def _reached(tree: Tree, starts: Iterable[int], without: int) -> Tree:
    """The part of a tree that is reached from some vertices without one."""
    reached = list(starts)
    seen = {without, *reached}
    for vertex in reached:
        reached += tree[vertex] - seen
        seen |= tree[vertex]
    return {vertex: tree[vertex] - {without} for vertex in reached}


# 3.


def _split(space: Space, k: int, run: Run, group: list[Record]) -> list[list[Record]]:
    """Groups of k to 2k-1 records."""
    groups = []
    while len(group) >= 2 * k:
        seed = most_distant_from_average(space, group, run, "seed")
        distances = space.distances(seed, group)
        near = run.closed(seed_and_nearest(space, k, run, "near seed", seed, distances))
        groups.append(near)
        group = minus(group, near)
    return [*groups, run.closed(group)]


SPECIFICATION = Specification(
    name="mu-approx",
    title="mu-Approx (a forest of nearest records, divided)",
    source="Domingo-Ferrer, Sebe and Solanas 2008, Comput. Math. Appl. 55:714-732",
    run=mu_approx,
    largest_group=lambda k, order: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; the SSE is at most O(k^3) times the least",
    ties=(
        Tied("edge", "1", "the shortest edge from the root of a tree of fewer than k", "pair"),
        Tied("root", "1", "the root of any tree of fewer than k", measure="nothing"),
        Tied("nearest", "1", "the record of another tree nearest to the root"),
        Tied("u", "2", "a vertex with two edges: any, or the most distant from the centroid"),
        Tied("v", "2", "the neighbour of u that has most records on its side", measure="records"),
        Tied("side", "2", "a neighbour of u whose side is gathered: any, or the nearest"),
        Tied("seed", "3", "the record most distant from the centroid of a group of 2k or more"),
        Tied("near seed", "3", "the k-1 nearest records to the seed"),
    ),
    decisions=(38, 39),
    cost="O(n^2) distances, O(n) memory",
    parameters=(
        Named("order", ("shortest", "any"), "what is taken where the source takes any"),
    ),
)
