"""The guided replay, question by question: what is taken, what is noted, what is said."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial
from math import comb, inf, log2
from typing import Any

import pytest

from oracle.replay.explore import MemoisedSpace, Pruned, Undecided
from oracle.replay.guided import (
    ClaimedGroups,
    Departure,
    Work,
    _Guide,
    _named,
    _Search,
    _word,
    bits_of,
    departing,
    fixed_in,
    judge_claim,
    named_in,
)
from refagg.catalogue import specification
from refagg.language.choices import Choices
from refagg.language.partition import Group, Partition
from refagg.language.specification import FIXED
from refagg.language.ties import (
    HIGHEST,
    LOWEST,
    Comparison,
    Nearest,
    Ranking,
    TiedCandidates,
    Tolerance,
    as_it_is,
)
from refagg.spaces.exact import exact_space
from refagg.spaces.mixed import CATEGORY

MDAV = specification("mdav")
TRIPLES = ((0, 1, 2), (3, 4, 5))


def claim_of(*groups: Group) -> ClaimedGroups:
    return ClaimedGroups.of_partition(Partition.of(groups, sum(map(len, groups))))


def guide(
    *groups: Group, search: _Search | None = None, script: Sequence[int] = (), **how: Any
) -> _Guide:
    """A guide to the claim of these groups, of two triples by default."""
    given = {"rules": None, "memory": None, "finished": ()} | how
    claim = claim_of(*(groups or TRIPLES))
    own = search or _Search()
    return _Guide(script, named=named_in(MDAV), claim=claim, search=own, **given)


def ranking(values: dict[int, Any], tolerance: Any = 0) -> Ranking[int]:
    return Ranking(list(values), list(values.values()), as_it_is, Tolerance(tolerance))


def tied(values: dict[int, Any], *candidates: int) -> TiedCandidates[int]:
    return TiedCandidates(candidates, values[candidates[0]], ranking(values))


LINE = {record: Fraction(record) for record in range(6)}


# Claims


def test_claims_of_one_partition() -> None:
    claim = claim_of(*TRIPLES)
    assert claim.accepts((0, 1, 2)) is True
    assert claim.accepts((0, 1, 3)) is False
    assert claim.accepts((0, 1)) is False


def test_classes_that_may_be_several_groups() -> None:
    """As many groups as classes are the classes; of others it is asked whether they fit."""
    four = ClaimedGroups((0, 0, 0, 0), ((0, 1, 2, 3),), lambda group: True, lambda groups: False)
    assert four.is_made_of([(0, 1, 2, 3)])
    assert not four.is_made_of([(0, 1), (2, 3)])
    fits = ClaimedGroups((0, 0, 0, 0), ((0, 1, 2, 3),), lambda group: True, lambda groups: True)
    assert fits.is_made_of([(0, 1), (2, 3)])


# Judgements


def judged(groups: Sequence[Group], rows: Sequence[int], k: int = 2, **bounds: Any) -> Any:
    space = exact_space([[value] for value in rows])
    run = partial(MDAV.run, space, k)
    return judge_claim(MDAV, run, claim_of(*groups), **bounds)


def test_runs_are_counted() -> None:
    """Without a tie there is one run. 0, 1, 9, 10: 0 and 10 are as far from 5."""
    assert judged([(0, 1), (2, 3)], [0, 1, 9, 11]).runs == 1
    wrong = judged([(0, 2), (1, 3)], [0, 1, 9, 11])
    assert (wrong.verdict, wrong.runs, wrong.slack) == ("not admissible", 1, 0)
    assert judged([(0, 1), (2, 3)], [0, 1, 9, 10]).runs == 1
    assert judged([(0, 2), (1, 3)], [0, 1, 9, 10]).runs > 2


def test_no_run_is_started_where_the_first_two_take_all_the_time() -> None:
    late = judged([(0, 2), (1, 3)], [0, 1, 9, 10], seconds=-1)
    assert (late.verdict, late.runs) == ("undecided", 2)
    assert judged([(0, 2), (1, 3)], [0, 1, 9, 10], seconds=60).verdict == "not admissible"
    assert judged([(0, 1), (2, 3)], [0, 1, 9, 10], seconds=-1).verdict == "admissible"


def nearest_to_chosen(space: Any, choices: Choices) -> Partition:
    """Record 0 or 3 is chosen, and then the record is asked for that is nearest to it."""
    seed = choices.choose("x_r", tied(dict.fromkeys(range(4), 1), 0, 3))
    others = [record for record in range(4) if record != seed]
    [near] = space.nearest(1, space.distances(seed, others)).tied
    space.between(seed, near)
    group = tuple(sorted((seed, near)))
    return Partition.of([group, tuple(record for record in range(4) if record not in group)], 4)


def test_no_run_gets_the_answers_of_another() -> None:
    """0, 1, 5, 100: 1 is nearest to 0, and 5 to 100, so that both runs give 0 1 and 2 3.

    0 with the record that is nearest to 100 would be 0 2 and 1 3.
    """
    memory = MemoisedSpace(exact_space([[0], [1], [5], [100]]))
    run = partial(nearest_to_chosen, memory)
    right, mixed = claim_of((0, 1), (2, 3)), claim_of((0, 2), (1, 3))
    assert judge_claim(MDAV, run, right, memory=memory).runs == 1
    for _ in range(2):  # the second begins where the first has ended
        assert judge_claim(MDAV, run, mixed, memory=memory).verdict == "not admissible"
    assert list(departing(MDAV, run, mixed, ("x_s",), Work(9), 9, memory)) == []
    assert next(one for one, _ in departing(MDAV, run, right, ("x_s",), Work(9), 9, memory)) == []


# Work


def test_work_ends_at_a_number() -> None:
    work = Work(left=3, end=1)
    work.spend()
    work.spend()
    assert work.left == 1
    with pytest.raises(Undecided, match="too many choices"):
        work.spend()


def one_of_three(choices: Choices) -> Partition:
    """A run in which record 0 should be chosen."""
    seed = choices.choose("x_r", tied({0: 9, 1: 2, 2: 1}, 0))
    rest = tuple(record for record in range(3) if record != seed)
    return Partition.of([(seed,), rest], 3)


def test_departures_are_those_of_free_choices() -> None:
    groups = claim_of((0, 1), (2,))
    found = list(departing(MDAV, one_of_three, groups, ("x_r",), Work(9), 9))
    [(departures, made)] = found
    assert [(one.name, one.ways) for one in departures] == [("x_r", 3)]
    assert made["x_r"] == 1
    assert list(departing(MDAV, one_of_three, groups, ("x_s",), Work(9), 9)) == []


def test_no_run_is_started_when_the_time_is_over() -> None:
    """The first run is made, with the right choice."""
    late = Work(9, ends=0.9 * time.process_time())
    with pytest.raises(Undecided, match="not all runs"):
        list(departing(MDAV, one_of_three, claim_of((0, 1), (2,)), ("x_r",), late, 9))


def test_values_are_settled_unless_they_are_free() -> None:
    def run(choices: Choices) -> Partition:
        divided = choices.settled("loop", True, [False])
        return Partition.of([(0,), (1,)] if divided else [(0, 1)], 2)

    whole = claim_of((0, 1))
    assert list(departing(MDAV, run, whole, ("x_r",), Work(9), 9)) == []
    [(departures, _)] = departing(MDAV, run, whole, ("loop",), Work(9), 9)
    assert departures[0].ways == 2
    assert departures[0].texts() == (
        "whether enough records remain for another turn: yes",
        "the groups follow from no",
    )


def test_the_first_of_the_deepest_divergences_is_kept() -> None:
    search = _Search()
    for depth, name in ((1, "a"), (1, "b"), (0, "c")):
        search.note(depth, lambda name=name: name)  # type: ignore[misc]
    assert search.deepest == "a"


# Choices


def test_rules_for_choices_and_for_centroids() -> None:
    both = tied({0: 4, 1: 4}, 0, 1)
    own = guide(rules=(LOWEST, HIGHEST))
    assert (own.choose("x_r", both), own.choose(CATEGORY, both)) == (0, 1)
    assert own.choose_nearest("near x_r", Nearest((), (0, 1, 2), 2, 4, ranking(LINE)), None) == (
        0,
        1,
    )


def test_ties_are_counted() -> None:
    own = guide()
    assert (own.ties, own.slack) == (0, 0)
    own.choose("x_r", tied(LINE, 0))
    assert own.ties == 0
    own.choose("x_r", tied({0: 4, 1: 4}, 0, 1))
    assert own.ties == 1
    own.choose_nearest("near x_r", Nearest((1,), (2,), 1, 4, ranking(LINE)), 0)
    assert own.ties == 1
    three = ranking({2: 4, 3: 5, 4: 5})
    own.choose_nearest("near x_r", Nearest((), (2, 3, 4), 1, 4, three), None)
    assert own.ties == 2
    own.decide("test", Comparison(1, 2, (True,)))
    assert own.ties == 2
    own.decide("test", Comparison(1, 2, (True, False)))
    assert own.ties == 3
    assert own.made == {"x_r": 2, "near x_r": 2, "test": 2}


def test_slack_is_the_relative_difference_of_what_was_tied() -> None:
    """5 and 4 differ by a fifth of 5. Where none of the tied is taken, none is farther than 0."""
    own = guide(script=[1])
    chosen = own.choose("x_r", TiedCandidates((0, 1), 5, ranking({0: 5, 1: 4})))
    assert (chosen, own.slack) == (1, Fraction(1, 5))
    none = guide()
    half = ranking({1: Fraction(1, 2), 2: Fraction(1, 2)})
    assert none.choose_nearest("near x_r", Nearest((), (1, 2), 0, 0, half), None) == ()
    assert (none.slack, none.ties) == (0, 1)


def test_many_equal_records_are_judged_in_time() -> None:
    """Each of 258 choices is among up to 2064 tied records, whose values are looked up once."""
    run = partial(MDAV.run, exact_space([[19312, 66607]] * 2064), 8)
    claim = ClaimedGroups.of_partition(run(Choices(LOWEST)))
    began = time.process_time()
    assert judge_claim(MDAV, run, claim).verdict == "admissible"
    assert time.process_time() - began < 5


def test_answers_of_tests() -> None:
    """3 < 4 is true, and false within a tolerance: a slack of a quarter."""
    both = Comparison(3, 4, (True, False))
    first, second = guide(), guide(script=[1])
    assert first.decide("test", both) is True
    assert first.slack == 0
    assert second.decide("test", both) is False
    assert second.slack == Fraction(1, 4)
    assert guide(rules=(HIGHEST, HIGHEST)).decide("test", both) is True


# Divergences


def test_groups_that_are_not_claimed_end_the_run() -> None:
    search = _Search()
    own = guide(search=search)
    own.iteration(range(6), ())
    own.choose("x_r", tied(LINE, 5))
    own.choose("x_s", tied({0: 7, 1: 7}, 0, 1))
    with pytest.raises(Pruned):
        own.together((0, 3))
    found = search.deepest
    assert found is not None
    assert search.depth == 2
    assert (found.iteration, found.step) == (1, "step 2: x_s, the record most distant from x_r")
    assert found.specification == "records 0 3 share a group"
    assert found.claim == "records 0 1 2 share a group; records 3 4 5 share a group"
    assert found.choices == (
        "x_r is record 5 at distance^2 5",
        "x_s is one of records 0 1 at distance^2 7",
    )
    assert found.grown is False
    assert found.too_large is False


@pytest.mark.parametrize("before", [(0,), (0, 1)])
def test_a_group_that_was_formed_has_grown(before: Group) -> None:
    search = _Search()
    own = guide(search=search)
    own.together(before)
    with pytest.raises(Pruned):
        own.together((*before, 3))
    assert search.deepest
    assert search.deepest.grown is True
    other = _Search()
    with pytest.raises(Pruned):
        guide(search=other).together((*before, 3))
    assert other.deepest
    assert other.deepest.grown is False


def closed_too_soon(near: dict[int, int], seed: int, closed: Group) -> bool:
    """Is the claimed group of 0, 1, 2 told as one too large, where this one was closed?"""
    search = _Search()
    own = guide(search=search)
    own.choose_nearest("near x_r", Nearest((), (), 0, 0, ranking(near)), seed)
    with pytest.raises(Pruned):
        own.closed(closed)
    assert search.deepest
    assert search.deepest.specification == f"{_named(closed)} are a whole group"
    return search.deepest.too_large


def test_a_claimed_group_of_the_nearest_may_be_too_large() -> None:
    """The seed 0 has 1 and 2 nearest; 1 is at the distance 0, which is a record, too."""
    near = {1: 0, 2: 1, 3: 2}
    assert closed_too_soon(near, 0, (0, 1)) is True
    assert closed_too_soon({0: 0} | near, 0, (0, 1)) is True
    assert closed_too_soon({1: 0, 2: 2, 3: 1}, 0, (0, 1)) is False
    assert closed_too_soon(near, 3, (0, 1)) is False


def test_candidates_that_are_shown() -> None:
    """Twelve at most."""
    many = dict.fromkeys(range(13), 1)
    for count, more in ((12, ""), (13, " ...")):
        text = guide()._choice("x_r", tied(many, *range(count)))
        shown = " ".join(map(str, range(12)))
        assert text == f"x_r is one of records {shown}{more} at distance^2 1"


def test_records_and_values_in_words() -> None:
    twelve = " ".join(map(str, range(12)))
    assert _named([3]) == "record 3"
    assert _named(range(12)) == f"records {twelve}"
    assert _named(range(13)) == f"records {twelve} and 1 more"
    assert [_word(value) for value in (True, False, Fraction(1, 2), 3, "x")] == [
        "yes",
        "no",
        "1/2",
        "3",
        "x",
    ]


# Departures


def departures(own: _Guide) -> list[tuple[str, int]]:
    return [(one.name, one.ways) for one in own.departures]


@pytest.mark.parametrize(("place", "record"), list(enumerate([0, 2, 1, 5, 3, 4])))
def test_any_record_may_be_chosen_those_of_the_right_class_first(place: int, record: int) -> None:
    """Of the others in the order in which they were measured: 5, 2, 3, 1, 4."""
    values = {5: 1, 2: 2, 3: 3, 0: 9, 1: 4, 4: 5}
    own = guide(free=("x_r",), script=[place])
    assert own.choose("x_r", tied(values, 0)) == record
    assert departures(own) == ([("x_r", 6)] if place else [])
    assert own.options == [6]
    if place == 1:
        assert own.departures[0].texts() == (
            "x_r is record 0 at distance^2 9",
            "the groups follow from another choice, record 2 at distance^2 2",
        )


@pytest.mark.parametrize(("count", "more"), [(12, ""), (13, " or ...")])
def test_the_right_choices_are_told_up_to_twelve(count: int, more: str) -> None:
    values = dict.fromkeys(range(count), 9) | {count: 1}
    own = guide(tuple(range(14)), free=("x_r",), script=[count])
    own.choose("x_r", tied(values, *range(count)))
    right = " or ".join(f"record {record} at distance^2 9" for record in range(12))
    assert own.departures[0].texts()[0] == f"x_r is {right}{more}"


@pytest.mark.parametrize(
    ("what", "chosen", "ways"),
    [("group", (1, 1), [3, 2]), ("group", (1, 2), [3, 3]), ("record", (1, 1), [3, 3])],
)
def test_a_leftover_that_strays_again_costs_a_bit(
    what: str, chosen: tuple[int, int], ways: list[int]
) -> None:
    own = guide(free=("x_r",), script=chosen)
    choice = own._ties["x_r"]
    own._ties["x_r"] = type(choice)("x_r", "1", "the one", what)
    for _ in chosen:
        own.choose("x_r", tied({0: 9, 1: 2, 2: 1}, 0))
    assert [one.ways for one in own.departures] == ways


def neighbours(near: Nearest[int], seed: int = 0) -> tuple[tuple[int, ...], _Guide]:
    own = guide(free=("near x_r",))
    return own.claimed_neighbours("near x_r", near, seed), own


def test_claimed_neighbours() -> None:
    """Of 5 measured records two are taken in one of 10 ways. At the boundary they are right."""
    far = ranking({5: 1, 4: 2, 3: 3, 2: 4, 1: 5})
    taken, own = neighbours(Nearest((5,), (4,), 1, 2, far))
    assert taken == (2, 1)
    assert departures(own) == [("near x_r", comb(5, 2))]
    taken, own = neighbours(Nearest((2,), (1, 4), 1, 2, ranking({2: 1, 1: 2, 4: 2, 3: 3, 5: 4})))
    assert taken == (2, 1)
    assert departures(own) == []
    taken, own = neighbours(Nearest((), (), 0, 0, far))
    assert taken == ()
    assert departures(own) == []
    with pytest.raises(Pruned):
        neighbours(Nearest((5, 4), (3,), 1, 3, far))


def sized(near: Nearest[int], *groups: Group) -> tuple[Any, _Guide]:
    own = guide(*groups, free=("group size",))
    return own.claimed_size("near x_r", near, 0), own


def test_claimed_sizes() -> None:
    """The group of 0 has two others, as it must have, or it has one or none, of the nearest."""
    line = ranking({1: 0, 2: 1, 3: 2})
    assert sized(Nearest((1,), (2,), 1, 1, line), (0, 1, 2), (3,))[0] is None
    members, own = sized(Nearest((1,), (2,), 1, 1, line), (0, 1), (2, 3))
    assert members == (1,)
    assert departures(own) == [("group size", 3)]
    assert own.departures[0].texts() == ("a group has 3 records", "this one has 2")
    members, own = sized(Nearest((), (1,), 1, 0, ranking({1: 0})), (0,), (1,))
    assert members == ()
    assert departures(own) == [("group size", 2)]
    with pytest.raises(Pruned):
        sized(Nearest((1,), (2,), 1, 1, line), (0, 2), (1, 3))


def test_a_value_without_others_is_no_question() -> None:
    own = guide(free=("cut",))
    assert own.any_value("cut", 4, (), ()) == 4
    assert own.options == []
    assert own.any_value("cut", 4, (4, 5), ()) == 4
    assert own.options == [2]


def test_a_claimed_order_has_its_odd_group_last() -> None:
    """Sizes 3, 2, 3: of 8! / (2! 3!^2 2!) = 280 orders of records. 0 1 2 has the greatest value."""
    own = guide((0, 1, 2), (3, 4), (5, 6, 7), free=("order",))
    assert own.any_value("order", [9, 8, 7, 0, 0, 1, 2, 3], (), ()) == [1, 1, 1, 2, 2, 0, 0, 0]
    assert departures(own) == [("order", 280)]


def test_parts_that_are_divided_share_no_claimed_group() -> None:
    own = guide()
    own.stay_apart((0, 1, 2), (3, 4))
    with pytest.raises(Pruned):
        own.stay_apart((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("answers", "script", "answer", "found"),
    [
        ((True,), (), True, []),
        ((True,), (1,), False, [("loop", 2)]),
        ((False, True), (), False, []),
        ((False, True), (1,), True, []),
    ],
)
def test_either_answer_may_be_given(
    answers: tuple[bool, ...],
    script: Collection[int],
    answer: bool,
    found: list[tuple[str, int]],
) -> None:
    own = guide(free=("loop",), script=list(script))
    assert own.decide("loop", Comparison(1, 2, answers)) is answer
    assert own.options == [2]
    assert departures(own) == found
    if found:
        assert own.departures[0].texts() == (
            "loop: 1 < 2 is True",
            "the groups follow from False",
        )


# Habits


@pytest.mark.parametrize(
    ("habit", "taken"),
    [("always from the other end", 3), ("always the first of the file", 1), ("", 4)],
)
def test_an_item_is_chosen_by_a_habit(habit: str, taken: int) -> None:
    """4 has the right value, 3 is farthest from it, 1 stands first; without a habit all may be."""
    own = guide(free=("x_r",), habit=habit)
    assert own.choose("x_r", tied({1: 5, 2: 8, 3: 1, 4: 9}, 4)) == taken
    assert own.options == [1 if habit else 4]
    assert [name for name, _ in departures(own)] == (["x_r"] if habit else [])


def test_items_at_the_other_end_may_be_tied() -> None:
    own = guide(free=("x_r",), habit="always from the other end", script=[1])
    assert own.choose("x_r", tied({1: 5, 2: 1, 3: 1, 4: 9}, 4)) == 3
    assert own.options == [2]


NEAR = Nearest((5,), (4,), 1, 2, ranking({1: 5, 5: 1, 4: 2, 3: 3}))
"""Of four records the two nearest are 5 and 4."""


@pytest.mark.parametrize(
    ("free", "habit", "taken", "told"),
    [
        ("near x_r", "always from the other end", (1, 3), "the nearest records are chosen"),
        ("near x_r", "always the first of the file", (1, 5), "the nearest records are chosen"),
        ("group size", "always one more", (5, 4, 3), "a group has 3 records"),
        ("group size", "always one less", (5,), "a group has 3 records"),
    ],
)
def test_neighbours_are_chosen_by_a_habit(free: str, habit: str, taken: Group, told: str) -> None:
    own = guide(free=(free,), habit=habit)
    assert own.near_by_habit("near x_r", NEAR) == taken
    assert departures(own) == [(free, 2)]
    assert own.departures[0].texts()[0] == told


def test_neighbours_that_a_habit_leaves_right_are_no_departure() -> None:
    own = guide(free=("near x_r",), habit="always the first of the file")
    nearest = Nearest((5,), (4, 3), 1, 2, ranking({5: 1, 3: 2, 4: 2, 1: 5}))
    assert own.near_by_habit("near x_r", nearest) == (5, 3)
    assert departures(own) == []


def test_a_habit_that_needs_more_records_than_there_are_ends_the_run() -> None:
    own = guide(free=("group size",), habit="always one more")
    with pytest.raises(Pruned):
        own.near_by_habit("near x_r", Nearest((5,), (4,), 1, 2, ranking({5: 1, 4: 2})))


@pytest.mark.parametrize(
    ("habit", "value", "others", "beside", "taken"),
    [
        ("always yes", False, (True,), (), True),
        ("always yes", True, (False,), (), True),
        ("always no", True, (False,), (), False),
        ("always no", True, (), (), True),
        ("always the opposite", True, (False,), (), False),
        ("always one more", True, (False,), (False, True), False),
        ("always one less", False, (True,), (False, True), True),
        ("always one more", False, (True,), (), False),
        ("always one more", 4, (9, 5, 1), (), 5),
        ("always one less", 4, (9, 5, 1, 3), (), 3),
        ("always one more", 9, (4, 5), (), 9),
        ("always the opposite", "first", ("second",), (), "second"),
    ],
)
def test_values_are_settled_by_a_habit(
    habit: str, value: Any, others: Sequence[Any], beside: Sequence[Any], taken: Any
) -> None:
    own = guide(free=("loop",), habit=habit)
    assert own.any_value("loop", value, others, beside) == taken
    assert own.options == []
    assert len(own.departures) == (taken != value)


@pytest.mark.parametrize(
    ("habit", "taken"), [("always yes", True), ("always no", False), ("always the opposite", False)]
)
def test_tests_are_answered_by_a_habit(habit: str, taken: bool) -> None:
    own = guide(free=("loop",), habit=habit)
    assert own.decide("loop", Comparison(1, 2, (True,))) is taken


@pytest.mark.parametrize(("script", "ways"), [([1], [4]), ([2], [4]), ([3], [10]), ([4], [10])])
def test_the_number_beside_the_right_one_is_as_likely_as_all_others(
    script: list[int], ways: list[int]
) -> None:
    """Of 5 values: 3 and 5 are beside 4, so two bits; 9 and 1 are not, so the others' one more."""
    own = guide(free=("cut",), script=script)
    assert own.any_value("cut", 4, (3, 5, 9, 1), ()) == (4, 3, 5, 9, 1)[script[0]]
    assert [one.ways for one in own.departures] == ways


