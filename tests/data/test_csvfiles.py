from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refagg.data.csvfiles import (
    _decimals,
    check_outputs,
    decimal_text,
    read_header,
    read_sheet,
    read_table,
    whole_file,
    write_csv,
    write_json,
)
from refagg.data.tables import Table
from refagg.data.textfiles import Format
from refagg.errors import (
    InvalidParameter,
    MissingValue,
    NotANumber,
    NotFinite,
    OutputUnwritable,
    RaggedRow,
)
from tests.strategies import examples

Write = Callable[[str], Path]


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [table.row(record) for record in range(table.n)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "data.csv"
        path.write_bytes(text.encode("utf-8"))
        return path

    return written


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("-1.25e3", Fraction(-1250)),
        ("+5", Fraction(5)),
        (".5", Fraction(1, 2)),
        ("-.5", Fraction(-1, 2)),
        ("5.", Fraction(5)),
        ("007", Fraction(7)),
        ("0", Fraction(0)),
        ("-0.0", Fraction(0)),
        ("1E2", Fraction(100)),
        ("5.e-2", Fraction(1, 20)),
        ("12345678901234567890", Fraction(12345678901234567890)),
        ("0.1000000000000000055511151231257827", Fraction("0.1000000000000000055511151231257827")),
        ("1e400", Fraction(10**400)),
        ("1e-400", Fraction(1, 10**400)),
    ],
)
def test_numbers_are_exact(write: Write, cell: str, value: Fraction) -> None:
    assert read_table(write(f"x\n{cell}\n")).row(0) == (value,)
    # Beside a number that is no integer, and beside one that is.
    assert read_table(write(f"x\n0.25\n{cell}\n")).row(1) == (value,)
    assert read_table(write(f"x\n3\n{cell}\n")).row(1) == (value,)


@pytest.mark.parametrize(
    "cell",
    [
        "1_000", '"1,5"', "0x10", "\uff11", "٣", "1/3", "5e", "e5", "+", "-", "--5", "1 2", "1e2.5",
        "..5", "1.2.3", "five", "na", "1e99999", "0b1", "5j", "$5", "True",
    ],
)  # fmt: skip
def test_what_is_not_a_number_is_rejected(write: Write, cell: str) -> None:
    for others in ("1", "0.5"):
        with pytest.raises(NotANumber) as caught:
            read_table(write(f"a,x\n1,{others}\n1,{cell}\n"))
        message = str(caught.value)
        assert "line 3" in message
        assert "column 'x'" in message
        assert repr(cell.strip('"')) in message


@pytest.mark.parametrize("cell", ["inf", "-INF", "+Infinity"])
def test_what_is_not_finite_is_rejected(write: Write, cell: str) -> None:
    with pytest.raises(NotFinite, match=r"data\.csv, line 2, column 'x': .* not a finite number"):
        read_table(write(f"x\n{cell}\n"))


@pytest.mark.parametrize(
    "cell", ['""', '" "', "NA", "N/A", "<NA>", "NULL", "null", "None", ".", "?"]
)
def test_missing_cells_are_rejected(write: Write, cell: str) -> None:
    with pytest.raises(MissingValue, match=r"data\.csv, line 3, column 'x': .*missing.*missing="):
        read_table(write(f"x\n1\n{cell}\n"))


@pytest.mark.parametrize("cell", ["1" * 4301, "0." + "1" * 4301])
def test_very_long_numbers_are_rejected(write: Write, cell: str) -> None:
    with pytest.raises(NotANumber, match=f"a number of {len(cell)} characters; 1000 are allowed"):
        read_table(write(f"x\n{cell}\n"))


