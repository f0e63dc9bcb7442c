"""Fuzzy microaggregation and noise from file to verdict: right releases, spoilt ones, extremes.

Only commands and files are used, so that nothing depends on how the judge is built.
"""

from __future__ import annotations

import csv
import json
import os
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from faulty.fuzzy_programs import Steps, run
from places import ROOT
from plain.stream import Stream as PlainStream

import oracle.commands.main
import refagg.commands.main

SEEDS = range(int(os.environ.get("REFAGG_FUZZY_SEEDS", "4")))
"""More seeds make a longer test."""

EFCM = ("--param", "kind=efcm")
NEAR = [*range(11), 100]
"""With EFCM and lambda = 1 the centres of 0 to 10 nearly coincide."""

FAR = [10**15 + x / 8 for x in (0, 1, 2, 9, 11, 12, 30, 31)]


class Files:
    """A folder with a file that is masked, its release and its report."""

    def __init__(self, folder: Path) -> None:
        self.original, self.released = folder / "a.csv", folder / "b.csv"
        self.report, self.verdict = folder / "mask.json", folder / "audit.json"

    def write(self, rows: list[list[Any]], path: Path | None = None) -> None:
        with (path or self.original).open("w", newline="") as file:
            names = [f"x{j}" for j in range(len(rows[0]))]
            csv.writer(file).writerows([names, *rows])

    def rows(self) -> list[list[str]]:
        with self.released.open(newline="") as file:
            return list(csv.reader(file))[1:]

    def mask(self, *options: object, algorithm: str = "fuzzy") -> int:
        words = ["mask", self.original, "--algorithm", algorithm, "-o", self.released]
        return refagg.commands.main.main(
            [str(w) for w in (*words, "--json", self.report, *options)]
        )

    def audit(
        self, *options: object, anonymity: str = "on-average", algorithm: str = "fuzzy"
    ) -> tuple[int, dict[str, dict[str, Any]]]:
        """The exit status and the checks by their names."""
        words = ["audit", self.original, self.released, "--algorithm", algorithm]
        words += ["--anonymity", anonymity, "--json", self.verdict, *options]
        status = oracle.commands.main.main([str(w) for w in words])
        [block] = json.loads(self.verdict.read_text())["blocks"]
        return status, {check["name"]: check for check in block["checks"]}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


# Right releases


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decimals", [(), ("--decimals", "3")], ids=["all digits", "3 decimals"])
@pytest.mark.parametrize("values", [NEAR, FAR], ids=["0 to 10 and 100", "near 1e15"])
def test_right_releases_pass_where_centres_nearly_coincide(
    files: Files, values: list[Any], decimals: tuple[str, ...], seed: int
) -> None:
    files.write([[x] for x in values])
    options = ("-k", 3, *EFCM)
    assert files.mask(*options, "--seed", seed, *decimals) == 0
    status, checks = files.audit(*options, "--centres", files.report, "--seed", seed)
    assert status == 0, checks
    status, checks = files.audit(*options, "--centres", files.report)
    assert checks["released rows"]["status"] == "holds"
    assert status in (0, 2), checks


def test_centres_that_meet_constraints_are_published_as_they_are_released(files: Files) -> None:
    """Off the constraint by rounding of x1, a centre would be off in x0 by more than x0 is."""
    random = Random(3)
    spread = [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(12)]
    files.write([[repr(x * 1e-12), repr(y * 1e15), repr(x + y)] for x, y in spread])
    options = ("-k", 3, "--param", "m2=3", "--constraint", "x0 + x1 = x2")
    assert files.mask(*options, "--seed", 1) == 0
    assert files.audit(*options, "--centres", files.report)[0] in (0, 2)
    assert files.audit(*options, "--centres", files.report, "--seed", 1)[0] == 0


