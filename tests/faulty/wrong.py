"""The wrong ones: every algorithm's with faults put into it, and whole programs.

`WRONG` are all of them. `lines()` makes more of the changed lines of tests/planted.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from random import Random, SystemRandom
from statistics import variance
from typing import Any
from zlib import crc32

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL
from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE, specification
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.planted.catch_fuzzy import released_by
from tests.planted.catch_noise import noisy
from tests.planted.mutant import Mutant
from tests.planted.mutants import MUTANTS

from . import faults as f
from . import whole
from .implementation import (
    Groups,
    Implementation,
    Program,
    Rows,
    implementation,
    library,
    plain,
    settings_of,
)
from .noise_programs import wrong_noise
from .replies import (
    SHAPES,
    SSES,
    VALUES,
    by_attribute,
    exact_sse,
    only_values,
    telling,
    with_sse,
    with_values,
)
from .wrong_fuzzy import wrong_fuzzy

PARTITIONING = [name for name, spec in CATALOGUE.items() if spec.yields == "partition"]

PAIRS = (
    (f.LATE_REST, f.EXCHANGED),
    (f.DUPLICATES, f.EXCHANGED),
    (f.NEGATIVE, f.EXCHANGED),
    (f.BEYOND_BINARY32, f.EXCHANGED),
    (f.EXACTLY_2K, f.EXCHANGED),
    (f.BELOW_2K, f.SPLIT),
    (f.EXACTLY_3K, f.MOVED),
    (f.BELOW_3K, f.MERGED),
    (f.LARGE_K, f.DROPPED),
    (f.MULTIPLE, f.ROTATED),
    (f.CONSTANT, f.SPLIT),
    (f.ONE_ATTRIBUTE, f.AS_SORTED),
    (f.SORTED, f.EXCHANGED),
    (f.MANY, f.REPEATED),
    (f.FRACTIONS, f.EXCHANGED),
    (f.ALL_NEGATIVE, f.EXCHANGED),
)
EACH = 5
"""So many of the pairs are put into each algorithm, from a place that its name determines."""


def base(claim: str) -> Program:
    """The right program that faults are put into: the plain one, if there is one."""
    name = "plain." + claim.replace("-", "_")
    return plain(claim) if find_spec(name) and claim not in SLOW else library(claim)


SLOW = {
    "clustmcdpca",
    "clustpca",
    "clustpppca",
    "genetic",
    "hac",
    "kshc",
    "mu-approx",
    "one-step",
    "two-step",
}
"""Their plain programs take too long, or draw from a random stream of their own."""


def _faulty(claim: str, when: f.When, fault: f.Fault, program: Program) -> Implementation:
    words = f"{fault.words}, {when.words}"
    return implementation(f"{claim}: {words}", claim, words, f.faulty(program, when, fault))


def _in_every_algorithm() -> Iterator[Implementation]:
    for claim in PARTITIONING:
        first = crc32(claim.encode())
        for turn in range(first, first + EACH):
            when, fault = PAIRS[turn % len(PAIRS)]
            made = _faulty(claim, when, fault, base(claim))
            program = by_attribute(claim, made.program)
            yield implementation(made.name, claim, made.flaw, program, STRICT.get(claim, {}))


STRICT = {"mu-approx": {"order": "shortest"}}
"""What is asked where nearly every partition is possible by default."""


def _told_wrongly() -> Iterator[Implementation]:
    """Values, SSE and shapes, each with another claim."""
    claims = ["mdav", "md", "v-mdav", "k-ward", ANY_PARTITION]
    turn = count()
    for words, values in VALUES:
        claim = claims[next(turn) % len(claims)]
        tell = (only_values if next(turn) % 3 else with_values)(values)
        yield implementation(f"{claim}: {words}", claim, words, telling(_known(claim), tell))
    for words, claimed in SSES:
        claim = claims[next(turn) % len(claims)]
        yield implementation(
            f"{claim}: {words}", claim, words, telling(_known(claim), with_sse(claimed))
        )
    for words, change in SHAPES:
        claim = claims[next(turn) % len(claims)]
        yield implementation(f"{claim}: {words}", claim, words, telling(_known(claim), change))


def _known(claim: str) -> Program:
    return base("mdav" if claim == ANY_PARTITION else claim)


def _wrong_mdav() -> Iterator[Implementation]:
    """Whole programs that claim to be MDAV, or MDAV on z-scores."""
    column = whole.by_column
    raw: dict[str, Program] = {
        "distances add differences, not squares": whole.program(distance=whole.city),
        "the largest difference counts as distance": whole.program(distance=whole.chessboard),
        "distances forget the signs of values": whole.program(distance=whole.unsigned),
        "distances by the expanded square": whole.program(distance=whole.expanded),
        "the median is the centre": whole.program(middle=whole.median_point),
        "the first attribute is ignored": whole.program(lambda rows: [r[1:] or r for r in rows]),
        "the last attribute is ignored": whole.program(lambda rows: [r[:-1] or r for r in rows]),
        "values are rounded to binary32": whole.program(column(whole.in_binary32)),
        "values are cut to whole numbers": whole.program(column(whole.whole)),
        "values wrap around at 16 bits": whole.program(column(whole.in_16_bits)),
        "negative values count as 0": whole.program(column(whole.not_negative)),
        "values are replaced by their ranks": whole.program(column(whole.ranks)),
        "values are cubed": whole.program(column(whole.cubes)),
        "records are standardised though they should not be": whole.program(column(whole.z_scores)),
        "groups of k+1": lambda r, k, **g: whole.mdav(r, min(k + 1, len(r))),
        "groups of k-1": lambda r, k, **g: whole.mdav(r, max(k - 1, 1)),
        "k is 3, whatever is asked": lambda r, k, **g: whole.mdav(r, 3),
        "records are taken in the order of their first attribute": _numbered_anew,
        "equal records are one record": _distinct,
        "one call in five draws its groups": _sometimes_drawn,
        "x_r is drawn": _drawn_ends,
        "the groups of an earlier table of the same size": _remembering(),
    }
    for words, program in raw.items():
        yield implementation(f"mdav: {words}", "mdav", words, program)
    scaled = {
        "values are divided by the variance": whole.program(column(whole.by_variance)),
        "values are divided by their range": whole.program(column(whole.by_range)),
        "values are divided by the largest": whole.program(column(whole.by_largest)),
        "values are not standardised": whole.program(),
        "the SSE is on the scale of the divisor n-1": _sse_of_samples,
    }
    for words, program in scaled.items():
        yield implementation(f"mdav on z-scores: {words}", "mdav", words, program, {}, "population")


def _numbered_anew(records: Rows, k: int, **given: Any) -> Groups:
    return whole.mdav(sorted(records, key=lambda row: row[0]), k)


def _distinct(records: Rows, k: int, **given: Any) -> Groups:
    """Groups different records; those that are equal to one follow it."""
    rows = sorted({tuple(row) for row in records})
    if len(rows) < k:
        return [list(range(len(records)))]
    groups = whole.mdav(rows, k)
    return [
        [i for i, row in enumerate(records) if rows.index(tuple(row)) in group] for group in groups
    ]


def _blocks_of(order: list[int], k: int) -> Groups:
    cuts = len(order) // k
    groups = [order[k * i : k * (i + 1)] for i in range(cuts)]
    groups[-1] += order[k * cuts :]
    return groups


def _sometimes_drawn(records: Rows, k: int, **given: Any) -> Groups:
    random = SystemRandom()
    if random.random() < 0.8:
        return whole.mdav(records, k)
    return _blocks_of(random.sample(range(len(records)), len(records)), k)


def _drawn_ends(records: Rows, k: int, **given: Any) -> Groups:
    """Groups around records that are drawn."""
    left, groups, random = list(range(len(records))), [], SystemRandom()
    while len(left) >= 2 * k:
        seed = random.choice(left)
        left.sort(key=lambda i: (i != seed, whole.squared(records[i], records[seed])))
        groups.append(left[:k])
        left = left[k:]
    return [*groups, left]


def _remembering() -> Program:
    earlier: dict[tuple[int, int], Groups] = {}

    def program(records: Rows, k: int, **given: Any) -> Groups:
        key = len(records), k
        if key not in earlier:
            earlier[key] = whole.mdav(records, k)
        return earlier[key]

    return program


def _sse_of_samples(records: Rows, k: int, **given: Any) -> Any:
    groups = library("mdav", how="population")(records, k)
    columns = list(zip(*records, strict=True))
    scaled = [[v / variance(c) ** 0.5 if len(set(c)) > 1 else 0.0 for v in c] for c in columns]
    return {"groups": groups, "sse": exact_sse(list(zip(*scaled, strict=True)), groups)}


ANOTHER_SEED = "draws from another seed"

FEWER_CLUSTERS = {"clustpca": {"clusters": "2"}}
"""Each cluster can be sorted from either end: those of a wrong answer are too many to try, in the
time for a question, if there are eight."""


def _wrong_any() -> Iterator[Implementation]:
    programs: dict[str, Program] = {
        "the rest of fewer than k is a group": lambda r, k, **g: [
            list(range(i, min(i + k, len(r)))) for i in range(0, len(r), k)
        ],
        "the rest of fewer than k is dropped": lambda r, k, **g: [
            list(range(i, i + k)) for i in range(0, len(r) - k + 1, k)
        ],
        "one group more than there can be": lambda r, k, **g: [
            list(range(len(r)))[i :: len(r) // k + 1] for i in range(len(r) // k + 1)
        ],
        "equal records are groups": lambda r, k, **g: [str(row) for row in r],
        "groups by sign, however few": lambda r, k, **g: [int(row[0] < 0) for row in r],
        "k is 3, whatever is asked": lambda r, k, **g: whole.mdav(r, 3),
        "sizes are drawn from k-1 on": _drawn_sizes,
    }
    for words, program in programs.items():
        yield implementation(f"any partition: {words}", ANY_PARTITION, words, program)
    for when, fault in (
        (f.LATE_REST, f.SPLIT),
        (f.DUPLICATES, f.DROPPED),
        (f.NEGATIVE, f.REPEATED),
        (f.BEYOND_BINARY32, f.SPLIT),
        (f.LARGE_K, f.SPLIT),
    ):
        yield _faulty(ANY_PARTITION, when, fault, library("mdav"))


def _drawn_sizes(records: Rows, k: int, **given: Any) -> Groups:
    random, left, groups = Random(len(records)), list(range(len(records))), []
    while len(left) >= 2 * k:
        size = random.randint(max(k - 1, 1), k)
        groups.append(left[:size])
        left = left[size:]
    return [*groups, left]


def _wrong_optimal() -> Iterator[Implementation]:
    path = whole.shortest_path

    def prepared(change: Any) -> Program:
        prepare = whole.by_column(change)
        return lambda r, k, **g: path(prepare([list(row) for row in r]), k)

    def costing(cost: Any) -> Program:
        return lambda r, k, **g: whole.with_cost(r, k, cost)

    def deviations(v: list[float]) -> float:
        return sum(abs(x - v[len(v) // 2]) for x in v)

    def own_variance(v: list[float]) -> float:
        return sum((x - sum(v) / len(v)) ** 2 for x in v) / len(v)

    def textbook(v: list[float]) -> float:
        return sum(x * x for x in v) - sum(v) ** 2 / len(v)

    programs: dict[str, Program] = {
        "it is MDAV": library("mdav"),
        "it is MD": library("md"),
        "it is Ward's method": library("k-ward-univariate"),
        "it is blocks of k of the sorted values": library("individual-ranking"),
        "groups of 2k-2 at most": lambda r, k, **g: path(r, k, lambda k: max(k, 2 * k - 2)),
        "groups of k+1 at most": lambda r, k, **g: path(r, k, lambda k: k + 1),
        "values are taken for sorted": lambda r, k, **g: path(r, k, sort=False),
        "absolute deviations from the median are least": costing(deviations),
        "the sum of variances is least": costing(own_variance),
        "the sum of ranges is least": costing(lambda v: v[-1] - v[0]),
        "costs by the sum of squares, which cancels": costing(textbook),
        "values are rounded to binary32": prepared(whole.in_binary32),
        "values are sorted without their signs": prepared(lambda c: [abs(v) for v in c]),
        "values are cut to whole numbers": prepared(whole.whole),
        "values are replaced by their ranks": prepared(whole.ranks),
    }
    for words, program in programs.items():
        yield implementation(f"optimal: {words}", OPTIMAL, words, program)
    for when, fault in PAIRS[:5]:
        yield _faulty(OPTIMAL, when, fault, library("hansen-mukherjee"))


def _wrong_draws() -> Iterator[Implementation]:
    """Algorithms that draw, from another random stream than that of the seed."""

    def other(claim: str) -> Program:
        right = library(claim)
        return lambda r, k, **g: right(r, k, **{**g, "seed": (g.get("seed") or 0) + 1})

    def fresh(claim: str) -> Program:
        right = library(claim)
        return lambda r, k, **g: right(r, k, **{**g, "seed": SystemRandom().randrange(2**32)})

    for claim in (name for name in PARTITIONING if CATALOGUE[name].random):
        asked = FEWER_CLUSTERS.get(claim)
        yield implementation(f"{claim}: another seed", claim, ANOTHER_SEED, other(claim), asked)
    for claim in ("random-seed", "k-means"):
        yield implementation(f"{claim}: no seed", claim, "draws anew with every call", fresh(claim))


def _mutated(mutant: Mutant) -> Program:
    found: list[Any] = []

    def program(records: Rows, k: int, **given: Any) -> Any:
        found[:] = found or [mutant.function()]
        settings = settings_of(mutant.algorithm, given)
        spec = specification(mutant.algorithm)
        exact = "exact" in spec.arithmetics(settings)
        space: Any = exact_space if exact else float_space
        choices = Choices(stream=seeded(int(given.get("seed") or 0)))
        rows = [list(row) for row in records]
        result = found[0](space(rows), k, choices, **settings)
        if spec.yields == "centres":
            released = released_by(rows, result)
            return {"released": [list(map(float, released.row(r))) for r in range(released.n)]}
        if spec.yields == "deviations":
            return {"released": noisy(rows, result)}
        return [list(group) for group in result.groups]

    return program


GRANTED = ("d_in <= gamma d_out",)
"""Changed lines that no answer shows: of equal distances rounding may make either the smaller."""


def lines() -> Iterator[Implementation]:
    """The library's algorithms with one line changed, as tests/planted has them."""
    for mutant in MUTANTS:
        if mutant.module == "sizes" or mutant.mistake in GRANTED:
            continue  # sizes are no part of an answer
        claim = mutant.algorithm
        asked = {name: str(value) for name, value in mutant.parameters}
        program = by_attribute(claim, _mutated(mutant))
        yield implementation(
            f"{claim}: {mutant.mistake} (line)", claim, mutant.mistake, program, asked
        )


WRONG: tuple[Implementation, ...] = (
    *_in_every_algorithm(),
    *_told_wrongly(),
    *_wrong_mdav(),
    *_wrong_any(),
    *_wrong_optimal(),
    *_wrong_draws(),
    *wrong_fuzzy(),
    *wrong_noise(),
)
