"""Dates, datetimes and booleans: read exactly, and written as they were."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import refagg
from refagg.data.kinds import declared_as, kind_of
from refagg.data.moments import moment_texts, numbers_of_moments
from refagg.data.tables import table_of
from refagg.errors import InvalidKind, MissingValue, NotADate, RefaggError, UnknownCategory
from tests.black_box.session import run_words

FIRST = dt.datetime(1970, 1, 1)
PATTERNS = ("%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%d %b %Y", "%Y-%j")
TIMED = ("%d.%m.%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%Y%m%dT%H%M%S")
moments = st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31))


def number(kind: str, text: Any) -> Fraction:
    return numbers_of_moments(kind_of(kind), [(text, "here")])[0]


def seconds(moment: dt.datetime) -> Fraction:
    """The seconds after the first, by Python's calendar."""
    return Fraction((moment - FIRST) // dt.timedelta(microseconds=1), 10**6)


@given(moments, st.sampled_from(["", *PATTERNS]))
def test_dates_are_numbers_of_days(moment: dt.datetime, pattern: str) -> None:
    day = moment.date()
    kind = f"date:{pattern}" if pattern else "date"
    text = day.strftime(pattern) if pattern else day.isoformat()
    days = (day - FIRST.date()).days
    assert number(kind, text) == number("date", day) == days
    assert moment_texts(kind_of(kind), [Fraction(days)], [text]) == [text]


@given(moments, st.sampled_from(["T", " "]), st.sampled_from([None, 0, 3, 6]))
def test_datetimes_are_numbers_of_seconds(
    moment: dt.datetime, separator: str, digits: int | None
) -> None:
    units = {None: "minutes", 0: "seconds", 3: "milliseconds", 6: "microseconds"}
    text = moment.isoformat(separator, units[digits])
    there = dt.datetime.fromisoformat(text)
    assert number("datetime", text) == number("datetime", there) == seconds(there)
    assert moment_texts(kind_of("datetime"), [seconds(there)], [text]) == [text]


@given(moments, st.sampled_from(TIMED))
def test_datetimes_by_a_pattern(moment: dt.datetime, pattern: str) -> None:
    text = moment.strftime(pattern)
    there = seconds(moment.replace(microsecond=0))
    kind = kind_of(f"datetime:{pattern}")
    assert numbers_of_moments(kind, [(text, "here")]) == [there]
    assert moment_texts(kind, [there], [text]) == [text]


@given(moments, st.integers(-14 * 60, 14 * 60))
def test_time_zones_are_kept(moment: dt.datetime, minutes: int) -> None:
    zone = dt.timezone(dt.timedelta(minutes=minutes))
    text = moment.replace(microsecond=0, tzinfo=zone).isoformat()
    there = seconds(moment.replace(microsecond=0)) - 60 * minutes
    assert number("datetime", text) == there
    assert moment_texts(kind_of("datetime"), [there], [text]) == [text]


@pytest.mark.parametrize(
    ("kind", "texts", "mean", "text"),
    [  # a mean of 4/3, or of a half, which goes to the even number
        ("date", ["1970-01-01"], Fraction(4, 3), "1970-01-02"),
        ("date", ["1970-01-01"], Fraction(1, 2), "1970-01-01"),
        ("date", ["1970-01-01"], Fraction(3, 2), "1970-01-03"),
        ("date:%d.%m.%Y", ["01.01.1970"], Fraction(4, 3), "02.01.1970"),
        ("date", ["1970-01-01 00:00:00"], Fraction(4, 3), "1970-01-02 00:00:00"),
        ("datetime", ["1970-01-01 10:00"], Fraction(91), "1970-01-01 00:02"),
        (
            "datetime",
            ["1970-01-01 10:00", "1970-01-01 10:00:01"],
            Fraction(91),
            "1970-01-01 00:01:31",
        ),
        ("datetime", ["1970-01-01T10:00:00.0"], Fraction(4, 3), "1970-01-01T00:00:01.3"),
        (
            "datetime",
            ["1970-01-01T10:00:00.000000000Z"],
            Fraction(4, 3),
            "1970-01-01T00:00:01.333333333Z",
        ),
        ("datetime", ["1970-01-01T10:00+02:00"], Fraction(91), "1970-01-01T02:02+02:00"),
        ("datetime", ["1970-01-01"], Fraction(86400 * 4, 3), "1970-01-02"),
        ("datetime:%d.%m.%Y %H:%M", ["01.01.1970 00:00"], Fraction(91), "01.01.1970 00:02"),
        (
            "datetime:%d.%m.%Y %H:%M:%S",
            ["01.01.1970 00:00:00"],
            Fraction(91),
            "01.01.1970 00:01:31",
        ),
        ("date", ["1970-01-01"], Fraction(-4, 3), "1969-12-31"),
    ],
)
def test_means_are_rounded_as_the_column_is_written(
    kind: str, texts: list[str], mean: Fraction, text: str
) -> None:
    assert moment_texts(kind_of(kind), [Fraction(mean)], texts) == [text]


@pytest.mark.parametrize(
    ("kind", "text", "error"),
    [
        ("date", "2020-02-30", NotADate),
        ("date", "2020-1-1", NotADate),
        ("date", "01.02.2020", NotADate),
        ("date", "2020-01-01 10:00", NotADate),
        ("date:%d.%m.%Y", "2020-01-01", NotADate),
        ("date", "18262", NotADate),
        ("date", 18262, NotADate),
        ("date", True, NotADate),
        ("datetime", "2020-01-01 24:00", NotADate),
        ("datetime", "10:00", NotADate),
        ("date", "NA", MissingValue),
        ("date", "", MissingValue),
        ("date", None, MissingValue),
        ("date", float("nan"), MissingValue),
        ("boolean", "NA", MissingValue),
        ("boolean", "yes", UnknownCategory),
        ("boolean:yes|no", "true", UnknownCategory),
        ("boolean", 2, UnknownCategory),
    ],
)
def test_what_is_none_is_refused(kind: str, text: Any, error: type[RefaggError]) -> None:
    with pytest.raises(error, match="row 0, column 'a'"):
        table_of([[text]], ["a"], kinds={"a": kind})


@pytest.mark.parametrize(
    "kind",
    [
        *("date:%d.%m.", "date:", "date:%H", "datetime:%d.%m.%Y", "datetime:%d.%m.%Y %I:%M"),
        *("boolean:yes", "boolean:a|b|c", "boolean:a|a", "boolean:|", "times", "date:%"),
    ],
)
def test_kinds_that_lose_something_are_refused(kind: str) -> None:
    with pytest.raises(InvalidKind):
        kind_of(kind)


def test_one_cell_with_a_time_zone_among_others_is_refused() -> None:
    rows = [["2020-01-01 10:00"], ["2020-01-01 10:00Z"]]
    with pytest.raises(NotADate, match=r"row 1.*only one of both has a time zone"):
        table_of(rows, ["a"], kinds={"a": "datetime"})


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("2020-01-01", "date"),
        ("2020-01-01T10:00", "datetime"),
        ("31.12.2020", "date:%d.%m.%Y"),
        ("TRUE", "boolean"),
        ("no", "boolean:yes|no"),
        ("red", "nominal"),
        (dt.date(2020, 1, 1), "date"),
        (FIRST, "datetime"),
        (True, "boolean"),
    ],
)
def test_the_declaration_that_would_read_a_cell(cell: Any, kind: str) -> None:
    assert declared_as(cell) == kind


