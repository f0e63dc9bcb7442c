"""The claims of Lin, Wen, Hsieh and Chang: the information loss of DBA-1, DBA-2 and MDAV-2.

The paper could not be read. The numbers are recollected, not copied from print: that 35 of 36 are
given to four decimals by one reading confirms the numbers and the reading together. Their EIA has
eleven attributes.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "LWHC10"
REFERENCE = (
    "J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang, Density-based microaggregation for "
    "statistical disclosure control, Expert Systems with Applications 37 (2010) 3256-3263 "
    "(numbers recollected)"
)

RECOLLECTED = {
    ("Tarragona", "DBA-1"): "20.6995 23.8276 26.0013 35.3930",
    ("Census", "DBA-1"): "6.1449 9.1279 10.8422 15.7855",
    ("EIA", "DBA-1"): "1.0902 0.8435 1.8955 4.2658",
    ("Tarragona", "DBA-2"): "16.1527 22.6711 25.4504 34.8068",
    ("Census", "DBA-2"): "5.5816 7.5913 9.0462 13.5214",
    ("EIA", "DBA-2"): "0.4210 0.5598 0.8185 2.0810",
    ("Tarragona", "MDAV-2"): "16.3826 19.0131 22.0797 33.1793",
    ("Census", "MDAV-2"): "5.6560 7.4096 9.0124 13.9441",
    ("EIA", "MDAV-2"): "0.4111 0.5874 0.9463 3.1609",
}
"""The information loss in percent for k = 3, 4, 5, 10."""

NOT_REACHED = ("Tarragona", "MDAV-2", 3)
REASON = "recollected; one digit differs, a slip of memory or of print"


def _claim(dataset: str, algorithm: str, k: int, recollected: str) -> Claim:
    missed = (dataset, algorithm, k) == NOT_REACHED
    return Claim(
        KEY,
        f"recollected: {dataset}, k={k}, {algorithm}",
        recollected,
        Recipe(dataset.lower(), algorithm.lower(), k),
        measure="IL",
        reason=REASON if missed else "",
        reached=not missed,
    )


CLAIMS = tuple(
    _claim(dataset, algorithm, k, recollected)
    for (dataset, algorithm), row in RECOLLECTED.items()
    for k, recollected in zip(KS, row.split(), strict=True)
)
