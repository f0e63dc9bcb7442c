"""Every column of both files is judged or named: on each road, in both directions."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracle
from oracle.auditing.other_columns import nearly, same
from refagg.errors import DuplicateKey, ShuffledIndex, UnmatchedKey
from tests.black_box.session import run_words

Rows = list[list[str]]

HEADER = ["id", "x", "y", "region", "weight", "income", "person", "note"]
"""A key, two quasi-identifiers, strata, sampling weights, a confidential column, two others."""

OTHERS = {"region": "zz", "weight": "77", "income": "1e9", "person": "Nobody, Ever", "note": "!"}
"""What a cell of each is changed to."""


def original_of(random: Random, gaps: bool = False) -> Rows:
    """A table of 24 records; with gaps, three of them lack a quasi-identifier."""
    rows = []
    for number in range(24):
        amount = random.choice(["7", "7.0", "NA", "0.1", f"{random.randrange(9000) / 100}"])
        name = f"{random.choice('ABC')}ob, {random.choice('XYZ')}eno"
        note = random.choice(["", "a;b", 'said "no"', "two\nlines", "plain"])
        cells = [str(random.randrange(20)), str(random.randrange(50))]
        rows.append(
            [f"k{number}", *cells, "ns"[number % 2], str(1 + number % 3), amount, name, note]
        )
    for row in random.sample(rows, 3) if gaps else []:
        row[2] = ""
    return rows


def write(path: Path, header: list[str], rows: Rows) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def read(path: Path) -> Rows:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


Road = Callable[[Path], tuple[int, list[str]]]
"""Audits o.csv and r.csv in a folder; returns the status, and the lines of the other columns."""


def by_command(*words: str) -> Road:
    def audit(folder: Path) -> tuple[int, list[str]]:
        ran = run_words(["oracle", "audit", "o.csv", "r.csv", "-k", "3", *words], folder)
        lines = ran.out.splitlines()
        return ran.status, [line for line in lines if "other columns: " in line]

    return audit


def in_python(**options: object) -> Road:
    def audit(folder: Path) -> tuple[int, list[str]]:
        frames = []
        for name in ("o.csv", "r.csv"):
            columns = dict(zip(HEADER, zip(*read(folder / name), strict=True), strict=True))
            numbers = {n: [float(c) if c else None for c in columns[n]] for n in ("x", "y")}
            frames.append(columns | numbers)
        made = oracle.audit(*frames, 3, quasi_identifiers=["x", "y"], **options)  # type: ignore[arg-type]
        return made.verdict.exit_status, [c.summary for c in made.checks if "other" in c.name]

    return audit


JUDGED = ("--columns", "x,y")
ROADS: dict[str, tuple[tuple[str, ...], Road]] = {
    "files": ((), by_command(*JUDGED)),
    "confidential": (
        (),
        by_command("--confidential", "income,person,note,id", "--strata", "region",
                   "--sampling-weights", "weight"),
    ),
    "an algorithm": ((), by_command(*JUDGED, "--algorithm", "mdav")),
    "blocks": (
        ("--blocks", "x;y"),
        by_command(*JUDGED, "--blocks", "x;y", "--anonymity", "each-block"),
    ),
    "a key": ((), by_command(*JUDGED, "--key", "id")),
    "duckdb": ((), by_command(*JUDGED, "--engine", "duckdb")),
    "duckdb and a key": ((), by_command(*JUDGED, "--key", "id", "--engine", "duckdb")),
    "spark and a key": ((), by_command(*JUDGED, "--key", "id", "--engine", "spark:local[2]")),
    "drop": (("--missing", "drop"), by_command(*JUDGED, "--missing", "drop")),
    "drop and a key": (
        ("--missing", "drop"),
        by_command(*JUDGED, "--missing", "drop", "--key", "id"),
    ),
    "group-apart": (("--missing", "group-apart"), by_command(*JUDGED, "--missing", "group-apart")),
    "as-released": (("--missing", "group-apart"), by_command(*JUDGED, "--missing", "as-released")),
    "Python": ((), in_python()),
    "Python and a key": ((), in_python(key="id", algorithm="mdav")),
    "Python, drop": (("--missing", "drop"), in_python(missing="drop", key="id")),
    "Python, group-apart": (("--missing", "group-apart"), in_python(missing="group-apart")),
    "Python, as-released": (("--missing", "group-apart"), in_python(missing="as-released")),
}  # fmt: skip


def release(folder: Path, road: str, random: Random) -> Rows:
    """Write an original and a right release of it, whose rows are shuffled if there is a key."""
    masking = ROADS[road][0]
    write(folder / "o.csv", HEADER, original_of(random, gaps="--missing" in masking))
    weights = ["--sampling-weights", "weight", "--strata", "region"] * (road == "confidential")
    words = ["--columns", "x,y", *masking, *weights, "-k", "3", "-o", "r.csv"]
    ran = run_words(["refagg", "mask", "o.csv", "--algorithm", "mdav", *words], folder)
    assert ran.status == 0, ran.err
    rows = read(folder / "r.csv")
    if road.endswith("a key"):
        random.shuffle(rows)
        write(folder / "r.csv", HEADER, rows)
    return rows


LONG = [pytest.param(road, marks=[pytest.mark.long] * road.startswith("spark")) for road in ROADS]


@pytest.mark.parametrize("road", LONG)
def test_a_changed_cell_is_found_on_each_road(road: str, tmp_path: Path) -> None:
    for engine, library in (("duckdb", "duckdb"), ("spark", "pyspark")):
        if engine in road:
            pytest.importorskip(library)
    random = Random(f"{road} {random_seed()}")
    rows, audit = release(tmp_path, road, random), ROADS[road][1]
    status, [line] = audit(tmp_path)
    assert status == 0, line
    assert all(name in line for name in OTHERS), line
    for name, cell in OTHERS.items():
        wrong = [list(row) for row in rows]
        random.choice(wrong)[HEADER.index(name)] = cell
        write(tmp_path / "r.csv", HEADER, wrong)
        status, [line] = audit(tmp_path)
        assert status == 1
        assert f"changed: {name} in 1 of {len(rows)} records" in line


def random_seed() -> int:
    return Random().randrange(10**6)


@pytest.mark.parametrize("engine", ["python", "duckdb"])
@pytest.mark.parametrize("name", OTHERS)
def test_a_column_may_change_or_be_dropped(engine: str, name: str, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    rows = release(tmp_path, "files", Random(1))
    place = HEADER.index(name)
    common = ["-k", "3", *JUDGED, "--engine", engine, "--json", "a.json"]
    words = ["oracle", "audit", "o.csv", "r.csv", *common]
    write(tmp_path / "r.csv", HEADER, [[*row[:place], "9", *row[place + 1 :]] for row in rows])
    ran = run_words([*words, "--may-change", name], tmp_path)
    assert (ran.status, f"not examined: {name} (may change" in ran.out) == (0, True)
    dropped = [[*row[:place], *row[place + 1 :], "new"] for row in rows]
    write(tmp_path / "r.csv", [*HEADER[:place], *HEADER[place + 1 :], "more"], dropped)
    ran = run_words(words, tmp_path)
    assert ran.status == 0
    assert f"; dropped: {name}" in ran.out
    assert "not examined: more (only in the release)" in ran.out
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["run"]["engine"] == engine
    [unseen] = [r for r in data["blocks"][0]["checks"] if r["name"] == "not examined"]
    assert unseen["details"]["columns"] == ["more"]


@pytest.mark.parametrize(
    ("may_change", "said"),
    [("x", "column 'x' is a quasi-identifier"), ("z", "the original has no column 'z'")],
)
def test_what_may_change_is_another_column(may_change: str, said: str, tmp_path: Path) -> None:
    release(tmp_path, "files", Random(2))
    words = ["oracle", "audit", "o.csv", "r.csv", "-k", "3", *JUDGED, "--may-change", may_change]
    ran = run_words(words, tmp_path)
    assert (ran.status, said in ran.err) == (2, True)


@pytest.mark.parametrize("engine", ["python", "duckdb"])
def test_rows_in_another_order_are_named(engine: str, tmp_path: Path) -> None:
    """By the multiset of the rows of the other columns, without a key."""
    pytest.importorskip("duckdb")
    rows = release(tmp_path, "files", Random(3))
    write(tmp_path / "r.csv", HEADER, rows[::-1])
    words = ["oracle", "audit", "o.csv", "r.csv", "-k", "3", *JUDGED, "--engine", engine]
    ran = run_words(words, tmp_path)
    assert ran.status == 1
    assert "these columns have the same rows in another order; name a column" in ran.out
    assert run_words([*words, "--key", "id"], tmp_path).status == 0
    rows[0][HEADER.index("person")] = "Somebody"
    write(tmp_path / "r.csv", HEADER, rows[::-1])
    assert "in another order; name" not in run_words(words, tmp_path).out.split("other columns")[1]


def test_other_columns_of_parquet(tmp_path: Path) -> None:
    """Decimals, texts and dates: the last are compared by Python."""
    duckdb = pytest.importorskip("duckdb")
    table = "(SELECT i AS id, i // 3 AS x, 'n' || i AS name, i / 4 AS part FROM range(9) t(i))"
    copy = "COPY (SELECT * {} FROM {}) TO '{}' (FORMAT parquet)"
    original, released = tmp_path / "o.parquet", tmp_path / "r.parquet"
    duckdb.sql(copy.format("", table, original))
    for change, status in [("", 0), ("REPLACE (if(id = 4, 'n0', name) AS name)", 1),
                           ("REPLACE (if(id = 4, 0, part) AS part)", 1)]:  # fmt: skip
        duckdb.sql(copy.format(change, table, released))
        for engine in ("python", "duckdb"):
            words = ["-k", "3", "--columns", "x", "--engine", engine]
            ran = run_words(["oracle", "audit", "o.parquet", "r.parquet", *words], tmp_path)
            assert ran.status == status, ran.out
            assert ("record 4 is" in ran.out) == bool(status)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("1", "1.0", True),
        ("1e3", "1000", True),
        ("+5", "5", True),
        ("-0", "0", True),
        (".5", "0.50", True),
        ("01", "1", False),  # codes
        ("00501", "501", False),
        ("12345678901234567890", "12345678901234567891", False),
        ("", "NA", True),
        ("", "0", False),
        ("a", "A", False),
        ("a b", "a  b", False),
        ("e3", "0e3", False),
        (".", "0", False),
        (1, 1.0, True),
        (0.1, "0.1", True),
        (None, float("nan"), True),
        (None, 0, False),
        ("x", None, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
    ],
)
def test_cells_are_compared_as_values(one: object, other: object, equal: bool) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal


def test_rounding_in_binary64_is_named(tmp_path: Path) -> None:
    assert nearly("0.1", "0.1000000000000000055511151231257827")
    assert not nearly("0.1", "0.100000000001")
    original, released = {"x": [1, 1], "z": ["0.3", "b"]}, {"x": [1, 1], "z": [0.1 + 0.2, "b"]}
    made = oracle.audit(original, released, 2, quasi_identifiers=["x"])
    assert made.checks[-1].summary == "unchanged to double precision: z"


def test_a_release_alone_names_what_was_not_examined() -> None:
    people = [f"{first} Meyer-{n}" for n, first in enumerate(["Ann", "Bob", "Cem", "Dan"])]
    released = {"x": [1, 1, 2, 2], "person": people, "illness": list("aabb")}
    confidential = {"illness": released["illness"]}
    made = oracle.audit_release(released, 2, quasi_identifiers=["x"], confidential=confidential)
    assert made.ok
    assert made.not_examined == ("person",)
    assert "person (looks like names)" in str(made)


def test_frames_are_matched_by_key() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(4), "x": [1.0, 2, 8, 9], "z": [5, 6, 7, 5]})
    right = frame.assign(x=[1.5, 1.5, 8.5, 8.5]).iloc[[2, 0, 3, 1]]
    how: Any = {"quasi_identifiers": ["x"], "algorithm": "mdav"}
    assert oracle.audit(frame, right, 2, key="id", **how).ok
    assert not oracle.audit(frame, right.reset_index(drop=True), 2, **how).ok
    with pytest.raises(ShuffledIndex, match="record 0 is 0 and 2"):
        oracle.audit(frame, right, 2, **how)
    assert oracle.audit(frame[["id", "x"]], right, 2, key="id").not_examined == ("z",)
    twice = pandas.concat([right.iloc[:3], right.iloc[:1]])
    with pytest.raises(DuplicateKey, match="the release, records 0 and 3"):
        oracle.audit(frame, twice, 2, quasi_identifiers=["x"], key="id")
    other = right.assign(id=[2, 0, 3, 7])
    with pytest.raises(UnmatchedKey, match="the original, record 1: id is '1'"):
        oracle.audit(frame, other, 2, quasi_identifiers=["x"], key="id")


@pytest.mark.skipif(not find_spec("jinja2"), reason="jinja2 is not installed")
def test_the_page_names_other_columns(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = release(tmp_path, "files", Random(4))
    rows[3][HEADER.index("income")] = "1e9"
    write(tmp_path / "r.csv", HEADER, rows)
    words = ["oracle", "audit", "o.csv", "r.csv", "-k", "3", *JUDGED, "--may-change", "note"]
    assert run_words([*words, "--report", "page"], tmp_path).status == 1
    page = (tmp_path / "page" / "index.html").read_text()
    assert "changed: income in 1 of 24 records" in page
    assert "not examined" in page


@pytest.mark.parametrize("strata", [[], ["--strata", "region"]])
def test_the_rows_of_a_run_in_another_order(strata: list[str], tmp_path: Path) -> None:
    """Without other columns and without a key; a changed row is no row of the run."""
    rows = release(tmp_path, "confidential" if strata else "files", Random(5))
    place = [HEADER.index(name) for name in ("x", "y", *(strata[1:]))]
    shown = [HEADER[j] for j in place]
    write(tmp_path / "o.csv", shown, [[row[j] for j in place] for row in read(tmp_path / "o.csv")])
    words = ["--algorithm", "mdav", "-k", "3", *strata]
    assert run_words(["refagg", "mask", "o.csv", *words, "-o", "r.csv"], tmp_path).status == 0
    rows = sorted(read(tmp_path / "r.csv"))
    write(tmp_path / "r.csv", shown, rows)
    ran = run_words(["oracle", "audit", "o.csv", "r.csv", *words], tmp_path)
    assert ran.status == 1
    assert "the same rows as a run of mdav gives, in another order" in ran.out
    rows[0], rows[-1] = [*rows[-1][:2], *rows[0][2:]], [*rows[0][:1], *rows[-1][1:]]
    write(tmp_path / "r.csv", shown, rows)
    ran = run_words(["oracle", "audit", "o.csv", "r.csv", *words], tmp_path)
    assert "as a run of mdav gives" not in ran.out


def test_evidence_is_what_the_data_hold() -> None:
    """Texts of data, and names of columns, that look like an option are shown as they are."""
    rows = {"a": [1, 1, 9, 9], "--keep": ["--none", "x", "y", "z"]}
    released = rows | {"--keep": ["--all", "x", "y", "z"]}
    said = str(oracle.audit(rows, released, k=2, quasi_identifiers=["a"]))
    assert "changed: --keep in 1 of 4 records" in said
    assert "--keep: record 0 is '--all', was '--none'" in said
