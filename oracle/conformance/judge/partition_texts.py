"""Partitions as short texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refagg.language.partition import Partition


def partition_text(groups: Iterable[Sequence[int]]) -> str:
    """The groups on one line.

    >>> partition_text([(0, 2), (1, 3)])
    '0 2 | 1 3'
    """
    return " | ".join(" ".join(map(str, group)) for group in groups)


def partition_of_text(text: str) -> Partition:
    """The partition that such a line says. Raises InvalidPartition, ValueError.

    >>> partition_of_text("0 2 | 1 3").groups
    ((0, 2), (1, 3))
    """
    return Partition.of([list(map(int, group.split())) for group in text.split("|")])
