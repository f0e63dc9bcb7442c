"""Conclusions of an audit, in three to six sentences for a reader.

Was k-anonymity proved, of which columns and by which rule; what was proved beside it; what fails;
what was not judged or not examined; how much was lost, and how exposed records are, beside the raw
file, random groups, and the best groups known.

Of random groups of the same sizes the expected loss is exact: a group of m of n records has on
average (m - 1)/(n - 1) of the whole sum of squares, and so G groups have (n - G)/(n - 1); the same
is true of sums of dissimilarities. How many records random groups link is the share of one draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from oracle.auditing.alike import MEANING, OWN, Alike
from oracle.auditing.cases import PUBLISHED
from oracle.auditing.checks import ON_AVERAGE
from oracle.auditing.distance import NAME as DISTANCE
from oracle.auditing.driver import Check
from oracle.auditing.other_columns import NAME as OTHERS
from oracle.auditing.other_columns import UNSEEN
from refagg.data.aggregate import aggregated
from refagg.data.standardise import Scaled
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.release.measures import loss_within
from refagg.release.risk import record_linkage
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.terminal import NOW

MOST_LINKED = 1_000_000
"""Records times groups up to which random groups are drawn and linked, in tenths of a second."""

BASELINES = "baselines"
"""The key of the facts that are compared with."""


def baseline_facts(
    scaled: Scaled,
    blocks: Sequence[tuple[Sequence[str], Partition]],
    linked: bool,
    dissimilarity: str | Function = "oss",
) -> dict[str, object]:
    """Return the loss and risks of raw file and random groups.

    `blocks` are the groups of each block of attributes. With `linked`, random groups of the only
    one are linked.
    """
    facts: dict[str, Any] = {}
    if (loss := _expected_loss(scaled, blocks, dissimilarity)) is not None:
        facts["random_groups_loss_percent"] = float(100 * loss)
    if len(blocks) == 1:
        facts |= group_baselines(scaled.n, blocks[0][1].number)
    if linked:
        rows = set(zip(*(one.labels for one in scaled.table.attributes), strict=True))
        facts["raw_file_linkage"] = len(rows) / scaled.n
        few = len(blocks) == 1 and scaled.n * blocks[0][1].number <= MOST_LINKED
        if few and not scaled.table.others and not NOW.interrupted:
            facts["random_groups_linkage"] = _random_linkage(scaled, blocks[0][1])
    return {BASELINES: facts}


def group_baselines(n: int, groups: int) -> dict[str, float]:
    """Return the loss of random groups and the chance of guessing.

    The groups are of n records; the chance is that of a right guess within one.
    """
    facts = {"guess_within_groups": groups / n}
    if groups < n:
        facts["random_groups_loss_percent"] = float(100 * Fraction(n - groups, n - 1))
    return facts


def _expected_loss(
    scaled: Scaled, blocks: Sequence[tuple[Sequence[str], Partition]], dissimilarity: str | Function
) -> Fraction | None:
    """Return the expected share of the loss of random groups.

    None where there is nothing to lose.
    """
    n = scaled.n
    shares = [Fraction(n - groups.number, max(n - 1, 1)) for _, groups in blocks]
    if len(set(shares)) == 1:
        return shares[0] or None
    wholes = [loss_within(scaled.select(names), [range(n)], dissimilarity) for names, _ in blocks]
    if not (total := sum(wholes, Fraction(0))):
        return None
    return sum((w * share for w, share in zip(wholes, shares, strict=True)), Fraction(0)) / total


def _random_linkage(scaled: Scaled, groups: Partition) -> float:
    """Return the share of records that random groups link.

    It is that of one draw of random groups of these sizes.
    """
    order = seeded(0).sample(range(scaled.n), scaled.n)
    drawn, start = [], 0
    for group in groups.groups:
        drawn.append(order[start : start + len(group)])
        start += len(group)
    return float(record_linkage(scaled, aggregated(scaled.table, Partition.of(drawn))))


def alike_baselines(alike: Alike, original: Alike | None = None) -> dict[str, object]:
    """Return the chance of finding a record by its values.

    It is returned for the original, too, if there is one.
    """
    found = {"average": _found(alike), "greatest": 1 / alike.k_reached if alike.keys else 0.0}
    facts: dict[str, Any] = {"reidentification": found}
    if original is not None:
        facts[BASELINES] = {"raw_file_reidentification": _found(original)}
    return facts


def _found(alike: Alike) -> float:
    pairs = zip(alike.classes, alike.frequencies, strict=True)
    counted = alike.n - len(alike.left_out)
    return sum(len(group) / frequency for group, frequency in pairs) / max(counted, 1)


def best_known(details: Mapping[str, Any], loss: float) -> tuple[float, bool] | None:
    """Return the least known loss in percent, and whether groups reach it.

    `details` are those of the check of the distance from the optimum.
    """
    above = details.get("above_percent")
    if above is None:
        return None
    return loss / (1 + above / 100), bool(details["bound_is_the_optimum"])


MOST_NAMES = 6
"""Columns that a sentence names."""

WHOLE = "k-anonymous over all quasi-identifiers"
SETS = "k-anonymous in each set"
ALONE = "without the original"


class JudgedVerdict(Protocol):
    """Verdict: checks by block, joint checks, and facts.

    The blocks are blocks of attributes; the joint checks are about all attributes together.
    """

    @property
    def blocks(self) -> Sequence[tuple[tuple[str, ...], Sequence[Check]]]: ...
    @property
    def checks(self) -> Sequence[Check]: ...
    @property
    def facts(self) -> Mapping[str, Any]: ...


def conclusion(verdict: JudgedVerdict) -> list[str]:
    """Return the sentences of the conclusion.

    There are no sentences about too few records that lack the same.
    """
    checks = verdict.checks
    if "k" not in verdict.facts:
        failing = _failed(checks)
        return [failing, "Nothing else was judged."] if failing else []
    sentences = [
        _anonymity(verdict, checks),
        _proved(checks),
        _failed(checks),
        _not_judged(checks),
        _lost(verdict.facts, checks),
        _exposed(verdict.facts),
    ]
    return [sentence for sentence in sentences if sentence]


def _anonymity(verdict: JudgedVerdict, checks: Sequence[Check]) -> str:
    """Return a sentence about k-anonymity."""
    facts = verdict.facts
    k, n = facts["k"], facts["n"]
    own = [check for check in checks if check.name.startswith("k-anonymous")]
    if k == 1:
        return f"k = 1: no record has to equal another, so nothing is said of the {n} records."
    where = f" in {_columns(verdict)}{_rule(facts)}"
    if bad := [check for check in own if check.status == "fails"]:
        return _not_anonymous(bad, facts, where)
    if unclear := [check for check in own if check.status == "not judged"]:
        return f"Whether the release is {k}-anonymous was not judged: {unclear[0].summary}."
    others = f"{k - 1} other{'s' * (k > 2)}"
    if sets := [check for check in own if check.name == SETS]:
        number = len(sets[0].details["sets"])
        return (
            f"In each of {number} set{'s' * (number > 1)} of key variables every one of the {n} "
            f"records equals at least {others}{_rule(facts)}; over all of them together this was "
            "not asked."
        )
    if not own or all(check.status == "reported" for check in own):
        how = "promised on average only" if facts.get("anonymity") == ON_AVERAGE else "not promised"
        return f"k-anonymity is {how}, and not judged: k reached is {facts['k_reached']}."
    if any(check.name == WHOLE and check.status == "reported" for check in own):
        return (
            f"Within each block of columns every one of the {n} records equals at least {others}; "
            f"over all columns together, which is not promised, k reached is {facts['k_reached']}."
        )
    least = max(k, facts["k_reached"]) - 1
    others = f"at least {least} other{'s' * (least > 1)}"
    return f"The release is {k}-anonymous: each of its {n} records equals {others}{where}."


def _not_anonymous(bad: Sequence[Check], facts: Mapping[str, Any], where: str) -> str:
    k, n, check = facts["k"], facts["n"], bad[0]
    start = f"The release is not {k}-anonymous"
    several = "parts" in facts
    numbers = [one.details.get("violations", 0) for one in bad]
    records = sum(numbers) if several else max(numbers)
    if not records:
        return f"{start}: {check.summary}."
    if check.name == SETS:
        sets = check.details
        where = f" in {sets['sets_below_k']} of {len(sets['sets'])} sets of key variables"
    verb = "equals" if records == 1 else "equal"
    others = "no other" if k == 2 else f"fewer than {k - 1} others"
    return f"{start}: {records} of {n} records {verb} {others}{where}."


def _columns(verdict: JudgedVerdict) -> str:
    """Return the quasi-identifiers, the first of many."""
    names = list(dict.fromkeys(name for block, _ in verdict.blocks for name in block))
    if len(names) > MOST_NAMES:
        return f"{len(names)} columns ({', '.join(names[:3])}, ..., {names[-1]})"
    return _listed([name or "the column without a name" for name in names])


def _rule(facts: Mapping[str, Any]) -> str:
    """Return the comparison of missing cells, where there are any."""
    if "parts" in facts:
        return f" ({MEANING[OWN]})"
    return f" ({MEANING[facts['missing_rule']]})" if facts.get("missing_cells") else ""


def _listed(texts: Sequence[str]) -> str:
    """Return the texts as a sentence lists them.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([*filter(None, [", ".join(texts[:-1])]), *texts[-1:]])


