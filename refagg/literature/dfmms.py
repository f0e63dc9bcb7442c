"""The claims of Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz and Sebe about MDAV-MHM.

How the groups of MDAV are chained to a path is not known, and no chaining that was tried gives
all six numbers. That of `mhm` gives a smaller loss each time.
"""

from __future__ import annotations

from refagg.literature.claims import Claim, Recipe

KEY = "DFMMS06"
REFERENCE = (
    "J. Domingo-Ferrer, A. Martinez-Balleste, J. M. Mateo-Sanz, F. Sebe, Efficient multivariate "
    "data-oriented microaggregation, The VLDB Journal 15 (2006) 355-369"
)

MDAV_MHM = {
    "Tarragona": {3: "16.9326", 5: "22.4617", 10: "33.1923"},
    "Census": {3: "5.6523", 5: "9.0870", 10: "14.2239"},
}
"""The information loss of MDAV-MHM in percent, by k."""

REASON = "the chaining of the groups to a path is not known"
WORSE_THAN_MDAV = REASON + "; the number is above that of MDAV, so the groups are not kept together"

CLAIMS = tuple(
    Claim(
        KEY,
        f"{dataset}, k={k}, MDAV-MHM",
        printed,
        Recipe(dataset.lower(), "mhm", k, (("path", "mdav"),)),
        measure="IL",
        reason=WORSE_THAN_MDAV if (dataset, k) == ("Census", 10) else REASON,
        reached=False,
    )
    for dataset, row in MDAV_MHM.items()
    for k, printed in row.items()
)
