"""microaggregation (https://pypi.org/project/microaggregation/): the least SSE of runs of rows.

oracle hunt --algorithm optimal --python oracle.conformance.adapters.microaggregation_sse:sse

It answers an SSE and no groups: the least over all divisions of the rows, in the order in which
they are given, into runs of k to 2k-1. With one attribute and sorted rows this is the least SSE of
all k-partitions. The groups beside it are those of this project, so that only the SSE is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracle.conformance.adapters.tables import column
from oracle.optima.univariate import optimal_univariate
from refagg.errors import needed

with needed("pip install microaggregation==0.1.9"):
    import numpy
    from microaggregation import calculate_sse_dynamic


def sse(records: Sequence[Sequence[float]], k: int) -> dict[str, Any]:
    """Return the SSE of the C++ extension, and groups.

    The extension computes the SSE; the groups have the least.
    """
    values = column(records)
    rows = numpy.array([[value] for value in sorted(values)])
    whole = _whole(values)
    return {
        "sse": repr(float(calculate_sse_dynamic(rows, k))),
        "groups": [list(group) for group in optimal_univariate(whole, k).groups],
    }


sse.describes = {"attributes": [1, 1]}  # type: ignore[attr-defined]


def _whole(values: Sequence[float]) -> list[int]:
    """Return the values by a common denominator, exactly."""
    ratios = [value.as_integer_ratio() for value in values]
    below = max(denominator for _, denominator in ratios)
    return [numerator * (below // denominator) for numerator, denominator in ratios]
