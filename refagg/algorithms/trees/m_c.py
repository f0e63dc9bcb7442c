"""M-c: the minimum spanning tree is cut; CBFS divides large parts.

Source: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for
microaggregation", IEEE TKDE 17 (2005) 902-911. The abstract and a summary of the paper were read;
the paper was not available. That parts are divided by CBFS is recollected.

Steps:
  1. The minimum spanning tree, as in MSTP.
  2. Its longest removable edges are removed, as in MSTP.
  3. A part of fewer than 2k records is a group. In a larger one, while at least k of its records
     remain, r is the one most distant from the centroid of those that remain; r and its k-1
     nearest form a group.
  4. Each of the fewer than k records that are left of it joins the group of this part whose
     centroid is nearest; the centroids are those before the first of them is added.

Example, with paper and pencil: 0, 9, 10, 11, 20 with k = 2 are a line, whose edges are 9, 1, 1 and
9 long. Only those of length 1 have two records on each side, and either can be removed; without the
first there are {0, 9} and {10, 11, 20}. Of (0, 0), (3, 0), (0, 4), (-5, 0) with k = 2 the tree is a
star around (0, 0), which cannot be cut. The centroid is (-0.5, 1), from which (-5, 0) is farthest;
it takes (0, 0).

>>> import refagg
>>> refagg.m_c([[0], [9], [10], [11], [20]], k=2).groups
((0, 1), (2, 3, 4))
>>> refagg.m_c([[0, 0], [3, 0], [0, 4], [-5, 0]], k=2, standardise="none").groups
((0, 3), (1, 2))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.mdav_family import cbfs
from refagg.algorithms.trees import mstp
from refagg.cursors.trees import Trees, on_trees
from refagg.language.specification import Specification


def m_c(T: Trees, k: int) -> None:
    for tree in mstp.cut_trees(T, k):  # 1. and 2.
        if not T.choices.large(len(tree), 2 * k):
            T.close(tree)
        else:
            T.form(cbfs.cbfs, tree, k)  # 3. and 4.


SPECIFICATION = Specification(
    name="m-c",
    title="M-c (the minimum spanning tree is cut, large parts divided by CBFS)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=on_trees(m_c),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of MSTP",
    ties=(
        *mstp.SPECIFICATION.ties,
        *(
            replace(tied, step="4" if tied.name == "near leftover" else "3")
            for tied in cbfs.SPECIFICATION.ties
        ),
    ),
    decisions=(74, 83, 84),
    cost="O(n^2) distances, O(n) memory",
)
