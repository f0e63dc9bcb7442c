"""`refagg mask` and `oracle audit` of attributes of declared kinds, by their commands and files."""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from oracle.auditing.cases import AuditedRelease, judged_groups
from oracle.auditing.checks import size_check
from oracle.auditing.rendering import Granted
from oracle.commands.main import main as oracle
from refagg.commands.main import main as refagg
from refagg.data.kinds import NOMINAL, kind_of
from refagg.data.tables import table_of, table_of_kinds
from refagg.errors import InvalidKind, MissingValue
from refagg.language.partition import Partition

ROUTES = ROOT / "datasets" / "routes-sixty.csv"
ROUTE = ["--confidential", "id", "--kind", "route=sequence:>"]


def written(path: Path, rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def read(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


class Folder:
    """An original, its kinds, and what is done with it."""

    def __init__(self, path: Path, rows: Sequence[Sequence[Any]], kinds: Sequence[str]) -> None:
        self.path = path
        self.original = written(path / "original.csv", rows)
        self.kinds = [part for kind in kinds for part in ("--kind", kind)]

    def mask(self, *options: str, name: str = "released.csv") -> list[list[str]]:
        released = self.path / name
        arguments = ["mask", str(self.original), *self.kinds, *options, "-o", str(released)]
        assert refagg(arguments) == 0
        return read(released)

    def audit(self, released: Sequence[Sequence[Any]], *options: str) -> int:
        path = written(self.path / "judged.csv", released)
        return oracle(["audit", str(self.original), str(path), *self.kinds, *options])


def grouped(rows: list[list[Any]], means: dict[str, str]) -> list[list[Any]]:
    """The rows with the mean of their letter in the first column."""
    return [rows[0], *([means[row[1]], row[1]] for row in rows[1:])]


# Released numbers among other attributes

AGES = [["age", "job"], *([age, "p"] for age in (1, 9, 39)), *([age, "q"] for age in (100, 101))]
THIRDS = [*AGES, [103, "q"]]
"""The means are 49/3 and, with the last record, 304/3."""

MDAV = ("--algorithm", "mdav", "-k", "2")


@pytest.mark.parametrize("decimals", [(), ("--decimals", "0"), ("--decimals", "2")])
def test_own_means_are_right(tmp_path: Path, decimals: tuple[str, ...]) -> None:
    folder = Folder(tmp_path, AGES, ["age=numeric", "job=nominal"])
    assert folder.audit(folder.mask(*MDAV, *decimals), *MDAV) == 0


@pytest.mark.parametrize(
    ("means", "status"),
    [
        ({"p": "16.333333333333332", "q": "101.33333333333333"}, 0),
        ({"p": "49/3", "q": "304/3"}, 0),
        ({"p": "16.3", "q": "101.3"}, 0),
        ({"p": "16", "q": "101"}, 0),  # all are integers
        ({"p": "16", "q": "101.33333333333333"}, 1),
        ({"p": "16.333333333333332", "q": "101"}, 1),
        ({"p": "16.3", "q": "101"}, 1),
        ({"p": "16.3", "q": "101.4"}, 1),
        ({"p": "16.333333", "q": "101.333334"}, 1),
        ({"p": "16", "q": "102"}, 1),
    ],
)
def test_all_cells_of_an_attribute_are_written_in_one_way(
    tmp_path: Path, means: dict[str, str], status: int
) -> None:
    folder = Folder(tmp_path, THIRDS, ["age=numeric", "job=nominal"])
    assert folder.audit(grouped(THIRDS, means), "--algorithm", "mdav", "-k", "3") == status


def test_a_wrong_mean_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, AGES, ["age=numeric", "job=nominal"])
    assert folder.audit(grouped(AGES, {"p": "16", "q": "100.5"}), *MDAV) == 1
    assert "group 0 1 2 was released as 16; its aggregate is 49/3" in capsys.readouterr().out


def test_truncated_means_are_no_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [["age", "job"], [0, "p"], [0, "p"], [2, "p"], [7, "q"], [8, "q"], [8, "q"]]
    folder = Folder(tmp_path, rows, ["age=numeric", "job=nominal"])
    truncated = grouped(rows, {"p": "0.6", "q": "7.6"})
    assert folder.audit(truncated, "--algorithm", "mdav", "-k", "3") == 1
    assert "truncated toward zero to 1 decimal" in capsys.readouterr().out


def test_a_combination_that_exists_need_not_be_most_frequent(tmp_path: Path) -> None:
    """a x and b y twice, a y once: each category of a y is that of a most frequent combination."""
    rows = [["u", "v"], ["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"], ["a", "y"]]
    folder = Folder(tmp_path, rows, ["u=nominal", "v=nominal"])
    for released, status in ((["a", "x"], 0), (["b", "y"], 0), (["a", "y"], 1), (["b", "x"], 1)):
        assert folder.audit([rows[0], *[released] * 5], "-k", "5") == status


# Choices that a centroid leaves open


def test_any_most_frequent_category_may_be_a_centroids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three a and three b. With a as the mode 12 b is the farthest from the centroid, 12 b and
    26 b are a group, and 93 a and 91 a; with b it is 14 a, 98 b is the farthest from it, and 91 a
    is nearer to it, with (77/86)^2, than 12 b.
    """
    rows = [["age", "letter"], [14, "a"], [98, "b"], [93, "a"], [12, "b"], [91, "a"], [26, "b"]]
    folder = Folder(tmp_path, rows, ["age=numeric", "letter=nominal"])
    by_a = [[56, "a"], [56, "a"], [92, "a"], [19, "b"], [92, "a"], [19, "b"]]
    by_b = [["52.5", "a"], [62, "b"], ["52.5", "a"], ["52.5", "a"], ["52.5", "a"], [62, "b"]]
    groups = tmp_path / "groups.json"
    groups.write_text("[[0, 4], [1, 5], [2, 3]]")
    assert folder.audit([rows[0], *by_a], *MDAV) == 0
    assert folder.audit([rows[0], *by_b], *MDAV, "--partition", str(groups)) == 0
    groups.write_text("[[0, 5], [1, 2], [3, 4]]")
    neither = [[20, "a"], ["95.5", "b"], ["95.5", "b"], ["51.5", "b"], ["51.5", "b"], [20, "a"]]
    assert folder.audit([rows[0], *neither], *MDAV, "--partition", str(groups)) == 1
    assert "no way of breaking ties" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("groups", "values", "status"),
    [
        ("[[5, 6, 7], [0, 1, 2, 3, 4]]", "22222777", 0),  # from 3, 9 is the farthest
        ("[[0, 1, 2], [3, 4, 5, 6, 7]]", "11166666", 0),  # from 5, 0 is
        ("[[0, 1, 2, 3], [4, 5, 6, 7]]", "11116666", 1),
        ("[[0, 1, 2, 3], [4, 5, 6, 7]]", "22227777", 1),
    ],
)
def test_either_median_may_be_a_centroids(
    tmp_path: Path, groups: str, values: str, status: int
) -> None:
    rows = [["level"], *([level] for level in "01235679")]
    folder = Folder(tmp_path, rows, ["level=ordinal:0<1<2<3<4<5<6<7<8<9"])
    partition = tmp_path / "groups.json"
    partition.write_text(groups)
    released = [rows[0], *([level] for level in values)]
    options = ("--algorithm", "mdav", "-k", "3", "--partition", str(partition))
    assert folder.audit(released, *options) == status


@pytest.mark.parametrize(("value", "status"), [("1", 0), ("6", 0), ("3", 1), ("9", 1)])
def test_either_median_may_be_released(tmp_path: Path, value: str, status: int) -> None:
    rows = [["level"], ["0"], ["1"], ["6"], ["9"]]
    folder = Folder(tmp_path, rows, ["level=ordinal:0<1<2<3<4<5<6<7<8<9"])
    assert folder.audit([rows[0], *[[value]] * 4], "--algorithm", "mdav", "-k", "4") == status


def test_what_cannot_be_looked_at_within_the_limit_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [["u", "v", "w"], *(list(cells) for cells in ("abc", "bca", "cab", "acb", "bac", "cba"))]
    folder = Folder(tmp_path, rows, ["u=nominal", "v=nominal", "w=nominal"])
    groups = tmp_path / "groups.json"
    groups.write_text("[[0, 1], [2, 3, 4, 5]]")
    released = [rows[0], list("abc"), list("abc"), *[list("cab")] * 4]
    assert folder.audit(released, *MDAV, "--partition", str(groups), "--max-replays", "1") != 0
    shown = capsys.readouterr().out
    assert "[not judged] run of mdav: not decided within 1 runs" in shown
    assert "no way of breaking ties" not in shown


@pytest.mark.parametrize("algorithm", ["mdav", "v-mdav", "k-ward"])
def test_a_file_turned_round_is_masked_rightly_too(tmp_path: Path, algorithm: str) -> None:
    """Whoever has the records in the opposite order has other most frequent categories first."""
    stream = random.Random(algorithm)
    for number in range(8):
        rows = [
            [stream.randint(0, 9), stream.choice("pqr"), stream.choice("xyz")] for _ in range(8)
        ]
        folder = Folder(
            tmp_path, [["age", "u", "v"], *rows[::-1]], ["age=numeric", "u=nominal", "v=nominal"]
        )
        report = tmp_path / "report.json"
        options = ["--algorithm", algorithm, "-k", "2"]
        released = folder.mask(*options, "--json", str(report))
        groups = json.loads(report.read_text())["groups"]
        partition = tmp_path / "groups.json"
        partition.write_text(json.dumps([[7 - record for record in group] for group in groups]))
        written(folder.original, [["age", "u", "v"], *rows])
        there = [released[0], *released[:0:-1]]
        assert folder.audit(there, *options, "--partition", str(partition)) == 0, number


# Defaults that are stated


@pytest.mark.parametrize("linkage", ["single", "average"])
def test_a_weight_of_one_changes_nothing(tmp_path: Path, linkage: str) -> None:
    results = []
    for weight in ([], ["--weight", "route=1"], ["--weight", "route=3"]):
        released, report = tmp_path / "released.csv", tmp_path / "report.json"
        how = ["--algorithm", "kshc", "-k", "3", "--param", f"linkage={linkage}"]
        paths = ["-o", str(released), "--json", str(report)]
        assert refagg(["mask", str(ROUTES), *ROUTE, *weight, *how, *paths]) == 0
        results.append((released.read_text(), json.loads(report.read_text())))
    (plain, before), (same, after), (heavy, thrice) = results
    assert plain == same == heavy
    assert {**after, "weights": {}} == before
    assert thrice["information_loss_percent"] == before["information_loss_percent"]
    whole = before["whole_dissimilarity"]["decimal"]
    assert thrice["whole_dissimilarity"]["decimal"] == pytest.approx(3 * whole)


def test_the_weight_of_a_column_that_is_not_there(tmp_path: Path) -> None:
    masked = str(tmp_path / "masked.csv")
    how = ["--algorithm", "kshc", "-k", "3", "-o", masked]
    for weight in ("rout=1", "route=0"):
        assert refagg(["mask", str(ROUTES), *ROUTE, "--weight", weight, *how]) == 2


# Audits that end


@pytest.mark.parametrize("ties", ["lowest", "highest"])
def test_own_routes_are_judged_in_seconds(tmp_path: Path, ties: str) -> None:
    routes = [row[1] for row in read(ROUTES)[1:]]
    twice = [["route"], *([route] for route in routes), *([route[::-1]] for route in routes)]
    folder = Folder(tmp_path, twice, ["route=sequence:>"])
    how = ("--algorithm", "kshc", "-k", "3")
    released = folder.mask(*how, "--ties", ties)
    began = time.process_time()
    assert folder.audit(released, *how) == 0
    assert time.process_time() - began < 10


# Input that is wrong


def test_columns_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, AGES, ["age=numeric", "job=nominal"])
    original = str(folder.original)
    for command in (
        ["mask", original, *MDAV, "-o", str(tmp_path / "released.csv")],
        ["measure", original, original],
    ):
        assert refagg([*command, *folder.kinds, "--columns", "age,joob"]) == 2
        meant = "did you mean job? its columns are age, job"
        assert f"has no column 'joob'; {meant}" in capsys.readouterr().err


def test_files_of_different_lengths_are_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [["job"], *([letter] for letter in "pqpqppq")]
    long, short = written(tmp_path / "long.csv", rows), written(tmp_path / "short.csv", rows[:4])
    for original, released, there in ((short, long, "3 .* 7"), (long, short, "7 .* 3")):
        assert refagg(["measure", str(original), str(released), "--kind", "job=nominal"]) == 2
        first, last = there.split(" .* ")
        error = capsys.readouterr().err
        assert f"the original has {first} records, the release has {last}" in error


@pytest.mark.parametrize("kind", [NOMINAL, kind_of("sequence:>"), kind_of("ordinal:a<b")])
def test_nan_is_a_missing_value(kind: Any) -> None:
    with pytest.raises(MissingValue, match=r"row 1, column 'x'"):
        table_of_kinds([["a"], [float("nan")]], ["x"], {"x": kind})


def test_a_number_is_no_sequence() -> None:
    with pytest.raises(InvalidKind, match=r"row 0, column 'x': 5 is not a sequence of events"):
        table_of_kinds([[5]], ["x"], {"x": kind_of("sequence:>")})


@pytest.mark.parametrize(
    ("released", "groups"),
    [([[1], [1], [11], [12]], [[0, 1], [2, 3]]), ([[1], [1], [11], [11]], [[0], [1], [2, 3]])],
    ids=["rows differ", "a group is small"],
)
def test_the_groups_given_and_the_equal_rows_both_have_k_records(
    released: list[list[int]], groups: list[list[int]]
) -> None:
    original = table_of([[0], [2], [10], [12]])
    case = AuditedRelease(original, table_of(released), 2, Partition.of(groups), [])
    assert size_check(case, judged_groups(case, Granted())).status == "fails"
