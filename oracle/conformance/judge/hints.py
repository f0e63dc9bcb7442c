"""Hints at the cause of wrong groups.

Were they formed on another scale, by another algorithm, or of other values?

Many programs standardise by themselves. Then most of their groups are wrong where the records are
to be taken as they are, and the reason is one option, not an error in every step. The same is true
of programs of another published variant, and of those that sort numbers as texts, truncate them,
take the weights of other records or the scale of other data, or exchange columns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations
from statistics import pstdev

from oracle.auditing.candidates import settings_of
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import WRONG, Answer, Case, Judgement
from oracle.conformance.judge.severity import must_refuse
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.judge.texts import numeral
from refagg.catalogue import CATALOGUE
from refagg.data.standardise import SCALES
from refagg.errors import RefaggError, with_options_named
from refagg.language.specification import Specification, parameter_text

QUICKLY = Strictness(explain=False, blame=False, limit=200, replay_seconds=0.5, seconds=0.5)
"""The most CPU time that a hint may take for one answer."""

FEWEST = 3
"""So many wrong answers, or more, say something about a scale; fewer are right on one by chance."""

FEWEST_OF_A_VARIANT = 10
"""So many answers, right and wrong, say something about a variant: those of 2k records and more."""

SECONDS = 10.0
"""CPU time for all variants, the nearest first, and again for all readings."""

Change = Callable[[Sequence[str]], Sequence[object]]
"""What a program does to an attribute."""

Holds = Callable[[Judgement], bool | None]
"""Is an answer right for a reading? None if the reading changes nothing."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Sentence on what wrong answers are right for.

    It comes with the name of this cause, and the cases.
    """

    cause: str
    text: str
    ids: frozenset[str]


def hint_of(judgements: Sequence[Judgement], fewest: int = FEWEST) -> Hint | None:
    """Return what most or all wrong answers are right for.

    None if there is no such thing.
    """
    return other_variant(judgements) or other_reading(judgements, fewest)


def with_hint(judgements: Sequence[Judgement]) -> tuple[tuple[Judgement, ...], str]:
    """Return the judgements, with their hint and its sentence.

    Those that the hint explains have its cause.
    """
    hint = hint_of(judgements)
    if hint is None:
        return tuple(judgements), ""
    cause, ids = hint.cause, hint.ids
    return tuple(replace(j, cause=cause) if j.case.id in ids else j for j in judgements), hint.text


def _ids(judgements: Iterable[Judgement]) -> frozenset[str]:
    return frozenset(judgement.case.id for judgement in judgements)


def other_variant(judgements: Iterable[Judgement]) -> Hint | None:
    """Return a hint if all answers are those of a variant.

    Right and wrong answers are those of other parameters or of a relative.
    """
    valid = [one for one in judgements if not must_refuse(one) and not one.case.kinds]
    wrong = [one for one in valid if one.status in WRONG]
    right = [one for one in valid if (one.status, one.check) == ("passed", "run")]
    grouped = all(one.check in ("run", "k-anonymous") for one in wrong)
    grouped &= any(len({*one.case.records}) > 1 for one in wrong)  # equal records tell nothing
    large = [one for one in (*wrong, *right) if len(one.case.records) >= 2 * one.case.k]
    if not grouped or len(large) < FEWEST_OF_A_VARIANT or wrong[0].case.claim not in CATALOGUE:
        return None
    answers = [*wrong, *sorted(right, key=lambda one: len(one.case.records))]
    end = time.process_time() + SECONDS
    for spec, parameters in _variants(CATALOGUE[wrong[0].case.claim]):
        if time.process_time() < end and all(_fits(one, spec, parameters) for one in answers):
            told = " and ".join(f"{name}={value}" for name, value in parameters.items())
            counts = f"{len(wrong)} wrong and {len(right)} right answers are those of it"
            cause = "-".join([spec.name, *parameters.values()])
            text = f"passes as {spec.name}{' with ' * bool(told)}{told}: {counts}"
            return Hint(f"other-variant/{cause}", text, _ids(wrong))
    return None


def _variants(own: Specification) -> Iterator[tuple[Specification, dict[str, str]]]:
    """Yield the other parameters of an algorithm, then its relatives with theirs."""
    package = own.run.__module__.rpartition(".")[0]
    relatives = [
        spec
        for spec in CATALOGUE.values()
        if spec.run.__module__.startswith(package) and spec.yields == own.yields
        if spec.attributes == own.attributes and not spec.random and spec.name != own.name
    ]
    found = [(spec, settings) for spec in (own, *relatives) for settings in settings_of(spec)]
    for spec, settings in sorted(found, key=lambda one: (one[0] is not own, len(one[1]))):
        if settings or spec is not own:
            yield spec, {name: parameter_text(value) for name, value in settings.items()}


def _fits(one: Judgement, spec: Specification, parameters: dict[str, str]) -> bool:
    """Return True if an answer fits this variant.

    It is an answer of the variant if it is wrong, else it can be one.
    """
    given = one.case.parameters
    if given and spec.name != one.case.claim:
        return one.status == "passed"
    case = replace(one.case, claim=spec.name, parameters=parameters | dict(given))
    return _is_right(case, one)


def other_reading(judgements: Iterable[Judgement], fewest: int = FEWEST) -> Hint | None:
    """Return a hint at one other reading of the data.

    There is one if most of the wrong answers are right for that reading, and nearly all right ones
    (nine in ten: rounding may decide some).

    >>> other_reading([])
    """
    checks = ("run", "optimal", "aggregates")
    told = [one for one in judgements if one.check in checks and not one.case.kinds]
    wrong = [one for one in told if one.status == "failed"]
    passed = [one for one in told if one.status == "passed"]
    end = time.process_time() + SECONDS
    right: dict[str, frozenset[str]] = {}
    for words, (_, holds) in READINGS.items():
        ids = _ids(_right_for(holds, wrong) if time.process_time() < end else ())
        enough = 2 * len(ids) > len(wrong) >= fewest or len(ids) == len(wrong) > 1
        if enough and 10 * sum(holds(one) is False for one in passed) <= len(passed):
            right[words] = ids
    for reading, (_, change) in CHANGES.items():  # of equal records all answers are right
        rows = [one.case.records for one in wrong if one.case.id in right.get(reading, ())]
        if all(len({*change(x)}) == 1 for table in rows for x in zip(*table, strict=True)):
            right.pop(reading, None)
    if not right:
        return None
    words = max(right, key=lambda words: len(right[words]))
    own = READINGS[words][0].startswith("other-data")
    same = [w for w, ids in right.items() if w == words or (own and ids == right[words])]
    count = f"{len(right[words])} of {len(wrong)} wrong answers are right"
    cause = " or ".join(dict.fromkeys(READINGS[reading][0] for reading in same))
    return Hint(cause, with_options_named(f"{count} if {' or '.join(same)}"), right[words])


def _right_for(holds: Holds, wrong: Sequence[Judgement]) -> Iterator[Judgement]:
    """Yield answers that are right for a reading, until most cannot be."""
    missed = 0
    for one in wrong:
        if holds(one):
            yield one
        elif 2 * (missed := missed + 1) >= len(wrong):
            return


def _is_right(case: Case, one: Judgement) -> bool:
    """Return True if an answer passes for this case.

    If it is right for its own case, not judged is enough.
    """
    enough = ("passed", "not judged") if one.status == "passed" else ("passed",)
    try:
        return judge(case, one.answer, strict=QUICKLY).status in enough
    except RefaggError:  # a case that is not asked, such as series on a scale
        return False


def _of_texts(one: Judgement) -> bool | None:
    """Return True if each group is an interval of texts.

    They are the texts of one attribute and, if the answer is wrong, not its values.
    """
    groups, records = one.answer.groups or (), one.case.records
    if not groups or any(len(row) != 1 for row in records):
        return None

    def intervals(key: Callable[[str], list[Fraction]]) -> bool:
        keys = [[key(records[r][0]) for r in group] for group in groups]
        ends = sorted((min(values), max(values)) for values in keys)
        return all(one[1] <= other[0] for one, other in pairwise(ends))

    as_texts = intervals(lambda text: [Fraction(ord(sign)) for sign in text])
    return as_texts and (one.status == "passed" or not intervals(lambda text: [Fraction(text)]))


def _of_changed(change: Change, one: Judgement) -> bool | None:
    """Return True if the answer is right for changed values.

    They are changed attribute by attribute.
    """
    columns = map(change, zip(*one.case.records, strict=True))
    changed = tuple(tuple(map(str, row)) for row in zip(*columns, strict=True))
    same = changed == tuple(tuple(str(Fraction(v)) for v in row) for row in one.case.records)
    return None if same else _is_right(replace(one.case, records=changed), one)


def _truncated(column: Sequence[str]) -> list[int]:
    return [int(Fraction(text)) for text in column]


def _rounded(decimals: int, column: Sequence[str]) -> list[Fraction]:
    return [round(Fraction(text), decimals) for text in column]


def _ranks(key: Callable[[str], str | Fraction], column: Sequence[str]) -> list[int]:
    """Return the ranks of an attribute's values, or of their texts."""
    places = {value: rank for rank, value in enumerate(sorted(set(map(key, column))))}
    return [places[key(text)] for text in column]


