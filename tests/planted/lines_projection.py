"""Changed lines of projection, individual ranking and blocks in file order."""

from __future__ import annotations

from .mutant import Mutant

SORTED = "refagg.cursors.sorted"

BY_ATTRIBUTE = (("by", "attribute"), ("order", "ascending"))
BY_SUM = (("by", "sum-of-z-scores"),)


def component(mistake: str, line: str, changed: str) -> Mutant:
    """A mistake in the principal component."""
    return Mutant(mistake, "projection", line, changed, "components")


def cutting(
    mistake: str, algorithm: str, line: str, changed: str, *parameters: tuple[str, str]
) -> Mutant:
    """A mistake in the cutting of an order, which these algorithms share."""
    return Mutant(mistake, algorithm, line, changed, "order_steps", parameters)


MUTANTS: tuple[Mutant, ...] = (
    component("the direction is that of the least variance", "pairs[0][0]", "pairs[-1][0]"),
    component(
        "the direction is a row of loadings, not an eigenvector",
        "vectors[0] if",
        "[v[0] for _, v in pairs] if",
    ),
    component("the columns are not centred", "x - mean for x in scaled", "x for x in scaled"),
    Mutant(
        "the sum is of values, not of z-scores",
        "projection",
        "size * sqrt(fsum((x / size) ** 2 for x in column)) if size else 1.0",
        "1.0",
        "components",
        BY_SUM,
    ),
    Mutant(
        "the attribute is the last one",
        "projection",
        "SCORES[by](S, attribute)",
        "SCORES[by](S, -1)",
        parameters=BY_ATTRIBUTE,
    ),
    cutting(
        "the rest is a group of its own",
        "projection",
        "while len(S) >= 2 * k:",
        "while len(S) > k:",
    ),
    Mutant(
        "descending is ascending",
        "individual-ranking",
        'if order == "descending"',
        'if order == "falling"',
        SORTED,
        (("order", "descending"),),
    ),
    Mutant(
        "values are sorted as records are numbered",
        "individual-ranking",
        "key=scores.values.__getitem__, reverse=True",
        "reverse=True",
        SORTED,
    ),
    cutting("2k values are one group", "individual-ranking", ">= 2 * k:", "> 2 * k:"),
    Mutant(
        "the last group is a rest of fewer than k",
        "blocks-in-file-order",
        "while len(S) >= 2 * k",
        "while len(S) > k",
    ),
    Mutant(
        "every k-th record, not k consecutive ones",
        "blocks-in-file-order",
        "    while len(S) >= 2 * k",
        "    S._waiting.sort(key=lambda r: r % (S.space.n // k), reverse=True)\n"
        "    while len(S) >= 2 * k",
    ),
)
