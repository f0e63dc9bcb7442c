"""The table of all algorithms: its bounds are bounds, and its page says what was found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from oracle.optima import solve
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.release.measures import information_loss, sst
from tests.benchmarks import table


def test_no_partition_loses_less_than_the_bound_of_neighbours() -> None:
    draw = random.Random(8)
    nearest = 0.0
    for _ in range(40):
        n, k = draw.randint(4, 9), draw.randint(2, 4)
        rows = [[draw.randint(0, 20), draw.choice([0, 1, 50])] for _ in range(max(n, k))]
        scaled = standardise(table_of(rows), "population")
        if not sst(scaled):
            continue
        least = float(information_loss(solve(rows, k, how="population").value, sst(scaled)))
        bound = table.neighbour_bound(scaled, k)
        assert 0 <= bound <= least
        nearest = max(nearest, bound / least if least else 0.0)
    assert nearest > 0.8


def entry(algorithm: str, k: int, **more: Any) -> dict[str, Any]:
    found = {"data": "census", "k": k, "algorithm": algorithm, "status": "done", "loss": 6.0}
    found |= {"partition": True, "seconds": 1.25, "arithmetic": "float", "note": ""}
    return {**found, "date": "2026-01-02", **more}


def test_the_page_says_what_was_found() -> None:
    bounds = [
        {"data": data, "k": k, "loss": 5.0, "kind": "bound", "by": "neighbours"}
        for data in table.DATA
        for k in table.KS
    ]
    results = [
        entry("mdav", 3),
        entry("md", 3, seconds=31.5),
        entry("cbfs", 3, status="stopped", seconds=31.0),
        entry("individual-ranking", 3, partition=False, note="each attribute by itself: 2"),
        entry("hansen-mukherjee", 3, status="skipped", note="works on one attribute"),
    ]
    text = table.page(results, bounds)
    assert "| mdav | 6.0000; +20.0 %; 1.2 s | - | - | - |" in text
    assert "| md | 6.0000; +20.0 %; **31.5 s** |" in text
    assert "| cbfs | stopped 31 |" in text
    assert "| individual-ranking | 6.0000; each; 1.2 s |" in text
    assert "`hansen-mukherjee`: works on one attribute." in text


def test_what_was_made_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [entry("mdav", 3), entry("md", 3, status="stopped", seconds=20.0)]
    left = table.missing(known, 20.0)
    assert ("census", 3, "mdav") not in left
    assert ("census", 3, "md") not in left
    assert ("census", 3, "md") in table.missing(known, 30.0)
    monkeypatch.setattr(table, "RESULTS", tmp_path / "table.json")
    table.write(table.RESULTS, known)
    assert table.read(table.RESULTS) == known


def test_a_run_is_stopped_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "table_of", lambda data: table_of([[1], [2], [8], [9]]))
    made = table.run("census", 2, "mdav", 20.0)
    assert (made["status"], made["smallest"], made["partition"]) == ("done", 2, True)

    def forever(*_: Any) -> None:
        while True:
            pass

    monkeypatch.setattr(table, "one", forever)
    assert table.run("census", 2, "mdav", 1.0)["status"] == "stopped"
