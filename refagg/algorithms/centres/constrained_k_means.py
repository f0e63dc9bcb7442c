"""Constrained k-means: the cheapest assignment to centres within limits of sizes.

Source: P. S. Bradley, K. P. Bennett, A. Demiriz, "Constrained k-means clustering", Microsoft
Research MSR-TR-2000-65, for sizes of at least k; Y. Endo et al., even-sized clustering (ECBO),
2014-2018, for sizes of k and k+1. Recollected; a linear program defines the assignment.

Steps, c being n/k rounded down:
  1. c records are drawn from the random stream, all sets being equally likely; they are the
     centres.
  2. The records are assigned to the centres so that the sum of squared distances is least, where
     each centre has from k to 2k-1 records, or with `sizes` "even" from n/c rounded down to n/c
     rounded up. Of several such assignments one is taken, record by record in the order of the
     file.
  3. The centres move to the centroids of their records. Steps 2 and 3 are repeated as long as the
     SSE falls, step 2 at most `rounds` times.
Step 2 is a transportation problem, whose solutions are integers. Neither step can raise the SSE.

Example, with paper and pencil: 0, 1, 2, 3, 20 with k = 2 and the draws of 0 and 20. 20 needs a
second record, and 3 costs least: 0 + 1 + 4 + 289. The centroids 1 and 23/2 change nothing: taking 2
instead of 3 would cost 4 - 1 more at the first, and 361/4 - 289/4 more at the second.

>>> import refagg
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.exact_space([[0], [1], [2], [3], [20]])
>>> choices = Choices(stream=scripted([0, 3]))
>>> run = refagg.specification("constrained-k-means").run
>>> run(space, 2, choices, sizes="free", rounds=100).groups
((0, 1, 2), (3, 4))
"""

from __future__ import annotations

from refagg.cursors.points import Points, on_points
from refagg.language.specification import OpenChoice, Specification, choice, integer


def constrained_k_means(M: Points, k: int, sizes: str, rounds: int) -> Points:
    n, c = len(M.records), len(M.records) // k
    fewest, most = (k, 2 * k - 1) if sizes == "free" else (n // c, -(-n // c))
    most = M.choices.settled("cap", most, range(fewest, n + 1))
    M.begin(M.draw(c))  # 1.
    for _ in M.rounds_of_groups(rounds):
        assigned = M.cheapest("centre", fewest, most)  # 2.
        if not M.lowers_sse("falls", assigned):
            break
        M.move_to(assigned)  # 3.
    return M


SPECIFICATION = Specification(
    name="constrained-k-means",
    title="constrained k-means (the least cost that sizes allow, and centroids, again and again)",
    source="Bradley, Bennett and Demiriz 2000, MSR-TR-2000-65; Endo et al. 2014-2018, ECBO",
    run=on_points(constrained_k_means),
    guarantees="groups of k to 2k-1 records; of even sizes, as equal as n and k allow",
    ties=(
        OpenChoice(
            "centre", "2", "the centre that a record has at the least cost of all", "group", "cost"
        ),
        OpenChoice("falls", "3", "whether the SSE is less than before", "test", "SSE"),
    ),
    decisions=(97,),
    cost="for each round O(n^2 / k) distances and memory, and O(n) paths of O(n^2 / k^2) steps",
    parameters=(
        choice("sizes", ("free", "even"), "k to 2k-1 records in a group, or as equal as possible"),
        integer("rounds", 100, 1, "how often records are assigned at most"),
    ),
    random=True,
)
