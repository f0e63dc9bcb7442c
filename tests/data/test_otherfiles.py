"""Files of other programs: compressed, encoded, with decimal commas, or no text at all."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import json
import lzma
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

import oracle.commands.main
import refagg.commands.main
from refagg.data.csvfiles import read_sheet, read_table, write_sheet
from refagg.data.otherfiles import content_of
from refagg.data.textfiles import Format
from refagg.errors import EmptyTable, FileUnreadable, InvalidParameter, NotANumber, OutputUnwritable

CSV2 = '"";"x";"y"\n"1";1,5;2\n"2";1,7;2,5\n"3";1,6;3\n"4";8,25;1\n"5";8;1,5\n"6";9;2\n'
"""As R's write.csv2 writes a data frame."""

PLAIN = "x,y\n1.5,2\n1.7,2.5\n1.6,3\n8.25,1\n8,1.5\n9,2\n"

EXACT = [
    Fraction(3, 2),
    Fraction(17, 10),
    Fraction(8, 5),
    Fraction(33, 4),
    Fraction(8),
    Fraction(9),
]

COMMAS = Format(";", ",")


def zipped(content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("data.csv", content)
    return made.getvalue()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped, bytes])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_compressed_and_encoded(
    tmp_path: Path, pack: Callable[[bytes], bytes], encoding: str
) -> None:
    path = tmp_path / "any-name"
    path.write_bytes(pack(CSV2.replace("x", "größe").encode(encoding)))
    said = encoding if encoding == "utf-16-le" else None
    table = read_table(path, ["größe"], Format(";", ",", said))
    assert table.columns[0].values(range(6)) == EXACT


def test_latin_1_says_that_it_is_no_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("größe\n1\n".encode("latin-1"))
    with pytest.raises(FileUnreadable, match=r"not UTF-8 text.*encoding="):
        read_table(path)
    assert read_table(path, None, Format(encoding="latin-1")).names == ("größe",)


