"""`refagg.fuzzy_c_means` and `refagg.fuzzy`: centres and memberships, in the units of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from refagg.algorithms.fuzzy.c_means import FuzzyRun, drawn_records
from refagg.algorithms.fuzzy.c_means import fuzzy_c_means as alternated
from refagg.algorithms.fuzzy.memberships import MembershipFunction, membership_function
from refagg.algorithms.fuzzy.microaggregation import SPECIFICATION, FuzzyGroups
from refagg.algorithms.fuzzy.publishing import coordinate_projection
from refagg.constraints.checking import violations
from refagg.constraints.equations import Constraint
from refagg.constraints.system import System, system_of
from refagg.cursors.rows import told_centres, values_at
from refagg.data.foreign import framed, named_rows, settled
from refagg.data.moments import plain_number
from refagg.data.standardise import standardise as scaled_table
from refagg.data.tables import Table, table_of, with_numbers
from refagg.errors import BeyondFloats, InvalidParameter, ShapeMismatch
from refagg.language.choices import Choices
from refagg.language.event import Event
from refagg.language.random_stream import NOTHING_TO_DRAW, stream_of
from refagg.language.space import Coordinates
from refagg.linear_algebra.matrices import root
from refagg.notebook import Overview, Tabulated, bars, lines
from refagg.options.checking import grouping_of
from refagg.options.fields import given_options, keywords, only, options_of
from refagg.options.grouping import Grouping
from refagg.release.edits import check_edits, constraints_of
from refagg.release.trace import player_of, trace_of
from refagg.spaces.binary64 import FloatSpace

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import FuzzyOptions

FUZZINESS = 2.0
"""The m of FCM where none is given."""

CLUSTERING = replace(
    SPECIFICATION,
    name="fuzzy-c-means",
    title="fuzzy c-means",
    run=alternated,  # type: ignore[arg-type]  # its text is what is asked for
    ties=(),
    random=False,
)
"""Step 1 of fuzzy microaggregation alone, for the steps of a run and their player."""


@dataclass(frozen=True, slots=True, repr=False)
class FuzzyClustering(Tabulated):
    """The end of a run of fuzzy c-means, with its steps.

    They tell how the run got there.
    """

    centres: Any
    """A row for each centre and a column for each attribute, as the table was given."""
    memberships: Any
    """A row for each record and a column for each centre; each row adds to 1."""
    objectives: tuple[float, ...]
    """J at the start and after each iteration, in squared units of the scale of distances."""
    iterations: int
    converged: bool
    violations: Mapping[str, float]
    """By constraint, the largest difference of its sides at a centre, in the caller's units."""
    trace: Sequence[Event] = ()
    """The steps of the run, if they were asked for; see `refagg.release.trace.Trace`."""
    run: FuzzyRun = field(compare=False, default=None)  # type: ignore[assignment]

    @property
    def assignment(self) -> tuple[int, ...]:
        """Return for each record the centre of its greatest membership.

        A centre is named by its number.
        """
        return tuple(row.index(max(row)) for row in self.run.memberships)

    def overview(self) -> Overview:
        """Return what notebooks show; the table has the objective after each iteration."""
        run, ended = self.run, "converged" if self.converged else "not converged"
        objectives = dict(enumerate(self.objectives))
        return Overview(
            f"FuzzyClustering: {len(run.centres)} centres of {len(run.memberships)} records, "
            f"{ended} after {self.iterations} iterations, "
            f"J = {self.objectives[-1]:.6g}{_met(self)}",
            lambda: {"iteration": list(objectives), "objective": list(self.objectives)},
            lines({"J": objectives}, "iteration", "objective"),
        )


@dataclass(frozen=True, slots=True, repr=False)
class FuzzyMicroaggregation(Tabulated):
    """Released centres, to which records were drawn by their memberships."""

    k: int
    centres: Any
    """A row for each centre and a column for each attribute, as the table was given."""
    memberships: Any
    """A row for each record: its probabilities of being drawn to each of the centres."""
    assignment: tuple[int, ...]
    """For each record the number of the centre that is released for it."""
    groups: tuple[tuple[int, ...], ...]
    """The records of each centre; some have none."""
    expected_sizes: tuple[float, ...]
    """Of the groups, before anything is drawn."""
    smaller: tuple[float, float]
    """The probability that some group has fewer than k records is at least, and at most, this."""
    guarantee: str
    """What was done about groups that are too small, in words."""
    iterations: int
    converged: bool
    violations: Mapping[str, float]
    """By constraint, the largest difference of its sides at a centre, in the caller's units."""
    trace: Sequence[Event] = ()
    """The steps of the run, if they were asked for."""

    def overview(self) -> Overview:
        """Return the overview that notebooks show.

        Its table has the size of each centre's group.
        """
        ended = "converged" if self.converged else "not converged"
        sizes = [len(group) for group in self.groups if group]
        drawn = list(map(len, self.groups))
        columns = {"centre": range(len(drawn)), "size": drawn, "expected size": self.expected_sizes}
        return Overview(
            f"FuzzyMicroaggregation, k = {self.k}: {len(self.assignment)} records drawn to "
            f"{len(sizes)} of {len(self.groups)} centres, groups of {min(sizes)} to {max(sizes)}, "
            f"expected {min(self.expected_sizes):.4g} to {max(self.expected_sizes):.4g}, "
            f"{ended} after {self.iterations} iterations{_met(self)}",
            lambda: columns,
            bars(dict(enumerate(drawn)), "records of each centre"),
        )


