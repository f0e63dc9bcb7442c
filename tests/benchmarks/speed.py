"""Speed and memory, measured in one run: `python -m tests.benchmarks.speed [FILTER]`.

Needs REFAGG_DATA. Each line has a name, what was measured, and the bound that it should keep.
`large_tables 100000` measures tables of so many records, too.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from math import log
from pathlib import Path

from refagg.catalogue import specification
from refagg.data.csvfiles import write_csv
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table, table_of
from refagg.datasets import load, path_of
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.release.masking import microaggregate
from refagg.spaces.exact import ExactSpace
from refagg.spaces.of_tables import ARITHMETICS
from tests.benchmarks.algorithms import normal_table

MILLION = 1_000_000


def processor_seconds(*works: Callable[[], object], repeats: int = 5) -> list[float]:
    """The least time of the processor of each work, in turn, so that all find the same machine."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, taken in zip(works, times, strict=True):
            start = time.process_time()
            work()
            taken.append(time.process_time() - start)
    return [min(taken) for taken in times]


def run_in(arithmetic: str, name: str, table: Table, how: str, k: int) -> Callable[[], object]:
    """One run of an algorithm, the space included."""
    scaled, algorithm = standardise(table, how), specification(name)
    settings = algorithm.settings({})
    return lambda: algorithm.run(ARITHMETICS[arithmetic](scaled), k, Choices(), **settings)


def ratio(what: str, name: str, table: Table, bound: float, how: str = "population") -> None:
    works = [run_in(arithmetic, name, table, how, 3) for arithmetic in ("exact", "float")]
    exact, floating = processor_seconds(*works, repeats=5 if table.n < 2000 else 1)
    print(
        f"{name}, {what}, k=3: exact {exact:.3f} s, float {floating:.3f} s; "
        f"ratio {exact / floating:.2f} (bound {bound})"
    )


def exact_against_float() -> None:
    for dataset in ("census", "tarragona", "eia"):
        ratio(dataset, "mdav", load(dataset), 0.8)
    for name in ("md", "v-mdav", "k-ward", "hac"):
        ratio("500 records of census", name, load("census").take(range(500)), 1.3)


def hard_tables() -> None:
    """Where many records are tied, or where floats cannot tell them apart."""
    draw = seeded(1).randbelow
    four = [[draw(10**6) for _ in range(4)] for _ in range(1000)]
    tables: dict[str, list[list[float]]] = {
        "all rows equal": [[1, 2, 3, 4]] * 1000,
        "one value of 1e300": [[1e300, 0, 0, 0], *four],
        "16 different rows": [[value % 2 for value in row] for row in four],
        "a lattice": [[i % 32, i // 32] for i in range(1000)],
    }
    for what, rows in tables.items():
        for how in ("population", "none"):
            ratio(f"{what}, {how}", "mdav", table_of(rows), 1.3, how)


GOALS = {
    ("arrays", 10_000, 5): 0.25 / 9.3,
    ("compiled", 10_000, 5): 0.12 * 0.38 / 9.3,
    ("compiled", 100_000, 5): 0.8 / 9.3,
    ("compiled", 1_000_000, 5): 27 / 9.3,
}
"""In units of the time of 10 000 records of five attributes in floats."""


def large_tables() -> None:
    """Exact MDAV with NumPy and Numba; more than 10 000 records if asked for.

    Memory is that of the process so far.
    """
    sizes = [3_000, 10_000, *map(int, sys.argv[2:])]
    [floating] = processor_seconds(
        run_in("float", "mdav", normal_table(3_000, 5), "population", 5), repeats=2
    )
    unit = floating * (10 / 3) ** 2
    print(f"10 000 x 5 normal in floats, k=5, by that of 3000 in {floating:.2f} s: {unit:.1f} s")
    for attributes in (2, 3, 5, 13):
        for engine in ("arrays", "compiled"):
            before = 0.0
            for n, less in zip(sizes, [0, *sizes], strict=False):
                scaled = standardise(normal_table(n, attributes), "population")
                [took] = processor_seconds(partial(exact_run, scaled, engine), repeats=1)
                goal = GOALS.get((engine, n, attributes))
                print(
                    f"mdav, {engine}, {n} x {attributes}: {took:.2f} s, {took / unit:.3f} of that"
                    + (f" (goal {goal:.3f})" if goal else "")
                    + (f", growth n^{log(took / before) / log(n / less):.2f}" if less else "")
                    + f", {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB",
                    flush=True,
                )
                before = took


def exact_run(scaled: Scaled, engine: str) -> object:
    """MDAV with an engine, the space included."""
    return specification("mdav").run(ExactSpace(scaled, engine=engine), 5, Choices())


def memory() -> None:
    for arithmetic in ARITHMETICS:
        peaks = []
        for n in (1000, 2000, 4000):
            scaled = standardise(load("eia").take(range(n)))
            tracemalloc.start()
            specification("mdav").run(ARITHMETICS[arithmetic](scaled), 10, Choices())
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        shown = ", ".join(f"{peak / 2**20:.2f}" for peak in peaks)
        print(
            f"MDAV, EIA, {arithmetic}, peak MiB at n = 1000, 2000, 4000: {shown}; "
            f"ratios {peaks[1] / peaks[0]:.2f} {peaks[2] / peaks[1]:.2f} (2 is linear, 4 a matrix)"
        )


def audit_of_census() -> None:
    with tempfile.TemporaryDirectory() as folder:
        original, released = path_of("census"), Path(folder, "released.csv")
        release = microaggregate(load("census"), 3, "mdav")
        rows = [[str(float(v)) for v in release.released.row(r)] for r in range(release.released.n)]
        write_csv(released, release.released.names, rows)
        took, _ = oracle("audit", original, released, "-k", 3, "--algorithm", "mdav")
    print(f"audit of Census with its algorithm: {took:.2f} s (bound 5)")


def audit_of_a_million() -> None:
    """Groups of three consecutive records, released with their means to six decimals."""
    with tempfile.TemporaryDirectory() as folder:
        original, released = Path(folder, "original.csv"), Path(folder, "released.csv")
        draw = seeded(1).randbelow
        names = ["a", "b", "c", "d", "e"]
        word = (draw(1 << 60) for _ in iter(int, 1))
        rows = [
            [next(word) >> shift & 0xFFFFF for shift in (0, 10, 20, 30, 40)] for _ in range(MILLION)
        ]
        write_csv(original, names, ([str(v) for v in row] for row in rows))
        means = []
        starts = range(0, MILLION - MILLION % 3 - 3, 3)
        for start in [*starts, starts[-1] + 3]:
            group = rows[start : start + 3] if start in starts else rows[start:]
            mean = [f"{sum(values) / len(group):.6f}" for values in zip(*group, strict=True)]
            means += [mean] * len(group)
        write_csv(released, names, means)
        del rows, means
        took, peak = oracle("audit", original, released, "-k", 3)
    print(
        f"audit of 1 000 000 records x 5, groups and aggregates: {took:.1f} s (bound 60), "
        f"{peak / 2**20:.2f} GiB (bound 2)"
    )


def oracle(*arguments: object) -> tuple[float, int]:
    """Seconds, and the peak memory in KiB of the largest child so far, of a command."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "oracle.commands.main", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = time.perf_counter() - start
    return took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


BENCHMARKS = (
    exact_against_float,
    hard_tables,
    large_tables,
    memory,
    audit_of_census,
    audit_of_a_million,
)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        if len(sys.argv) == 1 or sys.argv[1] in benchmark.__name__:
            benchmark()
