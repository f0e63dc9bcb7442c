"""Data sets: what ships is what its source prints, what does not ship is never mistaken."""

from __future__ import annotations

import csv
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations, count
from pathlib import Path

import pytest

from refagg import datasets, exact_space
from refagg.catalogue import specification
from refagg.commands.main import main
from refagg.data.tables import Table
from refagg.datasets import DATASETS, Dataset, fetch, listing, load, load_sequences, path_of
from refagg.errors import (
    ChecksumMismatch,
    DatasetUnavailable,
    DuplicateColumn,
    EmptyTable,
    FileUnreadable,
    InvalidParameter,
    MissingValue,
    NotANumber,
    NotATable,
    OutputUnwritable,
    RaggedRow,
    UnknownDataset,
)
from refagg.language.choices import Choices

SHIPPED = [d.name for d in DATASETS.values() if d.origin == "shipped"]
REFERENCE = ["census", "tarragona", "eia", "eia-10"]

Rows = list[tuple[Fraction, ...]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no folder of data."""
    monkeypatch.delenv("REFAGG_DATA", raising=False)
    monkeypatch.setenv("REFAGG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    """A folder of data, empty, and an empty cache."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("REFAGG_DATA", str(folder))
    return folder


STAND_IN = b"a,note,b\n1,one,2\n3,three,4.5\n"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """Census is, for one test, the table STAND_IN."""
    small = replace(
        DATASETS["census"],
        records=2,
        attributes=("b", "a"),
        sha256=sha256(STAND_IN).hexdigest(),
    )
    monkeypatch.setitem(DATASETS, "census", small)
    return small


def rows(table: Table) -> Rows:
    return [table.row(record) for record in range(table.n)]


def sse(points: Rows) -> Fraction:
    """Sum of squared distances to the mean."""
    total = Fraction(0)
    for values in zip(*points, strict=True):
        mean = sum(values, Fraction(0)) / len(values)
        total += sum((value - mean) ** 2 for value in values)
    return total


def best_partition(points: Rows, k: int) -> tuple[Fraction, list[tuple[int, ...]]]:
    """The least SSE of all partitions into groups of k to 2k-1 records, by enumeration."""

    def best(left: tuple[int, ...]) -> tuple[Fraction, list[tuple[int, ...]]] | None:
        if not left:
            return Fraction(0), []
        found = []
        for size in range(k, min(2 * k - 1, len(left)) + 1):
            for others in combinations(left[1:], size - 1):
                group = (left[0], *others)
                rest = best(tuple(i for i in left if i not in group))
                if rest is not None:
                    lost = sse([points[i] for i in group])
                    found.append((rest[0] + lost, [group, *rest[1]]))
        return min(found, default=None)

    answer = best(tuple(range(len(points))))
    assert answer is not None
    return answer


def best_of_sorted(values: list[Fraction], k: int) -> Fraction:
    """The least SSE of one attribute: a best partition cuts the sorted values."""
    values = sorted(values)
    least: list[Fraction | None] = [Fraction(0)]
    for end in range(1, len(values) + 1):
        candidates = [
            before + sse([(value,) for value in values[start:end]])
            for start in range(max(0, end - k + 1))
            if (before := least[start]) is not None
        ]
        least.append(min(candidates, default=None))
    assert least[-1] is not None
    return least[-1]


# Tables that ship


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_file_has_the_stated_shape_and_plain_bytes(name: str) -> None:
    known = DATASETS[name]
    content = path_of(name).read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    header, *lines = content.decode("ascii").splitlines()
    assert header.endswith(",".join(known.attributes or ()))
    assert len(lines) == known.records
    if known.holds == "categories":
        return
    if known.holds == "sequences":
        assert len(load_sequences(name)) == known.records
        return
    table = load(name)
    assert (table.n, table.names) == (known.records, known.attributes)


def test_folder_holds_the_shipped_tables_and_nothing_else() -> None:
    files = {path.name for path in datasets.shipped_folder().iterdir()}
    assert files - {"certificates"} == {  # which are no part of the source package
        "README.md",
        "facts.json",
        "optima.json",
        "printed",
        *(DATASETS[name].file for name in SHIPPED),
    }


def test_every_set_says_where_it_is_from_and_the_read_me_knows_it() -> None:
    read_me = (datasets.shipped_folder() / "README.md").read_text(encoding="utf-8")
    for name, known in DATASETS.items():
        assert known.name == name
        assert known.title
        assert known.source
        assert known.provenance
        assert known.good_for
        assert f"`{name}" in read_me
        assert known.sha256 in read_me


def test_tor_table1_satisfies_its_constraint_and_the_printed_one_but_for_record_11() -> None:
    def violations(name: str) -> list[int]:
        return [
            record
            for record, (v1, v2, v3) in enumerate(rows(load(name)))
            if v3 != Fraction("1.16") * v1 + Fraction("1.07") * v2
        ]

    assert violations("tor-table1") == []
    assert violations("tor-table1-printed") == [11]
    ours, printed = rows(load("tor-table1")), rows(load("tor-table1-printed"))
    assert ours[:11] == printed[:11]
    assert [ours[11][0], printed[11][0]] == [Fraction(16), Fraction(13)]


@pytest.mark.parametrize(
    ("members", "centre"),
    [
        ((0, 1, 3), "13 37 54.670"),
        ((2, 8, 10), "67.333 219.667 313.150"),
        ((4, 6, 9), "27.667 51 86.663"),
        ((5, 7, 11), "37.333 101.333 151.733"),
    ],
)
def test_tor_table1_has_the_means_from_which_the_paper_starts(
    members: tuple[int, ...], centre: str
) -> None:
    table = load("tor-table1")
    means = [sum(column.values(members)) / 3 for column in table.columns]
    assert [round(mean, 3) for mean in means] == [Fraction(value) for value in centre.split()]


def test_nine_records_are_at_three_places() -> None:
    assert Counter(rows(load("nine-records"))) == {(2, 0): 5, (1, 1): 1, (0, 0): 3}


def test_eleven_firms_give_the_nearest_neighbour_edges_of_the_paper() -> None:
    points = rows(load("eleven-firms"))
    spread = [sse([(value,) for value in values]) for values in zip(*points, strict=True)]

    def distance(a: int, b: int) -> Fraction:
        pairs = zip(points[a], points[b], spread, strict=True)
        return sum(((x - y) ** 2 / s for x, y, s in pairs), Fraction(0))

    def nearest(a: int) -> int:
        return min((distance(a, b), b) for b in range(11) if b != a)[1]

    edges = {frozenset((a, nearest(a))) for a in range(11)}
    printed = "6-7 3-4 2-3 8-5 10-8 7-5 5-2 1-2 0-9 9-1"
    forest = {frozenset(map(int, edge.split("-"))) for edge in printed.split()}
    # The nearest records of 6 and 7 are each other; 7-5 joins that pair to the others.
    assert edges == forest - {frozenset((7, 5))}


@pytest.mark.parametrize(
    ("name", "k", "optimum"),
    [
        ("hm-seven", 3, "116/75"),
        ("kward-fourteen", 2, "318"),
        ("kward-fourteen", 3, "446"),
        ("kward-fourteen", 4, "684.5"),
        ("microagg1d-ten", 3, "1409/12"),
    ],
)
def test_univariate_tables_have_the_stated_optimum(name: str, k: int, optimum: str) -> None:
    (column,) = load(name).columns
    values = column.values(range(load(name).n))
    assert best_of_sorted(values, k) == Fraction(optimum)
    assert optimum in DATASETS[name].good_for


def test_microagg1d_ten_has_a_partition_of_sse_120_by_hand() -> None:
    values = rows(load("microagg1d-ten"))
    # Means 7.6 and 23.8; 370 - 5 * 7.6^2 = 81.2 and 2871 - 5 * 23.8^2 = 38.8.
    assert sse(values[:5]) == Fraction("81.2")
    assert sse(values[5:]) == Fraction("38.8")


def test_v_grav_nine_groups_as_its_paper_says() -> None:
    points = rows(load("v-grav-nine"))
    optimum, groups = best_partition(points, 3)
    assert groups == [(0, 1, 2, 3), (4, 5, 6, 7, 8)]
    # Figures measured elsewhere on the same values.
    assert round(optimum, 4) == Fraction("24.9116")
    assert round(sse(points), 4) == Fraction("794.9695")
    found = specification("mdav").run(exact_space(load("v-grav-nine")), 3, Choices())
    assert found.groups == ((0, 1, 2), (3, 4, 5), (6, 7, 8))


def test_sdcmicro_51_has_the_grouping_that_the_report_expects() -> None:
    points = rows(load("sdcmicro-51"))
    assert best_partition(points, 2)[1] == [(0, 1, 2), (3, 4)]
    means = [sum(values, Fraction(0)) / 3 for values in zip(*points[:3], strict=True)]
    assert [round(mean, 6) for mean in means] == [Fraction("2.666667"), Fraction("1.666667")]


def test_tables_are_found_in_an_installed_package_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "refagg"
    foreign = tmp_path / "datasets"  # another library has this name
    foreign.mkdir()
    (foreign / "__init__.py").write_text("")
    monkeypatch.setattr(datasets, "_PACKAGE", package)
    with pytest.raises(FileUnreadable, match="_datasets"):
        datasets.shipped_folder()
    own = package / "_datasets"
    own.mkdir(parents=True)
    (own / "README.md").write_text("")
    assert datasets.shipped_folder() == own
    with pytest.raises(FileUnreadable, match=r"hm-seven ships .* not there"):
        load("hm-seven")
    (own / "hm-seven.csv").write_text("x\n1\n2\n")
    with pytest.raises(ChecksumMismatch, match="2 records, hm-seven has 7"):
        load("hm-seven")


def test_unknown_name() -> None:
    for ask in (load, path_of, load_sequences):
        with pytest.raises(
            UnknownDataset, match=r"'sensus'; did you mean census\? there are tor-table1"
        ):
            ask("sensus")
    with pytest.raises(UnknownDataset, match="sensus"):
        fetch("sensus", "http://127.0.0.1/")


# Reference sets


@pytest.mark.parametrize("name", REFERENCE)
def test_a_missing_reference_set_says_how_to_get_it(name: str, cache: Path) -> None:
    with pytest.raises(DatasetUnavailable) as caught:
        load(name)
    message = str(caught.value)
    known = DATASETS[name]
    r_name = {"census": "CASCrefmicrodata", "tarragona": "Tarragona"}.get(name, "EIA")
    for needed in (
        "REFAGG_DATA",
        known.file,
        known.sha256,
        f"`refagg datasets fetch {name} URL`",
        f"data set {r_name} of the R package sdcMicro",
        str(cache / known.file),
    ):
        assert needed in message


def test_a_file_that_is_not_the_reference_set_is_refused(data: Path) -> None:
    (data / "census.csv").write_bytes(STAND_IN)
    for ask in (load, path_of):
        with pytest.raises(ChecksumMismatch) as caught:
            ask("census")
        message = str(caught.value)
        assert sha256(STAND_IN).hexdigest() in message
        assert DATASETS["census"].sha256 in message
        assert str(data / "census.csv") in message


@pytest.mark.usefixtures("stand_in")
def test_columns_are_taken_by_name_and_the_others_left(data: Path) -> None:
    (data / "census.csv").write_bytes(STAND_IN)
    table = load("census")
    assert table.names == ("b", "a")
    assert rows(table) == [(Fraction(2), Fraction(1)), (Fraction(9, 2), Fraction(3))]


@pytest.mark.usefixtures("stand_in")
def test_a_folder_goes_before_the_variable_and_both_before_the_cache(
    data: Path, cache: Path, tmp_path: Path
) -> None:
    def supply(folder: Path) -> Path:
        folder.mkdir(exist_ok=True)
        (folder / "census.csv").write_bytes(STAND_IN)
        return folder / "census.csv"

    in_cache = supply(cache)
    assert path_of("census") == in_cache
    in_data = supply(data)
    assert path_of("census") == in_data
    assert path_of("census", tmp_path / "folder") == in_cache
    in_folder = supply(tmp_path / "folder")
    assert path_of("census", tmp_path / "folder") == in_folder
    in_data.write_bytes(STAND_IN + b"5,five,6\n")
    with pytest.raises(ChecksumMismatch):  # not passed over in favour of the cache
        load("census")


@pytest.mark.parametrize(
    ("own", "xdg", "expected"),
    [
        ("/own", "/xdg", "/own"),
        ("", "/xdg", "/xdg/refagg"),
        ("", "relative", "/home/somebody/.cache/refagg"),
        ("", "", "/home/somebody/.cache/refagg"),
    ],
)
def test_cache_folder(own: str, xdg: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFAGG_CACHE", own)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/somebody"))
    assert datasets.cache_folder() == Path(expected)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "shape", "repeated"),
    [
        ("census", (1080, 13), {}),
        ("tarragona", (834, 13), {2: 2}),
        ("eia", (4092, 11), {2: 7, 12: 1}),
    ],
)
def test_reference_sets_have_their_known_duplicates(
    name: str, shape: tuple[int, int], repeated: dict[int, int], data_folder: Path
) -> None:
    table = load(name, data_folder)
    assert (table.n, len(table.names)) == shape
    times = Counter(Counter(rows(table)).values())
    singles = times.pop(1)
    assert times == repeated
    assert singles == shape[0] - sum(size * how_many for size, how_many in repeated.items())
    if name == "eia":
        assert singles + 7 + 1 == 4074


