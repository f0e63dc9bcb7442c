"""Mondrian: parts are cut at medians while both sides have k records.

Source: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE
2006. The paper was not available, but its pseudo-code was, on the page of another implementation
(Mondrian-k-anonimity by Andrew0133): one side has the values up to the median, the other those
above it. It leaves open which median an even number of values has. The rest follows another
implementation (Mondrian by qiyuangong), which of an odd number of values takes the one below the
median. There the values of a group are released as ranges, here as their means.

Steps, beginning with one part of all records:
  1. The width of an attribute is its range in the part over its range in the file. Of the
     attributes at which the part can be cut, that of the greatest width is taken.
  2. The part is cut at the median of this attribute, of an even number of values the lower one:
     `cut` "strict": the records with at most this value are one side, those with more the other.
     An attribute at which a side would have fewer than k records is left out in step 1.
     `cut` "relaxed": the records with less are one side, those with more the other, and those with
     the median are divided between them, so that the first side has half of the records, or one
     more.
  3. A part that cannot be cut is a group; the sides are parts.

With "relaxed" groups have at most 2k-1 records. With "strict" equal values stay together, so there
is no limit, and the only open choice is among attributes of the same width.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 are cut at 10, and the four up to
it at 2. Of 1, 5, 5, 5, 5, 5 all are at most the median: strict, they are one group; relaxed, 1, 5,
5 and 5, 5, 5.

>>> import refagg
>>> refagg.mondrian([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3), (4, 5, 6))
>>> refagg.mondrian([[1], [5], [5], [5], [5], [5]], k=2).groups
((0, 1, 2, 3, 4, 5),)
>>> refagg.mondrian([[1], [5], [5], [5], [5], [5]], k=2, cut="relaxed").groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from refagg.cursors.parts import Parts, on_parts
from refagg.language.specification import OpenChoice, Specification, choice


def mondrian(P: Parts, k: int, cut: str) -> None:
    for part in P:
        cuttable = [a for a in P.attributes if P.can_be_halved(part, a, k, cut)]
        if not cuttable:
            P.close(part)  # 3.
        else:
            a = P.widest("attribute", part, cuttable)  # 1.
            P.halve("shared", part, a, k, cut)  # 2.


SPECIFICATION = Specification(
    name="mondrian",
    title="Mondrian (parts are cut at the median of their widest attribute)",
    source="LeFevre, DeWitt and Ramakrishnan 2006, ICDE",
    run=on_parts(mondrian),
    largest_group=lambda k, cut: 2 * k - 1 if cut == "relaxed" else None,
    guarantees="groups of at least k records; relaxed, of k to 2k-1",
    ties=(
        OpenChoice("attribute", "1", "the attribute of the greatest width", "attribute", "width"),
        OpenChoice("shared", "2", "the half of the part with the least values", measure="value"),
    ),
    decisions=(79,),
    cost="O(p n log n log(n/k)) for p attributes, O(p n) memory",
    parameters=(choice("cut", ("strict", "relaxed"), "whether equal values stay together"),),
    needs="Numeric",
)
