"""Bounds by vectors, for groups too large to be listed. Needs NumPy.

Of a partition take the matrix Z with Z(i, j) = 1 / size if i and j share a group, else 0. Its SSE
is the sum of d(i, j) Z(i, j) / 2. Each row has `size` entries of 1 / size, its own among them; Z is
positive semidefinite and Z 1 = 1; and Z(i, j) + Z(i, m) <= Z(i, i) + Z(j, m). The least sum under
these is a semidefinite program (as that of Peng and Wei, 2007, for k-means). It is solved by
alternating directions: rows, then the cone, and multipliers that draw both together. Each record
has a weight, its distance from its neighbours to the power 1/4, as else outliers converge slowly.

Any multipliers prove a bound. `oracle.certificate.kernel` computes it from rounded ones, exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from refagg.errors import needed

with needed("pip install '.[big]' in the checkout"):
    import numpy as np
    from numpy.typing import NDArray

from oracle.certificate.kernel import Conic
from oracle.optima.distances import WholeDistances

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]

PENALTY, RELAXED, FASTER, APART = 5.0, 1.6, 1.5, 4.0
"""Of distance between both matrices; over-relaxation; change of the penalty where one lags."""

EVERY = 25
"""Iterations between two bounds, changes of the penalty, and searches for inequalities."""

FIRST, MOST_ROUNDS, GAIN = 3, 40, 5e-5
"""Rounds before inequalities, all rounds; the relative gain of three without which it ends."""

MOST_TRIANGLES = 20
"""Inequalities added at once, for each record."""


@dataclass
class Relaxation:
    """State of the relaxation: two matrices and their multipliers.

    Some multipliers draw the matrices together, the others are those of the triangles.
    """

    k: int
    largest: int
    costs: Matrix  # d / 2
    weights: Matrix  # of records: outer products are those of entries
    penalty: float
    z: Matrix
    u: Matrix
    shifted: Matrix  # costs with the prices of triangles
    before: Matrix
    triangles: Whole = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    prices: Matrix = field(default_factory=lambda: np.zeros(0))
    each: float = 0.0  # the price of a group

    @property
    def rates(self) -> Matrix:
        """Return the penalty of each entry."""
        return self.penalty * np.outer(self.weights, self.weights) ** 2


def best_cone(
    distances: WholeDistances, parts: int, k: int, largest: int, report: Callable[[float], bool]
) -> Conic:
    """Return multipliers that prove a good bound.

    `report` receives each bound, in SSE and not yet proved, and says whether there is time left.
    """
    near, scale = np.array(distances.rows, float) * parts, float(distances.per_unit * parts)
    r = relaxation(near / scale, k, largest)
    bounds: list[float] = []
    kept = r
    for number in range(MOST_ROUNDS):
        improve(r, number >= FIRST)
        bounds.append(estimate(r))
        if bounds[-1] == max(bounds):
            kept = replace(r)
        old = max(bounds[:-3], default=-np.inf)
        if not report(max(bounds)) or (number > FIRST + 6 and max(bounds) < old * (1 + GAIN)):
            break
    return cone_of(kept, near, scale)


def relaxation(distances: Matrix, k: int, largest: int) -> Relaxation:
    """Begin with all entries equal."""
    n = len(distances)
    near = np.sort(distances, 1)[:, 1 : k + 1].mean(1)
    mean = near.mean() or 1.0
    weights = (np.maximum(near, max(np.median(near) / 20, mean / 10**6)) / mean) ** 0.25
    even = np.full((n, n), 1 / n)
    costs = distances / 2
    return Relaxation(
        k, largest, costs, weights, PENALTY * mean, even, np.zeros((n, n)), costs, even
    )


def improve(r: Relaxation, triangles: bool) -> None:
    """Alternate between rows and cone; adapt penalty and inequalities.

    The penalty is adapted, and inequalities are added, after the alternation.
    """
    rates = r.rates
    root, apart, moved = np.sqrt(rates), 0.0, 0.0
    for _ in range(EVERY):
        y = nearest_rows(r.z - r.u - r.shifted / rates, rates, r.k, r.largest)
        if len(r.triangles):
            lift_prices(r, rates, 2 * y - r.before)
        mixed = RELAXED * y + (1 - RELAXED) * r.z
        z = nearest_cone(mixed + r.u, r.weights)
        apart, moved = (float(np.linalg.norm(root * x)) for x in (y - z, z - r.z))
        r.u, r.z, r.before = r.u + mixed - z, z, y
    factor = FASTER if apart > APART * moved else 1 / FASTER if moved > APART * apart else 1.0
    r.penalty, r.u = r.penalty * factor, r.u / factor
    r.each = group_price(reduced(r), r.k, r.largest)
    r.shifted = shifted(r)
    if triangles:
        add_triangles(r, min(2 * r.k, len(r.z) - 1))


def nearest_rows(aim: Matrix, rates: Matrix, k: int, largest: int) -> Matrix:
    """Return the nearest rows with the sum 1.

    No entry is above the row's own entry, which is 1 / size. Each entry is aim - t / rate, cut at 0
    and at c; c is their own, t a multiplier, by bisection.
    """
    n, own = len(aim), np.arange(len(aim))
    width = min(max(4 * k, largest), n - 1)
    order = aim * rates
    order[own, own] = -np.inf
    places = np.argpartition(-order, width - 1, axis=1)[:, :width]
    v, rate = np.take_along_axis(aim, places, 1), np.take_along_axis(rates, places, 1)
    d, own_rate, v_rate, per_rate = aim[own, own], rates[own, own], v * rate, 1 / rate

    def entries(t: Matrix) -> tuple[Matrix, Matrix]:
        x, c = v - t[:, None] * per_rate, d - t / own_rate
        for _ in range(4):
            cut = x > c[:, None]
            c_rate, count = own_rate + (rate * cut).sum(1), 1 + cut.sum(1)
            c = np.maximum(c, (own_rate * d + (v_rate * cut).sum(1) - t * count) / c_rate)
        c = np.clip(c, 1 / largest, 1 / k)
        return c, np.clip(x, 0, c[:, None])

    high = np.maximum(v_rate.max(1), own_rate * d)
    low = np.minimum(v_rate.min(1), high - own_rate) - rate.max(1)
    for _ in range(36):
        t = (low + high) / 2
        c, x = entries(t)
        more = c + x.sum(1) > 1
        low, high = np.where(more, t, low), np.where(more, high, t)
    y = np.zeros((n, n))
    np.put_along_axis(y, places, x, 1)
    y[own, own] = c
    return y


def nearest_cone(aim: Matrix, weights: Matrix) -> Matrix:
    """Return the nearest positive semidefinite matrix with row sums 1.

    It is symmetric: Z 1 = 1, and it has no negative eigenvalue.
    """
    n, outer = len(aim), np.outer(weights, weights)
    p = ((aim + aim.T) / 2 - 1 / n) * outer
    u = 1 / weights / np.linalg.norm(1 / weights)
    g = p @ u
    p += np.outer(u, u) * (u @ g) - np.outer(u, g) - np.outer(g, u)
    values, vectors = np.linalg.eigh(p)
    kept = values > 0
    z: Matrix = ((vectors[:, kept] * values[kept]) @ vectors[:, kept].T) / outer + 1 / n
    return z


def lift_prices(r: Relaxation, rates: Matrix, y: Matrix) -> None:
    """Raise the prices of broken inequalities, lower the others.

    No price falls below 0.
    """
    i, j, m = r.triangles.T
    y = (y + y.T) / 2
    broken = y[i, j] + y[i, m] - y[i, i] - y[j, m]
    uses = np.zeros(y.shape)
    for a, b in ((i, j), (i, m), (i, i), (j, m)):
        np.add.at(uses, (a, b), 1.0)
    uses += uses.T
    rate = np.minimum(np.minimum(rates[i, j], rates[i, m]), np.minimum(rates[i, i], rates[j, m]))
    step = rate / (uses[i, j] + uses[i, m] + uses[i, i] + uses[j, m])
    r.prices = np.maximum(0, r.prices + step * broken)
    r.shifted = shifted(r)


def shifted(r: Relaxation) -> Matrix:
    """Return the costs with the prices of inequalities and of groups."""
    return r.costs + priced(r.triangles, r.prices, len(r.z)) + r.each * np.eye(len(r.z))


def reduced(r: Relaxation) -> Matrix:
    """Return what the rows see, without the price of groups."""
    return r.costs + priced(r.triangles, r.prices, len(r.z)) + r.rates * r.u


def row_costs(rows: Matrix, k: int, largest: int) -> tuple[Matrix, Whole]:
    """Return the sums of the least entries of each row.

    The row's own entry is included. Returned, too, are the numbers of entries.
    """
    others = rows + np.where(np.eye(len(rows)) > 0, np.inf, 0)
    least = np.sort(np.partition(others, largest - 2, axis=1)[:, : largest - 1], 1)
    sizes = np.arange(max(k, 2), largest + 1, dtype=np.int64)
    return np.diag(rows)[:, None] + least.cumsum(1)[:, sizes - 2], sizes


def estimate(r: Relaxation) -> float:
    """Return the bound of the multipliers, in floating point."""
    sums, sizes = row_costs(reduced(r), r.k, r.largest)
    least = ((sums + r.each) / sizes).min(1).sum()
    return float(least - r.each * (len(r.z) // r.k) + 2 * record_prices(r).sum())


def record_prices(r: Relaxation) -> Matrix:
    """Return the prices of records in the symmetric multipliers.

    They are the part a(i) + a(j); the rest has no negative value.
    """
    m = -r.rates * (r.u + r.u.T) / 2
    x = r.weights**-2.0
    x /= x.sum()
    mx = m @ x
    prices: Matrix = mx - (x @ mx) / 2
    return prices


def group_price(rows: Matrix, k: int, largest: int) -> float:
    """Return the price of a group.

    With it the rows have n / k entries 1 / size at most, rounded down. It is found by bisection:
    the greater it is, the more rows take larger groups.
    """
    base, sizes = row_costs(rows, k, largest)
    low, high = 0.0, float(np.abs(base).max())
    for _ in range(50):
        t = (low + high) / 2
        groups = (1 / sizes[np.argmin((base + t) / sizes, 1)]).sum()
        low, high = (t, high) if groups > len(rows) // k else (low, t)
    return low


def priced(triangles: Whole, prices: Matrix, n: int) -> Matrix:
    """Return what the prices of inequalities add to the costs."""
    added = np.zeros((n, n))
    i, j, m = triangles.T
    for a, b, sign in ((i, j, 1), (i, m, 1), (i, i, -1), (j, m, -1)):
        np.add.at(added, (a, b), sign * prices)
    return (added + added.T) / 2


def add_triangles(r: Relaxation, width: int) -> None:
    """Add the most broken inequalities of near records.

    Those without a price are dropped.
    """
    n, own = len(r.z), np.arange(len(r.z))[:, None]
    z = r.z.copy()
    np.fill_diagonal(z, -np.inf)
    near = np.sort(np.argpartition(-z, width - 1, axis=1)[:, :width], 1)
    first, second = np.triu_indices(width, 1)
    j, m = near[:, first], near[:, second]
    broken = r.z[own, j] + r.z[own, m] - r.z[own, own] - r.z[j, m]
    order = np.argsort(-broken, axis=None)[: MOST_TRIANGLES * n]
    order = order[broken.ravel()[order] > 0.001 / r.k]
    found = np.stack([order // len(first), j.ravel()[order], m.ravel()[order]], 1)
    used = r.prices > 0
    known, prices = r.triangles[used], r.prices[used]
    numbers = np.array([n * n, n, 1])
    new = found[~np.isin(found @ numbers, known @ numbers)]
    r.triangles = np.concatenate([known, new])
    r.prices = np.concatenate([prices, np.zeros(len(new))])


BITS, FINE = 9, 16
"""Of the length of a vector, whose entries are rounded; of what a price is a multiple of."""


def cone_of(r: Relaxation, near: Matrix, per_unit: float) -> Conic:
    """Return the multipliers, rounded.

    Of a triangle only one of d(j, m) and d(m, j) is lowered; further ones, of two records each,
    restore what the rows had, where it matters: they raise d(a, b) and lower d(b, a).
    """
    scale = 2 * per_unit
    vectors, prices = factor(r), record_prices(r)
    wanted = scale * reduced(r)
    length = np.linalg.norm(vectors, axis=1)
    scales = np.maximum(1, np.rint(np.sqrt(scale) * length / 2**BITS))
    entries = np.rint(np.sqrt(scale) * vectors / scales[:, None])
    unit = max(1, int(np.median(np.abs(np.diag(wanted)))) >> FINE)
    records = np.rint(scale * prices / unit)
    most = -np.rint(scale * r.each / unit)
    used = np.rint(scale * r.prices / unit)
    has = near - (scales[:, None] * entries) @ (scales[:, None] * entries).T
    has -= unit * (records[:, None] + records)
    i, j, m = r.triangles.T
    for a, b, sign in ((i, j, 1), (i, m, 1), (i, i, -1), (j, m, -1)):
        np.add.at(has, (a, b), sign * unit * used)
    moved = np.rint((wanted - wanted.T - has + has.T) / 2 / unit)
    limit = np.sort(has + unit * moved, 1)[:, min(r.largest, len(has) - 1)]
    matters = np.minimum(has, has + unit * moved) <= 1.1 * limit[:, None] + unit
    first, second = np.nonzero(np.triu(matters | matters.T, 1) & (moved != 0))
    more = moved[first, second]
    a, b = np.where(more > 0, (first, second), (second, first))
    triangles = np.concatenate([[i, j, m], [a, b, a]], 1)
    prices = np.concatenate([used, np.abs(more)])
    return Conic(
        [],
        unit,
        whole(records),
        int(most),
        whole(scales),
        [whole(np.trim_zeros(row, "b")) for row in entries],
        [one for one in zip(*map(whole, (*triangles, prices)), strict=True) if one[3]],
    )


def whole(numbers: Matrix | Whole) -> list[int]:
    """Return a list of integers."""
    return [int(x) for x in numbers]


def factor(r: Relaxation) -> Matrix:
    """Return vectors whose products are the multipliers, less the record prices.

    The multipliers are the symmetric ones. They are triangular: the last one has as many entries as
    there are eigenvalues above 0.
    """
    m = -r.rates * (r.u + r.u.T) / 2 - np.add.outer(*[record_prices(r)] * 2)
    values, basis = np.linalg.eigh(m / np.outer(r.weights, r.weights))
    kept = values > values.max() * 1e-9
    half = basis[:, kept] * np.sqrt(values[kept]) * r.weights[:, None]
    _, upper = np.linalg.qr(half.T)
    vectors: Matrix = upper.T
    return vectors
