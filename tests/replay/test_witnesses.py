"""The witness of a wrong run is at the seed where the seed is wrong, and not where it is right."""

from __future__ import annotations

import pytest

from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case
from oracle.replay.explanations import wrong_choice
from oracle.replay.guided import ClaimedGroups, judge_claim
from refagg.catalogue import specification
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.spaces.exact import exact_space
from tests.benchmarks.witnesses import BLAMES, BOTH, NAMES, named


def test_a_wrong_seed_by_hand() -> None:
    """The average is 14.2, so that x_r is 32, (17.8)^2 = 316.84 = 7921/25 away, and x_s is 0.

    With 10 for x_r, (4.2)^2 = 17.64 = 441/25 away, x_s is 32, and the rest is 0 1 2 13. With 10
    for x_s, (22)^2 = 484 from 32 where 0 is 1024, it is so, too. Both are seeds.
    """
    values = (0, 1, 2, 10, 11, 12, 30, 31, 32, 13)
    case = Case("hand", "mdav", 3, tuple((str(value),) for value in values))
    groups = ((6, 7, 8), (3, 4, 5), (0, 1, 2, 9))
    found = judge(case, Answer(groups=groups))
    assert found.status == "failed"
    assert found.witness == (
        "iteration 1, step 2: x_s, the record most distant from x_r",
        "the algorithm: x_s is record 0 at distance^2 1024",
        "the release: the groups follow from another choice, record 3 at distance^2 484",
        "another explanation of the groups:",
        "iteration 1, step 1: x_r, the record most distant from the average of the "
        "remaining records",
        "the algorithm: x_r is record 8 at distance^2 7921/25",
        "the release: the groups follow from another choice, record 3 at distance^2 441/25",
    )


def test_no_explanation_is_looked_for_when_the_time_is_over() -> None:
    """The table is that of the wrong seed by hand."""
    spec, runs = specification("mdav"), []
    space = exact_space([[value] for value in (0, 1, 2, 10, 11, 12, 30, 31, 32, 13)])
    claim = ClaimedGroups.of_partition(Partition.of([(6, 7, 8), (3, 4, 5), (0, 1, 2, 9)], 10))

    def algorithm(choices: Choices) -> Partition:
        runs.append(choices)
        made: Partition = spec.run(space, 3, choices)
        return made

    farthest = judge_claim(spec, algorithm, claim).divergence
    assert farthest
    assert wrong_choice(spec, algorithm, claim, farthest)
    before = len(runs)
    assert wrong_choice(spec, algorithm, claim, farthest, seconds=-1.0) is None
    assert len(runs) == before


def test_wrong_neighbours_by_hand() -> None:
    """Both seeds are right, and each has a neighbour of the other: no seed is blamed."""
    case = Case("hand", "mdav", 3, tuple((str(value),) for value in (0, 1, 2, 30, 31, 32)))
    found = judge(case, Answer(groups=((0, 1, 3), (2, 4, 5))))
    assert found.status == "failed"
    assert "near last x_r" in found.witness[0]


def test_a_group_that_is_too_large_may_be_the_mistake() -> None:
    """By hand: the average is 33/7, from which 0 is farther (33/7) than 9 (30/7), so x_r is 0.

    It has its k = 3 nearest records beside it, one too many, or else x_r was 9 with 8 and 7.
    """
    case = Case("hand", "mdav", 3, tuple((str(value),) for value in (0, 1, 2, 6, 7, 8, 9)))
    found = judge(case, Answer(groups=((0, 1, 2, 3), (4, 5, 6))))
    assert found.status == "failed"
    told = "\n".join(found.witness)
    assert "last x_r is record 0 at distance^2 1089/49" in told
    assert "another explanation" in told
    assert "records 0 1 2 are a whole group" in told


