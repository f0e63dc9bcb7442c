"""How long fuzzy c-means takes: python tests/benchmarks/fuzzy.py

Census, c = 360, 50 iterations in the standard library; the same with NumPy, and how much their
numbers differ; and how the time of an iteration grows with c and with n. The start is seed 1.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence

import numpy as np

from refagg import float_space
from refagg.algorithms.fuzzy import c_means, numpy_c_means
from refagg.algorithms.fuzzy.c_means import FuzzyRun
from refagg.algorithms.fuzzy.initial_centres import drawn_records
from refagg.data import datasets
from refagg.language.random_stream import seeded

Rows = Sequence[Sequence[float]]
M = 1.5
ITERATIONS = 50


def timed(twin: Callable[..., FuzzyRun], rows: Rows, c: int, limit: int) -> tuple[FuzzyRun, float]:
    start = drawn_records(rows, c, seeded(1))
    before = time.perf_counter()
    run = twin(rows, start, m=M, limit=limit, tolerance=0.0)
    return run, time.perf_counter() - before


def main() -> None:
    rows = float_space(datasets.load("census"), "population").rows
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, m = {M}")
    plain, seconds = timed(c_means.fuzzy_c_means, rows, 360, ITERATIONS)
    assert plain.iterations == ITERATIONS
    print(
        f"Census, c = 360, {ITERATIONS} iterations, standard library: {seconds:.2f} s", flush=True
    )
    arrays, faster = timed(numpy_c_means.fuzzy_c_means, rows, 360, ITERATIONS)
    print(f"the same with NumPy: {faster:.2f} s, {seconds / faster:.1f} times faster")
    for name in ("centres", "memberships", "levels"):
        left, right = np.array(getattr(plain, name)), np.array(getattr(arrays, name))
        print(f"greatest difference of {name}: {np.abs(left - right).max():.2g}")
    print(f"{'n':>6} {'c':>5} {'library':>9} {'NumPy':>9} {'ratio':>6}   ms per iteration")
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
        each = [
            1000 * timed(twin, some, c, 5)[1] / 6  # memberships are computed once more
            for twin in (c_means.fuzzy_c_means, numpy_c_means.fuzzy_c_means)
        ]
        print(
            f"{n:>6} {c:>5} {each[0]:>9.1f} {each[1]:>9.1f} {each[0] / each[1]:>6.1f}", flush=True
        )


if __name__ == "__main__":
    main()
