"""Points in a k-d tree of boxes, compiled by Numba.

It needs the extra `[big]`.

The tree halves the points at the median of their widest attribute until few are left: a leaf. Each
part has a box, which is tightened when a point leaves. The farthest points from an average are
looked for by their distances from where the average once was: the *shell*.

One point is the answer if no other is within the margin of it; otherwise the question is *open*,
and integers decide among those within the margin (`docs/exact.md`). `foresee` answers the questions
of iteration after iteration, as they were asked in the last one, until one is open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from math import inf, sqrt
from typing import Any, NamedTuple

from refagg.engine.foresight import AVERAGE, FAR, FIXED, NEAR, NOTHING
from refagg.engine.frame import UNIT, Point, Query
from refagg.engine.scan import Found, Site, distances_from_middle, estimated, without
from refagg.errors import MissingExtra

try:
    import numba
    import numpy as np
except ImportError:
    raise MissingExtra("numba is not installed: pip install '.[big]' in the checkout") from None

Array = Any

LEAF, WIDE = 32, 10
"""The most points of a leaf; four times as many have one with that many attributes, where boxes
rule little out."""

DEEP = 256
"""More than the parts that wait to be looked at."""

WORN = 4
"""A tree is built again when one in so many points is left."""

SORTING = 16
"""How many points of a shell can be looked at while one is put in order."""

NOBODY = -2.0
"""Less than any squared distance, and than any limit of them."""

ANYTHING = 1e300
"""More than any squared distance."""

GONE, THERE, HIDDEN = 0, 1, 2
"""Where a site is."""


class Boxes(NamedTuple):
    """The k-d tree of boxes.

    Part 0 is the whole; the points of a part are in `count` places from `start` on.
    """

    low: Array
    high: Array
    left: Array
    right: Array
    parent: Array
    start: Array
    count: Array
    rows: Array
    sites: Array
    """By place; `place`, `leaf` and `there` are by site."""
    place: Array
    leaf: Array
    there: Array
    sums: Array
    """By attribute the sum of the points that are there, and what rounding took from it."""


class CompiledShell(NamedTuple):
    """Sites by their distance from `centre`, the greatest first.

    `at` has the place where the sites still there begin, the number of sites, and how many may be
    examined before they are sorted again.
    """

    sites: Array
    away: Array
    centre: Array
    at: Array


def _planted(points: Array, sites: Array, names: int) -> Any:
    """Build the tree of some points, with sites below `names`."""
    n, p = points.shape
    size = LEAF if p < WIDE else 4 * LEAF
    most = 4 * n // size + 8
    low, high = np.empty((most, p)), np.empty((most, p))
    left, right = np.full(most, NOTHING, np.int32), np.full(most, NOTHING, np.int32)
    parent = np.full(most, NOTHING, np.int32)
    start, count = np.zeros(most, np.int32), np.zeros(most, np.int32)
    order = np.arange(n).astype(np.int32)
    place, leaf = np.zeros(names, np.int32), np.zeros(names, np.int32)
    there = np.zeros(names, np.uint8)
    sums = np.zeros((p, 2))
    for i in range(n):
        for j in range(p):
            _add(sums, j, points[i, j])
    waiting = np.empty((DEEP, 3), np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, n, NOTHING
    height, parts = 1, 0
    while height:
        height -= 1
        a, b, above = waiting[height, 0], waiting[height, 1], waiting[height, 2]
        part, parts = parts, parts + 1
        start[part], count[part], parent[part] = a, b - a, above
        if above != NOTHING:
            if left[above] == NOTHING:
                left[above] = part
            else:
                right[above] = part
        axis = _bound(points, order[a:b], low[part], high[part])
        if b - a <= size:
            for i in range(a, b):
                site = sites[order[i]]
                place[site], leaf[site], there[site] = i, part, THERE
            continue
        some = order[a:b].copy()
        half = (a + b) // 2
        order[a:b] = some[np.argpartition(points[some, axis], half - a)]
        waiting[height, 0], waiting[height, 1], waiting[height, 2] = half, b, part
        waiting[height + 1, 0], waiting[height + 1, 1], waiting[height + 1, 2] = a, half, part
        height += 2
    return (
        low[:parts].copy(),
        high[:parts].copy(),
        left[:parts].copy(),
        right[:parts].copy(),
        parent[:parts].copy(),
        start[:parts].copy(),
        count[:parts].copy(),
        points[order],
        sites[order],
        place,
        leaf,
        there,
        sums,
    )


def _bound(points: Array, some: Array, low: Array, high: Array) -> int:
    """Write the box of some points; return its widest attribute."""
    axis = 0
    for j in range(low.size):
        low[j] = high[j] = points[some[0], j]
        for i in some[1:]:
            low[j], high[j] = min(low[j], points[i, j]), max(high[j], points[i, j])
        if high[j] - low[j] > high[axis] - low[axis]:
            axis = j
    return axis


def _add(sums: Array, j: int, value: float) -> None:
    """Add to a sum in twice the digits of binary64."""
    before = sums[j, 0]
    after = before + value
    part = after - before
    sums[j, 0] = after
    sums[j, 1] += (before - (after - part)) + (value - part)


def _square(rows: Array, i: int, point: Array) -> float:
    total = 0.0
    for j in range(point.size):
        gap = rows[i, j] - point[j]
        total += gap * gap
    return total


def _nearest_corner(low: Array, high: Array, part: int, point: Array) -> float:
    """Return the squared distance of the nearest point of a box."""
    total = 0.0
    for j in range(point.size):
        gap = max(low[part, j] - point[j], point[j] - high[part, j], 0.0)
        total += gap * gap
    return total


def _farthest_corner(low: Array, high: Array, part: int, point: Array) -> float:
    """Return the squared distance of the farthest point of a box."""
    total = 0.0
    for j in range(point.size):
        gap = max(high[part, j] - point[j], point[j] - low[part, j])
        total += gap * gap
    return total


def _remove(boxes: Boxes, site: int) -> None:
    """Remove a point from its leaf, and tighten the boxes above it."""
    part, place = boxes.leaf[site], boxes.place[site]
    boxes.there[site] = GONE
    last = boxes.start[part] + boxes.count[part] - 1
    other = boxes.sites[last]
    boxes.sites[last], boxes.sites[place] = site, other
    boxes.place[other], boxes.place[site] = place, last
    for j in range(boxes.rows.shape[1]):
        kept = boxes.rows[place, j]
        _add(boxes.sums, j, -kept)
        boxes.rows[place, j], boxes.rows[last, j] = boxes.rows[last, j], kept
    tightens = True
    while part != NOTHING:
        boxes.count[part] -= 1
        if tightens and boxes.count[part]:
            tightens = _tighten(boxes, part, last)
        part = boxes.parent[part]


def _tighten(boxes: Boxes, part: int, gone: int) -> bool:
    """Shrink a part's box that touches a removed point.

    Return True if a box changed.
    """
    a, b = boxes.left[part], boxes.right[part]
    changed = False
    for j in range(boxes.rows.shape[1]):
        value = boxes.rows[gone, j]
        if boxes.low[part, j] < value < boxes.high[part, j]:
            continue
        low, high = inf, -inf
        if a == NOTHING:
            for i in range(boxes.start[part], boxes.start[part] + boxes.count[part]):
                low, high = min(low, boxes.rows[i, j]), max(high, boxes.rows[i, j])
        else:
            if boxes.count[a]:
                low, high = boxes.low[a, j], boxes.high[a, j]
            if boxes.count[b]:
                low, high = min(low, boxes.low[b, j]), max(high, boxes.high[b, j])
        if low != boxes.low[part, j] or high != boxes.high[part, j]:
            boxes.low[part, j], boxes.high[part, j] = low, high
            changed = True
    return changed


def _farthest(boxes: Boxes, point: Array, margin: float) -> tuple[int, float, float]:
    """Find the farthest point; the greatest and the second greatest squared distance."""
    low, high, left, right, count = boxes.low, boxes.high, boxes.left, boxes.right, boxes.count
    start, rows, sites, there = boxes.start, boxes.rows, boxes.sites, boxes.there
    parts, bounds = np.empty(DEEP, np.int32), np.empty(DEEP)
    site, best, second, limit = NOTHING, -1.0, -1.0, -1.0
    parts[0], bounds[0], height = 0, inf, 1
    while height:
        height -= 1
        if bounds[height] < limit:
            continue
        part = parts[height]
        a, b = left[part], right[part]
        if a == NOTHING:
            for i in range(start[part], start[part] + count[part]):
                square = _square(rows, i, point)
                if square > second and there[sites[i]] == THERE:
                    if square > best:
                        site, best, second = sites[i], square, best
                        limit = _less(best, margin)
                    else:
                        second = square
            continue
        to_a = _farthest_corner(low, high, a, point) if count[a] else NOBODY
        to_b = _farthest_corner(low, high, b, point) if count[b] else NOBODY
        if to_a > to_b:
            a, b, to_a, to_b = b, a, to_b, to_a
        if to_a >= limit:
            parts[height], bounds[height] = a, to_a
            height += 1
        if to_b >= limit:
            parts[height], bounds[height] = b, to_b
            height += 1
    return site, best, second


def _nearest(
    boxes: Boxes, point: Array, margin: float, squares: Array, found: Array
) -> tuple[int, float]:
    """Find the nearest points, as many as fit.

    Return how many there are, and the next square.
    """
    low, high, left, right, count = boxes.low, boxes.high, boxes.left, boxes.right, boxes.count
    start, rows, sites, there = boxes.start, boxes.rows, boxes.sites, boxes.there
    parts, bounds = np.empty(DEEP, np.int32), np.empty(DEEP)
    m, have, following, last, limit = squares.size, 0, inf, inf, ANYTHING
    parts[0], bounds[0], height = 0, 0.0, 1
    while height:
        height -= 1
        if bounds[height] > limit:
            continue
        part = parts[height]
        a, b = left[part], right[part]
        if a == NOTHING:
            for i in range(start[part], start[part] + count[part]):
                square = _square(rows, i, point)
                if square < following and there[sites[i]] == THERE:
                    following = min(following, max(square, last))  # one of the two has no place
                    if square < last:
                        have = _insert(squares, found, have, square, sites[i])
                        last = squares[m - 1] if have == m else inf
            limit = _more(last, margin) if have == m else ANYTHING
            continue
        to_a = _nearest_corner(low, high, a, point) if count[a] else inf
        to_b = _nearest_corner(low, high, b, point) if count[b] else inf
        if to_a < to_b:
            a, b, to_a, to_b = b, a, to_b, to_a
        if to_a <= limit:
            parts[height], bounds[height] = a, to_a
            height += 1
        if to_b <= limit:
            parts[height], bounds[height] = b, to_b
            height += 1
    return have, following


def _insert(squares: Array, found: Array, have: int, square: float, site: int) -> int:
    """Insert a site among those found, in order.

    The last one leaves if there is no space.
    """
    place = have if have < squares.size else squares.size - 1
    have = place + 1
    while place and squares[place - 1] > square:
        squares[place], found[place] = squares[place - 1], found[place - 1]
        place -= 1
    squares[place], found[place] = square, site
    return have


def _less(square: float, margin: float) -> float:
    """Return the square of a distance less the margin.

    -1 if the margin is greater than the distance.
    """
    distance = np.sqrt(square) - margin
    return distance * distance if distance > 0 else -1.0


def _more(square: float, margin: float) -> float:
    distance: float = np.sqrt(square) + margin
    return distance * distance


def _between(boxes: Boxes, point: Array, low: float, high: float) -> Array:
    """Find all points whose squared distances are within limits; their places."""
    found, have, waiting = np.empty(64, np.int32), 0, np.empty(DEEP, np.int32)
    waiting[0], height = 0, 1
    while height:
        height -= 1
        part = waiting[height]
        if not boxes.count[part] or _farthest_corner(boxes.low, boxes.high, part, point) < low:
            continue
        if _nearest_corner(boxes.low, boxes.high, part, point) > high:
            continue
        if boxes.left[part] != NOTHING:
            waiting[height], waiting[height + 1] = boxes.left[part], boxes.right[part]
            height += 2
            continue
        for i in range(boxes.start[part], boxes.start[part] + boxes.count[part]):
            square = _square(boxes.rows, i, point)
            if boxes.there[boxes.sites[i]] == THERE and low <= square <= high:
                if have == found.size:
                    found = np.append(found, np.empty(have, np.int32))
                found[have] = i
                have += 1
    return found[:have]


def _sort_shell(boxes: Boxes, shell: CompiledShell) -> None:
    """Sort the points that are there by distance from their mean."""
    n, p = boxes.count[0], boxes.rows.shape[1]
    shell.centre[:] = 0.0
    have = 0
    for i in range(boxes.sites.size):
        if boxes.there[boxes.sites[i]]:
            for j in range(p):
                shell.centre[j] += boxes.rows[i, j] / n
    inward, sites = np.empty(n), np.empty(n, np.int32)
    for i in range(boxes.sites.size):
        if boxes.there[boxes.sites[i]]:
            inward[have] = -np.sqrt(_square(boxes.rows, i, shell.centre))
            sites[have] = boxes.sites[i]
            have += 1
    order = np.argsort(inward)
    for i in range(have):
        shell.sites[i], shell.away[i] = sites[order[i]], -inward[order[i]]
    shell.at[0], shell.at[1], shell.at[2] = 0, have, SORTING * have


def _farthest_in_shell(
    boxes: Boxes, shell: CompiledShell, point: Array, margin: float
) -> tuple[int, float, float]:
    """Find the farthest point from a point near the shell's centre.

    The result is the same as that of `_farthest`.
    """
    if shell.at[2] <= 0:
        _sort_shell(boxes, shell)
    while shell.at[0] < shell.at[1] and not boxes.there[shell.sites[shell.at[0]]]:
        shell.at[0] += 1
    shift = 0.0
    for j in range(point.size):
        shift += (shell.centre[j] - point[j]) ** 2
    shift = np.sqrt(shift)
    site, best, second = NOTHING, -1.0, -1.0
    for i in range(shell.at[0], shell.at[1]):
        if shell.away[i] + shift < best - margin:
            break
        shell.at[2] -= 1
        if boxes.there[shell.sites[i]] == THERE:
            away = np.sqrt(_square(boxes.rows, boxes.place[shell.sites[i]], point))
            if away > best:
                site, best, second = shell.sites[i], away, best
            elif away > second:
                second = away
    return site, best * best, second * second if second >= 0 else -1.0


def _foresee(
    boxes: Boxes,
    shell: CompiledShell,
    steps: Array,
    fixed: Array,
    margins: Array,
    most: int,
    out: Array,
) -> int:
    """Answer the steps of iteration after iteration; how many numbers were written.

    A step is a kind of question, how many points it asks for, its origin and two hidden points, as
    numbers of earlier steps. `margins` are those of questions from points that are there, and from
    the fixed point.
    """
    point = np.empty(boxes.rows.shape[1])
    answers = np.zeros(len(steps), np.int32)
    squares = np.empty(steps[:, 1].max())
    written = 0
    for _ in range(most):
        if WORN * boxes.count[0] < boxes.sites.size:
            break
        for number in range(len(steps)):
            kind, m, origin = steps[number, 0], steps[number, 1], steps[number, 2]
            if boxes.count[0] <= m + 2:
                return written
            _origin(boxes, origin, answers, fixed, point)
            margin = margins[1] if origin == FIXED else margins[0]
            found = out[written : written + max(m, 1)]
            _hide(boxes, steps[number], answers, THERE, HIDDEN)
            if kind == NEAR:
                clear = _near(boxes, point, margin, squares[:m], found[:m])
            else:
                if origin < 0:
                    found[0], best, second = _farthest_in_shell(boxes, shell, point, margin)
                else:
                    found[0], best, second = _farthest(boxes, point, margin)
                clear = second < _less(best, margin)
            _hide(boxes, steps[number], answers, HIDDEN, THERE)
            if not clear:
                return written
            answers[number] = found[0] if kind == FAR else NOTHING
            written += m if kind == NEAR else 1
            if kind == NEAR:
                _remove(boxes, answers[origin])
                for site in found[:m]:
                    _remove(boxes, site)
    return written


def _origin(boxes: Boxes, origin: int, answers: Array, fixed: Array, point: Array) -> None:
    """Write the coordinates of the origin of a question."""
    for j in range(point.size):
        if origin == AVERAGE:
            point[j] = (boxes.sums[j, 0] + boxes.sums[j, 1]) / boxes.count[0]
        elif origin == FIXED:
            point[j] = fixed[j]
        else:
            point[j] = boxes.rows[boxes.place[answers[origin]], j]


def _hide(boxes: Boxes, step: Array, answers: Array, before: int, after: int) -> None:
    """Hide points, or show them again.

    The origin of a group is hidden too.
    """
    for column in range(2 if step[0] == NEAR else 3, step.size):
        if step[column] != NOTHING and boxes.there[answers[step[column]]] == before:
            boxes.there[answers[step[column]]] = after


def _near(boxes: Boxes, point: Array, margin: float, squares: Array, found: Array) -> bool:
    """Find the nearest points.

    Return True if no other point can be tied with the last.
    """
    m = squares.size
    if m == 0:
        return True
    have, following = _nearest(boxes, point, margin, squares, found)
    return have == m and following > _more(squares[m - 1], margin)


def compiled(function: Any, **options: Any) -> Any:
    """Compile a function.

    Later processes use the same compiled code if a folder for it can be written.
    """
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # none can, as for an account without a home
        return numba.njit(**options)(function)


ANY_ORDER = {"reassoc", "contract"}
"""Sums of squares may be added in any order, and rounded less often."""

_add = compiled(_add)
_bound = compiled(_bound)
_planted = compiled(_planted)
_square = compiled(_square, fastmath=ANY_ORDER)
_nearest_corner = compiled(_nearest_corner, fastmath=ANY_ORDER)
_farthest_corner = compiled(_farthest_corner, fastmath=ANY_ORDER)
_tighten = compiled(_tighten)
_remove = compiled(_remove)
_less = compiled(_less)
_more = compiled(_more)
_farthest = compiled(_farthest)
_insert = compiled(_insert)
_nearest = compiled(_nearest)
_between = compiled(_between)
_sort_shell = compiled(_sort_shell)
_farthest_in_shell = compiled(_farthest_in_shell)
_origin = compiled(_origin)
_hide = compiled(_hide)
_near = compiled(_near)
_foresee = compiled(_foresee)


def has_run() -> bool:
    """Return True if this process has compiled the engine, or loaded it."""
    return bool(getattr(_planted, "signatures", ()))


class Compiled:
    """The points of some sites."""

    def __init__(self, sites: Sequence[Site], columns: Iterable[Sequence[float]]) -> None:
        points = np.column_stack(list(columns))
        self._plant(points, np.fromiter(sites, np.int32, len(sites)))
        p = points.shape[1]
        self._error = (16 + p) * UNIT * sqrt(p)
        """Times 1 + the greatest coordinate of a point: how wrong distances from it can be."""

    def _plant(self, points: Array, sites: Array) -> None:
        n, p = points.shape
        self._boxes = Boxes(*_planted(points, sites, int(sites.max()) + 1))
        self._shell = CompiledShell(
            np.empty(n, np.int32), np.empty(n), np.zeros(p), np.zeros(3, np.int64)
        )

    def _renew(self) -> None:
        """Build the tree again when a quarter of the points is left."""
        boxes = self._boxes
        if 0 < WORN * boxes.count[0] < boxes.sites.size:
            places = np.flatnonzero(boxes.there[boxes.sites])
            self._plant(boxes.rows[places], boxes.sites[places])

    def away(self) -> dict[Site, float]:
        """Return the distances from the middle of the points."""
        boxes = self._boxes
        places = np.flatnonzero(boxes.there[boxes.sites])
        rows, sites = boxes.rows[places].tolist(), boxes.sites[places].tolist()
        return distances_from_middle(sites, rows)

    def remove(self, sites: Collection[Site]) -> None:
        """Take out some sites."""
        for site in sites:
            _remove(self._boxes, site)
        self._renew()

    def farthest(self, query: Query, hidden: Set[Site], central: bool) -> list[Site]:
        """Return the sites at about the greatest distance."""
        point, margin = np.array(query.point), self._margin(query)
        self._mark(hidden, HIDDEN)
        if central:
            ends = _farthest_in_shell(self._boxes, self._shell, point, margin)
        else:
            ends = _farthest(self._boxes, point, margin)
        sites = self._farther(query, point, margin, *ends)
        self._mark(hidden, THERE)
        return sites

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """Return the sites at about the m least distances.

        All sites are returned if there are no more than m.
        """
        m += len(hidden)  # which are left out in the end
        point, margin = np.array(query.point), self._margin(query)
        squares, found = np.empty(m), np.empty(m, np.int32)
        have, _ = _nearest(self._boxes, point, margin, squares, found)
        high = inf if have < m else query.high(sqrt(squares[m - 1])) + margin
        some = self._estimated(query, point, -1.0, high * high)
        return without(hidden, sorted(some), m, query)

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, if no other is about as near."""
        point, margin = np.array(query.point), self._margin(query)
        squares, found = np.empty(m), np.empty(m, np.int32)
        self._mark(hidden, HIDDEN)
        have, following = _nearest(self._boxes, point, margin, squares, found)
        self._mark(hidden, THERE)
        sites: list[Site] = found.tolist()
        return sites if have == m and _more(squares[-1], margin) < following else None

    def foresee(
        self, steps: Sequence[Sequence[int]], fixed: Point | None, most: int
    ) -> tuple[list[int], int]:
        """Answer the steps of the next iterations until one is open.

        At most `most` iterations are answered. The number of points that have left is returned too.
        """
        self._renew()
        before = int(self._boxes.count[0])
        own = np.array(steps, np.int64)
        there = 6.01 * self._error  # 3 (1 + M) times, as the greatest coordinate M is about 1
        far = 3 * self._error * (1 + max(map(abs, fixed))) if fixed else there
        out = np.empty(most * int((own[:, 1] + 1).sum()), np.int32)
        point = np.array(fixed or (0.0,))
        margins = np.array((there, far))
        written = _foresee(self._boxes, self._shell, own, point, margins, most, out)
        return out[:written].tolist(), before - int(self._boxes.count[0])

    def _margin(self, query: Query) -> float:
        margin: float = query.slack + 3 * self._error * (1 + max(map(abs, query.point)))
        return margin

    def _mark(self, sites: Set[Site], state: int) -> None:
        for site in sites:
            self._boxes.there[site] = state

    def _farther(
        self, query: Query, point: Array, margin: float, site: Site, best: float, second: float
    ) -> list[Site]:
        if query.shrink == 1 and second < _less(best, margin):
            return [site]
        low = query.low(sqrt(best)) - margin if best >= 0 else -1.0
        pairs = self._estimated(query, point, low * low if low > 0 else -1.0, inf)
        limit = query.low(max(e for e, _ in pairs))
        return [site for e, site in pairs if e >= limit]

    def _estimated(self, query: Query, point: Array, low: float, high: float) -> Found:
        """Return the sites whose squared distances are within limits.

        Their distances that count are returned too.
        """
        places = _between(self._boxes, point, low, high)
        return estimated(
            query, self._boxes.sites[places].tolist(), self._boxes.rows[places].tolist()
        )
