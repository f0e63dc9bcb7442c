"""Failures by their causes, and the sizes of inputs, with answers by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from oracle.conformance.judge.causes import (
    by_cause,
    cause_of,
    explanations,
    led_by,
    reason_of,
    shared_names,
)
from oracle.conformance.judge.model import OPTIMAL, Answer, Case, Judgement
from oracle.conformance.judge.sizes import of_texts, rows_of_case, size_of, width_of
from oracle.replay.guided import ANOTHER, NO_CHOICE

LINE = Case("line", "mdav", 2, (("0",), ("1",), ("1",), ("3",)))

SEED = "iteration 1, step 2: x_s, the record most distant from x_r"
NEAR = "iteration 1, step 3: near x_s, the nearest to x_s"
CENTRE = "iteration 2, step 1: e, the record most distant from the centroid"


def failed(
    *witness: str, check: str = "run", reason: str = "no way", case: Case = LINE, cause: str = ""
) -> Judgement:
    return Judgement(case, Answer(), "failed", check, reason, witness, cause=cause)


def test_the_size_of_numbers() -> None:
    case = Case("c", "mdav", 2, (("100", "-2"), ("0", "1/2")))
    rows = ((Fraction(100), Fraction(-2)), (Fraction(0), Fraction(1, 2)))
    assert rows_of_case(case) == [list(row) for row in rows]
    assert size_of(case) == (2, 2, 2, 4, Fraction(205, 2), 1, rows)
    assert not of_texts(case)


def test_the_size_of_texts() -> None:
    ragged = Case("c", "mdav", -2, (("abc",), ("d", "ef")))
    assert of_texts(ragged)
    assert size_of(ragged) == (2, 2, 2, 6, 0, 0, ragged.records)
    assert of_texts(replace(LINE, kinds=("numeric",)))
    assert size_of(replace(LINE, kinds=("nominal",)))[:4] == (4, 1, 2, 4)
    assert width_of(ragged) == 2
    assert width_of(replace(LINE, records=())) == 0


def test_a_reason_has_no_numbers() -> None:
    assert reason_of(failed(reason="SSE 0.5 is not 1/3")) == "SSE # is not #"
    assert reason_of(failed(check="aggregates", reason="x1 is 2")) == ""


def test_a_cause_has_a_name() -> None:
    assert cause_of(failed(SEED, cause="other-variant/md")) == "other-variant/md"
    assert cause_of(failed("of no step", SEED, NEAR)) == "run/x_s"
    assert cause_of(failed(SEED, check="k anonymous", reason="a 1 b")) == "k-anonymous/a-b"
    assert cause_of(failed(check="aggregates", reason="x1 is 2")) == "aggregates"
    assert cause_of(failed(reason="got: a; expected: b, expected: c d")) == "run/c-d"
    assert cause_of(failed(reason="a b c d e f g h i")) == "run/a-b-c-d-e-f-g-h"


@pytest.mark.parametrize(
    ("groups", "name"),
    [
        (((0, 2), (1, 3)), "/groups-in-order"),  # they share a value
        (((0, 3), (1, 2)), "/groups-overlap"),
        (((1, 2), (0, 3)), "/groups-overlap"),
        (None, "/no-way"),
        (((0, 1), (2, 4)), "/no-way"),
        (((0, 1, 2, 3), ()), "/no-way"),
    ],
)
def test_a_partition_that_is_not_optimal(
    groups: tuple[tuple[int, ...], ...] | None, name: str
) -> None:
    wrong = replace(failed(check=OPTIMAL), answer=Answer(groups=groups))
    assert cause_of(wrong) == OPTIMAL.replace(" ", "-") + name


def test_groups_overlap_where_neither_lies_within_the_other() -> None:
    wrong = failed(check=OPTIMAL, case=replace(LINE, records=(("0",), ("1",), ("2",), ("3",))))
    wrong = replace(wrong, answer=Answer(groups=((0, 2), (1, 3))))
    assert cause_of(wrong).endswith("/groups-overlap")


@pytest.mark.parametrize("records", [(("0", "0"), ("1", "1")), (("0",), ("text",))])
def test_only_numbers_of_one_attribute_have_an_order(records: tuple[tuple[str, ...], ...]) -> None:
    wrong = failed(check=OPTIMAL, case=replace(LINE, records=records))
    wrong = replace(wrong, answer=Answer(groups=((0,), (1,))))
    assert cause_of(wrong).endswith("/no-way")


def test_choices_that_mean_the_same_are_the_same() -> None:
    same = "iteration 3, step 2: x_t, the record most distant from x_r"
    meant = {"the record most distant from x_r": "x_s", "the nearest to x_s": "near-x_s"}
    assert list(explanations(failed(SEED, same, NEAR)).items()) == list(meant.items())
    assert explanations(failed("iteration 1, step 4: last group")) == {"last group": "last-group"}


def test_where_every_replay_ended_counts_less_than_what_explains_whole_runs() -> None:
    """The loop explains three of four failures, or of five; near x_s is where all replays ended."""
    loop = "iteration 0, condition: loop, whether enough records remain for another turn"
    ended = NEAR, f"{NO_CHOICE}x_r is record 0 at distance^2 36"
    both, alone = failed(loop, "the release: no", ANOTHER, *ended), failed(*ended)
    assert list(explanations(both).values()) == ["loop", "near-x_s"]
    assert list(explanations(both, whole=True).values()) == ["loop"]
    assert explanations(alone, whole=True) == {}
    assert (
        shared_names([both, alone, both, both]) == ["run/loop", "run/near-x_s"] + ["run/loop"] * 2
    )
    assert shared_names([both, alone, both, both, alone]) == ["run/near-x_s"] * 5
    assert shared_names([both, alone, both, both, failed(NEAR)]) == ["run/near-x_s"] * 5


def test_the_explanation_that_gives_the_name_comes_first() -> None:
    told = failed(SEED, "the release: 1", ANOTHER, NEAR)
    assert led_by(told, "run/near-x_s").witness == (NEAR, ANOTHER, SEED, "the release: 1")
    assert led_by(told, "run/x_s").witness == led_by(told, "run").witness == told.witness
    assert led_by(told, "run/near-x_s/more").witness[0] == NEAR


def test_the_choice_that_explains_most_comes_first() -> None:
    both, near, centre = failed(SEED, NEAR), failed(NEAR), failed(CENTRE)
    assert shared_names([both, near, centre]) == ["run/near-x_s"] * 2 + ["run/e"]
    assert shared_names([failed(NEAR, SEED)]) == ["run/x_s"]
    assert shared_names([failed(SEED, CENTRE)] * 2 + [failed(CENTRE, SEED)]) == ["run/x_s"] * 3
    assert shared_names([failed(SEED, CENTRE), failed(CENTRE, SEED)]) == ["run/e"] * 2


def test_a_group_is_chosen_as_a_seed_is() -> None:
    group = "iteration 1, step 3: near e, the group of the nearest"
    assert shared_names([failed(SEED, group)]) == ["run/x_s"]
    assert shared_names([failed(group, SEED)]) == ["run/near-e"]


def test_what_is_chosen_within_another_algorithm_comes_later() -> None:
    inner = "iteration 1, step 2: mdav: a, the first"
    assert shared_names([failed(inner, SEED)]) == ["run/x_s"]
    assert shared_names([failed(inner, NEAR)]) == ["run/near-x_s"]


def test_only_runs_with_choices_share_a_name() -> None:
    other = failed(SEED, cause="other-variant/md")
    known = failed(SEED, NEAR, cause="run/known")
    means = failed(SEED, check="aggregates", reason="x1 is 2")
    found = shared_names([other, known, means, failed(), failed(NEAR)])
    assert found == ["other-variant/md", "run/near-x_s", "aggregates", "run/no-way", "run/near-x_s"]


def test_the_smallest_input_of_a_cause_comes_first() -> None:
    def on(*values: str) -> Case:
        return replace(LINE, records=tuple((value,) for value in values))

    large, small = failed(SEED, case=on("1", "2", "3")), failed(SEED, case=on("2", "1"))
    as_small, below = failed(SEED, case=on("1", "2")), failed(SEED, case=on("-1", "2"))
    own = failed(SEED, NEAR, case=on("1"))
    found = by_cause([(large, ""), (below, ""), (small, ""), (as_small, ""), (own, "far")])
    assert list(found) == ["far", "run/x_s"]
    assert found == {"far": [own], "run/x_s": [small, as_small, below, large]}
