"""The claims of Rawat and Borah: Table 1, the loss of four algorithms on three data sets, as SSE
and in percent, and what the text says of it.

The printed digits need z-scores that were rounded to 6 significant digits, MDAV with its
leftovers added as a block, and IV-MDAV without its cap. For V-MDAV the agreeing cells need plain
distances; gamma is 0.2 on Tarragona and Census and 1.1 on EIA, as the source says.
"""

from __future__ import annotations

from fractions import Fraction

from refagg.literature.claims import Recipe
from refagg.literature.verdicts import EXACT, judged, printed_number
from tests.literature.statements.iterations import at_most, counts, mean_size
from tests.literature.statements.looked_up import (
    KS,
    Finding,
    Library,
    Value,
    by_k,
)

COLUMNS = ("MDAV", "MDAV-single", "VMDAV", "IVMDAV")
TABLE_1 = {
    (dataset, column): " ".join(by_k("RB", f"Table 1, {dataset}, k={{}}, {column}"))
    for dataset in ("Tarragona", "Census", "EIA")
    for column in COLUMNS
}
LOSSES = {
    (dataset, column): " ".join(by_k("RB", f"Table 1, {dataset}, k={{}}, {column}, IL"))
    for dataset, column in TABLE_1
}

SST = {"Tarragona": 834 * 13, "Census": 1080 * 13, "EIA": 4092 * 11}
"""Of z-scores: records times attributes."""

ALGORITHMS = {"IVMDAV": ("iv-mdav", (("gamma", "1.16"), ("cap", "none")))}


def _recipe(dataset: str, column: str, k: int) -> Recipe:
    algorithm, parameters = ALGORITHMS[column]
    return Recipe(dataset.lower(), algorithm, k, parameters, significant_digits=6)


# Statements


def _row(dataset: str, column: str) -> list[Fraction]:
    return list(map(printed_number, TABLE_1[dataset, column].split()))


def _better(than: str, datasets: tuple[str, ...]) -> Finding:
    """In how many of the printed cells does IVMDAV lose less?"""
    less = [
        (dataset, k, ours < other)
        for dataset in datasets
        for k, ours, other in zip(KS, _row(dataset, "IVMDAV"), _row(dataset, than), strict=True)
    ]
    others = ", ".join(f"{dataset} k={k}" for dataset, k, better in less if not better)
    return Finding(
        not others,
        f"in {sum(better for *_, better in less)} of {len(less)} cells",
        f"not at {others}" if others else "",
    )


def _best(dataset: str) -> Finding:
    columns = [_row(dataset, column) for of, column in TABLE_1 if of == dataset]
    own = _row(dataset, "IVMDAV")
    best = [ours == min(cells) for ours, *cells in zip(own, *columns, strict=True)]
    return Finding(all(best), f"at {sum(best)} of {len(best)} values of k")


def _gains() -> Finding:
    """By how many percent does IVMDAV lose less than MDAV-single?"""
    eia, tarragona = (
        [100 * (1 - x / y) for x, y in zip(_row(d, "IVMDAV"), _row(d, "MDAV-single"), strict=True)]
        for d in ("EIA", "Tarragona")
    )
    more = [a > b for a, b in zip(eia, tarragona, strict=True)]
    return Finding(
        all(more),
        f"{_percents(eia)} % and {_percents(tarragona)} % less than MDAV-single",
        "on Tarragona it gains nothing, and loses more at k = 3",
    )


def _percents(shares: list[Fraction]) -> str:
    return " ".join(f"{float(share):.4f}".rstrip("0").rstrip(".") for share in shares)


def _percent() -> Finding:
    """Does the loss in percent follow from the printed SSE?"""
    cells = [
        (f"{dataset} k={k}, {column}", 100 * printed_number(lost) / SST[dataset], loss)
        for (dataset, column), row in TABLE_1.items()
        for k, lost, loss in zip(KS, row.split(), LOSSES[dataset, column].split(), strict=True)
    ]
    others = [place for place, share, loss in cells if judged(share, loss).verdict != EXACT]
    return Finding(
        not others,
        f"in {len(cells) - len(others)} of {len(cells)} cells",
        f"not at {' and '.join(others)}, which is cut off",
    )


EVERYWHERE = ("Tarragona", "Census", "EIA")
STATEMENTS = {
    "Section 4.2, IVMDAV and VMDAV": "IVMDAV loses less",
    "Section 4.2, IVMDAV and MDAV-single": "IVMDAV loses less",
    "Section 4.2, Census": "IVMDAV loses least",
    "Section 4.2, EIA": "IVMDAV loses least",
    "Section 4.2, EIA and Tarragona": "IVMDAV gains more on EIA, and little on Tarragona",
    "Table 1, IL": "100 SSE / SST, of the printed SSE and z-scores",
}


def _statements(_: Library) -> dict[str, Value]:
    found = (
        _better("VMDAV", EVERYWHERE),
        _better("MDAV-single", EVERYWHERE),
        _best("Census"),
        _best("EIA"),
        _gains(),
        _percent(),
    )
    return dict(zip(STATEMENTS, found, strict=True))


EIA_RECIPES = tuple(_recipe("EIA", "IVMDAV", k) for k in KS)


def _sizes(library: Library) -> dict[str, Value]:
    """Of how many groups is the size 2k?"""
    over = [
        sum(len(group) >= 2 * recipe.k for group in library.partition(recipe).groups)
        for recipe in EIA_RECIPES
    ]
    return {
        "": Finding(
            not any(over),
            f"{', '.join(map(str, over))} groups are larger",
            "in the partitions that give the printed numbers, for k = 3, 4, 5, 10",
        )
    }


IV_MDAV = tuple(_recipe(dataset, "IVMDAV", k) for dataset in EVERYWHERE for k in KS)


def _iterations(library: Library) -> dict[str, Value]:
    runs = counts(library, IV_MDAV, others=2)  # the last records are a group or two
    return {"iterations": at_most(runs), "records": mean_size(runs)}


COMPUTED = {
    "": _statements,
    "Section 4, EIA, IVMDAV": _sizes,
    "Section 4.1, IVMDAV": _iterations,
}
