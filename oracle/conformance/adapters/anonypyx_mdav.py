"""anonypyx (https://pypi.org/project/anonypyx/): its MDAV-generic, on numeric attributes.

oracle hunt --algorithm mdav --standardise population \
    --python oracle.conformance.adapters.anonypyx_mdav:groups

It always standardises, by the sample standard deviation: for MDAV that is no other scale than that
of the population, since all attributes are divided by the same more.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.conformance.adapters.tables import check_table
from refagg.errors import MissingExtra

try:
    import pandas  # type: ignore[import-untyped]
    from anonypyx.microaggregation import MDAVGeneric
except ImportError:
    raise MissingExtra("anonypyx is not installed: pip install anonypyx==0.2.11") from None


def groups(
    records: Sequence[Sequence[float]], k: int, standardise: str = "none"
) -> list[list[int]] | dict[str, str]:
    """Return the package's clusters, as record numbers."""
    if standardise == "none":
        return {"unsupported": "it always standardises"}
    names = [f"x{number + 1}" for number in range(check_table(records))]
    frame = pandas.DataFrame([list(map(float, row)) for row in records], columns=names)
    clusters = MDAVGeneric(frame, names).partition(k)
    return [[int(record) for record in cluster] for cluster in clusters]
