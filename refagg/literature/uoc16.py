"""The claims of a study of clustering about random methods: Cuadros 1 and 2, Census.

Each column has ten runs and their mean. In Cuadro 1 distances are between z-scores, but the printed
information loss is that of the values as they are; in Cuadro 2 both are of the values.
"""

from __future__ import annotations

from dataclasses import replace

from refagg.literature.claims import Claim, Recipe

KEY = "UOC16"
REFERENCE = (
    "Analisis de conglomerados: un caso practico aplicado a la proteccion de datos, "
    "Universitat Oberta de Catalunya, 2015-16"
)

TABLE_1 = {
    3: "11.24285 10.54670 10.80634 10.96795 11.62616 11.24932 "
    "12.86896 11.07508 10.07873 12.24756 10.96171",
    4: "14.53246 16.90013 13.34749 14.74327 14.93601 15.37628 "
    "13.74675 14.80755 13.84617 14.19388 13.42706",
    5: "17.06157 16.55097 16.34394 17.61700 17.46716 16.48567 "
    "18.07996 15.45247 16.90570 16.28544 19.42736",
    10: "25.84556 24.52994 24.62827 26.18878 25.58967 26.96298 "
    "26.99309 24.41784 25.65330 26.46798 27.02375",
}
"""Groups around random seeds: by k the mean information loss in percent, then its ten runs."""

TABLE_2 = {
    3: "0.84452245 0.8321792 0.9086227 0.8121587 1.000095 0.7842453 "
    "0.8289067 0.828971 0.7986362 0.8226696 0.8287398",
    4: "1.1481991 1.123968 1.139451 1.148357 1.16147 1.156666 "
    "1.127556 1.154142 1.115812 1.130614 1.223954",
    5: "1.4726656 1.45008 1.459619 1.5280210 1.48798 1.435719 "
    "1.443031 1.45151 1.41609 1.663494 1.391102",
    10: "2.9224433 2.73437 2.86669 2.956615 2.984955 2.969123 "
    "2.955235 2.819843 3.218586 2.740492 2.97852",
}
"""The same of k-means with 1080/k centres."""

SEEDS = 200

KMEANS_SEEDS = 4
"""Enough to tell the two kinds of k-means apart; each takes some seconds."""

LLOYD = (
    "the source runs kmeans of R, which also moves single records (Hartigan and Wong); ours is "
    "Lloyd's, which ends at a greater loss"
)


def _claims(
    table: dict[int, str], place: str, recipe: Recipe, reason: str = ""
) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            KEY,
            f"{place}, Census, k={k}",
            mean,
            replace(recipe, k=k),
            measure="raw IL",
            reason=reason,
            runs=tuple(runs),
        )
        for k, (mean, *runs) in ((k, row.split()) for k, row in table.items())
    )


CLAIMS = (
    *_claims(
        TABLE_1,
        "Cuadro 1, random seed",
        Recipe("census", "random-seed", 0, (("size", "fixed"),), seeds=SEEDS),
    ),
    *_claims(
        TABLE_2,
        "Cuadro 2, k-means",
        Recipe("census", "k-means", 0, (("repair", "none"),), "none", seeds=KMEANS_SEEDS),
        LLOYD,
    ),
)
