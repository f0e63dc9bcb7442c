"""Keyed BLAKE2b after RFC 7693, sections 2 and 3, for messages and keys of one block each."""

from __future__ import annotations

MASK = 2**64 - 1

IV = [
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
]

SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

QUARTERS = [
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
]


def digest(message: bytes, key: bytes = b"", size: int = 64) -> bytes:
    h = list(IV)
    h[0] ^= 0x01010000 ^ (len(key) << 8) ^ size
    blocks = [key.ljust(128, b"\0")] if key else []
    if message or not key:
        blocks.append(message.ljust(128, b"\0"))
    end = 128 * (len(blocks) - 1) + len(message) if message or not key else 128
    for number, block in enumerate(blocks, start=1):
        last = number == len(blocks)
        h = _compress(h, block, end if last else 128 * number, last)
    return b"".join(word.to_bytes(8, "little") for word in h)[:size]


def _compress(h: list[int], block: bytes, offset: int, last: bool) -> list[int]:
    m = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 128, 8)]
    v = h + IV
    v[12] ^= offset
    if last:
        v[14] ^= MASK
    for number in range(12):
        order = SIGMA[number % 10]
        for i, (a, b, c, d) in enumerate(QUARTERS):
            _mix(v, (a, b, c, d), m[order[2 * i]], m[order[2 * i + 1]])
    return [x ^ y ^ z for x, y, z in zip(h, v[:8], v[8:], strict=True)]


def _mix(v: list[int], at: tuple[int, int, int, int], x: int, y: int) -> None:
    a, b, c, d = at
    for number, first, second in ((x, 32, 24), (y, 16, 63)):
        v[a] = (v[a] + v[b] + number) & MASK
        v[d] = _rotated(v[d] ^ v[a], first)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = _rotated(v[b] ^ v[c], second)


def _rotated(word: int, bits: int) -> int:
    return (word >> bits) | (word << (64 - bits)) & MASK
