"""Releases that meet constraints: what is released, what is reported, and what a judge says."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PARTITIONING, examples, quick_options

from oracle.auditing.centres import centres_of
from oracle.commands.main import main as oracle
from refagg import CATALOGUE, Release, microaggregate
from refagg.commands.main import main as refagg
from refagg.constraints.equations import parse_constraint
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.datasets import load, shipped_folder
from refagg.errors import (
    InconsistentConstraints,
    InvalidBlocks,
    InvalidConstraintText,
    InvalidParameter,
    UnknownColumn,
)

PAY = shipped_folder() / "pay-slips.csv"
SUM, SHARE = "net + tax + insurance = gross", "insurance = 0.09*gross"
BOTH = ["--constraint", SUM, "--constraint", SHARE]
ANY = [
    name
    for name in PARTITIONING
    if CATALOGUE[name].attributes == "any" and CATALOGUE[name].publish is None
]

three_columns = st.lists(
    st.tuples(*[st.integers(-9, 9)] * 3), min_size=4, max_size=9, unique=True
).filter(lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True)))


def rows_of(release: Release) -> list[tuple[Fraction, ...]]:
    return [release.released.row(record) for record in range(release.released.n)]


def mean_row(rows: Sequence[Sequence[int]], group: Sequence[int]) -> list[Fraction]:
    columns = zip(*(rows[record] for record in group), strict=True)
    return [Fraction(sum(column), len(group)) for column in columns]


# Releases


@pytest.mark.parametrize("name", ANY)
@examples(Fraction(1, 10))
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=6, max_size=9))
def test_on_data_that_meet_the_constraints_nothing_moves(
    name: str, pairs: list[tuple[int, int]]
) -> None:
    rows = [(a, b, Fraction(2 * a - b, 3) + 5) for a, b in pairs]
    options = quick_options(name)
    plain = microaggregate(rows, 2, name, **options)
    edited = microaggregate(rows, 2, name, constraints=["2*x1 - x2 = 3*x3 - 15"], **options)
    assert rows_of(edited) == rows_of(plain)
    assert edited.partition == plain.partition
    assert edited.sse == plain.sse


@given(three_columns, st.sampled_from(["none", "population", "sample"]))
def test_released_rows_are_the_nearest_to_the_means_that_meet_the_constraint(
    rows: list[tuple[int, ...]], how: str
) -> None:
    """With one constraint a x = b, x = v - S a (a v - b) / (a S a), S the variances."""
    plain = microaggregate(rows, 2, standardise=how)
    edited = microaggregate(rows, 2, standardise=how, constraints=["x1 + 2*x2 - x3 = 4"])
    assert edited.partition == plain.partition
    a = (1, 2, -1)
    spreads = [1 / weight for weight in standardise(table_of(rows), how).weights]
    across = sum((c * c * s for c, s in zip(a, spreads, strict=True)), Fraction(0))
    lost = Fraction(0)
    for group in plain.partition.groups:
        mean = mean_row(rows, group)
        off = sum((c * x for c, x in zip(a, mean, strict=True)), Fraction(-4)) / across
        expected = [x - s * c * off for x, s, c in zip(mean, spreads, a, strict=True)]
        for record in group:
            assert edited.released.row(record) == tuple(expected)
            lost += sum(
                (x - y) ** 2 / s for x, y, s in zip(rows[record], expected, spreads, strict=True)
            )
    assert edited.sse == lost == sum(block.sse for block in edited.blocks)


def test_the_metric_is_that_of_the_run() -> None:
    # x1 has the population variance 1, x2 4; both means are 0, and x1 + x2 = 5 is missed by 5.
    rows = [[1, 2], [-1, -2], [1, -2], [-1, 2]]
    constraint = ["x1 + x2 = 5"]
    raw = microaggregate(rows, 4, standardise="none", constraints=constraint)
    assert rows_of(raw) == [(Fraction(5, 2), Fraction(5, 2))] * 4
    scaled = microaggregate(rows, 4, constraints=constraint)
    assert rows_of(scaled) == [(1, 4)] * 4
    # SSE: 8 without the constraint, and 4 records times (1/1 + 16/4).
    assert scaled.sse == 8 + 4 * 5


def test_a_constant_attribute_stays_where_it_can() -> None:
    rows = [[1, 2, 7], [2, 4, 7], [9, 9, 7]]
    release = microaggregate(rows, 3, constraints=["x1 + x2 = x3"])
    assert release.released.row(0)[2] == 7
    assert sum(release.released.row(0)[:2]) == 7
    moved = microaggregate(rows, 3, constraints=["x1 + x2 = x3", "x3 = 8"])
    assert moved.released.row(0)[2] == 8
    assert sum(moved.released.row(0)[:2]) == 8


def test_blocks_and_strata() -> None:
    rows = {"a": [1, 2, 9, 8], "b": [1, 1, 5, 6], "c": [4, 4, 1, 2], "d": [3, 8, 3, 1]}
    blocks = [["a", "b"], ["c", "d"]]
    plain = microaggregate(rows, 2, blocks=blocks)
    edited = microaggregate(rows, 2, blocks=blocks, constraints=["a + b = 10"])
    for record in range(4):
        mine, theirs = edited.released.row(record), plain.released.row(record)
        assert mine[0] + mine[1] == 10
        assert mine[2:] == theirs[2:]
    assert edited.blocks[1] == plain.blocks[1]
    with pytest.raises(InvalidBlocks, match=r"'b = c' is between attributes of several blocks"):
        microaggregate(rows, 2, blocks=blocks, constraints=["b = c"])
    strata = microaggregate(rows, 2, strata=["x", "y", "x", "y"], constraints=["a = b"])
    assert strata.partition.groups == ((0, 2), (1, 3))
    assert all(strata.released.row(r)[0] == strata.released.row(r)[1] for r in range(4))


def test_constraints_of_both_blocks() -> None:
    rows = {"a": [1, 2, 9, 8], "b": [1, 1, 5, 6], "c": [4, 4, 1, 2], "d": [3, 8, 3, 1]}
    blocks = [["d", "a"], ["c", "b"]]
    release = microaggregate(rows, 2, blocks=blocks, constraints=["a + d = 1", "b = c"])
    for record in range(4):
        a, b, c, d = release.released.row(record)
        assert (a + d, b - c) == (1, 0)


@pytest.mark.parametrize(
    ("algorithm", "options", "reason"),
    [
        ("mdav", {"aggregate": "median"}, "means of groups; the aggregate is median"),
        ("mdav", {"significant_digits": 3}, "not rounded; significant digits is 3"),
        (
            "gaussian-noise",
            {"seed": 1, "parameters": {"amount": "1"}},
            "means of groups; gaussian-noise forms",
        ),
    ],
)
def test_what_is_no_mean_is_not_moved(algorithm: str, options: dict[str, Any], reason: str) -> None:
    k = 1 if algorithm == "gaussian-noise" else 2
    with pytest.raises(InvalidParameter, match=f"the option constraints applies to .*{reason}"):
        microaggregate([[1, 2], [3, 4]], k, algorithm, constraints=["x1 = x2"], **options)


def test_algorithms_that_publish_values_of_their_own_are_refused() -> None:
    for name, spec in CATALOGUE.items():
        if spec.publish is not None:
            with pytest.raises(InvalidParameter, match="publishes"):
                microaggregate([[1], [3]], 2, name, constraints=["x1 = 1"], **quick_options(name))


def test_requests_are_checked_before_any_work() -> None:
    rows = [[1, 2], [3, 4]]
    with pytest.raises(InvalidConstraintText):
        microaggregate(rows, 2, constraints=["x1 == x2"])
    with pytest.raises(InvalidParameter, match="list"):
        microaggregate(rows, 2, constraints="x1 = x2")
    with pytest.raises(UnknownColumn, match=r"'x3'; .*what is microaggregated is"):
        microaggregate(rows, 2, constraints=["x1 = x3"])
    with pytest.raises(InconsistentConstraints, match="residual"):
        microaggregate(rows, 2, constraints=["x1 = x2", "x2 = x1 + 1"])
    with pytest.raises(InvalidBlocks):
        microaggregate(rows, 2, "individual-ranking", constraints=["x1 = x2"])


def test_the_report_has_both_tables() -> None:
    release = microaggregate(load("pay-slips"), 3, constraints=[SUM, SHARE])
    first, second = release.report()["constraints"]
    # 100, 27 and 1 are missed by the slips of the pen, of 24 records.
    assert first["constraint"] == SUM
    assert first["original"]["largest"]["exact"] == "100"
    assert first["original"]["mean_absolute"]["exact"] == str(Fraction(128, 24))
    assert first["original"]["root_mean_square"] == pytest.approx((10730 / 24) ** 0.5)
    assert first["original"]["first_largest_record"] == 4
    assert (first["original"]["violated_records"], second["original"]["violated_records"]) == (3, 1)
    for entry in (first, second):
        assert entry["released"]["violated_records"] == 0
        assert entry["released"]["root_mean_square"] == 0
    assert microaggregate(load("pay-slips"), 3).report()["constraints"] == []


# Commands


def mask(tmp_path: Path, source: Path, *options: str) -> tuple[Path, dict[str, Any]]:
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    arguments = ["mask", str(source), "--algorithm", "mdav", "-o", str(out)]
    assert refagg([*arguments, "--json", str(report), *options]) == 0
    return out, json.loads(report.read_text())


def off(path: Path) -> list[float]:
    with path.open() as file:
        return [
            float(r["net"]) + float(r["tax"]) + float(r["insurance"]) - float(r["gross"])
            for r in csv.DictReader(file)
        ]


def test_mask_writes_a_file_that_meets_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = mask(tmp_path, PAY, "-k", "3", *BOTH)
    assert max(map(abs, off(out))) < 1e-11
    text = capsys.readouterr().out
    assert (
        f"constraint {SUM}\n  original: violated by 3 of 24 records: largest deviation 100" in text
    )
    assert text.count("released before writing: met exactly by all 24 records") == 2
    entry = report["constraints"][0]
    assert entry["released_before_writing"]["violated_records"] == 0
    assert entry["released_file"]["largest"]["decimal"] < 1e-11
    plain, _ = mask(tmp_path, PAY, "-k", "3")
    assert max(map(abs, off(plain))) == pytest.approx(100 / 3)


def test_constraints_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "edits.txt"
    file.write_text(f"# of pay slips\n{SUM}\n{SHARE}  # since 2020\n")
    out, report = mask(tmp_path, PAY, "-k", "3", "--constraints-file", str(file))
    text = out.read_text()
    again, other = mask(tmp_path, PAY, "-k", "3", *BOTH)
    assert again.read_text() == text
    assert other == report


def test_rounding_meets_the_constraints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # The means are 1/3, 1/3, 2/3. Rounded each for itself, 0 + 0 = 1; two are rounded instead.
    source = tmp_path / "in.csv"
    source.write_text("net,tax,gross\n0,1,1\n1,0,1\n0,0,0\n")
    constraint = ["--constraint", "net + tax = gross", "-k", "3"]
    out, report = mask(tmp_path, source, *constraint, "--decimals", "0")
    net, tax, gross = map(int, out.read_text().splitlines()[1].split(","))
    assert net + tax == gross
    assert sum((net == 0, tax == 0, gross == 1)) >= 2
    entry = report["constraints"][0]
    assert [entry[file]["violated_records"] for file in FILES] == [0, 0, 0]
    assert "released file: met exactly by all 3 records" in capsys.readouterr().out


FILES = ("original", "released_before_writing", "released_file")


@pytest.mark.parametrize("decimals", [(), ("--decimals", "2"), ("--decimals", "0")])
@pytest.mark.parametrize("algorithm", [("mdav",), ("fuzzy", "--seed", "3")])
def test_what_is_written_meets_the_constraints(
    tmp_path: Path, algorithm: tuple[str, ...], decimals: tuple[str, ...]
) -> None:
    """insurance = 0.09 * gross needs two decimals more than gross has, if gross is rounded."""
    made = ["--algorithm", *algorithm, *BOTH]
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    files = ["-k", "3", "-o", str(out), "--json", str(report)]
    assert refagg(["mask", str(PAY), *made, *decimals, *files]) == 0
    for entry in json.loads(report.read_text())["constraints"]:
        assert entry["released_file"]["violated_records"] == 0
        assert not decimals or entry["released_file"]["largest"]["exact"] == "0"
    _, checks = audited(tmp_path, PAY, out, "--algorithm", algorithm[0], *BOTH)
    judged = {checks[name]["status"] for name in ("constraints", "aggregates") if name in checks}
    assert judged == {"holds"}


def test_a_cent_more_is_found(tmp_path: Path) -> None:
    """In any cell: of a rounded attribute, or of one that is computed."""
    out, _ = mask(tmp_path, PAY, "-k", "3", *BOTH, "--decimals", "2")
    lines = out.read_text().splitlines()
    for column in range(4):
        for amount in (Decimal("0.01"), Decimal("-0.0001")):
            rows = [line.split(",") for line in lines]
            first = [*rows[1]]
            for row in rows[1:]:
                if row == first:
                    row[column] = str(Decimal(row[column]) + amount)
            out.write_text("\n".join(map(",".join, rows)) + "\n")
            assert audited(tmp_path, PAY, out, "--algorithm", "mdav", *BOTH)[0] == 1


def test_decimals_that_cannot_meet_a_constraint_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 3 a = 7 b, neither is a finite decimal whenever the other is."""
    options = ["--constraint", "3*net = 7*tax"]
    out, report = mask(tmp_path, PAY, "-k", "3", *options, "--decimals", "1")
    assert "with 1 decimals the constraints cannot be met exactly" in capsys.readouterr().err
    assert "cannot be met exactly" in report["rounding"]["remarks"][0]
    status, checks = audited(tmp_path, PAY, out, *options, "--algorithm", "mdav")
    assert status == 0
    assert "no decimals meet it exactly" in checks["constraints"]["summary"]


