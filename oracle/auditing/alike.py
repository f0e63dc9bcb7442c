"""Equivalence classes of records by a rule for missing cells.

The rule says which records count as alike, and so how many these are.

own-category: a missing cell equals a missing cell, and nothing else. matches-anything: a missing or
suppressed cell can be any value, so a record counts all records that it could be (the frequency of
sdcMicro with alpha = 1). suppressed: as own-category, and a record does not count at all if each of
its quasi-identifiers is missing or `*`.

>>> from oracle.auditing.cells import cells_of
>>> table = cells_of([["a", 1], ["a", 1], ["a", None], ["b", 2], [None, None]])
>>> [alike_of(table, rule).by_record() for rule in RULES]
[[2, 2, 1, 1, 1], [4, 4, 4, 2, 5], [2, 2, 1, 1, None]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from operator import add, itemgetter
from typing import TypeVar

from oracle.auditing.cells import SUPPRESSED, Cells
from refagg.language.lists import by_key, check_one_of
from refagg.language.partition import Group, Partition
from refagg.notebook import brief

OWN, ANYTHING, LEFT_OUT = "own-category", "matches-anything", "suppressed"
RULES = (OWN, ANYTHING, LEFT_OUT)

MEANING = {
    OWN: "a missing cell equals a missing cell",
    ANYTHING: "a missing cell matches anything",
    LEFT_OUT: "records without any value are not counted",
}

Key = tuple[int, ...]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)


@brief
class Alike:
    """Combinations of key variables that occur, with their frequencies.

    A frequency is the number of records that count as alike to the combination.

    `classes` are the records of each combination, `keys` their codes, `frequencies` the numbers
    of records that count as alike, these among them; `left_out` are records that do not count.
    """

    names: tuple[str, ...]
    rule: str
    classes: tuple[Group, ...]
    keys: tuple[Key, ...]
    frequencies: tuple[int, ...]
    left_out: Group = ()

    @property
    def n(self) -> int:
        """Return the number of records, including those that do not count."""
        return sum(map(len, self.classes)) + len(self.left_out)

    @property
    def k_reached(self) -> int:
        """Return the least frequency; 0 if no record counts."""
        return min(self.frequencies, default=0)

    @property
    def of_what(self) -> str:
        """Say what makes records alike."""
        return "of equal rows" if self.rule != ANYTHING else "of rows that can be equal"

    def sizes(self) -> dict[int, int]:
        """Count the combinations of each frequency."""
        return dict(sorted(Counter(self.frequencies).items()))

    def below(self, k: int) -> list[int]:
        """Return the numbers of the combinations with fewer than k records alike."""
        return [number for number, found in enumerate(self.frequencies) if found < k]

    def violations(self, k: int) -> list[tuple[int, int]]:
        """Return the records with fewer than k alike, in order.

        Each comes with the number of records alike.
        """
        low = self.below(k)
        return sorted((record, self.frequencies[i]) for i in low for record in self.classes[i])

    def by_record(self) -> list[int | None]:
        """Return each record's frequency; None for one that does not count."""
        found: list[int | None] = [None] * self.n
        for group, frequency in zip(self.classes, self.frequencies, strict=True):
            for record in group:
                found[record] = frequency
        return found

    def group(self, number: int) -> Group:
        """Return the records that count as alike to a combination."""
        if self.rule != ANYTHING:
            return self.classes[number]
        own = self.keys[number]
        there = [g for g, key in zip(self.classes, self.keys, strict=True) if _match(own, key)]
        return tuple(sorted(record for group in there for record in group))

    def counts(self, column: Sequence[H]) -> list[Counter[H]]:
        """Count the values of a column for each combination.

        Counted are the values of the records that are alike to the combination.
        """
        own = [Counter(column[record] for record in group) for group in self.classes]
        return sums_of_matches(self.keys, own, add) if self.rule == ANYTHING else own


def alike_of(cells: Cells, rule: str = OWN) -> Alike:
    """Return which records count as alike by a rule. Raises InvalidParameter."""
    check_one_of(rule, RULES, "the rule for missing cells is")
    columns = cells.columns
    if rule == ANYTHING:  # a suppressed cell is a missing one
        columns = tuple([0 if c == SUPPRESSED else c for c in column] for column in columns)
    members = by_key((key, record) for record, key in enumerate(zip(*columns, strict=True)))
    gone = [key for key in members if rule == LEFT_OUT and max(key) <= SUPPRESSED]
    left_out = tuple(sorted(record for key in gone for record in members.pop(key)))
    keys, classes = tuple(members), tuple(map(tuple, members.values()))
    own = list(map(len, classes))
    frequencies = sums_of_matches(keys, own, add) if rule == ANYTHING else own
    return Alike(cells.names, rule, classes, keys, tuple(frequencies), left_out)


def alike_of_partition(names: Sequence[str], partition: Partition) -> Alike:
    """Return the groups of a partition as combinations.

    None of them lacks a cell.
    """
    keys = tuple((number + SUPPRESSED + 1,) for number in range(partition.number))
    sizes = tuple(map(len, partition.groups))
    return Alike(tuple(names), OWN, partition.groups, keys, sizes)


def sums_of_matches(keys: Sequence[Key], own: Sequence[T], plus: Callable[[T, T], T]) -> list[T]:
    """Return for each key the sum over all keys it matches.

    It matches the keys that it could be equal to. Keys are compared pattern of missing cells by
    pattern: those of two patterns on the columns that both have, by a dictionary, which takes time
    proportional to keys times patterns.
    """
    found = list(own)
    for ours, theirs, shared in _pairs_of_patterns(keys):
        here, there = ([shared(keys[i]) for i in part] for part in (ours, theirs))
        from_us, from_them = _sums(here, ours, own, plus), _sums(there, theirs, own, plus)
        for part, places, sums in ((ours, here, from_them), (theirs, there, from_us)):
            for number, place in zip(part, places, strict=True):
                if place in sums:
                    found[number] = plus(found[number], sums[place])
    return found


def _sums(
    places: Sequence[Hashable], numbers: Sequence[int], own: Sequence[T], plus: Callable[[T, T], T]
) -> dict[Hashable, T]:
    sums: dict[Hashable, T] = {}
    for place, number in zip(places, numbers, strict=True):
        sums[place] = plus(sums[place], own[number]) if place in sums else own[number]
    return sums


def _pairs_of_patterns(
    keys: Sequence[Key],
) -> Iterator[tuple[list[int], list[int], Callable[[Key], object]]]:
    """Yield the numbers of the keys of two patterns.

    With them comes the function that takes the cells that both patterns have.
    """
    there = (tuple(code > SUPPRESSED for code in key) for key in keys)
    patterns = by_key((pattern, number) for number, pattern in enumerate(there))
    for (first, ours), (second, theirs) in combinations(patterns.items(), 2):
        both = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a and b]
        yield ours, theirs, itemgetter(*both) if both else lambda _: ()


def _match(key: Key, other: Key) -> bool:
    return all(a == b or min(a, b) <= SUPPRESSED for a, b in zip(key, other, strict=True))
