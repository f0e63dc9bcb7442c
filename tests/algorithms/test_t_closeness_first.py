"""Where the tests of t-closeness-first are.

`pytest --algorithm t-closeness-first` runs those that are for it alone.

- tests/algorithms/test_beyond_k.py
- tests/plain/t_closeness_first.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/t-closeness-first.json: tests/conformance/test_vectors.py
- [[t-closeness-first]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-t-closeness-first.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
