"""Gaussian noise in floats as other programs write it, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, log, nan, pi, sqrt
from random import SystemRandom
from statistics import pstdev, stdev
from typing import Any

from refagg.language.random_stream import RandomStream, seeded
from tests.planted.catch_noise import noisy

from .implementation import Implementation, Program, Rows, implementation, settings_of, stream_for

CLAIM = "gaussian-noise"
Column = Sequence[float]
Table = list[list[float]]


def polar(stream: RandomStream) -> Iterator[float]:
    while True:
        u, v = 2 * stream.uniform() - 1, 2 * stream.uniform() - 1
        s = u * u + v * v
        if 0 < s < 1:
            yield u * sqrt(-2 * log(s) / s)
            yield v * sqrt(-2 * log(s) / s)


def correlations(columns: Sequence[Column]) -> Table:
    scores = []
    for column in columns:
        mean, spread = sum(column) / len(column), pstdev(column)
        scores.append([(x - mean) / spread if spread else 0.0 for x in column])
    n = len(columns[0])
    return [[sum(x * y for x, y in zip(a, b, strict=True)) / n for b in scores] for a in scores]


def cholesky(matrix: Table) -> Table:
    size = len(matrix)
    found = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(found[i][k] * found[j][k] for k in range(j))
            if i == j:
                found[i][i] = sqrt(rest) if rest > 1e-11 else 0.0
            elif found[j][j]:
                found[i][j] = rest / found[j][j]
    return found


def rowwise(deviates: Iterator[float], n: int, width: int) -> Table:
    return [[next(deviates) for _ in range(width)] for _ in range(n)]


def added(rows: Rows, changes: Table) -> Any:
    return {"released": noisy(rows, changes)}


@dataclass(frozen=True, slots=True)
class Noise:
    """The steps of a program."""

    stream: Callable[[dict[str, Any]], RandomStream] = stream_for
    deviates: Callable[[RandomStream], Iterator[float]] = polar
    spread: Callable[[Column], float] = pstdev
    share: Callable[[float], float] = sqrt
    factor: Callable[[Table], Table] = cholesky
    order: Callable[[Iterator[float], int, int], Table] = rowwise
    tell: Callable[[Rows, Table], Any] = added
    kind: str | None = None
    digits: int = 17


def noise(steps: Noise) -> Program:
    def program(records: Rows, k: int, **keywords: Any) -> Any:
        given = settings_of(CLAIM, keywords)
        columns = list(zip(*records, strict=True))
        drawn = steps.order(steps.deviates(steps.stream(keywords)), len(records), len(columns))
        if (steps.kind or given["kind"]) == "correlated":
            factor = steps.factor(correlations(columns))
            drawn = [[sum(map(_times, row, own)) for row in factor] for own in drawn]
        share = steps.share(float(given["amount"]))
        spreads = [steps.spread(column) if len(set(column)) > 1 else 0.0 for column in columns]
        changes = [[share * s * x for s, x in zip(spreads, row, strict=True)] for row in drawn]
        told = steps.tell(records, changes)
        if steps.digits < 17 and "released" in told:
            rows = told["released"]
            told["released"] = [[float(f"{x:.{steps.digits}g}") for x in row] for row in rows]
        return told

    return program


def _times(a: float, b: float) -> float:
    return a * b


def _one_of_each_pair(stream: RandomStream) -> Iterator[float]:
    both = polar(stream)
    while True:
        yield next(both)
        next(both)


def _second_first(stream: RandomStream) -> Iterator[float]:
    both = polar(stream)
    while True:
        first = next(both)
        yield next(both)
        yield first


def _box_muller(stream: RandomStream) -> Iterator[float]:
    while True:
        yield sqrt(-2 * log(1 - stream.uniform())) * cos(2 * pi * stream.uniform())


def _uniform(stream: RandomStream) -> Iterator[float]:
    while True:
        yield (2 * stream.uniform() - 1) * sqrt(3)


def _no_centre(stream: RandomStream) -> Iterator[float]:
    """Points outside the circle are taken too."""
    while True:
        u, v = 2 * stream.uniform() - 1, 2 * stream.uniform() - 1
        s = (u * u + v * v) / 2 or 1.0
        yield u * sqrt(-2 * log(s) / s)
        yield v * sqrt(-2 * log(s) / s)


def _columnwise(deviates: Iterator[float], n: int, width: int) -> Table:
    columns = [[next(deviates) for _ in range(n)] for _ in range(width)]
    return [list(row) for row in zip(*columns, strict=True)]


def _pairs_anew(deviates: Iterator[float], n: int, width: int) -> Table:
    """A pair that is begun is not used for the next record."""
    rows = []
    for _ in range(n):
        rows.append([next(deviates) for _ in range(width)])
        if width % 2:
            next(deviates)
    return rows


def _one_for_all(deviates: Iterator[float], n: int, width: int) -> Table:
    return [[next(deviates)] * width for _ in range(n)]


def _transposed(matrix: Table) -> Table:
    return [list(row) for row in zip(*cholesky(matrix), strict=True)]


def _swapped(rows: Rows, changes: Table) -> Any:
    values: Table = added(rows, changes)["released"]
    values[0], values[-1] = values[-1], values[0]
    return {"released": values}


def _with_nan(rows: Rows, changes: Table) -> Any:
    """0/0 where there is no noise."""
    pairs = zip(rows, changes, strict=True)
    return {"released": [[x + d if d else nan for x, d in zip(*p, strict=True)] for p in pairs]}


def _in_proportion(rows: Rows, changes: Table) -> Any:
    pairs = zip(rows, changes, strict=True)
    return {"released": [[x * (1 + d) for x, d in zip(*p, strict=True)] for p in pairs]}


def _with_sse(rows: Rows, changes: Table) -> Any:
    return {**added(rows, changes), "sse": -1.0}


def _next_seed(given: dict[str, Any]) -> RandomStream:
    return seeded((given.get("seed") or 0) + 1)


def _fresh(given: dict[str, Any]) -> RandomStream:
    return seeded(SystemRandom().randrange(2**32))


STEPS: dict[str, Noise] = {
    "another seed": Noise(stream=_next_seed),
    "no seed": Noise(stream=_fresh),
    "one deviate of each pair is thrown away": Noise(deviates=_one_of_each_pair),
    "the second deviate of a pair comes first": Noise(deviates=_second_first),
    "deviates by Box and Muller's cosine": Noise(deviates=_box_muller),
    "deviates are uniform": Noise(deviates=_uniform),
    "points outside the circle are taken too": Noise(deviates=_no_centre),
    "attribute after attribute is drawn": Noise(order=_columnwise),
    "a pair is for one record": Noise(order=_pairs_anew),
    "all attributes get one deviate": Noise(order=_one_for_all),
    "the standard deviation has the divisor n-1": Noise(spread=stdev),
    "the variance is the standard deviation": Noise(spread=lambda c: pstdev(c) ** 2),
    "the amount is a share of the deviation": Noise(share=lambda amount: amount),
    "the amount is 1, whatever is asked": Noise(share=lambda amount: 1.0),
    "noise is correlated though it should not be": Noise(kind="correlated"),
    "the first and last released rows change places": Noise(tell=_swapped),
    "values without noise are 0/0": Noise(tell=_with_nan),
    "noise is in proportion to the value": Noise(tell=_in_proportion),
    "records are released as they are": Noise(tell=lambda rows, c: {"released": rows}),
    "noise is released without the values": Noise(tell=lambda rows, c: {"released": c}),
    "the last row is not released": Noise(
        tell=lambda r, c: {"released": added(r, c)["released"][:-1]}
    ),
    "groups are told, and no values": Noise(tell=lambda rows, c: [[i] for i in range(len(rows))]),
    "the SSE is negative": Noise(tell=_with_sse),
}
"""Programs with one step that is wrong, asked with the default parameters."""

CORRELATED: dict[str, Noise] = {
    "correlations are ignored": Noise(kind="independent"),
    "the factor is transposed": Noise(factor=_transposed),
    "the factor is the matrix": Noise(factor=lambda matrix: matrix),
}


def wrong_noise() -> Iterator[Implementation]:
    for words, steps in STEPS.items():
        yield implementation(f"{CLAIM}: {words}", CLAIM, words, noise(steps))
    for words, steps in CORRELATED.items():
        yield implementation(
            f"{CLAIM}: {words}", CLAIM, words, noise(steps), {"kind": "correlated"}
        )
    words = "a constant attribute gets noise"
    yield implementation(f"{CLAIM}: {words}", CLAIM, words, _noise_for_all)
    words = "noise where the amount is 0"
    yield implementation(f"{CLAIM}: {words}", CLAIM, words, _some_at_least, {"amount": "0"})


def _noise_for_all(records: Rows, k: int, **given: Any) -> Any:
    told = noise(Noise())(records, k, **given)
    for j, column in enumerate(zip(*records, strict=True)):
        if len(set(column)) == 1:
            for i, row in enumerate(told["released"]):
                row[j] += i / 100
    return told


def _some_at_least(records: Rows, k: int, **given: Any) -> Any:
    return noise(Noise(share=lambda amount: max(sqrt(amount), 0.01)))(records, k, **given)
