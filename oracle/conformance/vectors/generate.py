"""Generator of vectors from case files.

`python -m oracle.conformance.vectors.generate` writes all files.

With `--check` nothing is written, but compared; names of claims restrict it to those.

Ids are made of the claim, the permanent number of a case and its topic, so that a vector keeps
its id whatever is added or dropped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.vectors import casefiles, expectations
from oracle.conformance.vectors.casefiles import CaseTopic
from oracle.conformance.vectors.files import FOLDER, file_name, file_text, slug
from oracle.conformance.vectors.vector import Expectation, Origin, Vector, groups_of
from refagg.catalogue import CATALOGUE

CLAIMS = (*CATALOGUE, ANY_PARTITION, OPTIMAL)

OWN = "200"
"""From this number on, cases are those of one claim."""

WITHOUT_K = ("092",)
"""Cases that mean nothing to an algorithm that forms no groups; of all others its k is 1."""

MOST_RECORDS = {
    OPTIMAL: 12,
    "genetic": 12,
    "one-step": 12,
    "two-step": 12,
    "k-means": 12,
    "k-modes": 12,
    "oka": 12,
    "constrained-k-means": 9,
    "mu-approx": 20,
}
"""Claims for which larger common cases would take too long: every partition of the records, ten
thousand populations, or all draws. Those that draw have larger cases of their own, with seeds."""

MANY_RECORDS = 60
"""Larger common cases are asked of fast algorithms only."""

FAST = (
    *("mdav", "mdav-1", "mdav-2k", "mdav-single", "mdav-argus", "iv-mdav", "v-mdav", "cbfs"),
    *("blocks-in-file-order", "dba-1", "hansen-mukherjee", "individual-ranking", "insensitive"),
    *("kd-blocks", "mhm", "mondrian", "projection", "tfrp-1", ANY_PARTITION),
)
"""Claims of which most programs answer for a thousand records in a second."""

LISTED_ONLY = "146"
"""From this number on, common cases are asked where every right answer can be listed."""

TAKE_KINDS = (
    *("mdav", "mdav-2k", "mdav-single", "mdav-argus", "v-mdav", "iv-mdav", "md", "kshc"),
    *("random-seed", "k-modes", "blocks-in-file-order", ANY_PARTITION),
)
"""Claims that are asked about categories: those of which the tests have a second implementation
for them, of all that take them."""


TAKE_SHAPES = {
    "shapes": ("mdav", "mdav-single", "md", "v-mdav", "hac", "kshc"),
    "sequences": ("kshc",),
    "gower": ("mdav", "mdav-2k", "mdav-single", "iv-mdav", "md", "random-seed"),
}
"""Claims that are asked about time series, constraints, strata, blocks and sampling weights, about
sequences, and about Gower's distance."""

QUICK = {
    "genetic": (("population", "4"), ("iterations", "10")),
    "one-step": (("macrogroup", "2"), ("population", "4"), ("iterations", "10")),
    "two-step": (("macrogroup", "2"), ("population", "4"), ("iterations", "10")),
    "local-search": (("rounds", "3"),),
}
"""Parameters with which what all are asked with seeds takes no second."""


def topics_of(claim: str) -> list[CaseTopic]:
    """Return the topics of a claim.

    They are the common cases that apply, then its own.
    """
    common = [topic for topic in casefiles.topics("common") if _applies(topic, claim)]
    kinds = [
        topic
        for topic in (casefiles.topics("kinds") if claim in TAKE_KINDS else ())
        if len(topic.records) <= MOST_RECORDS.get(claim, MANY_RECORDS)
    ]
    shapes = [
        t for name, claims in TAKE_SHAPES.items() if claim in claims for t in casefiles.topics(name)
    ]
    found = [topic for topic in casefiles.topics("findings") if topic.claim == claim]
    return [*common, *casefiles.topics(slug(claim)), *_with_seeds(claim), *kinds, *shapes, *found]


def _with_seeds(claim: str) -> list[CaseTopic]:
    """Return the cases of claims that draw: each with its random stream."""
    if claim not in CATALOGUE or not CATALOGUE[claim].random or not _forms_groups(claim):
        return []
    quick = QUICK.get(claim, ())
    flags = ("parameter",) if quick else ()
    return [
        replace(topic, parameters=quick, flags=(*topic.flags, *flags))
        for topic in casefiles.topics("seeds")
        if not (_one_attribute(claim) and len(topic.records[0]) > 1)
    ]


def _one_attribute(claim: str) -> bool:
    return claim in CATALOGUE and CATALOGUE[claim].attributes != "any"


def _applies(topic: CaseTopic, claim: str) -> bool:
    if topic.attributes == "several" and _one_attribute(claim):
        return False
    if claim not in FAST and len(topic.records) > MOST_RECORDS.get(claim, MANY_RECORDS):
        return False
    if topic.number >= LISTED_ONLY and claim in (*expectations.TOO_RANDOM, "mu-approx"):
        return False
    return _forms_groups(claim) or topic.number not in WITHOUT_K


