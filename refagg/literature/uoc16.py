"""The claims of a study of clustering about random methods, Census: Cuadros 1 and 2, section 4.2.

Each column of the Cuadros has ten runs, their mean and their standard deviation (divisor 9). In
Cuadro 1 distances are between z-scores, but the printed information loss is that of the values as
they are; in Cuadro 2 both are of the values. Section 4.2 prints the sizes and the centres of three
clusters of the values.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from statistics import stdev

from refagg.literature.cells import Cells, Doubt, Library, Value, grid
from refagg.literature.claims import Claim, Recipe
from refagg.literature.verdicts import DIFFERS

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

DEVIATIONS_1 = "0.817429 1.07651 1.126958 1.044153"
DEVIATIONS_2 = "0.063650624 0.030677696 0.076694994 0.141926174"

SIZES = "422 165 493"
"""Of the three clusters of section 4.2, and their centres:"""

ATTRIBUTES = (
    *("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC"),
    *("POTHVAL", "INTVAL", "PEARNVAL", "FICA", "WSALVAL", "ERNVAL"),
)
CENTRES = (
    "106372.8 58428.82 3120.448 8054.851 46933.36 3052.175 41744.89 "
    "5515.509 1582.841 41417.85 3060.647 40770.27 39556.12",
    "382460.4 57762.58 3274.315 7758.661 47133.82 2541.455 40904.02 "
    "4991.164 1025.673 42142.66 3109.242 41995.13 40747.90",
    "210401.0 53819.05 3184.371 7036.314 43136.60 2226.371 37575.01 "
    "4917.081 1415.677 38219.52 2829.694 37628.80 36722.18",
)

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


RANDOM_SEED = Recipe("census", "random-seed", 0, (("size", "fixed"),), seeds=SEEDS)
K_MEANS = Recipe("census", "k-means", 0, (("repair", "none"),), "none", seeds=KMEANS_SEEDS)
THREE = replace(K_MEANS, k=1080 // 3, seeds=0, seed=6)
"""With n / k centres; 6 is the first seed of ours that ends at the printed sizes, others near."""

CLAIMS = (
    *_claims(TABLE_1, "Cuadro 1, random seed", RANDOM_SEED),
    *_claims(TABLE_2, "Cuadro 2, k-means", K_MEANS, LLOYD),
)


def _runs_of(table: dict[int, str]) -> dict[int, list[str]]:
    """The printed runs, by k."""
    return {k: row.split()[1:] for k, row in table.items()}


def _single_runs(table: dict[int, str], recipe: Recipe, library: Library) -> dict[str, Value]:
    return {
        f"k={k}, run {number}": library.sample(replace(recipe, k=k), "raw IL")
        for k, runs in _runs_of(table).items()
        for number in range(1, len(runs) + 1)
    }


def _deviations(table: dict[int, str], _: Library) -> dict[str, Value]:
    """Of the printed runs."""
    return {f"k={k}": Fraction(stdev(map(float, r))) for k, r in _runs_of(table).items()}


def _three_clusters(library: Library) -> dict[str, Value]:
    table, partition = library.scale(THREE).table, library.partition(THREE)
    wanted = list(map(int, SIZES.split()))
    found: dict[str, Value] = {}
    if sorted(map(len, partition.groups)) != sorted(wanted):
        return found
    for number, size in enumerate(wanted, 1):
        [group] = [group for group in partition.groups if len(group) == size]
        found[f"cluster {number}, size"] = Fraction(len(group))
        for column in table.columns:
            found[f"cluster {number}, {column.name}"] = Fraction(sum(column.values(group)), size)
    return found


def _tables(
    name: str, table: dict[int, str], deviations: str, recipe: Recipe, reason: str, margin: Fraction
) -> tuple[Cells, Cells]:
    """The single runs, and their deviations, which the rounding of the runs moves by the margin."""
    runs = {
        f"k={k}, run {i}": run for k, r in _runs_of(table).items() for i, run in enumerate(r, 1)
    }
    columns = [f"k={k}" for k in table]
    return (
        Cells(
            KEY,
            f"{name}, Census",
            runs,
            f"{recipe.dataset}, {recipe.algorithm}, a run of the source beside the mean of ours",
            partial(_single_runs, table, recipe),
            recipes=tuple(replace(recipe, k=k) for k in table),
            doubt=Doubt(DIFFERS, reason),
        ),
        Cells(
            KEY,
            f"{name}, Census, standard deviation",
            grid([""], columns, deviations),
            "the standard deviation of the ten printed runs, divisor 9",
            partial(_deviations, table),
            margin=margin,
        ),
    )


TABLES = (
    *_tables(
        "Cuadro 1, random seed",
        TABLE_1,
        DEVIATIONS_1,
        RANDOM_SEED,
        "the run is farther from the mean than three standard deviations",
        Fraction(6, 10**6),
    ),
    *_tables("Cuadro 2, k-means", TABLE_2, DEVIATIONS_2, K_MEANS, LLOYD, Fraction(6, 10**7)),
    Cells(
        KEY,
        "Section 4.2, Census, kmeans(census, 3)",
        {
            **{f"cluster {i}, size": size for i, size in enumerate(SIZES.split(), 1)},
            **grid(["cluster 1", "cluster 2", "cluster 3"], ATTRIBUTES, " ".join(CENTRES)),
        },
        THREE.text,
        _three_clusters,
        recipes=(THREE,),
    ),
)
