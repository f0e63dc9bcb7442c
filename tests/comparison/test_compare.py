"""`refagg compare`: its rows, its references, its files."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from suites import one_in

import oracle.commands.main
import refagg.commands.main
from refagg import exact_space, table_of
from refagg.catalogue import CATALOGUE
from refagg.commands import compare_command
from refagg.comparison import comparing
from refagg.comparison.compare import (
    ComparisonRow,
    ComparisonSetting,
    Results,
    compare_contenders,
    contenders_of,
    in_order,
)
from refagg.comparison.comparing import HEADER, as_rows, comparison_data, text_lines
from refagg.comparison.references import (
    Reference,
    read_reference,
    references_of,
    shipped_references,
)
from refagg.data.csvfiles import write_csv
from refagg.data.standardise import standardise
from refagg.datasets import load, shipped_folder
from refagg.errors import (
    FileUnreadable,
    InvalidK,
    InvalidParameter,
    InvalidReference,
    KTooLarge,
    RefaggError,
    UnknownAlgorithm,
    UnknownParameter,
)
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.specification import Specification
from tests.benchmarks import algorithms as algorithm_benchmarks

FIRMS = shipped_folder() / "eleven-firms.csv"
DOCS = ROOT / "docs"

FOUR = table_of([[0], [1], [10], [11]])
"""Its SST is 2 (5.5^2 + 4.5^2) = 101; in pairs of neighbours its SSE is 1/2 + 1/2."""

RAW = ComparisonSetting(standardise="none", arithmetic="exact")

Ran = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Ran:
    """Choices `refagg compare`: its exit status, what it printed and what it complained of."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        status = refagg.commands.main.main(["compare", *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ran


def sketch(name: str, run: Callable[..., Any], **more: Any) -> Specification:
    settings: dict[str, Any] = {
        "title": name,
        "source": "this test",
        "largest_group": lambda k: None,
        "guarantees": "",
        "ties": (),
        "decisions": (),
        "cost": "",
    }
    return Specification(name=name, run=run, **(settings | more))


def pairs(*groups: Sequence[int]) -> Callable[..., Partition]:
    return lambda space, k, choices: Partition.of(groups)


def crossed(space: Any, k: int, choices: Choices) -> Partition:
    return Partition.of([(0, 2), (1, 3)])


def one_group(space: Any, k: int, choices: Choices) -> Partition:
    return Partition.of([space.records()])


def fails(space: Any, k: int, choices: Choices) -> Partition:
    raise ZeroDivisionError("nothing to\ndivide by")


def drawn(space: Any, k: int, choices: Choices) -> Partition:
    left = choices.stream.sample(space.records(), space.n)
    return Partition.of([left[:k], left[k:]])


def equal(space: Any, k: int, choices: Choices) -> Partition:
    return Partition.from_labels([distance == 0 for distance in space.raw(0, space.records())])


def ones(space: Any, k: int, choices: Choices) -> list[list[float]]:
    return [[1.0] * len(space.rows[0]) for _ in space.records()]


SKETCHES = (
    sketch("crossed", crossed),
    sketch("fails", fails),
    sketch("drawn", drawn, random=True),
    sketch("noise", ones, yields="deviations", arithmetic=("float",), needs="Coordinates"),
    sketch("univariate", one_group, attributes="one"),
    sketch("each", one_group, attributes="each"),
    sketch("equal", equal, attributes="each"),
    sketch("loose", pairs([0], [1, 2, 3]), smallest_group=lambda k: 1),
    sketch("exact-only", one_group, arithmetic=("exact",)),
    sketch("float-only", one_group, arithmetic=("float",)),
)


