"""Any table can be asked: cells of all types, rules for missing cells, sets of key variables."""

from __future__ import annotations

import csv
import datetime
import json
import random
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from oracle.auditing.alike import ANYTHING, LEFT_OUT, OWN, RULES, alike_of
from oracle.auditing.cells import cells_of
from oracle.commands.main import main
from refagg.errors import (
    EmptyTable,
    InvalidParameter,
    KTooLarge,
    MissingValue,
    NotANumber,
    RaggedRow,
    UnknownColumn,
)

NA = None
TABLE = [
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, NA],
    [1, NA, 2],
    [2, 1, NA],
    [2, 2, 2],
    [2, 2, 2],
    [NA, 2, 2],
    [NA, NA, 1],
    [3, 3, 3],
    [3, NA, NA],
    [1, 2, NA],
]


def test_frequencies_as_sdcmicro_counts_them() -> None:
    """The numbers are those of freqCalc of sdcMicro 5.8.1 with alpha = 1.

    It leaves records that lack all key variables out of the frequencies of complete ones.
    """
    cells = cells_of(TABLE)
    expected = [4, 4, 5, 4, 2, 3, 3, 6, 7, 2, 4, 4]
    assert alike_of(cells, ANYTHING).by_record() == expected
    pair = [4, 4, 4, 7, 1, 3, 3, 7, 12, 2, 4, 3]
    complete = [None not in row[:2] for row in TABLE]
    expected = [number + whole for number, whole in zip(pair, complete, strict=True)]
    assert alike_of(cells.select(["x1", "x2"]), ANYTHING).by_record() == expected


def could_be(row: list[Any], other: list[Any]) -> bool:
    return all(
        a in (None, "*") or b in (None, "*") or a == b for a, b in zip(row, other, strict=True)
    )


def defined(rows: list[list[Any]], rule: str) -> list[list[int] | None]:
    """The records alike to each, by the definition of the rule; None where it is not counted."""
    found: list[list[int] | None] = []
    for row in rows:
        if rule == ANYTHING:
            found.append([i for i, other in enumerate(rows) if could_be(row, other)])
        elif rule == LEFT_OUT and all(cell in (None, "*") for cell in row):
            found.append(None)
        else:
            found.append([i for i, other in enumerate(rows) if row == other])
    return found


cell = st.sampled_from([None, None, "*", "a", "b"])
tables = st.integers(1, 4).flatmap(
    lambda p: st.lists(st.lists(cell, min_size=p, max_size=p), min_size=1, max_size=12)
)


@settings(deadline=None, max_examples=150)
@given(tables, st.data())
def test_rules_by_their_definitions(rows: list[list[Any]], data: st.DataObject) -> None:
    column = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    for rule in RULES:
        expected, found = defined(rows, rule), alike_of(cells_of(rows), rule)
        assert found.by_record() == [None if one is None else len(one) for one in expected]
        for number, counts in enumerate(found.counts(column)):
            group = expected[found.classes[number][0]]
            assert group is not None
            assert list(found.group(number)) == group
            assert counts == Counter(column[record] for record in group)


TYPES = {
    "dates": [datetime.date(2020, 1, 2)] * 2 + [datetime.date(2020, 1, 3)] * 2,
    "times": [datetime.datetime(2020, 1, 2, 3)] * 2 + [datetime.datetime(2020, 1, 2, 4)] * 2,
    "texts": ["a", "a", "A", "A"],
    "booleans": [True, True, False, False],
    "lists": [["a", "b"], ("a", "b"), ["a"], ["a"]],
    "mappings": [{"a": 1}, {"a": 1.0}, {"a": 2}, {"a": 2}],
    "numbers": [1, 1.0, Decimal("2.50"), 2.5],
    "bytes": [b"a", b"a", b"b", b"b"],
    "missing": [None, float("nan"), "", " "],
    "infinite": [float("inf"), float("inf"), -float("inf"), -float("inf")],
}


@pytest.mark.parametrize("name", TYPES)
def test_cells_of_any_type_are_compared(name: str) -> None:
    column = TYPES[name]
    assert oracle.audit_release({"x": column}, 2).ok
    other = oracle.audit_release({"x": [*column[:3], "another"]}, 2)
    assert not other.ok
    assert 3 in [record for record, _, _ in other.violations]


