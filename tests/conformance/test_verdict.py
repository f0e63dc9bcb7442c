"""The last sentence of a run of vectors, the tally by cause, and how bad each failure is."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace

import pytest

import oracle
from oracle.conformance.judge.causes import cause_of, led_by
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.severity import severity_of
from oracle.conformance.known import KnownFailures
from oracle.conformance.summary import failure_lines, smallest_first, tally_lines, verdict_text
from oracle.replay.guided import ANOTHER

SIX = (("0",), ("1",), ("2",), ("10",), ("11",), ("12",))
RIGHT = ((0, 1, 2), (3, 4, 5))


def judged(answer: Answer, k: int = 3, records: tuple[tuple[str, ...], ...] = SIX) -> Judgement:
    invalid = "k too large" if k > len(records) else ""
    return judge(Case(f"n-{len(records)}-k-{k}", "mdav", k, records), answer, invalid)


GOOD = judged(Answer(groups=RIGHT))
WRONG = judged(Answer(groups=((0, 1, 3), (2, 4, 5))))
SMALL = judged(Answer(groups=((0, 1), (2, 3, 4, 5))))
REFUSAL = judged(Answer(refused="no groups of three"))
CRASH = judged(Answer(errored="it crashed"))
REFUSED = judged(Answer(refused="too few records"), k=7)
ACCEPTED = judged(Answer(groups=RIGHT), k=7)
CRASHED = judged(Answer(errored="it crashed"), k=7)


@pytest.mark.parametrize(
    ("judgement", "severity"),
    [
        (GOOD, ""),
        (WRONG, "wrong"),
        (SMALL, "not k-anonymous"),
        (REFUSAL, "refuses"),
        (CRASH, "refuses"),
        (REFUSED, ""),
        (ACCEPTED, "accepts invalid input"),
        (CRASHED, "accepts invalid input"),
        (judged(Answer(unsupported="no such k")), ""),
        (judged(Answer(blocks=(((0, 1), (2, 3, 4, 5)),))), "not k-anonymous"),
    ],
)
def test_how_bad_a_failure_is(judgement: Judgement, severity: str) -> None:
    assert severity_of(judgement) == severity


def test_what_is_known_is_a_documented_difference() -> None:
    assert severity_of(WRONG, known="see the manual") == "documented difference"
    assert severity_of(GOOD, known="see the manual") == ""


@pytest.mark.parametrize(
    ("judgements", "said"),
    [
        ([GOOD, GOOD, REFUSED], "correct: all 2 groupings; all 1 invalid inputs refused"),
        ([GOOD, WRONG, REFUSED], "wrong: 1 of 2 groupings; all 1 invalid inputs refused"),
        ([SMALL, WRONG], "not k-anonymous: 1 of 2 groupings; wrong: 1 of 2 groupings"),
        ([GOOD, REFUSAL], "refuses 1 of 2 valid requests; all 1 groupings correct"),
        ([CRASH, REFUSAL], "no answer to 2 of 2 valid requests"),
        ([GOOD, ACCEPTED, REFUSED], "correct: all 1 groupings; 1 of 2 invalid inputs not refused"),
        (
            [REFUSED, judged(Answer(unsupported="no"))],
            "no verdict: no valid request was answered; all 1 invalid inputs refused; "
            "1 unsupported",
        ),
    ],
)
def test_the_verdict_is_one_sentence(judgements: list[Judgement], said: str) -> None:
    assert verdict_text(judgements) == said


def test_a_clear_refusal_is_never_called_wrong() -> None:
    """A program that refuses whatever it is asked: no line of the report says that it is wrong."""

    def refuses(records: object, k: int) -> None:
        raise ValueError("this version groups nothing")

    made = oracle.conform(refuses, "md", without=["kinds"])
    assert not made.ok
    assert "wrong" not in str(made)
    assert made.verdict.startswith("refuses ")


def test_documented_differences_are_counted_by_themselves() -> None:
    known = KnownFailures((("n-6-k-3", "see the manual"),))
    assert verdict_text([WRONG, GOOD], known) == "correct: all 1 groupings; 1 documented difference"


def test_the_worst_comes_first_and_of_these_the_smallest_input() -> None:
    less = judged(Answer(groups=((0, 3), (1, 2))), k=2, records=SIX[:4])
    assert smallest_first([ACCEPTED, WRONG, less, SMALL]) == [SMALL, less, ACCEPTED, WRONG]
    lines = tally_lines([ACCEPTED, WRONG, less, SMALL])
    assert [line.partition("/")[0] for line in lines[1:]] == ["k-anonymous", "run", "answered"]
    assert tally_lines([]) == []


def test_each_failure_has_the_name_that_its_cause_has_in_the_tally() -> None:
    """A program that takes the first record, not the most distant: own names would be others."""

    def blocks(rows: list[list[float]], k: int) -> list[int]:
        return [min(i // k, len(rows) // k - 1) for i in range(len(rows))]

    made = oracle.conform(blocks, "mdav", flags=["tie", "order"])
    assert len({cause_of(replace(one, cause="")) for one in made.failures}) > 3
    lines = [line.split() for line in tally_lines(made.failures)[1:]]
    told = {words[0]: int(words[1]) for words in lines}
    assert Counter(cause_of(one) for one in made.failures) == told
    for one in made.failures:
        assert f"    cause: {cause_of(one)}" in failure_lines(one, None, "again")


@pytest.mark.parametrize(("n", "shown"), [(30, True), (31, False)])
def test_a_request_too_long_to_be_read_is_not_printed(n: int, shown: bool) -> None:
    case = Case("long", "mdav", 1, (("0",),) * n)
    lines = failure_lines(judge(case, Answer(errored="it crashed")), None, "the command")
    assert any("request: {" in line for line in lines) == shown
    assert "    again: the command" in lines


def test_a_run_ends_with_the_verdict() -> None:
    made = oracle.conform(lambda rows, k: [0] * len(rows), "mdav", flags=["order"])
    last = str(made).splitlines()[-1]
    assert last == made.verdict
    assert last.startswith("wrong: ")


def test_a_program_whose_answers_all_fail_for_one_formal_reason_is_told_after_five() -> None:
    """Counted: an answer that is no partition is not asked again, so five answers are asked."""
    calls = []

    def numbered_from_1(records: list[list[float]], k: int) -> list[list[int]]:
        calls.append(k)
        return [[number + 1 for number in range(len(records))]]

    made = oracle.conform(numbered_from_1, "md", without=["kinds", "invalid"])
    assert not made.ok
    assert len(made.failures) == 5
    assert len(calls) <= 10
    assert "they must be numbered from 0" in made.verdict
    assert [j.case.id for j in made.judgements] == [v.id for v in made.vectors]


def test_a_program_that_fails_formally_here_and_there_is_asked_everything() -> None:
    def few(records: list[list[float]], k: int) -> list[int]:
        if len(records) < 2 * k:
            raise TypeError("too few")
        return [0] * len(records)

    made = oracle.conform(few, "any k-partition", without=["kinds", "invalid"])
    assert "not asked" not in str(made)
    assert made.verdict.startswith("no answer to ")


def test_a_program_that_never_answers_in_time_is_told_after_three() -> None:
    def slow(records: object, k: int) -> None:
        while True:
            pass

    made = oracle.conform(slow, "md", without=["kinds", "invalid"], answer_timeout=0.05)
    assert len(made.failures) == 3
    assert "none of the first 3 answers came in time" in made.verdict


def test_the_explanation_that_names_the_cause_comes_first() -> None:
    loop = ("iteration 0, condition: loop, whether enough remain", "the algorithm: yes")
    near = ("iteration 1, step 3: near x_s, the nearest to x_s", "the release: 1 3")
    told = replace(WRONG, witness=(*loop, ANOTHER, *near))
    other_way = (*near, ANOTHER, *loop)
    assert led_by(told, "run/near-x_s").witness == other_way
    assert led_by(told, "run/near-x_s/far-values").witness == other_way
    assert led_by(told, "run/loop").witness == led_by(told, "run/x_s").witness == told.witness
    assert led_by(WRONG, "aggregates").witness == WRONG.witness


def test_a_script_that_is_missing_is_told_after_sixteen_questions() -> None:
    """Python ends with status 2, as a program might that refuses what it is asked."""
    command = [sys.executable, "-I", "no-such-script.py", "{input}", "{output}", "{k}"]
    made = oracle.conform(command, "mdav", csv=True, flags=["tie", "boundary"])
    assert made.verdict.startswith("no answer to 16 of 16 valid requests; ")
    assert "no-such-script.py" in made.verdict
    assert made.verdict.endswith("; run the command by hand: does it start?")
