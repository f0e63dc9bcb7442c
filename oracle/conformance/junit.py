"""Results of vectors and hunts as JUnit XML, for continuous integration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from oracle.conformance.judge.model import Judgement
from oracle.conformance.known import NOTHING, KnownFailures
from oracle.conformance.summary import failure_lines
from oracle.conformance.taking import Gap

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}
"""What a suite counts, and the outcome that is counted."""


@dataclass(frozen=True, slots=True)
class Test:
    """Test of a suite.

    Unless it passed, it has an outcome of OUTCOMES, a message and details.
    """

    name: str
    outcome: str = ""
    message: str = ""
    text: str = ""
    seconds: float = 0.0


def junit_text(suite: str, group: str, tests: Sequence[Test]) -> bytes:
    """Return the tests of a suite, in the format of JUnit."""
    counts = {name: str(sum(t.outcome == one for t in tests)) for name, one in OUTCOMES.items()}
    whole = {"name": _clean(suite), "tests": str(len(tests)), **counts}
    seconds = f"{sum(test.seconds for test in tests):.3f}"
    root = ElementTree.Element("testsuite", whole, time=seconds)
    for test in tests:
        about = {"classname": _clean(group), "name": _clean(test.name)}
        node = ElementTree.SubElement(root, "testcase", about, time=f"{test.seconds:.3f}")
        if test.outcome:
            told = ElementTree.SubElement(node, test.outcome, message=_clean(test.message))
            told.text = _clean(test.text) or None
    ElementTree.indent(root)
    content: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _clean(text: str) -> str:
    """Return the text without characters that XML does not allow."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def of_vectors(
    judgements: Iterable[Judgement], gaps: Iterable[Gap], suite: str, known: KnownFailures = NOTHING
) -> Iterator[Test]:
    """Yield a test for each vector.

    A test that was not asked, or could not be judged, is skipped.

    `suite` is the command that asks again.
    """
    judged = list(judgements)
    for judgement in judged:
        name, seconds = judgement.case.id, judgement.answer.seconds
        if (reason := known.of(judgement)) is not None:
            yield Test(name, "skipped", f"a known failure: {reason}", "", seconds)
        elif judgement.status in ("failed", "errored"):
            outcome = "failure" if judgement.status == "failed" else "error"
            lines = failure_lines(judgement, None, suite)
            message = f"{judgement.check}: {judgement.reason}"
            yield Test(name, outcome, message, "\n".join(lines), seconds)
        elif judgement.status == "passed":
            yield Test(name, seconds=seconds)
        else:
            yield Test(name, "skipped", f"{judgement.status}: {judgement.reason}", "", seconds)
    for pattern, reason in known.stale(judged):
        message = f"a known failure that no longer fails: {reason}"
        yield Test(f"known: {pattern}", "failure", message)
    for gap in gaps:
        for name in gap.ids:
            yield Test(name, "skipped", f"not covered: {gap.what} ({gap.who})")
