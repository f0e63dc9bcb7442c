"""The claims of Martinez-Balleste et al. about a genetic algorithm in macrogroups: Table 2, k = 3.

The source's runs are random and cannot be repeated, and it prints one of each; the two synthetic
sets are not printed. Here are the loss of MDAV, the numbers of macrogroups, which do not depend on
what is drawn, and the percentages, from the losses. The losses of random runs, and those on
"Scattered", which can be drawn again, are in `mbs_runs`.
"""

from __future__ import annotations

from fractions import Fraction

from refagg import datasets
from refagg.literature.claims import Recipe
from refagg.literature.verdicts import printed_number
from tests.literature.statements.looked_up import (
    Finding,
    Library,
    Value,
    printed,
)
from tests.literature.statements.sizes import k_to_2k_less_1

K = 3
ONE, TWO = "one-step", "two-step"

ROWS = [(name, of) for name in ("Scattered", "Clustered", "Census", "EIA") for of in (12, 18, 27)]
"""The rows of Table 2: data set and K."""

RECORDS = {"Scattered": 1000, "Clustered": 1000}
"""Of the synthetic sets."""

REAL = {"Census": "census", "EIA": "eia"}

MDAV = "SSE of MDAV"
"""The name of its column."""


def cells_of(dataset: str, of: int) -> dict[str, str]:
    """The SSE of MDAV; macrogroups, SSE and improvement in one step and in two."""
    columns = [f"{m}, {w}" for m in (ONE, TWO) for w in ("groups", "SSE", "gain")]
    row = {name: printed("MBS+", f"Table 2, {dataset}, K={of}, {name}") for name in columns}
    mdav = f"{dataset}, k=3, MDAV" if dataset in REAL else f"{dataset}, K={of}, {MDAV}"
    return {MDAV: printed("MBS+", f"Table 2, {mdav}"), **row}


def records_of(dataset: str) -> int:
    return RECORDS.get(dataset) or datasets.dataset(REAL[dataset]).records or 0


def _macrogroups(_: Library) -> dict[str, Value]:
    """n / K and (n / k) / (K / k), rounded down."""
    found: dict[str, Value] = {}
    for dataset, of in ROWS:
        n = records_of(dataset)
        found[f"{dataset}, K={of}, {ONE}, groups"] = Fraction(n // of)
        found[f"{dataset}, K={of}, {TWO}, groups"] = Fraction(n // K // (of // K))
    return found


def _gains(_: Library) -> dict[str, Value]:
    """By how much percent the printed SSE is below that of MDAV."""
    found: dict[str, Value] = {}
    for dataset, of in ROWS:
        cells = cells_of(dataset, of)
        mdav = printed_number(cells[MDAV])
        for method in (ONE, TWO):
            share = printed_number(cells[f"{method}, SSE"]) / mdav
            found[f"{dataset}, K={of}, {method}, gain"] = 100 * (1 - share)
    return found


STATEMENTS = (
    "Section 4, one step",
    "Section 4, two steps",
    "Section 4, gain in two steps",
    "Section 5, gain",
)


def _statements(_: Library) -> dict[str, Value]:
    more, less, gains = [], [], []
    for dataset, of in ROWS:
        cells = {name: printed_number(cell) for name, cell in cells_of(dataset, of).items()}
        if cells[f"{ONE}, SSE"] > cells[MDAV]:
            more.append((dataset, of))
        less.append(cells[f"{TWO}, SSE"] < cells[MDAV])
        gains.append(cells[f"{TWO}, gain"])
    but = {row for row in ROWS if row[0] == "Clustered"} | {("Scattered", 27)}
    found = (
        Finding(set(more) == set(ROWS) - but, f"more in {len(more)} of {len(ROWS)} rows"),
        Finding(all(less), f"{sum(less)} of {len(less)}"),
        Finding(min(gains) == 1 and max(gains) == 41, f"{min(gains)} to {max(gains)} percent"),
        Finding(max(gains) == 41, f"{max(gains)} percent", "in two steps; 67 in one, on Clustered"),
    )
    return dict(zip(STATEMENTS, found, strict=True))


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


def _loop(_: Library) -> dict[str, Value]:
    records = sorted({n for n, _ in SHAPES.values()})
    found = f"of {', '.join(map(str, records))} records none would be formed"
    holds = any(n < 2 * K - 1 for n in records)
    return {"": Finding(holds, found, "a misprint: at least 2k is meant")}


COMPUTED = {
    "Table 2": lambda library: {**_macrogroups(library), **_gains(library)},
    "": _statements,
    "Section 4": _shapes,
    "Section 2.1, sizes of groups": _of_sizes,
    "Algorithm 1, line 4": _loop,
    "Section 1, optimal groups": lambda _: {"": k_to_2k_less_1()},
}
