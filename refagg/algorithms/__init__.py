"""One module per published algorithm, named as in its source."""
