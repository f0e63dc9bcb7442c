"""Where the tests of md are.

`pytest --algorithm md` runs those that are for it alone.

- tests/algorithms/test_igd.py
- tests/plain/md.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/md.json: tests/conformance/test_vectors.py
- [[md]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-md.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
