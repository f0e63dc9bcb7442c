"""The parts of the judge, one by one, with numbers by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, sqrt
from typing import Any, cast

import pytest

from oracle.auditing.cases import JudgedGroups
from oracle.auditing.checks import SEVERAL, sizes_check
from oracle.auditing.drawn import Reading, allowed_for, told_apart
from oracle.auditing.driver import Check
from oracle.conformance.judge import judging, noise, sums
from oracle.conformance.judge.drawn import row_check
from oracle.conformance.judge.judging import (
    admissible_texts,
    flagged,
    judge,
    large_groups,
)
from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Answer, Case, Judgement
from oracle.conformance.judge.parse_answer import (
    Malformed,
    answer_partition,
    number_claimed,
    read_answer,
)
from oracle.conformance.judge.questions import Question, case_scale, question_of
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.severity import must_refuse, severity_of, verdict_of
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.judge.sums import _root, optimal_check, optimum_of, rounding, sse_check
from oracle.conformance.judge.texts import numeral, partition_of_text, partition_text
from oracle.conformance.judge.values import (
    row_width,
    table_in_binary64,
    table_of_case_texts,
    table_of_texts,
)
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.errors import (
    EmptyTable,
    InvalidBlocks,
    InvalidKind,
    InvalidParameter,
    NotFinite,
    NotUnivariate,
    RaggedRow,
    RefaggError,
    UnknownParameter,
)
from refagg.language.partition import Partition
from refagg.release.aggregates import MEANS
from refagg.release.measures import loss_within

SIX = (("0",), ("1",), ("2",), ("10",), ("11",), ("12",))
RIGHT = ((0, 1, 2), (3, 4, 5))
"""Two triples: the SSE is 2 + 2 = 4; around 6 it is 36 + 25 + 16 + 16 + 25 + 36 = 154."""

PAIRS = (("0", "9"), ("1", "7"), ("8", "0"), ("9", "1"))
"""Four records of two attributes."""


def case(claim: str = "mdav", k: int = 3, records: Any = SIX, **others: Any) -> Case:
    return Case("test", claim, k, records, **others)


def question(*given: Any, **others: Any) -> Question:
    return question_of(case(*given, **others))


# Texts and tables


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(99, 2), "49.5"),
        (Fraction(-3, 20), "-0.15"),
        (Fraction(1, 25), "0.04"),
        (Fraction(7, 5), "1.4"),
        (Fraction(1, 6), "1/6"),
        (Fraction(1, 2**20), "0.00000095367431640625"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_the_shortest_exact_text_of_a_number(value: Any, text: str) -> None:
    assert numeral(value) == text
    assert Fraction(text) == value


def test_partitions_as_texts() -> None:
    assert partition_text(RIGHT) == "0 1 2 | 3 4 5"
    assert partition_of_text("3 4 5 | 2 1 0").groups == RIGHT


def test_rows_have_one_width() -> None:
    assert row_width([("1", "2"), ("3", "4")]) == 2
    for rows, error, told in (
        ([], EmptyTable, "there is no record"),
        ([()], EmptyTable, "record 0 has no value"),
        ([("1",), ()], RaggedRow, "record 1 has 0 values, but record 0 has 1"),
        ([("1",), ("2",), ("3", "4")], RaggedRow, "record 2 has 2 values, but record 0 has 1"),
    ):
        with pytest.raises(error, match=told):
            row_width(rows)


def test_columns_are_counted_from_1() -> None:
    assert table_of_texts(PAIRS).names == ("x1", "x2")
    assert table_of_texts(PAIRS).row(1) == (1, 7)
    kinds = table_of_case_texts((("1", "a"), ("2", "b")), ["numeric", "nominal"])
    assert kinds.names == ("x1", "x2")
    with pytest.raises(InvalidKind, match="3 kinds are declared for 2 attributes"):
        table_of_case_texts(PAIRS, ["numeric"] * 3)
    assert table_of_case_texts(PAIRS, ()) == table_of_texts(PAIRS)


def test_a_table_in_binary64() -> None:
    rounded = table_in_binary64(table_of_texts((("0.1",), ("9007199254740993",))))
    assert rounded.row(0) == (Fraction(3602879701896397, 2**55),)
    assert rounded.row(1) == (9007199254740992,)  # 2^53 + 1 is no float
    with pytest.raises(NotFinite, match="outside the range of binary64"):
        table_in_binary64(table_of_texts((("1e400",),)))


# Requests that make no sense, and how bad a failure is


@pytest.mark.parametrize(
    ("k", "records", "why"),
    [
        (1, (), "empty table"),
        (1, ((),), "empty table"),
        (1, ((), ("1",)), "empty table"),
        (1, (("1",), ("1", "2")), "ragged row"),
        (0, SIX, "k too small"),
        (7, SIX, "k too large"),
        (1, (("1",), ("",)), "missing value"),
        (1, (("1",), ("inf",)), "not finite"),
        (1, (("1",), ("a",)), "not a number"),
        (1, SIX, ""),
        (6, SIX, ""),
    ],
)
def test_why_a_table_makes_no_sense(k: int, records: Any, why: str) -> None:
    assert senseless(case(k=k, records=records)) == why


def test_cells_of_declared_kinds_are_not_looked_at() -> None:
    assert senseless(case(k=1, records=(("a",),), kinds=("nominal",))) == ""


def judgement(answer: Answer, status: str = "failed", check: str = "run", **others: Any) -> Any:
    asked = others.pop("case", case())
    return replace(Judgement(asked, answer, status, check, "a reason"), **others)


@pytest.mark.parametrize(
    ("found", "severity", "verdict"),
    [
        (judgement(Answer(groups=RIGHT), "passed"), "", ""),
        (judgement(Answer(groups=RIGHT), "not judged"), "", ""),
        (judgement(Answer(groups=RIGHT)), "wrong", "wrong"),
        (judgement(Answer(released=SIX)), "wrong", "wrong"),
        (judgement(Answer(blocks=(RIGHT,))), "wrong", "wrong"),
        (judgement(Answer(groups=RIGHT), check="k-anonymous"), *["not k-anonymous"] * 2),
        (judgement(Answer(refused="no")), "refuses", "refuses"),
        (judgement(Answer(errored="late"), "errored"), "refuses", "no answer"),
        (
            judgement(Answer(groups=RIGHT), must_refuse="k too large"),
            *["accepts invalid input"] * 2,
        ),
        (judgement(Answer(groups=RIGHT), case=case(k=7)), *["accepts invalid input"] * 2),
        (
            judgement(Answer(groups=RIGHT), cause="other-variant/md"),
            *["another published variant"] * 2,
        ),
        (judgement(Answer(groups=RIGHT), cause="other-scale/range"), "wrong", "wrong"),
    ],
)
def test_how_bad_a_failure_is(found: Judgement, severity: str, verdict: str) -> None:
    assert (severity_of(found), verdict_of(found)) == (severity, verdict)
    assert severity_of(found, "it is documented") == ("documented difference" if severity else "")


def test_what_must_be_refused() -> None:
    assert must_refuse(judgement(Answer(), must_refuse="ragged row")) is True
    assert must_refuse(judgement(Answer(), case=case(k=7))) is True
    assert must_refuse(judgement(Answer())) is False


# Sizes and flags

GIVEN = "by the partition given"
LESS_THAN_4 = f"smallest group 3, less than k = 4 (groups {GIVEN})"
LESS_THAN_2 = f"smallest group 1, less than k = 2 (groups {GIVEN})"


@pytest.mark.parametrize(
    ("groups", "least", "status", "summary", "witness"),
    [
        (RIGHT, 3, "holds", f"2 groups, each of 3 records ({GIVEN})", ()),
        (((0, 1), (2, 3, 4)), 2, "holds", f"2 groups of 2 to 3 records ({GIVEN})", ()),
        (RIGHT, 4, "fails", f"{LESS_THAN_4}: 6 records in 2 groups", ("records 0 1 2",)),
        (((0,), (1, 2)), 2, "fails", f"{LESS_THAN_2}: 1 record in 1 group", ("record 0",)),
    ],
)
def test_groups_are_as_large_as_they_must_be(
    groups: Any, least: int, status: str, summary: str, witness: Any
) -> None:
    found = sizes_check(Partition(groups), least)
    assert (found.name, found.status, found.summary) == ("k-anonymous", status, summary)
    assert found.witness == witness


def test_flags_that_say_something_are_kept() -> None:
    check = flagged(Check("run", "holds", "", (), {"a": 1}), "", "numerical", "")
    assert check.details == {"a": 1, "flags": ("numerical",)}
    assert large_groups(Partition(RIGHT), 2) == ""
    assert large_groups(Partition(((0, 1, 2, 3, 4),)), 3) == ""
    assert large_groups(Partition(((0, 1, 2, 3),)), 2) == "large groups"


# Answers


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        (((0, True),), "groups must be lists of record numbers from 0"),
        (((0, 1.0),), "groups must be lists of record numbers"),
        (((0, 10**18 + 1),), "too many digits; the records are 0 to 1"),
        (((0, -(10**18) - 1),), "too many digits"),
        (((0, 10**18),), f"record {10**18} is in a group, but the records are 0 to 1"),
        (((2, 1),), "records are numbered from 1; they must be numbered from 0"),
        (((0,),), "record 1 is in no group"),
        (((0, 3),), "record 3 is in a group"),
    ],
)
def test_groups_that_are_no_partition_of_two_records(groups: Any, told: str) -> None:
    with pytest.raises(Malformed, match=told):
        answer_partition(groups, 2)


def test_a_partition_that_is_answered() -> None:
    assert answer_partition([[1], [0]], 2) == Partition(((0,), (1,)))
    assert number_claimed("1/3") == Fraction(1, 3)


@pytest.mark.parametrize(
    ("released", "told"),
    [
        (SIX[1:], "5 rows are released for 6 records"),
        ((*SIX[1:], ("nan",)), "released rows: record 5, attribute 0: nan is not a finite number"),
        ((*SIX[1:], ("1", "2")), "released rows: record 5 has 2 values"),
        (tuple((x, x) for (x,) in SIX), "released rows have 2 values, records 1"),
        (((),) * 6, "released rows: record 0 has no value"),
    ],
)
def test_rows_that_are_no_release(released: Any, told: str) -> None:
    with pytest.raises(Malformed, match=told):
        read_answer(question(), Answer(released=released))


def test_an_answer_is_read() -> None:
    one = read_answer(question(), Answer(groups=RIGHT, sse="4"))
    assert (one.partition, one.released, one.sse, one.blocks) == (Partition(RIGHT), None, "4", None)
    released = read_answer(question(), Answer(released=SIX)).released
    assert released is not None
    assert released.row(5) == (12,)


def test_blocks_of_an_answer() -> None:
    single, both = ((0, 1), (2, 3)), case(k=2, records=PAIRS, blocks=((0,), (1,)))
    read = read_answer(question_of(both), Answer(blocks=(single, single), sse="1"))
    assert (read.partition, read.blocks, read.sse) == (None, (Partition(single),) * 2, "1")
    whole = read_answer(question(k=2, records=PAIRS), Answer(blocks=(single,), sse="1"))
    assert (whole.partition, whole.blocks, whole.sse) == (Partition(single), None, "1")
    with pytest.raises(Malformed, match="groups are given for 1 blocks; there are 2"):
        read_answer(question_of(both), Answer(blocks=(single,)))


# Questions


def test_no_algorithm_is_asked_for() -> None:
    for claim in (ANY_PARTITION, OPTIMAL):
        asked = question(claim)
        assert (asked.method, asked.least, asked.noise, asked.centres) == (None, 3, False, False)
        assert (asked.publishes, asked.by_attribute, asked.releases_means) == (False, False, True)
        assert asked.aggregates == MEANS
        with pytest.raises(UnknownParameter, match="has no parameters"):
            question(claim, parameters={"gamma": "1"})
        with pytest.raises(InvalidParameter, match="is asked of tables only"):
            question(claim, k=1, strata=("a",) * 6)


@pytest.mark.parametrize(
    ("claim", "parameters", "noise", "centres", "publishes", "least"),
    [
        ("mdav", {}, False, False, False, 3),
        ("gaussian-noise", {}, True, False, False, 1),
        ("fuzzy", {"guarantee": "merge"}, False, True, False, 3),
        ("secure-k-ward", {}, False, False, True, 3),
    ],
)
def test_what_an_algorithm_releases(
    claim: str, parameters: dict[str, str], noise: bool, centres: bool, publishes: bool, least: int
) -> None:
    asked = question(claim, parameters=parameters)
    assert (asked.noise, asked.centres, asked.publishes) == (noise, centres, publishes)
    assert asked.draws_values == (noise or centres)
    assert asked.releases_means == (claim == "mdav")
    assert asked.least == least
    assert asked.stated_method.k == (1 if noise else 3)


def test_what_more_decides_whether_means_are_released() -> None:
    assert not question(sampling_weights=("1",) * 6).releases_means
    constrained = question(k=2, records=tuple((a, a) for (a,) in SIX), constraints=("x1 = x2",))
    assert not constrained.releases_means
    assert len(constrained.constraints) == 1


def test_aggregates_are_those_that_are_declared() -> None:
    kinds = question(k=1, records=(("1",), ("2",)), kinds=("numeric",))
    assert kinds.aggregates == kinds.stated_method.operators()
    assert question("secure-k-ward").aggregates == MEANS


def test_a_seed_is_of_algorithms_that_draw() -> None:
    assert question("random-seed", seed=5).stated_method.seed == 5
    assert question("random-seed").stated_method.seed is None
    assert question("mdav", seed=5).stated_method.seed is None
    for seed in ("5", True, 5.0):
        with pytest.raises(InvalidParameter, match=r"the seed is .*; it must be an integer"):
            question("random-seed", seed=seed)


def test_algorithms_for_one_attribute() -> None:
    with pytest.raises(NotUnivariate, match="works on one attribute, but is given x1, x2"):
        question("hansen-mukherjee", k=2, records=PAIRS)
    asked = question("hansen-mukherjee", k=2, records=PAIRS, blocks=((1,), (0,)))
    assert asked.blocks == (("x2",), ("x1",))
    assert asked.by_attribute
    assert question("individual-ranking", k=2, records=PAIRS).by_attribute
    assert not question(k=2, records=PAIRS).by_attribute


@pytest.mark.parametrize("blocks", [((0,), (2,)), ((-1,), (0,))])
def test_blocks_are_of_attributes_that_are_there(blocks: Any) -> None:
    with pytest.raises(InvalidBlocks, match=r"a block names attribute (2|-1); there are 2"):
        question(k=2, records=PAIRS, blocks=blocks)


def test_the_scale_of_a_case() -> None:
    assert case_scale(case(standardise="population")) == "population"
    assert question(standardise="population").scale == "population"
    assert question(standardise="population").scaled().how == "population"
    assert case_scale(case(kinds=("numeric",))) == "range"
    with pytest.raises(InvalidParameter, match="distances of their own scale"):
        case_scale(case(kinds=("numeric",), standardise="population"))


SERIES = (("0", "1"), ("0", "2"), ("5", "5"), ("6", "7"))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"k": 7}, "the case has only 6 records"),
        ({"strata": ("a",) * 5}, "strat"),
        ({"claim": "fuzzy", "strata": ("a",) * 6}, "fuzzy is asked of tables only"),
        ({"kinds": ("numeric",), "strata": ("a",) * 6}, "records of declared kinds have no series"),
        (
            {"records": SERIES, "k": 2, "series": "sts", "standardise": "population"},
            "series are not",
        ),
        ({"records": SERIES, "k": 2, "series": "sts", "times": ("1", "1")}, "time"),
        ({"records": SERIES, "k": 2, "constraints": ("x1 = 3", "x1 = 4")}, "x1"),
        ({"kinds": ("numeric",), "dissimilarity": "unheard-of"}, "unheard-of"),
    ],
)
def test_cases_that_make_no_sense(given: dict[str, Any], told: str) -> None:
    with pytest.raises(RefaggError, match=told):
        question(**given)


def test_records_that_are_more_than_a_table() -> None:
    timed = question("mdav", 2, SERIES, series="sts", times=("1", "3"))
    assert timed.stated_method.series == "sts"
    assert tuple(timed.stated_method.times or ()) == (1, 3)
    untimed = question("mdav", 2, SERIES, series="euclidean")
    assert untimed.stated_method.times is None
    given: dict[str, Any] = {"k": 1, "records": (("a>b",), ("a>c",)), "kinds": ("sequence:>",)}
    given["parameters"] = {"linkage": "single", "metric": "euclidean", "leftovers": "free-capacity"}
    events = question("hac", dissimilarity="levenshtein", **given)
    assert events.stated_method.dissimilarity == "levenshtein"
    assert question("hac", **given).stated_method.dissimilarity == "oss"
    strata = question("mdav", 2, SERIES, strata=("b", "a", "b", "a")).strata
    assert {name: list(records) for name, records in strata} == {"a": [1, 3], "b": [0, 2]}


# Strictness and the SSE


def test_what_is_tolerated() -> None:
    """8 n u is 48 / 2^53 of six records, and 48 / 2^24 in binary32; 10^-9 is granted anyhow."""
    usual, single = Strictness(), Strictness(precision="binary32")
    assert usual.of_sums(question()) == Fraction(1, 10**9)
    assert single.of_sums(question()) == Fraction(48, 2**24)
    assert single.of_distances(question(OPTIMAL)) == Fraction(1, 10**9)
    assert single.of_distances(question()) > Fraction(1, 10**9)
    asked = Strictness(Fraction(1, 7))
    assert asked.of_sums(question()) == asked.of_distances(question(OPTIMAL)) == Fraction(1, 7)
    assert (usual.floats, asked.floats, Strictness(Fraction(0)).floats) == (True, False, False)
    assert asked.granted.tolerance == Fraction(1, 7)
    assert (usual.granted.tolerance, single.granted.roundoff) == (0, Fraction(1, 2**24))


def claimed(sse: object, strict: Strictness | None = None, **others: Any) -> str:
    """How the check of an SSE ends."""
    asked = others.pop("question", None) or question()
    reading = Reading(*(others.pop(name, None) for name in ("partition", "released")), str(sse))
    return sse_check(asked, replace(reading, **others), strict or Strictness(Fraction(0))).status


ALLOWED = Fraction(5 * 4, 10**6) + Fraction(154, 10**9) + 6 * 144 * Fraction(7, 2**53) ** 2
"""5e-6 of the SSE, 1e-9 of the SST, and what seven roundings change of six values up to 12."""


@pytest.mark.parametrize(
    ("off", "status"),
    [
        (Fraction(0), "holds"),
        (ALLOWED, "holds"),
        (-ALLOWED, "holds"),
        (ALLOWED + Fraction(1, 10**60), "fails"),
        (-ALLOWED - Fraction(1, 10**60), "fails"),
    ],
)
def test_an_sse_may_be_off_by_so_much(off: Fraction, status: str) -> None:
    assert claimed(4 + off, partition=Partition(RIGHT)) == status


def test_a_tolerance_that_is_asked_for_allows_more() -> None:
    """A tenth of 4 and of 154."""
    tenth = Strictness(Fraction(1, 10))
    most = 4 + Fraction(158, 10) + 6 * 144 * Fraction(7, 2**53) ** 2
    assert claimed(most, tenth, partition=Partition(RIGHT)) == "holds"
    assert claimed(most + Fraction(1, 10**60), tenth, partition=Partition(RIGHT)) == "fails"


def test_an_sse_may_be_off_by_what_rounding_records_changes() -> None:
    tenths = question(k=1, records=(("0.1",), ("0.6",)))
    most = Fraction(1, 8 * 10**9) + rounding(tenths.scaled())
    assert claimed(most, question=tenths, partition=Partition(((0,), (1,)))) == "holds"


@pytest.mark.parametrize(
    ("sse", "status"),
    [("0", "holds"), ("-1e-99", "fails"), ("nan", "fails"), ("four", "fails"), ("1e-32", "holds")],
)
def test_an_sse_is_no_negative_number(sse: str, status: str) -> None:
    equal = question(records=(("7",),) * 6)
    assert claimed(sse, question=equal, partition=Partition(RIGHT)) == status


def test_the_sse_of_what_is_released() -> None:
    """Where means are not what is released: 1 for record 0 and 4 for record 5 make 5."""
    weighted = question(sampling_weights=("1",) * 6)
    released = table_of_texts((("1",), *SIX[1:5], ("10",)))
    assert claimed(5, question=weighted, partition=Partition(RIGHT), released=released) == "holds"
    assert claimed(4, question=weighted, partition=Partition(RIGHT), released=released) == "fails"
    assert claimed(4, question=weighted, partition=Partition(RIGHT)) == "not judged"
    assert claimed(5, released=released) == "holds"


def test_the_sse_of_blocks_is_that_of_their_groups() -> None:
    """{0, 1} and {8, 9} make 1; {9, 0} and {7, 1} make 81/2 + 18."""
    both = question(k=2, records=PAIRS, blocks=((0,), (1,)))
    blocks = (Partition(((0, 1), (2, 3))), Partition(((0, 2), (1, 3))))
    assert claimed("59.5", question=both, blocks=blocks) == "holds"
    assert claimed("58.5", question=both, blocks=blocks) == "fails"
    weighted = question(k=2, records=PAIRS, blocks=((0,), (1,)), sampling_weights=("1",) * 4)
    assert claimed("59.5", question=weighted, blocks=blocks) == "not judged"


def test_records_that_are_no_floats_change_an_sse() -> None:
    """0.1 and 0.6 are off by at most e; 2 root(n SST n e^2 / n) is doubled, as roots are."""
    scaled = standardise(table_of_texts((("0.1",), ("0.6",))), "none")
    e = max(abs(Fraction(x) - Fraction(float(x))) for x in ("0.1", "0.6"))
    root = Fraction(sqrt(2 * Fraction(1, 8) * e**2))
    assert rounding(scaled) == 2 * 2 * root + 2 * e**2
    assert rounding(standardise(table_of_texts(SIX), "none")) == 0
    assert rounding(standardise(table_of_texts((("1e400",), ("0",))), "none")) == 0


def test_roots_are_never_too_small() -> None:
    assert _root(Fraction(4)) == 4
    little = Fraction(1, 10**150)
    assert _root(Fraction(0)) == little
    assert _root(Fraction(10**700)) == 10**700 + little
    assert _root(Fraction(1, 10**700)) == Fraction(1, 10**700) + little


# Optima, and what would have been right


def optimally(groups: Any, inferred: bool = False, k: int = 3, records: Any = SIX) -> Check:
    judged = JudgedGroups(Partition(groups), inferred, ())
    return optimal_check(question(OPTIMAL, k, records), judged, inf)


def test_groups_with_the_least_sse_are_optimal() -> None:
    found = optimally(RIGHT)
    assert (found.status, found.summary) == ("holds", "the SSE is the least possible, 4")
    worse = optimally(((0, 1, 3), (2, 4, 5)))
    assert (worse.status, worse.witness) == ("fails", ("0 1 2 | 3 4 5",))
    assert optimum_of(case(OPTIMAL), inf).value == 4


def test_equal_rows_may_be_several_groups() -> None:
    """One class of all six, from released rows alone; k = 4 leaves no other group."""
    whole = ((0, 1, 2, 3, 4, 5),)
    assert optimally(whole, inferred=True).status == "not judged"
    assert optimally(whole).status == "fails"
    assert optimally(whole, inferred=True, k=4).status == "holds"
    eight = (*SIX, ("13",), ("14",))
    assert optimally(((0, 1, 2, 3, 4), (5, 6, 7)), inferred=True, records=eight).status == "fails"


def test_an_optimum_that_is_not_known_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    known = optimum_of(case(OPTIMAL), inf)

    def unproved(value: Fraction) -> Check:
        monkeypatch.setattr(sums, "optimum_of", lambda *_: replaced(known, value))
        return optimally(RIGHT)

    assert unproved(Fraction(4)).status == "not judged"
    assert unproved(Fraction(5)).status == "not judged"
    least = 4 / (1 + Fraction(1, 10**9))
    near = unproved(least)
    assert (near.status, near.details) == ("holds", {"flags": ("numerical",)})
    assert unproved(least - Fraction(1, 10**60)).status == "fails"
    tenths = (*SIX[:5], ("12.1",))  # no float: rounding allows a little more, not less
    ours = loss_within(question(records=tenths).scaled(), RIGHT)
    value = ours / (1 + Fraction(1, 10**9))
    monkeypatch.setattr(sums, "optimum_of", lambda *_: replaced(known, value))
    assert optimally(RIGHT, records=tenths).status == "holds"


def replaced(known: Any, value: Fraction) -> Any:
    """An optimum with another value, which is not proved."""
    return replace(known, value=value, status="feasible")


def test_admissible_partitions_are_listed_where_they_are_few() -> None:
    square = (("0", "0"), ("0", "1"), ("1", "0"), ("1", "1"))
    assert admissible_texts(question(k=2, records=square)) == ("0 1 | 2 3", "0 2 | 1 3")
    assert admissible_texts(question(OPTIMAL)) == ("0 1 2 | 3 4 5",)
    assert admissible_texts(question(ANY_PARTITION)) == ()
    assert admissible_texts(question("random-seed")) == ()
    assert len(admissible_texts(question("random-seed", seed=1))) == 1
    assert admissible_texts(question("fuzzy", seed=1)) == ()
    assert admissible_texts(question("individual-ranking", k=2, records=square)) == ()
    huge = (("1e400",), ("2e400",), ("-1",), ("0",))
    assert admissible_texts(question("tfrp-1", k=2, records=huge)) == ()


def test_a_wrong_answer_about_values_beyond_all_floats_has_a_verdict() -> None:
    huge = (("1e400",), ("2e400",), ("-1",), ("0",))
    judged = judge(case("tfrp-1", 2, huge), Answer(groups=((0,), (1, 2, 3))))
    assert (judged.status, judged.check, judged.expected) == ("failed", "k-anonymous", ())


@pytest.mark.parametrize(
    ("limit", "most", "listed"),
    [
        ("MOST_LISTED", 2, True),
        ("MOST_LISTED", 1, False),
        ("MOST_RECORDS", 4, True),
        ("MOST_RECORDS", 3, False),
        ("MOST_RUNS", 1, False),
    ],
)
def test_admissible_partitions_have_limits(
    limit: str, most: int, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    square = (("0", "0"), ("0", "1"), ("1", "0"), ("1", "1"))
    monkeypatch.setattr(judging, limit, most)
    found = ("0 1 | 2 3", "0 2 | 1 3") if listed else ()
    assert admissible_texts(question(k=2, records=square)) == found


# Centres and noise


def centred(released: Any, groups: Any = None, k: int = 2) -> Check:
    """The check of released rows for 0, 0, 10, 10."""
    asked = question("fuzzy", k, (("0",), ("0",), ("10",), ("10",)))
    rows = tuple((str(value),) for value in released)
    reading = read_answer(asked, Answer(groups=groups, released=rows))
    return row_check(asked, reading, Strictness())


def test_as_many_rows_as_centres() -> None:
    """Two centres for k = 2, one for k = 3."""
    assert centred([1, 1, 9, 9]).status == "holds"
    assert centred([1, 1, 1, 1], k=3).status == "holds"
    assert centred([1, 1, 9, 9], k=3).summary == "2 groups, but there are 1 centres"
    found = centred([1, 2, 9, 9], groups=((0, 1), (2, 3)))
    assert found.summary == "3 different rows are released, but there are 2 centres"


@pytest.mark.parametrize(("end", "sign"), [(0, -1), (10, 1)])
def test_a_centre_may_be_beyond_the_range_by_rounding(end: int, sign: int) -> None:
    asked = question("fuzzy", 2, (("0",), ("0",), ("10",), ("10",)))
    rows = table_of_texts((("1/3",), ("1/3",), ("2/3",), ("2/3",)))
    told = told_apart(asked.table, Reading(None, rows, None), Strictness().of_distances(asked))
    most = end + sign * told.allowed.at(0, Fraction(end))
    assert most != end
    assert centred([most, most, Fraction(17, 3), Fraction(17, 3)]).status == "holds"
    more = most + sign * Fraction(1, 10**60)
    assert centred([more, more, Fraction(17, 3), Fraction(17, 3)]).status == "fails"


def noisy(amount: str = "1/4", records: Any = (("0",), ("6",), ("1",), ("5",))) -> Question:
    """By default the mean is 3 and the variance (9 + 9 + 4 + 4) / 4 = 13 / 2."""
    return question("gaussian-noise", 1, records, parameters={"amount": amount}, seed=1)


def test_the_largest_noise_by_hand() -> None:
    """With amount 1/4 no deviate is more than 13 times half a standard deviation.

    A third shows that values are not rounded, so that they are off by the margin of the table only.
    """
    asked, strict = noisy(), Strictness()
    third = Fraction(1, 3)
    released = table_of_texts((("0",), ("6",), ("1/3",), ("5",)))
    margin = allowed_for(asked.table, released, strict.of_distances(asked)).at(0, Fraction(0))
    most = Fraction(13 * sqrt(1 / 4)) * Fraction(sqrt(6.5)) + margin
    for beyond, status in ((Fraction(0), "holds"), (Fraction(1, 10**60), "fails")):
        cells = [[-most - beyond], [6], [third], [5]]
        found = noise.noise_check(asked, table_of(cells), strict)
        assert found.status == status
    assert found.witness[0].startswith("record 0: x1 is released with -16.57")
    assert found.witness[0].endswith(", which was 0")


def deviated(
    patch: pytest.MonkeyPatch, stray: Fraction, moved: float, records: Any = (("0",), ("1000",))
) -> Check:
    """The check of records that noise has not changed, for a release of which one value strays.

    Perturbations change the noise of the last record, which is 0, by so much.
    """
    asked, strict = noisy(records=records), Strictness()
    table = asked.table

    def of(given: Any, method: Any) -> list[list[float]]:
        return [*[[0.0]] * (table.n - 1), [0.0 if given is table else moved]]

    patch.setattr(noise, "deviations", of)
    first, *others = table.columns[0].values(range(table.n))
    cells = [[first + stray], *([other] for other in others)]
    return noise.deviate_check(asked, table, table_of(cells), strict)


def test_noise_with_a_seed_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values may be off by the margin, and by twice what perturbations change.

    Of a range of 1000, 1 is the thousandth from which on nothing is said. A third shows that
    values are not rounded.
    """
    third = Fraction(1, 3)

    def found(stray: Fraction, moved: float) -> tuple[str, str]:
        with monkeypatch.context() as patch:
            check = deviated(patch, stray, moved)
        return check.status, check.summary

    assert found(Fraction(0), 1.0) == ("holds", "the seed 1 gives this")
    rounded = ("holds", "the seed 1 gives this, up to rounding")
    assert found(1 + third, 1.0) == rounded
    assert found(2 + third, 1.0) == ("fails", "the seed 1 gives a different answer")
    assert found(3 - third, 1.25) == (
        "not judged",
        "with these records, the noise depends on rounding",
    )
    assert found(1 + third, 0.625) == ("fails", "the seed 1 gives a different answer")


