"""What makes the verbs of the language fast; each piece has a naive twin in the tests."""