def _met(made: FuzzyClustering | FuzzyMicroaggregation) -> str:
    worst = max(made.violations.values(), default=0.0)
    return f", constraints met up to {worst:.3g}" if made.violations else ""


def drawn_to_centres(
    rows: object, table: Table, grouping: Grouping, constraints: Sequence[Constraint | str] = ()
) -> FuzzyMicroaggregation:
    """Run an algorithm that yields centres on a table.

    The result has the form of the rows from which the table was made. Raises what reading
    constraints raises, and InconsistentConstraints, UnknownColumn.
    """
    grouping.check_kinds(table)
    equations = constraints_of(constraints)
    check_edits(equations, [table.names], table)
    space, choices = grouping.space(grouping.grouping(table)), grouping.new_choices()
    system = system_of(equations, table.names) if equations else None
    bound = {"project": coordinate_projection(space, system)} if system else {}
    made: FuzzyGroups = grouping.run(space, choices, **bound)
    ended = _in_units(table, space, made.centres, system)
    like = {} if isinstance(rows, Table) else rows
    return FuzzyMicroaggregation(
        k=made.k,
        centres=framed(like, _shown(ended)),
        memberships=framed(like, _by_centre(made.probabilities), records=True),
        assignment=tuple(made.assignment),
        groups=tuple(map(tuple, made.groups)),
        expected_sizes=tuple(made.sizes.expected),
        smaller=made.sizes.bounds,
        guarantee=made.did,
        iterations=made.clustering.iterations,
        converged=made.clustering.converged,
        violations=_violations(ended, equations),
        trace=tuple(choices.trace or ()),
    )


OPTIONS = only(options_of(Grouping), "trace")


@keywords(OPTIONS)
def fuzzy_c_means(
    rows: object,
    c: SupportsIndex | None = None,
    *,
    centres: object = None,
    kind: str = "fcm",
    m: float | None = None,
    lam: float | None = None,
    constraints: Sequence[Constraint | str] = (),
    seed: int | None = None,
    standardise: str = "population",
    limit: int = 1000,
    tolerance: float = 1e-9,
    **options: Unpack[FuzzyOptions],
) -> FuzzyClustering:
    """Cluster a table by fuzzy c-means, possibly under linear constraints.

    The kind is plain, with entropy, or crisp. Memberships u_ki of record k in centre i, and centres
    v_i, are computed in turn:

        u_ki ~ d_ki^(-2/(m-1))  (fcm),  or exp(-lam d_ki^2)  (efcm),  or 1 for the nearest  (crisp)
        v_i = sum_k u_ki^m x_k / sum_k u_ki^m,  moved to the nearest point that meets A v = b.

    Parameters
    ----------
    rows : a table of n records and p attributes that are numbers: rows, an array, or a frame
    c : the number of centres, which start at different records drawn with the `seed`
    centres : where the centres start instead: a table of c rows, in the units of `rows`
    kind, m, lam : "fcm" with m > 1 (default 2), "efcm" with lam > 0 (default 1), or "crisp"
    constraints : equations such as "net + tax = gross", which every centre meets
    standardise : distances are of values divided by their "population" or "sample" standard
        deviation or by nothing, "none"; m, lam and J are on that scale
    limit, tolerance : the run ends when no coordinate of a centre moves by more than this share of
        the widest range of an attribute, or after so many iterations
    OPTIONS

    Returns
    -------
    FuzzyClustering : `centres` and `memberships` (a frame for a frame, otherwise lists), in the
        caller's units and names, `objectives`, `iterations`, `converged`, `violations`

    Raises
    ------
    InvalidParameter, ShapeMismatch, InconsistentConstraints, UnknownColumn, and what reading a
    table raises; see `refagg.errors`.

    Source: V. Torra 2020, J. of Intelligent & Fuzzy Systems 39, Propositions 4 and 6.

    >>> import refagg
    >>> slips = {"net": [6, 7, 30, 31], "tax": [2, 2, 9, 9], "gross": [8, 9, 39, 41]}
    >>> start = {"net": [6, 30], "tax": [2, 9], "gross": [8, 39]}
    >>> made = refagg.fuzzy_c_means(slips, centres=start, kind="crisp",
    ...     constraints=["net + tax = gross"], standardise="none")
    >>> [round(x, 3) for x in made.centres["gross"]], made.converged
    ([8.5, 39.833], True)
    """
    trace = given_options(options, OPTIONS, "fuzzy_c_means")["trace"]
    rows = settled(rows)
    table = table_of(rows)
    space = FloatSpace(scaled_table(table, standardise))
    equations = constraints_of(constraints)
    system = system_of(equations, table.names) if equations else None
    project = coordinate_projection(space, system) if system else None
    stream = NOTHING_TO_DRAW if seed is None else stream_of(seed)
    choices = Choices(stream=stream, trace=[] if trace else None)
    start = _start(table, space, c, centres, choices)
    m = FUZZINESS if kind == "fcm" and m is None else m
    lam = 1.0 if kind == "efcm" and lam is None else lam
    membership = membership_function(kind, m, lam)
    run = alternated(
        space.rows,
        start,
        membership=membership,
        project=project,
        as_given=centres is not None,
        limit=limit,
        tolerance=tolerance,
        watch=told_centres(space, choices, membership.objective),
    )
    like = {} if isinstance(rows, Table) else rows
    ended = _in_units(table, space, run.centres, system)
    return FuzzyClustering(
        centres=framed(like, _shown(ended)),
        memberships=framed(like, _by_centre(run.memberships), records=True),
        objectives=tuple(run.objectives),
        iterations=run.iterations,
        converged=run.converged,
        violations=_violations(ended, equations),
        trace=_played(table, standardise, membership, equations, choices.trace or ()),
        run=run,
    )


