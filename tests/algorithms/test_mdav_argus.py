"""Where the tests of mdav-argus are.

`pytest --algorithm mdav-argus` runs those that are for it alone.

- tests/plain/mdav_argus.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav-argus.json: tests/conformance/test_vectors.py
- [[mdav-argus]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav-argus.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
