"""Public functions of the judge: plain data in, results to examine out."""
