"""One run of an algorithm, from a space to a partition.

All choices of the run pass through `Choices`, which also keeps its trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, Protocol, TypeVar

from refagg.language.event import APART, DRAW, MERGED, STAND, Event, lines_now
from refagg.language.partition import Partition, Record
from refagg.language.random_stream import NOTHING_TO_DRAW, RandomStream
from refagg.language.space import Centroids
from refagg.language.ties import (
    LOWEST,
    Comparison,
    Nearest,
    Number,
    TieBreaker,
    TiedCandidates,
    TieRule,
)
from refagg.terminal import NOW

T = TypeVar("T")


@dataclass(slots=True)
class Choices:
    """Context of a run: a tie-breaker, a random stream, a trace.

    A run has these beside its data.
    """

    tie_breaker: TieBreaker = LOWEST
    stream: RandomStream = NOTHING_TO_DRAW
    trace: list[Event] | None = None
    ties: int = 0
    """How many choices had more candidates than places."""
    free: Collection[str] = ()
    """The choices of which a judge may take any candidate, so that all have to be measured."""

    def choose(
        self,
        name: str,
        tie: TiedCandidates[T],
        members: Callable[[T], Iterable[Collection[Record]]] | None = None,
        of: object = None,
    ) -> T:
        """Choose one of the candidates.

        For the trace, `members` gives the records of each cluster or group that is chosen, and
        `of` is the record, if it is one, for which the choice is made.
        """
        chosen = self.tie_breaker.choose(name, tie)
        self.ties += tie.several
        if self.trace is not None:
            tied = len(tie.candidates)
            among = tuple(tie.candidates) if tied > 1 else ()
            ranked = len(tie.measured.items) - len(tie.without)
            own = tuple(tuple(sorted(part)) for part in members(chosen)) if members else ()
            step = (name, (chosen,), tie.value, tie.next_value(), tied, among, ranked, own)
            self._keep(*step, of=of if isinstance(of, int) else None)
        return chosen

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        """Choose the nearest records, with ties for the last places.

        All records that are surely among the nearest are chosen, and as many of the tied ones as
        have a place. The chosen records end in the final group of `same_group_as`; None if they may
        still be separated.
        """
        picked = self.tie_breaker.choose_nearest(name, near, same_group_as)
        self.ties += len(near.tied) > near.places
        chosen = tuple(sorted(near.certain + picked))
        if self.trace is not None and chosen:
            tied = len(near.tied) - near.places + 1
            among = near.tied if tied > 1 else ()
            self._keep(name, chosen, near.value, _beyond(near), tied, among)
        return chosen

    def decide(self, name: str, comparison: Comparison, of: Record | None = None) -> bool:
        """The answer to a threshold test, which may be about a record."""
        answer = self.tie_breaker.decide(name, comparison)
        self.ties += len(comparison.answers) > 1
        if self.trace is not None:
            left, right = comparison.left, comparison.right
            self._keep(name, (answer,), left, right, len(comparison.answers), of=of)
        return answer

    def sample(self, what: str, records: Sequence[Record], m: int) -> list[Record]:
        """Draw m of these records; all sets are equally likely.

        The draws come from the random stream. The trace tells `what` they are: "seed", "first
        centres".
        """
        drawn = self.stream.sample(records, m)
        self.drew(what, drawn, len(records))
        return drawn

    def drew(self, what: str, drawn: Iterable[object], among: int = 0) -> None:
        """Record draws from the random stream in the trace.

        `among` is the number of candidates of the draw. The call affects nothing but the trace.
        """
        if self.trace is not None:
            self._keep(DRAW + what, tuple(drawn), None, None, 1, (), among)

    def settled(self, name: str, value: T, others: Sequence[T] = (), beside: Sequence[T] = ()) -> T:
        """Return a value that the source fixes.

        Such a value is the answer of a condition, a cut or a number. It is one of FIXED. Only a
        judge that looks for what is wrong in groups takes one of the `others`. Those `beside` it
        are what a count of one more, and of one less, would give.
        """
        return value

    def enough(self, name: str, count: int, least: int) -> bool:
        """Return True if there are so many: a condition of FIXED."""
        enough, beside = count >= least, (count > least, count >= least - 1)
        return self.settled(name, enough, (not enough,), beside)

    def large(self, size: int, least: int) -> bool:
        """Return True if a group of so many records is divided."""
        return self.enough("division", size, least)

    def goes_on(self, condition: bool, name: str = "loop") -> bool:
        """Return a condition, of a loop mostly, which is one of FIXED."""
        return self.settled(name, condition, (not condition,))

    def divided(self, first: Collection[Record], second: Collection[Record]) -> None:
        """No group of the result has records of both."""

    def each(self, items: Iterable[T], units: str, at_most: bool = False) -> Iterator[T]:
        """Iterate over the items and report progress.

        `units` names the items for the user. With `at_most` the loop can end before.
        """
        return NOW.each(items, units, at_most)

    def iteration(self, remaining: Collection[Record], kept: Hashable = ()) -> None:
        """Mark a checkpoint of the run, with the remaining records.

        The rest of the run depends only on the groups so far, the remaining records and `kept`.
        `kept` are centroids computed earlier that are used on.
        """
        if NOW.commanded:
            NOW.remain(len(remaining))
        self.tie_breaker.iteration(remaining, kept)
        self._note("iteration", remaining)

    def reached(self, clusters: Collection[Iterable[Record]], kept: Hashable = ()) -> None:
        """Mark a checkpoint of the run, with its clusters.

        The rest of the run depends only on these clusters, any of which may still change, and on
        `kept`, centroids computed earlier.
        """
        if NOW.commanded:
            NOW.clusters(len(clusters))
        self.tie_breaker.reached((frozenset(map(frozenset, clusters)), kept) if self.marked else ())

    @property
    def followed(self) -> bool:
        """Return True if the tie-breaker records checkpoints."""
        return type(self.tie_breaker) is not TieRule  # for protocols isinstance is slow

    @property
    def marked(self) -> bool:
        """Return True if the tie-breaker would record a checkpoint now."""
        return self.followed and getattr(self.tie_breaker, "marks", True)

    @property
    def watched(self) -> bool:
        """Return True if checkpoints are recorded, or a trace is kept."""
        return self.followed or self.trace is not None

    def together(self, records: Sequence[Record]) -> list[Record]:
        """Promise that these records end in one group, which may grow."""
        self.tie_breaker.together(records)
        self._note("together", records)
        return list(records)

    def closed(self, records: Sequence[Record]) -> list[Record]:
        """Promise that these records are a group of the result."""
        self.tie_breaker.closed(records)
        self._note("group", records)
        return list(records)

    def merged(self, first: Collection[Record], second: Collection[Record], height: Number) -> None:
        """Record in the trace that two clusters merged at this height.

        The call affects nothing but the trace and promises nothing to a judge.
        """
        if self.trace is not None:
            self._keep(MERGED, (tuple(sorted(first)), tuple(sorted(second))), height)

    def apart(self, records: Collection[Record]) -> None:
        """The clusters of these records are taken apart; for the trace only."""
        self._note(APART, records)

    def note(self, remark: str, records: Collection[Record]) -> None:
        """Something that a reader of the trace should see; it promises nothing."""
        self._note(f"note: {remark}", records)

    def step(self, name: str, items: Iterable[object], value: Number | None = None) -> None:
        """Record in the trace a step that is no choice.

        The call affects nothing but the trace and promises nothing to a judge.
        """
        if self.trace is not None:
            self._keep(name, tuple(items), value)

    def stand(self, groups: Iterable[Collection[Record]], sse: Number | None = None) -> None:
        """Record in the trace the current groups and their SSE.

        The groups may still change. The call affects nothing but the trace.
        """
        if self.trace is not None:
            now = tuple(sorted(tuple(sorted(group)) for group in groups if group))
            last = next((event for event in reversed(self.trace) if event.name == STAND), None)
            if last is None or last.items != now:
                self._keep(STAND, now, sse)

    def _note(self, name: str, records: Collection[Record]) -> None:
        if self.trace is not None:
            self._keep(name, tuple(sorted(records)))

    def _keep(self, *facts: Any, of: Record | None = None) -> None:
        assert self.trace is not None
        self.trace.append(replace(Event(*facts), of=of, lines=lines_now()))


def _beyond(near: Nearest[Record]) -> Number | None:
    """Return the value of the best record beyond the tied ones.

    None if there is no such record.
    """
    bound = near.measured.tolerance.greatest_tied(near.boundary)
    rest = [v for v, i in near.measured.pairs(near.without) if v > bound]
    return near.measured.shown(min(rest)) if rest else None


class FinalGroups(Protocol):
    """A cursor when a text has ended."""

    def partition(self) -> Partition:
        """The groups."""


C = TypeVar("C", bound=FinalGroups)

OnSpace = Callable[Concatenate[Centroids[object], int, Choices, ...], Partition]


def on(
    begun: Callable[[Any, Choices], C], text: Callable[Concatenate[C, int, ...], FinalGroups | None]
) -> OnSpace:
    """Run a text on a cursor that begins with all records.

    The run ends with this cursor or another one.
    """

    @wraps(text)
    def run_on(space: object, k: int, choices: Choices, **parameters: object) -> Partition:
        cursor = begun(space, choices)
        ended = text(cursor, k, **parameters)
        return (cursor if ended is None else ended).partition()

    return run_on
