"""Inputs that a fuzzer draws: tables, numbers, file names, JSON, and what spoils them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

NUMBERS = (
    *("0", "1", "2", "3", "-1", "0.1", "1/3", "3.5", "1e3", "1e-9", "1/0", "1e308", "1e309"),
    *("-1e309", "1e-400", "1e1000", "1e1001", "1e99999", "1e999999999", "1e-999999999", "nan"),
    *("inf", "-inf", "NaN", "0x10", "1_000", "\u0663", "\uff11", "", " ", "1e", "+5", "--5"),
    *("1,5", "9" * 400, "9" * 999, "9" * 5000, "0." + "3" * 900, "1/" + "7" * 999, "1e400/3"),
    *("1e308/1e-308", "\u00b2", "1 000", "2e0", "-0", "1e-308", "5e-324", "1.7976931348623157e308"),
)
WHOLES = (
    *("0", "1", "2", "3", "4", "5", "7", "-1", "-3", "15", "400", "5000", "1000000000", "x", ""),
    *("99999999999999999999", "1.5", "1e3", "\u0663", "9" * 5000, " 2", "1_0", "0x2", "nan"),
)
NAMES = (
    *("x", "y", "z", "age", "a b", "\u00e9", "a;b", "\x1b[31mred", "bell\x07", "\u202eevil", 'q"q'),
    *("it's", "=1+1", "", "-", "a\tb", "u,v", "n" * 300, "line\nfeed", "\x9b2J", "\udcff", "%s"),
    *(
        "{0}",
        "\\",
        "$x$",
        "_hidden",
        "net",
        "tax",
        "gross",
        "group",
        "\u2066iso",
        "\x7f",
        "$\\frac",
    ),
)
TEXTS = (
    "p",
    "q",
    "r",
    "red",
    "green",
    "",
    "a>b",
    "b>a>c",
    "c",
    "\x1b]0;t\x07",
    "NA",
    "<",
    "\u202e",
)
PLACES = (
    *("no/such/folder/f.csv", "n" * 300, "n" * 300 + ".csv", "\u00e9" * 200 + ".json", "loop"),
    *("loop.csv", "loop/in.csv", "folder", "folder.json", "/dev/null", "/dev/full", ".", "", "/"),
    *("in.csv/f.csv", "dangling.csv", "\udcff.csv", "/proc/self/mem", "/proc/1/x", "a\nb.csv"),
    *("\x1b[2J.csv", "-", "empty.csv", "unreadable/f.csv", "n/" * 3000, "/dev/zero", "x.svg"),
)
CHOSEN = {
    "--arithmetic": ("exact", "float"),
    "--ties": ("lowest", "highest", "random"),
    "--delimiter": (
        ",",
        ";",
        "tab",
        "\\t",
        "",
        "ab",
        '"',
        "\n",
        "\0",
        "\u00e9",
        " ",
        "|",
        "x",
        ".",
    ),
    "--missing": ("reject",),
    "--standardise": ("none", "population", "sample"),
    "--series": ("euclidean", "sts"),
    "--aggregate": ("mean", "median", "trimmed-mean", "mode", "onestep"),
    "--dissimilarity": ("oss", "hamming", "levenshtein", "normalised-levenshtein", "lcs"),
    "--method": ("auto", "exhaustive", "subsets", "ilp", "columns", "univariate"),
    "--solver": ("highs", "highs", "cbc"),
    "--checker": ("python", "node", "other", ""),
    "--executor": ("local", "local", "local", "dask://", "dask://x:y", "dask://[", "other", ""),
    "--sort": ("given", "name", "loss", "time"),
    "--precision": ("binary64", "binary32"),
}


@dataclass(frozen=True)
class Tools:
    """What a generator of cases draws from: chance, the table at hand, files that were made."""

    random: Random
    names: list[str]
    kinds: dict[str, str]
    records: int
    made: Mapping[str, bytes]
    files: dict[str, bytes]
    wild: float
    """By how much what is absurd is more or less likely than usually."""

    def odd(self, share: float) -> bool:
        """Is something absurd to be given?"""
        return self.chance(share * self.wild)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def one(self, of: Any) -> Any:
        return self.random.choice(of)

    def number(self, *good: str) -> str:
        """A good number mostly, an absurd one else."""
        return self.one(NUMBERS) if self.odd(0.12) else self.one(good or ("1", "2", "0.5"))

    def whole(self, *good: str) -> str:
        return self.one(WHOLES) if self.odd(0.1) else self.one(good or ("1", "2", "3"))

    def name(self) -> str:
        """The name of a column, or of none."""
        return self.one(NAMES) if self.odd(0.1) else self.one(self.names)

    def listed(self, between: str = ",") -> str:
        many = self.random.randint(1, max(1, len(self.names)))
        if self.odd(0.15):
            return between.join(self.name() for _ in range(many))
        return between.join(self.random.sample(self.names, many))

    def output(self, name: str) -> str:
        """The name of a file to be written."""
        if self.odd(0.05):
            return str(self.one((*PLACES, "in.csv", "released.csv", "out.csv")))
        return name

    def input(self, name: str, content: Callable[[], bytes]) -> str:
        """The name of a file to be read, which is there mostly."""
        if self.odd(0.06):
            return str(self.one((*PLACES, "in.csv", "released.csv")))
        self.files[name] = content()
        return name


# Tables


def table(random: Random) -> tuple[list[str], list[list[str]], dict[str, str]]:
    """Names, rows and the kind of each attribute."""
    width = random.choice((1, 1, 2, 2, 2, 3, 3, 4))
    height = random.choice((0, 1, *range(2, 15), *range(3, 11)))
    odd = random.random() < 0.12
    names = [random.choice(NAMES) if odd else f"x{j}" for j in range(width)]
    if random.random() < 0.1 and width == 3:
        names = ["net", "tax", "gross"]
    style = random.choice(
        ("small", "small", "decimals", "ties", "constant", "wide", "wild", "kinds")
    )
    columns, kinds = [], {}
    for name in names:
        kinds[name], column = _column(random, style, height)
        columns.append(column)
    return names, [list(row) for row in zip(*columns, strict=True)], kinds


def _column(random: Random, style: str, height: int) -> tuple[str, list[str]]:
    if style == "kinds" and random.random() < 0.7:
        return _texts(random, height)
    make = {
        "small": lambda: str(random.randint(0, 30)),
        "decimals": lambda: f"{random.uniform(-50, 50):.{random.randint(0, 17)}f}",
        "ties": lambda: str(random.randint(0, 2)),
        "constant": lambda: "7",
        "wide": lambda: f"{random.uniform(-9, 9):.5g}e{random.randint(-330, 330)}",
        "wild": lambda: (
            random.choice(NUMBERS) if random.random() < 0.1 else str(random.randint(0, 9))
        ),
        "kinds": lambda: str(random.randint(0, 9)),
    }[style]
    if style == "wide" and random.random() < 0.7:
        power = random.choice((307, 308, 309, 400, 900, -320, -400, 154, 100, 16))
        make = lambda: f"{random.randint(-9, 9)}e{power}"  # noqa: E731
    return "numeric", [make() for _ in range(height)]


def _texts(random: Random, height: int) -> tuple[str, list[str]]:
    if random.random() < 0.4:
        cells = [">".join(random.choices("abc", k=random.randint(0, 5))) for _ in range(height)]
        return "sequence:>", cells
    kind = random.choice(("nominal", "nominal:p|q|r", "ordinal:p<q<r", "ordinal:r<p<q"))
    return kind, [random.choice("pqr") for _ in range(height)]


def released_of(random: Random, rows: list[list[str]], kinds: list[str]) -> list[list[str]]:
    """Rows as a release has them: means of runs of records, or the same rows, or others."""
    how = random.choice(("means", "means", "same", "shuffled", "fewer", "one"))
    if how == "same" or not rows:
        return [list(row) for row in rows]
    if how == "shuffled":
        return random.sample(rows, len(rows))
    if how == "fewer":
        return [list(row) for row in rows[: random.randint(0, len(rows))]]
    if how == "one":
        return [list(rows[0]) for _ in rows]
    return _means(random.choice((2, 3)), rows, kinds)


def _means(k: int, rows: list[list[str]], kinds: list[str]) -> list[list[str]]:
    order, made = sorted(range(len(rows)), key=rows.__getitem__), [list(row) for row in rows]
    for start in range(0, max(1, len(rows) - k + 1), k):
        group = order[start:] if start + 2 * k > len(rows) else order[start : start + k]
        for j, kind in enumerate(kinds):
            values = [rows[r][j] for r in group]
            try:
                text = repr(sum(map(float, values)) / len(values))
            except (ValueError, OverflowError):
                text = values[0]
            for record in group:
                made[record][j] = text if kind == "numeric" else values[0]
    return made


def csv_bytes(random: Random, names: list[str], rows: list[list[str]]) -> bytes:
    """A table as a file, rarely spoilt."""
    between = random.choice((",",) * 40 + (";", "\t"))
    end = random.choice(("\n",) * 8 + ("\r\n", "\r"))
    lines = [between.join(_cell(cell, between) for cell in row) for row in [names, *rows]]
    content = (end.join(lines) + end).encode("utf-8", "surrogateescape")
    if random.random() < 0.05:
        content = b"\xef\xbb\xbf" + content
    return spoilt(random, content) if random.random() < 0.1 else content


def _cell(cell: str, between: str) -> str:
    if any(sign in cell for sign in (between, '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def spoilt(random: Random, content: bytes) -> bytes:
    """The bytes with one thing changed."""
    at = random.randint(0, len(content))
    bits = (
        b"\0",
        b"\xff",
        b'"',
        b",",
        b"\n",
        b"\r",
        b"1e309",
        b"\x1b[",
        b"\xe2\x80\xae",
        b"\xef\xbb\xbf",
    )
    how = random.randrange(6)
    if how == 0:
        return content[:at]
    if how == 1:
        return content[:at] + random.choice(bits) + content[at:]
    if how == 2:
        return content[:at] + random.randbytes(random.randint(1, 8)) + content[at:]
    if how == 3:
        return content[:at] + content[at + random.randint(1, 5) :]
    if how == 4:
        return content + content[at:]
    return random.choice((b"", b"\n", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"x", b"x\n", b",\n,\n"))


# JSON

NESTED = "a value nested deeply"
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 1e308, 10**30, "", "x", "1e999999999", "1/0", "1e309", [], {}, [[]]),
    *([0, 0], "9" * 5000, "-5", {"a": 1}, [None], "\x1b[31m", float("nan"), float("inf"), [[0, 1]]),
    *(2**63, 10**9, 5000, 99999, "1" * 999 + "/" + "7" * 999, "0", "1", 0, 1, 2, [1, 2, 3]),
)


def json_bytes(random: Random, content: bytes) -> bytes:
    """A JSON file with some of its values replaced, or spoilt as text."""
    how = random.random()
    if how < 0.3:
        return content
    if how < 0.45:
        return spoilt(random, content)
    if how < 0.5:
        return random.choice(
            (b"[" * 100_000, b'{"a":' * 990 + b"1" + b"}" * 990, b"9" * 5000, b"null")
        )
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return content
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = _replaced(random, data)
    deep = random.choice((1, 50, 900, 1100))
    text = json.dumps(data).replace(f'"{NESTED}"', "[" * deep + "1" + "]" * deep)
    if random.random() < 0.05:
        text = text.replace(":", ': 1e999, "twice": ', 1)
    return text.encode("ascii")


def _replaced(random: Random, data: Any) -> Any:
    """The data, with one node changed in place, at any depth."""
    above: Any = None
    here, key = data, None
    while isinstance(here, (dict, list)) and here and random.random() < 0.85:
        above, key = here, random.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = above[key]
    if above is None:
        return copy.deepcopy(random.choice(STRANGE))
    how = random.random()
    if how < 0.2:
        del above[key]
    elif how < 0.3 and isinstance(above, list):
        above.append(copy.deepcopy(here))
    elif how < 0.4:
        above[key] = NESTED
    elif how < 0.5 and isinstance(above, dict):
        other = random.choice(list(above))
        above[key], above[other] = above[other], above[key]
    else:
        above[key] = copy.deepcopy(random.choice(STRANGE))
    return data