@pytest.mark.parametrize(
    ("released", "status", "check"),
    [((77, 33), 0, ""), ((78, 33), 1, "aggregates"), ((76, 33), 1, "aggregates")],
)
def test_where_no_decimals_meet_a_constraint_values_are_rounded_one_by_one(
    released: tuple[int, int], status: int, check: str, tmp_path: Path
) -> None:
    """The records meet 3 a = 7 b, and so does their mean, 77 and 33."""
    options = ["-k", "2", "--algorithm", "mdav", "--constraint", "3*a = 7*b"]
    rows = [(70, 30), (84, 36), (77, 33)]
    original, out = (
        written(tmp_path / name, some)
        for name, some in (("o.csv", rows), ("r.csv", [released] * 3))
    )
    found, checks = audited(tmp_path, original, out, *options)
    assert found == status
    assert not check or checks[check]["status"] == "fails"


def test_what_rounding_does_to_a_constraint_does_not_grow_with_a_scale(tmp_path: Path) -> None:
    """The first attribute is near 10^12 and varies by a third, the second by thousands: rounding in
    binary64 explains a thousandth, not 200."""
    first, second = [10**12 + Fraction(d, 10) for d in (1, 2, 4, 3)], [0, 100, 3000, 20000]
    rows = [(float(a), b) for a, b in zip(first, second, strict=True)]
    original = written(tmp_path / "o.csv", rows)
    options = ["-k", "4", "--constraint", "a = 2*b"]
    for released, status in (((999999999954, 499999999977), 0), ((999999999954, 499999999877), 1)):
        out = written(tmp_path / "r.csv", [released] * 4)
        assert audited(tmp_path, original, out, *options)[0] == status


