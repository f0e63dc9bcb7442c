"""Other programs that `python -m tests.benchmarks.growth` measures beside this project.

Each function takes what a measurement gives it, the numbers or the paths of two files, and returns
the work to be timed; what it imports and converts before is not timed. Work that another process
does returns the CPU seconds that this process says.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

Rows = list[list[int]]
Work = Callable[[], Any]

K = 5


class Peer(NamedTuple):
    """A program, what it does, its distribution, and the function that prepares its work."""

    name: str
    about: str
    distribution: str
    prepare: Callable[..., Work]


def numpy_mdav(rows: Rows) -> Work:
    """MDAV in 20 lines of NumPy, in binary64: what one writes by hand."""
    import numpy as np

    table = np.array(rows, dtype=float)

    def work() -> list[Any]:
        points = (table - table.mean(axis=0)) / table.std(axis=0)
        numbers, groups = np.arange(len(points)), []

        def squares(point: Any) -> Any:
            return ((points - point) ** 2).sum(axis=1)

        def group(point: Any) -> None:
            nonlocal points, numbers
            nearest = np.argpartition(squares(point), K - 1)[:K]
            groups.append(numbers[nearest])
            points, numbers = np.delete(points, nearest, 0), np.delete(numbers, nearest)

        while len(points) >= 3 * K:
            first = points[squares(points.mean(axis=0)).argmax()]
            second = points[squares(first).argmax()]
            group(first)
            group(second)
        if len(points) >= 2 * K:
            group(points[squares(points.mean(axis=0)).argmax()])
        return [*groups, numbers]

    return work


def anonypyx_mdav(rows: Rows) -> Work:
    """The clusters of anonypyx's MDAV-generic."""
    from oracle.conformance.adapters.anonypyx_mdav import groups

    return lambda: groups(rows, K, "population")


def anonypyx_mondrian(rows: Rows) -> Work:
    """The parts of anonypyx's Mondrian, which cuts strictly."""
    from oracle.conformance.adapters.anonypyx_mondrian import groups

    return lambda: groups([tuple(map(str, row)) for row in rows], K)


def scipy_ward(rows: Rows) -> Work:
    """SciPy's tree by Ward's criterion."""
    import numpy as np
    from scipy.cluster.hierarchy import linkage

    table = np.array(rows, dtype=float)
    return lambda: linkage((table - table.mean(axis=0)) / table.std(axis=0), "ward")


def microagg1d(rows: Rows) -> Work:
    """The labels of microagg1d with its default arguments."""
    import numpy as np
    from microagg1d import univariate_microaggregation

    values = np.array(rows, dtype=float)[:, 0]
    return lambda: univariate_microaggregation(values, K)


SDCMICRO = """
path <- commandArgs(trailingOnly = TRUE)
table <- read.csv(path)
start <- proc.time()
made <- sdcMicro::microaggregation(table, method = "mdav", aggr = 5)
cat(sum((proc.time() - start)[1:2]))
"""


def sdcmicro_mdav(rows: Rows) -> Work:
    """MDAV of sdcMicro, whose loops are C++; an R process says its own seconds.

    Its file is written to the working directory, which is a temporary one.
    """
    path = Path("sdcmicro.csv").resolve()
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[f"x{i}" for i in range(len(rows[0]))], *rows])

    def work() -> float:
        command = ["Rscript", "-e", SDCMICRO, str(path)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return work


def polars_audit(original: Path, released: Path) -> Work:
    """Sizes of groups and their means by polars, in binary64."""
    import polars as pl

    def work() -> bool:
        theirs, own = pl.read_csv(released), pl.read_csv(original)
        names = theirs.columns
        both = pl.concat([theirs, own.rename({n: f"own {n}" for n in names})], how="horizontal")
        means = [pl.col(f"own {n}").mean() for n in names]
        groups = both.group_by(names).agg(pl.len(), *means)
        gaps = [groups.select((pl.col(n) - pl.col(f"own {n}")).abs().max()).item() for n in names]
        return bool(groups["len"].min() >= K and max(gaps) < 1e-6)

    return work


def duckdb_audit(original: Path, released: Path) -> Work:
    """Sizes of groups and their means by one query of DuckDB, in binary64."""
    import duckdb

    names = [f"x{i}" for i in range(5)]
    gaps = ", ".join(f"max(abs({n} - m{n}))" for n in names)
    means = ", ".join(f"avg(o.{n}) AS m{n}, any_value(r.{n}) AS {n}" for n in names)
    query = f"""SELECT min(records), greatest({gaps}) FROM (
        SELECT count(*) AS records, {means}
        FROM read_csv('{original}') AS o POSITIONAL JOIN read_csv('{released}') AS r
        GROUP BY {", ".join(f"r.{n}" for n in names)})"""

    def work() -> bool:
        with duckdb.connect(config={"threads": 1}) as connection:
            found = connection.execute(query).fetchone()
        return bool(found and found[0] >= K and found[1] < 1e-6)

    return work


PEERS: dict[str, tuple[Peer, ...]] = {
    "mdav": (
        Peer("NumPy", "MDAV in 20 lines, in binary64", "numpy", numpy_mdav),
        Peer("anonypyx", "its MDAV-generic", "anonypyx", anonypyx_mdav),
        Peer("sdcMicro", "its MDAV in C++", "R: sdcMicro", sdcmicro_mdav),
    ),
    "mondrian": (Peer("anonypyx", "its Mondrian", "anonypyx", anonypyx_mondrian),),
    "hac": (Peer("SciPy", "Ward's tree, without a least size", "scipy", scipy_ward),),
    "hansen-mukherjee": (Peer("microagg1d", "its default, in binary64", "microagg1d", microagg1d),),
    "audit in Python": (
        Peer("polars", "sizes and means by hand, in binary64", "polars", polars_audit),
    ),
    "audit by DuckDB": (
        Peer("DuckDB", "sizes and means by one query, in binary64", "duckdb", duckdb_audit),
    ),
}
"""The peers of what is measured, in order."""


def version_of(peer: Peer) -> str:
    """Return the version of a peer that is installed; nothing if it is absent."""
    language, _, package = peer.distribution.rpartition(": ")
    try:
        return version(package) if not language else _version_in_r(package)
    except PackageNotFoundError:
        return ""


def _version_in_r(package: str) -> str:
    if not shutil.which("Rscript"):
        return ""
    asked = ["Rscript", "-e", f"cat(as.character(packageVersion('{package}')))"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