def test_a_byte_order_mark_is_no_part_of_the_first_name(write: Write) -> None:
    path = write("\ufeffa,b\n1,2\n")
    assert read_header(path) == ("a", "b")
    assert rows_of(read_table(path, ["a"])) == [(1,)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends(write: Write, end: str, last: str) -> None:
    path = write(f"a,b{end}1,2{end}3,4{end if last else ''}")
    assert rows_of(read_table(path)) == [(1, 2), (3, 4)]
    assert read_sheet(path).rows == [["1", "2"], ["3", "4"]]


def test_lines_in_messages_count_the_lines_inside_quotes(write: Write) -> None:
    path = write('note,x\n"one\ntwo",1\nthree,oops\n')
    assert read_sheet(path).column("note") == ["one\ntwo", "three"]
    with pytest.raises(NotANumber, match="line 4, column 'x': 'oops'"):
        read_table(path, ["x"])
    with pytest.raises(RaggedRow, match="line 4: 1 cells, but the header has 2 columns"):
        read_sheet(write('note,x\n"one\ntwo",1\nthree\n'))


def test_the_sheet_and_the_table_give_the_same_numbers(write: Write) -> None:
    path = write("name,x,y\nA,1.5,2\nB,-3,4e-1\n")
    assert read_sheet(path).numeric(["y", "x"]) == read_table(path, ["y", "x"])
    assert rows_of(read_table(path, ["y", "x"])) == [(2, Fraction(3, 2)), (Fraction(2, 5), -3)]


def test_another_delimiter(write: Write) -> None:
    table = read_table(write("a;b\n1;2.5\n"), how=Format(";"))
    assert rows_of(table) == [(1, Fraction(5, 2))]
    table = read_table(write("a\tb\n1\t2.5\n"), how=Format("\t"))
    assert rows_of(table) == [(1, Fraction(5, 2))]


@pytest.mark.parametrize("delimiter", ["", ";;"])
def test_a_delimiter_is_one_character(write: Write, delimiter: str) -> None:
    with pytest.raises(InvalidParameter, match="must be one character"):
        read_table(write("a,b\n1,2\n"), how=Format(delimiter))


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        ("a;b\n1;2\n", NotANumber, r"\(is ';' the delimiter=\?\)"),
        ("a;b\n1,5;2\n", RaggedRow, r"\(is ';' the delimiter=\?\)"),
        ("a\tb\n1\t2\n", NotANumber, r"\(is tab the delimiter=\?\)"),
        ("a\nx;y\n", NotANumber, "'x;y' is not a number$"),
        ("a;b,c\n1;2,3\n", NotANumber, "'1;2' is not a number$"),
    ],
)
def test_another_delimiter_is_asked_for(
    write: Write, text: str, error: type[Exception], hint: str
) -> None:
    with pytest.raises(error, match=hint):
        read_table(write(text))
    with pytest.raises(error, match=hint):
        read_sheet(write(text)).numeric(read_header(write(text)))


def test_an_empty_choice_of_columns_is_rejected(write: Write) -> None:
    with pytest.raises(Exception, match="no column"):
        read_table(write("a,b\n1,2\n"), [])


# Text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        ("5/2", 0, "2"),
        ("7/2", 0, "4"),
        ("-5/2", 0, "-2"),
        ("1/8", 2, "0.12"),
        ("3/8", 2, "0.38"),
        ("-1/8", 2, "-0.12"),
        ("1/3", 3, "0.333"),
        ("2/3", 3, "0.667"),
        ("3", 2, "3.00"),
        ("-1/1000", 2, "0.00"),
        ("1/16", None, "0.0625"),
        ("-1/16", None, "-0.0625"),
        ("3", None, "3"),
        ("-12", None, "-12"),
        ("1/3", None, "0.3333333333333333"),
        ("100000000000000000000000000001", None, "100000000000000000000000000001"),
        ("123456789012345/100", None, "1234567890123.45"),
        ("999999999999999/8", None, "124999999999999.88"),
        ("1234567890123457/1000000000000000", None, "1.234567890123457"),
        ("1/1000000000000000", None, "0.000000000000001"),
        ("1/10000000000000000", None, "1e-16"),
    ],
)
def test_decimal_text(value: str, decimals: int | None, text: str) -> None:
    assert decimal_text(Fraction(value), decimals) == text


@given(st.fractions(), st.integers(0, 8))
def test_rounding_is_half_to_even(value: Fraction, decimals: int) -> None:
    context = Context(prec=400, rounding=ROUND_HALF_EVEN)
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    # Half-way cases have short expansions, so that 400 digits decide every case.
    expected = quotient.quantize(Decimal(1).scaleb(-decimals), context=context)
    shown = decimal_text(value, decimals)
    assert Decimal(shown) == expected
    assert len(shown.partition(".")[2]) == decimals


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 15))
def test_decimals_of_fifteen_digits_round_trip(digits: int, places: int) -> None:
    value = Fraction(digits, 10**places)
    assert Fraction(decimal_text(value)) == value


@given(st.integers())
def test_integers_round_trip_at_any_size(value: int) -> None:
    assert decimal_text(Fraction(value)) == str(value)


@given(st.fractions(max_denominator=10**6))
def test_other_numbers_are_the_nearest_binary64(value: Fraction) -> None:
    assert float(decimal_text(value)) == float(value)


def test_a_quotient_beyond_all_floats_has_a_text() -> None:
    value = Fraction(10**400, 3)
    assert abs(Fraction(decimal_text(value)) / value - 1) < Fraction(1, 10**14)


def test_a_number_below_all_floats_is_not_zero() -> None:
    assert Fraction(decimal_text(Fraction(1, 10**400))) != 0


# Output