def test_a_seed_gives_a_release_that_was_rounded_to_meet_constraints(files: Files) -> None:
    files.write([[x, 3 * x % 7, x + 3 * x % 7] for x in range(12)])
    options = ("-k", 3, "--constraint", "x0 + x1 = x2")
    assert files.mask(*options, "--seed", 1, "--decimals", 1) == 0
    assert files.audit(*options, "--seed", 1)[0] == 0


# What is promised, and what decides


def test_joint_k_anonymity_is_not_what_draws_promise(files: Files) -> None:
    files.write([[x] for x in NEAR])
    assert files.mask("-k", 3, "--seed", 4) == 0
    sizes = [files.rows().count(row) for row in files.rows()]
    assert min(sizes) < 3
    statuses = {}
    for anonymity in ("joint", "on-average", "none"):
        status, checks = files.audit("-k", 3, "--seed", 4, anonymity=anonymity)
        statuses[anonymity] = status, checks["k-anonymous over all quasi-identifiers"]["status"]
    assert statuses == {
        "joint": (1, "fails"),
        "on-average": (0, "reported"),
        "none": (0, "reported"),
    }


def test_a_guarantee_is_joint_k_anonymity(files: Files) -> None:
    files.write([[x, x % 4] for x in NEAR])
    options = ("-k", 3, "--param", "guarantee=merge")
    assert files.mask(*options, "--seed", 4) == 0
    assert files.audit(*options, "--seed", 4, anonymity="joint")[0] == 0


def test_fewer_records_than_k_for_a_centre_are_no_average_of_k(files: Files) -> None:
    files.write([[x] for x in NEAR])
    options = ("-k", 3, "--param", "c=6")
    assert files.mask(*options, "--seed", 4) == 0
    status, checks = files.audit(*options, "--seed", 4)
    assert (status, checks["group sizes"]["status"]) == (1, "fails")


