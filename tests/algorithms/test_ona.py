"""Where the tests of ona are.

`pytest --algorithm ona` runs those that are for it alone.

- tests/algorithms/test_rivals.py
- tests/plain/ona.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/ona.json: tests/conformance/test_vectors.py
- [[ona]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-ona.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
