"""The last check of an audit, and the table of distances from the optimum."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import oracle.commands.main
import refagg
import refagg.commands.main
from refagg.data import known_optima as known_module
from refagg.data.csvfiles import write_csv
from refagg.data.known_optima import ListedOptimum, known_optima
from refagg.literature.distances import distances
from refagg.release.measures import sse

Rows = list[tuple[int, ...]]

ROWS: Rows = [(0, 0), (1, 0), (0, 2), (9, 9), (9, 8), (7, 9), (20, 0)]
"""Two clusters of three and a record by itself."""


def least_sse(rows: Rows, k: int) -> Fraction:
    """The least SSE of two groups, by looking at all of them: ROWS are too few for three."""
    n = len(rows)

    def spread(group: tuple[int, ...]) -> Fraction:
        squares = (
            sum((a - b) ** 2 for a, b in zip(rows[i], rows[j], strict=True))
            for i, j in combinations(group, 2)
        )
        return Fraction(sum(squares), len(group))

    return min(
        spread(group) + spread(tuple(set(range(n)) - set(group)))
        for size in range(k, n - k + 1)
        for group in combinations(range(n), size)
    )


@pytest.fixture
def audit(tmp_path: Path) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Release ROWS with some groups and audit that: the status and the last check."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    report = tmp_path / "report.json"
    table = refagg.table_of(ROWS, ["a", "b"])
    write_csv(original, ["a", "b"], [[str(v) for v in row] for row in ROWS])

    def run(groups: list[list[int]], *options: object) -> tuple[int, dict[str, Any]]:
        means: dict[int, list[str]] = {}
        for group in groups:
            mean = [sum(c.values(group)) / len(group) for c in table.columns]
            means |= {record: [repr(float(value)) for value in mean] for record in group}
        write_csv(released, ["a", "b"], [means[record] for record in range(len(ROWS))])
        files = ["audit", original, released, "-k", 3, "--standardise", "none"]
        status = oracle.commands.main.main([str(a) for a in (*files, *options, "--json", report)])
        checks = json.loads(report.read_text())["blocks"][0]["checks"] if status < 2 else [{}]
        return status, checks[-1]

    return run


def test_the_distance_is_that_from_the_least_sse(audit: Any) -> None:
    groups = [[0, 1, 3], [2, 4, 5, 6]]
    status, check = audit(groups, "--optimum")
    least = least_sse(ROWS, 3)
    value = sse(refagg.standardise(refagg.table_of(ROWS), "none"), refagg.Partition.of(groups))
    assert (status, check["name"], check["status"]) == (0, "distance from the optimum", "holds")
    assert Fraction(check["details"]["bound_exact"]) == least
    assert check["details"]["above_percent"] == pytest.approx(float(100 * (value / least - 1)))
    assert check["details"]["bound_is_the_optimum"]


def test_groups_that_are_optimal_are_called_so(audit: Any) -> None:
    found = [g for g in combinations(range(7), 3) if _two(g) == least_sse(ROWS, 3)]
    groups = [list(found[0]), [r for r in range(7) if r not in found[0]]]
    _, check = audit(groups, "--optimum")
    assert check["summary"].startswith("none: the groups are optimal")


def _two(group: tuple[int, ...]) -> Fraction:
    rest = tuple(r for r in range(7) if r not in group)
    scaled = refagg.standardise(refagg.table_of(ROWS), "none")
    return sse(scaled, refagg.Partition.of([group, rest]))


@pytest.fixture
def known_rows(monkeypatch: pytest.MonkeyPatch) -> ListedOptimum:
    """ROWS as if their optimum shipped with the project."""
    lines = ['["b", "a"]', *(f"{b},{a}" for a, b in ROWS)]
    first = next(g for g in combinations(range(7), 3) if _two(g) == least_sse(ROWS, 3))
    groups = [first, tuple(r for r in range(7) if r not in first)]
    following = {a: b - a for group in groups for a, b in pairwise(group)}
    known = ListedOptimum(
        dataset="seven",
        k=3,
        standardise="none",
        attributes=["b", "a"],
        digest=sha256("\n".join(lines).encode()).hexdigest(),
        next=[following.get(record, 0) for record in range(7)],
        value=least_sse(ROWS, 3),
        bound=least_sse(ROWS, 3),
        information_loss="",
        date="",
        command="",
    )
    monkeypatch.setattr(known_module, "known_optima", lambda: [known])
    return known


@pytest.mark.usefixtures("known_rows")
def test_the_distance_from_an_optimum_that_ships_is_told_unasked(audit: Any) -> None:
    status, check = audit([[0, 1, 3], [2, 4, 5, 6]])
    assert (status, check["name"]) == (0, "distance from the optimum")
    assert Fraction(check["details"]["bound_exact"]) == least_sse(ROWS, 3)
    assert check["details"]["source"] == "datasets/optima.json"
    asked = audit([[0, 1, 3], [2, 4, 5, 6]], "--optimum")
    assert asked == (status, check)
    for options in (["-k", 2], ["--standardise", "population"]):
        assert audit([[0, 1, 3], [2, 4, 5, 6]], *options)[1]["name"] != check["name"]
    assert audit([[0, 1], [2, 3, 4, 5, 6]])[1]["name"] != check["name"]


def test_the_optimum_of_other_values_is_not_taken(
    audit: Any, known_rows: ListedOptimum, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(known_rows, digest=known_rows.digest[::-1])
    monkeypatch.setattr(known_module, "known_optima", lambda: [changed])
    assert audit([[0, 1, 3], [2, 4, 5, 6]])[1]["name"] != "distance from the optimum"


def test_compare_takes_the_optimum_that_ships(
    known_rows: ListedOptimum, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.csv"
    write_csv(path, ["a", "b"], [[str(v) for v in row] for row in ROWS])
    request = ["compare", str(path), "-k", "3", "--standardise", "none", "--algorithm", "mdav"]
    assert refagg.commands.main.main(request) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "k = 3; optimum from datasets/optima.json" in lines
    assert f"{float(known_rows.value):.6f}" in next(x for x in lines if x.startswith("optimum"))


def test_a_certificate_does_the_same_and_is_checked(audit: Any, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    groups = [[0, 1, 3], [2, 4, 5, 6]]
    audit(groups)
    request = ["optimum", tmp_path / "original.csv", "-k", 3, "--standardise", "none"]
    request += ["--certificate", proof, "--quiet"]
    assert oracle.commands.main.main([str(a) for a in request]) == 0
    _, check = audit(groups, "--certificate", proof)
    assert Fraction(check["details"]["bound_exact"]) == least_sse(ROWS, 3)
    assert "the certificate" in check["summary"]
    for old, new in (('"k":3', '"k":2'), ('"none"', '"sample"'), ('"parts":1', '"parts":2')):
        text = proof.read_text()
        assert old in text
        changed = tmp_path / "changed.json"
        changed.write_text(text.replace(old, new))
        assert audit(groups, "--certificate", changed)[0] == 2


@pytest.mark.parametrize("option", [["--apart", "0-1"], ["--together", "0-6"], ["--largest", 4]])
def test_a_certificate_about_some_partitions_only_is_refused(
    audit: Any, tmp_path: Path, option: list[Any]
) -> None:
    """What is optimal apart from some partitions is no yardstick for those."""
    proof, groups = tmp_path / "proof.json", [[0, 1, 3], [2, 4, 5, 6]]
    audit(groups)
    request = ["optimum", tmp_path / "original.csv", "-k", 3, "--certificate", proof, *option]
    assert (
        oracle.commands.main.main([str(a) for a in (*request, "--standardise", "none", "--quiet")])
        == 0
    )
    assert audit(groups, "--certificate", proof)[0] == 2


@pytest.mark.parametrize("factor", ["e200", "e307"])
def test_an_sse_beyond_binary64(tmp_path: Path, factor: str) -> None:
    original, released = tmp_path / "in.csv", tmp_path / "out.csv"
    report = tmp_path / "report.json"
    original.write_text("a\n" + "".join(f"{x}{factor}\n" for x in (1, 3, 5, 7)))
    released.write_text("a\n" + "".join(f"{x}{factor}\n" for x in (3, 5, 3, 5)))
    words = ["audit", original, released, "-k", 2, "--standardise", "none", "--optimum"]
    status = oracle.commands.main.main([str(word) for word in (*words, "--json", report)])
    check = json.loads(report.read_text())["blocks"][0]["checks"][-1]
    # 8 + 8 instead of 2 + 2
    assert (status, check["status"], check["details"]["above_percent"]) == (0, "holds", 300)
    assert (check["details"]["sse"], check["details"]["bound"]) == (None, None)


def test_a_certificate_about_other_data_is_refused(
    audit: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, other = tmp_path / "proof.json", tmp_path / "other.csv"
    write_csv(other, ["a", "b"], [[str(x), str(y + 1)] for x, y in ROWS])
    request = ["optimum", other, "-k", 3, "--standardise", "none", "--certificate", proof]
    assert oracle.commands.main.main([*map(str, request), "--quiet"]) == 0
    assert audit([[0, 1, 3], [2, 4, 5, 6]], "--certificate", proof)[0] == 2
    assert "about another file" in capsys.readouterr().err


def test_what_is_not_k_anonymous_is_not_compared(audit: Any) -> None:
    status, check = audit([[0, 1], [2, 3, 4, 5, 6]], "--optimum")
    assert (status, check["status"]) == (1, "not judged")


def test_strata_have_an_optimum_each(tmp_path: Path) -> None:
    rows = [["s", *map(str, row)] for row in ROWS[:3]] + [["t", *map(str, r)] for r in ROWS[3:6]]
    original, released, report = (tmp_path / name for name in ("o.csv", "r.csv", "j.json"))
    write_csv(original, ["stratum", "a", "b"], rows)
    mask = ["mask", original, "--algorithm", "mdav", "-k", 3, "--strata", "stratum"]
    assert refagg.commands.main.main([str(a) for a in (*mask, "-o", released)]) == 0
    request = ["audit", original, released, "-k", 3, "--strata", "stratum", "--optimum"]
    assert oracle.commands.main.main([str(a) for a in (*request, "--json", report)]) == 0
    check = json.loads(report.read_text())["blocks"][0]["checks"][-2]
    assert check["summary"].startswith("none: the groups are optimal")


def test_without_pulp_the_error_says_what_to_install(tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    write_csv(original, ["a", "b"], [[str(v) for v in row] for row in ROWS])
    code = (
        "import sys; sys.modules['pulp'] = None; from oracle.commands.main import main\n"
        "for words in sys.argv[1:]: print('ended with', main(words.split()), file=sys.stderr)"
    )
    plain = f"audit {original} {original} -k 1"
    requests = [plain, f"{plain} --optimum", f"optimum {original} -k 3"]
    python = [sys.executable, "-c", code, *requests]
    done = subprocess.run(python, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    said = re.split(r"ended with (\d)\n", done.stderr)  # what was said and its status, in turns
    assert said[1::2] == ["0", "2", "2"]
    assert ["pip install '.[oracle]'" in text for text in said[:-1:2]] == [False, True, True]


@pytest.mark.parametrize(
    "options", [["--optimum", "--time-limit", "nan"], ["--optimum", "--certificate", "x"]]
)
def test_requests_that_are_wrong(audit: Any, options: list[str]) -> None:
    assert audit([[0, 1, 2], [3, 4, 5, 6]], *options)[0] == 2


@pytest.mark.long
@pytest.mark.reference_data
def test_the_mdav_family_on_census(data_folder: Path) -> None:
    """4.6679 is the optimum that other work reached as well; the rest is arithmetic."""
    rows = {(row.dataset, row.algorithm): row for row in distances()}
    best, mdav = rows["census", "optimum"], rows["census", "mdav"]
    assert (f"{float(best.information_loss):.7f}", best.above) == ("4.6679359", 0)
    assert f"{float(mdav.information_loss):.4f}" == "5.6922"
    assert float(mdav.above) == pytest.approx(100 * (5.6922 / 4.6679359 - 1), abs=0.002)
    assert all(row.above > 0 for row in rows.values() if row != best)
    (known,) = [one for one in known_optima() if (one.dataset, one.k) == ("tarragona", 10)]
    far = rows["tarragona", "best known"]
    assert far.above == 100 * (known.value - known.bound) / known.bound
    assert min(row.sse for key, row in rows.items() if key[0] == "tarragona") == far.sse


def test_known_optima_are_partitions_of_legal_sizes() -> None:
    for known in known_optima():
        assert known.partition.smallest() >= known.k
        assert known.partition.largest() < 2 * known.k
