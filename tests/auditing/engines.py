"""Two engines of `oracle audit` on random releases.

`python -m tests.auditing.engines 2000 [SEED [ENGINE]]` compares so many by Python and by duckdb, or
by spark:local[2], for which all have a key.

Files are written in all ways that people write them, and spoilt in many. Both engines must print
the same, end with the same status and write the same JSON, but for its object "run".
"""

from __future__ import annotations

import json
import math
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from tests.black_box.session import run_words

Texts = list[list[str]]


def _numbers(t: Random, n: int) -> list[Fraction]:
    """A column of an original."""
    draw: Callable[[], Fraction] = t.choice(
        [
            lambda: Fraction(t.randint(-5, 20)),
            lambda: Fraction(t.randint(-5, 2000), 100),
            lambda: Fraction(repr(t.gauss(0, 100))),
            lambda: Fraction(repr(t.gauss(0, 1) * 10.0 ** t.randint(-8, 8))),
            lambda: Fraction(t.randint(10**16, 10**18)),
            lambda: Fraction(0),
        ]
    )
    return [draw() for _ in range(n)]


def _binary32(value: Fraction) -> float:
    single: float = struct.unpack("f", struct.pack("f", float(value)))[0]
    return single


def _fixed(value: Fraction, places: int) -> str:
    scaled = round(value * 10**places)
    sign, digits = "-" * (scaled < 0), str(abs(scaled)).rjust(places + 1, "0")
    return sign + digits[: len(digits) - places] + ("." + digits[-places:]) * (places > 0)


WRITERS: list[Callable[[Fraction], str]] = [
    lambda v: repr(float(v)),
    lambda v: f"{float(v):.17g}",
    lambda v: f"{float(v):.10g}",
    lambda v: f"{float(v):.6g}",
    lambda v: f"{float(v):.17e}",
    lambda v: repr(_binary32(v)),
    lambda v: _fixed(v, 0),
    lambda v: _fixed(v, 2),
    lambda v: _fixed(v, 12),
    lambda v: _fixed(v, 25),
    lambda v: _fixed(Fraction(math.floor(v * 100), 100), 2),
    lambda v: _fixed(Fraction(math.ceil(v * 10), 10), 1),
    lambda v: _fixed(Fraction(math.trunc(v * 1000), 1000), 3),
]


def _exact(value: Fraction) -> str:
    """Numbers of an original, which are decimals."""
    return next(t for p in range(400) if Fraction(t := _fixed(value, p)) == value)


def _otherwise(t: Random, text: str) -> str:
    """The same number written otherwise."""
    return t.choice(
        [
            text + ("0" if "." in text and "e" not in text else ""),
            "+" + text if text[0] not in "+-" else text,
            " " + text,
            text + " ",
            "00" + text if text[0] not in "+-" else text,
            text + ("e0" if "e" not in text else ""),
            text + ("." if text.lstrip("-").isdigit() else ""),
            text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text,
            text.upper(),
            "\t" + text,
        ]
    )


WRONG = (
    *(
        "",
        "NA",
        "nan",
        "inf",
        "-Infinity",
        "x",
        "1_000",
        "0x10",
        "1.2.3",
        "1e",
        "--1",
        "+-1",
        "- 1",
    ),
    *(
        "1e400",
        "1e-400",
        "1e99999",
        "1,5",
        "1;5",
        '1"5',
        ".",
        "-",
        "1/3",
        "12 345",
        "٣",
        " ",
        "1e5e",
    ),
    *(
        "1234567890123456789012345678901234567890",
        "0." + "1" * 45,
        "1e37",
        "5e-38",
        "1.e3",
        "-.5e1",
    ),
)


def _spoilt_values(t: Random, rows: Texts) -> str:
    """Plant a defect in the cells of a release; its name."""
    r, c = t.randrange(len(rows)), t.randrange(len(rows[0]))
    defect = t.choice(["none", "none", "ulp", "group", "swapped", "wrong", "otherwise", "long"])
    if defect == "ulp":
        try:
            value = math.nextafter(float(rows[r][c]), t.choice([-math.inf, math.inf]))
        except ValueError:
            return "none"
        alike = [row for row in rows if row == rows[r]] if t.random() < 0.5 else [rows[r]]
        for row in alike:
            row[c] = repr(value)
    elif defect == "group":
        rows[r][c] = t.choice(rows)[c]
    elif defect == "swapped":
        other = t.randrange(len(rows))
        rows[r], rows[other] = rows[other], rows[r]
    else:
        _odd_texts(t, defect, rows, r, c)
    return defect


