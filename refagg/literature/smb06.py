"""The claims of Solanas and Martinez-Balleste about V-MDAV: Table 1, and Example 1.

Table 1 needs the test on squared distances. Gamma is 0.2 for what the paper marks S and 1.1 for
what it marks C; no printed number leaves in doubt which of the two it needs. The row that the paper
calls MDAV is not MDAV: it is V-MDAV with a gamma so small that groups take in equal records only.

Section 3 says in passing that V-MDAV with gamma = 0 is equivalent to MDAV. It is not: on all
reference data and on small tables the groups are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refagg.literature.cells import Cells, Finding, Library, Value, nothing, unknown
from refagg.literature.claims import KS, Claim, Recipe
from refagg.literature.iterations import about, counts, mean_size
from refagg.literature.verdicts import EXACT, judged, number, rounded

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

CALLED_MDAV = {
    "Census": "5.66 7.51 9.01 14.07",
    "Tarragona": "16.96 19.70 22.88 33.26",
    "EIA": "0.49 0.67 1.78 3.54",
}
"""The same of what the paper calls MDAV."""

SYNTHETIC = {
    ("Synthetic 1", "MDAV"): "7.64 8.84 12.20 30.21",
    ("Synthetic 1", "V-MDAV"): "0.94 5.64 11.83 30.03",
    ("Synthetic 2", "MDAV"): "9.54 13.35 17.34 39.28",
    ("Synthetic 2", "V-MDAV"): "1.63 8.21 16.49 38.91",
    ("Synthetic 3", "MDAV"): "5.95 7.66 9.03 22.36",
    ("Synthetic 3", "V-MDAV"): "2.17 1.85 5.21 21.41",
}
"""The same on data sets that were made for the paper."""

TINY = "0.000001"
"""A gamma near 0: a record joins a group if it equals a member and has no other equal."""


def _v_mdav(dataset: str, k: int, gamma: str, standardise: str = "population") -> Recipe:
    parameters = (("gamma", gamma), ("test", "squared"), ("cap", "none"))
    return Recipe(dataset, "v-mdav", k, parameters, standardise)


NOT_REACHED: dict[tuple[str, int], str] = {}
"""Cells of the rows called MDAV that are not reproduced, and why."""

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
    *(
        Claim(
            KEY,
            f"Table 1, {dataset}, k={k}, MDAV",
            printed,
            _v_mdav(dataset.lower(), k, TINY),
            measure="IL",
            reason=NOT_REACHED.get((dataset, k), ""),
            reached=(dataset, k) not in NOT_REACHED,
        )
        for dataset, row in CALLED_MDAV.items()
        for k, printed in zip(KS, row.split(), strict=True)
    ),
)


# Statements


def _printed(table: dict[str, str]) -> dict[tuple[str, int], Fraction]:
    return {
        (name, k): number(cell)
        for name, row in table.items()
        for k, cell in zip(KS, row.split(), strict=True)
    }


STATEMENTS = {
    "Section 3, V-MDAV and MDAV": "V-MDAV loses more only on Census and EIA, k = 3 and 4",
    "Section 3, by how much": "by at most 0.08",
    "Section 3, Synthetic 2, k=3": "almost 8 less",
    "Section 3, Synthetic 1, k=3": "almost 7 less",
}


def _statements(_: Library) -> dict[str, Value]:
    names = {name for name, _ in SYNTHETIC}
    mdav = _printed(CALLED_MDAV | {name: SYNTHETIC[name, "MDAV"] for name in names})
    v_mdav = _printed(
        {name: row for name, (row, _) in TABLE_1.items()}
        | {name: SYNTHETIC[name, "V-MDAV"] for name in names}
    )
    more = {cell: v_mdav[cell] - mdav[cell] for cell in mdav if v_mdav[cell] > mdav[cell]}
    stated = {(name, k) for name in ("Census", "EIA") for k in (3, 4)}
    gains = [mdav[name, 3] - v_mdav[name, 3] for name in ("Synthetic 2", "Synthetic 1")]
    found = (
        Finding(set(more) == stated, ", ".join(f"{name} k={k}" for name, k in more)),
        Finding(max(more.values()) <= number("0.08"), f"{float(max(more.values())):.2f}"),
        *(
            Finding(most - 0.5 < gain < most, f"{float(gain):.2f}")
            for most, gain in zip((8, 7), gains, strict=True)
        ),
    )
    return dict(zip(STATEMENTS, found, strict=True))


MDAV = {
    (dataset, k): Recipe(dataset.lower(), "mdav-2k", k)
    for dataset in ("Census", "Tarragona")
    for k in KS
}


def _is_it_mdav(library: Library) -> dict[str, Value]:
    printed = _printed(CALLED_MDAV)
    same = [
        printed[cell] in map(Fraction, rounded(library.loss(recipe), 2))
        for cell, recipe in MDAV.items()
    ]
    return {
        "": Finding(
            all(same),
            f"in {sum(same)} of {len(same)} cells of Census and Tarragona",
            "it is V-MDAV with a gamma near 0",
        )
    }


EXAMPLE_1 = (
    Recipe("smb06-example1", "mdav-2k", 3, standardise="none"),
    _v_mdav("smb06-example1", 3, "0.2", standardise="none"),
)


def _example_1(library: Library) -> dict[str, Value]:
    mdav, v_mdav = map(library.sse, EXAMPLE_1)
    return {
        "": Finding(mdav > 2 * v_mdav, f"SSE {float(mdav):.4f}, that of V-MDAV {float(v_mdav):.4f}")
    }


# Table 1, left: which data sets are scattered (S) or clustered (C) for which k


CLASSES = {
    "Census": "S S S S",
    "Tarragona": "S S S S",
    "EIA": "S S C C",
    "Synthetic 1": "C S S S",
    "Synthetic 2": "C S S S",
    "Synthetic 3": "S C C S",
}

GAMMAS = {"0.2": "S", "1.1": "C"}
"""What the source takes for each class."""

V_MDAV = {
    (name, k): _v_mdav(name.lower(), k, gamma)
    for name, (_, gammas) in TABLE_1.items()
    for k, gamma in zip(KS, gammas.split(), strict=True)
}


def _classes(library: Library) -> dict[str, Value]:
    """The class whose gamma gives the printed loss of V-MDAV; the other does not (decision 5)."""
    found: dict[str, Value] = {}
    for (name, k), recipe in V_MDAV.items():
        printed = TABLE_1[name][0].split()[KS.index(k)]
        same = judged(library.loss(recipe), printed).verdict == EXACT
        gamma = dict(recipe.parameters)["gamma"]
        found[f"{name}, k={k}, class"] = GAMMAS[gamma] if same else "none"
    return found


def _class_cells(names: Sequence[str]) -> dict[str, str]:
    return {
        f"{name}, k={k}, class": letter
        for name in names
        for k, letter in zip(KS, CLASSES[name].split(), strict=True)
    }


def _iterations(library: Library) -> dict[str, Value]:
    runs = counts(library, V_MDAV.values(), others=0)
    return {"iterations": about(runs), "records": mean_size(runs)}


NOT_PRINTED = unknown("the records are not printed, nor how many there are")

TABLES = (
    *map(_gamma_0, GAMMA_0),
    Cells(
        KEY,
        "Table 1",
        _class_cells(list(TABLE_1)),
        "; ".join(recipe.text for recipe in V_MDAV.values())
        + ": the gamma that gives what is printed, 0.2 for S and 1.1 for C",
        _classes,
        recipes=tuple(V_MDAV.values()),
    ),
    Cells(
        KEY,
        "Table 1",
        _class_cells([name for name in CLASSES if name not in TABLE_1]),
        "none",
        nothing,
        doubt=NOT_PRINTED,
    ),
    Cells(
        KEY,
        "Section 4, main loop",
        {"iterations": "about 2n / (3k-1)", "records": "on average (3k-1) / 2 in an iteration"},
        "; ".join(recipe.text for recipe in V_MDAV.values()),
        _iterations,
        recipes=tuple(V_MDAV.values()),
    ),
    Cells(
        KEY,
        "Table 1",
        {
            f"{name}, k={k}, {row}": printed
            for (name, row), cells in SYNTHETIC.items()
            for k, printed in zip(KS, cells.split(), strict=True)
        },
        "none",
        nothing,
        doubt=NOT_PRINTED,
    ),
    Cells(KEY, "", STATEMENTS, "the printed table", _statements),
    Cells(
        KEY,
        "Table 1, rows called MDAV",
        {"": "they are MDAV"},
        "; ".join(recipe.text for recipe in MDAV.values()),
        _is_it_mdav,
        recipes=tuple(MDAV.values()),
    ),
    Cells(
        KEY,
        "Example 1, k=3",
        {"": "MDAV can be far from the least loss"},
        "; ".join(recipe.text for recipe in EXAMPLE_1),
        _example_1,
        recipes=EXAMPLE_1,
    ),
)
