"""IV-MDAV: groups around the record farthest from the average grow.

They take in records near to them.

Source: G. S. Rawat, B. Borah, "An improved variable-sized microaggregation algorithm
(IV-MDAV)"; the paper uses gamma = 1.16.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records;
     y_1 = x_r, ..., y_2k are the 2k nearest records to x_r in order, y_1 .. y_k form a group.
  2. For each candidate y_j, j = k+1 .. 2k: d1 is its distance to x_r, d2 its distance to the
     k-th of its nearest unassigned records, of which it is itself the first.
     If d2 > gamma d1, y_j joins the group. The candidates stay the same throughout.
Then:
  3. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others another one;
  4. fewer than 2k records form one group.

`cap` is the size at which a group takes no more candidates: 2k-1 as the prose of the paper
has it, or none (that is, 2k), as its pseudo-code has it and its numbers need.

>>> import refagg
>>> refagg.iv_mdav([[0], [1], [2], [20], [25], [30], [40], [41]], k=2, gamma="29/25").groups
((0, 1, 2), (3, 4, 5), (6, 7))
"""

from __future__ import annotations

from fractions import Fraction

from refagg.algorithms.mdav_family.steps import NEAR_X_R, X_R, last_groups, last_ties
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, choice, positive


def iv_mdav(R: Cursor, k: int, gamma: Fraction, cap: str) -> None:
    largest = 2 * k - 1 if cap == "2k-1" else 2 * k
    largest = R.choices.settled("cap", largest, range(k, 3 * k))
    while R.at_least(3 * k):
        # 1.
        x_r = R.farthest("x_r", R.average())
        group = R.group("near x_r", x_r, k, grows=True)
        candidates: list[Record] = []
        for _ in range(k):
            candidates.append(R.closest("y_j", x_r, without=candidates))
        # 2. Squared distances are compared.
        for y_j in candidates:
            if len(group) == largest:
                break
            if R.found_nearer("extend", y_j, k - 1, gamma**2):  # gamma d1 < d2
                R.add(y_j, group)
        R.close(group)
    last_groups(R, k)  # 3. and 4.


SPECIFICATION = Specification(
    name="iv-mdav",
    title="IV-MDAV (MDAV-single with near candidates taken in)",
    source="Rawat and Borah, An improved variable-sized microaggregation algorithm (IV-MDAV)",
    run=on_cursor(iv_mdav),
    largest_group=lambda k, gamma, cap: 2 * k - 1 if cap == "2k-1" else 2 * k,
    guarantees="groups of k to 2k-1 records; without the cap, of at most 2k",
    ties=(
        X_R,
        NEAR_X_R,
        OpenChoice("y_j", "1", "the next nearest record to x_r, a candidate"),
        OpenChoice("extend", "2", "whether gamma d1 < d2", "test"),
        *last_ties("3"),
    ),
    decisions=(3, 8, 9),
    cost="O(n^2) distances, O(n) memory",
    parameters=(
        positive("gamma", Fraction(29, 25), "how isolated a candidate must be to be taken in"),
        choice("cap", ("2k-1", "none"), "the size at which a group takes no more candidates"),
    ),
)
