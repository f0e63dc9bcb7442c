"""Where the tests of tfrp-2 are.

`pytest --algorithm tfrp-2` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/algorithms/test_tfrp.py
- tests/plain/tfrp_2.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/tfrp-2.json: tests/conformance/test_vectors.py
- [[tfrp-2]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-tfrp-2.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