def test_an_equation_of_large_numbers_beside_one_of_small_ones(tmp_path: Path) -> None:
    """They share no attribute. In binary64 the first one is off by some 10^-7, and so may be the
    second, if both are solved at once."""
    random, path, out = Random(1), tmp_path / "o.csv", tmp_path / "r.csv"
    header = ["turnover", "cost", "profit", "full", "part", "staff"]
    rows = []
    for _ in range(12):
        [t, c, f, p] = [random.randrange(most) for most in (4 * 10**8, 4 * 10**8, 30, 20)]
        rows.append([t, c, t - c, f, p, f + p])
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]))
    both = ["--constraint", "turnover - cost = profit", "--constraint", "full + part = staff"]
    words = ["mask", str(path), "-o", str(out), "-k", "3", "--algorithm", "mdav", "--decimals", "1"]
    assert refagg([*words, *both]) == 0
    assert audited(tmp_path, path, out, "-k", "3", *both)[0] == 0
    lines = [line.split(",") for line in out.read_text().split()]
    for place, more in ((2, 100), (0, 100), (5, 1)):
        wrong = [
            [*row[:place], str(float(row[place]) + more), *row[place + 1 :]]
            if row == lines[1]
            else row
            for row in lines
        ]
        out.write_text("\n".join(map(",".join, wrong)))
        assert audited(tmp_path, path, out, "-k", "3", *both)[0] == 1


