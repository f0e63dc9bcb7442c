"""The claims of Martinez-Balleste et al. about a genetic algorithm in macrogroups: Table 2, k = 3.

The source's runs are random and cannot be repeated, and it prints one of each; the two synthetic
sets are not printed. What can be computed are the loss of MDAV, the numbers of macrogroups, which
do not depend on what is drawn, and the percentages, from the losses. Ours for two-step and one-step
partitioning, with one seed, are the table `genetic` (`refagg.literature.genetic`).
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

NOT_PRINTED = unknown("the thousand records are not printed")
RANDOM = unknown(
    "the source's run is random, and neither its repair nor its mutation is given; "
    "`refagg reproduce genetic` has runs of ours"
)
MACROGROUPS = Doubt(
    DIFFERS, "groups that are left over join macrogroups, as records do in MDAV, and make none"
)


def cells_of(dataset: str, of: int) -> dict[str, str]:
    """The seven cells of a row."""
    columns = ("SSE of MDAV", *(f"{m}, {w}" for m in (ONE, TWO) for w in ("groups", "SSE", "gain")))
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


def _macrogroups(_: Library) -> dict[str, Value]:
    """n / K and (n / k) / (K / k), rounded down."""
    found: dict[str, Value] = {}
    for dataset, of in TABLE_2:
        n = RECORDS.get(dataset) or datasets.dataset(REAL[dataset]).records or 0
        found[f"{dataset}, K={of}, {ONE}, groups"] = Fraction(n // of)
        found[f"{dataset}, K={of}, {TWO}, groups"] = Fraction(n // K // (of // K))
    return found


def _gains(_: Library) -> dict[str, Value]:
    """By how much percent the printed SSE is below that of MDAV."""
    found: dict[str, Value] = {}
    for dataset, of in TABLE_2:
        cells = cells_of(dataset, of)
        mdav = number(cells["SSE of MDAV"])
        for method in (ONE, TWO):
            share = number(cells[f"{method}, SSE"]) / mdav
            found[f"{dataset}, K={of}, {method}, gain"] = 100 * (1 - share)
    return found


STATEMENTS = {
    "Section 4, one step": "loses more than MDAV but for Clustered, and Scattered with K = 27",
    "Section 4, two steps": "loses less than MDAV in all 12 rows",
    "Section 4, gain in two steps": "1 to 41 percent",
}


def _statements(_: Library) -> dict[str, Value]:
    more, less, gains = [], [], []
    for dataset, of in TABLE_2:
        cells = {name: number(cell) for name, cell in cells_of(dataset, of).items()}
        if cells[f"{ONE}, SSE"] > cells["SSE of MDAV"]:
            more.append((dataset, of))
        less.append(cells[f"{TWO}, SSE"] < cells["SSE of MDAV"])
        gains.append(cells[f"{TWO}, gain"])
    but = {row for row in TABLE_2 if row[0] == "Clustered"} | {("Scattered", 27)}
    found = (
        Finding(set(more) == set(TABLE_2) - but, f"more in {len(more)} of {len(TABLE_2)} rows"),
        Finding(all(less), f"{sum(less)} of {len(less)}"),
        Finding(min(gains) == 1 and max(gains) == 41, f"{min(gains)} to {max(gains)} percent"),
    )
    return dict(zip(STATEMENTS, found, strict=True))


FIGURE_1 = "{1,2,3} {4,5,6,7,8} {9,10,11}"

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

TABLES = (
    Cells(
        KEY,
        "Table 2",
        _chosen("groups", (*SYNTHETIC, *REAL)),
        "groups of K of n records; groups of K/k of n // k groups",
        _macrogroups,
        doubt=MACROGROUPS,
    ),
    Cells(KEY, "Table 2", _chosen("gain", (*SYNTHETIC, *REAL)), "of the printed SSE", _gains),
    Cells(
        KEY,
        "Table 2",
        _chosen("SSE", SYNTHETIC) | _chosen("SSE of MDAV", SYNTHETIC),
        "none",
        nothing,
        doubt=NOT_PRINTED,
    ),
    Cells(KEY, "Table 2", _chosen(", SSE", tuple(REAL)), "none", nothing, doubt=RANDOM),
    Cells(KEY, "", STATEMENTS, "the printed table", _statements),
    Cells(
        KEY,
        "Figure 1, MDAV, groups",
        {"": FIGURE_1},
        "none",
        nothing,
        doubt=unknown("the eleven records are drawn, not printed"),
    ),
)
