"""Ties and their tie-breakers, and the random stream from which the random tie-breaker draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from hashlib import blake2b
from itertools import count, islice, permutations
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.blake2b import digest
from strategies import examples

from refagg.errors import StreamExhausted
from refagg.language import random_stream
from refagg.language.choices import Choices
from refagg.language.random_stream import scripted, seeded, stream_of
from refagg.language.ties import (
    EXACT,
    HIGHEST,
    LOWEST,
    Comparison,
    Later,
    Ranking,
    TieBreaker,
    TiedCandidates,
    TieRule,
    Tolerance,
    as_it_is,
    comparison,
    greatest,
    least,
    nearest,
    random_ties,
    tie_rule,
    to_the_nearest,
)


def measured(values: Sequence[Any], tolerance: Tolerance = EXACT) -> Ranking[int]:
    """Items 0, 1, 2, ... with these values; shown ones are ten times as large."""
    return Ranking(range(len(values)), values, lambda value: value * 10, tolerance)


# Which items are tied


@pytest.mark.parametrize(
    ("values", "without", "most", "fewest"),
    [
        ([5], (), [0], [0]),
        ([1, 3, 2], (), [1], [0]),
        ([3, 1, 3, 1, 2], (), [0, 2], [1, 3]),
        ([3, 1, 3, 1, 2], {0, 1}, [2], [3]),
        ([3, 1, 3, 1, 2], {0, 1, 2, 3}, [4], [4]),
        ([0, 0, 0], (), [0, 1, 2], [0, 1, 2]),
        ([Fraction(1, 3), Fraction(2, 6), Fraction(1, 4)], (), [0, 1], [2]),
        ([0.5, 0.25, 0.5], (), [0, 2], [1]),
    ],
)
def test_the_extremes(
    values: list[Any], without: set[int], most: list[int], fewest: list[int]
) -> None:
    assert list(greatest(measured(values), without).candidates) == most
    assert list(least(measured(values), without).candidates) == fewest


def test_items_keep_their_order_and_need_not_be_records() -> None:
    pairs = [(3, 1), (0, 2), (2, 0)]
    tie = greatest(Ranking(pairs, [7, 4, 7], float))
    assert tie.candidates == ((3, 1), (2, 0))
    assert tie.value == 7.0


def test_values_are_shown_on_the_scale_of_the_reader() -> None:
    distances = measured([4, 1, 4, 2])
    assert distances.of(3) == 20
    assert greatest(distances).value == 40
    assert nearest(distances, 2).value == 20


@pytest.mark.parametrize(
    ("values", "without", "below", "above"),
    [
        ([5, 5], (), None, None),
        ([1, 3, 2, 3], (), 20, 20),
        ([1, 3, 2, 3], {2}, 10, 30),
        ([1, 4, 4, 9], (), 40, 40),
        ([1], (), None, None),
    ],
)
def test_the_next_value_is_that_of_the_best_item_that_is_not_tied(
    values: list[int], without: set[int], below: int | None, above: int | None
) -> None:
    assert greatest(measured(values), without).next_value() == below
    assert least(measured(values), without).next_value() == above


@pytest.mark.parametrize(
    ("m", "sure", "tied", "places", "worst"),
    [
        (0, (), (), 0, 0),
        (1, (), (2,), 1, 0),
        (2, (2,), (0, 3, 5), 1, 10),
        (3, (2,), (0, 3, 5), 2, 10),
        (4, (2,), (0, 3, 5), 3, 10),
        (5, (0, 2, 3, 5), (4,), 1, 20),
        (6, (0, 2, 3, 4, 5), (1,), 1, 90),
    ],
)
def test_the_nearest(
    m: int, sure: tuple[int, ...], tied: tuple[int, ...], places: int, worst: int
) -> None:
    near = nearest(measured([1, 9, 0, 1, 2, 1]), m)
    assert (near.certain, near.tied, near.places, near.value) == (sure, tied, places, worst)


values_and_without = st.lists(st.integers(0, 4), min_size=1, max_size=9).flatmap(
    lambda values: st.tuples(
        st.just(values),
        st.sets(st.integers(0, len(values) - 1), max_size=len(values) - 1),
    )
)


@examples(3)
@given(values_and_without, st.data())
def test_the_nearest_by_enumeration(
    drawn_values: tuple[list[int], set[int]], data: st.DataObject
) -> None:
    values, without = drawn_values
    items = [i for i in range(len(values)) if i not in without]
    m = data.draw(st.integers(1, len(items)))
    best = sorted(values[i] for i in items)[:m]
    near = nearest(measured(values), m, without)
    allowed = [s for s in permutations(items, m) if sorted(values[i] for i in s) == best]
    assert set(near.certain) == set.intersection(*map(set, allowed)) - set(near.tied)
    assert set(near.certain) | set(near.tied) == set.union(*map(set, allowed))
    assert len(near.certain) + near.places == m
    assert len({values[i] for i in near.tied}) == 1


# Tolerances


def tied_by_definition(a: Any, b: Any, tolerance: Tolerance) -> bool:
    low, high = sorted([a, b])
    return bool(high - low <= tolerance.relative * high + tolerance.absolute)


relative = st.fractions(0, Fraction(9, 10), max_denominator=30)
whole_values = st.lists(st.integers(0, 60), min_size=1, max_size=7)
fractional_values = st.lists(st.fractions(0, 9, max_denominator=9), min_size=1, max_size=7)


@examples(5)
@given(
    st.one_of(whole_values, fractional_values),
    st.one_of(
        st.builds(Tolerance, relative),
        st.builds(Tolerance, st.just(0), st.fractions(0, 5, max_denominator=9)),
    ),
)
def test_a_tolerance_widens_ties_as_it_says(values: list[Any], tolerance: Tolerance) -> None:
    some = measured(values, tolerance)
    for tie, extreme in ((greatest(some), max(values)), (least(some), min(values))):
        assert tie.best == extreme
        assert list(tie.candidates) == [
            i for i, v in enumerate(values) if tied_by_definition(v, extreme, tolerance)
        ]
    for m in range(1, len(values) + 1):
        near = nearest(some, m)
        worst = sorted(values)[m - 1]
        alike = {i for i, v in enumerate(values) if tied_by_definition(v, worst, tolerance)}
        assert set(near.tied) == alike
        assert set(near.certain) == {i for i, v in enumerate(values) if v < worst} - alike
        assert 1 <= near.places <= len(near.tied)


def test_the_parts_of_a_tolerance_add_up_in_both_directions() -> None:
    tolerance = Tolerance(Fraction(1, 2), Fraction(1))
    # 4 - 1 <= 4 / 2 + 1: 1 and 4 are tied, whichever is looked at first
    assert tolerance.least_tied(Fraction(4)) == 1
    assert tolerance.greatest_tied(Fraction(1)) == 4


def test_the_next_value_is_beyond_the_tolerance() -> None:
    tie = greatest(measured([100, 99, 90, 80], Tolerance(Fraction(1, 50))))
    assert tie.candidates == (0, 1)
    assert tie.next_value() == 900


def test_tolerances_are_kept_by_floats_too() -> None:
    tolerance = Tolerance(relative=2.0**-40)
    close, apart = 1 - 2.0**-41, 1 - 2.0**-39
    tie = greatest(measured([apart, 1.0, close], tolerance))
    assert tie.candidates == (1, 2)
    assert least(measured([close, 1.0, 1 + 2.0**-39], tolerance)).candidates == (0, 1)


# House rules


def test_the_lowest_and_the_highest() -> None:
    tie = greatest(Ranking([4, 2, 9], [1, 1, 1], int))
    near = nearest(Ranking([4, 2, 9, 3], [1, 1, 1, 0], int), 3)
    assert (LOWEST.choose("a", tie), HIGHEST.choose("a", tie)) == (2, 9)
    assert sorted(LOWEST.choose_nearest("a", near, 0)) == [2, 4]
    assert sorted(HIGHEST.choose_nearest("a", near, 0)) == [4, 9]


def test_the_lowest_of_pairs_is_the_first_in_the_dictionary() -> None:
    tie = greatest(Ranking([(2, 1), (1, 7), (1, 2)], [1, 1, 1], int))
    assert LOWEST.choose("pair", tie) == (1, 2)
    assert HIGHEST.choose("pair", tie) == (2, 1)


@pytest.mark.parametrize("tie_breaker", [LOWEST, HIGHEST, random_ties(scripted([]))])
def test_tie_rules_give_the_first_answer_to_a_comparison(tie_breaker: TieBreaker) -> None:
    assert tie_breaker.decide("extend", Comparison(1, 1, (False, True))) is False
    assert tie_breaker.decide("extend", Comparison(1, 2, (True,))) is True


def test_the_random_door_draws_from_the_sorted_candidates() -> None:
    tie = greatest(Ranking([4, 2, 9], [1, 1, 1], int))
    near = nearest(Ranking([4, 2, 9, 3], [1, 1, 1, 0], int), 3)
    tie_breaker = random_ties(scripted([1, 2, 0]))
    assert tie_breaker.choose("a", tie) == 4
    assert set(tie_breaker.choose_nearest("a", near, 0)) == {9, 2}


def test_the_random_door_can_give_every_answer() -> None:
    tie = greatest(Ranking([4, 2, 9], [1, 1, 1], int))
    tie_breaker = random_ties(seeded(3))
    assert {tie_breaker.choose("a", tie) for _ in range(60)} == {2, 4, 9}


# A run counts and records what passes through it


def test_a_run_counts_ties_where_there_are_more_candidates_than_places() -> None:
    choices = Choices()
    assert choices.choose("a", least(measured([2, 1, 3]))) == 1
    assert choices.choose_nearest("b", nearest(measured([1, 1, 2]), 2), 9) == (0, 1)
    assert choices.decide("c", Comparison(1, 2, (True,))) is True
    assert choices.ties == 0
    assert choices.choose("a", least(measured([1, 1, 3]))) == 0
    assert choices.choose_nearest("b", nearest(measured([2, 1, 2]), 2), 9) == (0, 1)
    assert choices.decide("c", Comparison(1, 1, (False, True))) is False
    assert choices.ties == 3


def test_a_run_shows_its_choices_with_the_next_best_value() -> None:
    choices = Choices(HIGHEST, trace=[])
    choices.choose("far", greatest(measured([3, 1, 3, 2])))
    choices.choose_nearest("near", nearest(measured([1, 1, 0, 4, 1]), 2), 9)
    choices.decide("test", Comparison(3, 5, (True,)))
    choices.iteration([2, 0])
    choices.closed([1, 0])
    events = [(e.name, e.items, e.value, e.next, e.tied) for e in choices.trace or ()]
    assert events == [
        ("far", (2,), 30, 20, 2),
        ("near", (2, 4), 10, 40, 3),
        ("test", (True,), 3, 5, 1),
        ("iteration", (0, 2), None, None, 1),
        ("group", (0, 1), None, None, 1),
    ]


def test_a_tie_rule_of_ones_own_is_a_way_to_pick() -> None:
    last = TieRule("last", lambda m, candidates: candidates[-m:])
    assert Choices(last).choose("a", least(measured([1, 1, 1]))) == 2


# Lists that are made when they are looked at, comparisons, several origins


def test_a_list_that_is_made_later() -> None:
    later = Later(lambda: [3, 1, 2])
    assert (list(later), len(later), later[0], later[1:]) == ([3, 1, 2], 3, 3, [1, 2])
    assert LOWEST.pick(1, later) == [1]
    assert LOWEST.pick(2, Later(lambda: [3, 1, 2], lowest=1)) == [1, 2]


def test_a_list_whose_lowest_item_is_known_is_not_made_for_it() -> None:
    def made() -> list[int]:
        raise AssertionError

    tie = TiedCandidates(Later(made, lowest=4), 1, measured([]))
    assert LOWEST.choose("a", tie) == 4
    assert tie.several


def test_candidates_have_values_of_their_own_within_a_tolerance() -> None:
    near = greatest(measured([100, 99, 90, 98], Tolerance(0, 1)))
    assert [near.value_of(item) for item in near.candidates] == [1000, 990]
    assert near.raw() == {0: 100, 1: 99}
    exact = greatest(measured([3, 1, 3]))
    assert [exact.value_of(item) for item in exact.candidates] == [30, 30]
    assert exact.raw() == {0: 3, 2: 3}
    alone = greatest(measured([5, 1], Tolerance(0, 1)))
    assert (alone.value_of(0), alone.raw()) == (50, {0: 5})


@pytest.mark.parametrize(
    ("left", "right", "tolerance", "answers"),
    [
        (1, 2, EXACT, (True,)),
        (2, 2, EXACT, (False,)),
        (3, 2, EXACT, (False,)),
        (9, 10, Tolerance(Fraction(1, 10)), (True, False)),
        (10, 9, Tolerance(Fraction(1, 10)), (False, True)),
        (10, 10, Tolerance(Fraction(1, 10)), (False, True)),
        (8, 10, Tolerance(Fraction(1, 10)), (True,)),
        (1, 2, Tolerance(0, 1), (True,)),
    ],
)
def test_a_comparison_has_the_answers_that_can_be_defended(
    left: int, right: int, tolerance: Tolerance, answers: tuple[bool, ...]
) -> None:
    assert comparison(left, right, tolerance) == Comparison(left, right, answers)


def test_distances_from_the_nearest_of_several_origins() -> None:
    tolerance = Tolerance(0, 1)
    (one,) = [to_the_nearest([measured([4, 1, 3], tolerance)])]
    assert (list(one.items), one.values, one.tolerance) == ([0, 1, 2], [4, 1, 3], tolerance)
    both = to_the_nearest([measured([4, 1, 3]), measured([2, 5, 3])])
    assert (both.values, both.of(0)) == ([2, 1, 3], 20)


def test_numbers_are_shown_as_they_are() -> None:
    assert as_it_is(Fraction(1, 3)) == Fraction(1, 3)


def test_tie_rules_by_their_names() -> None:
    tie = greatest(measured([1] * 50))
    assert (tie_rule("lowest").choose("a", tie), tie_rule("highest").choose("a", tie)) == (0, 49)
    for seed, number in ((None, 0), (0, 0), (3, 3)):
        drawn = seeded(number).sample(range(50), 1)[0]
        assert tie_rule("random", seed).choose("a", tie) == drawn


def test_nothing_is_drawn_where_all_are_taken() -> None:
    near = nearest(measured([1, 1, 2]), 2)
    assert random_ties(scripted([])).choose_nearest("a", near, None) == (0, 1)


# The random stream


def test_the_second_blake2b_is_that_of_the_rfc() -> None:
    # RFC 7693, appendix A
    expected = (
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    )
    assert digest(b"abc").hex() == expected
    assert digest(b"abc", b"key", 8) == blake2b(b"abc", key=b"key", digest_size=8).digest()


def words(seed: int) -> Any:
    """The 64-bit words of a seed: counters hashed under the decimal digits of the seed."""
    for counter in count():
        yield int.from_bytes(digest(counter.to_bytes(8, "big"), str(seed).encode(), 8), "big")


@pytest.mark.parametrize("seed", [0, 1, 2026, -5])
def test_draws_are_words_modulo_the_range(seed: int) -> None:
    stream = seeded(seed)
    assert [stream.randbelow(1 << 64) for _ in range(5)] == list(islice(words(seed), 5))
    stream = seeded(seed)
    assert [stream.randbelow(10) for _ in range(20)] == [w % 10 for w in islice(words(seed), 20)]


@pytest.mark.parametrize("m", [(1 << 63) + 1, 3 << 62])
def test_words_that_would_favour_small_draws_are_passed_over(m: int) -> None:
    kept = [word for word in islice(words(1), 60) if word < m]
    stream = seeded(1)
    assert 10 < len(kept) < 50
    assert [stream.randbelow(m) for _ in kept] == kept


def test_the_first_word_that_would_favour_them(monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([3 << 62, 5])  # 2^64 - 2^64 mod m is m here

    def scripted_hash(*given: object, **others: object) -> Any:
        return SimpleNamespace(digest=lambda: next(left).to_bytes(8, "big"))

    monkeypatch.setattr(random_stream, "blake2b", scripted_hash)
    assert seeded(1).randbelow(3 << 62) == 5


def test_the_same_seed_gives_the_same_draws_and_another_seed_others() -> None:
    first, again, other = ([seeded(s).sample(range(50), 50)] for s in (4, 4, 5))
    assert first == again
    assert first != other


def test_streams_of_one_seed_do_not_share_their_place() -> None:
    one, two = seeded(1), seeded(1)
    one.randbelow(10)
    assert [two.randbelow(1 << 40) for _ in range(3)] == [seeded(1).randbelow(1 << 40)] + [
        w % (1 << 40) for w in islice(words(1), 1, 3)
    ]


def test_long_seeds_differ() -> None:
    assert seeded(10**70).randbelow(1 << 60) != seeded(10**70 + 1).randbelow(1 << 60)


def test_draws_are_spread_evenly() -> None:
    # chi-square with 9 degrees of freedom exceeds 27.88 in one of a thousand seeds
    stream = seeded(12345)
    counts = Counter(stream.randbelow(10) for _ in range(5000))
    assert sum((counts[i] - 500) ** 2 / 500 for i in range(10)) < 27.88


def test_samples_are_spread_evenly_over_the_orders() -> None:
    # 23 degrees of freedom: 49.73 in one of a thousand
    stream = seeded(2)
    counts = Counter("".join(stream.sample("abcd", 4)) for _ in range(4800))
    assert len(counts) == 24
    assert sum((c - 200) ** 2 / 200 for c in counts.values()) < 49.73


def test_a_sample_has_no_item_twice() -> None:
    stream = seeded(8)
    for m in range(7):
        assert len(set(stream.sample(range(6), m))) == m
    assert seeded(8).sample([], 0) == []


def test_more_cannot_be_drawn_than_there_are() -> None:
    with pytest.raises(StreamExhausted, match="3 items are to be drawn from 2"):
        scripted([0, 0, 0]).sample("ab", 3)


@pytest.mark.parametrize("m", [0, -1, (1 << 64) + 1])
def test_draws_that_are_not_possible(m: int) -> None:
    with pytest.raises(StreamExhausted, match=f"a draw below {m}; at least 1 and at most 2"):
        seeded(1).randbelow(m)


def test_the_only_draw_below_1_is_0() -> None:
    assert seeded(1).randbelow(1) == 0


@pytest.mark.parametrize(("digits", "hashed"), [(63, False), (64, False), (65, True)])
def test_seeds_of_more_than_64_digits_are_hashed(digits: int, hashed: bool) -> None:
    seed = 10 ** (digits - 1)
    text = str(seed).encode()
    key = blake2b(text).digest() if hashed else text
    word = blake2b(bytes(8), key=key, digest_size=8).digest()
    assert seeded(seed).randbelow(1 << 64) == int.from_bytes(word, "big")


def test_a_run_without_a_seed_has_nothing_to_draw() -> None:
    assert stream_of(3).randbelow(1 << 40) == seeded(3).randbelow(1 << 40)
    with pytest.raises(StreamExhausted, match="the script has no draw left"):
        stream_of(None).randbelow(1)


def test_uniform_numbers_have_53_bits() -> None:
    assert scripted([0]).uniform() == 0.0
    assert scripted([(1 << 53) - 1]).uniform() == 1 - 2.0**-53
    stream = seeded(1)
    expected = [word % (1 << 53) / (1 << 53) for word in islice(words(1), 9)]
    assert [stream.uniform() for _ in range(9)] == expected


def test_a_script_is_followed_to_its_end() -> None:
    stream = scripted([2, 0, 0])
    assert stream.sample("abc", 3) == ["c", "a", "b"]
    with pytest.raises(StreamExhausted, match="no draw left, one of 0 to 4 is needed"):
        stream.randbelow(5)


@pytest.mark.parametrize("draw", [-1, 3, 10])
def test_a_script_that_draws_what_is_not_there(draw: int) -> None:
    with pytest.raises(StreamExhausted, match=f"draws {draw}, but one of 0 to 2 is needed"):
        scripted([draw]).randbelow(3)
