"""Agglomerative microaggregation: the closest clusters are merged up to a size.

Source: J. Alarte Aleixandre, "Application of clustering techniques to privacy protection", master's
thesis, UOC 2018, chapter 6 (clusters of at most 2k-1 records), chapter 7 (of at most k, and merging
with a creation priority). The linkage "energy" is that of G. J. Szekely, M. L. Rizzo, "Hierarchical
clustering via joint between-within distances: extending Ward's minimum variance method", Journal of
Classification 22 (2005) 151-183.

Steps:
  1. Every record is a cluster.
  2. While there are two clusters that together have no more records than the cap, such a pair with
     the least height is merged; the new cluster goes to the end of the list. The height says how
     far apart two clusters are; by default its square is what merging them adds to the SSE.
  3. Clusters of fewer than k records are dissolved, or filled up.

`linkage` and `metric` say what the height is (`hac_heights`). `cap` is 2k-1, or k, with which there
are as many groups as possible. With the `priority` "size" the height is divided by the number of
records of both clusters. `leftovers` says how step 3 is done (`hac_leftovers`); its distances are
those of the space, whatever the metric is. The thesis has linkage single (or complete), metric
euclidean and leftovers free-capacity, as its printed numbers confirm. The other linkages are
recollected. The defaults are ours, chosen for their lower SSE.

Records of which only dissimilarities are known (sequences, a matrix) can be merged with the
linkages single, complete and average, and leftovers free-capacity. A dissimilarity takes the place
of a squared distance; with the metric squared, heights are made of the dissimilarities themselves.

In the trace each choice "merge" is a pair of clusters by their serial numbers (the number of the
record, or n + t for the cluster that merger t made, from 0), with the square of the height that
decided; with the metric squared, the height itself. See `refagg.comparison.dendrogram`.

Example, with paper and pencil: 0, 1, 3, 7, 8 with k = 2. {0, 1} and {7, 8} are merged. 3 cannot be
merged, and is nearer to 1/2 than to 15/2.

>>> import refagg
>>> refagg.hac([[0], [1], [3], [7], [8]], k=2).groups
((0, 1, 2), (3, 4))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.hierarchical.hac_heights import LINKAGES, METRICS, single_records
from refagg.algorithms.hierarchical.hac_leftovers import LEFTOVERS
from refagg.algorithms.mdav_family import mdav
from refagg.cursors.groups import Groups
from refagg.engine.linkages import Criterion
from refagg.engine.metrics import Space
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.specification import Enough, OpenChoice, Specification, choice


def hac(
    space: Space,
    k: int,
    choices: Choices,
    linkage: str,
    metric: str,
    cap: str,
    priority: str,
    leftovers: str,
) -> Partition:
    most = min(k if cap == "k" else 2 * k - 1, space.n)
    # Clusters of k are groups of the result, unless they can give records away again.
    final = cap == "k" and leftovers != "free-capacity"
    C = single_records(space, choices, Criterion(linkage, metric, priority, most), final)  # 1.
    while pair := C.closest_pair("merge"):  # 2.
        C.merge(*pair)
    G = Groups(space, choices, C.engine.listed())
    return LEFTOVERS[leftovers](G, k)  # 3.


def _inapplicable(linkage: str, metric: str, **others: str) -> str:
    if metric in ("manhattan", "maximum") and linkage in ("centroid", "ward"):
        return f"linkage {linkage} is about centroids, which the metric {metric} has not"
    if metric == "maximum" and linkage == "energy":
        return "linkage energy could be negative with the metric maximum"
    return ""


def _irrational(linkage: str, metric: str, **others: str) -> str:
    if metric in ("manhattan", "maximum"):
        return f"the metric {metric} needs the roots of the weights of attributes"
    if metric != "squared" and linkage in ("average", "energy"):
        return f"linkage {linkage} adds distances, which are roots unless the metric is squared"
    return ""


def _enough(linkage: str, metric: str, leftovers: str, **others: str) -> Enough:
    """Return the protocol of spaces that is enough for these parameters.

    Attributes matter to some metrics only, and centroids to some linkages and leftovers.
    """
    if metric not in ("euclidean", "squared"):
        return ""
    if linkage in ("single", "complete", "average") and leftovers == "free-capacity":
        return "Dissimilarities"
    return "Centroids"


SPECIFICATION = Specification(
    name="hac",
    title="agglomerative microaggregation (hierarchical clustering up to a size)",
    source="Alarte Aleixandre 2018, master thesis, UOC, chapters 6 and 7",
    run=hac,
    guarantees="groups of k to 2k-1 records",
    ties=(
        OpenChoice("merge", "2", "the pair whose height is least", "pair of clusters", "height^2"),
        OpenChoice("smallest", "3", "the smallest cluster", "cluster", "size"),
        OpenChoice(
            "smallest with capacity",
            "3",
            "the smallest cluster with free capacity",
            "cluster",
            "size",
        ),
        OpenChoice(
            "next leftover",
            "3",
            "the order of the records of a cluster",
            measure="number",
            predicate="the next of the leftover records",
        ),
        OpenChoice("near leftover", "3", "the nearest centroid to a leftover record", "cluster"),
        OpenChoice(
            "nearest leftover",
            "3",
            "a leftover record and a cluster",
            "record and cluster",
            predicate="the leftover record and the cluster that are nearest to each other",
        ),
        OpenChoice("kept", "3", "the largest cluster of fewer than k records", "cluster", "size"),
        OpenChoice(
            "near kept", "3", "the nearest record to those of the cluster kept", measure="sum"
        ),
        *(replace(tied, step="3") for tied in mdav.SPECIFICATION.ties),
    ),
    decisions=(20, 21, 22, 23),
    cost="O(n^2) distances and memory; a merger costs O(n), and O(n) more for each cluster whose "
    "least height was with one of its parts or is tied for the least of all",
    parameters=(
        choice("linkage", LINKAGES, "what the height of a pair of clusters is"),
        choice("metric", METRICS, "the distance of two records that heights are made of"),
        choice("cap", ("k", "2k-1"), "the size up to which clusters are merged"),
        choice("priority", ("none", "size"), "heights are divided by nothing, or by |A| + |B|"),
        choice("leftovers", tuple(LEFTOVERS), "where the records of clusters of fewer than k go"),
    ),
    needs="Numeric",
    heights="height^2",
    enough=_enough,
    inapplicable=_inapplicable,
    irrational=_irrational,
)
