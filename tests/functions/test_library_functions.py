"""`refagg.measure`, `compare`, `reproduce` and `datasets` say what the commands write."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import refagg
import refagg.commands.main
from refagg.datasets import shipped_folder
from refagg.errors import InvalidParameter, ShapeMismatch

FIRMS = shipped_folder() / "eleven-firms.csv"
MIXED = {"age": [20, 21, 22, 60, 61, 64], "job": ["a", "a", "b", "c", "c", "b"]}
RELEASED = {"age": [21] * 3 + [62] * 3, "job": ["a"] * 3 + ["c"] * 3}


def test_measures_by_hand() -> None:
    """Differences 1 1 1 1 of 1 3 10 12; the whole about 13/2: 121/4 + 49/4 twice, 85."""
    made = refagg.measure([[1], [3], [10], [12]], [[2], [2], [11], [11]], standardise="none")
    assert (made["sse"]["exact"], made["sst"]["exact"]) == ("4", "85")
    assert (made["k_reached"], made["classes"]) == (2, 2)
    assert made["record_linkage"] == 0.5
    json.dumps(made)


@pytest.mark.parametrize("all_risks", [False, True])
def test_measures_are_those_of_the_command(tmp_path: Path, all_risks: bool) -> None:
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    words = ["mask", str(FIRMS), "-k", "3", "-o", str(out), "--algorithm", "mdav"]
    assert refagg.commands.main.main(words) == 0
    words = ["measure", str(FIRMS), str(out), "--json", str(report)]
    assert refagg.commands.main.main([*words, *(["--all-risks"] if all_risks else [])]) == 0
    tables = [
        refagg.datasets.load("eleven-firms"),
        [[Fraction(cell) for cell in line.split(",")] for line in out.read_text().split()[1:]],
    ]
    made = refagg.measure(*tables, all_risks=all_risks)
    assert {"format": "refagg measure 1"} | made == json.loads(report.read_text())


def test_measures_of_kinds_are_those_of_the_command(tmp_path: Path) -> None:
    paths = tmp_path / "in.csv", tmp_path / "out.csv"
    for path, table in zip(paths, (MIXED, RELEASED), strict=True):
        rows = [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
        path.write_text("age,job\n" + "\n".join(rows) + "\n")
    kinds = ["--kind", "age=numeric", "--kind", "job=nominal", "--weight", "job=1/3"]
    report = tmp_path / "report.json"
    words = ["measure", *map(str, paths), *kinds, "--json", str(report)]
    assert refagg.commands.main.main(words) == 0
    keywords: dict[str, Any] = {"kinds": {"job": "nominal"}, "weights": {"job": "1/3"}}
    made = refagg.measure(MIXED, RELEASED, **keywords)
    assert {"format": "refagg measure 1"} | made == json.loads(report.read_text())


def test_measures_that_make_no_sense() -> None:
    with pytest.raises(ShapeMismatch):
        refagg.measure([[1], [2]], [[1]])
    for keywords in ({"weights": {"x1": 2}}, {"similarity": [[1]]}):
        with pytest.raises(
            InvalidParameter, match="attributes of declared kinds; none are declared"
        ):
            refagg.measure([[1], [2]], [[1], [2]], **keywords)  # type: ignore[arg-type]


def test_a_comparison_is_that_of_the_command(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    names = "mdav,v-mdav:gamma=1/5,individual-ranking,random-seed"
    words = ["compare", str(FIRMS), "-k", "2,3", "--algorithm", names, "--quiet"]
    assert refagg.commands.main.main([*words, "--json", str(report)]) == 0
    algorithms: list[Any] = [refagg.mdav, "v-mdav:gamma=1/5", refagg.individual_ranking]
    algorithms.append("random-seed")
    made = refagg.compare(refagg.datasets.load("eleven-firms"), [2, 3], algorithms=algorithms)
    from refagg.comparison.comparing import comparison_data

    def plain(data: Any) -> str:
        for row in data["rows"]:
            row.pop("seconds")
        return json.dumps(data, sort_keys=True)

    assert plain(comparison_data(made, "given")) == plain(json.loads(report.read_text()))
    mdav = refagg.mdav(refagg.datasets.load("eleven-firms"), 3)
    [row] = [r for r in made.rows if r.k == 3 and r.contender.label == "mdav"]
    assert row.figures is not None
    assert row.figures.partition == mdav


@pytest.mark.long
def test_numbers_of_the_literature_are_computed_when_they_are_taken() -> None:
    first = list(islice(refagg.reproduce("smb06", arithmetic="exact"), 2))
    assert {row.as_data()["source"] for row in first} == {"SMB06"}
    with pytest.raises(InvalidParameter):
        list(refagg.reproduce("nobody"))


@pytest.mark.parametrize(
    "words",
    ["import refagg.datasets", "from refagg import datasets", "import refagg; refagg.datasets"],
)
def test_data_sets_are_found_by_each_way_of_importing(words: str) -> None:
    code = f"{words}; import sys; print(sys.modules['refagg.datasets'].load('hm-seven').n)"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "7\n"
