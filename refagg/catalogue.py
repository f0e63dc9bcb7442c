"""The catalogue: every algorithm of the library, by name.

The command line, the documentation, the property tests and the judges take their
lists of algorithms from here.
"""

from __future__ import annotations

from refagg.algorithms.centres import k_means, k_means_split, k_modes, random_seed
from refagg.algorithms.fuzzy import microaggregation
from refagg.algorithms.hierarchical import hac, k_ward, kshc, secure_k_ward
from refagg.algorithms.mdav_family import (
    iv_mdav,
    md,
    mdav,
    mdav_2k,
    mdav_argus,
    mdav_single,
    tfrp,
    v_mdav,
)
from refagg.algorithms.noise import gaussian_noise
from refagg.algorithms.search import genetic, local_search, macrogroups
from refagg.algorithms.sorting import blocks_in_file_order, individual_ranking, projection
from refagg.algorithms.trees import hansen_mukherjee, mhm, mu_approx
from refagg.errors import UnknownAlgorithm
from refagg.language.specification import Specification

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
        local_search.SPECIFICATION,
        kshc.SPECIFICATION,
        hansen_mukherjee.SPECIFICATION,
        mhm.SPECIFICATION,
        mu_approx.SPECIFICATION,
        k_ward.SPECIFICATION,
        k_ward.UNIVARIATE,
        secure_k_ward.SPECIFICATION,
        projection.SPECIFICATION,
        individual_ranking.SPECIFICATION,
        blocks_in_file_order.SPECIFICATION,
        tfrp.SPECIFICATION_1,
        tfrp.SPECIFICATION_2,
        k_means_split.SPECIFICATION,
        k_means.SPECIFICATION,
        k_means.SPECIFICATION_SPREAD,
        random_seed.SPECIFICATION,
        hac.SPECIFICATION,
        genetic.SPECIFICATION,
        *macrogroups.SPECIFICATIONS,
        gaussian_noise.SPECIFICATION,
        k_modes.SPECIFICATION,
        microaggregation.SPECIFICATION,
    )
}


def specification(name: str) -> Specification:
    """The algorithm of this name. Raises UnknownAlgorithm."""
    if not isinstance(name, str) or name not in CATALOGUE:
        raise UnknownAlgorithm(f"there is no algorithm {name!r}; there are {', '.join(CATALOGUE)}")
    return CATALOGUE[name]
