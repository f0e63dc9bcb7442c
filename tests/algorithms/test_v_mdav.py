"""Where the tests of v-mdav are.

`pytest --algorithm v-mdav` runs those that are for it alone.

- tests/algorithms/test_genetic.py
- tests/plain/v_mdav.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/v-mdav.json: tests/conformance/test_vectors.py
- [[v-mdav]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-v-mdav.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
