"""MSTP: the minimum spanning tree, cut wherever both sides keep k records.

Source: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for
microaggregation", IEEE TKDE 17 (2005) 902-911. The abstract and a summary of the paper were read;
the paper was not available.

Steps:
  1. The minimum spanning tree of all records, by Prim's algorithm: the shortest edge between a
     record of the tree and another one is added, until all are in the tree.
  2. An edge is removable if at least k records are on each of its sides. While there is one, the
     longest is removed.
  3. The records of each tree that is left are a group.
An edge that is not removable never becomes so, since sides only shrink: visiting all edges once,
the longest first, gives the same result. What is removed from one tree does not affect another, so
each is cut independently here.

There is no limit on group sizes: a star of n records cannot be cut at all. `m-d` and `m-c` divide
those of 2k records or more.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 are a line, whose edges are 1, 1,
7, 1, 1 and 18 long. Cutting off 30 would leave it alone, but the edge of length 7 has three records
on one side and four on the other. Of 10, 11, 12, 30 the edge between 11 and 12 is the only one with
two on each side; 1, 2 and 3 have none.

>>> import refagg
>>> refagg.mstp([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refagg.algorithms.trees.tree import Tree, cut, records_of, sides
from refagg.cursors.remaining import Others
from refagg.engine.spanning_tree import CrossingEdges, Edge
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Dissimilarities
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import Magnitude, greatest

Space = Dissimilarities
Lengths = dict[Edge, Magnitude]


def mstp(space: Space, k: int, choices: Choices) -> Partition:
    lengths = spanning_tree(space, choices)  # 1.
    trees = parts(space, k, choices, lengths)  # 2.
    return Partition.of([choices.closed(records) for records, _ in trees], space.n)  # 3.


def spanning_tree(space: Space, choices: Choices) -> Lengths:
    """Step 1: the edges of a minimum spanning tree, each with its raw length."""
    crossing = CrossingEdges(space, space.records())
    lengths: Lengths = {}
    while crossing:
        choices.reached((), kept=frozenset(lengths))
        edge = choices.choose("shortest", crossing.shortest())
        lengths[edge] = crossing.add(edge)
    return lengths


def parts(
    space: Space, k: int, choices: Choices, lengths: Lengths
) -> Iterator[tuple[list[Record], Others]]:
    """Step 2: the records of each tree that is left, and the others that are still in trees."""
    waiting = [_tree(space, lengths)]
    while waiting:
        choices.iteration(*_in_trees(waiting))
        tree = waiting.pop()
        removable = _removable(tree, k)
        if removable:
            measured = space.ranked(removable, [lengths[edge] for edge in removable])
            waiting += cut(tree, *choices.choose("longest", greatest(measured)))
        else:
            yield records_of(tree), _in_trees(waiting)


def _tree(space: Space, edges: Lengths) -> Tree:
    tree: Tree = {record: set() for record in space.records()}
    for a, b in edges:
        tree[a].add(b)
        tree[b].add(a)
    return tree


def _removable(tree: Tree, k: int) -> list[Edge]:
    """The edges with at least k records on each side."""
    side = sides(tree, min(tree))
    return [(a, b) for a, b in _edges(tree) if k <= side(a, b) <= len(tree) - k]


def _edges(tree: Tree) -> list[Edge]:
    return [(a, b) for a in tree for b in tree[a] if a < b]


def _in_trees(trees: Sequence[Tree]) -> Others:
    """The records of some trees, and their edges: the rest of the run depends on nothing else."""
    records = [record for tree in trees for record in tree]
    return records, frozenset(edge for tree in trees for edge in _edges(tree))


SPECIFICATION = Specification(
    name="mstp",
    title="MSTP (the minimum spanning tree, cut where both sides keep k records)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=mstp,
    largest_group=lambda k: None,
    guarantees="all groups have at least k records; none has a greatest size",
    ties=(
        OpenChoice("shortest", "1", "the shortest edge from the tree to a record outside", "pair"),
        OpenChoice("longest", "2", "the longest removable edge of a tree", "pair"),
    ),
    decisions=(83,),
    cost="O(n^2) distances, O(n) memory",
    needs="Dissimilarities",
)
