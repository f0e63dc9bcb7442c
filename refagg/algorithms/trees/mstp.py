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

from collections.abc import Iterator

from refagg.cursors.trees import Tree, Trees, on_trees
from refagg.language.specification import OpenChoice, Specification


def mstp(T: Trees, k: int) -> None:
    for tree in cut_trees(T, k):  # 1. and 2.
        T.close(tree)  # 3.


def cut_trees(T: Trees, k: int) -> Iterator[Tree]:
    """Steps 1 and 2: the trees that are left."""
    while T.outside:
        T.add(T.shortest_edge("shortest"))  # 1.
    for tree in T:
        removable = T.removable(tree, k)
        if removable:
            T.cut(tree, T.longest("longest", removable))  # 2.
        else:
            yield tree


SPECIFICATION = Specification(
    name="mstp",
    title="MSTP (the minimum spanning tree, cut where both sides keep k records)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=on_trees(mstp),
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
