"""k-means by transfers of single records, after Hartigan and Wong.

Source: J. A. Hartigan, M. A. Wong, "Algorithm AS 136: a k-means clustering algorithm", Applied
Statistics 28 (1979), 100-108; the default of `kmeans` in R. It is a method of `k-means`.

What record i costs a cluster of m records whose centroid is at the distance d: where it joins, the
SSE grows by m d^2 / (m + 1); where it leaves, the SSE falls by m d^2 / (m - 1).

Steps, beginning with the first centres, no two of which are equal:
  1. For each record the nearest and the second nearest centre are found. It is assigned to the
     nearest one; a record that is a centre is, if several are as near, assigned to itself.
  2. The centres move to the centroids of their records, where they are after each transfer too.
  3. All clusters are in the live set.
  4. Optimal transfers: for each record i of a cluster of two or more, in the order of the file,
     4a. if its own cluster is live, all others are candidates;
     4b. if not, its second cluster and those in the live set are.
     Of the candidates, the one where i costs least is its second cluster from now on; if i costs
     less there than it does in its own, it is transferred, and its own becomes the second. Both
     are in the live set then, until n steps of this stage have been made without a change.
  5. If no record was transferred in step 4, all is done.
  6. Quick transfers: for each record i of a cluster of two or more, in the order of the file, if
     one of its two clusters has changed in the last n steps, and i costs less in the second, it is
     transferred, and its own becomes the second.
  7. Step 6 is repeated until n records in turn have stayed. The clusters that have changed in it
     are live in the whole of the next step 4, which follows.

No cluster loses its last record, and each transfer makes the SSE less, so that the end is reached.
Where centroids are not means (declared kinds) that is not so: as in R, step 6 is made at most 50
times in a row. A record that costs as much in another cluster stays.

Example, with paper and pencil: 0, 1, 2, 10, 11, 12 from the centres 0, 1, 2. 10, 11, 12 are nearest
to 2, and the centroids are 0, 1 and 35/4. 2 is second nearest to 1. In step 4, 0 and 1 are alone. 2
costs its own cluster 4/3 (27/4)^2 = 60.75, the one of 1 1/2 and that of 0 2: it goes to 1, and the
other moves to 11. 10 costs it 3/2; with {1, 2}, which is live, it costs 2/3 (17/2)^2. So do 11 and
12 stay; step 6 moves none either, and in the next step 4 there is nothing to do.
"""

from __future__ import annotations

from refagg.cursors.points import Points
from refagg.cursors.transfers import Transfers
from refagg.language.specification import OpenChoice


def hartigan_wong(M: Points, rounds: int) -> None:
    M.assign("centre")  # 1.
    if len(M) < 2:
        return
    T = Transfers(M, M.second_nearest("second centre"))  # 2. and 3.
    for _ in M.rounds(rounds):
        if not optimal_transfers(T):  # 5.
            break
        quick_transfers(T)  # 7.


def optimal_transfers(T: Transfers) -> bool:
    """Step 4: transfer records; return True if a record was transferred."""
    transferred = False
    for i in T.optimal_steps():
        if T.alone(i):
            continue
        T.second[i] = T.cheapest("candidate", i, T.candidates(i))  # 4a. and 4b.
        if T.costs_less("optimal transfer", i, T.second[i]):
            T.transfer(i)
            transferred = True
    return transferred


def quick_transfers(T: Transfers) -> None:
    for i in T.quick_steps():  # 6.
        if not T.alone(i) and T.costs_less("quick transfer", i, T.second[i]):
            T.transfer(i)


TIES = (
    OpenChoice("second centre", "1", "the centre that is second nearest to a record", "centre"),
    OpenChoice("candidate", "4", "the cluster where a record costs least", "group", "cost"),
    OpenChoice("optimal transfer", "4", "whether a record costs less there", "test", "cost"),
    OpenChoice(
        "quick transfer", "6", "whether a record costs less in its second cluster", "test", "cost"
    ),
)
