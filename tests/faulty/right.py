"""The right ones: other ties, other arithmetic, other orders, other words for the same answer.

None of them may ever be accused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, pairwise
from math import fsum
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import numpy as np

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL
from refagg.catalogue import CATALOGUE
from refagg.language.random_stream import seeded
from refagg.language.ties import HIGHEST, TieBreaker, random_ties
from tests.templates import compiled_c, node_command, r_command

from . import whole
from .implementation import Groups, Implementation, Program, Rows, implementation, library, plain
from .replies import by_attribute, exact_sse, released, telling
from .right_drawn import right_drawn
from .wrong import PARTITIONING, SLOW

DETERMINISTIC = [name for name in PARTITIONING if not CATALOGUE[name].random]


def highest() -> TieBreaker:
    return HIGHEST


def anew() -> TieBreaker:
    """Ties are drawn, otherwise with every call."""
    return random_ties(seeded(SystemRandom().randrange(2**32)))


def _other_ties() -> Iterator[Implementation]:
    for claim in PARTITIONING:
        program = by_attribute(claim, library(claim, highest))
        yield implementation(f"{claim}: ties to the highest", claim, "", program)
    for claim in DETERMINISTIC:
        program = by_attribute(claim, library(claim, anew))
        yield replace(implementation(f"{claim}: ties drawn", claim, "", program), varies=True)


def _other_arithmetic() -> Iterator[Implementation]:
    for claim in PARTITIONING:
        if "float" in CATALOGUE[claim].arithmetic:
            program = by_attribute(claim, library(claim, arithmetic="float"))
            yield implementation(f"{claim}: in binary64", claim, "", program)
    for claim in DETERMINISTIC:
        name = "plain." + claim.replace("-", "_")
        if find_spec(name) and claim not in SLOW:
            program = by_attribute(claim, plain(claim))
            yield implementation(f"{claim}: the plain program", claim, "", program)


def _in_order(claim: str, order_of: Callable[[int], list[int]]) -> Program:
    """The records in another order, as the last step of which numbers are put right."""
    right = library(claim)

    def program(records: Rows, k: int, **given: Any) -> Groups:
        order = order_of(len(records))
        groups = right([records[i] for i in order], k, **given)
        return [[order[i] for i in group] for group in groups]

    return program


def _shuffled(n: int) -> list[int]:
    return Random(n).sample(range(n), n)


def _other_orders() -> Iterator[Implementation]:
    # Not V-MDAV: with its cap, which leftover fills up a group depends on the order of the records.
    for claim in ("mdav", "mdav-2k", "md", "k-ward", "hac", "mu-approx", "mhm"):
        turned = _in_order(claim, lambda n: list(range(n))[::-1])
        yield implementation(f"{claim}: from the last record to the first", claim, "", turned)
        yield implementation(f"{claim}: records shuffled", claim, "", _in_order(claim, _shuffled))


def _labelled(records: Rows, groups: Groups, k: int) -> list[int]:
    """Labels that are no small numbers."""
    return [100 - next(n for n, g in enumerate(groups) if i in g) for i in range(len(records))]


def _values32(records: Rows, groups: Groups, k: int) -> Any:
    return {"groups": groups, "sse": float(f"{exact_sse(records, groups):.6g}")}


def _other_words() -> Iterator[Implementation]:
    tell: dict[str, Callable[[Rows, Groups, int], Any]] = {
        "labels": _labelled,
        "labels in a dictionary": lambda r, g, k: {"labels": _labelled(r, g, k)},
        "groups in a dictionary": lambda r, g, k: {"groups": g},
        "tuples": lambda r, g, k: tuple(map(tuple, g)),
        "arrays of NumPy": lambda r, g, k: [np.array(x) for x in g],
        "labels as an array": lambda r, g, k: np.array(_labelled(r, g, k)),
        "groups in reverse": lambda r, g, k: [x[::-1] for x in g[::-1]],
        "means only": lambda r, g, k: {"released": released(r, g)},
        "means and groups": lambda r, g, k: {"groups": g, "released": released(r, g)},
        "means in another order of summation": lambda r, g, k: {
            "groups": g,
            "released": released(r, g, lambda v: sum(v[::-1]) / len(v)),
        },
        "an exact SSE": lambda r, g, k: {"groups": g, "sse": exact_sse(r, g)},
        "an SSE of six digits": _values32,
    }
    for words, change in tell.items():
        for claim in ("mdav", ANY_PARTITION):
            yield implementation(f"{claim}: {words}", claim, "", telling(library("mdav"), change))


def _whole_programs() -> Iterator[Implementation]:
    z = whole.by_column(whole.z_scores)
    yield implementation("mdav: a program in floats", "mdav", "", whole.program())
    for how in ("population", "sample"):
        program = whole.program(z)
        yield implementation(f"mdav: z-scores in floats, {how}", "mdav", "", program, {}, how)
    yield implementation("mdav: changes the records it is given", "mdav", "", _clumsy)
    narrow = whole.program(whole.by_column(whole.in_binary32))
    yield implementation("mdav: with NumPy", "mdav", "", lambda r, k, **g: whole.with_numpy(r, k))
    for words, order in (("backwards", _reversed), ("exactly, rounded once", _at_once)):
        program = whole.program(distance=order)
        yield implementation(f"mdav: in floats, summed {words}", "mdav", "", program)
    yield replace(
        implementation("mdav: records in binary32", "mdav", "", narrow), precision="binary32"
    )


def _reversed(a: whole.Point, b: whole.Point) -> float:
    return whole.squared(a[::-1], b[::-1])


def _at_once(a: whole.Point, b: whole.Point) -> float:
    return fsum((x - y) * (x - y) for x, y in zip(a, b, strict=True))


def _other_languages() -> Iterator[Implementation]:
    """Programs of their own, where they can be run."""
    in_r = r_command()
    mine = [in_r[0], str(Path(__file__).parent / "mdav.R")] if in_r else None
    programs = (
        ("mdav", "in JavaScript", node_command()),
        ("mdav", "in C", compiled_c()),
        ("mdav", "in R", mine),
        ("blocks-in-file-order", "in R, means only", r_command("stand-in")),
    )
    for claim, words, command in programs:
        if command:
            written = implementation(f"{claim}: {words}", claim, "", _nobody)
            yield replace(written, command=tuple(command))


def _nobody(records: Rows, k: int, **given: Any) -> Groups:
    raise AssertionError("a program of its own is not called in this process")


def _clumsy(records: Any, k: int, **given: Any) -> Groups:
    groups = whole.mdav([list(row) for row in records], k)
    for row in records:
        row[:] = [0.0] * len(row)
    records.clear()
    return groups


def _any_and_optimal() -> Iterator[Implementation]:
    programs: dict[str, Program] = {
        "one group": lambda r, k, **g: [list(range(len(r)))],
        "in turn": lambda r, k, **g: [
            list(range(len(r)))[i :: len(r) // k] for i in range(len(r) // k)
        ],
        "mdav": library("mdav"),
    }
    for words, program in programs.items():
        yield implementation(f"any partition: {words}", ANY_PARTITION, "", program)
    drawn_seeds = replace(
        implementation("any partition: drawn", ANY_PARTITION, "", _drawn), varies=True
    )
    yield drawn_seeds
    yield implementation("optimal: Hansen-Mukherjee", OPTIMAL, "", library("hansen-mukherjee"))
    yield implementation(
        "optimal: ties to the highest", OPTIMAL, "", library("hansen-mukherjee", highest)
    )
    yield implementation(
        "optimal: a path in floats, centred",
        OPTIMAL,
        "",
        lambda r, k, **g: whole.shortest_path(r, k),
    )
    yield implementation("optimal: by trying cuts", OPTIMAL, "", _by_trying)


def _drawn(records: Rows, k: int, **given: Any) -> Groups:
    order = SystemRandom().sample(range(len(records)), len(records))
    count = len(order) // k
    return [order[i::count] for i in range(count)]


def _by_trying(records: Rows, k: int, **given: Any) -> Groups:
    """All ways to cut the sorted values, where they are few; else the path."""
    n = len(records)
    if n > 14:
        return whole.shortest_path(records, k)
    order = sorted(range(n), key=lambda i: records[i][0])
    best: tuple[float, Groups] | None = None
    for count in range(n // k):
        for cuts in combinations(range(k, n - k + 1), count):
            ends = [0, *cuts, n]
            groups = [order[a:b] for a, b in pairwise(ends)]
            if min(map(len, groups)) >= k:
                cost = exact_sse(records, groups)
                if best is None or cost < best[0]:
                    best = cost, groups
    return best[1] if best else [order]


RIGHT: tuple[Implementation, ...] = (
    *_other_ties(),
    *_other_arithmetic(),
    *_other_orders(),
    *_other_words(),
    *_whole_programs(),
    *_any_and_optimal(),
    *_other_languages(),
    *right_drawn(),
)
