"""Cutting an order of records into groups of k.

The sorting algorithms share it.
"""

from __future__ import annotations

from refagg.cursors.sorted import Sorted
from refagg.language.specification import OpenChoice, Parameter, choice

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


def order_parameter(default: str) -> Parameter:
    """Return the parameter of the end where the first group is.

    It matters where k does not divide n.
    """
    return choice(
        "order", (default, *(o for o in ORDERS if o != default)), "; ".join(ORDERS.values())
    )


def groups_of_k(S: Sorted, k: int) -> None:
    """Form groups of k consecutive records, while 2k are left."""
    while len(S) >= 2 * k:
        S.group("first", "next", k)
    S.rest()