def _of_other_weights(one: Judgement) -> bool | None:
    """Return True if the answer is right for weights reordered."""
    weights, records = one.case.sampling_weights, one.case.records
    orders = [weights[::-1], (*weights[1:], *weights[:1]), (*weights[-1:], *weights[:-1])]
    for j in range(len(records[0]) if weights else 0):
        order = sorted(range(len(records)), key=lambda r: Fraction(records[r][j]))
        places = {record: place for place, record in enumerate(order)}
        orders.append(tuple(weights[places[r]] for r in range(len(records))))
        orders.append(tuple(weights[r] for r in order))
    others = [other for other in dict.fromkeys(orders) if other != weights]
    cases = (replace(one.case, sampling_weights=other) for other in others)
    return any(_is_right(case, one) for case in cases) if others else None


MOST_EXCHANGED = 4
"""Attributes of which all orders are tried."""


def _of_other_columns(one: Judgement) -> bool | None:
    """Return True if the released columns are right in another order."""
    rows, width = one.answer.released, len(one.case.records[0])
    if not rows or not 1 < width <= MOST_EXCHANGED or any(len(row) != width for row in rows):
        return None
    orders = list(permutations(range(width)))[1:]
    answers = (tuple(tuple(row[j] for j in order) for row in rows) for order in orders)
    others = (replace(one, answer=replace(one.answer, released=a)) for a in answers)
    return any(_is_right(one.case, other) for other in others)


