"""The ladder for files whose attributes are of declared kinds: categories, sequences, mixtures.

The rungs are those for numbers: well formed, k-anonymous, aggregates, a possible run. Everything
is judged in exact arithmetic. A released number may be rounded to the decimals that it shows.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from oracle.admissible.guided import Claim, judge
from oracle.audit.anonymity import as_promised
from oracle.audit.ladder import Rung
from oracle.audit.partitions import read_partition
from oracle.audit.replay import algorithm_of, undecided, without_seed
from oracle.audit.verdict import audit_data, rung_lines, status_of
from refagg.aggregate_kinds import JOINT_AGGREGATES
from refagg.csvfiles import read_sheet, write_json
from refagg.errors import InvalidParameter
from refagg.facts import loss_json
from refagg.frame_command import frame_from, protection_from, weights_from
from refagg.frames import Frame, Value
from refagg.general import (
    Protection,
    admissible_values,
    frame_classes,
    frame_linkage,
    loss_of,
    nominal_values,
)
from refagg.measures import check_same_shape
from refagg.model import Group, Partition, check_k
from refagg.trace import as_json, number_text


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


def audit_frames(given: argparse.Namespace, tolerance: Fraction) -> int:
    """Carry out `oracle audit` with declared kinds; the exit status is that of the verdict."""
    for option in ("certificate", "optimum"):
        if getattr(given, option) is not None:
            raise InvalidParameter(f"--{option} applies to numbers only, but kinds are declared")
    names = given.algorithm or ["kshc"]
    methods = [
        protection_from(argparse.Namespace(**{**vars(given), "algorithm": name, "seed": 0}))
        for name in names
    ]
    methods = [replace(method, seed=given.seed) for method in methods]
    original = frame_from(read_sheet(given.original, given.delimiter), given)
    released = frame_from(read_sheet(given.released, given.delimiter), given)
    check_same_shape(original, released)
    check_k(given.k, original.n, "the original")
    partition = read_partition(given.partition, original.n) if given.partition else None
    case = FrameCase(original, released, given.k, partition)
    sizes = as_promised(size_rung(case), given.anonymity)
    rungs = [shape_rung(case), sizes, value_rung(case, methods[0])]
    if given.algorithm:
        rungs += [run_rung(case, method, tolerance, given.limit) for method in methods]
    facts = facts_of(case, given)
    print("\n".join([*rung_lines(rungs), *_fact_lines(facts)]))
    if given.json:
        write_json(given.json, audit_data([(original.names, rungs)], facts))
    if given.report:
        _report(given, case, rungs, facts)
    return status_of(rungs)


def _report(
    given: argparse.Namespace, case: FrameCase, rungs: list[Rung], facts: dict[str, Any]
) -> None:
    from oracle.report.release import write_groups

    blocks, inferred = [(case.original.names, rungs)], case.partition is None
    title = f"Audit of {given.released.name}"
    write_groups(blocks, facts, case.groups, inferred, case.k, given.report, title, given.line)


def facts_of(case: FrameCase, given: argparse.Namespace) -> dict[str, Any]:
    """What was lost and what is disclosed."""
    weights = weights_from(given)
    within, total = loss_of(case.original, case.groups, given.dissimilarity, weights)
    linked = frame_linkage(case.original, case.released, given.dissimilarity, weights)
    return {
        "within_dissimilarity": as_json(within),
        "whole_dissimilarity": as_json(total),
        "information_loss_percent": loss_json(within, total),
        "k_reached": frame_classes(case.released).smallest(),
        "record_linkage": float(linked),
    }


def _fact_lines(facts: dict[str, Any]) -> list[str]:
    loss = facts["information_loss_percent"]
    share = "undefined (all records are equal)" if loss is None else f"{loss['decimal']:.10g} %"
    return [
        f"dissimilarity within groups {facts['within_dissimilarity']['decimal']:.10g}, of the "
        f"whole file {facts['whole_dissimilarity']['decimal']:.10g}, information loss {share}",
        f"k reached {facts['k_reached']}; records linked by least dissimilarity: "
        f"{facts['record_linkage']:.4%}",
    ]


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


def value_rung(case: FrameCase, how: Protection) -> Rung:
    """Are the released values what the groups' values are aggregated to?

    Groups that are inferred may be several with the same values; a class of 2k records and more
    that does not fit is then not judged.
    """
    wrong: list[str] = []
    unclear: list[str] = []
    for group in case.groups.groups:
        for line in wrong_values(case, group, how):
            several = case.partition is None and len(group) >= 2 * case.k
            (unclear if several else wrong).append(line)
    names = ", ".join(f"{kind} by {name}" for kind, name in how.aggregates.items())
    if wrong:
        return Rung("aggregates", "fails", f"not the aggregates ({names})", tuple(wrong[:6]))
    if unclear:
        reason = "some classes of equal rows may be several groups; give the partition"
        return Rung("aggregates", "not judged", reason, tuple(unclear[:6]))
    return Rung("aggregates", "holds", f"the groups' aggregates ({names})")


def wrong_values(case: FrameCase, group: Group, how: Protection) -> list[str]:
    """A line for each attribute in which a group is released with a value that is none of its."""
    lines = []
    choices = admissible_values(case.original, group, how)
    for attribute, admissible in zip(case.released.attributes, choices, strict=True):
        released = {attribute.values[record] for record in group}
        for value in released:
            if not any(_fits(value, allowed) for allowed in admissible):
                shown = " ".join(map(str, group[:6])) + (" ..." if len(group) > 6 else "")
                lines.append(
                    f"{attribute.name}: records {shown} are released with {_text(value)}; "
                    f"it can be {' or '.join(map(_text, admissible[:3]))}"
                )
    return lines or invented_combinations(case, group, how)


def invented_combinations(case: FrameCase, group: Group, how: Protection) -> list[str]:
    """A line for each combination of categories that is released and that no record of it has."""
    if how.aggregates["nominal"] not in JOINT_AGGREGATES:
        return []
    there = {nominal_values(case.original, record) for record in group}
    released = {nominal_values(case.released, record) for record in group}
    return [
        f"records {' '.join(map(str, group[:6]))} are released with {_text(values)}, "
        "a combination that none of them has"
        for values in sorted(released - there, key=str)
    ]


def _fits(released: Value, aggregate: Value) -> bool:
    """Equal, or a number rounded to the decimals that it shows (at most 30)."""
    if not (isinstance(released, Fraction) and isinstance(aggregate, Fraction)):
        return released == aggregate
    for decimals in range(31):
        if 10**decimals % released.denominator == 0:
            return abs(released - aggregate) <= Fraction(1, 2 * 10**decimals)
    return released == aggregate


def _text(value: Value | tuple[Value, ...]) -> str:
    if isinstance(value, tuple):
        return "(" + " ".join(map(str, value)) + ")"
    return number_text(value) if isinstance(value, Fraction) else repr(value)


def run_rung(case: FrameCase, how: Protection, tolerance: Fraction, limit: int) -> Rung:
    """Is the release a possible run of an algorithm?"""
    spec = how.specification
    name = f"run of {spec.name}"
    if case.groups.smallest() < case.k:
        return Rung(name, "fails", f"{spec.name} forms no group of fewer than k records")
    if unseeded := without_seed(how):
        return Rung(name, "not judged", unseeded)
    claim = _claim(case, how)
    for within in dict.fromkeys((Fraction(0), tolerance)):
        space = how.space(case.original, within)
        verdict = judge(spec, algorithm_of(how, space), claim, limit)
        if verdict.verdict == "admissible":
            loosely = f" if dissimilarities that differ by {float(within):g} are tied"
            text = "a possible run in exact arithmetic" + (loosely if within else "")
            return Rung(name, "holds", text)
    witness = tuple(verdict.divergence.lines()) if verdict.divergence else ()
    if verdict.verdict == "undecided":
        return Rung(name, "not judged", undecided(limit), witness)
    return Rung(name, "fails", "no way of breaking ties gives these groups", witness)


def _claim(case: FrameCase, how: Protection) -> Claim:
    if case.partition is not None:
        return Claim.of_partition(case.partition)
    classes = case.groups
    return Claim(classes.labels(), classes.groups, lambda group: not wrong_values(case, group, how))
