"""Tables whose attributes have kinds: files, data sets, standardisation, aggregates."""
