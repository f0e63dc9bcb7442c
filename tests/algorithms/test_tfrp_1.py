"""Where the tests of tfrp-1 are.

`pytest --algorithm tfrp-1` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/algorithms/test_tfrp.py
- tests/plain/tfrp_1.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/tfrp-1.json: tests/conformance/test_vectors.py
- [[tfrp-1]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-tfrp-1.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
