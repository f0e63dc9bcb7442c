"""Who made this release? Who could have is found, and others are ruled out, with the step."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest
from suites import one_in

import oracle
import refagg
from oracle.auditing.candidates import settings_of
from oracle.commands.main import main
from refagg.catalogue import specification
from refagg.errors import InvalidParameter, UnknownAlgorithm, UnknownParameter

QUICK = ["mdav", "mdav-single", "v-mdav", "md", "iv-mdav", "blocks-in-file-order"]
FEW = ["mdav", "md", "blocks-in-file-order"]


def table(n: int = 23, seed: int = 8) -> list[list[int]]:
    random = Random(seed)
    return [[random.randrange(1000), random.randrange(1000)] for _ in range(n)]


def released(rows: list[list[int]], algorithm: str, scale: str, **parameters: object) -> object:
    made = refagg.microaggregate(
        rows, 3, algorithm=algorithm, standardise=scale, parameters=parameters
    )
    return [made.released.row(record) for record in range(len(rows))]


@pytest.mark.parametrize("algorithm", one_in(12, QUICK))
@pytest.mark.parametrize("scale", one_in(2, ["population", "none"]))
@pytest.mark.parametrize("tried", one_in(2, [FEW, QUICK]), ids=len)
def test_who_made_it_is_possible(algorithm: str, scale: str, tried: list[str]) -> None:
    rows = table()
    others = list(dict.fromkeys([algorithm, *tried]))
    found = oracle.identify(rows, released(rows, algorithm, scale), 3, algorithm=others)
    assert (algorithm, scale) in {(one.algorithm, one.standardise) for one in found.possible}
    assert [check.status for check in found.checks] == ["holds"] * 3
    assert found.exit_status == 0


def test_who_cannot_have_made_it_is_ruled_out_with_the_step() -> None:
    """By hand: blocks of three in the file are no run of MDAV, whose x_r is record 0."""
    rows = [[0], [50], [9], [51], [8], [52], [100], [101], [102]]
    mean = {0: 59 / 3, 1: 111 / 3, 2: 101}
    found = oracle.identify(
        rows, [[mean[i // 3]] for i in range(9)], 3, algorithm=["mdav", "blocks-in-file-order"]
    )
    by_status = {one.algorithm: one.status for one in found.candidates}
    assert by_status == {"mdav": "ruled out", "blocks-in-file-order": "possible"}
    ruled_out = [one for one in found.candidates if one.algorithm == "mdav"]
    assert all(one.witness[0].startswith("iteration 1, step") for one in ruled_out)


def test_parameters_are_told_apart() -> None:
    """V-MDAV with gamma 2 takes in more records than with 0.2."""
    rows = table(30, 2)
    release = released(rows, "v-mdav", "none", gamma=2)
    found = oracle.identify(
        rows, release, 3, algorithm="v-mdav", parameters={"gamma": [0.2, 2]}, standardise="none"
    )
    assert {one.parameters["gamma"] for one in found.possible} == {"2"}
    tried = {one.parameters.get("gamma", "the default") for one in found.candidates}
    assert tried == {"the default", "2"}  # 0.2 is the default, and not tried twice


def test_a_release_of_nobody() -> None:
    """Every other record: possible for no algorithm of distances."""
    rows = [[value] for value in (0, 100, 1, 101, 2, 102)]
    mean = [sum(rows[i][0] for i in group) / 3 for group in ((0, 1, 3), (2, 4, 5))]
    values = [[mean[0 if i in (0, 1, 3) else 1]] for i in range(6)]
    found = oracle.identify(rows, values, 3, algorithm=["mdav", "mdav-single", "md"])
    assert found.exit_status == 1
    assert found.possible == ()


def test_random_ones_are_not_judged_without_their_seed() -> None:
    rows = table(12)
    made = refagg.microaggregate(rows, 3, algorithm="random-seed", seed=4)
    release = [made.released.row(record) for record in range(12)]
    without = oracle.identify(rows, release, 3, algorithm="random-seed", standardise="population")
    assert {one.status for one in without.candidates} == {"not judged"}
    assert without.exit_status == 2
    found = oracle.identify(
        rows, release, 3, algorithm="random-seed", standardise="population", seed=4
    )
    assert {} in [one.parameters for one in found.possible]


def test_attributes_with_groups_of_their_own() -> None:
    rows = table(14)
    made = refagg.microaggregate(rows, 3, algorithm="individual-ranking")
    release = [made.released.row(record) for record in range(14)]
    found = oracle.identify(rows, release, 3, algorithm=["individual-ranking", "mdav"])
    assert {one.algorithm for one in found.possible} == {"individual-ranking"}


def test_when_the_time_is_over() -> None:
    rows = table()
    found = oracle.identify(rows, released(rows, "mdav", "none"), 3, time_limit=1e-9)
    assert {one.reason for one in found.candidates} == {"the time limit was reached first"}
    assert found.exit_status == 2


def test_all_values_of_a_choice_are_tried_one_at_a_time() -> None:
    tried = list(settings_of(specification("iv-mdav")))
    assert tried[0] == {}
    assert all(len(settings) <= 1 for settings in tried)
    assert {"gamma": "0.2"} in tried
    choices = list(settings_of(specification("mdav-2k")))
    assert {"leftovers": "last-group"} in choices


def files(folder: Path, *releases: object) -> list[str]:
    rows, paths = table(), []
    for number, content in enumerate([rows, *releases]):
        path = folder / f"{number}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["a", "b"])
            writer.writerows([[str(float(cell)) for cell in row] for row in content])  # type: ignore
        paths.append(str(path))
    return paths


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = files(tmp_path, released(table(), "md", "population"))
    out = tmp_path / "out.json"
    asked = ["identify", *paths, "-k", "3", "--algorithm", "md,mdav-single", "--json", str(out)]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "possible: " in said
    assert "  md, standardise population\n" in said
    assert "no way of breaking ties" not in said
    assert main([*asked, "--all"]) == 0
    assert "mdav-single, standardise none: no way of breaking ties" in capsys.readouterr().out
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["format"] == "refagg identification 1"
    assert {one["algorithm"] for one in data["candidates"]} == {"md", "mdav-single"}
    assert main([*asked, "--param", "gamma=1"]) == 2
    assert main([*asked, "--param", "gamma"]) == 2
    assert main(["identify", *paths, "-k", "3", "--algorithm", "nobody"]) == 2


def test_wrong_requests() -> None:
    rows = table()
    with pytest.raises(UnknownAlgorithm):
        oracle.identify(rows, rows, 3, algorithm="nobody")
    with pytest.raises(UnknownParameter, match="no algorithm that is tried"):
        oracle.identify(rows, rows, 3, algorithm="mdav", parameters={"gamma": [1]})
    with pytest.raises(InvalidParameter, match="linkage is 'foo'"):
        oracle.identify(rows, rows, 3, parameters={"linkage": ["ward", "foo"]})
    with pytest.raises(InvalidParameter, match="standardise is 'log'"):
        oracle.identify(rows, rows, 3, standardise="log")
    with pytest.raises(InvalidParameter):
        oracle.identify(rows, rows, 3, time_limit=0)
