"""What a run keeps of its choices for a reader, and where algorithms are when they choose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from refagg import terminal
from refagg.language.choices import Choices
from refagg.language.event import MOST_LINES, Event, lines_now
from refagg.language.random_stream import scripted
from refagg.language.ties import LOWEST, Comparison, Ranking, Tolerance, greatest, nearest


def measured(values: Sequence[int], tolerance: Tolerance | None = None) -> Ranking[int]:
    """Items 0, 1, 2, ... with these values; shown ones are ten times as large."""
    shown: Callable[[int], int] = lambda value: value * 10  # noqa: E731
    return Ranking(range(len(values)), values, shown, tolerance or Tolerance())


def traced(choices: Choices) -> Event:
    """The last event of a run."""
    assert choices.trace is not None
    return choices.trace[-1]


def run() -> Choices:
    return Choices(LOWEST, trace=[])


def test_candidates_are_kept_where_there_are_several() -> None:
    choices = run()
    choices.choose("far", greatest(measured([3, 1, 3, 2]), {3}), of=7)
    event = traced(choices)
    assert (event.candidates, event.tied, event.ranked, event.of) == ((0, 2), 2, 3, 7)
    choices.choose("far", greatest(measured([3, 1])), of="the average")
    event = traced(choices)
    assert (event.candidates, event.tied, event.ranked, event.of) == ((), 1, 2, None)


def test_the_members_of_what_is_chosen_are_kept_in_order() -> None:
    choices = run()
    choices.choose("pair", greatest(measured([1, 2])), members=lambda item: [{5, 4}, [item]])
    assert traced(choices).members == ((4, 5), (1,))


def test_the_tied_among_the_nearest_are_kept_where_they_are_more_than_the_places() -> None:
    choices = run()
    choices.choose_nearest("near", nearest(measured([1, 1, 0]), 2), None)
    assert (traced(choices).candidates, traced(choices).tied) == ((0, 1), 2)
    choices.choose_nearest("near", nearest(measured([1, 2, 0]), 2), None)
    assert (traced(choices).candidates, traced(choices).tied) == ((), 1)
    assert choices.choose_nearest("none", nearest(measured([1]), 0), None) == ()
    assert len(choices.trace or ()) == 2


def test_what_comes_next_is_beyond_the_tolerance_and_not_left_out() -> None:
    choices = run()
    choices.choose_nearest("near", nearest(measured([10, 11, 12, 13], Tolerance(0, 1)), 1), None)
    assert traced(choices).next == 120
    choices.choose_nearest("near", nearest(measured([1, 2, 3]), 1, {1}), None)
    assert traced(choices).next == 30
    choices.choose_nearest("near", nearest(measured([1, 1]), 1), None)
    assert traced(choices).next is None


def test_a_test_about_a_record() -> None:
    choices = run()
    assert choices.decide("extend", Comparison(1, 1, (False, True)), of=3) is False
    assert (traced(choices).of, traced(choices).tied, traced(choices).value) == (3, 2, 1)


def test_what_is_drawn_is_kept_if_there_is_a_trace() -> None:
    choices = Choices(stream=scripted([2, 0]), trace=[])
    assert choices.sample("seed", [5, 6, 7], 2) == [7, 5]
    event = traced(choices)
    assert (event.name, event.items, event.tied, event.ranked) == ("draw: seed", (7, 5), 1, 3)
    without = Choices(stream=scripted([0]))
    assert without.sample("seed", [5], 1) == [5]
    assert without.trace is None


def test_what_the_source_fixes_is_given_back() -> None:
    assert run().settled("loop", 5, [6]) == 5


def test_items_come_one_after_the_other_and_their_user_sees_how_many() -> None:
    seen = []
    for item in run().each([5, 6], "turns", at_most=True):
        (loop,) = terminal.NOW.loops
        seen.append((item, loop.words()))
    assert seen == [(5, "0 of at most 2 turns done"), (6, "1 of at most 2 turns done")]


def test_a_group_is_a_new_list() -> None:
    choices, records = run(), [3, 1]
    for made in (choices.together(records), choices.closed(records)):
        assert made == records
        assert made is not records
    assert [event.name for event in choices.trace or ()] == ["together", "group"]
    assert traced(choices).items == (1, 3)


def test_clusters_that_merge_and_part_again() -> None:
    choices = run()
    choices.merged([4, 2], [1, 0], 9)
    assert (traced(choices).items, traced(choices).value) == (((2, 4), (0, 1)), 9)
    choices.apart([4, 1])
    assert (traced(choices).name, traced(choices).items) == ("apart", (1, 4))
    choices.note("so far", [2, 1])
    assert (traced(choices).name, traced(choices).items) == ("note: so far", (1, 2))
    choices.step("cut", ["a", "b"], 3)
    assert (traced(choices).items, traced(choices).value) == (("a", "b"), 3)


def test_nothing_is_kept_without_a_trace() -> None:
    choices = Choices()
    choices.merged([0], [1], 1)
    choices.step("cut", [1])
    choices.stand([[0]])
    choices.note("so far", [0])
    choices.drew("seed", [1])
    assert choices.trace is None


def test_groups_are_kept_when_they_are_others_than_the_last_ones() -> None:
    choices = run()
    choices.stand([[2, 1], [], [0]], sse=4)
    choices.note("between", [])
    choices.stand([[0], [1, 2]], sse=4)
    assert [event.name for event in choices.trace or ()] == ["groups", "note: between"]
    choices.stand([[0, 1, 2]])
    choices.stand([[0], [1, 2]])
    stands = [event.items for event in choices.trace or () if event.name == "groups"]
    assert stands == [((0,), (1, 2)), ((0, 1, 2),), ((0,), (1, 2))]


class Follower:
    """A tie-breaker that records the states that it is told of."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def reached(self, state: Hashable) -> None:
        self.told.append(state)

    def iteration(self, remaining: Collection[int], kept: Hashable) -> None:
        self.told.append((remaining, kept))


