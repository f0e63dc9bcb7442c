"""Where the tests of mdav-2 are.

`pytest --algorithm mdav-2` runs those that are for it alone.

- tests/algorithms/test_second_phase.py
- tests/plain/mdav_2.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav-2.json: tests/conformance/test_vectors.py
- [[mdav-2]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav-2.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
