"""`oracle.identify`: which algorithms could have made a release?"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from sys import maxsize
from typing import TYPE_CHECKING, Any, SupportsIndex

from oracle.auditing.candidates import (
    NOT_JUDGED,
    POSSIBLE,
    RULED_OUT,
    Candidate,
    ReplayBudget,
    candidates,
)
from oracle.auditing.cases import AuditedRelease, check_shape, judged_groups
from oracle.auditing.checks import JOINT, losses_of
from oracle.auditing.driver import Check, driven
from oracle.auditing.rendering import granted
from oracle.auditing.verdict import check_lines
from oracle.functions.arguments import Algorithm, given_groups, tolerance_of
from oracle.functions.audits import Auditing, algorithms_of, check_limits
from refagg.catalogue import CATALOGUE
from refagg.data.foreign import settled
from refagg.data.missing import APART, DROP, Part, check_missing_policy, check_same_cells
from refagg.data.standardise import SCALES, usual_scale
from refagg.data.tables import table_of
from refagg.errors import RefaggError, UnknownParameter
from refagg.language.lists import check_one_of
from refagg.language.partition import check_k
from refagg.language.specification import OF_EACH, Specification
from refagg.notebook import Overview, Tabulated, bars
from refagg.options import fields, readers
from refagg.options.fields import option
from refagg.options.layout import Layout
from refagg.release.apart import options_of_part, patterns_of_both, records_of
from refagg.release.blocks import strata_members
from refagg.release.masking import without_incomplete
from refagg.release.method import Method, method_of
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.keywords import IdentifyOptions

TRIED = ("population", "none")
"""The scales that are tried for numbers; that of samples gives the same groups as population."""


@dataclass(frozen=True, slots=True, repr=False)
class Identification(Tabulated):
    """Algorithms that could have made a release, and those that could not.

    `checks` are those of every audit: sizes of groups, and whether values are aggregates. A
    candidate (`oracle.auditing.candidates.Candidate`) has the `algorithm`, its `parameters` and
    scale (`standardise`), a `status` ("possible", "ruled out", "not judged"), a `reason` and a
    `witness`.
    """

    checks: tuple[Check, ...]
    candidates: tuple[Candidate, ...]

    @property
    def possible(self) -> tuple[Candidate, ...]:
        """Return the candidates that could have made the groups."""
        return tuple(one for one in self.candidates if one.status == POSSIBLE)

    @property
    def exit_status(self) -> int:
        """Return the exit status of the candidates.

        It is 0 if some candidate is possible, 1 if all are ruled out, 2 if some are not judged.
        """
        if self.possible:
            return 0
        return int(all(one.status == RULED_OUT for one in self.candidates)) or 2

    def as_data(self) -> dict[str, Any]:
        """Return the identification as data for JSON."""
        return {
            "format": "refagg identification 1",
            "checks": [asdict(check) for check in self.checks],
            "candidates": [asdict(candidate) for candidate in self.candidates],
        }

    def to_json(self) -> str:
        """Return the identification as JSON.

        The format is "refagg identification 1".
        """
        return json.dumps(self.as_data(), indent=2)

    def __str__(self) -> str:
        return self.text()

    def text(self, every: bool = False) -> str:
        """Return the checks and the possible candidates.

        With `every`, it also says why the others are not possible.
        """
        return in_lines([*check_lines(self.checks), *self._told(every)])

    def _told(self, every: bool) -> Iterator[str]:
        for status in (POSSIBLE, RULED_OUT, NOT_JUDGED):
            chosen = [one for one in self.candidates if one.status == status]
            yield f"{status}: {len(chosen)} of {len(self.candidates)}"
            for one in chosen if every or status == POSSIBLE else ():
                yield f"  {one}" + ("" if status == POSSIBLE else f": {one.reason}")
                yield from (f"      {line}" for line in one.witness)

    def overview(self) -> Overview:
        """Return what notebooks show."""
        tried = self.candidates
        names = ", ".join(map(str, self.possible)) or "nothing"
        return Overview(
            f"Identification: {len(self.possible)} of {len(tried)} candidates: {names}",
            lambda: {
                "candidate": list(map(str, tried)),
                "status": [one.status for one in tried],
                "reason": [one.reason for one in tried],
            },
            bars(Counter(one.status for one in tried), "candidates"),
        )


@dataclass(frozen=True)
class Identifying:
    """The candidates that are tried, and the time for them."""

    algorithm: Algorithm | Sequence[Algorithm] = option(
        "algorithms to try (default: all that form groups)",
        (),
        type="Algorithm | Sequence[Algorithm]",
        metavar="A,B,...",
        value=readers.names,
    )
    parameters: Mapping[str, Sequence[Any]] | None = option(
        "values of a parameter to try (default: all values of an enumerated parameter; 0.2, "
        "0.5, 1, 1.1 and 2 for gamma; else the default); can be repeated",
        flags=("--param",),
        metavar="NAME=V,W,...",
        repeated=True,
        value=readers.several,
    )
    standardise: str | Sequence[str] | None = option(
        "scales to try (default: population,none)", metavar="A,B", value=readers.names
    )
    seed: int | None = option(
        "seed of the random stream, for randomised algorithms; without one, they are not judged",
        read=int,
    )
    max_replays: int = option("maximum number of runs to try for each candidate", 500, read=int)
    time_limit: float = option(
        "CPU seconds for all candidates (default 60)", 60.0, read=float, metavar="S"
    )


OPTIONS = {
    **fields.only(fields.options_of(Layout), "quasi_identifiers", "kinds", "missing"),
    "strata": fields.options_of(Layout)["strata"].of(applies=(fields.GROUPS, fields.WHOLE)),
    **fields.only(fields.options_of(Auditing), "partition", "tolerance"),
    **fields.options_of(Identifying),
}
"""The keywords of `identify`."""


@fields.keywords(OPTIONS)
def identify(
    original: object, released: object, k: SupportsIndex = 3, **options: Unpack[IdentifyOptions]
) -> Identification:
    """Find the algorithms, with their parameters, that could have made a release.

    Parameters
    ----------
    original, released : tables of n records, in the same order, as in `oracle.audit`
    k : the least size of a group
    OPTIONS

    Returns
    -------
    Identification : `possible`, `candidates`, `checks`, `to_json()`

    Raises
    ------
    RefaggError: as in `oracle.audit`.

    >>> import oracle
    >>> rows = [[1], [2], [4], [9], [10], [13]]
    >>> released = [[7 / 3]] * 3 + [[32 / 3]] * 3
    >>> made = oracle.identify(rows, released, k=3, algorithm=["mdav", "v-mdav"])
    >>> sorted({one.algorithm for one in made.possible})
    ['mdav', 'v-mdav']
    """
    given = fields.given_options(options, OPTIONS, "identify")
    check_limits(given["max_replays"], given["time_limit"])
    specs, parameters = algorithms_of(given["algorithm"]), given["parameters"] or {}
    specs = specs or tuple(spec for spec in CATALOGUE.values() if spec.yields == "partition")
    _check_parameters(parameters, specs)
    check_missing_policy(given["missing"], APART)
    both = settled(original, released, given), settled(released)
    if given["missing"] == APART:
        fields.refuse(given, OPTIONS, {fields.WHOLE: f"missing is {APART!r}"})
        wanted, ours, theirs = patterns_of_both(both, given["quasi_identifiers"], given["kinds"])
        check_same_cells(ours, theirs)
        found = []
        for part in ours:
            own = options_of_part(part, given, OPTIONS)
            mine, yours = (records_of(data, wanted, part) for data in both)
            found += [(part, _identified(mine, yours, k, specs, own))] if part.names else []
        return of_all_parts(found)
    if given["missing"] == DROP:
        whole, _, given = without_incomplete(both[0], given, OPTIONS)
        both = whole, both[1]
    return _identified(*both, k, specs, given)


def _identified(
    original: object,
    released: object,
    k: SupportsIndex,
    specs: Sequence[Specification],
    given: Mapping[str, Any],
) -> Identification:
    """List the candidates for a release without missing values."""
    parameters = given["parameters"] or {}
    ours = table_of(original, given["quasi_identifiers"], kinds=given["kinds"])
    theirs = table_of(released, ours.names, kinds=given["kinds"])
    groups = None if given["partition"] is None else given_groups(given["partition"], ours.n)
    members = strata_members(given["strata"], ours.n, 1)
    case = AuditedRelease(ours, theirs, check_k(k, maxsize), groups, members)
    scales = _scales(given["standardise"], usual_scale(ours))
    within = tolerance_of(given["tolerance"])

    def made(spec: Specification, settings: Mapping[str, Any], scale: str) -> Method:
        any_seed = 0 if spec.random else None
        numbers = spec.numbered(settings, ours.names)
        method = method_of(spec, case.k, standardise=scale, seed=any_seed, parameters=numbers)
        return replace(method, seed=given["seed"]) if spec.random else method

    check_shape(case)
    read = judged_groups(case, granted(within))
    at_hand: dict[str, object] = {"k": case.k, "classes": read.partition, "shape": case.shape}
    at_hand |= {"case": case, "groups": read, "promise": JOINT}
    at_hand["losses"] = losses_of(ours.columns, theirs.columns)
    budget = ReplayBudget(given["max_replays"], time.process_time() + given["time_limit"])
    found = candidates(case, specs, parameters, scales, made, within, budget)
    return Identification(tuple(driven(at_hand)), tuple(found))


def of_all_parts(parts: Sequence[tuple[Part, Identification]]) -> Identification:
    """Return the candidates that could have made every part of a release.

    Each part is taken by itself; records count within their part.
    """
    checks = [
        replace(check, name=f"{check.name}, {part.numbered}")
        for part, made in parts
        for check in made.checks
    ]
    found: dict[str, Candidate] = {}
    for part, made in parts:
        for one in made.candidates:
            known = found.setdefault(str(one), _in_part(one, part))
            if _GRAVITY.index(one.status) > _GRAVITY.index(known.status):
                found[str(one)] = _in_part(one, part)
    return Identification(tuple(checks), tuple(found.values()))


_GRAVITY = (POSSIBLE, NOT_JUDGED, RULED_OUT)


def _in_part(one: Candidate, part: Part) -> Candidate:
    return replace(one, reason=f"{part.numbered}: {one.reason}")


def _scales(given: str | Sequence[str] | None, usual: str) -> tuple[str, ...]:
    """Return the scales that are tried. Raises InvalidParameter."""
    if given is None:
        return TRIED if usual == TRIED[0] else (usual,)
    scales = (given,) if isinstance(given, str) else tuple(given)
    for scale in scales:
        check_one_of(scale, SCALES, "standardise is")
    return scales


def _check_parameters(given: Mapping[str, Sequence[Any]], specs: Sequence[Specification]) -> None:
    """Raise UnknownParameter, or the error of a value that none takes."""
    for name, values in given.items():
        having = [one for spec in specs for one in spec.parameters if one.name == name]
        if not having:
            raise UnknownParameter(f"no algorithm that is tried has a parameter {name!r}")
        for value in values if having[0].kind not in ("attribute", *OF_EACH) else ():
            for one in having:
                with suppress(RefaggError):
                    one.read(value)
                    break
            else:
                having[0].read(value)
