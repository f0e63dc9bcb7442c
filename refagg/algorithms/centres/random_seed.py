"""Random seed and nearest: each group grows around a random record.

Source: section 4.1 of Analisis de conglomerados: un caso practico aplicado a la proteccion de datos
(UOC 2016), whose code forms groups of k and whose prose has four rules for variable sizes. The last
records and the limits of growth are ours.

Steps, while at least 2k records are unassigned:
  1. The seed is drawn from the random stream, each unassigned record being equally likely; it and
     its k-1 nearest unassigned records form a group.
  2. The group may grow to at most 2k-1 records, and at least k stay unassigned:
     `size` "fixed": it does not grow.
     `size` "random": a size from k to 2k-1 is drawn, each `ratio` times as likely as the one below
     it (by default equally likely; a greater ratio makes large groups prevail, a smaller one small
     groups), and the nearest records to the seed are added up to it, as far as k stay unassigned.
     With the other three a candidate e joins if its distance d_in to the group is less than d_out,
     that from e to its nearest other unassigned record, and the next e is examined; otherwise the
     group is complete. What e and d_in are depends on `size`:
     "minimum": e is the unassigned record nearest to any record of the group.
     "mean": e is the unassigned record nearest to the centroid of the group, and d_in its
     distance to that.
     "min-max": each record of the group has a nearest unassigned record; e is the one of these
     that is at the greatest distance.
Then:
  3. the last k to 2k-1 records are one group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 12 with k = 2, a random stream that draws 0 and
then the sixth record of those left. 1 joins 0. With size "minimum", e is 2, at the squared
distance 1 from 1, and 64 from 10: it joins, and the group is full. {10, 11, 12} are left.

>>> import refagg
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.exact_space([[0], [1], [2], [10], [11], [12]])
>>> run = refagg.specification("random-seed").run
>>> run(space, 2, Choices(stream=scripted([0])), size="minimum").groups
((0, 1, 2), (3, 4, 5))
>>> run(space, 2, Choices(stream=scripted([0, 3])), size="fixed").groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.random_stream import RandomStream
from refagg.language.specification import OpenChoice, Specification, choice, positive

EVEN = Fraction(1)
"""The ratio of sizes that are equally likely."""

EXAMINED = {
    "minimum": Cursor.closest_to_any,
    "mean": Cursor.closest_to_mean,
    "min-max": Cursor.farthest_of_closest,
}
"""What e is: chosen of R for a group, with d_in."""


def random_seed(R: Cursor, k: int, size: str, ratio: Fraction = EVEN) -> None:
    while R.has("loop", 2 * k):
        seed = R.drawn("seed")  # 1.
        m = drawn_size(R, k, ratio) if size == "random" else k  # 2.
        group = R.group("near seed", seed, min(m, len(R) - k), grows=True)
        while size in EXAMINED and len(group) < 2 * k - 1 and len(R) > k:
            e = EXAMINED[size](R, "e", group)
            if not R.found_nearer("join", e, 1):  # d_in < d_out
                break
            R.add(e, group)
        R.close(group)
    R.rest()  # 3.


def drawn_size(R: Cursor, k: int, ratio: Fraction) -> int:
    """Step 2: draw the size of a group, from k to 2k-1."""
    size = k + beyond(R.choices.stream, k, ratio)
    R.choices.drew("size", [size], k)
    return size


def beyond(stream: RandomStream, k: int, ratio: Fraction) -> int:
    """Draw one of 0 .. k-1, in geometric proportions.

    Each is `ratio` times as likely as the one before.
    """
    if ratio == EVEN:
        return stream.randbelow(k)
    a, b = ratio.numerator, ratio.denominator
    wheel = list(accumulate(a**i * b ** (k - 1 - i) for i in range(k)))
    return bisect_right(wheel, stream.randbelow(1 << 53) * wheel[-1] >> 53)


SPECIFICATION = Specification(
    name="random-seed",
    title="Random seed and nearest",
    source="Analisis de conglomerados, UOC 2016, section 4.1; the last records are ours",
    run=on_cursor(random_seed),
    guarantees="groups of k to 2k-1 records; with fixed size all but the last have k",
    ties=(
        OpenChoice("near seed", "1", "the nearest unassigned records to the seed"),
        OpenChoice("e", "2", "the unassigned record that is the candidate to join the group"),
        OpenChoice(
            "join", "2", "whether e is nearer to the group than to any other record", "test"
        ),
    ),
    decisions=(34,),
    cost="O(n^2 / k) distances with fixed or random size, O(k n^2) with others, O(n) memory",
    parameters=(
        choice(
            "size",
            ("fixed", "random", "minimum", "mean", "min-max"),
            "how many records a group takes in",
        ),
        positive("ratio", EVEN, "with size=random, how likely a size is beside the one below it"),
    ),
    random=True,
)
