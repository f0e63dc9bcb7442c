"""`python -m tests.benchmarks.hunt [SECONDS] [SEED] [NAME ...]`: does a hunt accuse who is right?

Each correct implementation is hunted for so many seconds: refagg itself in floats and with other
ways of breaking ties, the independent implementations of tests/plain, MDAV in binary32 and
with other orders of summation, and the programs in JavaScript and C that are to be copied. Prints
how many questions were asked, and whatever was found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any

from oracle.conformance.hunting.findings_report import hunt_lines
from oracle.conformance.hunting.hunt import Hunt, run_hunt
from oracle.conformance.hunting.strategies import wanted
from oracle.conformance.judge.model import Adapter
from oracle.conformance.serve import own
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program
from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.language.ties import HIGHEST, LOWEST, random_ties
from tests.templates import compiled_c, node_command

Groups = list[list[int]]


@dataclass(frozen=True, slots=True)
class Correct:
    """An implementation that is right, and what it claims."""

    name: str
    claim: str
    adapter: Adapter
    how: dict[str, Any] = field(default_factory=dict)


MANY = 10**6
"""Questions, more than any hunt asks in its time."""


def correct() -> Iterator[Correct]:
    """All that are hunted."""
    for name, spec in CATALOGUE.items():
        if spec.yields != "partition" or spec.attributes == "each":
            continue
        if spec.random:
            yield Correct(f"{name}, own", name, own, {"seed": 7})
            continue
        for how, adapter in (
            ("lowest", LOWEST),
            ("highest", HIGHEST),
            ("drawn", random_ties(seeded(3))),
        ):
            ties = partial(by_refagg, name, adapter)
            varies = {"may_vary": True} if how == "drawn" else {}
            yield Correct(f"{name}, floats, {how}", name, Function(ties), varies)
        if (twin := twin_of(name)) is not None:
            yield Correct(f"{name}, plain", name, Function(partial(by_twin, name, twin)))
    yield Correct("optimal, own", "optimal", own)
    yield from in_floats()
    yield from programs()


def in_floats() -> Iterator[Correct]:
    """MDAV as people write it."""
    mine: tuple[tuple[str, Callable[..., Groups], str], ...] = (
        ("naive floats", mdav_in_floats, "binary64"),
        ("floats, summed backwards", partial(mdav_in_floats, backwards=True), "binary64"),
        ("binary32", mdav_in_binary32, "binary32"),
    )
    for name, function, precision in mine:
        yield Correct(f"mdav, {name}", "mdav", Function(function), {"precision": precision})


def programs() -> Iterator[Correct]:
    """The programs to be copied, where they can be run."""
    for name, command in (("JavaScript", node_command()), ("C", compiled_c())):
        if command is not None:
            yield Correct(f"mdav, {name}", "mdav", Program(command))


def by_refagg(name: str, ties: Any, records: list[list[float]], k: int) -> Groups:
    """In binary64, or exactly where there is no other arithmetic."""
    spec = CATALOGUE[name]
    space = (float_space if "float" in spec.arithmetic else exact_space)(records)
    partition = spec.run(space, k, Choices(ties), **spec.settings({}))
    return [list(group) for group in partition.groups]


def twin_of(name: str) -> Callable[..., Groups] | None:
    """The independent implementation, if there is one."""
    try:
        module = import_module(f"plain.{name.replace('-', '_')}")
    except ImportError:
        return None
    found: Callable[..., Groups] = module.partition
    return found


def by_twin(name: str, twin: Callable[..., Groups], records: list[list[float]], k: int) -> Groups:
    settings = CATALOGUE[name].settings({})
    return twin([[Fraction(x) for x in row] for row in records], k, **settings)


def mdav_in_floats(records: list[list[float]], k: int, backwards: bool = False) -> Groups:
    """Sums of values as they are, differences squared, the first of equals."""
    step = -1 if backwards else 1

    def gap(p: Sequence[float], q: Sequence[float]) -> float:
        return sum([(x - y) ** 2 for x, y in zip(p, q, strict=True)][::step])

    def farthest(q: Sequence[float]) -> int:
        return max(left, key=lambda i: gap(records[i], q))

    def middle() -> list[float]:
        columns = zip(*[records[i] for i in left][::step], strict=True)
        return [sum(column) / len(left) for column in columns]

    def close(seed: int, without: int | None = None) -> None:
        others = [i for i in left if i not in (seed, without)]
        others.sort(key=lambda i: gap(records[i], records[seed]))
        groups.append([seed, *others[: k - 1]])
        left[:] = [i for i in left if i not in groups[-1]]

    left, groups = list(range(len(records))), list[list[int]]()
    while len(left) >= 3 * k:
        r = farthest(middle())
        s = max((i for i in left if i != r), key=lambda i: gap(records[i], records[r]))
        close(r, s)
        close(s)
    if len(left) >= 2 * k:
        close(farthest(middle()))
    return [*groups, left]


def mdav_in_binary32(records: list[list[float]], k: int) -> Groups:
    """All values and sums are numbers of binary32."""
    import numpy

    return mdav_in_floats([[numpy.float32(x) for x in row] for row in records], k)


def hunted(one: Correct, seconds: float, seed: int = 0, tries: int = MANY) -> Hunt:
    """A hunt for everything in one of them."""
    how = dict(one.how)
    may_vary = how.pop("may_vary", None)
    return run_hunt(
        one.adapter,
        wanted(one.claim, **how),
        budget=seconds,
        seed=seed,
        tries=tries,
        every=True,
        may_vary=may_vary,
    )


def main(arguments: Sequence[str]) -> None:
    seconds = float(arguments[0]) if arguments else 5.0
    seed = int(arguments[1]) if len(arguments) > 1 else 0
    asked = accused = 0
    for one in correct():
        if arguments[2:] and not any(name in one.name for name in arguments[2:]):
            continue
        result = hunted(one, seconds, seed)
        asked += result.tries
        accused += len(result.findings)
        print(f"{one.name}: {result.tries} questions, {result.statuses}", flush=True)
        if result.findings:
            print("\n".join(hunt_lines(result)))
    print(f"{asked} questions, {accused} accusations")


if __name__ == "__main__":
    main(sys.argv[1:])
