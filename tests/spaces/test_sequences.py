"""Dissimilarities of event sequences, their matrices, and whether they are metrics."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from itertools import count, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.dissimilarities import PLAIN
from planted.mutants import Own, planted_by
from planted.planting import changed_module
from strategies import examples

from refagg.algorithms.hierarchical.kshc import kshc
from refagg.datasets import load, load_sequences
from refagg.errors import InvalidMatrix, InvalidParameter, NotATable
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.spaces.dissimilarities.dissimilarity import pair_by_pair
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES, dissimilarity
from refagg.spaces.matrix import MatrixSpace
from refagg.spaces.sequences import dissimilarity_rows, sequence_space
from tests.routes import SIGHTS, routes
from tests.spaces.metric import metric_report

Events = tuple[str, ...]

words = st.lists(st.sampled_from("abcd"), max_size=7).map(tuple)
names = pytest.mark.parametrize("name", DISSIMILARITIES)


def all_words(symbols: str, most: int) -> list[Events]:
    """The shortest first, from the one without events."""
    return [word for n in range(most + 1) for word in product(symbols, repeat=n)]


# By hand


@pytest.mark.parametrize(
    ("name", "a", "b", "value"),
    [
        ("oss", "", "", "0"),
        ("oss", "", "abc", "1"),
        ("oss", "abc", "abc", "0"),
        ("oss", "abc", "def", "1"),
        ("oss", "ab", "ba", "1/4"),  # f = (1+1)/2
        ("oss", "aab", "aba", "1/9"),  # the a at 0 and 0, 1 and 2; b at 2 and 1: f = 2/3, g = 0
        ("oss", "aa", "aaa", "1/5"),  # the third a is not common: g = 1
        ("oss", "aba", "a", "2/4"),  # the first a is common, where it stands
        ("oss", "baa", "a", "7/12"),  # the a at 1 and 0: f = 1/3, g = 2
        ("oss", "abcd", "aefg", "3/4"),  # g = 6
        ("oss", "abc", "deaf", "11/14"),  # a at 0 and 2: f = 2/4, g = 5
        ("oss", "abc", "ba", "1/3"),  # f = 2/3, g = 1
        ("hamming", "", "", "0"),
        ("hamming", "", "ab", "1"),
        ("hamming", "abcd", "abdc", "1/2"),
        ("hamming", "abcd", "abd", "1/2"),  # d for c, and nothing for d
        ("hamming", "abc", "cab", "1"),
        ("levenshtein", "", "", "0"),
        ("levenshtein", "abc", "", "3"),
        ("levenshtein", "kitten", "sitting", "3"),
        ("levenshtein", "ab", "ba", "2"),
        ("levenshtein", "abc", "cab", "2"),
        ("normalised-levenshtein", "", "", "0"),
        ("normalised-levenshtein", "abc", "", "1"),
        ("normalised-levenshtein", "kitten", "sitting", "3/7"),
        ("normalised-levenshtein", "ab", "aba", "1/3"),
        ("lcs", "", "", "0"),
        ("lcs", "abc", "", "1"),
        ("lcs", "abc", "abc", "0"),
        ("lcs", "ab", "ba", "1/2"),
        ("lcs", "abc", "xaybzc", "1/2"),
        ("lcs", "abcbdab", "bdcaba", "3/7"),  # bcba has four of seven
    ],
)
def test_values_by_hand(name: str, a: str, b: str, value: str) -> None:
    assert dissimilarity(name)(tuple(a), tuple(b)) == Fraction(value)


@pytest.mark.parametrize(
    ("a", "b", "value", "printed"),
    [
        (8, 0, "3/4", ".79"),
        (4, 2, "11/14", ".78"),
        (2, 7, "1/3", ".3"),
        (3, 6, "1/3", ".3"),
    ],
)
def test_four_entries_of_the_kshc_example_are_misprints(
    a: int, b: int, value: str, printed: str
) -> None:
    exact = Fraction(value)
    assert round(exact, 2) != Fraction(printed)
    sequences = load_sequences("vg-sequences")
    assert dissimilarity("oss")(sequences[a], sequences[b]) == exact


# Against the plain ones, and in general


@names
@examples(5)
@given(words, words)
def test_the_plain_value(name: str, a: Events, b: Events) -> None:
    assert DISSIMILARITIES[name](a, b) == PLAIN[name](a, b)


@names
@examples(5)
@given(words, words)
def test_symmetric_in_range_and_0_for_equal_sequences_only(name: str, a: Events, b: Events) -> None:
    value = DISSIMILARITIES[name](a, b)
    assert isinstance(value, Fraction)
    assert value == DISSIMILARITIES[name](b, a)
    assert 0 <= value <= (max(len(a), len(b)) if name == "levenshtein" else 1)
    assert (value == 0) == (a == b)


@names
@examples(1)
@given(words, words, st.permutations("abcd"))
def test_the_names_of_symbols_do_not_matter(
    name: str, a: Events, b: Events, renamed: list[str]
) -> None:
    new = dict(zip("abcd", renamed, strict=True))
    again = DISSIMILARITIES[name](tuple(new[x] for x in a), tuple(new[y] for y in b))
    assert again == DISSIMILARITIES[name](a, b)


@examples(1)
@given(words, words)
def test_oss_is_1_where_nothing_is_common_and_only_there(a: Events, b: Events) -> None:
    assert (dissimilarity("oss")(a, b) == 1) == (not set(a) & set(b) and a != b)


def test_an_unknown_name() -> None:
    with pytest.raises(InvalidParameter, match="'osss'; did you mean oss"):
        dissimilarity("osss")


# Changed lines


def right(function: Callable[[Events, Events], Any], name: str) -> bool:
    """Does it agree with the plain one on all pairs of short words?"""
    short = all_words("ab", 3) + [tuple(word) for word in ("abc", "cab", "acbd", "bdca")]
    plain = PLAIN[name.replace("_", "-")]
    return all(function(a, b) == plain(a, b) for a in short for b in short)


@pytest.mark.parametrize("planted", planted_by("tests/spaces/test_sequences.py"), ids=str)
def test_a_changed_line_is_seen(planted: Own) -> None:
    name = planted.function
    assert right(getattr(import_module(planted.module), name.upper()), name)
    assert not right(getattr(changed_module(planted.module, planted.change), name.upper()), name)


# The space


@names
@examples(Fraction(1, 2))
@given(st.lists(words, min_size=1, max_size=6))
def test_the_space_has_the_dissimilarity_of_each_pair(name: str, sequences: list[Events]) -> None:
    space = sequence_space(sequences, name)
    assert space.n == len(sequences)
    for a, b in product(space.records(), repeat=2):
        assert space.between(a, b) == PLAIN[name](sequences[a], sequences[b])


def test_each_different_pair_is_computed_once_and_equal_sequences_share() -> None:
    asked: Counter[tuple[Events, Events]] = Counter()
    made: Counter[Events] = Counter()

    def prepare(events: Events) -> Events:
        made[events] += 1
        return events

    def between(a: Events, b: Events) -> Fraction:
        asked[min(a, b), max(a, b)] += 1
        return Fraction(abs(len(a) - len(b)))

    x, y, z = ("x",), ("x", "y"), ("x", "y", "z", "z")
    space = sequence_space([x, y, x, z, y], pair_by_pair("counted", "", between, prepare))
    assert asked == {(x, y): 1, (x, z): 1, (y, z): 1}
    assert made == {x: 2, y: 2, z: 2}  # as one of many, and as the one they are compared with
    assert [space.between(3, b) for b in range(5)] == [3, 2, 3, 0, 2]
    assert space.between(0, 2) == space.between(1, 4) == 0


def test_a_function_or_a_matrix_of_ones_own() -> None:
    sequences = [("a",), ("a", "b"), ("a",)]
    by_length = sequence_space(sequences, lambda a, b: abs(len(a) - len(b)) / 2)
    assert [by_length.between(1, b) for b in range(3)] == [Fraction(1, 2), 0, Fraction(1, 2)]
    given_rows = sequence_space(sequences, [[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    assert given_rows.between(0, 2) == 2
    assert sequence_space(sequences, "oss", tolerance=Fraction(1, 8)).less(1, 2).answers == (True,)
    assert len(sequence_space(sequences, "oss", Fraction(3, 4)).less(1, 2).answers) == 2


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda a, b: len(a), r"record 1 from itself is 1"),
        (lambda a, b: len(a) - len(b), r"dissimilarity \(0, 1\) is -1, less than 0"),
        (lambda a, b: 0 if a == b else 1 + len(a), r"not symmetric: \(1, 0\) is 2, \(0, 1\) is 1"),
        (lambda a, b: 0 if a == b else float("nan"), r"\(0, 1\): nan is not a finite"),
        (lambda a, b: 0 if a == b else "far", r"\(0, 1\): 'far' is not a number"),
        ([[0, 1], [1, 0]], "2 rows for 3 records"),
        ([[0, 1, 1], [1, 0, 1], [1, 2, 0]], r"not symmetric: \(2, 1\) is 2, \(1, 2\) is 1"),
        (
            [[Fraction(0), Fraction(-1), 1], [-1, 0, 1], [1, 1, 0]],
            r"dissimilarity \(0, 1\) is -1, less",
        ),
    ],
)
def test_what_is_no_dissimilarity(measure: Any, message: str) -> None:
    with pytest.raises(InvalidMatrix, match=message):
        sequence_space([(), ("a",), ("a", "b")], measure)


def test_no_sequences_and_no_such_name() -> None:
    with pytest.raises(InvalidMatrix, match="no record"):
        sequence_space([], "oss")
    with pytest.raises(InvalidParameter, match="'cosine'"):
        sequence_space([()], "cosine")


# Metrics


def violations(
    words: list[Events], name: str, events: int | None = None
) -> set[tuple[Events, ...]]:
    """The triples that violate the triangle inequality; of at most so many events in all."""
    d = PLAIN[name]
    return {
        (a, b, c)
        for a, b, c in permutations(words, 3)
        if events is None or len(a) + len(b) + len(c) <= events
        if d(a, c) > d(a, b) + d(b, c)
    }


def test_the_smallest_witnesses_that_oss_is_no_metric() -> None:
    """With 4 events there are at most 4 symbols, and three different words of at most 3."""
    assert violations(all_words("abcd", 3), "oss", events=4) == {
        ((x,), middle, (y,)) for x, y in permutations("abcd", 2) for middle in ((x, y), (y, x))
    }
    # By hand: 1/3 from a to a b (g = 1), 1/2 from a b to b (f = 1/2, g = 1), 1 from a to b.
    d = dissimilarity("oss")
    (a, ab, b) = ("a",), ("a", "b"), ("b",)
    assert [d(a, ab), d(ab, b), d(a, b)] == [Fraction(1, 3), Fraction(1, 2), 1]


def test_the_normalised_edit_distance_is_no_metric_either() -> None:
    words = all_words("ab", 3)
    report = metric_report(sequence_space(words, "normalised-levenshtein"), words)
    assert report.triangle is False
    assert report.witness is not None
    assert [words[i] for i in report.witness] == [("a", "b"), ("a", "b", "a"), ("b", "a")]
    assert report.excess == 1 - 2 * Fraction(1, 3)


@pytest.mark.parametrize("name", ["levenshtein", "normalised-levenshtein", "lcs"])
@given(st.lists(st.text("ab", max_size=70).map(tuple), min_size=1, max_size=5))
def test_sequences_of_any_length_have_room_side_by_side(name: str, sequences: list[Events]) -> None:
    """Fields of one to nine bytes, full ones among them, beside the table by its definition."""
    sequences += [("a",) * length for length in (0, 7, 8, 63, 64)]
    for a, row in zip(sequences, dissimilarity_rows(sequences, DISSIMILARITIES[name]), strict=True):
        assert row == [by_table(name, a, b) for b in sequences]


def by_table(name: str, a: Events, b: Events) -> Fraction:
    """The dissimilarity by the recurrence of the edit distance, cell by cell.

    Without substitutions the edits leave a longest common subsequence.
    """
    substitution = 2 if name == "lcs" else 1
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            changed = table[i - 1, j - 1] + (substitution if x != y else 0)
            table[i, j] = min(changed, table[i - 1, j] + 1, table[i, j - 1] + 1)
    edits, longer = table[len(a), len(b)], max(len(a), len(b)) or 1
    common = (len(a) + len(b) - edits) // 2
    value = longer - common if name == "lcs" and a + b else edits
    return Fraction(value, 1 if name == "levenshtein" else longer)


@pytest.mark.parametrize("name", ["hamming", "levenshtein", "lcs"])
def test_the_others_are_metrics_on_short_words(name: str) -> None:
    words = all_words("abc", 3)
    report = metric_report(sequence_space(words, name), words)
    assert (report.triangle, report.identity, report.complete) == (True, True, True)
    assert not violations(all_words("ab", 3), name)


@pytest.mark.parametrize("name", ["hamming", "levenshtein", "lcs"])
@examples(5)
@given(words, words, words)
def test_the_others_satisfy_the_triangle_inequality(
    name: str, a: Events, b: Events, c: Events
) -> None:
    d = DISSIMILARITIES[name]
    assert d(a, c) <= d(a, b) + d(b, c)


def symmetric(entries: list[int], n: int) -> list[list[int]]:
    left = iter(entries)
    half = {(i, j): next(left) for i in range(n) for j in range(i)}
    return [[half.get((max(i, j), min(i, j)), 0) for j in range(n)] for i in range(n)]


@examples(5)
@given(st.integers(1, 6).flatmap(
    lambda n: st.lists(st.integers(0, 4), min_size=n * n, max_size=n * n).map(
        lambda entries: symmetric(entries, n)
    )
))  # fmt: skip
def test_the_report_is_what_enumeration_finds(rows: list[list[int]]) -> None:
    n = len(rows)
    excess = {
        (a, b, c): rows[a][c] - rows[a][b] - rows[b][c]
        for a, b, c in permutations(range(n), 3)
        if a < c
    }
    greatest = max(excess.values(), default=0)
    found = sorted((a, c, b) for (a, b, c), value in excess.items() if value == greatest > 0)
    report = metric_report(rows, range(n))
    assert report.triangle == (not found)
    assert report.witness == ((found[0][0], found[0][2], found[0][1]) if found else None)
    assert report.excess == max(greatest, 0)
    zero = [(i, j) for i in range(n) for j in range(i + 1, n) if rows[i][j] == 0]
    assert (report.identity, report.indiscernible) == (not zero, zero[0] if zero else None)
    assert report.complete
    assert report.pairs == n * (n - 1) // 2


def test_records_that_are_said_to_be_equal_may_be_0_apart() -> None:
    rows = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert metric_report(rows).identity is None
    assert metric_report(rows, "aaa").identity is True
    assert metric_report(rows, "aab").indiscernible == (0, 2)


def test_a_sample_can_refute_but_not_prove() -> None:
    line = [[abs(a - b) for b in range(20)] for a in range(20)]
    sampled = metric_report(line, most=30)
    assert (sampled.triangle, sampled.pairs, sampled.complete) == (None, 30, False)
    squares = MatrixSpace([[abs(a - b) ** 2 for b in range(20)] for a in range(20)])
    report = metric_report(squares, most=30, stream=seeded(3))
    assert report.triangle is False
    assert report.witness is not None
    a, b, c = report.witness
    assert squares.between(a, c) - squares.between(a, b) - squares.between(b, c) == report.excess
    assert metric_report(line).triangle is True


# Routes


def rederived() -> list[Events]:
    """The default routes, from their description alone."""
    words = (
        int.from_bytes(blake2b(i.to_bytes(8, "big"), key=b"2008", digest_size=8).digest(), "big")
        for i in count()
    )

    def draw(m: int) -> int:
        return next(word for word in words if word < 2**64 // m * m) % m

    plans = []
    for _ in range(10):
        left, length = list(SIGHTS), 3 + draw(4)
        plans.append([left.pop(draw(len(left))) for _ in range(length)])
    drawn = []
    for _ in range(60):
        route = list(filter(lambda _: draw(8) > 0, plans[draw(10)]))
        if draw(4) == 0 and len(route) >= 2:
            place = draw(len(route) - 1)
            route[place : place + 2] = reversed(route[place : place + 2])
        if draw(4) == 0:
            place = draw(len(route) + 1)
            route[place:place] = [SIGHTS[draw(12)]]
        drawn.append(tuple(route))
    return drawn


def test_the_shipped_routes_are_the_generated_ones() -> None:
    assert load_sequences("routes-sixty") == routes() == rederived()
    with pytest.raises(NotATable, match="load_sequences"):
        load("routes-sixty")


def test_routes_depend_on_their_arguments() -> None:
    assert routes(5) == routes()[:5]
    assert routes(5, seed=1) != routes(5)
    assert len(set(routes(200, plans=1))) < len(set(routes(200, plans=50)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"n": 0}, "n is 0"), ({"plans": True}, "plans is True"), ({"seed": "x"}, "seed is 'x'")],
)
def test_bad_arguments_of_routes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        routes(**arguments)


@names
def test_routes_are_grouped(name: str) -> None:
    space = sequence_space(load_sequences("routes-sixty"), name)
    groups = kshc(space, 3, Choices(), linkage="average").groups
    assert {len(group) for group in groups} <= {3, 4, 5}


def test_real_event_sequences_that_another_package_ships() -> None:
    """The activity calendar of TraMineR, if the Python package sequenzo is installed."""
    package = find_spec("sequenzo")
    if package is None or package.origin is None:
        pytest.skip("the package sequenzo is not installed")
    events: dict[str, list[tuple[int, str]]] = {}
    with (Path(package.origin).parent / "datasets" / "actcal_tse.csv").open() as file:
        for row in csv.DictReader(file):
            events.setdefault(row["id"], []).append((int(row["time"]), row["event"]))
    sequences = [tuple(event for _, event in sorted(given)) for given in events.values()]
    assert len(sequences) == 2000
    space = sequence_space(sequences[:150], "oss")
    assert all(
        space.between(a, b) == PLAIN["oss"](sequences[a], sequences[b])
        for a in range(0, 150, 7)
        for b in range(150)
    )
    assert {len(g) for g in kshc(space, 3, Choices(), linkage="average").groups} <= {3, 4, 5}


def test_a_dissimilarity_is_called_like_a_function() -> None:
    lengths = pair_by_pair("lengths", "", lambda a, b: Fraction(abs(len(a) - len(b))))
    assert lengths(("a", "b"), ()) == 2
