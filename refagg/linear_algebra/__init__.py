"""Linear algebra, in rational numbers where a rank is a fact and no judgement."""
