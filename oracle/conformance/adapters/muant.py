"""CrisesUrv/microaggregation-based_anonymization_tool (mu-ANT) of GitHub, a program in Java.

FIELD_CHECKOUTS=~/checkouts oracle conform --algorithm "any k-partition" \
    --python oracle.conformance.adapters.muant:released

Its compiled classes are in the folder `classes` of its checkout, and the libraries that it needs
in MUANT_LIBRARIES. It reads a CSV file and a configuration, and writes another CSV file.
"""

from __future__ import annotations

import csv
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from oracle.conformance.adapters.checkouts import folder_of, plain_float
from oracle.conformance.adapters.tables import check_table

ATTRIBUTE = '<attribute name="{}" attribute_type="quasi_identifier" data_type="{}"></attribute>'
PROTECTION = '<attribute_type type="{}" protection="{}"{}></attribute_type>'
KEPT = ("identifier", "confidential", "non_confidential")


def released(records: Sequence[Sequence[float]], k: int) -> Any:
    """Return the released rows."""
    names = [f"x{number + 1}" for number in range(check_table(records))]
    folder = folder_of("CrisesUrv/microaggregation-based_anonymization_tool", "classes")
    path = f"{folder}{os.pathsep}{os.environ.get('MUANT_LIBRARIES', '/usr/share/java/*')}"
    kinds = {
        name: "numeric_discrete"  # by the documentation: natural numbers
        if all(value >= 0 and value.is_integer() for value in column)
        else "numeric_continuous"
        for name, column in zip(names, zip(*records, strict=True), strict=True)
    }
    with TemporaryDirectory() as place:
        data, settings = Path(place, "data.csv"), Path(place, "settings.xml")
        with data.open("w", newline="") as file:
            csv.writer(file).writerows([names, *(map(plain_float, row) for row in records)])
        settings.write_text(_settings(kinds, k), encoding="utf-8")
        words = ["java", "-cp", path, "cat.urv.main.Main", str(data), str(settings)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, cwd=place)
        made = [one for one in Path(place).glob("*.csv") if one != data]
        if done.returncode or len(made) != 1:
            said = (done.stderr or done.stdout).strip().splitlines()
            return {"refused": said[0] if said else "it wrote no file"}
        rows = list(csv.reader(made[0].read_text(encoding="utf-8").splitlines()))
    return {"released": rows[1:]}


def _settings(kinds: Mapping[str, str], k: int) -> str:
    lines = ["<?xml version='1.0' encoding='utf-8'?>", "<schema><dataset>"]
    lines += [ATTRIBUTE.format(name, kind) for name, kind in kinds.items()]
    lines += ["</dataset><protection>"]
    lines += [PROTECTION.format("quasi_identifier", "k-anonymity", f' k="{k}"')]
    lines += [PROTECTION.format(kind, "not", "") for kind in KEPT]
    return "\n".join([*lines, "</protection></schema>"])
