"""`oracle.optimum`: the least cost of any groups of at least k records, with a proof."""

from __future__ import annotations

from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, Any, SupportsIndex

from oracle.optima.searching import OPTIONS, Searching
from oracle.optima.solving import Optimum, solve
from refagg.data.standardise import RANGE, Scaled
from refagg.errors import InvalidParameter
from refagg.language.partition import check_k
from refagg.options.fields import given_options, keywords, options_of
from refagg.options.scales import scaled_and_measure
from refagg.spaces.dissimilarities.own import measure_for, one_measure

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.functions.keywords import OptimumOptions


@keywords(OPTIONS)
def optimum(rows: Any, k: SupportsIndex = 3, **options: Unpack[OptimumOptions]) -> Optimum:
    """The cheapest partition of the records into groups of at least k.

    Parameters
    ----------
    rows : n records of p attributes
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns. With `cost`, a sequence of anything.
    k : the least size of a group
    OPTIONS

    Returns
    -------
    Optimum : `status`, `partition`, `value` and `bound` (exact), `gap`, `certificate`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, InvalidParameter, InvalidConstraint, NoPartition,
    SolverUnavailable, SolverFailed, MissingExtra without PuLP, and what reading the rows raises.

    >>> found = optimum([[1], [2], [3], [10], [11], [13]], k=3, standardise="none")
    >>> found.status, found.partition.groups, str(found.value)
    ('optimal', ((0, 1, 2), (3, 4, 5)), '20/3')
    >>> optimum([[1], [2], [9], [8], [30]], k=2, objective="absolute", standardise="none").value
    Fraction(23, 1)
    """
    given, least = given_options(options, OPTIONS, "optimum"), check_k(k, maxsize)
    given["state"] = None if given["state"] is None else Path(given["state"])
    common = {name: given[name] for name in options_of(Searching)}
    if given["cost"] is not None:
        if given["kinds"] is not None:
            raise InvalidParameter("kinds have a cost of their own; give kinds or a cost")
        return solve(rows, least, **common)
    if isinstance(rows, Scaled):
        measure = one_measure(given["dissimilarity"], given["similarity"])
        return solve(rows, least, dissimilarity=measure_for(rows.table, measure), **common)
    if given["objective"] == "absolute":
        given["standardise"] = given["standardise"] or RANGE
    scaled, by = scaled_and_measure(rows, given, OPTIONS)
    return solve(scaled, least, dissimilarity=by, **common)
