"""Numbers that are in no source: those of other programs, from which a reading was confirmed.

Releases of sdcMicro 5.8.1, which has the code of mu-Argus too, and prototypes of MDAV-1, of PPPCA,
and of algorithms whose sources could not be read. What sdcMicro groups as it is, is measured on
z-scores.
"""

from __future__ import annotations

from refagg.literature.claims import KS, Claim, Recipe

KEY = "PROGRAMS"
REFERENCE = (
    "no source: releases of sdcMicro 5.8.1 (github.com/sdcTools/sdcMicro) and of a prototype, "
    "measured"
)

PROTOTYPE = {
    ("Tarragona", "MDAV-1"): "16.932588 19.545786 22.461282 33.192358",
    ("Census", "MDAV-1"): "5.692186 7.494700 9.088435 14.155930",
    ("EIA", "MDAV-1"): "0.482939 0.671345 1.666657 3.839664",
    ("Tarragona", "MDAV-2"): "16.682614 19.013150 22.079654 33.179329",
    ("Census", "MDAV-2"): "5.656049 7.409645 9.012390 13.944118",
    ("EIA", "MDAV-2"): "0.41110 0.58738 0.94626 3.16086",
    ("Tarragona", "DBA-1"): "20.699488 23.827615 26.001298 35.392958",
    ("Census", "DBA-1"): "6.144855 9.127884 10.842187 15.785497",
    ("Tarragona", "DBA-2"): "16.152651 22.671077 25.450392 34.806751",
    ("Census", "DBA-2"): "5.581606 7.591308 9.046162 13.521405",
    ("Tarragona", "PPPCA"): "30.1701 34.7457 39.3984 46.8700",
    ("Census", "PPPCA"): "62.3305 68.3675 72.9406 81.5987",
    ("Tarragona", "MSTP"): "17.1431 20.9220 24.5741 38.8264",
    ("Census", "MSTP"): "6.5122 8.7773 10.6955 17.5776",
    ("Tarragona", "M-c"): "16.6850 19.6862 24.5033 38.4222",
    ("Census", "M-c"): "6.1390 8.2380 10.2881 17.1200",
    ("Tarragona", "CBFS"): "16.966068 19.730025 22.818496 33.215422",
    ("Census", "CBFS"): "5.653559 7.441419 8.884026 14.006564",
    ("Tarragona", "GSMS"): "16.609691 19.049504 21.947566 33.234206",
    ("Census", "GSMS"): "5.563597 7.253756 8.685640 13.548549",
    ("Tarragona", "GSMS-T2"): "16.363482 18.922693 21.720489 33.226915",
    ("Census", "GSMS-T2"): "5.527542 7.236194 8.583489 13.422804",
    ("Tarragona", "CBFS and second phase"): "16.724482 19.220822 22.150668 33.205931",
    ("Census", "CBFS and second phase"): "5.628820 7.418911 8.797040 13.870927",
}
"""The information loss in percent for k = 3, 4, 5, 10."""

SMALL = {
    ("eleven-firms", 3, "population"): {
        "MSTP": "8.682576",
        "CBFS": "7.698121",
        "MDAV-1": "7.698121",
        "DBA-1": "7.981422",
        "DBA-2": "7.981422",
        "GSMS": "7.484795",
    },
    ("smb06-example1", 3, "none"): {
        "DBA-1": "30.608233",
        "DBA-2": "30.608233",
        "MDAV-1": "218.219975",
        "MDAV-2": "30.608233",
        "GSMS": "218.219975",
        "GSMS-T2": "30.608233",
        "CBFS": "244.557217",
        "MSTP": "30.608233",
    },
    ("ala18-toy", 4, "sample"): {
        "DBA-1": "8.766524",
        "DBA-2": "8.766524",
        "MDAV-1": "8.215044",
        "MDAV-2": "8.215044",
        "GSMS": "8.559918",
        "GSMS-T2": "8.559918",
        "CBFS": "8.670348",
        "MSTP": "10.060033",
    },
}
"""The SSE of the prototype on tables that ship, with k and the standard deviation."""

MU_ARGUS = {
    ("Tarragona", "MDAV-argus"): "16.932588 19.545962 22.461891 33.192907",
    ("Census", "MDAV-argus"): "5.692186 7.505567 9.088435 14.223887",
    ("EIA", "MDAV-argus"): "0.482939 0.671345 1.666675 3.839670",
}
"""The same of its code in sdcMicro, `argus_microaggregation`."""

TIES = {("Tarragona", "MDAV-argus", 4): "highest"}
"""Where the code of mu-Argus takes another one of equally distant records: the first in its row."""

SDCMICRO = {
    ("Tarragona", "PPPCA"): "30.17011 46.86999",
    ("Census", "PPPCA"): "62.3305 81.59873",
    ("Tarragona", "PCA"): "23.88856 39.90755",
    ("Census", "PCA"): "26.7161 36.21642",
    ("Tarragona", "MCDPCA"): "31.80158 48.02915",
    ("Tarragona", "RMD"): "17.32414 34.85242",
}
"""The same for k = 3 and 10."""

NAMES = {"PCA": "projection", "CBFS and second phase": "second-phase"}
PARAMETERS = {"CBFS and second phase": (("start", "cbfs"),)}
AS_THEY_ARE = ("PPPCA", "MCDPCA")
DRAWN = ("MCDPCA", "RMD")
REASON = "it depends on what R's packages MASS and robustbase draw with the seed 1"


def _claim(program: str, dataset: str, algorithm: str, k: int, measured: str) -> Claim:
    drawn, raw = algorithm in DRAWN, algorithm in AS_THEY_ARE
    return Claim(
        KEY,
        f"{program}: {dataset}, k={k}, {algorithm}",
        measured,
        Recipe(
            dataset.lower(),
            NAMES.get(algorithm, algorithm.lower()),
            k,
            PARAMETERS.get(algorithm, ()),
            standardise="none" if raw else "population",
            seed=1 if drawn else None,
            ties=TIES.get((dataset, algorithm, k), "lowest"),
        ),
        measure="IL of z-scores" if raw else "IL",
        reason=REASON if drawn else "",
        reached=not drawn,
    )


CLAIMS = (
    *(
        _claim(program, dataset, algorithm, k, measured)
        for program, ks, losses in (
            ("prototype", KS, PROTOTYPE),
            ("mu-Argus in sdcMicro", KS, MU_ARGUS),
            ("sdcMicro", (3, 10), SDCMICRO),
        )
        for (dataset, algorithm), row in losses.items()
        for k, measured in zip(ks, row.split(), strict=True)
    ),
    *(
        Claim(
            KEY,
            f"prototype: {dataset}, k={k}, {algorithm}",
            measured,
            Recipe(dataset, algorithm.lower(), k, standardise=how),
        )
        for (dataset, k, how), row in SMALL.items()
        for algorithm, measured in row.items()
    ),
)
