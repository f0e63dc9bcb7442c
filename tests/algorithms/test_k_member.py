"""Where the tests of k-member are.

`pytest --algorithm k-member` runs those that are for it alone.

- tests/algorithms/test_rivals.py
- tests/plain/k_member.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/k-member.json: tests/conformance/test_vectors.py
- [[k-member]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-k-member.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
