"""A forest as a list of arrows; trees are divided as sets of edges between names.

A vertex is named by its record and whether it counts: (3, True), and (3, False) where a Steiner
vertex has its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plain.geometry import Point, gap, middle_of, most_distant, nearest_first

Vertex = tuple[int, bool]
Edge = frozenset[Vertex]


def partition(points: Sequence[Point], k: int, order: str) -> list[list[int]]:
    arrows = grown(points, k, order)
    edges = {frozenset({(a, True), (b, True)}) for a, b in arrows}
    done: list[list[int]] = []
    waiting = []
    seen: set[Vertex] = set()
    for i in range(len(points)):
        if (i, True) not in seen:
            tree = around((i, True), edges)
            seen |= tree
            waiting.append((tree, {edge for edge in edges if edge <= tree}))
    while waiting:
        tree, inside = waiting.pop()
        pieces = halves(points, k, order, tree, inside) if many(tree) > limit(k) else []
        waiting += pieces
        if not pieces:
            done += shared_out(points, k, sorted(i for i, counts in tree if counts))
    return done


def limit(k: int) -> int:
    return max(2 * k - 1, 3 * k - 5)


def many(vertices: set[Vertex]) -> int:
    return sum(counts for _, counts in vertices)


def around(start: Vertex, edges: set[Edge]) -> set[Vertex]:
    """Everything connected with a vertex."""
    found, added = {start}, True
    while added:
        more = {v for edge in edges if edge & found for v in edge} - found
        found, added = found | more, bool(more)
    return found


def grown(points: Sequence[Point], k: int, order: str) -> list[tuple[int, int]]:
    arrows: list[tuple[int, int]] = []
    while True:
        edges = {frozenset({(a, True), (b, True)}) for a, b in arrows}
        roots = sorted(set(range(len(points))) - {tail for tail, _ in arrows})
        own = {r: {i for i, _ in around((r, True), edges)} for r in roots}
        small = [r for r in roots if len(own[r]) < k]
        if not small:
            return arrows
        possible = [
            (gap(points[r], points[i]), r, i)
            for r in (small if order == "shortest" else small[:1])
            for i in range(len(points))
            if i not in own[r]
        ]
        arrows.append(min(possible)[1:])


Piece = tuple[set[Vertex], set[Edge]]


@dataclass
class Graph:
    """A tree, and the questions that its division asks."""

    vertices: set[Vertex]
    edges: set[Edge]

    def next_to(self, v: Vertex) -> list[Vertex]:
        return sorted(w for edge in self.edges if v in edge for w in edge - {v})

    def beyond(self, v: Vertex, w: Vertex) -> set[Vertex]:
        return around(w, self.edges - {frozenset({v, w})})

    def weight(self, v: Vertex, side: Iterable[Vertex]) -> int:
        return sum(many(self.beyond(v, w)) for w in side)

    def heaviest(self, v: Vertex) -> Vertex:
        return min(self.next_to(v), key=lambda w: (-self.weight(v, [w]), w[0]))

    def piece(self, at: Vertex, side: Iterable[Vertex], real: bool) -> Piece:
        """One side of a vertex, with its record there or a Steiner vertex."""
        name = (at[0], real)
        vertices = {name}.union(*(self.beyond(at, w) for w in side))
        own = {edge for edge in self.edges if edge <= vertices - {at}}
        return vertices, own | {frozenset({name, w}) for w in side}

    def both(self, at: Vertex, side: list[Vertex], moves: bool) -> list[Piece]:
        others = [w for w in self.next_to(at) if w not in side]
        return [
            self.piece(at, side, at[1] and moves),
            self.piece(at, others, at[1] and not moves),
        ]


def halves(
    points: Sequence[Point], k: int, order: str, tree: set[Vertex], edges: set[Edge]
) -> list[Piece]:
    graph = Graph(tree, edges)
    s = many(tree)
    u = beginning(points, order, graph)
    v = graph.heaviest(u)
    while (small := s - graph.weight(u, [v])) < k - 1 or (small == k - 1 and not v[1]):
        u, v = v, graph.heaviest(v)
    phi = s - small
    if phi >= k and small >= k:
        kept = edges - {frozenset({u, v})}
        sides = [around(u, kept), around(v, kept)]
        return [(side, {edge for edge in kept if edge <= side}) for side in sides]
    if phi >= k:
        return graph.both(v, [u], True)
    if phi == k - 1 and u[1]:
        return graph.both(u, [v], True)
    queue = graph.next_to(u)
    if order == "shortest":
        queue.sort(key=lambda w: (gap(points[u[0]], points[w[0]]), w[0]))
    taken = []
    while graph.weight(u, taken) < k - u[1]:
        taken.append(queue.pop(0))
    if not u[1] and s - graph.weight(u, taken) < k:
        return []
    return graph.both(u, taken, graph.weight(u, taken) == k - 1)


def beginning(points: Sequence[Point], order: str, graph: Graph) -> Vertex:
    forks = sorted(v for v in graph.vertices if len(graph.next_to(v)) >= 2)
    if order == "any":
        return forks[0]
    middle = middle_of(points, [i for i, counts in graph.vertices if counts])
    best = most_distant(points, middle, [i for i, _ in forks])
    return next(v for v in forks if v[0] == best)


def shared_out(points: Sequence[Point], k: int, ids: list[int]) -> list[list[int]]:
    if len(ids) < 2 * k:
        return [ids]
    seed = most_distant(points, middle_of(points, ids), ids)
    near = [seed, *nearest_first(points, points[seed], [i for i in ids if i != seed])[: k - 1]]
    return [near, *shared_out(points, k, [i for i in ids if i not in near])]