def test_only_who_follows_a_run_is_told_where_it_is() -> None:
    follower: Any = Follower()
    choices = Choices(follower)
    choices.reached([[1, 0], [2]], kept="x")
    choices.iteration([4], kept="y")
    assert follower.told == [(frozenset({frozenset({0, 1}), frozenset({2})}), "x"), ([4], "y")]
    assert choices.followed is True
    assert run().followed is False
    run().reached([[0]])


# Where algorithms are


def function_of(module: str, inner: Callable[[], Any]) -> Callable[[], Any]:
    """A function of a module of that name, which in its second line gives what another does."""
    names: dict[str, Any] = {"__name__": module, "inner": inner}
    name = module.replace(".", "_")
    exec(f"def {name}():\n    return inner()\n", names)
    made: Callable[[], Any] = names[name]
    return made


def called_from(*modules: str) -> Any:
    """The lines, seen from a function of the last of these modules, which call one another."""
    function: Callable[[], Any] = lines_now
    for module in reversed(modules):
        function = function_of(module, function)
    return function()


@pytest.mark.parametrize(
    ("modules", "seen"),
    [
        (["refagg.algorithms.mdav"], ["refagg.algorithms.mdav"]),
        (["refagg.algorithms.mdav", "refagg.cursors.cursor"], ["refagg.algorithms.mdav"]),
        (["refagg.algorithms.mdav", "theirs"], ["theirs", "refagg.algorithms.mdav"]),
        (["theirs", "oracle.replay.guided", "refagg.language.choices"], ["theirs"]),
    ],
)
def test_lines_are_those_of_algorithms_and_of_others(modules: list[str], seen: list[str]) -> None:
    expected = tuple((module, 2) for module in seen)
    assert called_from("theirs", "refagg.options.grouping", *modules) == expected


def test_no_more_lines_are_kept_than_the_most() -> None:
    modules = [f"theirs{number}" for number in range(MOST_LINES + 2)]
    lines = called_from("refagg.options.grouping", *modules)
    assert lines == tuple((module, 2) for module in modules[:1:-1])


def test_a_function_that_calls_itself_is_there_once() -> None:
    names: dict[str, Any] = {"__name__": "theirs", "lines_now": lines_now}
    exec("def f(n):\n  if n:\n    return f(n - 1)\n  return lines_now()\n", names)
    lines = function_of("refagg.options.grouping", lambda: names["f"](3))()
    assert [line for module, line in lines if module == "theirs"] == [4]


def test_lines_end_where_the_thread_began() -> None:
    with ThreadPoolExecutor(1) as pool:
        lines = pool.submit(function_of("theirs", lines_now)).result()
    assert lines[0] == ("theirs", 2)
    assert lines[-1][0] == "threading"


class Answers(Choices):
    """Choices that keep what was settled, and the answers that could have been given."""

    def settled(
        self, name: str, value: Any, others: Sequence[Any] = (), beside: Sequence[Any] = ()
    ) -> Any:
        assert name == "division"
        assert list(others) == [not value]
        self.beside = tuple(beside)
        return value


@pytest.mark.parametrize(
    ("size", "large", "seven", "five"),
    [
        (4, False, False, False),
        (5, False, False, True),
        (6, True, False, True),
        (7, True, True, True),
    ],
)
def test_a_group_of_as_many_is_large(size: int, large: bool, seven: bool, five: bool) -> None:
    """Of 6 records; beside it is what would be so for 7, and for 5."""
    assert Choices().large(size, 6) is large
    answers = Answers()
    assert answers.large(size, 6) is large
    assert answers.beside == (seven, five)
