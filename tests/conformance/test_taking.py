"""What an implementation says that it takes: the rest is not asked, and told as a gap."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from oracle.commands.main import main
from oracle.conformance.hunting.strategies import narrowed, wanted
from oracle.conformance.judge.model import Case
from oracle.conformance.taking import SILENT, Taken, taken_from
from oracle.conformance.vectors import vectors_of
from refagg.errors import InvalidParameter

PROGRAM = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if DESCRIBED and request.get("describe"):
        reply["describes"] = json.loads(DESCRIBED)
    elif request["k"] < 1 or request["k"] > len(request["records"]):
        reply["refused"] = "k"
    else:
        with open(ASKED, "a") as file:
            file.write(request["id"] + "\\n")
        reply["labels"] = [min(i // request["k"], len(request["records"]) // request["k"] - 1)
                           for i in range(len(request["records"]))]
    print(json.dumps(reply), flush=True)
"""


def program(folder: Path, described: Any) -> list[str]:
    text = json.dumps(described) if described is not None else ""
    facts = f"DESCRIBED = {text!r}\nASKED = {str(folder / 'asked.txt')!r}\n"
    (folder / "program.py").write_text(facts + PROGRAM, encoding="utf-8")
    return [sys.executable, str(folder / "program.py")]


def conform(folder: Path, described: Any, *options: str) -> tuple[list[str], dict[str, Any]]:
    """What was asked, and the JSON that was written."""
    out = folder / "out.json"
    command = program(folder, described)
    options = (*options, "--max-failures", "0", "--json", str(out), "--")
    main(["conform", "--algorithm", "blocks-in-file-order", *options, *command])
    asked = (folder / "asked.txt").read_text(encoding="utf-8").split()
    return asked, json.loads(out.read_text(encoding="utf-8"))


def test_what_is_declared_is_not_asked_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    described = {"scales": ["population"], "records_per_k": 2, "constant": False, "kinds": []}
    asked, data = conform(tmp_path, described)
    by_id = {vector.id: vector for vector in vectors_of("blocks-in-file-order")}
    for identity in asked:
        case = by_id[identity].case
        if by_id[identity].expectation.kind != "reject":
            assert case.standardise == "population"
            assert len(case.records) >= 2 * case.k
            assert all(len(set(column)) > 1 for column in zip(*case.records, strict=True))
    sane = [v for v in by_id.values() if v.expectation.kind != "reject"]
    left = [v for v in by_id.values() if v.case.kinds and v.expectation.kind == "reject"]
    gaps = data["not_covered"]
    assert sum(gap["count"] for gap in gaps) == len(sane) - len(
        set(asked) & {v.id for v in sane}
    ) + (len(left))
    assert all(gap["count"] == len(gap["ids"]) for gap in gaps)
    printed = capsys.readouterr().out
    for gap in gaps:
        assert f"not covered: {gap['count']} " in printed
        assert f"with {gap['what']} ({gap['why']})" in printed


def test_a_program_that_says_nothing_is_asked_everything_but_shapes(tmp_path: Path) -> None:
    asked, data = conform(tmp_path, None)
    every = [v for v in vectors_of("blocks-in-file-order") if v.expectation.kind != "reject"]
    assert {v.id for v in every} <= set(asked)
    assert data["not_covered"] == []


def test_both_ways_to_say_it_are_counted_once(tmp_path: Path) -> None:
    _, data = conform(tmp_path, {"records_per_k": 2}, "--without", "small")
    [small] = [gap for gap in data["not_covered"] if "2k" in gap["what"]]
    assert small["why"] == "--without=small"


def test_the_page_tells_what_is_not_covered(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    conform(tmp_path, {"scales": ["population"]}, "--report", str(tmp_path / "page"))
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "Not covered" in page
    assert "the scale none" in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"scale": ["none"]},
        {"scales": "none"},
        {"scales": ["z"]},
        {"k": [3]},
        {"k": [0, 2]},
        {"records": [5, 2]},
        {"constant": 1},
        {"kinds": ["text"]},
        {"shapes": ["strata", "trees"]},
        ["strata"],
    ],
)
def test_a_description_with_mistakes_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter):
        taken_from(wrong)
    command = program(tmp_path, wrong)
    assert main(["conform", "--algorithm", "mdav", "--", *command]) == 2


