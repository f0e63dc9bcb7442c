"""Wrong answers that are right for other data: what the program did to them is recognised."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from statistics import pstdev

import pytest
from plain.mdav import partition

import oracle
from oracle.conformance.hunting.findings import Finding
from oracle.conformance.hunting.findings_report import hunt_lines, hunt_verdict
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.hunting.strategies import Topic, wanted
from oracle.conformance.judge.causes import cause_of
from oracle.conformance.judge.hints import Hint, other_reading
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement

Rows = list[tuple[Fraction, ...]]


def judged(
    answer: Answer, records: tuple[tuple[str, ...], ...], k: int = 3, **more: object
) -> Judgement:
    found = judge(Case("hand", "mdav", k, records, **more), answer)  # type: ignore[arg-type]
    assert found.status == "failed"
    return found


def said(answers: list[Judgement]) -> str:
    found = other_reading(answers, 1)
    return found.text if found else ""


def test_numbers_sorted_as_texts() -> None:
    """By hand: as texts 1 < 10 < 100 < 2 < 3 < 4, so the groups are {1 10 100} and {2 3 4}."""
    records = tuple((text,) for text in ("1", "2", "3", "4", "10", "100"))
    wrong = judged(Answer(groups=((0, 4, 5), (1, 2, 3))), records)
    assert "sorted as texts" in said([wrong])
    assert said([judged(Answer(groups=((0, 1, 5), (2, 3, 4))), records)]) == ""


def test_truncated_values() -> None:
    """By hand: (0 + 1 + 2.4) / 3 is 17/15, and (0 + 1 + 2) / 3 is 1; (3 + 4 + 6) / 3 is 13/3."""
    rows = (("0",), ("1",), ("2.4",), ("3",), ("4",), ("6",))
    wrong = judged(Answer(groups=((0, 1, 3), (2, 4, 5))), rows)
    assert said([wrong]) == ""
    means = (("1",),) * 3 + (("13/3",),) * 3
    assert "truncated" in said([judged(Answer(released=means), rows)])


def test_rounded_values() -> None:
    """By hand: 0 is the most distant from the mean, and its nearest is 4.6; where 4.6 and 5.4 are
    rounded to 5, it may be either. Where 5.2 and 5.4 are cut to 5, or rounded, too."""
    answer, rounded = Answer(groups=((0, 2), (1, 3))), "right if values are rounded to integers"
    rows = (("0",), ("4.6",), ("5.4",), ("6",))
    assert said([judged(answer, rows, 2)]).endswith(rounded)
    rows = (("0",), ("5.2",), ("5.4",), ("6",))
    both = "right if values are truncated to integers or values are rounded to integers"
    assert said([judged(answer, rows, 2)]).endswith(both)


def test_a_reading_that_leaves_equal_records_only_is_no_cause() -> None:
    """By hand: the right groups are {0 0} and {0.2 0.3}; if all are cut to 0, any two will do."""
    answer = Answer(groups=((0, 1), (2, 3)))
    small = (("0",), ("0.2",), ("0",), ("0.3",))
    assert said([judged(answer, small, 2)]) == ""


@pytest.mark.parametrize(
    ("decimals", "words"), [(0, "integers"), (1, "one decimal"), (2, "two decimals")]
)
def test_vectors_find_and_name_rounding_before_groups_are_formed(decimals: int, words: str) -> None:
    """An MDAV of its own, of rounded values: one failure could be an accident, two are named."""

    def rounds(records: list[list[Fraction]], k: int) -> list[list[int]]:
        rows: Rows = [tuple(round(Fraction(cell), decimals) for cell in row) for row in records]
        return [list(group) for group in partition(rows, k)]

    others = ["invalid", "kinds"]
    found = oracle.conform(rounds, "mdav", flags=["fractions"], without=others, standardise="none")
    count = len(found.failures)
    assert count >= 2
    hint = f"{count} of {count} wrong answers are right if values are rounded to {words}"
    assert hint in str(found)
    assert {cause_of(one) for one in found.failures} == {"other-data/rounded-values"}


@pytest.mark.long
def test_the_verdict_of_a_hunt_names_what_explains_all_failures() -> None:
    """An MDAV of its own, of ranks, which goes wrong in no step; and one with a wrong step."""

    def of_ranks(records: list[list[float]], k: int) -> list[list[int]]:
        orders = [sorted({*column}) for column in zip(*records, strict=True)]
        rows: Rows = [
            tuple(Fraction(order.index(x)) for order, x in zip(orders, row, strict=True))
            for row in records
        ]
        return [list(group) for group in partition(rows, k)]

    def in_file_order(records: list[list[float]], k: int) -> list[int]:
        return [min(i // k, len(records) // k - 1) for i in range(len(records))]

    asked = ["invalid", "kinds"]
    found = oracle.hunt(of_ranks, "mdav", k=2, max_questions=100, without=asked)
    hint, verdict = hunt_lines(found)[-2:]
    assert "wrong answers are right if values are replaced by their ranks" in hint
    assert verdict.startswith("wrong: other-data/ranks")
    found = oracle.hunt(in_file_order, "mdav", k=2, max_questions=40, without=asked)
    assert hunt_lines(found)[-1].startswith("wrong: run/")


def test_a_hunt_names_another_published_variant() -> None:
    """Groups of k from the greatest value down: the least values form the larger last group."""

    def from_above(records: list[list[float]], k: int) -> list[list[int]]:
        n, order = len(records), sorted(range(len(records)), key=lambda r: records[r])
        ends = [0, *range(k + n % k, n + 1, k)]
        return [order[start:end] for start, end in pairwise(ends)]

    asked = ["invalid", "several-attributes"]
    found = oracle.hunt(from_above, "individual-ranking", max_questions=100, without=asked)
    hint, verdict = hunt_lines(found)[-2:]
    says = r"passes as individual-ranking with order=descending: \d+ wrong and 30 right answers .*"
    assert re.fullmatch(says, hint)
    assert verdict.startswith("another published variant: other-variant/individual-ranking-desc")


def test_only_failures_that_the_hint_explains_have_its_name() -> None:
    """By hand: of two findings the hint explains one, both, and one of two answers of one.

    Where it explains one cause only, the step is the other explanation: the first, if there are
    wrong answers that the hint does not explain.
    """
    case = Case("a", "mdav", 2, (("0",), ("1",), ("5",), ("6",)))
    first, other = (
        Judgement(replace(case, id=name), Answer(groups=((0, 2), (1, 3))), "failed", check, "no")
        for name, check in (("a", "run"), ("b", "aggregates"))
    )
    topic = Topic("n = 2k", "small")
    findings = tuple(Finding(topic, one, one, 1, 1.0) for one in (first, other))
    hunt = Hunt(wanted("mdav"), findings, (), 2, {"failed": 2}, 1.0, answers=(first, other))
    size = "with 4 records of 1 attribute, k = 2"
    ranks = Hint("other-data/ranks", "", frozenset("a"))
    own = f"wrong: aggregates {size}"
    assert hunt_verdict(hunt, ranks) == f"wrong: run/no or other-data/ranks {size}; {own}"
    alone = replace(hunt, findings=findings[:1], answers=(first,))
    assert hunt_verdict(alone, ranks) == f"wrong: other-data/ranks or run/no {size}"
    assert hunt_verdict(hunt, None) == f"wrong: run/no {size}; {own}"
    both = replace(ranks, ids=frozenset("ab"))
    assert hunt_verdict(hunt, both) == f"wrong: other-data/ranks {size}"
    shrunk = replace(hunt, findings=(replace(findings[0], first=other),))
    assert hunt_verdict(shrunk, ranks) == f"wrong: run/no {size}"


@pytest.mark.parametrize(
    ("key", "cause"), [(str, "other-data/sorted-as-texts"), (int, "other-data/ranks")]
)
def test_ranks_within_an_algorithm(key: Callable[[int], str | int], cause: str) -> None:
    """A program that forms groups of the ranks of the numbers, or of their texts."""
    random, wrong = Random(5), []
    while len(wrong) < 3:
        rows = [(random.randrange(200), random.randrange(1000) ** 2) for _ in range(12)]
        orders = [sorted({*column}, key=key) for column in zip(*rows, strict=True)]
        ranks: Rows = [
            (Fraction(orders[0].index(a)), Fraction(orders[1].index(b))) for a, b in rows
        ]
        case = Case(f"drawn {len(wrong)}", "mdav", 3, tuple((str(a), str(b)) for a, b in rows))
        found = judge(case, Answer(groups=tuple(map(tuple, partition(ranks, 3)))))
        wrong += [found] if found.status == "failed" else []
    hint = other_reading(wrong)
    assert hint is not None
    assert hint.cause == cause


def test_exchanged_columns() -> None:
    rows = tuple((str(x), str(100 - x)) for x in (0, 1, 2, 10, 11, 12))
    released = (("99", "1"),) * 3 + (("89", "11"),) * 3
    assert "columns are exchanged" in said([judged(Answer(released=released), rows)])


@pytest.mark.parametrize("order", [(5, 4, 3, 2, 1, 0), (1, 2, 3, 4, 5, 0)])
def test_weights_of_other_records(order: tuple[int, ...]) -> None:
    """The means are weighted by hand, with the weights in another order."""
    values, weights = (0, 1, 2, 10, 11, 12), (1, 2, 3, 5, 7, 11)
    other = [weights[i] for i in order]
    means = []
    for group in ((0, 1, 2), (3, 4, 5)):
        total = sum(other[r] for r in group)
        means += [(str(Fraction(sum(other[r] * values[r] for r in group), total)),)] * 3
    records = tuple((str(v),) for v in values)
    given = tuple(map(str, weights))
    wrong = judged(Answer(released=tuple(means)), records, sampling_weights=given)
    assert "weights are those of other records" in said([wrong])


def test_the_scale_of_other_data() -> None:
    """A program that takes the standard deviations of the first three records."""
    random, wrong = Random(4), []
    while len(wrong) < 3:
        rows = [(random.randrange(100), random.randrange(1000) ** 2) for _ in range(12)]
        units = [Fraction(pstdev(column)) for column in zip(*rows[:3], strict=True)]
        scaled: Rows = [tuple(v / u for v, u in zip(row, units, strict=True)) for row in rows]
        groups = tuple(map(tuple, partition(scaled, 3)))
        case = Case(f"drawn {len(wrong)}", "mdav", 3, tuple((str(a), str(b)) for a, b in rows))
        case = Case(case.id, case.claim, 3, case.records, standardise="population")
        found = judge(case, Answer(groups=groups))
        wrong += [found] if found.status == "failed" else []
    found = other_reading(wrong)
    assert found is not None
    assert found.cause == "other-data/scale"


def test_what_is_wrong_otherwise_is_no_reading() -> None:
    rows = tuple((str(x), str(x * x % 7)) for x in (0, 1, 2, 10, 11, 12))
    wrong = judged(Answer(groups=((0, 3, 4), (1, 2, 5))), rows)
    assert said([wrong]) == ""
    assert other_reading([wrong]) is None
