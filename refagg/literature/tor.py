"""The tables of Torra's fuzzy microaggregation, and what its propositions state.

The source prints the cells of a row without anything between them; five decimals each divide
those of Tables 2 and 3, the constraint those of Table 1.

Table 3 is one step of memberships and one of centres with m = 1.5, from START, which was found by
trying. Centres of the original data and those under the constraint are projected on it. Table 4
has the distances of the centres in Table 3 from those of the original data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import dist, sqrt
from statistics import fmean, stdev

from refagg.algorithms.fuzzy.c_means import fuzzy_c_means, one_step
from refagg.constraints import parse_constraint, system_of
from refagg.data import datasets
from refagg.data.tables import Table
from refagg.literature.cells import Cells, Finding, Library, Value, grid, misprint, nothing, unknown
from refagg.literature.claims import Claim
from refagg.literature.propositions import (
    ENTROPY_BASED,
    Project,
    around_threshold,
    collapse_with_m,
    expected_sizes,
    largest_gap,
    memberships_with_m,
    more_loss_with_fewer,
    more_loss_with_m2,
    same_centres,
)
from refagg.literature.propositions import Finding as Ranking

KEY = "TOR"
REFERENCE = (
    "V. Torra, Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity for "
    "data with constraints, Journal of Intelligent & Fuzzy Systems 39 (2020)"
)

CONSTRAINT = "1.16*v1 + 1.07*v2 = v3"
PRINTED, CORRECTED, NOISY = "tor-table1-printed", "tor-table1", "tor-table2"

M = 1.5
START = (
    (13.0, 37.0, 54.67),
    (67.333, 219.67, 313.15),
    (27.667, 51.0, 86.663),
    (37.333, 101.33, 151.733),
)
"""Means of GROUPS in Table 1 with v1 = 16 in record 12; two have two decimals, the others three."""

GROUPS = ((0, 1, 3), (2, 8, 10), (4, 6, 9), (5, 7, 11))
"""The records, numbered from 0, whose means START has."""

TOLERANCE = 1e-12
LIMIT = 5000

VARIABLES = ("v1", "v2", "v3")
CENTRES = tuple(f"centre {number}" for number in (1, 2, 3, 4))

TABLE_1_V3 = "42.01 59.93 319.27 62.07 74.21 191.50 95.16 138.14 301.78 90.62 318.40 125.56"

ORIGINAL, HALF, ONE, ONE_AND_A_HALF = "original data", "N(0, 0.5)", "N(0, 1.0)", "N(0, 1.5)"
FREE, BOUND = "no constraint", "with constraint"

TABLE_3 = {
    (ORIGINAL, ""): """
        13.44075 37.16236 55.35500 67.32890 219.64071 313.11708
        27.59963 52.64698 88.34783 37.11288 101.71213 151.88292""",
    (HALF, FREE): """
        14.77033 37.46462 55.53745 67.66607 219.68178 313.78662
        28.25678 52.81140 88.66240 37.37631 101.05854 153.25147""",
    (HALF, BOUND): """
        14.21093 36.94862 56.01970 67.74399 219.75366 313.71945
        28.04952 52.62022 88.84108 37.96198 101.59877 152.74659""",
    (ONE, FREE): """
        13.35356 37.43389 55.51220 68.10518 219.87425 313.35174
        28.32082 52.62483 87.69683 36.05573 102.03179 152.27787""",
    (ONE, BOUND): """
        13.34286 37.42402 55.52142 67.80086 219.59354 313.61408
        27.83433 52.17608 88.11623 36.48085 102.42393 151.91139""",
    (ONE_AND_A_HALF, FREE): """
        15.38410 38.46154 54.85374 68.56108 217.71406 313.44706
        26.27168 52.15607 88.81411 36.43006 101.70231 152.30233""",
    (ONE_AND_A_HALF, BOUND): """
        14.00637 37.19070 56.04144 68.88084 218.00900 313.17140
        27.11313 52.93224 88.08872 36.83617 102.07690 151.95224""",
}
"""Four centres of three values each."""

TABLE_4 = {
    (HALF, FREE): "1.3756566 0.75078064 0.7468825 1.5393139",
    (HALF, BOUND): "1.0395613 0.74021727 0.6681398 1.2164527",
    (ONE, FREE): "0.3256416 0.8439299 0.97180617 1.1729174",
    (ONE, BOUND): "0.3251812 0.6870117 0.57486784 0.95232975",
    (ONE_AND_A_HALF, FREE): "2.3907604 2.3106573 1.4905896 0.8013973",
    (ONE_AND_A_HALF, BOUND): "0.8899032 2.25254 0.6206389 0.4630664",
}

LAST_DIGIT = 5e-6
"""By how much a number of Tables 2 and 3 can be rounded."""

ROUNDED = Fraction(sqrt(3) * LAST_DIGIT)
"""How far a point of three such numbers can be from what it was."""

NO_NOISE = unknown("the records with this noise are not printed")


def floats(table: Table) -> list[list[float]]:
    """The records of a table in binary64."""
    return [[float(value) for value in table.row(record)] for record in range(table.n)]


def projection(table: Table) -> Project:
    """The projection on the constraint, where distances are those of the values as they are."""
    system = system_of([parse_constraint(CONSTRAINT)], table.names)
    width = len(table.names)
    return system.float_projector([0.0] * width, [1.0] * width)


def projected(centres: Sequence[Sequence[float]]) -> list[list[float]]:
    """The nearest points that satisfy the constraint."""
    project = projection(datasets.load(PRINTED))
    return [project(list(centre)) for centre in centres]


def centres_of(dataset: str, bound: bool) -> list[list[float]]:
    """One step of memberships and one of centres from START."""
    table = datasets.load(dataset)
    centres, _ = one_step(floats(table), START, m=M, project=projection(table) if bound else None)
    return centres


def converged(dataset: str) -> list[list[float]]:
    """The projected centres when they move no more."""
    table = datasets.load(dataset)
    run = fuzzy_c_means(
        floats(table),
        START,
        m=M,
        project=projection(table),
        tolerance=TOLERANCE,
        limit=LIMIT,
        demand=True,
    )
    return run.centres


def printed_centres(data: str, constraint: str) -> list[list[float]]:
    """Four centres of Table 3."""
    values = list(map(float, TABLE_3[data, constraint].split()))
    return [values[i : i + 3] for i in range(0, len(values), 3)]


def off(point: Sequence[float]) -> float:
    """By how much a point misses the constraint."""
    v1, v2, v3 = point
    return abs(1.16 * v1 + 1.07 * v2 - v3)


def _by_place(centres: Iterable[Iterable[float]]) -> dict[str, Value]:
    values = [value for centre in centres for value in centre]
    return dict(zip(grid(CENTRES, VARIABLES, "- " * 12), values, strict=True))


# Table 1


def _table_1(_: Library) -> dict[str, Value]:
    table = datasets.load(PRINTED)
    found: dict[str, Value] = {}
    for record in range(table.n):
        v1, v2, _v3 = table.row(record)
        found[f"record {record + 1}, v3"] = Fraction("1.16") * v1 + Fraction("1.07") * v2
    return found


# Table 3


def _table_3(data: str, constraint: str) -> Cells:
    printed = grid(CENTRES, VARIABLES, TABLE_3[data, constraint])
    where = ", ".join(filter(None, (data, constraint)))
    table, step = f"Table 3, {where}", f"one step with m = {M} from means of four groups"
    if data in (ORIGINAL, ONE_AND_A_HALF):
        dataset = PRINTED if data == ORIGINAL else NOISY
        bound = constraint != FREE
        recipe = f"{dataset}, {step}{', projected' if bound else ''}"
        return Cells(
            KEY,
            table,
            printed,
            recipe,
            lambda _: _by_place(centres_of(dataset, bound)),
            margin=ROUNDED if dataset == NOISY else Fraction(0),
        )
    if constraint == FREE:
        return Cells(KEY, table, printed, step, nothing, doubt=NO_NOISE)
    return Cells(
        KEY,
        table,
        printed,
        "the centres that are printed for no constraint, projected",
        lambda _: _by_place(projected(printed_centres(data, FREE))),
        margin=ROUNDED,
    )


# Table 4


def _distances(data: str, constraint: str) -> dict[str, Value]:
    pairs = zip(printed_centres(ORIGINAL, ""), printed_centres(data, constraint), strict=True)
    return {f"d{number}": dist(a, b) for number, (a, b) in enumerate(pairs, 1)}


def _table_4(data: str, constraint: str) -> Cells:
    return Cells(
        KEY,
        f"Table 4, {data}, {constraint}",
        grid([""], ("d1", "d2", "d3", "d4"), TABLE_4[data, constraint]),
        "distances of the printed centres of Table 3",
        lambda _: _distances(data, constraint),
        margin=2 * ROUNDED,
    )


# Statements


STATEMENTS = {
    "Table 2, noise": "normal, mean 0, standard deviation 1.5",
    "Section 4, records in a group": "12 records and 4 centres mean k = 3",
    "Section 4, centres": "those of Table 3 are where fuzzy c-means ends",
    "Section 4, original data": "plain centres satisfy the constraint",
    "Section 4, noise": "plain centres do not satisfy the constraint",
    "Section 4, distances": "constrained centres are nearer, all 12 of them",
}


def _statements(_: Library) -> dict[str, Value]:
    return {
        "Table 2, noise": _noise(),
        "Section 4, records in a group": Finding(
            datasets.load(PRINTED).n == 3 * len(CENTRES), "3 records for each centre"
        ),
        "Section 4, centres": _where_it_ends(),
        "Section 4, original data": _plain_centres(),
        "Section 4, noise": _noisy_centres(),
        "Section 4, distances": _nearer(),
    }


def _noise() -> Finding:
    before, after = (floats(datasets.load(name)) for name in (PRINTED, NOISY))
    noise = [b - a for x, y in zip(before, after, strict=True) for a, b in zip(x, y, strict=True)]
    mean, deviation = fmean(noise), stdev(noise)
    n = len(noise)
    usual = abs(mean) <= 3 * 1.5 / sqrt(n) and abs(deviation - 1.5) <= 3 * 1.5 / sqrt(2 * n)
    return Finding(
        usual,
        f"mean {mean:.3f}, standard deviation {deviation:.3f}",
        f"both within three standard errors; {n} differences from Table 1 as printed",
    )


def _where_it_ends() -> Finding:
    gap = largest_gap(converged(PRINTED), printed_centres(ORIGINAL, ""))
    return Finding(
        gap <= LAST_DIGIT,
        f"the iteration goes on by up to {gap:.3f}",
        "they are those of the first step",
    )


def _plain_centres() -> Finding:
    worst = max(map(off, centres_of(PRINTED, bound=False)))
    printed = max(map(off, printed_centres(ORIGINAL, "")))
    return Finding(
        worst <= 1e-9,
        f"off by up to {worst:.3f}",
        f"record 12 does not satisfy it; the printed centres are projected (off by {printed:.0e})",
    )


def _noisy_centres() -> Finding:
    least = min(off(v) for data in (HALF, ONE, ONE_AND_A_HALF) for v in printed_centres(data, FREE))
    return Finding(least > 1e-3, f"off by at least {least:.3f}")


def _nearer() -> Finding:
    near = [
        bound < free
        for data in (HALF, ONE, ONE_AND_A_HALF)
        for free, bound in zip(
            map(float, TABLE_4[data, FREE].split()),
            map(float, TABLE_4[data, BOUND].split()),
            strict=True,
        )
    ]
    return Finding(
        all(near),
        f"{sum(near)} of {len(near)}",
        "no evidence for the method: a projection on a plane is nearer to all points of the plane",
    )


PROPOSITIONS = {
    "Proposition 2, first half": "memberships become 1/c for all records as m grows",
    "Proposition 2, second half": "centres become the mean as m grows",
    "Proposition 3": "entropy-based centres become the mean as lambda goes to 0",
    "Proposition 5": "centres are plain ones where the data satisfy the constraint",
    "Proposition 7": "the same of entropy-based centres",
    "Proposition 8": "constrained centres become the mean as m grows",
    "Proposition 8, larger m2": "the larger m2, the larger the loss",
    "Proposition 8, fewer clusters": "the smaller c, the larger the loss",
    "Proposition 8, expected size": "for large m2 the expected size of all clusters is n/c",
}


def _propositions(_: Library) -> dict[str, Value]:
    table = datasets.load(CORRECTED)
    rows, project = floats(table), projection(table)
    measured = (
        memberships_with_m("2", rows, START),
        collapse_with_m("2", rows, START, None),
        _around(around_threshold(rows, START)),
        same_centres("5", rows, START, project),
        same_centres("7", rows, START, project, ENTROPY_BASED),
        collapse_with_m("8", rows, START, project),
        more_loss_with_m2("8", rows, START, project),
        more_loss_with_fewer("8", rows, project),
        expected_sizes("8", rows, START, project),
    )
    return {
        place: Finding(found.verdict.startswith("holds"), found.measured, found.note)
        for place, found in zip(PROPOSITIONS, measured, strict=True)
    }


def _around(found: Sequence[Ranking]) -> Ranking:
    """What 3 states, from what was found on both sides of its threshold."""
    below = [f for f in found if f.proposition.endswith("lambda at 0.9 of the threshold")]
    return Ranking(
        "3",
        "; ".join(f"{f.proposition.removeprefix('3, ')}: {f.measured}" for f in below),
        "holds" if all(f.verdict == "holds" for f in below) else "false",
        "the threshold is 1 / (2 lambda_max(Cov)) for centres near the mean; others: "
        + ", ".join(f"{f.proposition.partition('lambda ')[2]} {f.measured}" for f in found[5:]),
    )


CLAIMS: tuple[Claim, ...] = ()

TABLES = (
    Cells(
        KEY,
        "Table 1",
        {f"record {record}, v3": printed for record, printed in enumerate(TABLE_1_V3.split(), 1)},
        f"{PRINTED}, 1.16 v1 + 1.07 v2",
        _table_1,
        doubts={"record 12, v3": misprint("v1 = 13 should be 16, which gives 125.56")},
    ),
    *(_table_3(data, constraint) for data, constraint in TABLE_3),
    *(_table_4(data, constraint) for data, constraint in TABLE_4),
    Cells(KEY, "", STATEMENTS, "the printed tables, and those of the data sets", _statements),
    Cells(KEY, "", PROPOSITIONS, f"{CORRECTED}, from the start of Table 3", _propositions),
)
