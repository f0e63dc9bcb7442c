"""Where the tests of mdav-single are.

`pytest --algorithm mdav-single` runs those that are for it alone.

- tests/algorithms/test_genetic.py
- tests/algorithms/test_shortest_path.py
- tests/plain/mdav_single.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav-single.json: tests/conformance/test_vectors.py
- [[mdav-single]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav-single.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
