"""One process against several: `python -m tests.benchmarks.tree_workers [DATA K RECORDS WORKERS]`.

Solves the first records of a data set (census 4 500 by default) in this process and with so many
workers (2), says how long each took on the clock for the tree, and the ratios of that and of all;
both certificates are checked. The relaxation is solved once, and both trees begin with it.
Run it where nothing else runs. Reference data are read from REFAGG_DATA.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from oracle.executors import Here
from oracle.optima import Optimum, solve
from oracle.optima.clock import Progress
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import load
from tests.benchmarks.optimum import verified


def relaxed(scaled: Scaled, k: int, state: Path) -> float:
    """The seconds until the tree begins; the state is as it is then."""

    def report(progress: Progress) -> None:
        if progress.closed is not None or progress.phase.startswith("tree"):
            raise KeyboardInterrupt

    start = time.perf_counter()
    solve(scaled, k, "columns", state=state, report=report, time_limit=1800)
    return time.perf_counter() - start


def solved(
    scaled: Scaled, k: int, executor: Executor, name: str, state: Path
) -> tuple[Optimum, float]:
    """The optimum, and the seconds from the beginning of the tree to its end."""
    own = state.with_name(f"{name}.json")
    shutil.copy(state, own)
    began = 0.0

    def report(progress: Progress) -> None:
        nonlocal began
        if not began and progress.phase.startswith("tree"):
            began = time.perf_counter()

    found = solve(
        scaled, k, "columns", executor=executor, state=own, report=report, time_limit=1800
    )
    took = time.perf_counter() - began
    print(f"{name}: {found.status}, {took:.1f} s; {verified(found, scaled)}", flush=True)
    return found, took


def main() -> None:
    name, k, first, workers = [*sys.argv[1:], *("census", "4", "500", "2")[len(sys.argv) - 1 :]]
    table = load(name)
    scaled = standardise(table.take(range(min(int(first), table.n))))
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state.json"
        before = relaxed(scaled, int(k), state)
        print(f"relaxation: {before:.1f} s", flush=True)
        alone, one = solved(scaled, int(k), Here(), "one process", state)
        with ProcessPoolExecutor(int(workers)) as executor:
            other, many = solved(scaled, int(k), executor, f"{workers} workers", state)
    assert other.value == alone.value or "feasible" in (alone.status, other.status)
    print(f"tree {one / many:.2f} times as fast, all {(before + one) / (before + many):.2f} times")


if __name__ == "__main__":
    main()
