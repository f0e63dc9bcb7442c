"""The catalogue: every algorithm of the library, by name.

The command line, the documentation, the property tests and the judges take their
lists of algorithms from here.
"""

from __future__ import annotations

from refagg.algorithms import (
    gaussian_noise,
    genetic,
    iv_mdav,
    macrogroups,
    md,
    mdav,
    mdav_2k,
    mdav_argus,
    mdav_single,
    v_mdav,
)
from refagg.errors import UnknownAlgorithm
from refagg.specification import Specification

CATALOGUE: dict[str, Specification] = {
    specification.name: specification
    for specification in (
        mdav.SPECIFICATION,
        mdav_2k.SPECIFICATION,
        mdav_single.SPECIFICATION,
        mdav_argus.SPECIFICATION,
        v_mdav.SPECIFICATION,
        iv_mdav.SPECIFICATION,
        md.SPECIFICATION,
        genetic.SPECIFICATION,
        *macrogroups.SPECIFICATIONS,
        gaussian_noise.SPECIFICATION,
    )
}


def specification(name: str) -> Specification:
    """The algorithm of this name. Raises UnknownAlgorithm."""
    if not isinstance(name, str) or name not in CATALOGUE:
        raise UnknownAlgorithm(f"there is no algorithm {name!r}; there are {', '.join(CATALOGUE)}")
    return CATALOGUE[name]
