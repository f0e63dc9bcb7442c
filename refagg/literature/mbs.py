"""The claims of Martinez-Balleste et al. about a genetic algorithm in macrogroups: Table 2, k = 3.

The source's runs are random and cannot be repeated, and it prints one of each; the two synthetic
sets are not printed. Here are the loss of MDAV, the numbers of macrogroups, which do not depend on
what is drawn, and the percentages, from the losses. The losses of random runs, and those on
"Scattered", which can be drawn again, are in `mbs_runs`.
"""

from __future__ import annotations

from fractions import Fraction

from refagg.data import datasets
from refagg.literature.cells import Cells, Doubt, Finding, Library, Value, nothing, unknown
from refagg.literature.claims import Claim, Recipe
from refagg.literature.verdicts import DIFFERS, number

KEY = "MBS+"
REFERENCE = (
    "A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, A genetic approach "
    "to multivariate microaggregation for database privacy"
)

K = 3
ONE, TWO = "one-step", "two-step"

TABLE_2 = {
    ("Scattered", 12): "4.71 83 5.11 -8% 83 4.28 9%",
    ("Scattered", 18): "4.71 55 4.91 -4% 56 4.33 8%",
    ("Scattered", 27): "4.71 37 4.71 0% 38 4.58 3%",
    ("Clustered", 12): "3.57 83 2.26 37% 84 2.84 20%",
    ("Clustered", 18): "3.57 55 1.83 49% 56 2.14 40%",
    ("Clustered", 27): "3.57 37 1.18 67% 41 2.09 41%",
    ("Census", 12): "799 90 865.04 -8% 91 768 4%",
    ("Census", 18): "799 60 879.94 -10% 61 767 4%",
    ("Census", 27): "799 40 919.88 -15% 41 789 1%",
    ("EIA", 12): "217 341 414.56 -91% 342 189 13%",
    ("EIA", 18): "217 227 295.78 -36% 228 186 14%",
    ("EIA", 27): "217 151 333.26 -54% 152 197 9%",
}
"""By data set and K: the SSE of MDAV; macrogroups, SSE and improvement in one step and in two."""

RECORDS = {"Scattered": 1000, "Clustered": 1000}
"""Of the synthetic sets."""

REAL = {"Census": "census", "EIA": "eia"}

MDAV = "SSE of MDAV"
"""The name of its column."""

NOT_PRINTED = unknown("the records are not printed, nor by how much clusters are shifted")

ONE_MORE = "as if a last macrogroup were counted in any case"
LEFT_OVER = (
    "left over of the {1} groups: {0}, which join macrogroups, as records do in MDAV; "
    f"the printed count has one more, {ONE_MORE}"
)
NONE_LEFT_OVER = (
    "the {} groups are a multiple of {}, and none is left over; the printed count has {}"
)


def cells_of(dataset: str, of: int) -> dict[str, str]:
    """The seven cells of a row."""
    columns = (MDAV, *(f"{m}, {w}" for m in (ONE, TWO) for w in ("groups", "SSE", "gain")))
    return dict(zip(columns, TABLE_2[dataset, of].split(), strict=True))


def _chosen(column: str, names: tuple[str, ...]) -> dict[str, str]:
    """The cells of the columns whose names end so."""
    return {
        f"{dataset}, K={of}, {name}": cell
        for dataset, of in TABLE_2
        if dataset in names
        for name, cell in cells_of(dataset, of).items()
        if name.endswith(column)
    }


def records_of(dataset: str) -> int:
    return RECORDS.get(dataset) or datasets.dataset(REAL[dataset]).records or 0


