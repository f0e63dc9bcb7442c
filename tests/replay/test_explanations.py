"""What is told of wrong choices: which explanations are looked for, and which are the cheapest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from math import comb, log2
from typing import Any, cast

import pytest

from oracle.replay import explanations, guided
from oracle.replay.explanations import Explanation, choices_for, seeds_of, wrong_choice
from oracle.replay.explore import Undecided
from oracle.replay.guided import ClaimedGroups, Departure, Divergence, Work
from refagg.catalogue import specification
from refagg.language.partition import Partition
from refagg.language.specification import FIXED

MDAV = specification("mdav")
NINE = ClaimedGroups.of_partition(Partition.of([(0, 1, 2), (3, 4, 5), (6, 7, 8)], 9))
"""9 records: more than 9 log2 9 - 4 = 24.5 bits explain nothing."""

ENDED = Divergence(1, "step 3: near x_s, the k-1 nearest records to x_s", "this", "that")


def departure(name: str, ways: int, iteration: int = 1) -> Departure:
    step = f"step 1: {name}, a choice"
    return Departure(iteration, step, name, ways, lambda: (f"right {name}", f"wrong {name}"))


class Searches:
    """What is found where certain choices are free, instead of runs."""

    def __init__(
        self,
        found: dict[frozenset[str], list[list[Departure]]],
        habits: dict[tuple[str, str], list[list[Departure]]],
        met: set[str],
    ) -> None:
        self.found = found
        self.habits = habits
        self.met = met
        self.asked: list[frozenset[str]] = []
        self.asked_habits: list[tuple[str, str]] = []
        self.shares: list[int] = []
        self.bounds: list[float] = []

    def __call__(
        self,
        _spec: object,
        _algorithm: object,
        _claim: object,
        free: Collection[str],
        work: Work,
        share: int,
        _memory: object,
        bits: float,
        habit: str,
    ) -> Iterator[tuple[list[Departure], Counter[str]]]:
        work.met |= self.met
        self.shares.append(share)
        self.bounds.append(bits)
        if habit:
            self.asked_habits.append((" + ".join(sorted(free)), habit))
            found = self.habits.get(self.asked_habits[-1], [])
        else:
            self.asked.append(frozenset(free))
            found = self.found.get(self.asked[-1], [])
        for departures in found:
            yield departures, Counter({one.name: 2 for one in departures})
        work.left -= 1000
        raise Undecided("too many choices")


def told(
    monkeypatch: pytest.MonkeyPatch,
    found: dict[str, list[list[Departure]]],
    farthest: Divergence = ENDED,
    claim: ClaimedGroups = NINE,
    habits: dict[tuple[str, str], list[list[Departure]]] | None = None,
    met: Collection[str] = (),
    **limits: float,
) -> tuple[Divergence | None, Searches]:
    sets = {frozenset(names.split(" + ")): runs for names, runs in found.items()}
    searches = Searches(sets, habits or {}, set(met))
    monkeypatch.setattr(guided, "departing", searches)
    made = wrong_choice(MDAV, cast(Any, None), claim, farthest, **limits)
    return made, searches


def test_the_work_is_bounded() -> None:
    """By hand: 2 000 000 / 100 is 20 000, and for 101 records it is 19 801.98."""
    assert [choices_for(n) for n in (1, 99, 100, 101, 2_000_000)] == [20_000] * 3 + [19_801, 1]
    assert choices_for(666_667) == 2  # 3 times that is 2 000 001


def test_seeds_are_records_by_distance_that_have_neighbours() -> None:
    assert seeds_of(MDAV) == ["x_r", "x_s", "last x_r"]
    first, *others = MDAV.ties
    assert first.name == "x_r"
    for other in (replace(first, measure="number of records"), replace(first, what="group")):
        assert seeds_of(replace(MDAV, ties=(other, *others))) == ["x_s", "last x_r"]


def test_an_explanation_is_told_by_its_first_departure() -> None:
    """Two of the three choices that were made: log2 4 + log2 8 + log2 3 bits."""
    one = Explanation(frozenset({"x_r"}), [departure("x_r", 4), departure("x_r", 8, 2)], 3)
    assert one.told.iteration == 1
    assert one.told.claim == "wrong x_r (and 1 more such choice)"
    assert one.bits == 2 + 3 + log2(3)


def test_the_cheapest_explanation_is_told_and_those_within_four_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One departure of two choices: log2 of its ways and 1 bit. 4 is 2 bits, 64 is 4 more."""
    made, searches = told(
        monkeypatch,
        {
            "near x_r": [[departure("near x_r", 64)]],
            "x_s": [[departure("x_s", 65)]],
            "last x_r": [[departure("last x_r", 4)]],
        },
    )
    assert made is not None
    assert made.choice == "last x_r"
    assert [other.choice for other in made.also] == ["near x_r"]
    assert searches.bounds[0] == 9 * log2(9) - 4 + 4
    assert searches.bounds[-1] == 3 + 4