def _of_other_scale(one: Judgement) -> bool | None:
    """Return True if the groups are right on another scale.

    It is the scale of a part of the data.
    """
    case, groups = one.case, one.answer.groups
    if case.standardise == "none" or not groups:
        return None
    bare = replace(one, answer=Answer(groups=groups))
    return any(_is_right(other, bare) for other in _rescaled(case))


def _rescaled(case: Case) -> Iterator[Case]:
    """Yield cases of the records on scales that are not theirs."""
    rows = [[Fraction(cell) for cell in row] for row in case.records]
    distinct = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    for part in (distinct, rows[1:], rows[:-1], rows[: case.k]):
        unit = [Fraction(pstdev(map(float, column))) for column in zip(*part, strict=True)]
        scaled = (
            tuple(numeral(v / u if u else Fraction(0)) for v, u in zip(row, unit, strict=True))
            for row in rows
        )
        yield replace(case, records=tuple(scaled), standardise="none")


def _on(scale: str, one: Judgement) -> bool | None:
    """Return True if the groups are right on this scale.

    It was not asked for.
    """
    case = replace(one.case, standardise=scale)
    return None if case == one.case or one.check == "aggregates" else _is_right(case, one)


CHANGES: dict[str, tuple[str, Change]] = {
    "values are truncated to integers": ("truncated-values", _truncated),
    "values are rounded to integers": ("rounded-values", partial(_rounded, 0)),
    "values are rounded to one decimal": ("rounded-values", partial(_rounded, 1)),
    "values are rounded to two decimals": ("rounded-values", partial(_rounded, 2)),
    "values are replaced by their ranks": ("ranks", partial(_ranks, Fraction)),
}
"""What programs do to the values of an attribute, in words, with its name."""

READINGS: dict[str, tuple[str, Holds]] = {
    f"the scale is {scale!r}; where the program chooses it by itself, ask with "
    f"--standardise={scale}": (f"other-scale/{scale}", partial(_on, scale))
    for scale in SCALES
} | {
    **{t: (f"other-data/{name}", partial(_of_changed, how)) for t, (name, how) in CHANGES.items()},
    "numbers are sorted as texts, '10' before '9'": (
        "other-data/sorted-as-texts",
        lambda one: _of_texts(one) or _of_changed(partial(_ranks, str), one),
    ),
    "sampling weights are those of other records": ("other-data/weights", _of_other_weights),
    "released columns are exchanged": ("other-data/exchanged-columns", _of_other_columns),
    "the scale is that of some of the records": ("other-data/scale", _of_other_scale),
}
"""Other readings of the questions in words, with their names: is an answer right for it?"""