def test_noise_may_be_off_by_the_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third shows that values are not rounded."""
    records = (("0",), ("1/3",), ("1000",))
    asked = noisy(records=records)
    tolerance = Strictness().of_distances(asked)
    margin = allowed_for(asked.table, asked.table, tolerance).at(0, Fraction(0))
    for stray, summary in (
        (margin, "the seed 1 gives this"),
        (margin + Fraction(1, 10**60), "the seed 1 gives a different answer"),
    ):
        with monkeypatch.context() as patch:
            assert deviated(patch, stray, 0.0, records).summary == summary


# Verdicts

THREE = (("0",), ("1",), ("3",))
"""The mean is 4/3."""


@pytest.mark.parametrize(
    ("asked", "answer", "status", "check", "words"),
    [
        (
            case(kinds=("nominal",), records=(("a",),) * 3),
            Answer(refused="no"),
            "unsupported",
            "answered",
            "declared kinds were refused: no",
        ),
        (case(), Answer(), "errored", "answered", "neither groups nor released rows"),
        (
            case(k=2, records=PAIRS, blocks=((0,), (1,))),
            Answer(groups=((0, 1), (2, 3))),
            "failed",
            "well formed",
            "each of 2 blocks has its own",
        ),
        (
            case("individual-ranking", k=2, records=PAIRS),
            Answer(groups=((0, 1), (2, 3))),
            "not judged",
            "k-anonymous",
            "each attribute has its own groups",
        ),
        (
            case(),
            Answer(released=(("1",),) * 3 + (("11",),) * 2 + (("12",),)),
            "failed",
            "k-anonymous",
            "groups by equal released rows",
        ),
        (
            case(k=2, records=PAIRS, strata=("a", "b", "b", "a")),
            Answer(groups=((0, 1), (2, 3))),
            "failed",
            "well formed",
            "a group has records of two strata",
        ),
        (
            case(ANY_PARTITION, records=THREE),
            Answer(released=(("2",),) * 3),
            "failed",
            "aggregates",
            "",
        ),
    ],
    ids=map(str, range(7)),
)
def test_a_verdict_says_which_check_decides(
    asked: Case, answer: Answer, status: str, check: str, words: str
) -> None:
    found = judge(asked, answer)
    assert (found.status, found.check) == (status, check)
    assert words in found.reason


@pytest.mark.parametrize(
    ("mean", "flags"), [("1.3", ("rounded to 1 decimal",)), ("1.33333333333333333", ())]
)
def test_what_a_mean_was_rounded_to_is_a_flag(mean: str, flags: tuple[str, ...]) -> None:
    found = judge(case(records=THREE), Answer(released=((mean,),) * 3))
    assert found.status == "passed"
    assert found.flags[: len(flags)] == flags
    assert len(found.flags) == len(flags) or not flags


@pytest.mark.parametrize(("claim", "told"), [("mdav", 0), (ANY_PARTITION, 1), (OPTIMAL, 1)])
def test_a_run_decides_which_groups_have_values(
    claim: str, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no run is claimed, nothing else can: it stays open."""
    undecided = Check("aggregates", "not judged", SEVERAL)
    monkeypatch.setattr(judging.AnswerPart, "values", lambda *_: undecided)
    asked = question(claim)
    reading = read_answer(asked, Answer(groups=RIGHT, released=(("1",),) * 3 + (("11",),) * 3))
    parts = list(judging._parts(asked, reading, Strictness().granted))
    assert list(judging.values(asked, reading, parts, Strictness())) == [undecided] * told


