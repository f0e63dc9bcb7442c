"""Dates and times as exact numbers, and back as they were written.

A date is its number of days after 1970-01-01, a datetime the number of seconds after midnight of
that day, in UTC where its cells have a time zone. Texts are ISO 8601 ("2020-01-31",
"2020-01-31 14:05", "2020-01-31T14:05:09.25+01:00") unless a pattern of `strptime` is declared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

from refagg.data.kinds import MISSING, Kind, is_missing
from refagg.errors import NotADate, missing_value
from refagg.language.number_texts import shortened

DAY, MINUTE = 86_400, 60
"""In seconds."""

FIRST = datetime(1970, 1, 1)

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""How many units of the types of libraries are a second."""

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?(Z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)
_FINEST = (("f", Fraction(1, 10**6)), ("STXcs", Fraction(1)), ("MR", Fraction(MINUTE)))
"""The directives of a pattern with the seconds to which they write."""


@dataclass(frozen=True, slots=True)
class Instant:
    """Seconds since the first moment.

    `aware` if they are of UTC, since a time zone is known.
    """

    seconds: Fraction
    aware: bool = False

    def __str__(self) -> str:
        finest = Style(digits=9, unit=Fraction(1, 10**9)).text(self.seconds)
        return finest.rstrip("0").removesuffix(".") + "Z" * self.aware


def numbers_of_moments(kind: Kind, cells: Sequence[tuple[object, str]]) -> list[Fraction]:
    """Return the numbers of dates or datetimes.

    Each cell is given with its place. Raises NotADate, MissingValue.

    >>> from refagg.data.kinds import kind_of
    >>> numbers_of_moments(kind_of("date:%d.%m.%Y"), [("03.01.1970", "record 0")])
    [Fraction(2, 1)]
    """
    known: dict[str, Instant] = {}
    found: list[Fraction] = []
    aware: bool | None = None
    for cell, where in cells:
        if isinstance(cell, str):
            instant = known.get(cell) or known.setdefault(cell, instant_of(cell, kind, where))
        else:
            instant = instant_of(cell, kind, where)
        if aware not in (None, instant.aware):
            raise NotADate(f"{where}: {cell} and the first cell: only one of both has a time zone")
        aware = instant.aware
        found.append(_number(instant, cell, kind, where))
    return found


def with_unit(kind: Kind, cells: Sequence[tuple[object, str]]) -> Kind:
    """Return the kind with the unit of its texts.

    The unit is the seconds to which they are written; a day if all are dates.
    """
    if texts := [cell for cell, _ in cells if isinstance(cell, str)]:
        return replace(kind, unit=style_of(kind, texts).unit)
    dates = cells and all(type(cell) is date for cell, _ in cells)
    return replace(kind, unit=Fraction(DAY)) if dates and kind.type == "datetime" else kind


def _number(instant: Instant, cell: object, kind: Kind, where: str) -> Fraction:
    if kind.type == "datetime":
        return instant.seconds
    if instant.aware or instant.seconds % DAY:
        what = "a time zone" if instant.aware else "a time of day"
        raise NotADate(f"{where}: {shortened(str(cell))} has {what}; declare the kind datetime")
    return instant.seconds / DAY


def instant_of(cell: Any, kind: Kind, where: str) -> Instant:
    """Return the instant of a date or datetime, text or value.

    Raises NotADate, MissingValue.
    """
    if isinstance(cell, Instant):
        return cell
    if isinstance(cell, str):
        return _of_text(cell, kind, where)
    if is_missing(cell):
        raise missing_value(where, cell)
    if isinstance(cell, datetime):
        return _of_datetime(cell)
    if isinstance(cell, date):
        return Instant(Fraction((cell.toordinal() - FIRST.toordinal()) * DAY))
    if unit := unit_in(str(getattr(cell, "dtype", ""))):
        return Instant(int(cell.astype("int64")) * unit)
    raise NotADate(f"{where}: {shortened(cell)} is no {kind.type}")


def unit_in(dtype: str) -> Fraction | None:
    """Return the seconds of a unit of NumPy's datetime64.

    None for any other type.
    """
    match = re.search(r"(?:datetime64|M8)\[(s|ms|us|ns|D|h|m)\b", dtype)
    if not match:
        return None
    longer = {"D": DAY, "h": 3600, "m": MINUTE}
    return Fraction(longer.get(match[1], 1), UNITS.get(match[1], 1))


def _of_text(cell: str, kind: Kind, where: str) -> Instant:
    text = cell.strip()
    if text in MISSING:
        raise missing_value(where, text)
    try:
        if kind.pattern:
            return _of_datetime(datetime.strptime(text, kind.pattern))
        if match := _ISO.fullmatch(text):
            whole, decimals = _iso_text(match), match[6] or "0"
            plain = _of_datetime(datetime.fromisoformat(whole))
            return Instant(
                plain.seconds + Fraction(int(decimals), 10 ** len(decimals)), plain.aware
            )
    except (ValueError, OverflowError):
        pass
    like = kind.pattern or ("2020-01-31" if kind.type == "date" else "2020-01-31 14:05")
    other = "" if kind.pattern else f"; where it is written otherwise, as {kind.type}:%d.%m.%Y"
    raise NotADate(f"{where}: {shortened(cell)} is no {kind.type} as {like}{other}")


def _iso_text(match: re.Match[str]) -> str:
    """The text without decimals of seconds, of which Python reads six only."""
    time = f" {match[3]}:{match[4]}:{match[5] or '00'}" if match[3] else " 00:00:00"
    return match[1] + time + (match[7] or "").replace("Z", "+00:00")


