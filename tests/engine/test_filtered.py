"""Exact answers at the cost of floats: every engine gives what the plain exact space gives."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from math import dist, isqrt, sqrt
from random import Random
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
from suites import one_in

from oracle.replay.guided import Admissibility, ClaimedGroups, judge_claim
from refagg.catalogue import specification, specified
from refagg.cursors.remaining import Cursor
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.engine import (
    arrays,
    compiled,
    filtered_pool,
    foresight,
    frame,
    linkages,
    quadratic,
)
from refagg.engine.arrays import Arrays
from refagg.engine.compiled import Compiled
from refagg.engine.filtered_pool import ENGINES, FilteredPool, Plant
from refagg.engine.frame import frame_of, points_of
from refagg.engine.lists import Lists
from refagg.engine.neighbourhoods import FarthestPairs
from refagg.engine.quadratic import Pool, Sums
from refagg.errors import InvalidParameter, MissingExtra
from refagg.language.choices import Choices
from refagg.language.event import Event
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.specification import Specification
from refagg.language.ties import HIGHEST, LOWEST, Nearest, TiedCandidates, random_ties
from refagg.spaces import binary64
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.exact import ExactSpace

Rows = list[tuple[Any, ...]]


def few_values(random: Random) -> Rows:
    top = random.choice([1, 2, 4])
    p = random.choice([3, 6])
    return [tuple(random.randint(0, top) for _ in range(p)) for _ in range(random.randint(3, 60))]


def lattice(random: Random) -> Rows:
    side, step = random.randint(2, 7), Fraction(1, random.choice([1, 3, 7, 10]))
    rows = [(i * step, j * step) for i in range(side) for j in range(side)]
    return random.sample(rows, random.randint(3, len(rows)))


def equal(random: Random) -> Rows:
    return [(7, Fraction(1, 3))] * random.randint(3, 40)


def on_a_circle(random: Random) -> Rows:
    """As far from the middle as each other, but for 2^-60 or so."""
    triples = [(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)]
    sides = [(Fraction(a, c), Fraction(b, c)) for a, b, c in triples]
    every = [
        (s * x, t * y)
        for a, b in sides
        for x, y in ((a, b), (b, a))
        for s in (1, -1)
        for t in (1, -1)
    ]
    rows = random.sample(every, random.randint(3, len(every)))
    near = Fraction(random.choice([0, 1, -1]), 2 ** random.randint(40, 70))
    return [(x + near * random.randint(0, 1), y) for x, y in rows] + [(-x, -y) for x, y in rows]


def offset(random: Random) -> Rows:
    far = random.choice([10**9, 10**15, 10**300])
    return [
        (far + random.randint(0, 3), random.randint(0, 3)) for _ in range(random.randint(3, 50))
    ]


def scales(random: Random) -> Rows:
    """Sizes from the least float to the greatest."""
    sizes = [5e-324, 1e-310, 1e-300, 1e-9, 1.0, 1e9, 1e300]
    n = random.randint(3, 30)
    return [tuple(random.choice(sizes) * random.randint(-2, 2) for _ in range(2)) for _ in range(n)]


def one_dominates(random: Random) -> Rows:
    n = random.randint(3, 40)
    return [
        (random.randint(0, 2) * 10**20, random.randint(0, 5), random.random()) for _ in range(n)
    ]


def outlier(random: Random) -> Rows:
    n = random.randint(20, 80)
    return [(1e300, 0), *((random.randint(0, 9), random.randint(0, 9)) for _ in range(n))]


def clusters(random: Random) -> Rows:
    """Two that are 2^60 times as far from each other as they are wide."""
    n = random.randint(20, 70)
    return [
        (random.choice([0, 2**60]) + random.randint(0, 5), random.randint(0, 5)) for _ in range(n)
    ]


def normal(random: Random) -> Rows:
    p = random.choice([1, 2, 5, 8])
    n = random.randint(3, 250)
    return [tuple(round(random.gauss(0, 1), 2) for _ in range(p)) for _ in range(n)]


def few_repeated(random: Random) -> Rows:
    """Of a lattice, some points, of which about one in fifteen is there twice."""
    rows = [(random.randint(0, 30), random.randint(0, 30)) for _ in range(random.randint(15, 60))]
    return rows + rows[: len(rows) // 15]


TABLES = [
    few_values,
    few_repeated,
    lattice,
    equal,
    on_a_circle,
    offset,
    scales,
    one_dominates,
    outlier,
    clusters,
    normal,
]
PLANTS: dict[str, Plant] = {
    "lists": Lists,
    "arrays": Arrays,
    "compiled": Compiled,
}
TOLERANCES = [Fraction(0)] * 3 + [Fraction(1, 10**9), Fraction(1, 100)]


def told(tie: TiedCandidates[int] | Nearest[int]) -> list[Any]:
    """Everything that can be known from a tie."""
    measured = tie.measured
    shown = [
        list(measured.items),
        list(measured.values),
        list(map(measured.shown, measured.values)),
    ]
    if isinstance(tie, Nearest):
        return [
            tie.certain,
            tie.tied,
            tie.places,
            tie.boundary,
            tie.value if tie.boundary else 0,
            shown,
        ]
    return [tie.candidates, tie.best, tie.value, tie.next_value(), shown]


def questions(random: Random, plain: Pool, gone: list[int]) -> list[Callable[[Any], Any]]:
    """What can be asked of a pool."""
    some = random.choice(plain.records)
    origin = random.choice([some, *gone]) if random.random() < 0.3 else some
    without = {origin, random.choice(plain.records)}
    if len(without) == len(plain):
        without = set()
    m = random.randint(0, len(plain) - len(without))
    asked: list[Callable[[Any], Any]] = [
        lambda pool: told(pool.farthest(pool.centroid())),
        lambda pool: told(pool.farthest(origin, without)),
        lambda pool: told(pool.closest(origin, without)),
        lambda pool: told(pool.closest(pool.centroid())),
        lambda pool: told(pool.nearest(m, origin, without)),
        lambda pool: told(pool.nearest(len(plain), pool.centroid())),
        lambda pool: [pool.centroid(), len(pool), list(pool), origin in pool, pool.records],
        lambda pool: told(pool.nearest(1, origin)),
    ]
    if gone:
        origins = random.sample(gone, min(3, len(gone)))
        asked.append(lambda pool: told(pool.closest_to_any(origins)))
    return asked


def compared(random: Random, rows: Rows, how: str, tolerance: Fraction, plant: Plant) -> int:
    """The engines are asked the same, while records leave; how often."""
    scaled = standardise(table_of(rows), how)
    plain_space = ExactSpace(scaled, tolerance, engine="plain")
    space = ExactSpace(scaled, tolerance)
    if random.random() < 0.5:  # as where there are many
        space.squares.rows = quadratic.LazyRows(list(zip(*space.squares.rows, strict=True)))
    records = list(range(len(rows)))
    if random.random() < 0.7:
        records = random.sample(records, random.randint(2, len(rows)))
    plain, pool = Pool(plain_space, records), FilteredPool(space, records, plant)
    gone: list[int] = []
    count = 0
    while len(plain) > 1:
        for ask in questions(random, plain, gone):
            assert ask(pool) == ask(plain)
            count += 1
        leaving = random.sample(plain.records, min(len(plain) - 1, random.randint(1, 5)))
        both = [FarthestPairs(engine).of() for engine in (plain, pool)]
        assert len({(frozenset(tie.candidates), tie.best, tie.value) for tie in both}) == 1
        every = FarthestPairs(plain).of(every=True)
        assert len(every.measured.items) == len(plain) * (len(plain) - 1)
        assert set(every.candidates) == set(both[0].candidates)
        if random.random() < 0.5:
            x = plain.farthest(plain.centroid()).candidates[0]
            leaving = [x, *plain.nearest(min(2, len(plain) - 1), x, {x}).certain][: len(plain) - 1]
        plain.remove(leaving)
        pool.remove(leaving)
        gone = [*gone[-4:], *leaving]
    return count


REPEATS = 2
MERGED_TABLES = 4
"""Of each kind; 40 are 400 tables."""


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("engine", one_in(3, PLANTS))
def test_engines_answer_as_plain_exact_arithmetic(
    table: Callable[[Random], Rows], engine: str
) -> None:
    random = Random(f"{table.__name__} {engine}")
    for _ in range(REPEATS):
        how = random.choice(["none", "population"])
        assert compared(random, table(random), how, random.choice(TOLERANCES), PLANTS[engine])


@pytest.mark.parametrize("table", TABLES)
def test_equal_records_are_looked_for_once(table: Callable[[Random], Rows]) -> None:
    random = Random(5)
    for _ in range(5):
        rows = table(random)
        planted: list[int] = []

        def plant(sites: Sequence[int], columns: Any, planted: list[int] = planted) -> Arrays:
            planted.append(len(sites))
            return Arrays(sites, columns)

        space = ExactSpace(standardise(table_of(rows), "none"))
        FilteredPool(space, range(len(rows)), plant).farthest(0)
        assert planted == [len(set(rows))]


MERGING: list[tuple[str, dict[str, Any]]] = [
    ("k-ward", {}),
    *(
        ("hac", {"metric": metric, "linkage": linkage, "priority": priority, "cap": cap})
        for metric, linkages in {
            "squared": ("ward", "single", "complete", "average", "centroid", "energy"),
            "euclidean": ("ward", "single", "complete", "centroid"),
        }.items()
        for linkage in linkages
        for priority in ("none", "size")
        for cap in ("k", "2k-1")
    ),
]


NEAREST_GROUPS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in ("mdav-2", "dba-2", "gsms-t2", "igd", "ona", "oka", "mhm")),
    *((name, {}) for name in ("k-member", "second-phase", "local-search", "t-closeness-merging")),
    *(("k-means", {"method": method}) for method in ("lloyd", "hartigan-wong")),
    ("mdav-2k", {"leftovers": "nearest-centroid"}),
]
"""Algorithms that ask for the nearest of the centroids of groups."""


def mergers_compared(
    random: Random, rows: Rows, tolerance: Fraction, names: list[tuple[str, dict[str, Any]]]
) -> None:
    """The filtered and the plain space give the same candidates, values and next values."""
    name, parameters = random.choice(names)
    scaled = standardise(table_of(rows[:30]), random.choice(["none", "population"]))
    k, spec, traces = random.choice((2, 3, 4, 30)), specification(name), []
    for engine in ("plain", "auto"):
        choices = Choices(random_ties(seeded(7)), seeded(8), trace=[])
        space = ExactSpace(scaled, tolerance, engine=engine)
        spec.run(space, min(k, space.n), choices, **spec.settings(parameters))
        traces.append(choices.trace)
    assert traces[0] == traces[1], (name, parameters)


@pytest.mark.parametrize("names", [MERGING, NEAREST_GROUPS])
@pytest.mark.parametrize("table", TABLES)
def test_mergers_are_those_of_plain_exact_arithmetic(
    table: Callable[[Random], Rows], names: list[tuple[str, dict[str, Any]]]
) -> None:
    random = Random(table.__name__)
    for _ in range(MERGED_TABLES):
        mergers_compared(random, table(random), random.choice(TOLERANCES), names)


@pytest.mark.parametrize("table", TABLES)
def test_mergers_in_arrays_are_those_of_plain_exact_arithmetic(
    monkeypatch: pytest.MonkeyPatch, table: Callable[[Random], Rows]
) -> None:
    monkeypatch.setattr(linkages, "MANY", 1)
    random = Random(table.__name__)
    for _ in range(MERGED_TABLES):
        mergers_compared(random, table(random), random.choice(TOLERANCES), MERGING[1:])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_mergers_of_floats_in_arrays_are_those_one_by_one(
    monkeypatch: pytest.MonkeyPatch, linkage: str, table: Callable[[Random], Rows]
) -> None:
    random, hac = Random(f"{table.__name__} {linkage}"), specification("hac")
    for _ in range(MERGED_TABLES):
        space = FloatSpace(standardise(table_of(table(random)[:30]), "population"))
        names = {"metric": ("euclidean", "squared"), "priority": ("none", "size")}
        given = {name: random.choice(values) for name, values in names.items()}
        k, runs = random.randint(2, space.n), []
        for fewest in (10**9, 1):
            monkeypatch.setattr(linkages, "MANY", fewest)
            trace: list[Event] = []
            choices = Choices(random_ties(seeded(7)), trace=trace)
            hac.run(space, k, choices, **hac.settings({"linkage": linkage, **given}))
            runs.append(trace)
        for one, other in zip(*runs, strict=True):
            assert other == replace(one, value=other.value, next=other.next)
            for value, expected in ((other.value, one.value), (other.next, one.next)):
                assert value == expected or abs(value - expected) <= expected * 2.0**-45


@pytest.mark.parametrize("names", [MERGING, NEAREST_GROUPS])
def test_a_bound_that_is_too_small_is_noticed_by_mergers(
    monkeypatch: pytest.MonkeyPatch, names: list[tuple[str, dict[str, Any]]]
) -> None:
    monkeypatch.setattr(frame, "ERROR", frame.UNIT / 2**20)

    def on_lattices() -> None:
        random = Random(1)
        for _ in range(400):
            mergers_compared(random, lattice(random), Fraction(0), names)

    with pytest.raises((AssertionError, ValueError)):  # another answer, or none
        on_lattices()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["mdav", "md", "v-mdav", "k-ward", "cbfs", "mdav-2k", "mstp"])
def test_every_engine_gives_the_same_trace(name: str, table: Callable[[Random], Rows]) -> None:
    random, spec = Random(table.__name__), specification(name)
    scaled = standardise(table_of(table(random)[:30]), "population")
    traces = []
    for engine in ENGINES:
        choices = Choices(random_ties(seeded(7)), trace=[])
        spec.run(ExactSpace(scaled, engine=engine), 2, choices, **spec.settings({}))
        traces.append(choices.trace)
    assert traces == [traces[0]] * len(ENGINES)


GROUPING = ["mdav", "mdav-2k", "mdav-single", "mdav-argus", "v-mdav", "iv-mdav", "md", "cbfs"]
GROUPING += ["dbfs", "mdav-1", "mdav-2", "dba-1", "gsms"]
ITS_GAMMA, GAMMAS = ("v-mdav", "iv-mdav"), [Fraction(n, 5) for n in (1, 3, 5, 6, 9)]
ASKED_AHEAD = 3
"""Runs of each algorithm on each kind of table in the quick suite."""


def foreseen(
    random: Random, rows: Rows, name: str, other: str = "compiled", k: int | None = None
) -> int:
    """Compare a run that nobody watches with the plain one; how many groups were foreseen."""
    spec, ahead = specification(name), []
    scaled = standardise(table_of(rows), random.choice(["none", "population"]))
    k, rule = k or random.randint(1, 4), random.choice([LOWEST, HIGHEST])
    if spec.takes_k and k > len(rows):
        return 0
    settings = spec.settings({"gamma": random.choice(GAMMAS)} if name in ITS_GAMMA else {})
    removed = FilteredPool.remove_foreseen
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filtered_pool, "FEWEST_AHEAD", random.choice([0, 5]))
        patch.setattr(foresight, "FEWEST", random.choice([1, 2, 16]))
        patch.setattr(
            FilteredPool, "remove_foreseen", lambda *of: (ahead.append(of[1]), removed(*of))
        )
        partitions = [
            spec.run(ExactSpace(scaled, engine=engine), k, Choices(rule), **settings)
            for engine in ("plain", other)
        ]
    assert partitions[0].groups == partitions[1].groups, (name, k, rule.name, other)
    return len(ahead)


def many(random: Random) -> Rows:
    """Records of which few are tied, so that much is foreseen."""
    top = random.choice([9, 40, 10**6])
    return [tuple(random.randint(0, top) for _ in range(2)) for _ in range(random.randint(9, 150))]


def nearly_tied(random: Random) -> Rows:
    """Different points on circles, some of them moved by 2^-60 or so."""
    rows = [row for _ in range(3) for row in on_a_circle(random)]
    return random.sample(list(dict.fromkeys(rows)), len(set(rows)))


@pytest.mark.parametrize("name", GROUPING)
def test_what_is_answered_ahead_is_what_would_have_been_asked(name: str) -> None:
    random = Random(name)
    groups = 0
    for table in (*TABLES, many, many, nearly_tied):
        for _ in range(ASKED_AHEAD):
            groups += foreseen(random, table(random), name)
    always = (*ITS_GAMMA, "mdav", "mdav-2k", "mdav-single", "mdav-argus", "cbfs", "md", "dbfs")
    assert groups or name not in always


@pytest.mark.parametrize("engine", ["lists", "arrays"])
@pytest.mark.parametrize("name", GROUPING)
def test_what_floats_alone_answer_is_what_integers_say(name: str, engine: str) -> None:
    random = Random(f"{name} {engine}")
    for table in (*TABLES, many, nearly_tied):
        foreseen(random, table(random), name, engine)


def test_a_group_depends_on_the_one_before_it_where_a_record_is_tied() -> None:
    """(10, 0) is as far from (20, 0) as (14, 8), but belongs to (0, 0) if that goes first."""
    ends = [(0, 0), (2, 0), (10, 0), (18, 0), (14, 8), (20, 0)]
    between = [(x, y) for x in (9, 10, 11) for y in (8, -8)]
    away = [
        (side * (200 * j + 7 * side) + d, j)
        for j in range(1, 5)
        for side in (1, -1)
        for d in (0, 3, 5)
    ]
    for seed in range(60):
        rows = Random(seed).sample(ends + between + away, 36)
        foreseen(Random(seed), rows, "mdav-argus", k=3)


def found_twice(asked: str) -> Callable[[Cursor, int], None]:
    """A text that can find a record by two questions, or three, and compares its distance."""

    def text(remaining: Cursor, k: int) -> None:
        while remaining.at_least(3 * k):
            seed = remaining.farthest("seed", remaining.average())
            group = remaining.group("near", seed, k, grows=True)
            one = remaining.closest("one", seed)
            another = remaining.closest_to_any("another", group)
            if asked == "the mean":
                another = remaining.closest_to_mean("third", group)
            if remaining.found_nearer("nearer", one if asked == "one" else another, 1, 1, 2):
                remaining.add(one if asked == "one" else another, group)
            remaining.close(group)
        if len(remaining):
            remaining.rest()

    return text


@pytest.mark.parametrize("asked", ["one", "another", "the mean"])
def test_of_a_record_found_twice_the_last_distance_is_compared(asked: str) -> None:
    spec = specified(found_twice(asked), "found twice")
    for seed in range(10):
        random = Random(seed)
        rows = [(random.random(), random.random()) for _ in range(400)]
        scaled = standardise(table_of(rows), "none")
        plain, ahead = (
            spec.run(ExactSpace(scaled, engine=engine), 4, Choices(LOWEST))
            for engine in ("plain", "compiled")
        )
        assert plain == ahead


def moved(random: Random, partition: Partition) -> Partition:
    """The partition, where two records of different groups may have changed places."""
    groups = [list(group) for group in partition.groups]
    if len(groups) > 1 and random.random() < 0.7:
        a, b = random.sample(groups, 2)
        i, j = random.randrange(len(a)), random.randrange(len(b))
        a[i], b[j] = b[j], a[i]
    return Partition.of(groups, partition.n)


def judged_in(space: ExactSpace, spec: Specification, k: int, claim: Partition) -> Admissibility:
    def run(choices: Choices) -> Partition:
        return spec.run(space, k, choices, **spec.settings({}))

    return judge_claim(spec, run, ClaimedGroups.of_partition(claim), limit=20)


@pytest.mark.parametrize("engine", ["arrays", "compiled"])
@pytest.mark.parametrize(
    "name", ["mdav", "mdav-2k", "mdav-single", "mdav-argus", "v-mdav", "iv-mdav"]
)
def test_a_guided_replay_judges_with_every_engine_as_with_the_plain_one(
    name: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same verdict, slack, witness, runs and ties, whether right or not."""
    monkeypatch.setattr(filtered_pool, "FEWEST_AHEAD", 5)
    monkeypatch.setattr(foresight, "FEWEST", 2)
    random, spec, verdicts = Random(f"{name} {engine}"), specification(name), Counter[str]()
    for number in range(16):
        rows = (many, few_values, nearly_tied, normal)[number % 4](random)
        scaled, k = standardise(table_of(rows), "none"), random.randint(2, 4)
        if len(rows) < k:
            continue
        spaces = [ExactSpace(scaled, engine=each) for each in ("plain", engine)]
        claim = moved(random, spec.run(spaces[0], k, Choices(HIGHEST), **spec.settings({})))
        judged = [judged_in(space, spec, k, claim) for space in spaces]
        assert judged[0] == judged[1]
        verdicts[judged[0].verdict] += 1
    assert len(verdicts) > 1


