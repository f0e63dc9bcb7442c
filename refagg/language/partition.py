"""Records, groups and partitions: the words that everything else is written in.

A record is named by its position in the table, counted from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from refagg.errors import InvalidK, InvalidPartition, KTooLarge
from refagg.language.event import Event
from refagg.language.number_texts import index_of, shortened
from refagg.notebook import Overview, Tabulated, bars

Record = int
Group = tuple[Record, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Partition(Tabulated):
    """A partition of the records 0 .. n-1 into non-empty groups.

    Groups hold their records in ascending order and are listed by their first
    record, so that two partitions are equal when they group alike.

    >>> import refagg
    >>> refagg.Partition.of([[3, 1], [2, 0]]).groups
    ((0, 2), (1, 3))
    """

    groups: tuple[Group, ...]
    trace: Sequence[Event] = field(default=(), compare=False, repr=False)
    """The steps of the run that formed them, where they were asked for; as text, sentences."""

    def overview(self) -> Overview:
        """Return the overview that notebooks show.

        Its table has the number of each record's group.
        """
        return Overview(
            f"Partition of {self.n} records: {', '.join(map(set_text, self.groups[:40]))}",
            lambda: {"record": range(self.n), "group": self.labels()},
            bars({f"groups of {size}": count for size, count in self.sizes().items()}, "groups"),
            listed=False,
        )

    @staticmethod
    def of(groups: Iterable[Iterable[Record]], n: int | None = None) -> Partition:
        """Check the groups and put them in order.

        `n` is the number of records; without it, the groups must cover 0 .. n-1
        for the number of records that they hold.
        Raises InvalidPartition with the record that is at fault.
        """
        ordered = sorted(tuple(sorted(group)) for group in groups)
        if ordered and not ordered[0]:
            raise InvalidPartition("a group has no record; every group needs at least one")
        members = sum(map(len, ordered))
        total = members if n is None else n
        seen = bytearray(total)
        for record in chain.from_iterable(ordered):
            if not 0 <= record < total:
                raise InvalidPartition(
                    f"record {record} is in a group, but the records are 0 to {total - 1}"
                )
            if seen[record]:
                raise InvalidPartition(f"record {record} is in two groups, or twice in one")
            seen[record] = 1
        if members < total:
            raise InvalidPartition(f"record {seen.index(0)} is in no group")
        return Partition(tuple(ordered))

    @staticmethod
    def from_labels(labels: Sequence[Hashable]) -> Partition:
        """The partition in which records with equal labels share a group.

        >>> import refagg
        >>> refagg.Partition.from_labels("abab").groups
        ((0, 2), (1, 3))
        """
        members: dict[Hashable, list[Record]] = {}
        for record, label in enumerate(labels):
            members.setdefault(label, []).append(record)
        return Partition(tuple(map(tuple, members.values())))

    @property
    def n(self) -> int:
        """The number of records."""
        return sum(map(len, self.groups))

    @property
    def number(self) -> int:
        """Return the number of groups."""
        return len(self.groups)

    def first_smallest(self) -> Group:
        """The records of the first of the smallest groups."""
        return min(self.groups, key=len)

    def labels(self) -> list[int]:
        """Return for each record the position of its group in `groups`."""
        labels = [0] * self.n
        for number, group in enumerate(self.groups):
            for record in group:
                labels[record] = number
        return labels

    def sizes(self) -> dict[int, int]:
        """Return the number of groups of each size, by size."""
        return dict(sorted(Counter(map(len, self.groups)).items()))

    def smallest(self) -> int:
        """The size of the smallest group: the k that the partition reaches."""
        return min(map(len, self.groups))

    def largest(self) -> int:
        """The size of the largest group."""
        return max(map(len, self.groups))


def set_text(records: Iterable[Record], most: int = 20) -> str:
    """Format a set of records in ascending order.

    At most `most` of them are written out.

    >>> set_text([4, 2]), set_text(range(100), 3)
    ('{2, 4}', '{0, 1, 2 and 97 more}')
    """
    ordered = sorted(records)
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return f"{{{', '.join(map(str, ordered[:most]))}{more}}}"


def check_k(k: object, n: int, where: str = "the table") -> int:
    """Return k as an int.

    Raises InvalidK unless k is an integer of at least 1, and KTooLarge if k > n. An integer of
    another library, as `numpy.int64(3)`, is one.
    """
    size = k if type(k) is int else None
    if size is None and not isinstance(k, bool):
        size = index_of(k)
    if size is None:
        raise InvalidK(f"k is {shortened(k)}; it must be an integer of at least 1")
    if size < 1:
        raise InvalidK(f"k is {shortened(k)}; it must be at least 1")
    if size > n:
        records = "1 record" if n == 1 else f"{n} records"
        raise KTooLarge(
            f"k is {shortened(k)}, but {where} has only {records}; k can be at most {n}"
        )
    return size
