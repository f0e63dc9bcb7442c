"""Hansen-Mukherjee: sorted values are cut at least SSE, an optimum.

Source: S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate
microaggregation", IEEE Transactions on Knowledge and Data Engineering 15 (2003) 1043-1044.
Recollected; the result is an optimum whatever the source says.

Some optimal partition has groups that are runs of the sorted values, and none needs more than
2k-1 records: a larger group can be divided at no cost.

Steps:
  1. Sort the values: v_1 <= ... <= v_n.
  2. In the graph with the nodes 0 .. n, and for k <= j-i < 2k an arc (i, j) that costs the SSE of
     v_i+1 .. v_j, find the shortest path from 0 to n. Its length f(j) to a node j is
       f(0) = 0,  f(j) = the least of f(j-m) + SSE(v_j-m+1, ..., v_j) for k <= m < 2k.
  3. From n backwards, each arc is a group.
Several paths can be shortest, and equal values can be on both sides of a node: both are choices, so
that every optimal partition with groups of k to 2k-1 is a possible run. Which end of the values is
called n is a choice too, which only decides what is chosen first; without it, the same tie rule
could give other groups when all values change their sign.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2. {11, 12, 30} costs 228.7 and
{10, 11, 12, 30} needs 4 records, so that {12, 30} is last, with 162. Before it {10, 11} costs
0.5, and {3, 10, 11} 38: the groups are {1, 2, 3} {10, 11} {12, 30}.

>>> import refagg
>>> refagg.hansen_mukherjee([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.cursors.sequence import RecordSequence, on_sequence
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import Magnitude


def hansen_mukherjee(V: RecordSequence, k: int) -> None:
    sizes = range(k, 2 * k)
    V.sort("end")  # 1.
    f = shortest_paths(V, sizes)  # 2.
    while len(V):
        m = V.last_size("last size", f, sizes)  # 3.
        V.close(V.outermost("outermost", "near outermost", m))


def shortest_paths(V: RecordSequence, sizes: range) -> list[Magnitude]:
    """Step 2: compute f(0), ..., f(n).

    They are infinite where no path ends.
    """
    runs = V.runs(sizes)
    f = V.known_lengths(sizes)
    for j in range(len(f), len(V) + 1):
        f.append(min([f[j - m] + sse for m, sse in runs(j)]))
    return f


LAST_SIZE = OpenChoice(
    "last size",
    "3",
    "how many records the last group has, of those that are left",
    what="size",
    measure="SSE of all that are left",
    predicate="the last group of those that are left",
)

SPECIFICATION = Specification(
    name="hansen-mukherjee",
    title="Hansen-Mukherjee (optimal for one attribute)",
    source="Hansen and Mukherjee 2003, IEEE TKDE 15:1043-1044",
    run=on_sequence(hansen_mukherjee),
    guarantees="the least SSE of all partitions into groups of at least k; k to 2k-1 records each",
    ties=(
        OpenChoice(
            "end",
            "1",
            "a record of the least or greatest value, where n is",
            measure="nothing",
            predicate="at the end where n is",
        ),
        LAST_SIZE,
        OpenChoice("outermost", "3", "the record that is left nearest to that end"),
        OpenChoice("near outermost", "3", "the others of the last group, the nearest to it"),
    ),
    decisions=(35,),
    cost="O(n log n + k n) time, O(n) memory",
    needs="Numeric",
    attributes="one",
)
