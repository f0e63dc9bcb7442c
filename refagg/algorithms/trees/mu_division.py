"""Step 2 of mu-Approx: the division of a tree into parts of k records or more."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from refagg.algorithms.mdav_family.steps import Space, any_of
from refagg.algorithms.trees.tree import Tree, cut, reached, records_of, sides
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.ties import greatest


def parts(space: Space, k: int, choices: Choices, order: str, tree: Tree) -> list[Tree]:
    """The parts into which a tree is divided."""
    most = max(2 * k - 1, 3 * k - 5)
    open_, done = [tree], []
    while open_:
        tree = open_.pop()
        divided = len(records_of(tree)) > most and _divided(space, k, choices, order, tree)
        if divided:
            open_ += divided
        else:
            done.append(tree)
    return done


def _divided(space: Space, k: int, choices: Choices, order: str, tree: Tree) -> list[Tree]:
    """Two parts of k records or more; none if the only way is to cut a Steiner vertex in three."""
    s = len(records_of(tree))
    u = _start(space, choices, order, tree)
    side = sides(tree, u)
    v = _largest(space, choices, tree, u, side)
    phi = side(u, v)
    # A Steiner vertex that joins a part adds no record to it.
    while s - phi < k - 1 or (s - phi == k - 1 and v < 0):
        u = v
        v = _largest(space, choices, tree, u, side)
        phi = side(u, v)
    if phi >= k and s - phi >= k:  # A.
        return cut(tree, u, v)
    if s - phi == k - 1:  # B.
        return _shared(tree, v, {u}, joins=True)
    needed = k - 1 if u >= 0 else k
    gathered, count = {v}, phi  # C.
    if phi < needed:  # D.
        gathered, count = set(), 0
        while count < needed:
            w = _next_side(space, choices, order, tree, u, tree[u] - gathered)
            gathered.add(w)
            count += side(u, w)
    if u < 0 and s - count < k:
        return []
    return _shared(tree, u, gathered, joins=count == k - 1)


def _start(space: Space, choices: Choices, order: str, tree: Tree) -> int:
    branching = [_place(vertex) for vertex in tree if len(tree[vertex]) > 1]
    if order == "any":
        return _vertex(tree, choices.choose("u", any_of(space, branching)))
    centroid = space.centroid(records_of(tree))
    return _vertex(tree, choices.choose("u", space.farthest(space.distances(centroid, branching))))


def _largest(
    space: Space, choices: Choices, tree: Tree, u: int, side: Callable[[int, int], int]
) -> int:
    around = sorted(tree[u])
    counts = [side(u, w) for w in around]
    return _vertex(
        tree, choices.choose("v", greatest(space.measured([*map(_place, around)], counts)))
    )


def _next_side(
    space: Space, choices: Choices, order: str, tree: Tree, u: int, around: Iterable[int]
) -> int:
    places = [_place(w) for w in sorted(around)]
    if order == "any":
        return _vertex(tree, choices.choose("side", any_of(space, places)))
    return _vertex(tree, choices.choose("side", space.closest(space.distances(_place(u), places))))


def _place(vertex: int) -> Record:
    """The record of a vertex; of a Steiner vertex, the record at the same point."""
    return vertex if vertex >= 0 else ~vertex


def _vertex(tree: Tree, place: Record) -> int:
    return place if place in tree else ~place


def _shared(tree: Tree, at: int, sides: set[int], joins: bool) -> list[Tree]:
    """Divide a tree at a vertex: `sides` are one part, its other neighbours the second.

    With `joins` the vertex itself is in the first part, else in the second; the other part has a
    Steiner vertex in its place.
    """
    steiner = min(at, ~at)
    pieces = []
    for around, vertex in (
        (sides, at if joins else steiner),
        (tree[at] - sides, steiner if joins else at),
    ):
        part = reached(tree, around, at)
        for neighbour in around:
            part[neighbour].add(vertex)
        pieces.append({**part, vertex: set(around)})
    return pieces
