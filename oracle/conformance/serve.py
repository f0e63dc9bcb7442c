"""`python -m oracle.conformance.serve`: the protocol, answered by the algorithms of refagg.

Or by any function of Python: `python -m oracle.conformance.serve module:function`, which keeps
one that may hang or crash in a process of its own. Names after it, of parameters or `standardise`,
are of what the function has as it is: it need not accept them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from oracle.conformance.judge.model import OPTIMAL, Adapter, Answer, Case
from oracle.conformance.judge.questions import question_of
from oracle.conformance.judge.sums import optimum_of
from oracle.conformance.taking import SHAPES
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.protocol import DESCRIBE, Unintelligible, case_of, reply_of
from refagg.data.kinds import Kind, Value
from refagg.data.tables import Table
from refagg.errors import BeyondFloats, RefaggError
from refagg.language.importing import function_named
from refagg.language.partition import Partition
from refagg.release.aggregates import MEANS, aggregated_table
from refagg.release.masking import masked
from refagg.release.method import method_of

DESCRIPTION = {"shapes": list(SHAPES)}
"""What refagg takes: everything."""

FOREVER = 1e6
"""No time limit: the client has its own."""


def own(case: Case, seconds: float) -> Answer:
    """Return the answer of refagg itself; an `Adapter`.

    Without a seed, draws are from the random stream of 0.
    """
    try:
        question = question_of(case)
        if case.claim == OPTIMAL:
            found = optimum_of(case, seconds)
            released = aggregated_table(question.table, found.partition, MEANS)
            return _told(case, found.partition, released, found.value)
        method = question.method or method_of("mdav", case.k, standardise=question.scale)
        if method.specification.random and method.seed is None:
            method = replace(method, seed=0)
        release = masked(question.table, method, question.blocks, case.strata or None)
    except (BeyondFloats, OverflowError):
        return Answer(unsupported="the values are outside the range of binary64")
    except RefaggError as error:
        return Answer(refused=f"{type(error).__name__}: {error}")
    answer = _told(case, None, release.released, release.sse)
    if question.noise:
        return answer
    blocks = tuple(block.partition.groups for block in release.blocks)
    return replace(answer, groups=blocks[0]) if len(blocks) == 1 else replace(answer, blocks=blocks)


def _told(case: Case, partition: Partition | None, released: Table, lost: Fraction) -> Answer:
    """Return the answer.

    Of declared kinds no SSE is reported, for there is more than one.
    """
    kinds = [attribute.kind for attribute in released.attributes]
    rows = tuple(tuple(map(_cell, released.values(record), kinds)) for record in range(released.n))
    sse = None if case.kinds else str(lost)
    return Answer(partition.groups if partition else None, rows, sse)


def _cell(value: Value, kind: Kind) -> str:
    """Return a released value as it is written."""
    return kind.separator.join(value) if isinstance(value, tuple) else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer line after line until the input ends."""
    names = sys.argv[1:] if arguments is None else list(arguments)
    try:
        function = Function(function_named(names[0]), names[1:]) if names else None
    except RefaggError as error:
        sys.exit(f"error: {error}")
    adapter: Adapter = function or own
    replies = os.fdopen(os.dup(1), "w")  # what code in C prints goes to standard error, too
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            request = json.loads(line)
            case = case_of(request)
        except (ValueError, RecursionError, Unintelligible) as reason:
            reply: dict[str, Any] = {"id": None, "unsupported": str(reason)}
        else:
            if request.get(DESCRIBE):
                said = function.described(case.claim, FOREVER) if function else DESCRIPTION
                reply = {"id": case.id, "describes": said}
            else:
                reply = reply_of(case, adapter(case, FOREVER))
        print(json.dumps(reply, default=sorted), file=replies, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
