"""`refagg.fuzzy_c_means`: the tables of its source, units and names of the caller, refusals."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from math import dist, exp
from typing import Any

import pytest

import refagg
from refagg.datasets import load, shipped_folder
from refagg.errors import (
    InconsistentConstraints,
    InvalidParameter,
    ShapeMismatch,
    UnknownColumn,
)

CONSTRAINT = "1.16*v1 + 1.07*v2 = v3"
SLIPS = {"net": [6, 7, 30, 31], "tax": [2, 2, 9, 9], "gross": [8, 9, 39, 41]}


def blocks(table: str) -> list[dict[str, Any]]:
    """The blocks of one table of the source, as the printed numbers have them."""
    text = (shipped_folder() / "printed" / "12-tor.json").read_text(encoding="utf-8")
    return [
        block for block in json.loads(text)["blocks"] if block.get("place", "").startswith(table)
    ]


def frame(name: str) -> dict[str, list[Fraction]]:
    table = load(name)
    return {c.name: list(c.values(range(table.n))) for c in table.columns}


@pytest.mark.parametrize("block", [b for b in blocks("Table 3") if b.get("measure") == "centre"])
def test_three_lines_give_the_cells_of_table_3(block: dict[str, Any]) -> None:
    """One iteration from a start; data and cells are printed with five decimals."""
    rows, of = frame(block["recipe"]["dataset"]), block["of"]
    start = of["start"]
    equations = [of["constraint"]] if "constraint" in of else []
    made = refagg.fuzzy_c_means(
        rows, centres=start, m=of["m"], constraints=equations, standardise="none", limit=1
    )
    centres = list(zip(*made.centres.values(), strict=True))
    for cell in block["cells"].values():
        ours = centres[cell["of"]["centre"] - 1][cell["of"]["attribute"] - 1]
        assert abs(ours - float(cell["printed"])) < 6e-6, cell
    assert not equations or made.violations[CONSTRAINT] < 1e-12 * 400


def test_table_1_meets_its_constraint_to_two_decimals() -> None:
    rows = frame("tor-table1")
    made = refagg.fuzzy_c_means(rows, 4, seed=1, constraints=[CONSTRAINT], standardise="none")
    for v1, v2, v3 in zip(*made.centres.values(), strict=True):
        assert abs(1.16 * v1 + 1.07 * v2 - v3) < 1e-10


@pytest.mark.parametrize(
    ("given", "weight"),
    [
        ({"kind": "fcm", "m": 1.5}, lambda d: d ** (-2 / 0.5)),
        ({"kind": "fcm"}, lambda d: d**-2),
        ({"kind": "efcm", "lam": 0.01}, lambda d: exp(-0.01 * d * d)),
    ],
)
def test_memberships_are_those_of_the_formula_at_the_centres(given: Any, weight: Any) -> None:
    rows = frame("tor-table2")
    made = refagg.fuzzy_c_means(rows, 3, seed=2, standardise="none", **given)
    points = list(zip(*([float(x) for x in column] for column in rows.values()), strict=True))
    centres = list(zip(*made.centres.values(), strict=True))
    members = list(zip(*made.memberships.values(), strict=True))
    for point, of_record in zip(points, members, strict=True):
        own = [weight(dist(point, centre)) for centre in centres]
        assert of_record == pytest.approx([x / sum(own) for x in own], rel=1e-9)
    assert made.converged
    assert all(
        b <= a * (1 + 1e-12) for a, b in zip(made.objectives, made.objectives[1:], strict=False)
    )
    assert len(made.objectives) == made.iterations + 1
    assert made.assignment == tuple(row.index(max(row)) for row in members)


def test_centres_are_matched_by_name_or_by_place() -> None:
    by_place = refagg.fuzzy_c_means(SLIPS, centres=[[6, 2, 8], [30, 9, 39]], kind="crisp")
    other_order = {"gross": [8, 39], "net": [6, 30], "tax": [2, 9]}
    assert refagg.fuzzy_c_means(SLIPS, centres=other_order, kind="crisp") == by_place


def test_units_are_the_callers_whatever_the_scale() -> None:
    """Standardised or not, two far groups have their means; by hand."""
    for scale in ("none", "population", "sample"):
        made = refagg.fuzzy_c_means(SLIPS, 2, seed=3, kind="crisp", standardise=scale)
        assert sorted(made.centres["net"]) == pytest.approx([6.5, 30.5])
        assert sorted(made.centres["gross"]) == pytest.approx([8.5, 40])


def test_a_frame_in_a_frame_out() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = [list(row) for row in zip(*SLIPS.values(), strict=True)]
    of_rows = refagg.fuzzy_c_means(rows, 2, seed=3)
    assert [len(row) for row in of_rows.centres] == [3, 3]
    for library in (pandas, polars):
        made = refagg.fuzzy_c_means(library.DataFrame(SLIPS), 2, seed=3, trace=True)
        assert isinstance(made.centres, library.DataFrame)
        assert list(made.centres.columns) == list(SLIPS)
        assert list(made.memberships.columns) == ["centre 0", "centre 1"]
        assert made.memberships.shape == (4, 2)
        assert list(made.centres["net"]) == [row[0] for row in of_rows.centres]
    array = refagg.fuzzy_c_means(pandas.DataFrame(SLIPS).to_numpy(), 2, seed=3)
    assert array.centres.shape == (2, 3)
    index = ["r", "q", "p", "o"]
    named = refagg.fuzzy_c_means(pandas.DataFrame(SLIPS, index=index), 2, seed=3)
    assert list(named.memberships.index) == index
    assert list(named.centres.index) == [0, 1]


def test_the_steps_of_a_run_are_told_and_played() -> None:
    """By hand: from 0 and 12 the means 1 and 11 follow, and J falls from 8 to 4."""
    given = {"centres": [[0], [12]], "kind": "crisp", "standardise": "none"}
    made = refagg.fuzzy_c_means([[0], [2], [10], [12]], **given, trace=True)
    assert str(made.trace).splitlines() == [
        "The centres start at (0) and (12); the objective J is 8.",
        "Iteration 1: the centres move to (1) and (11); the objective J falls by 4 to 4.",
        "Iteration 2: the centres move to (1) and (11); the objective J is 4.",
    ]
    assert [event.value for event in made.trace] == list(made.objectives)
    assert refagg.fuzzy_c_means([[0], [2], [10], [12]], **given).trace == ()
    drawn = refagg.fuzzy_c_means(SLIPS, 2, seed=3, trace=True).trace
    assert str(drawn).startswith("Records ")
    assert len(drawn) == 2 + refagg.fuzzy_c_means(SLIPS, 2, seed=3).iterations
    again = pickle.loads(pickle.dumps(drawn))
    assert again._repr_html_() == drawn._repr_html_()


@pytest.mark.parametrize("given", [{}, {"kind": "efcm", "lam": 0.5}, {"kind": "crisp"}])
def test_the_player_shows_the_centres_and_memberships_of_the_run(given: dict[str, Any]) -> None:
    rule = ["net + tax = gross"]
    made = refagg.fuzzy_c_means(SLIPS, 2, seed=3, constraints=rule, trace=True, **given)
    page = made.trace._repr_html_()
    data = json.loads(page.partition('<script type="application/json">')[2].partition("<")[0])
    frames = data["runs"][0]["frames"]
    centres = [frame["c"] for frame in frames if "c" in frame][-1]
    shares = [frame["u"] for frame in frames if "u" in frame][-1]
    for place, name in enumerate(SLIPS):
        assert [centre[place] for centre in centres] == pytest.approx(made.centres[name])
    members = zip(*made.memberships.values(), strict=True)
    assert shares == [pytest.approx(list(row), abs=6e-4) for row in members]
    assert not any("g" in frame for frame in frames)  # nothing is drawn, there are no groups


def test_a_repr_is_short_and_shows_no_record() -> None:
    made = refagg.fuzzy_c_means(load("tor-table1"), 4, seed=1, constraints=[CONSTRAINT])
    assert len(repr(made)) <= 300
    assert "4 centres of 12 records" in repr(made)
    assert "constraints met up to" in repr(made)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, InvalidParameter, "give the number of centres"),
        ({"c": 2, "centres": SLIPS}, InvalidParameter, "give the number of centres"),
        ({"c": 2}, InvalidParameter, "give a seed"),
        ({"centres": SLIPS, "seed": 1}, InvalidParameter, "centres are given"),
        ({"centres": {"net": [1], "tax": [1]}}, ShapeMismatch, "the table has net, tax, gross"),
        ({"c": 9, "seed": 1}, InvalidParameter, "at most the 4 rows"),
        ({"c": 2, "seed": 1, "m": 1}, InvalidParameter, "greater than 1"),
        ({"c": 2, "seed": 1, "kind": "efcm", "m": 2}, InvalidParameter, "no m"),
        ({"c": 2, "seed": 1, "kind": "hard"}, InvalidParameter, "fcm, efcm, crisp"),
        ({"c": 2, "seed": 1, "constraints": ["net = cost"]}, UnknownColumn, "cost"),
        (
            {"c": 2, "seed": 1, "constraints": ["net = 1", "net = 2"]},
            InconsistentConstraints,
            "no values meet",
        ),
    ],
)
def test_what_is_refused(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        refagg.fuzzy_c_means(SLIPS, **given)


# refagg.fuzzy


def test_fuzzy_gives_centres_memberships_and_sizes_in_the_callers_units() -> None:
    """Crisp: centres are the means of net, tax and gross, each pair of records its own."""
    made = refagg.fuzzy(SLIPS, 2, seed=1, c=2, m1=1, m2=1, standardise="none")
    centres = sorted(zip(*made.centres.values(), strict=True))
    assert centres == [pytest.approx((6.5, 2, 8.5)), pytest.approx((30.5, 9, 40))]
    assert list(made.centres) == list(SLIPS)
    assert {made.assignment[0], made.assignment[1]} != {made.assignment[2], made.assignment[3]}
    assert sorted(made.groups) == [(0, 1), (2, 3)]
    assert made.expected_sizes == (2, 2)
    assert all(
        row == [i == at for i in range(2)]
        for row, at in zip(
            map(list, zip(*made.memberships.values(), strict=True)), made.assignment, strict=True
        )
    )
    assert not hasattr(made, "origin")


def test_fuzzy_takes_constraints_and_its_repr_is_short() -> None:
    """The nearest point of net + tax = gross to (30.5, 9, 40) is half a third away."""
    rule = "net + tax = gross"
    made = refagg.fuzzy(SLIPS, 2, seed=1, c=2, m1=1, m2=1, standardise="none", constraints=[rule])
    net, tax, gross = max(zip(*made.centres.values(), strict=True))
    away = (40 - 30.5 - 9) / 3
    assert (net, tax, gross) == pytest.approx((30.5 + away, 9 + away, 40 - away))
    assert made.violations[rule] < 1e-12
    many = refagg.fuzzy({"net": list(range(900))}, 3, seed=1, limit=2)
    assert max(len(repr(many)), len(repr(made))) <= 300


def test_fuzzy_is_what_microaggregate_releases() -> None:
    rule = ["net + tax = gross"]
    made = refagg.fuzzy(SLIPS, 2, seed=3, constraints=rule)
    release = refagg.microaggregate(SLIPS, 2, "fuzzy", seed=3, constraints=rule)
    released = release.values()
    for name, column in made.centres.items():
        assert [column[at] for at in made.assignment] == pytest.approx(released[name], rel=1e-12)


def test_a_frame_in_is_a_frame_out() -> None:
    pandas = pytest.importorskip("pandas")
    made = refagg.fuzzy(pandas.DataFrame(SLIPS), 2, seed=1)
    assert list(made.centres.columns) == list(SLIPS)
    assert list(made.memberships.sum(axis=1)) == pytest.approx([1] * 4)
    with pytest.raises(UnknownColumn):
        refagg.fuzzy(SLIPS, 2, seed=1, constraints=["net = rent"])
