"""Scores of records by the first component of those of the minimum covariance determinant."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from refagg.algorithms.sorting.components import along, centred_columns, first_component
from refagg.cursors.sorted import Scores, Sorted
from refagg.engine.scatter import Cloud, minimum_determinant
from refagg.language.partition import Record
from refagg.language.specification import integer

STARTS = integer("starts", 10, 1, "how many sets of records concentration begins with")


def robust_scores(S: Sorted, records: Sequence[Record], starts: int) -> Scores:
    """The coordinates of some records along the direction in which about half of them vary most."""
    columns = centred_columns([S.space.rows[i] for i in records])
    half = minimum_determinant(Cloud(S.space, records), S.choices, starts).records
    own = []
    for column in columns:
        values = [column[i] for i in half]
        mean = fsum(values) / len(values) if min(values) < max(values) else values[0]
        own.append([x - mean for x in values])
    return along(columns, first_component(own, S.choices))