def _proved(checks: Sequence[Check]) -> str:
    """Return a sentence about the checks that hold beside k-anonymity."""
    found = dict.fromkeys(text for check in checks if (text := _phrase(check, checks)))
    text = _listed(list(found))
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _phrase(check: Check, checks: Sequence[Check]) -> str:
    """Return the finding of a check that holds in every block.

    It is for the middle of a sentence.
    """
    name = check.name
    if any(other.status != "holds" for other in checks if other.name == name):
        return ""
    if name.startswith("run of "):
        right = all(other.status == "holds" for other in checks if other.name == "aggregates")
        what = "the release is" if right else "the groups are those of"
        return f"{what} a possible run of {name.removeprefix('run of ')}"
    if " diversity " in name or name.startswith("closeness"):
        return f"{name} is kept"
    if name.startswith("aggregates of "):
        values = [c for c in checks if c.name.startswith("aggregates of ") and c.status == "holds"]
        names = [c.name.removeprefix("aggregates of ") for c in values]
        told = names if len(names) <= MOST_NAMES else [*names[:3], f"{len(names) - 3} more columns"]
        return f"the values of {_listed(told)} are the aggregates of their groups, or unchanged"
    if check.details.get("values") == PUBLISHED:
        return "the released values are those that the algorithm publishes for its groups"
    return PHRASES.get(name, "")


