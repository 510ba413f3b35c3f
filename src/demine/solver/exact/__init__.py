"""Exact mine probabilities, exact counts of layouts, and what is certain."""