def test_a_whole_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with whole_file(path) as file:
        file.write("ä\n")
        assert not path.exists()
    assert path.read_bytes() == b"\xc3\xa4\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


class InterruptedHere(BaseException):
    pass


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, InterruptedHere])
@pytest.mark.parametrize("before", [None, "old"])
def test_an_exception_inside_leaves_nothing(
    tmp_path: Path, error: type[BaseException], before: str | None
) -> None:
    path = tmp_path / "out.txt"
    if before:
        path.write_text(before)
    with pytest.raises(error), whole_file(path) as file:  # noqa: PT012
        file.write("half")
        raise error
    assert [p.read_text() for p in tmp_path.iterdir()] == ([before] if before else [])


def test_failing_rows_and_data_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        write_csv(tmp_path / "out.csv", ["a"], ([str(1 // n)] for n in (1, 0)))
    with pytest.raises(TypeError):
        write_json(tmp_path / "out.json", {"a": object()})
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_unwritable_output(tmp_path: Path) -> None:
    with pytest.raises(OutputUnwritable, match=r"out\.txt cannot be written: No space"):  # noqa: SIM117
        with whole_file(tmp_path / "out.txt"):
            raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OutputUnwritable, match="out cannot be written"):
        write_csv(tmp_path / "out", ["a"], [["1"]])
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_csv(pipe, ["a"], [["1"]])
    assert os.read(reader, 99) == b"a\n1\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


def test_standard_output_goes_on_after_a_file_that_is_written_to_it(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("/dev/fd/1")
    words = f"write_csv(Path({str(link)!r}), ['a'], [['1']]); print('done')"
    code = f"from pathlib import Path; from refagg.data.csvfiles import write_csv; {words}"
    with open(tmp_path / "out.txt", "w") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out.txt").read_text() == "a\n1\ndone\n"


def test_a_folder_without_permission_is_noticed_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.csv"
    check_outputs([out], [])
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(OutputUnwritable, match=r"out\.csv cannot be written: no permission in"):
        check_outputs([out], [])
    check_outputs([Path("/dev/null")], [])


def test_a_link_stays_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "secret.csv", tmp_path / "link.csv"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_csv(link, ["a"], [["1"]])
    assert link.is_symlink()
    assert file.read_text() == "a\n1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_outputs_must_differ_from_inputs_and_from_each_other(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    check_outputs([one, None, two], [tmp_path / "three"])
    link = tmp_path / "link"
    link.symlink_to(one)
    around = tmp_path / ".." / tmp_path.name / "one"
    for outputs, inputs in (([one], [one]), ([one, one], []), ([link], [one]), ([around], [one])):
        with pytest.raises(OutputUnwritable, match="is an input or another output"):
            check_outputs(outputs, inputs)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"))


@given(rows=st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=4))
def test_text_survives_writing_and_reading(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    write_csv(path, ["a", "b"], rows)
    assert read_sheet(path).rows == rows


def test_a_carriage_return_in_a_cell_survives(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_csv(path, ["a", "b"], [["one\rtwo", "x"], ["one\r\ntwo", "y"]])
    assert read_sheet(path).rows == [["one\rtwo", "x"], ["one\r\ntwo", "y"]]


def test_json_is_utf8_with_a_last_newline(tmp_path: Path) -> None:
    write_json(tmp_path / "t.json", {"ä": [1, None]})
    text = (tmp_path / "t.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"ä": [1, None]}
    assert text.endswith("}\n")


@pytest.mark.parametrize(("first", "then"), [("3", "0.25"), ("0.25", "3"), ("0.5", "-0.125")])
def test_long_files_with_other_decimals_farther_down(write: Write, first: str, then: str) -> None:
    """Files are read in parts of 50 000 rows, each with the decimals that it needs."""
    rows = [first] * 50_000 + [then] * 2
    table = read_table(write("\n".join(["x", *rows, ""])))
    column = table.columns[0].values([0, 49_999, 50_000, 50_001])
    assert column == [Fraction(first)] * 2 + [Fraction(then)] * 2


@examples(20)
@given(
    st.lists(st.text(alphabet="+-.,0019", max_size=5), min_size=1, max_size=4),
    st.sampled_from(".,"),
)
def test_decimals_read_together_are_those_read_one_by_one(cells: list[str], decimal: str) -> None:
    """Cells that `Fraction` refuses are never read as numbers."""
    try:
        if decimal == "," and any("." in cell for cell in cells):
            raise ValueError
        expected = [Fraction(cell.replace(decimal, ".")) for cell in cells]
    except ValueError:
        assert _decimals("a", "".join(cells), cells, decimal) is None
    else:
        found = _decimals("a", "".join(cells), cells, decimal)
        assert found is not None
        assert found.values(range(len(cells))) == expected
