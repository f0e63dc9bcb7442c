"""Where the tests of imhm are.

`pytest --algorithm imhm` runs those that are for it alone.

- tests/algorithms/test_paths.py
- tests/plain/imhm.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/imhm.json: tests/conformance/test_vectors.py
- [[imhm]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-imhm.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
