"""The claims of Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz and Sebe about MDAV-MHM.

The paper could not be read. The numbers are recollected, not copied from print. How the groups of
MDAV are chained to a path is not known, and no chaining that was tried gives all six (decision 36).
That of `mhm` gives a smaller loss each time.
"""

from __future__ import annotations

from refagg.literature.claims import Claim, Recipe

KEY = "DFMMS06"
REFERENCE = (
    "J. Domingo-Ferrer, A. Martinez-Balleste, J. M. Mateo-Sanz, F. Sebe, Efficient multivariate "
    "data-oriented microaggregation, The VLDB Journal 15 (2006) 355-369 (numbers recollected)"
)

RECOLLECTED = {
    "Tarragona": {3: "16.9326", 5: "22.4617", 10: "33.1923"},
    "Census": {3: "5.6523", 5: "9.0870", 10: "14.2239"},
}
"""The information loss of MDAV-MHM in percent, by k."""

REASON = "recollected; the chaining of the groups to a path is not known"
OF_ARGUS = (
    REASON + "; the number is above that of MDAV, and is just that of mdav-argus, whose groups are "
    "not divided on several paths"
)

CLAIMS = tuple(
    Claim(
        KEY,
        f"recollected: {dataset}, k={k}, MDAV-MHM",
        recollected,
        Recipe(dataset.lower(), "mhm", k, (("path", "mdav"),)),
        measure="IL",
        reason=OF_ARGUS if (dataset, k) == ("Census", 10) else REASON,
        reached=False,
    )
    for dataset, row in RECOLLECTED.items()
    for k, recollected in row.items()
)
