"""How a result was made: of which files, by which versions, when; what a reader can check."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from refagg import __version__
from refagg.data.textfiles import sha256_of

Run = Mapping[str, Any]
"""The object `run` of a result: all of it that differs between two results of the same files."""


def made_now(
    k: int | Sequence[int],
    algorithms: Sequence[str],
    files: Mapping[str, Path] | None = None,
    libraries: Sequence[str] = (),
) -> dict[str, Any]:
    """The date, the versions, what was asked, and the SHA-256 of files by what they are."""
    versions = {"refagg": __version__, "python": sys.version.partition(" ")[0]}
    for name in libraries:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "unknown"
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions,
        "k": k if isinstance(k, int) else list(k),
        "algorithms": list(algorithms),
        "files": {
            what: {"name": path.name or str(path), "sha256": sha256_of(path)}
            for what, path in (files or {}).items()
        },
    }


def facts_of(run: Run | None) -> list[tuple[str, str]]:
    """Return the head of a page: names and values, the long ones last.

    >>> facts_of({"date": "2026-01-02T03:04:05+00:00", "versions": {"refagg": "1.0"},
    ...     "k": [2, 3], "algorithms": ["mdav"], "files": {}})
    [('k', '2, 3'), ('algorithm', 'mdav'), ('date', '2026-01-02 03:04:05 UTC'), \
('versions', 'refagg 1.0')]
    """
    if not run:
        return []
    ks = run["k"] if isinstance(run["k"], list) else [run["k"]]
    names = run["algorithms"]
    moment = datetime.fromisoformat(run["date"])
    files = [
        (what, f"{one['name']}, SHA-256 {one['sha256']}") for what, one in run["files"].items()
    ]
    return [
        ("k", ", ".join(map(str, ks))),
        ("algorithms" if len(names) > 1 else "algorithm", ", ".join(names) or "none named"),
        ("date", f"{moment:%Y-%m-%d %H:%M:%S} UTC"),
        ("versions", ", ".join(f"{_TITLES.get(n, n)} {v}" for n, v in run["versions"].items())),
        *files,
    ]


_TITLES = {"python": "Python", "duckdb": "DuckDB", "pyspark": "PySpark"}
