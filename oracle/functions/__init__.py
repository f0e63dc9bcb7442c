"""The public functions of the judge: plain data in, results to look at out."""
