"""anonypy (https://pypi.org/project/anonypy/): its Mondrian, on numeric attributes.

oracle hunt --algorithm mondrian --python oracle.conformance.adapters.anonypy_mondrian:groups

It cuts strictly. What it would release, ranges, is not judged.
"""

from __future__ import annotations

from oracle.conformance.adapters.pandas_frames import Rows, groups_of_index, pandas_frame_of
from refagg.errors import needed

with needed("pip install anonypy==0.2.1"):
    from anonypy.mondrian import Mondrian


def groups(records: Rows, k: int) -> list[list[int]]:
    """Return the parts of `Mondrian.partition`."""
    frame = pandas_frame_of(records)
    return groups_of_index(Mondrian(frame, list(frame)).partition(k))
