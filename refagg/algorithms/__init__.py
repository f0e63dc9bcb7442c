"""Algorithms as published, a file for each paper, in folders by the idea that they share."""
