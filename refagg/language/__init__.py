"""The words that everything else is written in: records, groups, ties, draws, spaces."""
