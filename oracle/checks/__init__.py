"""The checks of releases: one file for each, and one driver.

from __future__ import annotations

A module of this package that holds a function with `@check(place)` is a check of every road (files,
frames, stores, parts, releases alone, fuzzy, identify, conform, hunt) that has what it needs: its
parameters are the names of facts. Nothing else lists it. Facts that roads have:

- all: `k`, and `classes`, the groups of records that are judged, counted;
- a release beside its original: `case`, `groups`, `promise`, and of tables in memory `granted`,
  `losses`, and where there are any `constraints`, `methods`; of all attributes `whole`;
- cells that are compared by equality: `cells`, `alike`, and with an original `equality`;
- centres that records were drawn to: `drawn`, `seen`;
- answers of programs: `answer`, `strict`.
"""
