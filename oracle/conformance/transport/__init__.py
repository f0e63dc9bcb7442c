"""Transport of questions: to programs by JSON lines, or to functions."""
