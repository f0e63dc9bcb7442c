"""Memory that some work may take, where the system can bound it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path

from refagg.errors import FileUnreadable
from refagg.language.number_texts import bytes_text

STATUS = Path("/proc/self/status")
"""Where Linux says how much a process has."""


@contextmanager
def within_memory(more: int) -> Iterator[None]:
    """Limit the additional memory of the process within the block.

    It may take `more` bytes more, where Linux can bound them. What needs more is refused by the
    system, as a rule with a MemoryError.
    """
    held = _held()
    if held is None:
        yield
        return
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [limit for limit in (held + more, before, hard) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))


MOST_MEMORY, USUAL_GROWTH = 300_000_000, 100
"""Bytes of memory that reading a file that is no plain text may take, and multiples of its size."""


@contextmanager
def reading(path: Path, what: str, size: int, most: int | None) -> Iterator[None]:
    """Read a file within the memory that it may take.

    The file has `size` bytes. Raises FileUnreadable.
    """
    allowed = most or MOST_MEMORY + USUAL_GROWTH * size
    try:
        with within_memory(allowed):
            yield
    except MemoryError:
        raise FileUnreadable(
            f"{path} is {what} of {bytes_text(size)} and holds more than {bytes_text(allowed)} "
            "as a table; --max-decompressed=2GB, or another size, allows more"
        ) from None


def bound_memory(most: int) -> bool:
    """Limit the memory of this process.

    Return False if it cannot be bounded.
    """
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(
            resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1])
        )
        return STATUS.exists()
    return False


CONTAINER = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"
"""Where Linux says what a container may have, and what it has."""


def available_memory() -> float:
    """Return the number of free bytes of memory.

    Bounds of the system, a container and the process count. It is infinite where none is known.
    """
    free = [inf]
    with suppress(OSError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        free += [int(kilobytes) * 1024 for kilobytes in re.findall(r"MemAvailable:\s+(\d+)", text)]
    with suppress(OSError, ValueError):  # "max" bounds nothing
        most, used = [int(Path(path).read_text(encoding="ascii")) for path in CONTAINER]
        free.append(most - used)
    if (held := _held()) is not None:
        import resource

        bound = resource.getrlimit(resource.RLIMIT_DATA)[0]
        free += [bound - held] if bound != resource.RLIM_INFINITY else []
    return min(free)


def _held() -> int | None:
    """Return the bytes of data that the process has.

    None if the system does not say.
    """
    with suppress(OSError):
        found = re.search(r"VmData:\s+(\d+) kB", STATUS.read_text(encoding="ascii"))
        return int(found[1]) * 1024 if found else None
    return None
