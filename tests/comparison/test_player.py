"""The page that plays a run, and small multiples: what is in them, step by step."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from suites import one_in

import refagg.commands.main
from refagg.catalogue import CATALOGUE
from refagg.data.datasets import shipped_folder

FIRMS = shipped_folder() / "eleven-firms.csv"

SOME = one_in(9, [name for name in CATALOGUE if CATALOGUE[name].attributes == "any"])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mask(source: str | Path, *more: str) -> int:
    words = ["mask", str(source), "-o", "out.csv", "--trace-page", "page.html", *more]
    return refagg.commands.main.main(words)


def shown() -> dict[str, Any]:
    """The data of the page; nothing in it may end the script early or load anything."""
    page = Path("page.html").read_text(encoding="utf-8")
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page)
    assert found
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org)", page)
    data: dict[str, Any] = json.loads(found[1])
    return data


def groups_after(frames: list[dict[str, Any]]) -> set[frozenset[int]]:
    """What the page shows as groups after these frames, one after the other."""
    group_of: dict[int, int] = {}
    for frame in frames:
        group_of.update(dict(frame.get("g", [])))
    members: dict[int, set[int]] = {}
    for record, group in group_of.items():
        members.setdefault(group, set()).add(record)
    return {frozenset(own) for group, own in members.items() if group >= 0}


def released_groups() -> set[frozenset[int]]:
    rows: dict[tuple[str, ...], set[int]] = {}
    with open("out.csv", newline="") as file:
        for record, row in enumerate(list(csv.reader(file))[1:]):
            rows.setdefault(tuple(row), set()).add(record)
    return set(map(frozenset, rows.values()))


def test_mdav_by_hand(here: Path) -> None:
    """The average of 1, 2, 3, 10 and 11 is 5.4: 11 is x_r, 1 is x_s; 10 and 2 are near them."""
    Path("in.csv").write_text("x\n1\n2\n3\n10\n11\n")
    assert mask("in.csv", "--algorithm", "mdav-2k", "-k", "2", "--standardise", "none") == 0
    data = shown()
    assert data["axes"]["x"] == [1, 2, 3, 10, 11]
    frames = data["runs"][0]["frames"]
    named = [{tuple(mark) for mark in frame.get("m", [])} for frame in frames]
    assert {(4, "x_r")} in named
    assert {(4, "x_r"), (0, "x_s")} in [{m for m in marks if m[1]} for marks in named]
    assert groups_after(frames) == {frozenset({0, 1, 2}), frozenset({3, 4})}
    assert groups_after(frames) == released_groups()


def test_ties_are_shown(here: Path) -> None:
    """0 and 4 are equally far from their average."""
    Path("in.csv").write_text("x,</script><b>\n0,1\n1,1\n2,1\n3,1\n4,1\n")
    assert mask("in.csv", "--algorithm", "mdav-2k", "-k", "2", "--standardise", "none") == 0
    assert [0, 4] in [sorted(frame.get("d", [])) for frame in shown()["runs"][0]["frames"]]


@pytest.mark.parametrize("name", SOME)
def test_the_last_frame_is_the_release(here: Path, name: str) -> None:
    spec = CATALOGUE[name]
    if spec.yields != "partition":
        assert mask(FIRMS, "--algorithm", name, "-k", "3", "--seed", "1") == 2
        return
    seed = ["--seed", "1"] if spec.random else []
    assert mask(FIRMS, "--algorithm", name, "-k", "3", *seed) == 0
    frames = shown()["runs"][0]["frames"]
    assert groups_after(frames) == released_groups()


def test_strata_are_runs_of_their_own_with_the_file_s_numbers(here: Path) -> None:
    Path("in.csv").write_text("s,x\na,1\nb,5\na,2\nb,6\na,9\nb,1\na,8\nb,2\n")
    assert mask("in.csv", "--algorithm", "mdav", "-k", "2", "--strata", "s") == 0
    runs = shown()["runs"]
    assert [run["title"] for run in runs] == ["stratum a", "stratum b"]
    assert groups_after(runs[0]["frames"]) == {frozenset({0, 2}), frozenset({4, 6})}
    assert groups_after(runs[1]["frames"]) == {frozenset({1, 3}), frozenset({5, 7})}


def test_small_multiples(here: Path) -> None:
    pytest.importorskip("matplotlib")
    more = ["--algorithm", "mdav", "-k", "3", "--trace-plot", "steps.svg"]
    assert mask(FIRMS, *more) == 0
    text = Path("steps.svg").read_text()
    for title in ("1. {5, 8, 10} form a group.", "2. {0, 1, 9} form a group.", "x_r", "x_s"):
        assert f"<!-- {title} -->" in text or f">{title}<" in text


def test_categories_have_places_in_their_order(here: Path) -> None:
    """Declared categories keep their order, other values are sorted; sequences are values."""
    Path("in.csv").write_text("j,x,o,s\nc,5,high,a>b\na,7,low,a\nc,1,low,a>b\nb,2,high,a>b\n")
    kinds = ["j=nominal", "x=numeric", "o=ordinal:low<mid<high"]
    given = [word for kind in kinds for word in ("--kind", kind)]
    assert mask("in.csv", *given, "--confidential", "s", "--algorithm", "mdav", "-k", "2") == 0
    data = shown()
    assert list(data["axes"]) == ["j", "x", "o", "number of the record"]
    assert data["axes"]["j"] == [2, 0, 2, 1]
    assert data["axes"]["o"] == [2, 0, 0, 2]
    assert data["categories"] == {"j": ["a", "b", "c"], "o": ["low", "mid", "high"]}
    given = ["--columns", "s", "--kind", "s=sequence:>", "--algorithm", "kshc", "-k", "2"]
    assert mask("in.csv", *given) == 0
    assert shown()["axes"]["s"] == [1, 0, 1, 1]
    assert shown()["categories"] == {"s": ["a", "a>b"]}


def test_a_name_ends_with_the_group_of_its_record(here: Path) -> None:
    """k-Ward has no rounds: what the first step named is not named in the second."""
    assert mask(FIRMS, "--algorithm", "k-ward", "-k", "3") == 0
    frames = shown()["runs"][0]["frames"]
    last = {name for frame in frames[-5:] for _, name in frame.get("m", [])}
    assert "merge" in {name for frame in frames for _, name in frame.get("m", [])}
    assert not last & {"pair", "near r", "near s"}
    for frame in frames:
        names = [name for _, name in frame.get("m", []) if name not in ("", "pair")]
        assert len(names) == len(set(names))
