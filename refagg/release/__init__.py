"""From data to a release: masking, what it loses, what it still discloses."""
