"""Where the tests of iv-mdav are.

`pytest --algorithm iv-mdav` runs those that are for it alone.

- tests/plain/iv_mdav.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/iv-mdav.json: tests/conformance/test_vectors.py
- [[iv-mdav]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-iv-mdav.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
