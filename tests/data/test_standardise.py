from __future__ import annotations

import statistics
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import rationals

from refagg.data.standardise import Scaled, column_mean, standardise, variance
from refagg.data.tables import column_of, table_of
from refagg.errors import InvalidParameter
from refagg.release.measures import sst

DIVISORS = {"population": statistics.pvariance, "sample": statistics.variance}

columns = st.lists(rationals, min_size=2, max_size=9)
z_scores = st.sampled_from(["population", "sample"])


@given(columns, z_scores)
def test_mean_and_variance_are_those_of_the_statistics_module(
    values: list[Fraction], how: str
) -> None:
    column = column_of("x", values)
    assert column_mean(column) == statistics.mean(values)
    assert variance(column, how) == DIVISORS[how](values)


def test_the_variance_by_hand() -> None:
    column = column_of("x", [Fraction(1, 2), Fraction(3, 2), Fraction(4)])
    # mean 2; squared differences 9/4, 1/4, 4; together 13/2
    assert variance(column, "population") == Fraction(13, 6)
    assert variance(column, "sample") == Fraction(13, 4)


def test_one_record_has_no_variance() -> None:
    column = column_of("x", [Fraction(5)])
    assert variance(column, "population") == variance(column, "sample") == 0


def scaled_of(rows: Any, how: str, digits: int | None = None) -> Scaled:
    return standardise(table_of(rows), how, digits)


@given(columns, z_scores)
def test_weights_are_the_reciprocals_of_the_variances(values: list[Fraction], how: str) -> None:
    spread = DIVISORS[how](values)
    assume(spread)
    scaled = scaled_of([[value, 7] for value in values], how)
    assert list(scaled.weights) == [1 / spread, 0]
    assert scaled_of([[value, 7] for value in values], "none").weights == (Fraction(1),) * 2


@given(st.data(), st.integers(2, 9), st.integers(1, 4))
def test_sst_counts_the_attributes_that_vary(data: st.DataObject, n: int, width: int) -> None:
    rows = data.draw(st.lists(st.tuples(*[rationals] * width), min_size=n, max_size=n))
    varying = sum(len(set(column)) > 1 for column in zip(*rows, strict=True))
    assert sst(scaled_of(rows, "population")) == n * varying
    assert sst(scaled_of(rows, "sample")) == (n - 1) * varying


def test_the_table_itself_stays_as_it_is() -> None:
    table = table_of([[1, 2], [3, 5]])
    assert standardise(table).table is table
    assert standardise(table).how == "population"


# Rounded z-scores


def is_rounded(score: Fraction, difference: Fraction, spread: Fraction, digits: int) -> bool:
    """Is `score` difference / sqrt(spread) to so many significant digits, without a root?

    That is, `score` is at most half a unit of its last digit away; of the true value
    only the sign and the square are used.
    """
    if difference == 0:
        return score == 0
    magnitude = difference**2 / spread
    unit = Fraction(10) ** (1 - digits)
    while magnitude >= (unit * 10**digits) ** 2:
        unit *= 10
    while magnitude < (unit * 10 ** (digits - 1)) ** 2:
        unit /= 10
    size = abs(score)
    whole = (size / unit).denominator == 1
    near = (size - unit / 2) ** 2 <= magnitude <= (size + unit / 2) ** 2
    return whole and near and (score > 0) == (difference > 0)


@given(columns, z_scores, st.sampled_from([1, 2, 6, 17, 50]))
def test_z_scores_are_rounded_to_significant_digits(
    values: list[Fraction], how: str, digits: int
) -> None:
    spread, centre = DIVISORS[how](values), statistics.mean(values)
    assume(spread)
    scaled = scaled_of([[value] for value in values], how, digits)
    [column] = scaled.table.columns
    for record, value in enumerate(values):
        assert is_rounded(column[record], value - centre, spread, digits)
    assert list(scaled.weights) == [1]


def test_rounded_z_scores_by_hand() -> None:
    # 1, 2, 3: mean 2, population variance 2/3; 1 / sqrt(2/3) = 1.2247448713...
    [column] = scaled_of([[1], [2], [3]], "population", 6).table.columns
    assert column.values(range(3)) == [Fraction("-1.22474"), 0, Fraction("1.22474")]
    # 0, 0, 0, 1: mean 1/4, sample variance 1/4; the scores are exactly -0.5 and 1.5
    [column] = scaled_of([[0], [0], [0], [1]], "sample", 1).table.columns
    assert column.values(range(4)) == [Fraction(-1, 2)] * 3 + [2]


@pytest.mark.parametrize(
    ("zeros", "score", "rounded"), [(9, "1.5", 2), (25, "2.5", 2), (49, "3.5", 4)]
)
def test_halves_are_rounded_to_even(zeros: int, score: str, rounded: int) -> None:
    # Of z zeros and 4 ones the variance is 4z / (z+4)^2, and the score of a one sqrt(z) / 2.
    rows = [[0]] * zeros + [[1]] * 4
    assert scaled_of(rows, "population", 2).table.columns[0][zeros] == Fraction(score)
    assert scaled_of(rows, "population", 1).table.columns[0][zeros] == rounded


def test_a_constant_attribute_has_the_weight_0_after_rounding_too() -> None:
    scaled = scaled_of([[1, 5], [2, 5], [4, 5]], "population", 6)
    assert list(scaled.weights) == [1, 0]
    assert scaled.table.columns[1].values(range(3)) == [0, 0, 0]
    assert "6 significant digits" in scaled.how


# Refusals


@pytest.mark.parametrize("weight", [0, -1])
def test_a_weight_is_greater_than_0(weight: int) -> None:
    with pytest.raises(InvalidParameter, match="it must be greater than 0"):
        standardise(table_of([[1], [2]]), weights={"x1": weight})


@pytest.mark.parametrize(
    ("how", "digits", "message"),
    [
        ("zscore", None, "'zscore'; it can be none, population, sample"),
        ("", None, "it can be none, population, sample"),
        ("none", 6, "significant digits apply to z-scores"),
        ("population", 0, "significant digits is 0; it can be 1 to 50"),
        ("population", 51, "significant digits is 51; it can be 1 to 50"),
    ],
)
def test_what_cannot_be_asked_for(how: str, digits: int | None, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        scaled_of([[1], [2]], how, digits)
