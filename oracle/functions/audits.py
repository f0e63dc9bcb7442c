"""`oracle.audit`: what was done to a table, and does it hold?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from sys import maxsize
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from oracle.auditing import by_equality
from oracle.auditing.alike import OWN, RULES, Alike, alike_of, alike_of_partition
from oracle.auditing.alone import in_sets, judge_alone, sets_of
from oracle.auditing.cases import AuditedRelease, Publish
from oracle.auditing.cells import (
    Cells,
    cells_of,
    cells_of_tables,
    check_none_missing,
    column_in,
    columns_of,
)
from oracle.auditing.checks import (
    JOINT,
    NONE,
    ON_AVERAGE,
    PROMISES,
    check_numeric_promise,
    check_promise,
    promise_of_part,
)
from oracle.auditing.distance import Yardstick
from oracle.auditing.driver import Check, not_driven
from oracle.auditing.fuzzy_release import centres_of_rows, judge_fuzzy, published_of, read_centres
from oracle.auditing.other_columns import UNSEEN, checked_may_change, column_checks_of, unexamined
from oracle.auditing.privacy import Promise, promises_of, with_promises
from oracle.auditing.rendering import granted
from oracle.auditing.verdict import Verdict, judge_release, with_checks
from oracle.functions import arguments
from oracle.report.pages import Run, made_now
from oracle.stores.case import judge_stored, stored_case, stored_checks
from oracle.stores.files import NotStored, Store, WantedColumns, header_of
from refagg.catalogue import algorithm_of
from refagg.data.aggregate import operator
from refagg.data.foreign import settled
from refagg.data.kinds import Kind, kind_of
from refagg.data.known_optima import known_optima
from refagg.data.missing import (
    APART,
    AS_RELEASED,
    DROP,
    MISSING_POLICIES,
    REJECT,
    Part,
    check_missing_policy,
    lacking_cells,
)
from refagg.data.standardise import usual_scale
from refagg.data.tables import Table, records_in, table_of
from refagg.data.textfiles import Format
from refagg.errors import (
    InvalidParameter,
    NotANumber,
    RefaggError,
    ShapeMismatch,
    UnknownAlgorithm,
    UnknownColumn,
)
from refagg.language.lists import listed
from refagg.language.partition import check_k
from refagg.language.specification import Specification
from refagg.notebook import Overview, Tabulated, bars
from refagg.options import fields, readers
from refagg.options.fields import option
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.options.readers import exact
from refagg.options.scales import table_and_measure
from refagg.release import apart
from refagg.release.aggregates import MEANS, Aggregates
from refagg.release.blocks import named_blocks, numbered_parameters, strata_members
from refagg.release.evaluation import Groups
from refagg.release.masking import without_incomplete
from refagg.release.method import OPTIONS as METHOD_OPTIONS
from refagg.release.method import Method, method_of
from refagg.release.risk import release_classes
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.keywords import AloneOptions, AuditOptions, StoredOptions
    from oracle.report.release import ReleasePage

Missing = Literal[
    "reject", "drop", "group-apart", "as-released", "own-category", "matches-anything", "suppressed"
]

Given = Mapping[str, Any]

FUZZY = "fuzzy"
"""The algorithm whose releases have a judge of their own: centres and draws, not groups."""


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Tabulated):
    """An audit: its checks, and what the release loses and discloses.

    A check (`oracle.auditing.driver.Check`) has a `name`, a `status` ("holds", "fails", "not
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
    parts: tuple[tuple[str, Audit], ...] = ()
    """Records that lack the same values, each with what they are, and the audit of them."""

    @property
    def violations(self) -> list[tuple[int, tuple[str, ...], int]]:
        """Return the records in equivalence classes of fewer than k.

        Each entry has the number of the record, the key variables, and the size of the class.
        """
        found = [(r, one.names, m) for one in self.alike for r, m in one.violations(self.k)]
        return sorted(found, key=lambda violation: violation[0])

    @property
    def ok(self) -> bool:
        """Return True if everything was judged, and holds."""
        return self.verdict.exit_status == 0

    @property
    def status(self) -> str:
        """Return "holds", "fails", or "not judged".

        "not judged": nothing fails, but something is not judged.
        """
        return str(self.verdict.as_data()["verdict"])

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return all checks.

        Those of each block of attributes come first, then those of all attributes together.
        """
        return self.verdict.checks

    @property
    def not_examined(self) -> tuple[str, ...]:
        """Return the columns that no check examined."""
        found = [check for check in self.checks if check.name == UNSEEN]
        return tuple(name for check in found for name in check.details["columns"])

    @property
    def not_applicable(self) -> dict[str, str]:
        """Return the checks for which something was not available, and what."""
        return not_driven(dict.fromkeys(self.verdict.at_hand))

    def after(self, check: Check) -> Audit:
        """Return the audit with a check of missing values added.

        That check comes before all others; its details are facts.
        """
        (names, own), *blocks = self.verdict.blocks
        facts = self.verdict.facts | {"missing": check.details}
        made = replace(self.verdict, blocks=[(names, [check, *own]), *blocks], facts=facts)
        return replace(self, verdict=made)

    def beside(self, checks: Sequence[Check]) -> Audit:
        """Return the audit with checks of what is beside the quasi-identifiers."""
        return replace(self, verdict=with_checks(self.verdict, checks)) if checks else self

    @property
    def facts(self) -> dict[str, Any]:
        """Return the loss and the risks: SSE, SST, information loss, linkage."""
        return self.verdict.facts

    def to_json(self) -> str:
        """Return the audit as JSON, in the format "refagg audit 2"."""
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

    def release(self, run: Run | None = None) -> ReleasePage:
        """Return the contents of a page; `run` says how it was made."""
        from oracle.report.release import ReleasePage

        case, how = self.judged or (None, "")
        made = run or made_now(self.k, self.algorithms)
        parts = tuple((title, part.release(run)) for title, part in self.parts)
        return ReleasePage(self.verdict, case, how, made, parts)

    def __str__(self) -> str:
        return in_lines(self.verdict.lines())

    def overview(self) -> Overview:
        """Return what notebooks show; the picture has the share of each status."""
        checks = self.checks
        found = ", ".join(f"{check.name}: {check.status}" for check in checks)
        return Overview(
            f"Audit: {self.status} ({found})",
            lambda: {
                "check": [check.name for check in checks],
                "status": [check.status for check in checks],
                "summary": [check.summary for check in checks],
            },
            bars(Counter(check.status for check in checks), "checks"),
        )


@dataclass(frozen=True)
class Auditing:
    """The claims about a release, and the effort to judge it."""

    key: str | None = option(
        "match the records of both tables by this column instead of by their order",
        metavar="COLUMN",
    )
    may_change: Sequence[str] | None = option(
        "columns that are not quasi-identifiers, and need not be as they were; all others of both "
        "tables are compared",
        metavar="A,B,...",
        value=readers.names,
    )
    partition: Groups | None = option(
        "groups, if known: a Partition, lists of record numbers from 0, or a label for each record "
        "(or a file, JSON or CSV); without them, they are inferred from equal rows",
        read=Path,
        metavar="FILE",
        applies=(fields.GROUPS, fields.WHOLE),
    )
    anonymity: str = option(
        "what the release promises: k equal records over all quasi-identifiers (joint, the "
        "default), within each block of attributes only, on average over the draws (fuzzy), or "
        "nothing (noise)",
        "joint",
        type='Literal["joint", "each-block", "on-average", "none"]',
        choices=PROMISES,
    )
    tolerance: Fraction | None = option(
        "relative difference up to which squared distances count as tied, and released "
        "values as correct (default: a bound on the rounding error for these data, 1e-9 for most)",
        type="Rational | None",
    )
    optimum: bool = option(
        "compute the distance from the optimum, or from the best bound proved within the time "
        "limit",
        False,
        applies=(fields.GROUPS,),
    )
    certificate: str | Path | None = option(
        "certificate of the optimum, if it is known",
        read=Path,
        metavar="FILE",
        applies=(fields.GROUPS, fields.WHOLE),
    )
    centres: object = option(
        "published centres of fuzzy: a table, or a file (CSV, or the report of refagg mask)",
        type="Any",
        read=Path,
        metavar="FILE",
        applies=(fields.WHOLE,),
    )
    max_replays: int = option(
        "maximum number of runs to try if there are many ties", 2000, read=int
    )
    time_limit: float = option(
        "CPU seconds for these runs, for each algorithm and block, and for the optimum "
        "(default 20)",
        20.0,
        read=float,
        metavar="S",
    )
    all_risks: bool = option("compute all disclosure risks, however long they take", False)


@dataclass(frozen=True)
class Promising:
    """The promises about confidential columns."""

    confidential: Mapping[str, Sequence[Hashable]] | Sequence[str] | None = option(
        "columns that are not quasi-identifiers, by name, or the names of those of the release; "
        "for each, the least number of different values among records that are alike is reported",
        value=readers.names,
    )
    l_diversity: str | Sequence[str] = option(
        "promise about the confidential columns: distinct:3, entropy:5/2, recursive:3:2 (l, c)",
        (),
        metavar="DEFINITION:L",
        repeated=True,
        value=list,
    )
    t_closeness: str | Sequence[str] = option(
        "promise about the confidential columns: equal:0.2, or ordered:0.2 for numbers and "
        "for columns with a kind such as ordinal:low<high",
        (),
        metavar="DISTANCE:T",
        repeated=True,
        value=list,
    )


@dataclass(frozen=True)
class InSets:
    """Sets of key variables in which k-anonymity is judged."""

    sets: int | Sequence[Sequence[str]] | None = option(
        "sets of key variables: k-anonymity is judged in each set instead of in all "
        "quasi-identifiers together; or the number of key variables of which all sets are judged",
        metavar="A,B;A,C",
    )


@dataclass(frozen=True)
class Alone:
    """The comparison of records in a release without its original."""

    missing: str = option(
        "rule for missing cells: own-category (a missing cell equals a missing cell), "
        "matches-anything (a missing cell matches every cell), suppressed (as own-category, and "
        "records of which all cells are missing or * are not counted), or reject",
        OWN,
        type='Literal["own-category", "matches-anything", "suppressed", "reject"]',
        choices=(*RULES, REJECT),
    )


ALONE = {
    **fields.only(fields.options_of(Layout), "quasi_identifiers", "kinds"),
    **fields.options_of(Alone, InSets, Promising),
}
"""The keywords of `audit_release`."""

OPTIONS = {
    **fields.options_of(Grouping, without=("algorithm", "k", "arithmetic", "ties", "trace")),
    **fields.options_of(Publishing),
    **fields.options_of(Layout, without=("confidential", "missing", "drop")),
    **fields.options_of(Auditing, InSets, Promising),
}
"""The keywords of `audit`, beside `algorithm` and `missing`."""

STORED = fields.only(OPTIONS, "standardise", "anonymity", "tolerance", "all_risks")
"""The keywords of `audit_stored`."""

BY_EQUALITY = {
    **fields.only(
        OPTIONS, "quasi_identifiers", "kinds", "aggregate", "trim", "partition", "anonymity"
    ),
    **fields.only(OPTIONS, "key", "may_change"),
    **fields.only(OPTIONS, "tolerance", "max_replays", "time_limit", "all_risks", "sets"),
    **fields.options_of(Promising),
}
"""What applies to cells that are compared by equality."""


@fields.keywords(OPTIONS)
def audit(
    original: object,
    released: object,
    k: SupportsIndex = 3,
    *,
    algorithm: arguments.Algorithm | Sequence[arguments.Algorithm] = (),
    missing: Missing = "reject",
    **options: Unpack[AuditOptions],
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
    missing : "drop" if records of the original that lack one of them are not in the release; strata
        and weights have a value for each record of the original all the same; "group-apart" if
        records that lack the same were masked as a separate table; "as-released" if nothing
        is said about it; or a rule for missing cells of the release, as in `audit_release`
    OPTIONS

    Returns
    -------
    Audit : `ok`, `checks`, `facts`, `to_json()`, `write_report(folder)`

    Raises
    ------
    RefaggError: ShapeMismatch for tables of different shapes, InvalidK, KTooLarge,
    InvalidParameter for options that do not apply, and more; see `refagg.errors`.

    >>> import oracle
    >>> rows, released = [[1], [2], [8], [9]], [[1.5], [1.5], [8.5], [8.5]]
    >>> made = oracle.audit(rows, released, k=2, algorithm="mdav")
    >>> made
    <Audit: holds (well formed: holds, k-anonymous: holds, aggregates: holds, run of mdav: holds)>
    """
    given = fields.given_options(options, OPTIONS, "audit")
    check_missing_policy(missing, APART, AS_RELEASED, *RULES)
    least, specs = check_k(k, maxsize), algorithms_of(algorithm)
    promised = _promised(given)
    whole, theirs = settled(original, given), settled(released)
    outside = arguments.names_outside(given)
    given["quasi_identifiers"] = arguments.names_judged(
        whole, theirs, given["quasi_identifiers"], outside
    )
    left_out = None
    if missing == DROP:
        whole, left_out, given = _without_gaps(whole, theirs, given)
        if left_out.status == "fails":
            made = Audit(by_equality.failed(left_out, given["quasi_identifiers"] or ()), k=least)
            return made if given["sets"] is None else _in_sets(made, theirs, missing, given)
    both = whole, arguments.ordered_by_key(whole, theirs, given["key"])
    columns = arguments.confidential_of(given["confidential"], both[1], given["kinds"])
    orders, given["kinds"] = _apart(given["kinds"], columns)
    if missing in (AS_RELEASED, *RULES):
        what = f"with missing={missing!r}"
        if specs:
            raise InvalidParameter(f"the option algorithm does not apply {what}")
        fields.refuse_others(given, OPTIONS, BY_EQUALITY, what)
        made = _audit_by_equality(both, least, missing, given)
    elif missing == APART:
        fields.refuse(given, OPTIONS, {fields.WHOLE: f"missing is {APART!r}"})
        made = _audit_apart(both, least, specs, given)
    else:
        made = _audit(both, least, specs, given)
    made = made if left_out is None else made.after(left_out)
    if promised and made.alike:
        verdict = with_promises(made.verdict, made.alike[0], columns, promised, orders)
        made = replace(made, verdict=verdict)
    names, may_change = given["quasi_identifiers"], given["may_change"] or ()
    made = made.beside(arguments.checks_beside(*both, names, may_change))
    return made if given["sets"] is None else _in_sets(made, both[1], missing, given)


def _without_gaps(
    original: object, released: object, given: Given
) -> tuple[Any, Check, dict[str, Any]]:
    """Return the complete records of the original.

    With them come the check of the incomplete ones, and the options for the complete ones. The
    check fails where a record of the release lacks a value. Raises ShapeMismatch.
    """
    whole, gone, own = without_incomplete(original, given, OPTIONS)
    _, lacks = lacking_cells(released, given["quasi_identifiers"], given["kinds"])
    incomplete = [record for record, cells in enumerate(lacks) if any(cells)]
    kept, n = records_in(whole), len(lacks)
    check = by_equality.dropped_check(gone, kept + len(gone), incomplete)
    if check.status == "holds" and kept != n:
        raise ShapeMismatch(
            f"the original has {kept} records that lack no value, as the policy drop leaves, "
            f"the release has {n}"
        )
    return whole, check, own


def _audit(
    tables: tuple[object, object], k: int, algorithms: Sequence[Specification], asked: Given
) -> Audit:
    """Return the audit of tables in which nothing is missing."""
    original, released = tables
    given = dict(asked)
    check_limits(given["max_replays"], given["time_limit"])
    given["tolerance"] = arguments.tolerance_of(given["tolerance"])
    fields.refuse(given, OPTIONS, _unmet(algorithms, given))
    try:
        ours, measure = table_and_measure(original, given, OPTIONS)
        theirs = table_of(released, ours.names, kinds=given["kinds"])
    except NotANumber as reason:
        others = (name for name in given if name not in BY_EQUALITY)
        if algorithms or given["kinds"] or any(OPTIONS[n].is_given(given[n]) for n in others):
            raise
        try:
            return _audit_by_equality(tables, k, REJECT, asked)
        except (ShapeMismatch, UnknownColumn) as wrong:
            raise type(wrong)(f"{wrong}; cells are compared, not numbers: {reason}") from None
    given["standardise"] = given["standardise"] or usual_scale(ours)
    methods = _methods(algorithms, k, given | {"dissimilarity": measure}, ours.names)
    fuzzy = any(spec.name == FUZZY for spec in algorithms) or given["centres"] is not None
    judge = _judged_fuzzy if fuzzy else _judged_groups
    case, verdict = judge(ours, theirs, k, methods, bool(algorithms), given)
    alike = alike_of_partition(case.released.names, case.classes())
    names = tuple(spec.name for spec in algorithms)
    return Audit(verdict, (case, methods[0].standardise), names, (alike,), k)


def _unmet(algorithms: Sequence[Specification], given: Mapping[str, object]) -> dict[str, str]:
    """Return the requirements of options that an audit does not meet.

    Each comes with the reason.
    """
    unmet = {}
    if not algorithms:
        unmet[fields.ALGORITHM] = "none is named"
    if not any(spec.random for spec in algorithms):
        unmet[fields.DRAWS] = "no algorithm is named that draws from the random stream of a seed"
    if given["centres"] is not None or any(spec.name == FUZZY for spec in algorithms):
        unmet[fields.GROUPS] = f"{FUZZY} forms none"
    return unmet


def _audit_apart(
    tables: tuple[object, object], k: int, algorithms: Sequence[Specification], given: Given
) -> Audit:
    """Return the audit of records that were masked apart; see `apart_verdict`."""
    kinds = given["kinds"]
    wanted, ours, theirs = apart.patterns_of_both(tables, given["quasi_identifiers"], kinds)
    named = {"parameters": apart.named_parameters(algorithms, given, wanted)}
    records = sum(len(part.records) for part in ours)
    labelled = apart.checked_labels({**given, **named}, OPTIONS, records)

    def judged(part: Part) -> Audit:
        both = apart.records_of(tables[0], wanted, part), apart.records_of(tables[1], wanted, part)
        own = apart.options_of_part(part, labelled, OPTIONS)
        own["anonymity"] = promise_of_part(given["anonymity"], len(own["blocks"] or part.names))
        return _audit(both, k, algorithms, own)

    made = judged_apart(ours, theirs, k, judged)
    return replace(made, alike=(alike_of(cells_of(tables[1], wanted, kinds)),))


def judged_apart(
    original: Sequence[Part], released: Sequence[Part], k: int, judge: Callable[[Part], Audit]
) -> Audit:
    """Return the audit of records that were masked apart.

    `judge` audits each part.
    """
    agreed = by_equality.agreement_check(APART, original, released)
    if agreed.status == "fails":
        return Audit(by_equality.failed(agreed, (*original[0].names, *original[0].lacking)), k=k)
    parts = []
    for part in original:
        bare = by_equality.bare_verdict(part, k)
        parts.append((part, judge(part) if bare is None else Audit(bare, k=k)))
    verdict = by_equality.joined_verdict(agreed, [(part, made.verdict) for part, made in parts], k)
    return Audit(verdict, k=k, parts=tuple((part.numbered, made) for part, made in parts))


def _audit_by_equality(tables: tuple[object, object], k: int, missing: str, given: Given) -> Audit:
    """Return the audit of tables of any cells; see `oracle.auditing.by_equality`."""
    names, kinds = given["quasi_identifiers"], given["kinds"]
    both = cells_of_tables(tables, names, kinds)
    for pair in zip(both, tables, strict=True) if missing in MISSING_POLICIES else ():
        check_none_missing(*pair)
    ours, theirs = both
    first = []
    if missing == AS_RELEASED:
        _, mine, yours = apart.patterns_of_both(tables, names, kinds)
        first = [by_equality.agreement_check(AS_RELEASED, mine, yours)]

    def values(name: str, records: Sequence[int]) -> tuple[Table, Table]:
        mine, yours = (column_in(data, names, name, records, kinds) for data in tables)
        return mine, yours

    trim = None if given["trim"] is None else exact(given["trim"], "trim")
    aggregate, partition = given["aggregate"], given["partition"]
    case = by_equality.EqualityCase(
        ours,
        theirs,
        values,
        k,
        missing if missing in RULES else OWN,
        None if partition is None else arguments.given_groups(partition, ours.n),
        arguments.tolerance_of(given["tolerance"]),
        Aggregates(operator(aggregate, trim), {**MEANS.names, "numeric": aggregate}),
        given["anonymity"],
    )
    check_promise(case.anonymity, (JOINT, NONE), "cells are compared over all quasi-identifiers")
    if case.original.n != case.released.n:
        raise ShapeMismatch(
            f"the original has {case.original.n} records, the release has {case.released.n}"
        )
    for check in first:
        if check.status == "fails":
            return Audit(by_equality.failed(check, case.released.names), k=case.k)
    alike = alike_of(case.released, case.rule)
    verdict = by_equality.equality_verdict(case, alike, first)
    for check in first:
        verdict.facts["missing"] = check.details
    return Audit(verdict, alike=(alike,), k=case.k)


def _in_sets(made: Audit, released: object, missing: str, given: Given) -> Audit:
    """Return the audit with k-anonymity judged in sets of key variables."""
    names, kinds = given["quasi_identifiers"] or list(columns_of(released, None)), given["kinds"]
    rule = missing if missing in RULES else OWN
    return _in_sets_of(made, cells_of(released, names, kinds), rule, given["sets"])


def _in_sets_of(
    made: Audit, cells: Cells, rule: str, sets: int | Sequence[Sequence[str]] | None
) -> Audit:
    if not (chosen := sets_of(sets, cells.names)):
        return made
    alike = tuple(alike_of(cells.select(names), rule) for names in chosen)
    return replace(made, verdict=in_sets(made.verdict, alike, made.k), alike=alike)


def algorithms_of(given: object) -> tuple[Specification, ...]:
    """Return the algorithms that are named, one or several.

    Raises UnknownAlgorithm, InvalidParameter.
    """
    one = isinstance(given, (str, Specification)) or callable(given)
    expected = "give a name, a function, or a list of them"
    named = [given] if one else listed(given, "algorithm is", expected, UnknownAlgorithm)
    return tuple(map(algorithm_of, named))


def check_limits(max_replays: object, time_limit: object) -> None:
    if not isinstance(max_replays, int) or max_replays < 1:
        raise InvalidParameter(f"the limit is {max_replays}; at least 1 run has to be looked at")
    if not isinstance(time_limit, (int, float)) or not time_limit > 0:
        raise InvalidParameter(f"the time limit is {time_limit}; it must be more than 0 seconds")


@fields.keywords(ALONE)
def audit_release(released: object, k: SupportsIndex = 3, **options: Unpack[AloneOptions]) -> Audit:
    """Judge a released table without its original, as `oracle audit RELEASED` does.

    Parameters
    ----------
    released : a table, as in `audit`, with cells of any type, some of which may be missing; those
        of columns without a kind are compared as they are
    k : the least number of records that are released alike
    OPTIONS

    Returns
    -------
    Audit : `ok`, `checks`, `facts`, `violations`, `to_json()`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, InvalidParameter, UnknownColumn, MissingValue for `missing`
    "reject", and for columns of a declared kind what is raised for their cells.

    >>> import oracle
    >>> rows, ill = [[1.5], [1.5], [8.5], [8.5]], ["flu", "cold", "flu", "flu"]
    >>> made = oracle.audit_release(rows, k=2, confidential={"illness": ill})
    >>> made.ok, made.facts["k_reached"], made.facts["l_diversity"]
    (True, 2, {'illness': 1})
    >>> oracle.audit_release({"day": ["5 May", "5 May", None]}, k=2).violations
    [(2, ('day',), 1)]
    """
    given = fields.given_options(options, ALONE, "audit_release")
    promises = _promised(given)
    released, missing = settled(released, given), given["missing"]
    columns = arguments.confidential_of(given["confidential"], released, given["kinds"])
    orders, kinds = _apart(given["kinds"], columns)
    names = arguments.names_judged(
        released, released, given["quasi_identifiers"], arguments.names_outside(given)
    )
    cells = cells_of(released, names, kinds)
    if missing == REJECT:
        check_none_missing(cells, released)
    least, rule = check_k(k, cells.n, "the release"), OWN if missing == REJECT else missing
    alike = alike_of(cells, rule)
    verdict = judge_alone(cells, alike, least, columns, orders)
    verdict = with_promises(verdict, alike, columns, promises, orders)
    made = _in_sets_of(Audit(verdict, alike=(alike,), k=least), cells, rule, given["sets"])
    left = unexamined(arguments.others_of(released, {*cells.names, *columns}))
    return made.beside(column_checks_of(left, cells.n))


def _promised(given: Mapping[str, object]) -> list[Promise]:
    """Return the promises about confidential columns. Raises InvalidParameter."""
    texts = given["l_diversity"], given["t_closeness"]
    return promises_of(*texts) if any(texts) else []


def _apart(
    kinds: Mapping[str, str] | None, confidential: Mapping[str, object]
) -> tuple[dict[str, Kind], dict[str, str] | None]:
    """Separate the kinds of the confidential columns from the others.

    The others are None if no kinds are declared.
    """
    if not isinstance(kinds, Mapping):
        return {}, kinds
    own = {name: kind_of(text) for name, text in kinds.items() if name in confidential}
    return own, {name: text for name, text in kinds.items() if name not in confidential}


def audit_stored(
    files: tuple[Path, Path],
    k: SupportsIndex,
    names: Callable[[Sequence[str], Sequence[str]], list[str]],
    *,
    how: Format,
    key: str | None,
    may_change: Sequence[str],
    opened: AbstractContextManager[tuple[Store, Path]],
    chosen: bool,
    **options: Unpack[StoredOptions],
) -> Audit:
    """Audit numbers in two files in a store, without an algorithm.

    `names` are the quasi-identifiers, of those in both headers; were they chosen? `opened` is the
    store, and a folder for files that it reads. Raises NotStored for all that Python has to judge,
    MissingExtra, InvalidK, InvalidParameter.
    """
    given = fields.given_options(options, STORED, "audit_stored")
    least, within = check_k(k, maxsize), arguments.tolerance_of(given["tolerance"])
    scale, promise = given["standardise"] or "population", given["anonymity"]
    with opened as (store, folder):
        try:
            headers = [header_of(store, path, how) for path in files]
            judged = tuple(names(*headers))
            checked_may_change(may_change, headers[0], judged)
        except RefaggError as error:  # the rest of the file may have something worse
            raise NotStored(str(error)) from None
        first, second = (
            WantedColumns(judged, tuple(name for name in header if name not in judged), key)
            for header in headers
        )
        case = stored_case(store, folder, files, (first, second), least, how, granted(within))
        if least > case.n:
            raise NotStored("k is more than there are records")
        if case.n in {known.n for known in known_optima()}:
            raise NotStored("an optimum of so many records is known")
        if not chosen and least > 1 and case.probable_key():
            raise NotStored("a column may be a key")
        others = stored_checks(store, (first, second), case.n, may_change)
        return Audit(judge_stored(case, scale, given["all_risks"], promise), k=least).beside(others)


def _judged_groups(
    original: Table, released: Table, k: int, methods: Sequence[Method], named: bool, given: Given
) -> tuple[AuditedRelease, Verdict]:
    """Return the case and the verdict on its groups.

    `named` asks for runs of the methods, too.
    """
    first, partition = methods[0], given["partition"]
    groups = None if partition is None else arguments.given_groups(partition, original.n)
    members = strata_members(given["strata"], original.n, 1)
    publish = _publishing(methods)
    about = original, released, k, groups, members, MEANS if publish else first.operators()
    case = AuditedRelease(*about, publish=publish, equal_rows=release_classes(released))
    yardstick = _yardstick(given["certificate"], given["optimum"], given["time_limit"])
    blocks = given["blocks"]
    if blocks is None and all(m.specification.attributes == "each" for m in methods):
        blocks = [[name] for name in original.names]
    blocks = None if blocks is None else named_blocks(blocks)
    check_numeric_promise(given["anonymity"], 1 if blocks is None else len(blocks))
    verdict = judge_release(
        case,
        first,
        methods if named else [],
        blocks,
        given["tolerance"],
        yardstick=yardstick,
        limit=given["max_replays"],
        seconds=given["time_limit"],
        all_risks=given["all_risks"],
        anonymity=given["anonymity"],
    )
    return case, verdict


def _judged_fuzzy(
    original: Table, released: Table, k: int, methods: Sequence[Method], named: bool, given: Given
) -> tuple[AuditedRelease, Verdict]:
    """Return the case and the verdict on the centres of fuzzy microaggregation."""
    [method] = methods if len(methods) == 1 else [None]
    if method is None or method.specification.name != FUZZY:
        raise InvalidParameter(f"{FUZZY} is audited by itself, not beside other algorithms")
    method.check(original)
    applicable = (JOINT, ON_AVERAGE, NONE)
    check_promise(given["anonymity"], applicable, f"{FUZZY} has no blocks of attributes")
    case = AuditedRelease(original, released, k, None, [("", list(range(original.n)))])
    rows, last_move, centres = None, None, given["centres"]
    if isinstance(centres, (str, Path)):
        rows, last_move = read_centres(Path(centres), original.names)
    elif centres is not None:
        rows = centres_of_rows(centres, original.names)
    verdict = judge_fuzzy(
        case,
        method,
        given["tolerance"],
        published_of(case, method, rows, last_move),
        limit=given["max_replays"],
        all_risks=given["all_risks"],
        anonymity=given["anonymity"],
    )
    return case, verdict


def _methods(
    algorithms: Sequence[Specification], k: int, given: Given, names: Sequence[str]
) -> list[Method]:
    """Return the methods of all named algorithms.

    If none is named, it is the method of MDAV, for the options that need no algorithm. One that
    draws has no seed if none is given, and then cannot be replayed.
    """
    methods = []
    named = {name: value for name, value in given.items() if name in METHOD_OPTIONS}
    for spec in algorithms or (algorithm_of("mdav"),):
        drawn = 0 if given["seed"] is None else given["seed"]
        own: dict[str, Any] = named | {"seed": drawn if spec.random else None}
        own["parameters"] = numbered_parameters(spec, given, names)
        method = method_of(spec, k if spec.takes_k else 1, **own)
        methods.append(replace(method, seed=given["seed"]) if spec.random else method)
    return methods


def _publishing(methods: Sequence[Method]) -> Publish | None:
    """Return the method that publishes other values than aggregates. Raises InvalidParameter."""
    own = [method for method in methods if method.specification.publish]
    if own and len(methods) > 1:
        name = own[0].specification.name
        raise InvalidParameter(f"{name} publishes values of its own: audit it by itself")
    return methods[0].publishing()


def _yardstick(certificate: object, optimum: object, seconds: float) -> Yardstick | None:
    if not isinstance(optimum, bool):
        raise InvalidParameter(f"optimum is {optimum!r}; it must be True or False")
    if certificate is None and not optimum:
        return None
    if certificate is not None and optimum:
        raise InvalidParameter("certificate and optimum both give a bound; choose one of them")
    if not isinstance(certificate, (str, PathLike, NoneType)):
        raise InvalidParameter(f"certificate is {certificate!r}; give the path of a file")
    return Yardstick(None if certificate is None else Path(certificate), seconds)
