"""Checks of the commands and the files that they read and write; they know nothing else."""