TEN = tuple((str(i), str(i * i)) for i in range(10))


@pytest.mark.parametrize(
    ("taken", "change", "gap"),
    [
        ({"k": [2, 4]}, {"k": 5}, "k other than 2 to 4"),
        ({"k": [2, 2]}, {"k": 5}, "k other than 2"),
        ({"k": [2, None]}, {"k": 1}, "k below 2"),
        ({"records": [1, 9]}, {}, "other than 1 to 9 records"),
        ({"records_per_k": 3}, {"k": 4}, "fewer than 3k records"),
        ({"attributes": [1, 1]}, {}, "other than 1 attribute"),
        ({"seeds": False}, {"seed": 3}, "the seed of a random stream"),
        ({"parameters": ["gamma"]}, {"parameters": {"cap": "none"}}, "the parameter cap"),
        ({"parameters": ["cap"]}, {"parameters": {"cap": "none"}}, ""),
        (
            {"kinds": ["numeric"]},
            {"kinds": ("numeric", "nominal")},
            "attributes of the kind nominal",
        ),
        ({"kinds": ["nominal"]}, {}, "attributes of the kind numeric"),
        ({"kinds": []}, {}, ""),
        ({}, {"strata": ("a",) * 10}, "strata"),
        ({"shapes": ["strata"]}, {"strata": ("a",) * 10}, ""),
        ({"shapes": ["strata"]}, {"series": "sts"}, "time series"),
        (
            {"constant": False},
            {"records": (("1", "2"), ("1", "3"))},
            "an attribute that has one value",
        ),
    ],
)
def test_gaps_by_hand(taken: Any, change: dict[str, Any], gap: str) -> None:
    given: dict[str, Any] = {"claim": "mdav", "k": 2, "records": TEN} | change
    case = Case("c", given.pop("claim"), given.pop("k"), given.pop("records"), **given)
    assert taken_from(taken).gap(case) == gap
    assert Taken().gap(case) == ""
    assert SILENT.gap(case) == (gap if taken == {} else SILENT.gap(case))


def test_functions_and_hunts_heed_it(capsys: pytest.CaptureFixture[str]) -> None:
    here = f"{__name__}:only_five"
    assert main(["conform", "--algorithm", "any k-partition", "--python", here]) == 0
    assert "not supported by the implementation" in capsys.readouterr().out
    options = ["--algorithm", "any k-partition", "--max-questions", "50", "-k", "2-3"]
    assert main(["hunt", *options, "--python", here]) == 0


def only_five(records: list[list[float]], k: int) -> list[int]:
    if not 1 <= k <= len(records) or len({len(row) for row in records}) != 1 or not records[0]:
        raise ValueError("k or shape")
    for row in records:
        for cell in row:
            if isinstance(cell, str) or cell != cell or abs(cell) == float("inf"):
                raise ValueError("a cell")
    assert len(records[0]) <= 2, "what is declared is asked"
    return [min(i // k, len(records) // k - 1) for i in range(len(records))]


only_five.describes = {"attributes": [1, 2], "kinds": ["numeric"]}  # type: ignore[attr-defined]


def test_a_hunt_asks_nothing_on_another_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["hunt", "--algorithm", "mdav", "--", *program(tmp_path, {"scales": ["population"]})]
    assert main(command) == 2
    assert "standardise is none, and the implementation takes population" in capsys.readouterr().err


def test_a_hunt_has_no_topics_below_the_declared_records() -> None:
    asked = narrowed(wanted("mdav"), taken_from({"records_per_k": 2}))
    assert asked.without == ("small",)
    assert narrowed(wanted("mdav"), taken_from({})).without == ()
