"""A search finds on its own that microagg1d 0.4.0 is not optimal with its default arguments.

microagg1d promises the univariate optimum. Hypothesis looks for values on which it does not
keep that, and shrinks them. Whether what it found is a counterexample is judged without our
optimum: the SSE of its groups and of every partition, by definition and in fractions.

Three defects show:

- k >= 3: its sums are kept in blocks of k values, and the cost of a group is put together
  from the two blocks at its ends. A group of 5 can lie in three blocks of 3; the one in the
  middle is then forgotten, and the group looks cheap. The first such group is that of the sorted
  values 5 to 9, so it takes 10 values, and nine zeros and a one will do.
- n = 2k: the labels are those of the sorted values, not of the values as they were given.
- Sums of squares cancel: at an offset of 10^12 the costs are noise, for every k.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from random import Random

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from oracle.optima.univariate import optimal_univariate
from tests.benchmarks.univariate import OFFSET, by_microagg1d, counterexamples, sse_of
from tests.optima.test_univariate import naive_optima, naive_sse

INSTALLED = version("microagg1d") if find_spec("microagg1d") else "none"
"""Its import is left to the tests: the first one compiles it, which takes a minute."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(INSTALLED != "0.4.0", reason="other versions may be right"),
]

SEARCH = settings(max_examples=20_000, database=None, deadline=None)
Request = tuple[list[int], int]


def requests(ks: st.SearchStrategy[int]) -> st.SearchStrategy[Request]:
    """More than 2k small integers, and no more than an enumeration can judge."""
    values = st.lists(st.integers(0, 30), min_size=5, max_size=12)
    return st.tuples(values, ks).filter(lambda request: len(request[0]) > 2 * request[1])


def found(requests_: st.SearchStrategy[Request], wrong: Callable[[Request], bool]) -> Request:
    """The smallest request that is wrong, as far as Hypothesis shrinks it; always the same."""
    return find(requests_, wrong, settings=SEARCH, random=Random(1))


def not_optimal(request: Request) -> bool:
    """As our own optimum says."""
    values, k = request
    return sse_of(values, by_microagg1d(values, k)) > sse_of(values, optimal_univariate(values, k))


def not_optimal_far_away(request: Request) -> bool:
    values, k = request
    return not_optimal(([x + OFFSET for x in values], k))


def losses(values: list[int], k: int) -> tuple[Fraction | int, Fraction | int]:
    """The SSE of its groups, and the least over all partitions; both naive."""
    theirs = by_microagg1d(values, k)
    assert theirs.n == len(values)
    assert k <= theirs.smallest()
    return naive_sse(values, theirs.groups), naive_optima(values, k)[0]


def test_a_search_finds_a_counterexample() -> None:
    values, k = found(requests(st.integers(2, 4)), not_optimal)
    theirs, least = losses(values, k)
    assert theirs > least
    # What our optimum says is what the enumeration says.
    assert naive_sse(values, optimal_univariate(values, k).groups) == least
    assert (sorted(values), k) == ([0] * 9 + [1], 3)


def test_nine_zeros_and_a_one() -> None:
    """By hand: {0 0 0 0 1} costs 1 - 1/5, {0 0 1} costs 1 - 1/3."""
    values = [0] * 9 + [1]
    assert by_microagg1d(values, 3).groups == ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9))
    assert losses(values, 3) == (Fraction(4, 5), Fraction(2, 3))


def test_a_counterexample_with_different_values() -> None:
    values = [0, 8, 8, 11, 11, 20, 21, 25, 26, 27]
    assert losses(values, 3) == (120, Fraction(1409, 12))


@pytest.mark.parametrize(("k", "most"), [(2, 8), (3, 9)])
def test_fewer_values_have_no_counterexample(k: int, most: int) -> None:
    """All sorted sequences of numbers up to 4: groups lie in two blocks at most."""
    for n in range(2 * k + 1, most + 1):
        for greatest in range(1, 5):
            assert list(counterexamples(n, k, greatest)) == []


def test_twice_k_values_get_the_labels_of_the_sorted_values() -> None:
    values = [1, 10, 2, 11]
    assert by_microagg1d(values, 2).groups == ((0, 1), (2, 3))
    assert losses(values, 2) == (81, 1)
    assert optimal_univariate(values, 2).groups == ((0, 2), (1, 3))
    # Whatever the values are.
    for given in product(range(3), repeat=4):
        assert by_microagg1d(given, 2).groups == ((0, 1), (2, 3))


def test_an_offset_spoils_it_for_every_k() -> None:
    """For k = 2 there is no other defect, once n > 2k."""
    values, k = found(requests(st.just(2)), not_optimal_far_away)
    far = [x + OFFSET for x in values]
    near_theirs, near_least = losses(values, k)
    theirs, least = losses(far, k)
    assert near_theirs == near_least == least < theirs
    assert naive_sse(far, optimal_univariate(far, k).groups) == least


def test_how_much_an_offset_can_cost() -> None:
    """{0 0 0} {11 12} has SSE 1/2; far away it gives {0 0} {0 11 12}, 177 times as much."""
    values = [0, 0, 0, 11, 12]
    far = [x + OFFSET for x in values]
    assert losses(values, 2) == (Fraction(1, 2), Fraction(1, 2))
    theirs, least = losses(far, 2)
    assert least == Fraction(1, 2)
    assert theirs > 4 * least
