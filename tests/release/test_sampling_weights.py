"""Means weighted by sampling weights: what is released, what is lost, and how it is judged."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oracle
import refagg
from oracle.commands.main import main as oracle_main
from refagg.commands.main import main
from refagg.errors import InvalidParameter, ShapeMismatch

ROWS = [[1, 0], [4, 0], [10, 6], [12, 2]]
WEIGHTS = [2, 1, 1, Fraction(1, 2)]


def test_by_hand() -> None:
    made = refagg.microaggregate(ROWS, 2, sampling_weights=WEIGHTS, standardise="none")
    # (2 1 + 4) / 3; (10 + 12/2) / 1.5 and (6 + 2/2) / 1.5
    assert made.partition.groups == ((0, 1), (2, 3))
    assert made.to_frame(exact=True) == [
        [2, 0],
        [2, 0],
        [Fraction(32, 3), Fraction(14, 3)],
        [Fraction(32, 3), Fraction(14, 3)],
    ]
    # 1 + 4; 4/9 + 16/9 + 16/9 + 64/9
    assert made.sse == 5 + Fraction(100, 9)
    assert made.report()["sampling_weights"] is True
    assert "sampling_weights" not in refagg.microaggregate(ROWS, 2).report()


def test_groups_are_those_without_weights_and_values_as_numpy_has_them() -> None:
    draw = np.random.default_rng(4)
    rows, weights = draw.normal(size=(30, 3)), draw.integers(1, 9, 30)
    strata = ["a"] * 14 + ["b"] * 16
    plain = refagg.microaggregate(rows, 3, strata=strata)
    made = refagg.microaggregate(rows, 3, strata=strata, sampling_weights=weights)
    assert made.partition == plain.partition
    for group in made.partition.groups:
        means = np.average(rows[list(group)], axis=0, weights=weights[list(group)])
        assert made.to_frame()[list(group)] == pytest.approx(np.tile(means, (len(group), 1)))


def test_equal_weights_are_none() -> None:
    for weights in ([1] * 4, ["0.1"] * 4):
        made = refagg.microaggregate(ROWS, 2, sampling_weights=weights)
        assert made.released == refagg.microaggregate(ROWS, 2).released


@pytest.mark.parametrize("name", ["mdav", "individual-ranking", "cbfs"])
def test_audits_in_both_directions(name: str) -> None:
    draw, seen = random.Random(6), Counter[str]()
    for _ in range(40):
        n = draw.randint(6, 12)
        rows = [[draw.randint(0, 90), draw.randint(0, 90)] for _ in range(n)]
        weights = [draw.randint(1, 5) for _ in range(n)]
        made = refagg.microaggregate(rows, 2, name, sampling_weights=weights)
        how: dict[str, Any] = {"algorithm": name, "sampling_weights": weights}
        how["anonymity"] = "each-block" if name == "individual-ranking" else "joint"
        right = oracle.audit(rows, made.to_frame(), 2, **how)
        assert right.ok, str(right)
        assert right.facts["sse"]["decimal"] == pytest.approx(float(made.sse))
        other = list(weights)
        group = made.blocks[0].partition.groups[0]
        column = made.original.columns[0]
        values = {column[record] for record in group}
        other[group[0]] += 1
        if len(values) > 1 and sum(column[r] for r in group) != len(group) * column[group[0]]:
            found = oracle.audit(rows, made.to_frame(), 2, **{**how, "sampling_weights": other})
            status = {c.name: c.status for c in found.checks}["aggregates"]
            seen[status] += 1
        plain = refagg.microaggregate(rows, 2, name)
        if plain.released != made.released:
            assert not oracle.audit(rows, plain.to_frame(), 2, **how).ok
    assert set(seen) <= {"fails", "holds"}
    assert seen["fails"] > 20


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text("x,y,w\n1,0,2\n4,0,1\n10,6,1\n12,2,0.5\n", encoding="utf-8")
    how = ["-k", "2", "--algorithm", "mdav", "--standardise", "none"]
    assert main(["mask", str(source), "-o", str(out), *how, "--sampling-weights", "w"]) == 0
    assert out.read_text(encoding="utf-8").splitlines()[1:3] == ["2,0,2", "2,0,1"]
    audit = ["audit", str(source), str(out), *how]
    assert oracle_main([*audit, "--sampling-weights", "w"]) == 0
    assert "weighted mean" in capsys.readouterr().out
    assert oracle_main([*audit, "--confidential", "w"]) == 1
    twice = ["--columns", "x,w", "--sampling-weights", "w"]
    assert main(["mask", str(source), "-o", str(out), *how, *twice]) == 2
    assert "'w' is a quasi-identifier and the sampling weights at once" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("weights", "how", "said"),
    [
        ([1, 2, 0, 1], {}, "record 2 is 0; it must be greater than 0"),
        ([1, 2, "x", 1], {}, "record 2: 'x' is not a number"),
        ([1] * 4, {"aggregate": "median"}, "the aggregate is median"),
        ([1] * 4, {"constraints": ["x1 = x2"]}, "moved to meet constraints"),
        ([1] * 4, {"significant_digits": 3}, "significant digits is 3"),
        ([1] * 4, {"algorithm": "gaussian-noise", "seed": 1}, "gaussian-noise forms no groups"),
        ([1] * 4, {"kinds": {"x1": "nominal"}}, "'x1' is nominal"),
    ],
)
def test_what_cannot_be_weighted(weights: Any, how: Any, said: str) -> None:
    k = 1 if "algorithm" in how else 2
    rows: Any = {"x1": ["a", "b", "a", "b"], "x2": [1, 2, 3, 4]} if "kinds" in how else ROWS
    with pytest.raises(InvalidParameter, match=said):
        refagg.microaggregate(rows, k, **how, sampling_weights=weights)


def test_weights_of_other_records() -> None:
    with pytest.raises(ShapeMismatch, match="3 sampling weights for 4 records"):
        refagg.microaggregate(ROWS, 2, sampling_weights=[1, 2, 3])
