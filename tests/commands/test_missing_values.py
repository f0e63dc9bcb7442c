"""Files in which values are missing, masked and audited by every policy; spoilt releases too."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from refagg.errors import EmptyTable, InvalidParameter, KTooLarge, MissingValue, ShapeMismatch
from tests.suites import one_in

HOLED = (
    "x,y,z\n1,2,a\n3,,b\n5,6,c\n7,8,d\n2,3,e\n4,,f\nNA,9,g\n8,,h\n9,1,i\n4,4,j\nNA,2,k\nNA,3,l\n"
)
"""Records 1, 5 and 7 have no y, 6, 10 and 11 no x."""

Cells = list[list[str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(HOLED)
    return tmp_path


def mask(*more: str) -> int:
    words = ["in.csv", "--confidential", "z", "--algorithm", "mdav", "-k", "3", "-o", "out.csv"]
    return refagg.commands.main.main(["mask", *words, *more])


def audit(policy: str, *more: str, released: str = "out.csv") -> int:
    words = ["in.csv", released, "--confidential", "z", "-k", "3", "--missing", policy]
    return oracle.commands.main.main(["audit", *words, *more])


def rows_of(name: str) -> Cells:
    with open(name, newline="") as file:
        return list(csv.reader(file))


def write(name: str, rows: Cells) -> None:
    with open(name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def test_the_default_rejects(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mask() == 2
    assert "line 8, column 'x': the value is missing (NA)" in capsys.readouterr().err
    assert not Path("out.csv").exists()


def test_dropped_records_are_counted_listed_and_not_released(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mask("--missing", "drop", "--json", "report.json") == 0
    assert "6 of 12 records left out: records 1 5 6 7 10 11" in capsys.readouterr().out
    facts = json.loads(Path("report.json").read_text())["missing"]
    assert facts == {"policy": "drop", "dropped": [1, 5, 6, 7, 10, 11]}
    assert [row[2] for row in rows_of("out.csv")] == ["z", *"acdeij"]
    assert audit("drop", "--algorithm", "mdav", "--json", "audit.json") == 0
    assert json.loads(Path("audit.json").read_text())["facts"]["missing"] == facts


def test_records_with_the_same_pattern_are_a_table_of_their_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mask("--missing", "group-apart", "--json", "report.json") == 0
    assert "3 records without y; 3 records without x" in capsys.readouterr().out
    released = rows_of("out.csv")[1:]
    # 3, 4 and 8 are averaged by themselves, and so are 9, 2 and 3.
    assert [released[record][:2] for record in (1, 5, 7)] == [["5", ""]] * 3
    assert [released[record][0] for record in (6, 10, 11)] == ["NA"] * 3
    assert {released[record][1] for record in (6, 10, 11)} == {"4.666666666666667"}
    patterns = json.loads(Path("report.json").read_text())["missing"]["patterns"]
    assert [pattern["lacking"] for pattern in patterns] == [[], ["y"], ["x"]]
    assert audit("group-apart", "--algorithm", "mdav") == 0
    assert audit("as-released") == 0


def test_what_is_apart_is_measured_and_compared_apart(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each pattern as a file of its own."""
    options = ["--confidential", "z", "--missing", "group-apart"]
    assert mask("--missing", "group-apart") == 0
    words = ["measure", "in.csv", "out.csv", *options, "--json", "all.json"]
    assert refagg.commands.main.main(words) == 0
    found = json.loads(Path("all.json").read_text())
    assert found["k_reached"] == 3
    assert [part["lacking"] for part in found["parts"]] == [[], ["y"], ["x"]]
    words = ["compare", "in.csv", *options, "-k", "2,3", "--algorithm", "mdav,md"]
    words += ["--json", "compared.json", "--csv", "compared.csv"]
    assert refagg.commands.main.main(words) == 0
    compared = json.loads(Path("compared.json").read_text())["parts"]
    assert {row[0] for row in rows_of("compared.csv")} == {"lacking", "", "y", "x"}
    capsys.readouterr()
    own = [(["x", "y"], (0, 2, 3, 4, 8, 9)), (["x"], (1, 5, 7)), (["y"], (6, 10, 11))]
    for (names, records), part, beside in zip(own, found["parts"], compared, strict=True):
        for name in ("in.csv", "out.csv"):
            rows = rows_of(name)
            places = [rows[0].index(attribute) for attribute in names]
            write(
                f"own-{name}",
                [[rows[r][j] for j in places] for r in (0, *[i + 1 for i in records])],
            )
        words = ["measure", "own-in.csv", "own-out.csv", "--json", "own.json"]
        assert refagg.commands.main.main(words) == 0
        report = json.loads(Path("own.json").read_text())
        del report["format"]
        assert {name: part[name] for name in report} == report
        words = ["compare", "own-in.csv", "-k", "2,3", "--algorithm", "mdav,md"]
        assert refagg.commands.main.main([*words, "--json", "own.json"]) == 0
        rows = json.loads(Path("own.json").read_text())["rows"]
        ours, theirs = ([row["sse"] for row in rows] for rows in (rows, beside["rows"]))
        assert ours == theirs
    write("out.csv", [row if row[2] != "f" else [row[0], "1", "f"] for row in rows_of("out.csv")])
    assert refagg.commands.main.main(["measure", "in.csv", "out.csv", *options]) == 2
    assert "record 5: y is missing in the original only" in capsys.readouterr().err
    refused = ["compare", "in.csv", *options, "-k", "3", "--plot", "p.png"]
    assert refagg.commands.main.main(refused) == 2
    assert refagg.commands.main.main(["compare", "in.csv", *options, "-k", "4"]) == 2
    assert "cannot form a group of k = 4" in capsys.readouterr().err


