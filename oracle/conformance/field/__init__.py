"""The state of the field: implementations by others, how they are asked, and what came of it."""