def test_frames_of_pandas_with_their_types() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "day": pandas.to_datetime(["2020-01-02", "2020-01-02", None, None]),
            "job": pandas.Categorical(["a", "a", None, None]),
            "flag": pandas.array([True, True, None, None], dtype="boolean"),
            "age": pandas.array([30, 30, None, None], dtype="Int64"),
        }
    )
    made = oracle.audit_release(frame, 2)
    assert made.ok
    assert made.facts["missing_rule"] == OWN
    frame.loc[0, "age"] = 31
    assert oracle.audit_release(frame, 2).violations == [
        (0, ("day", "job", "flag", "age"), 1),
        (1, ("day", "job", "flag", "age"), 1),
    ]
    assert oracle.audit_release(frame, 2, missing=ANYTHING).ok


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


MIXED = """day,job,flag,age,illness
2020-01-02,baker,True,30,flu
2020-01-02,baker,True,30.0,cold
2020-01-02,baker,,30,flu
2020-02-02,cook,False,*,gout
2020-02-02,,False,40,flu
,,NA,,flu
"""


@pytest.mark.parametrize(
    ("rule", "violations", "status"),
    [(None, [2, 3, 4, 5], 1), (OWN, [2, 3, 4, 5], 1), (ANYTHING, [], 0), (LEFT_OUT, [2, 3, 4], 1)],
)
def test_a_file_by_each_rule(
    rule: str | None,
    violations: list[int],
    status: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By hand: 0 and 1 are equal; 2 could be these, 3 could be 4, and 5 could be all."""
    path, listed, out = written(tmp_path / "r.csv", MIXED), tmp_path / "v.csv", tmp_path / "o.json"
    words = ["audit", path, "-k", "2", "--confidential", "illness", "--violations", str(listed)]
    words += ["--json", str(out)] + (["--missing", rule] if rule else [])
    assert main(words) == status
    with open(listed, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["record"]) for row in rows] == violations
    assert [int(row["line"]) for row in rows] == [record + 2 for record in violations]
    assert {row["key_variables"] for row in rows} <= {"day;job;flag;age"}
    facts = json.loads(out.read_text(encoding="utf-8"))["facts"]
    assert (facts["violations"], facts["missing_rule"]) == (len(violations), rule or OWN)
    said = capsys.readouterr().out
    assert f"judged by {rule or OWN}" in said
    assert "matches-anything: 0 records with fewer than k = 2 alike" in said
    assert "own-category: 4 records" in said


def test_by_which_rules_counts_differ() -> None:
    """Records, combinations and rules give different numbers for one table."""
    table = {"job": ["a", "a", "b", "b", "c", "", "*"], "sex": ["f", "f", "m", "", "m", "", "*"]}
    made = {rule: oracle.audit_release(table, 3, missing=rule) for rule in RULES}  # type: ignore[arg-type]
    found = {r: (m.facts["violations"], m.facts["combinations_below_k"]) for r, m in made.items()}
    # own-category: all, of which a,f are one combination; matches-anything: all but the last two
    # could be a, f, or b, m, or c, m together with these: 4, 4, 4, 4 and 3 records
    assert found[OWN] == (7, 6)
    assert found[ANYTHING] == (0, 0)
    assert found[LEFT_OUT] == (5, 4)
    assert made[LEFT_OUT].facts["not_counted"] == 2
    least = alike_of(cells_of(table), ANYTHING).by_record()
    assert least == [4, 4, 4, 4, 3, 7, 7]


def test_texts_that_look_like_numbers_are_no_numbers(tmp_path: Path) -> None:
    """Postcodes 01 and 1 differ, and so do dates; a column of numbers is compared by value."""
    path = written(tmp_path / "r.csv", "zip,x\n01,1.50\n01,1.5\n1,2\n1,2e0\n")
    assert main(["audit", path, "-k", "2"]) == 0
    path = written(tmp_path / "r.csv", "zip\n01\n1\n")
    assert main(["audit", path, "-k", "2"]) == 1
    path = written(tmp_path / "r.csv", "day\n1/2\n2/4\n")
    assert main(["audit", path, "-k", "2"]) == 1
    path = written(tmp_path / "r.csv", "x\n1,50\n1,5\n")
    assert main(["audit", path, "-k", "2", "--delimiter", ";", "--decimal", ","]) == 0


def test_a_declared_kind_decides_what_is_missing(tmp_path: Path) -> None:
    """NA is Namibia where the kind is declared; numbers are checked where that is declared."""
    path = written(tmp_path / "r.csv", "country\nNA\nNA\nDE\nDE\n")
    assert main(["audit", path, "-k", "3", "--missing", ANYTHING]) == 0
    words = ["audit", path, "-k", "3", "--missing", ANYTHING, "--kind"]
    assert main([*words, "country=nominal"]) == 1
    assert main([*words, "country=numeric"]) == 2
    with pytest.raises(NotANumber, match="row 1"):
        oracle.audit_release({"x": [1, "b"]}, 1, kinds={"x": "numeric"})


def test_sets_of_key_variables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [["a", "x", 1], ["a", "y", 1], ["b", "x", 1], ["b", "y", 1]]
    path = written(tmp_path / "r.csv", "p,q,r\n" + "\n".join(",".join(map(str, r)) for r in rows))
    listed = tmp_path / "v.csv"
    assert main(["audit", path, "-k", "2"]) == 1
    assert main(["audit", path, "-k", "2", "--sets-of", "1"]) == 0
    assert main(["audit", path, "-k", "2", "--sets", "p,r;q,r"]) == 0
    capsys.readouterr()
    assert main(["audit", path, "-k", "2", "--sets-of", "2", "--violations", str(listed)]) == 1
    said = capsys.readouterr().out
    assert "1 of 3 sets of key variables has combinations of fewer than k = 2 records" in said
    assert "p, q: smallest group 1; 4 records in 4 groups: records 0 1 2 3" in said
    assert "[ reported ] k-anonymous over all quasi-identifiers" in said
    assert len(listed.read_text(encoding="utf-8").splitlines()) == 5
    made = oracle.audit_release(rows, 2, sets=[["x1", "x3"], ["x2"]])
    assert made.ok
    assert [one.names for one in made.alike] == [("x1", "x3"), ("x2",)]


@pytest.mark.parametrize(
    ("sets", "error"),
    [(4, InvalidParameter), (0, InvalidParameter), ([["z"]], UnknownColumn), ([[]], None)],
)
def test_sets_that_cannot_be_judged(sets: Any, error: type[Exception] | None) -> None:
    with pytest.raises(error or InvalidParameter):
        oracle.audit_release([[1, 2, 3]], 1, sets=sets)


def test_l_diversity_and_t_closeness_by_each_rule() -> None:
    """sex f, m, and unknown: own-category has three classes, matches-anything two that overlap."""
    table = {"sex": ["f", "f", None, "m", "m"]}
    ill = {"ill": ["flu", "flu", "cold", "flu", "gout"]}

    def status(rule: Any, **promise: Any) -> str:
        made = oracle.audit_release(table, 1, missing=rule, confidential=ill, **promise)
        return made.checks[-1].status

    assert status(OWN, l_diversity="distinct:2") == "fails"
    assert status(ANYTHING, l_diversity="distinct:2") == "holds"
    assert status(LEFT_OUT, l_diversity="distinct:2") == "fails"
    # m and the unknown have flu, gout and cold in 1/3 each: (|1/3-3/5| + 2 |1/3-1/5|) / 2
    assert status(ANYTHING, t_closeness="equal:4/15") == "holds"
    assert status(ANYTHING, t_closeness="equal:0.266") == "fails"
    assert status(OWN, t_closeness="equal:4/5") == "holds"
    assert status(OWN, t_closeness="equal:0.79") == "fails"


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(MissingValue, match="row 1, column 'x1'"):
        oracle.audit_release([[1], [None]], 1, missing="reject")
    with pytest.raises(InvalidParameter, match="own-category, matches-anything, suppressed"):
        oracle.audit_release([[1], [None]], 1, missing="drop")  # type: ignore[arg-type]
    with pytest.raises(KTooLarge):
        oracle.audit_release([["a"]], 2)
    with pytest.raises(RaggedRow):
        oracle.audit_release([["a"], ["a", "b"]], 1)
    with pytest.raises(EmptyTable):
        oracle.audit_release([], 1)
    nobody = oracle.audit_release([[None], ["*"]], 2, missing=LEFT_OUT)
    assert nobody.status == "not judged"
    assert "no record has a quasi-identifier" in str(nobody)


def test_nothing_is_written_where_the_list_would_overwrite_the_release(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", MIXED)
    assert main(["audit", path, "-k", "2", "--violations", path]) == 2
    assert Path(path).read_text(encoding="utf-8") == MIXED
    assert main(["audit", path, "-k", "2", "--sets", "day,no", "--violations", "v.csv"]) == 2
    assert not Path("v.csv").exists()


@pytest.mark.long
@pytest.mark.parametrize(("values", "share"), [(5, 0.1), (50, 0.05), (3, 0.3)])
def test_a_large_table_by_matches_anything(values: int, share: float) -> None:
    """Of 100 000 records, 300 are compared with all."""
    rng = random.Random(values)
    rows = [
        [None if rng.random() < share else rng.randrange(values) for _ in range(6)]
        for _ in range(100_000)
    ]
    found = alike_of(cells_of(rows), ANYTHING).by_record()
    for record in rng.sample(range(len(rows)), 300):
        assert found[record] == sum(could_be(rows[record], other) for other in rows)
