"""Audit of a release without its original.

It says which records are alike, and how diverse they are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from oracle.auditing import checks
from oracle.auditing.alike import ANYTHING, LEFT_OUT, MEANING, RULES, Alike, alike_of
from oracle.auditing.cells import Cells
from oracle.auditing.conclusion import alike_baselines
from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.privacy import check_confidential, class_lines, counted_values
from oracle.auditing.verdict import Verdict, with_checks
from refagg.data.kinds import Kind
from refagg.data.missing import listed_records
from refagg.data.tables import check_columns
from refagg.errors import InvalidParameter
from refagg.language.lists import listed
from refagg.language.partition import Partition, check_k
from refagg.release.report import classes_line, size_facts

UNSAID = (
    "whether the values are the aggregates of their groups",
    "what the release loses, and whether its records can be linked to others",
    "which algorithm made it",
)
"""What needs the original."""

Confidential = Mapping[str, Sequence[Hashable]]
"""Columns of values that are no quasi-identifiers, by their names."""

Diverse = Mapping[str, Sequence[Mapping[Hashable, int]]]
"""Of each of them the values in each class of records that are alike, counted."""

MOST_NAMED = 12
"""Sets of key variables, and combinations, that a witness names."""


def judge_alone(
    cells: Cells, alike: Alike, k: int, confidential: Confidential, kinds: Mapping[str, Kind]
) -> Verdict:
    """Return the verdict on a release by itself. Raises InvalidK, KTooLarge, ShapeMismatch.

    `alike` are the records that are alike over all quasi-identifiers. `confidential` has columns
    of values that are no quasi-identifiers, by their names, and `kinds` what is declared of them.
    """
    check_k(k, cells.n, "the release")
    for name, column in confidential.items():
        check_confidential(name, column, cells.n)
    diverse = {
        name: alike.counts(counted_values(name, column, kinds.get(name)))
        for name, column in confidential.items()
    }
    facts = frequency_facts(alike, k) | alike_baselines(alike)
    facts["missing_cells"] = sum(map(cells.missing, cells.names))
    facts["l_diversity"] = {
        name: min(map(len, counts), default=0) for name, counts in diverse.items()
    }
    p = len(cells.names)
    at_hand: dict[str, object] = {
        "k": k,
        "cells": cells,
        "alike": alike,
        "frequencies": alike,
        "promise": checks.JOINT,
        "shape": f"{cells.n} records, {p} attribute{'s' * (p > 1)}",
        "confidential": confidential,
        "gappy": cells,
        "diverse": diverse,
    }
    if alike.classes:
        at_hand["classes"] = Partition(alike.classes)
    blocks, lines = [(cells.names, list(driven(at_hand)))], (frequencies_line(facts),)
    return Verdict(blocks, facts, [], lines, at_hand=frozenset(at_hand))


def frequency_facts(alike: Alike, k: int) -> dict[str, object]:
    """Return facts about the equivalence classes and the records at risk.

    These records have too few others that are alike.
    """
    low = alike.below(k)
    sizes = alike.sizes() or {0: 0}
    return size_facts(sizes) | {
        "n": alike.n,
        "k": k,
        "missing_rule": alike.rule,
        "violations": sum(len(alike.classes[number]) for number in low),
        "combinations_below_k": len(low),
        "not_counted": len(alike.left_out),
    }


def frequencies_line(facts: Mapping[str, Any]) -> str:
    """Return the classes of records that are alike, in a line."""
    if facts["missing_rule"] == ANYTHING:
        return classes_line(facts, "combinations by the number of records alike:")
    return classes_line(facts)


WHOLE = "k-anonymous over all quasi-identifiers"


def in_sets(verdict: Verdict, sets: Sequence[Alike], k: int) -> Verdict:
    """Return the verdict with k-anonymity judged in sets of key variables.

    It is judged in these instead of in all together.
    """

    def only_reported(check: Check) -> Check:
        if check.name not in ("k-anonymous", WHOLE) or check.status == checks.REPORTED:
            return check
        text = f"not asked (sets of key variables): {check.summary}"
        return replace(check, name=WHOLE, status=checks.REPORTED, summary=text)

    blocks = verdict.blocks
    if len(blocks) == 1 or "parts" in verdict.facts:
        blocks = [(names, [only_reported(check) for check in own]) for names, own in blocks]
    together = [only_reported(check) for check in verdict.together]
    verdict = replace(verdict, blocks=blocks, together=together)
    return with_checks(verdict, [sets_check(sets, k)])


@check_at(20)
def frequency_check(cells: Cells, frequencies: Alike, k: int, promise: str) -> Check:
    """Check that every record that counts equals k-1 others.

    Missing cells are compared by the rule for them.
    """
    return checks.as_promised(_frequencies(cells, frequencies, k), promise)


def _frequencies(cells: Cells, alike: Alike, k: int) -> Check:
    name, details = "k-anonymous", details_of(alike, k)
    if not alike.classes:
        text = "no record has a quasi-identifier, and none is counted (suppressed)"
        return Check(name, "not judged", text, (), details)
    known = _known_from(cells, alike)
    low = alike.below(k)
    if not low:
        text = checks.sizes_text(Partition(alike.classes), k)
        if alike.rule == ANYTHING:
            text = f"{len(alike.keys)} combinations, each of at least {alike.k_reached} records"
        return Check(name, "holds", f"{text} (by {known})", (), details)
    records = sum(len(alike.classes[number]) for number in low)
    text = checks.too_small_text(alike.k_reached, k, known, records, len(low))
    return Check(name, "fails", text, _low_lines(cells, alike, low), details)


def details_of(alike: Alike, k: int) -> dict[str, object]:
    """Return the findings of a check of frequencies, for JSON."""
    facts = frequency_facts(alike, k)
    return {
        "groups": len(alike.classes),
        "sizes": facts["sizes"],
        "k_reached": alike.k_reached,
        "groups_known_from": "equal released rows",
        **{name: facts[name] for name in ("violations", "combinations_below_k", "missing_rule")},
    }


def _known_from(cells: Cells, alike: Alike) -> str:
    """Return what groups are known from, for a reader."""
    if not any(map(cells.missing, cells.names)):
        return "equal released rows"
    return f"equal released rows; {alike.rule}: {MEANING[alike.rule]}"


def _low_lines(cells: Cells, alike: Alike, low: Sequence[int]) -> tuple[str, ...]:
    """Return a line for each frequency that is too low.

    One more line is for individual ranking.
    """
    lines = []
    for size in sorted({alike.frequencies[number] for number in low}):
        same = [number for number in low if alike.frequencies[number] == size]
        records = sorted(record for number in same for record in alike.classes[number])
        others = "no other record" if size == 1 else f"{size - 1} other record{'s' * (size > 2)}"
        lines.append(f"{listed_records(records)}: equal to {others}")
    single = [alike_of(cells.select([name]), alike.rule).k_reached for name in cells.names]
    if len(single) > 1 and min(single) > max(alike.frequencies[number] for number in low):
        lines.append(checks.one_by_one_text(min(single)))
    return tuple(lines[:MOST_NAMED])


def sets_check(sets: Sequence[Alike], k: int) -> Check:
    """Check that k records are alike over each set of key variables."""
    found = [{"attributes": list(one.names), **details_of(one, k)} for one in sets]
    bad = sorted((one.k_reached, place) for place, one in enumerate(sets) if one.below(k))
    records = {record for one in sets for record, _ in one.violations(k)}
    details = {"sets": found, "sets_below_k": len(bad), "violations": len(records)}
    name = "k-anonymous in each set"
    every = f"{len(sets)} set{'s' * (len(sets) > 1)} of key variables"
    if not bad:
        reached = min(one.k_reached for one in sets)
        text = f"in each of {every} at least {reached} records are equal"
        return Check(name, "holds", text, (), details)
    has = "has" if len(bad) == 1 else "have"
    text = f"{len(bad)} of {every} {has} combinations of fewer than k = {k} records"
    text += f": {len(records)} record{'s' * (len(records) > 1)}"
    lines = [_set_line(sets[place], k) for _, place in bad]
    more = [f"and {len(lines) - MOST_NAMED} more sets"] * (len(lines) > MOST_NAMED)
    return Check(name, "fails", text, (*lines[:MOST_NAMED], *more), details)


def _set_line(alike: Alike, k: int) -> str:
    low = alike.below(k)
    records = [record for record, _ in alike.violations(k)]
    names = ", ".join(alike.names)
    what = checks.below_text(len(records), len(low))
    return f"{names}: smallest group {alike.k_reached}; {what}: {listed_records(records)}"


@check_at(10)
def missing_checks(gappy: Cells, alike: Alike, k: int) -> list[Check]:
    """Report missing cells, and the records that each rule finds.

    Nothing is reported where no cell is missing.
    """
    gaps = {name: count for name in gappy.names if (count := gappy.missing(name))}
    if not gaps:
        return []
    found = {
        rule: (alike if rule == alike.rule else alike_of(gappy, rule)).violations(k)
        for rule in RULES
    }
    number = sum(gaps.values())
    where = ", ".join(f"{name} ({count})" for name, count in gaps.items())
    text = (
        f"{number} cell{'s' * (number > 1)} missing or suppressed: {where}; judged by "
        f"{alike.rule}: {MEANING[alike.rule]}"
    )
    if alike.rule == LEFT_OUT and alike.left_out:
        text += f"; {len(alike.left_out)} left out: {listed_records(alike.left_out)}"
    lines = tuple(
        f"{rule}: {len(low)} record{'s' * (len(low) != 1)} with fewer than k = {k} alike"
        for rule, low in found.items()
    )
    details = {"missing": gaps, "rule": alike.rule}
    details["violations_by_rule"] = {rule: len(low) for rule, low in found.items()}
    return [Check("missing cells", checks.REPORTED, text, lines, details)]


@check_at(35)
def diversities(alike: Alike, confidential: Confidential, diverse: Diverse) -> Iterator[Check]:
    """Report the diversity of each confidential column of a release alone."""
    for name, counts in diverse.items():
        yield diversity_check(alike, name, confidential[name], counts)


@check_at(70)
def without_original(diverse: Diverse) -> Check:
    """Report the checks that need the original."""
    return Check(
        "without the original", checks.REPORTED, "not checked; these need the original", UNSAID
    )


def diversity_check(
    alike: Alike, name: str, column: Sequence[Hashable], counts: Sequence[Mapping[Hashable, int]]
) -> Check:
    """Report the l-diversity of a confidential attribute.

    It is the least number of its values among records that are alike.

    Source: A. Machanavajjhala et al. 2007, l-diversity: here the number of distinct values.
    """
    least = min(map(len, counts), default=0)
    few = [number for number, values in enumerate(counts) if len(values) == least]
    known = ", which membership of the class discloses" if least == 1 else ""
    classes = f"{len(few)} of {len(alike.classes)} classes {alike.of_what}"
    have = "has" if len(few) == 1 else "have"
    values = "one value only" if least == 1 else f"{least} values"
    summary = f"l = {least}; {classes} {have} {values}{known}"
    details = {"l_reached": least, "classes": len(few)}
    lines = class_lines(alike, few, column)
    return Check(f"diversity of {name}", checks.REPORTED, summary, lines, details)


def sets_of(given: object, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the sets of key variables.

    Given are lists of names, or a number, which stands for all sets of that size.

    Raises InvalidParameter, UnknownColumn, DuplicateColumn.

    >>> sets_of(2, ["a", "b", "c"]), sets_of([["a"], ["c", "a"]], ["a", "b", "c"])
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a',), ('c', 'a')])
    """
    if given is None:
        return []
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= len(names):
            raise InvalidParameter(
                f"sets of {given} key variables are asked for; of {len(names)} quasi-identifiers "
                f"there are sets of 1 to {len(names)}"
            )
        return list(combinations(names, given))
    expected = "give lists of names, or the number of key variables in each"
    sets = listed(given, "the sets of key variables are", "give a list of lists of names")
    found = [tuple(listed(one, "a set of key variables is", expected)) for one in sets]
    for one in found:
        check_columns(one, names, "the list of quasi-identifiers")
    if not all(found) or not found:
        raise InvalidParameter(f"a set of key variables is empty; {expected}")
    return found
