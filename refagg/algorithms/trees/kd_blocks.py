"""Blocking by a k-d tree: an algorithm forms groups inside blocks.

Medians have cut the blocks.

Source: ours. A. Solanas, A. Martinez-Balleste, J. Domingo-Ferrer, J. M. Mateo-Sanz, ARES 2006,
922-928, divide a large file by a 2^d-tree first; only the title page was read.

Steps:
  1. The records are cut as by relaxed Mondrian, always at the median of the attribute that is
     widest relative to its range in the file, as long as both sides have `least` records, or k if
     that is more. Blocks have fewer than twice as many.
  2. In each block `within` forms groups as if it were a separate table.
All blocks have at least k records, so groups have k to 2k-1.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 and blocks of 3 at least are cut
at 10: MDAV makes one group of 11, 12, 30, and {1, 2} and {3, 10} of the others: from their average,
4, 10 is farthest, and 3 is nearest to it.

>>> import refagg
>>> refagg.kd_blocks([[1], [2], [3], [10], [11], [12], [30]], k=2, least=3).groups
((0, 1), (2, 3), (4, 5, 6))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.mdav_family import cbfs, mdav
from refagg.algorithms.trees import mondrian
from refagg.cursors.parts import Parts, on_parts
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.specification import Specification, choice, integer

TEXTS = {"mdav": mdav.mdav, "cbfs": cbfs.cbfs}


def kd_blocks(P: Parts, k: int, within: str, least: int) -> None:
    P.begin("blocks", mondrian.mondrian, max(k, least), cut="relaxed")  # 1.
    for block in P:
        P.form(TEXTS[within], block, k)  # 2.


_TIES = (*mdav.SPECIFICATION.ties, *cbfs.SPECIFICATION.ties)

SPECIFICATION = Specification(
    name="kd-blocks",
    title="blocking by a k-d tree (cut at medians, then grouped block by block)",
    source="ours; after Solanas et al. 2006, ARES, 922-928",
    run=on_parts(kd_blocks),
    guarantees="groups of k to 2k-1 records, each in one block",
    ties=(
        *ties_of_subrun("blocks", "1", mondrian.SPECIFICATION.ties),
        *(replace(tied, step=f"2 ({tied.step})") for tied in _TIES),
    ),
    decisions=(95,),
    cost="O(p n log n log(n/least)) for p attributes, and in each block of m records O(m^2 / k)",
    parameters=(
        choice("within", tuple(TEXTS), "the algorithm that forms groups in a block"),
        integer("least", 100, 1, "the least number of records in a block"),
    ),
    needs="Numeric",
)
