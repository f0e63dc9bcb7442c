"""The only source of randomness: a stream of integers, seeded or scripted.

The seeded random stream is a counter hashed with BLAKE2b, so that the same seed gives the
same draws on every platform and in every version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from typing import TypeVar

from refagg.errors import InvalidParameter, StreamExhausted

T = TypeVar("T")

MAX_KEY_SIZE = blake2b.MAX_KEY_SIZE
"""The bytes of a key; the text of a longer seed is hashed first."""


@dataclass(frozen=True, slots=True)
class RandomStream:
    """Draws of integers; everything random is made of `randbelow`."""

    randbelow: Callable[[int], int]
    """randbelow(m) draws one of 0 .. m-1, each equally likely."""

    def sample(self, items: Sequence[T], m: int) -> list[T]:
        """Draw m different items, in the order drawn.

        Raises StreamExhausted if there are fewer.
        """
        if m > len(items):
            raise StreamExhausted(f"{m} items are to be drawn from {len(items)}")
        left = list(items)
        return [left.pop(self.randbelow(len(left))) for _ in range(m)]

    def uniform(self) -> float:
        """A number of [0, 1) with 53 random bits."""
        return self.randbelow(1 << 53) / (1 << 53)


def seeded(seed: int) -> RandomStream:
    """The endless random stream of a seed. Raises InvalidParameter.

    >>> stream = seeded(1)
    >>> sorted(stream.sample("abc", 3))
    ['a', 'b', 'c']
    """
    if type(seed) is not int:
        raise InvalidParameter(f"the seed is {seed!r}; it must be an integer")
    draws = count()
    text = str(seed).encode()
    key = text if len(text) <= MAX_KEY_SIZE else blake2b(text).digest()

    def word() -> int:
        digest = blake2b(next(draws).to_bytes(8, "big"), key=key, digest_size=8).digest()
        return int.from_bytes(digest, "big")

    def randbelow(m: int) -> int:
        if not 1 <= m <= 1 << 64:
            raise StreamExhausted(f"a draw below {m}; at least 1 and at most 2^64 is possible")
        limit = (1 << 64) - (1 << 64) % m
        while (drawn := word()) >= limit:
            pass
        return drawn % m

    return RandomStream(randbelow)


def scripted(draws: Iterable[int]) -> RandomStream:
    """Return a random stream that gives these draws.

    It serves to replay a run or to work one by hand.

    >>> scripted([2, 0]).sample("abc", 2)
    ['c', 'a']
    """
    left = iter(draws)

    def randbelow(m: int) -> int:
        drawn = next(left, None)
        if drawn is None:
            raise StreamExhausted(f"the script has no draw left, one of 0 to {m - 1} is needed")
        if not 0 <= drawn < m:
            raise StreamExhausted(f"the script draws {drawn}, but one of 0 to {m - 1} is needed")
        return drawn

    return RandomStream(randbelow)


def stream_of(seed: int | None) -> RandomStream:
    """Return the random stream of a seed.

    Without a seed it is an empty random stream.
    """
    return scripted(()) if seed is None else seeded(seed)


NOTHING_TO_DRAW = scripted(())
"""The stream of a run that draws nothing."""
