"""The door to an animal."""

from __future__ import annotations

from fractions import Fraction

from oracle.conformance.model import Answer, Case, Door

from .animal import Animal


def door_of(animal: Animal) -> Door:
    def door(case: Case, seconds: float) -> Answer:
        records = [[float(Fraction(text)) for text in row] for row in case.records]
        try:
            reply = animal.program(records, case.k, **case.parameters, seed=case.seed)
        except Exception as error:
            return Answer(errored=repr(error))
        if isinstance(reply, dict):
            return Answer(
                groups=reply.get("groups"),
                released=tuple(tuple(map(str, row)) for row in reply["released"])
                if "released" in reply
                else None,
                sse=str(reply["sse"]) if "sse" in reply else None,
            )
        return Answer(groups=tuple(map(tuple, reply)))

    return door
