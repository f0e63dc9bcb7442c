"""Cutting an order of the records into groups of k, which the sorting algorithms share."""

from __future__ import annotations

from collections.abc import Sequence

from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.specification import Choice, OpenChoice
from refagg.language.ties import (
    EXACT,
    Magnitude,
    Nearest,
    Ranking,
    TiedCandidates,
    Tolerance,
    as_it_is,
    least,
    nearest,
)

FIRST = OpenChoice(
    "first",
    "2",
    "a member of the next group, where only equal values come next and not all of them fit",
    measure="value",
)
NEXT = OpenChoice("next", "2", "the next k records in the order", measure="value")
END = OpenChoice("end", "2", "a record at the end from which groups are formed", measure="value")

ORDERS = {
    "ascending": "ascending forms groups from the least value on",
    "descending": "descending from the greatest on",
    "either": "either leaves open which",
}


def order_parameter(default: str) -> Choice:
    """Which end comes first; it matters where k does not divide n."""
    return Choice(
        "order", (default, *(o for o in ORDERS if o != default)), "; ".join(ORDERS.values())
    )


def cut(
    values: Sequence[Magnitude],
    k: int,
    choices: Choices,
    order: str,
    tolerance: Tolerance = EXACT,
    chosen: bool = False,
) -> list[list[Record]]:
    """Groups of k records that are consecutive in the order of their values.

    The last group has the rest, k to 2k-1 records. Values within the tolerance are tied.
    `chosen` says that the values are themselves the outcome of a choice. If they are not, what
    follows depends on the groups formed only: these tell at which end the first was.
    """
    records = list(range(len(values)))
    if not chosen:
        choices.iteration(records)
    if order == "either":
        order = _either(values, k, choices, tolerance)
    keys = [-v for v in values] if order == "descending" else values
    # The next records are at the end of the list, where they are taken in no time.
    waiting = sorted(records, key=keys.__getitem__, reverse=True)
    groups: list[list[Record]] = []
    while len(waiting) >= 2 * k:
        if groups and not chosen:
            choices.iteration(waiting)
        window = _window(waiting, keys, k, tolerance)
        group = _next_group(window, k, choices)
        groups.append(choices.closed(group))
        taken = set(group)
        waiting += [record for record in reversed(window.items) if record not in taken]
    return [*groups, choices.closed(waiting)]


def _either(values: Sequence[Magnitude], k: int, choices: Choices, tolerance: Tolerance) -> str:
    """The order that begins at one of the two ends, each named by its lowest record.

    Where k divides n both orders can give the same groups, and no question is asked.
    """
    low = tolerance.greatest_tied(min(values))
    high = tolerance.least_tied(max(values))
    ends = [
        next(record for record, value in enumerate(values) if value <= low),
        next(record for record, value in enumerate(values) if value >= high),
    ]
    if len(values) % k and len(values) >= 2 * k and ends[0] != ends[1]:
        # Neither is nearer to being the first than the other: both have the value 0.
        first = choices.choose("end", least(Ranking(ends, [0, 0], as_it_is)))
    else:
        first = min(ends)
    return "ascending" if first == ends[0] else "descending"


def _window(
    waiting: list[Record], keys: Sequence[Magnitude], k: int, tolerance: Tolerance
) -> Ranking[Record]:
    """Take the next k records, and all that are tied with the k-th, from those that wait."""
    bound = tolerance.greatest_tied(keys[waiting[-k]])
    size = k
    while size < len(waiting) and keys[waiting[-size - 1]] <= bound:
        size += 1
    records = waiting[: -size - 1 : -1]
    del waiting[-size:]
    return Ranking(records, [keys[record] for record in records], as_it_is, tolerance)


def _next_group(window: Ranking[Record], k: int, choices: Choices) -> list[Record]:
    near = nearest(window, k)
    if near.certain or len(near.tied) == near.places:
        return list(
            choices.choose_nearest("next", near, same_group_as=min(near.certain or near.tied))
        )
    first = choices.choose("first", TiedCandidates(near.tied, near.boundary, window))
    others: Nearest[Record] = nearest(window, k - 1, without={first})
    return [first, *choices.choose_nearest("next", others, same_group_as=first)]
