"""The public functions of the judge: any tables, the same results as the commands."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from refagg.datasets import shipped_folder
from refagg.errors import (
    InvalidBlocks,
    InvalidK,
    InvalidKind,
    InvalidParameter,
    InvalidPartition,
    KTooLarge,
    ShapeMismatch,
    UnknownAlgorithm,
)

FIRMS = shipped_folder() / "eleven-firms.csv"


def without_run(report: Path) -> Any:
    """What a command wrote, but for when and how it ran."""
    data = json.loads(report.read_text())
    del data["run"]
    return data


def read(path: Path) -> dict[str, list[Any]]:
    """A CSV file as a mapping from names to columns; numbers as decimals."""
    header, *lines = [line.split(",") for line in path.read_text().split()]
    return {name: [_value(line[place]) for line in lines] for place, name in enumerate(header)}


def _value(cell: str) -> Any:
    return Decimal(cell) if cell.lstrip("-")[:1].isdigit() else cell


MIXED = """age,job
20,nurse
21,nurse
22,cook
60,pilot
61,pilot
64,cook
"""

RELEASES: dict[str, tuple[list[str], list[str], dict[str, Any]]] = {
    "numbers": (["--algorithm", "mdav"], [], {"algorithm": refagg.mdav}),
    "none": ([], [], {}),
    "parameters": (
        ["--algorithm", "v-mdav", "--param", "gamma=1/2"],
        ["--algorithm", "v-mdav", "--param", "gamma=1/2"],
        {"algorithm": refagg.v_mdav, "parameters": {"gamma": "1/2"}},
    ),
    "two": (
        ["--algorithm", "mdav,md"],
        [],
        {"algorithm": [refagg.mdav, "md"]},
    ),
    "scale": (
        ["--standardise", "none", "--aggregate", "median", "--algorithm", "mdav"],
        ["--standardise", "none", "--aggregate", "median"],
        {"standardise": "none", "aggregate": "median", "algorithm": "mdav"},
    ),
    "optimum": (["--optimum"], [], {"optimum": True}),
    "blocks": (
        ["--blocks", "each", "--anonymity", "each-block", "--algorithm", "mdav"],
        ["--blocks", "each"],
        {"blocks": "each", "anonymity": "each-block", "algorithm": "mdav"},
    ),
    "fuzzy": (
        ["--algorithm", "fuzzy", "--seed", "3", "--anonymity", "on-average"],
        ["--algorithm", "fuzzy", "--seed", "3"],
        {"algorithm": refagg.fuzzy, "seed": 3, "anonymity": "on-average"},
    ),
    "drawn": (
        ["--algorithm", "random-seed", "--seed", "4"],
        ["--algorithm", "random-seed", "--seed", "4"],
        {"algorithm": refagg.random_seed, "seed": 4},
    ),
}


def _in_python(text: str) -> Any:
    """A report in which options that are flags (--anonymity X) are keywords (anonymity='X')."""
    flags = re.compile(r"--([a-z]+)[ =]([a-z-]+)")
    return json.loads(flags.sub(lambda found: f"{found[1]}='{found[2]}'", text))


@pytest.mark.parametrize("name", RELEASES)
def test_an_audit_is_that_of_the_command(name: str, tmp_path: Path) -> None:
    options, masking, keywords = RELEASES[name]
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    masking = masking if "--algorithm" in masking else [*masking, "--algorithm", "mdav"]
    words = ["mask", str(FIRMS), "-k", "3", "-o", str(out), *masking]
    assert refagg.commands.main.main(words) == 0
    words = ["audit", str(FIRMS), str(out), "-k", "3", "--json", str(report), *options]
    status = oracle.commands.main.main(words)
    original = read(FIRMS)
    if keywords.get("blocks") == "each":
        keywords = keywords | {"blocks": [[column] for column in original]}
    made = oracle.audit(original, read(out), 3, **keywords)
    assert _in_python(made.to_json()) == _in_python(json.dumps(without_run(report)))
    assert made.ok == (status == 0)
    assert made.status == ("holds", "fails", "not judged")[status]
    assert {check.status for check in made.checks} <= {"holds", "fails", "not judged", "reported"}


def test_an_audit_of_kinds_is_that_of_the_command(tmp_path: Path) -> None:
    data, out, report = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "report.json"
    data.write_text(MIXED)
    kinds = ["--kind", "age=numeric", "--kind", "job=nominal", "--weight", "job=1/2"]
    words = ["mask", str(data), "-k", "3", "-o", str(out), "--algorithm", "mdav", *kinds]
    assert refagg.commands.main.main(words) == 0
    words = ["audit", str(data), str(out), "-k", "3", "--algorithm", "mdav", *kinds]
    assert oracle.commands.main.main([*words, "--json", str(report)]) == 0
    keywords: dict[str, Any] = {"kinds": {"job": "nominal"}, "weights": {"job": "1/2"}}
    made = oracle.audit(read(data), read(out), 3, algorithm="mdav", **keywords)
    assert json.loads(made.to_json()) == without_run(report)
    assert made.ok
    spoilt = read(out) | {"job": ["cook"] * 6}
    made = oracle.audit(read(data), spoilt, 3, algorithm="mdav", **keywords)
    assert not made.ok
    assert [check.name for check in made.checks if check.status == "fails"] == ["aggregates"]


ROWS = [[1, 10], [12, 30], [2, 11], [11, 31], [3, 12], [10, 35]]
RIGHT = [[2, 11], [11, 32]] * 3


def tables(rows: Any, kind: str) -> Any:
    """Rows as another kind of table."""
    if kind == "rows":
        return rows
    if kind == "mapping":
        return {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    if kind == "mappings":
        return [{"a": a, "b": b} for a, b in rows]
    if kind == "numpy":
        return pytest.importorskip("numpy").array(rows)
    if kind == "pandas":
        return pytest.importorskip("pandas").DataFrame(rows, columns=["a", "b"])
    if kind == "polars":
        return pytest.importorskip("polars").DataFrame(rows, schema=["a", "b"], orient="row")
    arrow = pytest.importorskip("pyarrow")
    return arrow.table({"a": [a for a, _ in rows], "b": [b for _, b in rows]})


KINDS = ["rows", "mapping", "mappings", "numpy", "pandas", "polars", "arrow"]


@pytest.mark.parametrize("kind", KINDS)
def test_any_tables_are_judged(kind: str) -> None:
    """By hand: the two clusters are 0 2 4 and 1 3 5, with the means (2, 11) and (11, 32)."""
    original = tables(ROWS, kind)
    made = oracle.audit(original, tables(RIGHT, kind), 3, algorithm=refagg.mdav)
    assert made.ok
    assert "possible run" in str(made)
    exchanged = [RIGHT[1], RIGHT[0], *RIGHT[2:]]
    made = oracle.audit(original, tables(exchanged, kind), 3, algorithm=refagg.mdav)
    assert (made.ok, made.status) == (False, "fails")
    wrong = {check.name: check for check in made.checks if check.status == "fails"}
    assert list(wrong) == ["aggregates", "run of mdav"]
    assert wrong["aggregates"].witness
    # Other groups with their own means are aggregates, but no run: {0, 1, 2} and {3, 4, 5}.
    other = [[5, 17]] * 3 + [[8, 26]] * 3
    made = oracle.audit(original, tables(other, kind), 3, algorithm=refagg.mdav)
    assert [c.name for c in made.checks if c.status == "fails"] == ["run of mdav"]


@pytest.mark.parametrize(
    "partition",
    [[[0, 2, 4], [1, 3, 5]], ["x", "y"] * 3, refagg.Partition.of([[0, 2, 4], [1, 3, 5]])],
)
def test_groups_can_be_given(partition: Any) -> None:
    assert oracle.audit(ROWS, RIGHT, 3, partition=partition).ok


def test_groups_of_fewer_than_k_are_found() -> None:
    made = oracle.audit(ROWS, ROWS, 3)
    assert [check.name for check in made.checks if check.status == "fails"] == ["k-anonymous"]
    assert not made.ok
    assert oracle.audit(ROWS, ROWS, 1).ok


def test_an_attribute_can_be_left_out() -> None:
    """Records 0 and 1 exchange a column that is no quasi-identifier."""
    original = {"a": [1, 2, 3, 10, 11, 12], "note": list("abcdef")}
    released = {"a": [2, 2, 2, 11, 11, 11], "note": list("bacdef")}
    assert oracle.audit(original, original | {"a": released["a"]}, 3, quasi_identifiers=["a"]).ok
    exchanged = oracle.audit(original, released, 3, quasi_identifiers=["a"])
    assert exchanged.checks[-1].summary == "changed: note in 2 of 6 records"
    made = oracle.audit(original, released, 3, quasi_identifiers=["a"], may_change=["note"])
    assert made.ok
    assert made.not_examined == ("note",)


def test_a_report_is_written(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    made = oracle.audit(ROWS, RIGHT, 3, algorithm="mdav")
    made.write_report(str(tmp_path / "page"), title="Two clusters")
    assert "Two clusters" in (tmp_path / "page" / "index.html").read_text()


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"k": 0}, InvalidK, "at least 1"),
        ({"k": "3"}, InvalidK, "integer"),
        ({"k": 7}, KTooLarge, "only 6 records"),
        ({"released": RIGHT[1:]}, ShapeMismatch, "6 records"),
        ({"algorithm": "mdaw"}, UnknownAlgorithm, "mdaw"),
        ({"seed": 1}, InvalidParameter, "seed"),
        ({"parameters": {"gamma": 1}}, InvalidParameter, "a named algorithm; none is named"),
        ({"tolerance": -1}, InvalidParameter, "at least 0 and less than 1"),
        ({"tolerance": "much"}, InvalidParameter, "not a number"),
        ({"anonymity": "on-average"}, InvalidParameter, "it can be joint, none"),
        ({"weights": {"a": 1}}, InvalidParameter, "declared kinds; none are declared"),
        ({"kinds": {}, "blocks": [["a"]]}, InvalidBlocks, "the attributes are x1, x2"),
        ({"partition": [[0, 1]]}, InvalidPartition, "2"),
        ({"max_replays": 0}, InvalidParameter, "limit"),
        ({"optimum": True, "certificate": "x"}, InvalidParameter, "choose one of them"),
        ({"strata": 3}, InvalidParameter, "strata labels are 3; give a list"),
        ({"strata": [[1]] * 6}, InvalidParameter, "the stratum of record 0 is"),
        ({"blocks": 3}, InvalidBlocks, "blocks are 3; give a list of names for each block"),
        ({"blocks": [3]}, InvalidBlocks, "block 1 is 3; give a list of names"),
        ({"blocks": ["x1", "x2"]}, InvalidBlocks, "block 1 is 'x1'; give a list of names"),
        ({"partition": 3}, InvalidParameter, "the partition is 3; give lists of record numbers"),
        ({"partition": [[0, "a"]]}, InvalidPartition, "a group holds 'a'; records are integers"),
        ({"constraints": 3}, InvalidParameter, "constraints are 3; give a list of texts"),
        ({"constraints": [3]}, InvalidParameter, "a constraint is 3; give a text"),
        ({"algorithm": 3}, UnknownAlgorithm, "algorithm is 3; give a name, a function, or a list"),
        ({"algorithm": None}, UnknownAlgorithm, "algorithm is None; give a name"),
        ({"algorithm": "mdav", "parameters": 3}, InvalidParameter, "parameters are 3"),
        ({"quasi_identifiers": 3}, InvalidParameter, "columns chosen are 3; give a list of names"),
        ({"kinds": 3}, InvalidKind, "kinds are 3; give each with its attribute's name"),
        ({"series": "sts", "times": 3}, InvalidParameter, "times are 3; give a list"),
        ({"algorithm": "genetic", "seed": "x"}, InvalidParameter, "the seed is 'x'"),
        ({"optimum": "x"}, InvalidParameter, "optimum is 'x'; it must be True or False"),
        ({"certificate": 3}, InvalidParameter, "certificate is 3; give the path of a file"),
        ({"max_replays": "x"}, InvalidParameter, "the limit is x"),
        ({"time_limit": "x"}, InvalidParameter, "the time limit is x"),
        (
            {"algorithm": [refagg.fuzzy, "mdav"], "seed": 1},
            InvalidParameter,
            "not beside other algorithms",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    keywords: dict[str, Any], error: type[Exception], message: str
) -> None:
    given: dict[str, Any] = {"released": RIGHT, "k": 3} | keywords
    with pytest.raises(error, match=message):
        oracle.audit(ROWS, **given)


def test_one_specification_is_one_algorithm() -> None:
    assert oracle.audit(ROWS, RIGHT, 3, algorithm=refagg.specification("mdav")).ok  # type: ignore[arg-type]


def test_weights_and_tolerances_are_exact() -> None:
    """2 + 1/10 is off by less than a tenth of 2, and by more than a hundredth."""
    near: list[list[Any]] = [[Fraction(21, 10), 11], [11, 32]] * 3
    for tolerance, ok in ((0.1, True), ("1/100", False)):
        assert oracle.audit(ROWS, near, 3, tolerance=tolerance).ok is ok


# Optimum and certificate

CLUSTERS = {"a": [1, 2, 3, 10, 11, 13], "b": [0, 0, 0, 0, 0, 0]}


@pytest.mark.parametrize("kind", KINDS)
def test_the_optimum_of_any_table(kind: str) -> None:
    """By hand: {1, 2, 3} costs 2, {10, 11, 13} costs 14/3."""
    rows = list(zip(CLUSTERS["a"], CLUSTERS["b"], strict=True))
    found = oracle.optimum(tables(rows, kind), 3, standardise="none")
    assert (found.status, found.partition.groups) == ("optimal", ((0, 1, 2), (3, 4, 5)))
    assert found.value == Fraction(20, 3)


def test_the_optimum_of_kinds() -> None:
    """By hand: two groups of three cooks and nurses, each of equal records: nothing is lost.

    As one group, 9 of 15 pairs differ; squared distances are 1: 9 / 6.
    """
    jobs = {"job": ["cook", "nurse"] * 3}
    found = oracle.optimum(jobs, 3, kinds={"job": "nominal"})
    assert (found.value, found.partition.groups) == (0, ((0, 2, 4), (1, 3, 5)))
    found = oracle.optimum(jobs, 6, kinds={"job": "nominal"})
    assert found.value == Fraction(9, 6)
    assert oracle.optimum(jobs, 6, kinds={"job": "nominal"}, weights={"job": 2}).value == 3


def test_a_certificate_is_verified_in_memory_and_in_files(tmp_path: Path) -> None:
    data = read(FIRMS)
    found = oracle.optimum(data, 3, method="columns")
    assert found.certificate is not None
    proved = oracle.verify(found.certificate, data)
    assert (proved.optimal, proved.value) == (True, found.value)
    proof = tmp_path / "proof.json"
    words = ["optimum", str(FIRMS), "-k", "3", "--certificate", str(proof), "--quiet"]
    assert oracle.commands.main.main(words) == 0
    assert oracle.verify(str(proof), FIRMS).value == found.value
    assert oracle.verify(proof, data).value == found.value
    name = next(iter(data))
    changed = data | {name: [data[name][0] + 1, *data[name][1:]]}
    with pytest.raises(oracle.Rejected, match="it is about other data"):
        oracle.verify(found.certificate, changed)
    with pytest.raises(oracle.Rejected, match="no attribute"):
        oracle.verify(found.certificate, {"other": [1] * 11})
    with pytest.raises(oracle.Rejected, match="seal"):
        oracle.verify(found.certificate | {"k": 2}, data)
    again = oracle.audit(data, data, 1, certificate=None)
    assert again.ok


# Implementations


def right(rows: Any, k: int) -> Any:
    """MDAV on the values as they are."""
    return refagg.mdav(rows, k, standardise="none")


def halves(rows: list[list[float]], k: int) -> list[int]:
    """As many groups as there can be, in file order: no MDAV."""
    return [min(i // k, len(rows) // k - 1) for i in range(len(rows))]


def test_a_function_is_judged_by_the_vectors() -> None:
    cases = [v.id for v in oracle.vectors(refagg.mdav) if v.case.standardise == "none"][:12]
    made = oracle.conform(right, refagg.mdav, cases=cases)
    assert [j.status for j in made.failures] == []
    assert made.ok
    wrong = oracle.conform(halves, "mdav", cases=cases)
    assert not wrong.ok
    assert {j.case.id for j in wrong.failures} < set(cases)
    assert json.loads(wrong.to_json())["format"] == "refagg conformance 2"


def test_what_is_not_asked_is_listed() -> None:
    made = oracle.conform(halves, "any k-partition", without=["kinds", "small"])
    assert any("fewer than 2k" in line for line in made.not_covered)
    with pytest.raises(InvalidParameter, match="without"):
        oracle.conform(halves, "mdav", without=["nothing"])  # type: ignore[list-item]
    with pytest.raises(InvalidParameter, match="there is none"):
        oracle.conform(["no-such-program"], "mdav")
    with pytest.raises(UnknownAlgorithm):
        oracle.conform(halves, "mdaw")


@pytest.mark.long
def test_a_hunt_finds_what_is_wrong() -> None:
    pytest.importorskip("hypothesis")
    found = oracle.hunt(halves, refagg.mdav, max_questions=60, time_limit=60)
    assert not found.ok
    judgement = found.findings[0].judgement
    assert judgement.status == "failed"
    assert len(judgement.case.records) <= 6


def test_vectors_are_chosen() -> None:
    every = oracle.vectors()
    assert {v.case.claim for v in oracle.vectors(refagg.v_mdav)} == {"v-mdav"}
    flag = every[0].flags[0] if every[0].flags else next(v.flags[0] for v in every if v.flags)
    chosen = oracle.vectors(flag=flag)
    assert chosen
    assert {v.id for v in chosen} == {v.id for v in every if flag in v.flags}
    with pytest.raises(InvalidParameter, match="flag"):
        oracle.vectors(flag="odd")


def test_a_group_across_strata_fails() -> None:
    """All rows are equal, so that nothing else is wrong."""
    rows = [[1.0], [1.0], [1.0], [1.0]]
    across = oracle.audit(rows, rows, 2, strata=list("abab"), partition=[[0, 1], [2, 3]])
    [check] = [check for check in across.checks if check.status == "fails"]
    assert check.witness == ("records 0 1 are in the strata a, b",)
    assert not across.ok
    assert oracle.audit(rows, rows, 2, strata=list("abab"), partition=[[0, 2], [1, 3]]).ok
    assert oracle.audit(rows, rows, 2, strata=list("abab")).ok


@pytest.mark.parametrize("judge", [oracle.conform, oracle.hunt])
def test_a_precision_that_is_none_is_refused_before_a_question(judge: Any) -> None:
    def never(records: Any, k: int) -> list[int]:
        raise AssertionError("it is asked")

    with pytest.raises(InvalidParameter, match=r"'3\.5'; it can be binary64, binary32"):
        judge(never, "mdav", precision="3.5")
