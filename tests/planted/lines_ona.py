"""Changed lines of ONA."""

from __future__ import annotations

from .mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "the first partition is that of the file",
        "ona",
        "number: drawn[number::count]",
        "number: R.records[number::count]",
    ),
    Mutant("records are visited in the order of the file", "ona", "k, drawn,", "k, sorted(drawn),"),
    Mutant("there is one round only", "ona", "G.rounds(rounds)", "G.rounds(1)"),
    Mutant("groups of k records give up records", "ona", "> k else", ">= k else"),
    Mutant(
        "groups of k are not dissolved",
        "ona",
        'if not G.would_save("dis',
        'if True or G.would_save("dis',
    ),
    Mutant(
        "no record moves", "ona", 'if not G.would_lower("move', 'if True or G.would_lower("move'
    ),
    Mutant("groups of 2k stay", "ona", ">= 2 * k", "> 2 * k"),
    Mutant(
        "the nearest centroid, whatever the size",
        "ona",
        "increase(r, len(self.members[n])) for n, r in",
        "r for n, r in",
        "refagg.cursors.groups",
    ),
    Mutant("the record nearest to the centroid is divided off", "ona", "R.farthest(", "R.closest("),
)
