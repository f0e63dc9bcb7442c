"""Where the tests of mdav-2k are.

`pytest --algorithm mdav-2k` runs those that are for it alone.

- tests/algorithms/test_genetic.py
- tests/plain/mdav_2k.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav-2k.json: tests/conformance/test_vectors.py
- [[mdav-2k]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav-2k.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
