"""Rawat and Borah, Table 1: SSE on population z-scores, printed with four decimals.

All three algorithms whose numbers can be reached need z-scores rounded to six significant
digits. The paper's MDAV is the loop with two groups while 2k records remain, a block of
leftovers going to the group with the nearest centroid.
"""

from __future__ import annotations

from collections.abc import Mapping

from refagg.literature.claims import Claim

SIZES = (3, 4, 5, 10)
PRINTED = {
    ("tarragona", "MDAV"): "1835.8318 2119.1678 2435.2796 3598.7743",
    ("tarragona", "MDAV-single"): "1839.4617 2139.1554 2473.9951 3601.2138",
    ("tarragona", "V-MDAV"): "1839.6440 2135.5903 2481.3201 3607.2572",
    ("tarragona", "IVMDAV"): "1839.4739 2139.1554 2473.9951 3601.2138",
    ("census", "MDAV"): "799.1827 1052.2557 1276.0162 1987.4925",
    ("census", "MDAV-single"): "793.7595 1044.7749 1247.3171 1966.5216",
    ("census", "V-MDAV"): "794.9373 1054.9675 1264.5801 1975.8520",
    ("census", "IVMDAV"): "791.2159 1039.4388 1246.1519 1965.0536",
    ("eia", "MDAV"): "217.3804 302.1859 750.1957 1728.3120",
    ("eia", "MDAV-single"): "215.1095 301.9676 783.0258 1580.8008",
    ("eia", "V-MDAV"): "229.2986 437.8020 588.0341 1264.4328",
    ("eia", "IVMDAV"): "184.1079 274.5894 412.3063 1286.3228",
}
V_MDAV = tuple(
    {"gamma": gamma, "test": "plain", "cap": cap}
    for gamma in ("0.2", "1.1")
    for cap in ("none", "2k-1")
)
READINGS: dict[str, tuple[str, tuple[Mapping[str, str], ...]]] = {
    "MDAV": ("mdav-2k", ({"leftovers": "block"},)),
    "MDAV-single": ("mdav-single", ({},)),
    "V-MDAV": ("v-mdav", V_MDAV),
    "IVMDAV": ("iv-mdav", ({"cap": "none"},)),
}


def claims() -> list[Claim]:
    """The 48 cells."""
    return [
        _claim(dataset, name, k, printed)
        for (dataset, name), row in PRINTED.items()
        for k, printed in zip(SIZES, row.split(), strict=True)
    ]


def _claim(dataset: str, name: str, k: int, printed: str) -> Claim:
    algorithm, readings = READINGS[name]
    unreached = name == "V-MDAV" and dataset != "census"
    return Claim(
        source="RB",
        place=f"Table 1, {dataset}, {name}, k={k}",
        printed=printed,
        dataset=dataset,
        algorithm=algorithm,
        k=k,
        readings=readings,
        significant_digits=6,
        doubt="no reading of V-MDAV is known that gives this number" if unreached else "",
        reproducible=not unreached,
    )
