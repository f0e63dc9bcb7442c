"""The univariate optimum against an enumeration of all partitions, by hand, and in floats.

The enumeration knows nothing of sorted values: it goes through every partition of the
records into groups of at least k, whatever their sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product
from math import frexp, inf, lcm, ldexp, nan, ulp

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle.optima import univariate
from oracle.optima.univariate import optimal_column, optimal_univariate
from refagg.data.standardise import standardise
from refagg.data.tables import Column, Table, column_of
from refagg.datasets import load
from refagg.engine.runs import in_binary64
from refagg.errors import (
    InvalidK,
    InvalidParameter,
    KTooLarge,
    NoPartition,
    NotANumber,
    RefaggError,
)
from refagg.language.partition import Partition
from refagg.release.measures import sse
from tests.strategies import boundaries, examples


def optimal_univariate_welford(
    values: Sequence[float], k: int, largest: int | None = None
) -> Partition:
    """The shortest path with the costs of runs in binary64, which the library computes."""
    sizes = univariate._sizes(len(values), k, largest)
    order = sorted(range(len(values)), key=values.__getitem__)
    exponent = frexp(max(map(abs, values)))[1]
    ordered = [ldexp(values[record], -exponent) for record in order]
    return univariate._divided(order, univariate._last(in_binary64(ordered, sizes), len(order), k))


Groups = tuple[tuple[int, ...], ...]
Solve = Callable[..., Partition]
SOLVERS: list[Solve] = [optimal_univariate, optimal_univariate_welford]


# Naive code


@cache
def all_partitions(n: int, k: int) -> tuple[Groups, ...]:
    """Every partition of 0 .. n-1 into groups of at least k."""
    return tuple(_partitions(tuple(range(n)), k))


def _partitions(records: tuple[int, ...], k: int) -> Iterator[Groups]:
    if not records:
        yield ()
        return
    first, others = records[0], records[1:]
    for size in range(k, len(records) + 1):
        for chosen in combinations(others, size - 1):
            left = tuple(r for r in others if r not in chosen)
            for rest in _partitions(left, k):
                yield ((first, *chosen), *rest)


def naive_sse(values: Sequence[int | float], groups: Groups) -> Fraction:
    """The sum of squared differences from the groups' means, as it is defined."""
    total = Fraction(0)
    for group in groups:
        mean = Fraction(sum(Fraction(values[r]) for r in group), len(group))
        total += sum((Fraction(values[r]) - mean) ** 2 for r in group)
    return total


def naive_optima(
    values: Sequence[int], k: int, largest: int | None = None
) -> tuple[Fraction, list[Groups]]:
    """The least SSE, and every partition that has it."""
    most = len(values) if largest is None else largest
    legal = [p for p in all_partitions(len(values), k) if max(map(len, p)) <= most]
    costs = {p: naive_sse(values, p) for p in legal}
    least = min(costs.values())
    return least, [p for p in legal if costs[p] == least]


def whole_numbers(values: Sequence[float]) -> list[int]:
    """Floats times a common denominator."""
    fractions = [Fraction(value) for value in values]
    denominator = lcm(*(f.denominator for f in fractions))
    return [int(f * denominator) for f in fractions]


def excess(values: Sequence[float], k: int, partition: Partition) -> Fraction:
    """By how much, relatively, the SSE of a partition is above the optimum."""
    least = naive_sse(values, optimal_univariate(whole_numbers(values), k).groups)
    found = naive_sse(values, partition.groups)
    if least == 0:
        return found
    return found / least - 1


# What is drawn

ties = st.integers(0, 4)
small = st.integers(0, 60)
wide = st.integers(-(10**15), 10**15)


@st.composite
def requests(
    draw: st.DrawFn, most: int = 9, cells: Sequence[st.SearchStrategy[int]] = (ties, small, wide)
) -> tuple[list[int], int]:
    """At most so many values, and a k from 2 to 4."""
    k = draw(st.integers(2, min(4, most)))
    sizes = [n for n in boundaries(k) if n <= most]
    n = draw(st.one_of(st.sampled_from(sizes), st.integers(k, most)))
    return draw(st.lists(draw(st.sampled_from(cells)), min_size=n, max_size=n)), k


# Against enumeration


@examples(5)
@given(requests())
def test_the_least_sse_is_that_of_an_enumeration(request_: tuple[list[int], int]) -> None:
    values, k = request_
    least, optima = naive_optima(values, k)
    found = optimal_univariate(values, k)
    assert naive_sse(values, found.groups) == least
    assert found.groups in optima
    assert k <= found.smallest() <= found.largest() <= 2 * k - 1


