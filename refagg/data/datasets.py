"""Data sets: small tables that ship, reference sets that a user supplies, and generated ones.

`DATASETS` says what is known of each, `load` gives its exact table. A set is

- shipped: a small CSV file that is part of the project;
- generated: drawn from a fixed seed, the same on every platform;
- reference: a public file that may not be shipped with the project; it is taken from the
  folder REFAGG_DATA or from the cache, and its SHA-256 is checked each time it is loaded.

The cache is the folder REFAGG_CACHE, or else refagg in XDG_CACHE_HOME, or else ~/.cache/refagg.

>>> load("hm-seven").columns[0].values([0, 2])
[Fraction(6, 1), Fraction(7, 10)]
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Literal
from urllib.error import HTTPError
from urllib.request import urlopen

from refagg.data.tables import Table, check_names, column_of, table_of
from refagg.errors import (
    ChecksumMismatch,
    DatasetUnavailable,
    EmptyTable,
    FileUnreadable,
    InvalidParameter,
    NotANumber,
    NotATable,
    OutputUnwritable,
    RaggedRow,
    RefaggError,
    UnknownDataset,
    missing_value,
)
from refagg.language.random_stream import RandomStream, seeded

Origin = Literal["shipped", "generated", "reference"]
Status = Literal["ships", "generated", "found", "unusable", "not available"]


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is known of a data set, whether or not its records are at hand.

    `records` and `attributes` are None where they are not known. `provenance` says how the
    values came here, or what has to be done to get them. Records are numbered from 0.
    In a set of sequences the last attribute is the sequence; `separator` stands between its
    events, blanks if it is empty. A set that holds categories has no numeric table: `path_of`
    gives its file. A file may have other columns before the attributes.
    """

    name: str
    origin: Origin
    title: str
    source: str
    provenance: str
    good_for: str
    records: int | None
    attributes: tuple[str, ...] | None
    file: str = ""
    sha256: str = ""
    holds: Literal["numbers", "sequences", "categories"] = "numbers"
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A data set with the place where it was looked for and what was found there.

    `path` is None when there is no file; `problem` says what is wrong with an unusable one.
    """

    dataset: Dataset
    status: Status
    path: Path | None = None
    problem: str = ""

    @property
    def shape(self) -> str:
        """Records x attributes, with "?" for a number that is not known."""
        attributes = self.dataset.attributes
        return f"{self.dataset.records or '?'} x {len(attributes) if attributes else '?'}"

    @property
    def where(self) -> str:
        """The status in words."""
        if self.status == "found":
            return f"found at {self.path}"
        return f"unusable: {self.problem}" if self.status == "unusable" else self.status


# Getting a data set


def dataset(name: str) -> Dataset:
    """What is known of the data set of this name. Raises UnknownDataset."""
    if name not in DATASETS:
        raise UnknownDataset(f"there is no data set {name!r}; there are {', '.join(DATASETS)}")
    return DATASETS[name]


def load(name: str, folder: Path | None = None) -> Table:
    """The exact table of a data set, its attributes in the order of `DATASETS`.

    `folder` is searched in the place of REFAGG_DATA; it matters for reference sets only.
    Raises UnknownDataset, DatasetUnavailable, ChecksumMismatch, FileUnreadable, NotATable
    for a set of sequences or categories, and for files that are no numeric table also
    EmptyTable, RaggedRow, DuplicateColumn, MissingValue, NotANumber.
    """
    wanted = dataset(name)
    if wanted.origin == "generated":
        return synthetic(name.removeprefix("synthetic-"))
    file = _opened(wanted, folder)
    if wanted.holds != "numbers":
        reader = (
            "load_sequences" if wanted.holds == "sequences" else "refagg.data.csvfiles.read_sheet"
        )
        raise NotATable(f"{name} holds {wanted.holds}, not numbers; {reader} reads it")
    return _table(file, wanted.attributes or file.header)


def load_sequences(name: str, folder: Path | None = None) -> list[tuple[str, ...]]:
    """The sequences of symbols of a data set that holds sequences, one for each record.

    Raises NotATable for a set of numbers, otherwise as `load`.
    """
    wanted = dataset(name)
    if wanted.holds != "sequences":
        reader = "load" if wanted.holds == "numbers" else "refagg.data.csvfiles.read_sheet"
        raise NotATable(f"{name} holds {wanted.holds}, not sequences; {reader} reads it")
    file = _opened(wanted, folder)
    position = file.header.index((wanted.attributes or file.header)[-1])
    cells = [row[position] for row in file.rows]
    return [tuple(cell.split(wanted.separator or None)) if cell else () for cell in cells]


def path_of(name: str, folder: Path | None = None) -> Path:
    """The CSV file of a data set, after the same checks as in `load`.

    It may have more columns than the data set has attributes. Cells are not read.
    Raises DatasetUnavailable for a generated set, which has no file, otherwise as `load`.
    """
    return _opened(dataset(name), folder).path


def listing(folder: Path | None = None) -> tuple[Listed, ...]:
    """All data sets, each with whether it is at hand and where.

    Raises FileUnreadable only when the folder of the shipped tables is missing.
    """
    return tuple(_listed(known, folder) for known in DATASETS.values())


def fetch(name: str, url: str, timeout: float = 60.0) -> Path:
    """Download a reference set into the cache, and return where it is.

    `url` is an http, https or file address of exactly the file that `DATASETS` describes: its
    SHA-256 is checked before anything is written. `timeout` is in seconds, for all of it.
    Raises UnknownDataset, InvalidParameter, DatasetUnavailable when the address cannot be
    read, ChecksumMismatch when it holds something else, OutputUnwritable.
    """
    wanted = dataset(name)
    if wanted.origin != "reference":
        can = ", ".join(known.name for known in DATASETS.values() if known.origin == "reference")
        raise InvalidParameter(f"{name} is {wanted.origin}, not fetched; fetch can get {can}")
    content = _downloaded(url, timeout)
    _check_sha256(wanted, content, url)
    target = cache_folder() / wanted.file
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".fetch-", dir=target.parent) as scratch:
            part = Path(scratch) / target.name
            part.write_bytes(content)
            os.replace(part, target)
    except OSError as error:
        raise OutputUnwritable(f"{target} cannot be written: {error}") from None
    return target


# Folders


_PACKAGE = Path(__file__).resolve().parent.parent


def shipped_folder() -> Path:
    """The folder of the tables that ship: in the installed package, or else in the checkout.

    Raises FileUnreadable if it is in neither.
    """
    places = (_PACKAGE / "_datasets", _PACKAGE.parent / "datasets")
    for place in places:
        if (place / "README.md").is_file():
            return place
    raise FileUnreadable(f"the tables that ship are neither in {places[0]} nor in {places[1]}")


def cache_folder() -> Path:
    """The folder in which `fetch` puts files. It need not exist."""
    if own := os.environ.get("REFAGG_CACHE"):
        return Path(own)
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # the XDG specification has relative paths ignored
        caches = Path.home() / ".cache"
    return caches / "refagg"


def data_folder(folder: Path | None = None) -> Path | None:
    """The folder with the reference sets: this one, or else REFAGG_DATA."""
    if folder is not None:
        return Path(folder)
    named = os.environ.get("REFAGG_DATA")
    return Path(named) if named else None


def _places(wanted: Dataset, folder: Path | None) -> list[Path]:
    """The files that can be this data set, in the order in which they are looked for."""
    if wanted.origin == "shipped":
        return [shipped_folder() / wanted.file]
    data = data_folder(folder)
    places = [] if data is None else [data / wanted.file]
    return [*places, cache_folder() / wanted.file]


# Synthetic data


SYNTHETIC_KINDS = ("clustered", "scattered")
SYNTHETIC_SEED = 2006
EXTENT = 10_000
RADIUS = 100
CLUSTER_SIZES = (3, 4, 5)


def synthetic(kind: str, n: int = 1000, attributes: int = 2, seed: int = SYNTHETIC_SEED) -> Table:
    """n random records of whole numbers, the same for the same arguments on every platform.

    "scattered": every value is uniform on -EXTENT .. EXTENT.
    "clustered": the centre of a cluster is such a record; the cluster has one of CLUSTER_SIZES
    records, each differing from the centre by a uniform -RADIUS .. RADIUS in every attribute;
    clusters are drawn until there are n records (the last may be cut), and the records shuffled.

    The kinds have their names from simulated data in the literature (Solanas and
    Martinez-Balleste 2006, and Martinez-Balleste et al.), whose exact description could not be
    obtained: the definitions above are this project's own.

    Raises InvalidParameter.
    """
    if kind not in SYNTHETIC_KINDS:
        raise InvalidParameter(f"the kind is {kind!r}; it can be {', '.join(SYNTHETIC_KINDS)}")
    for name, given in (("n", n), ("attributes", attributes)):
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise InvalidParameter(f"{name} is {given!r}; it must be a whole number of at least 1")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InvalidParameter(f"the seed is {seed!r}; it must be a whole number")
    tape = seeded(seed)
    if kind == "scattered":
        return table_of([_around(0, EXTENT, attributes, tape) for _ in range(n)])
    return table_of(_clustered(n, attributes, tape))


def _clustered(n: int, attributes: int, tape: RandomStream) -> list[list[int]]:
    records: list[list[int]] = []
    while len(records) < n:
        centre = _around(0, EXTENT, attributes, tape)
        for _ in range(CLUSTER_SIZES[tape.randbelow(len(CLUSTER_SIZES))]):
            shift = _around(0, RADIUS, attributes, tape)
            records.append([c + s for c, s in zip(centre, shift, strict=True)])
    return tape.sample(records[:n], n)


def _around(middle: int, reach: int, attributes: int, tape: RandomStream) -> list[int]:
    """One uniform draw of middle - reach .. middle + reach for each attribute."""
    return [middle - reach + tape.randbelow(2 * reach + 1) for _ in range(attributes)]


# Files


@dataclass(frozen=True, slots=True)
class _File:
    """A CSV file as text; lines[i] is the line on which rows[i] ends."""

    path: Path
    header: tuple[str, ...]
    rows: list[list[str]]
    lines: list[int]


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_LONGEST_NUMBER = 1000
_LARGEST_DOWNLOAD = 1 << 24


def _opened(wanted: Dataset, folder: Path | None) -> _File:
    """The file of a data set, checked to be that set as far as this is known."""
    if wanted.origin == "generated":
        raise DatasetUnavailable(
            f"{wanted.name} is generated and has no file; load gives its table"
        )
    places = _places(wanted, folder)
    path = next(filter(os.path.isfile, places), None)
    if path is None:
        raise _missing(wanted, places)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    if wanted.sha256:
        _check_sha256(wanted, content, str(path))
    file = _parsed(path, content)
    _check_shape(wanted, file)
    return file


def _parsed(path: Path, content: bytes) -> _File:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileUnreadable(f"{path} is not UTF-8 text (byte {error.start})") from None
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    rows, lines = [], []
    try:
        header = tuple(next(reader, ()))
        check_names(header, str(path))
        for cells in reader:
            if len(cells) != len(header):
                raise RaggedRow(
                    f"{path}, line {reader.line_num}: {len(cells)} cells, "
                    f"but the header has {len(header)}"
                )
            rows.append(cells)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FileUnreadable(f"{path}, line {reader.line_num}: {error}") from None
    if not rows:
        raise EmptyTable(f"{path} has no record")
    return _File(path, header, rows, lines)


def _check_sha256(wanted: Dataset, content: bytes, where: str) -> None:
    given = sha256(content).hexdigest()
    if given != wanted.sha256:
        raise ChecksumMismatch(
            f"{where} is not {wanted.name}: its SHA-256 is {given}, "
            f"that of {wanted.file} is {wanted.sha256}"
        )


def _check_shape(wanted: Dataset, file: _File) -> None:
    """Raise ChecksumMismatch unless the file has the records and attributes of the set."""
    if wanted.records not in (None, len(file.rows)):
        raise ChecksumMismatch(
            f"{file.path} is not {wanted.name}: it has {len(file.rows)} records, "
            f"{wanted.name} has {wanted.records}"
        )
    for name in wanted.attributes or ():
        if name not in file.header:
            raise ChecksumMismatch(
                f"{file.path} is not {wanted.name}: it has no column {name!r}; "
                f"its columns are {', '.join(file.header)}"
            )


def _table(file: _File, names: Sequence[str]) -> Table:
    columns = []
    for name in names:
        j = file.header.index(name)
        cells = zip(file.rows, file.lines, strict=True)
        columns.append(
            column_of(name, [_number(row[j], file.path, line, name) for row, line in cells])
        )
    return Table(tuple(columns))


def _number(cell: str, path: Path, line: int, name: str) -> Fraction:
    if len(cell) <= _LONGEST_NUMBER and _NUMBER.fullmatch(cell):
        return Fraction(cell)
    where = f"{path}, line {line}, column {name!r}"
    if not cell:
        raise missing_value(where)
    raise NotANumber(f"{where}: {cell!r} is not a number")


def _downloaded(url: str, timeout: float) -> bytes:
    allowed = ("http", "https", "file")
    if url.partition(":")[0].lower() not in allowed:
        raise InvalidParameter(f"the address is {url!r}; it can begin with {', '.join(allowed)}")
    read: list[bytes | Exception] = []
    # A server that sends a byte now and then lets no single read time out.
    reader = Thread(target=_read, args=(url, timeout, read), daemon=True)
    reader.start()
    reader.join(timeout)
    if not read:
        raise DatasetUnavailable(f"{url} cannot be read: it takes more than {timeout:g} seconds")
    if isinstance(read[0], Exception):
        raise DatasetUnavailable(f"{url} cannot be read: {read[0]}")
    if len(read[0]) > _LARGEST_DOWNLOAD:
        raise ChecksumMismatch(f"{url} has more than {_LARGEST_DOWNLOAD} bytes, no data set has")
    return read[0]


def _read(url: str, timeout: float, into: list[bytes | Exception]) -> None:
    """Add what is at an address, or why it cannot be read."""
    try:
        with urlopen(url, timeout=timeout) as response:
            into.append(response.read(_LARGEST_DOWNLOAD + 1))
    except HTTPError as error:
        error.close()
        into.append(error)
    except Exception as error:  # of urllib, http, socket, codecs: whatever a stranger can cause
        into.append(error)


def _missing(wanted: Dataset, places: Sequence[Path]) -> RefaggError:
    """The error that no file of this set was found, with how to get one."""
    looked = f"Looked for {' and '.join(map(str, places))}."
    if wanted.origin == "shipped":
        return FileUnreadable(f"{wanted.name} ships with this project, but is not there. {looked}")
    if data_folder() is None:
        looked = f"{looked} REFAGG_DATA is not set."
    return DatasetUnavailable(
        f"{wanted.name} is not available. {wanted.provenance} To use it, set REFAGG_DATA to a "
        f"folder with a file {wanted.file} of SHA-256 {wanted.sha256} (exactly those bytes), or "
        f"run `refagg datasets fetch {wanted.name} URL` with the address of such a file. {looked}"
    )


def _listed(known: Dataset, folder: Path | None) -> Listed:
    if known.origin == "generated":
        return Listed(known, "generated")
    places = list(filter(os.path.isfile, _places(known, folder)))
    if not places:
        return Listed(known, "not available")
    try:
        _opened(known, folder)
    except RefaggError as error:
        return Listed(known, "unusable", places[0], str(error))
    return Listed(known, "ships" if known.origin == "shipped" else "found", places[0])


# What is known


_EIA_AMOUNTS = (
    "RESREVENUE",
    "RESSALES",
    "COMREVENUE",
    "COMSALES",
    "INDREVENUE",
    "INDSALES",
    "OTHREVENUE",
    "OTHRSALES",
    "TOTREVENUE",
    "TOTSALES",
)

_TORRA = (
    "V. Torra, Fuzzy clustering-based microaggregation to achieve probabilistic k-anonymity for "
    "data with constraints, J. of Intelligent & Fuzzy Systems (2020), doi 10.3233/JIFS-189074"
)
_ALEIXANDRE = (
    "J. Alarte Aleixandre, Application of clustering techniques to privacy protection, "
    "master thesis, UOC 2018"
)
_OWN = "made for checking implementations; no publication is known to print it"


def _reference(
    name: str, r_name: str, title: str, shape: tuple[int, tuple[str, ...]], digest: str, good: str
) -> Dataset:
    return Dataset(
        name=name,
        origin="reference",
        title=title,
        source="CASC reference microdata, as distributed with the R package sdcMicro",
        provenance=(
            "It does not ship with this project for reasons of licence. It is the data set "
            f"{r_name} of the R package sdcMicro (GPL-2), exported to CSV: a header line, no row "
            "names, commas, quotes only around cells that hold a comma, lines ended by LF."
        ),
        good_for=good,
        records=shape[0],
        attributes=shape[1],
        file=f"{name.partition('-')[0]}.csv",
        sha256=digest,
    )


_SHIPPED = (
    Dataset(
        name="tor-table1",
        origin="shipped",
        title="Twelve records under a linear constraint, misprint corrected",
        source=f"{_TORRA}, Table 1",
        provenance=(
            "The last record has v1 = 16, as the program code to a publication of the same "
            "author's group has it (Abril, Navarro-Arribas, Torra, Privacy Preserving Data Mining "
            "and Advanced Disclosure Risk with R); the paper prints 13."
        ),
        good_for="data with a constraint: v3 = 1.16 v1 + 1.07 v2 in every record",
        records=12,
        attributes=("v1", "v2", "v3"),
        file="tor-table1.csv",
    ),
    Dataset(
        name="tor-table1-printed",
        origin="shipped",
        title="Twelve records under a linear constraint, as printed",
        source=f"{_TORRA}, Table 1",
        provenance="As printed: record 11 has v1 = 13, which is a misprint of 16.",
        good_for="data of which one record (11) violates v3 = 1.16 v1 + 1.07 v2",
        records=12,
        attributes=("v1", "v2", "v3"),
        file="tor-table1-printed.csv",
    ),
    Dataset(
        name="nine-records",
        origin="shipped",
        title="Nine records at three places",
        source=_OWN,
        provenance="Five records (2, 0), one (1, 1), three (0, 0).",
        good_for="ties: nearly every choice of MDAV at k = 3 is open, and they change the SSE",
        records=9,
        attributes=("x1", "x2"),
        file="nine-records.csv",
    ),
    Dataset(
        name="eleven-firms",
        origin="shipped",
        title="Eleven firms",
        source=(
            "J. Domingo-Ferrer, F. Sebé, A. Solanas, A polynomial-time approximation to optimal "
            "multivariate microaggregation, Computers & Mathematics with Applications 55 (2008)"
        ),
        provenance=(
            "Taken from an independent reproduction of the paper's example; the paper itself was "
            "not seen, so the two attributes are called x1 and x2."
        ),
        good_for=(
            "the forest of mu-Approx, on z-scores at k = 3: components {0,1,9} {2,3,4} {5,6,7,8,10}"
        ),
        records=11,
        attributes=("x1", "x2"),
        file="eleven-firms.csv",
    ),
    Dataset(
        name="hm-seven",
        origin="shipped",
        title="Seven values",
        source="the usage example of the Python package microagg1d",
        provenance="Values as in the read-me file of the package.",
        good_for="the univariate optimum: at k = 3, SSE 116/75 with {1,2,3,5} {0,4,6}",
        records=7,
        attributes=("x",),
        file="hm-seven.csv",
    ),
    Dataset(
        name="kward-fourteen",
        origin="shipped",
        title="Fourteen values in five bunches",
        source=_OWN,
        provenance="Whole numbers, so that every SSE can be worked by hand.",
        good_for=(
            "k-Ward and the univariate optimum: the least SSE at k = 2, 3, 4 is 318, 446, 684.5"
        ),
        records=14,
        attributes=("v",),
        file="kward-fourteen.csv",
    ),
    Dataset(
        name="v-grav-nine",
        origin="shipped",
        title="Nine points in two clouds of unequal size",
        source=(
            "Zhang Qishan, Zheng Lijun, V-MDAV algorithm based on grey relational analysis, "
            "doi 10.19734/j.issn.1001-3695.2018.06.0464, Example 1"
        ),
        provenance=(
            "Read from a damaged text of the paper. Cells of three records were restored: y of "
            "record 2 (5.54 from '5,54'), y of record 4 (11.49 from '11,49'), x and y of record "
            "5 (20.14 and 9.56 from '20)14,9,56'). 20.14 is likely, not certain."
        ),
        good_for=(
            "variable group sizes: raw, at k = 3, MDAV forms three groups, the optimum is "
            "{0,1,2,3} {4,5,6,7,8}"
        ),
        records=9,
        attributes=("x", "y"),
        file="v-grav-nine.csv",
    ),
    Dataset(
        name="sdcmicro-51",
        origin="shipped",
        title="Five records that an MDAV got wrong",
        source="sdcTools/sdcMicro issue 51 (2014), https://github.com/sdcTools/sdcMicro/issues/51",
        provenance="Values as in the report.",
        good_for=(
            "k-anonymity at k = 2: the reported output left record 1 alone; expected are "
            "{0,1,2} {3,4}"
        ),
        records=5,
        attributes=("x", "y"),
        file="sdcmicro-51.csv",
    ),
    Dataset(
        name="microagg1d-ten",
        origin="shipped",
        title="Ten values that a program for the optimum gets wrong",
        source=_OWN,
        provenance="Found by comparing microagg1d 0.4.0 with the optimum.",
        good_for=(
            "the univariate optimum: at k = 3 it is 1409/12, and microagg1d 0.4.0 with its "
            "default settings gives 120"
        ),
        records=10,
        attributes=("x",),
        file="microagg1d-ten.csv",
    ),
    Dataset(
        name="routes-sixty",
        origin="shipped",
        title="Sixty routes of tourists through a town",
        source="this project; the kind of data is that of A. Valls and C. Gomez-Alonso, KSHC",
        provenance=(
            "Drawn by `refagg.spaces.dissimilarities.routes.routes` with its default arguments. "
            "How routes are drawn is our own."
        ),
        good_for="KSHC and other algorithms on event sequences: routes that follow one of 10 plans",
        records=60,
        attributes=("id", "route"),
        file="routes-sixty.csv",
        holds="sequences",
        separator=">",
    ),
    Dataset(
        name="pay-slips",
        origin="shipped",
        title="Twenty-four pay slips, three of them with slips of the pen",
        source=_OWN,
        provenance=(
            "Made by hand: net + tax + insurance = gross and insurance = 0.09 gross, but record 4 "
            "has 100 too little in net, record 12 two digits of tax exchanged (663 became 636), "
            "record 19 an insurance of 1 too much."
        ),
        good_for=(
            "edit constraints: three records violate net + tax + insurance = gross, one of them "
            "also insurance = 0.09 gross"
        ),
        records=24,
        attributes=("net", "tax", "insurance", "gross"),
        file="pay-slips.csv",
    ),
    Dataset(
        name="tor-table2",
        origin="shipped",
        title="Twelve records that violate a linear constraint, by noise",
        source=f"{_TORRA}, Table 2",
        provenance="As printed, cells run together, five decimals each.",
        good_for="fuzzy c-means on data that do not satisfy the constraint",
        records=12,
        attributes=("v1", "v2", "v3"),
        file="tor-table2.csv",
    ),
    Dataset(
        name="tor-table3",
        origin="shipped",
        title="Centres of fuzzy c-means, as printed",
        source=f"{_TORRA}, Table 3",
        provenance=(
            "As printed, cells run together, five decimals each. The columns data, constraint and "
            "cluster before the attributes say which centre it is."
        ),
        good_for="one step of fuzzy c-means, and its projection on the constraint",
        records=28,
        attributes=("v1", "v2", "v3"),
        file="tor-table3.csv",
    ),
    Dataset(
        name="ala18-toy",
        origin="shipped",
        title="The toy table of a thesis on clustering",
        source=f"{_ALEIXANDRE}, Table 5.1",
        provenance="As printed.",
        good_for=(
            "leftover rules, at k = 4 on z-scores with divisor n-1: MDAV with the 3k loop has "
            "SSE 8.2036 and the groups {2,3,9,12} {4,5,13,18} {7,8,11,14} {0,1,6,10,15,16,17}"
        ),
        records=19,
        attributes=("Var1", "Var2"),
        file="ala18-toy.csv",
    ),
    Dataset(
        name="ala18-table31",
        origin="shipped",
        title="Eleven pupils and their diagnoses",
        source=f"{_ALEIXANDRE}, Table 3.1",
        provenance="As printed.",
        good_for="k-anonymity of categories: 2-anonymous over Year, Grade, ZIP and Sex",
        records=11,
        attributes=("Year", "Grade", "ZIP", "Sex", "Diagnosis"),
        file="ala18-table31.csv",
        holds="categories",
    ),
    Dataset(
        name="smb06-example1",
        origin="shipped",
        title="The example of V-MDAV",
        source="A. Solanas, A. Martínez-Ballesté, V-MDAV, COMPSTAT 2006, Example 1",
        provenance="As printed.",
        good_for=(
            "variable group sizes, at k = 3 on raw data: the optimum is {0,1,2,3} {4,5,6} {7,8,9} "
            "{10,11,12} with SSE 30.6082; MDAV has 218.2200 with the 2k loop and 240.0305 with the "
            "3k loop, MDAV-single 244.5572"
        ),
        records=13,
        attributes=("x", "y"),
        file="smb06-example1.csv",
    ),
    Dataset(
        name="vg-sequences",
        origin="shipped",
        title="The event sequences of the KSHC example",
        source="A. Valls, C. Gómez-Alonso, KSHC, Cuadro 1",
        provenance="As printed.",
        good_for=(
            "OSS distances: 8 and 0 are 0.75 apart, 4 and 2 are 0.7857, 2 and 7 as well as 3 and "
            "6 are 1/3; KSHC with single linkage at k = 3 ends in {0,1,4} {2,6,8} {3,5,7}"
        ),
        records=9,
        attributes=("sequence",),
        file="vg-sequences.csv",
        holds="sequences",
    ),
)

_GENERATED = tuple(
    Dataset(
        name=f"synthetic-{kind}",
        origin="generated",
        title=f"A thousand random records, {kind}",
        source=(
            "this project; the kind is named as in Solanas and Martínez-Ballesté, V-MDAV (2006)"
        ),
        provenance=(
            "Drawn by `synthetic` with its default arguments. How the data of the same name in "
            "the literature were drawn could not be found out: the parameters are our own."
        ),
        good_for=good,
        records=1000,
        attributes=("x1", "x2"),
    )
    for kind, good in (
        ("clustered", "variable group sizes: natural clusters of 3 to 5 records"),
        ("scattered", "data without any clusters"),
    )
)

_EIA_SHA256 = "4df54e21b3451e3c0b6081fa1c9ef5dbd8f09d484925ed2ade759b78b4869d1b"

_REFERENCE = (
    _reference(
        name="census",
        r_name="CASCrefmicrodata",
        title="Census",
        shape=(
            1080,
            (
                "AFNLWGT",
                "AGI",
                "EMCONTRB",
                "FEDTAX",
                "PTOTVAL",
                "STATETAX",
                "TAXINC",
                "POTHVAL",
                "INTVAL",
                "PEARNVAL",
                "FICA",
                "WSALVAL",
                "ERNVAL",
            ),
        ),
        digest="40fb91564d4379274610e941161fd38729adb471bddb9c71d7c01ef142fd0f5b",
        good=(
            "published figures; all records differ, and on z-scores none has two others at equal "
            "distances"
        ),
    ),
    _reference(
        name="tarragona",
        r_name="Tarragona",
        title="Tarragona",
        shape=(
            834,
            (
                "FIXED.ASSETS",
                "CURRENT.ASSETS",
                "TREASURY",
                "UNCOMMITTED.FUNDS",
                "PAID.UP.CAPITAL",
                "SHORT.TERM.DEBT",
                "SALES",
                "LABOR.COSTS",
                "DEPRECIATION",
                "OPERATING.PROFIT",
                "FINANCIAL.OUTCOME",
                "GROSS.PROFIT",
                "NET.PROFIT",
            ),
        ),
        digest="d5f719a134a3476b2157d9675d1a2b211dbc06ad6109685ad1e4b7847cfa45a4",
        good="published figures; a few outliers carry most of the SSE",
    ),
    _reference(
        name="eia",
        r_name="EIA",
        title="EIA, 11 attributes",
        shape=(4092, ("UTILITYID", *_EIA_AMOUNTS)),
        digest=_EIA_SHA256,
        good="published figures for 11 attributes; several records are equal",
    ),
    _reference(
        name="eia-10",
        r_name="EIA",
        title="EIA, the 10 revenues and sales",
        shape=(4092, _EIA_AMOUNTS),
        digest=_EIA_SHA256,
        good="published figures for 10 attributes, which must not be compared with those for 11",
    ),
)

DATASETS: dict[str, Dataset] = {
    known.name: known for known in (*_SHIPPED, *_GENERATED, *_REFERENCE)
}
"""Every data set by its name."""
