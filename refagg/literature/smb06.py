"""The claims of Solanas and Martinez-Balleste about V-MDAV: Table 1, and Example 1.

Table 1 needs the test on squared distances. Gamma is 0.2 for what the paper marks S and 1.1 for
what it marks C; no printed number leaves in doubt which of the two it needs.

Section 3 says in passing that V-MDAV with gamma = 0 is equivalent to MDAV. It is not: on all
reference data and on small tables the groups are others.
"""

from __future__ import annotations

from refagg.literature.cells import Cells, Finding, Library, Value
from refagg.literature.claims import KS, Claim, Recipe

KEY = "SMB06"
REFERENCE = (
    "A. Solanas, A. Martinez-Balleste, V-MDAV: a multivariate microaggregation with variable "
    "group size, COMPSTAT 2006"
)

TABLE_1 = {
    "Census": ("5.69 7.52 8.98 14.07", "0.2 0.2 0.2 0.2"),
    "Tarragona": ("16.96 19.70 22.88 33.26", "0.2 0.2 0.2 0.2"),
    "EIA": ("0.53 0.75 1.30 2.82", "0.2 0.2 1.1 1.1"),
}
"""The information loss of V-MDAV in percent for k = 3, 4, 5, 10, and gamma."""


def _v_mdav(dataset: str, k: int, gamma: str, standardise: str = "population") -> Recipe:
    parameters = (("gamma", gamma), ("test", "squared"), ("cap", "none"))
    return Recipe(dataset, "v-mdav", k, parameters, standardise)


GAMMA_0 = {
    dataset: (_v_mdav(dataset, 3, "0"), Recipe(dataset, "mdav-2k", 3))
    for dataset in ("eleven-firms", "census", "tarragona")
}
"""V-MDAV with gamma = 0 and MDAV, which Section 3 says are equivalent."""

NOT_MDAV = (
    "with gamma = 0 V-MDAV forms one group at a time around the record most distant from the "
    "centroid of all records, MDAV two around the centroid of those that remain"
)


def _gamma_0(dataset: str) -> Cells:
    def compute(library: Library) -> dict[str, Value]:
        one, other = map(library.partition, GAMMA_0[dataset])
        return {"": Finding(one == other, "equal" if one == other else "other groups", NOT_MDAV)}

    return Cells(
        KEY,
        f"Section 3, {dataset}, k=3",
        {"": "gamma = 0 is MDAV"},
        "; ".join(recipe.text for recipe in GAMMA_0[dataset]),
        compute,
        recipes=GAMMA_0[dataset],
    )


CLAIMS = (
    *(
        Claim(
            KEY,
            f"Table 1, {dataset}, k={k}, V-MDAV",
            printed,
            _v_mdav(dataset.lower(), k, gamma),
            measure="IL",
        )
        for dataset, (row, gammas) in TABLE_1.items()
        for k, printed, gamma in zip(KS, row.split(), gammas.split(), strict=True)
    ),
    Claim(
        KEY,
        "Example 1, k=3, V-MDAV, groups",
        "{1,2,3,4} {5,6,7} {8,9,10} {11,12,13}",
        _v_mdav("smb06-example1", 3, "0.2", standardise="none"),
        measure="groups",
    ),
)

TABLES = tuple(map(_gamma_0, GAMMA_0))
