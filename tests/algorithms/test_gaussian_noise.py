"""Where the tests of gaussian-noise are.

`pytest --algorithm gaussian-noise` runs those that are for it alone.

- tests/algorithms/test_noise.py
- tests/plain/gaussian_noise.py, the same steps again: tests/plain/test_same_*.py
- oracle/conformance/vectors/gaussian-noise.json: tests/conformance/test_vectors.py
- [[gaussian-noise]] in tests/planted/mistakes.toml: tests/auditing
- tests/black_box/records/algorithm-gaussian-noise.txt: tests/black_box
- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms

Written by `python -m tests.algorithms.index`.
"""