def test_weights_and_promises_are_those_of_what_there_is(here: Path) -> None:
    """A weight of an attribute that some records lack; blocks of which some have one only."""
    kinds = ["--kind", "x=numeric", "--kind", "y=numeric", "--weight", "y=2"]
    assert mask("--missing", "group-apart", *kinds) == 0
    assert audit("group-apart", "--algorithm", "mdav", *kinds) == 0
    assert mask("--missing", "group-apart", "--blocks", "x;y") == 0
    assert audit("group-apart", "--blocks", "x;y", "--anonymity", "each-block") == 0


def test_records_without_categories_have_the_scale_of_the_file(here: Path) -> None:
    """Seven records of numbers, of which one is divided by its range or by its deviation."""
    numbers = [(5, 11), (7, 2), (20, 25), (29, 3), (27, 20), (8, 10), (10, 4)]
    rows = [[str(x), "", str(w)] for x, w in numbers]
    rows += [[str(x), "ab"[x % 2], str(x * x % 7)] for x in range(6)]
    write("in.csv", [["x", "y", "w"], *rows])
    kinds = ["--kind", "x=numeric", "--kind", "y=nominal", "--kind", "w=numeric"]
    words = ["-k", "3", "--missing", "group-apart", "--algorithm", "mdav", *kinds]
    assert refagg.commands.main.main(["mask", "in.csv", "-o", "out.csv", *words]) == 0
    assert oracle.commands.main.main(["audit", "in.csv", "out.csv", *words]) == 0