@pytest.mark.reference_data
def test_eia_in_its_two_versions(data_folder: Path) -> None:
    eleven, ten = load("eia", data_folder), load("eia-10", data_folder)
    assert eleven.names == ("UTILITYID", *ten.names)
    assert eleven.columns[1:] == ten.columns
    with path_of("eia", data_folder).open(newline="", encoding="utf-8") as file:
        records = list(csv.DictReader(file))
    assert len(records[0]) == 15
    assert set(records[0]) - set(eleven.names) == {"UTILNAME", "STATE", "YEAR", "MONTH"}
    assert {record["YEAR"] for record in records} == {"96"}
    assert [int(record["TOTSALES"]) for record in records] == list(ten.columns[-1].numerators)


# Fetching


def test_fetch_through_a_file_address(stand_in: Dataset, cache: Path, tmp_path: Path) -> None:
    source = tmp_path / "some where.csv"
    source.write_bytes(STAND_IN)
    assert fetch("census", source.as_uri()) == cache / "census.csv"
    assert (cache / "census.csv").read_bytes() == STAND_IN
    assert [path.name for path in cache.iterdir()] == ["census.csv"]
    assert load("census").n == stand_in.records


@pytest.mark.reference_data
def test_fetch_the_real_eia_for_both_versions(data_folder: Path, cache: Path) -> None:
    fetch("eia-10", (data_folder / "eia.csv").absolute().as_uri())
    assert path_of("eia") == path_of("eia-10") == cache / "eia.csv"


