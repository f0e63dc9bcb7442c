"""`refagg.measure`: what a released table loses and discloses, whatever made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refagg.data.foreign import both_settled
from refagg.data.missing import APART, DROP, check_same_cells
from refagg.data.tables import check_missing_policy, table_of
from refagg.options import readers
from refagg.options.fields import given_options, keywords, only, option, options_of, refuse
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.needs import WHOLE
from refagg.options.publishing import Publishing
from refagg.options.scales import scaled_and_measure
from refagg.release.apart import measured_apart, options_of_part, patterns_of_both, records_of
from refagg.release.edits import constraints_of, edit_facts
from refagg.release.masking import without_incomplete
from refagg.release.named_measures import MEASURES, named_facts, names_of_measures
from refagg.release.report import class_facts, loss_facts, risk_facts
from refagg.spaces.of_tables import name_of

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import MeasureOptions


@dataclass(frozen=True)
class Measuring:
    """The measures of a release, beside its loss."""

    all_risks: bool = option("compute all disclosure risks, however long they take", False)
    measures: str | tuple[str, ...] = option(
        f"further measures: {', '.join(MEASURES)}, or all (docs/measures.md)",
        (),
        type='Sequence[str] | Literal["all"]',
        metavar="A,B,...|all",
        value=readers.measures,
    )


HOW = ("standardise", "weights", "dissimilarity", "similarity")
"""The options of the scale on which losses are measured."""

OPTIONS = {
    **only(options_of(Layout), "quasi_identifiers", "kinds", "missing"),
    **only(options_of(Grouping), *HOW),
    **only(options_of(Publishing), "constraints"),
    **options_of(Measuring),
}
"""The keywords of `measure`."""


@keywords(OPTIONS)
def measure(original: Any, released: Any, **options: Unpack[MeasureOptions]) -> dict[str, Any]:
    """Measure the loss and the risks of a released table, as `refagg measure` writes them.

    Parameters
    ----------
    original, released : tables of n records, in the same order
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns.
    OPTIONS

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
    given = given_options(options, OPTIONS, "measure")
    check_missing_policy(given["missing"], APART)
    original, released = both_settled(original, released)
    if given["missing"] != APART:
        return _measured(original, released, given)
    refuse(given, OPTIONS, {WHOLE: f"missing is {APART!r}"})
    names = given["quasi_identifiers"]
    wanted, ours, theirs = patterns_of_both((original, released), names, given["kinds"])
    check_same_cells(ours, theirs)
    return measured_apart(
        ours,
        lambda part: _measured(
            records_of(original, wanted, part),
            records_of(released, wanted, part),
            options_of_part(part, given, OPTIONS),
        ),
    )


def _measured(original: Any, released: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Measure a release in which nothing is missing, or without the records that lack values."""
    if drop := given["missing"] == DROP:
        original, dropped, given = without_incomplete(original, given, OPTIONS)
    names = names_of_measures(given["measures"])
    scaled, by = scaled_and_measure(original, given, OPTIONS)
    ours = scaled.table
    masked = table_of(released, ours.names, kinds=given["kinds"])
    report = loss_facts(scaled, masked, by) | class_facts(masked)
    report |= risk_facts(scaled, masked, given["all_risks"], by)
    equations = constraints_of(given["constraints"])
    report["constraints"] = edit_facts(equations, {"original": ours, "released file": masked})
    if names:
        report["measures"] = named_facts(scaled, masked, given["measures"], given["all_risks"])
    if drop:
        report["missing"] = {"policy": DROP, "dropped": list(dropped)}
    if ours.others:
        report["kinds"] = {a.name: a.kind.title for a in ours.attributes}
        report["dissimilarity"] = name_of(by)
    return report
