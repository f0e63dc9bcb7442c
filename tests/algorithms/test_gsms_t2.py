"""Where the tests of gsms-t2 are.

`pytest --algorithm gsms-t2` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/plain/gsms_t2.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/gsms-t2.json: tests/conformance/test_vectors.py
- [[gsms-t2]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-gsms-t2.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
