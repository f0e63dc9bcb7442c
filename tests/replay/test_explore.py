"""A space that remembers, scripts of choices, and all runs: by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from oracle.replay import explore
from oracle.replay.explore import (
    LONG,
    SHORT,
    LaterRanking,
    MemoisedSpace,
    Pruned,
    Script,
    Undecided,
    explored_runs,
)
from refagg import exact_space
from refagg.language.choices import Choices
from refagg.language.ties import Comparison, Ranking, as_it_is, greatest, nearest

# The space that remembers


def spaces() -> tuple[Any, Any]:
    """A space of four records, and one that remembers what it says."""
    space = exact_space([[0, 3], [1, 0], [5, 1], [1, 1]])
    return space, MemoisedSpace(space)


def test_the_space_says_what_its_own_space_says() -> None:
    space, memory = spaces()
    assert (memory.n, memory.width, memory.records()) == (4, 2, [0, 1, 2, 3])
    assert memory.between(0, 1) == 10
    assert memory.squared(1, 2) == 17
    middle = memory.centroid([1, 3])
    assert memory.squared(middle, 1) == Fraction(1, 4)
    assert memory.squared(memory.point_at([Fraction(1), Fraction(3)]), 0) == 1
    assert list(memory.attribute(0)) == list(space.attribute(0))
    assert memory.factor(1) == space.factor(1)
    assert memory.without(0).between(0, 1) == space.without(0).between(0, 1) == 9
    assert memory.sse([1, 3]) == space.sse([1, 3])
    assert memory.raw(0, [1, 2]) == space.raw(0, [1, 2])
    assert memory.shown(memory.raw(0, [1])[0]) == 10
    assert memory.less(1, 2) == Comparison(1, 2, (True,))
    assert memory.measured(["a", "b"], [3, 1]).of("b") == 1
    assert memory.ranked(["a"], space.raw(0, [1])).of("a") == 10


def test_distances_are_those_of_the_space_without_some_records() -> None:
    space, memory = spaces()
    own, remembered = space.distances(0, [1, 2, 3]), memory.distances(0, [1, 2, 3])
    assert list(remembered.items) == [1, 2, 3]
    assert list(remembered.values) == list(own.values)
    assert remembered.tolerance == own.tolerance
    assert remembered.shown(own.values[0]) == own.shown(own.values[0]) == 10
    assert list(remembered.left({2})) == list(own.left({2}))
    assert remembered.pairs({1, 2}) == own.pairs({1, 2})
    assert remembered.of(3) == 5
    assert memory.farthest(remembered).candidates == (2,)
    assert memory.closest(remembered, {3}).candidates == (1,)
    assert memory.nearest(1, remembered).tied == (3,)
    assert memory.distances_to_any([0, 1], [2, 3]).of(3) == 1


def test_answers_are_given_again_in_their_order() -> None:
    _, memory = spaces()
    assert (memory.between(0, 1), memory.squared(1, 2), memory.asked) == (10, 17, 2)
    memory.rewind(1)
    assert memory.asked == 0
    assert memory.between(2, 3) == 10  # whatever is asked: the first question is the same again
    assert memory.between(2, 3) == 16
    assert memory.asked == 2


def test_what_was_chosen_is_kept_and_the_distances_are_not() -> None:
    _, memory = spaces()
    memory.between(0, 1)
    chosen = memory.farthest(memory.distances(0, [1, 2, 3]))
    assert (chosen.candidates, chosen.value) == ((2,), 29)
    kept = memory._answers[-1]
    assert isinstance(kept.measured, LaterRanking)
    assert "_made" not in vars(kept.measured)
    memory.rewind(2)
    assert memory.between(0, 1) == 10
    again = memory.farthest(memory.distances(0, [1, 2, 3]))
    assert again is kept
    assert (again.candidates, again.measured.of(3)) == ((2,), 5)


# Scripts


def test_a_script_is_followed_and_then_the_first_option_taken() -> None:
    script = Script([1, 2], set())
    tied = greatest(Ranking([4, 7], [1, 1], as_it_is))
    assert script.choose("a", tied) == 7
    assert script.combination("abcd", 2) == ("a", "d")  # ab, ac, ad, ...
    assert script.decide("b", Comparison(1, 1, (False, True))) is False
    near = nearest(Ranking([0, 1, 2], [1, 1, 0], as_it_is), 2)
    assert script.choose_nearest("c", near, None) == (0,)
    assert script.taken == [1, 2, 0, 0]
    assert script.options == [2, 6, 2, 2]
    assert script.asked == [0, 0, 0, 0]


def test_a_script_knows_what_the_space_was_asked_before_each_choice() -> None:
    _, memory = spaces()
    script = Script([], set(), memory)
    memory.between(0, 1)
    script.branch(2)
    memory.between(0, 1)
    memory.between(0, 1)
    script.branch(2)
    assert script.asked == [1, 3]


def test_a_state_whose_continuations_are_known_ends_a_run_beyond_its_script() -> None:
    script = Script([0], {"known"})
    script.reached("known")  # still in the script
    script.branch(2)
    script.reached("new")
    script.branch(2)
    with pytest.raises(Pruned):
        script.reached("known")
    assert script.states == [(0, "known"), (1, "new")]


def test_a_long_run_marks_states_after_choices_of_several_options() -> None:
    script = Script([], set())
    for number in range(SHORT):
        script.reached(number)
    script.branch(1)
    script.reached("no other way leads here")
    script.branch(2)
    script.branch(1)
    script.reached("one of two")
    assert script.states[SHORT - 1 :] == [(0, SHORT - 1), (3, "one of two")]


def test_a_state_that_comes_again_after_choices_is_a_circle() -> None:
    script = Script([], set())
    script.reached("a")
    script.reached("a")  # nothing was chosen between
    script.branch(2)
    with pytest.raises(Pruned):
        script.reached("a")


def state_after(*groups: list[int], kept: Any = ()) -> Any:
    """The state of a run that has promised these groups."""
    script = Script([], set())
    for group in groups:
        script.together(group)
    script.iteration([], kept)
    return script.states[-1][1]


def test_a_state_is_that_of_groups_however_they_were_formed() -> None:
    assert state_after([0], [2, 0], [1]) == state_after([1], [0, 2])
    assert state_after([0, 2], [0, 2]) == state_after([0, 2])
    different = [state_after([0, 1]), state_after([0], [1]), state_after([0]), state_after()]
    assert len(set(different)) == 4
    script = Script([], set())
    script.closed([3, 1])
    assert script.formed == {1: (1, 3), 3: (1, 3)}


def test_long_tuples_that_are_kept_are_numbers() -> None:
    short, long = tuple(range(LONG)), tuple(range(LONG + 1))
    assert state_after(kept=short)[1] == short
    number = state_after(kept=long)[1]
    assert isinstance(number, int)
    assert number.bit_length() > 256
    assert state_after(kept=(short, long, "x"))[1] == (short, number, "x")
    assert state_after(kept=(*long, 7))[1] != number
    assert state_after(kept="x")[1] == "x"


# All runs


def decided(choices: Choices) -> int:
    """0 or 1, whichever an equal comparison says."""
    return int(choices.decide("d", Comparison(1, 1, (False, True))))


def results(algorithm: Callable[[Choices], Any], limit: int, **others: Any) -> list[Any]:
    return [result for result, _ in explored_runs(algorithm, limit, **others)]


def test_runs_follow_one_another_as_numbers_do() -> None:
    def three(choices: Choices) -> tuple[int, ...]:
        return decided(choices), decided(choices), decided(choices)

    expected = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    assert results(three, 8) == expected
    with pytest.raises(Undecided, match="more than 7 runs"):
        results(three, 7)
    assert results(lambda choices: "one", 1) == ["one"]


def test_runs_end_after_so_many_seconds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def two(choices: Choices) -> tuple[int, int]:
        return decided(choices), decided(choices)

    def clock(*ticks: int) -> None:
        following = iter(ticks)
        monkeypatch.setattr(explore, "time", SimpleNamespace(process_time=lambda: next(following)))

    clock(5, 6, 7, 8, 9)
    assert len(results(two, 4, seconds=4)) == 4
    clock(5, 6, 7, 8, 9)
    with pytest.raises(Undecided, match="not all runs in 1 seconds"):
        results(two, 4, seconds=1)


def test_a_run_that_reaches_what_is_known_is_left_out() -> None:
    def meeting(choices: Choices) -> tuple[int, int]:
        first = decided(choices)
        choices.reached([[7]])
        return first, decided(choices)

    assert results(meeting, 3) == [(0, 0), (0, 1)]
    with pytest.raises(Undecided, match="more than 2 runs"):
        results(meeting, 2)


def test_a_state_before_the_next_choice_is_not_known_yet() -> None:
    """It is reached again in each run, and what follows from it is still to be looked at."""

    def beginning(choices: Choices) -> tuple[int, int]:
        choices.reached([[7]])
        return decided(choices), decided(choices)

    assert results(beginning, 4) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_the_space_is_asked_only_what_is_new() -> None:
    """Each run asks before, between and after its choices: what came before the change is kept."""
    asked = count()

    class Counting:
        def between(self, a: int, b: int) -> int:
            return next(asked)

    memory: Any = MemoisedSpace(Counting())  # type: ignore[arg-type]

    def asking(choices: Choices) -> tuple[int, ...]:
        found = [memory.between(0, 1)]
        for _ in range(2):
            decided(choices)
            found.append(memory.between(0, 1))
        return tuple(found)

    assert results(asking, 4, memory=memory) == [(0, 1, 2), (0, 1, 3), (0, 4, 5), (0, 4, 6)]