def test_a_decimal_comma_is_exact_and_a_point_beside_it_an_error(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("x;y\n0,1;1.234,5\n")
    assert read_table(path, ["x"], COMMAS).columns[0][0] == Fraction(1, 10)
    with pytest.raises(NotANumber, match=r"line 2, column 'y'.*has a point"):
        read_table(path, ["y"], COMMAS)
    with pytest.raises(NotANumber, match="is ',' the decimal= sign"):
        read_table(path, ["x"], Format(";"))
    with pytest.raises(InvalidParameter, match="both ','"):
        read_table(path, ["x"], Format(",", ","))


def test_from_write_csv2_to_an_audit(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The released file is of the same form; row names are kept."""
    Path("r.csv").write_text(CSV2)
    form = ["--delimiter", ";", "--decimal", ",", "-k", "3", "--algorithm", "mdav"]
    assert refagg.commands.main.main(["mask", "r.csv", *form, "-o", "out.csv"]) == 0
    assert "the first column has no name" in capsys.readouterr().err
    rows = [line.split(";") for line in Path("out.csv").read_text().splitlines()]
    assert [row[0] for row in rows] == ["", *"123456"]
    assert {row[1] for row in rows[1:4]} == {"1,6"}  # the mean of 1.5, 1.7 and 1.6
    assert oracle.commands.main.main(["audit", "r.csv", "out.csv", *form]) == 0
    assert oracle.commands.main.main(["identify", "r.csv", "out.csv", *form[:6]]) == 0
    assert refagg.commands.main.main(["measure", "r.csv", "out.csv", *form[:4]]) == 0
    # Without the options, the message says which they are.
    capsys.readouterr()
    assert oracle.commands.main.main(["audit", "r.csv", "out.csv", "-k", "3"]) == 2
    assert "is ';' the --delimiter?" in capsys.readouterr().err


def test_a_probable_key_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text("id,x\n17,1\n12,2\n14,3\n")
    Path("b.csv").write_text("id,x\n17,2\n12,2\n14,2\n")
    words = ["audit", "a.csv", "b.csv", "-k", "3"]
    assert oracle.commands.main.main(words) == 2
    said = capsys.readouterr().err
    assert "'id'" in said
    assert "probably a key; --key id matches records by it, --confidential id" in said
    assert oracle.commands.main.main([*words, "--confidential", "id"]) == 0
    assert oracle.commands.main.main([*words, "--columns", "id,x"]) == 1
    # What was not masked at all is no key.
    Path("a.csv").write_text("id,x\n17,1\n12,1\n14,3\n")
    assert oracle.commands.main.main(["audit", "a.csv", "a.csv", "-k", "3"]) == 1


def test_a_column_that_may_be_a_key_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unchanged decimals that are all different can be a mistake, too: the verdict is given."""
    rows = [(f"{i}.5", i, i // 3) for i in range(12)]
    Path("a.csv").write_text("\n".join(["t,x", *(f"{t},{x}" for t, x, _ in rows)]))
    Path("b.csv").write_text("\n".join(["t,x", *(f"{t},{3 * g + 1}" for t, _, g in rows)]))
    words = ["audit", "a.csv", "b.csv", "-k", "3"]
    assert oracle.commands.main.main(words) == 1
    told = capsys.readouterr().err
    assert "so it was not masked; if it is a key, or no quasi-identifier, " in told
    assert "--confidential t leaves it out" in told
    assert oracle.commands.main.main([*words, "--confidential", "t"]) == 0
    assert capsys.readouterr().err == ""


def test_a_column_without_a_name_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text("x,,y\n1,5,2\n2,6,3\n3,7,4\n")
    words = ["mask", "a.csv", "-k", "3", "--algorithm", "mdav", "-o", "out.csv"]
    assert refagg.commands.main.main(words) == 0
    assert "column 2 has no name" in capsys.readouterr().err
    assert refagg.commands.main.main([*words, "--confidential", ""]) == 0
    assert capsys.readouterr().err == ""
    assert [line.split(",")[1] for line in Path("out.csv").read_text().split()[1:]] == [*"567"]


@pytest.mark.parametrize("ending", ["parquet", "feather", "xlsx", "dta", "sav"])
def test_binary_files_there_and_back(here: Path, ending: str) -> None:
    """Numbers come back as the binary64 numbers that they are; other columns as they are."""
    for module in ("pyarrow", "openpyxl", "pyreadstat", "pandas"):
        pytest.importorskip(module)
    Path("in.csv").write_text("id,x,y\na7,0.1,1\n007,2.5,2\n08,3,3\nx,1e-30,9\n")
    sheet = read_sheet(Path("in.csv"))
    path = Path(f"made.{ending}")
    write_sheet(path, sheet, [])
    again = read_sheet(path)
    assert again.header == sheet.header
    assert again.column("id") == ["a7", "007", "08", "x"]
    exact = read_table(path, ["x", "y"])
    assert [exact.columns[0][i] for i in range(4)] == [
        Fraction(0.1),
        Fraction(5, 2),
        3,
        Fraction(1e-30),
    ]
    assert again.column("x")[:3] == ["0.1", "2.5", "3"]


@pytest.mark.parametrize("ending", ["csv.gz", "csv.bz2", "csv.xz", "csv.zip", "parquet", "xlsx"])
def test_mask_and_audit_of_every_kind(here: Path, ending: str) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    Path("in.csv").write_text(PLAIN)
    for source, made in (("in.csv", f"a.{ending}"), (f"a.{ending}", f"b.{ending}")):
        words = [source, "-k", "3", "--algorithm", "mdav"]
        assert refagg.commands.main.main(["mask", *words, "-o", made]) == 0
        assert oracle.commands.main.main(["audit", source, made, *words[1:3]]) == 0


@pytest.mark.parametrize("ending", ["sas7bdat", "xls", "rds"])
def test_what_cannot_be_written_is_refused_before_work(here: Path, ending: str) -> None:
    Path("in.csv").write_text(PLAIN)
    made = f"out.{ending}"
    words = ["mask", "in.csv", "-k", "3", "--algorithm", "mdav", "-o", made]
    assert refagg.commands.main.main(words) == 2
    assert not Path(made).exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old Excel file"),
        (gzip.compress(b"X\n\x00\x00\x00\x03" + bytes(99)), "an R data file .*write.csv"),
        (gzip.compress(b"RDX3\nX\n" + bytes(99)), "an R workspace"),
        (b"\x28\xb5\x2f\xfd" + bytes(20), "compressed by zstd.*unzstd"),
        (b"SQLite format 3\x00" + bytes(90), "SQLite"),
        (b"%PDF-1.4", "a PDF file"),
        (b'{\n "a": [1, 2]}', "a JSON file, which is not read here; write the table as CSV"),
        (b'[{"a": 1}]', "a JSON file"),
        (b"<!DOCTYPE html><html>", "an HTML or XML file"),
        ("x,y\n1,2\n".encode("utf-16-le"), "not UTF-8 text; UTF-16 without .*'utf-16-le'"),
        (bytes(range(256)), "save a table in another format as CSV"),
        (gzip.compress(b"1,2\n" * 50)[:-8], "cannot be read"),
        (b"PAR1" + bytes(40), "a Parquet file, but cannot be read as one"),
        (zipped(b"x\n1\n")[:60], "cannot be read"),
    ],
    ids=map(str, range(14)),  # compressed bytes hold the time
)
def test_what_a_file_is_is_said(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.raises(FileUnreadable, match=words):
        read_table(path)


def test_a_damaged_file_is_not_taken_for_text(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(b"QAR1" + bytes(40))
    with pytest.raises(FileUnreadable, match=r"does not begin as a Parquet file does"):
        read_table(path)
    path.write_bytes("x,y\n1,2\n".encode("utf-16"))
    assert read_table(path).names == ("x", "y")


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "it is empty"), (b"\n\n", "its first line is empty")]
)
def test_a_file_without_a_header_says_so(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.raises(EmptyTable, match=words):
        read_table(path)


def test_a_zip_file_of_two_says_so(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.csv", "x\n1\n")
        packed.writestr("b.csv", "x\n1\n")
    with pytest.raises(FileUnreadable, match=r"2 files \(a.csv, b.csv\)"):
        read_table(path)


def test_a_workbook_of_two_sheets_needs_a_name(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book, path = openpyxl.Workbook(), tmp_path / "two.xlsx"
    book.active.title = "notes"
    sheet = book.create_sheet("data")
    for row in (["x", "y"], [1, 0.5], [2, None]):
        sheet.append(row)
    book.save(path)
    with pytest.raises(FileUnreadable, match=r"sheets notes, data.*sheet="):
        read_sheet(path)
    found = read_sheet(path, Format(sheet="data"))
    assert found.numeric(["x"]).columns[0].values([0, 1]) == [1, 2]
    assert found.lacks("y", None) == [False, True]


def test_a_table_without_records(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    parquet.write_table(arrow.table({"x": []}), tmp_path / "none.parquet")
    with pytest.raises(EmptyTable):
        read_table(tmp_path / "none.parquet")


def test_standard_input_and_output(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("in.csv").write_text(PLAIN)
    given = io.TextIOWrapper(io.BytesIO(PLAIN.encode()))
    monkeypatch.setattr(sys, "stdin", given)
    words = ["mask", "-", "-k", "3", "--algorithm", "mdav", "-o", "-"]
    assert refagg.commands.main.main(words) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[:2] == ["x,y", "1.6,2.5"]
    assert "k reached 3" in err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
    assert oracle.commands.main.main(["audit", "in.csv", "-", "-k", "3", "--json", "-"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["verdict"] == "holds"
    assert oracle.commands.main.main(["audit", "-", "-", "-k", "3"]) == 2


def test_signs_that_an_encoding_lacks(tmp_path: Path) -> None:
    source, made = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("x,name\n1,\u0142\n", encoding="utf-8")
    sheet = read_sheet(source)
    latin = replace(sheet, how=Format(encoding="latin-1"))
    with pytest.raises(OutputUnwritable, match="not in the encoding latin-1"):
        write_sheet(made, latin, [])
    assert not made.exists()


def test_without_the_library_nothing_is_computed(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.csv").write_text(PLAIN)
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    words = ["mask", "in.csv", "-k", "3", "--algorithm", "mdav", "-o", "out.dta", "--trace"]
    assert refagg.commands.main.main(words) == 2
    said = capsys.readouterr()
    assert "needs pyreadstat: pip install '.[files]'" in said.err
    assert said.out == ""


def test_a_text_that_looks_like_a_formula_stays_a_text(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    source, made = tmp_path / "in.csv", tmp_path / "out.xlsx"
    source.write_text("x,name\n1,=1+1\n")
    sheet = read_sheet(source)
    write_sheet(made, sheet, [])
    assert read_sheet(made).column("name") == ["=1+1"]


def test_a_numbering_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.csv").write_text("id,x\n" + "".join(f"{i + 5},{i * i % 7}\n" for i in range(12)))
    words = ["mask", "in.csv", "-k", "3", "--algorithm", "mdav", "-o", "out.csv"]
    assert refagg.commands.main.main(words) == 0
    assert "'id' numbers the records" in capsys.readouterr().err
    assert refagg.commands.main.main([*words, "--confidential", "id"]) == 0
    assert refagg.commands.main.main([*words, "--columns", "id,x"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["xport", "por"])
def test_transport_files(tmp_path: Path, name: str) -> None:
    """1.5 and 2.25 are exact in every such format; a missing value is one."""
    pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
    path = tmp_path / "made"
    frame = pandas.DataFrame({"X": [1.5, 2.25, None], "T": ["u", "v", "w"]})
    getattr(pyreadstat, f"write_{name}")(frame, str(path))
    found = read_sheet(path)
    assert found.take([0, 1]).numeric(["X"]).columns[0].values([0, 1]) == [1.5, 2.25]
    assert found.lacks("X", None) == [False, False, True]
    assert found.column("T") == ["u", "v", "w"]


def packed(name: str, text: bytes) -> bytes:
    if name.endswith(".zip"):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("in.csv", text)
        return made.getvalue()
    compress = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[Path(name).suffix]
    begin, part = compress(text[:2]), compress(text[2:600_002])  # files of several streams
    whole, rest = divmod(len(text) - 2, 600_000)
    return begin + part * whole + compress(text[len(text) - rest :])


@pytest.mark.parametrize("name", ["in.gz", "in.bz2", "in.xz", "in.zip"])
def test_what_is_made_to_fill_the_memory_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """12 MB of one row are compressed to some kB; small files are read as before."""
    bomb, small = tmp_path / name, tmp_path / f"small-{name}"
    bomb.write_bytes(packed(name, b"x\n" + b"12345\n" * 2_000_000))
    small.write_bytes(packed(name, b"x\n" + b"12345\n" * 9))
    words = ["mask", str(bomb), "--algorithm", "mdav", "-k", "3", "-o", str(tmp_path / "out.csv")]
    main = refagg.commands.main.main
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "holds more than 10 MB when it is decompressed" in told
    assert "--max-decompressed=2GB" in told
    assert main([*words[:1], str(small), *words[2:]]) == 0
    assert main([*words[:1], str(small), *words[2:], "--max-decompressed", "0.00001MB"]) == 2
    assert "holds more than 1e-05 MB" in capsys.readouterr().err
    assert main([*words, "--max-decompressed", "much"]) == 2
    assert "give it as 500MB or 2GB" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_a_small_file_is_read_by_a_process_that_has_no_threads_yet(
    ending: str, tmp_path: Path
) -> None:
    """What a file may take as a table does not suffice for further threads."""
    path = tmp_path / f"o.{ending}"
    path.write_bytes(content_of(path, {"a": list(range(1000)), "b": [0.5] * 1000}))
    words = [sys.executable, "-m", "refagg", "measure", str(path), str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def judged_again(folder: Path, original: str, released: str, *options: str) -> int:
    """Mask the column x of a file, and audit what was written."""
    pytest.importorskip("openpyxl")
    files = [str(folder / original), str(folder / released)]
    how = ["--columns", "x", "-k", "2", "--algorithm", "mdav", *options]
    made = refagg.commands.main.main(["mask", files[0], "-o", files[1], *how])
    return made or oracle.commands.main.main(["audit", *files, *how])


@pytest.mark.parametrize("released", ["r.xlsx", "r.parquet", "r.csv"])
def test_what_is_not_masked_is_kept_in_other_kinds_of_files(released: str, tmp_path: Path) -> None:
    """Dates are midnights in a workbook, long integers do not fit binary64, a dot may be a text."""
    dates = [date(2026, 11, day) for day in (1, 2, 3, 4)]
    columns = {"x": [1, 2, 8, 9], "day": dates, "id": [2**53 + 1, 2**53 + 3, 5, 7]}
    (tmp_path / "o.parquet").write_bytes(content_of(tmp_path / "o.parquet", columns))
    assert judged_again(tmp_path, "o.parquet", released) == 0
    (tmp_path / "o.csv").write_text("x,mark,mass\n1,.,6.02e23\n2,3,1\n8,4,2.5\n9,?,3\n")
    assert judged_again(tmp_path, "o.csv", released) == 0


def test_large_numbers_and_nanoseconds_of_parquet_are_kept(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("pandas")
    times = arrow.array([10**18 + i for i in range(4)], type=arrow.timestamp("ns", tz="UTC"))
    large = arrow.array([2**64 - 1 - i for i in range(4)], type=arrow.uint64())
    table = arrow.table({"x": [1, 2, 8, 9], "time": times, "hash": large})
    parquet.write_table(table, tmp_path / "o.parquet")
    assert judged_again(tmp_path, "o.parquet", "r.parquet") == 0
    again = parquet.read_table(tmp_path / "r.parquet")
    assert again.column("time").equals(table.column("time"))
    assert again.column("hash").equals(table.column("hash"))


def test_the_sheet_of_a_release_is_that_of_the_original(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for number in (1, 2, 8, 9):
        book.active.append([number])
    sheet = book.create_sheet("second")
    for cell in ("x", 1, 2, 8, 9):
        sheet.append([cell])
    book.save(tmp_path / "o.xlsx")
    assert judged_again(tmp_path, "o.xlsx", "r.xlsx", "--sheet", "second") == 0


def test_what_no_workbook_holds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text(f"x,note\n1,{'a' * 32_768}\n2,b\n")
    assert judged_again(tmp_path, "o.csv", "r.xlsx") == 2


def test_numbers_near_each_other_lose_their_last_digits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "o.csv").write_text("x\n" + "".join(f"{10**17 + i}\n" for i in (1, 2, 4, 9)))
    judged_again(tmp_path, "o.csv", "r.csv")
    assert "whose last digits are lost" in capsys.readouterr().err
    files = [str(tmp_path / name) for name in ("o.csv", "r.csv")]
    how = ["-k", "2", "--algorithm", "mdav"]
    words = ["mask", files[0], "-o", files[1], "--decimals", "2", *how]
    assert refagg.commands.main.main(words) == 0
    assert oracle.commands.main.main(["audit", *files, *how]) == 0
    assert "whose last digits are lost" not in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["parquet", "feather", "xlsx", "dta", "sav"])
def test_texts_that_are_no_numbers_are_released_as_they_are(here: Path, ending: str) -> None:
    """A comma in a text, categories that look like numbers, and cells that say NA."""
    Path("in.csv").write_text(
        "a;job;code;flag\n1,5;baker, cook;1.50;NA\n2,5;baker, cook;1.50;NA\n3,5;nurse;2.0;TRUE\n"
        "4,5;nurse;2.0;TRUE\n5,5;nurse;2.0;FALSE\n",
        encoding="utf-8",
    )
    kinds = ["--kind", "a=numeric", "--kind", "code=nominal", "--kind", "flag=boolean"]
    how = ["--delimiter", ";", "--decimal", ",", "-k", "2", "--algorithm", "mdav"]
    both = [*how, *kinds, "--confidential", "job", "--missing", "group-apart"]
    out = f"out.{ending}"
    assert refagg.commands.main.main(["mask", "in.csv", *both, "-o", out]) == 0
    released = read_sheet(Path(out), Format())
    assert released.column("job") == ["baker, cook"] * 2 + ["nurse"] * 3
    assert released.column("code") == ["1.50"] * 2 + ["2.0"] * 3
    assert oracle.commands.main.main(["audit", "in.csv", out, *both]) == 0
