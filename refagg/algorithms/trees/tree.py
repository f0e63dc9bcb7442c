"""The division of trees: what is on each side of an edge, and the two parts of a cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from refagg.language.partition import Record

Tree = dict[int, set[int]]
"""The neighbours of each vertex: a record r, or ~r for a Steiner vertex in its place."""


def records_of(tree: Collection[int]) -> list[Record]:
    return sorted(vertex for vertex in tree if vertex >= 0)


def sides(tree: Tree, top: int) -> Callable[[int, int], int]:
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


def cut(tree: Tree, u: int, v: int) -> list[Tree]:
    """The two sides of an edge."""
    return [reached(tree, [u], v), reached(tree, [v], u)]


def reached(tree: Tree, starts: Iterable[int], without: int) -> Tree:
    """The part of a tree that is reached from some vertices without one."""
    found = list(starts)
    seen = {without, *found}
    for vertex in found:
        found += tree[vertex] - seen
        seen |= tree[vertex]
    return {vertex: tree[vertex] - {without} for vertex in found}
