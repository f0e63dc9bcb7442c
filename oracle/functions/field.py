"""The field: every implementation that is installed, asked everything that it claims."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import refagg
from oracle.conformance.field.results import FORMAT, finding_data
from oracle.conformance.field.table import ADAPTERS, CHECKOUTS, Ask, Member, checkouts
from oracle.conformance.hunting.findings import cause_name
from oracle.conformance.judge.causes import VALUES, by_cause, cause_of
from oracle.conformance.judge.model import WRONG, Judgement
from oracle.conformance.taking import gap_data
from oracle.functions.implementations import Implementation, conform, hunt
from refagg.language.importing import function_named
from refagg.terminal import NOW

SHOWN = ("name", "version", "language", "link", "about")
"""What a result says of an implementation."""

VECTORS = ("standardise", "precision", "without", "answer_timeout", "csv")
"""The options of a hunt that vectors are asked with, too."""

ANSWER_SECONDS = 10.0
"""The time limit for an answer where the table states none: that of `oracle hunt`."""


def asked(member: Member, questions: int, seconds: float) -> dict[str, Any]:
    """Return the result of an implementation.

    It has the vectors and a hunt for each claim. Raises KeyboardInterrupt where it is interrupted:
    counts that were cut are no result.
    """
    with implemented(member) as ways:
        claims = [
            _asked(member, ask, way, questions, seconds)
            for ask, way in zip(member.asks, ways, strict=True)
        ]
    return {
        "format": FORMAT,
        "implementation": {name: getattr(member, name) for name in SHOWN},
        "date": date.today().isoformat(),
        "refagg": refagg.__version__,
        "asked": claims,
    }


@contextmanager
def implemented(member: Member) -> Iterator[list[Implementation]]:
    """Provide the ways to ask each claim: functions and commands.

    Programs are compiled where necessary.
    """
    with TemporaryDirectory(prefix="oracle-field-") as folder:
        program = Path(folder) / "program"
        if member.compile:
            source = str(ADAPTERS / member.compile)
            words = [member.needs[0], "-O2", "-std=c99", source, "-o", str(program), "-lm"]
            subprocess.run(words, check=True, capture_output=True)
        places = {"adapters": ADAPTERS, "program": program, "checkouts": checkouts()}
        yield [
            function_named(ask.python) if ask.python else program_words(ask.command, places)
            for ask in member.asks
        ]


def program_words(command: str, places: Mapping[str, Path | str]) -> list[str]:
    """Return the words of a command, with the names in braces replaced.

    `places` has the replacements. Other words in braces stay, as those of programs that read CSV
    files.

    >>> program_words("{program} -k {k}", {"program": "./mdav"})
    ['./mdav', '-k', '{k}']
    """
    for name, place in places.items():
        command = command.replace(f"{{{name}}}", shlex.quote(str(place)))
    return shlex.split(command)


def _asked(
    member: Member, ask: Ask, way: Implementation, questions: int, seconds: float
) -> dict[str, Any]:
    given = {"answer_timeout": ANSWER_SECONDS, **ask.options}
    parameters = given.get("parameters", {})
    shared = {name: given[name] for name in VECTORS if name in given}
    vectors = conform(way, ask.algorithm, **shared)
    _check_whole()
    judged = [
        j
        for j in vectors.judgements
        if all(j.case.parameters.get(name) == value for name, value in parameters.items())
    ]
    found = hunt(
        way, ask.algorithm, all_failures=True, max_questions=questions, time_limit=seconds, **given
    )
    _check_whole()
    wrong = [j for j in judged if j.status in WRONG]
    by_values = {cause_name(one) for one in found.findings if one.by_values}
    far = {v.id for v in vectors.vectors if FAR & {*v.flags}}
    failures = [(one.judgement, cause_name(one) if one.by_values else "") for one in found.findings]
    failures += [(j, _of_values(j, by_values) if j.case.id in far else "") for j in wrong]
    statuses = [j.status for j in judged]
    return {
        "algorithm": ask.algorithm,
        "parameters": dict(parameters),
        "standardise": given.get("standardise", "none"),
        "command": command_of(ask, questions),
        "answer_timeout": given["answer_timeout"],
        "vectors": {status: statuses.count(status) for status in dict.fromkeys(statuses)},
        "not_covered": [{k: g[k] for k in ("what", "count")} for g in gap_data(vectors.gaps)],
        "hunt": {
            "questions": found.tries,
            "by_status": dict(found.statuses),
            "complete": all(one.full for one in found.covered),
        },
        "findings": [
            finding_data(member, ask.algorithm, name, judgements)
            for name, judgements in by_cause(failures).items()
        ],
    }


def _check_whole() -> None:
    """Raise KeyboardInterrupt if the run was interrupted.

    In a command, vectors and a hunt that are interrupted return what they have.
    """
    if NOW.interrupted:
        raise KeyboardInterrupt


FAR = {"offset", "precision", "scale", "cancellation"}
"""Flags of vectors whose values are not near 0."""


def _of_values(judgement: Judgement, names: Collection[str]) -> str:
    """Return the cause of a failure on far values.

    It is empty unless a hunt found that it is these values that matter.
    """
    name = f"{cause_of(judgement)}/far{VALUES}"
    return name if name in names else ""


def command_of(ask: Ask, questions: int) -> str:
    """Return the command of the hunt.

    >>> command_of(Ask("md", "", "./md", {"answer_timeout": 60}), 99)
    'oracle hunt --algorithm md --answer-timeout 60 --all-failures --max-questions 99 -- ./md'
    """
    words = ["oracle", "hunt", "--algorithm", ask.algorithm]
    for name, value in ask.options.items():
        if name == "parameters":
            words += [w for key, text in value.items() for w in ("--param", f"{key}={text}")]
        elif name != "csv":
            words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--all-failures", "--max-questions", str(questions)]
    shown = {
        "adapters": "oracle/conformance/adapters",
        "program": "./program",
        "checkouts": CHECKOUTS,
    }
    program = program_words(ask.command, shown)
    if ask.options.get("csv"):
        return shlex.join([*words, "--csv", shlex.join(program)])
    how = ["--python", ask.python] if ask.python else ["--", *program]
    return shlex.join([*words, *how])
