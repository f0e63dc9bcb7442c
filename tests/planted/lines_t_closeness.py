"""Changed lines of t-closeness and of insensitive microaggregation."""

from __future__ import annotations

from .mutant import GROUPS, Mutant

CUMULATIVE = "refagg.engine.cumulative"
MERGING = "t-closeness-merging"
EXCHANGING = "t-closeness-k-anonymity-first"
FIRST = "t-closeness-first"
NEAR = (("t", "1/10"),)
DOMAIN = (("width", "10"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "the confidential attribute counts for distances",
        MERGING,
        "if space.width > 1",
        "if False",
    ),
    Mutant("EMD is divided by m", MERGING, "/ (m - 1) if", "/ m if"),
    Mutant(
        "EMD counts values as equally far, whatever is between them",
        MERGING,
        "for count, (first, after) in enumerate(pairwise([0, *ranks, len(self)]))",
        "for count, (first, after) in enumerate(pairwise([0, *ranks, len(self)]))\n"
        "            if after - first < 2",
        CUMULATIVE,
    ),
    Mutant(
        "the group nearest to the file is merged",
        MERGING,
        "greatest(ranked)",
        "least(ranked)",
        GROUPS,
    ),
    Mutant(
        "groups are merged until EMD is less than t",
        MERGING,
        "> t:\n        G",
        ">= t > 0:\n        G",
    ),
    Mutant(
        "the farthest group is merged with",
        MERGING,
        "least(self.space.ranked(list(others), raw))",
        "greatest(self.space.ranked(list(others), raw))",
        GROUPS,
    ),
    Mutant("groups are not merged in the end", EXCHANGING, "Q, t)  # 4.", "Q, 1)  # 4."),
    Mutant("no record is exchanged", EXCHANGING, "emd(Q, C) > t and", "emd(Q, C) > 1 and"),
    Mutant(
        "records are exchanged whatever EMD becomes",
        EXCHANGING,
        "if min(replaced) < emd(Q, C):",
        "if min(replaced) <= 1:",
    ),
    Mutant(
        "the seed never leaves",
        EXCHANGING,
        "for i in range(len(C))]",
        "if C[i] != seed else Fraction(2) for i in range(len(C))]",
    ),
    Mutant(
        "y is the farthest",
        EXCHANGING,
        'R.closest("y"',
        'R.farthest("y"',
    ),
    Mutant("exchanges go on below t", EXCHANGING, "emd(Q, C) > t and", "emd(Q, C) >= 0 and"),
    Mutant("x_s is far from the average", EXCHANGING, '"x_s", x_r)', '"x_s", R.average())'),
    Mutant("groups of l are not made larger", FIRST, "size + n % size // (n // size)", "size"),
    Mutant("the last stratum is the large one", FIRST, "== (number - 1) // 2", "== number - 1"),
    Mutant("l is k", FIRST, "max(k, ceil(n / (2 * (n - 1) * t + 1)))", "k", parameters=NEAR),
    Mutant(
        "l is rounded down",
        FIRST,
        "ceil(n / (2 * (n - 1) * t + 1))",
        "int(n / (2 * (n - 1) * t + 1))",
        parameters=NEAR,
    ),
    Mutant("the seed's stratum gives another one", FIRST, " - (seed in stratum)", ""),
    Mutant(
        "the middle stratum gives two from the end on",
        FIRST,
        "2 if len(stratum) > to_form else 1",
        "2 if len(stratum) > to_form and to_form <= len(R) % len(strata) else 1",
    ),
    Mutant(
        "the reference points are two opposite corners",
        "insensitive",
        "while len(used) < 2**attributes:",
        "while len(used) < 2:",
        parameters=DOMAIN,
    ),
    Mutant(
        "the second corner is beside the first",
        "insensitive",
        "for same in range(len(last)):",
        "for same in range(len(last))[::-1]:",
        parameters=DOMAIN,
    ),
    Mutant(
        "the domain is that of the file",
        "insensitive",
        "[lower + width * at_upper for at_upper in upper_ends]",
        "list(R.space.origin)",
        parameters=DOMAIN,
    ),
    Mutant(
        "a group of k while 3k remain",
        "insensitive",
        "at_least(2 * k)",
        "at_least(3 * k)",
        parameters=DOMAIN,
    ),
)
