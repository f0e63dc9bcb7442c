"""`refagg.measure`: what a released table loses and discloses, whatever made it.

Measures of loss and risk that are computed where they are asked for, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from refagg.data.foreign import settled
from refagg.data.missing import APART, DROP, Part, check_missing_policy, check_same_cells
from refagg.data.standardise import Scaled
from refagg.data.tables import Table, table_of
from refagg.errors import InvalidParameter, UndefinedMeasure
from refagg.language.lists import check_one_of, listed
from refagg.language.number_texts import as_json
from refagg.options import readers
from refagg.options.fields import WHOLE, given_options, keywords, only, option, options_of, refuse
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.options.scales import scaled_and_measure
from refagg.release import risk, utility
from refagg.release.apart import measured_apart, options_of_part, patterns_of_both, records_of
from refagg.release.edits import constraints_of, edit_facts
from refagg.release.masking import without_incomplete
from refagg.release.measures import Findings, check_same_shape
from refagg.release.report import class_facts, loss_facts, risk_facts
from refagg.spaces.of_tables import name_of
from refagg.terminal import NOW, kept

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import MeasureOptions


LARGE = 2000
"""Records beyond which "all" leaves out what takes minutes."""


@dataclass(frozen=True, slots=True)
class NamedMeasure:
    """A measure of a release.

    `long` ones take a time that grows with the cube of the records.
    """

    meaning: str
    compute: Callable[[Scaled, Table], Findings]
    long: bool = False


def _of_tables(compute: Callable[[Table, Table], Findings]) -> Callable[[Scaled, Table], Findings]:
    return lambda scaled, released: compute(scaled.table, released)


MEASURES: Mapping[str, NamedMeasure] = {
    "il1": NamedMeasure("sum of 100 |x - y| / |x|", _of_tables(utility.il1)),
    "il1s": NamedMeasure("sum of |x - y| / (root(2) s)", _of_tables(utility.il1s)),
    "eigenvalues": NamedMeasure(
        "sum of relative differences of the eigenvalues of correlations",
        _of_tables(utility.eigenvalues),
    ),
    "correlation-loss": NamedMeasure(
        "distance of the inverse correlations' diagonals, 0 to 1",
        _of_tables(utility.correlation_loss),
    ),
    "il-variables": NamedMeasure(
        "mean difference of cells, 0 to 1", _of_tables(utility.il_variables)
    ),
    "pmse": NamedMeasure("pMSE by main effects, 0 to 1/4", _of_tables(utility.pmse)),
    "pmse-squares": NamedMeasure(
        "pMSE by main effects and squares, 0 to 1/4",
        _of_tables(partial(utility.pmse, squares=True)),
    ),
    "interval-ranks": NamedMeasure(
        "values within 1 to 10 % of their rank, mean", _of_tables(risk.mean_rank_disclosure)
    ),
    "interval-original": NamedMeasure(
        "values within 1 to 10 % of the original's standard deviation, mean",
        _of_tables(risk.spread_disclosure),
    ),
    "interval-released": NamedMeasure(
        "records wholly within 5 % of the release's standard deviation",
        _of_tables(risk.record_disclosure),
    ),
    "one-to-one-linkage": NamedMeasure(
        "records linked by the assignment of least distance", risk.one_to_one_linkage, True
    ),
    "probabilistic-linkage": NamedMeasure(
        "records linked by the assignment of greatest weight", risk.probabilistic_linkage, True
    ),
}
"""Every measure by its name. docs/measures.md defines them."""

ALL = "all"


def names_of_measures(given: object) -> list[str]:
    """Return the names of the measures requested.

    They are given as a list or as the word "all". Raises InvalidParameter.
    """
    if given == ALL:
        return list(MEASURES)
    names = listed(given, "measures are", "give a list of names, or 'all'")
    for name in names:
        check_one_of(name, MEASURES, "there is no measure", others="there are")
    return list(dict.fromkeys(names))


def named_facts(scaled: Scaled, released: Table, given: Any, everything: bool) -> dict[str, object]:
    """Return the measures that are asked for, ready for JSON, by name.

    One that is named and has no value raises UndefinedMeasure. Of "all", one without a value says
    why under "undefined"; long ones are left out of more than LARGE records, unless `everything`
    is wanted. In a command, Ctrl-C ends this with what is known.
    """
    check_same_shape(scaled.table, released)
    found: dict[str, Any] = {}
    names = names_of_measures(given)
    NOW.counts(len(names), "measures")
    with kept():
        for done, name in enumerate(names):
            NOW.starts(name)
            NOW.step(done)
            found[name] = _facts(name, scaled, released, given == ALL, everything)
    NOW.step(len(names))
    return found


def _facts(
    name: str, scaled: Scaled, released: Table, of_all: bool, everything: bool
) -> dict[str, object]:
    """Return one measure: `of_all` attributes, or one that is named."""
    measure = MEASURES[name]
    if of_all and measure.long and scaled.n > LARGE and not everything:
        return {"undefined": f"not computed of more than {LARGE} records unless named"}
    try:
        finding = measure.compute(scaled, released).items()
    except (InvalidParameter, UndefinedMeasure) as error:  # as of distances of sequences
        if not of_all:
            raise UndefinedMeasure(f"{name}: {error}") from None
        return {"undefined": str(error)}
    return {what: as_json(x) if isinstance(x, Fraction) else x for what, x in finding}


def named_lines(found: Mapping[str, Any]) -> list[str]:
    """A line for each measure, for a reader."""
    return [f"{name} ({MEASURES[name].meaning}): {_text(facts)}" for name, facts in found.items()]


def _text(facts: Mapping[str, object]) -> str:
    if "undefined" in facts:
        return f"undefined: {facts['undefined']}"
    rest = [
        f"{name.replace('_', ' ')} {_number(v)}" for name, v in facts.items() if name != "value"
    ]
    return _number(facts["value"]) + (f" ({', '.join(rest)})" if rest else "")


def _number(value: object) -> str:
    if isinstance(value, dict):
        value = value["exact"] if value["decimal"] is None else value["decimal"]
    return f"{value:.10g}" if isinstance(value, float) else str(value)


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
    """Measure the loss and the risks of a released table.

    The result is what `refagg measure` writes.

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

    >>> import refagg
    >>> made = refagg.measure([[1], [3], [10], [12]], [[2], [2], [11], [11]], standardise="none")
    >>> made["sse"], made["k_reached"]
    ({'decimal': 4.0, 'exact': '4'}, 2)
    """
    given = given_options(options, OPTIONS, "measure")
    check_missing_policy(given["missing"], APART)
    original, released = settled(original, released), settled(released)
    if given["missing"] != APART:
        return _measured(original, released, given)
    refuse(given, OPTIONS, {WHOLE: f"missing is {APART!r}"})
    names = given["quasi_identifiers"]
    wanted, ours, theirs = patterns_of_both((original, released), names, given["kinds"])
    check_same_cells(ours, theirs)

    def measured(part: Part) -> dict[str, Any]:
        mine, yours = (records_of(data, wanted, part) for data in (original, released))
        return _measured(mine, yours, options_of_part(part, given, OPTIONS))

    return measured_apart(ours, measured)


def _measured(original: Any, released: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Measure a release without missing values.

    Records that lack values are left out first if the policy is to drop them.
    """
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