def written(path: Path, rows: Sequence[Sequence[float]]) -> Path:
    path.write_text("".join(f"{a},{b}\n" for a, b in [("a", "b"), *rows]))
    return path


def test_a_constraint_that_forces_a_constant_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forced = ["--constraint", "net + tax = gross", "--constraint", "net = gross"]
    mask(tmp_path, PAY, "-k", "3", *forced)
    assert capsys.readouterr().err == (
        "warning: the constraints force tax to be 0 in every record\n"
    )
    mask(tmp_path, PAY, "-k", "3", *BOTH)
    assert capsys.readouterr().err == ""


def test_measure_says_how_far_both_files_are_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = mask(tmp_path, PAY, "-k", "3")
    capsys.readouterr()
    report = tmp_path / "measured.json"
    assert refagg(["measure", str(PAY), str(out), *BOTH, "--json", str(report)]) == 0
    text = capsys.readouterr().out
    assert "original: violated by 3 of 24 records: largest deviation 100 (record 4)" in text
    # Record 4 is grouped with two others: each of the three is released off by 100/3.
    assert "largest deviation 33.3333 (record 1), mean 5.33333" in text
    entry = json.loads(report.read_text())["constraints"][0]
    assert set(entry) == {"constraint", "original", "released_file"}
    assert entry["original"]["mean_absolute"]["exact"] == "16/3"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--constraint", "net + = 2"], "character 7"),
        (
            ["--constraint", "nett = gross"],
            "names 'nett'; did you mean net?",
        ),
        (["--constraint", "net = 1", "--constraint", "net = 2"], "residual 0.7071"),
        (["--constraint", SUM, "--blocks", "net,tax;insurance,gross"], "several blocks"),
        (["--constraint", SUM, "--aggregate", "median"], "the aggregate is median"),
        (
            ["--constraint", SUM, "--confidential", "gross"],
            "names 'gross'; what is micro",
        ),
        (["--constraints-file", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["--constraint", SUM, "--kind", "net=numeric"], "has no declared kind"),
    ],
)
def test_requests_that_make_no_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    out = tmp_path / "out.csv"
    arguments = ["mask", str(PAY), "--algorithm", "mdav", "-k", "3", "-o", str(out)]
    assert refagg([*arguments, *options]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_contradictions_are_rejected_before_any_file_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / "nowhere.csv"), "-o", str(tmp_path / "out.csv")]
    wrong = ["--constraint", "a = b", "--constraint", "b = a + 1"]
    assert refagg(["mask", *paths, "--algorithm", "mdav", "-k", "3", *wrong]) == 2
    assert "no values meet all constraints" in capsys.readouterr().err