def test_fetching_something_else_leaves_nothing_behind(cache: Path, tmp_path: Path) -> None:
    source = tmp_path / "census.csv"
    source.write_bytes(STAND_IN)
    with pytest.raises(ChecksumMismatch) as caught:
        fetch("census", source.as_uri())
    assert sha256(STAND_IN).hexdigest() in str(caught.value)
    assert DATASETS["census"].sha256 in str(caught.value)
    assert list(tmp_path.rglob("*")) == [source]


@pytest.mark.usefixtures("stand_in")
def test_fetching_something_else_keeps_what_was_there(cache: Path, tmp_path: Path) -> None:
    cache.mkdir()
    (cache / "census.csv").write_bytes(STAND_IN)
    source = tmp_path / "other.csv"
    source.write_bytes(b"a\n1\n")
    with pytest.raises(ChecksumMismatch):
        fetch("census", source.as_uri())
    assert load("census").n == 2
    assert [path.name for path in cache.iterdir()] == ["census.csv"]


@pytest.mark.usefixtures("stand_in")
def test_a_cache_that_cannot_be_written(cache: Path, tmp_path: Path) -> None:
    source = tmp_path / "census.csv"
    source.write_bytes(STAND_IN)
    cache.write_text("a file where the folder should be")
    with pytest.raises(OutputUnwritable, match=r"census\.csv cannot be written"):
        fetch("census", source.as_uri())


