"""Checks of every release: form, group sizes, and aggregates.

They check that a release is well formed, has groups of at least k, and the groups' aggregates.

Groups of k in each block of attributes do not make records k-anonymous over all of them: the
combination of a record's blocks can be its own. So there is always a look at all together.

Means of groups never lose more than the variation of an attribute, unless they are moved to
constraints: then it is the rounding of what is released. Where a file writes few digits, the check
says so; where only the rounding of floats explains the values, that rounding is coarser than the
differences of the values, and nothing can be said about them.

A check holds, fails, or is not judged; what is not judged is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from oracle.auditing import cases
from oracle.auditing.driver import Check, check_at
from refagg.data.kinds import NUMERIC, Kind
from refagg.data.missing import listed_records
from refagg.data.moments import Instant, seconds_of
from refagg.data.standardise import variance
from refagg.data.tables import Column, squared_differences
from refagg.errors import InvalidParameter, with_options_named
from refagg.language.number_texts import number_text
from refagg.language.partition import Partition
from refagg.release.risk import release_classes


@check_at(0)
def well_formed(shape: str) -> Check:
    """Return what was found when the tables were read."""
    return Check("well formed", "holds", shape)


JOINT, EACH_BLOCK, ON_AVERAGE, NONE = "joint", "each-block", "on-average", "none"

PROMISES = (JOINT, EACH_BLOCK, ON_AVERAGE, NONE)
"""k records at least are alike over all quasi-identifiers; within each block only; on average
over the draws, which only algorithms that draw centres promise; nothing at all."""

REPORTED = "reported"
"""The status of what is found out but not judged, because it is not promised."""


def check_promise(promise: str, applicable: Sequence[str], why: str) -> None:
    """Raise InvalidParameter for a promise that this kind of release cannot make."""
    if promise not in applicable:
        raise InvalidParameter(
            f"--anonymity={promise} does not apply: {why}; it can be {', '.join(applicable)}"
        )


GIVEN = "the partition given"
"""What groups are known from that were not inferred."""

_ONLY_FUZZY = "only fuzzy assigns records to groups at random"


def promise_of_part(promise: str, blocks: int) -> str:
    """Return the promise for records that lack other blocks' attributes.

    They have the attributes of `blocks` blocks.
    """
    return JOINT if promise == EACH_BLOCK and blocks == 1 else promise


def check_numeric_promise(promise: str, blocks: int) -> None:
    """Raise InvalidParameter unless aggregates in `blocks` blocks can make this promise."""
    if blocks > 1:
        check_promise(promise, (JOINT, EACH_BLOCK, NONE), _ONLY_FUZZY)
    else:
        why = {EACH_BLOCK: "all attributes are one block"}
        check_promise(promise, (JOINT, NONE), why.get(promise, _ONLY_FUZZY))


def as_promised(check: Check, promise: str) -> Check:
    """Return the check of group sizes, only reported without a promise."""
    if promise != NONE:
        return check
    summary = f"not promised ({with_options_named('--anonymity=none')}): {check.summary}"
    return replace(check, status=REPORTED, summary=summary)


_LESS = {EACH_BLOCK: "for each block", ON_AVERAGE: "on average"}


@check_at(20)
def k_anonymous(case: cases.Counted, groups: cases.Grouped, promise: str) -> Check:
    """Check that every group has k records.

    It is reported only where nothing is promised.
    """
    return as_promised(size_check(case, groups), promise)


@check_at(21)
def joint_check(several: cases.AuditedRelease, promise: str) -> Check:
    """Check that k records are alike over all quasi-identifiers, whatever the blocks."""
    case, inferred = several, several.partition is None
    groups = cases.JudgedGroups(case.partition or release_classes(case.released), inferred, ())
    check = replace(size_check(case, groups), name="k-anonymous over all quasi-identifiers")
    if promise not in _LESS:
        return as_promised(check, promise)
    smallest = check.details["k_reached"]
    records = "1 record" if smallest == 1 else f"{smallest} records"
    fewer, by = smallest < case.k, with_options_named(f"--anonymity={promise}")
    summary = (
        f"promised {_LESS[promise]} only ({by}): over all quasi-identifiers "
        f"together the release is {'not ' * fewer}k-anonymous: the smallest class of equal "
        f"released rows has {records}, {'fewer than' if fewer else 'at least'} k = {case.k}"
    )
    return replace(check, status=REPORTED, summary=summary)


def size_check(case: cases.Counted, groups: cases.Grouped) -> Check:
    """Check that every group has k records.

    Every record has to have k-1 others released like it.
    """
    released, formed = case.classes(), groups.partition
    known = "equal released rows" if groups.inferred else GIVEN
    details = {
        "groups": formed.number,
        "sizes": {str(size): count for size, count in formed.sizes().items()},
        "k_reached": released.smallest(),
        "groups_known_from": known,
        **violations_in(released.sizes(), case.k),
    }
    worst = released if groups.inferred or formed.smallest() >= case.k else formed
    if worst.smallest() < case.k:
        witness = tuple(_size_witness(case, worst, worst is not released))
        return replace(sizes_check(worst, case.k, known), witness=witness, details=details)
    if isinstance(case, cases.AuditedRelease) and isinstance(groups, cases.JudgedGroups):
        crossing = None if groups.inferred else crossing_check(groups.partition, case.strata)
        if crossing:
            return replace(crossing, name="k-anonymous", details=details)
    known += " within a stratum" * (formed.smallest() < case.k)  # or groups cross strata
    return replace(sizes_check(formed, case.k, known), details=details)


def sizes_check(groups: cases.Classes, k: int, known: str = GIVEN) -> Check:
    """Check that groups `known` from something have k records."""
    if (smallest := groups.smallest()) < k:
        text = too_small_text(smallest, k, known, *violations_in(groups.sizes(), k).values())
        return Check("k-anonymous", "fails", text, (listed_records(groups.first_smallest()),))
    return Check("k-anonymous", "holds", f"{sizes_text(groups, k)} (by {known})")


def too_small_text(smallest: int, k: int, known: str, records: int, groups: int) -> str:
    """Return text on groups of fewer than k records."""
    below = below_text(records, groups)
    return f"smallest group {smallest}, less than k = {k} (groups by {known}): {below}"


def violations_in(sizes: Mapping[int, int], k: int) -> dict[str, int]:
    """Count the records in groups of fewer than k, and these groups."""
    low = {size: count for size, count in sizes.items() if size < k}
    records = sum(size * count for size, count in low.items())
    return {"violations": records, "combinations_below_k": sum(low.values())}


def below_text(records: int, groups: int) -> str:
    """Return text on the number of records in small groups.

    It also has the number of these groups.
    """
    return f"{records} record{'s' * (records > 1)} in {groups} group{'s' * (groups > 1)}"


def crossing_check(partition: Partition, strata: Sequence[tuple[str, list[int]]]) -> Check | None:
    """Return a failing check for a group across strata, if any.

    Such a group has records of two strata.
    """
    stratum = cases.strata_labels(strata)
    for group in partition.groups:
        if len(names := sorted({stratum[record] for record in group})) > 1:
            line = f"records {' '.join(map(str, group))} are in the strata {', '.join(names)}"
            return Check("well formed", "fails", "a group has records of two strata", (line,))
    return None


def sizes_text(groups: cases.Classes, k: int) -> str:
    """Return the number of groups, and of their records."""
    number, smallest, largest = groups.number, groups.smallest(), groups.largest()
    text = f"{number} groups of {smallest} to {largest} records"
    if smallest == largest:
        each = f"{smallest} record{'s' * (smallest > 1)}"
        text = f"1 group of {each}" if number == 1 else f"{number} groups, each of {each}"
    if large := sum(count for size, count in groups.sizes().items() if size >= 2 * k):
        text += f", {large} of them of 2k = {2 * k} records or more, which could be divided"
    return text


def value_check(case: cases.Counted, groups: cases.Grouped) -> Check:
    """Check that the released values are the aggregates of their groups.

    Groups that are inferred may be several with the same values; a class of 2k records and more
    that does not fit is then not judged, unless what is released are means: these fit all their
    records if they fit several groups.
    """
    if groups.partition.smallest() < case.k and groups.inferred:
        reason = (
            "groups are inferred from identical rows, and some have fewer than k records; "
            + with_options_named("give the groups with --partition")
        )
        return Check("aggregates", "not judged", reason)
    found: dict[str, list[str]] = {}
    unfaithful: set[str] = set()
    witness: list[str] = []
    names = case.names
    for position, rendering in enumerate(groups.renderings):
        name = NO_AGGREGATE if rendering is None else rendering.name
        found.setdefault(name, []).append(names[position])
        if rendering is None or not rendering.faithful:
            unfaithful.add(name)
            if len(witness) < WITNESSES:
                witness.append(_value_witness(case, position, groups.partition, name))
    mixed = isinstance(case, cases.AuditedRelease) and case.original.others
    attribute = "numeric attribute" if mixed else "attribute"
    summary = _values_text(found, unfaithful, case.operator, attribute)
    details: dict[str, Any] = {"renderings": found}
    if case.operator == cases.PUBLISHED:
        details["values"] = cases.PUBLISHED
    if list(found) == [NO_AGGREGATE] and case.totals_kept():
        reason = f"column totals match, so the rows may only be in a different order; {KEY_HINT}"
        witness = [*witness[: WITNESSES - 1], reason]
    if mixed and isinstance(case, cases.AuditedRelease) and isinstance(groups, cases.JudgedGroups):
        return _mixed_value_check(case, groups, witness, summary, details)
    if isinstance(groups, cases.JudgedGroups) and groups.several and not witness:
        return Check("aggregates", "not judged", SEVERAL, (), details)
    status = "fails" if witness else "holds"
    return Check("aggregates", status, summary, tuple(witness[:WITNESSES]), details)


SEVERAL = "some classes of equal rows may be several groups; give the partition"
NO_AGGREGATE = "not an aggregate"
WITNESSES = 6
KEY_HINT = "name a column that identifies records (--key, in Python key=)"
PRECISION = {
    "exact": "exactly",
    "in binary64": "to double precision",
    "in binary32": "only to single precision",
}
AGGREGATES = {"onestep": "one-step mean", "trimmed-mean": "trimmed mean"}


def _values_text(
    found: dict[str, list[str]], wrong: Collection[str], aggregate: str, attribute: str
) -> str:
    """Return how many attributes equal the aggregates of the groups.

    It also says how exactly, and names the numbers of the others.
    """
    p, what = sum(map(len, found.values())), f"the group {AGGREGATES.get(aggregate, aggregate)}s"
    what = "the values that are published for the groups" if aggregate == cases.PUBLISHED else what
    right = {PRECISION.get(how, how): len(found[how]) for how in found if how not in wrong}
    cut = [how for how in found if how in wrong and how != NO_AGGREGATE]
    others = "".join(f"; {len(found[how])} {PRECISION.get(how, how)}" for how in cut)
    count = sum(right.values())
    if not count:
        return f"no {attribute} equals {what}{others}" if p else ""
    hows = [f"{number} {how}" if len(right) > 1 else how for how, number in right.items()]
    every = {1: f"the only {attribute} equals", 2: f"both {attribute}s equal"}
    some = f"only {count} of {p} {attribute}s equal{'s' * (count == 1)}"
    text = every.get(p, f"all {p} {attribute}s equal") if count == p else some
    return f"{text} {what} ({', '.join(hows)}){others}"


def _mixed_value_check(
    case: cases.AuditedRelease,
    groups: cases.JudgedGroups,
    wrong: list[str],
    numbers: str,
    details: dict[str, object],
) -> Check:
    """Check the values with categories and sequences, and sum up all kinds."""
    wrong = list(wrong)
    unclear: list[str] = []
    for group in groups.partition.groups:
        several = unclear if groups.inferred and len(group) >= 2 * case.k else wrong
        several.extend(cases.foreign_values(case, group))
    kinds = dict.fromkeys(a.kind.name for a in case.original.attributes)
    names = ", ".join(f"{kind} by {case.aggregates.names[kind]}" for kind in kinds)
    if wrong:
        text = f"some values are not the aggregates of their groups ({names})"
        return Check("aggregates", "fails", text, tuple(wrong[:WITNESSES]), details)
    if unclear or groups.several:
        return Check("aggregates", "not judged", SEVERAL, tuple(unclear[:WITNESSES]), details)
    text = f"all values are aggregates of their groups ({names})"
    return Check("aggregates", "holds", "; ".join(filter(None, (text, numbers))), (), details)


def settled_by_runs(checks: Sequence[Check]) -> list[Check]:
    """Settle the checks of a block by its runs.

    Checks of classes that may be several groups hold if a run has such groups.
    """
    runs = [c.name for c in checks if c.name.startswith("run of ") and c.status == "holds"]
    if not runs:
        return list(checks)
    text = f"all values are the aggregates of the groups of a possible {runs[0]}"
    return [
        replace(check, status="holds", summary=text, witness=()) if unsettled(check) else check
        for check in checks
    ]


def unsettled(check: Check) -> bool:
    """Return True if a check waits for classes to be divided.

    It is not judged because classes may be several groups.
    """
    return check.status == "not judged" and check.summary == SEVERAL


def _size_witness(case: cases.Counted, partition: cases.Classes, given: bool) -> list[str]:
    group = partition.first_smallest()
    what = "fewer than k in their group" if given else "equal to no other record"
    lines = [f"{listed_records(group)}: {what}"]
    single = case.smallest_alone()
    if len(single) > 1 and min(single) >= case.k:
        lines.append(one_by_one_text(min(single)))
    return lines


def one_by_one_text(k: int) -> str:
    """Return text on attributes that are k-anonymous one by one only."""
    each = f"each attribute by itself is {k}-anonymous, as after individual ranking"
    return f"{each}; together they are not"


def _value_witness(case: cases.Counted, position: int, groups: cases.Classes, name: str) -> str:
    """Return the group whose released value is farthest from its aggregate."""
    cell, group = case.worst(position, groups)
    how = "" if name == NO_AGGREGATE else f" ({name})"
    timed = (
        case.released.columns[position].kind if isinstance(case, cases.AuditedRelease) else NUMERIC
    )
    released, aggregate = (_read(x, timed) for x in (cell.released, cell.aggregate))
    return (
        f"{case.names[position]}: group {cases.shown_group(group)} was released as {released}; "
        f"its {case.place} is {aggregate}{how}"
    )


def _read(value: Fraction, kind: Kind) -> str:
    """Return a number for a reader, or a time.

    A number of a date or time is returned as a time.
    """
    return str(Instant(seconds_of(value, kind))) if kind.timed else number_text(value)


Losses = Mapping[str, tuple[Fraction, Fraction]]
"""Of each attribute the squared differences, and what they would be if all records had one mean."""


def losses_of(original: Sequence[Column], released: Sequence[Column]) -> Losses:
    """Return the loss of each attribute, in its own units."""
    found = {}
    for ours, theirs in zip(original, released, strict=True):
        spread = len(ours.numerators) * variance(ours, "population")
        found[ours.name] = squared_differences(ours, theirs), spread
    return found


@check_at(30)
def aggregate_check(case: cases.Counted, groups: cases.Grouped, losses: Losses) -> Check:
    """Check that the released values are the aggregates of their groups."""
    return with_warnings(value_check(case, groups), losses, case.plain)


def with_warnings(check: Check, losses: Losses, means: bool) -> Check:
    """Return the check of values with warnings about great losses.

    There is a line for each attribute that loses more than its variation.

    Where released should be `means`, it does not hold if only the rounding of floats explains that.
    """
    lines, unclear = [], []
    for how, names in check.details.get("renderings", {}).items():
        for name in names:
            lost, total = losses[name]
            if check.status == "holds" and 0 < total * (1 + NOTHING) < lost:
                lines.append(_warning(name, how if means else "exact", lost / total))
                unclear += [name] if means and how in OF_FLOATS and lost > MUCH * total else []
    if not lines:
        return check
    if unclear:
        text = f"the differences of {', '.join(unclear)} are smaller than what rounding can do"
        check = replace(check, status="not judged", summary=f"{text}: {check.summary}")
    details = check.details | {"warnings": lines}
    return replace(check, witness=(*lines, *check.witness), details=details)


NOTHING = Fraction(1, 10**10)
"""One group of all loses all there is, and rounding may add so much of it untold."""

MUCH = Fraction(101, 100)
"""Where rounding makes attributes lose so much, it is as large as their differences."""

OF_FLOATS = ("in binary64", "in binary32")


def _warning(name: str, how: str, share: Fraction) -> str:
    text = f"warning: {name} loses {float(100 * share):.4g} % of its variation"
    text += ", more than if every record were released with the mean of all"
    return text if how == "exact" else f"{text}, by what is released {how}"
