"""Tables of any kinds: blocks, strata, constraints, scales and the optimum, masked and judged.

Expected values are worked out by hand, or by enumeration in this file.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case

KINDS = ["--kind", "age=numeric", "--kind", "job=nominal"]

PEOPLE = [
    ["age", "job", "region"],
    *(["1", "p", "n"], ["3", "p", "n"], ["101", "q", "n"], ["103", "q", "n"]),
    *(["1", "q", "s"], ["5", "q", "s"], ["95", "p", "s"], ["101", "p", "s"]),
]


def written(path: Path, rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def run(main: Any, *words: object) -> int:
    return int(main([str(word) for word in words]))


def mask(*words: object) -> int:
    return run(refagg.commands.main.main, "mask", *words)


def audit(*words: object) -> int:
    return run(oracle.commands.main.main, "audit", *words)


# Blocks and strata


def test_strata_of_mixed_records_by_hand(tmp_path: Path) -> None:
    """Within each region two jobs, and two ages near each other with each of them."""
    data, out = written(tmp_path / "in.csv", PEOPLE), tmp_path / "out.csv"
    how = [*KINDS, "--strata", "region", "--algorithm", "mdav", "-k", "2"]
    assert mask(data, "-o", out, *how) == 0
    ages = ["2", "2", "102", "102", "3", "3", "98", "98"]
    assert [row[0] for row in read(out)[1:]] == ages
    assert [row[1] for row in read(out)[1:]] == [row[1] for row in PEOPLE[1:]]
    assert audit(data, out, *how) == 0
    # Across regions 1 p, 3 p, 95 p, 101 p would be two groups too, but these are none of a stratum.
    across = [["49.25", "p"], ["49.25", "p"], ["51.5", "q"], ["51.5", "q"]]
    across += [["51.5", "q"], ["51.5", "q"], ["49.25", "p"], ["49.25", "p"]]
    rows = [[*row, old[2]] for row, old in zip(across, PEOPLE[1:], strict=True)]
    written(out, [PEOPLE[0], *rows])
    assert audit(data, out, *how) == 1


def test_blocks_of_mixed_records_by_hand(tmp_path: Path, capsys: Any) -> None:
    """Ages by themselves: 1 1 and 3 5 are near each other, 95 101 and 101 103. Jobs are equal."""
    data, out, report = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "report.json"
    written(data, PEOPLE)
    how = [*KINDS, "--confidential", "region", "--blocks", "each", "--algorithm", "mdav", "-k", "2"]
    assert mask(data, "-o", out, "--json", report, *how) == 0
    ages = ["1", "4", "102", "102", "1", "4", "98", "98"]
    assert [row[0] for row in read(out)[1:]] == ages
    assert [row[1] for row in read(out)[1:]] == [row[1] for row in PEOPLE[1:]]
    found = json.loads(report.read_text())
    # Of 102: 1 + 1; of 4: 1 + 1; of 98: 9 + 9; in units of the squared range.
    assert found["within_dissimilarity"]["exact"] == str(Fraction(22, 102**2))
    # Four p and four q: 16 of 28 pairs differ, divided by 8.
    ages_sst = sum(x * x for x in (1, 3, 101, 103, 1, 5, 95, 101)) - Fraction(411 - 1) ** 2 / 8
    assert Fraction(found["whole_dissimilarity"]["exact"]) == ages_sst / 102**2 + 2
    assert [block["attributes"] for block in found["blocks"]] == [["age"], ["job"]]
    assert audit(data, out, *how, "--anonymity", "each-block") == 0
    rows = read(out)
    rows[1][0] = "4"
    written(out, rows)
    capsys.readouterr()
    assert audit(data, out, *how, "--anonymity", "each-block") == 1
    assert "block age" in capsys.readouterr().out


# Numbers beside other kinds


def test_constraints_between_the_numbers_of_mixed_records(tmp_path: Path) -> None:
    """Means (2, 3, 6) of 2 + 3 = 6: by one third each, the nearest point is (7/3, 10/3, 17/3)."""
    rows = [["a", "b", "total", "job"], [1, 2, 5, "p"], [3, 4, 7, "p"], [9, 9, 20, "q"]]
    rows += [[9, 11, 20, "q"]]
    data, out = written(tmp_path / "in.csv", rows), tmp_path / "out.csv"
    how = ["-k", "2", "--algorithm", "mdav", "--standardise", "none"]
    for name in ("a", "b", "total"):
        how += ["--kind", f"{name}=numeric"]
    how += ["--kind", "job=nominal", "--constraint", "a + b = total"]
    assert mask(data, "-o", out, *how) == 0
    first = [Fraction(cell).limit_denominator(1000) for cell in read(out)[1][:3]]
    assert first == [Fraction(7, 3), Fraction(10, 3), Fraction(17, 3)]
    assert audit(data, out, *how) == 0
    spoilt = [rows[0], *([["2", "3", "6", "p"]] * 2), *([["9", "10", "20", "q"]] * 2)]
    written(out, spoilt)  # the means, which do not meet the constraint
    assert audit(data, out, *how) == 1


def test_a_constraint_on_categories_is_refused(tmp_path: Path, capsys: Any) -> None:
    data = written(tmp_path / "in.csv", PEOPLE)
    words = [data, "-o", tmp_path / "out.csv", *KINDS, "--confidential", "region"]
    words += ["--algorithm", "mdav", "-k", "2", "--constraint", "age = job"]
    assert mask(*words) == 2
    assert "'job', which is nominal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("standardise", "groups"),
    [("range", [[0, 2], [1, 3]]), ("none", [[0, 1], [2, 3]])],
)
def test_the_scale_of_numbers_beside_others_by_hand(standardise: str, groups: Any) -> None:
    """Ages 0 1 10 11 and jobs p q p q. By range, the squared distance of 0 p and 10 p is
    (10/11)^2, less than that of 0 p and 1 q, 1/121 + 1; without it, 100 is more than 1 + 1.
    """
    rows = {"age": [0, 1, 10, 11], "job": ["p", "q", "p", "q"]}
    kinds = {"job": "nominal"}
    release = refagg.microaggregate(rows, 2, kinds=kinds, standardise=standardise)
    assert [list(group) for group in release.partition.groups] == groups
    if standardise == "range":
        usual = refagg.microaggregate(rows, 2, kinds=kinds)
        assert usual.partition == release.partition


def test_a_trimmed_mean_beside_categories(tmp_path: Path) -> None:
    """Without the least and the greatest of 0 3 5 100 the mean is 4."""
    rows = [["age", "job"], *([age, "p"] for age in (0, 3, 5, 100))]
    data, out = written(tmp_path / "in.csv", rows), tmp_path / "out.csv"
    how = [*KINDS, "--algorithm", "mdav", "-k", "4", "--aggregate", "trimmed-mean", "--trim", "1/4"]
    assert mask(data, "-o", out, *how) == 0
    assert read(out)[1:] == [["4", "p"]] * 4
    assert audit(data, out, *how) == 0
    assert audit(data, out, *how[:-4]) == 1  # 4 is not the mean, which is 27


def test_numbers_that_are_declared_are_numbers(tmp_path: Path) -> None:
    """To declare that all attributes are numeric says what is presumed."""
    rows = [["x", "y"], *([i * i % 23, 7 * i % 11] for i in range(11))]
    data = written(tmp_path / "in.csv", rows)
    files = []
    for declared in ([], ["--kind", "x=numeric", "--kind", "y=numeric"]):
        out, report = tmp_path / "out.csv", tmp_path / "report.json"
        words = [data, "-o", out, "--json", report, "-k", "3", "--algorithm", "tfrp-1", *declared]
        assert mask(*words) == 0
        files.append((out.read_text(), report.read_text()))
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--algorithm", "tfrp-1"], "'job' is nominal"),
        (["--algorithm", "mdav", "--arithmetic", "float"], "'job' is nominal"),
        (["--algorithm", "mdav", "--series", "sts"], "'job' is nominal"),
        (["--algorithm", "gaussian-noise", "--seed", "1"], "'job' is nominal"),
    ],
)
def test_what_is_for_numbers_says_so(
    options: list[str], message: str, tmp_path: Path, capsys: Any
) -> None:
    data, out = written(tmp_path / "in.csv", PEOPLE), tmp_path / "out.csv"
    k = [] if "gaussian-noise" in options else ["-k", "2"]
    words = [data, "-o", out, *KINDS, "--confidential", "region", *k, *options]
    assert mask(*words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert re.search("numbers only|applies to numbers;", error)
    assert not out.exists()


def test_a_release_comes_back_as_it_was_given() -> None:
    rows = {"age": [0, 2, 10, 12], "job": ["p", "p", "q", "q"], "note": list("abcd")}
    options: dict[str, Any] = {"quasi_identifiers": ["age", "job"], "kinds": {"job": "nominal"}}
    release = refagg.microaggregate(rows, 2, **options)
    assert release.to_frame() == {
        "age": [1.0, 1.0, 11.0, 11.0],
        "job": ["p", "p", "q", "q"],
        "note": list("abcd"),
    }


# The optimum


def partitions(records: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All partitions into groups of at least k."""
    if not records:
        yield []
        return
    first, *others = records
    for size in range(k, len(records) + 1):
        for company in combinations(others, size - 1):
            rest = tuple(record for record in others if record not in company)
            for groups in partitions(rest, k):
                yield [(first, *company), *groups]


