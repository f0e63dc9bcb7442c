"""Guided replay against enumeration of all runs, for every algorithm of the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import VARIANTS, Variant, each, examples

from oracle.replay.explore import (
    Algorithm,
    MemoisedSpace,
    Script,
    Undecided,
    all_partitions,
    explored_runs,
)
from oracle.replay.guided import Admissibility, ClaimedGroups, judge_claim
from refagg import ExactSpace, exact_space, specification, table_of
from refagg.data.standardise import standardise
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.ties import Comparison, random_ties
from refagg.release.measures import sse
from tests.suites import one_in

NINE = [[2, 0]] * 5 + [[1, 1]] + [[0, 0]] * 3


CASES = [
    variant
    for variant in VARIANTS
    if variant.exact and variant.legal and not variant.specification.random
]


def k_partitions(records: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All partitions of the records into groups of at least k."""
    if not records:
        yield []
        return
    first, others = records[0], records[1:]
    for size in range(k - 1, len(others) + 1):
        if 0 < len(others) - size < k:
            continue
        for group in combinations(others, size):
            left = tuple(record for record in others if record not in group)
            for rest in k_partitions(left, k):
                yield [(first, *group), *rest]


@st.composite
def tie_rich(draw: st.DrawFn, widest: int) -> tuple[list[list[int]], int]:
    k = draw(st.integers(1, 3))
    n = draw(st.integers(max(k, 2), 8 if k == 3 else 7))
    width = draw(st.integers(1, min(widest, 2)))
    cells = st.lists(st.integers(0, 2), min_size=width, max_size=width)
    return draw(st.lists(cells, min_size=n, max_size=n)), k


def leaves_early(algorithm: Algorithm) -> bool:
    """Can a judge leave a run before its end? Else all runs are looked at for each partition."""
    tie_breaker = Script((), ())
    algorithm(Choices(tie_breaker))
    return any(isinstance(group, tuple) for _, state in tie_breaker.states for group in state)


MAY_DIVIDE = ("k-ward", "k-ward-univariate", "secure-k-ward")
CLUSTERED = ("k-means", "k-means-split", "k-means-spread")
REFINED = ("mdav-2", "dba-2", "gsms-t2", "second-phase", "imhm")
FEW_RUNS = dict.fromkeys(MAY_DIVIDE + CLUSTERED + REFINED, 100) | {"imhm": 20}
"""Algorithms that may divide a group again promise little, so that every claim takes as many runs
as there are; tables with more than this are left out. Others are quick up to 3000."""

MDAV_FAMILY = ("mdav", "mdav-2k", "mdav-single", "mdav-argus", "v-mdav", "iv-mdav")


@each(v for v in CASES if v.specification.name in MDAV_FAMILY)
@examples(Fraction(3, 2))
@given(data=st.data())
def test_guided_replay_of_the_family_agrees_with_enumeration(
    variant: Variant, data: st.DataObject
) -> None:
    check_guided_replay(variant, data)


@each(v for v in CASES if v.specification.name not in MDAV_FAMILY)
@examples(Fraction(1, 2))
@given(data=st.data())
def test_guided_replay_agrees_with_enumeration(variant: Variant, data: st.DataObject) -> None:
    check_guided_replay(variant, data)


def check_guided_replay(variant: Variant, data: st.DataObject) -> None:
    rows, k = data.draw(tie_rich(variant.width))
    spec, parameters = variant.specification, variant.specification.settings(variant.named)
    space = exact_space(rows)

    def algorithm(choices: Choices) -> Partition:
        return spec.run(space, k, choices, **parameters)

    limit, most = (3000, 60) if leaves_early(algorithm) else (60, 10)
    try:
        possible = all_partitions(algorithm, FEW_RUNS.get(spec.name, limit))
    except Undecided:
        return
    everything = [Partition.of(groups) for groups in k_partitions(tuple(range(len(rows))), k)]
    some = Random(len(possible)).sample(everything, min(len(everything), most))
    for partition in some[:10]:
        memory, claim = MemoisedSpace(space), ClaimedGroups.of_partition(partition)

        def remembered(choices: Choices, memory: MemoisedSpace = memory) -> Partition:
            return spec.run(memory, k, choices, **parameters)

        plain = judge_claim(spec, algorithm, claim, 20_000)
        assert judge_claim(spec, remembered, claim, 20_000, memory) == plain
    for partition in {*some, *possible}:
        claim = ClaimedGroups.of_partition(partition)
        verdict = judge_claim(spec, algorithm, claim, limit=20_000)
        assert (verdict.verdict == "admissible") == (partition in possible), partition
        assert (verdict.divergence is None) == (partition in possible)