@pytest.mark.usefixtures("stand_in")
def test_an_interrupted_write_leaves_nothing_behind(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "census.csv"
    source.write_bytes(STAND_IN)

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(datasets.os, "replace", full)  # type: ignore[attr-defined]
    with pytest.raises(OutputUnwritable, match="no space left"):
        fetch("census", source.as_uri())
    assert list(cache.iterdir()) == []


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """A local server: /good, /bad, /long and /short are bodies, /moved leads to /good."""
    bodies = {"/good": STAND_IN, "/bad": STAND_IN[:-1], "/long": bytes((1 << 24) + 1)}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", "/good")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif self.path == "/short":
                self.send_response(200)
                self.send_header("Content-Length", str(len(STAND_IN) + 1))
                self.end_headers()
                self.wfile.write(STAND_IN[:4])
            elif self.path in bodies:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(bodies[self.path])
            else:
                self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            pass

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield lambda path: f"http://127.0.0.1:{server.server_port}{path}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("path", ["/good", "/moved"])
def test_fetch_over_http(path: str, served: Callable[[str], str], cache: Path) -> None:
    assert fetch("census", served(path), timeout=10).read_bytes() == STAND_IN
    assert load("census").names == ("b", "a")


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("/bad", ChecksumMismatch, "is not census"),
        ("/short", ChecksumMismatch, "is not census"),
        ("/long", ChecksumMismatch, "more than 16777216 bytes"),
        ("/nothing", DatasetUnavailable, "404"),
    ],
)
def test_failed_fetches_over_http(
    path: str, error: type[Exception], message: str, served: Callable[[str], str], cache: Path
) -> None:
    with pytest.raises(error, match=message):
        fetch("census", served(path), timeout=10)
    assert not cache.exists()


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("ftp://example.org/census.csv", InvalidParameter),
        ("/somewhere/census.csv", InvalidParameter),
        ("", InvalidParameter),
        ("file:///no/such/census.csv", DatasetUnavailable),
        ("http://", DatasetUnavailable),
        ("http://[", DatasetUnavailable),
        ("http://127.0.0.1:port/", DatasetUnavailable),
    ],
)
def test_addresses_that_cannot_be_fetched(url: str, error: type[Exception], cache: Path) -> None:
    with pytest.raises(error):
        fetch("census", url, timeout=10)
    assert not cache.exists()


