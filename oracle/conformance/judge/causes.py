"""Failures by their cause.

The cause is the check, the step where the answer leaves the algorithm, the reason.

A cause has a name, `run/x_s` or `answered/there-are-fewer-than-k-records`, by which a list of
known failures names it. A failure of a run is explained by one choice or another, and failures that
one choice explains are one cause. So two faults of the same choice are one cause here, and a fault
that shows at choices which do not explain each other is two: the names are for readers, the inputs
decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from oracle.conformance.judge.model import OPTIMAL, Judgement
from oracle.conformance.judge.sizes import size_of
from oracle.replay.guided import ANOTHER, NO_CHOICE
from refagg.errors import RefaggError
from refagg.language.lists import by_key
from refagg.language.number_texts import number_of

_NUMBER = re.compile(r"-?[0-9][0-9./e+-]*")
_STEP = re.compile(r"iteration \d+, [^:]*: ([^,]*)(?:, (.*))?")

_WORD = re.compile(r"[A-Za-z]+")

OWN = ("", "run/")
"""How the cause of a run begins that is not one of all answers: by other answers it can change."""

MOST_WORDS = 8
"""The most words of a reason in the name of a cause."""


def reason_of(judgement: Judgement) -> str:
    """Return the reason without its numbers.

    It is empty for wrong values, whose reason names attributes.

    >>> from oracle.conformance.judge.model import Answer, Case
    >>> nothing = Case("x", "mdav", 2, ()), Answer()
    >>> reason_of(Judgement(*nothing, "failed", "SSE", "SSE 0.5 is claimed; it is 1/3"))
    'SSE # is claimed; it is #'
    """
    return "" if judgement.check == "aggregates" else _NUMBER.sub("#", judgement.reason)


def cause_of(judgement: Judgement) -> str:
    """Return the name of the cause of a failure.

    >>> from oracle.conformance.judge.model import Answer, Case
    >>> nothing = Case("x", "mdav", 2, ()), Answer()
    >>> lines = ("iteration 2, step 2: x_s, the most distant record", )
    >>> cause_of(Judgement(*nothing, "failed", "run", "no way of breaking ties", lines))
    'run/x_s'
    """
    if judgement.cause:
        return judgement.cause
    check = judgement.check.replace(" ", "-")
    if judgement.check == "run":
        for name in explanations(judgement).values():
            return f"{check}/{name}"
    if judgement.check == OPTIMAL and (scattered := _scattered(judgement)) is not None:
        return f"{check}/{'groups-overlap' if scattered else 'groups-in-order'}"
    words = _WORD.findall(reason_of(judgement).rpartition("expected: ")[2])
    return "/".join(filter(None, (check, "-".join(words[:MOST_WORDS]))))


def explanations(judgement: Judgement, whole: bool = False) -> dict[str, str]:
    """Return the choices that explain the failure of a run.

    Each of them explains it. They come with what they mean, and their names.

    The likeliest comes first. Choices at two steps that mean the same are the same. If they have to
    explain the `whole` run, the choice where a replay ended is none of them.
    """
    lines = pairwise((*judgement.witness, ""))
    steps = [_STEP.match(one) for one, after in lines if not (whole and NO_CHOICE in after)]
    meant: dict[str, str] = {}
    for found in filter(None, steps):
        meant.setdefault(found[2] or found[1], found[1].replace(" ", "-"))
    return meant


def led_by(judgement: Judgement, name: str) -> Judgement:
    """Return the judgement, with the explanation of its cause first.

    The cause is named by this explanation.
    """
    parts = groupby(judgement.witness, ANOTHER.__eq__)
    told = [list(lines) for another, lines in parts if not another] or [[]]

    def named_otherwise(lines: Sequence[str]) -> bool:
        steps = (_STEP.match(line) for line in lines)
        return name.split("/")[1:2] not in [[s[1].replace(" ", "-")] for s in steps if s]

    first, *others = sorted(told, key=named_otherwise)
    lines = (line for one in others for line in (ANOTHER, *one))
    return replace(judgement, witness=(*first, *lines))


def shared_names(judgements: Sequence[Judgement]) -> list[str]:
    """Return the names of the causes of some failures.

    They are as few choices as explain all runs that fail.

    The choice that explains most comes first, then the one that explains most of the others. A
    choice that explains no whole run, where all replays ended, counts three quarters. Of choices
    that explain equally many, neighbours of a seed come after the others; then the one that is the
    likeliest of more failures comes first, and names are in alphabetical order.
    """
    names = [cause_of(judgement) for judgement in judgements]
    runs = {i: j for i, j in enumerate(judgements) if j.check == "run" and j.cause[:4] in OWN}
    left = {i: choices for i, judgement in runs.items() if (choices := explanations(judgement))}
    whole = {m for judgement in runs.values() for m in explanations(judgement, whole=True)}
    while left:
        counts = Counter(choice for choices in left.values() for choice in choices)
        first = {m: name for choices in reversed(left.values()) for m, name in choices.items()}
        likeliest = Counter(next(iter(choices)) for choices in left.values())
        # The neighbours of a seed are wrong where the seed is, too.
        # What is chosen within another algorithm comes after what that is given.
        near = {m for m, name in first.items() if name[:5] == "near-" and m[:9] != "the group"}
        most = {m: -count * (4 if m in whole else 3) for m, count in counts.items()}
        after = {m: (first[m].count(":"), m in near, -likeliest[m], first[m]) for m in counts}
        choice = min(counts, key=lambda m: (most[m], after[m]))
        explained = [i for i, choices in left.items() if choice in choices]
        name = f"run/{left[explained[0]][choice]}"
        for i in explained:
            names[i] = name
            del left[i]
    return names


def by_cause(failures: Iterable[tuple[Judgement, str]]) -> dict[str, list[Judgement]]:
    """Return the failures by their causes; the smallest input comes first.

    With each stands the name of its cause where that is known to be one of its own.
    """
    ordered = sorted(failures, key=lambda failure: size_of(failure[0].case)[:6])
    shared = iter(shared_names([judgement for judgement, own in ordered if not own]))
    return by_key((own or next(shared), judgement) for judgement, own in ordered)


def _scattered(judgement: Judgement) -> bool | None:
    """Return True if groups of one attribute overlap.

    No optimal ones do. None without such groups.
    """
    groups, records = judgement.answer.groups, judgement.case.records
    if not groups or any(len(row) != 1 for row in records):
        return None
    try:
        ranges = sorted(
            (min(values), max(values))
            for values in ([number_of(records[r][0], "") for r in group] for group in groups)
        )
    except (RefaggError, LookupError, ValueError):
        return None
    return any(one[1] > other[0] for one, other in pairwise(ranges))


VALUES = "-values"
"""The end of the name of such a cause."""