PARTS = 5
"""The partitions of nine records are judged in so many tests."""


@pytest.mark.parametrize("part", one_in(PARTS, range(PARTS)))
def test_the_nine_records_have_a_hundred_runs_and_no_other_is_accepted(part: int) -> None:
    space, spec = exact_space(NINE, "population"), specification("mdav")

    def algorithm(choices: Choices) -> Partition:
        return spec.run(space, 3, choices)

    possible = all_partitions(algorithm)
    raw = standardise(table_of(NINE), "none")
    losses = Counter(sse(raw, partition) for partition in possible)
    assert losses == {Fraction(4, 3): 10, Fraction(4): 30, Fraction(16, 3): 60}
    judged = [Partition.of(groups) for groups in k_partitions(tuple(range(9)), 3)][part::PARTS]
    accepted = {
        p
        for p in judged
        if judge_claim(spec, algorithm, ClaimedGroups.of_partition(p)).verdict == "admissible"
    }
    assert accepted == possible & {*judged} != set()


def test_a_script_that_ends_early_says_so() -> None:
    space, spec = exact_space([[0]] * 12), specification("mdav")
    with pytest.raises(Undecided, match="more than 5 runs"):
        list(explored_runs(lambda choices: spec.run(space, 2, choices), 5))


def test_no_run_begins_when_the_time_is_over() -> None:
    space = exact_space([[0], [1], [1], [2]])
    every = explored_runs(
        lambda choices: specification("mdav").run(space, 2, choices), 100, seconds=-1.0
    )
    assert next(every)
    with pytest.raises(Undecided, match="not all runs in -1 seconds"):
        next(every)