@pytest.mark.parametrize("k", [2, 3, 4])
def test_all_small_tables(k: int) -> None:
    """Every sequence of 0, 1 and 3 with k to 2k values, but not more than 6."""
    for n in range(k, min(2 * k, 6) + 1):
        for values in product((0, 1, 3), repeat=n):
            least, _ = naive_optima(values, k)
            assert naive_sse(values, optimal_univariate(values, k).groups) == least


@examples(3)
@given(requests(), st.data())
def test_a_cap_is_kept_and_nothing_better_is_below_it(
    request_: tuple[list[int], int], data: st.DataObject
) -> None:
    values, k = request_
    largest = data.draw(st.integers(k, len(values) + 1))
    if not any(max(map(len, p)) <= largest for p in all_partitions(len(values), k)):
        for solve in SOLVERS:
            with pytest.raises(NoPartition):
                solve(values, k, largest)
        return
    least, _ = naive_optima(values, k, largest)
    for solve in SOLVERS:
        found = solve(values, k, largest)
        assert k <= found.smallest() <= found.largest() <= largest
        assert naive_sse(values, found.groups) <= least * (1 + Fraction(1, 10**9))
    assert naive_sse(values, optimal_univariate(values, k, largest).groups) == least


@examples(2)
@given(requests(cells=(ties,)))
def test_of_several_optima_the_last_groups_are_smallest(request_: tuple[list[int], int]) -> None:
    values, k = request_
    order = sorted(range(len(values)), key=lambda r: (values[r], r))
    _, optima = naive_optima(values, k, 2 * k - 1)
    divisions = [by for by in _divisions(len(values), k) if _cut(order, by) in optima]
    expected = _cut(order, min(divisions))
    assert optimal_univariate(values, k).groups == expected


