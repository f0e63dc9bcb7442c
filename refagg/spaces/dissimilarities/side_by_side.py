"""Sequences side by side in one integer, to be compared at once.

All of them are compared with another sequence at the same time.

Each sequence has a *field* of the integer: one bit for each of its events, the first event lowest,
and at least one bit above them that is free. So one operation on integers carries out a step of a
bit-parallel algorithm for all sequences; what is added within a field never leaves it.

>>> some = side_by_side([("a", "b"), ("b",)])
>>> bits_of_each(some.masks["b"], some)
[1, 1]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refagg.data.kinds import Events

BYTE = 8
ONES = bytes(value.bit_count() for value in range(256))
"""For each byte the number of its bits that are 1."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Some sequences in fields of `octets` bytes each."""

    lengths: tuple[int, ...]
    octets: int
    masks: dict[str, int]
    """For each symbol, 1 where an event is this symbol."""
    ones: int
    """1 in the lowest bit of each field."""
    events: int
    """1 for each event."""


def side_by_side(sequences: Sequence[Events]) -> SideBySide:
    """Put sequences into one integer."""
    lengths = tuple(map(len, sequences))
    octets = max(lengths, default=0) // BYTE + 1
    starts = range(0, len(lengths) * octets * BYTE, octets * BYTE)
    places: dict[str, list[int]] = {}
    for start, sequence in zip(starts, sequences, strict=True):
        for place, symbol in enumerate(sequence, start):
            places.setdefault(symbol, []).append(place)
    size = len(lengths) * octets
    masks = {symbol: _with_bits(where, size) for symbol, where in places.items()}
    every = [start + i for start, m in zip(starts, lengths, strict=True) for i in range(m)]
    return SideBySide(lengths, octets, masks, _with_bits(starts, size), _with_bits(every, size))


def _with_bits(places: Sequence[int], size: int) -> int:
    """The integer of so many bytes in which these bits are 1."""
    octets = bytearray(size)
    for place in places:
        octets[place // BYTE] |= 1 << place % BYTE
    return int.from_bytes(octets, "little")


def bits_of_each(bits: int, some: SideBySide) -> list[int]:
    """Count the bits that are 1 in each field."""
    counts = bits.to_bytes(len(some.lengths) * some.octets, "little").translate(ONES)
    if some.octets == 1:
        return list(counts)
    return list(map(sum, zip(*(counts[i :: some.octets] for i in range(some.octets)), strict=True)))