@pytest.fixture
def sketches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue and sketches of other kinds."""
    for spec in SKETCHES:
        monkeypatch.setitem(CATALOGUE, spec.name, spec)


def rows_of(results: Results) -> dict[str, ComparisonRow]:
    return {row.contender.label: row for row in results.rows}


def one_row(
    name: str, table: Any = FOUR, k: int = 2, setting: ComparisonSetting = RAW
) -> ComparisonRow:
    (row,) = compare_contenders(table, contenders_of(name), [k], setting).rows
    return row


# Rows


def test_figures_by_hand(sketches: None) -> None:
    known = Reference(2, Fraction(1), Partition.of([(0, 1), (2, 3)]), "by hand")
    results = compare_contenders(FOUR, contenders_of("mdav,crossed"), [2], RAW, [known])
    assert results.sst == 101
    mdav, other = results.rows
    assert mdav.figures is not None
    assert other.figures is not None
    assert (mdav.figures.sse, results.loss(mdav.figures.sse)) == (1, Fraction(100, 101))
    assert (mdav.figures.groups, mdav.figures.smallest, mdav.figures.largest) == (2, 2, 2)
    assert results.above(mdav) == 0
    # {0, 10} and {1, 11} lose 50 each: 100 times the optimum.
    assert (other.figures.sse, results.above(other)) == (100, 9900)
    assert (mdav.status, mdav.note, other.note) == ("done", "", "")
    assert mdav.figures.seconds > 0


@pytest.mark.parametrize("name", one_in(2, CATALOGUE))
@pytest.mark.parametrize("dataset", one_in(2, ["eleven-firms", "kward-fourteen"]))
def test_figures_by_definition(name: str, dataset: str) -> None:
    """SSE and information loss from z-scores, squared, of the groups that are shown."""
    table = load(dataset)
    spec = CATALOGUE[name]
    results = compare_contenders(table, contenders_of(name), [3])
    (row,) = results.rows
    assert (row.figures is None) == (row.status != "done")
    if row.figures is None or row.figures.partition is None:
        assert row.status == "skipped" or spec.attributes != "any" or spec.yields != "partition"
        return
    if spec.publish:
        pytest.skip("a group is not released with its mean; tests/algorithms/test_ward.py")
    groups = row.figures.partition.groups
    lost = total = Fraction(0)
    for column in table.columns:
        values = column.values(range(table.n))
        mean = sum(values, Fraction(0)) / table.n
        variance = sum(((x - mean) ** 2 for x in values), Fraction(0)) / table.n
        total += sum(((x - mean) ** 2 for x in values), Fraction(0)) / variance
        for group in groups:
            own = sum((values[r] for r in group), Fraction(0)) / len(group)
            lost += sum(((values[r] - own) ** 2 for r in group), Fraction(0)) / variance
    assert (row.figures.sse, results.loss(row.figures.sse)) == (lost, 100 * lost / total)
    sizes = [len(group) for group in groups]
    found = (row.figures.groups, row.figures.smallest, row.figures.largest)
    assert found == (len(sizes), min(sizes), max(sizes))


def test_eleven_firms_as_in_the_first_example_of_the_readme() -> None:
    results = compare_contenders(load("eleven-firms"), contenders_of("mdav"), [3])
    (figures,) = [row.figures for row in results.rows]
    assert figures is not None
    assert f"{float(figures.sse):.8f}" == "12.08790216"
    assert (figures.groups, figures.smallest, figures.largest, figures.ties) == (3, 3, 5, 0)
    assert f"{float(results.loss(figures.sse) or 0):.8f}" == "54.94500981"


def test_rows_are_those_of_one_k_after_those_of_another() -> None:
    told: list[ComparisonRow] = []
    results = compare_contenders(FOUR, contenders_of("md,mdav"), [2, 1], RAW, report=told.append)
    shown = [(row.k, row.contender.label) for row in results.rows]
    assert shown == [(2, "md"), (2, "mdav"), (1, "md"), (1, "mdav")]
    assert told == list(results.rows)
    assert [row.figures.sse for row in results.rows if row.figures] == [1, 1, 0, 0]


def test_ties_met_are_shown() -> None:
    row = one_row("mdav", table_of([[0], [2], [4], [6], [8]]))
    assert row.figures is not None
    assert row.figures.ties > 0


def test_the_whole_catalogue_by_default(sketches: None) -> None:
    assert [c.label for c in contenders_of(None)] == list(CATALOGUE)
    table = load("eleven-firms").select(["x1"])
    results = compare_contenders(table, contenders_of(None), [3])
    assert [row.contender.label for row in results.rows] == list(CATALOGUE)
    assert {row.contender.label for row in results.rows if row.status == "failed"} >= {"fails"}


def test_parameters_reach_the_algorithm() -> None:
    # Of the groups of 2 that start at 23 and 0, gamma 1 extends the one of 0 by 3 and by 6.
    table = table_of([[0], [1], [3], [20], [21], [23]])
    plain, greedy = contenders_of("v-mdav:gamma=1/100,v-mdav:gamma=1")
    assert (plain.settings["gamma"], greedy.settings["gamma"]) == (Fraction(1, 100), 1)
    results = compare_contenders(table, [plain, greedy], [2], RAW)
    labels = [row.contender.label for row in results.rows]
    assert labels == ["v-mdav:gamma=1/100", "v-mdav:gamma=1"]
    for contender, row in zip((plain, greedy), results.rows, strict=True):
        expected = CATALOGUE["v-mdav"].run(
            exact_space([[0], [1], [3], [20], [21], [23]]), 2, Choices(), **contender.settings
        )
        assert row.figures is not None
        assert row.figures.partition == expected


# Algorithms of other kinds


def test_an_error_in_one_does_not_stop_the_others(sketches: None) -> None:
    results = compare_contenders(FOUR, contenders_of("fails,mdav"), [2], RAW)
    wrong, right = results.rows
    assert (wrong.status, wrong.figures) == ("failed", None)
    assert wrong.note == "ZeroDivisionError: nothing to\ndivide by"
    assert right.status == "done"
    lines = text_lines(results)
    assert lines[-2].split(None, 1) == [
        "fails",
        "failed: ZeroDivisionError: nothing to divide by",
    ]


def test_a_random_algorithm_repeats_with_its_seed(sketches: None) -> None:
    table = table_of([[x] for x in range(12)])

    def groups(seed: int) -> Partition | None:
        figures = one_row("drawn", table, 6, ComparisonSetting("none", "exact", seed)).figures
        assert figures is not None
        return figures.partition

    assert groups(1) == groups(1)
    assert len({groups(seed) for seed in range(5)}) > 1


def test_deviations_are_released_and_not_compared_with_an_optimum(sketches: None) -> None:
    known = Reference(2, Fraction(1), None, "by hand")
    setting = ComparisonSetting("none", "float")
    results = compare_contenders(FOUR, contenders_of("noise"), [2], setting, [known])
    (row,) = results.rows
    assert row.figures is not None
    # Every value is moved by 1; the four released rows are all different.
    assert (row.figures.sse, row.figures.groups, row.figures.smallest) == (4, 4, 1)
    assert row.figures.partition is None
    assert results.above(row) is None
    assert row.note.startswith("forms no groups")


def test_an_algorithm_for_one_attribute_is_skipped_on_several(sketches: None) -> None:
    row = one_row("univariate", table_of([[0, 1], [1, 2]]), 1)
    assert (row.status, row.figures) == ("skipped", None)
    assert row.note == "works on one attribute, and there are 2"
    figures = one_row("univariate").figures
    assert figures is not None
    assert figures.sse == 101


def test_an_algorithm_for_each_attribute_has_a_partition_of_each(sketches: None) -> None:
    known = Reference(2, Fraction(1), None, "by hand")
    table = table_of([[0, 0], [2, 4]])
    results = compare_contenders(table, contenders_of("each"), [2], RAW, [known])
    (row,) = results.rows
    assert row.figures is not None
    # Around 1 and 2: 1 + 1 and 4 + 4; two groups of 2, one in each attribute.
    assert (row.figures.sse, row.figures.groups, row.figures.smallest) == (10, 2, 2)
    assert (row.figures.partition, results.above(row)) == (None, None)
    assert row.note == "each attribute by itself: 2 partitions"


def test_sizes_are_those_of_all_attributes(sketches: None) -> None:
    # The first attribute is constant, and the second has two values.
    row = one_row("equal", table_of([[0, 0], [0, 0], [0, 1], [0, 1]]))
    assert row.figures is not None
    assert (row.figures.groups, row.figures.smallest, row.figures.largest) == (3, 2, 4)


def test_groups_below_k_are_said_and_not_compared(sketches: None) -> None:
    known = Reference(2, Fraction(1), None, "by hand")
    results = compare_contenders(FOUR, contenders_of("loose"), [2], RAW, [known])
    (row,) = results.rows
    assert row.figures is not None
    assert (row.figures.smallest, row.note) == (1, "not k-anonymous")
    assert results.above(row) is None


def test_another_arithmetic_is_a_reason_to_skip(sketches: None) -> None:
    row = one_row("float-only")
    assert (row.status, row.note) == (
        "skipped",
        "arithmetic is 'exact'; float-only can be run in float",
    )
    assert one_row("float-only", setting=ComparisonSetting("none", "float")).status == "done"
    assert one_row("exact-only", setting=ComparisonSetting("none", "float")).status == "skipped"


def test_any_arithmetic_is_float_where_that_is_possible(sketches: None) -> None:
    rows = compare_contenders(
        FOUR, contenders_of("float-only,exact-only,mdav"), [2], ComparisonSetting("none")
    ).rows
    used = [row.figures.arithmetic for row in rows if row.figures]
    assert used == ["float", "exact", "float"]
    assert [row.note for row in rows] == ["", "in exact arithmetic", ""]


def test_less_than_the_reference_is_said() -> None:
    known = Reference(2, Fraction(2), None, "a wrong file")
    (row,) = compare_contenders(FOUR, contenders_of("mdav"), [2], RAW, [known]).rows
    assert row.note == "less than the bound of a wrong file"


# Requests


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("mdav", ["mdav"]),
        (" md , mdav", ["md", "mdav"]),
        ("v-mdav:gamma=1/5,test=plain,md", ["v-mdav:gamma=1/5,test=plain", "md"]),
        ("md,v-mdav:test=plain,cap=none", ["md", "v-mdav:test=plain,cap=none"]),
        ("v-mdav,v-mdav:gamma=1", ["v-mdav", "v-mdav:gamma=1"]),
    ],
)
def test_names_of_algorithms(text: str, labels: list[str]) -> None:
    assert [contender.label for contender in contenders_of(text)] == labels


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("mdva", UnknownAlgorithm, "there is no algorithm 'mdva'"),
        ("", UnknownAlgorithm, "there is no algorithm ''"),
        ("mdav,", UnknownAlgorithm, "there is no algorithm ''"),
        ("md,gamma=1", UnknownAlgorithm, "there is no algorithm 'gamma=1'"),
        ("mdav:gamma=1", UnknownParameter, "mdav has no parameter 'gamma'"),
        ("v-mdav:gamma=-1", InvalidParameter, "gamma is '-1'"),
        ("v-mdav:gamma", InvalidParameter, "parameter 'gamma' is not of the form NAME=VALUE"),
        ("v-mdav:", InvalidParameter, "parameter '' is not of the form NAME=VALUE"),
        ("v-mdav:gamma=1,gamma=2", InvalidParameter, "parameter is given twice for 'gamma'"),
        ("md,mdav,md", InvalidParameter, "algorithm 'md' is named twice"),
    ],
)
def test_wrong_names_of_algorithms(text: str, error: type[RefaggError], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        contenders_of(text)


@pytest.mark.parametrize(
    ("ks", "error"), [([0], InvalidK), ([2, 5], KTooLarge), ([2, 3, 2], InvalidParameter)]
)
def test_wrong_k(ks: list[int], error: type[RefaggError]) -> None:
    told: list[ComparisonRow] = []
    with pytest.raises(error):
        compare_contenders(FOUR, contenders_of("mdav"), ks, RAW, report=told.append)
    assert told == []


def test_wrong_settings() -> None:
    with pytest.raises(InvalidParameter, match="arithmetic is 'decimal'"):
        compare_contenders(FOUR, contenders_of("mdav"), [2], ComparisonSetting("none", "decimal"))
    with pytest.raises(InvalidParameter, match="standardisation is 'half'"):
        compare_contenders(FOUR, contenders_of("mdav"), [2], ComparisonSetting("half"))
    with pytest.raises(InvalidParameter, match="the order is 'size'"):
        in_order(compare_contenders(FOUR, contenders_of("mdav"), [2], RAW), "size")


# References


def reference_data(**changes: Any) -> dict[str, Any]:
    """The optimum of FOUR at k = 2, as `oracle optimum --json` writes it."""
    data: dict[str, Any] = {
        "format": "refagg optimum 1",
        "status": "optimal",
        "standardise": "none",
        "sse": 1.0,
        "sse_exact": "1",
        "bound": 1.0,
        "bound_exact": "1",
        "groups": [[0, 1], [2, 3]],
    }
    return data | changes


def written(folder: Path, data: object, name: str = "optimum.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_an_optimum_and_a_bound_from_files(tmp_path: Path) -> None:
    scaled = standardise(FOUR, "none")
    path = written(tmp_path, reference_data())
    optimum = read_reference(path, scaled, [1, 2])
    assert optimum == Reference(2, Fraction(1), Partition.of([(0, 1), (2, 3)]), str(path))
    assert (optimum.kind, optimum.above(Fraction(3, 2))) == ("optimum", 50)
    path = written(tmp_path, reference_data(status="feasible", bound=0.75, bound_exact="3/4"))
    bound = read_reference(path, scaled, [2])
    assert (bound.kind, bound.least, bound.partition) == ("bound", Fraction(3, 4), None)
    assert bound.above(Fraction(3, 2)) == 100
    path = written(tmp_path, reference_data(proof="solver"))
    assert read_reference(path, scaled, [2]).source == f"{path}, on a solver's word"


def test_nothing_is_no_percent_above_nothing() -> None:
    nothing = Reference(2, Fraction(0), None, "by hand")
    assert nothing.above(Fraction(0)) == 0
    assert nothing.above(Fraction(1)) is None


def test_what_the_judge_writes_can_be_read(tmp_path: Path) -> None:
    """The optimum of the eleven firms, 7.484794515 (README), and the sizes 3, 4, 4."""
    path = tmp_path / "optimum.json"
    arguments = ["optimum", str(FIRMS), "-k", "3", "--json", str(path), "--quiet"]
    assert oracle.commands.main.main(arguments) == 0
    reference = read_reference(path, standardise(load("eleven-firms")), [3, 4])
    assert (reference.kind, reference.k) == ("optimum", 3)
    assert f"{float(reference.least):.9f}" == "7.484794515"
    assert reference.partition is not None
    assert reference.partition.sizes() == {3: 1, 4: 2}


def test_one_group_is_the_optimum_of_every_k_that_allows_no_other(tmp_path: Path) -> None:
    data = reference_data(sse=101.0, sse_exact="101", groups=[[0, 1, 2, 3]])
    path = written(tmp_path, data)
    assert read_reference(path, standardise(FOUR, "none"), [3]).k == 3
    with pytest.raises(InvalidReference, match="has 4 records; k = 2 is compared"):
        read_reference(path, standardise(FOUR, "none"), [2])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "is not a file that `oracle optimum --json` writes"),
        (reference_data(format="refagg certificate 1"), "is not a file that"),
        (reference_data(standardise="sample"), "is for standardisation 'sample', not 'none'"),
        (reference_data(groups="all"), "has no groups of record numbers"),
        (reference_data(groups=[[0, 1], [2, "3"]]), "has no groups of record numbers"),
        (reference_data(groups=[[0, 1], [2, True]]), "has no groups of record numbers"),
        (reference_data(groups=[[0, 1]]), "does not divide the 4 records: record 2 is in no group"),
        (reference_data(groups=[[0, 1], [2, 3, 4]]), "record 4 is in a group, but"),
        (reference_data(objective="absolute"), "is about absolute deviations"),
        (reference_data(groups=[[0, 2], [1, 3]]), "was made for another table"),
        (reference_data(sse_exact="2"), "was made for another table"),
        (reference_data(groups=[[0], [1], [2, 3]], sse=0.5, sse_exact="1/2"), "has 1 records; k"),
        (reference_data(status="feasible", bound_exact=None), "neither an optimum nor a bound"),
        (reference_data(status="feasible", bound_exact="1e9"), "neither an optimum nor a bound"),
        (reference_data(status="feasible", bound_exact="1/0"), "neither an optimum nor a bound"),
        (reference_data(status="feasible", bound_exact="9" * 5000), "a bound of 5000 characters"),
        (reference_data(status="feasible", bound_exact="3/2"), "contradicts itself"),
    ],
)
def test_files_that_do_not_fit(tmp_path: Path, data: object, message: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(InvalidReference, match=re.escape(message)):
        read_reference(path, standardise(FOUR, "none"), [2])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    scaled = standardise(FOUR, "none")
    with pytest.raises(FileUnreadable):
        read_reference(tmp_path / "none.json", scaled, [2])
    path = tmp_path / "wrong.json"
    for content in (b"{", b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises((InvalidReference, FileUnreadable), match=r"is not (JSON|UTF-8 text)"):
            read_reference(path, scaled, [2])
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileUnreadable, match="is not UTF-8"):
        read_reference(path, scaled, [2])


def test_two_files_for_one_k(tmp_path: Path) -> None:
    paths = [written(tmp_path, reference_data(), name) for name in ("a.json", "b.json")]
    with pytest.raises(InvalidReference, match=r"a\.json and .*b\.json are both for k = 2"):
        references_of(paths, standardise(FOUR, "none"), [2])


@pytest.mark.reference_data
def test_the_shipped_optimum_is_found_by_the_content_of_the_table(data_folder: Path) -> None:
    census = load("census")
    (known,) = shipped_references(standardise(census), [3])
    # In docs/optimum.md; MDAV's 799.1830 is 21.9423 % above it.
    assert f"{float(known.least):.6f}" == "655.378193"
    assert f"{float(known.above(Fraction('799.1829535394')) or 0):.4f}" == "21.9423"
    turned = census.select(census.names[::-1])
    assert shipped_references(standardise(turned), [3, 99]) == [known]
    assert shipped_references(standardise(census, "sample"), [3]) == []
    assert shipped_references(standardise(census.select(census.names[1:])), [3]) == []
    other = census.take([1, 0, *range(2, census.n)])
    assert shipped_references(standardise(other), [3]) == []


@pytest.mark.reference_data
def test_a_shipped_bound_is_taken_where_no_optimum_is_proved(data_folder: Path) -> None:
    """`oracle verify` accepts the certificate of this bound; docs/optimum.md has the gap."""
    (known,) = shipped_references(standardise(load("tarragona")), [10])
    assert (known.kind, known.partition) == ("bound", None)
    assert f"{float(known.least):.6f}" == "3250.616127"


def test_there_is_no_shipped_optimum_without_its_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REFAGG_DATA", str(tmp_path))
    monkeypatch.setenv("REFAGG_CACHE", str(tmp_path))
    table = table_of([[r] for r in range(1080)])
    assert shipped_references(standardise(table), [2, 3]) == []


# The command


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.csv"
    write_csv(path, ["x", "name"], [["0", "a"], ["1", "b"], ["10", "c"], ["11", "d"]])
    return path


def one_space(line: str) -> str:
    return " ".join(line.split())


def test_text_csv_and_json_say_the_same(run: Ran, four: Path, sketches: None) -> None:
    reference = written(four.parent, reference_data())
    out, report = four.with_name("out.csv"), four.with_name("out.json")
    names = "mdav,crossed,fails,v-mdav:gamma=1/2,test=plain"
    status, text, complaint = run(
        *(four, "-k", 2, "--confidential", "name", "--standardise", "none"),
        *("--algorithm", names, "--reference", reference, "--csv", out, "--json", report),
    )
    assert (status, complaint) == (1, "")
    lines = text.splitlines()
    assert lines[0] == "records 4, attributes 1, standardise none, arithmetic any"
    assert lines[2] == f"k = 2; optimum from {reference}"
    heads = "algorithm SSE IL % groups smallest largest ties seconds % above the optimum"
    assert one_space(lines[3]) == heads
    assert one_space(lines[4]) == "optimum 1.000000 0.9901 2 2 2 - - -"
    mdav = lines[5].split()
    # One tie: 0 and 11 are equally far from the average.
    assert mdav[:7] == ["mdav", "1.000000", "0.9901", "2", "2", "2", "1"]
    assert mdav[8] == "0.0000"
    assert lines[6].split()[:3] == ["crossed", "100.000000", "99.0099"]
    assert lines[6].split()[8] == "9900.0000"
    ends = {len(line) for line in (lines[3], lines[4], lines[5], lines[6])}
    assert len(ends) == 1

    with open(out, encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert tuple(cells[0]) == HEADER
    assert [row["status"] for row in cells] == ["done", "done", "failed", "done"]
    assert [row["sse_exact"] for row in cells] == ["1", "100", "", "1"]
    assert cells[0]["information_loss_percent_exact"] == "100/101"
    assert [row["arithmetic"] for row in cells] == ["float", "float", "", "float"]
    assert float(cells[0]["information_loss_percent"]) == pytest.approx(100 / 101)
    assert cells[3]["parameters"] == "gamma=1/2,test=plain,cap=2k-1"
    assert (cells[1]["reference"], cells[1]["above_reference_percent_exact"]) == ("optimum", "9900")

    data = json.loads(report.read_text(encoding="utf-8"))
    assert data["format"] == "refagg compare 1"
    assert (data["records"], data["attributes"], data["k"]) == (4, ["x"], [2])
    assert data["sst"] == {"decimal": 101.0, "exact": "101"}
    assert data["references"] == [
        {
            "k": 2,
            "kind": "optimum",
            "sse": {"decimal": 1.0, "exact": "1"},
            "source": str(reference),
        }
    ]
    assert [row["algorithm"] for row in data["rows"]] == ["mdav", "crossed", "fails", "v-mdav"]
    assert data["rows"][1]["above_percent"] == {"decimal": 9900.0, "exact": "9900"}
    assert data["rows"][2]["sse"] is None
    assert data["rows"][2]["note"].startswith("ZeroDivisionError")
    assert data["rows"][3]["parameters"] == {"gamma": "1/2", "test": "plain", "cap": "2k-1"}


def test_a_bound_is_called_one(run: Ran, four: Path) -> None:
    data = reference_data(status="feasible", bound=0.5, bound_exact="1/2")
    reference = written(four.parent, data)
    status, text, _ = run(
        *(four, "-k", 2, "--columns", "x", "--standardise", "none", "--algorithm", "mdav"),
        *("--reference", reference),
    )
    assert status == 0
    lines = text.splitlines()
    assert lines[3].endswith("% above the bound")
    assert one_space(lines[4]) == "bound 0.500000 0.4950 - - - - - -"
    assert lines[5].split()[-1] == "100.0000"


def test_a_file_is_asked_before_what_ships(
    run: Ran, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[int]] = []

    def shipped(scaled: Any, ks: set[int]) -> list[Reference]:
        asked.append(ks)
        return [Reference(k, Fraction(1, 2), None, "what ships") for k in ks]

    monkeypatch.setattr(comparing, "shipped_references", shipped)
    reference = written(four.parent, reference_data())
    _, text, _ = run(
        *(four, "-k", "2,3", "--columns", "x", "--standardise", "none"),
        *("--algorithm", "mdav", "--reference", reference),
    )
    assert asked == [{3}]
    heads = [line for line in text.splitlines() if line.startswith("k =")]
    assert heads == [f"k = 2; optimum from {reference}", "k = 3; bound from what ships"]


def test_the_order_of_rows(sketches: None) -> None:
    results = compare_contenders(FOUR, contenders_of("crossed,mdav,fails,loose"), [2], RAW)

    def labels(order: str) -> list[str]:
        ((_, rows),) = in_order(results, order)
        return [row.contender.label for row in rows]

    assert labels("given") == ["crossed", "mdav", "fails", "loose"]
    assert labels("name") == ["crossed", "fails", "loose", "mdav"]
    assert labels("loss") == ["mdav", "loose", "crossed", "fails"]
    ((_, rows),) = in_order(results, "time")
    times = [row.figures.seconds for row in rows[:3] if row.figures]
    assert times == sorted(times)
    assert len(times) == 3
    assert [row[1] for row in as_rows(results, "name")] == labels("name")
    assert [row["algorithm"] for row in comparison_data(results, "loss")["rows"]] == labels("loss")


def test_several_k(run: Ran, four: Path) -> None:
    status, text, _ = run(four, "-k", "2,1", "--columns", "x", "--algorithm", "mdav,md")
    assert status == 0
    assert [line for line in text.splitlines() if line.startswith("k =")] == ["k = 2", "k = 1"]


def test_no_loss_without_spread(run: Ran, tmp_path: Path) -> None:
    path = tmp_path / "equal.csv"
    write_csv(path, ["x"], [["5"]] * 4)
    status, text, _ = run(path, "-k", 2, "--algorithm", "mdav")
    assert status == 0
    assert text.splitlines()[-1].split()[:3] == ["mdav", "0.000000", "-"]


def test_progress_is_told_unless_quiet(
    run: Ran, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_command, "EVERY", 0.0)
    arguments = (four, "-k", 2, "--columns", "x", "--algorithm", "mdav,md")
    _, _, complaint = run(*arguments)
    assert complaint == "1 of 2: mdav, k = 2: done\n2 of 2: md, k = 2: done\n"
    assert run(*arguments, "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-k", "5"], "k is 5, but the table has only 4 records"),
        (["-k", "0"], "k is 0; it must be at least 1"),
        (["-k", "2", "--algorithm", "mdva"], "there is no algorithm 'mdva'"),
        (["-k", "2", "--algorithm", "mdav:gamma=1"], "mdav has no parameter"),
        (["-k", "2", "--columns", "y"], "has no column 'y'"),
        (["-k", "2", "--reference", "nowhere.json"], "nowhere.json cannot be read"),
        (["-k", "2", "--json", "{folder}/nowhere/out.json"], "no folder"),
        (["-k", "2", "--csv", "{folder}/four.csv"], "is an input or another output"),
        (
            ["-k", "2", "--reference", "{folder}/r.json", "--json", "{folder}/r.json"],
            "is an input or another output",
        ),
        (["-k", "2", "--csv", "{folder}/o", "--json", "{folder}/o"], "is an input or another"),
    ],
)
def test_wrong_requests_leave_nothing_behind(
    run: Ran,
    four: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    """They are refused before anything is computed or written."""
    monkeypatch.setattr(
        "refagg.comparison.compare.masked", lambda *given: pytest.fail("work was done")
    )
    before = {path: path.read_bytes() for path in four.parent.iterdir()}
    given = [argument.replace("{folder}", str(four.parent)) for argument in arguments]
    columns = [] if "--columns" in given else ["--columns", "x"]
    status, text, complaint = run(four, *given, *columns)
    assert (status, text) == (2, "")
    assert complaint.startswith("error: ")
    assert message in complaint
    assert {path: path.read_bytes() for path in four.parent.iterdir()} == before


def test_an_interrupted_file_is_not_left_half_written(
    run: Ran, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(results: Results, order: str) -> list[list[str]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing, "as_rows", broken)
    out = four.with_name("out.csv")
    status, _, complaint = run(four, "-k", 2, "--columns", "x", "--algorithm", "mdav", "--csv", out)
    assert (status, complaint) == (130, "interrupted\n")
    assert sorted(path.name for path in four.parent.iterdir()) == ["four.csv"]


# The benchmarks


def test_benchmarks_of_every_kind_of_algorithm(
    sketches: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(algorithm_benchmarks, "SIZES", (6, 12))
    monkeypatch.setattr(algorithm_benchmarks, "load", lambda name: load("eleven-firms"))
    for spec in SKETCHES:
        algorithm_benchmarks.main(spec.name)
        text = capsys.readouterr().out
        assert f"\n{spec.name}: " in text
        assert ("Census 0." in text and "n^" in text) == (spec.name != "fails")
        assert ("fails: ZeroDivisionError: " in text) == (spec.name == "fails")


def test_exponents_by_hand() -> None:
    assert algorithm_benchmarks.exponent((1, 2, 4), (5.0, 20.0, 80.0)) == "2.00"
    assert algorithm_benchmarks.exponent((250, 500, 1000, 2000), (1.0, 2.0)) == "1.00"
    assert algorithm_benchmarks.exponent((1, 2), (1.0,)) == "-"


# The documentation

_SECONDS = re.compile(r"(?<= )\d+\.\d\d(?=  |$)", re.MULTILINE)


def examples() -> list[tuple[str, str]]:
    """The commands and outputs in docs/compare.md."""
    text = (DOCS / "compare.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    shown = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            shown.append((command, output))
    return shown


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d s", "T s", _SECONDS.sub("0.00", text))


def test_the_examples_print_what_the_documentation_shows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "datasets").symlink_to(shipped_folder())
    monkeypatch.chdir(tmp_path)
    mains = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}
    shown = examples()
    assert len(shown) >= 2
    for command, output in shown:
        program, *arguments = shlex.split(command)
        assert mains[program](arguments) == 0
        assert without_times(capsys.readouterr().out) == without_times(output)


def test_records_without_any_value_are_nothing_to_compare(run: Ran, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("x,y\n,\n,\n,\n")
    status, _, told = run(path, "-k", 2, "--algorithm", "mdav", "--missing", "group-apart")
    assert (status, told) == (2, "error: every record lacks all values\n")


def test_advice_can_be_pasted(run: Ran, tmp_path: Path) -> None:
    path, own = tmp_path / "my data.csv", tmp_path / "own.csv"
    path.write_text("x\n1\n2\n8\n9\n")
    own.write_text("record,group\n0,0\n1,0\n2,1\n3,1\n")
    _, text, _ = run(path, "-k", 2, "--algorithm", "mdav", "--groups", own)
    [command] = re.findall(r"`(oracle optimum .*?)`", text.replace("\n", " "))
    assert shlex.split(command)[2] == str(path)