def test_measure_and_audit_refuse_what_makes_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ["--constraint", SUM, "--kind", "net=nominal"]
    for name in ("tax", "insurance", "gross"):
        kinds += ["--kind", f"{name}=numeric"]
    assert refagg(["measure", str(PAY), str(PAY), *kinds]) == 2
    assert "'net'" in capsys.readouterr().err
    assert oracle(["audit", str(PAY), str(PAY), "-k", "3", *kinds]) == 2
    assert "'net', which is nominal" in capsys.readouterr().err
    assert refagg(["measure", str(PAY), str(PAY), "--constraint", "x = 1"]) == 2
    assert "'x'" in capsys.readouterr().err
    for wrong in (["--constraint", "x = 1"], ["--constraint", SUM, "--aggregate", "median"]):
        assert oracle(["audit", str(PAY), str(PAY), "-k", "1", *wrong]) == 2


# The judge


def audited(
    tmp_path: Path, source: Path, released: Path, *options: str
) -> tuple[int, dict[str, dict[str, Any]]]:
    report = tmp_path / "audit.json"
    arguments = ["audit", str(source), str(released), "-k", "3", "--json", str(report)]
    status = oracle([*arguments, *options])
    return status, {r["name"]: r for r in json.loads(report.read_text())["blocks"][0]["checks"]}