def _macrogroups(_: Library) -> dict[str, Value]:
    """n / K and (n / k) / (K / k), rounded down."""
    found: dict[str, Value] = {}
    for dataset, of in TABLE_2:
        n = records_of(dataset)
        found[f"{dataset}, K={of}, {ONE}, groups"] = Fraction(n // of)
        found[f"{dataset}, K={of}, {TWO}, groups"] = Fraction(n // K // (of // K))
    return found


def _doubts() -> dict[str, Doubt]:
    """Why a printed number of macrogroups is greater: what is left over of n // k groups."""
    found = {}
    for (dataset, of), cells in TABLE_2.items():
        groups, per = records_of(dataset) // K, of // K
        more = int(cells.split()[4]) - groups // per
        if groups % per:
            reason = LEFT_OVER.format(groups % per, groups)
        elif more == 1:
            reason = NONE_LEFT_OVER.format(groups, per, f"one more, {ONE_MORE}")
        else:
            reason = NONE_LEFT_OVER.format(groups, per, f"{more} more, for no known reason")
        found[f"{dataset}, K={of}, {TWO}, groups"] = Doubt(DIFFERS, reason)
    return found


def _gains(_: Library) -> dict[str, Value]:
    """By how much percent the printed SSE is below that of MDAV."""
    found: dict[str, Value] = {}
    for dataset, of in TABLE_2:
        cells = cells_of(dataset, of)
        mdav = number(cells[MDAV])
        for method in (ONE, TWO):
            share = number(cells[f"{method}, SSE"]) / mdav
            found[f"{dataset}, K={of}, {method}, gain"] = 100 * (1 - share)
    return found


STATEMENTS = {
    "Section 4, one step": "loses more than MDAV but for Clustered, and Scattered with K = 27",
    "Section 4, two steps": "loses less than MDAV in all 12 rows",
    "Section 4, gain in two steps": "1 to 41 percent",
    "Section 5, gain": "as much as 41 percent",
}


def _statements(_: Library) -> dict[str, Value]:
    more, less, gains = [], [], []
    for dataset, of in TABLE_2:
        cells = {name: number(cell) for name, cell in cells_of(dataset, of).items()}
        if cells[f"{ONE}, SSE"] > cells[MDAV]:
            more.append((dataset, of))
        less.append(cells[f"{TWO}, SSE"] < cells[MDAV])
        gains.append(cells[f"{TWO}, gain"])
    but = {row for row in TABLE_2 if row[0] == "Clustered"} | {("Scattered", 27)}
    found = (
        Finding(set(more) == set(TABLE_2) - but, f"more in {len(more)} of {len(TABLE_2)} rows"),
        Finding(all(less), f"{sum(less)} of {len(less)}"),
        Finding(min(gains) == 1 and max(gains) == 41, f"{min(gains)} to {max(gains)} percent"),
        Finding(max(gains) == 41, f"{max(gains)} percent", "in two steps; 67 in one, on Clustered"),
    )
    return dict(zip(STATEMENTS, found, strict=True))


FIGURE_1 = "{1,2,3} {4,5,6,7,8} {9,10,11}"
OPTIMUM_1 = "{7,8,9,10,11} {4,5,6} {1,2,3}"

ELEVEN = Recipe("eleven-firms", "mdav-2k", K)
"""Any eleven records have groups of these sizes."""


def _sizes_of_eleven(library: Library) -> dict[str, Value]:
    return {"sizes": _sizes_text(library, ELEVEN)}


def _sizes_text(library: Library, recipe: Recipe) -> str:
    return " ".join(map(str, sorted(len(group) for group in library.partition(recipe).groups)))


SHAPES = {
    "Scattered": (1000, 2),
    "Clustered": (1000, 2),
    "Census": (1080, 13),
    "EIA": (4092, 11),
}
"""Records and attributes."""


def _shapes(_: Library) -> dict[str, Value]:
    """Of the data sets as they are known here."""
    found: dict[str, Value] = {}
    for name in SHAPES:
        known = datasets.dataset(REAL.get(name, f"synthetic-{name.lower()}"))
        found[f"{name}, records"] = Fraction(known.records or 0)
        found[f"{name}, attributes"] = Fraction(len(known.attributes or ()))
    return found


LEFTOVERS = (
    Recipe("ala18-toy", "mdav-2k", 4, (("leftovers", "nearest-centroid"),)),
    Recipe("ala18-toy", "mdav-2k", 4, (("leftovers", "block"),)),
)
"""Of 19 records with k = 4 three are left over; they join the closest groups, or group."""

OF_SIZES = {
    "k": "all groups but perhaps the last have k records",
    "2k-1": "all groups have k to 2k-1 records",
}


def _of_sizes(library: Library) -> dict[str, Value]:
    """If two groups have more than k records, one of them is not the last."""
    k = LEFTOVERS[0].k
    sizes = [_sizes_text(library, recipe) for recipe in LEFTOVERS]
    large = [sum(int(size) > k for size in text.split()) for text in sizes]
    within = all(k <= int(size) < 2 * k for text in sizes for size in text.split())
    return {
        "k": Finding(max(large) <= 1, f"sizes {sizes[0]}", "19 records, k = 4, three left over"),
        "2k-1": Finding(within, f"sizes {' or '.join(sizes)}", "at most k - 1 are left over"),
    }


LOOP = "groups are formed while fewer than 2k - 1 records remain"


def _loop(_: Library) -> dict[str, Value]:
    records = sorted({n for n, _ in SHAPES.values()})
    found = f"of {', '.join(map(str, records))} records none would be formed"
    holds = any(n < 2 * K - 1 for n in records)
    return {"": Finding(holds, found, "a misprint: at least 2k is meant")}


CLAIMS = tuple(
    Claim(
        KEY,
        f"Table 2, {dataset}, k=3, MDAV",
        printed,
        Recipe(dataset.lower(), "mdav-2k", K, (("leftovers", "block"),)),
    )
    for dataset, printed in (("Census", "799"), ("EIA", "217"))
)

SYNTHETIC = tuple(RECORDS)
CLUSTERED = ("Clustered",)

TABLES = (
    Cells(
        KEY,
        "Table 2",
        _chosen("groups", (*SYNTHETIC, *REAL)),
        "groups of K of n records; groups of K/k of n // k groups",
        _macrogroups,
        doubts=_doubts(),
    ),
    Cells(KEY, "Table 2", _chosen("gain", (*SYNTHETIC, *REAL)), "of the printed SSE", _gains),
    Cells(KEY, "Table 2", _chosen("SSE", CLUSTERED), "none", nothing, doubt=NOT_PRINTED),
    Cells(KEY, "Table 2", _chosen(MDAV, CLUSTERED), "none", nothing, doubt=NOT_PRINTED),
    Cells(KEY, "", STATEMENTS, "the printed table", _statements),
    Cells(
        KEY,
        "Section 4",
        {
            f"{name}, {what}": str(count)
            for name, counts in SHAPES.items()
            for what, count in zip(("records", "attributes"), counts, strict=True)
        },
        "the data sets",
        _shapes,
    ),
    Cells(
        KEY,
        "Section 2.1, sizes of groups",
        OF_SIZES,
        "; ".join(recipe.text for recipe in LEFTOVERS),
        _of_sizes,
        recipes=LEFTOVERS,
    ),
    Cells(KEY, "Algorithm 1, line 4", {"": LOOP}, "the numbers of records", _loop),
    Cells(
        KEY,
        "Figure 1",
        {"MDAV, groups": FIGURE_1, "optimum, groups": OPTIMUM_1},
        "none",
        nothing,
        doubt=unknown("the eleven records are drawn, not printed"),
    ),
    Cells(
        KEY,
        "Figure 1, MDAV",
        {"sizes": " ".join(sorted(str(g.count(",") + 1) for g in FIGURE_1.split()))},
        ELEVEN.text,
        _sizes_of_eleven,
        recipes=(ELEVEN,),
    ),
    Cells(
        KEY,
        "Section 4, a macrogroup of 27",
        {"seconds": "2"},
        "none",
        nothing,
        doubt=unknown("the time of the source's machine and program"),
    ),
)
