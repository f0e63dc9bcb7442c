"""Programs that an adapter must survive: each is a script in Python, with what must be reported."""

from __future__ import annotations

from dataclasses import dataclass

ANSWER = """
import json, os, sys, time
def right(line):
    request = json.loads(line)
    n, k = len(request["records"]), request["k"]
    groups = n // k
    return json.dumps({"id": request["id"], "labels": [min(i // k, groups - 1) for i in range(n)]})
"""
"""The beginning of every script: the right answer to "any k-partition"."""


@dataclass(frozen=True)
class Hostile:
    """A program and a part of the reason that is given for not taking its answer."""

    name: str
    script: str
    reason: str
    seconds: float = 5.0


def replies(text: str) -> str:
    """A program whose every reply is a text, in which ID stands for the right id."""
    return f"""
for line in sys.stdin:
    identity = json.dumps(json.loads(line)["id"])
    print({text!r}.replace("ID", identity), flush=True)
"""


HOSTILE = (
    # no answer
    Hostile("silent", "time.sleep(60)", "no answer within 0.3 seconds", 0.3),
    Hostile(
        "silent after reading",
        "sys.stdin.readline(); time.sleep(60)",
        "no answer within 0.3 seconds",
        0.3,
    ),
    Hostile("ends at once", "pass", "ended with exit status 0 without an answer"),
    Hostile("fails at once", "sys.exit(3)", "ended with exit status 3 without an answer"),
    Hostile(
        "fails with a message",
        "sys.stdin.readline(); raise KeyError('no such column')",
        "standard error ends with \"KeyError: 'no such column'\"",
    ),
    Hostile(
        "is killed",
        "sys.stdin.readline(); os.kill(os.getpid(), 9)",
        "was killed by SIGKILL without an answer",
    ),
    Hostile(
        "is killed half-way",
        "sys.stdout.write(right(sys.stdin.readline())[:12]); sys.stdout.flush(); "
        "os.kill(os.getpid(), 9)",
        'was killed by SIGKILL in the middle of a line: \'{"id"',
    ),
    Hostile(
        "stops half-way",
        "sys.stdout.write(right(sys.stdin.readline())[:12]); sys.stdout.flush(); time.sleep(60)",
        'no answer within 1.5 seconds in the middle of a line: \'{"id"',
        1.5,
    ),
    Hostile("closes its output", "os.close(1); time.sleep(60)", "closed its output"),
    Hostile(
        "ignores the end",
        "import signal\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(60)",
        "no answer within 0.3 seconds",
        0.3,
    ),
    # too much
    Hostile(
        "a line without end",
        "while True: os.write(1, b'[' * 65536)",
        "a line of more than 1048576 bytes: '[[[[",
    ),
    Hostile("lines without end", "while True: os.write(1, b'7\\n' * 9999)", "not a JSON object"),
    Hostile(
        "drips without end",
        "while True: os.write(1, b' '); time.sleep(0.01)",
        "no answer within 1.5 seconds in the middle of a line",
        1.5,
    ),
    Hostile(
        "standard error without end",
        "while True: os.write(2, b'trouble ' * 8192)",
        "no answer within 0.3 seconds",
        0.3,
    ),
    # no JSON
    Hostile("text", replies("Hello, user!"), "not JSON"),
    Hostile("a banner", "print('R version 4', flush=True)\n" + replies("x"), "not JSON"),
    Hostile("an empty line", replies(""), "not JSON"),
    Hostile("half an object", replies('{"id": ID, "labels": [0, '), "not JSON"),
    Hostile("no UTF-8", "os.write(1, b'\\xff\\xfe\\x00\\n'); time.sleep(60)", "not JSON"),
    Hostile("nested too deeply", replies("[" * 100_000), "not JSON"),
    Hostile(
        "a number of many digits", replies('{"id": ID, "sse": ' + "9" * 9999 + "}"), "not JSON"
    ),
    Hostile("NaN in groups", replies('{"id": ID, "groups": [[NaN]]}'), "NaN is not a JSON number"),
    Hostile(
        "NaN as SSE", replies('{"id": ID, "groups": [[0]], "sse": NaN}'), "NaN is not a JSON number"
    ),
    # wrong types
    Hostile("a list", replies("[[0, 1, 2]]"), "not a JSON object"),
    Hostile("null", replies("null"), "not a JSON object"),
    Hostile("another id", replies('{"id": "x", "groups": [[0]]}'), "the reply is for 'x'"),
    Hostile("no id", replies('{"groups": [[0]]}'), "the reply is for None"),
    Hostile("no answer in it", replies('{"id": ID, "clusters": [[0]]}'), "the reply has none of"),
    Hostile("empty", replies('{"id": ID, "groups": null}'), "the reply has none of"),
    Hostile("two answers", replies('{"id": ID, "groups": [], "labels": []}'), "groups and labels"),
    Hostile("groups of texts", replies('{"id": ID, "groups": [["a"]]}'), "a record must be"),
    Hostile("groups of truths", replies('{"id": ID, "groups": [[true]]}'), "a record must be"),
    Hostile("groups of halves", replies('{"id": ID, "groups": [[0.5]]}'), "a record must be"),
    Hostile("groups in a text", replies('{"id": ID, "groups": "0 1"}'), "groups must be lists"),
    Hostile("a flat group", replies('{"id": ID, "groups": [0, 1]}'), "groups must be lists"),
    Hostile("labels in an object", replies('{"id": ID, "labels": {"0": 1}}'), "labels must be"),
    Hostile("labels of lists", replies('{"id": ID, "labels": [[0]]}'), "the label of record 0"),
    Hostile("released flat", replies('{"id": ID, "released": [1]}'), "released must be"),
    Hostile("released null", replies('{"id": ID, "released": [[null]]}'), "a released value must"),
    Hostile("an SSE of truth", replies('{"id": ID, "groups": [[0]], "sse": true}'), "sse must be"),
    Hostile("a refusal of 7", replies('{"id": ID, "refused": 7}'), "refused must be a text"),
)
