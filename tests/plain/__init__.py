"""The catalogue's algorithms a second time, written from their steps with nothing shared.

These are slow and short. They know one arithmetic (fractions), one rule for ties
(the lowest record number; among groups, the one formed first) and import nothing
of the library. Points are rows of numbers; results are lists of lists of record
numbers, in the order in which the groups were formed.
"""
