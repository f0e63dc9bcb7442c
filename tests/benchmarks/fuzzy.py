"""How long fuzzy c-means takes: python tests/benchmarks/fuzzy.py

Census, c = 360, 50 iterations; and how the time of an iteration grows with c and with n. The start
is seed 1.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence

from refagg import datasets, float_space
from refagg.algorithms.fuzzy.c_means import FuzzyRun, drawn_records, fuzzy_c_means
from refagg.language.random_stream import seeded

Rows = Sequence[Sequence[float]]
M = 1.5
ITERATIONS = 50


def timed(rows: Rows, c: int, limit: int) -> tuple[FuzzyRun, float]:
    start = [list(rows[i]) for i in drawn_records(rows, c, seeded(1))]
    before = time.perf_counter()
    run = fuzzy_c_means(rows, start, m=M, limit=limit, tolerance=0.0)
    return run, time.perf_counter() - before


def main() -> None:
    rows = float_space(datasets.load("census"), "population").rows
    print(f"Python {platform.python_version()}, m = {M}")
    plain, seconds = timed(rows, 360, ITERATIONS)
    assert plain.iterations == ITERATIONS
    print(f"Census, c = 360, {ITERATIONS} iterations: {seconds:.2f} s", flush=True)
    many = [tuple(seeded(record + 1).uniform() for _ in range(5)) for record in range(10_000)]
    began = time.process_time()
    fuzzy_c_means(many, many[:100], m=M, limit=100, tolerance=0.0)
    print(
        f"10 000 x 5, c = 100, 100 iterations: {time.process_time() - began:.2f} CPU s", flush=True
    )
    print(f"{'n':>6} {'c':>5}   ms per iteration")
    for n, c in (
        (270, 90),
        (540, 90),
        (1080, 90),
        (2160, 90),
        (1080, 45),
        (1080, 180),
        (1080, 360),
    ):
        some = [*rows, *([x + 1e-3 for x in row] for row in rows)][:n]
        each = 1000 * timed(some, c, 5)[1] / 6  # memberships are computed once more
        print(f"{n:>6} {c:>5} {each:>9.1f}", flush=True)


if __name__ == "__main__":
    main()
