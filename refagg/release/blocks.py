"""Blocks of attributes and strata of records, as they are given.

An algorithm runs on each block by itself, and in each stratum by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from refagg.errors import InvalidBlocks, InvalidParameter, NotUnivariate, ShapeMismatch
from refagg.language.lists import by_key, check_labels, check_one_of, listed
from refagg.language.number_texts import shortened
from refagg.language.partition import check_k
from refagg.language.specification import Specification, parameters_of


def blocks_for(
    spec: Specification, blocks: Sequence[Sequence[str]] | None, names: Sequence[str]
) -> list[list[str]]:
    """Return the blocks of attributes that an algorithm runs on.

    They are those given, or its usual ones. Raises InvalidBlocks, and NotUnivariate for more
    attributes in one than it can work with.
    """
    if blocks is None and spec.attributes == "each":
        return [[name] for name in names]
    chosen = [list(names)] if blocks is None else named_blocks(blocks)
    check_blocks(chosen, names)
    for block in chosen:
        if len(block) > 1 and spec.attributes != "any":
            raise NotUnivariate(
                f"{spec.name} works on one attribute, but is given {', '.join(block)}; "
                "choose one, or make each a block of its own"
            )
    return chosen


def check_blocks(blocks: Sequence[Sequence[str]], names: Sequence[str]) -> None:
    """Raise InvalidBlocks unless the blocks partition the attribute names."""
    every = [name for block in blocks for name in block]
    times = Counter(name for name in every if isinstance(name, str))
    known = dict.fromkeys(names)
    for name in every:
        check_one_of(name, known, "a block names", InvalidBlocks, "the attributes are")
        if times[name] > 1:
            raise InvalidBlocks(f"attribute {name!r} is in two blocks, or twice in one")
    for name in names:
        if name not in times:
            raise InvalidBlocks(f"attribute {name!r} is in no block")
    if not all(blocks):
        raise InvalidBlocks("a block names no attribute")


def named_blocks(blocks: object) -> list[list[str]]:
    """Return the names in each block.

    Raises InvalidBlocks for anything but lists of names.
    """
    expected = "give a list of names for each block, as [['a', 'b'], ['c']]"
    return [
        listed(block, f"block {number} is", expected, InvalidBlocks)
        for number, block in enumerate(listed(blocks, "blocks are", expected, InvalidBlocks), 1)
    ]


def numbered_parameters(
    spec: Specification, given: Mapping[str, object], names: Sequence[str]
) -> dict[str, object]:
    """Return parameters with the numbers of attributes.

    They count among all attributes, or among those in each block. Raises InvalidParameter for one
    that has to be stated and is not, UnknownColumn, InvalidBlocks.
    """
    if given["blocks"]:
        names = list(map(str, range(max(map(len, named_blocks(given["blocks"]))))))
    return spec.stated(parameters_of(given["parameters"]), names)


def strata_members(
    strata: Sequence[Hashable] | None, n: int, k: int
) -> list[tuple[str, list[int]]]:
    """Return the name and records of each stratum.

    Without strata there is one of all records. Raises ShapeMismatch, and KTooLarge for a stratum of
    fewer than k records.
    """
    if strata is None:
        return [("", list(range(n)))]
    labels = labels_of(strata, n, "strata labels")
    check_labels(labels, "stratum", InvalidParameter)
    members = by_key((label, record) for record, label in enumerate(labels))
    for label, records in members.items():
        check_k(k, len(records), f"stratum {label!r}")
    return [(str(label), records) for label, records in members.items()]


def labels_of(labels: object, n: int, what: str) -> list[object]:
    """Labels of n records, as a list. Raises ShapeMismatch, InvalidParameter."""
    what = what.replace("_", " ")
    column = f", as data[{shortened(labels)}] is" if isinstance(labels, str) else ""
    found = listed(labels, f"the {what} are", f"give a list with one for each record{column}")
    if len(found) != n:
        raise ShapeMismatch(f"there are {len(found)} {what} for {n} records")
    return found
