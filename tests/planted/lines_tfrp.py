"""Changed lines of TFRP."""

from __future__ import annotations

from .mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "R2 comes first", "tfrp-1", "references[len(groups) % 2]", "references[~len(groups) % 2]"
    ),
    Mutant("all seeds are far from R1", "tfrp-1", "references[len(groups) % 2]", "references[0]"),
    Mutant(
        "R1 has the least value of each attribute",
        "tfrp-1",
        "space.point([m + z_min for m in means])",
        "space.point([min(column) for column in columns])",
    ),
    Mutant("R2 is the average", "tfrp-1", "m + z_max for m", "m for m"),
    Mutant("leftovers are dropped", "tfrp-1", "for record in remaining:", "for record in ():"),
    Mutant(
        "one more group while 2k-1 are left", "tfrp-1", ">= k:\n        from", "> k:\n        from"
    ),
    Mutant("the groups of least SSE are visited first", "tfrp-2", "greatest(space", "least(space"),
    Mutant("every visited group is dissolved", "tfrp-2", "if run.holds(", "if True or run.holds("),
    Mutant("no group is dissolved", "tfrp-2", "if run.holds(", "if False and run.holds("),
    Mutant(
        "the saving is compared without the groups that grow",
        "tfrp-2",
        "groups.sse[number] + sum(groups.sse[other] for other in grown)",
        "groups.sse[number]",
    ),
    Mutant("large groups are not divided", "tfrp-2", "len(group) >= 2 * k", "len(group) >= 4 * k"),
)
