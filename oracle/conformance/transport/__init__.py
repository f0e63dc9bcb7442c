"""How a question reaches an implementation: a program, by JSON lines, or a function."""