@pytest.mark.parametrize(
    ("k", "rows"),
    [
        (3, [[1, 0], [2, 2], [2, 0], [1, 1], [0, 0], [1, 2], [0, 0], [2, 2]]),
        (2, [[0], [1], [1], [2], [3], [3], [4]]),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", MDAV_FAMILY)
def test_a_space_that_remembers_gives_the_same_runs(
    name: str, k: int, rows: list[list[int]]
) -> None:
    """In v-mdav groups grow after distances to them were asked for."""
    spec, space = specification(name), exact_space(rows)
    memory = MemoisedSpace(space)

    def found(given: ExactSpace | MemoisedSpace) -> list[tuple[Partition, list[int]]]:
        asked = memory if given is memory else None
        every = explored_runs(
            lambda choices: spec.run(given, k, choices, **spec.settings({})), 200, memory=asked
        )
        return [(partition, path.taken) for partition, path in every]

    assert found(memory) == found(space)


def test_a_space_that_remembers_keeps_no_list_that_an_algorithm_goes_on_with() -> None:
    """Records that a path visits leave the list from which the next one is taken."""
    memory, left = MemoisedSpace(exact_space([[0], [1], [3]])), [1, 2]
    near = memory.closest(memory.distances(0, left))
    left.remove(1)
    assert (near.candidates, near.measured.of(1), near.measured.of(2)) == ((1,), 1, 9)


def test_the_witness_names_step_records_and_numbers() -> None:
    space, spec = exact_space([[0], [1], [5], [6], [20], [21]]), specification("mdav")
    claim = ClaimedGroups.of_partition(Partition.of([[0, 2], [1, 3], [4, 5]]))
    verdict = judge_claim(spec, lambda choices: spec.run(space, 2, choices), claim)
    assert verdict.verdict == "not admissible"
    assert verdict.divergence is not None
    text = "\n".join(verdict.divergence.lines())
    # 21 is farthest from the mean 53/6, and 20 its nearest record; then 0, whose nearest is 1.
    assert "iteration 1, step 3: near x_s" in text
    assert "record 0 must be grouped with 1 at distance^2 1 (all)" in text
    assert "the release: record 0 is grouped with 2 at distance^2 25" in text


def test_the_witness_names_the_choices_that_do_not_help() -> None:
    """20 and 21 are in one group; then x_s is 0, the farthest from 21, and 1 and 2 are as near."""
    space, spec = exact_space([[0], [1], [5], [6], [20], [21]]), specification("mdav")
    claim = ClaimedGroups.of_partition(Partition.of([[0, 2], [1, 3], [4, 5]]))
    divergence = judge_claim(spec, lambda choices: spec.run(space, 2, choices), claim).divergence
    assert divergence is not None
    [line] = [line for line in divergence.lines() if line.startswith("no choice")]
    # The mean is 53/6; 21 is off by 73/6. From 21, 0 is off by 21.
    assert line == (
        "no choice agrees with the groups: "
        "x_r is record 5 at distance^2 5329/36; x_s is record 0 at distance^2 441"
    )


def test_the_witness_of_an_order_names_values_and_joins_nobody_to_himself() -> None:
    """By the value, 1 and 2 come first; a value has no distance, and may be negative."""
    space = exact_space([[-5], [-4], [1], [2]])
    spec = specification("projection")
    settings = spec.settings({"by": "attribute"})
    claim = ClaimedGroups.of_partition(Partition.of([[0, 2], [1, 3]]))
    verdict = judge_claim(spec, lambda choices: spec.run(space, 2, choices, **settings), claim)
    assert verdict.divergence is not None
    text = "\n".join(verdict.divergence.lines())
    assert "record 0 at value -" in text
    assert "must be grouped with 1 at value -" in text
    assert "distance^2" not in text
    assert "joined by 0" not in text


def test_a_tolerance_admits_what_rounding_could_have_done() -> None:
    """The mean is 500.2: 1001 is farther from it by 500.8, and 0 by 500.2."""
    rows, spec = [[0], [100], [500], [900], [1001]], specification("mdav")
    exact_run = ClaimedGroups.of_partition(Partition.of([[0, 1, 2], [3, 4]]))
    other_run = ClaimedGroups.of_partition(Partition.of([[0, 1], [2, 3, 4]]))
    exact, loose = exact_space(rows), exact_space(rows, tolerance=Fraction(1, 100))

    def verdict(space: ExactSpace, claim: ClaimedGroups) -> Admissibility:
        return judge_claim(spec, lambda choices: spec.run(space, 2, choices), claim)

    assert verdict(exact, exact_run).verdict == "admissible"
    assert verdict(exact, other_run).verdict == "not admissible"
    assert verdict(loose, exact_run).slack == 0
    assert verdict(loose, other_run).verdict == "admissible"
    assert verdict(loose, other_run).slack == 1 - Fraction(5002, 5008) ** 2


def test_equal_groups_may_be_merged_in_a_released_file() -> None:
    """Four equal records are two groups of MDAV that no released file can tell apart."""
    space, spec = exact_space([[1], [1], [1], [1], [9], [9]]), specification("mdav")
    merged = Partition.of([[0, 1, 2, 3], [4, 5]])

    def algorithm(choices: Choices) -> Partition:
        return spec.run(space, 2, choices)

    as_partition = judge_claim(spec, algorithm, ClaimedGroups.of_partition(merged))
    assert as_partition.verdict == "not admissible"
    as_release = ClaimedGroups(merged.labels(), merged.groups, lambda group: True)
    assert judge_claim(spec, algorithm, as_release).verdict == "admissible"


def test_what_md_closes_takes_in_no_leftover() -> None:
    """Nine records at k = 2: 40 is left over, and joins the group of 41 and 60."""
    spec = specification("md")
    rows = [[0], [1], [20], [21], [40], [41], [100], [101], [60]]
    groups = Partition.of([[0, 1], [2, 3], [4, 5, 8], [6, 7]])

    def algorithm(choices: Choices) -> Partition:
        return spec.run(exact_space(rows), 2, choices)

    assert algorithm(Choices()) == groups
    assert judge_claim(spec, algorithm, ClaimedGroups.of_partition(groups)).verdict == "admissible"


@pytest.mark.parametrize(
    ("groups", "verdict"),
    [
        ([(0, 4), (1, 5), (2, 6), (3, 7)], "admissible"),  # the highest record at every tie
        ([(0, 5), (1, 3), (2, 6), (4, 7)], "undecided"),  # neither always highest nor lowest
        ([(0, 1), (2, 3), (4, 5), (6, 7)], "undecided"),  # no run at all, but who knows
    ],
)
def test_beyond_the_limit_a_house_rule_still_counts(
    groups: list[tuple[int, ...]], verdict: str
) -> None:
    """Three values, of which each is there several times: MDAV with k = 2 by hand.

    The average is 1, so that all of 0 and of 2 are farthest. The highest is record 7, a 0, joined
    by 3; x_s is 6, joined by 2. Of the rest, 0 1 4 5, the average is 1, and x_r is 1, joined by 5.
    """
    space = exact_space([[2], [0], [2], [0], [1], [1], [2], [0]])
    mdav = specification("mdav")
    partition = Partition.of(groups, 8)
    claim = ClaimedGroups.of_partition(partition)
    found = judge_claim(mdav, lambda choices: mdav.run(space, 2, choices), claim, limit=1)
    assert found.verdict == verdict
    every = all_partitions(lambda choices: mdav.run(space, 2, choices))
    assert (partition in every) == (groups[0] != (0, 1))


def test_what_k_ward_puts_together_first_may_be_separated_again() -> None:
    # The records (3, 1) are the first group around (3, 1). With (3, 2) and both (2, 0) it has 6,
    # and is divided again around the farthest pair: (3, 2) takes two of the three (3, 1).
    space = exact_space(
        [(1, 3), (0, 0), (3, 1), (1, 2), (3, 1), (0, 3), (3, 2), (3, 1), (0, 0), (2, 0), (2, 0)]
    )
    groups = ((0, 1, 3, 5, 8), (2, 9, 10), (4, 6, 7))
    spec = specification("k-ward")
    assert spec.run(space, 3, Choices(random_ties(seeded(9)))).groups == groups
    claim = ClaimedGroups.of_partition(Partition(groups))
    assert (
        judge_claim(spec, lambda choices: spec.run(space, 3, choices), claim).verdict
        == "admissible"
    )


def test_runs_that_go_in_circles_end() -> None:
    """Three states, each of which ties can leave for the next; it is a result, too."""

    def circling(choices: Choices) -> Partition:
        state = 0
        while True:
            choices.reached([[state]])
            if choices.decide("stay", Comparison(0, 0, (True, False))):
                return Partition.of([range(4 + state)], 4 + state)
            state = (state + 1) % 3

    found = [partition for partition, _ in explored_runs(circling, 10)]
    assert sorted(partition.n for partition in found) == [4, 5, 6]


@pytest.mark.parametrize(
    ("name", "k", "rows"),
    [
        ("igd", 2, [[2, 1], [0, 2], [0, 2], [0, 1], [1, 2], [1, 1], [2, 2], [1, 0]]),
        ("imhm", 3, [[1], [1], [1], [3], [0], [0], [1]]),
    ],
)
def test_equal_sses_within_a_tolerance_end(name: str, k: int, rows: list[list[int]]) -> None:
    """Rounding can take equal SSEs to fall, again and again; the states are few all the same."""
    spec = specification(name)
    space = exact_space(rows, tolerance=Fraction(1, 10**5))
    settings = {parameter.name: parameter.default for parameter in spec.parameters}
    partitions = all_partitions(lambda choices: spec.run(space, k, choices, **settings), 2000)
    exact = exact_space(rows)
    assert partitions >= all_partitions(lambda choices: spec.run(exact, k, choices, **settings))


def test_what_is_remembered_does_not_follow_a_list_that_changes() -> None:
    """Distances are computed when they are asked for, of the records that were there."""
    memory = MemoisedSpace(exact_space([[0], [1], [5]]))
    left, grown = [1, 2], [0]
    near, to_any = memory.distances(0, left), memory.distances_to_any(grown, left)
    left.remove(1)
    grown.append(2)
    assert near.of(1) == 1
    assert [to_any.of(record) for record in (1, 2)] == [1, 25]
