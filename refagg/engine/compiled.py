"""Points in a k-d tree of boxes, compiled by Numba.

It needs the extra `[big]`.

The tree halves the points at the median of their widest attribute until few are left: a leaf. Each
part has a box, which is tightened when a point leaves, and the greatest distance of its points from
where their average once was.

One point is the answer if no other is within the margin of it; otherwise the question is *open*,
and integers decide among those within the margin (`docs/exact.md`). `foresee` answers the questions
of iteration after iteration, as they were asked in the last one, until one is open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import inf, sqrt
from typing import Any, NamedTuple

from refagg.engine import foresight
from refagg.engine.arrays import coordinates_of
from refagg.engine.filtered_pool import Steps
from refagg.engine.frame import UNIT, Coordinates, Found, Point, Query, Site
from refagg.engine.lists import estimated, farthest_of, nearest_of
from refagg.errors import needed
from refagg.terminal import NOW

with needed("pip install '.[big]' in the checkout"):
    import numba
    import numpy as np

Array = Any

LEAF, WIDE = 40, 10
"""The most points of a leaf; four times as many have one with that many attributes, where boxes
rule little out."""

DEEP = 256
"""More than the parts that wait to be looked at."""

ENOUGH = 1 - 2.0**-4
"""Less than this share of the greatest distance so far is not looked for from one end of a pair."""

WORN = 4
"""A tree is built again when one in so many points is left."""

NOBODY = -2.0
"""Less than any squared distance, and than any limit of them."""

ANYTHING = 1e300
"""More than any squared distance."""

GONE, THERE, HIDDEN = 0, 1, 2
"""Where a site is."""

KIND, M, ORIGIN = 2, 3, 4
"""The columns of a step, after the two that can follow it; then there are hidden points."""

GROUPS = foresight.NEAR, foresight.EITHER
"""The kinds of questions for a group, which leaves."""

ROUNDED = 2.0**-46
"""Times the number of attributes, more than what rounding takes from sums of products."""

COMPILING = "compiled code is loaded; the first time on a machine it is compiled in up to a minute"
"""Told instead of the progress meanwhile."""

ROOM = 1 << 16
"""The most numbers of answers given at once."""


class Boxes(NamedTuple):
    """The k-d tree of boxes.

    Part 0 is the whole; the points of a part are in `count` places from `start` on.
    """

    centre: Array
    """The mean of the points when the tree was built; the last attribute of `rows` and of boxes is
    the squared distance from it."""
    low: Array
    high: Array
    left: Array
    right: Array
    parent: Array
    start: Array
    count: Array
    rows: Array
    sites: Array
    """By place; what follows is by site, but for the sums."""
    place: Array
    leaf: Array
    there: Array
    reach: Array
    """What its distance from no other point exceeds, up to rounding."""
    sums: Array
    """By attribute the sum of the points that are there, and what rounding took from it."""


def _planted(points: Array, sites: Array, names: int) -> Any:
    """Build the tree of some points, with sites below `names`."""
    n, p = points.shape
    size = LEAF if p < WIDE else 4 * LEAF
    most = 4 * n // size + 8
    low, high = np.empty((most, p)), np.empty((most, p))
    left = np.full(most, foresight.NOTHING, np.int32)
    right, parent = left.copy(), left.copy()
    start, count = np.zeros(most, np.int32), np.zeros(most, np.int32)
    order = np.arange(n).astype(np.int32)
    place, leaf = np.zeros(names, np.int32), np.zeros(names, np.int32)
    there, reach = np.zeros(names, np.uint8), np.zeros(names)
    away = np.sqrt(points[:, p - 1])
    away += away.max()
    sums = np.zeros((p, 2))
    for i in range(n):
        for j in range(p):
            _add(sums, j, points[i, j])
    waiting = np.empty((DEEP, 3), np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, n, foresight.NOTHING
    height, parts = 1, 0
    while height:
        height -= 1
        a, b, above = waiting[height, 0], waiting[height, 1], waiting[height, 2]
        part, parts = parts, parts + 1
        start[part], count[part], parent[part] = a, b - a, above
        if above != foresight.NOTHING:
            if left[above] == foresight.NOTHING:
                left[above] = part
            else:
                right[above] = part
        axis = _bound(points, order[a:b], low[part], high[part])
        if b - a <= size:
            for i in range(a, b):
                site = sites[order[i]]
                place[site], leaf[site], there[site] = i, part, THERE
                reach[site] = away[order[i]]
            continue
        some = order[a:b].copy()
        half = (a + b) // 2
        order[a:b] = some[np.argpartition(points[some, axis], half - a)]
        waiting[height, 0], waiting[height, 1], waiting[height, 2] = half, b, part
        waiting[height + 1, 0], waiting[height + 1, 1], waiting[height + 1, 2] = a, half, part
        height += 2
    tree = (low, high, left, right, parent, start, count)
    return tree + (points[order], sites[order], place, leaf, there, reach, sums)  # noqa: RUF005


def _bound(points: Array, some: Array, low: Array, high: Array) -> int:
    """Write the box of some points; return its widest attribute."""
    axis = 0
    for j in range(low.size):
        least = greatest = points[some[0], j]
        for i in some[1:]:
            least, greatest = min(least, points[i, j]), max(greatest, points[i, j])
        low[j], high[j] = least, greatest
        if j < low.size - 1 and high[j] - low[j] > high[axis] - low[axis]:
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


def _farthest_corner(boxes: Boxes, part: int, point: Array) -> float:
    """Return a bound of squared distances to a box.

    No point x of it is farther from the point c. It is that of a corner, or |x|^2 - 2 x c + |c|^2,
    seen from the centre, for the greatest |x|^2 of a point and the least x c of a corner.
    """
    total, product, square = 0.0, 0.0, boxes.high[part, point.size]
    for j in range(point.size):
        low, high, centre = boxes.low[part, j], boxes.high[part, j], boxes.centre[j]
        corner, gap = max(high - point[j], point[j] - low), point[j] - centre
        total += corner * corner
        product += min((high - centre) * gap, (low - centre) * gap)
        square += gap * gap
    bound: float = min(total, square - 2 * product + ROUNDED * point.size * (square + 1))
    return bound


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
    while part != foresight.NOTHING:
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
        if a == foresight.NOTHING:
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


def _farthest(boxes: Boxes, point: Array, margin: float, limit: float) -> tuple[int, float, float]:
    """Find the farthest point; the greatest and the second greatest squared distance.

    Those below a limit may be left out.
    """
    left, right, count, start = boxes.left, boxes.right, boxes.count, boxes.start
    rows, sites, there = boxes.rows, boxes.sites, boxes.there
    parts, bounds = np.empty(DEEP, np.int32), np.empty(DEEP)
    site, best, second = foresight.NOTHING, -1.0, -1.0
    parts[0], bounds[0], height = 0, inf, 1
    while height:
        height -= 1
        if bounds[height] < limit:
            continue
        part = parts[height]
        a, b = left[part], right[part]
        if a == foresight.NOTHING:
            for i in range(start[part], start[part] + count[part]):
                square = _square(rows, i, point)
                if square > second and there[sites[i]] == THERE:
                    if square > best:
                        site, best, second = sites[i], square, best
                        limit = max(limit, _less(best, margin))
                    else:
                        second = square
            continue
        to_a = _farthest_corner(boxes, a, point) if count[a] else NOBODY
        to_b = _farthest_corner(boxes, b, point) if count[b] else NOBODY
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
        if a == foresight.NOTHING:
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
    """Insert a site in order; the last one leaves if necessary."""
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
        if not boxes.count[part] or _farthest_corner(boxes, part, point) < low:
            continue
        if _nearest_corner(boxes.low, boxes.high, part, point) > high:
            continue
        if boxes.left[part] != foresight.NOTHING:
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


def _foresee(
    boxes: Boxes, steps: Array, roots: Array, fixed: Array, margins: Array, most: int, out: Array
) -> int:
    """Answer the steps of iteration after iteration; how many numbers were written.

    A step has the steps that can follow it, its kind of question, how many points it asks for, its
    origin and hidden points, as numbers of earlier questions. `margins` are those of questions from
    points that are there, and from the fixed point; `roots` those of the factors of squared
    distances that are compared.
    """
    pairs = (steps[:, KIND] == foresight.PAIR).any()
    heap = [(-boxes.reach[site], site) for site in boxes.sites if pairs and boxes.there[site]]
    heapify(heap)
    point = np.empty(boxes.centre.size)
    answers, away = np.zeros(len(steps), np.int32), np.zeros(len(steps))
    widest = steps[:, M].max() + 1
    squares, found = np.empty(2 * widest), np.empty(2 * widest, np.int32)
    group, members, written = np.empty(widest + len(steps), np.int32), 0, 0
    for _ in range(most):
        if WORN * boxes.count[0] < boxes.sites.size:
            break
        place, number = steps[0, 0], 0
        while place > foresight.BEGIN:
            step = steps[place]
            kind, m, origin = step[KIND], step[M], step[ORIGIN]
            if boxes.count[0] <= m + step.size or out.size - written <= m:
                return written
            if origin > foresight.GROUP:
                _origin(boxes, origin, answers, fixed, point)
            margin = margins[1] if origin == foresight.FIXED else margins[0]
            first, left = answers[max(origin, 0)], away[max(origin, 0)]
            _hide(boxes, step, answers, THERE, HIDDEN)
            own = group[:members]
            clear, away[number] = _answer(
                boxes, heap, own, step, first, left, roots, point, margin, squares, found
            )
            clear = clear and _apart(boxes, step, answers, margin, squares, found)
            _hide(boxes, step, answers, HIDDEN, THERE)
            if not clear:
                return written
            answers[number], number = found[0], number + 1
            out[written : written + m] = found[:m]
            written += 1 if kind == foresight.NEARER else m
            if kind in GROUPS:
                group[0], members = first, 1
                _remove(boxes, first)
            if kind in GROUPS or kind == foresight.JOIN:
                members = _take(boxes, group, members, found[:m])
            place = step[found[0] if kind == foresight.NEARER else 0]
        if place == foresight.UNKNOWN:
            break
    return written


def _answer(
    boxes: Boxes,
    heap: list[tuple[float, int]],
    group: Array,
    step: Array,
    first: int,
    left: float,
    roots: Array,
    point: Array,
    margin: float,
    squares: Array,
    found: Array,
) -> tuple[bool, float]:
    """Write the points that answer a step, or its outcome.

    Return whether the answer is clear, and the square with which the nearest point was found.
    `first` is the earlier answer at which the question begins, `left` the square with which that
    was found.
    """
    kind, m = step[KIND], step[M]
    if kind in GROUPS or kind == foresight.CLOSE:
        return _near(boxes, point, margin, squares[:m], found[:m]), squares[0]
    if kind == foresight.NEARER:
        _nearest(boxes, point, margin, squares[:m], found[:m])
        one, other = roots[0] * np.sqrt(left), roots[1] * np.sqrt(squares[m - 1])
        found[0] = int(one < other)
        return abs(one - other) > margin * (roots[0] + roots[1]), 0.0
    if kind == foresight.ANY:
        found[0], best, second = _nearest_to_any(boxes, group, margin)
        return second > _more(best, margin), best
    if kind == foresight.JOIN:
        found[0] = first
        return True, 0.0
    pair = kind == foresight.PAIR
    far = _farthest_pair(boxes, heap, margin) if pair else _farthest(boxes, point, margin, -1.0)
    found[0], best, second = far
    return second < _less(best, margin), 0.0


def _apart(
    boxes: Boxes, step: Array, answers: Array, margin: float, squares: Array, found: Array
) -> bool:
    """Return True if two groups are the same in either order."""
    if step[KIND] != foresight.EITHER:
        return True
    m, other = step[M], boxes.place[answers[step[ORIGIN + 1]]]
    near = found[m : 2 * m]
    apart = _near(boxes, boxes.rows[other, :-1], margin, squares[m : 2 * m], near)
    for site in found[:m]:
        apart = apart and not (near == site).any()
    return apart


def _take(boxes: Boxes, group: Array, members: int, sites: Array) -> int:
    """Move points to a group; return how many members it has."""
    for site in sites:
        group[members] = site
        members += 1
        _remove(boxes, site)
    return members


def _nearest_to_any(boxes: Boxes, group: Array, margin: float) -> tuple[int, float, float]:
    """Find the point nearest to any of some that have left.

    The least square and the next one are returned too.
    """
    found, square = np.empty(1, np.int32), np.empty(1)
    site, best, second = foresight.NOTHING, inf, inf
    for member in group:
        row = boxes.rows[boxes.place[member], :-1]
        _, following = _nearest(boxes, row, margin, square, found)
        if found[0] == site:
            best, second = min(best, square[0]), min(second, following)
        elif square[0] < best:
            site, best, second = found[0], square[0], min(second, best, following)
        else:
            second = min(second, square[0])
    return site, best, second


def _farthest_pair(
    boxes: Boxes, heap: list[tuple[float, int]], margin: float
) -> tuple[int, float, float]:
    """Find the lower end of the most distant pair.

    The greatest square is returned too, and that of a third record. The heap has the reach of
    sites, negative, which falls where one is looked at. All are looked at that can be an end.
    """
    best, looked = 0.0, heap[:0]
    while heap and -heap[0][0] >= best - 2 * margin:
        site = heappop(heap)[1]
        if boxes.there[site] != GONE:
            least = min(ENOUGH * best, max(best - margin, 0.0))
            row = boxes.rows[boxes.place[site], :-1]
            _, square, _ = _farthest(boxes, row, margin, least * least)
            boxes.reach[site] = np.sqrt(max(square, least * least))
            best = max(best, boxes.reach[site])
            looked.append((-boxes.reach[site], site))
    for one in looked:
        heappush(heap, one)
    looked.sort()
    third = looked[2][0] if len(looked) > 2 else 0.0
    return min([site for _, site in looked[:2]]), best * best, third * third


def _origin(boxes: Boxes, origin: int, answers: Array, fixed: Array, point: Array) -> None:
    """Write the coordinates of the origin of a question."""
    for j in range(point.size):
        if origin == foresight.AVERAGE:
            point[j] = (boxes.sums[j, 0] + boxes.sums[j, 1]) / boxes.count[0]
        elif origin == foresight.FIXED:
            point[j] = fixed[j]
        else:
            point[j] = boxes.rows[boxes.place[answers[origin]], j]


def _hide(boxes: Boxes, step: Array, answers: Array, before: int, after: int) -> None:
    """Hide points and the origin of a group, or show them again."""
    for column in range(ORIGIN if step[KIND] in GROUPS else ORIGIN + 1, step.size):
        if step[column] != foresight.NOTHING and boxes.there[answers[step[column]]] == before:
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


def _close(boxes: Boxes, targets: Array, relative: float, most: Array) -> tuple[Array, Array]:
    """Find the sites about as near to each target as its nearest.

    How many there are for each is returned too.
    """
    found, have = np.empty(2 * len(targets), np.int32), 0
    counts, squares, two = np.empty(len(targets), np.int32), np.full(2, inf), np.empty(2, np.int32)
    for i in range(len(targets)):
        _nearest(boxes, targets[i], 0.0, squares, two)
        high, near = np.sqrt(squares[0]) * (1 + relative) + most[i], two[:1]
        if np.sqrt(squares[1]) <= high:
            near = boxes.sites[_between(boxes, targets[i], -1.0, high * high)]
        counts[i] = near.size
        if have + near.size > found.size:
            found = np.append(found, np.empty(found.size + near.size, np.int32))
        found[have : have + near.size] = near
        have += near.size
    return found[:have], counts


def compiled(function: Any, **options: Any) -> Any:
    """Compile a function.

    Later processes use the same compiled code if a folder for it can be written.
    """
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # none can, as for an account without a home
        return numba.njit(**options)(function)


inlined = partial(compiled, inline="always")
"""A call would count references to each array of the tree."""

in_any_order = partial(compiled, fastmath={"reassoc", "contract"})
"""Sums of squares may be added in any order, and rounded less often."""

_square, _nearest_corner = map(in_any_order, (_square, _nearest_corner))
_farthest_corner = in_any_order(_farthest_corner)
_add, _tighten, _remove, _take = map(inlined, (_add, _tighten, _remove, _take))
_origin, _hide, _near = map(inlined, (_origin, _hide, _near))
_apart, _answer = map(inlined, (_apart, _answer))
_bound, _planted, _less, _more = map(compiled, (_bound, _planted, _less, _more))
_farthest, _nearest, _insert, _between = map(compiled, (_farthest, _nearest, _insert, _between))
_nearest_to_any, _farthest_pair = map(compiled, (_nearest_to_any, _farthest_pair))
_foresee, _close = map(compiled, (_foresee, _close))


class Compiled:
    """The points of some sites."""

    def __init__(self, sites: Sequence[Site], columns: Iterable[Coordinates]) -> None:
        own = np.fromiter(sites, np.int32, len(sites))
        self._plant(np.column_stack((coordinates_of(columns).T, own)), own)
        p = self._boxes.centre.size
        self._error = (16 + p) * UNIT * sqrt(p)
        """Times 1 + the greatest coordinate of a point: how wrong distances from it can be."""

    def _plant(self, rows: Array, sites: Array) -> None:
        """Plant points; squared distances from the middle go into the last column."""
        centre = rows[:, :-1].mean(axis=0)
        rows[:, -1] = ((rows[:, :-1] - centre) ** 2).sum(axis=1)
        self._boxes = Boxes(centre, *_planted(rows, sites, int(sites.max()) + 1))

    def _renew(self) -> None:
        """Build the tree again when a quarter of the points is left."""
        boxes = self._boxes
        if 0 < WORN * boxes.count[0] < boxes.sites.size:
            places = np.flatnonzero(boxes.there[boxes.sites])
            rows, sites = boxes.rows[places], boxes.sites[places]
            del boxes, self._boxes  # their memory is that of the next ones
            self._plant(rows, sites)

    def remove(self, sites: Collection[Site]) -> None:
        """Take out some sites."""
        gone = np.fromiter(sites, np.int32, len(sites))
        _take(self._boxes, gone.copy(), 0, gone)
        self._renew()

    def farthest(self, query: Query, hidden: Set[Site]) -> list[Site]:
        """Return the sites at about the greatest distance."""
        point, margin = np.array(query.point), self._margin(query)
        self._mark(hidden, HIDDEN)
        site, best, second = _farthest(self._boxes, point, margin, -1.0)
        if query.shrink == 1 and second < _less(best, margin):
            sites = [site]
        else:
            low = query.low(sqrt(best)) - margin if best >= 0 else -1.0
            pairs = self._estimated(query, point, low * low if low > 0 else -1.0, inf)
            sites = farthest_of(pairs, query)
        self._mark(hidden, THERE)
        return sites

    def nearest(self, m: int, query: Query, hidden: Set[Site]) -> Found:
        """Return the sites at about the m least distances.

        All sites are returned if there are no more than m.
        """
        point, margin = np.array(query.point), self._margin(query)
        squares, found = np.empty(m), np.empty(m, np.int32)
        self._mark(hidden, HIDDEN)
        have, _ = _nearest(self._boxes, point, margin, squares, found)
        high = inf if have < m else query.high(sqrt(squares[m - 1])) + margin
        some = self._estimated(query, point, -1.0, high * high)
        self._mark(hidden, THERE)
        return nearest_of(some, m, query)

    def surely_nearest(self, m: int, query: Query, hidden: Set[Site]) -> list[Site] | None:
        """Return the m nearest sites, if no other is about as near."""
        point, margin = np.array(query.point), self._margin(query)
        squares, found = np.empty(m), np.empty(m, np.int32)
        self._mark(hidden, HIDDEN)
        clear = _near(self._boxes, point, margin, squares, found)
        self._mark(hidden, THERE)
        sites: list[Site] = found.tolist()
        return sites if clear else None

    def close(self, targets: Array, relative: float, most: Array) -> list[list[int]]:
        """Return the sites about as near to each target as its nearest.

        Distances are granted a relative and an absolute error; the latter for each target.
        """
        found, counts = _close(self._boxes, targets, relative, most)
        sites, ends = found.tolist(), np.cumsum(counts).tolist()
        return [sites[first:end] for first, end in pairwise([0, *ends])]

    def foresee(
        self, steps: Steps, roots: Sequence[float], fixed: Point | None, most: int
    ) -> tuple[list[int], int]:
        """Answer the steps of the next iterations until one is open.

        At most `most` iterations are answered. The number of points that have left is returned too.
        """
        self._renew()
        before = int(self._boxes.count[0])
        own = np.array(steps, np.int64)
        there = 6.01 * self._error  # 3 (1 + M) times, as the greatest coordinate M is about 1
        far = 3 * self._error * (1 + max(map(abs, fixed))) if fixed else there
        out = np.empty(ROOM, np.int32)
        point = np.array(fixed or (0.0,))
        arrays = own, np.array(roots), point, np.array((there, far))
        known = getattr(_foresee, "signatures", True)
        told, NOW.purpose = NOW.purpose, NOW.purpose if known else COMPILING
        written = _foresee(self._boxes, *arrays, most, out)
        NOW.purpose = told
        return out[:written].tolist(), before - int(self._boxes.count[0])

    def _margin(self, query: Query) -> float:
        margin: float = query.slack + 3 * self._error * (1 + max(map(abs, query.point)))
        return margin

    def _mark(self, sites: Set[Site], state: int) -> None:
        for site in sites:
            self._boxes.there[site] = state

    def _estimated(self, query: Query, point: Array, low: float, high: float) -> Found:
        """Return the sites whose squared distances are within limits.

        Their distances that count are returned too.
        """
        places = _between(self._boxes, point, low, high)
        return estimated(
            query, self._boxes.sites[places].tolist(), self._boxes.rows[places, :-1].tolist()
        )
