"""Changed lines of fuzzy microaggregation: of its memberships, centres, starts, draws and sizes."""

from __future__ import annotations

from .mutant import Mutant

ROWS = "refagg.cursors.rows"
REDRAW, MERGE = (("guarantee", "redraw"),), (("guarantee", "merge"),)

IN_STEPS = (
    Mutant("one centre more, in fuzzy", "fuzzy", "space.n // k)", "space.n // k + 1)"),
    Mutant(
        "records are drawn with m1",
        "fuzzy",
        "clustering, second",
        "clustering, first",
        parameters=(("m2", 3),),
    ),
    Mutant(
        "centres are found with m2",
        "fuzzy",
        "choices, first, limit",
        "choices, second, limit",
        parameters=(("m2", 3),),
    ),
    Mutant(
        "it ends where centres move by a hundredth", "fuzzy", "TOLERANCE = 1e-6", "TOLERANCE = 1e-2"
    ),
    Mutant("distances are kept far from 0", "fuzzy", "CLAMP * Rows", "0.3 * Rows"),
)

IN_CENTRES = (
    Mutant(
        "centres weigh records by u", "fuzzy", "exp(self.exponent * (x", "exp((x", "memberships"
    ),
    Mutant("weighted sums are divided by n", "fuzzy", "total = sum(w", "total = len(w", ROWS),
    Mutant(
        "there is one iteration",
        "fuzzy",
        "X.iterations(limit)",
        "X.iterations(1)",
        "c_means",
    ),
    Mutant("memberships do not add to 1", "fuzzy", "x - whole for x", "x for x", "memberships"),
)

IN_LAWS = (
    Mutant(
        "distances are not squared, in FCM", "fuzzy", "2 / (m - 1)", "1 / (m - 1)", "memberships"
    ),
    Mutant(
        "a record on a centre belongs to all alike",
        "fuzzy",
        "        return crisp_logs(distances)",
        "        return [0.0 for d in distances]",
        "memberships",
    ),
    Mutant(
        "distances are not squared, in EFCM",
        "fuzzy",
        "lam * ((least - d) * (least + d))",
        "lam * (least - d)",
        "memberships",
        (("kind", "efcm"), ("lambda1", "1/9"), ("lambda2", "1/9")),
    ),
    Mutant(
        "crisp clusters overlap",
        "fuzzy",
        "d == least else",
        "d <= 2 * least else",
        "memberships",
        (("m1", 1),),
    ),
)

IN_DRAWS = (
    Mutant(
        "records at which centres start may be equal",
        "fuzzy",
        "left = [other for other in left if tuple(other) != tuple(row)]",
        "left.remove(row)",
        "initial_centres",
    ),
    Mutant(
        "centres start at the first records",
        "fuzzy",
        "left[stream.randbelow(len(left))]",
        "left[0]",
        "initial_centres",
    ),
    Mutant(
        "what is likely is not drawn",
        "fuzzy",
        "(probabilities) == 1:\n        return probabilities.index(1)",
        "(probabilities) > 0.7:\n        return probabilities.index(max(probabilities))",
        "assignment",
    ),
    Mutant(
        "draws are from half of the random stream",
        "fuzzy",
        "uniform() * bounds",
        "uniform() / 2 * bounds",
        "assignment",
    ),
    Mutant(
        "the last record is drawn first",
        "fuzzy",
        "stream) for row in probabilities]",
        "stream) for row in probabilities[::-1]][::-1]",
        "assignment",
    ),
    Mutant(
        "a group of k is dissolved, in fuzzy",
        "fuzzy",
        "sizes[i] < k)",
        "sizes[i] <= k)",
        "assignment",
        MERGE,
    ),
    Mutant(
        "a group of k-1 stays, in fuzzy",
        "fuzzy",
        "sizes[i] < k)",
        "sizes[i] < k - 1)",
        "assignment",
        REDRAW,
    ),
    Mutant(
        "the largest small group is dissolved",
        "fuzzy",
        "[sizes[i] for i in small]",
        "[-sizes[i] for i in small]",
        "assignment",
        MERGE,
    ),
    Mutant(
        "a dissolved group joins the first",
        "fuzzy",
        "[drawing.near(ends, others)]",
        "[others[0]]",
        "assignment",
        MERGE,
    ),
    Mutant(
        "records are drawn to centres without records",
        "fuzzy",
        "sorted(i for i in sizes if i != ends)",
        "[i for i in range(len(drawing.centres)) if i != ends]",
        "assignment",
        REDRAW,
    ),
)

IN_SIZES = (
    Mutant(
        "the variance of a size is that of its square", "fuzzy", "p * (1 - p)", "p * p", "sizes"
    ),
    Mutant("groups of k count as small", "fuzzy", "(group, k)[1:]", "(group, k + 1)[1:]", "sizes"),
    Mutant("groups of none count as small", "fuzzy", "0 < size < k", "size < k", "sizes"),
)

MUTANTS: tuple[Mutant, ...] = (*IN_STEPS, *IN_CENTRES, *IN_LAWS, *IN_DRAWS, *IN_SIZES)
