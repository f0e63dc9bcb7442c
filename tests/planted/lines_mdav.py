"""Changed lines of the MDAV family and MD."""

from __future__ import annotations

from .mutant import Mutant, cursor_line, shared_line

GAMMA_ONE = (("gamma", 1), ("test", "plain"))

MUTANTS: tuple[Mutant, ...] = (
    Mutant("two groups only while more than 3k remain", "mdav", "3 * k", "3 * k + 1"),
    Mutant("two groups while 2k remain, then a last group", "mdav", "3 * k", "2 * k"),
    Mutant("x_s may be in the group of x_r", "mdav", "x_r, k, without={x_s})", "x_r, k)"),
    Mutant(
        "x_s is the farthest from the average instead of from x_r",
        "mdav",
        'R.farthest("x_s", x_r,',
        'R.farthest("x_s", R.average(),',
    ),
    Mutant("x_s is the nearest to x_r", "mdav", 'R.farthest("x_s"', 'R.closest("x_s"'),
    Mutant(
        "the group of x_s is the nearest to x_r",
        "mdav",
        'R.group("near x_s", x_s, k)',
        'R.add(x_s, group := R.group("near x_s", R.closest("x_s", x_r, {x_s}), k - 1, {x_s}))',
    ),
    Mutant("the last records are dropped", "mdav", "    last_groups(R, k)", "    R.iteration()"),
    cursor_line("groups of k+1", "mdav", "nearest(size - 1, seed", "nearest(size, seed"),
    cursor_line(
        "groups of k-1", "mdav", "nearest(size - 1, seed", "nearest(max(size - 2, 0), seed"
    ),
    cursor_line(
        "x_s is looked for among the assigned too",
        "mdav",
        "chosen = self._choices.choose(name, self._pool.farthest(origin, without))",
        "chosen = self._choices.choose(name, self.space.farthest("
        "self.space.distances(origin, self.space.records()), without))",
    ),
    cursor_line(
        "the group of x_r is not removed before that of x_s is formed",
        "mdav",
        "        self._pool.remove(group)\n        return self._formed(group, grows)",
        "        if len(self.groups) % 2:\n"
        "            self._pool.remove([*group, *self.groups[-1]])\n"
        "        return self._formed(group, grows)",
    ),
    cursor_line(
        "the average is that of all records, not of those that remain",
        "mdav",
        "return self._pool.centroid()",
        "return self.space.centroid(self.space.records())",
    ),
    Mutant(
        "x_r is the nearest to the average",
        "mdav",
        'R.farthest("x_r", R.average())',
        'R.closest("x_r", R.average())',
    ),
    shared_line("2k last records stay one group", "mdav", ">= 2 * k", "> 2 * k"),
    shared_line("the last records are never divided", "mdav", ">= 2 * k", ">= 3 * k"),
    shared_line(
        "the last group of k is formed around the first record",
        "mdav",
        'x_r = R.farthest("last x_r", R.average())',
        "x_r = R.records[0]",
    ),
    shared_line(
        "the rest after the last group is dropped", "mdav-single", "    R.rest()\n", "    pass\n"
    ),
    Mutant("one group per step while k remain", "mdav-single", "3 * k", "k"),
    cursor_line(
        "the average is that of all records, in MDAV-single",
        "mdav-single",
        "return self._pool.centroid()",
        "return self.space.centroid(self.space.records())",
    ),
    Mutant(
        "two groups only while more than 2k remain",
        "mdav-2k",
        "R.at_least(2 * k)",
        "R.at_least(2 * k + 1)",
    ),
    cursor_line(
        "leftovers join the group with the farthest centroid",
        "mdav-2k",
        "range(len(centroids)), squared)",
        "range(len(centroids)), [-s for s in squared])",
    ),
    Mutant(
        "leftovers join the first group",
        "mdav-2k",
        "R.groups[-1]",
        "R.groups[0]",
        parameters=(("leftovers", "last-group"),),
    ),
    Mutant(
        "leftovers measure to the first record of a group, not to its centroid",
        "mdav-2k",
        "R.average(), R.centroids())",
        "R.average(), [group[0] for group in R.groups])",
    ),
    Mutant("leftovers are dropped", "mdav-2k", "elif len(R):", "elif False:"),
    Mutant(
        "the end that stands last goes first",
        "mdav-argus",
        "sorted((x_r, x_s), key=row.index)",
        "sorted((x_r, x_s), key=row.index, reverse=True)",
    ),
    Mutant(
        "x_r goes first, wherever it stands",
        "mdav-argus",
        "sorted((x_r, x_s), key=row.index)",
        "(x_r, x_s)",
    ),
    Mutant(
        "the end with the lower number goes first, wherever it stands",
        "mdav-argus",
        "sorted((x_r, x_s), key=row.index)",
        "sorted((x_r, x_s))",
    ),
    Mutant(
        "the last group of k is around x_r", "mdav-argus", "min(x_r, x_s, key=row.index)", "x_r"
    ),
    Mutant(
        "the other end stays at its place", "mdav-argus", "change_places(row, k, second)", "pass"
    ),
    Mutant(
        "the centroid is computed anew for each seed", "v-mdav", '("e", c)', '("e", R.average())'
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
        'R.closest_to_any("e_min", group)',
        'R.closest_to_any("e_min", group[:1])',
        parameters=(("gamma", 2),),
    ),
    Mutant(
        "d_out is measured from the seed",
        "v-mdav",
        "R.distance_of_closest(e_min, without={e_min})",
        "R.distance_of_closest(e, without={e_min})",
        parameters=GAMMA_ONE,
    ),
    Mutant(
        "d_in <= gamma d_out",
        "v-mdav",
        'if not R.less("extend", d_in, factor * d_out):',
        'if R.less("extend", factor * d_out, d_in):',
        parameters=GAMMA_ONE,
    ),
    Mutant(
        "leftovers make a last group",
        "v-mdav",
        "    members = R.members()\n",
        "    members = {} if not len(R) else {r: R.rest() for r in R.records[:1]}\n",
    ),
    Mutant("gamma is not squared", "iv-mdav", "gamma**2 * d1", "gamma * d1"),
    Mutant(
        "d2 does not count the candidate itself",
        "iv-mdav",
        "R.distance_of_nearest(k - 1, y_j",
        "R.distance_of_nearest(min(k, len(R) - 1), y_j",
    ),
    Mutant(
        "the scan ends at the first refusal",
        "iv-mdav",
        "                R.add(y_j, group)\n",
        "                R.add(y_j, group)\n            else:\n                break\n",
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
    Mutant("d2 < gamma d1", "iv-mdav", "gamma**2 * d1, d2)", "d2, gamma**2 * d1)"),
    Mutant("s may be in the group of r", "md", "r, k, without={s},", "r, k,"),
    Mutant(
        "the pair is the nearest one",
        "md",
        'r, s = R.most_distant_pair("pair")',
        "r, s = R.records[0], R.space.closest("
        "R.space.distances(R.records[0], R.records[1:])).candidates[0]",
    ),
    cursor_line(
        "leftovers join the group with the farthest centroid, in MD",
        "md",
        "range(len(centroids)), squared)",
        "range(len(centroids)), [-s for s in squared])",
    ),
)