def _odd_texts(t: Random, defect: str, rows: Texts, r: int, c: int) -> None:
    """Write some numbers otherwise, or something that is none."""
    if defect == "wrong":
        rows[r][c] = t.choice(WRONG)
    elif defect == "otherwise":
        for row in rows:
            if t.random() < 0.5:
                row[c] = _otherwise(t, row[c])
    elif defect == "long":
        rows[r][c] += ("" if "." in rows[r][c] else ".") + "0" * t.choice([5, 20, 40])


def _content(t: Random, header: list[str], rows: Texts, delimiter: str) -> bytes:
    """A CSV file, rarely in its plainest form."""
    quote = t.choice([0.0] * 4 + [0.3, 1.0])

    def cell(text: str) -> str:
        must = any(sign in text for sign in (delimiter, '"', "\n", "\r"))
        escaped = text.replace('"', '""')
        return f'"{escaped}"' if must or t.random() < quote else text

    lines = [delimiter.join(map(cell, row)) for row in [header, *rows]]
    if t.random() < 0.1:
        at = t.randrange(len(lines) + 1)
        ragged = lines[at - 1] + delimiter + "7", lines[at - 1].rpartition(delimiter)[0]
        lines.insert(at, t.choice(["", "", " ", *ragged]))
    end = t.choice(["\n"] * 4 + ["\r\n", "\r"])
    data = (end.join(lines) + end * (t.random() < 0.7)).encode()
    data = b"\xef\xbb\xbf" * (t.random() < 0.1) + data
    if t.random() < 0.03:
        at = t.randrange(len(data))
        data = data[:at] + t.choice([b"\xff", b"\0", b"\n\n", b'"', b"\xc3\xa9"]) + data[at:]
    return data


def _write_parquet(t: Random, path: Path, header: list[str], rows: Texts) -> bool:
    """The same as Parquet, of some types; no file if the values are not of such types."""
    import duckdb

    if len({name.lower() for name in header}) < len(header):
        return False
    parts = []
    for j, name in enumerate(header):
        kinds = ["VARCHAR"] if name in ("id", "note") else ["DOUBLE", "FLOAT", "DECIMAL(38,3)"]
        if name not in ("id", "note") and all(row[j].lstrip("-").isdigit() for row in rows):
            kinds += ["BIGINT"]
        parts.append(f"CAST(nullif(c{j}, '') AS {t.choice(kinds)}) AS \"{name}\"")
    connection = duckdb.connect()
    try:
        columns = ", ".join(f"c{j} VARCHAR" for j in range(len(header)))
        connection.execute(f"CREATE TABLE t ({columns})")
        marks = ", ".join("?" * len(header))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", rows)
        connection.execute(f"COPY (SELECT {', '.join(parts)} FROM t) TO '{path}' (FORMAT parquet)")
    except duckdb.Error:
        return False
    finally:
        connection.close()
    return True


def _values(t: Random, n: int, p: int, k: int) -> list[Texts]:
    """An original and a release of it, without defects."""
    columns = [_numbers(t, n) for _ in range(p)]
    records = t.sample(range(n), n) if t.random() < 0.7 else list(range(n))
    groups = [records[i : i + k] for i in range(0, n, k)]
    if len(groups) > 1 and len(groups[-1]) < k:
        last = groups.pop()
        groups[-1] += last
    released = [[""] * p for _ in range(n)]
    for j, column in enumerate(columns):
        writer = t.choice(WRITERS)
        for group in groups:
            text = writer(sum(column[r] for r in group) / Fraction(len(group)))
            for record in group:
                released[record][j] = text
    write = t.choice([_exact, _exact, lambda v: repr(float(v))])
    return [[[write(column[r]) for column in columns] for r in range(n)], released]


def _with_others(t: Random, tables: list[Texts]) -> None:
    """Put two columns behind the values of both files: the same, written otherwise, or changed."""
    notes = ["", "x", 'say "no"', "a,b", "two\nlines", "é", "a@b.org", "x\x1b1"]
    others = [[t.choice(notes), str(t.randint(0, 10**9) / 100)] for _ in tables[0]]
    for row, own in zip(tables[0], others, strict=True):
        row += own
    how = t.choice(["same", "same", "otherwise", "changed", "shuffled"])
    if how == "shuffled":
        t.shuffle(others)
    for row, own in zip(tables[1], others, strict=True):
        changed = how == "changed" and t.random() < 0.3
        note, number = own if not changed else [t.choice(notes), own[1] + t.choice(["0", "1"])]
        row += [note, _otherwise(t, number) if how == "otherwise" else number]


