"""x"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms import mdav
from refagg.algorithms.hac_leftovers import Listed, placed
from refagg.algorithms.hac_linkages import Criterion
from refagg.algorithms.hac_metrics import Space, metric_of
from refagg.algorithms.hac_pairs import Clusters
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Named, Specification, Tied


def hac(
    space: Space,
    k: int,
    run: Run,
    linkage: str,
    metric: str,
    cap: str,
    priority: str,
    leftovers: str,
) -> Partition:
    # 1.
    most = min(k if cap == "k" else 2 * k - 1, space.n)
    criterion = Criterion(linkage, metric, priority, most)
    clusters = Clusters(metric_of(space, metric), space.n, criterion)
    # 2.
    while (pairs := clusters.cheapest()) is not None:
        clusters.merge(run.one("merge", pairs))
    # 3.
    listed = Listed(clusters.listed(), clusters.following)
    return Partition.of(placed(space, k, run, listed, leftovers), space.n)


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


SPECIFICATION = Specification(
    name="hac",
    title="agglomerative microaggregation",
    source="Alarte Aleixandre 2018, chapters 6 and 7",
    run=hac,
    largest_group=lambda k, **others: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        Tied("merge", "2", "the pair of clusters that is closest", "pair", "height"),
        Tied("smallest", "3", "the smallest cluster", "group", "size"),
        Tied("smallest with room", "3", "the smallest cluster with room", "group", "size"),
        Tied("near leftover", "3", "the group whose centroid is nearest to a leftover", "group"),
        Tied("nearest leftover", "3", "the leftover that is nearest to a group", "pair"),
        Tied("kept", "3", "the largest leftover cluster", "group", "size"),
        Tied("near kept", "3", "the nearest record to the cluster kept"),
        *(replace(tied, step="3") for tied in mdav.SPECIFICATION.ties),
    ),
    decisions=(20, 21, 22, 23),
    cost="O(n^2)",
    parameters=(
        Named("linkage", ("ward", "single", "complete", "average", "centroid", "energy"), ""),
        Named("metric", ("euclidean", "squared", "manhattan", "maximum", "mahalanobis"), ""),
        Named("cap", ("k", "2k-1"), ""),
        Named("priority", ("none", "size"), ""),
        Named("leftovers", ("mdav", "nearest", "smallest-room"), ""),
    ),
    needs="Numeric",
)