def least(rows: Sequence[tuple[int, str, int]], k: int, weight: Fraction) -> Fraction:
    """The least loss of ages by range, jobs of a weight and levels of three."""
    ages = [age for age, _, _ in rows]
    span = max(ages) - min(ages)

    def between(a: int, b: int) -> Fraction:
        (x, p, u), (y, q, v) = rows[a], rows[b]
        age = Fraction((x - y) ** 2, span**2) if span else Fraction(0)
        return age + weight * (p != q) + Fraction((u - v) ** 2, 9)

    def loss(group: Sequence[int]) -> Fraction:
        return sum((between(a, b) for a, b in combinations(group, 2)), Fraction(0)) / len(group)

    records = tuple(range(len(rows)))
    return min(sum(map(loss, groups), Fraction(0)) for groups in partitions(records, k))


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_of_mixed_records_is_that_of_an_enumeration(
    seed: int, tmp_path: Path, capsys: Any
) -> None:
    stream = Random(seed)
    n, k = 7, 2 + seed % 2
    rows = [(stream.randrange(9), stream.choice("pq"), stream.randrange(3)) for _ in range(n)]
    best = least(rows, k, Fraction(1, 2))
    table = [["age", "job", "level"], *([age, job, "xyz"[level]] for age, job, level in rows)]
    data, result = written(tmp_path / "in.csv", table), tmp_path / "best.json"
    how = [*KINDS, "--kind", "level=ordinal:x<y<z", "--weight", "job=1/2"]
    for method in ("exhaustive", "subsets", "ilp"):
        words = ["optimum", data, "-k", k, "--quiet", "--method", method, "--json", result, *how]
        assert run(oracle.commands.main.main, *words) == 0
        found = json.loads(result.read_text())
        assert found["status"] == "optimal"
        assert Fraction(found["within_dissimilarity_exact"]) == best
    out, groups = tmp_path / "out.csv", tmp_path / "groups.json"
    assert mask(data, "-o", out, "--json", groups, "-k", k, "--algorithm", "mdav", *how) == 0
    own = Fraction(json.loads(groups.read_text())["within_dissimilarity"]["exact"])
    capsys.readouterr()
    words = [data, out, "-k", k, "--optimum", "--partition", groups, *how]
    assert audit(*words) == 0
    text = capsys.readouterr().out
    if own == best:
        assert "none: the groups are optimal" in text
    else:
        assert f"{float(100 * (own / best - 1)):.4f} % above the optimum" in text