def _played(
    table: Table,
    standardise: str,
    u: MembershipFunction,
    equations: Sequence[Constraint],
    events: Sequence[Event],
) -> Sequence[Event]:
    """Return the steps of a run with their player.

    They are empty if no steps were kept.
    """
    if not events:
        return ()
    efcm = u.kind == "efcm"
    settings = {"kind": "efcm", "lambda1": u.parameter} if efcm else {"m1": u.parameter}
    given = {"parameters": settings, "standardise": standardise}
    grouping = Grouping(**grouping_of(CLUSTERING, 1, given))
    return trace_of(CLUSTERING, events, partial(player_of, grouping, table, equations, events, ()))


def _start(
    table: Table, space: FloatSpace, c: SupportsIndex | None, centres: object, choices: Choices
) -> list[list[float]]:
    """Return the coordinates at which centres start. Raises InvalidParameter, ShapeMismatch."""
    if (c is None) == (centres is None):
        raise InvalidParameter("give the number of centres, c, or the centres to start from")
    if c is not None:
        if choices.stream is NOTHING_TO_DRAW:
            raise InvalidParameter("the first centres are drawn: give a seed, or centres=")
        drawn = drawn_records(space.rows, index(c), choices.stream)
        choices.drew("first centres", drawn, space.n)
        return [list(space.rows[record]) for record in drawn]
    if choices.stream is not NOTHING_TO_DRAW:
        raise InvalidParameter("a seed draws the first centres, but centres are given")
    centres = settled(centres)
    given, named = table_of(centres), isinstance(centres, Table) or named_rows(centres)[0]
    if not named and len(given.names) == len(table.names):
        pairs = zip(table.names, given.columns, strict=True)
        given = Table(tuple(replace(column, name=name) for name, column in pairs))
    if len(given.names) != len(table.names) or set(given.names) - set(table.names):
        raise ShapeMismatch(
            f"the centres have the attributes {', '.join(given.names)}; "
            f"the table has {', '.join(table.names)}"
        )
    given, roots = given.select(table.names), list(map(root, space.weights))
    return [
        [
            float((x - at) * scale)
            for x, at, scale in zip(given.row(number), space.origin, roots, strict=True)
        ]
        for number in range(given.n)
    ]


def _in_units(
    table: Table, space: Coordinates, at: Sequence[Sequence[float]], system: System | None
) -> Table:
    """Return the values at some coordinates, as floats.

    They are projected onto constraints if there are any. Raises BeyondFloats.
    """
    exactly = system.projector(space.weights) if system else tuple
    try:
        values = [list(map(float, exactly(v))) for v in values_at(at, space.origin, space.weights)]
    except OverflowError:
        raise BeyondFloats("a centre is beyond binary64; measure in other units") from None
    return with_numbers(table, (map(Fraction, x) for x in zip(*values, strict=True)))


def _violations(at: Table, equations: Sequence[Constraint]) -> dict[str, float]:
    return {v.constraint.text: float(v.largest) for v in violations(at, equations)}


def _by_centre(memberships: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    return {f"centre {i}": list(u) for i, u in enumerate(zip(*memberships, strict=True))}


def _shown(table: Table) -> dict[str, list[Any]]:
    """Return numbers as floats; dates and datetimes are Python's."""
    return {
        c.name: [plain_number(value, c.kind) for value in c.values(range(table.n))]
        for c in table.columns
    }
