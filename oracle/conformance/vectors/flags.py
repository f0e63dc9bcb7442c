"""The flags of vectors: what a case is about, each explained once."""

from __future__ import annotations

FLAGS = {
    "boundary": "n is where a loop of some algorithm starts or ends: k, 2k-1, 2k, 3k-1, 3k or "
    "one beside them. Loops with a wrong condition show here.",
    "duplicates": "Some records are equal. Programs that look records up by their values, or "
    "take a record for its equal, show here.",
    "constant": "An attribute, or all of them, has one value. Programs that divide by a deviation "
    "of 0 show here.",
    "offset": "All values are far from 0 compared with their differences. Differences of sums of "
    "squares cancel, and binary32 does not hold the values.",
    "scale": "Values are very small or very large. Absolute tolerances show here.",
    "negative": "Some values are negative.",
    "fractions": "Values are no whole numbers.",
    "larger": "More than 12 records, or ten attributes.",
    "codes": "Values that programs take for codes of missing ones, such as -999, are values here.",
    "precision": "Whole numbers that binary32, or binary64, does not hold.",
    "one-attribute": "Records have one attribute.",
    "z-scores": "The claim is on z-scores by the population deviation.",
    "order": "Records that belong together do not follow one another; programs that return sorted "
    "records, or the labels of sorted records, show here.",
    "tie": "The source leaves a choice open, so that several partitions are possible.",
    "kinds": "Attributes are declared to be numeric, ordinal or nominal; their distances are those "
    "of docs/kinds.md. Programs for numbers answer that they do not take part.",
    "sequences": "Records are sequences of events, with a dissimilarity of docs/kshc.md.",
    "series": "Rows are time series; with the distance sts it is the slopes that are compared.",
    "constraints": "Released means are moved to the nearest values that meet equations, as "
    "docs/constraints.md says.",
    "strata": "No group goes across strata; the scale is that of the whole table.",
    "blocks": "Attributes are grouped by themselves, each one or blocks of them.",
    "tape": "Draws come from the random stream of a seed, which says each of them: "
    "docs/protocol.md has the stream. Programs with another source of randomness answer that "
    "they do not take part.",
    "parameter": "A parameter has another value than its default.",
    "bug": "A published program was found to be wrong here.",
    "bad-input": "There is no right partition: the program must say so, not crash and not answer.",
}

FAULTS = {
    "wrong-seed": "A finding: a group starts from another record than the algorithm's.",
    "wrong-neighbours": "A finding: the records around a seed are not the nearest ones.",
    "wrong-cut": "A finding: a part is cut at another place, or at another attribute.",
    "wrong-scale": "A finding: attributes are on another scale than is claimed.",
    "other-algorithm": "A finding: what is computed is another algorithm than is claimed.",
    "unsorted": "A finding: an answer about sorted values is not put back in the order of records.",
    "rounding": "A finding: values lose digits before they are compared.",
    "cancellation": "A finding: large numbers of which small differences are left are subtracted.",
    "missing-codes": "A finding: a value is taken for a code of missing ones.",
    "unchecked": "A finding: input that makes no sense is not looked at.",
    "division-by-zero": "A finding: a deviation or a range of 0 is divided by.",
    "small-input": "A finding: fewer records, or fewer groups, than were thought of.",
}
"""Types of faults of findings."""

EFFECTS = {
    "more-loss": "A finding: groups lose more information than the algorithm's.",
    "not-k-anonymous": "A finding: groups are too small, or records are in none.",
    "other-groups": "A finding: groups are others, for better or worse.",
    "wrong-number": "A finding: the number that is answered is wrong.",
    "no-answer": "A finding: the program stops with an error where there is an answer.",
    "answer-to-nonsense": "A finding: an answer to input of which there is none.",
}
"""What faults do to a release."""

FLAGS |= {"finding": "Found by vectors or a hunt in a published program; `seen` says where."}
FLAGS |= FAULTS | EFFECTS
