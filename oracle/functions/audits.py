"""`oracle.audit`: what was done to a table, and does it hold?"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from os import PathLike
from pathlib import Path
from sys import maxsize
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from oracle.auditing.alike import OWN, RULES, Alike, alike_of, alike_of_partition
from oracle.auditing.alone import in_sets, judge_alone, sets_of
from oracle.auditing.anonymity import (
    JOINT,
    NONE,
    ON_AVERAGE,
    check_numeric_promise,
    check_promise,
    promise_of_part,
)
from oracle.auditing.by_equality import EqualityCase, equality_verdict
from oracle.auditing.cells import Cells, cells_of, cells_of_tables, check_none_missing, columns_of
from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.distance import Yardstick
from oracle.auditing.fuzzy_release import (
    centres_of_rows,
    judge_fuzzy,
    published_of,
    read_centres,
)
from oracle.auditing.missing import (
    agreement_check,
    apart_verdict,
    dropped_check,
    failed,
)
from oracle.auditing.privacy import Promise, promises_of, with_promises
from oracle.auditing.stored import stored_case
from oracle.auditing.stored_files import NotStored, Store, header_of
from oracle.auditing.tolerance import TOLERANCE
from oracle.auditing.verdict import Verdict, judge_release, judge_stored
from oracle.functions.values import Algorithm, Rational, rational, tolerance_of, weights_of
from oracle.report.made import Run, made_now
from refagg.catalogue import algorithm_of
from refagg.constraints import Constraint
from refagg.data.aggregate import operator
from refagg.data.kinds import Kind, kind_of
from refagg.data.missing import APART, AS_RELEASED, REJECT, Part
from refagg.data.standardise import usual_scale
from refagg.data.tables import MISSING_POLICIES, Table, check_missing_policy, table_of
from refagg.data.textfiles import Format
from refagg.errors import (
    InvalidParameter,
    NotANumber,
    RefaggError,
    ShapeMismatch,
    UnknownAlgorithm,
)
from refagg.language.lists import listed
from refagg.language.partition import check_k
from refagg.language.specification import Specification
from refagg.literature.distances import known_optima
from refagg.release.aggregates import MEANS, Aggregates
from refagg.release.apart import (
    check_nothing_whole,
    checked_labels,
    is_given,
    of_part,
    options_of,
    patterns_of_both,
    records_of,
)
from refagg.release.evaluation import Groups, partition_of
from refagg.release.masking import named_blocks, strata_members, without_incomplete
from refagg.release.method import Method, method_of
from refagg.release.risk import release_classes
from refagg.spaces.dissimilarities.own import Measure, Own, measure_for, one_measure
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from oracle.report.release import Release

Standardise = Literal["population", "sample", "none", "range"]
Missing = Literal[
    "reject",
    "drop",
    "group-apart",
    "as-released",
    "own-category",
    "matches-anything",
    "suppressed",
]
Anonymity = Literal["joint", "each-block", "on-average", "none"]

FUZZY = "fuzzy"
"""The algorithm whose releases have a judge of their own: centres and draws, not groups."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit: its checks, and what the release loses and discloses.

    A check (`oracle.auditing.checks.Check`) has a `name`, a `status` ("holds", "fails", "not
    judged"; "reported" for what is found out about something that is not promised), a `summary`,
    and a `witness`: lines that name the records and values that decide.
    """

    verdict: Verdict
    judged: tuple[AuditedRelease, str] | None = None
    """What was judged, and how numbers were standardised; None without an original."""
    algorithms: tuple[str, ...] = ()
    """Those that were asked for, by name."""
    alike: tuple[Alike, ...] = ()
    """Which released records are alike: over all quasi-identifiers, or in each set of them."""
    k: int = 1

    @property
    def violations(self) -> list[tuple[int, tuple[str, ...], int]]:
        """Each record with fewer than k alike: its number, the key variables, how many are."""
        found = [(r, one.names, m) for one in self.alike for r, m in one.violations(self.k)]
        return sorted(found, key=lambda violation: violation[0])

    @property
    def ok(self) -> bool:
        """Does everything hold that was judged, and was everything judged?"""
        return self.verdict.exit_status == 0

    @property
    def status(self) -> str:
        """ "holds", "fails", or "not judged" where nothing fails but something is not judged."""
        return str(self.verdict.as_data()["verdict"])

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks: of each block of attributes, then those of all attributes together."""
        blocks = (check for _, checks in self.verdict.blocks for check in checks)
        return (*blocks, *self.verdict.together)

    @property
    def facts(self) -> dict[str, Any]:
        """What is lost and disclosed: SSE, SST, information loss, risks."""
        return self.verdict.facts

    def to_json(self) -> str:
        """The audit as JSON, in the format "refagg audit 1"."""
        return json.dumps(self.verdict.as_data(), indent=2)

    def write_report(
        self,
        path: str | Path,
        title: str = "Audit",
        command: str = "oracle.audit(...)",
        run: Run | None = None,
    ) -> None:
        """Write a page for a browser into this folder. Raises MissingExtra, OutputUnwritable."""
        from oracle.report.release import write_release  # needs Jinja2 and matplotlib

        write_release(self.release(run), Path(path), title, command)

    def release(self, run: Run | None = None) -> Release:
        """What a page shows; `run` says how it was made. Raises InvalidParameter."""
        from oracle.report.release import Release

        if self.judged is None:
            raise InvalidParameter(
                "a page shows a release beside its original, in which no value is missing"
            )
        case, how = self.judged
        return Release(self.verdict, case, how, run or made_now(case.k, self.algorithms))

    def __str__(self) -> str:
        return in_lines(self.verdict.lines())

    def __repr__(self) -> str:
        found = ", ".join(f"{check.name}: {check.status}" for check in self.checks)
        return f"<Audit: {self.status} ({found})>"


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of every audit; see `audit`."""

    k: int
    algorithms: tuple[Specification, ...]
    parameters: Mapping[str, Any]
    seed: int | None
    tolerance: Fraction | None
    anonymity: str
    limit: int
    seconds: float
    of_confidential: tuple[Mapping[str, Any], Sequence[Promise], Mapping[str, Kind]]
    """Confidential columns, what is promised of them, and the order of those that have one."""


def audit(
    original: Any,
    released: Any,
    k: SupportsIndex = 3,
    *,
    algorithm: Algorithm | Sequence[Algorithm] = (),
    quasi_identifiers: Sequence[str] | None = None,
    missing: Missing = "reject",
    sets: int | Sequence[Sequence[str]] | None = None,
    standardise: Standardise | None = None,
    significant_digits: int | None = None,
    aggregate: str = "mean",
    trim: Rational | None = None,
    series: Literal["euclidean", "sts"] | None = None,
    times: Sequence[Rational] | None = None,
    parameters: Mapping[str, Any] | None = None,
    constraints: Sequence[Constraint | str] = (),
    blocks: Sequence[Sequence[str]] | None = None,
    strata: Sequence[Hashable] | None = None,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | None = None,
    similarity: Measure | None = None,
    aggregates: Mapping[str, str] | None = None,
    sampling_weights: Sequence[Any] | None = None,
    partition: Groups | None = None,
    anonymity: Anonymity = "joint",
    tolerance: Rational | None = None,
    seed: int | None = None,
    optimum: bool = False,
    certificate: str | Path | None = None,
    centres: Any = None,
    max_replays: int = 2000,
    time_limit: float = 20.0,
    all_risks: bool = False,
    confidential: Mapping[str, Sequence[Hashable]] | None = None,
    l_diversity: str | Sequence[str] = (),
    t_closeness: str | Sequence[str] = (),
) -> Audit:
    """Judge a released table against its original, as `oracle audit` does.

    Parameters
    ----------
    original, released : tables of n records, in the same order
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns.
    k : the least size of a group that is claimed
    algorithm : the one whose possible run the release should be
        A function such as `refagg.mdav`, a name, or several, each of which gets a check. None: the
        release is judged, whatever made it.
    quasi_identifiers : the attributes that are judged (all)
    missing : "drop" if records of the original that lack one of them are not in the release; strata
        and weights have a value for each record of the original all the same; "group-apart" if
        records that lack the same were masked as a separate table; "as-released" if nothing
        is said about it; or a rule for missing cells of the release, as in `audit_release`
    sets : as in `audit_release`
    standardise, significant_digits, aggregate, trim, series, times, parameters, constraints
        How the release was made, as in `refagg.microaggregate`; `parameters` are those of the
        algorithm, by name. Numbers are divided by their population standard deviation by
        default, or by their range where there are other kinds.
    blocks : attributes that were microaggregated separately, as [["a", "b"], ["c"]]
    strata : a label for each record; groups were formed within strata
    kinds, weights, aggregates
        The kinds of attributes that are not numbers, by name, as in {"job": "nominal"}; the
        weights of attributes; and how each kind is aggregated, as in {"ordinal": "median"}.
    dissimilarity : of sequences: a name, a function of two that gives 0 for equal ones, or the
        matrix of the dissimilarities of the records
    similarity : instead, a function or a matrix of values from 0 to 1, where 1 means equal
    sampling_weights : of the records, if the released values are weighted means
    partition : the groups, if they are known
        A Partition, lists of record numbers from 0, or a label for each record. Without it,
        groups are inferred from equal released rows.
    anonymity : what is promised: "joint", "each-block", "on-average" or "none"
    tolerance : the relative difference of squared distances, and of released values, that is
        granted; by default what rounding can do to these data
    seed : from which the algorithm drew
    optimum : search for the least SSE, and report how far from it the groups are
    certificate : the file of a proof of that optimum, instead
    centres : of fuzzy microaggregation, if they were published: a table, or the path of one
    max_replays, time_limit : how many runs to explore, and for how many CPU seconds, where ties
        abound, for each algorithm and block; the search for the least SSE has the same limit
    all_risks : compute all disclosure risks, however long they take
    confidential, l_diversity, t_closeness : as in `audit_release`

    Returns
    -------
    Audit : `ok`, `checks`, `facts`, `to_json()`, `write_report(folder)`

    Raises
    ------
    RefaggError: ShapeMismatch for tables of different shapes, InvalidK, KTooLarge,
    InvalidParameter for options that do not apply, and more; see `refagg.errors`.

    >>> made = audit([[1], [2], [8], [9]], [[1.5], [1.5], [8.5], [8.5]], k=2, algorithm="mdav")
    >>> made
    <Audit: holds (well formed: holds, k-anonymous: holds, aggregates: holds, run of mdav: holds)>
    """
    if sets is not None:
        rest = {name: value for name, value in locals().items() if name != "sets"}
        return _in_sets(audit(**rest), original, released, sets, rest)
    check_missing_policy(missing, APART, AS_RELEASED, *RULES)
    whole: dict[str, Any] = {"certificate": certificate, "centres": centres, "series": series}
    whole |= {"constraints": constraints}
    by_equality = partial(
        _audit_by_equality,
        k=k,
        names=quasi_identifiers,
        missing=missing,
        groups=partition,
        tolerance=tolerance,
        aggregates=(aggregate, trim),
        anonymity=anonymity,
        of_confidential=(confidential, l_diversity, t_closeness, kinds),
    )
    of_kinds: dict[str, Any] = {
        "algorithm": algorithm,
        "blocks": blocks,
        "strata": strata,
        "kinds": kinds,
    }
    of_kinds |= {"sampling_weights": sampling_weights, "optimum": optimum}
    if missing == AS_RELEASED or missing in RULES:
        check_nothing_whole(missing, **whole, **of_kinds)
        return by_equality(original, released)
    apart = {"confidential": confidential, "l_diversity": l_diversity, "t_closeness": t_closeness}
    if missing == APART:
        check_nothing_whole(APART, **whole, **apart, partition=partition)
        return _audit_apart(
            (original, released),
            k,
            quasi_identifiers,
            partial(
                audit,
                algorithm=algorithm,
                standardise=standardise,
                significant_digits=significant_digits,
                aggregate=aggregate,
                trim=trim,
                parameters=parameters,
                dissimilarity=dissimilarity,
                similarity=similarity,
                aggregates=aggregates,
                tolerance=tolerance,
                seed=seed,
                optimum=optimum,
                max_replays=max_replays,
                time_limit=time_limit,
                all_risks=all_risks,
            ),
            {"kinds": kinds, "weights": weights, "blocks": blocks and named_blocks(blocks)},
            {"strata": strata, "sampling_weights": sampling_weights},
            anonymity,
        )
    algorithms = _algorithms(algorithm)
    _check_limits(max_replays, time_limit)
    within = tolerance_of(tolerance)
    _check_seed(seed, algorithms)
    if parameters and not algorithms:
        raise InvalidParameter("parameters need an algorithm")
    promises, columns = promises_of(l_diversity, t_closeness), dict(confidential or {})
    orders, kinds = _apart(kinds, columns)
    asked = Request(
        check_k(k, maxsize),
        algorithms,
        {} if parameters is None else parameters,
        seed,
        within,
        anonymity,
        max_replays,
        time_limit,
        (columns, promises, orders),
    )
    measure = one_measure(dissimilarity, similarity)
    if kinds is None:
        other = {"weights": weights, "dissimilarity": dissimilarity, "similarity": similarity}
        other["aggregates"] = aggregates
        _check_unused(other, "to kinds", "none are declared")
    dropped: tuple[int, ...] | None = None
    if missing == "drop":
        original, dropped, (strata, sampling_weights) = without_incomplete(
            original,
            quasi_identifiers,
            kinds,
            {"strata": strata, "sampling_weights": sampling_weights},
        )
    tables = _tables(original, released, quasi_identifiers, kinds, whole | of_kinds)
    if tables is None:
        made = by_equality(original, released)
        return _told_of_dropped(made, dropped, made.alike[0].n)
    ours, theirs = tables
    how = {
        "standardise": standardise or usual_scale(ours),
        "significant_digits": significant_digits,
        "aggregate": aggregate,
        "trim": None if trim is None else rational(trim, "trim"),
        "series": series,
        "times": None if times is None else _times(times),
        "constraints": constraints,
        "weights": weights_of(weights),
        "dissimilarity": measure_for(ours, measure),
        "aggregates": aggregates,
        "sampling_weights": sampling_weights,
    }
    methods = _methods(asked, how)
    groups = None if partition is None else partition_of(partition, ours.n)
    fuzzy = [spec for spec in algorithms if spec.name == FUZZY]
    if fuzzy or centres is not None:
        unused: dict[str, Any] = {"partition": partition, "blocks": blocks, "strata": strata}
        unused |= {"optimum": optimum or None, "certificate": certificate}
        _check_unused(unused, "to groups", f"{FUZZY} forms none")
        if len(algorithms) > 1 or not fuzzy:
            raise InvalidParameter(f"{FUZZY} is audited by itself, not beside other algorithms")
        methods[0].check(ours)
        made = _audit_of_fuzzy(ours, theirs, asked, methods[0], centres, all_risks)
        return _told_of_dropped(made, dropped, ours.n)
    members = strata_members(strata, ours.n, 1)
    case = AuditedRelease(ours, theirs, asked.k, groups, members, methods[0].operators())
    yardstick = _yardstick(certificate, optimum, time_limit)
    made = _audit_of_groups(case, asked, methods, blocks, yardstick, all_risks)
    return _told_of_dropped(made, dropped, ours.n)


def _tables(
    original: Any,
    released: Any,
    names: Sequence[str] | None,
    kinds: Mapping[str, str] | None,
    needed: Mapping[str, Any],
) -> tuple[Table, Table] | None:
    """Both tables; None if they hold anything but numbers, and no option needs these.

    Raises what `table_of` raises.
    """
    try:
        ours = table_of(original, names, kinds=kinds)
        return ours, table_of(released, ours.names, kinds=kinds)
    except NotANumber:
        if any(map(is_given, needed.values())):
            raise
        return None


def _audit_apart(
    tables: tuple[Any, Any],
    k: SupportsIndex,
    names: Sequence[str] | None,
    judge: Callable[..., Audit],
    of_attributes: Mapping[str, Any],
    of_records: Mapping[str, Any],
    anonymity: str,
) -> Audit:
    """The audit of records that were masked apart; see `apart_verdict`."""
    original, released = tables
    wanted, ours, theirs = patterns_of_both(tables, names, of_attributes["kinds"])
    labels = checked_labels(of_records, sum(len(part.records) for part in ours))

    def judged(part: Part) -> Verdict:
        rows, masked = (records_of(data, wanted, part) for data in (original, released))
        own = options_of(part, of_attributes) | of_part(part, labels)
        promise = promise_of_part(anonymity, len(own.get("blocks") or ()))
        names = part.names
        return judge(rows, masked, k, quasi_identifiers=names, anonymity=promise, **own).verdict

    made = Audit(apart_verdict(ours, theirs, check_k(k, maxsize), judged))
    cells = cells_of(released, wanted, of_attributes["kinds"])
    return replace(made, alike=(alike_of(cells),), k=check_k(k, maxsize))


def _audit_by_equality(
    original: Any,
    released: Any,
    *,
    k: SupportsIndex,
    names: Sequence[str] | None,
    missing: str,
    groups: Groups | None,
    tolerance: Rational | None,
    aggregates: tuple[str, Rational | None],
    anonymity: str,
    of_confidential: tuple[Any, Any, Any, Any],
) -> Audit:
    """The audit of tables of any cells; see `oracle.auditing.by_equality`."""
    confidential, diversity, closeness, kinds = of_confidential
    columns = dict(confidential or {})
    ours, theirs = cells_of_tables([original, released], names)
    for cells in (ours, theirs) if missing in MISSING_POLICIES else ():
        check_none_missing(cells, lambda record, name: f"row {record}, column {name!r}")
    first = []
    if missing == AS_RELEASED:
        _, mine, yours = patterns_of_both((original, released), names, None)
        first = [agreement_check(AS_RELEASED, mine, yours)]
    both = [columns_of(data, ours.names) for data in (original, released)]

    def numbers(name: str, records: Sequence[int]) -> tuple[Table, Table]:
        mine, yours = (table_of({name: [own[name][r] for r in records]}) for own in both)
        return mine, yours

    trim = None if aggregates[1] is None else rational(aggregates[1], "trim")
    case = EqualityCase(
        ours,
        theirs,
        numbers,
        check_k(k, maxsize),
        missing if missing in RULES else OWN,
        None if groups is None else partition_of(groups, ours.n),
        tolerance_of(tolerance),
        Aggregates(operator(aggregates[0], trim), {**MEANS.names, "numeric": aggregates[0]}),
        anonymity,
    )
    orders, _ = _apart(kinds, columns)
    return audit_of_case(case, first, (columns, promises_of(diversity, closeness), orders))


def audit_of_case(
    case: EqualityCase,
    first: Sequence[Check],
    of_confidential: tuple[Mapping[str, Any], Sequence[Promise], Mapping[str, Kind]],
) -> Audit:
    """The audit of a release beside its original, cells compared by equality.

    It begins with the checks `first`, and ends with one of these that fails.
    Raises ShapeMismatch, InvalidK, KTooLarge, InvalidParameter.
    """
    check_promise(case.anonymity, (JOINT, NONE), "cells are compared over all quasi-identifiers")
    if case.original.n != case.released.n:
        raise ShapeMismatch(
            f"the original has {case.original.n} records, the release has {case.released.n}"
        )
    for check in first:
        if check.status == "fails":
            return Audit(failed(check, case.released.names))
    alike = alike_of(case.released, case.rule)
    verdict = equality_verdict(case, alike, first)
    for check in first:
        verdict.facts["missing"] = check.details
    verdict = with_promises(verdict, alike, *of_confidential)
    return Audit(verdict, alike=(alike,), k=case.k)


def _in_sets(
    made: Audit,
    original: Any,
    released: Any,
    sets: int | Sequence[Sequence[str]],
    given: Mapping[str, Any],
) -> Audit:
    """The audit with k-anonymity judged in sets of key variables."""
    names, kinds = given["quasi_identifiers"], given["kinds"]
    if names is None:
        names = list(columns_of(original, None))
    if kinds is not None:
        kinds = {name: kind for name, kind in kinds.items() if name in names}
    rule = given["missing"] if given["missing"] in RULES else OWN
    return audit_in_sets(
        made, cells_of(released, names, kinds), check_k(given["k"], maxsize), rule, sets
    )


def audit_in_sets(
    made: Audit,
    cells: Cells,
    k: int,
    rule: str,
    sets: int | Sequence[Sequence[str]] | None,
) -> Audit:
    """The audit with k-anonymity judged in sets of key variables, if there are any."""
    chosen = sets_of(sets, cells.names)
    if not chosen:
        return replace(made, alike=made.alike or (alike_of(cells, rule),), k=k)
    alike = tuple(alike_of(cells.select(names), rule) for names in chosen)
    return replace(made, verdict=in_sets(made.verdict, alike, k), alike=alike, k=k)


def _told_of_dropped(made: Audit, dropped: Sequence[int] | None, n: int) -> Audit:
    """The audit with a check that says which records of the original were left out."""
    if dropped is None:
        return made
    check, verdict = dropped_check(list(dropped), n + len(dropped), []), made.verdict
    verdict.blocks[0][1].insert(0, check)
    return replace(made, verdict=replace(verdict, facts=verdict.facts | {"missing": check.details}))


def _algorithms(given: Any) -> tuple[Specification, ...]:
    """Those that are named, one or several. Raises UnknownAlgorithm, InvalidParameter."""
    one = isinstance(given, (str, Specification)) or callable(given)
    expected = "give a name, a function, or a list of them"
    named = [given] if one else listed(given, "algorithm is", expected, UnknownAlgorithm)
    return tuple(map(algorithm_of, named))


def _check_limits(max_replays: Any, time_limit: Any) -> None:
    if not isinstance(max_replays, int) or max_replays < 1:
        raise InvalidParameter(f"the limit is {max_replays}; at least 1 run has to be looked at")
    if not isinstance(time_limit, (int, float)) or not time_limit > 0:
        raise InvalidParameter(f"the time limit is {time_limit}; it must be more than 0 seconds")


def _check_seed(seed: Any, algorithms: Sequence[Specification]) -> None:
    if seed is None:
        return
    if not any(spec.random for spec in algorithms):
        raise InvalidParameter(
            "a seed needs an algorithm that draws from the random stream of a seed"
        )
    if type(seed) is not int:
        raise InvalidParameter(f"the seed is {seed!r}; it must be an integer")


def _times(given: Any) -> list[Fraction]:
    expected = "give a list with the time of each point"
    return [rational(time, "a time") for time in listed(given, "times are", expected)]


def audit_release(
    released: Any,
    k: SupportsIndex = 3,
    *,
    quasi_identifiers: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    missing: Literal["own-category", "matches-anything", "suppressed", "reject"] = "own-category",
    sets: int | Sequence[Sequence[str]] | None = None,
    confidential: Mapping[str, Sequence[Hashable]] | None = None,
    l_diversity: str | Sequence[str] = (),
    t_closeness: str | Sequence[str] = (),
) -> Audit:
    """Judge a released table without its original, as `oracle audit RELEASED` does.

    Parameters
    ----------
    released : a table, as in `audit`, with cells of any type, some of which may be missing
    k : the least number of records that are released alike
    quasi_identifiers, kinds : as in `audit`; cells of columns without a kind are compared as they
        are
    missing : the rule for missing cells: "own-category" (a missing cell equals a missing cell),
        "matches-anything" (a missing cell matches every cell), "suppressed" (as own-category, and
        records of which all cells are missing or "*" are not counted), or "reject"
    sets : sets of key variables, [["a", "b"], ["a", "c"]], each of which is judged instead of all
        quasi-identifiers together; or the number of key variables of which all sets are judged
    confidential : columns that are not quasi-identifiers, by name, {"illness": [...]}; for each,
        the least number of different values among records that are alike is reported
    l_diversity : what is promised of them, one or several: "distinct:3", "entropy:5/2",
        "recursive:3:2" (l, and c, 2 if it is left out)
    t_closeness : and of their distribution: "equal:0.2", or "ordered:0.2" for numbers, and for
        categories whose order `kinds` declares

    Returns
    -------
    Audit : `ok`, `checks`, `facts`, `violations`, `to_json()`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, InvalidParameter, UnknownColumn, MissingValue for `missing`
    "reject", and for columns of a declared kind what is raised for their cells.

    >>> rows = [[1.5], [1.5], [8.5], [8.5]]
    >>> made = audit_release(rows, k=2, confidential={"illness": ["flu", "cold", "flu", "flu"]})
    >>> made.ok, made.facts["k_reached"], made.facts["l_diversity"]
    (True, 2, {'illness': 1})
    >>> audit_release({"day": ["5 May", "5 May", None]}, k=2).violations
    [(2, ('day',), 1)]
    """
    promises = promises_of(l_diversity, t_closeness)
    columns = dict(confidential or {})
    orders, kinds = _apart(kinds, columns)
    cells = cells_of(released, quasi_identifiers, kinds)
    if missing == REJECT:
        check_none_missing(cells, lambda record, name: f"row {record}, column {name!r}")
    return audit_of_cells(cells, k, missing, sets, (columns, promises, orders))


def audit_of_cells(
    cells: Cells,
    k: SupportsIndex,
    missing: str,
    sets: int | Sequence[Sequence[str]] | None,
    of_confidential: tuple[Mapping[str, Any], Sequence[Promise], Mapping[str, Kind]],
) -> Audit:
    """The audit of a release by itself; see `audit_release`."""
    columns, promises, orders = of_confidential
    least, rule = check_k(k, cells.n, "the release"), OWN if missing == REJECT else missing
    alike = alike_of(cells, rule)
    verdict = judge_alone(cells, alike, least, columns)
    verdict = with_promises(verdict, alike, columns, promises, orders)
    return audit_in_sets(Audit(verdict, alike=(alike,)), cells, least, rule, sets)


def _apart(
    kinds: Mapping[str, str] | None, confidential: Mapping[str, Any]
) -> tuple[dict[str, Kind], dict[str, str] | None]:
    """The kinds of the confidential columns, and those of the others, if any are declared."""
    if not isinstance(kinds, Mapping):
        return {}, kinds
    own = {name: kind_of(text) for name, text in kinds.items() if name in confidential}
    return own, {name: text for name, text in kinds.items() if name not in confidential}


def audit_stored(
    files: tuple[Path, Path],
    k: SupportsIndex,
    names: Callable[[Sequence[str]], list[str]],
    *,
    how: Format,
    key: str | None,
    opened: AbstractContextManager[tuple[Store, Path]],
    standardise: str,
    anonymity: str,
    tolerance: Rational | None,
    all_risks: bool,
    chosen: bool,
) -> Audit:
    """The audit of numbers in two files in a store, without an algorithm.

    `names` are the quasi-identifiers, of those in the header; were they chosen? `opened` is the
    store, and a folder for files that it reads. Raises NotStored for all that Python has to judge,
    MissingExtra, InvalidK, InvalidParameter.
    """
    least, within = check_k(k, maxsize), tolerance_of(tolerance)
    with opened as (store, folder):
        try:
            judged = names(header_of(store, files[0], how))
        except RefaggError as error:  # the rest of the file may have something worse
            raise NotStored(str(error)) from None
        case = stored_case(store, folder, files, judged, least, how, key)
        if least > case.n:
            raise NotStored("k is more than there are records")
        if case.n in {known.partition.n for known in known_optima()}:
            raise NotStored("an optimum of so many records is known")
        if not chosen and least > 1 and case.probable_key():
            raise NotStored("a column may be a key")
        return Audit(judge_stored(case, within, standardise, all_risks, anonymity))


def _audit_of_groups(
    case: AuditedRelease,
    asked: Request,
    methods: Sequence[Method],
    blocks: Sequence[Sequence[str]] | None,
    yardstick: Yardstick | None,
    all_risks: bool,
) -> Audit:
    if blocks is None and all(m.specification.attributes == "each" for m in methods):
        blocks = [[name] for name in case.original.names]
    blocks = None if blocks is None else named_blocks(blocks)
    check_numeric_promise(asked.anonymity, 1 if blocks is None else len(blocks))
    how = methods[0].standardise
    verdict = judge_release(
        case,
        methods if asked.algorithms else [],
        blocks,
        asked.tolerance,
        standardised=how,
        yardstick=yardstick,
        limit=asked.limit,
        seconds=asked.seconds,
        all_risks=all_risks,
        constraints=methods[0].constraints,
        anonymity=asked.anonymity,
        weights=methods[0].weights,
        dissimilarity=methods[0].dissimilarity,
    )
    return _audited(verdict, case, how, asked)


def _audit_of_fuzzy(
    original: Table,
    released: Table,
    asked: Request,
    method: Method,
    centres: Any,
    all_risks: bool,
) -> Audit:
    applicable = (JOINT, ON_AVERAGE, NONE)
    check_promise(asked.anonymity, applicable, f"{FUZZY} has no blocks of attributes")
    case = AuditedRelease(original, released, asked.k, None, [("", list(range(original.n)))])
    rows, last_move = None, None
    if isinstance(centres, (str, Path)):
        rows, last_move = read_centres(Path(centres), original.names)
    elif centres is not None:
        rows = centres_of_rows(centres, original.names)
    verdict = judge_fuzzy(
        case,
        method,
        TOLERANCE if asked.tolerance is None else asked.tolerance,
        published_of(case, method, rows, last_move),
        limit=asked.limit,
        all_risks=all_risks,
        anonymity=asked.anonymity,
    )
    return _audited(verdict, case, method.standardise, asked)


def _audited(verdict: Verdict, case: AuditedRelease, how: str, asked: Request) -> Audit:
    """The audit, with what is promised of confidential columns."""
    alike = alike_of_partition(case.released.names, release_classes(case.released))
    verdict = with_promises(verdict, alike, *asked.of_confidential)
    names = tuple(spec.name for spec in asked.algorithms)
    return Audit(verdict, (case, how), names, (alike,), asked.k)


def _methods(asked: Request, how: Mapping[str, Any]) -> list[Method]:
    """The methods of all algorithms named; of MDAV, for the options that need none, if none is.

    One that draws has no seed if none is given, and then cannot be replayed.
    """
    methods = []
    for spec in asked.algorithms or (algorithm_of("mdav"),):
        k = asked.k if spec.takes_k else 1
        any_seed = 0 if spec.random else None
        method = method_of(spec, k, seed=any_seed, parameters=asked.parameters, **how)
        methods.append(replace(method, seed=asked.seed) if spec.random else method)
    return methods


def _yardstick(certificate: Any, optimum: Any, seconds: float) -> Yardstick | None:
    if not isinstance(optimum, bool):
        raise InvalidParameter(f"optimum is {optimum!r}; it must be True or False")
    if certificate is None and not optimum:
        return None
    if certificate is not None and optimum:
        raise InvalidParameter("certificate and optimum both give a bound; choose one of them")
    if not isinstance(certificate, (str, PathLike, NoneType)):
        raise InvalidParameter(f"certificate is {certificate!r}; give the path of a file")
    return Yardstick(None if certificate is None else Path(certificate), seconds)


def _check_unused(given: Mapping[str, Any], to: str, why: str) -> None:
    """Raise InvalidParameter if something is given that does not apply."""
    for name, value in given.items():
        empty = isinstance(value, (Mapping, Sequence)) and not value
        if value is not None and not empty:
            raise InvalidParameter(f"{name} applies {to} only, but {why}")