# Files

BORN = """born,seen,ok,pay
2020-01-01,2020-01-01 10:00,TRUE,10
2020-01-02,2020-01-01 10:01,TRUE,20
2020-01-04,2020-01-01 10:03,FALSE,30
1990-05-01,2021-01-01 10:00,FALSE,40
1990-05-01,2021-01-01 10:01,FALSE,50
1990-05-02,2021-01-01 10:07,TRUE,60
"""
OTHERS = ["--confidential", "pay"]
DECLARED = ["--kind", "born=date", "--kind", "seen=datetime", "--kind", "ok=boolean"]
GROUPS = ["--algorithm", "mdav", "-k", "3"]


def run(folder: Path, *words: str) -> Any:
    return run_words(list(words), folder)


def test_a_file_of_dates_and_booleans(tmp_path: Path) -> None:
    """By hand: means of 0, 1, 3 days and 0, 0, 1 days; of 0, 1, 3 and 0, 1, 7 minutes."""
    (tmp_path / "o.csv").write_text(BORN)
    made = run(tmp_path, "refagg", "mask", "o.csv", *GROUPS, *DECLARED, *OTHERS, "-o", "r.csv")
    assert made.status == 0, made.err
    rows = [line.split(",") for line in (tmp_path / "r.csv").read_text().splitlines()[1:]]
    first, second = ["2020-01-02", "2020-01-01 10:01", "TRUE"], ["1990-05-01", "2021-01-01 10:03"]
    assert [row[:3] for row in rows] == [first] * 3 + [[*second, "FALSE"]] * 3
    audit = ["oracle", "audit", "o.csv", "r.csv", *GROUPS, *DECLARED, *OTHERS]
    assert run(tmp_path, *audit).status == 0
    right = (tmp_path / "r.csv").read_text()
    for old, new in (
        ("2020-01-02", "2020-01-03"),
        ("2020-01-02", "2020-01-01"),
        ("10:01", "10:02"),
        ("10:03", "10:02"),
        ("2020-01-01 10:01", "2020-01-01 10:01:21"),
        ("TRUE", "FALSE"),
        ("FALSE", "TRUE"),
    ):
        (tmp_path / "r.csv").write_text(right.replace(old, new))
        assert run(tmp_path, *audit).status == 1, (old, new)
    (tmp_path / "r.csv").write_text(right.replace("TRUE", "true"))
    judged = run(tmp_path, *audit)
    assert judged.status == 0, judged.out


