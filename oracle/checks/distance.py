"""How far are the groups from the optimum?"""

from __future__ import annotations

from oracle.auditing.checks import AuditedRelease, Check, Groups
from oracle.auditing.distance import Yardstick, distance_check
from oracle.checks.driver import check
from refagg.data.standardise import Scaled
from refagg.spaces.dissimilarities.dissimilarity import Function


@check(60)
def distance(
    case: AuditedRelease,
    groups: Groups,
    scaled: Scaled,
    yardstick: Yardstick | None,
    dissimilarity: str | Function,
) -> Check | None:
    """Return the distance, where it is asked for or the optimum ships with the project."""
    return distance_check(case, groups, scaled, yardstick, dissimilarity)