def test_fewer_than_k_with_a_pattern_cannot_be_apart(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mask("--missing", "group-apart", "-k", "4") == 2
    assert "records 1 5 7 (3 records without y)" in capsys.readouterr().err
    released = [row[:] for row in rows_of("in.csv")]
    write("out.csv", released)
    assert audit("group-apart", "-k", "4") == 1
    assert "3 records lack the same values, fewer than k = 4" in capsys.readouterr().out


def test_a_mixed_group_is_judged_as_released(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mean of what is there, in a group of which one record lacks y: 2 alike, 1 apart."""
    write("in.csv", [["x", "y", "z"], ["1", "2", "a"], ["2", "4", "b"], ["6", "", "c"]])
    write("out.csv", [["x", "y", "z"], ["3", "3", "a"], ["3", "3", "b"], ["3", "", "c"]])
    Path("groups.json").write_text("[[0, 1, 2]]")
    assert audit("as-released", "--partition", "groups.json") == 1
    found = capsys.readouterr().out
    assert "[  holds   ] aggregates of x" in found
    assert "[  holds   ] aggregates of y" in found
    assert "[  fails   ] k-anonymous: smallest group 1" in found


@pytest.mark.parametrize(
    ("policy", "option", "reason"),
    [
        ("as-released", "--algorithm=mdav", "does not apply with --missing as-released"),
        ("group-apart", "--partition=g.json", "applies to records that have all their values"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], policy: str, option: str, reason: str
) -> None:
    assert audit(policy, option, released="in.csv") == 2
    assert f"the option {option.partition('=')[0]} {reason}" in capsys.readouterr().err


# Optima and identification


def least_sse(rows: list[tuple[int, int]]) -> Fraction:
    """Of six records in two groups of three, by trying all, each attribute divided by its
    variance."""
    means = [Fraction(sum(column), 6) for column in zip(*rows, strict=True)]
    variances = [
        sum((x - mean) ** 2 for x in column) / 6
        for column, mean in zip(zip(*rows, strict=True), means, strict=True)
    ]

    def sse(group: list[tuple[int, int]]) -> Fraction:
        columns = zip(zip(*group, strict=True), variances, strict=True)
        return sum(
            (
                sum((x - Fraction(sum(xs), 3)) ** 2 for x in xs) / variance
                for xs, variance in columns
            ),
            Fraction(0),
        )

    halves = [[rows[i] for i in chosen] for chosen in combinations(range(6), 3)]
    return min(sse(half) + sse([row for row in rows if row not in half]) for half in halves)


def test_the_optimum_of_records_apart(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three records of one attribute that is divided by its deviation have SSE 3 in one group."""
    words = ["optimum", "in.csv", "--confidential", "z", "-k", "3", "--json", "best.json"]
    main = oracle.commands.main.main
    assert main([*words, "--missing", "group-apart"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == ("missing values: group-apart: 3 records without y; 3 records without x")
    assert [line for line in told if line.endswith(":")] == [
        "6 records with all values:",
        "3 records without y:",
        "3 records without x:",
    ]
    found = json.loads(Path("best.json").read_text())
    assert [part["lacking"] for part in found["parts"]] == [[], ["y"], ["x"]]
    whole = least_sse([(1, 2), (5, 6), (7, 8), (2, 3), (9, 1), (4, 4)])
    assert [Fraction(part["sse_exact"]) for part in found["parts"]] == [whole, 3, 3]
    groups = [group for part in found["parts"] for group in part["groups"]]
    assert sorted(chain(*groups)) == list(range(12))
    assert [1, 5, 7] in groups
    assert [6, 10, 11] in groups
    assert main([*words, "--missing", "group-apart", "--certificate", "c.json"]) == 2
    assert "the option --certificate applies to records that have all" in capsys.readouterr().err
    words[words.index("3")] = "4"
    assert main([*words, "--missing", "group-apart"]) == 2
    assert "records 1 5 7 (3 records without y) cannot form a group" in capsys.readouterr().err


def test_what_could_have_made_records_apart(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups in the order of the file are not those of MDAV in the pattern without x and y."""
    rows = [f"{x},{y}" for x, y in zip([1, 9, 2, 8, 3, 7], [5, 5, 1, 1, 2, 9], strict=True)]
    Path("in.csv").write_text("\n".join(["x,y", *rows, *(f"{x}," for x in (1, 90, 2, 80)), ""]))
    main, judge = refagg.commands.main.main, oracle.commands.main.main
    words = ["in.csv", "out.csv", "-k", "2", "--missing", "group-apart", "--json", "found.json"]

    def statuses() -> dict[str, str]:
        names = "mdav,blocks-in-file-order"
        made = ["identify", *words, "--algorithm", names, "--standardise", "none"]
        assert judge(made) == 0
        capsys.readouterr()
        found = json.loads(Path("found.json").read_text())["candidates"]
        return {one["algorithm"]: one["status"] for one in found}

    for name, other in [("mdav", "blocks-in-file-order"), ("blocks-in-file-order", "mdav")]:
        made = ["mask", "in.csv", "-o", "out.csv", "-k", "2", "--missing", "group-apart"]
        assert main([*made, "--algorithm", name, "--standardise", "none"]) == 0
        assert statuses() == {name: "possible", other: "ruled out"}
    swapped = rows_of("out.csv")
    swapped[7][1] = "3"
    write("out.csv", swapped)
    assert judge(["identify", *words]) == 2
    assert "record 6: y is missing in the original only" in capsys.readouterr().err


# Random files: what is masked by a policy is accepted by it, what is spoilt is not

POLICIES = ("drop", "group-apart")


def test_noise_is_not_added_apart(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each pattern would get the same deviations, which two records would then give away."""
    noise = ["in.csv", "-o", "out.csv", "--algorithm", "gaussian-noise", "--seed", "1"]
    assert refagg.commands.main.main(["mask", *noise, "--missing", "group-apart"]) == 2
    assert "gaussian-noise forms no groups" in capsys.readouterr().err
    options: Any = {"algorithm": "gaussian-noise", "seed": 1, "missing": "group-apart"}
    with pytest.raises(InvalidParameter, match="by the policy drop"):
        refagg.microaggregate([[1], [None], [2], [3]], 2, **options)


def holed(random: Random) -> Cells:
    """Some 20 to 30 records; every pattern of missing cells that there is has 3 at least."""
    width = random.choice([2, 3])
    names = ["x", "y", "w"][:width]
    rows = []
    for lacking in random.sample(range(2**width), random.randint(1, 4)):
        for _ in range(random.randint(3, 8)):
            cells = [f"{random.randint(0, 99)}.{random.randint(0, 9)}" for _ in names]
            rows.append(["" if lacking >> j & 1 else cell for j, cell in enumerate(cells)])
    rows += [[f"{random.randint(0, 99)}" for _ in names] for _ in range(4)]
    random.shuffle(rows)
    return [[*names, "z"], *([*row, f"r{i}"] for i, row in enumerate(rows))]


def spoilt(random: Random, original: Cells, released: Cells) -> tuple[str, Cells]:
    """A released file with one mistake."""
    rows = [row[:] for row in released]
    cells = [(i, j) for i in range(1, len(rows)) for j in range(len(rows[0]) - 1)]
    filled = [(i, j) for i, j in cells if rows[i][j]]
    empty = [(i, j) for i, j in cells if not rows[i][j]]
    kind = random.choice(["moved", "emptied", "lost", *["filled"] * bool(empty)])
    i, j = random.choice(empty if kind == "filled" else filled)
    if kind == "lost":
        del rows[i]
    else:
        other = str(float(rows[i][j]) + 1.5) if kind == "moved" else "7"
        rows[i][j] = "" if kind == "emptied" else other
    return kind, rows


@pytest.mark.parametrize("seed", one_in(20, range(200)))
@pytest.mark.parametrize("policy", POLICIES)
def test_random_files(here: Path, policy: str, seed: int) -> None:
    random = Random(seed)
    original = holed(random)
    write("in.csv", original)
    assert mask("--missing", policy) == 0
    assert audit(policy, "--algorithm", "mdav") == 0
    if policy == "group-apart":
        assert audit("as-released") == 0
    kind, rows = spoilt(random, original, rows_of("out.csv"))
    write("spoilt.csv", rows)
    for judged in {policy, "as-released" if policy == "group-apart" else policy}:
        assert audit(judged, released="spoilt.csv") != 0, (kind, judged)


# In Python

NONE = float("nan")
PEOPLE = [[31, 20], [33, None], [35, 22], [60, 50], [61, NONE], [64, 51], [62, 49], [30, 21]]
"""As docs/missing-values.md has them; records 1 and 4 lack a value."""


def as_rows(rows: list[list[Any]]) -> Any:
    return rows


def as_columns(rows: list[list[Any]]) -> Any:
    return {name: [row[j] for row in rows] for j, name in enumerate(("age", "income"))}


def as_pandas(rows: list[list[Any]]) -> Any:
    index = [f"p{r}" for r in range(len(rows))]
    return pytest.importorskip("pandas").DataFrame(rows, columns=["age", "income"], index=index)


def as_polars(rows: list[list[Any]]) -> Any:
    frame = pytest.importorskip("polars").DataFrame
    return frame(rows, schema={"age": float, "income": float}, orient="row")


def as_arrow(rows: list[list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(as_columns(rows))


def as_numpy(rows: list[list[Any]]) -> Any:
    return pytest.importorskip("numpy").array(rows, dtype=float)


@pytest.mark.parametrize("form", [as_rows, as_columns, as_pandas, as_polars, as_arrow, as_numpy])
def test_functions_leave_out_records_that_lack_a_value(form: Callable[..., Any]) -> None:
    """The release is that of the other records alone, in the caller's own kind."""
    kept = [row for record, row in enumerate(PEOPLE) if record not in (1, 4)]
    data = form(PEOPLE)
    with pytest.raises(MissingValue):
        refagg.microaggregate(data, k=3)
    release = refagg.microaggregate(data, k=3, missing="drop")
    assert release.dropped == (1, 4)
    assert release.report()["missing"] == {"policy": "drop", "dropped": [1, 4]}
    assert release.partition == refagg.mdav(kept, k=3)
    frame = release.to_frame()
    assert type(frame) is type(data)
    if form is as_pandas:
        assert list(frame.index) == ["p0", "p2", "p3", "p5", "p6", "p7"]
    found = oracle.audit(data, frame, k=3, algorithm="mdav", missing="drop")
    assert found.ok, found
    assert found.facts["missing"]["dropped"] == [1, 4]
    with pytest.raises(MissingValue):
        oracle.audit(data, frame, k=3)
    same = refagg.microaggregate(form(kept), k=3)
    assert same.dropped is None
    assert same.sse == release.sse


def cells_of(frame: Any) -> list[list[Any]]:
    """The rows of any table, None for what is missing."""
    if hasattr(frame, "to_pydict"):
        frame = frame.to_pydict()
    elif hasattr(frame, "to_dict"):  # pandas, polars
        frame = {name: list(frame[name]) for name in frame.columns}
    rows = zip(*frame.values(), strict=True) if isinstance(frame, dict) else frame
    return [[None if cell is None or cell != cell else cell for cell in row] for row in rows]


HOLES = [*PEOPLE[:6], [62, None], PEOPLE[7]]
"""Records 1, 4 and 6 lack the income; the mean of their ages is 52."""


@pytest.mark.parametrize("form", [as_rows, as_columns, as_pandas, as_polars, as_arrow, as_numpy])
def test_functions_mask_and_judge_records_apart(form: Callable[..., Any]) -> None:
    data = form(HOLES)
    release = refagg.microaggregate(data, k=3, missing="group-apart")
    assert release.partition.groups == ((0, 2, 3, 5, 7), (1, 4, 6))
    assert release.k_reached == 3
    frame = release.to_frame()
    assert type(frame) is type(data)
    means = [44.0, 32.8], [52.0, None]
    assert cells_of(frame) == [means[record in (1, 4, 6)] for record in range(8)]
    found = oracle.audit(data, frame, k=3, algorithm="mdav", missing="group-apart")
    assert found.ok, found
    assert found.facts["k_reached"] == 3
    assert oracle.audit(data, frame, k=3, missing="as-released").ok
    with pytest.raises(KTooLarge, match="records 1 4 6"):
        refagg.microaggregate(data, k=4, missing="group-apart")
    assert not oracle.audit(data, frame, k=4, missing="group-apart").ok
    cells = cells_of(frame)
    cells[1][1] = 7.0
    shown = oracle.audit(data, form(cells), k=3, missing="as-released")
    assert "record 1: x2 is missing in the original only" in str(shown).replace("income", "x2")
    cells[1] = [53.0, None]
    for policy in ("group-apart", "as-released"):
        assert not oracle.audit(data, form(cells), k=3, missing=policy).ok


def test_options_of_attributes_and_records_go_with_them() -> None:
    """What a command writes of a file with strata, blocks, weights and kinds."""
    rows = [{"job": job, "age": age, "pay": pay} for job, age, pay in MIXED]
    kinds, weights, strata = {"job": "nominal"}, {"pay": 3, "job": 2}, [*"aab" * 4]
    how = {"kinds": kinds, "weights": weights, "missing": "group-apart"}
    release = refagg.microaggregate(rows, 3, **how)
    full, part = ([r for r in range(12) if (r % 2 == 0) == whole] for whole in (True, False))
    for records, (_, made) in zip((full, part), release.parts, strict=True):
        own = [{n: rows[r][n] for n in rows[r] if rows[r][n] is not None} for r in records]
        weighed = {n: w for n, w in weights.items() if n in own[0]}
        alone = refagg.microaggregate(own, 3, kinds=kinds, weights=weighed)
        assert made is not None
        assert made.released == alone.released
    assert oracle.audit(rows, release.to_frame(), 3, algorithm="mdav", **how).ok
    numbers = [[row["age"], row["pay"]] for row in rows]
    apart = {"missing": "group-apart", "blocks": [["x1"], ["x2"]]}
    release = refagg.microaggregate(numbers, 2, strata=strata, **apart)
    frame = release.to_frame()
    assert oracle.audit(numbers, frame, 2, strata=strata, anonymity="each-block", **apart).ok
    with pytest.raises(ShapeMismatch, match="2 strata for 12 records"):
        refagg.microaggregate(numbers, 2, strata=[*"ab"], **apart)
    with pytest.raises(InvalidParameter, match="constraints applies to records that have all"):
        refagg.microaggregate(numbers, 2, constraints=["x1 = x2"], **apart)
    with pytest.raises(InvalidParameter, match="partition applies to records that have all"):
        oracle.audit(numbers, frame, 2, partition=[range(12)], **apart)
    with pytest.raises(InvalidParameter, match="algorithm does not apply"):
        oracle.audit(numbers, frame, 2, algorithm="mdav", missing="as-released")


MIXED = [
    ("cook" if r % 4 < 2 else "clerk", 20 + 3 * r % 31, 100 + 7 * r % 40 if r % 2 == 0 else None)
    for r in range(12)
]


@pytest.mark.parametrize("form", [as_rows, as_pandas, as_polars])
def test_the_measure_of_records_apart(form: Callable[..., Any]) -> None:
    data = form(HOLES)
    frame = refagg.microaggregate(data, k=3, missing="group-apart").to_frame()
    found = refagg.measure(data, frame, missing="group-apart")
    whole = [row for row in HOLES if row[1] == row[1] and row[1] is not None]
    alone = refagg.measure(whole, [[44.0, 32.8]] * 5)
    assert found["parts"][0]["sse"] == alone["sse"]
    assert found["k_reached"] == 3
    assert found["missing"]["patterns"][1]["records"] == [1, 4, 6]
    kept = refagg.microaggregate(data, k=3, missing="drop").to_frame()
    dropped = refagg.measure(data, kept, missing="drop")
    assert dropped["missing"] == {"policy": "drop", "dropped": [1, 4, 6]}
    assert dropped["sse"] == alone["sse"]
    with pytest.raises(MissingValue):
        refagg.measure(data, frame)
    with pytest.raises(MissingValue, match=r"record 1: .* is missing in the original only"):
        refagg.measure(data, form([[44.0, 32.8]] * 8), missing="group-apart")


def test_a_record_that_lacks_all_is_alike_with_others_that_do() -> None:
    rows = [[1, 2], [None, None], [3, 4], [None, None], [5, 7]]
    release = refagg.microaggregate(rows, 2, quasi_identifiers=["a", "b"], missing="group-apart")
    assert release.partition.groups == ((0, 2, 4), (1, 3))
    assert release.to_frame(exact=True)[1] == [None, None]
    assert oracle.audit(rows, release.to_frame(), 2, missing="group-apart").ok


@pytest.mark.parametrize("seed", one_in(20, range(100)))
def test_functions_and_commands_agree(here: Path, seed: int) -> None:
    original = holed(Random(seed))
    write("in.csv", original)
    assert mask("--missing", "group-apart", "--json", "report.json") == 0
    names = original[0][:-1]
    rows = [[float(cell) if cell else None for cell in row[:-1]] for row in original[1:]]
    release = refagg.microaggregate(
        [
            [None if c is None else Fraction(t) for c, t in zip(*pair, strict=False)]
            for pair in zip(rows, original[1:], strict=True)
        ],
        3,
        quasi_identifiers=names,
        missing="group-apart",
    )
    written = [[float(c) if c else None for c in row[:-1]] for row in rows_of("out.csv")[1:]]
    made = [[None if c is None else float(c) for c in row] for row in release.to_frame()]
    assert made == written
    assert {"format": "refagg mask 1"} | release.report() == json.loads(
        Path("report.json").read_text()
    )


def test_rows_without_names_can_be_given_some() -> None:
    release = refagg.microaggregate([[1, 2], [3, 4]], 2, quasi_identifiers=["a", "b"])
    assert release.to_frame() == [[2.0, 3.0], [2.0, 3.0]]
    assert refagg.microaggregate(refagg.table_of([[1], [3]]), 2).to_frame() == {"x1": [2.0, 2.0]}


def test_strata_and_columns_are_of_all_records() -> None:
    strata = list("aabbbbba")
    release = refagg.microaggregate(PEOPLE, k=2, strata=strata, missing="drop")
    left = [stratum for record, stratum in enumerate(strata) if record not in (1, 4)]
    assert all(len({left[record] for record in group}) == 1 for group in release.partition.groups)
    with pytest.raises(ShapeMismatch, match="6 strata for 8 records"):
        refagg.microaggregate(PEOPLE, k=2, strata=strata[:6], missing="drop")
    ages = {"quasi_identifiers": ["age"], "missing": "drop"}
    assert refagg.microaggregate(as_columns(PEOPLE), 3, **ages).dropped == ()
    with pytest.raises(EmptyTable, match="drop leaves none"):
        refagg.microaggregate([[None, 1], [2, None]], k=1, missing="drop")
    with pytest.raises(InvalidParameter, match="reject, drop, group-apart"):
        refagg.microaggregate(PEOPLE, k=2, missing="fill")


def test_an_empty_text_is_a_missing_category_and_a_sequence_without_events() -> None:
    rows = {"job": ["cook", "", "cook", "clerk"], "route": ["a>b", "a", "", "b"]}
    kinds = {"job": "nominal", "route": "sequence:>"}
    release = refagg.microaggregate(rows, 3, kinds=kinds, missing="drop", algorithm="kshc")
    assert release.dropped == (1,)
