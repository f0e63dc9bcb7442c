"""The claims of Laszlo and Mukherjee: the information loss of M-d.

The paper could not be read. The numbers are recollected, not copied from print, and no reading of
M-d that was tried gives all eight; that of `m-d` gives three, and the others within 0.4 %.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "LM05"
REFERENCE = (
    "M. Laszlo, S. Mukherjee, Minimum spanning tree partitioning algorithm for microaggregation, "
    "IEEE TKDE 17 (2005) 902-911 (numbers recollected)"
)

RECOLLECTED = {
    "Tarragona": "16.63 19.66 24.50 38.58",
    "Census": "6.11 8.24 10.30 17.17",
}
"""The information loss of M-d in percent for k = 3, 4, 5, 10."""

REACHED = (("Tarragona", 3), ("Tarragona", 4), ("Census", 10))
REASON = "recollected; how M-d divides a part is not known"

CLAIMS = tuple(
    Claim(
        KEY,
        f"recollected: {dataset}, k={k}, M-d",
        recollected,
        Recipe(dataset.lower(), "m-d", k),
        measure="IL",
        reason="" if (dataset, k) in REACHED else REASON,
        reached=(dataset, k) in REACHED,
    )
    for dataset, row in RECOLLECTED.items()
    for k, recollected in zip(KS, row.split(), strict=True)
)
