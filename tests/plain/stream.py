"""The random stream of a seed as docs/protocol.md describes it, on the second BLAKE2b."""

from __future__ import annotations

from plain.blake2b import digest


class Stream:
    def __init__(self, seed: int) -> None:
        self.key = str(seed).encode("ascii")
        self.word_number = 0

    def word(self) -> int:
        message = self.word_number.to_bytes(8, "big")
        self.word_number += 1
        return int.from_bytes(digest(message, self.key, 8), "big")

    def below(self, m: int) -> int:
        while True:
            word = self.word()
            if word < 2**64 // m * m:
                return word % m

    def sample(self, n: int, m: int) -> list[int]:
        left, drawn = list(range(n)), []
        while len(drawn) < m:
            drawn.append(left.pop(self.below(len(left))))
        return drawn