def _with_keys(t: Random, tables: list[Texts]) -> None:
    """Put a key before the values of both files, and shuffle the second; rarely a wrong key."""
    n = len(tables[0])
    ids = t.sample([f"r{i}" for i in range(n)] if t.random() < 0.5 else list(map(str, range(n))), n)
    for rows in tables:
        rows[:] = [[i, *row] for i, row in zip(ids, rows, strict=True)]
    t.shuffle(tables[1])
    if t.random() < 0.15:
        t.choice(t.choice(tables))[0] = t.choice([*ids, "r0", "other", ""])


def _written(t: Random, tables: list[Texts], header: list[str], sign: str, folder: Path) -> Any:
    """The names of the files, which can have their columns in other orders."""
    for name, rows in zip(("original", "released"), tables, strict=True):
        own = list(range(len(header)))
        if t.random() < 0.2:
            t.shuffle(own)
        mixed, titles = [[row[j] for j in own] for row in rows], [header[j] for j in own]
        path = folder / f"{name}.parquet"
        if not (t.random() < 0.2 and rows and _write_parquet(t, path, titles, mixed)):
            path = folder / f"{name}.csv"
            path.write_bytes(_content(t, titles, mixed, sign))
        yield path.name


def case(seed: int, folder: Path, keys: float = 0.3) -> tuple[list[str], str]:
    """Write the files of a case; the words of its audit, and the defect that was planted."""
    t = Random(seed)
    n, p, k = t.randint(2, 24), t.randint(1, 3), t.randint(1, 4)
    tables = _values(t, n, p, k)
    defect = _spoilt_values(t, tables[1])
    if t.random() < 0.06:
        defect += f", original {_spoilt_values(t, tables[0])}"
    names = ["a", "b", "A b"][:p]
    header, words = list(names), ["-k", str(k)]
    if t.random() < 0.4:
        header = [*header, "note", "sum"]
        words += ["--confidential", "note,sum"]
        words += t.choice([[], [], ["--may-change", "note"]])
        _with_others(t, tables)
    if t.random() < keys:
        words += ["--key", "id"]
        header = ["id", *header]
        _with_keys(t, tables)
    if t.random() < 0.05:
        t.choice(tables).pop()
    sign = t.choice([",", ",", ",", ";"])
    words += ["--delimiter", sign] if sign != "," else []
    for option in (
        ["--standardise", t.choice(["none", "sample", "range"])],
        ["--tolerance", t.choice(["0", "1e-12", "0.01"])],
        ["--anonymity", "none"],
        ["--all-risks"],
        ["--columns", t.choice(names)],
    ):
        words += option if t.random() < 0.15 else []
    files = list(_written(t, tables, header, sign, folder))
    return ["oracle", "audit", *files, *words], defect


def audited(words: list[str], folder: Path, engine: str) -> tuple[Any, str]:
    """All that an audit leaves; and which engine did it."""
    ran = run_words([*words, "--engine", engine, "--json", "report.json"], folder)
    report = folder / "report.json"
    data: dict[str, Any] = json.loads(report.read_text()) if report.exists() else {}
    report.unlink(missing_ok=True)
    did = data.pop("run", {}).get("engine", "none")
    return (ran.status, ran.out, ran.err, json.dumps(data)), did


def compared(seed: int, engine: str = "duckdb") -> tuple[str, str, int]:
    """One random release by both engines: what differs, if anything; who did it; its status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words, defect = case(seed, folder, keys=0.3 if engine == "duckdb" else 1.0)
        right, _ = audited(words, folder, "python")
        found, did = audited(words, folder, engine)
    told = f"seed {seed} ({defect}): {' '.join(words)}\npython {right}\n{engine} {found}"
    return "" if right == found else told, did, right[0]


def main() -> int:
    number, first = (*map(int, sys.argv[1:3]), 0, 0)[:2]
    other = sys.argv[3] if len(sys.argv) > 3 else "duckdb"
    did: Counter[tuple[str, int]] = Counter()
    different = 0
    for seed in range(first, first + (number or 2000)):
        told, engine, status = compared(seed, other)
        did[engine, status] += 1
        different += bool(told)
        if told:
            print(told, flush=True)
    for (engine, status), count in sorted(did.items()):
        print(f"{count:6} by {engine}, status {status}")
    print(f"{different} different of {did.total()}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
