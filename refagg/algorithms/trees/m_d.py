"""M-d: the minimum spanning tree is cut; large parts are divided.

They are divided around their diameters.

Source: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for
microaggregation", IEEE TKDE 17 (2005) 902-911. The abstract and a summary of the paper were read;
the paper was not available. How a part is divided is recollected, and gives three of the eight
numbers that are recollected; the others are at most 0.4 % away.

Steps:
  1. The minimum spanning tree, as in MSTP.
  2. Its longest removable edges are removed, as in MSTP.
  3. A part of fewer than 2k records is a group. In a larger one, while at least 2k of its records
     remain, (r, s) is the pair of them that are most distant from each other; r and its k-1 nearest
     form a group, and s is treated like the others.
  4. The k to 2k-1 records that remain of it are a group.
Which end of the pair is r is open, and matters.

Example, with paper and pencil: 0, 9, 10, 11, 20 with k = 2 are a line, whose edges are 9, 1, 1 and
9 long. Only those of length 1 have two records on each side, and either can be removed; without the
first there are {0, 9} and {10, 11, 20}. Of (0, 0), (3, 0), (0, 4), (-5, 0) with k = 2 the tree is a
star around (0, 0), which cannot be cut. (3, 0) and (-5, 0) are 8 apart, the most; (3, 0) takes (0,
0).

>>> import refagg
>>> refagg.m_d([[0], [9], [10], [11], [20]], k=2).groups
((0, 1), (2, 3, 4))
>>> refagg.m_d([[0, 0], [3, 0], [0, 4], [-5, 0]], k=2, standardise="none").groups
((0, 1), (2, 3))
"""

from __future__ import annotations

from refagg.algorithms.trees import mstp
from refagg.cursors.remaining import Cursor
from refagg.cursors.trees import Trees, on_trees
from refagg.language.specification import OpenChoice, Specification


def m_d(T: Trees, k: int) -> None:
    for tree in mstp.cut_trees(T, k):  # 1. and 2.
        T.form(diameters, tree, k)


def diameters(R: Cursor, k: int) -> None:
    while R.at_least(2 * k):
        r, _ = R.most_distant_pair("pair")  # 3.
        R.group("near r", r, k)
    R.rest()  # 4.


SPECIFICATION = Specification(
    name="m-d",
    title="M-d (the minimum spanning tree is cut, large parts divided around their diameters)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=on_trees(m_d),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of MSTP",
    ties=(
        *mstp.SPECIFICATION.ties,
        OpenChoice(
            "pair",
            "3",
            "the most distant pair of records, and which end is r",
            "pair",
            predicate="the most distant pair of records, r and s",
        ),
        OpenChoice("near r", "3", "the k-1 nearest records to r"),
    ),
    decisions=(10, 83, 84),
    cost="O(n^2) distances, and for a part of m records O(m^2) at least and O(m^2) memory",
)
