"""anonypyx (https://pypi.org/project/anonypyx/): its MDAV-generic, on numeric attributes.

oracle hunt --algorithm mdav --standardise population \
    --python oracle.conformance.adapters.anonypyx_mdav:groups

It always standardises, by the sample standard deviation: for MDAV that is no other scale than that
of the population, since all attributes are divided by the same more.
"""

from __future__ import annotations

from oracle.conformance.adapters.pandas_frames import Rows, groups_of_index, pandas_frame_of
from refagg.errors import needed

with needed("pip install anonypyx==0.2.11"):
    from anonypyx.microaggregation import MDAVGeneric


def groups(records: Rows, k: int, standardise: str = "none") -> list[list[int]] | dict[str, str]:
    """Return the package's clusters, as record numbers."""
    if standardise == "none":
        return {"unsupported": "it always standardises"}
    frame = pandas_frame_of(records)
    return groups_of_index(MDAVGeneric(frame, list(frame)).partition(k))
