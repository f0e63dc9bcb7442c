"""The ladder for files whose attributes are of declared kinds: categories, sequences, mixtures.

The rungs are those for numbers: well formed, k-anonymous, aggregates, a possible run. Everything
is judged in exact arithmetic, and released numbers by the code that judges files of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

from oracle.auditing import ladder
from oracle.auditing.ladder import Rung
from oracle.auditing.replay import undecided, without_seed
from oracle.replay.guided import Claim, judge
from refagg.data.aggregate import operator
from refagg.data.frames import Frame, Value
from refagg.data.tables import Table
from refagg.language.partition import Group, Partition
from refagg.release.general import (
    Protection,
    admissible_combinations,
    admissible_values,
    frame_classes,
    nominal_values,
)


@dataclass(frozen=True, slots=True)
class FrameCase:
    """What is audited. `partition` is given, or None where groups are inferred."""

    original: Frame
    released: Frame
    k: int
    partition: Partition | None

    @property
    def groups(self) -> Partition:
        return self.partition or frame_classes(self.released)


def shape_rung(case: FrameCase) -> Rung:
    """Both files describe the same records: that has been checked."""
    kinds = ", ".join(f"{a.name} ({a.kind.name})" for a in case.original.attributes)
    return Rung("well formed", "holds", f"{case.original.n} records in both files; {kinds}")


def size_rung(case: FrameCase) -> Rung:
    """Has every group at least k records, and every record k-1 others released like it?"""
    groups, classes = case.groups, frame_classes(case.released)
    known = "equal released rows" if case.partition is None else "the partition given"
    worst = min((groups, classes), key=Partition.smallest)
    if worst.smallest() < case.k:
        few = min(worst.groups, key=len)
        return Rung(
            "k-anonymous",
            "fails",
            f"smallest group {len(few)}, less than k = {case.k} (groups by {known})",
            (f"records {' '.join(map(str, few))}: no others alike",),
        )
    text = f"{len(groups.groups)} groups of {groups.smallest()} to {groups.largest()} (by {known})"
    return Rung("k-anonymous", "holds", text)


def value_rung(case: FrameCase, how: Protection, tolerance: Fraction = Fraction(0)) -> Rung:
    """Are the released values what the groups' values are aggregated to?

    Groups that are inferred may be several with the same values; a class of 2k records and more
    whose categories or sequences do not fit is then not judged. Numbers that fit several groups
    fit all their records.
    """
    wrong: list[str] = []
    unclear: list[str] = []
    summaries: list[str] = []
    if numbers := numbers_of(case, how):
        rung = ladder.value_rung(*numbers, tolerance)
        wrong += rung.witness
        summaries.append(rung.summary)
    for group in case.groups.groups:
        several = case.partition is None and len(group) >= 2 * case.k
        (unclear if several else wrong).extend(wrong_values(case, group, how))
    kinds = dict.fromkeys(a.kind.name for a in case.original.attributes)
    names = ", ".join(f"{kind} by {how.aggregates[kind]}" for kind in kinds)
    if wrong:
        return Rung("aggregates", "fails", f"not the aggregates ({names})", tuple(wrong[:6]))
    if unclear:
        reason = "some classes of equal rows may be several groups; give the partition"
        return Rung("aggregates", "not judged", reason, tuple(unclear[:6]))
    summary = "; ".join([f"the groups' aggregates ({names})", *summaries])
    return Rung("aggregates", "holds", summary)


def numbers_of(case: FrameCase, how: Protection) -> tuple[ladder.Case, ladder.Groups] | None:
    """The numeric attributes with the groups of the whole, as a file of numbers is judged."""
    names = [a.name for a in case.original.attributes if a.kind.name == "numeric"]
    if not names:
        return None
    original, released = (
        Table(tuple(frame.attribute(name).numeric() for name in names))
        for frame in (case.original, case.released)
    )
    everything = [("", list(range(case.original.n)))]
    combine = operator(how.aggregates["numeric"])
    numbers = ladder.Case(original, released, case.k, case.groups, everything, combine)
    return numbers, ladder.groups_of(numbers)


def wrong_values(case: FrameCase, group: Group, how: Protection) -> list[str]:
    """A line for each category, combination or sequence of a group's that is none of its own."""
    jointly = admissible_combinations(case.original, group, how)
    choices = admissible_values(case.original, group, how)
    lines = []
    for attribute, admissible in zip(case.released.attributes, choices, strict=True):
        if attribute.kind.name == "numeric" or (attribute.kind.name == "nominal" and jointly):
            continue
        released = {attribute.values[record] for record in group}
        lines += _strangers(f"{attribute.name}: ", group, released, admissible)
    if jointly:
        combinations = {nominal_values(case.released, record) for record in group}
        there = {nominal_values(case.original, record) for record in group}
        lines += [
            line + ", and this is a combination that none of them has" * (value not in there)
            for value in sorted(combinations.difference(jointly), key=str)
            for line in _strangers("", group, {value}, jointly)
        ]
    return lines


def _strangers(
    where: str, group: Group, released: set[Any], admissible: Sequence[Any]
) -> list[str]:
    shown = " ".join(map(str, group[:6])) + (" ..." if len(group) > 6 else "")
    can_be = " or ".join(map(_text, admissible[:3]))
    return [
        f"{where}records {shown} are released with {_text(value)}; it can be {can_be}"
        for value in sorted(released.difference(admissible), key=str)
    ]


def _text(value: Value | tuple[Value, ...]) -> str:
    if isinstance(value, tuple):
        return "(" + " ".join(map(str, value)) + ")"
    return repr(value)


def run_rung(
    case: FrameCase, how: Protection, tolerance: Fraction, limit: int, seconds: float = inf
) -> Rung:
    """Is the release a possible run of an algorithm?"""
    spec = how.specification
    name = f"run of {spec.name}"
    least = spec.smallest_group(how.k, **how.parameters)
    if case.groups.smallest() < least:
        fewer = "k" if least == case.k else str(least)
        return Rung(name, "fails", f"{spec.name} forms no group of fewer than {fewer} records")
    if unseeded := without_seed(how):
        return Rung(name, "not judged", unseeded)
    claim = _claim(case, how)
    for within in dict.fromkeys((Fraction(0), tolerance)):
        space = how.space(case.original, within)
        verdict = judge(spec, partial(how.run, space), claim, limit, seconds=seconds)
        if verdict.verdict == "admissible":
            loosely = f" if dissimilarities that differ by {float(within):g} are tied"
            text = "a possible run in exact arithmetic" + (loosely if within else "")
            return Rung(name, "holds", text)
        if verdict.verdict == "undecided":
            break
    witness = tuple(verdict.divergence.lines()) if verdict.divergence else ()
    if verdict.verdict == "undecided":
        return Rung(name, "not judged", undecided(limit, seconds), witness)
    return Rung(name, "fails", "no way of breaking ties gives these groups", witness)


def _claim(case: FrameCase, how: Protection) -> Claim:
    if case.partition is not None:
        return Claim.of_partition(case.partition)
    classes, numbers = case.groups, numbers_of(case, how)

    def one_of_several(group: Group) -> bool:
        fit = numbers is None or ladder.could_be_released(*numbers, group)
        return fit and not wrong_values(case, group, how)

    return Claim(classes.labels(), classes.groups, one_of_several)
