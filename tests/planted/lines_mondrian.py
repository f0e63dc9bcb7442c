"""Changed lines of Mondrian."""

from __future__ import annotations

from .mutant import Mutant

RELAXED = (("cut", "relaxed"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "widths are not divided by the range in the file",
        "mondrian",
        "Fraction(whole or 1)",
        "Fraction(1)",
    ),
    Mutant("the narrowest attribute is cut", "mondrian", "[widths[number]", "[-widths[number]"),
    Mutant("the upper median", "mondrian", "(len(values) + 1) // 2", "len(values) // 2 + 1"),
    Mutant(
        "a side of k-1 records",
        "mondrian",
        "_median(ordered)) >= k",
        "_median(ordered)) >= k - 1 > 0",
    ),
    Mutant("a side of k is too few", "mondrian", "_median(ordered)) >= k", "_median(ordered)) > k"),
    Mutant(
        "the median is on the other side",
        "mondrian",
        "(near.certain + near.tied)",
        "(near.certain)",
    ),
    Mutant(
        "only the widest attribute is tried",
        "mondrian",
        "if can_be_cut(values, k, cut)",
        "if can_be_cut(values, k, cut) and _width(values, ranges[number]) == max(\n"
        "                _width(v, ranges[j]) for j, v in ordered.items()\n            )",
    ),
    Mutant(
        "relaxed, 2k records are not cut",
        "mondrian",
        "len(ordered) >= 2 * k",
        "len(ordered) > 2 * k",
        parameters=RELAXED,
    ),
    Mutant(
        "relaxed, the second side has the odd record",
        "mondrian",
        "(len(values) + 1) // 2",
        "max(1, len(values) // 2)",
        parameters=RELAXED,
    ),
)