@pytest.mark.parametrize(
    ("offset", "tolerance", "status"),
    [(0, None, "holds"), (10**13, None, "not judged"), (10**13, Fraction(1, 2), "holds")],
)
def test_what_rounding_hides_is_not_judged(
    offset: int, tolerance: Fraction | None, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that needs a relative error of a half: too much where values are large."""
    needed = Check("run", "holds", "", details={"tolerance_needed": 0.5})
    monkeypatch.setattr(judging.AnswerPart, "_explained", lambda *_: needed)
    asked = question("mdav", 3, tuple((str(offset + int(value)),) for (value,) in SIX))
    part = judging.AnswerPart(asked, *[cast(Any, None)] * 3)
    assert part.run(Strictness(tolerance)).status == status


@pytest.mark.parametrize(
    ("details", "flags"),
    [
        ({}, []),
        ({"tolerance_needed": Fraction(1, 10**9)}, []),
        ({"tolerance_needed": Fraction(2, 10**9)}, ["beyond 1e-9"]),
        ({"verdict": "numerical"}, ["numerical"]),
    ],
)
def test_flags_of_a_run(
    details: dict[str, Any], flags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Check("run of mdav", "holds", "", details=details)
    monkeypatch.setattr(judging.AnswerPart, "_replayed", lambda *_: found)
    part = judging.AnswerPart(question(), *[cast(Any, None)] * 3)
    check = part._run(cast(Any, None), Fraction(1, 2), Strictness())
    assert list(check.details["flags"]) == flags
