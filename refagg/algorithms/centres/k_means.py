"""k-means: centres move to means of their records, then sizes are repaired.

Source: J. MacQueen (1967) and S. P. Lloyd (1982) for k-means itself; Analisis de conglomerados (UOC
2016) compares it with microaggregation by using c = floor(n/k) centres and repairing the result.
The start, the ties and the repair are ours.

Steps:
  1. c records are the first centres. `k-means` draws them from the random stream, all sets of c
     records being equally likely. `k-means-spread` takes the record most distant from the centroid
     of all records, and then, each time, the one whose nearest centre so far is farthest.
  2. Each record is assigned to the nearest centre; a record that is as near to its present centre
     as to another one stays. (A record that is a centre begins with that one.)
  3. The centres that have records move to the centroid of their records; the others are given up.
     Steps 2 and 3 are repeated until no record changes its centre.
With the `method` "hartigan-wong" of `k-means`, records equal to one drawn before are passed over
when centres are drawn, and steps 2 and 3 are those of `hartigan_wong.py`, which transfer single
records too and lose less.
Then, with `repair` "yes":
  4. All groups of fewer than k records are dissolved; each of their records joins the group with
     the nearest centroid. The centroids are those of the groups that stay, before any joins.
  5. Groups of 2k records or more are divided by 2-means, as in k-means-split.

`repair` "none" ends after step 3: groups can have any size, and the result is NOT k-anonymous.
`rounds` limits how often step 2 (or step 4 of Hartigan and Wong) is done, and step 3 of
k-means-split for each group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 30 with k = 2 and 3 centres, spread. The centroid
is 9, the first centre 30, then 0, then 11 (distances 11 and 19 to those; 10 has 10). The groups
{30}, {0, 1, 2}, {10, 11} do not change. {30} is too small and joins 10.5.

>>> import refagg
>>> rows = [[0], [1], [2], [10], [11], [30]]
>>> refagg.k_means_spread(rows, k=2, repair="none").groups
((0, 1, 2), (3, 4), (5,))
>>> refagg.k_means_spread(rows, k=2, repair="yes").groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from functools import partial

from refagg.algorithms.centres.hartigan_wong import TIES as HARTIGAN_WONG_TIES
from refagg.algorithms.centres.hartigan_wong import hartigan_wong
from refagg.algorithms.centres.k_means_split import ROUNDS, k_means_split
from refagg.algorithms.centres.k_means_split import TIES as SPLIT_TIES
from refagg.cursors.parts import Parts
from refagg.cursors.points import Points, on_points
from refagg.language.choices import FinalGroups
from refagg.language.specification import OpenChoice, Specification, choice


def k_means(M: Points, k: int, method: str, repair: str, rounds: int) -> FinalGroups:
    c = len(M.records) // k
    M.begin(M.draw(c) if method == "lloyd" else M.draw_distinct(c))  # 1.
    MOVED_BY[method](M, rounds)  # 2., 3.
    return repaired(M, k, repair, rounds)


def k_means_spread(M: Points, k: int, repair: str, rounds: int) -> FinalGroups:
    M.begin([M.farthest_from_centroid("first centre")])  # 1.
    for _ in M.choices.each(range(len(M.records) // k - 1), "centres"):
        M.begin([M.farthest_from_centres("next centre")])
    lloyd(M, rounds)  # 2., 3.
    return repaired(M, k, repair, rounds)


def repaired(M: Points, k: int, repair: str, rounds: int) -> FinalGroups:
    G = M.groups()
    if repair == "none":
        return G
    # Of at most n/k groups one has k records or more, so that something stays.
    P = Parts.of(G.without("near dissolved", G.below(k)))  # 4.
    k_means_split(P, k, rounds)  # 5.
    return P


def lloyd(M: Points, rounds: int) -> None:
    for _ in M.rounds(rounds):
        if not M.assign("centre"):  # 2.
            break
        M.move()  # 3.


MOVED_BY = {"lloyd": lloyd, "hartigan-wong": hartigan_wong}
"""Steps 2 and 3 by the method."""

_CENTRE = OpenChoice("centre", "2", "the centre nearest to a record", "centre")

_REPAIR_TIES = (
    OpenChoice(
        "near dissolved",
        "4",
        "the group whose centroid is nearest to a record of a dissolved group",
        "group",
    ),
    *SPLIT_TIES,
)

_specification = partial(
    Specification,
    largest_group=lambda k, repair, **_: 2 * k - 1 if repair == "yes" else None,
    smallest_group=lambda k, repair, **_: k if repair == "yes" else 1,
    guarantees="groups of k to 2k-1 records; without repair of any size, NOT k-anonymous",
    cost="O(n^2 / k) distances for each round in which all centres move, O(n) memory",
)

_PARAMETERS = (
    choice("repair", ("yes", "none"), "whether the sizes are made k to 2k-1 in the end"),
    ROUNDS,
)

SPECIFICATION = _specification(
    name="k-means",
    title="k-means from random records, with repaired sizes",
    source="Lloyd 1982, or Hartigan and Wong 1979, k-means; the repair is ours",
    run=on_points(k_means),
    ties=(_CENTRE, *HARTIGAN_WONG_TIES, *_REPAIR_TIES),
    decisions=(32, 33, 98),
    parameters=(
        choice("method", tuple(MOVED_BY), "how records find their centres, and centres move"),
        *_PARAMETERS,
    ),
    random=True,
)

SPECIFICATION_SPREAD = _specification(
    name="k-means-spread",
    title="k-means from records far from each other, with repaired sizes",
    source="Lloyd 1982, k-means; the start and the repair are ours",
    run=on_points(k_means_spread),
    ties=(
        OpenChoice("first centre", "1", "the record most distant from the centroid of all records"),
        OpenChoice("next centre", "1", "the record whose nearest centre is farthest"),
        _CENTRE,
        *_REPAIR_TIES,
    ),
    decisions=(32, 33),
    parameters=_PARAMETERS,
)