def test_a_seed_whose_group_is_there_is_not_blamed_for_a_later_one() -> None:
    """By hand: the average is (5.25, 8.25), from which record 4 is farthest, and 5 is next to it.

    So x_r and its group are right. x_s is record 7, with 6 beside it, and the answer has 0 there.
    Other seeds for both would give the groups, too: record 1 with 2 first, and then 0 with 7.
    """
    rows = ((10, 10), (5, 7), (5, 10), (5, 9), (11, 4), (11, 7), (0, 9), (0, 10))
    case = Case("hand", "mdav", 2, tuple((str(x), str(y)) for x, y in rows))
    found = judge(case, Answer(groups=((0, 7), (1, 2), (3, 6), (4, 5))))
    assert found.status == "failed"
    assert "near x_s" in found.witness[0]


def test_groups_that_are_right_in_one_stratum() -> None:
    """The first stratum is right; in the second the seed is wrong."""
    rows = tuple((str(value),) for value in (0, 1, 50, 51, 0, 1, 10, 11, 30, 31, 60))
    strata = tuple("a" * 4 + "b" * 7)
    right = ((0, 1), (2, 3))
    found = judge(
        Case("hand", "mdav", 2, rows, strata=strata),
        Answer(groups=(*right, (4, 5), (6, 7), (8, 9, 10))),
    )
    assert found.status == "failed"
    assert len(found.witness) >= 3


SEEDS = [
    ("mdav", "x_s is the farthest from the average instead of from x_r"),
    ("mdav", "x_s is the nearest to x_r"),
    ("mdav", "x_r is the nearest to the average"),
    ("mdav-1", "x_s is the record farthest from the average but for x_r"),
]


