"""Where the tests of cbfs are.

`pytest --algorithm cbfs` runs those that are for it alone.

- tests/algorithms/test_igd.py
- tests/algorithms/test_second_phase.py
- tests/algorithms/test_shortest_path.py
- tests/plain/cbfs.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/cbfs.json: tests/conformance/test_vectors.py
- [[cbfs]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-cbfs.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
