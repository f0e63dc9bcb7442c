"""MDAV: groups around the farthest record and at the opposite end.

The first group is around the record farthest from the average, then one is formed at the opposite
end.

Source: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity
through microaggregation", Data Mining and Knowledge Discovery 11 (2005) 195-212, where it
is called MDAV-generic; here on numeric data.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. x_r and its k-1 nearest records (not x_s) form a group; x_s and its k-1 nearest of the
     others too.
Then:
  4. of 2k to 3k-1 records, x_r (as in 1) and its k-1 nearest form a group, the others another one;
  5. fewer than 2k records form one group.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2. The average is 69/7, so
30 is x_r and 1 is x_s; {12, 30} and {1, 2} are formed. Three records remain: {3, 10, 11}.

>>> import refagg
>>> refagg.mdav([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import BOTH_ENDS, last_groups, last_ties
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import Specification


def mdav(R: Cursor, k: int) -> None:
    while R.at_least(3 * k):
        x_r = R.farthest("x_r", R.average())  # 1.
        x_s = R.farthest("x_s", x_r, without={x_r})  # 2. another record, also where all are equal
        R.group("near x_r", x_r, k, without={x_s})  # 3.
        R.group("near x_s", x_s, k)
    last_groups(R, k)  # 4. and 5.


SPECIFICATION = Specification(
    name="mdav",
    title="MDAV (two groups while 3k records remain)",
    source="Domingo-Ferrer and Torra 2005, DMKD 11:195-212, MDAV-generic on numeric data",
    run=on_cursor(mdav),
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(*BOTH_ENDS, *last_ties("4")),
    decisions=(1, 2),
    cost="O(n^2 / k) distances, O(n) memory",
)