def test_the_judge_expects_moved_means(tmp_path: Path) -> None:
    out, _ = mask(tmp_path, PAY, "-k", "3", *BOTH)
    status, checks = audited(tmp_path, PAY, out, "--algorithm", "mdav", *BOTH)
    assert status == 0
    assert "(by rounding)" in checks["constraints"]["summary"]
    first = checks["constraints"]["details"]["constraints"][0]
    assert first["original"]["violated_records"] == 3
    status, checks = audited(tmp_path, PAY, out, "--algorithm", "mdav")
    assert (status, checks["aggregates"]["status"]) == (1, "fails")
    assert "constraints" not in checks


def test_the_judge_sees_plain_means(tmp_path: Path) -> None:
    out, _ = mask(tmp_path, PAY, "-k", "3")
    status, checks = audited(tmp_path, PAY, out, "--algorithm", "mdav", *BOTH)
    assert status == 1
    assert checks["aggregates"]["status"] == checks["constraints"]["status"] == "fails"
    assert checks["run of mdav"]["status"] == "holds"
    assert "moved to the constraints" in checks["aggregates"]["witness"][0]
    assert "left side minus right side -33.33" in checks["constraints"]["witness"][0]


def test_the_judge_sees_another_metric_and_one_constraint_of_two(tmp_path: Path) -> None:
    out, _ = mask(tmp_path, PAY, "-k", "3", *BOTH)
    status, checks = audited(tmp_path, PAY, out, "--standardise", "none", *BOTH)
    assert status == 1
    assert [checks[n]["status"] for n in ("aggregates", "constraints")] == ["fails", "holds"]
    one, _ = mask(tmp_path, PAY, "-k", "3", *BOTH[:2])
    status, checks = audited(tmp_path, PAY, one, *BOTH)
    assert status == 1
    assert SHARE in checks["constraints"]["summary"].split(";")[1]
    assert len(checks["constraints"]["witness"]) == 1


def test_the_judge_knows_rounding_and_says_what_it_broke(tmp_path: Path) -> None:
    """The means are 1/3, 1/3, 2/3. Of each row with two rounded ones the third is computed."""
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("net,tax,gross\n0,1,1\n1,0,1\n0,0,0\n")
    constraint = ["--constraint", "net + tax = gross"]
    for row, aggregates, met in [
        ("0,0,0", "holds", True),
        ("1,0,1", "holds", True),
        ("0,1,1", "holds", True),
        ("0,0,1", "holds", False),
        ("0.33,0.34,0.67", "holds", True),
        ("0.33,0.33,0.67", "holds", False),
        ("0.33,0.35,0.68", "fails", True),
        ("1,1,2", "fails", True),
        ("0.5,0.25,0.75", "fails", True),
    ]:
        out.write_text("net,tax,gross\n" + f"{row}\n" * 3)
        status, checks = audited(tmp_path, source, out, *constraint)
        found = checks["aggregates"]["status"], checks["constraints"]["status"]
        assert found == (aggregates, "holds" if met else "fails"), row
        assert status == (0 if found == ("holds", "holds") else 1)
        assert not met or checks["constraints"]["summary"] == "net + tax = gross met exactly"


