"""Releases beside their originals with cells of any type: what is judged, and what is not."""

from __future__ import annotations

import csv
import datetime
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oracle
from oracle.commands.main import main
from refagg.errors import InvalidParameter, MissingValue, NotANumber, ShapeMismatch

DAY = datetime.date(2020, 1, 2)
ORIGINAL = {
    "day": [DAY, DAY, DAY.replace(month=3), DAY.replace(month=3)],
    "job": ["baker", "baker", "smith", "smith"],
    "flag": [True, True, False, False],
    "age": [30, 32, 40, 44],
}
RELEASED = ORIGINAL | {"age": [31, 31, 42, 42]}


def statuses(made: oracle.Audit) -> dict[str, str]:
    return {check.name: check.status for check in made.checks}


def test_what_is_unchanged_holds_and_numbers_are_judged() -> None:
    made = oracle.audit(ORIGINAL, RELEASED, k=2)
    assert made.ok
    assert statuses(made)["aggregates of day"] == "holds"
    wrong = oracle.audit(ORIGINAL, RELEASED | {"age": [31, 31, 43, 43]}, k=2)
    assert statuses(wrong)["aggregates of age"] == "fails"
    alone = oracle.audit(ORIGINAL, RELEASED | {"age": [31, 31, 42, 41]}, k=2)
    assert statuses(alone)["k-anonymous"] == "fails"
    assert [record for record, _, _ in alone.violations] == [2, 3]


def test_a_text_that_changed_is_not_judged_and_the_declaration_is_named() -> None:
    made = oracle.audit(ORIGINAL, RELEASED | {"job": ["baker", "baker", "metal", "metal"]}, k=2)
    assert made.status == "not judged"
    check = next(check for check in made.checks if check.name == "aggregates of job")
    assert "2 of 4 values are changed (records 2 3)" in check.summary
    kinds = {"day": "nominal", "job": "nominal", "flag": "nominal", "age": "numeric"}
    assert f"kinds={kinds} would judge them" in check.summary
    wrong = RELEASED | {"job": ["baker", "baker", "metal", "metal"]}
    assert oracle.audit(ORIGINAL, wrong, k=2, kinds=kinds).status == "fails"


def test_options_that_need_numbers_say_so() -> None:
    for option in ({"algorithm": "mdav"}, {"blocks": [["age"], ["job", "day", "flag"]]}):
        with pytest.raises(NotANumber):
            oracle.audit(ORIGINAL, RELEASED, k=2, **option)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="anonymity='each-block' does not apply"):
        oracle.audit(ORIGINAL, RELEASED, k=2, anonymity="each-block")
    with pytest.raises(ShapeMismatch):
        oracle.audit(ORIGINAL, {name: column[1:] for name, column in RELEASED.items()}, k=2)
    with pytest.raises(MissingValue, match="row 3, column 'job'"):
        oracle.audit(ORIGINAL, RELEASED | {"job": ["baker", "baker", "smith", None]}, k=2)


@pytest.mark.parametrize(
    ("rule", "anonymous", "age"),
    [
        ("own-category", "fails", "not judged"),
        ("matches-anything", "holds", "not judged"),
        ("suppressed", "fails", "not judged"),
    ],
)
def test_local_suppression_by_each_rule(rule: Any, anonymous: str, age: str) -> None:
    """A job is suppressed: record 3 is alone, but could be 2."""
    released = RELEASED | {"job": ["baker", "baker", "smith", None]}
    made = oracle.audit(ORIGINAL, released, k=2, missing=rule)
    found = statuses(made)
    assert (found["k-anonymous"], found["aggregates of age"]) == (anonymous, age)
    assert found["aggregates of job"] == "holds"
    assert "job: suppressed in record 3" in str(made)
    made = oracle.audit(released, RELEASED, k=2, missing=rule)
    assert made.status == "not judged"
    assert "job: filled in record 3" in str(made)


GAPS = {
    "age": [30, 30, None, 50, 52, 51, None],
    "job": ["a", "b", "b", "c", "c", "d", "b"],
    "road": ["x>y", "x>y", "", "z", "z", "z>y", ""],
    "level": ["low", "high", "low", "high", "high", "low", "low"],
}
DECLARED = {
    "age": "numeric",
    "job": "nominal",
    "road": "sequence:>",
    "level": "ordinal:low<high",
}
AGGREGATED = {
    "age": [30, 30, None, 51, 51, 51, None],
    "job": ["a", "a", "b", "c", "c", "c", "b"],
    "road": ["x>y", "x>y", "", "z", "z", "z", ""],
    "level": ["low", "low", "low", "high", "high", "high", "low"],
}
"""Means, modes and medians of the groups 0 1, 2 6 and 3 4 5."""


