"""Algorithms side by side: tables, known optima, pictures."""
