"""`oracle.conform`, `oracle.hunt` and `oracle.vectors`: is an implementation right?

An implementation is a program, which reads a JSON object a line and answers with one
(docs/conformance.md), or a function of Python. A function is called with the records, lists of
floats, and k, and by name with the parameters of a case and `standardise`, `seed` and `kinds`
where the case has them. It returns labels, groups of record numbers from 0, or a Partition.
Programs may read a CSV file and write one instead (`csv`), functions take a data frame (`frames`).
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from oracle.conformance import summary
from oracle.conformance.judge.hints import with_hint
from oracle.conformance.judge.model import WRONG, Judgement
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.junit import junit_text, of_vectors
from oracle.conformance.known import NOTHING, KnownFailures, known_in
from oracle.conformance.not_taken import without_of
from oracle.conformance.running import Asking
from oracle.conformance.running import run_cases as ask
from oracle.conformance.taking import ANYTHING, SILENT, Gap, Taken, asked_and_gaps, taken_from
from oracle.conformance.transport.csvfiles import NAMES, CsvProgram, Template
from oracle.conformance.transport.functions import Estimator, Function, of_estimator, of_rows
from oracle.conformance.transport.programs import Program
from oracle.conformance.vectors import Vector, claims, vectors_in, vectors_of
from oracle.conformance.vectors.files import unknown_vector
from oracle.conformance.vectors.flags import FLAGS
from oracle.conformance.vectors.rescaled import vectors_on
from oracle.functions.arguments import Algorithm, tolerance_of
from oracle.functions.implementation_options import CONFORM, HUNT
from oracle.report.pages import Run, made_now
from refagg.catalogue import CATALOGUE, VARIANTS, algorithm_of
from refagg.errors import InvalidParameter, NotUnivariate, UnknownAlgorithm
from refagg.language.lists import check_one_of, listed
from refagg.language.specification import parameter_text
from refagg.notebook import Overview, Tabulated, bars
from refagg.options.fields import given_options, keywords
from refagg.terminal import in_lines

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.conformance.hunting.hunt import Hunt
    from oracle.conformance.hunting.strategies import Wanted
    from oracle.keywords import ConformOptions, HuntOptions

Implementation = Callable[..., object] | Estimator | str | Sequence[str]
"""A function, an estimator of scikit-learn, or a command: its words, or one text."""

AnyAdapter = Program | CsvProgram | Function


@dataclass(frozen=True, slots=True, repr=False)
class Conformance(Tabulated):
    """The judgements of an implementation's answers, and what it was not asked.

    A judgement has a `status` ("passed", "failed", "errored", "not judged", ...), the `check` that
    decided, a `reason`, a `witness`, the `case` and the `answer`.
    """

    vectors: tuple[Vector, ...]
    judgements: tuple[Judgement, ...]
    gaps: tuple[Gap, ...]
    known: KnownFailures = NOTHING
    """What is known to fail, as a file of known failures says."""
    hint: str = ""
    """What most of the wrong answers are right for, if there is such a thing."""

    @property
    def not_covered(self) -> tuple[str, ...]:
        """Return lines about what was not asked, and why.

        `gaps` has the ids.
        """
        return tuple(gap.line() for gap in self.gaps)

    @property
    def ok(self) -> bool:
        """Return True if answers passed and only known failures remain.

        A failure is an answer that is wrong or missing.
        """
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """Return the exit status of all judgements.

        It is 0 if `ok`, 1 if an answer is wrong or missing, 2 if none could be judged.
        """
        return summary.exit_status(self.judgements, self.known)

    @property
    def verdict(self) -> str:
        """Return the verdict in one sentence."""
        return summary.verdict_text(self.judgements, self.known)

    @property
    def failures(self) -> tuple[Judgement, ...]:
        """Return the judgements on wrong or missing answers.

        Known failures are left out.
        """
        wrong = (j for j in self.judgements if j.status in WRONG)
        return tuple(j for j in wrong if self.known.of(j) is None)

    @property
    def known_failures(self) -> tuple[str, ...]:
        """Return lines about the known failures.

        They say which still fail, and which no longer do.
        """
        told = [(j.case.id, self.known.of(j)) for j in self.judgements]
        still = [f"known failure: {name} ({reason})" for name, reason in told if reason is not None]
        gone = [
            f"known failure that no longer fails: {name} ({reason}); remove it from the list"
            for name, reason in self.known.stale(self.judgements)
        ]
        return (*still, *gone)

    def to_junit(self, suite: str = "oracle conform") -> bytes:
        """Return the judgements as JUnit XML, a test for each vector."""
        tests = list(of_vectors(self.judgements, self.gaps, suite, self.known))
        return junit_text(suite, self.vectors[0].case.claim if self.vectors else suite, tests)

    def as_data(self, command: str) -> dict[str, Any]:
        """Return the judgements as data for JSON; `command` asks again."""
        flags = {v.id: v.flags for v in self.vectors}
        return summary.judgements_data(self.judgements, command, flags, self.gaps, self.known)

    def to_json(self) -> str:
        """Return the judgements as JSON, in the format "refagg conformance 2"."""
        return json.dumps(self.as_data("oracle.conform(...)"), indent=2)

    def write_report(
        self,
        path: str | Path,
        title: str = "Conformance",
        command: str = "oracle.conform(...)",
        run: Run | None = None,
    ) -> None:
        """Write a page for a browser into this folder. Raises MissingExtra, OutputUnwritable."""
        from oracle.report.conformance import write_report

        flags = {v.id: v.flags for v in self.vectors}
        reasons = {v.id: v.reason + (f" (step {v.step})" if v.step else "") for v in self.vectors}
        if run is None:
            ks = sorted({j.case.k for j in self.judgements})
            run = made_now(ks, sorted({j.case.claim for j in self.judgements}))
        told = (flags, reasons, self.gaps, self.known, run)
        write_report(self.judgements, Path(path), title, command, *told)

    def __str__(self) -> str:
        lines = [*summary.summary_lines(self.judgements), *self.known_failures, *self.not_covered]
        lines += [self.hint] if self.hint else []
        tally = summary.tally_lines(self.failures)
        return in_lines([*lines, *(["", *tally, ""] if tally else []), self.verdict])

    def overview(self) -> Overview:
        """Return what notebooks show."""
        answers = self.judgements
        counts = Counter(judgement.status for judgement in answers)
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        return Overview(
            f"Conformance: {told or 'nothing asked'}",
            lambda: {
                "case": [one.case.id for one in answers],
                "status": [one.status for one in answers],
                "check": [one.check for one in answers],
                "reason": [one.reason for one in answers],
            },
            bars(counts, "answers"),
        )


@keywords(CONFORM)
def conform(
    implementation: Implementation, algorithm: Algorithm, **options: Unpack[ConformOptions]
) -> Conformance:
    """Ask an implementation the vectors of an algorithm, and judge its answers.

    Parameters
    ----------
    implementation : a function, an estimator or a pipeline of scikit-learn with a parameter k, or a
        command (a list of words, or one string)
    algorithm : what it claims to be: a function such as `refagg.mdav`, a name, "optimal" or
        "any k-partition"
    OPTIONS

    Returns
    -------
    Conformance : `ok`, `judgements`, `failures`, `not_covered`, `to_json()`, `write_report(folder)`

    Raises
    ------
    RefaggError: UnknownAlgorithm, InvalidParameter, FileUnreadable.

    >>> import oracle
    >>> def blocks(rows, k):
    ...     return [min(i // k, len(rows) // k - 1) for i in range(len(rows))]
    >>> oracle.conform(blocks, "mdav", flags=["order"]).ok
    False
    """
    given = given_options(options, CONFORM, "conform")
    for name in ("cases", "flags", "without"):
        expected = "give a list of texts, also where there is one"
        listed(() if given[name] is None else given[name], f"{name} are", expected)
    claim, cases, flags = claim_of(algorithm), given["cases"], given["flags"]
    scale = given["standardise"]
    fixed = _settings(given)
    every, unscaled = _asked(claim, scale, fixed, given["vectors"], cases)
    without = without_of(given["precision"], given["without"])
    _check_flags(flags)
    named = [v for v in _chosen(every, cases) if not flags or {*flags} & {*v.flags}]
    strict = Strictness(precision=given["precision"])
    if given["tolerance"] is not None:
        strict = replace(strict, tolerance=tolerance_of(given["tolerance"]))
    asking = Asking(check_seconds(given["answer_timeout"]), strict, given["nondeterministic"])
    known = _known(given)
    with closing(adapter_to(implementation, claim, given)) as adapter:
        usual = None if given["vectors"] else scale or "none"
        taken = taken_by(adapter, claim, given["answer_timeout"], usual, fixed)
        asked, gaps = asked_and_gaps(named, taken, without)
        if unscaled and not cases and not flags:
            gaps += _gaps_of(unscaled)
        order = {vector.id: number for number, vector in enumerate(asked)}
        answers = sorted(ask(adapter, asked, asking), key=lambda j: order[j.case.id])
        judgements, hint = with_hint(answers)
        return Conformance(tuple(asked), summary.with_causes(judgements), tuple(gaps), known, hint)


def _settings(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that are given, as texts."""
    return {n: parameter_text(v) for n, v in (given["parameters"] or {}).items()}


def _known(given: Mapping[str, Any]) -> KnownFailures:
    """Return the failures that are known. Raises FileUnreadable, InvalidParameter."""
    path = given["known_failures"]
    return known_in(Path(path)) if path else NOTHING


def _gaps_of(vectors: Sequence[Vector]) -> Iterator[Gap]:
    """Yield why vectors are not asked with other options.

    The options are another scale or other parameters.
    """
    own_scale = "kinds or series, which have a scale of their own"
    scaled = {True: own_scale, False: "tables that the parameters do not fit"}
    options = {True: "--standardise", False: "--param"}
    for own, what in scaled.items():
        if ids := tuple(v.id for v in vectors if own is bool(v.case.kinds or v.case.series)):
            yield Gap(what, f"they are asked without {options[own]}", ids)


def taken_by(
    adapter: AnyAdapter, claim: str, seconds: float, scale: str | None, fixed: Collection[str] = ()
) -> Taken:
    """Return what the implementation says that it takes. Raises InvalidParameter.

    A command that does not receive the scale has this one, or that of every case if it is None.
    Parameters that are `fixed` need not be passed.
    """
    if isinstance(adapter, CsvProgram):
        return _carried(adapter.template, scale, fixed)
    said = adapter.described(claim, seconds)
    if said is None:
        return SILENT if isinstance(adapter, Program) else ANYTHING
    taken = taken_from(said)
    if taken.parameters is None:
        return taken
    return replace(taken, parameters=(*taken.parameters, *fixed))


def _carried(template: Template, scale: str | None, fixed: Collection[str]) -> Taken:
    """Return what the placeholders of a command can tell a program."""
    names = template.names() | {*fixed}
    return Taken(
        scales=None if scale is None or "standardise" in names else (scale,),
        kinds=("numeric",),
        parameters=tuple(sorted(names - {*NAMES})),
        seeds="seed" in names,
        shapes=(),
        why="no placeholder of the command tells this",
    )


@keywords(HUNT)
def hunt(
    implementation: Implementation, algorithm: Algorithm, **options: Unpack[HuntOptions]
) -> Hunt:
    """Search for the smallest input on which an implementation is wrong.

    Needs Hypothesis.

    Parameters
    ----------
    implementation, algorithm : as in `conform`; known failures are named by their causes
    OPTIONS

    Returns
    -------
    Hunt : `ok`, `findings`, `causes`, `covered`, `tries`, `exit_status`

    Raises
    ------
    RefaggError: UnknownAlgorithm, UnknownParameter, InvalidParameter, NotUnivariate, MissingExtra.
    """
    given = given_options(options, HUNT, "hunt")
    seconds = check_seconds(given["time_limit"], "the time limit")
    claim = claim_of(algorithm)
    asked = _wanted(claim, given)
    from oracle.conformance.hunting.hunt import run_hunt
    from oracle.conformance.hunting.strategies import narrowed

    timeout, known = check_seconds(given["answer_timeout"]), _known(given)
    adapter = adapter_to(implementation, claim, given)
    with _nothing_kept(), closing(adapter):
        taken = taken_by(adapter, claim, timeout, given["standardise"], asked.parameters)
        if isinstance(adapter, CsvProgram):
            _check_told(asked, taken)
        return run_hunt(
            adapter,
            asked if taken is SILENT else narrowed(asked, taken),
            budget=seconds,
            tries=given["max_questions"],
            seed=given["seed"],
            every=given["all_failures"],
            may_vary=True if given["nondeterministic"] else None,
            timeout=timeout,
            known=known,
        )


def vectors(algorithm: Algorithm | None = None, flag: str | None = None) -> list[Vector]:
    """Return cases with their correct answers.

    They are all cases, those of an algorithm, or those with a flag. `algorithm` is a function such
    as `refagg.mdav`, a name, "any k-partition" or "optimal"; `flag` a name of
    `oracle.conformance.vectors.flags.FLAGS`. A vector has an `id`, a `case` (records, k,
    parameters), an `expectation` and the `reason` for which it is there. Raises UnknownAlgorithm,
    InvalidParameter.

    >>> import oracle
    >>> oracle.vectors("mdav")[0].case.records
    (('1', '2'), ('9', '1'), ('3', '14'))
    """
    _check_flags([] if flag is None else [flag])
    names = claims() if algorithm is None else (claim_of(algorithm),)
    every = [vector for name in names for vector in vectors_of(name)]
    return [v for v in every if flag is None or flag in v.flags]


def _check_flags(flags: Collection[str]) -> None:
    for flag in flags:
        check_one_of(flag, FLAGS, "flag is")


def claim_of(algorithm: Algorithm) -> str:
    """Return the claim of an implementation, by its name. Raises UnknownAlgorithm.

    Programs are asked by the names of the catalogue, so that every name has its vectors.
    """
    if not isinstance(algorithm, str):
        return algorithm_of(algorithm).name
    if algorithm in VARIANTS:
        own = VARIANTS[algorithm].name
        raise UnknownAlgorithm(
            f"{algorithm} is another program's name; ask for {own} (`refagg algorithms {own}`)"
        )
    return algorithm


def adapter_to(implementation: Implementation, claim: str, given: Mapping[str, Any]) -> AnyAdapter:
    """Return the way to ask an implementation. Raises InvalidParameter, MissingExtra."""
    once, csv, frames = given["restart_per_case"], given["csv"], given["frames"]
    if isinstance(implementation, Estimator) and not isinstance(implementation, type):
        implementation = of_estimator(implementation)
    fixed = (*(given.get("parameters") or ()), *(["standardise"] if given["standardise"] else []))
    if callable(implementation):
        if once or csv:
            option = "--restart-per-case" if once else "--csv"
            raise InvalidParameter(f"{option} applies to programs only")
        return Function(of_rows(implementation, frames) if frames else implementation, fixed)
    if frames:
        raise InvalidParameter("--frames applies to functions of Python only")
    if once and csv:
        raise InvalidParameter("--restart-per-case is not needed: --csv always restarts")
    words = _words(implementation)
    return CsvProgram(words, claim) if csv else Program(words, once)


def _words(implementation: str | Sequence[str]) -> Sequence[str]:
    """Return the words of a command whose program exists. Raises InvalidParameter."""
    try:
        words = shlex.split(implementation) if isinstance(implementation, str) else implementation
    except ValueError as error:
        raise InvalidParameter(f"{implementation!r} cannot be split: {error}") from None
    if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
        raise InvalidParameter(f"{type(words).__name__} is no function, estimator or command")
    if not words:
        raise InvalidParameter("the command of the implementation is empty")
    if shutil.which(words[0]) is None:
        there = "it may not be executed" if os.path.exists(words[0]) else "there is none"
        raise InvalidParameter(f"the program {words[0]!r} cannot be started: {there}")
    return words


def check_seconds(seconds: float, what: str = "the time for an answer") -> float:
    """Return a time in seconds. Raises InvalidParameter."""
    if not 0 < seconds < 1e6:
        can_be = "it must be more than 0 and less than 1000000 seconds"
        raise InvalidParameter(f"{what} is {seconds:g}; {can_be}")
    return float(seconds)


def _asked(
    claim: str,
    standardise: str | None,
    fixed: Mapping[str, str],
    file: str | Path | None,
    cases: Sequence[str] | None,
) -> tuple[Sequence[Vector], Sequence[Vector]]:
    """Return the vectors to ask, and those that are left out.

    Raises InvalidParameter.
    """
    if file and (standardise or fixed):
        option = "--standardise" if standardise else "--param"
        raise InvalidParameter(f"{option} is for the vectors of this project, not for a file")
    if file:
        return vectors_in(Path(file), claim), ()
    if standardise or fixed:
        return vectors_on(claim, standardise, cases or None, fixed)
    return vectors_of(claim), ()


def _check_told(asked: Wanted, taken: Taken) -> None:
    """Check that a command can receive what all cases have.

    Raises InvalidParameter.
    """
    if asked.seed is not None and not taken.seeds:
        raise InvalidParameter("the command has no {seed}, which is to be told")
    if asked.shape:
        raise InvalidParameter(f"a CSV file does not tell {asked.shape}; --shape is for --")


def _chosen(every: Sequence[Vector], ids: Sequence[str] | None) -> list[Vector]:
    """Return the vectors with these ids, or all. Raises InvalidParameter."""
    known = {vector.id: vector for vector in every}
    for identity in ids or ():
        if identity not in known:
            raise unknown_vector(identity, known)
    return [known[identity] for identity in ids] if ids else list(every)


@contextmanager
def _nothing_kept() -> Iterator[None]:
    """Keep Hypothesis' notes in a temporary folder.

    Hypothesis keeps notes in a folder; here in one that is removed afterwards.
    """
    from hypothesis.configuration import set_hypothesis_home_dir

    with TemporaryDirectory(prefix="oracle-hunt-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _wanted(claim: str, given: Mapping[str, Any]) -> Wanted:
    """Return the requirements of all cases.

    Raises InvalidParameter, NotUnivariate, UnknownParameter, MissingExtra.
    """
    from oracle.conformance.hunting.strategies import wanted

    settings = _settings(given)
    attributes = given["attributes"]
    if attributes is not None and attributes < 1:
        raise InvalidParameter(f"--attributes is {attributes}; it must be at least 1")
    if claim in CATALOGUE:
        specification = CATALOGUE[claim]
        specification.settings(settings)
        settings = specification.first_attributes() | settings
        if specification.attributes == "one" and attributes not in (None, 1):
            raise NotUnivariate(f"{claim} works on one attribute, not {attributes}")
    return wanted(
        claim,
        k=given["k"],
        width=attributes,
        most=given["max_records"],
        parameters=settings,
        seed=given["algorithm_seed"],
        **{name: given[name] for name in ("standardise", "precision", "without", "shape")},
        invalid="invalid" not in given["without"],
    )
