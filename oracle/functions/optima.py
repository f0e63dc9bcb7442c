"""`oracle.optimum`: the least cost of any groups of at least k records, with a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from sys import maxsize
from typing import Any, Literal, SupportsIndex

from oracle.functions.values import Rational, weights_of
from oracle.optima.clock import Report
from oracle.optima.solving import Optimum, solve
from refagg.data.standardise import RANGE, Scaled, usual_scale
from refagg.data.standardise import standardise as on_scale
from refagg.data.tables import table_of
from refagg.errors import InvalidParameter
from refagg.language.partition import Partition, check_k
from refagg.spaces.dissimilarities.own import Measure, measure_for, one_measure

Pair = tuple[int, int]
Cost = Callable[[Any], Any]


def optimum(
    rows: Any,
    k: SupportsIndex = 3,
    *,
    quasi_identifiers: Sequence[str] | None = None,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | None = None,
    similarity: Measure | None = None,
    objective: Literal["sse", "absolute"] = "sse",
    cost: Cost | None = None,
    method: Literal["auto", "exhaustive", "subsets", "ilp", "columns", "univariate"] = "auto",
    largest: int | None = None,
    together: Iterable[Pair] = (),
    apart: Iterable[Pair] = (),
    time_limit: float | None = None,
    solver: Literal["cbc", "highs"] | None = None,
    executor: Executor | None = None,
    report: Report | None = None,
    state: str | Path | None = None,
    start: Partition | None = None,
) -> Optimum:
    """The cheapest partition of the records into groups of at least k.

    Parameters
    ----------
    rows : n records of p attributes
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns. With `cost`, a sequence of anything.
    k : the least size of a group
    quasi_identifiers : the attributes that count (all)
    standardise : the scale of the cost: z-scores by the "population" (the default of the SSE) or
        "sample" standard deviation, values divided by their "range" (the default where there are
        other kinds, and of absolute deviations), or "none"
    kinds, weights, dissimilarity, similarity
        The kinds of attributes that are not numbers, as in `oracle.audit`: the cost of a group is
        then the sum of the squared distances of its pairs, divided by its size. The dissimilarity
        of sequences is squared beside other attributes; if there are only sequences, it is summed
        as it is, times their weight.
    objective : of numbers: the SSE, or the sum of "absolute" deviations from the median of each
        attribute of a group, on the scale "range" or "none"
    cost : instead, a function of the records of a group that gives a rational number
    method : "columns" is for the SSE, "univariate" for both objectives of one attribute, the others
        for any cost
    largest : the greatest size of a group
    together, apart : pairs of records that must, or must not, share a group
    time_limit : in seconds; the result may then be "feasible" instead of "optimal"
    solver : "highs" is the default where it is installed
    executor, report, state, start
        Where to compute, what to call with progress, the file to continue from and to keep up to
        date ("columns" only), and a partition to begin with.

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
    k = check_k(k, maxsize)
    common: dict[str, Any] = {"together": together, "apart": apart, "largest": largest}
    common |= {"time_limit": time_limit, "solver": solver, "executor": executor}
    common |= {"report": report, "start": start, "state": None if state is None else Path(state)}
    if cost is not None:
        if kinds is not None:
            raise InvalidParameter("kinds have a cost of their own; give kinds or a cost")
        return solve(rows, k, method, objective=objective, cost=cost, **common)
    common["objective"] = objective
    measure = one_measure(dissimilarity, similarity)
    if isinstance(rows, Scaled):
        common["dissimilarity"] = measure_for(rows.table, measure)
        return solve(rows, k, method, **common)
    if kinds is None and (weights is not None or measure is not None):
        raise InvalidParameter("weights and dissimilarities need declared kinds")
    table = table_of(rows, quasi_identifiers, kinds=kinds)
    common["dissimilarity"] = measure_for(table, measure)
    how = standardise or (RANGE if objective == "absolute" else usual_scale(table))
    return solve(on_scale(table, how, weights=weights_of(weights)), k, method, **common)
