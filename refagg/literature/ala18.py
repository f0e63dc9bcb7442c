"""The claims of Alarte Aleixandre about MDAV: Table 5.3, and the toy table of 19 records.

The thesis divides by the sample standard deviation.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "ALA18"
REFERENCE = (
    "J. Alarte Aleixandre, Application of clustering techniques to privacy protection, "
    "master thesis, UOC 2018"
)

TABLE_5_3 = "798.44 1051.28 1274.83 1985.65"
"""The SSE of MDAV on Census for k = 3, 4, 5, 10."""

_TOY_SDCMICRO = Recipe("ala18-toy", "mdav", 4, standardise="sample")
_TOY_OWN = Recipe(
    "ala18-toy", "mdav-2k", 4, (("leftovers", "nearest-record"),), standardise="sample"
)

CLAIMS = (
    *(
        Claim(
            KEY,
            f"Table 5.3, Census, k={k}, MDAV",
            printed,
            Recipe("census", "mdav-2k", k, (("leftovers", "block"),), standardise="sample"),
        )
        for k, printed in zip(KS, TABLE_5_3.split(), strict=True)
    ),
    Claim(
        KEY,
        "Table 5.2, toy, k=4, MDAV of sdcMicro, groups",
        "{3,4,10,13} {5,6,14,19} {8,9,12,15} {1,2,7,11,16,17,18}",
        _TOY_SDCMICRO,
        measure="groups",
    ),
    Claim(KEY, "Table 5.2, toy, k=4, MDAV of sdcMicro, SSE", "8.2036", _TOY_SDCMICRO),
    Claim(
        KEY,
        "toy, k=4, MDAV of the thesis, SSE",
        "7.93",
        _TOY_OWN,
        reason="no rule for leftover records gives this SSE with the printed sizes 4, 5, 5, 5",
        reached=False,
    ),
)