@pytest.mark.parametrize("rule", ["own-category", "matches-anything", "suppressed", "as-released"])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("age", [30, 30, None, 50, 50, 50, None]),
        ("job", ["a", "a", "b", "x", "x", "x", "b"]),
        ("road", ["x>y", "x>y", "", "q", "q", "q", ""]),
        ("level", ["low"] * 7),
    ],
)
def test_declared_kinds_are_judged_where_values_are_missing(
    rule: Any, name: str, wrong: list[Any]
) -> None:
    more: Any = {"missing": rule, "kinds": DECLARED, "partition": [[0, 1], [2, 6], [3, 4, 5]]}
    assert oracle.audit(GAPS, AGGREGATED, k=2, **more).ok
    found = statuses(oracle.audit(GAPS, AGGREGATED | {name: wrong}, k=2, **more))
    others = {other: found[f"aggregates of {other}"] for other in DECLARED}
    assert others == dict.fromkeys(DECLARED, "holds") | {name: "fails"}


def test_given_groups_are_judged_where_a_missing_cell_matches_anything() -> None:
    released = RELEASED | {"job": ["baker", "baker", "smith", None]}
    groups = [[0, 1], [2, 3]]
    made = oracle.audit(ORIGINAL, released, k=2, missing="matches-anything", partition=groups)
    assert statuses(made)["aggregates of age"] == "holds"
    wrong = released | {"age": [31, 31, 42, 41]}
    made = oracle.audit(ORIGINAL, wrong, k=2, missing="matches-anything", partition=groups)
    assert statuses(made)["aggregates of age"] == "fails"


def test_anonymity_none_and_sets() -> None:
    released = RELEASED | {"age": [31, 31, 42, 41]}
    made = oracle.audit(ORIGINAL, released, k=2, anonymity="none")
    assert statuses(made)["k-anonymous"] == "reported"
    made = oracle.audit(ORIGINAL, released, k=2, sets=[["day", "job"]])
    assert statuses(made)["k-anonymous in each set"] == "holds"
    assert statuses(made)["k-anonymous over all quasi-identifiers"] == "reported"
    assert not made.violations
    numbers = [[1], [2], [8], [9]]
    made = oracle.audit(numbers, [[1.5], [1.5], [8.5], [9]], k=2, sets=1)
    assert statuses(made)["k-anonymous in each set"] == "fails"
    assert made.violations == [(2, ("x1",), 1), (3, ("x1",), 1)]


