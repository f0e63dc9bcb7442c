"""For what wrong answers are right, with a judge who passes what a test says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import pstdev
from typing import Any

import pytest

from oracle.conformance.judge import hints
from oracle.conformance.judge.hints import Hint, hint_of, other_reading, other_variant, with_hint
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import OPTIMAL, Answer, Case, Judgement
from oracle.conformance.judge.texts import numeral
from refagg.catalogue import specification
from refagg.errors import InvalidParameter

ROWS = (("0",), ("1",), ("5",), ("6",))
GROUPS = Answer(groups=((0, 1), (2, 3)))

Says = Callable[[Case, Answer], str]


def judgements(number: int, status: str = "failed", check: str = "run", **of: Any) -> list[Any]:
    """So many judgements with this end."""
    answer = of.pop("answer", GROUPS)
    asked = Case(**({"id": "", "claim": "mdav", "k": 2, "records": ROWS} | of))
    begin = f"{status} {check} "
    return [
        Judgement(replace(asked, id=begin + str(i)), answer, status, check, "")
        for i in range(number)
    ]


@pytest.fixture
def judge_says(monkeypatch: pytest.MonkeyPatch) -> Callable[[Says], list[Case]]:
    """Let the judge say the status that a function gives, and keep the cases that it is asked."""

    def says(status: Says) -> list[Case]:
        asked: list[Case] = []

        def judge(case: Case, answer: Answer, strict: object) -> Judgement:
            assert strict is hints.QUICKLY
            asked.append(case)
            return Judgement(case, answer, status(case, answer), "run", "")

        monkeypatch.setattr(hints, "judge", judge)
        return asked

    return says


# Variants


def is_mdav_1(case: Case, answer: Answer) -> str:
    return "passed" if case.claim == "mdav-1" else "failed"


def test_answers_that_are_all_those_of_a_relative(judge_says: Any) -> None:
    judge_says(is_mdav_1)
    answers = [*judgements(4), *judgements(2, check="k-anonymous"), *judgements(4, "passed")]
    hint = other_variant(answers)
    assert hint is not None
    assert hint.cause == "other-variant/mdav-1"
    assert hint.text == "passes as mdav-1: 6 wrong and 4 right answers are those of it"
    assert hint.ids == {one.case.id for one in answers[:6]}
    assert hint_of(answers) == hint
    told, text = with_hint(answers)
    assert text == hint.text
    assert [one.cause for one in told] == ["other-variant/mdav-1"] * 6 + [""] * 4


@pytest.mark.parametrize(
    "answers",
    [
        judgements(5) + judgements(4, "passed"),  # nine
        judgements(10, "passed"),
        judgements(5) + judgements(9, "passed", k=3),  # one group, whatever the variant
        judgements(5, records=ROWS[:1] * 4) + judgements(9, "passed"),  # equal records
        judgements(10) + judgements(1, check="SSE"),
        judgements(10) + judgements(1, "errored", "answered"),
        judgements(5) + judgements(5, "passed", "optimal"),
        judgements(5) + judgements(5, "passed", k=5),  # to be refused
        judgements(5) + judgements(5, "passed", kinds=("numeric",)),
        judgements(10, claim=OPTIMAL),
        [],
    ],
)
def test_answers_that_say_nothing_of_a_variant(answers: Sequence[Any], judge_says: Any) -> None:
    judge_says(lambda case, answer: "passed")
    assert other_variant(answers) is None


def test_wrong_answers_are_those_of_a_variant_and_right_ones_can_be(judge_says: Any) -> None:
    """Not judged is enough for a right one; what no variant takes is none of it."""
    right = {one.case.id for one in judgements(4, "passed")}
    judge_says(lambda case, _: "not judged" if case.id in right else is_mdav_1(case, _))
    assert other_variant(judgements(6) + judgements(4, "passed")) is not None
    judge_says(lambda case, _: "not judged" if case.claim == "mdav-1" else "failed")
    assert other_variant(judgements(6) + judgements(4, "passed")) is None

    def refused(case: Case, answer: Answer) -> str:
        raise InvalidParameter("no such parameter")

    judge_says(refused)
    assert other_variant(judgements(10)) is None
    assert hints._fits(judgements(1)[0], specification("mdav-1"), {}) is False


def test_a_relative_by_itself_comes_before_one_with_a_parameter(judge_says: Any) -> None:
    def is_either(case: Case, _: Answer) -> str:
        either = case.claim == "mdav-single" or (case.claim == "iv-mdav" and case.parameters)
        return "passed" if either else "failed"

    judge_says(is_either)
    hint = other_variant(judgements(10))
    assert hint is not None
    assert hint.text.startswith("passes as mdav-single: ")


def test_a_single_wrong_answer_is_enough_with_nine_right_ones(judge_says: Any) -> None:
    judge_says(is_mdav_1)
    assert other_variant(judgements(1) + judgements(9, "passed")) is not None


def test_other_parameters_of_the_same_algorithm(judge_says: Any) -> None:
    asked = judge_says(
        lambda case, _: "passed" if case.parameters == {"gamma": "1.1"} else "failed"
    )
    hint = other_variant(judgements(10, claim="v-mdav"))
    assert hint is not None
    assert hint.cause == "other-variant/v-mdav-1.1"
    assert hint.text == (
        "passes as v-mdav with gamma=1.1: 10 wrong and 0 right answers are those of it"
    )
    assert {case.claim for case in asked} == {"v-mdav"}
    assert {} not in [case.parameters for case in asked]


def test_parameters_of_a_case_are_those_of_its_algorithm_only(judge_says: Any) -> None:
    """With parameters, right answers are right for a relative that has none; wrong ones are not."""
    asked = judge_says(lambda case, _: "passed")
    given = {"gamma": "1/5"}
    right = judgements(4, "passed", claim="v-mdav", parameters=given)
    plain = judgements(6, claim="v-mdav")
    spec = specification("mdav")
    assert all(hints._fits(one, spec, {}) for one in right)
    assert hints._fits(judgements(1, claim="v-mdav", parameters=given)[0], spec, {}) is False
    assert asked == []
    assert hints._fits(plain[0], spec, {"x": "1"})
    assert (asked[-1].claim, asked[-1].parameters) == ("mdav", {"x": "1"})
    own = specification("v-mdav")
    assert hints._fits(right[0], own, {"gamma": "1", "x": "2"})
    assert asked[-1].parameters == {"gamma": "1/5", "x": "2"}


def test_relatives_are_of_one_family() -> None:
    variants = list(hints._variants(specification("mdav")))
    names = [spec.name for spec, _ in variants]
    assert {"mdav-1", "v-mdav", "mdav-single"} <= set(names)
    assert not {"hansen-mukherjee", "k-ward", "random-seed"} & set(names)
    assert all(parameters for spec, parameters in variants if spec.name == "mdav")
    assert all(isinstance(v, str) for _, parameters in variants for v in parameters.values())
    assert next(hints._variants(specification("v-mdav")))[0].name == "v-mdav"
    for spec, _ in hints._variants(specification("k-means")):
        assert spec.name == "k-means" or not spec.random


def test_variants_are_looked_for_for_so_long(
    judge_says: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_says(is_mdav_1)
    monkeypatch.setattr(hints, "SECONDS", -1.0)
    assert other_variant(judgements(10)) is None


# Other readings


def on_the_scale(*numbers: int) -> Says:
    """Only these answers are right, on the scale of the population."""
    ids = {f"failed run {number}" for number in numbers}
    return lambda case, _: (
        "passed" if case.standardise == "population" and case.id in ids else "failed"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (3, 3, True),
        (2, 3, True),
        (1, 3, False),
        (2, 4, False),
        (3, 4, True),
        (3, 5, True),
        (2, 2, True),
        (1, 2, False),
        (1, 1, False),
        (0, 3, False),
        (0, 0, False),
    ],
)
def test_most_wrong_answers_are_right_on_a_scale(
    right: int, wrong: int, told: bool, judge_says: Any
) -> None:
    judge_says(on_the_scale(*range(right)))
    hint = other_reading(judgements(wrong))
    assert (hint is not None) == told
    if hint:
        assert hint.cause == "other-scale/population"
        assert hint.text.startswith(f"{right} of {wrong} wrong answers are right if the scale is ")
        assert hint.ids == {f"failed run {number}" for number in range(right)}


@pytest.mark.parametrize(("right", "against", "told"), [(10, 1, True), (9, 1, False), (0, 0, True)])
def test_right_answers_speak_against_a_reading(
    right: int, against: int, told: bool, judge_says: Any
) -> None:
    """On the scale all wrong answers are right; one in ten of the right ones may be wrong there."""
    others = {one.case.id for one in judgements(right, "passed")[:against]}
    judge_says(
        lambda case, _: (
            "passed" if case.standardise == "population" and case.id not in others else "failed"
        )
    )
    answers = judgements(3) + judgements(right, "passed")
    assert (other_reading(answers) is not None) == told


def test_a_right_answer_that_a_reading_does_not_change_says_nothing(judge_says: Any) -> None:
    """Integers stay what they are when they are truncated, and a table may have one scale."""
    decimals = (("0.9",), ("1",), ("5",), ("6",))
    judge_says(lambda case, _: "passed" if case.records == (*ROWS,) else "failed")
    found = other_reading(judgements(3, records=decimals) + judgements(9, "passed"))
    assert found is not None
    assert found.cause == "other-data/truncated-values"


def test_fewer_answers_are_enough_where_that_is_asked_for(judge_says: Any) -> None:
    judge_says(on_the_scale(0))
    assert other_reading(judgements(1), fewest=1) is not None
    assert other_reading(judgements(1), fewest=2) is None


@pytest.mark.parametrize(
    "others",
    [
        {"status": "errored"},
        {"check": "SSE"},
        {"check": "aggregates"},  # released values are no matter of the scale
        {"kinds": ("numeric",)},
        {"standardise": "population"},  # as was asked for
    ],
)
def test_what_is_no_matter_of_a_scale(others: dict[str, Any], judge_says: Any) -> None:
    right = "population", ROWS
    judge_says(lambda c, _: "passed" if (c.standardise, c.records) == right else "failed")
    assert other_reading(judgements(3, **others)) is None


def test_a_reading_that_is_not_asked_explains_nothing() -> None:
    """Groups of time series, which have no other scale: the slopes are 1, 1, -1, -1."""
    rows = (("0", "1"), ("5", "6"), ("0", "-1"), ("5", "4"))
    case = Case("", "mdav", 2, rows, series="sts")
    wrong = judge(case, Answer(groups=((0, 2), (1, 3))))
    assert wrong.status == "failed"
    assert other_reading([wrong]) is None


def test_without_a_hint_judgements_stay() -> None:
    assert with_hint([]) == ((), "")
    assert isinstance(Hint("a", "b", frozenset()), Hint)


def one(records: Any = ROWS, answer: Answer = GROUPS, **others: Any) -> Judgement:
    [made] = judgements(1, records=records, answer=answer, **others)
    found: Judgement = made
    return found


@pytest.mark.parametrize(
    ("cells", "groups", "texts"),
    [
        (("1", "2", "10", "11"), ((0, 2, 3), (1,)), True),
        (("1", "2", "10", "11"), ((0, 1), (2, 3)), False),  # of values, too
        (("1", "2", "10", "10"), ((0, 2), (3, 1)), True),  # equal texts at an end
        (("1", "2", "10", "11"), ((0, 3), (1, 2)), False),  # of neither
        (("1", "2", "10", "11"), None, None),
    ],
)
def test_intervals_of_texts(cells: Any, groups: Any, texts: bool | None) -> None:
    answer = Answer(groups=groups)
    assert hints._of_texts(one(tuple((cell,) for cell in cells), answer)) is texts
    assert not hints._of_texts(one(tuple((cell, "0") for cell in cells), answer))


def test_values_are_truncated_towards_0(judge_says: Any) -> None:
    truncated = "values are truncated to integers"
    asked = judge_says(lambda case, _: "passed")
    assert hints.READINGS[truncated][1](one((("-2.9", "5/2"), ("1", "2"))))
    assert asked[0].records == (("-2", "2"), ("1", "2"))
    assert not hints.READINGS[truncated][1](one())


def test_weights_in_other_orders(judge_says: Any) -> None:
    """Backwards, rotated either way, and in the order of the values or their places."""
    asked = judge_says(lambda case, _: "failed")
    weighted = one((("6",), ("0",), ("9",), ("3",)), sampling_weights=("a", "b", "c", "d"))
    assert not hints._of_other_weights(weighted)
    # ascending: records 1, 3, 0, 2; their places are 2, 0, 3, 1
    expected = ["dcba", "bcda", "dabc", "cadb", "bdac"]
    assert ["".join(case.sampling_weights) for case in asked] == expected
    judge_says(lambda case, _: "passed")
    assert hints._of_other_weights(weighted)
    assert not hints._of_other_weights(one(sampling_weights=("1",) * 4))
    assert not hints._of_other_weights(one())


def released(*rows: tuple[str, ...]) -> Answer:
    return Answer(released=rows)


def test_columns_in_other_orders(judge_says: Any) -> None:
    tried: list[Any] = []

    def none(case: Case, answer: Answer) -> str:
        tried.append(answer.released)
        return "failed"

    judge_says(none)
    three = (("1", "2", "3"),)
    assert not hints._of_other_columns(one(three, released(*three)))
    assert sorted("".join(rows[0]) for rows in tried) == ["132", "213", "231", "312", "321"]
    judge_says(lambda case, answer: "passed")
    assert hints._of_other_columns(one(three, released(*three)))
    four, five = (("1",) * 4,), (("1",) * 5,)
    assert hints._of_other_columns(one(four, released(*four)))
    assert hints._of_other_columns(one(five, released(*five))) is None
    assert not hints._of_other_columns(one(ROWS, released(*ROWS)))
    assert not hints._of_other_columns(one(three, released(("1", "2"))))
    assert not hints._of_other_columns(one(three))


def test_scales_of_a_part_of_the_records(judge_says: Any) -> None:
    """Of the different ones, of all but the first or the last, of the first k, which are 0."""
    asked = judge_says(lambda case, _: "failed")
    rows = (("0",), ("0",), ("2",), ("4",))
    assert not hints._of_other_scale(one(rows, standardise="population"))
    parts = ([0, 2, 4], [0, 2, 4], [0, 0, 2])
    expected = [
        tuple(
            (numeral(Fraction(int(cell)) / Fraction(pstdev(map(float, part)))),) for (cell,) in rows
        )
        for part in parts
    ]
    assert [case.records for case in asked] == [*expected, (("0",),) * 4]
    assert {case.standardise for case in asked} == {"none"}
    judge_says(lambda case, _: "passed")
    assert hints._of_other_scale(one(rows, standardise="population"))
    assert hints._of_other_scale(one(rows)) is None
    assert not hints._of_other_scale(one(rows, released(*rows), standardise="population"))


@pytest.mark.parametrize(
    ("right", "seen"), [("wrrrr", 5), ("rwwrr", 5), ("wwwrr", 3), ("wwrr", 2), ("", 0)]
)
def test_a_reading_is_given_up_where_most_answers_cannot_be_right_for_it(
    right: Any, seen: int
) -> None:
    """Of five answers three that are wrong end it, of four two."""
    asked: list[str] = []

    def holds(one: Any) -> bool:
        asked.append(one)
        return bool(one == "r")

    found = list(hints._right_for(holds, right))
    assert len(asked) == seen
    assert found == [one for one in right[:seen] if one == "r"]
