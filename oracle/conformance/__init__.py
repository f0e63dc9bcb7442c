"""Is an implementation right? Cases, adapters to foreign programs, and judgements."""