def test_the_judge_knows_binary64_far_from_the_origin(tmp_path: Path) -> None:
    """Projected in floats, attributes of 1e9 beside one of 1: rounding of the large ones counts."""
    numpy = pytest.importorskip("numpy")
    generator = numpy.random.default_rng(4)
    net = 10**9 + generator.integers(0, 1000, 12)
    tax = generator.integers(1, 9, 12)
    gross = net + tax + generator.integers(-1, 2, 12)
    source = tmp_path / "in.csv"
    lines = [",".join(map(str, row)) for row in zip(net, tax, gross, strict=True)]
    source.write_text("\n".join(["net,tax,gross", *lines]) + "\n")
    constraint = ["--constraint", "net + tax = gross"]
    out, report = mask(tmp_path, source, *constraint, "-k", "3")
    labels = numpy.zeros(12, dtype=int)
    for number, group in enumerate(report["blocks"][0]["groups"]):
        labels[group] = number
    data, a = numpy.stack([net, tax, gross], axis=1).astype(float), numpy.array([1.0, 1.0, -1.0])
    spreads = data.var(axis=0)
    rows = []
    for label in labels:
        v = data[labels == label].mean(axis=0)
        rows.append(v - spreads * a * (a @ v) / (a @ (spreads * a)))
    texts = [",".join(repr(float(x)) for x in row) for row in rows]
    out.write_text("\n".join(["net,tax,gross", *texts]) + "\n")
    status, checks = audited(tmp_path, source, out, "--algorithm", "mdav", *constraint)
    assert status == 0, checks
    assert "to double precision" in checks["aggregates"]["summary"]


def test_how_large_the_numbers_are_of_which_a_moved_mean_is_computed() -> None:
    # x1 + x2 = 10 in equal weights: one equation, whose condition is 1. What moves x1 is made of
    # numbers of up to 4 and 100, and of 5, half of 10; and there is the value itself, 4 or 3.
    scaled = standardise(table_of([[4, 100], [-3, 50]]), "none")
    centres = centres_of([parse_constraint("x1 + x2 = 10")], scaled)
    assert centres is not None
    assert centres.magnitude(scaled.table, (0, 1), 0) == 4 + (4 + 100) + 5
    assert centres.magnitude(scaled.table, (0, 1), 1) == 100 + (4 + 100) + 5
    assert centres.magnitude(scaled.table, (1,), 0) == 3 + (4 + 100) + 5
    assert centres.width(scaled.table, 0) == 7 + (4 + 100) + 5
    assert centres.of(scaled.table, (1,)) == (Fraction(-43, 2), Fraction(63, 2))
    assert centres_of([], scaled) is None


def test_the_judge_of_blocks_applies_each_constraint_where_it_belongs(tmp_path: Path) -> None:
    blocks = ["--blocks", "insurance,gross;net,tax"]
    out, _ = mask(tmp_path, PAY, "-k", "3", *blocks, *BOTH[2:])
    report = tmp_path / "audit.json"
    arguments = ["audit", str(PAY), str(out), "-k", "3", *blocks, *BOTH[2:]]
    arguments += ["--anonymity", "each-block"]
    assert oracle([*arguments, "--algorithm", "mdav", "--json", str(report)]) == 0
    first, second = json.loads(report.read_text())["blocks"]
    assert "constraints" in {check["name"] for check in first["checks"]}
    assert "constraints" not in {check["name"] for check in second["checks"]}


def test_a_constant_that_constraints_move_is_written_as_near_as_floats_are(tmp_path: Path) -> None:
    """Both constants move far; all groups are released alike, as 4, 2 and 6 * 10^9 / 13."""
    second = [-15921, -2286, -6149, -4384, -3237, 13111, -14443, 15228, -7759, 10904]
    rows = [[10**9, b, 0] for b in second]
    source = tmp_path / "o.csv"
    source.write_text("a,b,c\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    options = ["-k", "3", "--constraint", "a + b = c", "--constraint", "a = 2*b"]
    out, _ = mask(tmp_path, source, *options)
    status, checks = audited(tmp_path, source, out, *options, "--algorithm", "mdav")
    assert (status, checks["run of mdav"]["status"]) == (0, "holds")
