"""Where the tests of k-ward-univariate are.

`pytest --algorithm k-ward-univariate` runs those that are for it alone.

- tests/algorithms/test_hac.py
- tests/algorithms/test_ward.py
- tests/plain/k_ward_univariate.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/k-ward-univariate.json: tests/conformance/test_vectors.py
- [[k-ward-univariate]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-k-ward-univariate.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
