"""What an algorithm is written in."""
