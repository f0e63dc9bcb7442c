"""The flags of vectors: what a case is about, each explained once."""

from __future__ import annotations

FLAGS = {
    "boundary": "n is k, 2k-1, 2k, 3k-1 or 3k, where loops of some algorithms start or end, or "
    "differs from one of these by 1. Finds loops with a wrong condition.",
    "duplicates": "Some records are equal. Finds programs that look records up by their values, "
    "or confuse equal records.",
    "constant": "An attribute, or every attribute, is constant. Finds programs that divide by a "
    "deviation of 0.",
    "offset": "All values are far from 0 compared with their differences. Differences of sums of "
    "squares cancel, and binary32 cannot represent the values.",
    "scale": "Values are close to 0 or have many digits. Finds absolute tolerances.",
    "negative": "Some values are negative.",
    "fractions": "Values are not integers.",
    "larger": "There are more than 12 records, or ten attributes.",
    "real-data": "Values are as in files of offices: spread over many digits, with heavy tails and "
    "zeros, or years, codes and money.",
    "codes": "Values that programs may treat as codes for missing ones, such as -999, are values.",
    "precision": "Values are integers that binary32, or binary64, cannot represent.",
    "one-attribute": "Records have one attribute.",
    "z-scores": "Values are standardised by the population standard deviation.",
    "order": "Records of a group are not consecutive. Finds programs that return sorted records, "
    "or the labels of sorted records.",
    "tie": "The source leaves a choice open, so that several partitions are correct.",
    "kinds": "Attributes are declared to be numeric, ordinal or nominal; their distances are those "
    "of docs/kinds.md. Programs for numbers answer `unsupported`.",
    "sequences": "Records are sequences of events, with a dissimilarity of docs/kshc.md.",
    "series": "Rows are time series; the distance sts compares their slopes.",
    "constraints": "Released means are moved to the nearest values that meet equations; see "
    "docs/constraints.md.",
    "strata": "No group contains records of two strata; standardisation is by the whole table.",
    "blocks": "Blocks of attributes, or single ones, are microaggregated separately.",
    "sampling_weights": "Released means are weighted by the sampling weights of the records; "
    "groups are those without weights.",
    "gower": "The distance of records of declared kinds is Gower's (docs/kinds.md).",
    "tape": "All draws come from the random stream of a seed, which docs/protocol.md defines. "
    "Programs with another source of randomness answer `unsupported`.",
    "parameter": "A parameter differs from its default.",
    "bug": "A published program gave a wrong answer here.",
    "bad-input": "The input is invalid: the program must refuse it, and neither crash nor answer.",
}

FAULTS = {
    "wrong-seed": "A finding: a group is formed around a record other than the algorithm's seed.",
    "wrong-neighbours": "A finding: the records around a seed are not the nearest ones.",
    "wrong-cut": "A finding: a part is cut at a wrong place, or at a wrong attribute.",
    "wrong-scale": "A finding: attributes are on a scale other than the claimed one.",
    "other-algorithm": "A finding: the program computes an algorithm other than the claimed one.",
    "unsorted": "A finding: the answer is in the order of sorted values, not of the records.",
    "rounding": "A finding: values lose digits before they are compared.",
    "cancellation": "A finding: nearly equal numbers are subtracted, and digits are lost.",
    "missing-codes": "A finding: a value is treated as a code for missing ones.",
    "unchecked": "A finding: invalid input is not checked.",
    "division-by-zero": "A finding: the program divides by a deviation or a range of 0.",
    "small-input": "A finding: the program fails on few records, or few groups.",
}
"""Types of faults of findings."""

EFFECTS = {
    "more-loss": "A finding: the groups lose more information than those of the algorithm.",
    "not-k-anonymous": "A finding: groups are too small, or records are in no group.",
    "other-groups": "A finding: the groups differ from those of the algorithm, better or worse.",
    "wrong-number": "A finding: the answered number is wrong.",
    "no-answer": "A finding: the program stops with an error on valid input.",
    "answer-to-nonsense": "A finding: the program answers invalid input.",
}
"""What faults do to a release."""

FLAGS |= {"finding": "Vectors or a hunt found a published program wrong here; see `seen`."}
FLAGS |= FAULTS | EFFECTS
