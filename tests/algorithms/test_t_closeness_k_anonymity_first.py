"""Where the tests of t-closeness-k-anonymity-first are.

`pytest --algorithm t-closeness-k-anonymity-first` runs those that are for it alone.

- tests/algorithms/test_beyond_k.py
- tests/plain/t_closeness_k_anonymity_first.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/t-closeness-k-anonymity-first.json: tests/conformance/test_vectors.py
- [[t-closeness-k-anonymity-first]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-t-closeness-k-anonymity-first.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
