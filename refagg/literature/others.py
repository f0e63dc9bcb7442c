"""Printed numbers of MDAV and V-MDAV in the other sources."""

from __future__ import annotations

from refagg.literature.claims import Claim

SIZES = (3, 4, 5, 10)
V_MDAV = tuple({"gamma": gamma, "test": "squared", "cap": "none"} for gamma in ("0.2", "1.1"))


def ala18() -> list[Claim]:
    """Alarte Aleixandre: SSE on sample z-scores. Table 5.3, and the 19 records of Table 5.1."""
    printed = "798.44 1051.28 1274.83 1985.65"
    rows = [
        Claim(
            "ALA18",
            f"Table 5.3, census, MDAV, k={k}",
            text,
            "census",
            "mdav-2k",
            k,
            standardise="sample",
        )
        for k, text in zip(SIZES, printed.split(), strict=True)
    ]
    toy = (
        ("sdcMicro's groups", "8.2036", "mdav", "", True),
        (
            "the thesis' own groups",
            "7.93",
            "mdav-2k",
            "no leftover rule gives the thesis' sizes and this number",
            False,
        ),
    )
    return rows + [
        Claim(
            "ALA18",
            f"Table 5.2, 19 records, {name}, k=4",
            text,
            "ala18-toy",
            algorithm,
            4,
            standardise="sample",
            doubt=doubt,
            reproducible=reproducible,
        )
        for name, text, algorithm, doubt, reproducible in toy
    ]


def smb06() -> list[Claim]:
    """Solanas and Martinez-Balleste: information loss on population z-scores, gamma 0.2 or 1.1."""
    printed = {
        "census": "5.69 7.52 8.98 14.07",
        "tarragona": "16.96 19.70 22.88 33.26",
        "eia": "0.53 0.75 1.30 2.82",
    }
    rows = [
        Claim(
            "SMB06",
            f"Table 1, {dataset}, V-MDAV, k={k}",
            text,
            dataset,
            "v-mdav",
            k,
            V_MDAV,
            measure="IL",
        )
        for dataset, row in printed.items()
        for k, text in zip(SIZES, row.split(), strict=True)
    ]
    example = Claim(
        "SMB06",
        "Example 1, 13 records, V-MDAV, k=3",
        "30.6082",
        "smb06-example1",
        "v-mdav",
        3,
        V_MDAV,
        standardise="none",
    )
    return [*rows, example]


def mbs() -> list[Claim]:
    """Martinez-Balleste et al.: SSE of MDAV on population z-scores, printed without decimals."""
    return [
        Claim("MBS+", f"Table 2, {dataset}, MDAV, k=3", text, dataset, "mdav-2k", 3)
        for dataset, text in (("census", "799"), ("eia", "217"))
    ]
