"""Where the tests of mdav are.

`pytest --algorithm mdav` runs those that are for it alone.

- tests/algorithms/test_beyond_k.py
- tests/algorithms/test_genetic.py
- tests/algorithms/test_hac.py
- tests/algorithms/test_igd.py
- tests/algorithms/test_local.py
- tests/algorithms/test_noise.py
- tests/algorithms/test_shortest_path.py
- tests/plain/mdav.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/mdav.json: tests/conformance/test_vectors.py
- [[mdav]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-mdav.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
