"""The claims of Martinez-Balleste et al. about MDAV: a column of Table 2, at k = 3."""

from __future__ import annotations

from refagg.literature.claims import Claim, Recipe

KEY = "MBS+"
REFERENCE = (
    "A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, A genetic approach "
    "to multivariate microaggregation for database privacy"
)

TABLE_2 = {"Census": "799", "EIA": "217"}
"""The SSE of MDAV for k = 3."""

CLAIMS = tuple(
    Claim(
        KEY,
        f"Table 2, {dataset}, k=3, MDAV",
        printed,
        Recipe(dataset.lower(), "mdav-2k", 3, (("leftovers", "block"),)),
    )
    for dataset, printed in TABLE_2.items()
)
