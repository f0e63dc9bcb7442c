"""Where the tests of k-ward are.

`pytest --algorithm k-ward` runs those that are for it alone.

- tests/algorithms/test_hac.py
- tests/algorithms/test_ward.py
- tests/plain/k_ward.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/k-ward.json: tests/conformance/test_vectors.py
- [[k-ward]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-k-ward.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
