"""The claims of Alarte Aleixandre about MDAV and agglomeration: Tables 5.3 and 6.1 to 7.3, and
the toy table of 19 records.

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

AGGLOMERATIVE = (
    ("6.1", "single", "2k-1", "none", "1284.95 1919.07 2154.53 3469.41"),
    ("7.1", "single", "k", "none", "1038.30 1363.40 1664.5 2379.23"),
    ("7.2", "complete", "k", "none", "1908.67 2196.23 3852.33 4771.5"),
    ("7.2", "centroid", "k", "none", "1703.3 1679.7 1979.91 3112.41"),
    ("7.3", "single", "k", "size", "877.39 1338.52 1624.83 2802.90"),
)
"""Table, linkage, cap, priority, and the SSE on Census for k = 3, 4, 5, 10."""

DOUBTFUL = {
    ("7.2", "complete", 5): "a misprint: 2852.33 is what the procedure of the other cells gives",
    **{
        ("7.2", "centroid", k): "distances of centroids, by the procedure of the other cells, "
        "do not give it"
        for k in KS
    },
}
"""The cells that are not reproduced, by table, linkage and k."""


def _hac(linkage: str, cap: str, priority: str) -> tuple[tuple[str, str], ...]:
    """The parameters of the thesis: distances are Euclidean, and leftovers need none."""
    return (
        ("linkage", linkage),
        ("metric", "euclidean"),
        ("cap", cap),
        ("priority", priority),
        ("leftovers", "smallest-room"),
    )


def _agglomerative(
    table: str, linkage: str, cap: str, priority: str, k: int, printed: str
) -> Claim:
    doubt = DOUBTFUL.get((table, linkage, k), "")
    return Claim(
        KEY,
        f"Table {table}, Census, k={k}, {linkage} linkage",
        printed,
        Recipe("census", "hac", k, _hac(linkage, cap, priority), standardise="sample"),
        reason=doubt,
        reached=not doubt,
        misprint=doubt.startswith("a misprint"),
    )


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
    *(
        _agglomerative(table, linkage, cap, priority, k, printed)
        for table, linkage, cap, priority, cells in AGGLOMERATIVE
        for k, printed in zip(KS, cells.split(), strict=True)
    ),
    Claim(
        KEY,
        "chapter 6, toy, k=4, single linkage up to 2k-1, SSE",
        "20.556",
        Recipe("ala18-toy", "hac", 4, _hac("single", "2k-1", "none"), standardise="sample"),
    ),
)
