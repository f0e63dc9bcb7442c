"""Where the tests of influence are.

`pytest --algorithm influence` runs those that are for it alone.

- tests/algorithms/test_sdcmicro.py
- tests/plain/influence.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/influence.json: tests/conformance/test_vectors.py
- [[influence]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-influence.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
