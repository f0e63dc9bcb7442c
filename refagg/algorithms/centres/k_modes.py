"""k-modes: centres are most frequent categories of records; sizes are then repaired.

Source: V. Torra, "Microaggregation for categorical variables: a median based approach", Privacy in
Statistical Databases 2004, LNCS 3050, 162-174, which clusters with k-modes and replaces each
cluster by medians or most frequent categories. The paper was not read, and how it reaches its sizes
is not known; the repair is ours, the simplest that uses only what the rest uses.

Steps:
  1. c = floor(n/k) records, drawn from the random stream, all sets being equally likely, are the
     modes.
  2. Each record is assigned to the nearest mode; one that is as near to its present mode as to
     another stays. (A record that is a mode begins with that one.)
  3. The modes become the centroids of their records: means of numbers, medians of ordered
     categories, the most frequent nominal ones. Modes without records are given up. Steps 2 and 3
     are repeated until no record changes its mode, or `rounds` times: where medians are taken,
     nothing guarantees an end.
  4. While a group has fewer than k records, the smallest is dissolved: each of its records joins
     the group whose centroid, as it was before, is nearest.
  5. A group of 2k records or more is divided by MDAV.

It works in every space that has centroids. On numbers alone steps 1 to 3 are those of k-means.

Example, with paper and pencil: the categories a, a, a, a, b, b, c with k = 2; the records 0, 4
and 6 are drawn, which are all different. {a, a, a, a}, {b, b} and {c} do not change. {c} is
dissolved, and record 6 is as far from a as from b; it joins the first. The 5 records are divided
by MDAV: their mode is a, so record 6 is the farthest, and 0 is as near to it as the others.

>>> import refagg
>>> from refagg.data.standardise import standardise
>>> from refagg.spaces.mixed import MixedSpace
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> table = refagg.table_of([[c] for c in "aaaabbc"], ["letter"], kinds={"letter": "nominal"})
>>> space = MixedSpace(standardise(table, "range"))
>>> run = refagg.specification("k-modes").run
>>> run(space, 2, Choices(stream=scripted([0, 3, 4])), rounds=100).groups
((0, 6), (1, 2, 3), (4, 5))
"""

from __future__ import annotations

from refagg.algorithms.centres.k_means import lloyd
from refagg.algorithms.centres.k_means_split import ROUNDS
from refagg.algorithms.mdav_family import mdav
from refagg.cursors.parts import Parts
from refagg.cursors.points import Points, on_points
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.specification import OpenChoice, Specification


def k_modes(M: Points, k: int, rounds: int) -> Parts:
    M.begin(M.draw(len(M.records) // k))  # 1.
    lloyd(M, rounds)  # 2. and 3.
    G = M.groups()
    while G.choices.goes_on(bool(G.below(k))):
        G.reached()
        G = G.without("near dissolved", [G.smallest("dissolved", G.numbers())])  # 4.
    P = Parts.of(G)
    for group in P:
        if not P.choices.large(len(group), 2 * k):
            P.close(sorted(group))
        else:
            P.form_under("mdav", mdav.mdav, sorted(group), k)  # 5.
    return P


SPECIFICATION = Specification(
    name="k-modes",
    title="k-modes from random records, with repaired sizes",
    source="Torra 2004, LNCS 3050:162-174, for k-modes; the repair is ours",
    run=on_points(k_modes),
    guarantees="groups of k to 2k-1 records",
    ties=(
        OpenChoice("centre", "2", "the mode nearest to a record", "centre"),
        OpenChoice("dissolved", "4", "the smallest group", "group", "size"),
        OpenChoice(
            "near dissolved", "4", "the group nearest to a record of a dissolved one", "group"
        ),
        *ties_of_subrun("mdav", "5", mdav.SPECIFICATION.ties),
    ),
    decisions=(59,),
    cost="O(n^2 / k) distances for each round in which all modes move, O(n) memory",
    parameters=(ROUNDS,),
    random=True,
)
