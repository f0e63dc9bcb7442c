"""Changed lines of TFRP."""

from __future__ import annotations

from .mutant import Mutant

GROUPS = "refagg.cursors.groups"
REFINER = "second_phase"

MUTANTS: tuple[Mutant, ...] = (
    Mutant("R2 comes first", "tfrp-1", "cycle(references)", "cycle(references[::-1])"),
    Mutant("all seeds are far from R1", "tfrp-1", "cycle(references)", "cycle(references[:1])"),
    Mutant(
        "R1 has the least value of each attribute",
        "tfrp-1",
        "space.point([m + z_min for m in means])",
        "space.point([min(column) for column in columns])",
    ),
    Mutant("R2 is the average", "tfrp-1", "m + z_max for m", "m for m"),
    Mutant("leftovers are dropped", "tfrp-1", "for record in R.records:", "for record in ():"),
    Mutant("one more group while 2k-1 are left", "tfrp-1", ">= k:", "> k:"),
    Mutant(
        "the groups of least SSE are visited first",
        "tfrp-2",
        "tie = greatest(self.space",
        "tie = least(self.space",
        GROUPS,
    ),
    Mutant(
        "every visited group is dissolved",
        "tfrp-2",
        "if G.would_save(",
        "if True or G.would_save(",
        REFINER,
    ),
    Mutant(
        "no group is dissolved", "tfrp-2", "if G.would_save(", "if False and G.would_save(", REFINER
    ),
    Mutant(
        "the saving is compared without the groups that grow",
        "tfrp-2",
        "before += sum(",
        "before += 0 * sum(",
        GROUPS,
    ),
    Mutant("large groups are not divided", "tfrp-2", "of_at_least(2 * k)", "of_at_least(4 * k)"),
)
