"""Search for the algorithms that could have made a release.

Algorithms of a list are replayed, with settings of a list.

A setting is the parameters of the algorithm and the scale. For each there is a verdict: possible,
as some way of breaking ties gives the groups; ruled out, with the step at which the groups leave
the algorithm; or not judged. Several algorithms can give the same groups, so that what is possible
need not be what was done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from oracle.auditing.cases import AuditedRelease, JudgedGroups, judged_groups
from oracle.auditing.checks import value_check
from oracle.auditing.driver import Check
from oracle.auditing.rendering import granted
from oracle.auditing.replay import without_seed
from oracle.auditing.runs import method_check
from refagg.errors import BeyondFloats, RefaggError
from refagg.language.specification import Specification, parameter_text
from refagg.release.method import Method
from refagg.terminal import NOW, kept

POSSIBLE, RULED_OUT, NOT_JUDGED = "possible", "ruled out", "not judged"

STATUS = {"holds": POSSIBLE, "fails": RULED_OUT, "not judged": NOT_JUDGED}

LISTED: Mapping[str, tuple[str, ...]] = {"gamma": ("0.2", "0.5", "1", "1.1", "2")}
"""Values of parameters that are numbers, beside their defaults; of all others only the default."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Algorithm with a setting, and the verdict on it.

    The verdict says whether it could have made the release, and if not, why not.
    """

    algorithm: str
    parameters: Mapping[str, str]
    """Those that differ from the defaults."""
    standardise: str
    status: str
    reason: str
    witness: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        settings = [f"{name}={value}" for name, value in self.parameters.items()]
        return ", ".join([self.algorithm, *settings, f"standardise {self.standardise}"])


def settings_of(
    spec: Specification,
    given: Mapping[str, Sequence[object]] | None = None,
    names: Sequence[str] = (),
) -> Iterator[dict[str, object]]:
    """Yield the parameters with which an algorithm is tried.

    They are the defaults, then one other value each.

    `given` lists values of parameters by name; else all of a choice, and what is LISTED. A
    parameter that has to be stated is each of the attributes of these `names`.
    """
    stated = [one.name for one in spec.parameters if one.stated and len(names) > 1]
    bases: list[dict[str, object]] = [
        {one: name} for one in stated for name in (given or {}).get(one, names)
    ]
    for base in bases or [{}]:
        yield base
        for parameter in spec.parameters:
            others: Iterable[Any] = LISTED.get(parameter.name, ())
            if parameter.kind == "choice":
                others = parameter.values
            for value in (given or {}).get(parameter.name, others):
                try:
                    settings = spec.settings(spec.numbered({parameter.name: value}, names))
                except RefaggError:  # a value of another algorithm, or one that needs another value
                    continue
                if parameter.name not in base and settings != spec.settings({}):
                    yield base | {parameter.name: value}


@dataclass(frozen=True, slots=True)
class ReplayBudget:
    """Limits of runs.

    They are how many runs of each candidate are examined, and for how many seconds of the processor
    in all; what is left of these is shared.
    """

    limit: int
    end: float

    def share(self, left: int) -> float:
        return max(0.0, self.end - time.process_time()) / max(1, left)

    @property
    def over(self) -> bool:
        return time.process_time() >= self.end


Made = Callable[[Specification, Mapping[str, object], str], Method]
"""Makes the method of an algorithm, for parameters and a scale."""


def candidates(
    case: AuditedRelease,
    specifications: Sequence[Specification],
    given: Mapping[str, Sequence[object]],
    scales: Sequence[str],
    made: Made,
    tolerance: Fraction | None,
    budget: ReplayBudget,
) -> Iterator[Candidate]:
    """Yield the verdict on each algorithm with each setting."""
    asked = [
        (spec, parameters, scale)
        for spec in specifications
        for parameters in settings_of(spec, given, case.original.names)
        for scale in scales
    ]
    parts = {"any": [_part(case, case.original.names, tolerance)]}
    NOW.counts(len(asked), "candidates")
    for number, (spec, parameters, scale) in enumerate(asked):
        NOW.step(number)
        told = {name: parameter_text(value) for name, value in parameters.items()}
        if budget.over or NOW.interrupted:
            why = (
                "interrupted before it was tried"
                if NOW.interrupted
                else "the time limit was reached first"
            )
            yield Candidate(spec.name, told, scale, NOT_JUDGED, why)
            continue
        check = Check("", "not judged", "interrupted before it was decided")
        with kept():
            if "each" not in parts:
                parts["each"] = [_part(case, [name], tolerance) for name in case.original.names]
            chosen = parts["any" if spec.attributes == "any" else "each"]
            seconds = budget.share(len(asked) - number) / max(1, len(chosen))
            method = partial(made, spec, parameters, scale)
            check = _worst(chosen, method, tolerance, budget.limit, seconds)
        status = STATUS[check.status]
        witness = check.witness if status == RULED_OUT else ()
        yield Candidate(spec.name, told, scale, status, check.summary, witness)
    NOW.step(len(asked))


def _part(
    case: AuditedRelease, names: Collection[str], tolerance: Fraction | None
) -> tuple[AuditedRelease, JudgedGroups]:
    own = replace(
        case, original=case.original.select(list(names)), released=case.released.select(list(names))
    )
    return own, judged_groups(own, granted(tolerance))


def _worst(
    parts: Sequence[tuple[AuditedRelease, JudgedGroups]],
    made: Callable[[], Method],
    tolerance: Fraction | None,
    limit: int,
    seconds: float,
) -> Check:
    """Return the first part's check that does not hold, or the last."""
    found = Check("", "not judged", "there is no attribute")
    for part, groups in parts:
        try:
            method = made()
            if unseeded := without_seed(method):
                return Check("", "not judged", unseeded)
            method.check(part.original)
            found = _run(part, groups, method, tolerance, limit, seconds)
        except (BeyondFloats, OverflowError):
            return Check("", "not judged", "the values are outside the range of binary64")
        except RefaggError as reason:
            return Check("", "fails", f"the algorithm does not apply: {reason}")
        if found.status != "holds":
            break
    return found


def _run(
    part: AuditedRelease,
    groups: JudgedGroups,
    method: Method,
    tolerance: Fraction | None,
    limit: int,
    seconds: float,
) -> Check:
    """Return the check of a run.

    It includes the values that the run publishes, if these are not aggregates.
    """
    if publish := method.publishing():
        part = replace(part, publish=publish)
        groups = judged_groups(part, granted(tolerance))
        values = value_check(part, groups)
        if values.status == "fails":
            return values
    return method_check(part, groups, method, tolerance, limit, seconds, hint=False)
