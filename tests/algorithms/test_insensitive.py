"""Where the tests of insensitive are.

`pytest --algorithm insensitive` runs those that are for it alone.

- tests/algorithms/test_beyond_k.py
- tests/plain/insensitive.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/insensitive.json: tests/conformance/test_vectors.py
- [[insensitive]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-insensitive.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
