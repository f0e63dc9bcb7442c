"""What anybody's groups lose: SSE, SST, information loss and sizes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refagg.data.frames import frame_of_data
from refagg.data.standardise import standardise as on_scale
from refagg.data.tables import table_of
from refagg.errors import InvalidPartition
from refagg.language.partition import Partition, check_k
from refagg.release.general import loss_of
from refagg.release.measures import information_loss, sse, sst

Groups = Partition | Sequence[Sequence[int]] | Sequence[Hashable]
"""A partition, its groups as lists of record numbers from 0, or a label for each record."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Some groups of records in numbers; losses are exact."""

    k: int
    partition: Partition
    sse: Fraction
    """The sum of squared differences to the groups' means; of kinds, the dissimilarity within."""
    sst: Fraction
    """The same for one group of all records."""

    @property
    def information_loss(self) -> Fraction | None:
        """100 SSE / SST, in percent; None where all records are equal."""
        return information_loss(self.sse, self.sst) if self.sst else None

    @property
    def sizes(self) -> dict[int, int]:
        """How many groups there are of each size."""
        return self.partition.sizes()

    @property
    def k_anonymous(self) -> bool:
        """Has every group at least k records?"""
        return self.partition.smallest() >= self.k

    def __str__(self) -> str:
        sizes = ", ".join(f"{count} of {size}" for size, count in self.sizes.items())
        loss = self.information_loss
        share = "undefined (all records are equal)" if loss is None else f"{float(loss):.10g} %"
        return f"groups: {sizes}; SSE {float(self.sse):.10g}, information loss {share}"


def evaluate(
    rows: Any,
    groups: Groups,
    k: int,
    *,
    standardise: str = "population",
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Fraction] | None = None,
    dissimilarity: Any = "oss",
) -> Evaluation:
    """What some groups of records lose, whoever formed them.

    `rows` is n records of p attributes, as for every algorithm; `standardise` the scale on which
    losses are measured. With `kinds`, losses are dissimilarities within groups.
    Raises InvalidK, KTooLarge, InvalidPartition (which names the record), and what `table_of`
    and `frame_of` raise.

    >>> made = evaluate([[1], [2], [3], [10], [11], [12]], [[0, 1, 2], [3, 4, 5]], k=3)
    >>> made.sizes, made.k_anonymous, f"{float(made.information_loss):.4f}"
    ({3: 2}, True, '3.1873')
    """
    if kinds is not None:
        frame = frame_of_data(rows, kinds)
        partition = partition_of(groups, frame.n)
        k = check_k(k, frame.n)
        return Evaluation(k, partition, *loss_of(frame, partition, dissimilarity, weights or {}))
    scaled = on_scale(table_of(rows), standardise)
    partition = partition_of(groups, scaled.n)
    return Evaluation(check_k(k, scaled.n), partition, sse(scaled, partition), sst(scaled))


def partition_of(groups: Groups, n: int) -> Partition:
    """The partition of n records that groups or labels describe. Raises InvalidPartition."""
    if isinstance(groups, Partition):
        return Partition.of(groups.groups, n)
    listed: list[Any] = [item.tolist() if hasattr(item, "tolist") else item for item in groups]
    if listed and all(isinstance(item, Sequence) and not isinstance(item, str) for item in listed):
        return Partition.of(listed, n)
    if len(listed) != n:
        raise InvalidPartition(f"there are {len(listed)} labels for {n} records")
    return Partition.from_labels(listed)
