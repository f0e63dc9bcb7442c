"""Were wrong groups formed on another scale than the one that was asked for, or of other values?

Many programs standardise by themselves. Then most of their groups are wrong where the records are
to be taken as they are, and the reason is one option, not an error in every step. The same is true
of programs that sort numbers as texts, truncate them, take the weights of other records or the
scale of other data, or exchange columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from statistics import pstdev

from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.judge.texts import numeral
from refagg.data.standardise import SCALES
from refagg.errors import with_options_named

QUICKLY = Strictness(explain=False, blame=False, limit=200, replay_seconds=0.5, seconds=0.5)
"""The most CPU time that a hint may take."""

FEWEST = 3
"""So many wrong answers, or more, say something about a scale; fewer are right on one by chance."""


def other_scale(judgements: Iterable[Judgement], fewest: int = FEWEST) -> str | None:
    """A sentence if most of the wrong groups are right on one other scale.

    Groups that were judged by the run, or by the optimum, are judged again as if that scale had
    been asked for.
    """
    wrong = [
        judgement
        for judgement in judgements
        if (judgement.status, judgement.check) in {("failed", "run"), ("failed", "optimal")}
        and not judgement.case.kinds
    ]
    if len(wrong) < fewest:
        return None
    right = {scale: sum(_right_on(scale, one) for one in wrong) for scale in SCALES}
    scale = max(right, key=right.__getitem__)
    if 2 * right[scale] <= len(wrong):
        return None
    ask = with_options_named(f"ask with --standardise={scale}")
    return (
        f"{right[scale]} of {len(wrong)} answers with wrong groups are right on the scale "
        f"{scale!r}: if the program chooses that scale by itself, {ask}"
    )


def _right_on(scale: str, judgement: Judgement) -> bool:
    case = judgement.case
    if case.standardise == scale:
        return False
    again = judge(replace(case, standardise=scale), judgement.answer, strict=QUICKLY)
    return again.status == "passed"


def other_reading(judgements: Iterable[Judgement], fewest: int = FEWEST) -> str | None:
    """Return a sentence if most of the wrong answers are right for one other reading of the data.

    >>> other_reading([])
    """
    wrong = [
        one
        for one in judgements
        if one.status == "failed"
        and one.check in ("run", "optimal", "aggregates")
        and not one.case.kinds
    ]
    for words, holds in READINGS.items():
        count = sum(map(holds, wrong))
        most = 2 * count > len(wrong) >= fewest
        if most or count == len(wrong) > 1:
            return f"{count} of {len(wrong)} wrong answers are right if {words}"
    return None


def _is_right(case: Case, answer: Answer) -> bool:
    return judge(case, answer, strict=QUICKLY).status == "passed"


def _of_texts(one: Judgement) -> bool:
    """Return True if each group is an interval of the texts of one attribute, not of its values."""
    groups, records = one.answer.groups or (), one.case.records
    if not groups or any(len(row) != 1 for row in records):
        return False

    def intervals(key: Callable[[str], list[Fraction]]) -> bool:
        keys = [[key(records[r][0]) for r in group] for group in groups]
        ends = sorted((min(values), max(values)) for values in keys)
        return all(one[1] <= other[0] for one, other in pairwise(ends))

    as_texts = intervals(lambda text: [Fraction(ord(sign)) for sign in text])
    return as_texts and not intervals(lambda text: [Fraction(text)])


def _of_truncated(one: Judgement) -> bool:
    """Return True if the answer is right for values without what is behind the point."""
    cut = tuple(tuple(str(int(Fraction(cell))) for cell in row) for row in one.case.records)
    whole = all(Fraction(cell).denominator == 1 for row in one.case.records for cell in row)
    return not whole and _is_right(replace(one.case, records=cut), one.answer)


def _of_other_weights(one: Judgement) -> bool:
    """Return True if the answer is right for the same weights in another order."""
    weights, records = one.case.sampling_weights, one.case.records
    orders = [weights[::-1], (*weights[1:], *weights[:1]), (*weights[-1:], *weights[:-1])]
    for j in range(len(records[0]) if len(set(weights)) > 1 else 0):
        order = sorted(range(len(records)), key=lambda r: Fraction(records[r][j]))
        places = {record: place for place, record in enumerate(order)}
        orders.append(tuple(weights[places[r]] for r in range(len(records))))
        orders.append(tuple(weights[r] for r in order))
    others = [other for other in dict.fromkeys(orders) if other != weights]
    return any(_is_right(replace(one.case, sampling_weights=w), one.answer) for w in others)


MOST_EXCHANGED = 4
"""Attributes of which all orders are tried."""


def _of_other_columns(one: Judgement) -> bool:
    """Return True if the released columns are right in another order."""
    rows, width = one.answer.released, len(one.case.records[0])
    if not rows or not 1 < width <= MOST_EXCHANGED or any(len(row) != width for row in rows):
        return False
    orders = list(permutations(range(width)))[1:]
    answers = (tuple(tuple(row[j] for j in order) for row in rows) for order in orders)
    return any(_is_right(one.case, replace(one.answer, released=a)) for a in answers)


def _of_other_scale(one: Judgement) -> bool:
    """Return True if the groups are right on the scale of a part of the data, or of ranges."""
    case, groups = one.case, one.answer.groups
    if case.standardise == "none" or not groups:
        return False
    scaled = (replace(case, records=rows, standardise="none") for rows in _rescaled(case))
    return any(_is_right(other, Answer(groups=groups)) for other in scaled)


def _rescaled(case: Case) -> Iterator[tuple[tuple[str, ...], ...]]:
    """The records on scales that are not theirs."""
    rows = [[Fraction(cell) for cell in row] for row in case.records]
    distinct = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    units = [
        [Fraction(pstdev(map(float, column))) for column in zip(*part, strict=True)]
        for part in (distinct, rows[1:], rows[:-1], rows[: case.k])
    ]
    units.append([max(column) - min(column) for column in zip(*rows, strict=True)])
    for unit in units:
        yield tuple(
            tuple(numeral(v / u if u else Fraction(0)) for v, u in zip(row, unit, strict=True))
            for row in rows
        )


READINGS: dict[str, Callable[[Judgement], bool]] = {
    "numbers are sorted as texts, '10' before '9'": _of_texts,
    "values are truncated to integers": _of_truncated,
    "sampling weights are those of other records": _of_other_weights,
    "released columns are exchanged": _of_other_columns,
    "the scale is that of other data: of some records, or of ranges": _of_other_scale,
}
"""Other readings of the data, in words: is an answer right for it?"""
