"""Numbers that are in no source: those of other programs, from which a reading was confirmed.

Releases of sdcMicro 5.8.1, which has the code of mu-Argus too, and prototypes of MDAV-1 and of
PPPCA. What sdcMicro groups as it is, is measured on z-scores.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "PROGRAMS"
REFERENCE = (
    "no source: releases of sdcMicro 5.8.1 (github.com/sdcTools/sdcMicro) and of a prototype, "
    "measured"
)

PROTOTYPE = {
    ("Tarragona", "MDAV-1"): "16.932588 19.545786 22.461282 33.192358",
    ("Census", "MDAV-1"): "5.692186 7.494700 9.088435 14.155930",
    ("EIA", "MDAV-1"): "0.482939 0.671345 1.666657 3.839664",
    ("Tarragona", "PPPCA"): "30.1701 34.7457 39.3984 46.8700",
    ("Census", "PPPCA"): "62.3305 68.3675 72.9406 81.5987",
}
"""The information loss in percent for k = 3, 4, 5, 10."""

MU_ARGUS = {
    ("Tarragona", "MDAV-argus"): "16.932588 19.545962 22.461891 33.192907",
    ("Census", "MDAV-argus"): "5.692186 7.505567 9.088435 14.223887",
    ("EIA", "MDAV-argus"): "0.482939 0.671345 1.666675 3.839670",
}
"""The same of its code in sdcMicro, `argus_microaggregation`."""

TIES = {("Tarragona", "MDAV-argus", 4): "highest"}
"""Where the code of mu-Argus takes another one of equally distant records: the first in its row."""

SDCMICRO = {
    ("Tarragona", "PPPCA"): "30.17011 46.86999",
    ("Census", "PPPCA"): "62.3305 81.59873",
    ("Tarragona", "PCA"): "23.88856 39.90755",
    ("Census", "PCA"): "26.7161 36.21642",
    ("Tarragona", "MCDPCA"): "31.80158 48.02915",
    ("Tarragona", "RMD"): "17.32414 34.85242",
}
"""The same for k = 3 and 10."""

NAMES = {"PCA": "projection"}
AS_THEY_ARE = ("PPPCA", "MCDPCA")
DRAWN = ("MCDPCA", "RMD")
REASON = "it depends on what R's packages MASS and robustbase draw with the seed 1"


def _claim(program: str, dataset: str, algorithm: str, k: int, measured: str) -> Claim:
    drawn, raw = algorithm in DRAWN, algorithm in AS_THEY_ARE
    return Claim(
        KEY,
        f"{program}: {dataset}, k={k}, {algorithm}",
        measured,
        Recipe(
            dataset.lower(),
            NAMES.get(algorithm, algorithm.lower()),
            k,
            standardise="none" if raw else "population",
            seed=1 if drawn else None,
            ties=TIES.get((dataset, algorithm, k), "lowest"),
        ),
        measure="IL of z-scores" if raw else "IL",
        reason=REASON if drawn else "",
        reached=not drawn,
    )


CLAIMS = tuple(
    _claim(program, dataset, algorithm, k, measured)
    for program, ks, losses in (
        ("prototype", KS, PROTOTYPE),
        ("mu-Argus in sdcMicro", KS, MU_ARGUS),
        ("sdcMicro", (3, 10), SDCMICRO),
    )
    for (dataset, algorithm), row in losses.items()
    for k, measured in zip(ks, row.split(), strict=True)
)
