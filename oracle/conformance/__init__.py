"""Is somebody's implementation right? Cases, doors to foreign programs, and judgements."""
