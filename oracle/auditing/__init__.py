"""The checks on a released file, each with a witness."""
