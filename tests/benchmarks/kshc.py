"""KSHC, measured: `python -m tests.benchmarks.kshc [times | sequences | optimum | loops]`.

Times at k = 3 for random matrices and for one that is constant but for its diagonal, for routes
with OSS, and for 5000 random sequences of 5 to 12 events; how far KSHC is from the optimum on small
instances; how often step 1 ends without minVC clusters.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import log
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from matrices import Matrix, by_oss, constant, continuous, euclidean, symmetric, tied

from oracle.optima import solve
from refagg.algorithms.hierarchical.kshc import kshc
from refagg.catalogue import specification
from refagg.engine.deltas import LINKAGES
from refagg.language.choices import Choices
from refagg.spaces.matrix import MatrixSpace
from refagg.spaces.sequences import sequence_space
from tests.routes import routes

T = TypeVar("T")

K = 3
SIZES = (100, 200, 500, 1000, 2000)
INSTANCES = 200


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def exponent(took: list[float]) -> float:
    """That of the power of n by which the time grows, between the last three sizes."""
    return log(took[-1] / took[-3]) / log(SIZES[-1] / SIZES[-3])


def times() -> None:
    drawn = {n: Random(n) for n in SIZES}
    kinds: dict[str, Callable[[int], MatrixSpace]] = {
        "random": lambda n: MatrixSpace(continuous(drawn[n], n)),
        "all equal": lambda n: MatrixSpace(symmetric(n, lambda i, j: 1)),
        "routes by OSS": lambda n: sequence_space(routes(n, plans=n // 6), "oss"),
    }
    for kind, space_of in kinds.items():
        made = [timed(partial(space_of, n)) for n in SIZES]
        print(f"{kind}, the space: {_listed([took for _, took in made])}", flush=True)
        for linkage in LINKAGES:
            took = [timed(partial(kshc, space, K, Choices(), linkage))[1] for space, _ in made]
            print(f"{kind}, {linkage}: {_listed(took)}; n^{exponent(took):.2f}", flush=True)


def _listed(took: list[float]) -> str:
    return ", ".join(f"n={n} {t:.2f} s" for n, t in zip(SIZES, took, strict=True))


def within(matrix: Matrix, group: tuple[int, ...]) -> Fraction:
    """The sum of all dissimilarities in a group, each pair once, over its size."""
    return Fraction(sum(matrix[i][j] for i, j in combinations(group, 2)), len(group))


def distance_from_the_optimum() -> None:
    """In percent of the optimum, where that is not 0; n from 6 to 9, k = 2 or 3."""
    for kind in (continuous, euclidean, by_oss):
        above: dict[str, list[float]] = {linkage: [] for linkage in LINKAGES}
        for seed in range(INSTANCES):
            random = Random(seed)
            n, k = random.randrange(6, 10), random.choice((2, 3))
            matrix = kind(random, n)
            best = solve(range(n), k, cost=lambda group, m=matrix: within(m, group)).value  # type: ignore[misc]
            for linkage in LINKAGES:
                groups = kshc(MatrixSpace(matrix), k, Choices(), linkage).groups
                cost = sum(within(matrix, group) for group in groups)
                assert cost >= best
                if best:
                    above[linkage].append(float(cost / best - 1) * 100)
        for linkage, shares in above.items():
            optimal, mean = sum(share == 0 for share in shares), fmean(shares)
            of = f"{kind.__name__}, {linkage}: {len(shares)} instances"
            print(
                f"{of}, {optimal} optimal, on average {mean:.2f} % above, {max(shares):.1f} % most"
            )


def step_1_without_min_vc() -> None:
    """k = 3 and n = 6: how often fewer than minVC = 2 clusters can be reserved in step 1."""
    for kind in (continuous, euclidean, tied, by_oss, constant):
        for linkage in LINKAGES:
            random, fewer = Random(1), 0
            for _ in range(2000):
                choices = Choices(trace=[])
                kshc(MatrixSpace(kind(random, 6)), 3, choices, linkage)
                fewer += sum(event.name == "note: reserved" for event in choices.trace or ()) < 2
            print(f"{kind.__name__}, {linkage}: {fewer / 20:.1f} % of 2000 matrices", flush=True)


def many_sequences(n: int = 5000) -> None:
    """CPU seconds of the dissimilarities of many sequences, of KSHC and of hac on them."""
    merging = {"linkage": "single", "metric": "squared", "leftovers": "free-capacity"}
    spec = specification("hac")
    random = Random(2)
    events = [
        tuple(random.choice("ABCDE") for _ in range(random.randrange(5, 13))) for _ in range(n)
    ]
    for name in ("levenshtein", "lcs"):
        began = time.process_time()
        space = sequence_space(events, name)
        compared = time.process_time()
        kshc(space, K, Choices(), "single")
        grouped = time.process_time()
        spec.run(space, K, Choices(), **spec.settings(merging))
        ended = time.process_time()
        print(
            f"{n} sequences, {name}: {compared - began:.1f} s, KSHC {grouped - compared:.1f} s, "
            f"hac single {ended - grouped:.1f} s"
        )


PARTS = {
    "times": times,
    "sequences": many_sequences,
    "optimum": distance_from_the_optimum,
    "loops": step_1_without_min_vc,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
