"""Adapter to an executable: JSON lines through pipes.

The program may do anything.

Whatever the program does, a call ends in time with an answer, and memory stays bounded: a line
may be so long and no longer, and of what the program says on its standard error only the end is
kept. A program that misbehaves is killed with all that it started in its process group (POSIX),
and started again for the next case.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.transport import processes, protocol


class Program:
    """Program that is asked case after case by JSON lines.

    It is an `Adapter`, to be closed.

    `once` starts it again for each case and closes its input after the request, for programs
    that read all of their input before they answer.
    """

    def __init__(self, command: Sequence[str], once: bool = False) -> None:
        self.command = list(command)
        self.once = once
        self.starts = 0
        self._process: processes.Process | None = None

    def __call__(self, case: Case, seconds: float) -> Answer:
        """Ask, and wait for at most `seconds`.

        Nothing that the program does is raised.
        """
        began = time.monotonic()
        usable = False
        try:
            reply = self._asked(protocol.request_line(case), began + seconds)
            answer = protocol.reply_from(reply, case)
            usable = not self.once
        except (processes.Misbehaved, protocol.Unintelligible) as reason:
            answer = Answer(errored=self._told(str(reason), seconds))
        finally:
            if not usable:
                self.close()
        return replace(answer, seconds=time.monotonic() - began)

    def described(self, claim: str, seconds: float) -> object:
        """Return what the program says that it takes.

        None if it says nothing of use.
        """
        try:
            reply = self._asked(protocol.describe_line(claim), time.monotonic() + seconds)
            found = protocol.described_in(reply)
        except processes.Misbehaved:
            found = None
        if found is None or self.once:
            self.close()  # whatever became of it, cases find it as it starts
        return found

    def close(self) -> None:
        """End the program and all that it started."""
        if self._process:
            self._process.kill()
            self._process = None

    def _asked(self, request: bytes, deadline: float) -> bytes:
        if self._process and not self._process.silent():
            self.close()
        used = self._process is not None
        try:
            return self._started().ask(request, deadline, self.once)
        except processes.Gone:
            if not used:
                raise
        # It ended after its last answer, as programs for one line do: that is its right.
        self.close()
        return self._started().ask(request, deadline, self.once)

    def _started(self) -> processes.Process:
        if self._process is None:
            with processes.interruptions_wait():
                self._process = processes.started(self.command)
            self.starts += 1
        return self._process

    def _told(self, reason: str, seconds: float) -> str:
        reason = reason.replace("in time", f"within {seconds:g} seconds")
        said = self._process.last_words() if self._process else ""
        return f"{reason}; standard error ends with {said}" if said else reason