@pytest.mark.parametrize("name", ["v-mdav", "cbfs"])
def test_nothing_is_foreseen_from_a_point_too_far_away(name: str) -> None:
    random = Random(name)
    for _ in range(20):
        foreseen(random, outlier(random), name)


def test_comparisons_are_clear_beyond_a_margin_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is as far from the group as from its nearest one, or nearly."""
    monkeypatch.setattr(sys.modules[__name__], "GAMMAS", [Fraction(1)])
    near = Fraction(1, 2**60)
    rows = [
        (3 * group + shift, 50 * group)
        for group in range(30)
        for shift in (0, 1, 2 + near * (group % 3 - 1), 3)
    ]

    def runs() -> None:
        for seed in range(30):
            foreseen(Random(seed), random.sample(rows, len(rows)), "v-mdav")

    random = Random(1)
    runs()
    monkeypatch.setattr(compiled, "UNIT", 0.0)
    with pytest.raises(AssertionError):
        runs()


@pytest.mark.long
@pytest.mark.parametrize("name", GROUPING[:9])
def test_4000_tables_are_grouped_ahead_as_they_are_step_by_step(name: str) -> None:
    random = Random(f"{name}, many times")
    for number in range(4000):
        rows = (many if number % 2 else random.choice(TABLES))(random)
        foreseen(random, rows, name, ("compiled", "arrays")[number // 2 % 2])


@pytest.mark.parametrize(
    ("engine", "text"), [(arrays, "mdav-single"), (compiled, "mdav-single"), (compiled, "md")]
)
def test_a_margin_that_is_too_small_is_noticed_ahead(
    engine: ModuleType, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "UNIT", 0.0)

    def on_pairs() -> None:
        for seed in range(50):
            rows, name = nearly_tied(Random(seed)), engine.__name__.rpartition(".")[2]
            foreseen(Random(seed), rows, text, name)

    with pytest.raises((AssertionError, ValueError)):  # another partition
        on_pairs()


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="auto, plain, lists, arrays, compiled"):
        ExactSpace(standardise(table_of([(1,)])), engine="forest")


@pytest.mark.parametrize("engine", ["lists", "arrays"])
def test_a_bound_that_is_too_small_is_noticed(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "ERROR", frame.UNIT / 64)

    def on_circles() -> None:
        for seed in range(50):
            rows = on_a_circle(Random(seed))
            compared(Random(seed), rows, "population", Fraction(0), PLANTS[engine])

    with pytest.raises((AssertionError, ValueError)):  # another answer, or none
        on_circles()


def test_arrays_without_numpy_are_refused_and_done_without_unless_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "refagg.engine.arrays")
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(filtered_pool, "ARRAY", (60, 60))
    scaled = standardise(table_of([(i * i % 101,) for i in range(70)]))
    with pytest.raises(MissingExtra, match="numpy"):
        ExactSpace(scaled, engine="arrays").pool(range(70))
    space = ExactSpace(scaled)
    assert (
        space.pool(range(70)).nearest(2, 0).certain
        == ExactSpace(scaled, engine="plain").pool(range(70)).nearest(2, 0).certain
    )


def test_compiled_code_that_cannot_be_imported_is_done_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numba is there, but not for this NumPy, for instance."""

    def broken(name: str) -> None:
        raise MissingExtra(f"{name} cannot be imported")

    monkeypatch.setattr(filtered_pool, "import_module", broken)
    monkeypatch.setattr(filtered_pool, "_counted", 10**6)
    assert filtered_pool.planter("auto", 2500) is Lists
    with pytest.raises(MissingExtra):
        filtered_pool.planter("compiled", 2500)


