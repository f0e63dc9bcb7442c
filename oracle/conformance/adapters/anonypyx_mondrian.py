"""anonypyx (https://pypi.org/project/anonypyx/): its Mondrian, on numeric attributes.

oracle hunt --algorithm mondrian --python oracle.conformance.adapters.anonypyx_mondrian:groups

It cuts strictly. What it would release, ranges, is not judged.
"""

from __future__ import annotations

from oracle.conformance.adapters.pandas_frames import Rows, groups_of_index, pandas_frame_of
from refagg.errors import needed

with needed("pip install anonypyx==0.2.11"):
    from anonypyx.models import kAnonymity
    from anonypyx.mondrian import Mondrian


def groups(records: Rows, k: int) -> list[list[int]]:
    """Return the parts of `Mondrian.partition` for k-anonymity alone."""
    frame = pandas_frame_of(records)
    return groups_of_index(Mondrian(frame, list(frame)).partition([kAnonymity(k)]))
