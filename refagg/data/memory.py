"""Memory that some work may take, where the system can bound it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path, PurePath

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
        from resource import RLIMIT_DATA, getrlimit, setrlimit

        setrlimit(RLIMIT_DATA, (most, getrlimit(RLIMIT_DATA)[1]))
        return STATUS.exists()
    return False


CONTAINERS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""Where Linux says what containers may have, and in which ones a process is."""


def available_memory() -> float:
    """Return the number of free bytes of memory.

    Bounds of the system, a container and the process count. It is infinite where none is known.
    """
    free = [inf]
    with suppress(OSError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        free += [int(kilobytes) * 1024 for kilobytes in re.findall(r"MemAvailable:\s+(\d+)", text)]
    for names in _containers():
        with suppress(OSError, ValueError):  # "max" bounds nothing
            most, used, stat = [path.read_text(encoding="ascii") for path in names]
            cached = re.findall(r"^(?:total_)?inactive_file (\d+)$", stat, re.M)
            free.append(int(most) - int(used) + int(cached[-1]))
    for limit, kind in (("RLIMIT_DATA", "VmData"), ("RLIMIT_AS", "VmSize")):
        if (held := _held(kind)) is not None:
            import resource

            bound = resource.getrlimit(getattr(resource, limit))[0]
            free += [bound - held] if bound != resource.RLIM_INFINITY else []
    return min(free)


def _containers() -> Iterator[list[Path]]:
    """Yield the files with the bound and use of each container.

    The third one has the kinds of use. They are those of cgroups of both versions, from the
    process's own one outwards.
    """
    text = OWN.read_text(encoding="utf-8") if OWN.exists() else ""
    for version, place in re.findall(r"^\d+:(memory)?:(.*)$", text, re.M):
        bounds = ("limit_in_bytes", "usage_in_bytes") if version else ("max", "current")
        for folder in (PurePath(place), *PurePath(place).parents):
            inner = CONTAINERS / version / str(folder).lstrip("/")
            yield [inner / f"memory.{name}" for name in (*bounds, "stat")]


def _held(kind: str = "VmData") -> int | None:
    """Return the bytes of a kind that the process has.

    None if the system does not say.
    """
    with suppress(OSError):
        found = re.search(rf"{kind}:\s+(\d+) kB", STATUS.read_text(encoding="ascii"))
        return int(found[1]) * 1024 if found else None
    return None
