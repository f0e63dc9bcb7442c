"""Verdict on a release: checks by block of attributes, and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

from oracle.auditing.audit_files import FORMAT
from oracle.auditing.cases import AuditedRelease, JudgedGroups, check_shape, judged_groups
from oracle.auditing.centres import centres_of
from oracle.auditing.checks import JOINT, losses_of, settled_by_runs
from oracle.auditing.conclusion import baseline_facts, conclusion
from oracle.auditing.distance import Yardstick
from oracle.auditing.driver import Check, driven
from oracle.auditing.rendering import Granted, granted
from refagg.data.standardise import Scaled, standardise
from refagg.release import report
from refagg.release.blocks import check_blocks
from refagg.release.edits import check_edits, within
from refagg.release.method import Method
from refagg.spaces.dissimilarities.dissimilarity import Function


@dataclass(frozen=True, slots=True)
class Verdict:
    """Audit: checks by block of attributes, and facts.

    The facts are about the release.

    With several blocks there are checks about all attributes together, too. `measures` tell a
    reader what is lost and disclosed.
    """

    blocks: list[tuple[tuple[str, ...], list[Check]]] = field(repr=False)
    facts: dict[str, Any] = field(repr=False)
    together: list[Check] = field(repr=False)
    measures: tuple[str, ...] = field(repr=False)
    titles: tuple[str, ...] = field(default=(), repr=False)
    """What stands above each block, if it is something else than its attributes."""
    at_hand: frozenset[str] = field(default=frozenset(), repr=False)
    """The facts that checks could need."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return all checks, those of each block before the joint ones."""
        return (*(check for _, own in self.blocks for check in own), *self.together)

    @property
    def holds(self) -> bool:
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """Return the exit status of all checks.

        It is 0 if all checks hold, 1 if one fails, 2 if none fails but one could not be judged.
        """
        statuses = {check.status for check in self.checks}
        return 1 if "fails" in statuses else 2 if "not judged" in statuses else 0

    @property
    def conclusion(self) -> list[str]:
        """Return what may be concluded, in sentences for a reader."""
        return conclusion(self)

    def as_data(self) -> dict[str, Any]:
        """Return the audit as data for JSON."""
        blocks: list[dict[str, Any]] = [
            {"attributes": list(names), "checks": list(map(asdict, checks))}
            for names, checks in self.blocks
        ]
        for block, title in zip(blocks, self.titles, strict=False):
            block["title"] = title
        return {
            "format": FORMAT,
            "verdict": {0: "holds", 1: "fails", 2: "not judged"}[self.exit_status],
            "blocks": blocks,
            "together": list(map(asdict, self.together)),
            "facts": self.facts,
            "conclusion": self.conclusion,
        }

    def lines(self) -> list[str]:
        lines = self.conclusion
        lines += [""] * bool(lines)
        for number, (names, checks) in enumerate(self.blocks):
            if len(self.blocks) > 1:
                lines.append(self.titles[number] if self.titles else f"block {', '.join(names)}")
            lines += check_lines(checks)
        if self.together:
            above = "all records together" if self.titles else "all blocks together"
            lines += [above] * (len(self.blocks) > 1) + check_lines(self.together)
        return [*lines, *self.measures]


def with_checks(verdict: Verdict, checks: Sequence[Check]) -> Verdict:
    """Return the verdict with further checks, about all records and attributes."""
    if len(verdict.blocks) != 1:
        return replace(verdict, together=[*verdict.together, *checks])
    [(names, own)] = verdict.blocks
    return replace(verdict, blocks=[(names, [*own, *checks])])


def check_lines(checks: Sequence[Check]) -> list[str]:
    """Return the checks with their witnesses, for a reader."""
    lines = []
    for check in checks:
        lines.append(f"[{check.status:^10}] {check.name}: {check.summary}")
        lines += [f"{'':13}{line}" for line in check.witness]
    return lines


