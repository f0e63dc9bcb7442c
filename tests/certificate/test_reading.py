"""What is read of files that are not trusted, at its limits."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracle.certificate import kernel
from oracle.certificate.kernel import (
    Certificate,
    Rejected,
    certificate_of,
    data_digest,
    read_content,
    read_rows,
)
from tests.certificate.test_certificate import Json, by_cuts, by_tree, sealed


def saved(folder: Path, content: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


def read(data: Json) -> Certificate:
    return certificate_of(json.dumps(sealed(data)), "here")


def why(data: Json) -> str:
    """Why a certificate is not read, although it is sealed."""
    with pytest.raises(Rejected) as rejected:
        read(data)
    return str(rejected.value)


# Bytes


def test_a_file_of_as_many_bytes_as_there_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "MOST_PACKED", 10)
    assert read_content(saved(tmp_path, b"0123456789")) == "0123456789"
    with pytest.raises(Rejected, match="more than 10 bytes, which is the limit"):
        read_content(saved(tmp_path, b"0123456789a"))


def test_a_packed_file_of_as_many_bytes_as_there_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = gzip.compress(b"a" * 1000)
    path = saved(tmp_path, packed)
    monkeypatch.setattr(kernel, "MOST_PACKED", len(packed))
    assert read_content(path) == "a" * 1000
    monkeypatch.setattr(kernel, "MOST_PACKED", len(packed) - 1)
    with pytest.raises(Rejected, match=f"more than {len(packed) - 1} bytes"):
        read_content(path)


@pytest.mark.parametrize(("more", "allowed"), [(0, True), (-1, False)])
def test_a_file_unpacks_to_so_many_times_its_bytes_and_some(
    more: int, allowed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = gzip.compress(b"a" * 1000)
    monkeypatch.setattr(kernel, "MOST_TIMES", 1)
    monkeypatch.setattr(kernel, "ALLOWED", 1000 - len(packed) + more)
    path = saved(tmp_path, packed)
    if allowed:
        assert read_content(path) == "a" * 1000
    else:
        with pytest.raises(Rejected, match="more than 999 bytes, which is the limit"):
            read_content(path)


def test_a_file_unpacks_to_no_more_than_the_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "MOST_BYTES", 999)
    with pytest.raises(Rejected, match="more than 999 bytes"):
        read_content(saved(tmp_path, gzip.compress(b"a" * 1000)))


@pytest.mark.parametrize("content", [b"\xff", gzip.compress(b"abc", mtime=0)[:-9], b"\x1f\x8b\x08"])
def test_bytes_that_are_no_text(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="cannot be unpacked, or is not UTF-8"):
        read_content(saved(tmp_path, content))


# Tables


def test_a_cell_that_no_reader_of_csv_takes(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="cannot be read: field larger than"):
        read_rows(saved(tmp_path, b"a\n" + b"1" * 131_073), ["a"])


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12345", 12345),
        (" -1.5 ", Fraction(-3, 2)),
        ("1e005", 10**5),
        ("1e-9", Fraction(1, 10**9)),
        ("1e999", 10**999),
        ("123456", None),
        ("1e1000", None),
        ("1e-1000", None),
        ("1e0001", None),
        ("1/2", None),
        ("", None),
    ],
)
def test_numbers_have_so_many_digits(
    cell: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "MOST_DIGITS", 5)
    path = saved(tmp_path, f"a,b\n{cell},0\n".encode())
    if value is not None:
        assert read_rows(path, ["a"]) == ((value,),)
    else:
        with pytest.raises(Rejected, match="record 0, 'a': expected a number, found"):
            read_rows(path, ["a"])


def test_the_greatest_value_can_be_written(tmp_path: Path) -> None:
    """Python writes integers of at most 4300 digits."""
    text = "9" * (kernel.MOST_DIGITS - 4) + "e999"
    assert data_digest(["a"], read_rows(saved(tmp_path, f"a\n{text}".encode()), ["a"]))


# Certificates


def test_a_seal_is_of_its_certificate() -> None:
    data = sealed(by_cuts())
    with pytest.raises(Rejected, match="seal: something was changed"):
        certificate_of(json.dumps({**data, "bound": "3"}), "here")


def test_as_many_objects_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate, its proof, and the duals of that."""
    monkeypatch.setattr(kernel, "MOST_OBJECTS", 3)
    assert read(by_cuts()).k == 2
    monkeypatch.setattr(kernel, "MOST_OBJECTS", 2)
    assert why(by_cuts()) == "here: over the limit of 2 objects"


def test_integers_of_as_many_digits_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MOST_DIGITS", 5)
    assert read({**by_cuts(), "parts": 12345}).parts == 12345
    told = why({**by_cuts(), "parts": 123456})
    assert told == "certificate.parts: expected int, found b'over the limit of 5 digits'"


def test_nodes_as_deep_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """The leaves of the tree are two nodes deep."""
    monkeypatch.setattr(kernel, "DEEPEST", 2)
    read(by_tree())
    monkeypatch.setattr(kernel, "DEEPEST", 1)
    assert "certificate.proof.together.together: expected a node" in why(by_tree())


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("attributes", [3], "certificate.attributes[0]: expected str, found 3"),
        ("attributes", [3, 4], "certificate.attributes[0]: expected str, found 3"),
        ("cuts", [[1, 2, 3]], "certificate.cuts[0][0]: expected list, found 1"),
        ("together", [["0", "1"]], "certificate.together[0][0]: expected int, found '0'"),
        ("partition", [["0", "1"]], "certificate.partition[0][0]: expected int, found '0'"),
    ],
)
def test_lists_are_of_what_they_should_be(key: str, value: Any, told: str) -> None:
    assert told in why({**by_cuts(), key: value}).replace("list[int]", "list")
