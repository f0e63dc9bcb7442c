"""What options apply to, in words: "trim applies to trimmed-mean; the aggregate is median"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

AGGREGATES = "aggregates of groups"
MEANS = "means of groups"
TRIMMED = "trimmed-mean"
UNROUNDED = "z-scores that are not rounded"
UNMOVED = "means that no constraint moves"
Z_SCORES = "z-scores"
DRAWS = "random choices"
SLOPES = "the distance sts of series"
NUMBERS = "numbers"
KINDS = "attributes of declared kinds"
WHOLE = "records that have all their values"
GROUPS = "groups"
ALGORITHM = "a named algorithm"


def unmet_kinds(given: Mapping[str, Any]) -> dict[str, str]:
    """Return that no kinds are declared, unless they are."""
    return {} if given.get("kinds") is not None else {KINDS: "none are declared"}
