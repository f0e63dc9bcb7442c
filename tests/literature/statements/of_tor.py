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

from refagg import datasets
from refagg.algorithms.fuzzy.c_means import fuzzy_c_means, one_step
from refagg.constraints.equations import parse_constraint
from refagg.constraints.system import system_of
from refagg.data.tables import Table
from tests.literature.statements.looked_up import (
    Compute,
    Finding,
    Library,
    Value,
    printed,
)
from tests.literature.statements.propositions import (
    ENTROPY_BASED,
    Project,
    around_threshold,
    collapse_with_m,
    crisp_with_lambda,
    expected_sizes,
    k_means_with_m_1,
    largest_gap,
    memberships_beyond,
    memberships_with_m,
    more_loss_with_fewer,
    more_loss_with_m1,
    more_loss_with_m2,
    no_loss_with_all,
    same_centres,
)
from tests.literature.statements.propositions import Finding as Ranking

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

ORIGINAL, HALF, ONE, ONE_AND_A_HALF = "original data", "N(0, 0.5)", "N(0, 1.0)", "N(0, 1.5)"
FREE, BOUND = "no constraint", "with constraint"

TABLE_3 = {
    (data, constraint): " ".join(
        printed("TOR", ", ".join(filter(None, ("Table 3", data, constraint, centre, variable))))
        for centre in CENTRES
        for variable in VARIABLES
    )
    for data, constraint in (
        (ORIGINAL, ""),
        *((noise, bound) for noise in (HALF, ONE, ONE_AND_A_HALF) for bound in (FREE, BOUND)),
    )
}
"""Four centres of three values each."""

TABLE_4 = {
    (data, constraint): " ".join(
        printed("TOR", f"Table 4, {data}, {constraint}, d{number}") for number in (1, 2, 3, 4)
    )
    for data in (HALF, ONE, ONE_AND_A_HALF)
    for constraint in (FREE, BOUND)
}

LAST_DIGIT = 5e-6
"""By how much a number of Tables 2 and 3 can be rounded."""

ROUNDED = Fraction(sqrt(3) * LAST_DIGIT)
"""How far a point of three such numbers can be from what it was."""


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
    )
    assert run.converged
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
    return dict(
        zip(
            [f"{centre}, {variable}" for centre in CENTRES for variable in VARIABLES],
            values,
            strict=True,
        )
    )


# Table 1


def _table_1(_: Library) -> dict[str, Value]:
    table = datasets.load(PRINTED)
    found: dict[str, Value] = {}
    for record in range(table.n):
        v1, v2, _v3 = table.row(record)
        found[f"record {record + 1}, v3"] = Fraction("1.16") * v1 + Fraction("1.07") * v2
    return found


# Table 4


def _distances(data: str, constraint: str) -> dict[str, Value]:
    pairs = zip(printed_centres(ORIGINAL, ""), printed_centres(data, constraint), strict=True)
    return {f"d{number}": dist(a, b) for number, (a, b) in enumerate(pairs, 1)}


# Statements


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


PROPOSITIONS = (
    "Proposition 2, first half",
    "Proposition 2, second half",
    "Proposition 3",
    "Proposition 5",
    "Proposition 7",
    "Proposition 8",
    "Proposition 8, larger m1",
    "Proposition 8, larger m2",
    "Proposition 8, fewer clusters",
    "Proposition 8, c = |X|",
    "Proposition 8, expected size",
    "Section 2.1, m > 2.5",
    "Section 2.1, m = 1",
    "Section 2.1, large lambda",
)


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
        more_loss_with_m1("8", rows, START, project),
        more_loss_with_m2("8", rows, START, project),
        more_loss_with_fewer("8", rows, project),
        no_loss_with_all("8", rows, project),
        expected_sizes("8", rows, START, project),
        memberships_beyond("m > 2.5", rows, START),
        k_means_with_m_1("m = 1", rows, START),
        crisp_with_lambda("large lambda", rows, START),
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


def _projected(data: str) -> Compute:
    return lambda _: _by_place(projected(printed_centres(data, FREE)))


def _distances_of(data: str, constraint: str) -> Compute:
    return lambda _: _distances(data, constraint)


COMPUTED = {
    "Table 1": _table_1,
    **{f"Table 3, {data}, {BOUND}": _projected(data) for data in (HALF, ONE)},
    **{f"Table 4, {data}, {bound}": _distances_of(data, bound) for data, bound in TABLE_4},
    "": lambda library: {**_statements(library), **_propositions(library)},
}
