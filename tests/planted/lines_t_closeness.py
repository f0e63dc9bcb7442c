"""Changed lines of t-closeness and of insensitive microaggregation."""

from __future__ import annotations

from .mutant import Mutant

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
    Mutant("EMD is divided by m", MERGING, "n * size * (m - 1)", "n * size * m"),
    Mutant(
        "EMD counts values as equally far, whatever is between them",
        MERGING,
        "for count, (first, after) in enumerate(pairwise([0, *ranks, m]))",
        "for count, (first, after) in enumerate(pairwise([0, *ranks, m])) if after - first < 2",
    ),
    Mutant("the group nearest to the file is merged", MERGING, "greatest(ranked)", "least(ranked)"),
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
        "refagg.cursors.groups",
    ),
    Mutant("groups are not merged in the end", EXCHANGING, "secret, t)  # 4.", "secret, 1)  # 4."),
    Mutant("no record is exchanged", EXCHANGING, "emd > t and waiting", "emd > 1 and waiting"),
    Mutant(
        "records are exchanged whatever EMD becomes",
        EXCHANGING,
        "if min(replaced) < emd:",
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
        'choose("y", R.space.closest',
        'choose("y", R.space.farthest',
    ),
    Mutant("exchanges go on below t", EXCHANGING, "emd > t and", "emd >= 0 and"),
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
