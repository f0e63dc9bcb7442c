"""Changed lines of the MDAV family and MD."""

from __future__ import annotations

from .mutant import Mutant, shared_line

GAMMA_ONE = (("gamma", 1), ("test", "plain"))

MUTANTS: tuple[Mutant, ...] = (
    Mutant("two groups only while more than 3k remain", "mdav", ">= 3 * k", "> 3 * k"),
    Mutant("two groups while 2k remain, then a last group", "mdav", ">= 3 * k", ">= 2 * k"),
    Mutant("x_s may be in the group of x_r", "mdav", "from_x_r, without={x_s})", "from_x_r)"),
    Mutant(
        "x_s is looked for among the assigned too",
        "mdav",
        "space.farthest(from_x_r, without={x_r})",
        "space.farthest(space.distances(x_r, space.records()), without={x_r})",
    ),
    Mutant(
        "x_s is the farthest from the average instead of from x_r",
        "mdav",
        "space.farthest(from_x_r, without={x_r})",
        "space.farthest(space.distances(space.centroid(remaining), remaining), without={x_r})",
    ),
    Mutant(
        "x_s is the nearest to x_r",
        "mdav",
        "space.farthest(from_x_r, without={x_r})",
        "space.closest(from_x_r, without={x_r})",
    ),
    Mutant(
        "the group of x_s is the nearest to x_r",
        "mdav",
        "from_x_s = space.distances(x_s, remaining)",
        "from_x_s = space.distances(x_r, remaining)",
    ),
    Mutant(
        "the group of x_r is not removed before that of x_s is formed",
        "mdav",
        "        remaining = minus(remaining, group)\n        from_x_s",
        "        from_x_s",
    ),
    Mutant("the last records are dropped", "mdav", "groups += one_", "one_"),
    shared_line("groups of k+1", "mdav", "space.nearest(k - 1", "space.nearest(k"),
    shared_line("groups of k-1", "mdav", "space.nearest(k - 1", "space.nearest(max(k - 2, 0)"),
    shared_line(
        "the average is that of all records, not of those that remain",
        "mdav",
        "space.centroid(remaining)",
        "space.centroid(space.records())",
    ),
    shared_line(
        "x_r is the nearest to the average",
        "mdav",
        "space.farthest(space.distances(x_bar",
        "space.closest(space.distances(x_bar",
    ),
    shared_line("2k last records stay one group", "mdav", "< 2 * k", "<= 2 * k"),
    shared_line("the last records are never divided", "mdav", "< 2 * k", "< 3 * k"),
    shared_line(
        "the last group of k is formed around the first record",
        "mdav",
        'x_r = most_distant_from_average(space, remaining, run, "last x_r")',
        "x_r = remaining[0]",
    ),
    shared_line(
        "the rest after the last group is dropped",
        "mdav-single",
        "return [group, run.closed(minus(remaining, group))]",
        "return [group]",
    ),
    Mutant("one group per step while k remain", "mdav-single", ">= 3 * k", ">= k"),
    shared_line(
        "the average is that of all records, in MDAV-single",
        "mdav-single",
        "space.centroid(remaining)",
        "space.centroid(space.records())",
    ),
    Mutant("two groups only while more than 2k remain", "mdav-2k", ">= 2 * k", "> 2 * k"),
    Mutant(
        "leftovers join the group with the farthest centroid",
        "mdav-2k",
        "least(space.measured(numbers, squared))",
        "least(space.measured(numbers, [-s for s in squared]))",
    ),
    Mutant(
        "leftovers join the first group",
        "mdav-2k",
        "numbers[-1]",
        "numbers[0]",
        parameters=(("leftovers", "last-group"),),
    ),
    Mutant(
        "leftovers measure to the first record of a group, not to its centroid",
        "mdav-2k",
        "centroids = [space.centroid(group)",
        "centroids = [group[0]",
    ),
    Mutant("leftovers are dropped", "mdav-2k", "elif remaining:", "elif False:"),
    Mutant(
        "the end with the higher number goes first",
        "mdav-argus",
        "sorted((x_r, x_s))",
        "sorted((x_r, x_s), reverse=True)",
    ),
    Mutant("x_r goes first, whatever its number", "mdav-argus", "sorted((x_r, x_s))", "(x_r, x_s)"),
    Mutant(
        "the centroid is computed anew for each seed",
        "v-mdav",
        "space.distances(c, unassigned)",
        "space.distances(space.centroid(unassigned), unassigned)",
    ),
    Mutant("gamma is squared for squared distances", "v-mdav", "else gamma\n", "else gamma**2\n"),
    Mutant(
        "gamma is not squared for plain distances",
        "v-mdav",
        "gamma**2 if test",
        "gamma if test",
        parameters=(("gamma", "1.3"), ("test", "plain")),
    ),
    Mutant(
        "a group may take in a 2k-th record",
        "v-mdav",
        "while len(group) < 2 * k - 1",
        "while len(group) < 2 * k",
        parameters=(("gamma", 3), ("cap", "none")),
    ),
    Mutant(
        "nearness is to the seed, not to any record of the group",
        "v-mdav",
        "space.distances_to_any(group, unassigned)",
        "space.distances_to_any(group[:1], unassigned)",
        parameters=(("gamma", 2),),
    ),
    Mutant(
        "d_out is measured from the seed",
        "v-mdav",
        "space.distances(e_min, others)",
        "space.distances(group[0], others)",
        parameters=GAMMA_ONE,
    ),
    Mutant(
        "d_in <= gamma d_out",
        "v-mdav",
        'if not run.holds("extend", space.less(d_in, factor * d_out)):',
        'if run.holds("extend", space.less(factor * d_out, d_in)):',
        parameters=GAMMA_ONE,
    ),
    Mutant(
        "leftovers make a last group",
        "v-mdav",
        "    _add_leftovers(space, k, run, groups, unassigned, cap)\n",
        "    groups += [unassigned] if unassigned else []\n",
    ),
    Mutant("gamma is not squared", "iv-mdav", "gamma**2 * d1", "gamma * d1"),
    Mutant(
        "d2 does not count the candidate itself",
        "iv-mdav",
        "space.nearest(k - 1, space.distances(y_j",
        "space.nearest(min(k, len(remaining) - 1), space.distances(y_j",
    ),
    Mutant(
        "the scan ends at the first refusal",
        "iv-mdav",
        "                remaining = minus(remaining, [y_j])\n",
        "                remaining = minus(remaining, [y_j])\n"
        "            else:\n                break\n",
    ),
    Mutant(
        "the cap is 2k-2",
        "iv-mdav",
        "largest = 2 * k - 1",
        "largest = 2 * k - 2",
        parameters=(("gamma", "0.5"),),
    ),
    Mutant(
        "the cap is 2k",
        "iv-mdav",
        "largest = 2 * k - 1",
        "largest = 2 * k",
        parameters=(("gamma", "0.1"),),
    ),
    Mutant(
        "d2 < gamma d1", "iv-mdav", "space.less(gamma**2 * d1, d2)", "space.less(d2, gamma**2 * d1)"
    ),
    Mutant("s may be in the group of r", "md", "distances, without={other})", "distances)"),
    Mutant(
        "the pair is the nearest one",
        "md",
        'r, s = run.one("pair", pairs.of(remaining))',
        "r, s = remaining[0], space.closest(space.distances(remaining[0], remaining),"
        " without={remaining[0]}).candidates[0]",
    ),
    Mutant(
        "leftovers join the group with the farthest centroid, in MD",
        "md",
        "least(space.measured(range(len(groups)), squared))",
        "least(space.measured(range(len(groups)), [-s for s in squared]))",
    ),
)
