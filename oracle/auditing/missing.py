"""The audit of releases in which values are missing, by the policy that the release claims.

drop: the records of the original that lack a value are not in the release, which lacks none.
group-apart: both files lack the same cells; records that lack the same attributes are audited as
a table of their own. The policy as-released, and the rules for missing cells, are in by_equality.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.verdict import Verdict
from refagg.data.missing import Part, different_cells, listed_records, pattern_facts
from refagg.language.partition import Partition

NAME = "missing values"


def dropped_check(dropped: Sequence[int], n: int, incomplete: Sequence[int]) -> Check:
    """Check that the release lacks nothing. `incomplete` are its records that lack a value."""
    if incomplete:
        witness = (f"released {listed_records(incomplete)}: a value is missing",)
        return Check(NAME, "fails", "drop: the release has missing values", witness)
    named = f": {listed_records(dropped)} of the original" if dropped else ""
    text = f"drop: {len(dropped)} of {n} records lack a value and are left out{named}"
    return Check(NAME, "holds", text, (), {"policy": "drop", "dropped": list(dropped)})


def agreement_check(policy: str, original: Sequence[Part], released: Sequence[Part]) -> Check:
    """Check that both files lack the same cells. Otherwise a witness names records and
    attributes."""
    if wrong := different_cells(original, released):
        text = f"{policy}: different cells are missing in the two files"
        return Check(NAME, "fails", text, tuple(wrong))
    apart = [part.title for part in original if part.lacking]
    text = f"{policy}: the same cells are missing in both files: {'; '.join(apart) or 'none'}"
    return Check(NAME, "holds", text, (), pattern_facts(policy, original))


@check_at(20)
def alike_by_lack(bare: Part, k: int) -> Check:
    """Check that k records lack the same values, where nothing else is judged."""
    if len(bare.records) >= k:
        return Check("k-anonymous", "holds", f"{len(bare.records)} records lack all values")
    text = f"{len(bare.records)} records lack the same values, fewer than k = {k}"
    witness = f"{listed_records(bare.records)}: equal to no other record"
    details = {"violations": len(bare.records), "combinations_below_k": 1}
    return Check("k-anonymous", "fails", text, (witness,), details)


def bare_verdict(part: Part, k: int) -> Verdict | None:
    """The verdict on too few records, or on some that lack all values; None on all others."""
    n = len(part.records)
    if part.names and n >= k:
        return None
    at_hand = {"k": k, "bare": part, "classes": Partition((tuple(range(n)),))}
    facts = {"records": n, "k_reached": n} if n >= k else {}
    return Verdict([(part.names, list(driven(at_hand)))], facts, [], ())


def joined(agreement: Check, parts: Sequence[tuple[Part, Verdict]], k: int) -> Verdict:
    """One verdict on records that were masked apart; each part counts its records from 0."""
    blocks, titles, measures, facts = [], [], [], []
    for part, verdict in parts:
        for names, checks in verdict.blocks:
            several = len(verdict.blocks) > 1
            titles.append(part.title + f", block {', '.join(names)}" * several)
            blocks.append((names, checks))
        if verdict.together:
            titles.append(f"{part.title}, all blocks together")
            blocks.append((part.names, list(verdict.together)))
        measures += [f"{part.title}: {line}" for line in verdict.measures]
        facts.append(
            {"lacking": list(part.lacking), "records": list(part.records), **verdict.facts}
        )
    reached = min((fact["k_reached"] for fact in facts if "k_reached" in fact), default=0)
    n = sum(len(part.records) for part, _ in parts)
    whole = {"k_reached": reached, "missing": agreement.details, "parts": facts, "n": n, "k": k}
    return Verdict(blocks, whole, [agreement], tuple(measures), tuple(titles))


def failed(check: Check, names: Sequence[str]) -> Verdict:
    """The verdict where nothing more can be judged."""
    return Verdict([(tuple(names), [check])], {}, [], ())