def _of_datetime(value: datetime) -> Instant:
    nanoseconds = getattr(value, "nanosecond", 0)  # of pandas
    offset = value.utcoffset()
    past = datetime(*value.timetuple()[:6]) - FIRST
    seconds = past.days * DAY + past.seconds + Fraction(value.microsecond, 10**6)
    seconds += Fraction(nanoseconds, 10**9)
    if offset is not None:
        seconds -= Fraction(offset // timedelta(microseconds=1), 10**6)
    return Instant(Fraction(seconds), offset is not None)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the dates and times of a column.

    Without a pattern, `separator` stands between date and time (empty where there is no time),
    which has "seconds" with so many `digits`, or "minutes" only (`spec`). `unit` are the seconds
    to which times are rounded; `zone` is the text of the time zone, `offset` its seconds from UTC.
    """

    pattern: str = ""
    separator: str = " "
    spec: str = "seconds"
    digits: int = 0
    unit: Fraction = Fraction(1)
    zone: str = ""
    offset: int = 0

    def text(self, seconds: Fraction) -> str:
        """Return the text of a time.

        The time is rounded half to even to the unit.
        """
        there = rounded_to(seconds + self.offset, self.unit)
        moment = FIRST + timedelta(seconds=int(there // 1))
        if self.pattern:
            zone = timezone(timedelta(seconds=self.offset)) if self.zone else None
            micro = int(there % 1 * 10**6)
            return moment.replace(microsecond=micro, tzinfo=zone).strftime(self.pattern)
        time = moment.time().isoformat(self.spec) if self.separator else ""
        tail = f".{int(there % 1 * 10**self.digits):0{self.digits}}" if self.digits else ""
        return f"{moment.date().isoformat()}{self.separator}{time}{tail}{self.zone}"


def style_of(kind: Kind, texts: Sequence[str]) -> Style:
    """Return the style of a column's dates and times.

    It is that of the finest of the texts, in the first's zone.
    """
    there = [text.strip() for text in dict.fromkeys(texts) if text.strip() not in MISSING]
    if kind.pattern:
        return _of_pattern(kind, there)
    matches = [match for match in map(_ISO.fullmatch, there) if match]
    separator = next((match[2] for match in matches if match[2]), "")
    digits = max((len(match[6] or "") for match in matches), default=0)
    zone = next((match[7] or "" for match in matches), "")
    offset = int(-instant_of(f"1970-01-01 00:00{zone}", kind, "").seconds) if zone else 0
    exact = any(match[5] for match in matches)
    unit = Fraction(1, 10**digits) if exact else Fraction(MINUTE)
    if kind.type == "date" or not separator:
        unit = Fraction(DAY)
    return Style("", separator, "seconds" if exact else "minutes", digits, unit, zone, offset)


def _of_pattern(kind: Kind, texts: Sequence[str]) -> Style:
    letters = set(re.findall(r"%-?([A-Za-z])", kind.pattern))
    unit = next((unit for of, unit in _FINEST if letters & set(of)), Fraction(DAY))
    if kind.type == "date":
        unit = Fraction(DAY)
    offset = datetime.strptime(texts[0], kind.pattern).utcoffset() if texts else None
    if offset is None:
        return Style(kind.pattern, unit=unit)
    return Style(kind.pattern, unit=unit, zone="z", offset=int(offset.total_seconds()))


def rounded_to(value: Fraction, unit: Fraction) -> Fraction:
    """Return the multiple of the unit next to the value.

    Of two, it is the even one.
    """
    return round(value / unit) * unit


def seconds_of(number: Fraction, kind: Kind) -> Fraction:
    """Return the seconds of a number of days or seconds.

    The kind says which of them it is.
    """
    return number * DAY if kind.type == "date" else number


def moment_texts(kind: Kind, numbers: Sequence[Fraction], texts: Sequence[str]) -> list[str]:
    """Return the texts of numbers of days or seconds.

    They are written in the style of these texts.

    >>> from refagg.data.kinds import kind_of
    >>> moment_texts(kind_of("date"), [Fraction(3, 2)], ["1970-01-01"])
    ['1970-01-03']
    """
    style = style_of(kind, texts)
    made = {number: style.text(seconds_of(number, kind)) for number in set(numbers)}
    return [made[number] for number in numbers]


def units_of(number: Fraction, kind: Kind, unit: Fraction) -> int:
    """Return a date or datetime in units, rounded to an integer.

    A unit has `unit` seconds.
    """
    seconds = seconds_of(number, kind)
    whole = rounded_to(seconds, Fraction(DAY)) if kind.type == "date" else seconds
    return round(whole / unit)


def plain_number(number: Fraction, kind: Kind) -> object:
    """Return a float, or Python's date or datetime.

    A datetime is naive, in UTC where there is a time zone.
    """
    if not kind.timed:
        return float(number)
    return value_like(FIRST.date() if kind.type == "date" else FIRST, number, kind)


def value_like(first: Any, number: Fraction, kind: Kind) -> Any:
    """Return a date or datetime of this one's type.

    It has the same time zone. Numbers are rounded to days, microseconds, or the unit of NumPy's
    datetime64.
    """
    seconds = seconds_of(number, kind)
    if unit := unit_in(str(getattr(first, "dtype", ""))):
        return type(first.astype("int64"))(units_of(number, kind, unit)).astype(first.dtype)
    if kind.type == "date" or not isinstance(first, datetime):
        whole = FIRST + timedelta(days=round(seconds / DAY))
        return whole if isinstance(first, datetime) else whole.date()
    plain = FIRST + timedelta(microseconds=round(seconds * 10**6))
    if first.tzinfo is None:
        return plain
    return plain.replace(tzinfo=UTC).astimezone(first.tzinfo)
