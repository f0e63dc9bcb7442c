"""One process against several: `python -m tests.benchmarks.tree_workers [DATA K RECORDS WORKERS]`.

Solves the first records of a data set (census 3 500 by default) in this process and with so many
workers (2), says how long each took on the clock, and the ratio; both certificates are checked.
Run it where nothing else runs. Reference data are read from REFAGG_DATA.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor

from oracle.executors import Here
from oracle.optima import Optimum, solve
from refagg.data.datasets import load
from refagg.data.standardise import Scaled, standardise
from tests.benchmarks.optimum import verified


def solved(scaled: Scaled, k: int, executor: Executor, name: str) -> tuple[Optimum, float]:
    """The optimum and the seconds that it took."""
    start = time.perf_counter()
    found = solve(scaled, k, "columns", executor=executor, time_limit=1800)
    took = time.perf_counter() - start
    print(f"{name}: {found.status}, {took:.1f} s; {verified(found, scaled)}", flush=True)
    return found, took


def main() -> None:
    name, k, first, workers = [*sys.argv[1:], *("census", "3", "500", "2")[len(sys.argv) - 1 :]]
    table = load(name)
    scaled = standardise(table.take(range(min(int(first), table.n))))
    alone, one = solved(scaled, int(k), Here(), "one process")
    with ProcessPoolExecutor(int(workers)) as executor:
        other, many = solved(scaled, int(k), executor, f"{workers} workers")
    assert other.value == alone.value or "feasible" in (alone.status, other.status)
    print(f"{one / many:.2f} times as fast")


if __name__ == "__main__":
    main()