def _divisions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as a sum of sizes k to 2k-1, the size of the last group first."""
    if n == 0:
        yield ()
    for size in range(k, min(n, 2 * k - 1) + 1):
        for others in _divisions(n - size, k):
            yield (size, *others)


def _cut(order: Sequence[int], sizes: tuple[int, ...]) -> Groups:
    groups = []
    end = len(order)
    for size in sizes:
        groups.append(tuple(sorted(order[end - size : end])))
        end -= size
    return tuple(sorted(groups))


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("solve", SOLVERS)
def test_the_boundaries_of_n(solve: Solve, k: int) -> None:
    """Equidistant values: as many groups as there can be, of sizes k to 2k-1."""
    for n in sorted({*boundaries(k), 4 * k - 1, 4 * k}):
        found = solve(list(range(n)), k)
        assert len(found.groups) == n // k
        assert found.n == n
        if n < 2 * k:
            assert found.groups == (tuple(range(n)),)


# By hand


def test_the_published_example() -> None:
    """6, 2, 0.7, 1.1, 5, 1, 5.1: {0.7, 1, 1.1, 2} and {5, 5.1, 6}, SSE 1.546667."""
    column = column_of("x", map(Fraction, ["6", "2", "0.7", "1.1", "5", "1", "5.1"]))
    found = optimal_column(column, 3)
    assert found.groups == ((0, 4, 6), (1, 2, 3, 5))
    total = sse(standardise(Table((column,)), "none"), found)
    assert total == Fraction(116, 75)
    assert round(float(total), 6) == 1.546667


@pytest.mark.parametrize(("k", "least"), [(2, 318), (3, 446), (4, Fraction(1369, 2))])
@pytest.mark.parametrize("solve", SOLVERS)
def test_fourteen_values(solve: Solve, k: int, least: Fraction) -> None:
    values = [1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 50]
    assert naive_sse(values, solve(values, k).groups) == least


@pytest.mark.parametrize("solve", SOLVERS)
def test_small_cases(solve: Solve) -> None:
    assert solve([5], 1).groups == ((0,),)
    assert solve([3, 1, 2], 1).groups == ((0,), (1,), (2,))
    assert solve([7, 7, 7, 7], 2).groups == ((0, 1), (2, 3))
    assert solve([7, 7, 7, 7, 7], 2).groups == ((0, 1, 2), (3, 4))
    assert solve([1, 10, 2, 11], 2).groups == ((0, 2), (1, 3))
    assert solve([0, 0, 9, 9, 9], 2).groups == ((0, 1), (2, 3, 4))
    assert solve([0, 0, 0, 9, 9], 2).groups == ((0, 1, 2), (3, 4))
    assert solve([0, 0, 0, 9, 9, 9], 2, 2).groups == ((0, 1), (2, 3), (4, 5))


# What must not matter


@examples(2)
@given(
    requests(30, (ties, small)), st.sampled_from([1, -1, 7, 10**40]), st.sampled_from([0, 10**12])
)
def test_offsets_and_scales(request_: tuple[list[int], int], factor: int, offset: int) -> None:
    values, k = request_
    moved = [factor * value + offset for value in values]
    least = naive_sse(values, optimal_univariate(values, k).groups)
    found = optimal_univariate(moved, k)
    assert naive_sse(moved, found.groups) == factor**2 * least
    if factor > 0:
        assert found == optimal_univariate(values, k)


@examples(2)
@given(requests(30, (ties, small)), st.randoms(use_true_random=False))
def test_the_order_of_the_records(request_: tuple[list[int], int], random: object) -> None:
    values, k = request_
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    ours, theirs = optimal_univariate(values, k), optimal_univariate(shuffled, k)
    assert _by_value(values, ours) == _by_value(shuffled, theirs)


def _by_value(values: Sequence[int], partition: Partition) -> list[list[int]]:
    return sorted(sorted(values[r] for r in group) for group in partition.groups)


@examples(3)
@given(requests(40))
@pytest.mark.parametrize("solve", SOLVERS)
def test_groups_are_contiguous(solve: Solve, request_: tuple[list[int], int]) -> None:
    values, k = request_
    groups = sorted(sorted((values[r], r) for r in g) for g in solve(values, k).groups)
    assert [member for group in groups for member in group] == sorted(
        (value, r) for r, value in enumerate(values)
    )


@examples(1)
@given(requests(40))
def test_a_larger_k_and_blocks_of_k_cost_no_less(request_: tuple[list[int], int]) -> None:
    values, k = request_
    assume(len(values) > k)
    least = naive_sse(values, optimal_univariate(values, k).groups)
    assert naive_sse(values, optimal_univariate(values, k + 1).groups) >= least
    # Blocks of k in the order of the values, the rest with the last: one division of many.
    order = sorted(range(len(values)), key=values.__getitem__)
    starts = range(0, len(values) - len(values) % k - k, k)
    blocks = [tuple(order[s : s + k]) for s in starts] + [tuple(order[len(starts) * k :])]
    assert naive_sse(values, tuple(blocks)) >= least


def test_numpy_integers_do_not_overflow() -> None:
    values = np.array([2**62, -(2**62), 2**62 - 3, 5 - 2**62], dtype=np.int64)
    found = optimal_univariate(values, 2)  # type: ignore[arg-type]
    assert found.groups == ((0, 2), (1, 3))


def test_many_sizes() -> None:
    """k = 300 of 1000 values in three clusters of 300, 301 and 399, 10^12 apart."""
    sizes = [300, 301, 399]
    values = [10**12 * c + i * i for c, size in enumerate(sizes) for i in range(size)]
    ends = list(accumulate(sizes))
    expected = [tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    for solve in SOLVERS:
        assert solve(values, 300).groups == tuple(expected)


# Columns


@examples(1)
@given(requests(9, (small,)), st.integers(1, 50))
def test_a_column_is_its_numerators(request_: tuple[list[int], int], denominator: int) -> None:
    values, k = request_
    found = optimal_column(Column("x", values, denominator), k)
    least, _ = naive_optima(values, k)
    table = Table((Column("x", values, denominator),))
    assert sse(standardise(table, "none"), found) == least / denominator**2


def test_the_columns_of_census(data_folder: object) -> None:
    """No block of k consecutive values, as individual ranking forms them, is better."""
    for column in load("census").columns:
        order = sorted(range(1080), key=column.numerators.__getitem__)
        blocks = tuple(tuple(order[i : i + 4]) for i in range(0, 1080, 4))
        found = optimal_column(column, 4)
        floats = optimal_univariate_welford([float(v) for v in column.numerators], 4)
        least, ranked, rounded = (
            naive_sse(column.numerators, groups) for groups in (found.groups, blocks, floats.groups)
        )
        assert least < ranked
        assert least <= rounded <= least * (1 + Fraction(1, 10**12))


# Binary64


@st.composite
def far_apart(draw: st.DrawFn) -> tuple[list[float], int]:
    """Small numbers at an offset of 10^12, in two clusters 10^9 apart.

    They are whole, or multiples of the least difference that floats have there.
    """
    k = draw(st.integers(2, 4))
    n = draw(st.integers(2 * k, 30))
    unit = draw(st.sampled_from([1.0, ulp(1e12)]))
    cell = st.builds(
        lambda cluster, x: 1e12 + cluster * 1e9 + x * unit, st.integers(0, 1), st.integers(0, 40)
    )
    return draw(st.lists(cell, min_size=n, max_size=n)), k


@examples(5)
@given(far_apart())
def test_welford_agrees_with_the_exact_optimum(request_: tuple[list[float], int]) -> None:
    values, k = request_
    assert 0 <= excess(values, k, optimal_univariate_welford(values, k)) <= Fraction(1, 10**12)


@examples(5)
@given(
    st.integers(2, 4).flatmap(
        lambda k: st.tuples(
            st.lists(
                st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False),
                min_size=k,
                max_size=20,
            ),
            st.just(k),
        )
    )
)
def test_welford_agrees_on_any_floats(request_: tuple[list[float], int]) -> None:
    values, k = request_
    found = optimal_univariate_welford(values, k)
    least = naive_sse(values, optimal_univariate(whole_numbers(values), k).groups)
    assert (
        naive_sse(values, found.groups)
        <= least * (1 + Fraction(1, 10**12))
        + Fraction(max(map(abs, values))) ** 2 / Fraction(10) ** 28
    )


def prefix_sums(values: Sequence[float], k: int) -> Partition:
    """The planted defect: the same path, with costs from sums of squares that cancel."""
    order = sorted(range(len(values)), key=values.__getitem__)
    centre = sum(values) / len(values)
    ordered = [values[r] - centre for r in order]
    sums = [0.0, *accumulate(ordered)]
    squares = [0.0, *accumulate(x * x for x in ordered)]
    best: list[tuple[float, Groups]] = [(0.0, ())]
    for j in range(1, len(order) + 1):
        options = [
            (
                best[i][0] + squares[j] - squares[i] - (sums[j] - sums[i]) ** 2 / (j - i),
                (*best[i][1], tuple(order[i:j])),
            )
            for i in range(max(0, j - 2 * k + 1), j - k + 1)
        ]
        best.append(min(options, key=lambda o: o[0], default=(inf, ())))
    return Partition.of(best[-1][1], len(order))


TIGHT = [10 * group + x for group, size in enumerate([3, 5, 4, 3, 4, 5]) for x in range(size)]
"""Six groups of consecutive numbers: SSE 2 for 3 of them, 5 for 4, 10 for 5."""


def test_prefix_sums_fail_where_welford_does_not() -> None:
    values = [1e12 + far + x for far in (0.0, 1e9) for x in TIGHT]
    assert naive_sse(values, optimal_univariate(whole_numbers(values), 3).groups) == 68
    assert naive_sse(values, optimal_univariate_welford(values, 3).groups) == 68
    assert naive_sse(values, prefix_sums(values, 3).groups) > 2 * 68
    # Near 0, in one cluster, nothing cancels, and the planted one is right as well.
    assert naive_sse(TIGHT, prefix_sums(TIGHT, 3).groups) == 34


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1.0, 1e200, 1.7e308 / 12])
def test_welford_at_the_ends_of_the_range(unit: float) -> None:
    """Squares would underflow or overflow."""
    values = [x * unit for x in (-12.0, 12.0, -11.0, 0.0, 10.0, 1.0, 11.0)]
    assert optimal_univariate_welford(values, 2).groups == ((0, 2), (1, 4, 6), (3, 5))


# Errors


@pytest.mark.parametrize("solve", [optimal_univariate])
@pytest.mark.parametrize(
    ("values", "k", "largest", "error", "message"),
    [
        ([1, 2, 3], 0, None, InvalidK, "at least 1"),
        ([1, 2, 3], True, None, InvalidK, "integer"),
        ([1, 2, 3], 2.0, None, InvalidK, "integer"),
        ([1, 2, 3], 4, None, KTooLarge, "only 3 records"),
        ([], 1, None, KTooLarge, "only 0 records"),
        ([1, 2, 3], 2, 1, InvalidParameter, "at least k = 2"),
        ([1, 2, 3], 1, True, InvalidParameter, "at least k = 1"),
        ([1, 2, 3], 2, 2, NoPartition, "3 records cannot be divided into groups of 2 to 2"),
        (list(range(11)), 4, 5, NoPartition, "11 records cannot be divided into groups of 4 to 5"),
        ([1, 2, "b"], 2, None, NotANumber, "record 2 is 'b'"),
        ([1, None, 3], 2, None, NotANumber, "record 1 is None"),
    ],
)
def test_wrong_requests(
    solve: Solve,
    values: list[int],
    k: int,
    largest: int | None,
    error: type[RefaggError],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        solve(values, k, largest)


@pytest.mark.parametrize("value", [0.5, 2.0, nan, Fraction(1, 2)])
def test_the_exact_form_needs_whole_numbers(value: float) -> None:
    with pytest.raises(NotANumber, match="record 1 is"):
        optimal_univariate([1, value, 2], 2)  # type: ignore[list-item]
