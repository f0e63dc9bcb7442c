"""The judge of fuzzy releases: right ones by another implementation, and planted wrong ones.

The other implementation is in this file: plain formulas, Python's own random numbers.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import dist, fsum, log, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest
from places import ROOT

import oracle.commands.main
import refagg.commands.main
from oracle.auditing import assignment
from oracle.auditing import fuzzy_release as attacks
from oracle.auditing.cases import AuditedRelease
from oracle.auditing.driver import Check, driven
from oracle.auditing.fuzzy import fuzzy_facts
from oracle.auditing.observed_release import (
    Fuzziness,
    Published,
    next_centres,
    scaled_coordinates,
    slack_of,
)
from refagg import table_of
from refagg.constraints.equations import parse_constraint
from refagg.constraints.system import system_of
from refagg.data.standardise import standardise
from refagg.data.tables import Table, column_of
from refagg.datasets import shipped_folder
from refagg.language.random_stream import seeded
from tests.suites import one_in

M1, M2, K = 1.5, 2.0, 3

Point = tuple[float, ...]


def records(n: int = 96) -> list[Point]:
    """Records in a square, to 2 decimals; the third attribute is the sum of the others."""
    draw = random.Random(7)
    pairs = [(round(draw.uniform(0, 9), 2), round(draw.uniform(0, 9), 2)) for _ in range(n)]
    return [(x, y, round(x + y, 2)) for x, y in pairs]


def chances(x: Point, centres: list[Point], m: float) -> list[float]:
    return [1 / fsum((dist(x, v) / dist(x, w)) ** (2 / (m - 1)) for w in centres) for v in centres]


def centres_of(points: list[Point], c: int, m: float, rounds: int = 200) -> list[Point]:
    centres = random.Random(3).sample(points, c)
    centres = [tuple(x + 0.001 for x in centre) for centre in centres]
    for _ in range(rounds):
        weights = [[u**m for u in chances(x, centres, m)] for x in points]
        totals = [fsum(column) for column in zip(*weights, strict=True)]
        centres = [
            tuple(
                fsum(w[i] * x[j] for w, x in zip(weights, points, strict=True)) / totals[i]
                for j in range(len(points[0]))
            )
            for i in range(c)
        ]
    return centres


@dataclass(frozen=True)
class Made:
    """An original, its centres by another program, and the chances of each record."""

    original: Table
    centres: list[Point]
    chances: list[list[float]]
    near: list[int]

    def draw(self, seed: int) -> list[int]:
        own = random.Random(seed)
        return [own.choices(range(len(row)), row)[0] for row in self.chances]

    def release(self, assignment: list[int], decimals: int = 12) -> Table:
        rows = [[Decimal(f"{x:.{decimals}f}") for x in self.centres[i]] for i in assignment]
        return table_of(rows, self.original.names)


@pytest.fixture(scope="module")
def made() -> Made:
    return make(records(), 12)


def make(rows: list[Point], c: int) -> Made:
    original = table_of([[Decimal(str(x)) for x in row] for row in rows], ["a", "b", "sum"])
    columns = list(zip(*rows, strict=True))
    scale = [(fmean(column), pstdev(column)) for column in columns]
    points = [tuple((x - m) / s for x, (m, s) in zip(row, scale, strict=True)) for row in rows]
    centres = centres_of(points, c, M1)
    shares = [chances(x, centres, M2) for x in points]
    raw = [tuple(m + x * s for x, (m, s) in zip(v, scale, strict=True)) for v in centres]
    return Made(original, raw, shares, [row.index(max(row)) for row in shares])


def judged(made: Made, released: Table, k: int = K, **changes: Any) -> dict[str, Check]:
    published = Published(
        Fuzziness("fcm", M1),
        Fuzziness("fcm", M2),
        len(made.centres),
        [tuple(map(Fraction, centre)) for centre in made.centres],
    )
    case = AuditedRelease(made.original, released, k, None, [])
    scaled = standardise(made.original)
    at_hand, _ = fuzzy_facts(case, scaled, replace(published, **changes), Fraction(1, 10**9))
    checks = list(driven(at_hand))
    return {check.name: check for check in checks}


def statuses(checks: dict[str, Check]) -> dict[str, str]:
    return {name: check.status for name, check in checks.items() if check.status != "holds"}


# Right releases


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_right_releases_are_accepted(made: Made, seed: int) -> None:
    checks = judged(made, made.release(made.draw(seed)))
    assert statuses(checks) == {}
    assert "not k-anonymity" in checks["group sizes"].summary


@pytest.mark.parametrize("decimals", [1, 3])
def test_rounded_releases_are_accepted(made: Made, decimals: int) -> None:
    assert statuses(judged(made, made.release(made.draw(1), decimals))) == {}


def test_centres_need_not_be_published_if_all_have_records(made: Made) -> None:
    own = made.draw(2)
    assert set(own) == set(range(12))
    assert statuses(judged(made, made.release(own), centres=None)) == {}


def test_a_centre_that_is_not_seen_leaves_a_release_not_judged(made: Made) -> None:
    own = [i if i else 1 for i in made.draw(2)]
    found = statuses(judged(made, made.release(own), centres=None))
    assert found == {"centres": "not judged", "assignment": "not judged"}


def test_at_most_one_right_release_in_a_hundred_is_rejected(made: Made) -> None:
    """The three p-values share the level; the rarest record makes little use of its part."""
    distribution = assignment.distribution_of_logs([[log(u) for u in row] for row in made.chances])
    stream = seeded(5)
    drawn = [distribution.draw(stream) for _ in range(assignment.SIMULATIONS)]
    null = assignment.Null(
        distribution,
        sorted(map(distribution.likelihood, drawn)),
        sorted(map(distribution.spread_of_sizes, drawn)),
    )
    rejected = sum(null.rejects(made.draw(seed)) for seed in range(300))
    assert rejected <= 9  # 3 expected at most; 10 or more have a probability below 0.002


# Planted wrong releases


def test_all_to_the_nearest_centre_is_rejected(made: Made) -> None:
    found = judged(made, made.release(made.near))
    assert statuses(found) == {"assignment": "fails"}
    assert found["assignment"].details["z"] > 4
    assert found["assignment"].details["power"]["all to the nearest centre"] == 1


def test_uniform_draws_are_rejected(made: Made) -> None:
    own = random.Random(4)
    found = judged(made, made.release([own.randrange(12) for _ in made.near]))
    assert statuses(found) == {"assignment": "fails"}
    assert found["assignment"].details["z"] < -4


def test_draws_with_another_fuzziness_are_rejected(made: Made) -> None:
    found = judged(made, made.release(made.draw(1)), assigning=Fuzziness("fcm", 1.2))
    assert statuses(found) == {"assignment": "fails"}


def test_a_record_where_it_hardly_can_be_is_rejected(made: Made) -> None:
    """One record in 96 at the centre that is least likely for it, with m2 = 1.2."""
    sharp = [[u**5 for u in row] for row in made.chances]
    shares = [[u / fsum(row) for u in row] for row in sharp]
    own = replace(made, chances=shares).draw(1)
    distribution = Fuzziness("fcm", 1.2)
    assert statuses(judged(made, made.release(own), assigning=distribution)) == {}
    own[17] = shares[17].index(min(shares[17]))
    found = judged(made, made.release(own), assigning=distribution)
    assert statuses(found) == {"assignment": "fails"}
    assert any(line.startswith("record 17 ") for line in found["assignment"].witness)


def test_sizes_that_are_too_even_are_rejected(made: Made) -> None:
    """Draws exchanged so that no size is more than 1 from what is expected; T hardly sees it."""
    expected = [fsum(column) for column in zip(*made.chances, strict=True)]
    own = made.draw(3)
    for _ in range(400):
        over = [own.count(i) - e for i, e in enumerate(expected)]
        high, low = over.index(max(over)), over.index(min(over))
        moves = [k for k, i in enumerate(own) if i == high]
        gain = [made.chances[k][low] / made.chances[k][high] for k in moves]
        if over[high] - over[low] < 1:
            break
        own[moves[gain.index(max(gain))]] = low
    found = judged(made, made.release(own))["assignment"]
    assert found.status == "fails"
    assert found.details["p_sizes"] < 0.003


def test_centres_that_are_shifted_are_rejected(made: Made) -> None:
    moved = replace(made, centres=[(a + 0.2, b, s + 0.2) for a, b, s in made.centres])
    found = judged(moved, moved.release(made.draw(1)))
    assert found["centres"].status == "fails"
    assert "moves to" in found["centres"].witness[0]
    found = judged(made, moved.release(made.draw(1)))
    assert found["released rows"].status == "fails"


def test_a_run_that_stopped_early_is_rejected(made: Made) -> None:
    table = made.original
    scale = scaled_coordinates(standardise(table))
    points = scale.points(table)
    early = next_centres(points, points[:12], Fuzziness("fcm", M1))
    centres = [tuple(map(float, scale.row(v))) for v in early]
    shares = [chances(tuple(x), [tuple(v) for v in early], M2) for x in points]
    stopped = Made(table, centres, shares, [])
    assert statuses(judged(stopped, stopped.release(stopped.draw(1)))) == {"centres": "fails"}


def test_a_raw_record_is_rejected(made: Made) -> None:
    own = made.release(made.draw(1))
    for published in (True, False):
        columns = [
            column_of(mine.name, [theirs[0], *mine.values(range(1, own.n))])
            for mine, theirs in zip(own.columns, made.original.columns, strict=True)
        ]
        changes: dict[str, Any] = {} if published else {"centres": None}
        found = judged(made, Table(tuple(columns)), **changes)
        assert found["released rows"].status == "fails"
        assert found["raw records"].status == "fails"
        assert found["raw records"].witness[0].startswith("record 0 ")


def test_crisp_draws_are_nearest_centres_or_impossible(made: Made) -> None:
    crisp = Fuzziness("crisp")
    assert statuses(judged(made, made.release(made.near), assigning=crisp)) == {}
    own = list(made.near)
    own[5] = (own[5] + 1) % 12
    found = judged(made, made.release(own), assigning=crisp)["assignment"]
    assert found.status == "fails"
    assert found.witness[0].startswith("record 5 ")


def test_constraints_are_judged(made: Made) -> None:
    constraints = (parse_constraint("a + b = sum"),)
    system = system_of(constraints, made.original.names)
    own = made.draw(1)
    # Means of records that satisfy the constraint satisfy it.
    assert statuses(judged(made, made.release(own), system=system, constraints=constraints)) == {}
    off = replace(made, centres=[(a, b, s + 0.01) for a, b, s in made.centres])
    found = judged(off, off.release(own), system=system, constraints=constraints)
    assert found["constraints"].status == "fails"


def test_more_centres_than_k_allows(made: Made) -> None:
    assert judged(made, made.release(made.draw(1)), k=11)["group sizes"].status == "fails"


def test_with_a_guarantee_sizes_are_judged_and_draws_are_not(made: Made) -> None:
    own = made.draw(1)
    own = [0 if i == 0 and k else i for k, i in enumerate(own)]
    found = judged(made, made.release(own), k=30, guarantee="merge", c=4, centres=None)
    assert found["released rows"].status == "fails"
    found = judged(made, made.release(own), k=9, guarantee="merge")
    assert found["group sizes"].status == "fails"
    assert found["assignment"].status == "not judged"


# The parts


def test_moments_of_the_likelihood_by_hand() -> None:
    """One record, 1/4 and 3/4: mean 1/4 log 1/4 + 3/4 log 3/4, variance 3/16 (log 3)^2."""
    distribution = assignment.distribution_of_logs([[log(0.25), log(0.75)]])
    mean, variance = distribution.likelihood_moments
    assert mean == pytest.approx(0.25 * log(0.25) + 0.75 * log(0.75))
    assert variance == pytest.approx(3 / 16 * log(3) ** 2)
    assert distribution.expected == pytest.approx([0.25, 0.75])
    assert distribution.variances == pytest.approx([3 / 16, 3 / 16])
    assert assignment.rarest_of(distribution, [0]) == (pytest.approx(0.25), 0)
    assert assignment.rarest_of(distribution, [1]) == (pytest.approx(1), 0)


def test_moments_agree_with_simulation(made: Made) -> None:
    distribution = assignment.distribution_of_logs([[log(u) for u in row] for row in made.chances])
    mean, variance = distribution.likelihood_moments
    drawn = [distribution.likelihood(made.draw(seed)) for seed in range(400)]
    assert abs(fmean(drawn) - mean) < 3 * sqrt(variance / 400)
    assert pstdev(drawn) == pytest.approx(sqrt(variance), rel=0.12)


def test_rank_is_two_sided_and_never_0() -> None:
    simulated = [float(x) for x in range(99)]
    assert assignment.two_sided(-5.0, simulated) == 2 / 100
    assert assignment.two_sided(200.0, simulated) == 2 / 100
    assert assignment.two_sided(49.0, simulated) == 1


def test_attacks_by_hand() -> None:
    """Places 0 and 10. Records 0, 1, 2 and 9; the third was drawn to the far place.

    Classes {0, 1} and {2, 3}, each of 2. Nearest: records 0, 1 and 3 are found, each 1/2, and
    record 2 is not: 3/8. All classes known: 2/4. With chances 3/4 for the near place the
    posterior, for classes of one size, names the same.
    """
    points, rows, classes = [[0.0], [1.0], [2.0], [9.0]], [[0.0], [10.0]], [0, 0, 1, 1]
    found = attacks.nearest_attack(points, rows, classes)
    assert (found.share, found.most, found.worst) == (3 / 8, 1 / 2, 1 / 2)
    near, far = log(3 / 4), log(1 / 4)
    logs = [[near, far], [near, far], [near, far], [far, near]]
    assert attacks.posterior_attack(logs, classes, 2).share == 3 / 8
    assert attacks.expected_share(logs, classes) == pytest.approx(3 / 8)


def test_the_posterior_weighs_chances_by_sizes() -> None:
    """Record 0 is in class 0 of 3 with 3/5 and alone in class 1 with 2/5: 1/5 against 2/5."""
    logs = [[log(0.6), log(0.4)], [0.0, -99.0], [0.0, -99.0], [0.0, -99.0]]
    assert attacks.posterior_attack(logs, [1, 0, 0, 0], 2).share == pytest.approx(1 / 2)
    assert attacks.posterior_attack(logs, [1, 0, 0, 0], 2).worst == 1


def test_equally_near_places_are_named_in_equal_parts() -> None:
    found = attacks.nearest_attack([[5.0], [0.0]], [[0.0], [10.0]], [1, 0])
    assert found.share == (1 / 2 + 1) / 2


def test_slack_is_half_a_unit_of_the_last_decimal() -> None:
    column = column_of("x", [Fraction("1.25"), Fraction(3)])
    assert slack_of(column, Fraction(0)) == Fraction(1, 200)
    assert slack_of(column, Fraction(1, 3)) == Fraction(1, 200) + 1
    assert slack_of(column_of("x", [Fraction(1, 3)]), Fraction(0)) == 0


# The command

Ran = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def audit(tmp_path: Path) -> Ran:
    def ran(original: Path, released: Path, *options: object) -> tuple[int, dict[str, Any]]:
        report = tmp_path / "audit.json"
        arguments = ["audit", original, released, "-k", 3, "--algorithm", "fuzzy"]
        arguments += ["--anonymity", "on-average", *options]
        status = oracle.commands.main.main([str(a) for a in (*arguments, "--json", report)])
        return status, json.loads(report.read_text()) if report.exists() else {}

    return ran


def masked(tmp_path: Path, original: Path, *options: object) -> tuple[Path, Path]:
    out, report = tmp_path / "out.csv", tmp_path / "mask.json"
    arguments = ["mask", original, "--algorithm", "fuzzy", "-k", 3, "-o", out, "--json", report]
    assert refagg.commands.main.main([str(a) for a in (*arguments, *options)]) == 0
    return out, report


TABLE_1 = shipped_folder() / "tor-table1.csv"


@pytest.mark.parametrize("kind", [("m1=1.4", "m2=2"), ("kind=efcm", "lambda1=2", "lambda2=1")])
def test_releases_of_this_project_are_accepted(tmp_path: Path, audit: Ran, kind: Any) -> None:
    options = [text for parameter in kind for text in ("--param", parameter)]
    out, report = masked(tmp_path, TABLE_1, "--seed", 4, *options)
    status, data = audit(TABLE_1, out, *options, "--centres", report)
    assert status == 0, data
    attack = data["facts"]["transparency_attack"]
    assert attack["mdav_nearest"]["most"] == 4 / 12
    assert 0 <= attack["posterior"]["share"] <= attack["posterior"]["most"]


def test_the_seed_is_a_check(tmp_path: Path, audit: Ran) -> None:
    out, report = masked(tmp_path, TABLE_1, "--seed", 4)
    for seed, expected in ((4, "holds"), (5, "fails")):
        status, data = audit(TABLE_1, out, "--centres", report, "--seed", seed)
        assert data["blocks"][0]["checks"][-1]["status"] == expected
        assert status == (0 if expected == "holds" else 1)


def test_centres_in_a_csv_file(tmp_path: Path, audit: Ran) -> None:
    out, report = masked(tmp_path, TABLE_1, "--seed", 4)
    values = json.loads(report.read_text())["blocks"][0]["centres"][0]["values"]
    listed = tmp_path / "centres.csv"
    with listed.open("w", newline="") as file:
        csv.writer(file).writerows([["v1", "v2", "v3"], *values])
    assert audit(TABLE_1, out, "--centres", listed)[0] == 0


def test_a_report_without_centres(tmp_path: Path, audit: Ran, capsys: Any) -> None:
    out, report = masked(tmp_path, TABLE_1, "--seed", 4)
    report.write_text("{}")
    assert audit(TABLE_1, out, "--centres", report)[0] == 2
    assert "not a report that lists the centres" in capsys.readouterr().err


def test_options_of_other_audits_are_refused(tmp_path: Path, audit: Ran) -> None:
    out, _ = masked(tmp_path, TABLE_1, "--seed", 4)
    assert audit(TABLE_1, out, "--strata", "v1")[0] == 2
    assert audit(TABLE_1, out, "--optimum")[0] == 2


def test_at_m_50_raw_records_are_found(tmp_path: Path, audit: Ran) -> None:
    """Where Proposition 8 sends every centre to the mean."""
    options = ["--param", "m1=50", "--param", "m2=2", "--standardise", "none"]
    out, report = masked(tmp_path, TABLE_1, "--seed", 4, *options, "--decimals", "2")
    for anonymity, expected in (("on-average", "reported"), ("joint", "fails")):
        words = [*options, "--centres", report, "--anonymity", anonymity]
        _, data = audit(TABLE_1, out, *words)
        checks = {check["name"]: check["status"] for check in data["blocks"][0]["checks"]}
        assert checks["raw records"] == expected


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "fuzzy.md"
    monkeypatch.chdir(tmp_path)
    commands = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}
    lines = [line.split() for line in page.read_text().splitlines() if line.startswith("    ")]
    assert len(lines) == 4
    for program, *arguments in lines:
        assert commands[program](arguments) == 0


def audited_fuzzy(folder: Path, mask: list[str], audit: list[str]) -> dict[str, str]:
    """The statuses of the checks of a release, by a report."""
    out, told = str(folder / "r.csv"), folder / "told.json"
    original, report = str(folder / "o.csv"), str(folder / "report.json")
    words = ["--algorithm", "fuzzy", "-k"]
    made = ["mask", original, "-o", out, "--json", report, *words, *mask]
    assert refagg.commands.main.main(made) == 0
    oracle.commands.main.main(["audit", original, out, "--json", str(told), *words, *audit])
    data = json.loads(told.read_text())
    return {one["name"]: one["status"] for block in data["blocks"] for one in block["checks"]}


def test_rounded_rows_are_no_exact_centres(tmp_path: Path) -> None:
    """Rounded to integers they are records, whose memberships would be 1."""
    some = random.Random(0)
    numbers = [f"{some.randint(1, 10)}\n" for _ in range(40)]
    (tmp_path / "o.csv").write_text("x\n" + "".join(numbers))
    how = ["10", "--param", "m1=1.5", "--param", "m2=3"]
    exact = ["--centres", str(tmp_path / "report.json")]
    for seed in range(3):
        mask = [*how, "--seed", str(seed), "--decimals", "0"]
        assert audited_fuzzy(tmp_path, mask, how)["assignment"] == "not judged"
        assert audited_fuzzy(tmp_path, mask, [*how, *exact])["assignment"] == "holds"


def test_published_centres_are_counted_and_may_be_records_up_to_a_float(tmp_path: Path) -> None:
    some = random.Random(1)
    rows = [f"{some.randint(1, 99)},{some.randint(1, 9999) / 100}\n" for _ in range(12)]
    (tmp_path / "o.csv").write_text("a,b\n" + "".join(rows))
    audit = ["3", "--centres", str(tmp_path / "report.json"), "--anonymity", "on-average"]
    found = audited_fuzzy(tmp_path, ["3", "--param", "c=12", "--seed", "5"], audit)
    assert (found["group sizes"], found["raw records"]) == ("fails", "reported")
    assert "12 released rows are original records" in (tmp_path / "told.json").read_text()
