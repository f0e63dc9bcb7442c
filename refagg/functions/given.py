"""Options that a call gives, and what they make of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from refagg.data.missing import APART, DROP, REJECT, check_missing_policy
from refagg.data.standardise import checked_weights, usual_scale
from refagg.data.tables import Table, table_of
from refagg.errors import InvalidParameter, NoCentroid, NotATable
from refagg.functions.describing import SHARED, python_name, shared_keywords
from refagg.language.lists import listed
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification
from refagg.options.checking import grouping_of, unmet_by_grouping
from refagg.options.fields import WHOLE, options_of, refuse, refuse_others, unmet_kinds
from refagg.options.grouping import Grouping, needs_averages
from refagg.options.layout import Layout

OF_ITEMS = ("arithmetic", "ties", "seed", "trace", "dissimilarity", "similarity")
"""Those that apply where records are compared as a whole."""


def refuse_of_releases(specification: Specification, names: Sequence[str]) -> None:
    """Raise InvalidParameter for the name of a release's option.

    Only a release has such an option.
    """
    from refagg.options.publishing import Publishing

    why = {
        Publishing: "groups do not depend on it",
        Layout: "it says what a release has",
        Grouping: "here each parameter has its own name",
    }
    told = {n: why[one] for one in why for n in options_of(one, without=("k", "confidential"))}
    for name, reason in (told | {"progress": "a function alone shows none"}).items():
        if name in names:
            raise InvalidParameter(
                f"{name}= is an option of refagg.microaggregate: {reason}; write "
                f"refagg.microaggregate(rows, k, refagg.{python_name(specification)}, {name}=...)"
            )


def grouping_and_table(
    specification: Specification, rows: object, k: object, given: dict[str, Any]
) -> tuple[Grouping, Table]:
    """Return what is run, and on which table.

    Raises InvalidParameter, InvalidK, KTooLarge.
    """
    shared = shared_keywords(specification)
    refuse(given, shared, unmet_kinds(given))
    table = table_of(rows, given["quasi_identifiers"], kinds=given["kinds"])
    given["standardise"] = given["standardise"] or usual_scale(table)
    given["parameters"] = specification.stated(given["parameters"], table.names)
    if is_measured(given):
        from refagg.spaces.dissimilarities.own import measure_for

        given["dissimilarity"] = measure_for(table, _measure(given))
    grouping = Grouping(**grouping_of(specification, check_k(k, table.n), given))
    unmet = grouping.unmet_by_table(table) | unmet_by_grouping(specification, given)
    refuse(given, shared, unmet)
    checked_weights(table, grouping.weights)
    return grouping, table


def centres_of(rows: Any, grouping: Grouping, table: Table, constraints: Any) -> Any:
    """Return the centres that fuzzy clustering draws records to."""
    from refagg.release.fuzzy_clustering import drawn_to_centres

    made = drawn_to_centres(rows, table, grouping, constraints)
    if not made.trace:
        return made
    from refagg.release.edits import constraints_of
    from refagg.release.trace import player_of, with_trace

    scene = partial(player_of, grouping, table, constraints_of(constraints))
    return with_trace(made, grouping.specification, made.trace, scene)


def partition_of_patterns(
    specification: Specification, rows: Any, k: Any, given: dict[str, Any]
) -> Partition:
    """Group the records of each pattern of missing values by themselves."""
    from refagg.release.apart import checked_patterns, options_of_part, records_of

    shared, policy = shared_keywords(specification), given["missing"]
    _check_policy(specification, policy)
    refuse(given, shared, {WHOLE: f"missing is {policy!r}"})
    own = {name: given[name] for name in shared}
    instead = f'refagg.microaggregate with missing="{DROP}"'
    k, wanted, parts = checked_patterns(rows, k, own, instead)
    parameters = specification.named(given["parameters"], wanted)
    groups: list[Sequence[int]] = []
    for part in parts:
        options = options_of_part(part, own, shared)
        options |= {"missing": REJECT, "parameters": dict(parameters)}
        made: Sequence[Sequence[int]] = [range(len(part.records))]
        if part.names:
            of_part = records_of(rows, wanted, part)
            grouping, table = grouping_and_table(specification, of_part, k, options)
            made = grouping.of_table(table, grouping.new_choices()).groups
        groups += [[part.records[member] for member in group] for group in made]
    return Partition.of(groups)


def _check_policy(specification: Specification, policy: str) -> None:
    """Raise InvalidParameter for a missing-value policy that only releases have."""
    check_missing_policy(policy, APART)
    grouped = specification.yields == "partition" and specification.attributes != "each"
    if policy == DROP or not grouped:
        name = python_name(specification)
        raise InvalidParameter(
            f"missing is {policy!r}; refagg.{name} takes {REJECT}{f' or {APART}' * grouped}; "
            f"write refagg.microaggregate(rows, k, refagg.{name}, missing={policy!r})"
        )


def is_measured(given: dict[str, object]) -> bool:
    """Return True if a dissimilarity or a similarity is given."""
    return given["dissimilarity"] is not None or given["similarity"] is not None


def _measure(given: dict[str, object]) -> Any:
    """The dissimilarity or the similarity that is given."""
    from refagg.spaces.dissimilarities.own import one_measure

    return one_measure(given["dissimilarity"], given["similarity"])


def partition_of_items(
    specification: Specification, rows: Any, k: Any, given: dict[str, Any]
) -> Partition:
    """Group records that are anything, of which only dissimilarities are known."""
    from refagg.spaces.sequences import sequence_space

    measure = _measure(given)
    refuse_others(given, SHARED, OF_ITEMS, "to records of which only a dissimilarity is given")
    if given["arithmetic"] not in (None, "exact"):
        raise InvalidParameter(
            f"arithmetic is {given['arithmetic']!r}, but where a dissimilarity is given it is exact"
        )
    given["arithmetic"] = "exact"
    grouping = Grouping(**grouping_of(specification, 1 if not specification.takes_k else k, given))
    if specification.needed(grouping.parameters) != "Dissimilarities":
        raise NoCentroid(needs_averages(specification, "a dissimilarity gives none"))
    items = _items(rows)
    grouping = replace(grouping, k=check_k(k, len(items)))
    choices = grouping.new_choices()
    space = sequence_space(items, measure)
    partition: Partition = grouping.run(space, choices)
    if choices.trace is None:
        return partition
    from refagg.release.trace import with_trace

    scene = partial(_played_items, specification, space, items)
    traced: Partition = with_trace(partition, specification, choices.trace, scene)
    return traced


def _items(rows: object) -> list[Any]:
    """Return the records, those that are lists as tuples. Raises NotATable."""
    text = isinstance(rows, str)  # a sequence of letters
    given: Any = rows if text else listed(rows, "records are", "give a list of them", NotATable)
    items = [tuple(item) if isinstance(item, list) else item for item in given]
    try:
        set(items)
    except TypeError as error:
        raise NotATable(f"a record cannot be told from others: {error}; give texts") from None
    return items


def _played_items(
    specification: Specification, space: Any, items: Sequence[object], *run: Any
) -> str:
    from refagg.comparison.player.page import fragment
    from refagg.comparison.player.scene import scene_of_items

    texts = [" ".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in items]
    return fragment(scene_of_items(specification, space, texts, *run), specification.name)
