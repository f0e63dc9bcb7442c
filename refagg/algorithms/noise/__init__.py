"""What is no microaggregation, to compare it with: noise that is added."""
