"""Method: how a release is made, as one value.

It is a Grouping and a Publishing, complete and checked. One method serves tables of any kinds; what
it cannot do with a table is reported before any work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from refagg.catalogue import algorithm_of
from refagg.data.aggregate import operator
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, ShapeMismatch
from refagg.language.lists import listed
from refagg.language.number_texts import positive
from refagg.language.specification import Specification, parameter_text
from refagg.options import fields
from refagg.options.checking import grouping_of, unmet_by_grouping, unmet_of
from refagg.options.grouping import Grouping
from refagg.options.publishing import Publishing
from refagg.options.readers import exact
from refagg.release.aggregates import DEFAULTS, Aggregates, operators_of
from refagg.release.edits import constraints_of

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import MethodOptions

OPTIONS = fields.options_of(Grouping, Publishing, without=("algorithm", "k", "similarity"))
"""The keywords of `method_of`."""


@dataclass(frozen=True, repr=False)
class Method(Grouping, Publishing):
    """The forming of groups, and the values released for them."""

    def __repr__(self) -> str:
        return f"<Method {self.specification.name}, k = {self.k}>"

    def operators(self) -> Aggregates:
        """Return this method's aggregates. Raises InvalidParameter if it publishes other values."""
        if self.specification.publish:
            name = self.specification.name
            raise InvalidParameter(f"{name} publishes values that are not aggregates of a group")
        numbers = operator(self.aggregate, self.trim)
        own = "weighted mean" if self.sampling_weights else self.aggregate
        names = {"numeric": own, **self.aggregates}
        return Aggregates(numbers, names, self.dissimilarity, self.sampling_weights)

    def publishing(self) -> Callable[..., Sequence[Fraction]] | None:
        """Return the function that publishes values instead of aggregates.

        It takes values and groups.
        """
        publish = self.specification.publish
        return partial(publish, **self.parameters) if publish else None

    def check_weights(self, n: int) -> None:
        """Raise ShapeMismatch for sampling weights of other than n records."""
        if self.sampling_weights and len(self.sampling_weights) != n:
            weights = len(self.sampling_weights)
            raise ShapeMismatch(f"there are {weights} sampling weights for {n} records")

    def check(self, table: Table) -> None:
        """Raise what speaks against this method where not all attributes are numbers.

        UnsupportedArithmetic, NoCentroid, InvalidParameter; and what `check_weights` raises.
        """
        self.check_weights(table.n)
        self.check_kinds(table)
        fields.refuse(vars(self), OPTIONS, self.unmet_by_table(table))


@fields.keywords(OPTIONS, progress=False)
def method_of(
    algorithm: str | Specification | Callable[..., object] = "mdav",
    k: int = 3,
    **options: Unpack[MethodOptions],
) -> Method:
    """A checked method.

    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter, UnsupportedArithmetic, InvalidK,
    InvalidConstraintText, InconsistentConstraints.

    Options
    -------
    OPTIONS
    """
    given = fields.given_options(options, OPTIONS, "method_of")
    spec = algorithm_of(algorithm)
    kinds = operators_of(given["aggregates"]) if given["aggregates"] else dict(DEFAULTS)
    numeric, other = kinds.pop("numeric", given["aggregate"]), given["aggregate"]
    if other not in ("mean", numeric):
        raise InvalidParameter(f"numbers are aggregated by {other} and by {numeric}; give one")
    given["aggregate"] = numeric
    if given["constraints"] != ():
        given["constraints"] = constraints_of(given["constraints"])
    grouping = grouping_of(spec, k, given)
    fields.refuse(given, OPTIONS, _unmet_by_publishing(given) | unmet_by_grouping(spec, given))
    if given["trim"] is not None:
        given["trim"] = exact(given["trim"], "trim")
    operator(given["aggregate"], given["trim"])
    publishing = {name: given[name] for name in fields.options_of(Publishing)}
    publishing |= {"aggregates": kinds, "sampling_weights": None}
    method = Method(**grouping, **publishing)
    weights = given["sampling_weights"]
    return method if weights is None else with_sampling(method, weights)


def method_facts(method: Method) -> dict[str, object]:
    """Return the options of a method for a report.

    Kinds, weights and constraints have reports of their own. What is not a number or a name is
    written as text.
    """
    elsewhere = ("algorithm", "trace", "dissimilarity", "weights", "aggregates", "constraints")
    reported = fields.options_of(Grouping, Publishing, without=(*elsewhere, "similarity"))
    facts = {name: _plain(getattr(method, name)) for name in reported if name != "sampling_weights"}
    return facts | {name: facts.pop(name) for name in ("ties", "seed")}


def _plain(value: object) -> object:
    """Return the value of an option for JSON."""
    if isinstance(value, dict):
        return {name: parameter_text(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return list(map(str, value))
    return str(value) if isinstance(value, Fraction) else value


def with_sampling(method: Method, weights: object) -> Method:
    """The method whose means are weighted. Raises InvalidParameter."""
    unmet = _unmet_by_publishing(vars(method)) | unmet_of(method.specification)
    fields.refuse({"sampling_weights": (weights,)}, OPTIONS, unmet)
    given = enumerate(listed(weights, "sampling weights are", "give one a record"))
    exact = tuple(positive(x, f"the sampling weight of record {record}") for record, x in given)
    return replace(method, sampling_weights=exact)


def _unmet_by_publishing(given: Mapping[str, object]) -> dict[str, str]:
    """Return what is not there for options, each with the reason."""
    unmet, aggregate = {}, given["aggregate"]
    if aggregate != "trimmed-mean":
        unmet[fields.TRIMMED] = f"the aggregate is {aggregate}"
    if aggregate != "mean":
        unmet[fields.MEANS] = f"the aggregate is {aggregate}"
    if given["significant_digits"] is not None:
        unmet[fields.UNROUNDED] = f"significant digits is {given['significant_digits']}"
    if given["constraints"]:
        unmet[fields.UNMOVED] = "means are moved to meet constraints"
    return unmet