PHRASES = {
    "aggregates": "the released values are the aggregates of their groups",
    "constraints": "the released rows meet the equations",
    "assignment": "the assignment to centres agrees with the memberships",
    OTHERS: "no other column was changed",
}


def _failed(checks: Sequence[Check]) -> str:
    """Return a sentence about the checks that fail beside k-anonymity."""
    if not (bad := _others(checks, "fails")):
        return ""
    return f"{'These checks fail' if len(bad) > 1 else 'This check fails'}: {', '.join(bad)}."


def _others(checks: Sequence[Check], status: str) -> dict[str, None]:
    """The names of checks of this status, except those of k-anonymity."""
    found = (check.name for check in checks if check.status == status)
    return dict.fromkeys(name for name in found if not name.startswith("k-anonymous"))


def _not_judged(checks: Sequence[Check]) -> str:
    """Return a sentence about what was not judged or not examined."""
    parts = []
    if unclear := _others(checks, "not judged"):
        parts.append(f"not judged: {', '.join(unclear)}")
    for check in checks:
        if check.name == UNSEEN:
            hints = check.details.get("hints", {})
            names = [f"{n} ({hints[n]})" if n in hints else n for n in check.details["columns"]]
            parts.append(f"no check looked at {_listed(names)}")
    if any(check.name == ALONE for check in checks):
        parts.append(
            "without the original nothing is said of the values, of what was lost, and of the "
            "algorithm"
        )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _lost(facts: Mapping[str, Any], checks: Sequence[Check]) -> str:
    """Return a sentence about the loss.

    It is set beside random groups and the best known.
    """
    if "parts" in facts:
        return _lost_in_parts(facts["parts"])
    if "information_loss_percent" not in facts:
        return ""
    given = facts["information_loss_percent"]
    if given is None:
        return "There was nothing to lose: all records are equal."
    loss = given["decimal"]
    if loss is None:
        return ""
    beside = ["raw file: 0 %"]
    if (at_random := facts.get(BASELINES, {}).get("random_groups_loss_percent")) is not None:
        beside.append(f"random groups of the same sizes: {_percent(at_random)} on average")
    far = [check.details for check in checks if check.name == DISTANCE and check.details]
    if len(far) == 1 and (best := best_known(far[0], loss)):
        value, optimal = best
        beside.append(f"{'optimum' if optimal else 'best bound proved'}: {_percent(value)}")
    return f"{_percent(loss)} of the information is lost ({'; '.join(beside)})."