def test_promises_about_confidential_columns_are_judged_too() -> None:
    ill = {"ill": ["flu", "cold", "flu", "flu"]}
    made = oracle.audit(ORIGINAL, RELEASED, k=2, confidential=ill, l_diversity="distinct:2")
    assert made.checks[-1].status == "fails"
    assert made.checks[-1].witness == ("records 2 3: flu (2)",)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def rows_of(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_the_command_reads_any_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original, released = tmp_path / "o.csv", tmp_path / "r.csv"
    ours = [{"id": n, **row} for n, row in enumerate(rows_of(ORIGINAL))]
    theirs = [{"id": n, **row} for n, row in enumerate(rows_of(RELEASED))]
    write(original, ours)
    write(released, theirs[::-1])
    words = ["audit", str(original), str(released), "-k", "2"]
    assert main([*words, "--key", "id"]) == 0
    assert "compared as texts: day, job, flag" in capsys.readouterr().out
    assert main([*words, "--key", "id", "--algorithm", "mdav"]) == 2
    assert "--kind=day=date reads it" in capsys.readouterr().err
    theirs[3]["age"], theirs[2]["age"] = 43, 43
    write(released, theirs)
    assert main([*words, "--confidential", "id"]) == 1
    theirs[3]["job"], theirs[3]["age"], theirs[2]["age"] = "", 42, 42
    write(released, theirs)
    listed = tmp_path / "v.csv"
    words += ["--confidential", "id", "--violations", str(listed)]
    assert main(words) == 2
    assert "line 5, column 'job': the value is missing" in capsys.readouterr().err
    assert main([*words, "--missing", "own-category"]) == 1
    rows = list(csv.reader(listed.open(encoding="utf-8")))
    assert rows[1:] == [["2", "4", "day;job;flag;age", "1"], ["3", "5", "day;job;flag;age", "1"]]
    assert main([*words, "--missing", "matches-anything"]) == 2
    assert "aggregates of age: 4 of 4 values are changed" in capsys.readouterr().out
    for policy in ("drop", "group-apart"):
        ours[3]["job"] = ""
        write(original, ours)
        write(released, theirs if policy == "group-apart" else theirs[:3])
        assert main([*words, "--missing", policy]) == 1
        assert "unchanged in all" in capsys.readouterr().out


def random_release(rng: random.Random) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """A table of texts and numbers, and its release: means of numbers, texts within groups."""
    k, groups = rng.randint(2, 3), rng.randint(1, 4)
    sizes = [rng.randint(k, 2 * k - 1) for _ in range(groups)]
    original: dict[str, list[Any]] = {"job": [], "zip": [], "x": []}
    released: dict[str, list[Any]] = {"job": [], "zip": [], "x": []}
    for number, size in enumerate(sizes):
        xs = [rng.randrange(10) for _ in range(size)]
        original["job"] += [rng.choice("ab")] * size
        original["zip"] += [f"0{number}"] * size
        original["x"] += xs
        released["x"] += [Fraction(sum(xs), size)] * size
    released["job"], released["zip"] = list(original["job"]), list(original["zip"])
    return original, released


@pytest.mark.parametrize("seed", range(60))
def test_right_releases_are_accepted_and_corrupted_ones_not(seed: int) -> None:
    rng = random.Random(seed)
    original, released = random_release(rng)
    assert oracle.audit(original, released, k=2).ok
    record = rng.randrange(len(released["x"]))
    for name, other in (("x", released["x"][record] + 1), ("job", "z"), ("zip", "1")):
        wrong = {key: list(column) for key, column in released.items()}
        wrong[name][record] = other
        assert oracle.audit(original, wrong, k=2).status == "fails"
        group = [r for r, z in enumerate(released["zip"]) if z == released["zip"][record]]
        for member in group:
            wrong[name][member] = other
        expected = "fails" if name == "x" else "not judged"
        assert oracle.audit(original, wrong, k=2).status == expected


PAIRS = [[0, 1], [2, 3]]


@pytest.mark.parametrize("missing", ["matches-anything", "suppressed", "own-category"])
def test_groups_that_are_given_leave_the_rule_for_missing_cells(missing: str) -> None:
    """A suppressed cell of a group equals the others by the first rule only."""
    original = {"job": ["nurse"] * 4, "age": [30, 31, 50, 51]}
    released = {"job": ["nurse", None, "nurse", "nurse"], "age": [30.5, 30.5, 50.5, 50.5]}
    options: dict[str, Any] = {"k": 2, "missing": missing}
    alone = oracle.audit(original, released, **options)
    beside = oracle.audit(original, released, partition=PAIRS, **options)
    assert statuses(beside)["k-anonymous"] == statuses(alone)["k-anonymous"]
    assert beside.violations == alone.violations
    assert statuses(beside)["aggregates of age"] == "holds"


def test_modes_of_several_columns_together_need_not_be_those_of_each() -> None:
    """a x is the only pair that occurs twice; y is the mode of the second column."""
    original = {"a": [*"aabcd"], "b": [*"xxyyy"]}
    options: dict[str, Any] = {"k": 5, "missing": "as-released"}
    options["kinds"] = {"a": "nominal", "b": "nominal"}
    right = oracle.audit(original, {"a": ["a"] * 5, "b": ["x"] * 5}, **options)
    assert statuses(right)["aggregates of b"] == "not judged"
    foreign = oracle.audit(original, {"a": ["a"] * 5, "b": ["z"] * 5}, **options)
    assert statuses(foreign)["aggregates of b"] == "fails"
    alone = oracle.audit({"b": [*"xxyyy"]}, {"b": ["x"] * 5}, k=5, kinds={"b": "nominal"})
    assert alone.status == "fails"


def test_trimmed_means_of_several_groups_need_not_be_that_of_the_class() -> None:
    """Of 3 8 9 9 and 3 3 14 15 the middle ones have the mean 8.5."""
    original, released = {"x": [9, 9, 8, 3, 3, 15, 3, 14]}, {"x": [8.5] * 8}
    options: dict[str, Any] = {"k": 4, "aggregate": "trimmed-mean", "trim": "1/4"}
    options["missing"] = "as-released"
    assert oracle.audit(original, released, **options).status == "not judged"
    four = [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert oracle.audit(original, released, partition=four, **options).ok
    wrong = oracle.audit(original, released, partition=[[0, 1, 2, 5], [3, 4, 6, 7]], **options)
    assert wrong.status == "fails"


def test_records_that_are_dropped_have_no_line_among_violations(tmp_path: Path) -> None:
    before, after, found = (tmp_path / f"{name}.csv" for name in ("a", "b", "v"))
    before.write_text("id,x\n1,1\n2,NA\n3,2\n4,8\n")
    after.write_text("id,x\n4,8\n3,1.5\n1,1.5\n")
    words = ["audit", str(before), str(after), "--columns", "x", "--key", "id", "-k", "2"]
    assert main([*words, "--missing", "drop", "--violations", str(found)]) == 1
    assert found.read_text() == "record,line,key_variables,frequency\n2,2,x,1\n"
