"""Where the tests of gsms are.

`pytest --algorithm gsms` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/plain/gsms.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/gsms.json: tests/conformance/test_vectors.py
- [[gsms]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-gsms.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