def test_commands_take_dates_where_they_take_kinds(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text(BORN)
    how = [*DECLARED[:4], "--confidential", "ok,pay"]
    assert run(tmp_path, "refagg", "mask", "o.csv", *GROUPS, *how, "-o", "r.csv").status == 0
    for words in (
        ["refagg", "measure", "o.csv", "r.csv", *how],
        ["refagg", "compare", "o.csv", "-k", "2,3", *how],
        ["oracle", "audit", "r.csv", "-k", "3", *how],
        ["oracle", "optimum", "o.csv", "-k", "3", *how],
        ["oracle", "identify", "o.csv", "r.csv", "-k", "3", "--algorithm", "mdav,md", *how],
    ):
        ran = run(tmp_path, *words)
        assert ran.status == 0, (words, ran.out, ran.err)


STAYS = """in,out,stay
2020-01-01,2020-01-03,2
2020-01-02,2020-01-09,7
2020-01-04,2020-01-05,1
2020-03-01,2020-03-03,2
2020-03-01,2020-03-08,7
2020-03-11,2020-03-12,1
"""


def test_dates_meet_constraints_where_all_are_rounded_to_days(tmp_path: Path) -> None:
    """By hand: the means of in and out are 4/3 and 14/3 days after the first in, of stay 10/3."""
    (tmp_path / "o.csv").write_text(STAYS)
    how = ["--kind", "in=date", "--kind", "out=date", "--constraint", "out - in = stay", *GROUPS]
    audit = ["oracle", "audit", "o.csv", "r.csv", *how]
    mask = ["refagg", "mask", "o.csv", *how, "-o", "r.csv"]
    made = run(tmp_path, *mask)
    assert "released file: violated by 6 of 6 records" in made.out
    assert run(tmp_path, *audit).status == 1
    made = run(tmp_path, *mask, "--decimals", "0")
    assert "released file: met exactly by all 6 records" in made.out, made.out
    judged = run(tmp_path, *audit)
    assert judged.status == 0, judged.out
    ran = run(
        tmp_path, "oracle", "optimum", "o.csv", *how[:4], "-k", "3", "--certificate", "c.json"
    )
    assert "a certificate covers numeric attributes" in ran.err


def test_a_cell_names_the_declaration_that_would_read_it(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text(BORN)
    words = ["refagg", "mask", "o.csv", *GROUPS, *OTHERS, "-o", "r.csv"]
    ran = run(tmp_path, *words)
    assert ran.status == 2
    assert "line 2, column 'born': '2020-01-01' is not a number; --kind=born=date" in ran.err
    ran = run(tmp_path, *words, *DECLARED[:2])
    assert (
        "line 2, column 'seen': '2020-01-01 10:00' is not a number; --kind=seen=datetime" in ran.err
    )


@pytest.mark.parametrize("ending", [".parquet", ".xlsx"])
def test_types_of_files_that_are_no_text_come_back(ending: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [line.split(",") for line in BORN.splitlines()]
    frame = pandas.DataFrame(rows[1:], columns=rows[0])
    frame["born"] = [dt.date.fromisoformat(cell) for cell in frame["born"]]
    frame["seen"] = pandas.to_datetime(frame["seen"])
    frame["ok"] = frame["ok"] == "TRUE"
    name = f"o{ending}"
    {".parquet": frame.to_parquet, ".xlsx": frame.to_excel}[ending](tmp_path / name, index=False)
    out = f"r{ending}"
    words = ["refagg", "mask", name, *GROUPS, *DECLARED, *OTHERS, "-o", out]
    made = run(tmp_path, *words)
    assert made.status == 0, made.err
    read = {".parquet": pandas.read_parquet, ".xlsx": pandas.read_excel}[ending](tmp_path / out)
    before = {".parquet": pandas.read_parquet, ".xlsx": pandas.read_excel}[ending](tmp_path / name)
    assert list(read["ok"]) == [True] * 3 + [False] * 3
    assert [str(cell)[:10] for cell in read["born"]] == ["2020-01-02"] * 3 + ["1990-05-01"] * 3
    assert list(map(type, read["born"])) == list(map(type, before["born"]))
    assert read["seen"].dtype.kind == "M"
    words = ["oracle", "audit", name, out, *GROUPS, *DECLARED, *OTHERS]
    assert run(tmp_path, *words).status == 0


# R's write.table


def test_files_of_write_table_are_read(tmp_path: Path) -> None:
    text = '"a" "b" "born"\n"r1" 1 2 2020-01-01\n"r2" 3 2 2020-01-02\n"r3" 9 8 2020-01-02\n'
    (tmp_path / "o.txt").write_text(text)
    how = ["--delimiter", " ", "-k", "3", "--algorithm", "mdav", "--kind", "born=date"]
    made = run(tmp_path, "refagg", "mask", "o.txt", *how, "-o", "r.csv")
    assert made.status == 0, made.err
    assert "the first column has no name, as the row names that R writes" in made.err
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[0].split(" ") == ["", "a", "b", "born"]
    assert lines[1].split(" ") == ["r1", "4.333333333333333", "4", "2020-01-02"]
    assert run(tmp_path, "oracle", "audit", "o.txt", "r.csv", *how).status == 0


def test_names_that_are_numbers_are_told(tmp_path: Path) -> None:
    """The first record of a file without names would be released as it is."""
    (tmp_path / "o.csv").write_text("1.5,-2\n2,3\n4,5\n6,7\n8,8\n")
    words = ["refagg", "mask", "o.csv", "--algorithm", "mdav", "-k", "2", "-o", "r.csv"]
    assert "if its first line is a record, it is released as it is" in run(tmp_path, *words).err
    (tmp_path / "o.csv").write_text("1.5,b\n2,3\n4,5\n6,7\n8,8\n")
    assert "first line" not in run(tmp_path, *words).err


def test_letters_are_no_booleans(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text("sex\nf\nm\nf\nm\n")
    words = ["refagg", "mask", "o.csv", "--algorithm", "mdav", "-k", "2", "-o", "r.csv"]
    said = run(tmp_path, *words).err
    assert "'f' is not a number" in said
    assert "boolean" not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2,\n3,4,\n", "line 2: 3 cells, but the header has 2 columns"),
        ("a,b\n1,2,3\n", "line 2: 3 cells, but the header has 2 columns"),
        ("a,b\n1,2,3\n2,3\n", "line 2: 3 cells, but the header has 2 columns"),
        ("a,b\n1,2,3\n2,3,4\n3,4\n", "line 4: 2 cells, but the header has 3 columns"),
        ("a,b\n1,2,3\n1,3,4\n", "lines 2 and 3 both have the row name '1'"),
        ("a,b\n1,2,3,4\n2,3,4,5\n", "line 2: 4 cells, but the header has 2 columns"),
    ],
)
def test_other_files_with_too_many_cells_are_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text(text)
    ran = run(tmp_path, "refagg", "mask", "o.csv", "--algorithm", "mdav", "-k", "1", "-o", "r.csv")
    assert ran.status == 2
    assert words in ran.err


# Both directions, in Python


def test_frames_of_dates_are_judged() -> None:
    days = [dt.date(2020, 1, day) for day in (1, 2, 4, 20, 21, 24)]
    data = {"born": days}
    how: Any = {"kinds": {"born": "date"}, "algorithm": "mdav"}
    made = refagg.microaggregate(data, 3, **how).to_frame()
    low, high = dt.date(2020, 1, 2), dt.date(2020, 1, 22)  # 7/3 and 65/3
    assert made == {"born": [low] * 3 + [high] * 3}
    assert oracle.audit(data, made, 3, **how).ok
    later = {"born": [low + dt.timedelta(1)] * 3 + [high] * 3}
    assert not oracle.audit(data, later, 3, **how).ok
    assert oracle.audit_release(made, 3, kinds=how["kinds"]).ok
    assert refagg.measure(data, made, kinds=how["kinds"])["k_reached"] == 3
