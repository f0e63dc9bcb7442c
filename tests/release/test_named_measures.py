"""Measures that are asked for by name, against hand computations, NumPy, SciPy and enumeration."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import atan, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, minimize

import oracle
import refagg
from refagg.commands.main import main
from refagg.engine.transportation import cheapest_assignment
from refagg.errors import InvalidParameter, UndefinedMeasure
from refagg.release import measuring

X = [[1, 2], [2, 1], [4, 8], [5, 9]]
Y = [[Fraction(3, 2)] * 2, [Fraction(3, 2)] * 2, [Fraction(9, 2), 8], [Fraction(9, 2), 9]]


def measured(name: str, original: Any = X, released: Any = Y, **how: Any) -> Any:
    return refagg.measure(original, released, measures=[name], **how)["measures"][name]


def test_il1_by_hand() -> None:
    # 100 (.5/1 + .5/2 + .5/2 + .5/1 + .5/4 + 0 + .5/5 + 0) = 172.5, over 8 cells
    found = measured("il1")
    assert found["value"]["exact"] == "345/2"
    assert found["mean"]["exact"] == "345/16"
    assert found["cells_left_out"] == 0


def test_il1_leaves_out_cells_that_were_0() -> None:
    found = measured("il1", [[0, 0], [2, 4]], [[0, 1], [1, 4]])
    assert (found["value"]["exact"], found["mean"]["exact"]) == ("50", "25")
    assert found["cells_left_out"] == 2


def test_il1s_by_hand() -> None:
    # variances by n - 1: 10/3 and 50/3; the sums of differences are 2 and 1
    by_hand = 2 / sqrt(20 / 3) + 1 / sqrt(100 / 3)
    assert measured("il1s")["value"] == pytest.approx(by_hand, rel=1e-14)
    assert measured("il1s")["mean"] == pytest.approx(by_hand / 8, rel=1e-14)


numbers = st.lists(
    st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=6, max_size=12
).filter(lambda rows: np.linalg.matrix_rank(np.cov(np.array(rows).T)) == 3)


@settings(deadline=None, max_examples=40)
@given(numbers, st.integers(0, 5))
def test_eigenvalues_and_correlations_as_numpy_has_them(rows: list[list[int]], seed: int) -> None:
    noise = np.random.default_rng(seed).integers(-2, 3, (len(rows), 3))
    other = (np.array(rows) + noise).tolist()
    if np.linalg.matrix_rank(np.cov(np.array(other).T)) < 3:
        return
    ours, theirs = (np.corrcoef(np.array(table).T) for table in (rows, other))
    a, b = (np.linalg.eigvalsh(matrix) for matrix in (ours, theirs))
    expected = float(np.sum(np.abs(a - b) / a))
    assert measured("eigenvalues", rows, other)["value"] == pytest.approx(expected, rel=1e-6)
    u, v = (np.diag(np.linalg.inv(matrix)) for matrix in (ours, theirs))
    loss = np.linalg.norm(u / np.linalg.norm(u) - v / np.linalg.norm(v)) / sqrt(2)
    found = measured("correlation-loss", rows, other)["value"]
    assert found == pytest.approx(float(loss), rel=1e-5, abs=1e-7)


def test_attributes_that_determine_each_other_have_no_inverse() -> None:
    rows = [[1, 2, 3], [2, 1, 3], [4, 8, 12], [5, 9, 14]]
    for name in ("eigenvalues", "correlation-loss"):
        with pytest.raises(UndefinedMeasure, match=name):
            measured(name, rows, rows)
    found = refagg.measure(rows, rows, measures="all")["measures"]
    assert "determine each other" in found["eigenvalues"]["undefined"]


@pytest.mark.parametrize("name", ["il1s", "eigenvalues", "correlation-loss"])
def test_a_constant_attribute_is_an_error(name: str) -> None:
    with pytest.raises(UndefinedMeasure, match="constant"):
        measured(name, [[1, 7], [2, 7], [4, 7]], [[1, 7], [2, 7], [4, 7]])


def test_the_loss_of_variables_by_hand() -> None:
    kinds = {"level": "ordinal:a<b<c", "job": "nominal", "age": "numeric"}
    original = {"level": ["a", "b"], "job": ["x", "y"], "age": [1, 3]}
    released = {"level": ["c", "b"], "job": ["x", "x"], "age": [2, 3]}
    found = measured("il-variables", original, released, kinds=kinds)["value"]
    # 2/2 + 0, 0 + 1, (2/pi) atan 1 = 1/2
    assert found == pytest.approx((1 + 1 + 2 / pi * atan(1)) / 6)


def test_pmse_of_one_attribute_of_two_values() -> None:
    # of the zeros 1 in 4 is released, of the ones 3 in 4
    found = measured("pmse", [[0], [0], [0], [1]], [[0], [1], [1], [1]])
    assert found["value"] == pytest.approx(1 / 16, rel=1e-9)


@pytest.mark.parametrize("digits", [0, 12, 300])
def test_pmse_is_that_of_differences(digits: int) -> None:
    """All that is released is greater than all that was: p is 0 and 1."""
    x = [[Fraction(x, 10) + 10**digits] for x in (1, 2, 9, 17)]
    y = [[value + 50] for [value] in x]
    assert measured("pmse", x, y)["value"] == pytest.approx(1 / 4)
    assert measured("pmse-squares", x, y)["value"] == pytest.approx(1 / 4)


def test_one_to_one_linkage_says_that_it_is_not_of_sequences() -> None:
    rows = {"d": ["p>q", "p", "q", "q>p"]}
    found = refagg.measure(rows, rows, measures="all", kinds={"d": "sequence:>"})["measures"]
    assert "of numbers and categories" in found["one-to-one-linkage"]["undefined"]


def test_pmse_is_0_where_means_are_kept() -> None:
    assert measured("pmse")["value"] == pytest.approx(0, abs=1e-20)
    assert measured("pmse-squares")["value"] > 0.001


def test_pmse_as_scipy_has_it() -> None:
    draw = np.random.default_rng(5)
    x = draw.normal(size=(40, 2))
    y = x + draw.normal(0.3, 0.5, size=(40, 2))
    stacked = np.hstack([np.ones((80, 1)), np.vstack([x, y])])
    label = np.repeat([0, 1], 40)

    def cost(beta: Any) -> Any:
        return np.sum(np.logaddexp(0, stacked @ beta) - label * (stacked @ beta))

    beta = minimize(cost, np.zeros(3), tol=1e-12).x
    expected = np.mean((1 / (1 + np.exp(-stacked @ beta)) - 0.5) ** 2)
    assert measured("pmse", x, y)["value"] == pytest.approx(float(expected), rel=1e-5)


def test_pmse_of_records_that_can_be_told_apart_is_the_greatest() -> None:
    found = measured("pmse", [[1, 5], [2, 3], [3, 4]], [[11, 5], [12, 3], [13, 4]])
    assert found["value"] == pytest.approx(1 / 4, rel=1e-8)


def test_intervals_by_hand() -> None:
    # By the original: s^2 = 10000/3 and 10 % of it are 5.77; differences 1, 2, 3, 4 against p %:
    # 1 <= 2 % = 1.15, 2 <= 4 %, 3 <= 6 %, 4 <= 7 % = 4.04: 9 + 7 + 5 + 4 of 40.
    original, released = [[0], [0], [100], [100]], [[1], [2], [97], [96]]
    found = measured("interval-original", original, released)
    assert found["value"]["exact"] == "5/8"
    assert found["at_10_percent"]["exact"] == "1"
    # By the release: its s is 54.87 and 5 % of it are 2.74.
    assert measured("interval-released", original, released)["value"]["exact"] == "1/2"
    # A value between the records has the rank 2.5, half of the file: never within 10 %.
    assert measured("interval-ranks", original, [[50]] * 4)["value"]["exact"] == "0"
    assert measured("interval-ranks", original, original)["value"]["exact"] == "1"


def test_a_record_is_disclosed_only_where_all_its_numbers_are() -> None:
    original, released = [[0, 0], [100, 100]], [[0, 50], [100, 100]]
    assert measured("interval-released", original, released)["value"]["exact"] == "1/2"


costs = st.integers(1, 3).flatmap(
    lambda width: st.tuples(
        st.lists(st.integers(1, 3), min_size=width, max_size=width),
        st.lists(st.lists(st.integers(0, 5), min_size=width, max_size=width), max_size=6),
    )
)


@settings(deadline=None)
@given(costs)
def test_an_assignment_costs_least(case: tuple[list[int], list[list[int]]]) -> None:
    places, rows = case
    rows = rows[: sum(places)]
    found = cheapest_assignment(rows, places)
    assert all(found.count(column) <= room for column, room in enumerate(places))
    seats = [column for column, room in enumerate(places) for _ in range(room)]
    least = min(
        sum(row[seat] for row, seat in zip(rows, chosen, strict=True))
        for chosen in permutations(seats, len(rows))
    )
    assert sum(row[column] for row, column in zip(rows, found, strict=True)) == least


def test_an_assignment_of_floats_as_scipy_has_it() -> None:
    matrix = np.random.default_rng(2).random((60, 60))
    found = cheapest_assignment(matrix.tolist(), [1] * 60)
    least = matrix[linear_sum_assignment(matrix)].sum()
    assert matrix[range(60), found].sum() == pytest.approx(least, rel=1e-12)


def test_linkage_one_to_one_by_hand() -> None:
    # 0 and 10 are both nearest to 1; together only one of them can be: 0-1 and 10-30 cost 21,
    # the other way round 39.
    assert measured("one-to-one-linkage", [[0], [10]], [[1], [30]])["value"]["exact"] == "1"
    assert measured("one-to-one-linkage", [[0], [10]], [[30], [1]])["value"]["exact"] == "0"
    # Within groups of m records each is right with 1/m.
    groups = [[0], [1], [2], [50], [51]], [[1]] * 3 + [[50]] * 2
    assert measured("one-to-one-linkage", *groups)["value"]["exact"] == "2/5"


def test_linkage_one_to_one_of_categories_is_by_gower() -> None:
    kinds = {"job": "nominal", "age": "numeric"}
    original = {"job": ["x", "x", "y"], "age": [0, 10, 4]}
    released = {"job": ["x", "y", "x"], "age": [0, 10, 6]}
    # 1-1 and 2-2 cost 1/2 + (1/2)(1 + 2/10); 1-2 and 2-1 (1/2)(4/10) + (1/2)(6/10): less
    found = measured("one-to-one-linkage", original, released, kinds=kinds)
    assert found["value"]["exact"] == "1/3"


def test_probabilistic_linkage_finds_records_that_agree() -> None:
    rows = [[10 * (i % 5), 10 * (i // 5)] for i in range(25)]
    assert measured("probabilistic-linkage", rows, rows)["value"]["exact"] == "1"
    turned = [*rows[1:], rows[0]]
    assert measured("probabilistic-linkage", rows, turned)["value"]["exact"] == "0"
    assert measured("probabilistic-linkage", rows, [[20, 20]] * 25)["value"]["exact"] == "1/25"


def test_the_command_writes_what_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n2,1\n4,8\n5,9\n")
    (tmp_path / "b.csv").write_text("x,y\n1.5,1.5\n1.5,1.5\n4.5,8\n4.5,9\n")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    report = tmp_path / "r.json"
    assert main(["measure", *files, "--measures", "il1,pmse", "--json", str(report)]) == 0
    assert "il1 (sum of 100 |x - y| / |x|): 172.5 (mean 21.5625" in capsys.readouterr().out
    assert json.loads(report.read_text())["measures"]["il1"]["value"]["exact"] == "345/2"
    assert main(["measure", *files, "--measures", "il2"]) == 2
    assert "there is no measure 'il2'; did you mean il1" in capsys.readouterr().err
    assert main(["measure", *files, "--measures", "all"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name} (" in out for name in ("il1s", "probabilistic-linkage"))


def test_unknown_measures_are_an_error() -> None:
    with pytest.raises(InvalidParameter, match="give a list of names, or 'all'"):
        refagg.measure(X, Y, measures="il1")  # type: ignore[arg-type]
    assert "measures" not in refagg.measure(X, Y)


def test_long_measures_are_left_out_of_all() -> None:
    rows = [[i * i] for i in range(2001)]
    found = refagg.measure(rows, rows, measures="all")["measures"]
    assert "unless named" in found["one-to-one-linkage"]["undefined"]


def interrupt(*_: object) -> Any:
    raise KeyboardInterrupt


def test_an_interrupted_command_keeps_the_measures_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measures = dict(measuring.MEASURES)
    later = replace(measures["eigenvalues"], compute=interrupt)
    monkeypatch.setattr(measuring, "MEASURES", measures | {"eigenvalues": later})
    monkeypatch.chdir(tmp_path)
    for name, rows in (("x.csv", X), ("y.csv", Y)):
        lines = [",".join(str(float(x)) for x in row) for row in rows]
        Path(name).write_text("\n".join(["a,b", *lines, ""]))
    wanted = ["--measures", "il1,eigenvalues,il1s", "--json", "m.json"]
    assert main(["measure", "x.csv", "y.csv", *wanted]) == 130
    said = capsys.readouterr()
    assert "il1 (sum of 100 |x - y| / |x|): 172.5" in said.out
    assert "il1s" not in said.out
    assert "this is the result so far" in said.err
    assert list(json.loads(Path("m.json").read_text())["measures"]) == ["il1"]
    with pytest.raises(KeyboardInterrupt):
        measured("eigenvalues")
    assert oracle.audit([[1], [2]], [[1.5], [1.5]], 2, algorithm="mdav").ok  # not interrupted
