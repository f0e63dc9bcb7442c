"""microaggregation (https://pypi.org/project/microaggregation/): the least SSE of consecutive groups.

oracle hunt --claim optimal --python oracle.conformance.adapters.microaggregation_sse:sse

It answers an SSE and no groups: the least over all divisions of the rows, in the order in which
they are given, into runs of k to 2k-1. Here the rows are sorted by their only attribute first, so
that this is the least SSE of all k-partitions.
"""

from __future__ import annotations

from collections.abc import Sequence


def sse(records: Sequence[Sequence[float]], k: int) -> dict[str, str]:
    """The SSE that it computes, with its extension in C++."""
    import numpy
    from microaggregation import calculate_sse_dynamic

    rows = numpy.array(sorted([float(row[0])] for row in records))
    return {"sse": repr(float(calculate_sse_dynamic(rows, k)))}
