"""anonypyx (https://pypi.org/project/anonypyx/): its MDAV-generic, on numeric attributes.

oracle hunt --algorithm mdav --standardise sample \
    --python oracle.conformance.adapters.anonypyx_mdav:groups

It always standardises by the mean and the sample standard deviation.
"""

from __future__ import annotations

from collections.abc import Sequence


def groups(records: Sequence[Sequence[float]], k: int) -> list[list[int]]:
    """Its clusters, as record numbers."""
    import pandas
    from anonypyx.microaggregation import MDAVGeneric

    names = [f"x{number + 1}" for number in range(len(records[0]))]
    frame = pandas.DataFrame([list(map(float, row)) for row in records], columns=names)
    clusters = MDAVGeneric(frame, names).partition(k)
    return [[int(record) for record in cluster] for cluster in clusters]
