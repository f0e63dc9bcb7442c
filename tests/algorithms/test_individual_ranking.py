"""Where the tests of individual-ranking are.

`pytest --algorithm individual-ranking` runs those that are for it alone.

- tests/algorithms/test_projection.py
- tests/plain/individual_ranking.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/individual-ranking.json: tests/conformance/test_vectors.py
- [[individual-ranking]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-individual-ranking.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
