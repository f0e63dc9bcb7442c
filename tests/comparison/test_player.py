"""The page that plays a run, and small multiples: what is in them, step by step."""

from __future__ import annotations

import csv
import inspect
import json
import pickle
import re
from html import unescape
from math import hypot
from pathlib import Path
from typing import Any

import pytest

import refagg
import refagg.commands.main
from refagg.catalogue import CATALOGUE
from refagg.datasets import load, shipped_folder
from tests.suites import all_but

FIRMS = shipped_folder() / "eleven-firms.csv"


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
    return data_of(page)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json">(.*?)</script>', page)
    assert found
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org)", page)
    data: dict[str, Any] = json.loads(found[1])
    return data


def sentences(page: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<li><button type=button>(.*?)</button>", page)]


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


@pytest.mark.parametrize("name", all_but(CATALOGUE, ["local-search"]))
def test_every_algorithm_has_a_player(here: Path, name: str) -> None:
    """Each step is a sentence and is at lines of the algorithm's file; the last is the release."""
    spec = CATALOGUE[name]
    more = ["-k", "3"] if spec.takes_k else []
    more += ["--seed", "1"] if spec.random else []
    more += ["--columns", "x1"] if spec.attributes == "one" else []
    more += ["--param", "iterations=3"] if "iterations" in [p.name for p in spec.parameters] else []
    more += [word for one in spec.first_attributes() for word in ("--param", f"{one}=x1")]
    assert mask(FIRMS, "--algorithm", name, *more) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    source = inspect.getsource(inspect.getmodule(spec.run)).splitlines()
    said, data = sentences(page), shown()
    assert len(said) == sum(len(run["frames"]) for run in data["runs"])
    assert all(re.fullmatch(r"[A-Z0-9{-].*\.", text) for text in said)
    for run in data["runs"]:
        steps = run["frames"][1:] if spec.yields == "deviations" else run["frames"][1:-1]
        assert steps
        for step in steps:
            module, first, last = step["n"][0]
            assert module == spec.run.__module__
            assert 1 <= first <= last <= len(source)
            assert f'data-line="{first}"' in page
    labels = {
        label for run in data["runs"] for step in run["frames"] for label in step.get("s", [])
    }
    assert labels
    assert all(f'data-step="{label}"' in page for label in labels)
    if spec.yields == "partition" and spec.attributes == "any":
        assert groups_after(data["runs"][0]["frames"]) == released_groups()


def test_a_step_is_where_it_stands_in_the_text(here: Path) -> None:
    """x_r and x_s of MDAV are chosen in the lines that say so, and numbered in its docstring."""
    assert mask(FIRMS, "--algorithm", "mdav", "-k", "3") == 0
    source = inspect.getsource(inspect.getmodule(CATALOGUE["mdav"].run)).splitlines()
    page = Path("page.html").read_text(encoding="utf-8")
    found = {}
    for said, step in zip(sentences(page), shown()["runs"][0]["frames"], strict=True):
        if "it becomes" in said:
            [(_, line, _)] = step["n"]
            found[said.rpartition(" ")[2]] = source[line - 1].split(" = ")[0].strip(), step["s"]
    assert found == {"x_r.": ("x_r", ["1"]), "x_s.": ("x_s", ["2"])}


def test_the_steps_of_an_algorithm_inside_another_are_its_own_and_the_other_s(here: Path) -> None:
    assert mask(FIRMS, "--algorithm", "mdav-2", "-k", "3") == 0
    modules = [
        [line[0].split(".")[-1] for line in f.get("n", [])] for f in shown()["runs"][0]["frames"]
    ]
    assert ["mdav_2", "mdav_1"] in modules
    assert any(line[:2] == ["mdav_2", "second_phase"] for line in modules)


def test_sequences_are_near_those_that_they_resemble(here: Path) -> None:
    """The example of KSHC: texts are shown, bars are added, and what is left are its groups."""
    given = ["--kind", "sequence=sequence: ", "--algorithm", "kshc", "-k", "3"]
    assert mask(shipped_folder() / "vg-sequences.csv", *given) == 0
    data = shown()
    x, y = (data["axes"][name] for name in data["runs"][0]["first"])
    far = {(a, b): hypot(x[a] - x[b], y[a] - y[b]) for a in range(9) for b in range(a)}
    assert far[4, 1] == min(far[1, b] if b < 1 else far[b, 1] for b in range(9) if b != 1)
    assert data["texts"][3] == "f i f c"
    run = data["runs"][0]
    bars: set[int] = set()
    for frame in run["frames"]:
        bars ^= set(frame.get("b", []))
    assert sorted(run["leaves"]) == list(range(9))
    assert len(bars) == 9 - 3
    # b c d e and c b d e differ by two adjacent events in reverse order: (1 + 1) / 4 / 8.
    assert min(run["bars"][bar][2] for bar in bars) == 1 / 16
    assert groups_after(run["frames"]) == {frozenset(g) for g in ((0, 1, 4), (2, 6, 8), (3, 5, 7))}


def test_centres_move_on_the_line_of_the_constraint(here: Path) -> None:
    """Torra's Table 2: memberships add to 1, all centres meet the constraint, records are drawn."""
    given = ["--algorithm", "fuzzy", "-k", "3", "--seed", "1"]
    given += ["--constraint", "1.16*v1 + 1.07*v2 = v3"]
    assert mask(shipped_folder() / "tor-table2.csv", *given) == 0
    data = shown()
    [name] = data["lines"]
    assert data["runs"][0]["first"] == ["v3", name]
    frames = data["runs"][0]["frames"]
    centres = [frame["c"] for frame in frames if "c" in frame]
    assert len(centres) > 3
    assert all(abs(1.16 * a + 1.07 * b - c) < 1e-9 for four in centres for a, b, c in four)
    shares = [row for frame in frames for row in frame.get("u", [])]
    assert all(abs(sum(row) - 1) < 0.01 for row in shares)
    assert {len(g) for g in groups_after(frames)} == {len(g) for g in released_groups()}


def test_noise_is_added(here: Path) -> None:
    """The last place of each record is what is released."""
    assert mask(FIRMS, "--algorithm", "gaussian-noise", "--seed", "1") == 0
    data = shown()
    moved = dict(v for frame in data["runs"][0]["frames"] for v in frame.get("v", []))
    with open("out.csv", newline="") as file:
        released = [list(map(float, row)) for row in list(csv.reader(file))[1:]]
    for record, row in enumerate(released):
        for j, name in enumerate(("x1", "x2")):
            place = data["axes"][name][record] + moved[record][j]
            assert place == pytest.approx(row[j], rel=1e-6)


def test_notebooks_show_the_same(here: Path) -> None:
    assert mask(FIRMS, "--algorithm", "mdav", "-k", "3") == 0
    partition = refagg.mdav(load("eleven-firms"), 3, trace=True)
    page = partition.trace._repr_html_()
    assert sentences(page) == sentences(Path("page.html").read_text(encoding="utf-8"))
    assert data_of(page)["runs"][0]["frames"] == shown()["runs"][0]["frames"]
    copied = pickle.loads(pickle.dumps(partition.trace))
    assert str(copied) == str(partition.trace)
    assert copied._repr_html_() == page


def test_items_with_a_dissimilarity_have_a_player() -> None:
    words = ["ab", "ac", "xyz", "xyy"]
    found = refagg.kshc(
        words,
        2,
        dissimilarity=lambda a, b: (
            sum(x != y for x, y in zip(a, b, strict=False)) + abs(len(a) - len(b))
        ),
        trace=True,
    )
    data = data_of(found.trace._repr_html_())
    assert data["texts"] == words
    assert groups_after(data["runs"][0]["frames"]) == {frozenset({0, 1}), frozenset({2, 3})}


def test_it_works_by_keyboard_and_can_be_heard(here: Path) -> None:
    assert mask(FIRMS, "--algorithm", "mdav", "-k", "3") == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert 'class="rp-now" aria-live="polite"' in page
    assert page.count('<button type="button"') == len(
        re.findall(r'<button type="button"[^>]* aria-label="', page)
    )
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", '" "'):
        assert key in page
    assert "[data-theme=dark]" in page


def test_a_pair_has_the_letters_of_its_choice_and_a_name_no_prefix() -> None:
    """Of 0, 1, 4, 9 the ends are 0 and 3: r is 0, s is 3; s keeps its letter in a group of r."""
    rows = [[0], [1], [4], [9]]
    frames = data_of(refagg.md(rows, 2, trace=True).trace._repr_html_())["runs"][0]["frames"]
    marks = [dict(frame["m"]) for frame in frames if "m" in frame]
    assert marks[0] == {0: "r", 3: "s"}
    assert all("pair" not in mark.values() for mark in marks)
    assert any(mark.get(3) == "s" and 0 not in mark for mark in marks)
    highest = refagg.md(rows, 2, ties="highest", trace=True).trace._repr_html_()
    first = next(frame["m"] for frame in data_of(highest)["runs"][0]["frames"] if "m" in frame)
    assert dict(first) == {3: "r", 0: "s"}
    page = refagg.dba_2(load("eleven-firms"), 3, trace=True).trace._repr_html_()
    names = {name for f in data_of(page)["runs"][0]["frames"] for _, name in f.get("m", [])}
    assert "x" in names
    assert not any(":" in name for name in names)


def test_strata_are_runs_of_their_own_with_the_file_s_numbers(here: Path) -> None:
    Path("in.csv").write_text("s,x\na,1\nb,5\na,2\nb,6\na,9\nb,1\na,8\nb,2\n")
    assert mask("in.csv", "--algorithm", "mdav", "-k", "2", "--strata", "s") == 0
    runs = shown()["runs"]
    assert [run["title"] for run in runs] == [f"stratum {s}, records numbered from 0" for s in "ab"]
    assert groups_after(runs[0]["frames"]) == {frozenset({0, 2}), frozenset({4, 6})}
    assert groups_after(runs[1]["frames"]) == {frozenset({1, 3}), frozenset({5, 7})}


def test_small_multiples(here: Path) -> None:
    pytest.importorskip("matplotlib")
    more = ["--algorithm", "mdav", "-k", "3", "--trace-plot", "steps.svg"]
    assert mask(FIRMS, *more) == 0
    text = Path("steps.svg").read_text()
    for title in ("1. {5, 8, 10} form a group.", "2. {0, 1, 9} form a group.", "x_r", "x_s"):
        assert f"<!-- {title} -->" in text or f">{title}<" in text


def test_small_multiples_of_all_that_a_player_shows(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("refagg.commands.pictures.MOST_PANELS", 2)
    cases = [
        ("vg-sequences", ["--kind", "sequence=sequence: ", "--algorithm", "kshc", "-k", "3"]),
        ("tor-table2", ["--algorithm", "fuzzy", "-k", "3", "--seed", "1"]),
        ("eleven-firms", ["--algorithm", "gaussian-noise", "--seed", "1"]),
    ]
    for data, more in cases:
        path = Path(f"{data}.svg")
        assert mask(shipped_folder() / f"{data}.csv", *more, "--trace-plot", str(path)) == 0
        assert path.stat().st_size > 10_000


def test_categories_have_places_in_their_order(here: Path) -> None:
    """Declared categories keep their order, other values are sorted; sequences are values."""
    Path("in.csv").write_text("j,x,o,s\nc,5,high,a>b\na,7,low,a\nc,1,low,a>b\nb,2,high,a>b\n")
    kinds = ["j=nominal", "x=numeric", "o=ordinal:low<mid<high"]
    given = [word for kind in kinds for word in ("--kind", kind)]
    assert mask("in.csv", *given, "--confidential", "s", "--algorithm", "mdav", "-k", "2") == 0
    data = shown()
    assert list(data["axes"]) == ["j", "x", "o", *data["runs"][0]["first"], "number of the record"]
    assert data["axes"]["j"] == [2, 0, 2, 1]
    assert data["axes"]["o"] == [2, 0, 0, 2]
    assert data["categories"] == {"j": ["a", "b", "c"], "o": ["low", "mid", "high"]}
    assert data["texts"][1] == "a, 7, low"
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
    assert not last & {"r", "s", "near r", "near s"}
    for frame in frames:
        names = [name for _, name in frame.get("m", []) if name]
        assert len(names) == len(set(names))


def test_values_that_are_far_from_0_keep_their_distances(here: Path) -> None:
    Path("in.csv").write_text("t,u\n" + "".join(f"{1_700_000_000 + i},{i}\n" for i in range(9)))
    assert mask("in.csv", "--algorithm", "mdav", "-k", "3") == 0
    assert shown()["axes"]["t"] == [1_700_000_000 + i for i in range(9)]


def test_rounding_is_no_error_of_a_constraint(here: Path) -> None:
    """0.1 + 0.2 - 0.3 is 5.6e-17 in binary64."""
    rows = [f"{i}.1,{i}.2,{2 * i}.3" for i in range(9)]
    Path("in.csv").write_text("net,tax,gross\n" + "\n".join(rows) + "\n")
    given = ["--algorithm", "fuzzy", "-k", "3", "--seed", "1"]
    assert mask("in.csv", *given, "--constraint", "net + tax = gross") == 0
    data = shown()
    [name] = data["lines"]
    assert data["axes"][name] == [0] * 9


def test_file_names_that_are_no_text_have_a_page(here: Path) -> None:
    Path("a\udcff.csv").write_text("x\n1\n2\n3\n10\n11\n")
    assert mask("a\udcff.csv", "--algorithm", "mdav", "-k", "2") == 0
    assert r"a\udcff.csv" in Path("page.html").read_text(encoding="utf-8")