def edits(a: Sequence[str], b: Sequence[str]) -> int:
    """The Levenshtein distance, from its definition."""
    if not a or not b:
        return len(a) + len(b)
    same = edits(a[1:], b[1:]) + (a[0] != b[0])
    return min(same, 1 + edits(a[1:], b), 1 + edits(a, b[1:]))


@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_of_sequences_is_that_of_an_enumeration(seed: int, tmp_path: Path) -> None:
    stream = Random(seed)
    routes = [
        "".join(stream.choice("abc") for _ in range(stream.randrange(1, 5))) for _ in range(8)
    ]

    def loss(group: Sequence[int]) -> Fraction:
        pairs = sum(edits(routes[a], routes[b]) for a, b in combinations(group, 2))
        return Fraction(pairs, len(group))

    best = min(sum(map(loss, groups), Fraction(0)) for groups in partitions(tuple(range(8)), 2))
    table = [["route"], *([">".join(route)] for route in routes)]
    data, result = written(tmp_path / "in.csv", table), tmp_path / "best.json"
    words = ["optimum", data, "-k", "2", "--quiet", "--json", result]
    words += ["--kind", "route=sequence:>", "--dissimilarity", "levenshtein"]
    assert run(oracle.commands.main.main, *words) == 0
    assert Fraction(json.loads(result.read_text())["within_dissimilarity_exact"]) == best


