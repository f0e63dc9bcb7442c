"""Large files that are masked stratum after stratum, against the same command in memory."""

from __future__ import annotations

import csv
import os
from argparse import Namespace
from datetime import date
from decimal import Decimal
from errno import ENOSPC
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from suites import one_in

import refagg.commands.main
from refagg.catalogue import CATALOGUE
from refagg.commands import by_strata, mask_command
from refagg.data.standardise import moments
from refagg.data.tables import table_of

Said = tuple[int, str, str, bytes]


def write(path: Path, n: int, strata: int, seed: int, delimiter: str = ",") -> None:
    """Write records with an identifier, a stratum, a name to be quoted, and numbers of all sorts.

    Values grow with the number of the stratum, so that no stratum has the scale of the file.
    """
    draw = Random(seed)
    lines = [delimiter.join(["id", "region", "a", "b", "name", "c"])]
    for record in range(n):
        stratum = draw.randrange(strata)
        cells = [str(record + 5), f"r{stratum}", f"{draw.gauss(9, 3 + stratum):.2f}"]
        cells += [str(draw.randrange(4) * stratum), f'"n {draw.randrange(9)}{delimiter} \n x"']
        cells.append(str(draw.randrange(10**9) * 10**stratum))
        lines.append(delimiter.join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with 90 records in 4 strata; rows go to temporary files in small pieces."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(by_strata, "HELD", 7)
    monkeypatch.setattr(by_strata, "SAMPLED", 1)
    monkeypatch.setattr("refagg.data.csvfiles._CHUNK", 11)
    write(tmp_path / "in.csv", 90, 4, 1)
    return tmp_path


def masked(
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str = "in.csv",
    made: str = "out.csv",
) -> tuple[Said, Said]:
    """Return status, lines, complaints and file: in memory, and stratum after stratum."""
    both = []
    for large in (10**18, 0):
        monkeypatch.setattr(by_strata, "LARGE", large)
        out = Path(made)
        out.unlink(missing_ok=True)
        status = refagg.commands.main.main(["mask", name, "-o", made, "--quiet", *words])
        said = capsys.readouterr()
        both.append((status, said.out, said.err, out.read_bytes() if out.exists() else b""))
    return both[0], both[1]


def words_for(name: str) -> list[str]:
    spec = CATALOGUE[name]
    words = ["--algorithm", name, "--strata", "region", "-k", "3"]
    words += ["--columns", "a" if spec.attributes == "one" else "a,b,c"]
    words += ["--seed", "1"] if spec.random else []
    for one in spec.first_attributes():
        words += ["--param", f"{one}=c"]
    known = {one.name for one in spec.parameters}
    return [*words, "--param", "iterations=20"] if "iterations" in known else words


GROUPING = [name for name, spec in CATALOGUE.items() if spec.yields == "partition" and spec.takes_k]


@pytest.mark.parametrize("name", one_in(4, GROUPING))
def test_all_is_as_in_memory(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory, strata = masked(words_for(name), monkeypatch, capsys)
    assert memory[0] == 0
    assert strata == memory


@pytest.mark.parametrize(
    "words",
    [
        "--confidential name",
        "--confidential id,name --decimals 2 --drop id,name",
        "--columns a,b,c --blocks a;b,c --ties highest",
        "--columns a,b --standardise range --aggregate median",
        "--columns a,b --standardise sample --aggregate trimmed-mean --trim 0.2",
        "--columns b --standardise none --ties random --seed 4",
        "--columns a,c --arithmetic float",
        "--columns a,region",
        "--columns a,name",
        "--columns a,z",
        "--columns a -k 40",
        "--columns a -k 400",
        "--columns a --blocks a;b",
        "--columns a --drop a",
    ],
)
def test_options_and_errors_are_as_in_memory(
    words: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--algorithm", "mdav", "--strata", "region", "-k", "3", *words.split()]
    memory, strata = masked(asked, monkeypatch, capsys)
    assert strata == memory


@pytest.mark.parametrize(
    "words",
    [
        "--columns a,b,c -k 3 --param least=1",
        "--columns c,b,a -k 3 --param least=5 --param within=cbfs --drop id",
        "--columns a,b,c -k 2 --param least=40",
        "--columns b -k 2 --param least=2 --standardise none",
        "--columns b,c -k 4 --param least=1 --aggregate median --standardise range",
        "--columns a,z -k 2",
        "--columns a,b -k 91",
    ],
)
def test_halves_are_as_in_memory(
    words: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory, halves = masked(["--algorithm", "kd-blocks", *words.split()], monkeypatch, capsys)
    assert halves == memory


@pytest.mark.parametrize("words", ["mdav --strata s", "kd-blocks"])
@pytest.mark.parametrize("name", ["in.xpt", "none.parquet", "table.csv"])
def test_other_binary_files_are_read_in_memory(
    words: str,
    name: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A table of SAS, a Parquet file without records, and a Feather file with another name."""
    pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
    frame = pandas.DataFrame({"s": [1.0, 2.0] * 6, "a": range(12)}).astype(float)
    pyreadstat.write_xport(frame, "in.xpt")
    frame[:0].to_parquet("none.parquet")
    frame.to_feather("table.csv")
    asked = ["-k", "2", "--columns", "a", "--algorithm", *words.split()]
    memory, apart = masked(asked, monkeypatch, capsys, name)
    assert (memory[0] == 0) is (name != "none.parquet")
    assert apart == memory


def test_a_pipe_is_read_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no size, and is not opened to see what it is."""
    os.mkfifo("in.parquet")
    given = Namespace(input=Path("in.parquet"), output=Path("out.csv"))
    monkeypatch.setattr(by_strata, "LARGE", 100)
    assert not by_strata.is_large(given)


def test_columns_of_few_values_are_no_identifiers(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever value is frequent, and whichever values are sampled."""
    monkeypatch.setattr(by_strata, "SAMPLED", 16)
    rows = [
        f"{r % 9},{r % 2},{r + 10**6},{'frequent' if r % 40 else f'rare {r}'},{'x' * (r == 5)}"
        for r in range(2000)
    ]
    (here / "in.csv").write_text("\n".join(["a,s,id,status,code", *rows]) + "\n")
    asked = ["--algorithm", "blocks-in-file-order", "-k", "3", "--strata", "s", "--columns", "a"]
    memory, apart = masked(asked, monkeypatch, capsys)
    assert "id (different in every record: an identifier?), status, code" in memory[1]
    assert apart[1] == memory[1]


@pytest.mark.parametrize("words", ["mdav --strata s", "kd-blocks --param least=2"])
def test_of_numbers_near_each_other_is_told_as_in_memory(
    words: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{10**15 + record % 7}.{record},{record},{record % 2}" for record in range(40)]
    (here / "in.csv").write_text("\n".join(["x,y,s", *rows]) + "\n")
    asked = ["-k", "3", "--columns", "x,y", "--algorithm", *words.split()]
    memory, apart = masked(asked, monkeypatch, capsys)
    assert "the numbers of 'x' are near each other" in memory[2]
    assert apart == memory


@pytest.mark.parametrize(
    "words",
    [
        "--algorithm mdav --strata region --columns a,b,c -k 3",
        "--algorithm kd-blocks --columns c,a -k 2 --param least=3 --drop name",
        "--algorithm mdav --strata day --columns price,a -k 3 --standardise range",
        "--algorithm mdav --strata region --columns a,gap -k 3",
        "--algorithm mdav --strata region --columns a,name -k 3",
        "--algorithm mdav --strata region --columns a -k 3 --delimiter ab",
    ],
)
def test_parquet_files_are_as_in_memory(
    words: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    draw, n = Random(3), 90
    days = [date(2026, 1, 1 + record % 4) for record in range(n)]
    table = {
        "region": [f"r{draw.randrange(4)}" for _ in range(n)],
        "day": days,
        "a": [draw.gauss(0, 1) for _ in range(n)],
        "b": [draw.randrange(5) for _ in range(n)],
        "c": [float(draw.randrange(9)) / 10 for _ in range(n)],
        "price": [Decimal(draw.randrange(10**6)).scaleb(-2) for _ in range(n)],
        "name": [f"n{draw.randrange(9)}" for _ in range(n)],
        "gap": [None if record == 80 else record for record in range(n)],
    }
    parquet.write_table(arrow.table(table), "in.parquet", row_group_size=29)
    monkeypatch.setattr("refagg.data.otherfiles.BATCH", 12)
    memory, apart = masked(words.split(), monkeypatch, capsys, "in.parquet")
    assert apart == memory


ODD = ["", "NA", "null", ".", "007", "+1", "-0", "1e5", "2.50", "1,5", "x", str(2**53), str(2**63)]
"""Cells that decide what a whole column is."""


def odd_cells(draw: Random, n: int, main: str) -> list[str]:
    """Return cells of which few, near the end of the file or anywhere, are others than `main`."""
    some = draw.sample(ODD, 3)
    return [draw.choice(some) if draw.random() < 0.03 or r > n - 2 else main for r in range(n)]


def read_back(content: bytes) -> tuple[Any, list[str], list[str]]:
    """Return the columns of a Parquet file, as texts that tell 0 and -0, and its types."""
    table = pytest.importorskip("pyarrow.parquet").read_table(BytesIO(content))
    return repr(table.to_pydict()), table.schema.names, list(map(str, table.schema.types))


@pytest.mark.parametrize("seed", range(12))
def test_a_parquet_file_of_texts_is_that_of_a_run_in_memory(
    seed: int, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw, n, sign = Random(seed), 90, ".,"[seed % 2]
    columns = {name: odd_cells(draw, n, main) for name, main in zip("pqrs", ODD, strict=False)}
    columns |= {one: odd_cells(draw, n, draw.choice(ODD)) for one in ("t", "u")}
    columns |= {
        "v": ["7", *[f"1{sign}5"] * (n - 2), str(2**53 + 1)],
        "w": [str(2**53)] * (n - 1) + [str(2**63)],
        "region": [f"r{draw.randrange(4)}" for _ in range(n)],
        "a": [f"{draw.gauss(0, 9):.2f}".replace(".", sign) for _ in range(n)],
        "b": [str(draw.randrange(4)) for _ in range(n)],
    }
    rows = [[*columns], *zip(*columns.values(), strict=True)]
    with Path("in.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    words = ["--algorithm", "mdav", "--strata", "region", "--columns", "a,b", "-k", "3"]
    words += ["--delimiter", ";", "--decimal", sign, "--decimals", "0"][: 4 + 2 * (seed % 3 == 0)]
    memory, apart = masked(words, monkeypatch, capsys, made="out.parquet")
    assert apart[:3] == memory[:3]
    assert read_back(apart[3]) == read_back(memory[3])


def test_a_parquet_file_of_a_parquet_file_keeps_its_types(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    draw, n = Random(4), 60
    table = arrow.table(
        {
            "region": [f"r{draw.randrange(3)}" for _ in range(n)],
            "a": [draw.gauss(0, 1) for _ in range(n)],
            "text": [str(draw.randrange(9)) for _ in range(n)],
            "small": arrow.array([draw.randrange(9) for _ in range(n)], arrow.int8()),
            "day": [date(2026, 1, 1 + record % 4) for record in range(n)],
            "gap": [None if record % 7 else record for record in range(n)],
            "list": [[1, 2]] * n,
        }
    )
    parquet.write_table(table, "in.parquet", row_group_size=29)
    words = ["--algorithm", "kd-blocks", "--columns", "a,text", "-k", "2", "--param", "least=3"]
    memory, apart = masked(words, monkeypatch, capsys, "in.parquet", "out.pq")
    assert apart[:3] == memory[:3]
    kept = ["region", "small", "day", "gap", "list"]
    made = parquet.read_table("out.pq")
    assert made.select(kept).equals(table.select(kept))
    assert read_back(apart[3])[:2] == read_back(memory[3])[:2]


@pytest.mark.parametrize("name", ["in.csv", "in.txt"])
def test_formats_are_as_in_memory(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "in.csv", 60, 3, 2, ";")
    text = (here / "in.csv").read_text().replace(".", ",")
    (here / "in.csv").write_bytes(text.encode("cp1252"))
    asked = ["--algorithm", "mdav", "--strata", "region", "-k", "2", "--columns", "a,b"]
    asked += ["--delimiter", ";", "--decimal", ",", "--encoding", "cp1252"]
    memory, strata = masked(asked, monkeypatch, capsys)
    assert memory[0] == 0
    assert strata == memory


@pytest.mark.parametrize(
    ("row", "complaint"),
    [("1,r1,x,2,n,3", "'x' is not a number"), ("1,r1,,2,n,3", "missing"), ("1,r1", "2 cells")],
)
def test_what_is_wrong_far_down_is_said_and_nothing_is_written(
    row: str,
    complaint: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (here / "in.csv").open("a") as file:
        file.write(row + "\n")
    asked = ["--algorithm", "mdav", "--strata", "region", "-k", "2", "--columns", "a,b"]
    memory, strata = masked(asked, monkeypatch, capsys)
    assert complaint in memory[2]
    assert strata == memory == (2, "", memory[2], b"")


def test_the_scale_is_that_of_the_whole_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Planted: with the scale of each stratum, other groups are formed."""
    asked = ["--algorithm", "mdav", "--strata", "region", "-k", "3", "--columns", "a,b,c"]
    memory, strata = masked(asked, monkeypatch, capsys)
    assert memory == strata
    monkeypatch.setattr(by_strata.LargeFile, "weights", lambda known, how: dict.fromkeys("abc", 1))
    assert masked(asked, monkeypatch, capsys)[1] != memory


def test_moments_of_parts_are_those_of_all() -> None:
    draw = Random(3)
    for _ in range(100):
        values = [draw.randrange(-50, 50) / 2 ** draw.randrange(4) for _ in range(9)]
        cut = draw.randrange(1, 9)
        whole, first, rest = (
            moments(table_of({"x": part}).columns[0])
            for part in (values, values[:cut], values[cut:])
        )
        found = first.with_more(rest)
        for how in ("population", "sample", "range", "none"):
            assert found.weight(how) == whole.weight(how)
        assert found.variance("population") == whole.variance("population")


def test_only_what_needs_one_stratum_at_a_time(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_strata, "LARGE", 0)
    runs = []

    def in_strata(*_: object) -> int:
        runs.append(1)
        return 0

    monkeypatch.setattr(mask_command, "_run_by_strata", in_strata)
    strata = ["--strata", "region", "--columns", "a,b"]
    for words, expected in (
        (strata, 1),
        (["--columns", "a,b"], 0),
        ([*strata, "--json", "report.json"], 0),
        ([*strata, "--missing", "drop"], 0),
        ([*strata, "--kind", "a=numeric", "--kind", "b=numeric"], 0),
        ([*strata, "--constraint", "a + b = 3"], 0),
        ([*strata, "-o", "out.csv.gz"], 0),
        ([*strata, "--sampling-weights", "c"], 0),
        ([*strata, "--significant-digits", "3"], 0),
        ([*strata, "--trace-page", "page.html"], 0),
    ):
        runs.clear()
        line = ["mask", "in.csv", "-k", "3", "--algorithm", "mdav", "-o", "out.csv", *words]
        refagg.commands.main.main(line)
        assert len(runs) == expected, words


@pytest.mark.parametrize("name", ["n" * 300, "gone.csv", "folder.csv"])
def test_what_is_no_file_is_a_named_error(
    name: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(by_strata, "LARGE", 0)
    (here / "folder.csv").mkdir()
    words = ["mask", name, "-k", "3", "--algorithm", "mdav", "--strata", "s", "-o", "out.csv"]
    assert refagg.commands.main.main(words) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_full_temporary_folder_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    (here / "tmp").mkdir()
    monkeypatch.setattr("refagg.commands.by_strata.pickle.dump", full)
    _, apart = masked(words_for("mdav"), monkeypatch, capsys)
    assert apart[0] == 2
    assert f"{here / 'tmp'} cannot hold the rows" in apart[2]
    assert "TMPDIR" in apart[2]
    assert not (here / "out.csv").exists()
