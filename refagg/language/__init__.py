"""The vocabulary of all other modules: records, groups, ties, draws, spaces."""
