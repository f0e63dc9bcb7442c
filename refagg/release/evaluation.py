"""The loss of given groups: SSE, SST, information loss and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from refagg.errors import InvalidPartition
from refagg.language.lists import check_labels, listed
from refagg.language.number_texts import digits_of, index_of
from refagg.language.partition import Partition, check_k
from refagg.notebook import Overview, Tabulated, bars
from refagg.options.fields import given_options, keywords, only, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.scales import scaled_and_measure
from refagg.release.measures import information_loss, loss_within

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import EvaluateOptions

Groups = Partition | Sequence[Any]
"""A partition, its groups as lists of record numbers from 0, or a label for each record."""


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Tabulated):
    """Some groups of records in numbers; losses are exact."""

    k: int
    partition: Partition
    sse: Fraction
    """The sum of squared differences to the groups' means; of kinds, the dissimilarity within."""
    sst: Fraction
    """The same for one group of all records."""

    def overview(self) -> Overview:
        """Return what notebooks show."""
        return Overview(
            f"Evaluation, k = {self.k}: {self}",
            lambda: {"size": list(self.sizes), "groups": list(self.sizes.values())},
            bars({f"groups of {size}": count for size, count in self.sizes.items()}, "groups"),
        )

    @property
    def information_loss(self) -> Fraction | None:
        """100 SSE / SST, in percent; None where all records are equal."""
        return information_loss(self.sse, self.sst) if self.sst else None

    @property
    def sizes(self) -> dict[int, int]:
        """Return the number of groups of each size."""
        return self.partition.sizes()

    @property
    def k_anonymous(self) -> bool:
        """Return True if every group has at least k records."""
        return self.partition.smallest() >= self.k

    def __str__(self) -> str:
        sizes = ", ".join(f"{count} of {size}" for size, count in self.sizes.items())
        loss = self.information_loss
        share = "undefined (all records are equal)" if loss is None else f"{digits_of(loss, 10)} %"
        return f"groups: {sizes}; SSE {digits_of(self.sse, 10)}, information loss {share}"


OPTIONS = {
    **only(options_of(Grouping), "standardise", "weights", "dissimilarity", "similarity"),
    **only(options_of(Layout), "kinds"),
}
"""The keywords of `evaluate`."""


@keywords(OPTIONS)
def evaluate(
    rows: object, groups: Groups, k: SupportsIndex, **options: Unpack[EvaluateOptions]
) -> Evaluation:
    """The loss of groups of records, however they were formed.

    `rows` is n records of p attributes, as for every algorithm; `standardise` the scale on which
    losses are measured. With `kinds`, losses are dissimilarities within groups.
    Raises InvalidK, KTooLarge, InvalidPartition (which names the record), and what `table_of`
    and `table_of_kinds` raise.

    >>> import refagg
    >>> made = refagg.evaluate([[1], [2], [3], [10], [11], [12]], [[0, 1, 2], [3, 4, 5]], k=3)
    >>> made.sizes, made.k_anonymous, f"{float(made.information_loss):.4f}"
    ({3: 2}, True, '3.1873')

    Options
    -------
    OPTIONS
    """
    given = given_options(options, OPTIONS, "evaluate")
    scaled, by = scaled_and_measure(rows, {**given, "groups": groups}, OPTIONS)
    partition = partition_of(groups, scaled.n)
    lost = loss_within(scaled, partition.groups, by)
    total = loss_within(scaled, [range(scaled.n)], by)
    return Evaluation(check_k(k, scaled.n), partition, lost, total)


def partition_of(groups: Groups, n: int) -> Partition:
    """The partition of n records that groups or labels describe. Raises InvalidPartition."""
    if isinstance(groups, Partition):
        return Partition.of(groups.groups, n)
    hint = "give lists of record numbers, or a list with a label for each record"
    given = list(groups) if isinstance(groups, str) else listed(groups, "the partition is", hint)
    items = [item.tolist() if hasattr(item, "tolist") else item for item in given]
    if items and all(isinstance(item, Sequence) and not isinstance(item, str) for item in items):
        return Partition.of([list(map(_record, group)) for group in items], n)
    if len(items) != n:
        raise InvalidPartition(f"there are {len(items)} labels for {n} records")
    check_labels(items, "label", InvalidPartition)
    return Partition.from_labels(items)


def _record(given: object) -> int:
    if (record := index_of(given)) is None:
        raise InvalidPartition(f"a group holds {given!r}; records are integers from 0")
    return record