def test_conditions_of_an_algorithm_within_another_have_names() -> None:
    named = {one.name: one for one in fixed_in(specification("kd-blocks"))}
    assert named["blocks: can be cut"].what == named["can be cut"].what == "test"
    assert {one.name for one in fixed_in(MDAV)} == {one.name for one in FIXED}


def test_choices_that_were_made_are_known() -> None:
    work = Work(9)
    own = guide(free=("loop",), work=work)
    own.any_value("loop", True, (False,), ())
    own.any_value("cut", 1, (), ())
    assert work.met == {"loop", "cut"}


def test_a_run_is_given_up_when_it_costs_as_much_as_the_best() -> None:
    """Two ways are one bit, three are 1.58."""
    cheaper = guide(free=("loop",), work=Work(9, bits=1.1))
    cheaper._depart("loop", 2, lambda: ("", ""))
    with pytest.raises(Pruned):
        guide(free=("loop",), work=Work(9, bits=1.0))._depart("loop", 2, lambda: ("", ""))


def test_states_differ_by_the_cost_of_departures() -> None:
    """To a millionth of a bit."""
    own = guide(free=("loop",))
    own._depart("loop", 3, lambda: ("", ""))
    own.reached("here")
    assert own.states == [(0, ("here", round(log2(3), 6)))]
    plain = guide()
    plain.reached("here")
    assert plain.states == [(0, "here")]


def test_departures_cost_the_logarithms_of_their_ways() -> None:
    two = [Departure(1, "", "loop", ways, lambda: ("", "")) for ways in (2, 8)]
    assert bits_of(two) == 4
    assert bits_of([]) == 0
    assert Work(1).bits == inf
