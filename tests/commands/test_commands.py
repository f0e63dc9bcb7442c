from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from strategies import PARTITIONING, quick_arguments

import oracle.commands.main
import refagg.commands.main
from refagg.catalogue import CATALOGUE
from refagg.data.csvfiles import read_table
from refagg.datasets import shipped_folder
from refagg.errors import InvalidParameter
from tests.suites import one_in

Ran = Callable[..., tuple[int, str]]

TOR, NINE = shipped_folder() / "tor-table1.csv", shipped_folder() / "nine-records.csv"

MIXED = (
    'id,age,note,income,"last, name",region\n'
    '007,1,"one, two",10,Ångström,n\n'
    "0012,12,plain,30,Núñez,s\n"
    '000,2,"said ""no""",11,,n\n'
    "1e3,11,  spaces  ,31,李,s\n"
    '+5,3,"two\nlines",12,Ö,n\n'
    "-0,10,x,35,ß,s\n"
)
"""Two clusters: 1, 2, 3 with 10, 11, 12, and 10, 11, 12 with 30, 31, 35."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Ran:
    """Run a command: its exit status and what it printed; it must not complain."""

    def ran(command: str, *arguments: object) -> tuple[int, str]:
        main = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}[command]
        status = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert printed.err == ""
        return status, printed.out

    return ran


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text(MIXED, encoding="utf-8", newline="")
    return path


def cells_of(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def report_of(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# refagg algorithms


def test_algorithms_lists_the_catalogue(run: Ran) -> None:
    status, text = run("refagg", "algorithms")
    assert status == 0
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(CATALOGUE)
    for spec in CATALOGUE.values():
        assert spec.title in text
        assert spec.source in text


def test_algorithms_as_json(run: Ran) -> None:
    _, text = run("refagg", "algorithms", "--json")
    data = json.loads(text)["algorithms"]
    assert [entry["name"] for entry in data] == list(CATALOGUE)
    v_mdav = next(entry for entry in data if entry["name"] == "v-mdav")
    assert {p["name"]: p["default"] for p in v_mdav["parameters"]}["gamma"] == "1/5"


@pytest.mark.parametrize("name", CATALOGUE)
def test_algorithms_describes_one(run: Ran, name: str) -> None:
    spec = CATALOGUE[name]
    status, text = run("refagg", "algorithms", name)
    assert status == 0
    assert text.startswith(f"{name}: {spec.title}\nsource: {spec.source}\n")
    for parameter in spec.parameters:
        usual = "has to be given" if parameter.stated else f"default {parameter.default}"
        assert f"parameter {parameter.name} ({usual})" in text
    for tie in spec.ties:
        assert f"open choice in step {tie.step}: {tie.name}" in text
    _, text = run("refagg", "algorithms", name, "--json")
    assert [entry["name"] for entry in json.loads(text)["algorithms"]] == [name]


# refagg mask


@pytest.mark.parametrize(
    "columns", [["--columns", "age,income"], ["--confidential", "id,note,last; name,region"]]
)
def test_mask_changes_the_quasi_identifiers_and_nothing_else(
    run: Ran, mixed: Path, columns: list[str]
) -> None:
    if columns[0] == "--confidential":
        # A name with a comma cannot be listed, so that the column is renamed.
        text = MIXED.replace('"last, name"', "last; name")
        mixed.write_text(text, encoding="utf-8", newline="")
    out = mixed.with_name("out.csv")
    status, text = run("refagg", "mask", mixed, "--algorithm", "mdav", "-k", 3, "-o", out, *columns)
    assert status == 0
    assert "k reached 3" in text
    expected = mixed.read_bytes()
    low, high = (b"2", b"11"), (b"11", b"32")
    for before, (age, income) in [
        (b'007,%s,"one, two",%s,', low),
        (b"0012,%s,plain,%s,", high),
        (b'000,%s,"said ""no""",%s,', low),
        (b"1e3,%s,  spaces  ,%s,", high),
        (b'+5,%s,"two\nlines",%s,', low),
        (b"-0,%s,x,%s,", high),
    ]:
        start, _, rest = before.partition(b"%s")
        position = expected.index(start)
        end = expected.index(b",", position + len(start))
        expected = expected[: position + len(start)] + age + expected[end:]
        middle = rest.partition(b"%s")[0]
        position = expected.index(middle, position) + len(middle)
        end = expected.index(b",", position)
        expected = expected[:position] + income + expected[end:]
    assert out.read_bytes() == expected


