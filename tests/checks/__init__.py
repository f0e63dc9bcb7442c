"""The driver of checks."""
