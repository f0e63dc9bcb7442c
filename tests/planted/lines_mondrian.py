"""Changed lines of Mondrian."""

from __future__ import annotations

from .mutant import PARTS, Mutant

RELAXED = (("cut", "relaxed"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "widths are not divided by the range in the file",
        "mondrian",
        "Fraction(self._ranges[attribute] or 1)",
        "Fraction(1)",
        PARTS,
    ),
    Mutant("the narrowest attribute is cut", "mondrian", "[widths[a]", "[-widths[a]", PARTS),
    Mutant(
        "the upper median", "mondrian", "(len(ordered) + 1) // 2 - 1", "len(ordered) // 2", PARTS
    ),
    Mutant(
        "a side of k-1 records",
        "mondrian",
        "_median(values)) >= k",
        "_median(values)) >= k - 1 > 0",
        PARTS,
    ),
    Mutant(
        "a side of k is too few", "mondrian", "_median(values)) >= k", "_median(values)) > k", PARTS
    ),
    Mutant(
        "the median is on the other side",
        "mondrian",
        "sorted(less + equal)",
        "sorted(less)",
        PARTS,
    ),
    Mutant(
        "only the widest attribute is tried",
        "mondrian",
        "if P.can_be_halved(part, a, k, cut)]",
        "if P.can_be_halved(part, a, k, cut)\n"
        "            and P._width(part, a) == max(P._width(part, b) for b in P.attributes)]",
    ),
    Mutant(
        "relaxed, 2k records are not cut",
        "mondrian",
        "len(part) >= 2 * k",
        "len(part) > 2 * k",
        PARTS,
        parameters=RELAXED,
    ),
    Mutant(
        "relaxed, the second side has the odd record",
        "mondrian",
        "(len(part) + 1) // 2",
        "max(1, len(part) // 2)",
        PARTS,
        parameters=RELAXED,
    ),
)
