"""What is reported about centres that are released, and the groups drawn to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups


def facts_of(made: FuzzyGroups) -> dict[str, Any]:
    """The result in numbers, ready for JSON."""
    realised = [len(group) for group in made.groups]
    low, high = made.sizes.bounds
    return {
        "k_anonymous_by_construction": False,
        "centres": len(made.centres),
        "iterations": made.clustering.iterations,
        "converged": made.clustering.converged,
        "last_move": made.clustering.moved,
        "objective": made.clustering.objectives[-1],
        "level": made.clustering.levels[-1],
        "expected_sizes": made.sizes.expected,
        "standard_deviations_of_sizes": made.sizes.spread,
        "realised_sizes": realised,
        "centres_without_records": realised.count(0),
        "centres_that_are_records": len(made.on_records),
        "smallest_group": min(filter(None, realised)),
        "probability_smaller_than_k": made.sizes.small,
        "expected_groups_smaller_than_k": fsum(made.sizes.small),
        "probability_of_some_group_smaller_than_k": {"at_least": low, "at_most": high},
        "guarantee": made.guarantee,
        "guarantee_did": made.did,
    }


def centre_lines(results: Sequence[tuple[str, FuzzyGroups]]) -> list[str]:
    """Return lines about the result in each stratum, for a reader."""
    return [
        (f"stratum {stratum}: " if stratum else "") + line
        for stratum, result in results
        for line in _lines(result)
    ]


def _lines(result: FuzzyGroups) -> list[str]:
    known, sizes = facts_of(result), result.sizes
    low, high = sizes.bounds
    often = " to ".join(dict.fromkeys((f"{low:.4g}", f"{high:.4g}")))
    ended = "converged" if result.clustering.converged else "NOT CONVERGED"
    return [
        f"centres: {known['centres']}, {known['centres_without_records']} without records, "
        f"{len(result.on_records)} that are records themselves; "
        f"{ended} after {known['iterations']} iterations",
        f"sizes: expected {min(sizes.expected):.4g} to {max(sizes.expected):.4g}, "
        f"smallest realised {known['smallest_group']}",
        "not k-anonymous by construction: before any guarantee, the probability that some "
        f"group has fewer than {result.k} records is {often}",
        f"guarantee {result.guarantee}: {result.did}",
    ]