def test_sequences_that_must_be_together_may_need_a_large_group() -> None:
    """0 and 1 are 10 apart, all others 0. With 1, 2 or no other record they lose 10/3, 10/4 (and
    leave one alone) or 10/2; with all, 10/5.
    """

    def far(a: tuple[str, ...], b: tuple[str, ...]) -> int:
        return 10 if {a, b} == {("a",), ("b",)} else 0

    rows, kinds = {"route": list("abcde")}, {"route": "sequence:>"}
    found = oracle.optimum(rows, 2, kinds=kinds, dissimilarity=far, together=[(0, 1)])
    assert (found.status, found.value) == ("optimal", 2)


def test_no_certificate_of_other_kinds(tmp_path: Path, capsys: Any) -> None:
    data = written(tmp_path / "in.csv", PEOPLE)
    how = ["-k", "2", "--quiet", *KINDS, "--confidential", "region"]
    words = ["optimum", data, *how, "--certificate", tmp_path / "proof.json"]
    assert run(oracle.commands.main.main, *words) == 2
    assert "a certificate covers numeric attributes" in capsys.readouterr().err
    numbers = ["--columns", "age", "--kind", "age=numeric", "--weight", "age=2"]
    words = ["optimum", data, "-k", "2", *numbers, "--certificate", tmp_path / "proof.json"]
    assert run(oracle.commands.main.main, *words) == 2


@pytest.mark.parametrize(
    ("groups", "status"), [(((0, 1), (2, 3)), "failed"), (((0, 2), (1, 3)), "passed")]
)
def test_a_claim_of_the_optimum_of_kinds_is_judged(groups: Any, status: str) -> None:
    """As above: by range, 0 p and 10 p are nearer to each other than 0 p and 1 q."""
    records = (("0", "p"), ("1", "q"), ("10", "p"), ("11", "q"))
    case = Case("best", "optimal", 2, records, kinds=("numeric", "nominal"))
    assert judge(case, Answer(groups=groups)).status == status


# Side by side


def test_algorithms_are_compared_on_mixed_records(tmp_path: Path, capsys: Any) -> None:
    """Two pairs, each with ages 2 of 12 apart and one job: each loses (2/12)^2 / 2."""
    rows = [["age", "job"], [0, "p"], [2, "p"], [10, "q"], [12, "q"]]
    data, best = written(tmp_path / "in.csv", rows), tmp_path / "best.json"
    words = ["optimum", data, "-k", "2", "--quiet", "--json", best, *KINDS]
    assert run(oracle.commands.main.main, *words) == 0
    out = tmp_path / "compared.json"
    words = ["compare", data, "-k", "2", "--quiet", "--json", out, "--reference", best, *KINDS]
    words += ["--algorithm", "mdav,kshc,blocks-in-file-order,tfrp-1", "--csv", tmp_path / "c.csv"]
    assert run(refagg.commands.main.main, *words) == 0
    found = json.loads(out.read_text())
    status = {row["algorithm"]: row["status"] for row in found["rows"]}
    assert status == dict.fromkeys(["mdav", "kshc", "blocks-in-file-order"], "done") | {
        "tfrp-1": "skipped"
    }
    assert "'job' is nominal" in found["rows"][3]["note"]
    assert found["rows"][0]["within_dissimilarity"]["exact"] == "1/36"
    assert found["rows"][0]["above_percent"]["exact"] == "0"
    # The pairs apart: 100, 144, 64 and 100 of 144, and another job each.
    whole = (Fraction(2, 36) + Fraction(100 + 144 + 64 + 100, 144) + 4) / 4
    assert Fraction(found["whole_dissimilarity"]["exact"]) == whole
    assert "within_dissimilarity_exact" in read(tmp_path / "c.csv")[0]
    capsys.readouterr()
    assert run(refagg.commands.main.main, *words, "--weight", "job=2") == 2
    assert "is for other weights" in capsys.readouterr().err
    words = [*words[:4], "--algorithm", "mdav", *KINDS, "--scatter", tmp_path / "s.svg"]
    assert run(refagg.commands.main.main, *words) == 2
    assert "a scatter plot needs numbers, but 'job' holds none" in capsys.readouterr().err
