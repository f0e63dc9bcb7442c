"""Projection, individual ranking and blocks in file order, by hand and against other programs."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted.mutants import planted_by
from planted.planting import changed_module
from strategies import few_values, many_values

import refagg.commands.main
from oracle.replay.explore import all_partitions
from refagg import exact_space, float_space, microaggregate, specification
from refagg.errors import InvalidParameter, NotUnivariate, UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.specification import Specification
from refagg.language.ties import HIGHEST, LOWEST, TieBreaker
from refagg.linear_algebra.eigen import eigenpairs

Rows = list[tuple[Any, ...]]

PROJECTION = specification("projection")
RANKING = specification("individual-ranking")
BLOCKS = specification("blocks-in-file-order")


def groups_of(
    spec: Specification, space: Any, k: int, tie_breaker: TieBreaker = LOWEST, **given: Any
) -> Any:
    return spec.run(space, k, Choices(tie_breaker), **spec.settings(given)).groups


# Eigenvectors


def symmetric(p: int) -> st.SearchStrategy[list[list[float]]]:
    def of(upper: list[int]) -> list[list[float]]:
        entry = iter(upper)
        matrix = [[0.0] * p for _ in range(p)]
        for i in range(p):
            for j in range(i, p):
                matrix[i][j] = matrix[j][i] = float(next(entry))
        return matrix

    size = p * (p + 1) // 2
    return st.lists(st.one_of(few_values, many_values), min_size=size, max_size=size).map(of)


@given(st.integers(1, 6).flatmap(symmetric))
def test_eigenpairs_are_those_of_numpy_and_solve_the_equation(matrix: list[list[float]]) -> None:
    pairs, p = eigenpairs(matrix), len(matrix)
    size = max(abs(x) for row in matrix for x in row) or 1.0
    expected = sorted(numpy.linalg.eigvalsh(numpy.array(matrix)), reverse=True)
    assert numpy.allclose([value for value, _ in pairs], expected, rtol=0, atol=1e-12 * size)
    vectors = numpy.array([vector for _, vector in pairs])
    assert numpy.allclose(vectors @ vectors.T, numpy.eye(p), atol=1e-12)
    for value, vector in pairs:
        assert numpy.allclose(
            numpy.array(matrix) @ vector, value * numpy.array(vector), rtol=0, atol=1e-11 * size
        )


def test_eigenpairs_by_hand() -> None:
    # 2 + 1 along (1, 1), 2 - 1 along (1, -1).
    (three, along), (one, across) = eigenpairs([[2.0, 1.0], [1.0, 2.0]])
    assert math.isclose(three, 3)
    assert math.isclose(one, 1)
    assert math.isclose(along[0], along[1])
    assert math.isclose(across[0], -across[1])


def test_a_rotation_that_turns_only_one_way_is_caught() -> None:
    [planted] = planted_by("tests/algorithms/test_projection.py")
    module: Any = changed_module(planted.module, planted.change)
    pairs = module.eigenpairs([[2.0, 1.0], [1.0, 1.0]])
    # The right ones are (3 +- sqrt 5) / 2.
    assert not math.isclose(pairs[0][0], (3 + math.sqrt(5)) / 2)


# Projection


def test_the_first_component_of_a_line() -> None:
    """Records on a line, in an order of their own, and a little noise across it."""
    rows = [(3, 6), (0, 0), (5, 10), (1, 2), (4, 8), (2, 4)]
    for tie_breaker in (LOWEST, HIGHEST):
        assert groups_of(PROJECTION, float_space(rows), 2, tie_breaker) == ((0, 5), (1, 3), (2, 4))


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        ([1, 2, 3, 4], False),  # one group
        ([1, 2, 3, 4, 5, 6], False),  # no rest
        ([1, 2, 3, 4, 5, 6, 7], True),
        ([1, 1, 1, 1, 1, 1, 1], False),  # one end
    ],
)
def test_which_end_is_first_is_asked_where_it_can_matter(values: list[int], asked: bool) -> None:
    choices = Choices(trace=[])
    space = exact_space([[value] for value in values])
    RANKING.run(space, 3, choices, **RANKING.settings({"order": "either"}))
    ends = [event.tied for event in choices.trace or () if event.name == "end"]
    assert ends == ([2] if asked else [])


def test_the_rest_can_be_at_either_end() -> None:
    space = float_space([(0, 0), (1, 2), (2, 4), (3, 6), (4, 8)])
    results = all_partitions(
        lambda choices: PROJECTION.run(space, 2, choices, **PROJECTION.settings({}))
    )
    assert {r.groups for r in results} == {((0, 1), (2, 3, 4)), ((0, 1, 2), (3, 4))}


@given(st.lists(st.tuples(many_values, many_values, many_values), min_size=2, max_size=14))
def test_the_sign_of_the_component_does_not_matter(rows: Rows) -> None:
    """With all values negated, every component has the other sign."""
    negated = [tuple(-x for x in row) for row in rows]
    for by in ("first-component", "sum-of-z-scores"):
        for k in range(2, min(4, len(rows)) + 1):
            there, back = (groups_of(PROJECTION, float_space(r), k, by=by) for r in (rows, negated))
            assert there == back


def test_with_equal_variances_the_direction_is_that_of_an_axis() -> None:
    # A square: both variances are equal, and both axes are as near as can be.
    square = [(0, 0), (0, 2), (2, 0), (2, 2)]
    space = float_space(square)
    results = all_partitions(
        lambda choices: PROJECTION.run(space, 2, choices, **PROJECTION.settings({}))
    )
    assert {r.groups for r in results} == {((0, 1), (2, 3)), ((0, 2), (1, 3))}
    choices = Choices(trace=[])
    PROJECTION.run(space, 2, choices, **PROJECTION.settings({}))
    assert choices.trace is not None
    assert [(e.items, e.tied) for e in choices.trace if e.name == "axis"] == [((0,), 2)]


def test_equal_records_have_no_direction_and_are_divided_as_ties_fall() -> None:
    space = float_space([(7, 7)] * 5)
    groups = groups_of(PROJECTION, space, 2)
    assert sorted(map(len, groups)) == [2, 3]


def test_the_sum_of_z_scores_does_not_depend_on_the_standardisation() -> None:
    # z-scores of the second column are ten times what its raw values would count for.
    rows = [(0, 0.0), (10, 0.1), (30, 0.0), (31, 0.9), (50, 0.2), (61, 1.0)]
    plain, scaled = (float_space(rows, how) for how in ("none", "population"))
    by = {"by": "sum-of-z-scores", "order": "ascending"}
    assert groups_of(PROJECTION, plain, 2, **by) == groups_of(PROJECTION, scaled, 2, **by)
    # By hand: the columns have the sizes 51.7 and 1.03 (roots of sums of squared differences),
    # so that the sums are, but for a constant, 0, 0.29, 0.58, 1.47, 1.16, 2.15.
    assert groups_of(PROJECTION, plain, 2, **by) == ((0, 1), (2, 4), (3, 5))


def test_by_an_attribute() -> None:
    rows = [(1, 9), (2, 1), (3, 5), (4, 8)]
    for space in (exact_space(rows), float_space(rows)):
        assert groups_of(PROJECTION, space, 2, by="attribute") == ((0, 1), (2, 3))
        assert groups_of(PROJECTION, space, 2, by="attribute", attribute=1) == ((0, 3), (1, 2))
        with pytest.raises(InvalidParameter, match="attribute is 2"):
            groups_of(PROJECTION, space, 2, by="attribute", attribute=2)


def test_a_component_has_no_order_and_is_irrational() -> None:
    with pytest.raises(InvalidParameter, match="no sign"):
        PROJECTION.settings({"order": "ascending"})
    with pytest.raises(UnsupportedArithmetic, match="irrational"):
        microaggregate([[1, 2], [3, 4]], 2, "projection", arithmetic="exact")
    with pytest.raises(InvalidParameter, match="attribute"):
        PROJECTION.settings({"attribute": -1})


def test_data_beyond_the_squares_of_floats() -> None:
    rows = [(1e300, 0.0), (2e300, 1e299), (9e300, 0.0), (8e300, 1e299)]
    tiny = [tuple(x / 1e300 / 1e300 for x in row) for row in rows]
    for by in ("first-component", "attribute"):
        for table in (rows, tiny):
            assert groups_of(PROJECTION, float_space(table), 2, by=by) == ((0, 1), (2, 3))


# Individual ranking


def test_the_rest_is_at_the_end_that_the_order_says() -> None:
    space = exact_space([(5,), (1,), (9,), (2,), (7,)])
    assert groups_of(RANKING, space, 2) == ((0, 2, 4), (1, 3))
    assert groups_of(RANKING, space, 2, order="descending") == ((0, 1, 3), (2, 4))
    either = RANKING.settings({"order": "either"})
    results = all_partitions(lambda choices: RANKING.run(space, 2, choices, **either))
    assert {r.groups for r in results} == {((0, 2, 4), (1, 3)), ((0, 1, 3), (2, 4))}


def test_equal_values_at_a_boundary_are_a_tie() -> None:
    # 1 is joined by one of the three 2s; the other two are with 3.
    space, settings = exact_space([(2,), (1,), (2,), (3,), (2,)]), RANKING.settings({})
    results = all_partitions(lambda choices: RANKING.run(space, 2, choices, **settings))
    assert {r.groups for r in results} == {
        ((0, 1), (2, 3, 4)),
        ((0, 3, 4), (1, 2)),
        ((0, 2, 3), (1, 4)),
    }


def test_a_table_is_ranked_attribute_by_attribute() -> None:
    # Means by hand: {1, 2} and {3, 4} in the first attribute; {10, 20} and {30, 40} in the second,
    # where the records are in another order.
    release = microaggregate([[1, 30], [2, 10], [3, 40], [4, 20]], 2, "individual-ranking")
    rows = [release.released.row(record) for record in range(4)]
    low, high = Fraction(3, 2), Fraction(7, 2)
    assert rows == [(low, 35), (low, 15), (high, 35), (high, 15)]
    assert [block.partition.groups for block in release.blocks] == [
        ((0, 1), (2, 3)),
        ((0, 2), (1, 3)),
    ]
    assert release.k_reached == 1
    with pytest.raises(NotUnivariate):
        microaggregate([[1, 30], [2, 10]], 2, "individual-ranking", blocks=[["x1", "x2"]])


def test_the_command_says_that_the_whole_is_not_k_anonymous(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, output, report = (tmp_path / name for name in ("in.csv", "out.csv", "report.json"))
    original.write_text("a,b\n1,30\n2,10\n3,40\n4,20\n", encoding="utf-8")
    status = refagg.commands.main.main(
        f"mask {original} --algorithm individual-ranking -k 2 -o {output} --json {report}".split()
    )
    assert status == 0
    assert "k reached 1" in capsys.readouterr().out
    known = json.loads(report.read_text(encoding="utf-8"))
    assert known["k"] == 2
    assert known["k_reached"] == 1
    assert [block["sizes"] for block in known["blocks"]] == [{"2": 2}, {"2": 2}]
    assert output.read_text(encoding="utf-8").split() == [
        "a,b",
        "1.5,35",
        "1.5,15",
        "3.5,35",
        "3.5,15",
    ]


@pytest.mark.reference_data
def test_the_release_is_that_of_sdcmicro(data_folder: Path, peers_folder: Path) -> None:
    """`onedims` of sdcMicro 5.8.1, all 14040 values: it breaks ties by the record number too."""
    ours = microaggregate(_numbers(data_folder / "census.csv"), 4, "individual-ranking").released
    theirs = _numbers(peers_folder / "sdcmicro-5.8.1_onedims_census_k4.csv")
    assert [list(map(float, ours.row(record))) for record in range(ours.n)] == theirs


def _numbers(path: Path) -> list[list[float]]:
    with open(path, encoding="utf-8", newline="") as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]


@pytest.mark.parametrize("m", range(1, 40))
def test_sums_of_z_scores_that_cancel_are_equal(m: int) -> None:
    """One attribute is a negative multiple of the other: all sums are 0, whatever m."""
    space = float_space([(0, 0), (1, -m), (0, 0), (0, 0)])
    options = {"by": "sum-of-z-scores", "order": "ascending"}
    assert groups_of(PROJECTION, space, 2, LOWEST, **options) == ((0, 1), (2, 3))
    every = all_partitions(
        lambda choices: PROJECTION.run(space, 2, choices, attribute=0, **options)
    )
    assert len(every) == 3


# Time


@pytest.mark.long
@pytest.mark.parametrize("values", [100_000, 300])
def test_many_records_take_no_square_time(values: int) -> None:
    """A hundred thousand records, with few or with many ties at every boundary."""
    space = exact_space([(i * 7919 % values,) for i in range(100_000)])
    start = process_time()
    result = Partition(groups_of(RANKING, space, 5))
    assert result.sizes() == {5: 20_000}
    assert process_time() - start < 20


# Blocks in file order


@pytest.mark.parametrize(
    ("n", "k", "groups"),
    [
        (4, 2, ((0, 1), (2, 3))),
        (5, 2, ((0, 1), (2, 3, 4))),
        (5, 3, ((0, 1, 2, 3, 4),)),
        (7, 3, ((0, 1, 2), (3, 4, 5, 6))),
        (3, 1, ((0,), (1,), (2,))),
    ],
)
def test_records_are_counted_off(n: int, k: int, groups: Any) -> None:
    assert groups_of(BLOCKS, exact_space([(i * i % 5,) for i in range(n)]), k) == groups
