"""k-member: a group takes in the records that add least loss.

It takes them in one after another.

Source: J.-W. Byun, A. Kamra, E. Bertino, N. Li, "Efficient k-anonymization using clustering
techniques", DASFAA 2007. The paper was not available; the reading is that of another implementation
(Clustering_based_K_Anon by qiyuangong). There the loss of a group is its size times the widths of
its ranges. Here it is the SSE: our numeric variant.

Steps:
  1. r is a record that is drawn from the random stream, each being equally likely.
  2. While at least k records remain: r becomes the remaining record most distant from r, and
     begins a group.
  3. Until the group has k records, r becomes the remaining record that adds least to the SSE of the
     group, and joins it: the one nearest to the centroid of the group, which moves.
Then:
  4. each of the fewer than k that remain, in the order of the file, joins the group to whose SSE it
     adds least at that time.
So r is the record that was added last. The record drawn first is in no group before it is chosen.

Example, with paper and pencil: 0, 1, 3, 6, 10, 11, 30 with k = 2, and the draw of the third record,
3. 30 is the farthest from 3, and 11 is nearest to it. From 11 the farthest is 0, with 1; from 1 it
is 10, with 6. 3 is left: it adds 2/3 (3 - 1/2)^2 = 25/6 to 0 and 1, 2/3 (3 - 8)^2 to 6 and 10.

>>> import refagg
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.exact_space([[0], [1], [3], [6], [10], [11], [30]])
>>> refagg.specification("k-member").run(space, 2, Choices(stream=scripted([2]))).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def k_member(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 4, which adds to the groups
    r = R.drawn("r")  # 1.
    while R.at_least(k, kept=r):
        r = R.farthest("r", r)  # 2.
        group = R.begin(r)
        while len(group) < k:
            r = R.closest("joins", R.space.centroid(group))  # 3.
            R.add(r, group)
        if not leaves_over:
            R.close(group)
    for record in list(R.records):
        R.add(record, R.group_of_least_increase("near leftover", record))  # 4.
    if leaves_over:
        R.close_all()


SPECIFICATION = Specification(
    name="k-member",
    title="k-member, with the SSE for the loss",
    source="Byun, Kamra, Bertino and Li 2007, DASFAA; the loss is ours",
    run=on_cursor(k_member),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        OpenChoice("r", "2", "the record most distant from the record that was added last"),
        OpenChoice("joins", "3", "the record nearest to the centroid of the group"),
        OpenChoice(
            "near leftover",
            "4",
            "the group to whose SSE a leftover record adds least",
            "group",
            "SSE",
        ),
    ),
    decisions=(88,),
    cost="O(n^2) distances, O(n) memory",
    needs="Numeric",
    random=True,
)
