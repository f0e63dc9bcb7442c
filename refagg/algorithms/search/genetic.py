"""Genetic microaggregation: partitions are chromosomes, which are crossed and mutated.

Source: A. Solanas, A. Martinez-Balleste, J. M. Mateo-Sanz, J. Domingo-Ferrer, "Multivariate
microaggregation based on genetic algorithms", 3rd IEEE Conference on Intelligent Systems, 2006;
A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, "A genetic approach to
multivariate microaggregation for database privacy".

Recollected: the encoding, the operators, the rates, the number of iterations. Ours: what one
mutation is, the repair, and keeping the best in the population (decisions 40 and 41).

Steps:
  1. A chromosome gives each record the label of its group, one of floor(n/k) labels. The first
     population is drawn: the records in any order, k for each label; each of the fewer than k that
     are left then gets a label drawn from those that have fewer than 2k-1 records.
  2. One parent fewer than there are chromosomes is drawn by roulette wheel; the chance of a
     chromosome is proportional to its fitness 1/(SSE+1).
  3. The parents pair in the order drawn; the last of an odd number stays alone. With the
     probability `crossover`, a pair exchanges all genes from a drawn place on.
  4. With the probability `mutation`, a drawn gene of a child gets another label, drawn too.
  5. Children with groups of fewer than k or more than 2k-1 records are repaired
     (`refagg.algorithms.centres.repair`).
  6. The best chromosome before these children, and the children, are the next population. After
     `iterations` of them, the best chromosome of all is the result.

Draws, in this order: for a start, the places in the list of records not yet taken, then the
labels with free capacity, counted among these; for each parent one of 2^53 equal parts of the
wheel; for each pair a part of the denominator of `crossover`, below its numerator where it
happens, and then the place less 1; for each child the same for `mutation`, the gene, and the steps
from one label to the other, less 1. k = 1 and n < 2k leave nothing to draw.

Example: of 1, 2, 3, 10, 11, 12, 30 with k = 2, no groups have a smaller SSE than 2 + 1/2 + 162.

>>> import refagg
>>> rows = [[1], [2], [3], [10], [11], [12], [30]]
>>> rates = {"population": 10, "mutation": 0.1, "crossover": 0.5}
>>> refagg.genetic(rows, k=2, iterations=200, seed=1, **rates).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from fractions import Fraction

from refagg.algorithms.search.evolution import PARAMETERS, TIES, Rates, fittest, undrawable
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.language.specification import Specification


def genetic(
    R: Cursor, k: int, population: int, mutation: Fraction, crossover: Fraction, iterations: int
) -> Groups:
    rates = Rates(population, mutation, crossover, iterations)
    return Groups.of(R, fittest(R.space, k, R.choices, R.records, rates))


SPECIFICATION = Specification(
    name="genetic",
    title="Genetic algorithm (a population of partitions)",
    source="Solanas et al. 2006, Multivariate microaggregation based on genetic algorithms; "
    "Martinez-Balleste et al., A genetic approach to multivariate microaggregation",
    run=on_groups(genetic),
    guarantees="groups of k to 2k-1 records; more iterations never lose more",
    ties=TIES,
    decisions=(40, 41, 44),
    cost="O(population n) for each iteration, and O(n^2 / k) for a repair at worst",
    parameters=PARAMETERS,
    random=True,
    inapplicable=undrawable,
)
