"""Gower's distance: its definition written down once more, algorithms in it, and their audits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import refagg
from refagg.commands.main import main
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import InvalidParameter, UnsupportedArithmetic
from refagg.spaces.of_tables import space_of

KINDS = {"job": "nominal", "level": "ordinal:low<mid<high", "age": "numeric"}


def records(draw: Any) -> dict[str, list[Any]]:
    n = draw(st.integers(2, 12))
    return {
        "job": draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n)),
        "age": draw(st.lists(st.integers(0, 40), min_size=n, max_size=n)),
        "level": draw(st.lists(st.sampled_from(["low", "mid", "high"]), min_size=n, max_size=n)),
    }


tables = st.composite(records)()


def by_hand(rows: dict[str, list[Any]], a: int, b: int, weights: dict[str, int]) -> Fraction:
    """The weighted mean of |x - y| / range, |places| / 2 and 0 or 1."""
    places = ["low", "mid", "high"]
    span = max(rows["age"]) - min(rows["age"])
    parts = {
        "job": Fraction(rows["job"][a] != rows["job"][b]),
        "level": Fraction(abs(places.index(rows["level"][a]) - places.index(rows["level"][b])), 2),
    }
    if span:
        parts["age"] = Fraction(abs(rows["age"][a] - rows["age"][b]), span)
    return sum(weights[name] * part for name, part in parts.items()) / Fraction(
        sum(weights[name] for name in parts)
    )


@settings(deadline=None)
@given(tables, st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)))
def test_distances_are_those_of_the_definition(
    rows: dict[str, list[Any]], given_weights: tuple[int, int, int]
) -> None:
    weights = dict(zip(KINDS, given_weights, strict=True))
    scaled = standardise(table_of(rows, kinds=KINDS), "range", weights=weights)
    space = space_of(scaled, "gower")
    for a in range(space.n):
        expected = [by_hand(rows, a, b, weights) for b in range(space.n)]
        assert [space.between(a, b) for b in range(space.n)] == expected
        assert [space.shown(raw) for raw in space.raw(a, range(space.n))] == expected


def test_distances_from_a_centroid_by_hand() -> None:
    rows = {"job": ["x", "x", "y"], "age": [0, 10, 20], "level": ["low", "high", "high"]}
    space = space_of(standardise(table_of(rows, kinds=KINDS), "range"), "gower")
    # mean 5; lower median low; x: from record 2 they are 15/20, 2/2 and 1
    assert space.squared(space.centroid([0, 1]), 2) == Fraction(15, 20) / 3 + Fraction(2, 3)


def test_in_strata_the_range_is_that_of_the_whole_file() -> None:
    rows = {"job": ["x", "y", "x", "y"], "age": [0, 1, 99, 100], "level": ["low"] * 4}
    scaled = standardise(table_of(rows, kinds=KINDS), "range").take([0, 1])
    assert space_of(scaled, "gower").between(0, 1) == (Fraction(1, 100) + 1) / 3


ALGORITHMS: list[tuple[str, dict[str, Any]]] = [
    ("kshc", {}),
    ("mstp", {}),
    ("hac", {"linkage": "complete"}),
    ("mdav", {}),
    ("mdav-single", {}),
    ("v-mdav", {}),
    ("cbfs", {}),
]


@pytest.mark.parametrize(("name", "parameters"), ALGORITHMS)
def test_releases_are_audited(name: str, parameters: dict[str, Any]) -> None:
    rows = {
        "job": list("xxyyzzxyxz"),
        "age": [21, 35, 34, 60, 58, 20, 22, 61, 40, 41],
        "level": ["low", "mid", "mid", "high", "high", "low", "low", "high", "mid", "mid"],
    }
    made = refagg.microaggregate(
        rows, 2, name, kinds=KINDS, dissimilarity="gower", parameters=parameters
    )
    released = made.to_frame(exact=True)
    how: dict[str, Any] = {"algorithm": name, "kinds": KINDS, "dissimilarity": "gower"}
    found = oracle.audit(rows, released, 2, parameters=parameters, **how)
    assert found.ok, str(found)
    swapped = [1, 0, *range(2, 10)]
    groups = [[swapped[r] for r in group] for group in made.partition.groups]
    table = made.original
    spoilt = refagg.release.aggregates.aggregated_table(  # type: ignore[attr-defined]
        table, refagg.Partition.of(groups, 10), made.method.operators()
    )
    if {frozenset(g) for g in groups} != {frozenset(g) for g in made.partition.groups}:
        other = oracle.audit(table, spoilt, 2, parameters=parameters, **how)
        assert other.checks[-1].status == "fails"


def test_groups_differ_from_those_of_squares() -> None:
    """By hand, on numbers: 0 and (1/2, 1/2) are 1/2 apart, 0 and (0, 9/10) are 9/20."""
    rows = [[0, 0], [5, 5], [0, 9], [10, 10], [10, 10], [9, 10]]
    space = space_of(standardise(table_of(rows), "range"), "gower")
    assert (space.between(0, 1), space.between(0, 2)) == (Fraction(1, 2), Fraction(9, 20))
    squares = space_of(standardise(table_of(rows), "range"))
    assert squares.between(0, 1) < squares.between(0, 2)


def test_what_it_is_not_defined_for() -> None:
    rows = {"job": ["x", "y", "x"], "route": ["a>b", "b", "a"]}
    kinds = {"job": "nominal", "route": "sequence:>"}
    with pytest.raises(InvalidParameter, match="'route' holds sequences"):
        refagg.microaggregate(rows, 2, "kshc", kinds=kinds, dissimilarity="gower")
    with pytest.raises(InvalidParameter, match="choose range"):
        refagg.microaggregate([[1], [2]], 2, kinds={}, dissimilarity="gower")
    with pytest.raises(UnsupportedArithmetic, match="distances are Gower's"):
        refagg.microaggregate(
            [[1], [2]], 2, kinds={}, dissimilarity="gower", standardise="range", arithmetic="float"
        )


def test_in_commands(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_text("job,age\nx,20\nx,25\ny,60\ny,50\nx,30\n", encoding="utf-8")
    how = ["--kind", "job=nominal", "--kind", "age=numeric", "--dissimilarity", "gower"]
    mask = ["mask", str(source), "-o", str(out), "-k", "2", "--algorithm", "mstp", *how]
    assert main(mask) == 0
    # The only groups that are near: {0, 1, 4} and {2, 3}
    assert out.read_text(encoding="utf-8") == "job,age\nx,25\nx,25\ny,55\ny,55\nx,25\n"
    assert main(["measure", str(source), str(out), *how]) == 0
    # Gower's within: job 0; age (5 + 10 + 5) / 40 / 3 and 10 / 40 / 2, each halved
    assert "dissimilarity within groups 0.1458333333" in capsys.readouterr().out
