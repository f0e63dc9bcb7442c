"""The claims of a study of clustering about random methods, Census: Cuadros 1 and 2, section 4.2.

Each column of the Cuadros has ten runs, their mean and their standard deviation (divisor 9). In
Cuadro 1 distances are between z-scores, but the printed information loss is that of the values as
they are; in Cuadro 2 both are of the values. Section 4.2 prints the sizes and the centres of three
clusters of the values. What else sections 3 and 4 list is in `uoc16_listings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from statistics import stdev

from refagg.literature.cells import Cells, Doubt, Finding, Library, Value, grid
from refagg.literature.claims import KS, Claim, Recipe
from refagg.literature.verdicts import DIFFERS, number
from refagg.release.measures import information_loss, sse, sst

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
    "Lloyd's, which ends at a greater loss. A prototype of Hartigan and Wong's method, which no "
    "algorithm here has, gave the means 0.824 1.168 1.518 2.895 with three seeds: all within three "
    "standard errors of the printed ones"
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
    for label, size in enumerate(wanted, 1):
        [group] = [group for group in partition.groups if len(group) == size]
        found[f"cluster {label}, size"] = Fraction(len(group))
        for column in table.columns:
            found[f"cluster {label}, {column.name}"] = Fraction(sum(column.values(group)), size)
    return found


# Statements


def _means_of(table: dict[int, str]) -> dict[int, Fraction]:
    """The printed means, by k."""
    return {k: number(row.split()[0]) for k, row in table.items()}


def _grows(table: dict[int, str]) -> Finding:
    means = list(_means_of(table).values())
    runs = [list(map(number, row)) for row in _runs_of(table).values()]
    apart = all(max(less) < min(more) for less, more in pairwise(runs))
    return Finding(
        all(less < more for less, more in pairwise(means)),
        "the printed means: " + " ".join(f"{float(mean):.2f}" for mean in means),
        "" if apart else "single runs for one k can lose more than others for the next",
    )


GROWTH = {
    "Section 5.1, Cuadro 1": "the loss grows with k",
    "Section 5.2, Cuadro 2": "the loss grows with k",
}


def _growth(_: Library) -> dict[str, Value]:
    return dict(zip(GROWTH, map(_grows, (TABLE_1, TABLE_2)), strict=True))


MDAV = {k: Recipe("census", "mdav-2k", k) for k in KS}
RAW_MDAV = {k: replace(recipe, standardise="none") for k, recipe in MDAV.items()}

COMPARED = {
    "random seed, as printed": "two to three times worse than the methods in use",
    "random seed, measured alike": "two to three times worse than the methods in use",
    "k-means, as printed": "loses less than the methods of the literature",
    "k-means, measured alike": "loses less than the methods of the literature",
}


def _compared(library: Library) -> dict[str, Value]:
    """The printed means over the losses of MDAV, printed on z-scores or measured alike."""
    printed = [library.loss(recipe) for recipe in MDAV.values()]
    alike = [_raw_loss(library, recipe) for recipe in MDAV.values()]
    raw = [library.loss(recipe) for recipe in RAW_MDAV.values()]
    seed, means = _means_of(TABLE_1).values(), _means_of(TABLE_2).values()
    found = (
        (seed, printed, _is_two_to_three, "z-scores; the literature prints MDAV's loss of these"),
        (seed, alike, _is_two_to_three, "distances between z-scores, the loss is of the values"),
        (means, printed, _is_less, "k-means groups and loss of the values, MDAV's of z-scores"),
        (means, raw, _is_less, "all on the values; but k-means has groups of fewer than k"),
    )
    return {
        place: _over(ours, theirs, holds, note)
        for place, (ours, theirs, holds, note) in zip(COMPARED, found, strict=True)
    }


def _over(
    ours: Iterable[Fraction],
    theirs: Iterable[Fraction],
    holds: Callable[[Fraction], bool],
    note: str,
) -> Finding:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    shown = " ".join(f"{float(ratio):.2f}" for ratio in ratios)
    return Finding(all(map(holds, ratios)), f"{shown} times the loss of MDAV", note)


def _is_two_to_three(ratio: Fraction) -> bool:
    return 2 <= ratio <= 3


def _is_less(ratio: Fraction) -> bool:
    return ratio < 1


def _raw_loss(library: Library, recipe: Recipe) -> Fraction:
    """The loss of the values as they are, of groups formed on another scale."""
    on = library.scale(replace(recipe, standardise="none"))
    return information_loss(sse(on, library.partition(recipe)), sst(on))


SINGLE = {k: replace(K_MEANS, k=k, seeds=0, seed=1) for k in KS}
REPAIRED = {k: replace(recipe, parameters=()) for k, recipe in SINGLE.items()}

SIZES_OF_CLUSTERS = {
    "sizes": "not all clusters have k records or more",
    "single records": "many clusters have one record",
    "reason": "k-means loses less because clusters have fewer than k records",
}


def _sizes_of_clusters(library: Library) -> dict[str, Value]:
    sizes = {k: [len(g) for g in library.partition(SINGLE[k]).groups] for k in KS}
    few = {k: sum(size < k for size in row) for k, row in sizes.items()}
    ones = {k: row.count(1) for k, row in sizes.items()}
    more = [library.loss(REPAIRED[k]) > library.loss(RAW_MDAV[k]) for k in KS]
    losses = " ".join(f"{float(library.loss(recipe)):.2f}" for recipe in REPAIRED.values())
    mdav = " ".join(f"{float(library.loss(recipe)):.2f}" for recipe in RAW_MDAV.values())
    found = (
        Finding(all(few.values()), "fewer than k: " + _shares(few, sizes)),
        Finding(ones[3] >= len(sizes[3]) / 10, "one record: " + _shares(ones, sizes), MANY),
        Finding(all(more), f"with sizes of k to 2k-1 {losses}, MDAV {mdav}", "values as they are"),
    )
    return dict(zip(SIZES_OF_CLUSTERS, found, strict=True))


MANY = "many at k = 3, few at k = 10"


def _shares(counts: dict[int, int], sizes: dict[int, list[int]]) -> str:
    return ", ".join(f"{count} of {len(sizes[k])} at k={k}" for k, count in counts.items())


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
    Cells(KEY, "", GROWTH, "the printed table", _growth),
    Cells(
        KEY,
        "Section 5.3",
        COMPARED,
        "; ".join(recipe.text for recipe in (*MDAV.values(), *RAW_MDAV.values())),
        _compared,
        recipes=(*MDAV.values(), *RAW_MDAV.values()),
    ),
    Cells(
        KEY,
        "Section 5.3, k-means",
        SIZES_OF_CLUSTERS,
        "; ".join(recipe.text for recipe in (*SINGLE.values(), *REPAIRED.values())),
        _sizes_of_clusters,
        recipes=(*SINGLE.values(), *REPAIRED.values(), *RAW_MDAV.values()),
    ),
)
