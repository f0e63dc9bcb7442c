"""Python programs of GitHub, from checkouts in the folder FIELD_CHECKOUTS.

The environment variable FIELD_CHECKOUTS names the folder.

FIELD_CHECKOUTS=~/checkouts oracle conform --algorithm mondrian \
    --python oracle.conformance.adapters.checkouts:andrew0133_strict

A checkout is in OWNER/NAME below that folder. Only what forms groups is called; what the programs
read, print, draw and write is left out, and so is a main program that starts when it is imported.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache, partial
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, SimpleNamespace
from typing import Any

from oracle.conformance.adapters.pandas_frames import groups_of_index, pandas_frame_of
from oracle.conformance.adapters.tables import check_table
from oracle.conformance.field.table import CHECKOUTS, checkouts
from refagg.errors import MissingExtra

Rows = Sequence[Sequence[float]]
Groups = list[list[int]]


def folder_of(repository: str, *parts: str) -> Path:
    """Return the folder of a checkout.

    Raises MissingExtra if it is not there.
    """
    folder = Path(checkouts(), repository, *parts)
    if not folder.is_dir():
        raise MissingExtra(f"{CHECKOUTS} names no folder that holds {repository} of GitHub")
    return folder


@cache
def module_of(repository: str, name: str, *parts: str) -> Any:
    """Import a module of a checkout.

    Its neighbours keep their names only meanwhile.
    """
    folder, inner = str(folder_of(repository)), str(folder_of(repository, *parts))
    before = set(sys.modules)
    sys.path[:0] = [inner, folder]
    try:
        with silent():
            return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(f"{repository} needs {error.name}: pip install {error.name}") from None
    finally:
        del sys.path[:2]
        for new in set(sys.modules) - before:
            if str(getattr(sys.modules[new], "__file__", "")).startswith(folder):
                del sys.modules[new]


DEFINED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


@cache
def definitions_of(repository: str, file: str) -> Any:
    """Return what a script defines, without its main program."""
    path = folder_of(repository) / file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    values = (ast.List, ast.Constant)
    tree.body = [
        node
        for node in tree.body
        if isinstance(node, DEFINED)
        or (isinstance(node, ast.Assign) and isinstance(node.value, values))
    ]
    module = ModuleType(path.stem)
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module


@contextmanager
def silent() -> Iterator[None]:
    """Suppress what programs print as they work.

    It is no part of an answer.
    """
    with redirect_stdout(StringIO()):
        yield


# MDAV


def mdav_ka(records: Rows, k: int, leftovers: str = "last-group") -> Any:
    """Group the rows by daoquangtung2411/MDAV-kA.

    Its table needs the columns Sex and ZIP.
    """
    if leftovers != "last-group":
        return {"unsupported": f"leftovers={leftovers}; they join the last group"}
    program = module_of("daoquangtung2411/MDAV-kA", "MDAV_kA")
    frame = pandas_frame_of(records)
    names = list(frame)
    with silent():
        made = program.anonymized_dataset(frame.assign(Sex="F", ZIP="00000"), k, names)
    return groups_of_index(made.groupby("cluster_id").groups.values())


def maio(records: Rows, k: int, standardise: str = "none") -> Any:
    """Group the rows by Domi-nik15/MAIO_Assignment2."""
    program = module_of("Domi-nik15/MAIO_Assignment2", "mdav_prg")
    frame = pandas_frame_of(records)
    names, scale = list(frame), None if standardise == "none" else "zscore"
    with TemporaryDirectory() as folder, silent():
        made = program.MDAV(frame.assign(ID=frame.index), names, [], k, scale, folder)
        made.output_iteration_csv = made.output_final_files = lambda: None
        made.run()
    return groups_of_index(filter(None, made.cluster_members.values()))


def mdav_assigment(records: Rows, k: int, standardise: str = "none") -> Any:
    """Group the rows by lucafynn/MDAV_assigment, which always standardises."""
    if standardise == "none":
        return {"unsupported": "it always standardises"}
    program = module_of("lucafynn/MDAV_assigment", "MDAVGeneric")
    frame = pandas_frame_of(records)
    return groups_of_index(program.MDAVGeneric(k, list(frame)).partition(frame))


# Mondrian


def andrew0133(records: Rows, k: int) -> Groups:
    """Group the rows by Andrew0133/Mondrian-k-anonimity."""
    program = module_of("Andrew0133/Mondrian-k-anonimity", "classes.mondrian")
    frame = pandas_frame_of(records)
    data = SimpleNamespace(data=frame, decoding_dict={})
    made = program.Mondrian(k, data, list(frame))
    made.anonymize(frame)
    return groups_of_index(part.index for part in made.partitions)


def jackrdavies5(records: Rows, k: int) -> Any:
    """Group the rows by jackrdavies5/mondrian_k-anonymity, strictly."""
    return _jackrdavies5(records, k, "mondrianStrict")


def jackrdavies5_relaxed(records: Rows, k: int, cut: str) -> object:
    """Group the rows by jackrdavies5/mondrian_k-anonymity, with relaxed cuts."""
    if cut != "relaxed":
        return {"unsupported": f"cut={cut}; this is relaxed"}
    return _jackrdavies5(records, k, "mondrianRelaxed")


def _jackrdavies5(records: Rows, k: int, name: str) -> Any:
    program = definitions_of("jackrdavies5/mondrian_k-anonymity", "anonymise.py")
    width = check_table(records)
    rows = [(*map(plain_float, row), str(number)) for number, row in enumerate(records)]
    program.K, program.QIDS, program.PARTITIONS = k, list(range(width)), []
    getattr(program, name)(rows, program.QIDS)
    parts = [part for part in program.PARTITIONS if part]
    if not parts:
        return {"refused": "cannot be anonymised for this k"}
    return [[int(row[-1]) for row in part] for part in parts]


def plain_float(value: float) -> str:
    """Return a number as a CSV file has it: 7, not 7.0."""
    return str(int(value)) if value.is_integer() else repr(value)


def mosaicrown(records: Rows, k: int) -> Any:
    """Group the rows by mosaicrown/mondrian (local), with its score norm_span."""
    program = module_of("mosaicrown/mondrian", "mondrian", "local")
    frame = pandas_frame_of(records)
    spans = {name: frame[name].max() - frame[name].min() for name in frame}
    score = partial(program.score.norm_span, total_spans=spans, categoricals_with_order={})
    try:
        valid = program.validation.get_validation_function(k, None)
    except AttributeError as error:
        return {"refused": str(error)}
    with silent():
        parts = program.mondrian.partition_dataframe(frame, list(frame), [], score, valid)
    return groups_of_index(parts)


def erfanghorbanee(records: Rows, k: int) -> Groups:
    """Group the rows by erfanghorbanee/Mondrian-Multidimensional-K-Anonymity."""
    name = "erfanghorbanee/Mondrian-Multidimensional-K-Anonymity"
    program = definitions_of(name, "mondrian.py")
    frame = pandas_frame_of(records)
    parts: list[Any] = []

    def kept(part: Any, _: Any) -> Any:
        parts.append(part.index)
        return part

    program.generalize = kept
    program.anonymize(frame, k, program.normalize_data(frame))
    return groups_of_index(parts)


def qiyuangong(records: Rows, k: int) -> Groups:
    """Group the rows by qiyuangong/Mondrian, cut strictly."""
    return _of_qiyuangong("qiyuangong/Mondrian", "mondrian", records, k, relax=False)


def qiyuangong_relaxed(records: Rows, k: int, cut: str) -> object:
    """Group the rows by qiyuangong/Mondrian, which shares out records with the median."""
    if cut != "relaxed":
        return {"unsupported": f"cut={cut}; this is relaxed"}
    return _of_qiyuangong("qiyuangong/Mondrian", "mondrian", records, k, relax=True)


def kaylode(records: Rows, k: int) -> Groups:
    """Group the rows by kaylode/k-anonymity, its classic Mondrian, cut strictly."""
    module = "algorithms.mondrian.mondrian"
    return _of_qiyuangong("kaylode/k-anonymity", module, records, k, relax=False)


def _of_qiyuangong(repository: str, module: str, records: Rows, k: int, *, relax: bool) -> Groups:
    """Group the rows by a program with global variables.

    To this program the last value of a row is none.
    """
    check_table(records)
    program = module_of(repository, module)
    program.pdb = SimpleNamespace(set_trace=_stopped)
    rows = [[*map(float, row), number] for number, row in enumerate(records)]
    program.mondrian(rows, k, relax)
    return [[int(row[-1]) for row in part.member] for part in program.RESULT]


def _stopped() -> None:
    """Raise RuntimeError instead of starting the debugger.

    The program would start its debugger and wait for input.
    """
    raise RuntimeError("it stops in its debugger")


def alessandrocaroti(records: Rows, k: int, cut: str) -> Any:
    """Group the rows by AlessandroCaroti/Mondrian, which shares out records with the median."""
    if cut != "relaxed":
        return {"unsupported": f"cut={cut}; this is relaxed"}
    repository = "AlessandroCaroti/Mondrian"
    program = module_of(repository, "mondrian", "Project")
    frame = pandas_frame_of(records)
    kinds = dict.fromkeys(frame, "NUMERICAL")
    part = module_of(repository, "Utility.partition", "Project").Partition
    whole = part(frame, kinds)
    whole.width = {name: whole.compute_width(name) for name in frame}
    whole.median = {name: whole.find_median(name) for name in frame}
    program.init(SimpleNamespace(width_list=dict(whole.width)), k)
    numbers = count()
    program.compute_phi = lambda one: dict.fromkeys(one.data.index, next(numbers))
    made = program.anonymize(whole)
    return [int(made[number]) for number in range(len(records))]
