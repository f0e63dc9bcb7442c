"""Coverage of a hunt: questions and their outcomes by topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refagg.errors import InvalidParameter

if TYPE_CHECKING:
    from oracle.conformance.hunting.strategies import Topic  # needs Hypothesis

TRIES = 1200
"""The default number of questions of a hunt: 38 for each of 31 topics, and few of many groups."""

FEW = 6
"""The number of questions of the topic of more groups than a byte has numbers."""

SECONDS = 600.0
"""The default time limit of a hunt, in seconds."""


@dataclass(slots=True)
class Coverage:
    """Coverage of a topic.

    It has its share of the questions, and the number of answers of each status.
    """

    topic: Topic
    share: int
    statuses: Counter[str] = field(default_factory=Counter)
    exhausted: bool = False
    """Are there no other questions?"""

    @property
    def asked(self) -> int:
        return self.statuses.total()

    @property
    def full(self) -> bool:
        """Return True if all questions of the share were asked."""
        return self.exhausted or self.asked >= self.share

    @property
    def unjudged(self) -> bool:
        """Return True if the program's answers could not be judged.

        It answered, but no answer could be judged.
        """
        return set(self.statuses) in ({"not judged"}, {"not judged", "unsupported"})

    @property
    def enough(self) -> bool:
        return self.full and not self.unjudged


def shared(topics: Sequence[Topic], tries: int) -> list[Coverage]:
    """Divide the questions among topics; the first have one more.

    Raises InvalidParameter.

    >>> from oracle.conformance.hunting.strategies import Topic
    >>> [one.share for one in shared([Topic("n = k", v) for v in ("small", "far", "decimal")], 8)]
    [3, 3, 2]
    """
    if tries < len(topics):
        raise InvalidParameter(
            f"{tries} questions are too few; each of the {len(topics)} topics needs one at least"
        )
    many = [topic for topic in topics if topic.large]
    others = [topic for topic in topics if not topic.large]
    few = min(FEW, tries // len(topics))
    least, more = divmod(tries - few * len(many), len(others))
    shares = [Coverage(topic, least + (number < more)) for number, topic in enumerate(others)]
    return [*shares, *(Coverage(topic, few) for topic in many)]


def coverage_lines(covered: Sequence[Coverage]) -> Iterator[str]:
    """Yield lines about the questions on each topic.

    There is one line for each kind of values.
    """
    for heading, chosen in (
        ("asked in full", [one for one in covered if one.full]),
        ("asked in part", [one for one in covered if one.asked and not one.full]),
        ("not reached", [one for one in covered if not one.asked and not one.full]),
    ):
        if chosen:
            yield f"{heading}:"
            yield from (f"  {line}" for line in _by_values(chosen))


def _by_values(covered: Sequence[Coverage]) -> Iterator[str]:
    """Yield a line for each kind of values.

    It has the numbers of records and of questions.
    """
    for values in dict.fromkeys(one.topic.values for one in covered):
        ours = [one for one in covered if one.topic.values == values]
        yield f"{values} values: " + "; ".join(f"{one.topic.sizes} {_counts(one)}" for one in ours)


def _counts(one: Coverage) -> str:
    """Return the number of questions, and of answers without a verdict.

    >>> from oracle.conformance.hunting.strategies import Topic
    >>> _counts(Coverage(Topic("n = k", "small"), 5, Counter(passed=1, unsupported=2)))
    '(3 of 5, 2 unsupported)'
    """
    asked = str(one.asked) if one.full else f"{one.asked} of {one.share}"
    silent = [f"{one.statuses[s]} {s}" for s in ("unsupported", "not judged") if one.statuses[s]]
    return f"({', '.join([asked, *silent])})"
