"""Prototypes of a group of sequences: medoid, median string, constructed one.

Each takes the sequences of a group in record order and a dissimilarity, and gives the prototypes
that can be defended: the first is the one that is released. All sums are exact.

- "medoid": a sequence of the group whose dissimilarities to all of them have the least sum. Of
  equal sums the earliest record's is released; all are admissible.
- "median-string" (ours): from a medoid, always the single insertion, deletion or substitution,
  with symbols of the group, that lowers the sum most, until none lowers it. Of equal ones the
  sequence with the fewest events is taken, then the first in the order of texts. No sequence
  longer than the longest of the group is tried, so that it ends with any dissimilarity. The
  least sum of all sequences is not promised; that of a medoid is never exceeded. It is done from
  each medoid: all results are admissible, the earliest medoid's is released.
- "vgt" (ours; the idea is that of A. Valls, C. Gomez-Alonso and V. Torra, Generation of
  prototypes for masking sequences of events, ARES 2009, which was not read):
    1. The length is the average length, rounded (a half up).
    2. The p-th occurrence of a symbol is a unit. So many units are taken: those that the most
       sequences have; of equal ones those that stand earlier in them, by the average of
       (position + 1/2) / length over the sequences that have them, positions from 0.
    3. They are ordered by that average. Equal in everything: by text.
    4. The better of this sequence and the medoids is taken; of equal sums this one is released,
       and all are admissible.

By hand, under OSS: a b is 1/4 from b a and 1/5 from a b c, together 9/20; b a is 1/3 from a b c,
which makes 7/12 for b a and 8/15 for a b c.

>>> from refagg.spaces.dissimilarities.oss import OSS
>>> PROTOTYPES["medoid"]([("b", "a"), ("a", "b"), ("a", "b", "c")], OSS)
(('a', 'b'),)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from types import MappingProxyType

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, Function, Prepared, prepared

Prototype = Callable[[Sequence[Events], Function], tuple[Events, ...]]

ZERO = Fraction(0)

Unit = tuple[str, int]
"""A symbol, and which of its occurrences, from 0."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The different sequences of a group, with their frequencies.

    They are in record order.
    """

    dissimilarity: Dissimilarity
    sequences: tuple[Events, ...]
    prepared: Prepared
    times: tuple[int, ...]

    def total(self, candidate: Events) -> Fraction:
        """Add the dissimilarities of a sequence to all records."""
        found = self.dissimilarity.to_each(self.prepared, candidate)
        return sum(map(mul, found, self.times), ZERO)

    def least(self, candidates: Sequence[Events]) -> tuple[Events, ...]:
        """Return the candidates of the least sum, in their order."""
        totals = [self.total(candidate) for candidate in candidates]
        best = min(totals)
        return tuple(c for c, total in zip(candidates, totals, strict=True) if total == best)


def _group(sequences: Sequence[Events], dissimilarity: Function) -> _Group:
    own = prepared(dissimilarity)
    times = Counter(sequences)
    different = tuple(times)
    return _Group(own, different, own.prepare(different), tuple(times.values()))


def total(candidate: Events, sequences: Sequence[Events], dissimilarity: Function) -> Fraction:
    """Return the sum of a sequence's dissimilarities to a group's sequences."""
    return _group(sequences, dissimilarity).total(candidate)


# Medoid


def medoid(sequences: Sequence[Events], dissimilarity: Function) -> tuple[Events, ...]:
    """The sequences of the group that have the least sum."""
    group = _group(sequences, dissimilarity)
    return group.least(group.sequences)


# Median string


def median_string(sequences: Sequence[Events], dissimilarity: Function) -> tuple[Events, ...]:
    """Improve each medoid by single edits that lower the sum.

    Ends when no edit lowers it.
    """
    group = _group(sequences, dissimilarity)
    symbols = sorted({symbol for events in group.sequences for symbol in events})
    longest = max(map(len, group.sequences))
    found = (_descended(start, group, symbols, longest) for start in group.least(group.sequences))
    return tuple(dict.fromkeys(found))


def _descended(start: Events, group: _Group, symbols: Sequence[str], longest: int) -> Events:
    best, events = group.total(start), start
    while True:
        edited = ((group.total(e), len(e), e) for e in set(_edits(events, symbols, longest)))
        total, _, candidate = min(edited, default=(best, 0, events))
        if total >= best:
            return events
        best, events = total, candidate


def _edits(events: Events, symbols: Sequence[str], longest: int) -> Iterator[Events]:
    """Yield every sequence of limited length that is one edit away.

    Its length is at most `longest` events.
    """
    for i in range(len(events) + 1):
        before, after = events[:i], events[i:]
        if len(events) < longest:
            yield from ((*before, symbol, *after) for symbol in symbols)
        if after:
            yield (*before, *after[1:])
            yield from ((*before, s, *after[1:]) for s in symbols if s != after[0])


# Constructed


def vgt(sequences: Sequence[Events], dissimilarity: Function) -> tuple[Events, ...]:
    """The constructed sequence or the medoids, whichever have the lower sum."""
    group = _group(sequences, dissimilarity)
    return group.least(tuple(dict.fromkeys((constructed(sequences), *group.sequences))))


def constructed(sequences: Sequence[Events]) -> Events:
    """The average length, filled with the units that the most sequences have."""
    # 1.
    records = len(sequences)
    length = (2 * sum(map(len, sequences)) + records) // (2 * records)
    # 2.
    places: dict[Unit, list[Fraction]] = {}
    for events in sequences:
        for unit, place in _places(events):
            places.setdefault(unit, []).append(place)
    average = {unit: sum(where) / Fraction(len(where)) for unit, where in places.items()}
    usual = sorted(places, key=lambda unit: (-len(places[unit]), average[unit], unit))
    # 3.
    return tuple(symbol for symbol, _ in sorted(usual[:length], key=lambda u: (average[u], u)))


def _places(events: Events) -> Iterator[tuple[Unit, Fraction]]:
    """Yield the units of a sequence with their positions.

    A position is between 0 and 1.
    """
    seen: Counter[str] = Counter()
    for position, symbol in enumerate(events):
        yield (symbol, seen[symbol]), Fraction(2 * position + 1, 2 * len(events))
        seen[symbol] += 1


PROTOTYPES: Mapping[str, Prototype] = MappingProxyType(
    {"medoid": medoid, "median-string": median_string, "vgt": vgt}
)
"""Every kind of prototype by its name."""
