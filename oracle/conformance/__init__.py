"""Is somebody's implementation right? Cases, adapters to foreign programs, and judgements."""
