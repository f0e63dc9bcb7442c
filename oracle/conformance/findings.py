"""`python -m oracle.conformance.findings [QUESTIONS]`: prints docs/findings.md, from runs.

What a hunt finds in published packages, each in the version that is installed; one that is not is
left out and said to be. Each is asked so many questions; with the 1200 of a hunt it takes long.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version

from oracle.conformance.hunting.asking import answer_text
from oracle.conformance.hunting.coverage import TRIES
from oracle.conformance.hunting.findings_report import question_text, table_lines
from oracle.conformance.hunting.hunt import Finding, Hunt, hunt, kind_of
from oracle.conformance.hunting.strategies import wanted
from oracle.conformance.transport.functions import Function
from refagg.language.importing import function_named

ADAPTERS = "oracle.conformance.adapters"


@dataclass(frozen=True, slots=True)
class Peer:
    """A package, the version that was looked at, how it is asked, and what it says of itself."""

    package: str
    version: str
    function: str
    claim: str
    standardise: str
    says: str

    @property
    def python(self) -> str:
        return f"{ADAPTERS}.{self.function}"

    def command(self, tries: int) -> str:
        """The command that finds the same."""
        words = ["oracle", "hunt", "--algorithm", self.claim]
        words += ["--standardise", self.standardise] if self.standardise != "none" else []
        words += ["--all-failures", "--max-questions", str(tries), "--python", self.python]
        return shlex.join(words)

    def installed(self) -> bool:
        try:
            return version(self.package) == self.version
        except PackageNotFoundError:
            return False


PEERS = (
    Peer(
        "anonypyx",
        "0.2.11",
        "anonypyx_mdav:groups",
        "mdav",
        "population",
        "`microaggregation.MDAVGeneric`, MDAV-generic of Domingo-Ferrer and Torra 2005, on numeric "
        "attributes. The record most distant from the average is looked for by the distance of "
        "numeric attributes plus that of categorical ones; without any of the latter, that is not "
        "a number with the SciPy of this run, and the first of the remaining records is taken.",
    ),
    Peer(
        "microagg1d",
        "0.4.0",
        "microagg1d_optimal:labels",
        "optimal",
        "none",
        "`univariate_microaggregation(values, k)`, optimal univariate microaggregation, with its "
        "default arguments.",
    ),
    Peer(
        "microaggregation",
        "0.1.9",
        "microaggregation_sse:sse",
        "optimal",
        "none",
        "`calculate_sse_dynamic(data, k)`, the least SSE of consecutive groups of rows as they are "
        "given; asked with one attribute, sorted. Its sums of squares are differences of prefix "
        "sums. Only the SSE is judged: it answers no groups.",
    ),
)

HEAD = """# Findings

What `oracle hunt` found in published packages, smallest inputs first. Each is a fact about one
version on one question; newer versions may differ. Records are numbered from 0; what is right was
enumerated or proved in exact arithmetic. A finding among far, decimal or large values is listed
only where the same table near 0 is answered rightly.

Install the packages with `pip install '.[peers,hunt]'`. This page was printed on {day} by
`python -m oracle.conformance.findings {tries}`; each command below finds the same. Questions by
which counterexamples were made smaller are counted too.
"""


def found_in(peer: Peer, tries: int = TRIES) -> Hunt:
    """A hunt for everything in a package."""
    adapter = Function(function_named(peer.python))
    asked = wanted(peer.claim, standardise=peer.standardise)
    return hunt(adapter, asked, tries=tries, every=True)


def chosen(found: Hunt) -> list[Finding]:
    """Of each kind and each kind of values the counterexample with the fewest records.

    Those with exactly 2k records are a kind of their own: there a program has two groups, and no
    choice of sizes.
    """
    smallest: dict[tuple[object, ...], Finding] = {}
    for finding in found.findings:
        far = finding.topic.values != "small"
        key = (*kind_of(finding.judgement), far, finding.topic.sizes == "n = 2k")
        known = smallest.setdefault(key, finding)
        if len(finding.judgement.case.records) < len(known.judgement.case.records):
            smallest[key] = finding
    return sorted(smallest.values(), key=lambda f: len(f.judgement.case.records))


def page(tries: int = TRIES) -> Iterator[str]:
    """The lines of the page, of so many questions to each package."""
    yield HEAD.format(day=date.today(), tries=tries)
    for peer in PEERS:
        yield f"## {peer.package} {peer.version}\n"
        yield f"{peer.says}\n"
        if not peer.installed():
            yield "Not installed where this page was made.\n"
            continue
        found = found_in(peer, tries)
        yield f"    {peer.command(tries)}\n"
        yield f"{found.tries} questions; of the answers {counts(found)}.\n"
        for finding in chosen(found):
            yield from _finding(finding)


def counts(found: Hunt) -> str:
    return ", ".join(f"{number} {status}" for status, number in sorted(found.statuses.items()))


def _finding(finding: Finding) -> Iterator[str]:
    judgement = finding.judgement
    case = judgement.case
    yield f"### {len(case.records)} records, k = {case.k}, {finding.topic.values} values\n"
    yield f"{judgement.status.capitalize()} at the check `{judgement.check}`: {judgement.reason}.\n"
    lines = [question_text(case), *table_lines(case), f"answer: {answer_text(judgement.answer)}"]
    lines += judgement.witness[:3]
    if judgement.expected:
        lines.append("right: " + " or ".join(judgement.expected))
    yield "\n".join(f"    {line}".rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else TRIES
    print("\n".join(page(questions)).rstrip())
