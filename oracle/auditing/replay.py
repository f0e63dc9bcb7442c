"""The last check: is a release a possible run of an algorithm?

The algorithm is run again, with the choices that the release shows. One that draws is given the
random stream of its seed in every replay; without a seed nothing can be said. One that has no exact
arithmetic is replayed in binary64, where ties are what its space takes for ties.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from oracle.auditing.cases import AuditedRelease, JudgedGroups, could_be_all, could_be_released
from oracle.auditing.driver import Check
from oracle.auditing.rendering import ACCEPTED
from oracle.replay.explanations import wrong_choice
from oracle.replay.explore import Algorithm, MemoisedSpace
from oracle.replay.guided import Admissibility, ClaimedGroups, Divergence, judge_claim
from refagg.data.missing import FROM_0
from refagg.data.standardise import Scaled
from refagg.errors import BeyondFloats, with_options_named
from refagg.language.choices import Choices
from refagg.language.partition import Group, Partition
from refagg.language.specification import parameter_text
from refagg.release.method import Method
from refagg.spaces.absolute import GOWER
from refagg.spaces.exact import ExactSpace

PROBES = (Fraction(1, 10**9), Fraction(1, 10**7), Fraction(1, 10**6), Fraction(1, 10**5))
"""Tolerances tried, beyond the one asked for, to say what a release would have needed."""


REMEMBERED = 10_000
"""Records up to which the answers of a space are kept for the next run: with them go the records
that remained at each, of which there are as many as the square."""


Judged = Callable[[Fraction], Admissibility]
"""The verdict on a claim, for a tolerance."""


def run_check(
    case: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    tolerance: Fraction,
    limit: int,
    seconds: float = inf,
    floats: bool = False,
    blame: bool = True,
) -> Check:
    """Check that the release is a possible run of an algorithm.

    It is one exactly or within a tolerance.

    For each tolerance at most `limit` runs are examined. Beyond the first of each, no run is begun
    after `seconds` CPU seconds in all. `blame` asks for the choice that is wrong.
    """
    if known := _without_replay(case, groups, method):
        return known
    spec = method.specification
    name = f"run of {spec.name}"
    details: dict[str, Any] = {
        "algorithm": spec.name,
        "source": spec.source,
        "parameters": {n: parameter_text(v) for n, v in method.parameters.items()},
        "standardise": method.standardise,
        "seed": method.seed,
    }
    scaled = method.grouping(case.original)

    end = time.process_time() + seconds

    def judged(within: Fraction) -> Admissibility:
        left = max(0.0, end - time.process_time())
        return _judged(case, groups, method, scaled, within, (limit, left))

    first = judged(Fraction(0))
    details["runs"] = first.runs
    witness = tuple(first.divergence.lines()) if first.divergence else ()
    if first.verdict == "admissible":
        details |= {"tolerance_needed": 0.0, "ties_met": first.ties, "verdict": method.arithmetic}
        arithmetic = {"exact": "exact arithmetic", "float": "binary64"}[method.arithmetic]
        return Check(name, "holds", f"a possible run in {arithmetic}", (), details)
    if first.verdict == "undecided":
        return Check(name, "not judged", undecided(limit, seconds), witness, details)
    if method.arithmetic == "exact":
        unsettled = undecided(limit, seconds)
        widened = _widened(Check(name, "", "", witness, details), judged, tolerance, unsettled)
        if widened and widened.status != "fails":
            return widened
        left = max(0.0, end - time.process_time())
        if floats and (found := _float_run(case, groups, method, scaled, (limit, left))):
            return _in_floats(name, details, found)
        if widened:
            return widened
    details |= {"verdict": "not admissible"}
    if first.divergence and blame:
        left = max(0.0, end - time.process_time())
        wrong = _wrong_choice(case, groups, method, scaled, first.divergence, left)
        witness = tuple(wrong.lines()) if wrong else witness
    return Check(name, "fails", "no way of breaking ties gives these groups", witness, details)


def _float_run(
    case: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    scaled: Scaled,
    bounds: tuple[int, float],
) -> Admissibility | None:
    """Return the run in binary64 that explains the groups.

    None if there is no such run, or it cannot be made.
    """
    able = method.specification.arithmetics(method.parameters)
    if case.original.others or "float" not in able:
        return None
    binary = replace(method, arithmetic="float")
    try:
        found = _judged(case, groups, binary, scaled, Fraction(0), bounds)
    except BeyondFloats:
        return None
    return found if found.verdict == "admissible" else None


def _in_floats(name: str, details: dict[str, object], found: Admissibility) -> Check:
    """Return the check of a run with ties in binary64.

    The ties are those that rounding makes.
    """
    needed = {"tolerance_needed": float(found.slack), "ties_met": found.ties}
    summary = "a possible run in binary64, where distances that differ by rounding are tied"
    return Check(name, "holds", summary, (), details | needed | {"verdict": "numerical"})


def _without_replay(case: AuditedRelease, groups: JudgedGroups, method: Method) -> Check | None:
    """Return the check where no run is needed, else None."""
    spec = method.specification
    name = f"run of {spec.name}"
    if spec.yields != "partition":
        forms = "forms no groups" if not spec.takes_k else "aggregates no groups"
        reason = f"{spec.name} {forms}: it yields {spec.yields}, which are not replayed"
        return Check(name, "not judged", reason)
    width = len(case.original.names)
    if width > 1 and spec.attributes != "any":
        each = with_options_named("make each a block (--blocks)")
        reason = f"{spec.name} works on one attribute, not {width}: {each}"
        return Check(name, "not judged", reason)
    for label, records in case.strata:
        if len(records) < method.k:
            why = f"stratum {label!r} has fewer than {method.k} records, {spec.name} forms no group"
            return Check(name, "fails", why)
    least = spec.smallest_group(method.k, **method.parameters)
    if groups.partition.smallest() < least:
        fewer = "k" if least == case.k else str(least)
        return Check(name, "fails", f"{spec.name} forms no group of fewer than {fewer} records")
    if unseeded := without_seed(method):
        return Check(name, "not judged", unseeded)
    return None


def with_other_scale(
    check: Check,
    case: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    tolerance: Fraction,
    limit: int,
    seconds: float = inf,
) -> Check:
    """Return the check, with a hint about another scale.

    The check has the hint if it fails, but on another scale the release is a possible run.
    """
    plain = method.series is None and method.significant_digits is None and case.original.columns
    one_scale = not plain or method.dissimilarity == GOWER
    if check.details.get("verdict") != "not admissible" or one_scale:
        return check
    how = "population" if method.standardise == "none" else "none"
    scaled = replace(method, standardise=how).grouping(case.original)
    if _judged(case, groups, method, scaled, tolerance, (limit, seconds)).verdict != "admissible":
        return check
    scale = with_options_named(f"--standardise={how}")
    return replace(check, witness=(*check.witness, f"with {scale} it is a possible run"))


def told_from_rounding(check: Check, hidden: bool) -> Check:
    """Return the check, not judged where rounding hides the answer.

    This is for audits in which no tolerance is asked for.

    Are distances `hidden`, so that no groups can be called wrong?
    """
    verdict = str(check.details.get("verdict", ""))
    needed = check.details.get("tolerance_needed", 0.0)
    if check.status == "holds" and needed > ACCEPTED:
        text = f"a possible run only with a relative error of {needed:.2g} in squared distances"
        reason = f"{text}: these values are too large beside their differences to tell"
        return replace(check, status="not judged", summary=reason)
    if check.status == "fails" and verdict and hidden:
        reason = "these values are so large beside their differences that rounding hides distances"
        return replace(check, status="not judged", summary=f"{check.summary}, but {reason}")
    return check


def without_seed(method: Method) -> str:
    """Return why a method cannot be replayed; empty if it can."""
    name = method.specification.name
    if method.specification.random and method.seed is None:
        return f"{name} draws at random; a run can be replayed only with its seed"
    return ""


def undecided(limit: int, seconds: float = inf) -> str:
    """Return why no verdict was reached."""
    time = f", {seconds:g} seconds" if seconds < inf else ""
    return f"not decided within {limit} runs{time}: too many ties"


def _widened(check: Check, judged: Judged, tolerance: Fraction, unsettled: str) -> Check | None:
    """Return the check for a run within a wider tolerance.

    The release is no run in exact arithmetic. None if it is no run at all.
    """
    # A wider tolerance admits every run that a narrower one does.
    if judged(max(tolerance, *PROBES)).verdict == "not admissible":
        return None
    for probe in filter(None, dict.fromkeys((tolerance, *PROBES))):
        near = judged(probe)
        if near.verdict == "undecided" and probe == tolerance:
            return replace(check, status="not judged", summary=unsettled)
        if near.verdict != "admissible":
            continue
        needed = {"tolerance_needed": float(near.slack), "ties_met": near.ties}
        if probe == tolerance:
            summary = f"a possible run with a relative error of {float(near.slack):.2g}"
            details = check.details | needed | {"verdict": "numerical"}
            summary = f"{summary} in squared distances"
            return replace(check, status="holds", summary=summary, details=details)
        details = check.details | needed | {"verdict": "numerical, beyond the tolerance"}
        summary = (
            f"not within the tolerance {float(tolerance):g}; it would be a possible run of a "
            f"program whose squared distances have a relative error of {float(near.slack):.2g}"
        )
        return replace(check, status="fails", summary=summary, details=details)
    return None


def _judged(
    case: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    scaled: Scaled,
    tolerance: Fraction,
    bounds: tuple[int, float],
) -> Admissibility:
    """Return the worst verdict over the strata, each replayed by itself."""
    verdicts = []
    spec, (limit, seconds) = method.specification, bounds
    for within, plain, algorithm, claim, memory in _strata(case, groups, method, scaled, tolerance):
        verdicts.append(judge_claim(spec, algorithm, claim, limit, memory, seconds, plain))
        if verdicts[-1].verdict != "admissible":
            found = verdicts[-1].divergence
            return replace(verdicts[-1], divergence=found and replace(found, within=within))
    slack = max(verdict.slack for verdict in verdicts)
    runs, ties = sum(v.runs for v in verdicts), sum(v.ties for v in verdicts)
    unknown = groups.several or case.publish
    if len(verdicts) > 1 and unknown and not _fit_together(case, groups, verdicts):
        return Admissibility("undecided", slack, None, runs, ties)
    return Admissibility("admissible", slack, None, runs, ties)


def _fit_together(
    case: AuditedRelease, groups: JudgedGroups, verdicts: Sequence[Admissibility]
) -> bool:
    """Return True if all records have their groups' aggregates.

    The groups are those found in each stratum.
    """
    formed = [
        tuple(sorted(records[member] for member in group))
        for (_, records), verdict in zip(case.strata, verdicts, strict=True)
        for group in (verdict.partition.groups if verdict.partition else ())
    ]
    return could_be_all(case, groups, Partition.of(formed, case.original.n).groups)


def _strata(
    case: AuditedRelease, groups: JudgedGroups, method: Method, scaled: Scaled, tolerance: Fraction
) -> Iterator[tuple[str, Algorithm, Algorithm, ClaimedGroups, MemoisedSpace | None]]:
    """Yield each stratum's description, algorithm, claim and memoised space.

    The algorithm comes twice: in a space that does not remember, and in one that may. The claim is
    about the groups of the stratum.
    """
    for label, records in case.strata:
        within = f"stratum {label!r}{FROM_0}" if len(case.strata) > 1 else ""
        part = scaled.take(records) if within else scaled
        space = method.space(part, tolerance)
        remembers = isinstance(space, ExactSpace) and space.n <= REMEMBERED
        memory = MemoisedSpace(space) if remembers else None
        plain = replayed_algorithm(method, space)
        again = replayed_algorithm(method, memory) if memory else plain
        yield within, plain, again, _claim(case, groups, records), memory


def _wrong_choice(
    case: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    scaled: Scaled,
    farthest: Divergence,
    seconds: float,
) -> Divergence | None:
    """Return the wrong choice in the first stratum that has one.

    None if the replay says it.
    """
    for within, _, algorithm, claim, memory in _strata(case, groups, method, scaled, Fraction(0)):
        found = wrong_choice(method.specification, algorithm, claim, farthest, memory, seconds)
        if found:
            return replace(found, within=within)
    return None


def replayed_algorithm(method: Method, space: object) -> Algorithm:
    """Return the runs of a method in a space.

    Each run draws from the beginning of its random stream.
    """

    def algorithm(choices: Choices) -> Partition:
        choices.stream = method.stream()
        partition: Partition = method.run(space, choices)
        return partition

    return algorithm


def _claim(case: AuditedRelease, groups: JudgedGroups, records: Sequence[int]) -> ClaimedGroups:
    """Return the release's claim about the records of one stratum.

    They are numbered within it.
    """
    own = groups.partition
    if len(case.strata) > 1:
        labels = own.labels()
        own = Partition.from_labels([labels[record] for record in records])
    if not groups.inferred:
        return ClaimedGroups.of_partition(own)

    def of_all(members: Group) -> Group:
        return tuple(records[member] for member in members)

    def one_of_several(group: Group) -> bool:
        return could_be_released(case, groups, of_all(group))

    def all_of(formed: Sequence[Group]) -> bool:
        alone = len(case.strata) == 1 or not case.publish
        return not alone or could_be_all(case, groups, list(map(of_all, formed)))

    return ClaimedGroups(own.labels(), own.groups, one_of_several, all_of)
