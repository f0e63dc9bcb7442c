"""What loss and linkage are compared with: the raw file, random groups, and the best known.

Of random groups of the same sizes the expected loss is exact: a group of m of n records has on
average (m - 1)/(n - 1) of the whole sum of squares, and so G groups have (n - G)/(n - 1); the same
is true of sums of dissimilarities. How many records random groups link is the share of one draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oracle.auditing.alike import Alike
from refagg.data.aggregate import aggregated
from refagg.data.standardise import Scaled
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.release.measures import loss_within
from refagg.release.risk import record_linkage, release_classes
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
) -> dict[str, Any]:
    """Return the loss and the risks of the raw file and of random groups.

    `blocks` are the groups of each block of attributes. With `linked`, random groups of the only
    one are linked.
    """
    facts: dict[str, Any] = {}
    loss = _expected_loss(scaled, blocks, dissimilarity)
    if loss is not None:
        facts["random_groups_loss_percent"] = float(100 * loss)
    if len(blocks) == 1:
        facts |= group_baselines(scaled.n, blocks[0][1].number)
    if linked:
        facts["raw_file_linkage"] = release_classes(scaled.table).number / scaled.n
        few = len(blocks) == 1 and scaled.n * blocks[0][1].number <= MOST_LINKED
        if few and not scaled.table.others and not NOW.interrupted:
            facts["random_groups_linkage"] = _random_linkage(scaled, blocks[0][1])
    return {BASELINES: facts}


def group_baselines(n: int, groups: int) -> dict[str, float]:
    """Return the loss of random groups of n records, and the chance of a right guess within one."""
    facts = {"guess_within_groups": groups / n}
    if groups < n:
        facts["random_groups_loss_percent"] = float(100 * Fraction(n - groups, n - 1))
    return facts


def _expected_loss(
    scaled: Scaled,
    blocks: Sequence[tuple[Sequence[str], Partition]],
    dissimilarity: str | Function,
) -> Fraction | None:
    """The expected share of the loss of random groups; None where there is nothing to lose."""
    n = scaled.n
    shares = [Fraction(n - groups.number, max(n - 1, 1)) for _, groups in blocks]
    if len(set(shares)) == 1:
        return shares[0] or None
    wholes = [loss_within(scaled.select(names), [range(n)], dissimilarity) for names, _ in blocks]
    if not (total := sum(wholes, Fraction(0))):
        return None
    return sum((w * share for w, share in zip(wholes, shares, strict=True)), Fraction(0)) / total


def _random_linkage(scaled: Scaled, groups: Partition) -> float:
    """The share of records that one draw of random groups of these sizes links."""
    order = seeded(0).sample(range(scaled.n), scaled.n)
    drawn, start = [], 0
    for group in groups.groups:
        drawn.append(order[start : start + len(group)])
        start += len(group)
    return float(record_linkage(scaled, aggregated(scaled.table, Partition.of(drawn))))


def alike_baselines(alike: Alike, original: Alike | None = None) -> dict[str, Any]:
    """Return the chance of finding a record by its values, and in the original, if there is one."""
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
    """The least loss in percent that is known, and whether groups reach it.

    `details` are those of the check of the distance from the optimum.
    """
    above = details.get("above_percent")
    if above is None:
        return None
    return loss / (1 + above / 100), bool(details["bound_is_the_optimum"])
