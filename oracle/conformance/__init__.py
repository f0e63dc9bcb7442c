"""Tests of implementations: cases, adapters to foreign programs, and judgements."""
