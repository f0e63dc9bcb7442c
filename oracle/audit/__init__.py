"""The ladder of verdicts on a released file."""