def _forms_groups(claim: str) -> bool:
    return claim not in CATALOGUE or CATALOGUE[claim].yields != "deviations"


def vectors_made(claim: str) -> list[Vector]:
    """Make all vectors of a claim again."""
    return [vector_made(claim, topic) for topic in topics_of(claim)]


def vector_made(claim: str, topic: CaseTopic) -> Vector:
    """Make a vector from the case and its expectation."""
    case = case_on_topic(claim, topic)
    if topic.reject:
        origin = Origin("hand", "the requirements on input, whatever the algorithm")
        rejected = Expectation("reject", category=topic.reject)
        return _vector(case, topic, "input", origin, rejected)
    listed = claim in CATALOGUE and not expectations.too_random(case)
    noted = expectations.explored(case) if listed else None
    expectation, origin = expectations.expected(case, noted)
    if topic.expect:
        expectation, origin = by_hand(topic, origin)
    return _vector(case, topic, step_of(topic, claim, noted), origin, expectation)


def by_hand(topic: CaseTopic, origin: Origin) -> tuple[Expectation, Origin]:
    """Return the expectation of the case file.

    The tests compare it with everything else.
    """
    partitions = tuple(sorted(map(groups_of_text, topic.expect)))
    kind = "unique" if len(partitions) == 1 else "choice"
    texts = {"paper": "printed in the source", "hand": "worked with paper and pencil"}
    text = texts[topic.origin]
    confirmed = "; ".join(filter(None, (origin.text, origin.confirmed)))
    return Expectation(kind, partitions), Origin(topic.origin, text, "", confirmed)


def case_on_topic(claim: str, topic: CaseTopic) -> Case:
    """Return the question that a topic asks of a claim."""
    narrow = _one_attribute(claim) and topic.number < OWN
    return Case(
        f"{slug(claim)}-{topic.number}-{topic.name}",
        claim,
        topic.k if _forms_groups(claim) or topic.reject.startswith("k ") else 1,
        tuple(row[:1] for row in topic.records) if narrow else topic.records,
        (CATALOGUE[claim].first_attributes() if claim in CATALOGUE else {})
        | dict(topic.parameters),
        topic.standardise,
        topic.seed,
        topic.kinds,
        **topic.shape,
    )


def groups_of_text(text: str) -> tuple[tuple[int, ...], ...]:
    """Return the groups of "0 1 2 | 3 4 5"."""
    return groups_of([int(record) for record in group.split()] for group in text.split("|"))


def step_of(topic: CaseTopic, claim: str, noted: expectations.Explored | None) -> str:
    """Return the steps of the source at which the runs choose something."""
    if topic.step:
        return topic.step
    if claim not in CATALOGUE or noted is None:
        return "all"
    ties = CATALOGUE[claim].ties
    if topic.tie:
        return next(tie.step for tie in ties if tie.name == topic.tie)
    return ", ".join(dict.fromkeys(tie.step for tie in ties if tie.name in noted.asked)) or "all"


def _vector(
    case: Case, topic: CaseTopic, step: str, origin: Origin, expectation: Expectation
) -> Vector:
    if topic.origin and not topic.expect:
        origin = replace(
            origin, kind=topic.origin, text=f"the answers: {origin.text}", link=topic.link
        )
    flags = topic.flags
    if expectation.kind == "unique" and not topic.tie:  # no tie of this algorithm
        flags = tuple(flag for flag in flags if flag != "tie")
    return Vector(case, topic.name, step, topic.reason, flags, origin, expectation, topic.seen)


def claim_file_text(claim: str, vectors: Sequence[Vector]) -> str:
    """Return the file of a claim."""
    source = CATALOGUE[claim].source if claim in CATALOGUE else "by definition"
    return file_text(claim, source, vectors)


def main(arguments: Iterable[str]) -> int:
    """Write the files of some claims, or of all.

    With --check, only compare. The exit status is 1 if any differs.
    """
    parser = argparse.ArgumentParser(prog="generate", description=main.__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help=", ".join(CLAIMS))
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    given = parser.parse_args(list(arguments))
    if unknown := set(given.claims).difference(CLAIMS):
        parser.error(f"there are no vectors of {', '.join(sorted(unknown))}")
    check, different = given.check, []
    for claim in given.claims or CLAIMS:
        path, text = FOLDER / file_name(claim), claim_file_text(claim, vectors_made(claim))
        if check and path.read_text(encoding="utf-8") != text:
            different.append(path.name)
        elif not check:
            path.write_text(text, encoding="utf-8")
            print(path.name)
    if check:
        print(f"out of date: {' '.join(different)}" if different else "up to date")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