def test_distances_are_as_exact_as_is_proved() -> None:
    """Against roots to 200 bits; the bound holds, and a twentieth of it would not.

    Sums in any order may be off by so much more as balls and boxes are given.
    """
    random, worst = Random(3), 0.0
    for _ in range(300):
        p, size = random.choice([1, 2, 3, 4, 5, 6, 40]), 2 ** random.choice([1, 8, 30, 80])
        rows = [tuple(random.randint(-size, size) for _ in range(p)) for _ in range(4)]
        weights = [random.randint(1, 10 ** random.randint(1, 30)) for _ in range(p)]
        squares = quadratic.Quadratic(rows, weights, list(zip(*rows, strict=True)))
        own = frame_of(squares, range(len(rows)))
        count = random.choice([1, 1, 3, 1000])
        outside = random.choice([1, 1, 1, 50])
        sums = Sums(
            count, tuple(random.randint(-size, size) * count * outside // 2 for _ in range(p))
        )
        point = own.point(sums)
        assert point is not None
        for row, seen in zip(rows, points_of(own.columns(squares, range(4))), strict=True):
            assert max(map(abs, seen)) <= 1
            real = sum(
                w * (count * x - s) ** 2 for w, x, s in zip(weights, row, sums.values, strict=True)
            )
            scaled = Fraction(real, count**2) / Fraction(4) ** own.exponent
            root = Fraction(isqrt(int(scaled * 4**200)), 2**200)
            wrong = abs(Fraction(dist(point, seen)) - root)
            assert wrong <= frame.error_of(point)
            summed = compiled._square(np.array([seen]), 0, np.array(point))
            assert abs(Fraction(sqrt(summed)) - root) <= frame.error_of(point) * (1 + p / 16)
            worst = max(worst, float(wrong) / frame.error_of(point))
    assert worst > 1 / 20


def test_a_small_table_never_waits_for_a_compiler() -> None:
    """numba is loaded, but the engine has not run: in a process of its own, as this one may have
    run it."""
    program = (
        "import numba; from random import Random; import refagg.engine.compiled as c;"
        "draw = Random(1).random; rows = [(draw(), draw()) for _ in range(2000)];"
        "from refagg import mdav; mdav(rows, k=100); print(len(c._planted.signatures))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "0\n", ran.stderr


class Seer:
    """A pool that is asked ahead: 7 is always the farthest record, and 8 the nearest to it."""

    foresees, changes = True, 0

    def __init__(self) -> None:
        self.asked: list[int] = []

    def centroid(self) -> str:
        return "the average"

    def foresee(self, steps: Any, factors: Any, fixed: object, most: int) -> list[int]:
        self.asked.append(most)
        return [7, 8] * most

    def surely_farthest(self, origin: object, without: Collection[int]) -> int:
        return 7

    def surely_nearest(self, m: int, seed: int, without: Collection[int]) -> list[int]:
        return [8]


def test_little_is_foreseen_after_another_question() -> None:
    """Now and then an iteration asks for another group, too: one is foreseen, then more."""
    pool = Seer()
    ahead = foresight.Foresight(cast(FilteredPool, pool))
    for groups in (1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2):
        ahead.iteration()
        seed = ahead.farthest("the average", ())
        assert seed == 7
        for _ in range(groups):
            assert ahead.nearest(1, seed, ()) == [8]
    assert pool.asked[0] == foresight.FEWEST
    assert len(pool.asked) > 2
    assert max(pool.asked[1:]) <= 4


def float_table(draw: Random) -> list[list[float]]:
    """Ties, values far from 0, equal records, or none of that."""
    n, p, far = draw.randint(4, 60), draw.randint(1, 5), draw.choice([0, 10**6, 10**12])
    values: Callable[[], float] = draw.choice(
        [lambda: draw.randint(0, 3), lambda: round(draw.gauss(0, 1), 2), lambda: draw.gauss(0, 1)]
    )
    rows = [[values() + far for _ in range(p)] for _ in range(n)]
    return [draw.choice(rows) for _ in rows] if draw.random() < 0.2 else rows


def in_binary64(name: str, rows: list[list[float]], k: int) -> tuple[object, list[str]]:
    trace: list[Event] = []
    spec = specification(name)
    choices = Choices(stream=seeded(1), trace=trace)
    found = spec.run(FloatSpace(standardise(table_of(rows))), k, choices, **spec.settings({}))
    return found.groups, list(map(repr, trace))


@pytest.mark.parametrize("engine", ["lists", "arrays", "compiled"])
@pytest.mark.parametrize("name", ["tfrp-1", "tfrp-2", "mdav", "md", "v-mdav", "cbfs", "mdav-1"])
def test_a_tree_answers_in_binary64_as_all_records_do(
    name: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine != "lists":
        pytest.importorskip("numba" if engine == "compiled" else "numpy")
    draw = Random(f"{name} {engine}")
    monkeypatch.setattr(binary64, "planter", lambda _, count: filtered_pool.planter(engine, count))
    for _ in range(20):
        rows, k = float_table(draw), draw.randint(2, 4)
        monkeypatch.setattr(binary64, "FEWEST", len(rows) + 1)
        plain = in_binary64(name, rows, k)
        monkeypatch.setattr(binary64, "FEWEST", 2)
        assert in_binary64(name, rows, k) == plain
