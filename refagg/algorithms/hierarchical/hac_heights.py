"""Heights of agglomeration: merging costs by linkage and metric.

A cost is a number on the scale of squared distances: the square of the linkage's height where
the metric is one whose squares are rational (Euclidean, Mahalanobis, ...), the height itself with
the metric `squared`. With s = |A| + |B| and the priority `size` the height is divided by s.

For clusters A and B with na and nb records, S_AB is the least, the greatest or the sum of the
distances from A to B, and W_A the sum of those inside A. The height, or for single, complete,
centroid and ward with a metric other than `squared` its square, is

    single, complete   S_AB
    average            S_AB/(na nb)
    centroid           S_AB/(na nb) - W_A/na^2 - W_B/nb^2       (of squared distances)
    ward               na nb/(na+nb) times that of centroid
    energy             2 na nb/(na+nb) times that of centroid   (of distances)

The metrics `euclidean` and `squared` both use the squared distances of the space; they differ only
in the heights above. `manhattan` and `maximum` add the differences of the attributes or take the
greatest of them. `mahalanobis` is explained in `refagg.engine.scatter`.

How costs are kept up to date is in `refagg.engine.linkages`.
"""

from __future__ import annotations

from math import fsum
from operator import sub

from refagg.cursors.clusters import Clusters
from refagg.engine.linkages import Criterion, MatrixPairs
from refagg.engine.metrics import Metric, MetricRows, OwnDistances, Row, Space
from refagg.engine.scatter import mahalanobis
from refagg.language.choices import Choices

LINKAGES = ("ward", "single", "complete", "average", "centroid", "energy")
METRICS = ("euclidean", "squared", "manhattan", "maximum", "mahalanobis")


def single_records(
    space: Space, choices: Choices, criterion: Criterion, final: bool
) -> Clusters[MatrixPairs]:
    """Return single records as clusters, with the criterion's closest pairs.

    Of the pairs of at most `most` records together one is the closest. Clusters of that many are
    `final` if they never lose a record.
    """
    most = criterion.most
    pairs = MatrixPairs(metric_of(space, criterion.metric), space.n, criterion)
    return Clusters(choices, pairs, stay=lambda cluster: final and len(cluster) == most)


def metric_of(space: Space, name: str) -> Metric:
    """The metric of this name on the records of a space."""
    tolerance = space.ranked((), ()).tolerance
    if name in ("euclidean", "squared"):
        return OwnDistances(space, tolerance)
    columns = [space.attribute(number) for number in range(space.width)]
    if name == "mahalanobis":
        return mahalanobis(columns, tolerance)
    distance = {"manhattan": manhattan, "maximum": maximum}[name]
    return MetricRows(list(zip(*columns, strict=True)), distance, space.shown, tolerance)


def manhattan(x: Row, y: Row) -> float:
    """The sum of the differences."""
    return fsum(map(abs, map(sub, x, y)))


def maximum(x: Row, y: Row) -> float:
    """The greatest difference."""
    return max([abs(a - b) for a, b in zip(x, y, strict=True)])
