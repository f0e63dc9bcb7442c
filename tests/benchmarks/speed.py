"""Speed and memory, measured in one run: `python -m tests.benchmarks.speed [FILTER]`.

Needs REFAGG_DATA. Each line has a name, what was measured, and the bound that it should keep.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median

from refagg.catalogue import specification
from refagg.data.csvfiles import write_csv
from refagg.data.datasets import load, path_of
from refagg.data.standardise import standardise
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.release.masking import microaggregate
from refagg.spaces.of_tables import ARITHMETICS

MILLION = 1_000_000


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The median time of some work."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def mdav_seconds(dataset: str, k: int, arithmetic: str, repeats: int = 3) -> float:
    """The time of one run of MDAV, the space included."""
    scaled = standardise(load(dataset))
    mdav = specification("mdav").run
    return seconds(lambda: mdav(ARITHMETICS[arithmetic](scaled), k, Choices()), repeats)


def exact_against_float() -> None:
    exact, floating = (mdav_seconds("census", 3, arithmetic) for arithmetic in ("exact", "float"))
    print(f"MDAV, Census, k=3, float: {floating:.3f} s (bound 0.3)")
    print(
        f"MDAV, Census, k=3, exact: {exact:.3f} s; exact / float {exact / floating:.1f} (bound 12)"
    )


def eia() -> None:
    print(f"MDAV, EIA, k=3, float: {mdav_seconds('eia', 3, 'float', 1):.2f} s (bound 4)")


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


BENCHMARKS = (exact_against_float, eia, memory, audit_of_census, audit_of_a_million)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        if len(sys.argv) == 1 or sys.argv[1] in benchmark.__name__:
            benchmark()