def test_which_choices_may_be_wrong_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice, both records that are most distant from the average, neighbours, and seeds."""
    _, searches = told(monkeypatch, {})
    singly = [*(tied.name for tied in FIXED), *(tied.name for tied in MDAV.ties)]
    together = [
        {"x_r", "last x_r"},
        {"near x_r", "near x_s", "near last x_r"},
        {"x_r", "x_s"},
        {"x_s", "last x_r"},
        {"x_r", "x_s", "last x_r"},
    ]
    assert searches.asked == [*({name} for name in singly), *together]


def test_of_equal_prices_seeds_come_first_then_the_alphabet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sums of logarithms that differ by rounding are equal."""
    equal = {name: [[departure(name, 8)]] for name in ("near x_r", "x_s", "x_r", "group size")}
    made, _ = told(monkeypatch, equal)
    assert made is not None
    order = [made.choice, *(other.choice for other in made.also)]
    assert order == ["x_r", "x_s", "group size", "near x_r"]


@pytest.mark.parametrize(("ways", "first"), [(10**7, "x_r"), (400_000, "group size")])
def test_prices_are_equal_to_a_millionth_of_a_bit(
    ways: int, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One way more is log2 (1 + 1/ways) more bits: 1.4 / 10^7, and 3.6 / 10^6."""
    found = {"x_r": [[departure("x_r", ways + 1)]], "group size": [[departure("group size", ways)]]}
    made, _ = told(monkeypatch, found)
    assert made is not None
    assert made.choice == first


def test_all_seeds_together_come_first_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three departures of 2 ways, of 6 choices that were made: 3 + log2 20 bits."""
    seeds = ("x_r", "x_s", "last x_r")
    near = 8 * comb(6, 3) // 2
    made, _ = told(
        monkeypatch,
        {
            " + ".join(seeds): [[departure(name, 2) for name in seeds]],
            "group size": [[departure("group size", near)]],
        },
    )
    assert made is not None
    assert made.choice == "x_r"
    assert [other.choice for other in made.also] == ["group size"]


def test_of_one_choice_the_first_of_equal_explanations_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second, dearer = (departure("x_r", ways, at) for ways, at in ((8, 1), (8, 2), (9, 3)))
    made, _ = told(monkeypatch, {"x_r": [[dearer], [first], [second]]})
    assert made is not None
    assert made.iteration == 1


def test_groups_that_are_a_run_need_no_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    made, searches = told(monkeypatch, {"x_r": [[departure("x_r", 2)]], "x_s": [[]]})
    assert made is None
    assert searches.asked[-1] == {"x_s"}


def test_where_a_group_was_grown_seeds_and_neighbours_are_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only where its seed is one: in `ENDED` it is x_s."""
    found = {name: [[departure(name, 2)]] for name in ("x_r", "near x_s", "rest")}
    grown = Divergence(1, ENDED.step, "this", "that", grown=True)
    other = Divergence(1, "step 3: near x_t, records", "this", "that", grown=True)
    made, searches = told(monkeypatch, found, grown)
    assert made is not None
    assert (made.choice, made.also) == ("rest", ())
    assert not {"x_r", "near x_s"} & set[str]().union(*searches.asked)
    for divergence in (other, ENDED):
        made, _ = told(monkeypatch, found, divergence)
        assert made is not None
        assert {made.choice, *(one.choice for one in made.also)} == found.keys()


def test_a_group_that_is_too_large_is_told_beside_the_explanation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = Divergence(1, ENDED.step, "this", "that", too_large=True)
    made, _ = told(monkeypatch, {"x_r": [[departure("x_r", 2)]]}, large)
    assert made is not None
    assert made.also == (large,)


@pytest.mark.parametrize(("n", "asked"), [(282, True), (283, False)])
def test_large_tables_are_not_explained(
    n: int, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: 2 000 000 / 282 is 7 092, and 25 * 282 is 7 050; of 283 it is 7 067 and 7 075."""
    claim = ClaimedGroups.of_partition(Partition.of([tuple(range(n))], n))
    _, searches = told(monkeypatch, {}, claim=claim)
    assert bool(searches.asked) is asked


def test_a_bound_that_is_met_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """25 runs of 4 choices are 100."""
    monkeypatch.setattr(explanations, "choices_for", lambda n: 100)
    four = ClaimedGroups.of_partition(Partition.of([(0, 1, 2, 3)], 4))
    assert told(monkeypatch, {}, claim=four)[1].asked


def test_the_work_is_shared_by_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search takes 1000 of what is left; ten shares are kept for habits."""
    monkeypatch.setattr(explanations, "choices_for", lambda n: 1_000_000)
    _, searches = told(monkeypatch, {}, met={"loop", "x_r"})
    count = len(searches.asked)
    left = [1_000_000 - 1000 * number for number in range(len(searches.shares))]
    expected = [have // (count + 10 - number) for number, have in enumerate(left[:count])]
    assert searches.shares == [*expected, *(have // 10 for have in left[count:])]
    assert len(left) > count


def test_habits_are_of_choices_that_were_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """A condition may be always true, false, the opposite or off by one; a ranking has two ends."""
    _, searches = told(monkeypatch, {}, met={"loop", "x_r", "near x_r"})
    asked = searches.asked_habits
    assert [habit for names, habit in asked if names == "loop"] == [
        "always yes",
        "always no",
        "always the opposite",
        "always one more",
        "always one less",
    ]
    ends = ["always from the other end", "always the first of the file"]
    counts = ["always one more", "always one less"]
    assert [habit for names, habit in asked if names == "near x_r"] == ends + counts
    for names in ("x_r", "x_r + x_s", "near last x_r + near x_r + near x_s"):
        assert [habit for those, habit in asked if those == names] == ends
    assert {"x_s", "division", "cut"}.isdisjoint(names for names, _ in asked)


def test_a_habit_has_one_price_however_often_it_is_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of five ways, and 1 bit: 3.3 bits; two departures of 2 ways of 4 choices: 4.6 bits."""
    wrong = [departure("loop", 2), departure("loop", 2, 2)]
    other = [departure("x_r", 2), departure("x_s", 2, 2)]
    made, _ = told(
        monkeypatch,
        {"x_r + x_s": [other]},
        habits={("loop", "always no"): [wrong]},
        met={"loop"},
    )
    assert made is not None
    assert made.choice == "loop"
    assert made.claim == "wrong loop (and 1 more such choice), always no"
    assert [one.choice for one in made.also] == ["x_r"]


def test_nothing_is_asked_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"x_r": [[departure("x_r", 2)]]}
    assert told(monkeypatch, found, seconds=-1.0)[1].asked == []
    assert told(monkeypatch, found, seconds=100.0)[0] is not None