@pytest.mark.parametrize("name", ["hm-seven", "synthetic-scattered", "ala18-toy"])
def test_only_reference_sets_are_fetched(name: str) -> None:
    with pytest.raises(InvalidParameter, match="fetch can get census, tarragona, eia, eia-10"):
        fetch(name, "file:///no/such/file.csv")


# Files that are spoilt


@pytest.fixture
def spoilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of that of the shipped tables."""
    monkeypatch.setattr(datasets, "shipped_folder", lambda: tmp_path)
    return tmp_path


def test_a_marked_file_with_other_line_ends_is_loaded_exactly(spoilt: Path) -> None:
    lines = ["Var1,Var2", *(f"{i},0.{i:02}" for i in range(19))]
    (spoilt / "ala18-toy.csv").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    table = load("ala18-toy")
    assert table.names == ("Var1", "Var2")
    assert rows(table) == [(Fraction(i), Fraction(i, 100)) for i in range(19)]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("v1,v2,v3\n" + "1,2,3\n" * 11, ChecksumMismatch, "11 records, tor-table2 has 12"),
        ("v1,v2,w\n" + "1,2,3\n" * 12, ChecksumMismatch, "no column 'v3'; its columns are v1"),
        ("v1,v2,v3\n" + "1,2,3\n" * 11 + "1,2\n", RaggedRow, "line 13: 2 cells.* header has 3"),
        ("v1,v2,v3\n\n" + "1,2,3\n" * 12, RaggedRow, "line 2: an empty line"),
        ("v1,v2,v3\n" + "1,2,3\n" * 11 + "1,,3\n", MissingValue, "line 13, column 'v2'"),
        ("v1,v2,v3\n1,2,x\n" + "1,2,3\n" * 11, NotANumber, "line 2, column 'v3': 'x'"),
        ("v1,v2,v3\n1,2,1/3\n" + "1,2,3\n" * 11, NotANumber, "'1/3'"),
        ("v1,v2,v3\n1,2,1_0\n" + "1,2,3\n" * 11, NotANumber, "'1_0'"),
        ("v1,v2,v3\n1,2,nan\n" + "1,2,3\n" * 11, MissingValue, "line 2, column 'v3'"),
        ("v1,v2,v3\n1,2," + "9" * 5000 + "\n" + "1,2,3\n" * 11, NotANumber, "5000 characters"),
        ("v1,v2,v3,v1\n", DuplicateColumn, "two columns named 'v1'"),
        ("v1,v2,v3\n", EmptyTable, "no record"),
        ("", EmptyTable, "no column"),
        ('v1,v2,v3\n1,2,"3\n', FileUnreadable, "line 2"),
    ],
)
def test_bad_tables(content: str, error: type[Exception], message: str, spoilt: Path) -> None:
    (spoilt / "tor-table2.csv").write_text(content)
    with pytest.raises(error, match=message):
        load("tor-table2")


def test_a_file_that_is_not_text(spoilt: Path) -> None:
    (spoilt / "tor-table2.csv").write_bytes(b"v1,v2,v3\n\xff\n")
    with pytest.raises(FileUnreadable, match="byte 9"):
        load("tor-table2")


def test_sequences_are_read_as_symbols(spoilt: Path) -> None:
    lines = ["sequence", "a b b", '""', *"cdefghi"]
    (spoilt / "vg-sequences.csv").write_text("\n".join(lines) + "\n")
    found = load_sequences("vg-sequences")
    assert found == [("a", "b", "b"), (), *((symbol,) for symbol in "cdefghi")]
    (spoilt / "hm-seven.csv").write_text("x\n" + "1\n" * 7)
    with pytest.raises(NotATable, match="load_sequences"):
        load("vg-sequences")
    with pytest.raises(NotATable, match="load reads it"):
        load_sequences("hm-seven")


def test_categories_are_no_numbers_and_no_sequences() -> None:
    for read in (load, load_sequences):
        with pytest.raises(NotATable, match=r"holds categories.*read_sheet reads it"):
            read("ala18-table31")


def test_tables_of_the_sources_cell_by_cell() -> None:
    """First and last rows, read in the publications."""
    ends = {
        "ala18-toy": ("2 7", "4 10"),
        "smb06-example1": ("2.4 3", "23 18.5"),
        "tor-table2": ("16.91695 26.67021 41.37696", "11.64466 100.13359 127.12980"),
        "tor-table3": ("13.44075 37.16236 55.35500", "36.83617 102.07690 151.95224"),
    }
    for name, (first, last) in ends.items():
        table = load(name)
        for record, row in ((0, first), (table.n - 1, last)):
            assert table.row(record) == tuple(map(Fraction, row.split()))
    assert load_sequences("vg-sequences")[0] == ("a", "b", "e")
    assert load_sequences("vg-sequences")[8] == ("f", "f", "b", "i")


# Generated sets


def draws_of(seed: int) -> Callable[[int], int]:
    """The draws of a seed, from the definition: BLAKE2b of a counter, excess words skipped."""
    words = (
        int.from_bytes(blake2b(i.to_bytes(8, "big"), key=b"%d" % seed, digest_size=8).digest())
        for i in count()
    )

    def draw(m: int) -> int:
        return next(word for word in words if word < 2**64 // m * m) % m

    return draw


def rederived(kind: str) -> list[list[int]]:
    """The default synthetic sets, from their description alone."""
    draw = draws_of(2006)
    records: list[list[int]] = []
    if kind == "scattered":
        for _ in range(1000):
            records.append([draw(20001) - 10000, draw(20001) - 10000])
        return records
    while len(records) < 1000:
        x, y = draw(20001) - 10000, draw(20001) - 10000
        for _ in range(3 + draw(3)):
            dx, dy = draw(201) - 100, draw(201) - 100
            records.append([x + dx, y + dy])
    records = records[:1000]
    return [records.pop(draw(left)) for left in range(1000, 0, -1)]


def digest(records: list[list[int]]) -> str:
    return sha256("\n".join(f"{x},{y}" for x, y in records).encode()).hexdigest()


@pytest.mark.parametrize("kind", ["clustered", "scattered"])
def test_default_synthetic_sets_never_change(kind: str) -> None:
    table = load(f"synthetic-{kind}")
    assert table == datasets.synthetic(kind)
    loaded = [[int(x), int(y)] for x, y in rows(table)]
    assert digest(loaded) == digest(rederived(kind))
    known = DATASETS[f"synthetic-{kind}"]
    assert (table.n, table.names) == (known.records, known.attributes)


def lonely(table: Table) -> int:
    """How many records have fewer than two others in reach of a cluster."""
    points = rows(table)
    near = (sum(abs(a - c) <= 200 and abs(b - d) <= 200 for c, d in points) - 1 for a, b in points)
    return sum(others < 2 for others in near)


def test_clustered_records_have_company_and_scattered_ones_do_not() -> None:
    clustered = lonely(datasets.synthetic("clustered", n=300, seed=1))
    scattered = lonely(datasets.synthetic("scattered", n=300, seed=1))
    assert clustered <= 2  # the last cluster may be cut
    assert scattered > 250


def test_synthetic_parameters_matter() -> None:
    table = datasets.synthetic("scattered", n=7, attributes=3, seed=5)
    assert (table.n, table.names) == (7, ("x1", "x2", "x3"))
    assert table != datasets.synthetic("scattered", n=7, attributes=3, seed=6)
    assert datasets.synthetic("clustered", n=1).n == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "mixed"}, "'mixed'; it can be clustered, scattered"),
        ({"kind": "clustered", "n": 0}, "n is 0"),
        ({"kind": "clustered", "n": 2.5}, "n is 2.5"),
        ({"kind": "clustered", "attributes": True}, "attributes is True"),
        ({"kind": "clustered", "seed": "1"}, "seed is '1'"),
    ],
)
def test_bad_synthetic_parameters(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        datasets.synthetic(**arguments)  # type: ignore[arg-type]


def test_a_generated_set_has_no_file() -> None:
    with pytest.raises(DatasetUnavailable, match="generated and has no file"):
        path_of("synthetic-clustered")


# The list


@pytest.mark.usefixtures("stand_in")
def test_listing_says_what_is_where(data: Path) -> None:
    (data / "census.csv").write_bytes(STAND_IN)
    (data / "tarragona.csv").write_bytes(STAND_IN)
    listed = {entry.dataset.name: entry for entry in listing()}
    assert list(listed) == list(DATASETS)
    assert {listed[name].where for name in SHIPPED} == {"ships"}
    assert listed["synthetic-clustered"].where == "generated"
    assert listed["census"].where == f"found at {data / 'census.csv'}"
    assert listed["tarragona"].status == "unusable"
    assert "SHA-256" in listed["tarragona"].where
    assert {listed[name].where for name in ("eia", "eia-10")} == {"not available"}
    shapes = {name: listed[name].shape for name in ("eia", "ala18-toy", "ala18-table31")}
    assert shapes == {"eia": "4092 x 11", "ala18-toy": "19 x 2", "ala18-table31": "11 x 5"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("vg-sequences", "sequence=sequence: "), ("routes-sixty", "route=sequence:>")],
)
def test_sequences_are_listed_with_their_kind_and_exported(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is written is the shipped file, and the command of the list masks it."""
    file = tmp_path / "sequences.csv"
    assert main(["datasets"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith(name))
    assert f"--kind '{kind}'" in line
    assert main(["datasets", "export", name, str(file)]) == 0
    assert file.read_text() == path_of(name).read_text()
    mask = ["mask", str(file), "--algorithm", "kshc", "-k", "3", "--kind", kind]
    left = ["--confidential", "id"] if name == "routes-sixty" else []
    assert main([*mask, *left, "-o", str(tmp_path / "out.csv")]) == 0
