"""`refagg.measure`: what a released table loses and discloses, whatever made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from refagg.constraints import Constraint, parse_constraint
from refagg.data.missing import APART
from refagg.data.standardise import standardise as on_scale
from refagg.data.standardise import usual_scale, weights_by_name
from refagg.data.tables import check_missing_policy, table_of
from refagg.errors import InvalidParameter
from refagg.release.apart import (
    check_nothing_whole,
    measured_apart,
    options_of,
    patterns_of_both,
    records_of,
)
from refagg.release.edits import edit_facts
from refagg.release.masking import without_incomplete
from refagg.release.named_measures import named_facts, names_of_measures
from refagg.release.report import class_facts, loss_facts, risk_facts
from refagg.spaces.dissimilarities.own import Measure, Own, measure_for, one_measure
from refagg.spaces.of_tables import name_of


def measure(
    original: Any,
    released: Any,
    *,
    quasi_identifiers: Sequence[str] | None = None,
    missing: Literal["reject", "drop", "group-apart"] = "reject",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    constraints: Sequence[Constraint | str] = (),
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Any] | None = None,
    dissimilarity: str | Measure | Own | None = None,
    similarity: Measure | None = None,
    all_risks: bool = False,
    measures: Sequence[str] | Literal["all"] = (),
) -> dict[str, Any]:
    """What a released table loses and discloses, as `refagg measure` writes it.

    Parameters
    ----------
    original, released : tables of n records, in the same order
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns.
    quasi_identifiers : the attributes that count (all)
    missing : "drop" if records of the original that lack one of them are not in the release;
        "group-apart" measures records that lack the same separately
    standardise : the scale of losses: numbers divided by their "population" (the default) or
        "sample" standard deviation, by their "range" (the default beside other kinds), or "none"
    constraints : equations such as "net + tax = gross"; the result says whether they are met
    kinds, weights, dissimilarity, similarity : as in `refagg.microaggregate`
    all_risks : compute all disclosure risks, however long they take
    measures : further ones, by name: "il1", "pmse" and more (docs/measures.md), or "all"

    Returns
    -------
    dict : ready for JSON. "sse", "sst" and "sse_by_attribute", or for kinds
        "within_dissimilarity" and "whole_dissimilarity", each with "decimal" and "exact";
        "information_loss_percent"; "classes", "sizes" and "k_reached" of equal released rows;
        "record_linkage" and "interval_disclosure_10_percent", shares from 0 to 1, or None where
        they would take too long; "constraints"; "measures", those asked for. With `missing`
        "group-apart" all these for each of the "parts".

    Raises
    ------
    RefaggError: ShapeMismatch, InvalidParameter, InvalidMatrix, UndefinedMeasure for one that is
    named and has no value, and what reading tables raises.

    >>> made = measure([[1], [3], [10], [12]], [[2], [2], [11], [11]], standardise="none")
    >>> made["sse"], made["k_reached"]
    ({'decimal': 4.0, 'exact': '4'}, 2)
    """
    check_missing_policy(missing, APART)
    if missing == APART:
        check_nothing_whole(APART, constraints=constraints)
        wanted, found, theirs = patterns_of_both((original, released), quasi_identifiers, kinds)
        named = {"kinds": kinds, "weights": weights}
        how: dict[str, Any] = {
            "standardise": standardise,
            "all_risks": all_risks,
            "measures": measures,
        }
        how |= {"dissimilarity": dissimilarity, "similarity": similarity}
        return measured_apart(
            found,
            theirs,
            lambda part: measure(
                records_of(original, wanted, part),
                records_of(released, wanted, part),
                quasi_identifiers=part.names,
                **options_of(part, named),
                **how,
            ),
        )
    if missing == "drop":
        original, dropped, _ = without_incomplete(original, quasi_identifiers, kinds, {})
    given = one_measure(dissimilarity, similarity)
    if kinds is None and (weights_by_name(weights) or given is not None):
        raise InvalidParameter("weights and dissimilarities need declared kinds")
    names = names_of_measures(measures)
    ours = table_of(original, quasi_identifiers, kinds=kinds)
    masked = table_of(released, ours.names, kinds=kinds)
    by = measure_for(ours, given)
    scaled = on_scale(ours, standardise or usual_scale(ours), weights=weights)
    report = loss_facts(scaled, masked, by) | class_facts(masked)
    report |= risk_facts(scaled, masked, all_risks, by)
    equations = [parse_constraint(c) if isinstance(c, str) else c for c in constraints]
    report["constraints"] = edit_facts(equations, {"original": ours, "released file": masked})
    if names:
        report["measures"] = named_facts(scaled, masked, measures, all_risks)
    if missing == "drop":
        report["missing"] = {"policy": "drop", "dropped": list(dropped)}
    if ours.others:
        report["kinds"] = {a.name: a.kind.name for a in ours.attributes}
        report["dissimilarity"] = name_of(by)
    return report
