"""The command lines whose output on the shipped data is recorded, by topic.

A topic is a list of lines that are run in order, in one folder that holds `datasets/` and what
the lines before have written. Files that a line needs stand in FILES.
"""

from __future__ import annotations

import json

from refagg.catalogue import CATALOGUE

FILES = {
    "mixed.csv": "age,job,degree\n1,p,none\n9,p,first\n39,p,first\n100,q,second\n101,q,none\n"
    "38,q,first\n8,p,none\n99,q,second\n40,p,first\n",
    "strata.csv": "region,x,y\nn,1,10\ns,12,30\nn,2,11\ns,11,31\nn,3,12\ns,10,35\nn,7,7\ns,8,9\n",
    "series.csv": "t0,t1,t2,t4\n1,2,3,5\n2,3,4,6\n9,7,5,1\n8,6,4,0\n1,1,1,1\n2,2,2,3\n5,1,5,1\n",
    "missing.csv": "x,y\n1,2\n,3\n4,5\n",
    "gaps.csv": "x,y\n1,2\n,3\n4,5\n,7\n2,8\n6,1\n",
    "ragged.csv": "x,y\n1,2\n3\n4,5\n",
    "text.csv": "x,y\n1,2\n3,red\n4,5\n",
    "twice.csv": "x,x\n1,2\n3,4\n",
    "wrong.csv": "x1,x2\n" + "1,2\n" * 11,
    "groups.json": json.dumps([[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10]]),
    "equations.txt": "net + tax + insurance = gross\n",
    "my_program.py": "from refagg import microaggregate\n\n\ndef mdav(rows, k):\n"
    "    return microaggregate(rows, k, standardise='none').partition.labels()\n",
    "one_group.py": "def labels(rows, k):\n    return [0] * len(rows)\n",
}
"""Files that are not shipped, for a release by attributes of all kinds, and for bad input."""

FIRMS, NINE, TOR = (
    "datasets/eleven-firms.csv",
    "datasets/nine-records.csv",
    "datasets/tor-table1.csv",
)
PAY, ROUTES = "datasets/pay-slips.csv", "datasets/routes-sixty.csv"
MIXED = "mixed.csv --kind age=numeric --kind job=nominal --kind 'degree=ordinal:none<first<second'"

APART = "--missing group-apart"

ORACLE_COMMANDS = ["audit", "optimum", "verify", "conform", "vectors", "hunt"]
ONE_COLUMN = {"hansen-mukherjee", "k-ward-univariate", "secure-k-ward"}
QUICK = dict.fromkeys(("genetic", "one-step", "two-step"), " --param iterations=30")


def _algorithm(name: str) -> list[str]:
    """An algorithm described, run on shipped data, and its releases audited."""
    spec = CATALOGUE[name]
    seed = " --seed 1" if spec.random else ""
    options = QUICK.get(name, "")
    options += "".join(f" --param {one}={x}" for one, x in spec.first_attributes().items())
    inputs = [FIRMS, NINE, TOR]
    if name in ONE_COLUMN:
        inputs = ["datasets/hm-seven.csv", "datasets/kward-fourteen.csv"]
    ks = [2, 3] if spec.takes_k else [1]
    lines = [f"refagg algorithms {name}"]
    for number, source in enumerate(inputs):
        for k in ks:
            out = f"{name}-{number}-{k}"
            asked = f"-k {k} --algorithm {name}{seed}{options}"
            lines.append(f"refagg mask {source} {asked} -o {out}.csv --json {out}.json")
            lines.append(f"oracle audit {source} {out}.csv {asked} --json {out}-audit.json")
    asked = f"-k {ks[0]} --algorithm {name}{seed}{options} --standardise none"
    lines.append(f"refagg mask {inputs[0]} {asked} --trace -o raw.csv")
    lines.append(f"refagg mask {inputs[0]} {asked} --arithmetic float -o float.csv")
    lines.append(f"oracle audit {inputs[0]} float.csv {asked}")
    return lines


