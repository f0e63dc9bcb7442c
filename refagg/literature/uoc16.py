"""The claims of a study of clustering about groups around random seeds: Table 1, Census.

Distances are between z-scores, but the printed information loss is that of the values as they
are. It is not known of how many runs the printed means are, and so how much they vary.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "UOC16"
REFERENCE = (
    "Analisis de conglomerados: un caso practico aplicado a la proteccion de datos, "
    "Universitat Oberta de Catalunya, 2015-16"
)

TABLE_1 = "11.24 14.53 17.06 25.85"
"""The mean information loss in percent for k = 3, 4, 5, 10."""

SEEDS = 200

REASON = (
    "of how many runs the source's mean is, is not known; means of up to some 65 runs would all be "
    "within three standard errors of the difference"
)

CLAIMS = tuple(
    Claim(
        KEY,
        f"Table 1, Census, k={k}, random seed",
        printed,
        Recipe("census", "random-seed", k, (("size", "fixed"),), seeds=SEEDS),
        measure="raw IL",
        reason=REASON,
    )
    for k, printed in zip(KS, TABLE_1.split(), strict=True)
)
