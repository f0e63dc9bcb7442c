"""Right programs of fuzzy microaggregation and of noise: other sums, arithmetic and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

import numpy as np

from refagg.data.tables import table_of
from refagg.release.masking import masked
from refagg.release.method import method_of

from . import fuzzy_programs as p
from .fuzzy_programs import Drawn, Points, Settings, Steps
from .implementation import SEED, Implementation, Program, Rows, implementation, settings_of
from .noise_programs import Noise, noise


def _of_library(claim: str) -> Program:
    def program(records: Rows, k: int, **given: Any) -> Any:
        how, seed = given.get("standardise", "none"), given.get("seed", SEED)
        settings = {name: str(value) for name, value in settings_of(claim, given).items()}
        size = 1 if claim == "gaussian-noise" else k
        method = method_of(claim, size, standardise=how, parameters=settings, seed=seed)
        release = masked(table_of([list(row) for row in records]), method)
        rows = [release.released.row(r) for r in range(len(records))]
        return {"released": [[str(x) for x in row] for row in rows], "sse": str(release.sse)}

    return program


def _backwards(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    """Sums from the last record to the first."""
    return p.means(rows[::-1], members[::-1], before, given)


def _by_fsum(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    m = float(given["m1"])
    made = []
    for own, old in zip(zip(*members, strict=True), before, strict=True):
        weights = [u**m for u in own]
        total = fsum(weights)
        if not total:
            made.append(list(old))
            continue
        products = [
            [w * x for w, x in zip(weights, column, strict=True)]
            for column in zip(*rows, strict=True)
        ]
        made.append([fsum(column) / total for column in products])
    return made


def _with_numpy(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    weights = np.array(members).T ** float(given["m1"])
    sums = weights.sum(axis=1, keepdims=True)
    made = (weights @ np.array(rows)) / np.where(sums == 0, 1, sums)
    return [
        list(old) if empty else list(map(float, row))
        for row, old, empty in zip(made, before, sums[:, 0] == 0, strict=True)
    ]


def _norms(point: p.Point, centres: Points) -> list[float]:
    gaps: list[float] = np.linalg.norm(np.array(centres) - np.array(point), axis=1).tolist()
    return gaps


def _narrow(point: p.Point, centres: Points) -> list[float]:
    gaps = np.array(centres, dtype=np.float32) - np.array(point, dtype=np.float32)
    return [float(gap) for gap in np.sqrt((gaps * gaps).sum(axis=1, dtype=np.float32))]


def _narrow_means(rows: Rows, members: Points, before: Points, given: Settings) -> Points:
    made = _with_numpy(rows, members, before, given)
    return [[float(np.float32(x)) for x in row] for row in made]


def _by_quotients(gaps: Sequence[float], given: Settings, stage: str) -> list[float]:
    """u_ki = 1 / sum over j of (d_ki / d_kj)^(2/(m-1)), as books print it."""
    if not min(gaps):
        return p.shares(gaps, given, stage)
    power = 2 / (float(given[f"m{stage}"]) - 1)
    return [1 / sum((d / other) ** power for other in gaps) for d in gaps]


def _fifteen_digits(rows: Rows, drawn: Drawn, k: int) -> Any:
    return {"released": [[float(f"{x:.15g}") for x in row] for row in drawn.rows()]}


def _both(rows: Rows, drawn: Drawn, k: int) -> Any:
    return {"groups": drawn.groups(), "released": drawn.rows()}


def _labels(rows: Rows, drawn: Drawn, k: int) -> Any:
    return [f"centre {i}" for i in drawn.homes]


STEPS: dict[str, Steps] = {
    "in floats": Steps(),
    "sums from the last record to the first": Steps(means=_backwards),
    "sums that are rounded once": Steps(means=_by_fsum),
    "with NumPy": Steps(means=_with_numpy, distances=_norms),
    "memberships by quotients of distances": Steps(shares=_by_quotients),
    "it goes on until centres are still": Steps(stop=1e-10),
    "rows of fifteen digits": Steps(tell=_fifteen_digits),
    "rows and groups": Steps(tell=_both),
    "labels": Steps(tell=_labels),
}

PARAMETERS: dict[str, dict[str, str]] = {
    "m1 = 3": {"m1": "3"},
    "m2 = 1": {"m2": "1"},
    "m1 = 1": {"m1": "1"},
    "efcm": {"kind": "efcm", "lambda1": "1/50", "lambda2": "1/50"},
    "redraw": {"guarantee": "redraw"},
    "merge": {"guarantee": "merge"},
    "two iterations": {"limit": "2"},
    "two centres": {"c": "2"},
}


def right_drawn() -> Iterator[Implementation]:
    for words, steps in STEPS.items():
        yield implementation(f"fuzzy: {words}", "fuzzy", "", p.program(steps))
    for words, asked in PARAMETERS.items():
        yield implementation(f"fuzzy: in floats, {words}", "fuzzy", "", p.program(), asked)
    scaled = p.program(scaled=True)
    yield implementation(
        "fuzzy: z-scores in floats", "fuzzy", "", _scaled(scaled), {}, "population"
    )
    yield implementation("fuzzy: of the library", "fuzzy", "", _of_library("fuzzy"))
    narrow = p.program(Steps(distances=_narrow, means=_narrow_means))
    yield replace(implementation("fuzzy: in binary32", "fuzzy", "", narrow), precision="binary32")
    unseeded = replace(
        implementation("fuzzy: no random stream", "fuzzy", "", p.program()), seed=None
    )
    yield replace(unseeded, varies=True)
    for words, steps, asked, how in (
        ("in floats", Noise(), {}, "none"),
        ("correlated, in floats", Noise(), {"kind": "correlated"}, "none"),
        ("correlated, with NumPy", Noise(factor=_cholesky), {"kind": "correlated"}, "none"),
        ("all of the variance", Noise(), {"amount": "1"}, "none"),
        ("no noise", Noise(), {"amount": "0"}, "none"),
        ("asked for z-scores", Noise(), {}, "population"),
        ("rounded to fifteen digits", Noise(digits=15), {}, "none"),
    ):
        claim = "gaussian-noise"
        yield implementation(f"{claim}: {words}", claim, "", noise(steps), asked, how)
    yield implementation(f"{claim}: of the library", claim, "", _of_library(claim))


def _scaled(program: Program) -> Program:
    return lambda records, k, standardise="none", **given: program(records, k, **given)


def _cholesky(matrix: Points) -> Points:
    """Column by column, as books print it; what depends on earlier attributes gets nothing."""
    rest, found = np.array(matrix), np.zeros((len(matrix), len(matrix)))
    for j in range(len(matrix)):
        if rest[j, j] > 1e-12:
            found[j:, j] = rest[j:, j] / np.sqrt(rest[j, j])
            rest -= np.outer(found[:, j], found[:, j])
    factor: Points = found.tolist()
    return factor
