"""Pages of the field: docs/field.md and docs/findings/NAME.md.

The first has the table, the others are for one program each.

A page says what a program was asked and how, and has for each finding the smallest input, the
answer, what is right, the cause, and a text that can be sent to the maintainers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from oracle.conformance.field.pages import claim_text, programs, summary, verdict
from oracle.conformance.field.results import Result, faults, input_text, judgement_of, worst
from oracle.conformance.judge.severity import SEVERITIES

BEGIN, END = "<!-- the table: begin -->", "<!-- the table: end -->"
"""Between these lines docs/field.md is generated."""

WIDTH = 88


def table(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the table, with links to program pages."""
    yield "| program | claims to be | verdict | findings | version | language |"
    yield "|---|---|---|---|---|---|"
    for result in programs(results):
        known = result["implementation"]
        for asked in result["asked"]:
            number = len(faults(asked["findings"]))
            yield (
                f"| [{known['name']}](findings/{known['name']}.md) | {claim_text(asked)} "
                f"| {verdict(asked)} | {number or ''} | {known['version']} | {known['language']} |"
            )


def with_table(text: str, results: Sequence[Result]) -> str:
    """Return the text of docs/field.md with the table of these results."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [BEGIN, "", fill(summary(results), 120), "", *table(results), "", END]
    return before + "\n".join(lines) + after


def program_page(result: Result) -> Iterator[str]:
    """Yield the lines of the page of a program."""
    known = result["implementation"]
    yield f"# {known['name']}\n"
    link = f" <{known['link']}>" if known["link"] else ""
    yield f"Version {known['version']}, {known['language']}; tested on {result['date']}.{link}\n"
    yield f"What was asked: {known['about']}.\n"
    for asked in result["asked"]:
        yield f"## {claim_text(asked)}: {verdict(asked)}\n"
        yield f"    {asked['command']}\n"
        yield f"{counts(asked)}\n"
        found = sorted(faults(asked["findings"]), key=lambda one: SEVERITIES.index(worst(one)))
        for finding, *others in found:
            yield from _finding(result, asked, finding, others)


def counts(asked: Mapping[str, Any]) -> str:
    """Return how many questions and vectors passed and failed."""
    hunt = ", ".join(f"{number} {status}" for status, number in asked["hunt"]["by_status"].items())
    vectors = ", ".join(f"{number} {status}" for status, number in asked["vectors"].items())
    return f"{asked['hunt']['questions']} questions: {hunt}; vectors: {vectors or 'none'}."


def _finding(
    result: Result,
    asked: Mapping[str, Any],
    finding: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    yield f"### {finding['severity'].capitalize()}: {finding['cause']}\n"
    kind = ", ".join(filter(None, (finding["type"], finding["effect"])))
    kind = kind.replace("nonsense", "invalid-input").replace("-", " ")
    reported = f"Reported on {finding['reported']}. " if finding["reported"] else "Not reported. "
    upstream = f"Upstream: <{finding['upstream']}>. " if finding["upstream"] else ""
    yield f"{f'{kind.capitalize()}. ' if kind else ''}{reported}{upstream}To be sent:\n"
    yield f"```text\n{letter(result, asked, finding)}\n```\n"
    if others:
        yield f"With the same explanation: {'; '.join(map(_another, others))}.\n"


def letter(result: Result, asked: Mapping[str, Any], finding: Mapping[str, Any]) -> str:
    """Return the text of an issue.

    It has the input, the answer, what is right, and how to see it.
    """
    known = result["implementation"]
    head = f"{known['name']} as {claim_text(asked)}: {TITLES[finding['severity']]}"
    words = fill(finding["words"], WIDTH, break_on_hyphens=False, break_long_words=False)
    return f"{head}\n\n{words}\n\n{asked['command']}"


TITLES = {
    "not k-anonymous": "groups of fewer than k records",
    "wrong": "groups or values that the algorithm does not give",
    "another published variant": "the groups of another published variant",
    "documented difference": "a difference that is documented",
    "refuses": "a valid request is not answered",
    "accepts invalid input": "invalid input is not refused",
}


def _another(finding: Mapping[str, Any]) -> str:
    """Return a cause whose explanation was given before.

    It is shown by its name, its smallest input, and the answer.
    """
    judgement = judgement_of(finding["smallest"])
    return f"{finding['cause']} ({input_text(judgement.case)})"
