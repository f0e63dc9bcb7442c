"""Data sets: shipped tables, reference sets and generated ones.

Shipped tables are small; a user supplies the reference sets.

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

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Literal

from refagg.data.csvfiles import Sheet, read_sheet
from refagg.data.tables import Table, table_of
from refagg.errors import (
    ChecksumMismatch,
    DatasetUnavailable,
    FileUnreadable,
    InvalidParameter,
    NotATable,
    OutputUnwritable,
    RefaggError,
    UnknownDataset,
)
from refagg.language.lists import check_one_of
from refagg.language.random_stream import RandomStream, seeded

Origin = Literal["shipped", "generated", "reference"]
Status = Literal["ships", "generated", "found", "unusable", "not available"]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set, whether or not its records are available.

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
    """A data set with its place and its status.

    The place is where it was sought; the status says what was found there. `path` is None when
    there is no file; `problem` says what is wrong with an unusable one.
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
    """Return the data set of this name. Raises UnknownDataset."""
    check_one_of(name, DATASETS, "there is no data set", UnknownDataset, "there are")
    return DATASETS[name]


def load(name: str, folder: Path | None = None) -> Table:
    """Return the exact table of a data set.

    Its attributes are in the order of `DATASETS`. `folder` is searched in the place of REFAGG_DATA;
    it matters for reference sets only. Raises UnknownDataset, DatasetUnavailable, ChecksumMismatch,
    FileUnreadable, NotATable for a set of sequences or categories, and for files that are no
    numeric table also EmptyTable, RaggedRow, DuplicateColumn, MissingValue, NotANumber.
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
    return file.numeric(wanted.attributes or file.header)


def load_sequences(name: str, folder: Path | None = None) -> list[tuple[str, ...]]:
    """Return the sequences of symbols of a data set.

    The data set holds sequences, one for each record. Raises NotATable for a set of numbers,
    otherwise as `load`.
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
    """Return the CSV file of a data set.

    It is checked in the same way as in `load`. It may have more columns than the data set has
    attributes. Cells are not read. Raises DatasetUnavailable for a generated set, which has no
    file, otherwise as `load`.
    """
    return _opened(dataset(name), folder).path


def listing(folder: Path | None = None) -> tuple[Listed, ...]:
    """All data sets, each with whether it is available and where.

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


_PACKAGE = Path(__file__).resolve().parent


def shipped_folder() -> Path:
    """Return the folder of the shipped tables.

    It is in the installed package, or else in the checkout. Raises FileUnreadable if it is in
    neither.
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
    """Return the possible files of this data set, in search order."""
    if wanted.origin == "shipped":
        return [shipped_folder() / wanted.file]
    data = data_folder(folder)
    places = [] if data is None else [data / wanted.file]
    return [*places, cache_folder() / wanted.file]


# Files


_LARGEST_DOWNLOAD = 1 << 24


def _opened(wanted: Dataset, folder: Path | None) -> Sheet:
    """Open the file of a data set.

    It is checked to be that set as far as this is known.
    """
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
    file = read_sheet(path)
    _check_shape(wanted, file)
    return file


def _check_sha256(wanted: Dataset, content: bytes, where: str) -> None:
    given = sha256(content).hexdigest()
    if given != wanted.sha256:
        raise ChecksumMismatch(
            f"{where} is not {wanted.name}: its SHA-256 is {given}, "
            f"that of {wanted.file} is {wanted.sha256}"
        )


def _check_shape(wanted: Dataset, file: Sheet) -> None:
    """Raise ChecksumMismatch unless the file has the set's records and attributes."""
    if wanted.records not in (None, len(file.rows)):
        raise ChecksumMismatch(
            f"{file.path} is not {wanted.name}: it has {len(file.rows)} records, "
            f"{wanted.name} has {wanted.records}"
        )
    for name in wanted.attributes or ():
        said = f"{file.path} is not {wanted.name}: it has no column"
        check_one_of(name, file.header, said, ChecksumMismatch, "its columns are")


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
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=timeout) as response:
            into.append(response.read(_LARGEST_DOWNLOAD + 1))
    except HTTPError as error:
        error.close()
        into.append(error)
    except Exception as error:  # of urllib, http, socket, codecs: whatever a server can cause
        into.append(error)


def _missing(wanted: Dataset, places: Sequence[Path]) -> RefaggError:
    """Return the error that no file of this set was found.

    It says how to get one.
    """
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


def _facts() -> dict[str, Dataset]:
    text = (shipped_folder() / "facts.json").read_text(encoding="utf-8")
    return {
        name: Dataset(name, **{**known, "attributes": tuple(known["attributes"])})
        for name, known in json.loads(text).items()
    }


DATASETS = _facts()
"""Every data set by its name, as `datasets/facts.json` has it."""


SYNTHETIC_KINDS = ("clustered", "scattered")
SYNTHETIC_SEED = 2006
EXTENT = 10_000
RADIUS = 100
CLUSTER_SIZES = (3, 4, 5)


def synthetic(kind: str, n: int = 1000, attributes: int = 2, seed: int = SYNTHETIC_SEED) -> Table:
    """Return n random records of integers.

    They are the same for the same arguments on every platform.

    "scattered": every value is uniform on -EXTENT .. EXTENT.
    "clustered": the centre of a cluster is such a record; the cluster has one of CLUSTER_SIZES
    records, each differing from the centre by a uniform -RADIUS .. RADIUS in every attribute;
    clusters are drawn until there are n records (the last may be cut), and the records shuffled.

    The kinds have their names from simulated data in the literature (Solanas and
    Martinez-Balleste 2006, and Martinez-Balleste et al.), whose exact description could not be
    obtained: the definitions above are this project's own.

    Raises InvalidParameter.
    """
    check_one_of(kind, SYNTHETIC_KINDS, "the kind is")
    for name, given in (("n", n), ("attributes", attributes)):
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise InvalidParameter(f"{name} is {given!r}; it must be an integer of at least 1")
    stream = seeded(seed)
    if kind == "scattered":
        return table_of([_around(0, EXTENT, attributes, stream) for _ in range(n)])
    return table_of(_clustered(n, attributes, stream))


def _clustered(n: int, attributes: int, stream: RandomStream) -> list[list[int]]:
    records: list[list[int]] = []
    while len(records) < n:
        centre = _around(0, EXTENT, attributes, stream)
        for _ in range(CLUSTER_SIZES[stream.randbelow(len(CLUSTER_SIZES))]):
            shift = _around(0, RADIUS, attributes, stream)
            records.append([c + s for c, s in zip(centre, shift, strict=True)])
    return stream.sample(records[:n], n)


def _around(middle: int, reach: int, attributes: int, stream: RandomStream) -> list[int]:
    """Draw an integer within `reach` of `middle` for each attribute.

    The draws are uniform on middle - reach .. middle + reach.
    """
    return [middle - reach + stream.randbelow(2 * reach + 1) for _ in range(attributes)]