TOPICS: dict[str, list[str]] = {
    **{f"algorithm-{name}": _algorithm(name) for name in CATALOGUE},
    "catalogue": ["refagg algorithms", "refagg algorithms --json", "refagg datasets"],
    "help": [
        "refagg --help",
        *(
            f"refagg {c} --help"
            for c in ["algorithms", "mask", "compare", "measure", "datasets", "reproduce"]
        ),
        "oracle --help",
        *(f"oracle {c} --help" for c in ORACLE_COMMANDS),
    ],
    "options": [
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --decimals 2 -o decimals.csv",
        f"oracle audit {FIRMS} decimals.csv -k 3 --algorithm mdav,mdav-single",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --ties highest -o highest.csv",
        f"refagg mask {NINE} --algorithm mdav -k 2 --ties random --seed 4 -o random.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --aggregate median -o median.csv",
        f"oracle audit {FIRMS} median.csv -k 3 --algorithm mdav --aggregate median",
        f"refagg mask {FIRMS} --algorithm mdav -k 4 --aggregate trimmed-mean --trim 1/4 -o t.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --standardise sample -o sample.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --significant-digits 6 -o digits.csv",
        f"refagg mask {FIRMS} --algorithm v-mdav -k 3 --param gamma=1.1 -o v.csv --trace",
        f"refagg mask {TOR} --algorithm mdav -k 2 --columns v1,v2 --confidential v3 -o c.csv",
        f"oracle audit {TOR} c.csv -k 2 --algorithm mdav --columns v1,v2 --confidential v3",
        f"oracle audit {FIRMS} highest.csv -k 3 --partition groups.json",
        f"oracle audit {FIRMS} wrong.csv -k 3 --algorithm mdav",
        f"oracle audit {FIRMS} highest.csv -k 4 --algorithm mdav",
    ],
    "blocks-and-strata": [
        f"refagg mask {TOR} --algorithm mdav -k 3 --blocks 'v1,v2;v3' -o b.csv --json b.json",
        f"oracle audit {TOR} b.csv -k 3 --algorithm mdav --blocks 'v1,v2;v3' --json b2.json",
        f"refagg mask {TOR} --algorithm individual-ranking -k 3 --blocks 'v1;v2;v3' -o i.csv",
        f"oracle audit {TOR} i.csv -k 3 --algorithm individual-ranking --blocks 'v1;v2;v3'",
        f"oracle audit {TOR} i.csv -k 3 --algorithm individual-ranking",
        "refagg mask strata.csv --algorithm mdav -k 2 --strata region -o s.csv --json s.json",
        "oracle audit strata.csv s.csv -k 2 --algorithm mdav --strata region",
        "oracle audit strata.csv s.csv -k 2 --algorithm mdav --confidential region",
    ],
    "series": [
        "refagg mask series.csv --algorithm mdav -k 3 --series sts --times 0,1,2,4 -o s.csv",
        "oracle audit series.csv s.csv --algorithm mdav -k 3 --series sts --times 0,1,2,4",
        "refagg mask series.csv --algorithm mdav -k 3 --series euclidean -o e.csv",
        "oracle audit series.csv e.csv --algorithm mdav -k 3 --series euclidean",
    ],
    "constraints": [
        f"refagg mask {PAY} --algorithm mdav -k 3 --constraint 'net + tax + insurance = gross' "
        "-o one.csv --json one.json",
        f"oracle audit {PAY} one.csv -k 3 --algorithm mdav "
        "--constraint 'net + tax + insurance = gross'",
        f"oracle audit {PAY} one.csv -k 3 --algorithm mdav",
        f"refagg mask {PAY} --algorithm mdav -k 3 --decimals 2 --constraints-file equations.txt "
        "--constraint 'insurance = 0.09 * gross' -o two.csv",
        f"oracle audit {PAY} two.csv -k 3 --algorithm mdav --constraints-file equations.txt "
        "--constraint 'insurance = 0.09 * gross'",
        f"refagg mask {PAY} --algorithm fuzzy -k 3 --seed 1 --constraints-file equations.txt "
        "-o three.csv",
        f"oracle audit {PAY} three.csv --algorithm fuzzy -k 3 --seed 1 "
        "--constraints-file equations.txt",
        f"refagg measure {PAY} one.csv --constraints-file equations.txt",
    ],
    "kinds": [
        f"refagg mask {MIXED} --algorithm mdav -k 2 -o m.csv --json m.json --trace",
        f"oracle audit mixed.csv m.csv {MIXED.partition(' ')[2]} --algorithm mdav -k 2",
        f"refagg measure mixed.csv m.csv {MIXED.partition(' ')[2]}",
        f"refagg mask {MIXED} --algorithm k-modes -k 2 -o n.csv",
        f"refagg mask {MIXED} --algorithm kshc -k 3 --weight job=2 -o w.csv",
        f"oracle audit mixed.csv w.csv {MIXED.partition(' ')[2]} --weight job=2 "
        "--algorithm kshc -k 3",
        f"refagg mask {ROUTES} --confidential id --kind 'route=sequence:>' --algorithm kshc -k 3 "
        "-o r.csv --json r.json",
        f"oracle audit {ROUTES} r.csv --confidential id --kind 'route=sequence:>' "
        "--algorithm kshc -k 3",
        f"refagg mask {ROUTES} --confidential id --kind 'route=sequence:>' --algorithm kshc -k 3 "
        "--param linkage=average --dissimilarity levenshtein -o l.csv",
        f"refagg measure {ROUTES} r.csv --confidential id --kind 'route=sequence:>'",
    ],
    "dendrograms": [
        f"refagg mask {FIRMS} --algorithm {name} -k 3 -o {name}.csv --dendrogram {name}.txt"
        for name in ("hac", "k-ward", "mdav")
    ]
    + [
        f"refagg mask {ROUTES} --confidential id --kind 'route=sequence:>' --algorithm kshc -k 3 "
        "-o r.csv --dendrogram r.txt"
    ],
    "measure": [
        f"refagg mask {FIRMS} --algorithm mdav -k 3 -o m.csv",
        f"refagg measure {FIRMS} m.csv --json m.json",
        f"refagg measure {FIRMS} wrong.csv --all-risks",
    ],
    "compare": [
        f"refagg compare {FIRMS} -k 3 --arithmetic exact --quiet "
        "--algorithm mdav,md,v-mdav:gamma=1/5,hac,k-ward --sort loss --csv c.csv",
    ],
    "optimum": [
        f"oracle optimum {FIRMS} -k 3 --quiet --certificate proof.json --json best.json",
        f"oracle verify proof.json {FIRMS}",
        f"oracle verify proof.json {NINE}",
        *(f"oracle optimum {NINE} -k 2 --method {m} --quiet" for m in ("exhaustive", "subsets")),
        f"oracle optimum {NINE} -k 2 --method ilp --solver cbc --quiet",
        "oracle optimum datasets/hm-seven.csv -k 2 --method univariate --quiet",
        f"oracle optimum {FIRMS} -k 3 --together 0-1 --apart 2-3,4-5 --quiet",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 -o m.csv",
        f"oracle audit {FIRMS} m.csv -k 3 --certificate proof.json",
        f"refagg compare {FIRMS} -k 3 --quiet --arithmetic exact --algorithm mdav "
        "--reference best.json --json c.json",
    ],
    "vectors": [
        "oracle vectors list",
        "oracle vectors list --algorithm mdav",
        "oracle conform --algorithm mdav --python my_program:mdav",
    ],
    "json": [
        "refagg mask gaps.csv --algorithm mdav -k 2 --missing drop -o drop.csv --json mask.json",
        "refagg measure gaps.csv drop.csv --missing drop --json measure.json",
        f"refagg mask gaps.csv {APART} -k 2 --algorithm mdav --trace -o ma.csv --json ma.json",
        f"refagg measure gaps.csv ma.csv {APART} --json measure-parts.json",
        f"refagg compare gaps.csv {APART} -k 2 --algorithm mdav,hac --quiet --json cp.json",
        f"oracle audit gaps.csv ma.csv {APART} -k 2 --algorithm mdav --json audit-parts.json",
        f"oracle optimum gaps.csv {APART} -k 2 --quiet --json optimum-parts.json",
        f"oracle optimum {NINE} -k 2 --objective absolute --quiet --json deviation.json",
        f"oracle optimum {NINE} -k 2 --quiet --state state.json --json optimum.json",
        f"refagg mask {NINE} --algorithm mdav -k 2 -o m.csv",
        f"refagg measure {NINE} m.csv --measures all --all-risks --json measure-all.json",
        f"oracle audit {NINE} m.csv m.csv -k 2 --algorithm mdav --json audits.json",
        f"oracle identify {NINE} m.csv -k 2 --algorithm mdav,md --json identify.json",
        "oracle conform --algorithm mdav --python my_program:mdav --case mdav-501-nominal "
        "--case mdav-007-n-equals-3k-plus-1 --json conform.json",
        "oracle conform --algorithm hac --python one_group:labels --case hac-003-n-equals-2k "
        "--case hac-001-n-equals-k --json wrong.json",
        "oracle hunt --algorithm mdav --python one_group:labels --max-questions 31 --quiet "
        "--json hunt.json --save findings.json",
        "oracle vectors export cases --algorithm mdav --flag offset",
        "refagg reproduce DFSS08 --json rows.json",
    ],
    "errors": [
        f"refagg mask {FIRMS} --algorithm mdva -k 3 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 0 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 12 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -o o.csv",
        f"refagg mask {FIRMS} --algorithm v-mdav -k 3 --param gama=1 -o o.csv",
        f"refagg mask {FIRMS} --algorithm v-mdav -k 3 --param gamma=x -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --seed 1 -o o.csv",
        f"refagg mask {FIRMS} --algorithm genetic -k 3 -o o.csv",
        f"refagg mask {FIRMS} --algorithm hansen-mukherjee -k 3 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --columns x9 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 --decimals -1 -o o.csv",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 -o {FIRMS}",
        f"refagg mask {FIRMS} --algorithm mdav -k 3 -o nowhere/o.csv",
        *(
            f"refagg mask {name}.csv --algorithm mdav -k 2 -o o.csv"
            for name in ("missing", "ragged", "text", "twice", "none")
        ),
        "refagg mask mixed.csv --kind age=int --algorithm mdav -k 2 -o o.csv",
        "refagg mask mixed.csv --kind age=numeric --algorithm mdav -k 2 -o o.csv",
        f"oracle audit {FIRMS}",
        f"oracle audit {FIRMS} {NINE} -k 3",
        f"oracle audit {FIRMS} {FIRMS} -k 3 --tolerance 2",
        f"oracle optimum {FIRMS} -k 12 --quiet",
        f"oracle verify groups.json {FIRMS}",
        "oracle conform --algorithm mdav --python nowhere:nothing",
    ],
}