def test_mask_keeps_the_order_of_rows(run: Ran, tmp_path: Path) -> None:
    rows = ["z,5", "y,1", "x,9", "w,5", "v,1", "u,9"]
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("\n".join(["who,x", *rows]) + "\n")
    run("refagg", "mask", path, "--algorithm", "mdav", "-k", 2, "-o", out, "--columns", "x")
    assert out.read_text() == path.read_text()


def test_mask_reports_groups_that_partition_the_records(run: Ran, tmp_path: Path) -> None:
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    run("refagg", "mask", TOR, "--algorithm", "mdav", "-k", 3, "-o", out, "--json", report)
    data = report_of(report)
    (block,) = data["blocks"]
    assert sorted(record for group in block["groups"] for record in group) == list(range(12))
    original, released = read_table(TOR), read_table(out)
    for group in block["groups"]:
        for ours, theirs in zip(original.columns, released.columns, strict=True):
            average = sum(ours.values(group), Fraction(0)) / len(group)
            for value in theirs.values(group):
                assert float(value) == pytest.approx(float(average), rel=1e-14)


def test_mask_traces_its_steps(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("x\n1\n2\n3\n10\n")
    arguments = [path, "--algorithm", "mdav", "-k", 2, "-o", out, "--standardise", "none"]
    _, silent = run("refagg", "mask", *arguments)
    _, text = run("refagg", "mask", *arguments, "--trace")
    assert text.endswith(silent)
    steps = [line.strip() for line in text.removesuffix(silent).splitlines()]
    # From the centroid 4, record 3 is farthest at 36, record 0 next at 9.
    assert steps[:2] == ["block x", "4 records remain."]
    assert "record 3 is farthest" in steps[2]
    assert "(squared distance 36; next 9)" in steps[2]
    assert steps[-2:] == ["{2, 3} form a group.", "{0, 1} form a group."]


def test_mask_rounds_to_decimals(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("x,y\n0,0\n0,0\n1,-1\n")
    for decimals, row in ((0, "0,0"), (1, "0.3,-0.3"), (4, "0.3333,-0.3333")):
        run(
            "refagg", "mask", path, "--algorithm", "mdav", "-k", 3, "-o", out,
            "--decimals", decimals,
        )  # fmt: skip
        assert out.read_text() == f"x,y\n{row}\n{row}\n{row}\n"


def test_mask_by_blocks_of_one_attribute_is_individual_ranking(run: Ran, tmp_path: Path) -> None:
    path, out, report = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "r.json"
    path.write_text("a,b\n1,50\n2,9\n3,51\n20,8\n21,52\n22,7\n")
    _, text = run(
        "refagg", "mask", path, "--algorithm", "mdav", "-k", 3, "-o", out, "--blocks", "a;b",
        "--json", report,
    )  # fmt: skip
    assert out.read_text() == "a,b\n2,51\n2,8\n2,51\n21,8\n21,51\n21,8\n"
    assert "k reached 1: the release is not 3-anonymous\n" in text
    groups = {block["attributes"][0]: block["groups"] for block in report_of(report)["blocks"]}
    assert groups == {"a": [[0, 1, 2], [3, 4, 5]], "b": [[0, 2, 4], [1, 3, 5]]}
    audit = ("oracle", "audit", path, out, "-k", 3)
    options = ("--algorithm", "mdav", "--blocks", "a;b", "--anonymity", "each-block")
    assert run(*audit, *options)[0] == 0
    assert run(*audit)[0] == 1


def test_mask_within_strata(run: Ran, mixed: Path) -> None:
    out, report = mixed.with_name("out.csv"), mixed.with_name("r.json")
    text = MIXED.replace("11,,n", "11,,s")
    mixed.write_text(text, encoding="utf-8", newline="")
    # Region n has the records 0 and 4, region s the others; record 2 must stay in s.
    run(
        "refagg", "mask", mixed, "--algorithm", "mdav", "-k", 2, "-o", out, "--strata", "region",
        "--columns", "age,income", "--json", report,
    )  # fmt: skip
    cells = cells_of(mixed)
    groups = report_of(report)["blocks"][0]["groups"]
    for group in groups:
        assert len({cells[record]["region"] for record in group}) == 1
    assert [0, 4] in groups
    assert [row["region"] for row in cells_of(out)] == [row["region"] for row in cells]
    audit = ["audit", mixed, out, "-k", 2, "--algorithm", "mdav", "--columns", "age,income"]
    assert run("oracle", *audit, "--strata", "region")[0] == 0


def test_mask_without_columns_leaves_the_strata_out(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("s,x\nu,1\nv,1\nu,3\nv,5\n")
    run("refagg", "mask", path, "--algorithm", "mdav", "-k", 2, "-o", out, "--strata", "s")
    assert out.read_text() == "s,x\nu,2\nv,3\nu,2\nv,3\n"


def test_mask_with_another_delimiter_and_median(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("x;y\n1;1,5\n2;a;b\n9;c\n".replace("a;b", '"a;b"'))
    run(
        "refagg", "mask", path, "--algorithm", "mdav", "-k", 3, "-o", out, "--columns", "x",
        "--delimiter", ";", "--aggregate", "median",
    )  # fmt: skip
    assert out.read_text() == 'x;y\n2;1,5\n2;"a;b"\n2;c\n'


def test_random_ties_repeat(run: Ran, tmp_path: Path) -> None:
    texts = []
    for seed in (1, 1, 2, 3, 4, 5, 6):
        out = tmp_path / "out.csv"
        run(
            "refagg", "mask", NINE, "--algorithm", "mdav", "-k", 3, "-o", out,
            "--ties", "random", "--seed", seed,
        )  # fmt: skip
        texts.append(out.read_text())
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


# refagg measure


def test_measure_by_hand(run: Ran, tmp_path: Path) -> None:
    original, released, report = tmp_path / "o.csv", tmp_path / "r.csv", tmp_path / "m.json"
    original.write_text("x\n0\n2\n10\n12\n")
    released.write_text("x\n1\n1\n11\n11\n")
    status, text = run(
        "refagg", "measure", original, released, "--standardise", "none", "--json", report
    )
    assert status == 0
    # SSE 4, SST 36 + 16 + 16 + 36; each record is linked with 1/2; by ranks, 1 lies between
    # 0 and 2, half a rank from each, which is more than 10 % of 4.
    assert "SSE 4, SST 104, information loss 3.846153846 %" in text
    data = report_of(report)
    assert data["information_loss_percent"]["exact"] == "50/13"
    assert (data["classes"], data["sizes"], data["k_reached"]) == (2, {"2": 2}, 2)
    assert data["record_linkage"] == 0.5
    assert data["interval_disclosure_10_percent"] == 0.0
    assert data["sse_by_attribute"] == {"x": 4.0}


def test_measure_of_equal_records_has_no_information_loss(run: Ran, tmp_path: Path) -> None:
    path, copy, report = tmp_path / "o.csv", tmp_path / "c.csv", tmp_path / "m.json"
    path.write_text("x\n1\n1\n")
    copy.write_text("x\n1\n1\n")
    _, text = run("refagg", "measure", path, copy, "--json", report)
    assert "undefined (SST is 0)" in text
    assert report_of(report)["information_loss_percent"] is None


def test_measure_agrees_with_the_report_of_mask(run: Ran, tmp_path: Path) -> None:
    out, masked, measured = tmp_path / "out.csv", tmp_path / "a.json", tmp_path / "b.json"
    path = shipped_folder() / "microagg1d-ten.csv"
    run("refagg", "mask", path, "--algorithm", "mdav", "-k", 5, "-o", out, "--json", masked)
    run("refagg", "measure", path, out, "--json", measured)
    # Means of five integers are decimals, so that the file holds them exactly.
    for name in ("sse", "sst", "information_loss_percent", "k_reached"):
        assert report_of(masked)[name] == report_of(measured)[name]


# oracle audit


@pytest.mark.parametrize("arithmetic", ["exact", "float"])
@pytest.mark.parametrize("name", PARTITIONING)
def test_what_mask_makes_audit_accepts(
    run: Ran, tmp_path: Path, name: str, arithmetic: str
) -> None:
    if arithmetic not in CATALOGUE[name].arithmetics(CATALOGUE[name].settings({})):
        pytest.skip(f"{name} has no {arithmetic} arithmetic")
    out, masked, audited = tmp_path / "out.csv", tmp_path / "r.json", tmp_path / "a.json"
    firms = (shipped_folder() / "eleven-firms.csv", 2)
    for path, k in ((TOR, 3), firms) if arithmetic == "exact" else (firms,):
        run(
            "refagg", "mask", path, "--algorithm", name, "-k", k, "-o", out, "--json", masked,
            "--arithmetic", arithmetic, *quick_arguments(name),
        )  # fmt: skip
        audit = ["audit", path, out, "-k", k, "--algorithm", name, "--json", audited]
        audit += quick_arguments(name)
        for known in ([], ["--partition", masked]):
            status, text = run("oracle", *audit, *known)
            assert status == 0, text
            data = report_of(audited)
            assert data["verdict"] == "holds"
            (block,) = data["blocks"]
            assert [check["status"] for check in block["checks"]] == ["holds"] * 4
            assert block["checks"][-1]["name"] == f"run of {name}"


def k_anonymous(name: str, given: dict[str, str]) -> bool:
    """Can these parameters be combined, and promise groups of at least k records?"""
    spec = CATALOGUE[name]
    try:
        return spec.smallest_group(3, **spec.settings(given)) == 3
    except InvalidParameter:
        return False


@pytest.mark.parametrize(
    "name", one_in(3, [name for name in PARTITIONING if CATALOGUE[name].parameters])
)
def test_audit_is_given_parameters_as_mask_is(run: Ran, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out.csv"
    for parameter in CATALOGUE[name].parameters:
        whole = ("3", "4") if parameter.kind == "integer" else ("0", "1")
        numbers = whole if parameter.whole else ("0.5", "3/4")
        for value in parameter.values or numbers:
            if not k_anonymous(name, {parameter.name: value}):
                continue
            parameters = quick_arguments(name, **{parameter.name: value})
            options = ["--algorithm", name, "-k", 3, *parameters]
            run("refagg", "mask", TOR, "-o", out, *options)
            assert run("oracle", "audit", TOR, out, *options)[0] == 0


def test_audit_rejects_exchanged_rows_with_a_witness(run: Ran, tmp_path: Path) -> None:
    path, wrong, report = tmp_path / "o.csv", tmp_path / "w.csv", tmp_path / "a.json"
    path.write_text("x\n1\n2\n3\n10\n11\n13\n")
    wrong.write_text("x\n11\n2\n2\n2\n11\n11\n")
    status, text = run(
        "oracle", "audit", path, wrong, "-k", 3, "--algorithm", "mdav", "--json", report
    )
    assert status == 1
    data = report_of(report)
    assert data["verdict"] == "fails"
    statuses = {check["name"]: check["status"] for check in data["blocks"][0]["checks"]}
    assert statuses == {
        "well formed": "holds",
        "k-anonymous": "holds",
        "aggregates": "fails",
        "run of mdav": "fails",
        "rows": "reported",
    }
    # The records 1, 2, 3 have the mean (2 + 3 + 10) / 3 = 5.
    assert "group 1 2 3 was released as 2; its aggregate is 5" in text


def test_audit_rejects_groups_that_are_too_small(run: Ran, tmp_path: Path) -> None:
    path, copy, report = tmp_path / "o.csv", tmp_path / "c.csv", tmp_path / "a.json"
    path.write_text("x\n1\n2\n3\n")
    copy.write_text("x\n1\n2\n3\n")
    status, text = run("oracle", "audit", path, copy, "-k", 2, "--json", report)
    assert status == 1
    assert "smallest group 1, less than k = 2" in text
    statuses = [check["status"] for check in report_of(report)["blocks"][0]["checks"]]
    assert statuses == ["holds", "fails", "not judged"]


def test_audit_that_cannot_decide_says_so(run: Ran, tmp_path: Path) -> None:
    """The mean is 1, so that each 0 and 2 can be x_r; the groups are 0 5, 1 3, 2 6 and 4 7.

    That is x_r = 3 with 1 and x_s = 2 with 6, then 7 with 4: no rule takes these three.
    """
    out, report = tmp_path / "out.csv", tmp_path / "a.json"
    path = tmp_path / "o.csv"
    path.write_text("x\n2\n0\n2\n0\n1\n1\n2\n0\n")
    out.write_text("x\n1.5\n0\n2\n0\n0.5\n1.5\n2\n0.5\n")
    audit = ["oracle", "audit", path, out, "-k", 2, "--algorithm", "mdav", "--json", report]
    assert run(*audit)[0] == 0
    status, _ = run(*audit, "--max-replays", 1)
    assert status == 2
    assert report_of(report)["verdict"] == "not judged"


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("p.json", "[[0, 1, 2], [3, 4, 5]]", 0),
        ("p.json", '{"groups": [[5, 4, 3], [2, 1, 0]]}', 0),
        ("p.csv", "group\na\na\na\nb\nb\nb\n", 0),
        ("p.csv", "record,group\n0,1\n1,1\n2,1\n3,2\n4,2\n5,2\n", 0),
        ("p.json", "[[0, 1, 2, 3], [4, 5]]", 1),
        ("p.json", "[[0, 1, 3], [2, 4, 5]]", 1),
        ("p.json", "[[0, 1, 2, 3, 4, 5]]", 1),
    ],
)
def test_audit_of_a_partition_in_a_file(
    run: Ran, tmp_path: Path, name: str, text: str, status: int
) -> None:
    path, out, groups = tmp_path / "o.csv", tmp_path / "out.csv", tmp_path / name
    path.write_text("x\n1\n2\n3\n10\n11\n12\n")
    out.write_text("x\n2\n2\n2\n11\n11\n11\n")
    groups.write_text(text)
    audit = ["audit", path, out, "-k", 3, "--algorithm", "mdav", "--partition", groups]
    assert run("oracle", *audit)[0] == status


def test_audit_recognises_rounded_values(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "o.csv", tmp_path / "out.csv"
    path.write_text("x\n1\n2\n2\n10\n12\n12\n")
    # The means are 5/3 and 34/3.
    for low, high, words, status in (
        ("1.67", "11.33", "rounded to 2 decimals", 0),
        ("1.66", "11.33", "truncated toward zero to 2 decimals", 1),
        ("1.7", "11.4", "rounded up to 1 decimal", 1),
    ):
        out.write_text("x\n" + f"{low}\n" * 3 + f"{high}\n" * 3)
        found, text = run("oracle", "audit", path, out, "-k", 3, "--algorithm", "mdav")
        assert (found, words in text) == (status, True), text


def test_audit_demo(run: Ran) -> None:
    status, text = run("oracle", "audit", "--demo")
    assert status == 0
    statuses = [line for line in text.splitlines() if line.startswith("exit status")]
    assert statuses == ["exit status 0", "exit status 1", "exit status 1"] * 2


# refagg datasets


def test_datasets_are_listed_and_exported(run: Ran, tmp_path: Path) -> None:
    _, text = run("refagg", "datasets")
    for path in shipped_folder().glob("*.csv"):
        assert path.stem in text
    out = tmp_path / "out.csv"
    run("refagg", "datasets", "export", "hm-seven", out)
    assert read_table(out) == read_table(shipped_folder() / "hm-seven.csv")
