"""Prototypes of groups of sequences: by hand, by enumeration, and what holds in general."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.dissimilarities import PLAIN
from planted.mutants import Own, planted_by
from planted.planting import changed_module
from strategies import examples

from refagg.datasets import load_sequences
from refagg.spaces.dissimilarities.prototypes import (
    PROTOTYPES,
    constructed,
    median_string,
    medoid,
    total,
    vgt,
)
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES, dissimilarity

Events = tuple[str, ...]
OSS = dissimilarity("oss")

words = st.lists(st.sampled_from("abc"), max_size=5).map(tuple)
groups = st.lists(words, min_size=1, max_size=5)
measures = st.sampled_from(sorted(DISSIMILARITIES))


def texts(*given: str) -> list[Events]:
    return [tuple(text) for text in given]


def summed(candidate: Events, group: list[Events], name: str) -> Fraction:
    return sum((PLAIN[name](candidate, other) for other in group), Fraction(0))


# By hand


def test_medoid_by_hand() -> None:
    # a b is 1/4 from b a, 1/5 from a b c; b a is 1/3 from a b c: 9/20, 7/12, 8/15.
    group = texts("ba", "ab", "abc")
    assert [total(s, group, OSS) for s in group] == [
        Fraction(7, 12),
        Fraction(9, 20),
        Fraction(8, 15),
    ]
    assert medoid(group, OSS) == (("a", "b"),)


def test_the_first_of_equal_medoids_is_that_of_the_earliest_record() -> None:
    assert medoid(texts("ba", "ab"), OSS) == (("b", "a"), ("a", "b"))
    assert medoid(texts("ab", "ba", "ab", "ba"), OSS) == (("a", "b"), ("b", "a"))
    assert medoid(texts("ba", "ab", "ab"), OSS) == (("a", "b"),)


def texts_of(*given: str) -> tuple[Events, ...]:
    return tuple(texts(*given))


FOUR = texts("ubcd", "avcd", "abwd", "abcz")
"""Any two have two events in common, in place: 4/8 apart. Each is 2/8 from a b c d."""


@pytest.mark.parametrize("name", ["median-string", "vgt"])
def test_a_prototype_that_is_in_no_record(name: str) -> None:
    assert total(FOUR[0], FOUR, OSS) == Fraction(3, 2)
    assert total(tuple("abcd"), FOUR, OSS) == 1
    assert PROTOTYPES[name](FOUR, OSS) == (("a", "b", "c", "d"),)
    everything = (w for n in range(5) for w in product("abcduvwz", repeat=n))
    assert min(total(word, FOUR, OSS) for word in everything) == 1


def test_median_string_by_hand() -> None:
    edits, hamming = dissimilarity("levenshtein"), dissimilarity("hamming")
    # Any two of x a b, a y b and a b z are two edits apart, a b is one edit from each.
    group = texts("xab", "ayb", "abz")
    assert medoid(group, edits) == tuple(group)
    assert median_string(group, edits) == (("a", "b"),)
    # a b is one edit from each of these, 3 in all; but so is a b c: 0 + 1 + 2.
    group = texts("abc", "abd", "b")
    assert median_string(group, edits) == texts_of("abc", "abd")
    # x a y is 2/3 from both others, which are 1 apart; x x y is 1/3 + 1/3 + 2/3, no better.
    assert median_string(texts("axy", "xay", "xya"), hamming) == (("x", "a", "y"),)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        # Average length 8/3, so 3; a is in all, b and c in two, d in one; 7/36, 1/2, 19/24.
        (["abc", "abd", "ac"], "abc"),
        # Average 3/2, so 2. a is in two, at 1/4 and 1/2; b in one.
        (["ab", "a"], "ab"),
        # Average 5/2, so 3: a twice; the second a and b are in one, at 3/4 and 5/6: a second a.
        (["aa", "acb"], "aca"),
        # Average 4/3, so 1: a, b and c are in one each; b stands earliest, at 1/4.
        (["bc", "a", "d"], "b"),
        # All equal: by text.
        (["ba", "ab"], "ab"),
        (["", ""], ""),
        (["", "b"], "b"),
    ],
)
def test_constructed_by_hand(group: list[str], expected: str) -> None:
    assert constructed(texts(*group)) == tuple(expected)


def test_the_better_of_the_constructed_and_the_medoid() -> None:
    group = texts("ba", "ab")  # both are 1/4 from the other; a b is constructed
    assert vgt(group, OSS) == (("a", "b"), ("b", "a"))
    group = texts("bc", "a", "d")  # b: 1/3 + 1 + 1, b c: 0 + 1 + 1; a and d as b c
    assert vgt(group, OSS) == texts_of("bc", "a", "d")


# In general


@examples(5)
@given(groups, measures)
def test_no_prototype_is_worse_than_a_medoid_and_no_medoid_than_a_member(
    group: list[Events], name: str
) -> None:
    own = DISSIMILARITIES[name]
    least = min(summed(member, group, name) for member in group)
    assert {summed(m, group, name) for m in medoid(group, own)} == {least}
    assert all(summed(m, group, name) <= least for m in median_string(group, own))
    assert len({summed(v, group, name) for v in vgt(group, own)}) == 1
    assert summed(vgt(group, own)[0], group, name) <= least


@examples(3)
@given(groups, measures)
def test_medoids_are_all_members_of_the_least_sum(group: list[Events], name: str) -> None:
    sums = [summed(member, group, name) for member in group]
    expected = [m for m, s in zip(group, sums, strict=True) if s == min(sums)]
    assert medoid(group, DISSIMILARITIES[name]) == tuple(dict.fromkeys(expected))


@examples(2)
@given(groups, measures)
def test_no_single_edit_improves_a_median_string(group: list[Events], name: str) -> None:
    symbols = {symbol for member in group for symbol in member}
    longest = max(map(len, group))
    near = [w for n in range(longest + 1) for w in product(symbols, repeat=n)]
    for median in median_string(group, DISSIMILARITIES[name]):
        assert len(median) <= longest
        assert set(median) <= symbols
        best = summed(median, group, name)
        neighbours = [w for w in near if PLAIN["levenshtein"](w, median) == 1]
        assert all(summed(w, group, name) >= best for w in neighbours)


@examples(3)
@given(groups.flatmap(lambda g: st.tuples(st.just(g), st.permutations(g))), measures)
def test_what_is_admissible_does_not_depend_on_the_order_of_records(
    drawn: tuple[list[Events], list[Events]], name: str
) -> None:
    group, shuffled = drawn
    for prototype in PROTOTYPES.values():
        ours, theirs = (prototype(g, DISSIMILARITIES[name]) for g in (group, shuffled))
        assert set(ours) == set(theirs)
        assert len(set(ours)) == len(ours)


@examples(1)
@given(words, st.integers(1, 4), measures)
def test_equal_sequences_are_their_own_prototype(word: Events, times: int, name: str) -> None:
    for prototype in PROTOTYPES.values():
        assert prototype([word] * times, DISSIMILARITIES[name]) == (word,)


@examples(1)
@given(groups)
def test_the_constructed_sequence_has_the_average_length(group: list[Events]) -> None:
    average = Fraction(sum(map(len, group)), len(group))
    assert -Fraction(1, 2) < len(constructed(group)) - average <= Fraction(1, 2)


def test_a_function_of_ones_own_is_exact_and_ends() -> None:
    def shorter_is_farther(a: Events, b: Events) -> float:
        return 0.0 if a == b else 1 / (1 + len(a) + len(b))

    group = texts("a", "ab", "ba")
    assert medoid(group, lambda a, b: abs(len(a) - len(b)) * 0.1) == texts_of("ab", "ba")
    for found in median_string(group, shorter_is_farther):
        assert len(found) <= 2


def test_routes_have_prototypes() -> None:
    group = load_sequences("routes-sixty")[:6]
    sums = [total(prototype(group, OSS)[0], group, OSS) for prototype in PROTOTYPES.values()]
    assert sums[1] <= sums[0]
    assert sums[2] <= sums[0]


# Changed lines


PANEL = [
    texts(*group.split())
    for group in (
        "abc abd ac",
        "ab a",
        "aa acb",
        "bc a d",
        "ba ab",
        "ba ab ab",
        "abc c c bca",
        "ubcd avcd abwd abcz",
        "xab ayb abz",
        "abcd ab b b",
        "ab cba bca",
    )
]


def agrees(changed: Callable[..., tuple[Events, ...]], kind: str) -> bool:
    """Does it give what the function does that the tests above know to be right?"""
    ours = {"medoid": medoid, "median_string": median_string, "vgt": vgt}[kind]
    measures = (OSS, dissimilarity("levenshtein"))
    return all(changed(group, d) == ours(group, d) for group in PANEL for d in measures)


@pytest.mark.parametrize("planted", planted_by("tests/spaces/test_prototypes.py"), ids=str)
def test_a_changed_line_is_seen(planted: Own) -> None:
    changed = changed_module(planted.module, planted.change)
    assert not agrees(getattr(changed, planted.function), planted.function)
