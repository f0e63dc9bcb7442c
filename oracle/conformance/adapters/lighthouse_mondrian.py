"""project-lighthouse-anonymize of PyPI: its "original Mondrian", on numeric attributes.

oracle conform --algorithm mondrian \
    --python oracle.conformance.adapters.lighthouse_mondrian:released

It releases the averages of the parts. A column beside the attributes says whose they are. It
refuses k = 1.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from oracle.conformance.adapters.pandas_frames import pandas_frame_of
from refagg.errors import needed

with needed("pip install project-lighthouse-anonymize==1.0.0"):
    from project_lighthouse_anonymize.mondrian.original import OriginalMondrian


def released(records: Sequence[Sequence[float]], k: int) -> Any:
    """Return the released rows, in the order of the records."""
    if k == 1:
        return {"unsupported": "it takes k from 2 on"}
    frame = pandas_frame_of(records)
    names = list(frame)
    made = OriginalMondrian(logging.getLogger("silent"), k).anonymize(
        frame.assign(id=range(len(frame))), names
    )
    if len(made) < len(frame):
        return {"refused": "no records are returned"}
    rows = made.sort_values("id")[names].to_numpy().tolist()
    return {"released": [[repr(float(value)) for value in row] for row in rows]}