def test_with_a_seed_the_test_of_draws_is_only_reported(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The level 1 rejects everything."""
    monkeypatch.setattr("oracle.auditing.assignment.LEVEL", 1.0)
    files.write([[x] for x in NEAR])
    assert files.mask("-k", 3, "--seed", 4) == 0
    status, checks = files.audit("-k", 3, "--centres", files.report)
    assert (status, checks["assignment"]["status"]) == (1, "fails")
    status, checks = files.audit("-k", 3, "--centres", files.report, "--seed", 4)
    assert (status, checks["assignment"]["status"]) == (0, "reported")


def test_a_run_that_has_not_converged_is_not_taken_for_a_wrong_one(files: Files) -> None:
    """Without a report it is not known that it has not."""
    random = Random(2)
    files.write([[random.randint(0, 99), random.randint(0, 99)] for _ in range(15)])
    options = ("-k", 5, "--param", "limit=1")
    assert files.mask(*options, "--seed", 2) == 0
    status, checks = files.audit(*options)
    assert (status, checks["centres"]["status"]) == (2, "not judged")
    assert files.audit(*options, "--seed", 2)[0] == 0


def test_a_last_step_that_hardly_moves_centres_can_come_before_one_that_does(
    files: Files,
) -> None:
    """Found at random: a centre 3e-9 from a record that other centres have reached."""
    text = (
        "3 6,4 3,1000000 5,9 3,4 1000000,9 0,9 4,4 6,5 8,9 0,1 0,3 4,7 2,0 7,1000000 1,9 1000000,"
        "2 6,0 10,9 8,10 1,1 8,0 0,1 0,6 10,3 0,3 1,4 0,7 0,1000000 6,8 3,10 1,2 3,2 6,6 10,2 3,0 9"
    )
    files.write([row.split() for row in text.split(",")])
    assert files.mask("-k", 3, "--seed", 209) == 0
    status, checks = files.audit("-k", 3, "--centres", files.report)
    assert (status, checks["centres"]["status"]) == (2, "not judged")
    assert files.audit("-k", 3, "--centres", files.report, "--seed", 209)[0] == 0


# Wrong releases


@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_at_a_centre_that_nearly_coincides_is_found(files: Files, seed: int) -> None:
    files.write([[x] for x in NEAR])
    options = ("-k", 3, *EFCM)
    assert files.mask(*options, "--seed", seed) == 0
    rows = files.rows()
    for record in (seed, seed + 6):
        others = [row for row in rows if row != rows[record]]
        if others:
            changed = [*rows[:record], others[seed % len(others)], *rows[record + 1 :]]
            files.write(changed, files.released)
            assert files.audit(*options, "--seed", seed)[0] != 0


def test_a_cell_that_is_changed_is_found_beside_a_large_offset(files: Files) -> None:
    """A millionth of the value is far more than all values differ."""
    files.write([[10**15 + x] for x in NEAR])
    assert files.mask("-k", 3, "--seed", 1) == 0
    rows = files.rows()
    for change in (1, 50):
        changed = [*rows[:5], [repr(float(rows[5][0]) + change)], *rows[6:]]
        files.write(changed, files.released)
        assert files.audit("-k", 3, "--seed", 1)[0] != 0


def test_noise_that_is_changed_is_found_beside_a_large_offset(files: Files) -> None:
    files.write([[10**15 + x] for x in NEAR])
    for decimals in ((), ("--decimals", 1)):
        assert files.mask("--seed", 1, *decimals, algorithm="gaussian-noise") == 0
        words = ("-k", 1, "--seed", 1)
        assert files.audit(*words, anonymity="none", algorithm="gaussian-noise")[0] == 0
        rows = files.rows()
        rows[5] = [repr(float(rows[5][0]) + 5)]
        files.write(rows, files.released)
        assert files.audit(*words, anonymity="none", algorithm="gaussian-noise")[0] == 1


def test_the_witness_of_a_row_says_how_far_off_it_is(files: Files) -> None:
    files.write([[x] for x in range(12)])
    assert files.mask("-k", 3, "--seed", 1) == 0
    rows = files.rows()
    first = float(rows[0][0])
    rows[0] = [repr(first + 2e-8)]
    files.write(rows, files.released)
    status, checks = files.audit("-k", 3, "--centres", files.report)
    assert (status, checks["released rows"]["status"]) == (1, "fails")
    [line] = checks["released rows"]["witness"]
    assert "record 0 is released with" in line
    assert float(line.rpartition("differs by ")[2]) == pytest.approx(2e-8, rel=1e-6)


# Every draw, as another program makes it


class Uniform(PlainStream):
    """The random stream of the page, and `uniform`."""

    def randbelow(self, m: int) -> int:
        return self.below(m)

    def uniform(self) -> float:
        return self.below(2**53) / 2**53


@pytest.mark.parametrize("guarantee", ["none", "redraw"])
def test_a_program_of_the_page_makes_the_release_of_a_seed(files: Files, guarantee: str) -> None:
    """Duplicates matter: no two centres start with the same values while others are left."""
    random, repeated = Random(guarantee), 0
    options = ("-k", 2, "--standardise", "none", "--param", f"guarantee={guarantee}")
    steps = Steps(stream=lambda keywords: Uniform(keywords["seed"]))
    for seed in range(6):
        rows = [[float(random.randint(0, 3)), float(random.randint(0, 2))] for _ in range(10)]
        repeated += len(set(map(tuple, rows))) < len(rows)
        files.write(rows)
        assert files.mask(*options, "--seed", seed) == 0
        theirs = run(rows, 2, steps, {"seed": seed, "guarantee": guarantee}).rows()
        for ours, row in zip(files.rows(), theirs, strict=True):
            assert list(map(float, ours)) == pytest.approx(row, abs=1e-5)
    assert repeated


def test_the_page_has_the_draws_of_what_a_stream_is_asked_for() -> None:
    page = ROOT / "docs" / "protocol.md"
    table = page.read_text().partition("specifies the draws")[2].partition("\n## ")[0]
    for name in ("random-seed", "k-means", "k-modes", "fuzzy", "gaussian-noise"):
        assert f"`{name}`" in table
    assert "no two of which have the same values" in (page.parent / "fuzzy.md").read_text()


# Values near the end of binary64, and beyond

TABLES = {
    "beyond": [["1e309", 1], ["2e309", 5], ["3e309", 2], ["9e309", 7]],
    "at the end": [["1e308", "1e308"], ["-1e308", "1e308"], ["1e308", "-1e308"], ["9", "7"]],
    "below the least": [["1e-330", 1], ["2e-330", 5], ["3e-330", 2], ["9e-330", 7]],
    "far beyond": [["1e990", 1], ["2e990", 5], ["-3e990", 2], ["9", 7]],
}
"""Divided by the first value the first attributes are as small numbers are."""

DRAWN = ("fuzzy", "gaussian-noise")


@pytest.mark.parametrize("algorithm", ["tfrp-1", "tfrp-2", "projection", "fuzzy", "gaussian-noise"])
@pytest.mark.parametrize("how", ["population", "none"])
@pytest.mark.parametrize("name", TABLES)
def test_extreme_values_are_masked_rightly_or_refused_by_name(
    files: Files, capsys: pytest.CaptureFixture[str], algorithm: str, how: str, name: str
) -> None:
    files.write(TABLES[name])
    k = 1 if algorithm == "gaussian-noise" else 2
    options: tuple[object, ...] = ("--standardise", how)
    options += ("--seed", 1) if algorithm in DRAWN else ()
    options += ("-k", k) if k > 1 else ()
    status = files.mask(*options, algorithm=algorithm)
    if status:
        assert status == 2
        assert "binary64" in capsys.readouterr().err
        assert not files.released.exists()
        return
    promise = {"fuzzy": "on-average", "gaussian-noise": "none"}.get(algorithm, "joint")
    judged = [*options] if k > 1 else [*options, "-k", 1]
    assert files.audit(*judged, anonymity=promise, algorithm=algorithm)[0] == 0
    words = ["measure", str(files.original), str(files.released)]
    assert refagg.commands.main.main(words) == 0


@pytest.mark.parametrize("algorithm", ["tfrp-1", "tfrp-2", "projection"])
def test_standardised_extreme_values_make_the_groups_of_small_ones(
    files: Files, algorithm: str
) -> None:
    """1, 2, 3, 9 times 1e309."""
    groups = []
    for scale in ("", "e309"):
        files.write([[f"{row[0][0]}{scale}", row[1]] for row in TABLES["beyond"]])
        assert files.mask("-k", 2, algorithm=algorithm) == 0
        groups.append(json.loads(files.report.read_text())["blocks"][0]["groups"])
    assert groups[0] == groups[1]


def test_fuzzy_centres_beyond_binary64_are_those_of_small_values(files: Files) -> None:
    released = []
    for scale in ("", "e309"):
        files.write([[f"{x}{scale}", y] for x, y in zip((1, 2, 3, 9), (1, 5, 2, 7), strict=True)])
        assert files.mask("-k", 2, "--seed", 1) == 0
        assert files.audit("-k", 2, "--seed", 1, "--centres", files.report)[0] == 0
        released.append([Fraction(row[0]) for row in files.rows()])
    for small, large in zip(*released, strict=True):
        assert float(large / 10**309) == pytest.approx(float(small), rel=1e-9)


def test_compare_names_what_is_beyond_binary64(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.write(TABLES["beyond"])
    words = ["compare", str(files.original), "-k", "2", "--algorithm", "tfrp-1,projection,mdav"]
    assert refagg.commands.main.main([*words, "--standardise", "population"]) == 0
    capsys.readouterr()
    assert refagg.commands.main.main([*words, "--standardise", "none"]) == 1
    assert capsys.readouterr().out.count("failed: BeyondFloats: ") == 2
