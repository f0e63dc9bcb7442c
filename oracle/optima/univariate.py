"""The optimum for one attribute, by Hansen and Mukherjee's shortest path.

S. L. Hansen, S. Mukherjee, A polynomial algorithm for optimal univariate microaggregation,
IEEE Transactions on Knowledge and Data Engineering 15 (2003). The SSE of runs is that of
`refagg.engine.runs`, which the algorithm `hansen-mukherjee` of the catalogue takes as well; here
are values of any size, other limits on sizes, and no ties.

Some optimal partition has groups that are consecutive in the order of the values, and
none needs more than 2k-1 records: a larger group can be divided at no cost. The least SSE of
the first j values in that order is thus the least, over the k sizes m that the last group
can have, of the least SSE of the first j-m values and the SSE of that group. After
sorting this takes O(k n) time.

Of several optimal partitions the one is taken whose last group, that of the greatest values,
is smallest; then the one whose last group but one is smallest; and so on. Equal values
count in the order of their record numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from oracle.optima.problem import checked_sizes
from refagg.data.tables import Column
from refagg.engine.runs import Runs, of_whole_numbers
from refagg.errors import NotANumber
from refagg.language.number_texts import index_of
from refagg.language.partition import Partition, Record, check_k
from refagg.language.ties import Magnitude


def optimal_univariate(values: Sequence[int], k: int, largest: int | None = None) -> Partition:
    """Return the optimal partition of one attribute, exactly.

    It has the least SSE of all partitions into groups of `k` to `largest` records. `largest` is by
    default 2k-1, and no optimum needs more. Values may have any number of digits. Raises InvalidK,
    KTooLarge, InvalidParameter, NoPartition, NotANumber.

    >>> optimal_univariate([60, 20, 7, 11, 50, 10, 51], 3).groups
    ((0, 4, 6), (1, 2, 3, 5))
    """
    sizes = _sizes(len(values), k, largest)
    numbers = _whole(values)
    order = _order(numbers)
    runs, _ = of_whole_numbers([numbers[record] for record in order], sizes)
    return _divided(order, _last(runs, len(order), k))


def optimal_column(column: Column, k: int, largest: int | None = None) -> Partition:
    """Return the optimum for a column of a table, exactly; as `optimal_univariate`."""
    return optimal_univariate(column.numerators, k, largest)


def least_deviation(column: Column, k: int, largest: int | None = None) -> Partition:
    """Return the least sum of absolute deviations from the groups' medians, exactly.

    Of two groups, to exchange a value of the one with the lower median for a lower value of the
    other costs nothing, and a division costs nothing: some optimal partition has consecutive groups
    of fewer than 2k records again. Of several the one is taken whose last group is smallest, and so
    on, as for the SSE. Raises as `optimal_univariate`.
    """
    sizes = _sizes(len(column.numerators), k, largest)
    order = _order(column.numerators)
    sums = [0, *accumulate(column.numerators[record] for record in order)]
    best: list[int | None] = [0] + [None] * (k - 1)
    last = [k] * len(sums)
    for j in range(k, len(sums)):
        paths = [
            (before + _deviation(sums, j - m, j), m)
            for m in sizes[: j - k + 1]
            if (before := best[j - m]) is not None
        ]
        cost, last[j] = min(paths, default=(None, k))
        best.append(cost)
    return _divided(order, last)


def _last(runs: Runs, n: int, k: int) -> list[int]:
    """Return the size of the last run for each node.

    The run is the last one on a shortest path to the node, the smallest of several.
    """
    best: list[Magnitude | None] = [0] + [None] * (k - 1)
    last = [k] * (n + 1)
    for j in range(k, n + 1):
        paths = [(before + sse, m) for m, sse in runs(j) if (before := best[j - m]) is not None]
        cost, last[j] = min(paths, default=(None, k))
        best.append(cost)
    return last


def _deviation(sums: Sequence[int], start: int, end: int) -> int:
    """Return the deviation of the values from start to end.

    It is the sum of the upper half less that of the lower.
    """
    half = (end - start) // 2
    return sums[end] - sums[end - half] - (sums[start + half] - sums[start])


def _sizes(n: int, k: int, largest: int | None) -> range:
    """Return the possible group sizes of an optimum.

    The request is checked first.
    """
    check_k(k, n)
    needed = 2 * k - 1
    sizes = checked_sizes(n, k, needed if largest is None else largest)
    return range(k, min(sizes[-1], needed) + 1)


def _whole(values: Sequence[int]) -> list[int]:
    """Return the values as Python's int, which alone cannot overflow."""
    numbers = []
    for record, value in enumerate(values):
        number = index_of(value)
        if number is None:
            raise NotANumber(f"record {record} is {value!r}, not an integer")
        numbers.append(number)
    return numbers


def _order(numbers: Sequence[float]) -> list[Record]:
    """Return the records by value, those of equal values by number."""
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _divided(order: Sequence[Record], last: Sequence[int]) -> Partition:
    """Return the partition with these sizes of the last groups.

    `last` holds the size of the last group at every end.
    """
    groups = []
    end = len(order)
    while end > 0:
        groups.append(order[end - last[end] : end])
        end -= last[end]
    return Partition.of(groups, len(order))