def judge_release(
    case: AuditedRelease,
    how: Method,
    methods: Sequence[Method],
    blocks: Sequence[Sequence[str]] | None,
    tolerance: Fraction | None,
    *,
    yardstick: Yardstick | None = None,
    limit: int = 2000,
    seconds: float = inf,
    all_risks: bool = False,
    anonymity: str = JOINT,
) -> Verdict:
    """Return the verdict on a case of attributes of any kinds.

    `how` has the scale, the weights and the dissimilarity in which it is judged, and the
    constraints that it meets; `methods` are those whose possible run it should be.

    Raises ShapeMismatch, InvalidK, KTooLarge, InvalidBlocks, and what `Method.check` raises.

    Without a tolerance, what rounding can do to these data is granted
    (`oracle.auditing.rendering`).
    `limit` and `seconds` bound the runs looked at for each algorithm and block, in number and in
    time of the processor. `anonymity` is what the release promises, one of
    `oracle.auditing.checks.PROMISES`. With constraints, released should be means that were
    moved to meet them. With a yardstick, or where the optimum ships with the project,
    the last check says how far the groups are from it.
    """
    names = [case.original.names] if blocks is None else [tuple(block) for block in blocks]
    _check(case, how, methods, names)
    scaled = standardise(case.original, how.standardise, weights=how.weights)
    facts = _facts(case, scaled, names, how.dissimilarity, all_risks)
    drawn = [method for method in methods if method.specification.yields == "deviations"]
    grouped = [method for method in methods if method not in drawn]
    within = granted(tolerance)
    shared: dict[str, object] = {
        "k": case.k,
        "shape": case.shape,
        "promise": anonymity,
        "granted": within,
        "methods": grouped,
        "bounds": (tolerance, limit, seconds),
        "yardstick": yardstick,
        "dissimilarity": how.dissimilarity,
    }
    of_all = {"promise": anonymity, "deviating": (case, drawn, names), "granted": within}
    results, groupings, at_hand = [], [], set[str]()
    for block in names:
        part, groups = _part(case, scaled.select(block), how, within)
        own = shared | part | (of_all if len(names) == 1 else {})
        if drawn and not grouped:  # what is released is no aggregate
            del own["losses"]
        groupings.append((block, groups.partition))
        results.append((block, settled_by_runs(list(driven(own)))))
        at_hand |= own.keys()
    together: list[Check] = []
    if len(names) > 1:
        of_all |= {"several": case, "promise": anonymity, "granted": within}
        together = list(driven(of_all))
        at_hand |= of_all.keys()
    linked = facts["record_linkage"] is not None
    facts |= baseline_facts(scaled, groupings, linked, how.dissimilarity)
    facts |= {"anonymity": anonymity, "n": case.original.n, "k": case.k}
    measures = tuple(report.measure_lines(facts))
    return Verdict(results, facts, together, measures, at_hand=frozenset(at_hand))


def _check(
    case: AuditedRelease, how: Method, methods: Sequence[Method], blocks: Sequence[tuple[str, ...]]
) -> None:
    """Raise an error if the request of an audit is invalid.

    It says what speaks against a case, its blocks, its constraints and the methods.
    """
    check_shape(case)
    check_blocks(blocks, case.original.names)
    how.check_weights(case.original.n)
    if how.constraints:
        check_edits(how.constraints, blocks, case.original)
    for method in methods:
        for block in blocks:
            method.check(case.original.select(block))


def _part(
    case: AuditedRelease, scaled: Scaled, how: Method, allowed: Granted
) -> tuple[dict[str, object], JudgedGroups]:
    """Return the facts and groups of a block of attributes.

    The facts include those of a scaled table.
    """
    names = scaled.table.names
    original, released, part = case.original, case.released, case
    if names != original.names:
        original, released = original.select(names), released.select(names)
        part = replace(case, original=original, released=released, equal_rows=None)
    constraints = within(how.constraints, names) if how.constraints else ()
    if constraints:
        part = replace(part, centres=centres_of(constraints, scaled))
    groups = judged_groups(part, allowed)
    facts: dict[str, object] = {"case": part, "groups": groups, "classes": groups.partition}
    facts |= {"constraints": constraints} if constraints else {}
    facts["losses"] = losses_of(original.columns, released.columns)
    return facts | {"scaled": scaled}, groups


def _facts(
    case: AuditedRelease,
    scaled: Scaled,
    blocks: Sequence[Sequence[str]],
    dissimilarity: str | Function,
    all_risks: bool,
) -> dict[str, object]:
    """Return the loss and the risks."""
    classes = case.classes()
    facts = report.loss_facts(scaled, case.released, dissimilarity, blocks, case.partition)
    facts |= report.size_facts(classes.sizes())
    return facts | report.risk_facts(scaled, case.released, all_risks, dissimilarity, classes)
