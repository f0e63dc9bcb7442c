"""What the exact optimum reaches, printed: `python -m tests.benchmarks.optimum [FILTER] [-q]`.

Each line is one run on this machine. Census, Tarragona and EIA are read from REFAGG_DATA. With
several processes a run is faster; all of these use one.
"""

from __future__ import annotations

import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from oracle.functions.optima import verify
from oracle.optima import Optimum, solve
from oracle.optima.clock import Progress
from refagg.data.csvfiles import write_csv, write_json
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import load
from refagg.release.measures import information_loss, sst
from tests.benchmarks.univariate import a_million_values, where_microagg1d_is_not_optimal
from tests.instances import agreement, certified


def agreement_of_methods() -> None:
    print(f"random instances on which all methods agree: {agreement(500, seed=1)} of 500")


def certified_instances() -> None:
    print(f"integer instances with an accepted certificate: {certified(200, seed=1)} of 200")


def census_100() -> None:
    proved("census", 3, 100, limit=60)


def census_200() -> None:
    proved("census", 3, 200, limit=60)


def census_300() -> None:
    proved("census", 3, 300, limit=60)


def census_500() -> None:
    proved("census", 3, 500, limit=60)


def census_all_k2() -> None:
    proved("census", 2, None, limit=600)


def census_all_k3() -> None:
    proved("census", 3, None, limit=600)


def census_all_k4() -> None:
    proved("census", 4, None, limit=1800)


def tarragona_all_k3() -> None:
    proved("tarragona", 3, None, limit=1800)


def census_all_k5() -> None:
    proved("census", 5, None, limit=600)


def eia_all_k3() -> None:
    proved("eia", 3, None, limit=1800)


def proved(name: str, k: int, first: int | None, limit: float) -> None:
    """Solve the first records of a data set within a time, and have the certificate checked."""
    table = load(name)
    scaled = standardise(table if first is None else table.take(range(first)))
    found = solve(scaled, k, "columns", time_limit=limit, report=_report)
    which = "all" if first is None else f"first {first}"
    print(f"{name}, {which}, k={k}: {_words(found, scaled)}; {verified(found, scaled)}", flush=True)


def _words(found: Optimum, scaled: Scaled) -> str:
    total = sst(scaled)
    assert found.bound is not None
    loss, least = (float(information_loss(v, total)) for v in (found.value, found.bound))
    if found.status == "optimal":
        return f"optimal, IL {loss:.6f} %, {found.seconds:.1f} s"
    return (
        f"best IL {loss:.6f} %, bound {least:.6f} %, gap {100 * float(found.gap or 0):.4f} %, "
        f"{found.seconds:.1f} s"
    )


def verified(found: Optimum, scaled: Scaled) -> str:
    """The certificate, checked from files."""
    table = scaled.table
    with tempfile.TemporaryDirectory() as folder:
        data, proof = Path(folder, "data.csv"), Path(folder, "certificate.json")
        rows = ([_text(value) for value in table.row(r)] for r in range(table.n))
        write_csv(data, table.names, rows)
        write_json(proof, found.certificate)
        size = proof.stat().st_size / 2**20
        start = time.perf_counter()
        verdict = verify(proof, data)
        took = time.perf_counter() - start
    what = "optimal" if verdict.optimal else "a bound"
    return f"certificate of {size:.2f} MiB accepted ({what}) in {took:.1f} s, {verdict.nodes} nodes"


def _text(value: Fraction) -> str:
    return str(value)


def _report(progress: Progress) -> None:
    if "-q" not in sys.argv and sys.stderr.isatty():
        print(progress.line(), file=sys.stderr)


BENCHMARKS = (
    agreement_of_methods,
    certified_instances,
    a_million_values,
    where_microagg1d_is_not_optimal,
    census_100,
    census_200,
    census_300,
    census_500,
    census_all_k2,
    census_all_k3,
    census_all_k4,
    tarragona_all_k3,
    census_all_k5,
    eia_all_k3,
)

if __name__ == "__main__":
    wanted = [word for word in sys.argv[1:] if word != "-q"]
    for benchmark in BENCHMARKS:
        if not wanted or any(word in benchmark.__name__ for word in wanted):
            benchmark()
