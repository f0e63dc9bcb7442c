"""Small inputs that ask for much: each is answered in time, in little memory, by one line.

    python -m tests.black_box.bombs

runs each in a process of its own, which may have 2 GB of addresses and a minute, prints seconds,
megabytes and the answer, and ends with status 1 if one ends by anything but a named error or a
result, or takes more than 1 GB. `--only NAME` runs one.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADDRESSES, MEGABYTES, SECONDS = 2_000_000_000, 1000, 60
"""Of memory and of the processor; by the clock, on a busy machine, four times as many."""

MASK = ("refagg", "mask", "bomb", "-k", "2", "--algorithm", "mdav", "-o", "out.csv")
READ = (*MASK[:4], "30000000", *MASK[5:])
"""A table that can be read is refused for its k, before any work."""

GOOD = "a,b\n1,4\n2,9\n7,7\n8,1\n9,3\n12,0\n"


@dataclass(frozen=True)
class Bomb:
    """A file, its name, and the words of a command that reads it."""

    content: Callable[[], bytes]
    words: tuple[str, ...] = READ
    name: str = "bomb.csv"


@dataclass(frozen=True)
class Answer:
    """What became of a bomb."""

    status: int
    seconds: float
    megabytes: float
    error: str

    def wrong(self) -> str:
        """What is wrong with it; empty if nothing is."""
        if self.status not in (0, 1, 2):
            return f"status {self.status}"
        if "Traceback" in self.error:
            return "a traceback"
        last = self.error.rstrip().rpartition("\n")[2]  # the lines before tell of the progress
        if self.status == 2 and not last.startswith("error: "):
            return "no error"
        return "too much memory" if self.megabytes > MEGABYTES else ""


# Files


def _zip(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return made.getvalue()


def workbook(sheet: bytes, strings: bytes = b"", lie: int | None = None) -> bytes:
    """An Excel file with this sheet and these shared strings; its size may be a lie."""
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
        'package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/><Override '
        f'PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/><Override '
        f'PartName="/xl/sharedStrings.xml" ContentType="{kinds}.sharedStrings+xml"/></Types>'
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = {
        "[Content_Types].xml": types.encode(),
        "_rels/.rels": (
            f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/officeDocument"'
            ' Target="xl/workbook.xml"/></Relationships>'
        ).encode(),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="s" sheetId="1" '
            'r:id="r1"/></sheets></workbook>'
        ).encode(),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/worksheet" '
            f'Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{office}/sharedStrings" '
            'Target="sharedStrings.xml"/></Relationships>'
        ).encode(),
        "xl/worksheets/sheet1.xml": sheet.replace(
            b"<worksheet", f'<worksheet xmlns="{main}"'.encode()
        ),
        "xl/sharedStrings.xml": strings or f'<sst xmlns="{main}"/>'.encode(),
    }
    made = _zip(parts)
    if lie is not None:
        true = len(parts["xl/worksheets/sheet1.xml"]).to_bytes(4, "little")
        made = made.replace(true, lie.to_bytes(4, "little"))
    return made


def _sheet(rows: bytes) -> bytes:
    return b'<?xml version="1.0"?><worksheet><sheetData>' + rows + b"</sheetData></worksheet>"


NUMBERS = b'<row><c t="n"><v>1</v></c><c t="n"><v>2</v></c></row>'
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b"]>"
)


def _laughing() -> bytes:
    return workbook(
        LAUGHS + b'<worksheet><sheetData><row><c t="inlineStr"><is><t>&j;</t></is></c></row>'
        b"</sheetData></worksheet>"
    )


def _far() -> bytes:
    head = b'<row r="1"><c r="A1"><v>1</v></c></row>'
    far = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(2, 2000))
    return workbook(_sheet(head + far))


def _parquet(**options: object) -> bytes:
    import pyarrow
    import pyarrow.parquet

    column = pyarrow.array([0.0]).take(pyarrow.array([0] * 2_000_000, pyarrow.int32()))
    table = pyarrow.table({f"a{number}": column for number in range(20)})
    made = io.BytesIO()
    pyarrow.parquet.write_table(table, made, compression="zstd", **options)
    return made.getvalue()


def _dictionary() -> bytes:
    """One text of 1 MB in a dictionary, said 2000 times."""
    import pyarrow
    import pyarrow.parquet

    texts = pyarrow.DictionaryArray.from_arrays([0] * 2000, ["x" * 1_000_000])
    made = io.BytesIO()
    table = pyarrow.table({"a": list(range(2000)), "b": texts})
    pyarrow.parquet.write_table(
        table, made, compression="zstd", dictionary_pagesize_limit=100_000_000
    )
    return made.getvalue()


def _groups() -> bytes:
    import pyarrow
    import pyarrow.parquet

    made = io.BytesIO()
    table = pyarrow.table({"a": list(range(20_000)), "b": list(range(20_000))})
    pyarrow.parquet.write_table(table, made, row_group_size=1)
    return made.getvalue()


def _feather() -> bytes:
    import pyarrow
    import pyarrow.feather

    column = pyarrow.array([0.0]).take(pyarrow.array([0] * 20_000_000, pyarrow.int32()))
    made = io.BytesIO()
    pyarrow.feather.write_feather(pyarrow.table({"a": column}), made, compression="zstd")
    return made.getvalue()


def _by_pandas(write: str) -> Callable[[], bytes]:
    """A Stata or SPSS file of two columns that says it has many more records."""

    def made() -> bytes:
        import pandas
        import pyreadstat

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x")
            getattr(pyreadstat, write)(pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}), path)
            content = path.read_bytes()
        if write == "write_dta":
            return content.replace(
                b"<N>" + (2).to_bytes(8, "little"), b"<N>" + b"\xff" * 5 + b"\0\0\0"
            )
        place = content.index((2).to_bytes(4, "little"), 60)
        return content[:place] + (2**31 - 1).to_bytes(4, "little") + content[place + 4 :]

    return made


def _nested(depth: int) -> bytes:
    content = GOOD.encode()
    for _ in range(depth):
        content = gzip.compress(content)
    return content


def _certificate(change: Callable[[str], str]) -> Callable[[], bytes]:
    def made() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "in.csv").write_text(GOOD)
            words = ["optimum", "in.csv", "-k", "2", "--quiet", "--certificate", "p.json"]
            subprocess.run(
                [sys.executable, "-m", "oracle", *words],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                check=True,
                stdout=subprocess.DEVNULL,
            )
            return change(Path(folder, "p.json").read_text()).encode("utf-8", "surrogatepass")

    return made


def _first_number(text: str, by: str) -> str:
    data = json.loads(text)
    name = next(name for name, value in data.items() if isinstance(value, int))
    return text.replace(json.dumps({name: data[name]})[1:-1], f'"{name}": {by}', 1)


LINES = 20_000_000
VERIFY = ("oracle", "verify", "bomb", "good.csv")
COMPARE = ("refagg", "compare", "good.csv", "-k", "2", "--quiet", "--reference", "bomb")
STATE = ("oracle", "optimum", "good.csv", "-k", "2", "--quiet", "--state", "bomb")
VECTORS = ("oracle", "conform", "--algorithm", "mdav", "--vectors", "bomb", "--python", "os:getcwd")
GROUPS = ("oracle", "audit", "good.csv", "good.csv", "-k", "2", "--partition", "bomb")
EQUATIONS = (*MASK[:2], "good.csv", *MASK[3:], "--constraints-file", "bomb")
DEEP = b"[" * 1_000_000
DIGITS = b"9" * 10_000_000
"""Of a number, more than Python reads."""

BOMBS: dict[str, Bomb] = {
    # compressed
    "zeros in gzip": Bomb(lambda: gzip.compress(bytes(LINES * 3))),
    "short lines in gzip": Bomb(lambda: gzip.compress(b"a\n" + b"1\n" * (LINES // 2))),
    "short lines in bzip2": Bomb(lambda: bz2.compress(b"a\n" + b"1\n" * (LINES // 2))),
    "short lines in xz": Bomb(lambda: lzma.compress(b"a\n" + b"1\n" * (LINES // 2))),
    "short lines in zip": Bomb(lambda: _zip({"a.csv": b"a\n" + b"1\n" * (LINES // 2)})),
    "commas in gzip": Bomb(lambda: gzip.compress(b"a,b\n" + b"," * LINES)),
    "ten megabytes of lines": Bomb(lambda: gzip.compress(b"a\n" + b"1\n" * 4_999_000)),
    "gzip in gzip": Bomb(lambda: _nested(40)),
    # workbooks
    "workbook of many rows": Bomb(lambda: workbook(_sheet(NUMBERS * 1_000_000)), name="bomb.xlsx"),
    "workbook of some rows": Bomb(lambda: workbook(_sheet(NUMBERS * 180_000)), name="bomb.xlsx"),
    "workbook that lies": Bomb(
        lambda: workbook(_sheet(NUMBERS * 1_000_000), lie=1000), name="bomb.xlsx"
    ),
    "workbook of laughs": Bomb(_laughing, name="bomb.xlsx"),
    "workbook of far cells": Bomb(_far, name="bomb.xlsx"),
    "workbook of empty cells": Bomb(
        lambda: workbook(_sheet(b"<row>" + b"<c/>" * 2_000_000 + b"</row>")), name="bomb.xlsx"
    ),
    "workbook of row 10^18": Bomb(
        lambda: workbook(_sheet(b'<row r="999999999999999999"><c><v>1</v></c></row>')),
        name="bomb.xlsx",
    ),
    "workbook of shared strings": Bomb(
        lambda: workbook(_sheet(NUMBERS), b"<sst>" + b"<si><t>x</t></si>" * 500_000 + b"</sst>"),
        name="bomb.xlsx",
    ),
    # columns in binary
    "parquet of zeros": Bomb(_parquet, name="bomb.parquet"),
    "parquet of a long text": Bomb(_dictionary, name="bomb.parquet"),
    "parquet of row groups": Bomb(_groups, name="bomb.parquet"),
    "feather of zeros": Bomb(_feather, name="bomb.feather"),
    "stata that lies": Bomb(_by_pandas("write_dta"), name="bomb.dta"),
    "spss that lies": Bomb(_by_pandas("write_sav"), name="bomb.sav"),
    # text
    "a million columns": Bomb(
        lambda: ",".join(f"a{n}" for n in range(1_000_000)).encode() + b"\n1\n"
    ),
    "a line of a million cells": Bomb(lambda: b"a,b\n" + b"1," * 5_000_000 + b"1\n"),
    "a quote without end": Bomb(lambda: b'a,b\n"' + b"x\n" * 50_000_000),
    "quoted line feeds": Bomb(lambda: b'a,b\n"' + b"\n" * 50_000_000 + b'",1\n'),
    "a line without end": Bomb(lambda: b"a" * 100_000_000),
    "NUL bytes": Bomb(lambda: b"a,b\n1,2\n" + bytes(50_000_000)),
    "a huge exponent": Bomb(lambda: b"a,b\n1e999999999,1\n2,2\n"),
    "exponents of opposite sign": Bomb(
        lambda: b"a,b\n1e1000,1e-1000\n" + b"1e-1000,1e1000\n" * 99, MASK
    ),
    "ten million digits": Bomb(lambda: b"a,b\n1,2\n" + DIGITS[:130_000] + b",1\n"),
    "ten million digits in a cell": Bomb(lambda: b"a,b\n1,2\n" + DIGITS + b",1\n"),
    "lone surrogates": Bomb(lambda: "a,\ud800\n1,2\n3,4\n".encode("utf-8", "surrogatepass")),
    # JSON
    "deep certificate": Bomb(lambda: DEEP, VERIFY, "bomb.json"),
    "deep certificate that closes": Bomb(
        _certificate(lambda t: _first_number(t, "[" * 90_000 + "1" + "]" * 90_000)),
        VERIFY,
        "bomb.json",
    ),
    "digits in a certificate": Bomb(
        _certificate(lambda t: _first_number(t, DIGITS.decode())), VERIFY, "bomb.json"
    ),
    "k of a certificate": Bomb(
        _certificate(lambda t: _first_number(t, "1" * 4000)), VERIFY, "bomb.json"
    ),
    "exponent in a certificate": Bomb(
        _certificate(lambda t: _first_number(t, "1e999999999")), VERIFY, "bomb.json"
    ),
    "surrogates in a certificate": Bomb(
        _certificate(lambda t: _first_number(t, '"\\ud800"')), VERIFY, "bomb.json"
    ),
    "empty objects in a certificate": Bomb(
        lambda: b'{"a": [' + b"{}," * 10_000_000 + b"{}]}", VERIFY, "bomb.json"
    ),
    "certificate in gzip": Bomb(
        lambda: gzip.compress(b"[" + b"0," * 100_000_000 + b"0]"), VERIFY, "bomb.json"
    ),
    "deep reference": Bomb(lambda: DEEP, COMPARE, "bomb.json"),
    "deep state": Bomb(lambda: DEEP, STATE, "bomb.json"),
    "deep vectors": Bomb(lambda: DEEP, VECTORS, "bomb.json"),
    "deep groups": Bomb(lambda: DEEP, GROUPS, "bomb.json"),
    "groups of 10^18": Bomb(lambda: b"[[0, 1, 999999999999999999]]", GROUPS, "bomb.json"),
    "digits in groups": Bomb(lambda: b"[[0," + DIGITS + b"]]", GROUPS, "bomb.json"),
    # equations
    "deep parentheses": Bomb(lambda: b"a = " + b"(" * 1_000_000 + b"1", EQUATIONS, "bomb.txt"),
    "signs": Bomb(lambda: b"a = " + b"-" * 1_000_000 + b"1\n", EQUATIONS, "bomb.txt"),
    "terms": Bomb(lambda: b"a = 0" + b"+b" * 1_000_000 + b"\n", EQUATIONS, "bomb.txt"),
    "many equations": Bomb(lambda: b"a = b\n" * 1_000_000, EQUATIONS, "bomb.txt"),
}


def prepared(bomb: Bomb, folder: Path) -> list[str]:
    """The words of the command, after the files are written."""
    Path(folder, "good.csv").write_text(GOOD)
    Path(folder, bomb.name).write_bytes(bomb.content())
    return [bomb.name if word == "bomb" else word for word in bomb.words]


MEASURED = f"""
import resource, subprocess, sys

