"""V-MDAV: groups of variable size, extended while there are near records.

Source: A. Solanas, A. Martinez-Balleste, "V-MDAV: a multivariate microaggregation with
variable group size", COMPSTAT 2006.

Steps:
  1. c is the centroid of all records, computed once.
  2. While at least k records are unassigned, the seed e is the one most distant from c;
     e and its k-1 nearest unassigned records form a group.
  3. While the group has fewer than 2k-1 records: e_min is the unassigned record nearest to
     any record of the group, at the distance d_in; d_out is the distance from e_min to its
     nearest other unassigned record (infinite if there is none). If d_in < gamma d_out,
     e_min joins the group; else the extension ends.
  4. Fewer than k unassigned records join, in the order of the file, the group of the record
     nearest to them among those that were not left over.

With gamma 0 no group is extended. The paper calls this equivalent to MDAV, but it is not (decision
5): MDAV forms groups in pairs, and its centroid moves.

`test` says whether distances or their squares are compared in step 3: the paper's numbers need
squares ("squared"); other publications that measure V-MDAV use "plain". `cap` is the size that no
group exceeds. With "2k-1", step 4 passes over the groups that are full, and step 3 does not extend
a group where that would leave fewer than k records unassigned for which the groups have no free
capacity. With "none", step 4 is as printed, and groups can reach 3k-2.

>>> import refagg
>>> rows = [[0], [1], [2], [20], [21], [22], [23], [40], [41]]
>>> refagg.v_mdav(rows, k=2, gamma="1/2", test="plain").groups
((0, 1, 2), (3, 4), (5, 6), (7, 8))
"""

from __future__ import annotations

from fractions import Fraction

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification, choice, non_negative


def v_mdav(R: Cursor, k: int, gamma: Fraction, test: str, cap: str) -> None:
    # Squared distances are compared: d_in < gamma d_out where d_in^2 < gamma^2 d_out^2.
    factor = gamma**2 if test == "plain" else gamma
    c = R.average()  # 1.
    while R.at_least(k, kept=c):
        e = R.farthest("e", c)  # 2.
        group = R.group("near e", e, k, grows=True)
        # 3.
        while len(group) < 2 * k - 1 and len(R) and not (cap == "2k-1" and last_places(R, k)):
            e_min = R.closest_to_any("e_min", group)
            if len(R) > 1 and not R.found_nearer("extend", e_min, 1, 1, factor):
                break
            R.add(e_min, group)
    # 4.
    members = R.members()
    for record in list(R.records):
        there = {r: g for r, g in members.items() if cap == "none" or len(g) < 2 * k - 1}
        R.add(record, R.group_of_nearest("near leftover", record, there))
    R.close_all()


def last_places(R: Cursor, k: int) -> bool:
    """Return True if an extension leaves records without a place.

    That is if one more extension would leave fewer than k records for which the groups have no
    place.
    """
    return len(R) <= k and sum(2 * k - 1 - len(group) for group in R.groups) < len(R)


SPECIFICATION = Specification(
    name="v-mdav",
    title="V-MDAV (variable group size)",
    source="Solanas and Martinez-Balleste 2006, COMPSTAT, V-MDAV",
    run=on_cursor(v_mdav),
    largest_group=lambda k, gamma, test, cap: 2 * k - 1 if cap == "2k-1" else 3 * k - 2,
    guarantees="groups of k to 2k-1 records; without the cap, of at most 3k-2; "
    "with it, the group that a leftover fills up depends on the order of the records",
    ties=(
        OpenChoice("e", "2", "the record most distant from the centroid of all records"),
        OpenChoice("near e", "2", "the k-1 nearest unassigned records to e"),
        OpenChoice("e_min", "3", "the unassigned record nearest to a record of the group"),
        OpenChoice("extend", "3", "whether d_in < gamma d_out", "test"),
        OpenChoice("near leftover", "4", "the record nearest to a leftover record"),
    ),
    decisions=(5, 6, 7),
    cost="O(n^2) distances, O(n) memory",
    parameters=(
        non_negative("gamma", Fraction(1, 5), "how much nearer a record must be to be taken in"),
        choice("test", ("squared", "plain"), "what is compared with gamma"),
        choice("cap", ("2k-1", "none"), "the size that no group exceeds"),
    ),
)