def _lost_in_parts(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the losses of parts, the first of many.

    A part has the records that lack the same.
    """
    found = []
    for part in parts:
        loss = (part.get("information_loss_percent") or {}).get("decimal")
        if loss is None:
            continue
        what = f"without {_listed(part['lacking'])}" if part["lacking"] else "with all values"
        at_random = part.get(BASELINES, {}).get("random_groups_loss_percent")
        beside = "" if at_random is None else f" (random groups: {_percent(at_random)})"
        found.append(f"{_percent(loss)} of {len(part['records'])} records {what}{beside}")
    if not found:
        return ""
    more = ["others, as the checks say"] if len(found) > MOST_PARTS else []
    return f"Information is lost: {_listed(found[:MOST_PARTS] + more)}."


MOST_PARTS = 3
"""Sets of records that lack the same, of which a sentence tells the loss."""


def _exposed(facts: Mapping[str, Any]) -> str:
    """Return a sentence about the exposure of records.

    It is set beside the raw file and random groups.
    """
    beside = facts.get(BASELINES, {})
    if (own := facts.get("reidentification")) is not None:
        text = (
            f"Whoever knows the values of a record finds it with a probability of "
            f"{_share(own['average'])} on average and {_share(own['greatest'])} at most"
        )
        raw = beside.get("raw_file_reidentification")
        return f"{text}{'' if raw is None else f' (raw file: {_share(raw)} on average)'}."
    if facts.get("record_linkage") is None:
        return ""
    shares = [f"{by}: {_share(beside[name])}" for name, by in LINKAGES.items() if name in beside]
    linked = _share(facts["record_linkage"])
    text = f"An intruder who has the original file links {linked} of the records by distance"
    return f"{text} ({'; '.join(shares)})."


LINKAGES = {
    "raw_file_linkage": "raw file",
    "random_groups_linkage": "random groups of the same sizes",
    "guess_within_groups": "a guess within the right group",
}
"""What the share of linked records is compared with, by the keys of the baselines."""


def _share(share: float) -> str:
    return _percent(100 * share)


def _percent(value: float) -> str:
    """Return a percentage with three digits.

    >>> _percent(100.0), _percent(0.00123), _percent(33.333)
    ('100 %', '0.00123 %', '33.3 %')
    """
    return f"{value:.3g} %" if abs(value) < 1000 else f"{value:.4g} %"
