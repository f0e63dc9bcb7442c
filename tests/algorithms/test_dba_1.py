"""Where the tests of dba-1 are.

`pytest --algorithm dba-1` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/plain/dba_1.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/dba-1.json: tests/conformance/test_vectors.py
- [[dba-1]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-dba-1.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
