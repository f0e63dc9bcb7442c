"""The benchmarks by the number of records: runs end at limits, and the page says what was found."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import refagg
from refagg.catalogue import CATALOGUE
from tests.benchmarks import growth, growth_peers
from tests.places import ROOT

NO_LIMIT = growth.Limits(60)
PICTURES = ROOT / "docs" / "growth_pictures.py"


def entry(by: str, seconds: list[float], end: str = "", what: str = "mdav") -> growth.Entry:
    sizes = [100] * len(seconds)
    return {
        "what": what,
        "by": by,
        "seconds": seconds,
        "megabytes": sizes,
        "end": end,
        "date": "2026-01-02",
    }


def found(*runs: growth.Entry, sizes: tuple[int, ...] = (100, 1000, 10_000)) -> growth.Entry:
    peers = {peer.name: "1" for some in growth.PEERS.values() for peer in some}
    head = {"machine": "a machine", "python": "3", "seconds": 5, "gigabytes": 4, "peers": peers}
    return {**head, "sizes": list(sizes), "runs": [*runs]}


def test_the_page_is_of_these_results() -> None:
    text = growth.PAGE.read_text(encoding="utf-8")
    assert growth.page(growth.read(), text) == text
    assert growth.RESULTS.stat().st_size <= 40_000


def test_every_algorithm_that_forms_groups_was_measured() -> None:
    own = [run for run in growth.read()["runs"] if run["by"] == "refagg"]
    assert sorted(run["what"] for run in own) == sorted([*CATALOGUE, *growth.AUDITS])
    for run in own:
        assert len(run["seconds"]) == len(run["megabytes"]) >= 1
        assert bool(run["end"]) == (len(run["seconds"]) < 7)


def test_ratios_are_of_one_size() -> None:
    """Where one of the two was stopped after 5 seconds, what is left is a bound."""
    both = found(
        entry("refagg", [0.5, 2.0], "time"),
        entry("NumPy", [0.05, 4.0, 0.25]),
        entry("anonypyx", [1.0], "time"),
    )
    assert growth.ratios(both, "seconds") == [
        ["mdav", "NumPy", "10", "0.50", "above 20"],
        ["mdav", "anonypyx", "0.50", "below 0.40", ""],
    ]
    assert growth.ratios(both, "megabytes")[1] == ["mdav", "anonypyx", "1.0", "", ""]
    text = growth.page(both, growth.PAGE.read_text(encoding="utf-8"))
    assert "| mdav | NumPy | 10 | 0.50 | above 20 |" in text
    assert "| mdav | sdcMicro | 1 | its MDAV in C++ |" in text
    assert "Measured on 2026-01-02: a machine, Python 3" in text
    assert text.count("\n| hac |") == 1  # of the other programs: all ratios were written again


def forever() -> None:
    while True:
        pass


def greedy() -> None:
    bytearray(1 << 30)


def test_a_run_ends_at_its_limits() -> None:
    def prepared(work: growth.Work) -> growth.Work:
        return work

    end, seconds, size = growth.run(partial(prepared, partial(sum, range(10**6))), NO_LIMIT)
    assert (end, seconds > 0, size > 10**6) == ("", True, True)
    start = time.monotonic()
    assert growth.run(partial(prepared, forever), growth.Limits(0.5))[0] == "time"
    assert time.monotonic() - start < 30
    assert growth.run(partial(prepared, greedy), growth.Limits(5, 1 << 29))[0] == "memory"


def test_nothing_larger_is_tried_after_a_run_that_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = tmp_path / "tried"

    def prepare(name: str, folder: Path, n: int) -> growth.Work:
        with tried.open("a") as file:
            file.write(f"{name} {n}\n")
        return greedy if name == "refagg" and n == 300 else partial(sum, range(1000))

    monkeypatch.setattr(growth, "SIZES", (100, 300, 1000))
    names = {name: partial(prepare, name) for name in ("refagg", "other")}
    monkeypatch.setattr(growth, "programs", lambda what: names)
    own, other = growth.measured("mdav", tmp_path, growth.Limits(5, 1 << 29))
    assert (own["end"], len(own["seconds"]), len(other["seconds"])) == ("memory", 1, 3)
    lines = ["refagg 100", "other 100", "refagg 300", "other 300", "other 1000"]
    assert tried.read_text().splitlines() == lines


def test_the_command_measures_what_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = found(entry("refagg", [1.0], "time", "md"))
    monkeypatch.setattr(growth, "RESULTS", tmp_path / "growth.json")
    monkeypatch.setattr(growth, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(growth, "SIZES", (100,))
    monkeypatch.setattr(growth, "warm", lambda folder: None)
    monkeypatch.setattr("sys.argv", ["growth", "mdav", "v-mdav"])  # polars does not bear a fork
    monkeypatch.setattr("os.nice", lambda more: more)
    growth.write(kept)
    growth.PAGE.write_text((ROOT / "docs" / "benchmarks.md").read_text("utf-8"), "utf-8")
    growth.main()
    runs = json.loads(growth.RESULTS.read_text())["runs"]
    own = {run["what"]: run for run in runs if run["by"] == "refagg"}
    assert [*own] == ["md", "mdav", "v-mdav"]
    assert own["md"]["seconds"] == [1.0]
    assert 0 < own["mdav"]["seconds"][0] < 5
    text = growth.PAGE.read_text("utf-8")
    assert growth.page(growth.read(), text) == text
    assert text.count("\n| mdav | NumPy |") == 3
    assert "seconds of refagg" in capsys.readouterr().out


# Peers


@pytest.mark.parametrize("n", [5, 9, 10, 14, 15, 19, 100, 237])
def test_mdav_by_hand_forms_the_groups_of_mdav(tmp_path: Path, n: int) -> None:
    pytest.importorskip("numpy")
    growth.write_data(tmp_path, 300)
    rows = growth.rows_of(tmp_path, 300, 5)[:n]
    groups = growth_peers.numpy_mdav(rows)()
    ours = refagg.mdav(rows, k=growth.K).groups
    assert {frozenset(map(int, group)) for group in groups} == {frozenset(g) for g in ours}


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_audits_by_hand_tell_right_from_wrong(tmp_path: Path, library: str) -> None:
    pytest.importorskip(library)
    growth.write_data(tmp_path, 100)
    audit = getattr(growth_peers, f"{library}_audit")
    original, released = tmp_path / "original-100.csv", tmp_path / "released-100.csv"
    assert audit(original, released)()
    growth.auditing("python", original, released)()
    lines = released.read_text().splitlines()
    assert lines.count(lines[1]) == 5
    other = tmp_path / "other.csv"
    other.write_text("\n".join([lines[0], lines[1] + "1", *lines[2:]]))
    assert not audit(original, other)()  # groups of 1 and 4
    wrong = lines[1].replace(lines[1].partition(",")[0], "0.0", 1)
    other.write_text("\n".join(wrong if line == lines[1] else line for line in lines))
    assert not audit(original, other)()  # no mean


def test_peers_that_are_not_installed_are_absent() -> None:
    peer = growth_peers.Peer("x", "nothing", "no-such-distribution", growth_peers.numpy_mdav)
    assert growth_peers.version_of(peer) == ""
    assert growth_peers.version_of(peer._replace(distribution="R: no.such.package")) == ""


# Pictures


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("growth_pictures", PICTURES)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def places(figure: ElementTree.Element) -> list[tuple[str, float, float]]:
    """What each point says, and where it is."""
    return [
        (str(one[0].text), float(one.attrib["cx"]), float(one.attrib["cy"]))
        for one in figure.iter("circle")
    ]


def test_points_are_where_the_scales_say(drawing: ModuleType) -> None:
    """By the lines of the scales: 1 ms and 0.1 s are a distance apart, 10^2 and 10^3 another."""
    both = found(entry("refagg", [0.001, 0.01, 0.1]), entry("NumPy", [0.1], "time"))
    text = drawing.pictures(both, {"mdav_family": ["mdav"]})
    figure = ElementTree.fromstring(f"<x>{text['mdav_family']}</x>")
    points = [place for place in places(figure) if place[0].endswith(" s")]
    assert [point[0] for point in points] == [
        "100 records: 0.001 s",
        "1000 records: 0.01 s",
        "10 000 records: 0.1 s",
    ]
    labels = {one.text: one.attrib for one in reversed([*figure.iter("text")])}
    for (_, x, _), column in zip(points, ("10²", "10³", "10⁴"), strict=True):
        assert x == pytest.approx(float(labels[column]["x"]), abs=0.1)
    for point, row in ((points[0], "1 ms"), (points[2], "0.1 s")):
        assert point[2] == pytest.approx(float(labels[row]["y"]) - 3.5, abs=0.1)
    assert points[1][2] == pytest.approx((points[0][2] + points[2][2]) / 2, abs=0.1)
    beside = ElementTree.fromstring(f"<x>{text['peers']}</x>")
    assert len(places(beside)) == 2 * (3 + 1)
    told = [one.text for one in beside.iter("title") if "stopped" in str(one.text)]
    assert told == ["1000 records: stopped after 5 s"]


def test_the_table_has_what_was_measured(drawing: ModuleType) -> None:
    both = found(entry("refagg", [0.0312, 1.0]), entry("NumPy", [0.00004], "time"))
    assert drawing.figure_table(both).splitlines() == [
        "| | 100 | 1000 | 10 000 |",
        "|---|---:|---:|---:|",
        "| mdav | 0.031 s<br>100 MB | 1 s<br>100 MB |  |",
        "| mdav: NumPy | 0.00004 s<br>100 MB |  |  |",
    ]


def test_every_family_has_its_place() -> None:
    text = growth.PAGE.read_text(encoding="utf-8")
    own = {CATALOGUE[name].run.__module__.split(".")[-2] for name in growth.wanted()[:-2]}
    parts = re.findall(r"generated/growth-(\w+)\.txt", text)
    assert sorted(parts) == sorted([*own, "peers", "table"])


def test_every_figure_is_drawn_and_described(drawing: ModuleType) -> None:
    results = growth.read()
    families: dict[str, list[str]] = {}
    for run in results["runs"]:
        if run["what"] in CATALOGUE:
            families.setdefault(CATALOGUE[run["what"]].run.__module__, []).append(run["what"])
    text = drawing.pictures(
        results, {name: [*dict.fromkeys(own)] for name, own in families.items()}
    )
    assert not re.search(r"https?:|<script|<style", "".join(text.values()))
    figures = ElementTree.fromstring(f"<x>{''.join(text[name] for name in families)}</x>")
    drawn: dict[str, Any] = {}
    for figure in figures.iter("figure"):
        [svg] = figure.iter("svg")
        name = next(str(one.text) for one in figure.iter("a"))
        drawn[name] = svg.attrib["aria-label"], len(places(figure))
    for run in results["runs"]:
        if run["by"] == "refagg" and run["what"] in CATALOGUE:
            said, points = drawn.pop(run["what"])
            assert points == 2 * len(run["seconds"])
            for seconds, size in zip(run["seconds"], run["megabytes"], strict=True):
                assert f"records {seconds:g} s and {size} MB" in said
    assert not drawn
