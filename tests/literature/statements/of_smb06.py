"""The claims of Solanas and Martinez-Balleste about V-MDAV: Table 1, and Example 1.

Table 1 needs the test on squared distances. Gamma is 0.2 for what the paper marks S and 1.1 for
what it marks C; no printed number leaves in doubt which of the two it needs. The row that the paper
calls MDAV is not MDAV: it is V-MDAV with a gamma so small that groups take in equal records only.

Section 3 says in passing that V-MDAV with gamma = 0 is equivalent to MDAV. It is not: on all
reference data and on small tables the groups are others.
"""

from __future__ import annotations

from fractions import Fraction

from refagg.literature.claims import Recipe
from refagg.literature.verdicts import EXACT, judged, printed_number, rounded
from tests.literature.statements.iterations import about, counts, mean_size
from tests.literature.statements.looked_up import (
    KS,
    Compute,
    Finding,
    Library,
    Value,
    by_k,
)

GAMMAS_OF = {
    "Census": "0.2 0.2 0.2 0.2",
    "Tarragona": "0.2 0.2 0.2 0.2",
    "EIA": "0.2 0.2 1.1 1.1",
}
"""What the source takes for k = 3, 4, 5, 10."""

V_MDAV_ROWS, MDAV_ROWS = (
    {name: by_k("SMB06", f"Table 1, {name}, k={{}}, {row}") for name in names}
    for row, names in (
        ("V-MDAV", (*GAMMAS_OF, "Synthetic 2", "Synthetic 1")),
        ("MDAV", (*GAMMAS_OF, "Synthetic 2", "Synthetic 1")),
    )
)


def _v_mdav(dataset: str, k: int, gamma: str, standardise: str = "population") -> Recipe:
    parameters = (("gamma", gamma), ("test", "squared"), ("cap", "none"))
    return Recipe(dataset, "v-mdav", k, parameters, standardise)


GAMMA_0 = {
    dataset: (_v_mdav(dataset, 3, "0"), Recipe(dataset, "mdav-2k", 3))
    for dataset in ("eleven-firms", "census", "tarragona")
}
"""V-MDAV with gamma = 0 and MDAV, which Section 3 says are equivalent."""

NOT_MDAV = (
    "with gamma = 0 V-MDAV forms one group at a time around the record most distant from the "
    "centroid of all records, MDAV two around the centroid of those that remain"
)


def _gamma_0(dataset: str) -> Compute:
    def compute(library: Library) -> dict[str, Value]:
        one, other = map(library.partition, GAMMA_0[dataset])
        return {"": Finding(one == other, "equal" if one == other else "other groups", NOT_MDAV)}

    return compute


# Statements


def _printed(table: dict[str, list[str]]) -> dict[tuple[str, int], Fraction]:
    return {
        (name, k): printed_number(cell)
        for name, row in table.items()
        for k, cell in zip(KS, row, strict=True)
    }


STATEMENTS = (
    "Section 3, V-MDAV and MDAV",
    "Section 3, by how much",
    "Section 3, Synthetic 2, k=3",
    "Section 3, Synthetic 1, k=3",
)


def _statements(_: Library) -> dict[str, Value]:
    mdav, v_mdav = _printed(MDAV_ROWS), _printed(V_MDAV_ROWS)
    more = {cell: v_mdav[cell] - mdav[cell] for cell in mdav if v_mdav[cell] > mdav[cell]}
    stated = {(name, k) for name in ("Census", "EIA") for k in (3, 4)}
    gains = [mdav[name, 3] - v_mdav[name, 3] for name in ("Synthetic 2", "Synthetic 1")]
    found = (
        Finding(set(more) == stated, ", ".join(f"{name} k={k}" for name, k in more)),
        Finding(max(more.values()) <= printed_number("0.08"), f"{float(max(more.values())):.2f}"),
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
    called = _printed(MDAV_ROWS)
    same = [
        called[cell] in map(Fraction, rounded(library.loss(recipe), 2))
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


GAMMAS = {"0.2": "S", "1.1": "C"}
"""What the source takes for each class."""

V_MDAV = {
    (name, k): _v_mdav(name.lower(), k, gamma)
    for name, gammas in GAMMAS_OF.items()
    for k, gamma in zip(KS, gammas.split(), strict=True)
}


def _classes(library: Library) -> dict[str, Value]:
    """The class whose gamma gives the printed loss of V-MDAV; the other does not (decision 5)."""
    found: dict[str, Value] = {}
    for (name, k), recipe in V_MDAV.items():
        same = judged(library.loss(recipe), V_MDAV_ROWS[name][KS.index(k)]).verdict == EXACT
        gamma = dict(recipe.parameters)["gamma"]
        found[f"{name}, k={k}, class"] = GAMMAS[gamma] if same else "none"
    return found


def _iterations(library: Library) -> dict[str, Value]:
    runs = counts(library, V_MDAV.values(), others=0)
    return {"iterations": about(runs), "records": mean_size(runs)}


COMPUTED = {
    **{f"Section 3, {dataset}, k=3": _gamma_0(dataset) for dataset in GAMMA_0},
    "Table 1": _classes,
    "Section 4, main loop": _iterations,
    "": _statements,
    "Table 1, rows called MDAV": _is_it_mdav,
    "Example 1, k=3": _example_1,
}