def bounds():
    resource.setrlimit(resource.RLIMIT_AS, ({ADDRESSES}, {ADDRESSES}))
    resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))

words = [sys.executable, "-m", *sys.argv[1:]]
process = subprocess.Popen(words, stdout=subprocess.DEVNULL, preexec_fn=bounds)
try:
    process.wait({4 * SECONDS})
except subprocess.TimeoutExpired:
    process.kill()
    process.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
"""Runs a command as a child of a small process: a child of this one would begin with its memory."""


def asked(words: list[str], folder: Path) -> Answer:
    """Run a command in bounds, and measure it."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        errors="replace",
    )
    status, spent, megabytes = done.stdout.split()
    return Answer(int(status), float(spent), float(megabytes), done.stderr)


def answers(only: str | None = None) -> Iterator[tuple[str, Answer]]:
    """Each bomb with its answer."""
    for name, bomb in BOMBS.items():
        if only is None or name == only:
            with tempfile.TemporaryDirectory(prefix="bomb-") as made:
                folder = Path(made)
                yield name, asked(prepared(bomb, folder), folder)


def main() -> int:
    """Ask, measure, tell; 1 if any answer is wrong."""
    parser = argparse.ArgumentParser(prog="bombs", description=__doc__)
    parser.add_argument("--only", metavar="NAME", choices=BOMBS)
    failed = 0
    for name, answer in answers(parser.parse_args().only):
        wrong = answer.wrong()
        failed += bool(wrong)
        last = answer.error.strip().splitlines()[-1:] or [""]
        print(
            f"{name:32} {answer.status:4} {answer.seconds:6.1f} s {answer.megabytes:6.0f} MB "
            f"{wrong.upper():16} {last[0][:150]!a}",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