@pytest.mark.parametrize("count", [3, pytest.param(9, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", SEEDS, ids=str)
def test_wrong_seeds_are_named(key: tuple[str, str], count: int) -> None:
    counts = named(key, count)
    assert counts[NAMES] + counts[BOTH] >= 0.9 * counts.total() > 0


@pytest.mark.parametrize("count", [3, pytest.param(9, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "key",
    [
        pytest.param(("mdav", "two groups only while more than 3k remain"), marks=pytest.mark.long),
        ("mdav", "the group of x_s is the nearest to x_r"),
        ("mdav", "groups of k+1"),
        ("mdav-single", "one group per step while k remain"),
        ("mdav-2k", "leftovers join the first group"),
        ("md", "leftovers join the group with the farthest centroid, in MD"),
    ],
    ids=str,
)
def test_right_seeds_are_not_blamed(key: tuple[str, str], count: int) -> None:
    assert named(key, count)[BLAMES] == 0


def test_two_explanations_that_are_as_good_are_both_told() -> None:
    """By hand: the average is 5, so that x_r is 11, 36 away, and x_s is 0.

    11 has 8 beside it, not 4: another neighbour, one of four. With 8 for x_r, one of six, the
    groups are {5 8}, {0 2} and what is left: log2 4 and log2 6 are less than four bits apart.
    """
    values = (0, 2, 4, 5, 8, 11)
    case = Case("hand", "mdav", 2, tuple((str(value),) for value in values))
    witness = judge(case, Answer(groups=((0, 1), (2, 5), (3, 4)))).witness
    assert witness[:5] == (
        "iteration 1, step 3: near x_r, the k-1 nearest records to x_r",
        "the algorithm: record 5 must be grouped with 4 at distance^2 9 (all)",
        "the release: record 5 is grouped with 2 at distance^2 49",
        "another explanation of the groups:",
        "iteration 1, step 1: x_r, the record most distant from the average of the "
        "remaining records",
    )


def test_of_explanations_of_one_price_the_wrong_seed_is_told_first() -> None:
    """Two bits each, in any order, but for rounding; half a bit less goes first nevertheless."""
    from oracle.replay.explanations import Explanation, _told
    from oracle.replay.guided import Departure

    def explanation(name: str, ways: int) -> Explanation:
        departure = Departure(1, "step", name, ways, lambda: ("right", "claimed"))
        return Explanation(frozenset([name]), [departure], 1)

    seeds = frozenset(["x_r", "x_s"])
    near, seed, first = explanation("near x_s", 4), explanation("x_s", 4), explanation("x_r", 4)
    for found in ([near, seed, first], [first, seed, near], [seed, near, first]):
        assert [one.names for one in _told(found, seeds)] == [{"x_r"}, {"x_s"}, {"near x_s"}]
    cheap = explanation("near x_r", 3)
    assert _told([seed, cheap], seeds)[0] is cheap


def test_algorithms_without_seeds_have_none() -> None:
    from oracle.replay.explanations import seeds_of

    assert seeds_of(specification("individual-ranking")) == []
    assert seeds_of(specification("v-mdav")) == ["e"]


@pytest.mark.parametrize("claim", ["gsms", "cbfs", "mu-approx", "hansen-mukherjee", "tfrp-1"])
def test_any_groups_are_judged_whatever_a_text_bears(claim: str) -> None:
    """A choice of none of the candidates is nothing that GSMS expects of itself."""
    values = (3, 9, 14, 1, 17, 5, 11, 2, 8, 19, 6)
    case = Case("any", claim, 2, tuple((str(value),) for value in values))
    groups = ((0, 4), (1, 7), (2, 3), (5, 9), (6, 8, 10))
    assert judge(case, Answer(groups=groups)).status in ("failed", "not judged")


def test_groups_are_judged_where_another_choice_leaves_a_record_in_no_group() -> None:
    """A free choice after which the text cannot go on is no explanation, and no error."""
    rows = ((46, 1), (61, 1), (53, 0), (57, 0), (52, 8), (91, 1))
    case = Case("any", "t-closeness-first", 2, tuple((str(x), str(y)) for x, y in rows))
    assert judge(case, Answer(groups=((0, 3, 5), (1, 2, 4)))).status == "failed"


@pytest.mark.parametrize(
    ("claim", "k", "values", "groups", "name"),
    [
        ("mdav", 2, (0, 1, 10, 11, 20, 22), ((4, 5), (0, 1, 2, 3)), "loop"),
        ("mdav", 2, (0, 1, 10, 12), ((0, 1, 2, 3),), "last division"),
        ("mdav", 2, (0, 1, 2, 30, 31, 33, 15, 16), ((3, 4, 5), (0, 1, 2), (6, 7)), "group size"),
        ("k-means-split", 2, (1, 2, 10, 11), ((0, 1, 2, 3),), "division"),
        ("projection", 2, (1, 2, 10, 11, 20, 21), ((0, 5), (1, 3), (2, 4)), "order"),
        ("mondrian", 2, (1, 2, 3, 10), ((0, 1, 2, 3),), "can be cut"),
        ("mondrian", 2, (1, 2, 3, 10, 11), ((0, 1), (2, 3, 4)), "cut"),
    ],
)
def test_what_a_source_fixes_is_named_where_it_is_wrong(
    claim: str, k: int, values: tuple[int, ...], groups: tuple[tuple[int, ...], ...], name: str
) -> None:
    """By hand: six records are 3k, four are 2k, and of five the third has the median, 3."""
    case = Case("hand", claim, k, tuple((str(value),) for value in values))
    found = judge(case, Answer(groups=groups))
    assert found.status == "failed"
    assert f": {name}, " in found.witness[0], found.witness


def test_a_wrong_best_group_is_an_explanation() -> None:
    """By hand: of 0 4 5 9 the group 0 4 leaves an SSE of 8 + 8, and 4 5 one of 0.5 + 40.5."""
    case = Case("hand", "gsms", 2, tuple((str(value),) for value in (0, 4, 5, 9)))
    found = judge(case, Answer(groups=((0, 3), (1, 2))))
    assert found.status == "failed"
    assert any(": x, " in line for line in found.witness), found.witness


def test_causes_are_the_same_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that jumps by an hour at each look changes nothing."""
    import time
    from itertools import count

    case = Case("hand", "mdav", 2, tuple((str(v),) for v in (0, 1, 10, 11, 20, 22)))
    answer = Answer(groups=((4, 5), (0, 1, 2, 3)))
    usual = judge(case, answer).witness
    hours = count(0, 3600)
    monkeypatch.setattr(time, "process_time", lambda: float(next(hours)))
    assert judge(case, answer).witness == usual
