"""umbra-k (https://pypi.org/project/umbra-k/): its Mondrian, on numeric attributes.

oracle hunt --algorithm mondrian --param cut=relaxed \
    --python oracle.conformance.adapters.umbra_k_mondrian:relaxed

Equal values are shared out, as if cuts are relaxed. What it would release is not judged.
"""

from __future__ import annotations

from typing import Any

from oracle.conformance.adapters.pandas_frames import Rows, groups_of_index, pandas_frame_of
from refagg.errors import needed

with needed("pip install umbra-k==0.1.0"):
    from umbra_k.anonymizer import MondrianAnonymizer


def groups(records: Rows, k: int) -> list[list[int]]:
    """Return the parts that `MondrianAnonymizer` keeps."""
    frame = pandas_frame_of(records)
    made = MondrianAnonymizer(k=k, quasi_id=list(frame))
    made.transform(frame)
    return groups_of_index(made._partitions)


def relaxed(records: Rows, k: int, cut: str) -> Any:
    """Group the rows with relaxed cuts."""
    return groups(records, k) if cut == "relaxed" else {"unsupported": f"cut={cut}"}
